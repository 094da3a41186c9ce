import { beforeAll, describe, expect, it } from '@jest/globals';
import { ContentLines, primaryPoint } from '../src/authoring/content/content-lines.js';
import { ContentStore, NOTHING_HIDDEN } from '../src/authoring/content/content-store.js';
import { TranslationEngines } from '../src/insight/translations/engines/translation-engines.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { OutboxRelay } from '../src/kernel/platform/outbox-relay.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { buildSpace, publish, usePublicListener, type Made, type Space } from './published-site.js';
import { useEngine } from './translation-engine.js';

const app = useApp({ TRANSLATION_DELAY: '0' });
const listener = usePublicListener(app);
let org: Workspace;

beforeAll(async () => {
  useEngine(app.current, ['es', 'ja', 'ar']);
  org = await buildOrganization(app.current);
});

async function settle(): Promise<void> {
  await app.current.get(OutboxRelay).drain();
  await app.current.get(Jobs).drain();
}

const newPage = (title: string, markdown: string): object => ({
  ...{ operation: 'insert_page', title, slug: title.toLowerCase() },
  document: { markdown },
});

interface Translated {
  readonly at: string;
  readonly result: string;
}

async function translate(space: Space, language: string, body: object = {}): Promise<Translated> {
  const made = await org.admin.api.post<{ id: string; readerNote: boolean; result: { space: string } }>(
    `/orgs/${org.id}/translations`,
    { source: { space: space.id, language: 'en' }, language, ...body },
  );
  expect(made.status).toBe(201);
  await settle();
  return { at: `/orgs/${org.id}/translations/${made.body.id}`, result: made.body.result.space };
}

async function setNote({ at }: Translated, readerNote: boolean): Promise<void> {
  const { instructions } = (await org.admin.api.get<{ instructions: object }>(at)).body;
  const { status, body } = await org.admin.api.put<{ readerNote: boolean }>(at, { instructions, readerNote });
  expect([status, body.readerNote]).toEqual([200, readerNote]);
  await settle();
}

async function reviewPage({ at }: Translated, pageId: string): Promise<void> {
  const { body } = await org.admin.api.get<{ items: Made[] }>(`${at}/segments`, { query: { pageId } });
  for (const { id } of body.items)
    expect((await org.admin.api.patch(`${at}/segments/${id}`, { state: 'reviewed' })).status).toBe(200);
  await settle();
}

async function pageIdOf(space: string, slug: string): Promise<string> {
  return (await org.admin.api.get<Made>(`/spaces/${space}/content/path/${slug}`)).body.id;
}

/** The note on a published page, and the language and direction of the page. */
async function noteOn(path: string): Promise<[string | undefined, string | undefined, string | undefined]> {
  const seen = await listener.see(path);
  // The first page of a space has the address of the space.
  const { status, body } =
    seen.location === undefined ? seen : await listener.see(new URL(seen.location, listener.origin).pathname);
  expect([path, status]).toEqual([path, 200]);
  const [, note] = /<p class="page-note" role="note">([^<]*)<\/p>/.exec(body) ?? [];
  return [note, /<html[^>]* lang="([^"]*)"/.exec(body)?.[1], /<html[^>]* dir="([^"]*)"/.exec(body)?.[1]];
}

const MACHINE = {
  es: 'Esta página se ha traducido automáticamente y no se ha revisado.',
  ja: 'このページは機械翻訳されたもので、確認されていません。',
};
const OUTDATED =
  'Algunas partes de esta página han cambiado desde su traducción y se han vuelto a traducir automáticamente.';

describe('notes on pages of translations', () => {
  it('tell readers in their language which pages nobody has reviewed, as long as that is so', async () => {
    const source = await buildSpace(org, 'Guide', 'en');
    const [home = ''] = await source.write(newPage('Home', 'Read this first.'), newPage('Steps', 'Turn the key.'));
    const spanish = await translate(source, 'es');
    const spaces = [source, { ...source, id: spanish.result }];
    const made = [
      await translate(source, 'ja', { readerNote: true }),
      await translate(source, 'ar', { readerNote: true }),
    ];
    const site = await publish(org, [...spaces, ...made.map(({ result }) => ({ ...source, id: result }))]);
    const { body: siteSpaces } = await org.admin.api.get<{ items: { path: string; space: { id: string } }[] }>(
      `${site.path}/site-spaces`,
    );
    const pathOf = (space: string, page: string): string => {
      const path = siteSpaces.items.find((each) => each.space.id === space)?.path ?? '';
      return `${site.base}/${path}/${page}`;
    };
    const [japanese = '', arabic = ''] = made.map(({ result }) => pathOf(result, 'steps'));
    const [first, second] = ['home', 'steps'].map((page) => pathOf(spanish.result, page)) as [string, string];
    expect(await noteOn(`${site.base}/home`)).toEqual([undefined, 'en', 'ltr']);
    expect(await noteOn(second)).toEqual([undefined, 'es', 'ltr']);
    expect((await noteOn(japanese))[0]).toBe(MACHINE.ja);
    const [rightToLeft, language, direction] = await noteOn(arabic);
    expect([rightToLeft, language, direction]).toEqual([expect.stringMatching(/\S/), 'ar', 'rtl']);

    await setNote(spanish, true);
    expect(await Promise.all([first, second].map(noteOn))).toEqual([
      [MACHINE.es, 'es', 'ltr'],
      [MACHINE.es, 'es', 'ltr'],
    ]);
    await reviewPage(spanish, await pageIdOf(spanish.result, 'home'));
    expect([(await noteOn(first))[0], (await noteOn(second))[0]]).toEqual([undefined, MACHINE.es]);
    await source.write({ operation: 'update_page', page: home, document: { markdown: 'Read all of this first.' } });
    await settle();
    expect((await noteOn(first))[0]).toBe(OUTDATED);
    await setNote(spanish, false);
    expect((await noteOn(first))[0]).toBeUndefined();
    expect((await noteOn(japanese))[0]).toBe(MACHINE.ja);
  });

  it('come to a large space in batches', async () => {
    const source = await buildSpace(org, 'Large', 'en');
    for (let at = 0; at < 450; at += 50)
      await source.write(...Array.from({ length: 50 }, (_, index) => newPage(`Page-${at + index}`, 'The same.')));
    const spanish = await translate(source, 'es');
    const lines = app.current.get(ContentLines);
    const before = (await lines.primary(spanish.result)).sequence;
    await setNote(spanish, true);
    const head = await lines.primary(spanish.result);
    expect(head.sequence - before).toBe(3);
    const pages = await app.current.get(ContentStore).ofKinds(primaryPoint(head, NOTHING_HIDDEN), ['page']);
    expect(pages.filter(({ props }) => props['readerNote'] === 'machine')).toHaveLength(450);
  });

  it('leave with the translation, and are not in copies of its space', async () => {
    const source = await buildSpace(org, 'Manual', 'en');
    await source.write(newPage('Home', 'Read this first.'));
    const spanish = await translate(source, 'es', { readerNote: true });
    const copy = await org.admin.api.post<Made>(`/spaces/${spanish.result}/duplicate`);
    expect([copy.status, copy.body]).toEqual([201, copy.body]);
    const site = await publish(org, [source, { ...source, id: spanish.result }, { ...source, id: copy.body.id }]);
    const { body } = await org.admin.api.get<{ items: { path: string; space: Made }[] }>(`${site.path}/site-spaces`);
    const paths = body.items.slice(1).map(({ path }) => `${site.base}/${path}/home`);
    expect(await Promise.all(paths.map(async (path) => (await noteOn(path))[0]))).toEqual([MACHINE.es, undefined]);
    expect((await org.admin.api.delete(spanish.at)).status).toBe(204);
    await settle();
    expect(await Promise.all(paths.map(async (path) => (await noteOn(path))[0]))).toEqual([undefined, undefined]);
  });

  it('come and go while no engine can be reached, and stay away when the space is no translation any more', async () => {
    const source = await buildSpace(org, 'Handbook', 'en');
    await source.write(newPage('Home', 'Read this first.'), newPage('Steps', 'Turn the key.'));
    const spanish = await translate(source, 'es');
    const result = `/spaces/${spanish.result}`;
    const revision = async (): Promise<string> => (await org.admin.api.get<{ revision: string }>(result)).body.revision;
    const site = await publish(org, [source, { ...source, id: spanish.result }]);
    const { body } = await org.admin.api.get<{ items: { path: string }[] }>(`${site.path}/site-spaces`);
    const path = `${site.base}/${body.items[1]?.path}/steps`;
    const engines = app.current.get(TranslationEngines);
    const choose = engines.choose.bind(engines);
    engines.choose = () => Promise.resolve({ reason: 'No engine can be reached' });
    try {
      await setNote(spanish, true);
      expect((await noteOn(path))[0]).toBe(MACHINE.es);
      const noted = await revision();
      await setNote(spanish, false);
      expect((await noteOn(path))[0]).toBeUndefined();
      // Only the notes differ: nobody has said anything else, and they are as the translation has them.
      expect((await org.admin.api.post(`${result}/revisions/${noted}/rollback`)).status).toBe(200);
      expect((await noteOn(path))[0]).toBeUndefined();
      await setNote(spanish, true);
      const again = await revision();
      expect((await org.admin.api.delete(spanish.at)).status).toBe(204);
      await settle();
      expect((await org.admin.api.post(`${result}/revisions/${again}/rollback`)).status).toBe(200);
      expect((await noteOn(path))[0]).toBeUndefined();
    } finally {
      engines.choose = choose;
    }
  });

  it('do not hinder what people have written in a change request before they changed', async () => {
    const source = await buildSpace(org, 'Primer', 'en');
    await source.write(newPage('Home', 'Read this first.'));
    const spanish = await translate(source, 'es', { readerNote: true });
    const page = await pageIdOf(spanish.result, 'home');
    const requests = `/spaces/${spanish.result}/change-requests`;
    const made = await org.admin.api.post<Made>(requests, { subject: 'Better' });
    const written = await org.admin.api.post(`${requests}/${made.body.id}/content`, {
      changes: [{ operation: 'update_page', page, title: 'Inicio' }],
    });
    expect([written.status, written.body]).toEqual([200, written.body]);
    await reviewPage(spanish, page);
    const merged = await org.admin.api.post(`${requests}/${made.body.id}/merge`);
    expect(merged).toMatchObject({ status: 200, body: { result: 'merge' } });
    await settle();
    const head = await app.current.get(ContentLines).primary(spanish.result);
    const point = primaryPoint(head, NOTHING_HIDDEN);
    const [home] = await app.current.get(ContentStore).ofKinds(point, ['page']);
    expect(home?.title).toBe('Inicio');
    expect(home?.props).not.toHaveProperty('readerNote');
  });
});
