import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { CorrectionPublisher } from '../src/insight/translations/segments/correction-publisher.js';
import { OutboxRelay } from '../src/kernel/platform/outbox-relay.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import type { Client } from './client.js';
import { inbox, settle as settleNotifications } from './notification-desk.js';
import { inOrder, useEngine, type TestEngine } from './translation-engine.js';

const app = useApp({ TRANSLATION_DELAY: '0' });
let engine: TestEngine;
let org: Workspace;
let api: Client;

interface TranslationBody {
  readonly id: string;
  readonly status: string;
  readonly error?: string;
  readonly instructions: object;
  readonly review: boolean;
  readonly result: { readonly space: string; readonly revision: string; readonly changeRequest?: string };
  readonly stats: { readonly runs: number };
}

interface Reviewed {
  readonly space: string;
  readonly result: string;
  /** The address of the translation. */
  readonly at: string;
}

beforeAll(async () => {
  engine = useEngine(app.current, ['es', 'fr']);
  org = await buildOrganization(app.current);
  api = org.admin.api;
});

beforeEach(() => {
  engine.answer = inOrder;
  engine.before = async () => undefined;
});

async function settle(): Promise<void> {
  await app.current.get(OutboxRelay).drain();
  await app.current.get(Jobs).drain();
}

async function write(space: string, ...changes: readonly object[]): Promise<void> {
  const { status, body } = await api.post(`/spaces/${space}/content`, { changes });
  expect([status, body]).toEqual([200, body]);
  await settle();
}

const newPage = (title: string, markdown: string): object => ({
  ...{ operation: 'insert_page', title, slug: title.toLowerCase() },
  document: { markdown },
});

async function translated(body: object, ...changes: readonly object[]): Promise<Reviewed> {
  const space = (
    await api.post<{ id: string }>(`/orgs/${org.id}/spaces`, { title: 'Guide', empty: true, editMode: 'live' })
  ).body.id;
  await write(space, ...changes);
  const made = await api.post<TranslationBody>(`/orgs/${org.id}/translations`, {
    ...{ source: { space, language: 'en' }, language: 'es' },
    ...body,
  });
  expect([made.status, made.body]).toEqual([201, made.body]);
  await settle();
  return { space, result: made.body.result.space, at: `/orgs/${org.id}/translations/${made.body.id}` };
}

async function stateOf({ at }: Reviewed): Promise<TranslationBody> {
  const { status, body } = await api.get<TranslationBody>(at);
  expect(status).toBe(200);
  return body;
}

/** The titles of the pages of a space or change request. */
async function titles(at: string): Promise<string[]> {
  const { body } = await api.get<{ pages: { title: string }[] }>(`${at}/content/pages`);
  return body.pages.map(({ title }) => title);
}

async function markdown(at: string, path: string): Promise<string> {
  const { body } = await api.get<{ markdown: string }>(`${at}/content/path/${path}`, { query: { format: 'markdown' } });
  return body.markdown;
}

async function pageOf(at: string, path: string): Promise<string> {
  return (await api.get<{ id: string }>(`${at}/content/path/${path}`)).body.id;
}

interface RequestBody {
  readonly status: string;
  readonly subject: string;
  readonly revision: string;
}

async function openRequest(translation: Reviewed): Promise<string> {
  const { result } = await stateOf(translation);
  return `/spaces/${result.space}/change-requests/${result.changeRequest ?? 'none'}`;
}

const requestsOf = async ({ result }: Reviewed, status: string): Promise<number> =>
  (await api.get<{ items: object[] }>(`/spaces/${result}/change-requests`, { query: { status } })).body.items.length;

async function merge(request: string): Promise<void> {
  const { status, body } = await api.post<{ result: string }>(`${request}/merge`);
  expect([status, body]).toMatchObject([200, { result: 'merge' }]);
  await settle();
}

async function say(request: string, page: string, text: string): Promise<void> {
  const changes = [{ operation: 'update_page', page, document: { markdown: text } }];
  const { status, body } = await api.post(`${request}/content`, { changes });
  expect([status, body]).toEqual([200, body]);
}

async function setReview(translation: Reviewed, review: boolean): Promise<void> {
  const { instructions } = await stateOf(translation);
  const { status, body } = await api.put<TranslationBody>(translation.at, { instructions, review });
  expect([status, body.review]).toEqual([200, review]);
  await settle();
}

describe('a translation that people review', () => {
  it('brings what runs make into the space once people have merged it', async () => {
    const translation = await translated({ review: true }, newPage('Home', 'Read this.'), newPage('Steps', 'Go on.'));
    const space = `/spaces/${translation.result}`;
    const waiting = await stateOf(translation);
    expect(waiting).toMatchObject({ status: 'completed', review: true, stats: { runs: 1 } });
    expect(waiting).not.toHaveProperty('error');
    const request = await openRequest(translation);
    expect(await titles(space)).toEqual([]);
    expect(await titles(request)).toEqual(['Homeix', 'Stepsix']);
    expect((await api.get<RequestBody>(request)).body).toMatchObject({ status: 'open' });
    await merge(request);
    expect(await titles(space)).toEqual(['Homeix', 'Stepsix']);
    expect((await stateOf(translation)).result).not.toHaveProperty('changeRequest');
    // The run after it has nothing to add, and pages are texts like all others: a person corrects one.
    expect(await requestsOf(translation, 'open')).toBe(0);
    engine.takeSent();
    await write(translation.space, newPage('More', 'And more.'));
    expect(engine.takeSent().sort()).toEqual(['And more.', 'More']);
    expect(await titles(space)).toEqual(['Homeix', 'Stepsix']);
    const next = await openRequest(translation);
    expect(next).not.toBe(request);
    expect(await titles(next)).toEqual(['Homeix', 'Stepsix', 'Moreix']);
    await setReview(translation, false);
    expect(await titles(space)).toEqual(['Homeix', 'Stepsix', 'Moreix']);
    // Nothing of it is left to merge.
    expect((await api.get<RequestBody>(next)).body.status).toBe('archived');
    await setReview(translation, true);
    expect(await requestsOf(translation, 'open')).toBe(0);
  });

  it('has one change request, which later runs bring up to date, and what people have changed in it stays', async () => {
    const translation = await translated({ review: true }, newPage('Home', 'Read this.\n\nAnd that.'));
    const space = `/spaces/${translation.result}`;
    const request = await openRequest(translation);
    const home = await pageOf(request, 'home');
    await say(request, home, 'Lea esto.\n\nAndix thatix.');
    await write(translation.space, {
      ...{ operation: 'update_page', page: await pageOf(`/spaces/${translation.space}`, 'home') },
      document: { markdown: 'Read this.\n\nAnd that.\n\nThen stop.' },
    });
    expect(await openRequest(translation)).toBe(request);
    expect(await markdown(request, 'home')).toMatch(/Lea esto\.\s+Andix thatix\.\s+Thenix stopix\./);
    const { revision } = (await api.get<RequestBody>(request)).body;
    await api.post(`${translation.at}/run`);
    await settle();
    expect((await api.get<RequestBody>(request)).body.revision).toBe(revision);
    await merge(request);
    expect(await markdown(space, 'home')).toMatch(/Lea esto\.\s+Andix thatix\.\s+Thenix stopix\./);
    // A correction from now on: it stays whatever runs make, and is listed as one.
    const { body } = await api.get<{ items: { source: string; state: string; target: string }[] }>(
      `${translation.at}/segments`,
    );
    expect(body.items.find(({ source }) => source === 'Read this.')).toMatchObject({
      state: 'reviewed',
      target: 'Lea esto.',
    });
    expect(await requestsOf(translation, 'open')).toBe(0);
  });

  it('says in the change request what people correct elsewhere', async () => {
    const translation = await translated({ review: true }, newPage('Home', 'Read this.'));
    const request = await openRequest(translation);
    const { body } = await api.get<{ items: { id: string; source: string }[] }>(`${translation.at}/segments`);
    const segment = body.items.find(({ source }) => source === 'Read this.');
    const corrected = await api.patch(`${translation.at}/segments/${segment?.id}`, { target: 'Lea esto.' });
    expect(corrected.status).toBe(200);
    await settle();
    expect(await openRequest(translation)).toBe(request);
    expect(await markdown(request, 'home')).toContain('Lea esto.');
    await merge(request);
    expect(await markdown(`/spaces/${translation.result}`, 'home')).toContain('Lea esto.');
    expect(await requestsOf(translation, 'open')).toBe(0);
  });

  it('stays as it is where people turn the same down, until the source says something else', async () => {
    const translation = await translated({ review: true }, newPage('Home', 'Read this.'));
    const request = await openRequest(translation);
    expect((await api.patch(request, { status: 'archived' })).status).toBe(200);
    await api.post(`${translation.at}/run`);
    await settle();
    expect([await requestsOf(translation, 'open'), await requestsOf(translation, 'archived')]).toEqual([0, 1]);
    expect(await stateOf(translation)).toMatchObject({ status: 'completed' });
    await write(translation.space, newPage('More', 'And more.'));
    const next = await openRequest(translation);
    expect(await titles(next)).toEqual(['Homeix', 'Moreix']);
    await merge(next);
    // Without a difference to the space there is nothing to review.
    await write(translation.space, newPage('Again', 'Again.'));
    const third = await openRequest(translation);
    await write(translation.space, {
      operation: 'delete_page',
      page: await pageOf(`/spaces/${translation.space}`, 'again'),
    });
    expect((await api.get<RequestBody>(third)).body.status).toBe('archived');
    expect(await requestsOf(translation, 'open')).toBe(0);
    expect(await titles(`/spaces/${translation.result}`)).toEqual(['Homeix', 'Moreix']);
  });

  it('is not offered again by what people have corrected before they turned it down, or have left out of it', async () => {
    const translation = await translated({ review: true }, newPage('Home', 'Read this.'));
    const request = await openRequest(translation);
    await say(request, await pageOf(request, 'home'), 'Lea esto.');
    expect((await api.patch(request, { status: 'archived' })).status).toBe(200);
    await api.post(`${translation.at}/run`);
    await settle();
    expect(await requestsOf(translation, 'open')).toBe(0);
    await write(translation.space, newPage('More', 'And more.'));
    const next = await openRequest(translation);
    for (const path of ['home', 'more']) {
      const changes = [{ operation: 'delete_page', page: await pageOf(next, path) }];
      expect((await api.post(`${next}/content`, { changes })).status).toBe(200);
    }
    for (const _ of ['archives it', 'does not open another one']) {
      await api.post(`${translation.at}/run`);
      await settle();
      expect([await requestsOf(translation, 'open'), (await api.get<RequestBody>(next)).body.status]).toEqual([
        0,
        'archived',
      ]);
    }
    expect(await titles(`/spaces/${translation.result}`)).toEqual([]);
  });

  it('keeps what people have corrected in its change request where runs write into the space again', async () => {
    const translation = await translated({ review: true }, newPage('Home', 'Read this.'), newPage('More', 'And more.'));
    const space = `/spaces/${translation.result}`;
    const request = await openRequest(translation);
    await say(request, await pageOf(request, 'home'), 'Lea esto.');
    await setReview(translation, false);
    await write(translation.space, {
      ...{ operation: 'update_page', page: await pageOf(`/spaces/${translation.space}`, 'more') },
      document: { markdown: 'Even more.' },
    });
    expect([await markdown(space, 'home'), await markdown(space, 'more')]).toEqual([
      expect.stringContaining('Readix thisix.'),
      expect.stringContaining('Evenix moreix.'),
    ]);
    await merge(request);
    expect([await markdown(space, 'home'), await markdown(space, 'more')]).toEqual([
      expect.stringContaining('Lea esto.'),
      expect.stringContaining('Evenix moreix.'),
    ]);
    expect(await requestsOf(translation, 'open')).toBe(0);
  });

  it('says what people have corrected while its run was at work', async () => {
    const translation = await translated({}, newPage('Home', 'Read this.\n\nAnd that.'));
    await setReview(translation, true);
    const { body } = await api.get<{ items: { id: string; source: string }[] }>(`${translation.at}/segments`);
    const segment = body.items.find(({ source }) => source === 'Read this.');
    let isCorrected = false;
    engine.before = async () => {
      if (isCorrected) return;
      isCorrected = true;
      const corrected = await api.patch(`${translation.at}/segments/${segment?.id}`, { target: 'Lea esto.' });
      expect(corrected.status).toBe(200);
      // Its job is done before the run is.
      const id = translation.at.split('/').at(-1) ?? '';
      await app.current.get(CorrectionPublisher).publish(id, new AbortController().signal);
      await app.current.database.execute(`DELETE FROM jobs.job WHERE name = 'translations.correct'`);
    };
    await write(translation.space, {
      ...{ operation: 'update_page', page: await pageOf(`/spaces/${translation.space}`, 'home') },
      document: { markdown: 'Read this.\n\nAnd that.\n\nThen stop.' },
    });
    expect(isCorrected).toBe(true);
    const request = await openRequest(translation);
    expect(await markdown(request, 'home')).toMatch(/Lea esto\.\s+Andix thatix\.\s+Thenix stopix\./);
    await merge(request);
    expect(await markdown(`/spaces/${translation.result}`, 'home')).toContain('Lea esto.');
    expect(await requestsOf(translation, 'open')).toBe(0);
  });

  it('tells reviewers of the space that a change request waits for them', async () => {
    const reviewer = await org.member('review');
    const translation = await translated({ review: true }, newPage('Home', 'Read this.'));
    const id = (await openRequest(translation)).split('/').at(-1);
    await settleNotifications(app.current);
    const told = (await inbox(reviewer)).items.filter(({ changeRequest }) => changeRequest?.id === id);
    expect(told).toMatchObject([{ kind: 'review_requested', text: expect.stringContaining('Translation of what') }]);
  });

  it('refuses a merge by which pages would come that its source does not have', async () => {
    const translation = await translated({ review: true }, newPage('Home', 'Read this.'));
    const request = await openRequest(translation);
    const changes = [newPage('Own', 'Of my own.')];
    expect((await api.post(`${request}/content`, { changes })).status).toBe(200);
    const refused = await api.post<{ error: { message: string } }>(`${request}/merge`);
    expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('“Own”')]);
    expect(await titles(`/spaces/${translation.result}`)).toEqual([]);
  });

  it('is one change request for runs and merges at once', async () => {
    const translation = await translated({ review: true }, newPage('Home', 'Read this.'));
    const request = await openRequest(translation);
    const source = `/spaces/${translation.space}`;
    const changes = [newPage('More', 'And more.')];
    const [written, merged] = await Promise.all([
      api.post(`${source}/content`, { changes }).then(async (answer) => {
        await settle();
        return answer;
      }),
      api.post(`${request}/merge`),
    ]);
    expect([written.status, merged.status]).toEqual([200, 200]);
    await settle();
    if ((await stateOf(translation)).result.changeRequest !== undefined) await merge(await openRequest(translation));
    expect(await titles(`/spaces/${translation.result}`)).toEqual(['Homeix', 'Moreix']);
    expect([await requestsOf(translation, 'open'), (await stateOf(translation)).status]).toEqual([0, 'completed']);
  });
});
