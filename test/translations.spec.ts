import { setTimeout } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Document } from '../src/formats/document/types.js';
import {
  block,
  document as documentOf,
  inline,
  leaf,
  mark,
  paragraph,
  plain,
  text,
} from '../src/formats/document/build.js';
import { normalizeDocument } from '../src/formats/document/normalize-document.js';
import { validateDocument } from '../src/formats/document/validate.js';
import { PageRedirects } from '../src/authoring/content/page-redirects.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { OutboxRelay } from '../src/kernel/platform/outbox-relay.js';
import { ExpiredSpacesJob } from '../src/workspace/spaces/expired-spaces.job.js';
import { TermFinder } from '../src/insight/translations/domain/glossary.js';
import { Glossary } from '../src/insight/translations/glossary.service.js';
import { stemmerOf } from '../src/insight/translations/domain/stemmer.js';
import { SegmentMasker } from '../src/insight/translations/engines/domain/segment-masker.js';
import { TranslationMemory } from '../src/insight/translations/translation-memory.js';
import { keepsNesting } from '../src/insight/translations/domain/line-edges.js';
import { keepsMarkers, segmentText, type Segment } from '../src/insight/translations/domain/segment.js';
import { translateDocument } from '../src/insight/translations/domain/translate-document.js';
import { EngineError } from '../src/insight/translations/engines/engine-error.js';
import { RunRequests } from '../src/insight/translations/run-requests.js';
import { TestApp, useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { documents } from './document-arbitrary.js';
import { everyConstruct } from './every-construct.js';
import { inOrder, inOtherWords, useEngine, type TestEngine } from './translation-engine.js';
import { rounds, seed } from './property/content-generators.js';
import { inWholeRuns } from './whole.js';
import type { Client } from './client.js';

const app = useApp({ TRANSLATION_DELAY: '0' });
let engine: TestEngine;
let org: Workspace;
let api: Client;

interface Body {
  id: string;
  status: string;
  error?: string;
  slugs: string;
  source: { space: string; language: string };
  result: { space: string; revision: string };
  stats: Record<string, number>;
  permissions: object;
  [name: string]: unknown;
}
interface PageNode {
  id: string;
  type: string;
  title: string;
  slug?: string;
  path: string;
  description?: string;
  hidden?: boolean;
  documentId?: string;
  updatedAt: string;
  target?: object;
  pages?: PageNode[];
}

beforeAll(async () => {
  engine = useEngine(app.current, ['es', 'fr', 'it', 'ca']);
  org = await buildOrganization(app.current);
  api = org.admin.api;
});

beforeEach(() => {
  engine.answer = inOrder;
  engine.before = async () => undefined;
  engine.takeSent();
});

const translations = () => `/orgs/${org.id}/translations`;
const drain = () => app.current.get(Jobs).drain();

/** Lets translations hear of what has changed, and work. */
async function settle(): Promise<void> {
  await app.current.get(OutboxRelay).drain();
  await drain();
}

async function makeSpace(changes: readonly object[] = [], more: object = {}): Promise<string> {
  const { body } = await api.post<{ id: string }>(`/orgs/${org.id}/spaces`, {
    title: 'Guide',
    empty: true,
    editMode: 'live',
    ...more,
  });
  if (changes.length > 0) await write(body.id, changes);
  return body.id;
}

async function write(
  space: string,
  changes: readonly object[],
): Promise<{ changes: { ref?: string; page: { id: string } }[] }> {
  const answer = await api.post<{ changes: { ref?: string; page: { id: string } }[] }>(`/spaces/${space}/content`, {
    changes,
  });
  expect([answer.status, answer.body]).toEqual([200, answer.body]);
  return answer.body;
}

async function create(space: string, language = 'es', more: object = {}): Promise<Body> {
  const { status, body } = await api.post<Body>(translations(), {
    source: { space, language: 'en' },
    language,
    ...more,
  });
  expect({ status, body }).toMatchObject({ status: 201, body: { object: 'translation', status: 'pending', language } });
  return body;
}

async function translated(space: string, language = 'es', more: object = {}): Promise<Body> {
  const { id } = await create(space, language, more);
  await drain();
  return look(id);
}

async function look(id: string): Promise<Body> {
  return (await api.get<Body>(`${translations()}/${id}`)).body;
}

async function tree(space: string): Promise<PageNode[]> {
  return (await api.get<{ pages: PageNode[] }>(`/spaces/${space}/content/pages`)).body.pages;
}

async function page(space: string, path: string) {
  return (
    await api.get<PageNode & { document: Document; markdown: string }>(
      `/spaces/${space}/content/path/${encodeURIComponent(path)}`,
      { query: { format: 'document' } },
    )
  ).body;
}

async function markdown(space: string, path: string): Promise<string> {
  return (
    await api.get<{ markdown: string }>(`/spaces/${space}/content/path/${encodeURIComponent(path)}`, {
      query: { format: 'markdown' },
    })
  ).body.markdown;
}

const GUIDE = [
  {
    operation: 'insert_page',
    ref: 'home',
    title: 'Home',
    slug: 'home',
    description: 'Where to begin',
    document: { markdown: 'Read **this** first, then `npm ci` and more.\n\nCome back soon.' },
  },
  { operation: 'insert_page', ref: 'more', title: 'More', slug: 'more', type: 'group' },
  {
    operation: 'insert_page',
    into: 'more',
    title: 'Steps',
    slug: 'steps',
    hidden: true,
    document: { markdown: '## First step\n\nTurn the key.\n\n```sh\nturn key\n```\n\nSee [above](#first-step).' },
  },
  { operation: 'insert_page', title: 'Elsewhere', type: 'link', target: { kind: 'url', url: 'https://example.com/' } },
];

describe('a translation', () => {
  it('is a space of its own, which says the same in other words', async () => {
    const space = await makeSpace(GUIDE);
    const [home] = await tree(space);
    await write(space, [
      {
        operation: 'update_page',
        page: home?.id,
        document: { markdown: 'Read **this** first, then `npm ci` and [the steps](more/steps.md#first-step).' },
      },
    ]);
    await app.current
      .get(PageRedirects)
      .replaceGiven(space, [{ from: 'old', target: { kind: 'page', page: home?.id ?? '' } }]);
    const made = await create(space);
    expect(made).toMatchObject({
      source: { space, language: 'en' },
      slugs: 'keep',
      stats: { runs: 0, totalWords: 0, totalPages: 0 },
      permissions: { view: true, edit: true },
      instructions: { object: 'document', nodes: [] },
    });
    await drain();
    const done = await look(made.id);
    expect(done).toMatchObject({ status: 'completed', stats: { runs: 1, latestPages: 4, totalPages: 4 } });
    const { space: result, revision } = done.result;
    expect((await api.get(`/spaces/${result}`)).body).toMatchObject({
      title: 'Guide (español)',
      language: 'es',
      editMode: 'locked',
      revision,
    });
    const source = await tree(space);
    const pages = await tree(result);
    const shape = (nodes: readonly PageNode[]): unknown[] =>
      nodes.map(({ type, slug, path, hidden, target, pages: below = [] }) => ({
        type,
        slug,
        path,
        hidden,
        target,
        below: shape(below),
      }));
    expect(shape(pages)).toEqual(shape(source));
    expect(pages.map(({ title }) => title)).toEqual(['Homeix', 'Moreix', 'Elsewhereix']);
    expect(pages[0]).toMatchObject({ description: 'Whereix toix beginix' });
    expect(await markdown(result, 'home')).toContain(
      'Readix **thisix** firstix, thenix `npm ci` andix [theix stepsix](more/steps.md#first-step).',
    );
    expect(await markdown(result, 'more/steps')).toMatch(
      /## Firstix stepix .*first-step[\s\S]*Turnix theix keyix\.[\s\S]*\nturn key\n[\s\S]*\[aboveix\]\(#first-step\)/,
    );
    expect((await page(result, 'old')).title).toBe('Homeix');
    const sent = engine.takeSent();
    const words = sent.join(' ').match(/\p{L}+/gu) ?? [];
    expect(done.stats).toMatchObject({ latestWords: words.length, totalWords: words.length });
    expect((await page(result, 'home')).document.nodes.map(({ key }) => key)).toEqual(
      (await page(space, 'home')).document.nodes.map(({ key }) => key),
    );
  });

  it('has everything of every construct, and leads to its own pages', async () => {
    const space = await makeSpace([
      {
        operation: 'insert_files',
        files: [{ ref: 'pixel', name: 'pixel.txt', contentType: 'text/plain', base64: 'cGl4ZWw=' }],
      },
      { operation: 'insert_page', ref: 'other', title: 'Other', document: { markdown: '## Two' } },
      { operation: 'insert_reusable_content', title: 'Shared', document: { markdown: 'Shared words' } },
      { operation: 'set_variables', variables: { product: 'Kettle' } },
      { operation: 'insert_tag', label: 'Beta' },
    ]);
    const [other] = await tree(space);
    const content = async (id: string) =>
      (
        await api.get<{
          files: { id: string }[];
          reusableContents: { id: string; title: string }[];
          variables: object;
        }>(`/spaces/${id}/content`)
      ).body;
    const { files, reusableContents } = await content(space);
    const targets = {
      file: files[0]?.id ?? '',
      page: other?.id ?? '',
      space,
      collection: 'AbCdEfGh0123456789Xy',
      user: org.admin.id,
      reusableContent: reusableContents[0]?.id ?? '',
    };
    const written = everyConstruct(targets);
    const tags = [{ tag: { kind: 'tag', tag: 'beta' } }];
    await write(space, [
      { operation: 'insert_page', title: 'All', slug: 'all', tags, document: { document: written } },
    ]);
    const { result, status } = await translated(space);
    expect(status).toBe('completed');
    const { body: read } = await api.get<{ revision: string }>(`/spaces/${space}`);
    expect(await content(result.space)).toMatchObject({ type: 'computed', sourceRevision: read.revision });
    expect((await api.get(`/spaces/${result.space}/content/path/all`)).body).toMatchObject({ tags });
    const after = await content(result.space);
    expect(after).toMatchObject({
      tags: [{ slug: 'beta', label: 'Beta' }],
      variables: { product: 'Kettle' },
      reusableContents: [{ title: 'Sharedix' }],
    });
    const [source, target] = [(await page(space, 'all')).document, (await page(result.space, 'all')).document];
    const text = JSON.stringify(target);
    for (const id of [targets.file, targets.page, space, targets.reusableContent]) expect(text).not.toContain(id);
    for (const id of [after.files[0]?.id, after.reusableContents[0]?.id, result.space]) expect(text).toContain(id);
    expect(skeleton(target)).toEqual(skeleton(source));
    expect(untranslated(source, target)).toEqual([]);
    expect(JSON.stringify(kept(target))).toBe(
      JSON.stringify(kept(source)).replaceAll(targets.page, (await tree(result.space))[0]?.id ?? ''),
    );
  });

  it('costs what has changed since the last run', async () => {
    const space = await makeSpace(GUIDE);
    const { id, result, stats } = await translated(space, 'fr');
    const before = await tree(result.space);
    engine.takeSent();
    expect((await api.post(`${translations()}/${id}/run`)).status).toBe(204);
    await drain();
    expect(engine.takeSent()).toEqual([]);
    expect(await look(id)).toMatchObject({
      status: 'completed',
      result,
      stats: { runs: 2, latestWords: 0, latestPages: 0, totalWords: stats['totalWords'], totalPages: 4 },
    });
    const [home] = await tree(space);
    const { document } = await page(space, 'home');
    const changed = {
      ...document,
      nodes: document.nodes.map((node, index) =>
        index === 1 ? { ...node, nodes: [plain('Never come back.')] } : node,
      ),
    };
    await write(space, [{ operation: 'update_page', page: home?.id, document: { document: changed } }]);
    await settle();
    expect(engine.takeSent()).toEqual(['Never come back.']);
    const now = await look(id);
    expect(now).toMatchObject({
      status: 'completed',
      stats: { runs: 3, latestWords: 3, latestPages: 1, totalPages: 5, totalWords: (stats['totalWords'] ?? 0) + 3 },
    });
    expect(now.result.revision).not.toBe(result.revision);
    const after = await tree(result.space);
    expect(after.slice(1)).toEqual(before.slice(1));
    expect(await markdown(result.space, 'home')).toContain('Neverix comeix backix.');
    // What was said before is remembered, whatever came between.
    await write(space, [{ operation: 'update_page', page: home?.id, document: { document } }]);
    await settle();
    expect(engine.takeSent()).toEqual([]);
    expect(await markdown(result.space, 'home')).toContain('Comeix backix soonix.');
  });

  it('follows pages that move, come and go, with one run for many changes', async () => {
    const space = await makeSpace(GUIDE);
    const { id, result } = await translated(space, 'it');
    const [home, more, link] = await tree(space);
    await write(space, [{ operation: 'update_page', page: more?.id, into: null, at: 0 }]);
    await write(space, [{ operation: 'delete_page', page: link?.id }]);
    await write(space, [
      {
        operation: 'insert_page',
        into: home?.id,
        title: 'New',
        slug: 'new',
        icon: 'bell',
        document: { markdown: 'Something new.' },
      },
    ]);
    await settle();
    expect(await look(id)).toMatchObject({ stats: { runs: 2, latestPages: 1 } });
    const pages = await tree(result.space);
    expect(pages.map(({ title }) => title)).toEqual(['Moreix', 'Homeix']);
    expect(pages[1]?.pages).toMatchObject([{ title: 'Newix', path: 'home/new', icon: 'bell' }]);
  });

  it('gives pages slugs of their titles where that is asked', async () => {
    const space = await makeSpace([
      ...GUIDE,
      { operation: 'insert_page', title: 'Home', slug: 'second', document: { markdown: 'Twice' } },
    ]);
    const { id, result } = await translated(space, 'es', { slugs: 'translate' });
    expect((await tree(result.space)).map(({ slug }) => slug)).toEqual(['homeix', 'moreix', undefined, 'homeix-1']);
    expect(
      (await api.put<Body>(`${translations()}/${id}`, { instructions: documentOf([]), slugs: 'keep' })).body,
    ).toMatchObject({ slugs: 'keep', status: 'pending' });
    await drain();
    expect((await tree(result.space)).map(({ slug }) => slug)).toEqual(['home', 'more', undefined, 'second']);
  });

  it('remembers no more than so many segments, those that were asked for last', async () => {
    const space = await makeSpace(GUIDE);
    await translated(space, 'es');
    const memory = app.current.get(TranslationMemory);
    const place = { spaceId: space, language: 'es' };
    const keys = async () =>
      (
        await app.current.database.query<{ key: string }>(
          `SELECT encode(key, 'hex') AS key FROM translation_memory WHERE space_id = $1 AND language = 'es' ORDER BY key`,
          [space],
        )
      ).map(({ key }) => key);
    const all = await keys();
    expect(all.length).toBeGreaterThan(3);
    await memory.forgetOldest(org.id, place);
    expect(await keys()).toEqual(all);
    await app.current.database.execute(
      `UPDATE translation_memory SET used_at = used_at - interval '2 days' WHERE space_id = $1`,
      [space],
    );
    const wanted = all.slice(1, 3);
    expect([...(await memory.recall(place, wanted)).keys()].sort()).toEqual(wanted);
    await memory.forgetOldest(org.id, place, 2);
    expect(await keys()).toEqual(wanted);
    // Each variant has as many.
    await translated(space, 'es', { variant: 'informal', instructions: documentOf([paragraph(plain('Be brief.'))]) });
    const both = await keys();
    expect(both.length).toBeGreaterThan(4);
    await memory.forgetOldest(org.id, place, 2);
    const kept = await keys();
    expect([kept.length, kept.every((key) => both.includes(key))]).toEqual([4, true]);
  });

  it('goes when either of its spaces is removed for good, and leaves the other one to people', async () => {
    for (const gone of ['source', 'result']) {
      const space = await makeSpace(GUIDE);
      const { id, result } = await translated(space, 'es');
      const [removed, left] = gone === 'source' ? [space, result.space] : [result.space, space];
      expect((await api.delete(`/spaces/${removed}`)).status).toBe(204);
      app.current.setTime(new Date(Date.now() + 8 * 86_400_000));
      await app.current.get(ExpiredSpacesJob).remove();
      app.current.setTime(undefined);
      expect([(await api.get(`${translations()}/${id}`)).status, (await api.get(`/spaces/${removed}`)).status]).toEqual(
        [404, 404],
      );
      expect((await api.patch(`/spaces/${left}`, { editMode: 'live' })).body).toMatchObject({
        permissions: { edit: true },
      });
      expect(
        (await api.post(`/spaces/${left}/content`, { changes: [{ operation: 'insert_page', title: 'Mine' }] })).status,
      ).toBe(200);
    }
  });

  it('keeps the structure of its source, until it is deleted', async () => {
    const space = await makeSpace(GUIDE);
    const { id, result } = await translated(space, 'es');
    const target = `/spaces/${result.space}`;
    const change = { changes: [{ operation: 'insert_page', title: 'Mine' }] };
    expect(await api.post(`${target}/content`, change)).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('locked') } },
    });
    expect((await api.patch(target, { editMode: 'live' })).body).toMatchObject({
      permissions: { view: true, admin: true, comment: true, edit: true, merge: true, triggerGitSync: false },
    });
    expect(await api.post(`${target}/content`, change)).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('translation') } },
    });
    const request = (await api.post<{ id: string }>(`${target}/change-requests`, { subject: 'Mine' })).body.id;
    expect((await api.post(`${target}/change-requests/${request}/content`, change)).status).toBe(200);
    expect(await api.post(`${target}/change-requests/${request}/merge`)).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('translation') } },
    });
    const revisions = (await api.get<{ items: { id: string }[] }>(`${target}/revisions`)).body.items;
    expect((await api.post(`${target}/revisions/${revisions.at(-1)?.id ?? ''}/rollback`)).status).toBe(409);
    const other = await buildOrganization(app.current);
    await app.current.database.execute(
      `INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ($1, $2, 'admin', now())`,
      [other.id, org.admin.id],
    );
    for (const each of [space, result.space]) {
      expect(await api.post(`/spaces/${each}/transfer`, { organization: other.id })).toMatchObject({
        status: 412,
        body: { error: { message: expect.stringContaining('translat') } },
      });
    }
    expect((await api.delete(`${translations()}/${id}`)).status).toBe(204);
    expect((await api.delete(`${translations()}/${id}`)).status).toBe(204);
    expect((await api.get(`${translations()}/${id}`)).status).toBe(404);
    expect((await api.post(`${target}/content`, change)).status).toBe(200);
    expect((await api.post(`/spaces/${space}/transfer`, { organization: other.id })).status).toBe(200);
  });

  it('is seen by nobody who does not see its source', async () => {
    const space = await makeSpace([]);
    await api.patch(`/spaces/${space}`, { defaultLevel: null });
    const { result } = await create(space, 'ca');
    const reader = await org.member('read');
    expect([
      (await reader.api.get(`/spaces/${space}`)).status,
      (await reader.api.get(`/spaces/${result.space}`)).status,
    ]).toEqual([404, 404]);
  });
});

describe('runs', () => {
  it('say why they have failed, and leave the last result', async () => {
    const space = await makeSpace(GUIDE);
    const { id, result } = await translated(space, 'fr');
    engine.answer = () => {
      throw new EngineError('quota', 'The translation service has used up what it may translate this month');
    };
    const [home] = await tree(space);
    await write(space, [{ operation: 'update_page', page: home?.id, title: 'Start' }]);
    await settle();
    expect(await look(id)).toMatchObject({
      status: 'completed',
      error: 'The translation service has used up what it may translate this month',
      result,
      stats: { runs: 1 },
    });
    engine.answer = inOrder;
    await api.post(`${translations()}/${id}/run`);
    await drain();
    const now = await look(id);
    expect(now).toMatchObject({ status: 'completed', stats: { runs: 2, latestPages: 1, latestWords: 1 } });
    expect(now.error).toBeUndefined();
    const without = await translated(space, 'ja');
    expect(without).toMatchObject({
      status: 'completed',
      error: 'This server has no translation engine from en to ja.',
      stats: { runs: 0, totalPages: 0 },
    });
    expect(await tree(without.result.space)).toEqual([]);
  });

  it('are tried again where that may help', async () => {
    const { id } = await create(await makeSpace(GUIDE), 'fr');
    engine.answer = () => {
      throw new EngineError('busy', 'The translation service asks for fewer requests');
    };
    await drain();
    expect(await look(id)).toMatchObject({
      status: 'running',
      error: 'The translation service asks for fewer requests',
    });
    engine.answer = inOrder;
    await app.current.database.execute(
      `UPDATE jobs.job SET start_after = now() WHERE name = 'translations.follow' AND state = 'retry'`,
    );
    await drain();
    const done = await look(id);
    expect(done).toMatchObject({ status: 'completed', stats: { runs: 1 } });
    expect(done.error).toBeUndefined();
  });

  it('wait once however often they are asked for, and follow one that is at work', async () => {
    const space = await makeSpace(GUIDE);
    const { id } = await create(space, 'es');
    for (let time = 0; time < 3; time++) await api.post(`${translations()}/${id}/run`);
    const waiting = () =>
      app.current.database.query(
        `SELECT FROM jobs.job WHERE name = 'translations.follow' AND state = 'created' AND data -> 'payload' ->> 'translation' = $1`,
        [id],
      );
    expect(await waiting()).toHaveLength(1);
    engine.before = async () => {
      engine.before = async () => undefined;
      await write(space, [{ operation: 'insert_page', title: 'Meanwhile' }]);
      await api.post(`${translations()}/${id}/run`);
    };
    await settle();
    expect(await look(id)).toMatchObject({ status: 'completed', stats: { runs: 2, latestPages: 1 } });
    await settle();
    expect(await look(id)).toMatchObject({ stats: { runs: 2 } });
  });

  it('begin as long after a change as the setting says', async () => {
    const space = await makeSpace(GUIDE);
    const { id } = await translated(space, 'es');
    Reflect.set(app.current.config, 'translationDelay', 600);
    await write(space, [{ operation: 'insert_page', title: 'Later' }]);
    await app.current.get(OutboxRelay).drain();
    Reflect.set(app.current.config, 'translationDelay', 0);
    const waiting = await app.current.database.query<{ delay: number }>(
      `SELECT round(extract(epoch FROM start_after - created_on))::int AS delay FROM jobs.job
        WHERE name = 'translations.follow' AND state = 'created' AND data -> 'payload' ->> 'translation' = $1`,
      [id],
    );
    expect(waiting).toEqual([{ delay: 600 }]);
  });

  it('are ended where no job does them, but not where one was asked for in the same moment', async () => {
    const [stuck, asked] = [await create(await makeSpace(GUIDE)), await create(await makeSpace(GUIDE))];
    const { database } = app.current;
    await database.execute(
      `DELETE FROM jobs.job WHERE name = 'translations.follow' AND data -> 'payload' ->> 'translation' = ANY ($1)`,
      [[stuck.id, asked.id]],
    );
    const tending = await database.transaction(async () => {
      await database.execute(`UPDATE translation SET status = 'completed' WHERE id = $1`, [asked.id]);
      await app.current.get(RunRequests).request([asked.id], 3600);
      const done = database.apart(async () => {
        await app.current.get(Jobs).enqueue('translations.remove-stale', {});
        await drain();
      });
      for (let waiting = 0; waiting === 0; await setTimeout(20)) {
        const [found] = await database.apart(() =>
          database.query<{ waiting: number }>(
            `SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          ),
        );
        waiting = found?.waiting ?? 0;
      }
      return { done };
    });
    await tending.done;
    expect(await look(stuck.id)).toMatchObject({ status: 'completed', error: expect.stringContaining('stopped') });
    expect(await look(asked.id)).toMatchObject({ status: 'pending' });
    expect((await look(asked.id)).error).toBeUndefined();
    for (const { id } of [stuck, asked]) await api.delete(`${translations()}/${id}`);
  });

  inWholeRuns('are done once although two servers look for work', async () => {
    const other = await TestApp.start({ TRANSLATION_DELAY: '0' }, app.current.databaseUrl);
    try {
      const theirs = useEngine(other, ['es']);
      const made = [];
      for (let index = 0; index < 4; index++) made.push(await create(await makeSpace(GUIDE), 'es'));
      await Promise.all([drain(), other.get(Jobs).drain()]);
      for (const { id } of made)
        expect(await look(id)).toMatchObject({ status: 'completed', stats: { runs: 1, latestPages: 4 } });
      const sent = [...engine.takeSent(), ...theirs.takeSent()];
      expect(sent).toHaveLength(new Set(sent).size * made.length);
    } finally {
      await other.close();
    }
  });

  it('end when the translation or a space of it goes', async () => {
    const space = await makeSpace(GUIDE);
    const { id, result } = await create(space, 'es');
    engine.before = async () => {
      await api.delete(`${translations()}/${id}`);
      await setTimeout(1200);
    };
    await drain();
    expect(await tree(result.space)).toEqual([]);
    engine.before = async () => undefined;
    for (const which of ['source', 'result'] as const) {
      const other = await translated(await makeSpace(GUIDE), 'fr');
      const gone = which === 'source' ? other.source.space : other.result.space;
      await api.delete(`/spaces/${gone}`);
      await api.post(`${translations()}/${other.id}/run`);
      await drain();
      expect(await look(other.id)).toMatchObject({
        status: 'completed',
        error: expect.stringContaining('in the trash'),
      });
    }
    expect(engine.takeSent().length).toBeGreaterThan(0);
  });

  it('make up for what was missed while a space of theirs was in the trash', async () => {
    for (const which of ['source', 'result'] as const) {
      const { id, ...spaces } = await translated(await makeSpace(GUIDE), 'fr');
      const gone = spaces[which].space;
      if (which === 'source') await write(gone, [{ operation: 'insert_page', title: 'Late' }]);
      await api.delete(`/spaces/${gone}`);
      if (which === 'result') await write(spaces.source.space, [{ operation: 'insert_page', title: 'Late' }]);
      await settle();
      expect((await api.post(`/spaces/${gone}/restore`)).status).toBe(200);
      await settle();
      expect(await look(id)).not.toHaveProperty('error');
      expect((await tree(spaces.result.space)).map(({ title }) => title)).toContain(inOtherWords('Late'));
    }
  });

  it('keep what an engine breaks in parts, and what it cannot say at all for the next time', async () => {
    const space = await makeSpace([
      {
        operation: 'insert_page',
        title: 'Broken',
        slug: 'broken',
        document: { markdown: 'Take **the** kettle and [boil](https://example.com/) water.\n\nPlain.' },
      },
    ]);
    engine.answer = (segment, job) => (segment.length > 1 ? undefined : inOrder(segment, job));
    const { id, result } = await translated(space);
    expect(await markdown(result.space, 'broken')).toContain(
      'Takeix **theix** kettleix andix [boilix](https://example.com/) waterix.',
    );
    const [source] = await tree(space);
    await write(space, [
      {
        operation: 'update_page',
        page: source?.id,
        document: { markdown: 'Take **the** kettle and [boil](https://example.com/) water.\n\nUnsayable.' },
      },
    ]);
    engine.answer = (segment, job) => (segment.includes('Unsayable.') ? undefined : inOrder(segment, job));
    engine.takeSent();
    await settle();
    expect(engine.takeSent()).toEqual(['Unsayable.', 'Unsayable.']);
    expect(await markdown(result.space, 'broken')).toContain('Unsayable.');
    engine.answer = inOrder;
    await api.post(`${translations()}/${id}/run`);
    await drain();
    expect(engine.takeSent()).toEqual(['Unsayable.']);
    expect(await markdown(result.space, 'broken')).toContain('Unsayableix.');
  });

  it('keep what an engine answers with characters that nobody can store', async () => {
    engine.answer = (segment, job) =>
      segmentText(segment).startsWith('Turn')
        ? ['\0']
        : segmentText(segment).startsWith('See')
          ? ['\ud800', ...inOrder(segment, job)]
          : inOrder(segment, job);
    const { result, error } = await translated(await makeSpace(GUIDE), 'es');
    expect(error).toBeUndefined();
    expect(await markdown(result.space, 'more/steps')).toContain('Turn the key.');
    expect(await markdown(result.space, 'home')).toContain('firstix');
  });

  it('tell engines the instructions, and ask anew when these change', async () => {
    const space = await makeSpace([{ operation: 'insert_page', title: 'Short', document: { markdown: 'One line.' } }]);
    const { id } = await translated(space, 'es', { instructions: documentOf([paragraph(plain('Be brief.'))]) });
    expect(engine.jobs.at(-1)).toMatchObject({ source: 'en', target: 'es', instructions: 'Be brief.', glossary: [] });
    expect(engine.takeSent()).toEqual(['One line.', 'Short']);
    const bare = {
      object: 'document',
      data: { schemaVersion: 8 },
      nodes: [{ object: 'block', type: 'paragraph', nodes: paragraph(plain('Be brief.')).nodes }],
    };
    expect((await api.put<Body>(`${translations()}/${id}`, { instructions: bare })).body.status).toBe('completed');
    await api.put(`${translations()}/${id}`, { instructions: documentOf([paragraph(plain('Be polite.'))]) });
    await drain();
    expect(engine.takeSent()).toEqual(['One line.', 'Short']);
    expect(await look(id)).toMatchObject({ stats: { runs: 2, latestPages: 1, latestWords: 3 } });
  });
});

describe('any document', () => {
  const RUNS = { numRuns: rounds(150), seed };

  it('stays as it is where nothing is said otherwise, and stays valid and whole whatever engines make of it', () => {
    fc.assert(
      fc.property(documents, fc.infiniteStream(fc.nat()), (given, chances) => {
        const source = normalizeDocument(given);
        expect(translateDocument(source, (segment) => segment)).toEqual(source);
        expect(translateDocument(source, (segment) => [...segment]).nodes.length).toBe(source.nodes.length);
        const jumbled = translateDocument(source, (segment) => {
          const answer = shuffled(inOrder(segment, JOB), chances);
          return keepsMarkers(segment, answer) && keepsNesting(segment, answer) ? answer : inOrder(segment, JOB);
        });
        expect(validateDocument(jumbled)).toEqual([]);
        expect(
          kept(jumbled)
            .map((each) => JSON.stringify(each))
            .sort(),
        ).toEqual(
          kept(source)
            .map((each) => JSON.stringify(each))
            .sort(),
        );
      }),
      RUNS,
    );
  });

  it('is read in time that grows with its length, and so are the terms of a large glossary', () => {
    const begin = performance.now();
    translateDocument(documentOf([paragraph(plain('a'.repeat(500_000)))]), (segment) => segment);
    const terms = new TermFinder(
      Array.from({ length: 10_000 }, (_, index) => ({ source: `term ${index}`, target: 'x' })).concat(
        { source: '😀 face', target: 'y' },
        { source: 'io', target: 'z' },
      ),
    );
    expect(
      terms.in(`${'the term '.repeat(50_000)} Term 77, Term 78b 😀 faces 😀 face, IO`).map(({ source }) => source),
    ).toEqual(['io', 'term 77', '😀 face']);
    expect(performance.now() - begin).toBeLessThan(5_000);
  });

  it('hides from engines the terms that it knows of, in languages without spaces as well', () => {
    const glossary = [
      { source: '設定', target: 'Settings' },
      { source: 'space', target: 'Raum' },
    ];
    for (const [text, found] of [
      ['アカウント設定を開く', '設定'],
      ['a Space.', 'space'],
      ['my_space or spaces', undefined],
    ] as const) {
      expect(new TermFinder(glossary).in(text).map(({ source }) => source)).toEqual(found === undefined ? [] : [found]);
      expect([...new SegmentMasker('terms', glossary, 'en').hide([text]).hidden.keys()]).toHaveLength(
        found === undefined ? 0 : 1,
      );
    }
  });

  it('hides names from engines that would translate them, and no word beside them', () => {
    const hiddenIn = (text: string, language = 'en'): string[] => [
      ...new SegmentMasker('words', [], language).hide([text]).hidden.values(),
    ];
    for (const [text, names] of [
      ['Set maxSize in GitHub, then restart macOS.', ['maxSize', 'GitHub', 'macOS']],
      ['Hashes are sha256 or md5, in utf8.', ['sha256', 'md5', 'utf8']],
      ['Install the package date-fns, or the left-pad package.', ['date-fns', 'left-pad']],
      ['Run npm install express@5 and git push to begin.', ['npm install express@5', 'git push']],
      ['Open it in Visual Studio Code on Windows.', ['Visual Studio Code', 'Windows']],
      ['Use @acme/cli --dry-run with ./config/app.yml', ['@acme/cli', '--dry-run', './config/app.yml']],
      ['A well-known read-only copy of the 1st page, for a CI run in 2024.', []],
      ['Zoom in. Windows open slowly.', []],
    ] as const)
      expect([text, hiddenIn(text)]).toEqual([text, names]);
    for (const [language, text, names] of [
      ['ja', '設定を開いて3回クリックします', []],
      ['ja', 'ファイルはsha256とGitHubで確認', ['sha256', 'GitHub']],
      ['zh', '请在2024年之前使用GitHub的功能', ['GitHub']],
      ['ko', '설정에서 버튼을 3번 누르세요', []],
      ['ko', '버튼3개를 누르세요', []],
      ['de', 'Fragen Sie den Chef, und das Word zum Salt.', []],
      ['de', 'Die BenutzerInnen und jede LeserIn nutzen macOS.', ['macOS']],
      ['de-AT', 'Sie öffnen Visual Studio Code.', ['Visual Studio Code']],
    ] as const)
      expect([text, hiddenIn(text, language)]).toEqual([text, names]);
    expect([...new SegmentMasker('nothing', [], 'en').hide(['GitHub has date-fns 2']).hidden]).toEqual([]);
  });

  it('finds terms in other forms of their words, in the language of the source', async () => {
    const glossary = [
      { source: 'change request', target: 'solicitud' },
      { source: 'space', target: 'espacio' },
      { source: 'C++', target: 'C++' },
    ];
    const found = async (language: string, text: string): Promise<string[]> =>
      new TermFinder(glossary, await stemmerOf(language)).in(text).map(({ source }) => source);
    expect(await found('en', 'Merged change requests of two spaces')).toEqual(['change request', 'space']);
    expect(await found('en', 'Changes. Requests are spaced')).toEqual(['space']);
    expect(await found('en', 'Change, request C++')).toEqual(['c++'.toUpperCase()]);
    expect(await found('ja', 'change requests')).toEqual([]);
    const german = new TermFinder([{ source: 'Seite', target: 'page' }], await stemmerOf('de'));
    expect(german.in('Alle Seiten').map(({ target }) => target)).toEqual(['page']);
  });

  it('keeps marks around all words that have them, whatever else begins within', () => {
    const link = (child: ReturnType<typeof text>) =>
      inline('link', { ref: { kind: 'url', url: 'https://example.com/' } }, [child]);
    const bold = mark('bold');
    const source = documentOf([
      paragraph(text(leaf('bold ', [bold])), link(text(leaf('link', [bold]))), plain(' text')),
      paragraph(text(leaf('one ', [bold]), leaf('two', [bold, mark('italic')]), leaf(' three', []))),
      paragraph(link(text(leaf('all', [bold]))), plain(' and '), text(leaf('code', [bold, mark('code')]))),
    ]);
    const asked: Segment[] = [];
    const made = translateDocument(source, (segment) => {
      asked.push(segment);
      return segment;
    });
    expect(asked).toEqual([
      [{ open: 1 }, 'bold ', { open: 2 }, 'link', { close: 2 }, { close: 1 }, ' text'],
      [{ open: 1 }, 'one ', { open: 2 }, 'two', { close: 2 }, { close: 1 }, ' three'],
      [{ open: 1 }, { open: 2 }, 'all', { close: 2 }, { close: 1 }, ' and ', { opaque: 3 }],
    ]);
    expect(made).toEqual(source);
    const turned = translateDocument(source, (segment) =>
      segment[3] === 'link'
        ? ['texto ', { open: 1 }, { open: 2 }, 'enlace', { close: 2 }, ' negrita', { close: 1 }]
        : segment,
    );
    expect(turned.nodes[0]).toMatchObject({
      nodes: [
        text(leaf('texto ', [])),
        { type: 'link', nodes: [text(leaf('enlace', [bold]))] },
        text(leaf(' negrita', [bold])),
      ],
    });
  });

  it('keeps two pieces of code two, and the anchors of its headings', () => {
    const code = (value: string) => text(leaf(value, [mark('code')]));
    const source = documentOf([
      block('heading-2', {}, [plain('First step')]),
      paragraph(code('a'), plain(' and '), code('b')),
      paragraph(inline('link', { ref: { kind: 'anchor', anchor: 'first-step' } }, [plain('Up')])),
    ]);
    const made = translateDocument(source, (segment) =>
      segment.includes(' and ') ? [segment[0] ?? '', segment[2] ?? '', ' y'] : inOrder(segment, JOB),
    );
    expect(made.nodes[1]?.nodes).toEqual([
      text(leaf('a', [mark('code')]), leaf(' ', []), leaf('b', [mark('code')]), leaf(' y', [])),
    ]);
    expect(made.nodes[0]).toMatchObject({ data: { id: 'first-step' }, nodes: [plain('Firstix stepix')] });
    expect(made.nodes[2]?.nodes).toMatchObject([{ data: { ref: { kind: 'anchor', anchor: 'first-step' } } }]);
  });
});

describe('the glossary', () => {
  beforeAll(async () => {
    org = await buildOrganization(app.current);
    api = org.admin.api;
  });

  it('says terms as it is told, and sends what holds them alone', async () => {
    const glossary = `/orgs/${org.id}/translations-glossary`;
    const space = await makeSpace(GUIDE);
    const { id, result } = await translated(space, 'es');
    engine.takeSent();
    expect(
      (
        await api.put(glossary, {
          operations: [
            { type: 'insert', translations: { en: 'key', es: 'llave' } },
            { type: 'insert', translations: { de: 'Kessel' } },
          ],
        })
      ).status,
    ).toBe(204);
    await drain();
    expect(engine.takeSent()).toEqual(['Turn the key.']);
    expect(engine.jobs.at(-1)?.glossary).toEqual([{ source: 'key', target: 'llave' }]);
    expect(await markdown(result.space, 'more/steps')).toContain('Turnix theix llave.');
    const { items, count } = (await api.get<{ items: { id: string; translations: object }[]; count: number }>(glossary))
      .body;
    expect(count).toBe(2);
    const { body: first } = await api.get<{ items: { id: string }[]; next?: { page: string } }>(glossary, {
      query: { limit: 1 },
    });
    const { body: second } = await api.get<{ items: { id: string }[] }>(glossary, {
      query: { limit: 1, page: first.next?.page },
    });
    expect([...first.items, ...second.items].map((each) => each.id)).toEqual(items.map((each) => each.id));
    const entry = items.find(({ translations: words }) => 'en' in words)?.id ?? '';
    expect((await api.get(`${glossary}/${entry}`)).body).toMatchObject({
      object: 'glossary-entry',
      id: entry,
      translations: { en: 'key', es: 'llave' },
    });
    const [, more] = await tree(space);
    await write(space, [
      {
        operation: 'update_page',
        page: more?.pages?.[0]?.id,
        document: { markdown: 'Turn the key.\n\nTwo keys turn.' },
      },
    ]);
    await settle();
    expect(engine.takeSent()).toEqual(['Two keys turn.']);
    expect(engine.jobs.at(-1)?.glossary).toEqual([{ source: 'key', target: 'llave' }]);
    const runs = async () => (await look(id)).stats['runs'];
    const before = await runs();
    await api.put(glossary, { operations: [{ type: 'update', id: entry, translations: { en: 'key', es: 'clave' } }] });
    await api.put(glossary, { operations: [{ type: 'insert', translations: { de: 'Taste', en: 'key' } }] });
    await drain();
    expect(await runs()).toBe((before ?? 0) + 1);
    expect(engine.takeSent().sort()).toEqual(['Turn the key.', 'Two keys turn.']);
    await api.put(glossary, { operations: items.map((each) => ({ type: 'delete', id: each.id })) });
    await drain();
    expect(engine.takeSent()).toEqual(['Two keys turn.']);
    expect(await markdown(result.space, 'more/steps')).toContain('Turnix theix keyix.');
    expect((await api.get(`${glossary}/${entry}`)).status).toBe(404);
  });

  it('says other forms of a term as it is told', async () => {
    const glossary = `/orgs/${org.id}/translations-glossary`;
    const { result } = await translated(await makeSpace(GUIDE), 'es');
    const forms = [{ en: 'locks', es: 'cerraduras' }, { en: 'locked' }];
    const translations = { en: 'lock', es: 'cerradura' };
    await api.put(glossary, { operations: [{ type: 'insert', translations, forms }] });
    const read = async () =>
      (await api.get<{ items: { id: string; translations: object; forms: object[] }[] }>(glossary)).body.items[0];
    const entry = await read();
    expect(entry).toMatchObject({ translations, forms });
    const pairs = [
      { source: 'lock', target: 'cerradura' },
      { source: 'locks', target: 'cerraduras' },
    ];
    expect(await app.current.get(Glossary).terms(org.id, 'en', 'es')).toEqual(pairs);
    expect(await app.current.get(Glossary).terms(org.id, 'es', 'en')).toEqual(
      pairs.map(({ source, target }) => ({ source: target, target: source })),
    );
    const said = (text: string): string[] => [...new SegmentMasker('terms', pairs, 'en').hide([text]).hidden.values()];
    expect(said('A lock, two locks.')).toEqual(['cerradura', 'cerraduras']);
    expect(new TermFinder(pairs, await stemmerOf('en')).in('Locks').map(({ source }) => source)).toEqual([
      'lock',
      'locks',
    ]);
    await drain();
    engine.takeSent();
    await api.put(glossary, { operations: [{ type: 'update', id: entry?.id, translations: { en: 'door' } }] });
    expect(await read()).toMatchObject({ translations: { en: 'door' }, forms: [] });
    await api.put(glossary, { operations: [{ type: 'delete', id: entry?.id }] });
    await drain();
    expect(await markdown(result.space, 'more/steps')).toContain('Turnix');
  });

  it('refuses what is no entry, and then changes nothing', async () => {
    const glossary = `/orgs/${org.id}/translations-glossary`;
    const held = (await api.get<{ count: number }>(glossary)).body.count;
    const good = { type: 'insert', translations: { en: 'tea' } };
    const wrong: readonly [object, string][] = [
      [{ type: 'insert', translations: {} }, 'operations.1.translations'],
      [{ type: 'insert' }, 'operations.1.translations'],
      [{ type: 'insert', id: 'x', translations: { en: 'a' } }, 'operations.1.id'],
      [{ type: 'insert', translations: { klingon: 'a' } }, 'operations.1.translations.klingon'],
      [{ type: 'insert', translations: { en: 'two\nlines' } }, 'operations.1.translations.en'],
      [{ type: 'insert', translations: { en: 'x'.repeat(256) } }, 'operations.1.translations.en'],
      [{ type: 'insert', translations: { en: 5 } }, 'operations.1.translations.en'],
      [{ type: 'update', id: 'AbCdEfGh0123456789Xy', translations: { en: 'a' } }, 'operations.1.id'],
      [{ type: 'delete' }, 'operations.1.id'],
      [{ ...good, forms: 'teas' }, 'operations.1.forms'],
      [{ ...good, forms: ['teas'] }, 'operations.1.forms.0'],
      [{ ...good, forms: [{}] }, 'operations.1.forms.0'],
      [{ ...good, forms: [{ en: '' }] }, 'operations.1.forms.0.en'],
      [{ ...good, forms: [{ en: 'teas' }, { de: 'Tees' }] }, 'operations.1.forms.1.de'],
      [{ ...good, forms: Array.from({ length: 21 }, () => ({ en: 'teas' })) }, 'operations.1.forms'],
    ];
    for (const [operation, path] of wrong) {
      expect(await api.put(glossary, { operations: [good, operation] })).toMatchObject({
        status: 400,
        body: { error: { details: [{ path }] } },
      });
    }
    expect((await api.get<{ count: number }>(glossary)).body.count).toBe(held);
  });
});

describe('asking for a translation', () => {
  it('refuses languages and spaces that it cannot be', async () => {
    const space = await makeSpace([]);
    const foreign = await buildOrganization(app.current);
    const theirs = (await foreign.admin.api.post<{ id: string }>(`/orgs/${foreign.id}/spaces`, { title: 'Theirs' }))
      .body.id;
    const wrong: readonly [object, string][] = [
      [{ source: { space, language: 'en' }, language: 'klingon' }, 'language'],
      [{ source: { space, language: 'en' }, language: 'en' }, 'language'],
      [{ source: { space, language: 'xx' }, language: 'es' }, 'source.language'],
      [{ source: { space: theirs, language: 'en' }, language: 'es' }, 'source.space'],
      [{ source: { space: 'AbCdEfGh0123456789Xy', language: 'en' }, language: 'es' }, 'source.space'],
      [{ source: { space, language: 'en' }, language: 'es', instructions: { object: 'text' } }, 'instructions.object'],
    ];
    for (const [body, path] of wrong)
      expect(await api.post(translations(), body)).toMatchObject({
        status: 400,
        body: { error: { details: expect.arrayContaining([expect.objectContaining({ path })]) } },
      });
    const { id } = await create(space, 'es');
    expect(await api.post(translations(), { source: { space, language: 'en' }, language: 'es' })).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining(id) } },
    });
    expect(await api.put(`${translations()}/${id}`, { instructions: { object: 'text' } })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'instructions.object' }] } },
    });
    expect(
      (
        await api.put(
          `${translations()}/${id}`,
          { instructions: documentOf([]) },
          { headers: { 'If-Match': '"99.x"' } },
        )
      ).status,
    ).toBe(412);
  });

  it('is for administrators, and shows nothing to others', async () => {
    const { id } = await create(await makeSpace([]), 'es');
    const editor = await org.member('create');
    expect((await editor.api.get(translations())).status).toBe(403);
    expect((await editor.api.post(`${translations()}/${id}/run`)).status).toBe(403);
    const foreign = await buildOrganization(app.current);
    expect((await foreign.admin.api.get(`/orgs/${foreign.id}/translations/${id}`)).status).toBe(404);
    expect((await foreign.admin.api.post(`/orgs/${foreign.id}/translations/${id}/run`)).status).toBe(404);
    expect(
      (await foreign.admin.api.put(`/orgs/${foreign.id}/translations/${id}`, { instructions: documentOf([]) })).status,
    ).toBe(404);
    expect((await foreign.admin.api.delete(`/orgs/${foreign.id}/translations/${id}`)).status).toBe(204);
    expect((await look(id)).id).toBe(id);
    const { body: first } = await api.get<{ items: Body[]; next?: { page: string } }>(translations(), {
      query: { limit: 1 },
    });
    expect(first.items).toMatchObject([{ id }]);
    expect(
      (await api.get<{ items: Body[] }>(translations(), { query: { limit: 1, page: first.next?.page } })).body.items,
    ).toHaveLength(1);
  });
});

const JOB = { source: 'en', target: 'es', glossary: [], signal: new AbortController().signal };

function shuffled(segment: Segment, chances: fc.Stream<number>): Segment {
  return segment
    .map((piece) => ({ piece, at: Number(chances.next().value) }))
    .sort((a, b) => a.at - b.at)
    .map(({ piece }) => piece);
}

/** What of a document is no word: types, structure and settings. */
function skeleton(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return name === 'leaves' ? 'words' : value.map((each) => skeleton(each));
  if (typeof value !== 'object' || value === null)
    return WORDY.has(name) ? 'words' : typeof value === 'string' && /^[A-Za-z0-9]{20}$/.test(value) ? 'id' : value;
  if ((value as { type?: unknown }).type === 'code') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'id' && key !== 'key' && key !== 'slug')
      .map(([key, each]) => [key, skeleton(each, key)]),
  );
}
const WORDY: ReadonlySet<string> = new Set(['title', 'alt', 'caption', 'label', 'description', 'text']);

/** The words of both, of which those of the second should be the others said otherwise. */
function untranslated(source: unknown, target: unknown): string[] {
  const [before, after] = [wordsOf(source), wordsOf(target)];
  expect(after).toHaveLength(before.length);
  return before.flatMap((text, index) =>
    after[index] === inOtherWords(text) || /^https?:|^\W*$/.test(text) ? [] : [`${text} -> ${after[index] ?? ''}`],
  );
}

function wordsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(wordsOf);
  if (typeof value !== 'object' || value === null) return [];
  const node = value as {
    type?: string;
    object?: string;
    text?: string;
    marks?: { type: string }[];
    data?: Record<string, unknown>;
  };
  if (
    node.type === 'code' ||
    node.type === 'integration' ||
    node.type === 'mention' ||
    node.type === 'swagger' ||
    (node.type ?? '').startsWith('openapi')
  )
    return [];
  if (node.object === 'leaf')
    return node.marks?.some(({ type }) => type === 'code' || type === 'keyboard') ? [] : [node.text ?? ''];
  return Object.entries(node).flatMap(([name, each]) =>
    name === 'values'
      ? wordsOf(Object.values(each as object))
      : typeof each === 'string' && WORDY.has(name)
        ? [each]
        : wordsOf(each),
  );
}

/** What nobody translates: code, formulas, addresses, expressions. */
function kept(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(kept);
  if (typeof value !== 'object' || value === null) return [];
  const node = value as { type?: string; nodes?: unknown };
  if (node.type === 'code') return [node];
  return Object.entries(node).flatMap(([name, each]) =>
    ['url', 'formula', 'expression', 'code'].includes(name) ? [each] : kept(each),
  );
}
