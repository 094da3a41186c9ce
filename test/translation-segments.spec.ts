import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Document } from '../src/formats/document/types.js';
import { DomainError } from '../src/kernel/common/errors.js';
import { TranslationPublisher } from '../src/insight/translations/translation-publisher.js';
import { EngineError } from '../src/insight/translations/engines/engine-error.js';
import { TranslationEngines } from '../src/insight/translations/engines/translation-engines.js';
import { EditedTranslations } from '../src/insight/translations/segments/edited-translations.service.js';
import { SegmentRecords } from '../src/insight/translations/segments/segment-records.js';
import { ContentStore } from '../src/authoring/content/content-store.js';
import { Corrections } from '../src/insight/translations/segments/corrections.js';
import { DocumentStaging } from '../src/authoring/content/document-staging.js';
import { WorkerPool } from '../src/kernel/platform/workers/worker-pool.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { OutboxRelay } from '../src/kernel/platform/outbox-relay.js';
import { fuzzyMatches, segmentDiff } from '../src/insight/translations/domain/fuzzy-match.js';
import { segmentOfTagged, taggedSegment } from '../src/insight/translations/domain/inline-tags.js';
import { changedSegments, CORRECTED_WORDS } from '../src/insight/translations/translation-tasks.js';
import { targetWarnings } from '../src/insight/translations/domain/target-warnings.js';
import {
  mergeAdjacentTexts,
  segmentText,
  type SegmentPiece,
  type Segment,
} from '../src/insight/translations/domain/segment.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import type { Client } from './client.js';
import { inOrder, useEngine, type TestEngine } from './translation-engine.js';

const app = useApp({ TRANSLATION_DELAY: '0' });
let engine: TestEngine;
let org: Workspace;
let api: Client;

interface SegmentBody {
  id: string;
  state: string;
  source: string;
  target: string;
  warnings: string[];
  page?: string;
  reusableContent?: string;
  match?: { source: string; target: string; similarity: number; diff: { type: string; text: string }[] };
}
interface List<Item> {
  items: Item[];
  count: number;
  next?: { page: string };
}
interface Translated {
  readonly space: string;
  readonly id: string;
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
  engine.takeSent();
});

/** Lets translations hear of what has changed, and work. */
async function settle(): Promise<void> {
  await app.current.get(OutboxRelay).drain();
  await app.current.get(Jobs).drain();
}

async function write(space: string, ...changes: readonly object[]): Promise<void> {
  const { status, body } = await api.post(`/spaces/${space}/content`, { changes });
  expect([status, body]).toEqual([200, body]);
}

const newPage = (title: string, markdown: string): object => ({
  operation: 'insert_page',
  title,
  slug: title.toLowerCase(),
  document: { markdown },
});

async function translated(...changes: readonly object[]): Promise<Translated> {
  const { id: space } = (
    await api.post<{ id: string }>(`/orgs/${org.id}/spaces`, { title: 'Guide', empty: true, editMode: 'live' })
  ).body;
  await write(space, ...changes);
  const { body } = await api.post<{ id: string; result: { space: string } }>(`/orgs/${org.id}/translations`, {
    source: { space, language: 'en' },
    language: 'es',
  });
  await settle();
  return { space, id: body.id, result: body.result.space, at: `/orgs/${org.id}/translations/${body.id}` };
}

async function segments(at: string, query: Record<string, string> = {}): Promise<SegmentBody[]> {
  const { status, body } = await api.get<List<SegmentBody>>(`${at}/segments`, { query });
  expect(status).toBe(200);
  return body.items;
}

async function segmentOf(at: string, source: string): Promise<SegmentBody> {
  const found = (await segments(at, { limit: '500' })).find((segment) => segment.source === source);
  if (!found) throw new Error(`no segment says ${source}`);
  return found;
}

const correct = (at: string, { id }: SegmentBody, body: object, headers = {}) =>
  api.patch<SegmentBody>(`${at}/segments/${id}`, body, { headers });

async function pageIds(space: string): Promise<Map<string, string>> {
  const { body } = await api.get<{ pages: { id: string; slug: string }[] }>(`/spaces/${space}/content/pages`);
  return new Map(body.pages.map(({ id, slug }) => [slug, id]));
}

async function markdown(space: string, path: string): Promise<string> {
  const { body } = await api.get<{ markdown: string }>(`/spaces/${space}/content/path/${path}`, {
    query: { format: 'markdown' },
  });
  return body.markdown;
}

const HOME = 'Read **this** first, then `npm ci`.\n\nCome back soon.';
const HOME_LINE = 'Read <pc id="1">this</pc> first, then <ph id="2"/>.';

describe('the segments of a translation', () => {
  it('are listed page by page, by page and state', async () => {
    const { at, result } = await translated(
      { ...newPage('Home', HOME), description: 'Where to begin' },
      newPage('Steps', 'Come back soon.\n\n5 < 6 & more'),
      { operation: 'insert_reusable_content', title: 'Shared', document: { markdown: 'Shared words' } },
    );
    const pages = await pageIds(result);
    const [home = '', steps = ''] = [pages.get('home'), pages.get('steps')];
    const said = (await segments(at, { pageId: home })).map(({ page, state, source, target }) => ({
      page,
      state,
      source,
      target,
    }));
    expect(said).toEqual(
      [
        ['Home', 'Homeix'],
        ['Where to begin', 'Whereix toix beginix'],
        [HOME_LINE, 'Readix <pc id="1">thisix</pc> firstix, thenix <ph id="2"/>.'],
        ['Come back soon.', 'Comeix backix soonix.'],
      ].map(([source, target]) => ({ page: home, state: 'machine', source, target })),
    );
    expect((await segments(at, { pageId: steps })).map(({ source }) => source)).toEqual([
      'Steps',
      'Come back soon.',
      '5 &lt; 6 &amp; more',
    ]);
    const all = await segments(at);
    expect(all).toHaveLength(9);
    expect(all.filter(({ reusableContent }) => reusableContent !== undefined).map(({ source }) => source)).toEqual([
      'Shared',
      'Shared words',
    ]);
    expect((await correct(at, all[0] as SegmentBody, { state: 'reviewed' })).status).toBe(200);
    expect((await segments(at, { state: 'reviewed' })).map(({ id }) => id)).toEqual([all[0]?.id]);
    expect(await segments(at, { state: 'machine' })).toHaveLength(8);
    expect(await segments(at, { state: 'outdated' })).toEqual([]);
    const paged: SegmentBody[] = [];
    for (let token: string | undefined = ''; token !== undefined;) {
      const { body }: { body: List<SegmentBody> } = await api.get<List<SegmentBody>>(`${at}/segments`, {
        query: { limit: '2', ...(token !== '' && { page: token }) },
      });
      expect(body.count).toBe(9);
      paged.push(...body.items);
      token = body.next?.page;
    }
    expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  });

  it('tell how each page stands', async () => {
    const { at, space, result } = await translated(newPage('Home', HOME), newPage('Steps', 'Turn the key.'));
    const pages = async (query = {}) =>
      (await api.get<List<{ id: string; source: string; state: string; segments: object }>>(`${at}/pages`, { query }))
        .body.items;
    const [here, there] = [await pageIds(space), await pageIds(result)];
    const [home, steps] = ['home', 'steps'].map((slug) => ({ id: there.get(slug), source: here.get(slug) }));
    expect((await pages()).map(({ state }) => state)).toEqual(['machine', 'machine']);
    const first = await api.get<List<{ id: string }>>(`${at}/pages`, { query: { limit: 1 } });
    const second = await api.get<List<{ id: string }>>(`${at}/pages`, {
      query: { limit: 1, page: first.body.next?.page },
    });
    expect([...first.body.items, ...second.body.items]).toEqual(await pages());
    for (const segment of await segments(at, { pageId: steps?.id ?? '' }))
      await correct(at, segment, { state: 'reviewed' });
    expect(await pages({ state: 'reviewed' })).toMatchObject([
      { object: 'translated-page', ...steps, segments: { machine: 0, reviewed: 2, outdated: 0 } },
    ]);
    expect(await pages({ state: 'machine' })).toMatchObject([home]);
    await write(space, {
      operation: 'update_page',
      page: steps?.source,
      document: { markdown: 'Turn the small key.' },
    });
    await settle();
    expect(await pages({ state: 'outdated' })).toMatchObject([
      { ...steps, segments: { machine: 0, reviewed: 1, outdated: 1 } },
    ]);
  });

  it('warn of other numbers, of a negation on one side, and of lengths that differ', async () => {
    const { at } = await translated(newPage('Home', 'Do not wait 30 seconds.\n\nPress the key and read on quietly.'));
    const warningsOf = async (source: string, target?: string): Promise<string[]> => {
      const segment = await segmentOf(at, source);
      return target === undefined ? segment.warnings : (await correct(at, segment, { target })).body.warnings;
    };
    const wait = 'Do not wait 30 seconds.';
    expect(await warningsOf(wait, 'No espere 30 segundos.')).toEqual([]);
    expect(await warningsOf(wait, 'Espere 20 segundos.')).toEqual(['numbers', 'negation']);
    expect(await warningsOf('Press the key and read on quietly.', 'Pulse.')).toEqual(['length']);
    expect((await segments(at)).map(({ warnings }) => warnings)).toEqual([[], ['numbers', 'negation'], ['length']]);
    const languages = { source: 'en', target: 'fr' };
    expect(targetWarnings(['It costs 1,000.50 € without tax'], ['Il coûte 1 000,50 € sans taxe'], languages)).toEqual(
      [],
    );
    expect(targetWarnings(['You can’t do it'], ['Vous ne pouvez pas'], languages)).toEqual([]);
    expect(targetWarnings(['Press the key twice to begin'], ['二回押す'], { source: 'en', target: 'ja' })).toEqual([]);
  });

  it('are untranslated where no engine says anything for them, until a person does', async () => {
    engine.answer = (segment, job) => (/soon|very/.test(segmentText(segment)) ? undefined : inOrder(segment, job));
    const { at, space, result } = await translated(newPage('Home', HOME), newPage('Steps', 'Turn the key.'));
    const text = await segmentOf(at, 'Come back soon.');
    expect([text.state, text.target]).toEqual(['untranslated', 'Come back soon.']);
    expect((await segments(at, { state: 'untranslated' })).map(({ id }) => id)).toEqual([text.id]);
    const home = (await pageIds(result)).get('home');
    const pages = async (state: string) =>
      (await api.get<List<{ id: string; segments: object }>>(`${at}/pages`, { query: { state } })).body.items;
    expect(await pages('untranslated')).toMatchObject([
      { id: home, segments: { machine: 2, reviewed: 0, outdated: 0, untranslated: 1 } },
    ]);
    for (const [format, said] of [
      ['xliff', /<segment state="initial">\s*<source>Come back soon\.<\/source>\s*<\/segment>/],
      ['po', /msgid "Come back soon\."\nmsgstr ""/],
    ] as const)
      expect((await api.get<{ content: string }>(`${at}/export`, { query: { format } })).body.content).toMatch(said);
    expect((await correct(at, text, { state: 'reviewed' })).body.state).toBe('reviewed');
    expect(await pages('untranslated')).toEqual([]);
    await write(space, {
      operation: 'update_page',
      page: (await pageIds(space)).get('home'),
      document: { markdown: HOME.replace('soon', 'very soon') },
    });
    await settle();
    expect(await segmentOf(at, 'Come back very soon.')).toMatchObject({
      state: 'outdated',
      target: 'Come back very soon.',
      match: { target: 'Come back soon.' },
    });
  });

  it('are stored by one run of translations that former servers have made', async () => {
    const { at, id, result } = await translated(newPage('Home', HOME));
    const { database } = app.current;
    await database.execute('DELETE FROM translation_segment WHERE translation_id = $1', [id]);
    await database.execute('DELETE FROM translated_item WHERE space_id = $1', [result]);
    await database.execute('UPDATE translation SET segments_recorded = false WHERE id = $1', [id]);
    const runs = async () => (await api.get<{ stats: { runs: number } }>(at)).body.stats.runs;
    for (let time = 0; time < 2; time++) {
      await app.current.get(Jobs).enqueue('translations.record-segments', {});
      await settle();
      expect(await runs()).toBe(2);
    }
    expect((await segments(at)).map(({ source }) => source)).toEqual(['Home', HOME_LINE, 'Come back soon.']);
  });

  it('go with their pages and with the translation', async () => {
    const { at, space, id } = await translated(newPage('Home', HOME), newPage('Steps', 'Turn the key.'));
    await correct(at, await segmentOf(at, 'Turn the key.'), { target: 'Gire la llave.' });
    await write(space, { operation: 'delete_page', page: (await pageIds(space)).get('steps') });
    await settle();
    expect((await segments(at)).map(({ source }) => source)).toEqual(['Home', HOME_LINE, 'Come back soon.']);
    const other = await translated(newPage('Home', HOME));
    await correct(other.at, await segmentOf(other.at, 'Home'), { target: 'Inicio' });
    expect((await api.delete(at)).status).toBe(204);
    expect((await api.get(`${at}/segments`)).status).toBe(404);
    await settle();
    expect(await segments(other.at, { state: 'reviewed' })).toHaveLength(1);
    for (const table of ['translation_segment', 'translation_correction'])
      expect(await app.current.database.query(`SELECT FROM ${table} WHERE translation_id = $1`, [id])).toEqual([]);
  });
});

describe('corrections', () => {
  it('are on all pages with the text, and stay whatever engines say', async () => {
    const { at, space, result } = await translated(newPage('Home', HOME), newPage('Steps', 'Come back soon.'));
    const target = 'Lea primero <pc id="1">esto</pc>, luego <ph id="2"/> &amp; más.';
    const line = await segmentOf(at, HOME_LINE);
    expect((await correct(at, line, { target })).body).toMatchObject({ id: line.id, state: 'reviewed', target });
    await correct(at, await segmentOf(at, 'Come back soon.'), { target: 'Vuelva pronto.' });
    engine.takeSent();
    await settle();
    expect(engine.takeSent()).toEqual([]);
    expect(await markdown(result, 'home')).toContain('Lea primero **esto**, luego `npm ci` & más.\n\nVuelva pronto.');
    expect(await markdown(result, 'steps')).toContain('Vuelva pronto.');
    // Everything else is translated anew by another engine.
    engine.name = 'other';
    engine.answer = (segment) => segment.map((piece) => (typeof piece === 'string' ? piece.toUpperCase() : piece));
    await write(space, newPage('More', HOME));
    await settle();
    engine.name = 'test';
    expect(engine.takeSent()).toEqual(expect.not.arrayContaining(['Come back soon.']));
    expect(await markdown(result, 'home')).toContain('Lea primero **esto**, luego `npm ci` & más.\n\nVuelva pronto.');
    expect(await markdown(result, 'more')).toContain('Lea primero **esto**, luego `npm ci` & más.\n\nVuelva pronto.');
    expect(await segmentOf(at, 'Home')).toMatchObject({ state: 'machine', target: 'HOME' });
    expect(await segmentOf(at, HOME_LINE)).toMatchObject({ state: 'reviewed', target });
  });

  it('are on the pages at once while no engine can be reached, and a run is to bring something else', async () => {
    const { at, space, result } = await translated(
      {
        ...newPage('Home', `${HOME}\n\n[One](https://example.com/1 "Come back soon.")`),
        description: 'Come back soon.',
      },
      newPage('Steps', '## Come back soon.\n\n[Up](#come-back-soon) to the **heading**.'),
      { operation: 'insert_reusable_content', title: 'Shared', document: { markdown: 'Come back soon.' } },
    );
    const engines = app.current.get(TranslationEngines);
    const choose = engines.choose.bind(engines);
    engines.choose = () => Promise.reject(new EngineError('refused', 'The quota is used up'));
    try {
      await write(space, {
        operation: 'update_page',
        page: (await pageIds(space)).get('home'),
        document: { markdown: `Something new.\n\n${HOME}` },
      });
      await settle();
      const [before, steps] = [await markdown(result, 'home'), await markdown(result, 'steps')];
      const said = '¡Vuelva <pronto>!';
      await correct(at, await segmentOf(at, 'Come back soon.'), { target: said.replace('<', '&lt;') });
      await settle();
      const [home, { body: page }] = [
        await markdown(result, 'home'),
        await api.get<{ description: string }>(`/spaces/${result}/content/path/home`),
      ];
      expect(home).toContain('Readix **thisix** firstix');
      expect(home.replace(/¡Vuelva \\?<pronto>!/g, 'Comeix backix soonix.')).toBe(before);
      expect([home, page.description]).toEqual([expect.not.stringContaining('Comeix'), said]);
      expect(await markdown(result, 'steps')).toBe(steps.replace('Comeix backix soonix.', '¡Vuelva \\<pronto>!'));
      const revision = async () => (await api.get<{ revision: string }>(`/spaces/${result}`)).body.revision;
      const now = await revision();
      expect(await app.current.database.query('SELECT FROM translation_segment WHERE NOT published')).toEqual([]);
      expect((await api.get<{ error?: string }>(at)).body.error).toContain('quota');
      await app.current.get(Jobs).enqueue('translations.correct', { translation: at.split('/').at(-1) ?? '' });
      await settle();
      expect(await revision()).toBe(now);
    } finally {
      engines.choose = choose;
    }
    await api.post(`${at}/run`);
    await settle();
    expect(await markdown(result, 'home')).toMatch(/Somethingix newix\.[^]*¡Vuelva/);
  });

  it('are on many pages in a few revisions, and in the queue of two people at once', async () => {
    const pages = Array.from({ length: 45 }, (_, index) =>
      newPage(`Page-${index}`, `Come back soon.\n\nText ${index}`),
    );
    const { at, result } = await translated(...pages);
    const line = await segmentOf(at, 'Come back soon.');
    const sequence = async () =>
      (await app.current.database.one<{ sequence: string }>('SELECT sequence FROM space WHERE id = $1', [result]))
        ?.sequence;
    const before = Number(await sequence());
    const text = await segmentOf(at, 'Text 7');
    await Promise.all([correct(at, line, { target: 'Vuelva pronto.' }), correct(at, text, { target: 'Texto siete' })]);
    await Promise.all([app.current.get(Jobs).drain(), app.current.get(Jobs).drain()]);
    expect(Number(await sequence()) - before).toBeLessThanOrEqual(2);
    for (const index of [0, 7, 44]) expect(await markdown(result, `page-${index}`)).toContain('Vuelva pronto.');
    expect(await markdown(result, 'page-7')).toContain('Texto siete');
  });

  it('that a page cannot hold are told, hold no other page up and ask for no run', async () => {
    const { at, space, result } = await translated(
      newPage('Home', 'Come back soon.\n\nRead on.'),
      newPage('Steps', 'Turn the key.'),
    );
    const staging = app.current.get(DocumentStaging);
    const stage = staging.stage.bind(staging);
    const refuse: typeof stage = async (spaceId, language, drafts) => {
      const staged = await stage(spaceId, language, drafts);
      return staged.map((each, index) =>
        drafts[index]?.json.includes('Vuelva') === true ? { fault: 'it is too large' } : each,
      );
    };
    const state = async () => (await api.get<{ error?: string; stats: { runs: number } }>(at)).body;
    staging.stage = refuse;
    try {
      const before = (await state()).stats.runs;
      await correct(at, await segmentOf(at, 'Come back soon.'), { target: 'Vuelva pronto.' });
      await correct(at, await segmentOf(at, 'Turn the key.'), { target: 'Gire la llave.' });
      await settle();
      expect(await markdown(result, 'steps')).toContain('Gire la llave.');
      expect(await markdown(result, 'home')).toContain('Comeix backix');
      expect(await state()).toMatchObject({
        error: 'The translation of “Homeix” cannot be stored: it is too large',
        stats: { runs: before },
      });
      // A run brings all else, and says the same of the page.
      await write(space, newPage('More', 'And more.'));
      await settle();
      expect(await markdown(result, 'more')).toContain('Andix moreix.');
      expect(await markdown(result, 'home')).toContain('Comeix backix');
      expect((await state()).error).toBe('The translation of “Homeix” cannot be stored: it is too large');
    } finally {
      staging.stage = stage;
    }
    await api.post(`${at}/run`);
    await settle();
    expect(await markdown(result, 'home')).toContain('Vuelva pronto.');
    expect(await state()).not.toHaveProperty('error');
  });

  it('are on a page after the run that has made it anew, and ask for no further one', async () => {
    const { at, result } = await translated(newPage('Home', 'Come back soon.'));
    const words = app.current.get(WorkerPool);
    const run = words.run.bind(words);
    // As where a page takes too long to read.
    words.run = (task, input, options) =>
      task === (CORRECTED_WORDS as unknown) ? Promise.resolve(undefined as never) : run(task, input, options);
    try {
      const runs = async () => (await api.get<{ stats: { runs: number } }>(at)).body.stats.runs;
      const before = await runs();
      await correct(at, await segmentOf(at, 'Come back soon.'), { target: 'Vuelva pronto.' });
      await settle();
      await settle();
      expect(await markdown(result, 'home')).toContain('Vuelva pronto.');
      expect(await runs()).toBe(before + 1);
      expect(await app.current.database.query('SELECT FROM translation_segment WHERE NOT published')).toEqual([]);
      await app.current.get(Jobs).enqueue('translations.correct', { translation: at.split('/').at(-1) ?? '' });
      await settle();
      expect(await runs()).toBe(before + 1);
    } finally {
      words.run = run;
    }
  });

  it('make place for others where no page has their texts, and are refused where there is none', async () => {
    const { at, id } = await translated(newPage('Home', HOME));
    await correct(at, await segmentOf(at, 'Home'), { target: 'Inicio' });
    const corrections = app.current.get(Corrections);
    const held = async () =>
      (
        await app.current.database.query<{ source: string[] }>(
          'SELECT source FROM translation_correction WHERE translation_id = $1 ORDER BY updated_at, source ->> 0',
          [id],
        )
      ).map(({ source }) => source[0]);
    for (const source of ['Gone first', 'Gone later'])
      await corrections.put(org.id, id, [{ source: [source], target: ['x'] }], 3);
    expect(await held()).toEqual(['Home', 'Gone first', 'Gone later']);
    await corrections.put(org.id, id, [{ source: ['Come back soon.'], target: ['x'] }], 3);
    expect(await held()).toEqual(['Home', 'Gone later', 'Come back soon.']);
    await app.current.database
      .transaction(async () => {
        await expect(corrections.put(org.id, id, [{ source: ['Third'], target: ['x'] }], 1)).rejects.toThrow(
          '1 corrected',
        );
        throw new Error('undone');
      })
      .catch(() => undefined);
    expect(await held()).toHaveLength(3);
  });

  it('are reviewed as they are, and given back to engines', async () => {
    const { at, result } = await translated(newPage('Home', HOME));
    const line = await segmentOf(at, 'Come back soon.');
    expect((await correct(at, line, { state: 'reviewed' })).body).toMatchObject({
      state: 'reviewed',
      target: 'Comeix backix soonix.',
    });
    await correct(at, line, { target: 'Vuelva pronto.' });
    await settle();
    expect(await markdown(result, 'home')).toContain('Vuelva pronto.');
    expect((await correct(at, line, { state: 'machine' })).body).toMatchObject({ state: 'machine' });
    await settle();
    expect(await markdown(result, 'home')).toContain('Comeix backix soonix.');
    expect(await segmentOf(at, 'Come back soon.')).toMatchObject({ state: 'machine', target: 'Comeix backix soonix.' });
  });

  it('are outdated where their source changes, and offered for the new one with what has changed', async () => {
    const { at, space, result } = await translated(newPage('Home', `${HOME}\n\nSomething else.`));
    const target = 'Lea primero <pc id="1">esto</pc>, luego <ph id="2"/>.';
    await correct(at, await segmentOf(at, HOME_LINE), { target });
    await settle();
    const page = (await pageIds(space)).get('home');
    const change = (text: string) => write(space, { operation: 'update_page', page, document: { markdown: text } });
    await change(`A line before.\n\n${HOME.replace('this', 'all of this')}\n\nSomething else.`);
    await settle();
    const source = 'Read <pc id="1">all of this</pc> first, then <ph id="2"/>.';
    const outdated = {
      state: 'outdated',
      source,
      target: 'Readix <pc id="1">allix ofix thisix</pc> firstix, thenix <ph id="2"/>.',
      match: {
        source: HOME_LINE,
        target,
        similarity: expect.any(Number),
        diff: [
          { type: 'equal', text: 'Read <pc id="1">' },
          { type: 'insert', text: 'all of ' },
          { type: 'equal', text: 'this</pc> first, then <ph id="2"/>.' },
        ],
      },
    };
    expect(await segments(at, { state: 'outdated' })).toMatchObject([outdated]);
    expect(await markdown(result, 'home')).toContain('Readix **allix ofix thisix**');
    // It stays so with further runs, and with another change.
    await change(`Another line before.\n\n${HOME.replace('this', 'all of this')}\n\nSomething else.`);
    await settle();
    expect(await segments(at, { state: 'outdated' })).toMatchObject([outdated]);
    await change(HOME.replace('this', 'all of that'));
    await settle();
    const [again] = await segments(at, { state: 'outdated' });
    expect(again).toMatchObject({ source: source.replace('this', 'that'), match: { source: HOME_LINE, target } });
    const said = 'Lea primero <pc id="1">todo aquello</pc>, luego <ph id="2"/>.';
    const done = (await correct(at, again as SegmentBody, { target: said })).body;
    expect([done.state, done.target, done.match]).toEqual(['reviewed', said, undefined]);
    await settle();
    expect(await markdown(result, 'home')).toContain('Lea primero **todo aquello**');
    // The correction of the first source is known when that comes back.
    await change(HOME);
    await settle();
    expect(await segmentOf(at, HOME_LINE)).toMatchObject({ state: 'reviewed', target });
  });

  it('count where they come while a run is at work', async () => {
    const { at, space, result } = await translated(newPage('Home', HOME));
    const line = await segmentOf(at, 'Come back soon.');
    engine.before = async () => {
      engine.before = async () => undefined;
      expect((await correct(at, line, { target: 'Vuelva pronto.' })).status).toBe(200);
    };
    await write(space, newPage('New', 'Come back soon.\n\nSomething new.'));
    await settle();
    await settle();
    for (const path of ['home', 'new']) expect(await markdown(result, path)).toContain('Vuelva pronto.');
    expect((await segments(at, { state: 'reviewed' })).map(({ target }) => target)).toEqual([
      'Vuelva pronto.',
      'Vuelva pronto.',
    ]);
  });

  it('are refused where they lose what the source has, and by who has seen another text', async () => {
    const { at, result } = await translated(newPage('Home', HOME));
    const line = await segmentOf(at, HOME_LINE);
    for (const [target, message] of [
      ['Lea primero esto.', 'must have each tag'],
      ['Lea <pc id="1">esto</pc> <ph id="2"/> <ph id="2"/>', 'must have each tag'],
      ['Lea <pc id="1"></pc> esto <ph id="2"/>', 'must have each tag'],
      ['Lea <pc id="1">esto <ph id="2"/></pc>', 'must have each tag'],
      ['Lea </pc> <ph id="2"/>', 'pairs'],
      [' Lea <pc id="1">esto</pc> <ph id="2"/>', 'white space'],
      ['Lea\n<pc id="1">esto</pc> <ph id="2"/>', 'one line'],
      ['1 <pc id="1">2</pc> <ph id="2"/>', 'words'],
      ['x'.repeat(50_001), 'shorter'],
    ] as const)
      expect([target.slice(0, 80), await correct(at, line, { target })]).toEqual([
        target.slice(0, 80),
        expect.objectContaining({
          status: 400,
          body: {
            error: expect.objectContaining({
              details: [{ path: 'target', message: expect.stringContaining(message) }],
            }),
          },
        }),
      ]);
    expect((await correct(at, line, { target: 'Lea.', state: 'machine' })).status).toBe(400);
    expect(await correct(at, line, {})).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'target' }] } },
    });
    expect((await segmentOf(at, HOME_LINE)).state).toBe('machine');
    const read = await api.get<SegmentBody>(`${at}/segments/${line.id}`);
    const etag = read.headers.get('etag') ?? '';
    const say = (text: string) =>
      correct(at, line, { target: `${text} <pc id="1">esto</pc> <ph id="2"/>` }, { 'If-Match': etag });
    const answers = await Promise.all([say('Uno'), say('Dos')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    const won = answers.find(({ status }) => status === 200)?.body.target;
    expect((await api.get<SegmentBody>(`${at}/segments/${line.id}`)).body.target).toBe(won);
    expect(await api.get(`${at}/segments/${line.id}x`)).toMatchObject({ status: 404 });
    expect((await correct(at, { ...line, id: 'x' }, { state: 'reviewed' })).status).toBe(404);
    await settle();
    expect(await markdown(result, 'home')).toMatch(/^(?:.*\n)*(?:Uno|Dos) \*\*esto\*\*/);
  });

  it('are for administrators, and are not there for others', async () => {
    const { at } = await translated(newPage('Home', HOME));
    const { id } = await segmentOf(at, 'Home');
    const editor = (await org.member('create')).api;
    const foreign = (await buildOrganization(app.current)).admin.api;
    for (const [person, status] of [
      [editor, 403],
      [foreign, 404],
    ] as const) {
      expect((await person.get(`${at}/segments`)).status).toBe(status);
      expect((await person.get(`${at}/segments/${id}`)).status).toBe(status);
      expect((await person.get(`${at}/pages`)).status).toBe(status);
      expect((await person.patch(`${at}/segments/${id}`, { state: 'reviewed' })).status).toBe(status);
    }
    expect((await api.get(`${at}x/segments`)).status).toBe(404);
    expect((await api.get(`${at}x/pages`)).status).toBe(404);
    expect((await segmentOf(at, 'Home')).state).toBe('machine');
  });
});

describe('edits of people in the space with the translation', () => {
  interface PageBody {
    id: string;
    document: Document;
  }
  const pageAt = async (space: string, path: string): Promise<PageBody> =>
    (await api.get<PageBody>(`/spaces/${space}/content/path/${path}`, { query: { format: 'document' } })).body;
  const edit = (space: string, change: object, at = `/spaces/${space}/content`) =>
    api.post<{ error?: { message: string } }>(at, { changes: [{ operation: 'update_page', ...change }] });

  const STEPS = `## First step

Press the **red** [button](https://example.com/) of \`kettle on\`, then [go on](#first-step).

{% tabs %}
{% tab title="By hand" %}
Come back soon.
{% endtab %}
{% endtabs %}

| Name | Use |
| --- | --- |
| Key | Turn it |

\`\`\`sh
kettle on
\`\`\``;

  async function open(): Promise<Translated> {
    const made = await translated({ ...newPage('Home', HOME), description: 'Where to begin' }, newPage('Steps', STEPS));
    expect((await api.patch(`/spaces/${made.result}`, { editMode: 'live' })).status).toBe(200);
    return made;
  }

  it('are corrections, which stay and are on all pages with the text', async () => {
    const { at, space, result } = await open();
    const { id, document } = await pageAt(result, 'steps');
    const written = JSON.stringify(document)
      .replace('Comeix backix soonix.', 'Vuelva pronto.')
      .replace('Turnix itix', 'Gírela');
    expect((await edit(result, { page: id, document: { document: JSON.parse(written) as object } })).status).toBe(200);
    expect(await segments(at, { state: 'reviewed' })).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ source: 'Come back soon.', target: 'Vuelva pronto.' }),
        expect.objectContaining({ source: 'Turn it', target: 'Gírela' }),
      ]),
    );
    expect(await segments(at, { state: 'reviewed' })).toHaveLength(3);
    await settle();
    const edited = await markdown(result, 'steps');
    expect(edited).toContain('Vuelva pronto.');
    expect(edited).toContain('Gírela');
    expect(await markdown(result, 'home')).toContain('Vuelva pronto.');
    // In words as Markdown, with marks in another order; and in the texts of the page itself.
    const text = edited.replace(
      /Pressix .*?, thenix \[.*?\]\((.*?)\)\./,
      '[Botón](https://example.com/) **rojo** de `kettle on`: púlselo, y [siga]($1).',
    );
    expect(text).not.toBe(edited);
    const { status, body } = await edit(result, { page: id, document: { markdown: text } });
    expect([status, body]).toEqual([200, body]);
    expect((await edit(result, { page: id, title: 'Pasos' })).status).toBe(200);
    const home = (await pageAt(result, 'home')).id;
    expect((await edit(result, { page: home, description: 'Dónde empezar' })).status).toBe(200);
    await settle();
    await write(space, newPage('More', 'Something new.'));
    await settle();
    expect(await markdown(result, 'steps')).toContain(
      '[Botón](https://example.com/) **rojo** de `kettle on`: púlselo, y [siga](#first-step).',
    );
    expect((await segments(at, { state: 'reviewed' })).map(({ source, target }) => [source, target])).toEqual(
      expect.arrayContaining([
        ['Steps', 'Pasos'],
        ['Where to begin', 'Dónde empezar'],
        [
          'Press the <pc id="1">red</pc> <pc id="2">button</pc> of <ph id="3"/>, then <pc id="4">go on</pc>.',
          '<pc id="2">Botón</pc> <pc id="1">rojo</pc> de <ph id="3"/>: púlselo, y <pc id="4">siga</pc>.',
        ],
      ]),
    );
  });

  it('change headings, tabs and links in any order, whatever engines have left or moved', async () => {
    engine.answer = (segment) =>
      segment.flatMap((piece, index): Segment[number][] =>
        segment.length === 9 ? [segment[[0, 5, 6, 7, 4, 1, 2, 3, 8][index] ?? 0] ?? ''] : [piece],
      );
    const { at, result } = await translated(
      newPage(
        'Links',
        `## First step

## 設定

See [one](https://example.com/1) and [two](https://example.com/2).

[here](#first-step) or [there](#設定)

{% tabs %}
{% tab title="By hand" %}
Come back soon.
{% endtab %}
{% endtabs %}

<details>

<summary>More words</summary>

Within

</details>`,
      ),
    );
    await api.patch(`/spaces/${result}`, { editMode: 'live' });
    const text = await markdown(result, 'links');
    const { id, document } = await pageAt(result, 'links');
    const changes = [
      ['First step', 'Primer paso'],
      ['設定', 'Ajustes'],
      ['By hand', 'A mano'],
      ['More words', 'Más palabras'],
      ['Within', 'Dentro'],
    ] as const;
    let json = JSON.stringify(document);
    for (const [from, to] of changes) {
      json = json.replace(`"${from}"`, `"${to}"`);
      const { status, body } = await edit(result, { page: id, document: { document: JSON.parse(json) as object } });
      expect([to, status, body]).toEqual([to, 200, body]);
    }
    expect((await segments(at, { state: 'reviewed' })).map(({ target }) => target)).toEqual(
      changes.map(([, to]) => to),
    );
    await settle();
    for (const [, to] of changes) expect(await markdown(result, 'links')).toContain(to);
    const now = await markdown(result, 'links');
    const [line] = /.*example.com.*/.exec(now) ?? [''];
    const said = '[Dos](https://example.com/2) y [uno](https://example.com/1).';
    expect([text, line]).toEqual([text, expect.stringContaining('example.com/1')]);
    const answer = await edit(result, { page: id, document: { markdown: now.replace(line, said) } });
    expect([answer.status, answer.body]).toEqual([200, answer.body]);
    await settle();
    expect(await markdown(result, 'links')).toContain(said);
    const other = (await markdown(result, 'links')).replace('[uno]', '[una]');
    expect((await edit(result, { page: id, document: { markdown: other } })).status).toBe(200);
    await settle();
    expect(await markdown(result, 'links')).toContain('[Dos](https://example.com/2) y [una](https://example.com/1).');
    const moved = other.replace('example.com/1', 'example.com/3');
    expect(await edit(result, { page: id, document: { markdown: moved } })).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('structure') } },
    });
  });

  it('change one text where another is not as its source', async () => {
    const { at, space, result } = await open();
    const line = await segmentOf(at, 'Come back soon.');
    const refused = await correct(at, line, { target: 'Visite www.acme.es' });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('address')]);
    // As engines may have said, or people before that was refused.
    engine.answer = (segment, job) =>
      segment[0] === 'Something new.' ? ['Visite www.acme.es ahora'] : inOrder(segment, job);
    await write(space, {
      operation: 'update_page',
      page: (await pageIds(space)).get('home'),
      document: { markdown: `Something new.\n\n${HOME}` },
    });
    await settle();
    const { id, document } = await pageAt(result, 'home');
    expect(JSON.stringify(document)).toContain('www.acme.es');
    const written = JSON.parse(JSON.stringify(document).replace('Comeix backix soonix.', 'Vuelva pronto.')) as object;
    expect((await edit(result, { page: id, document: { document: written } })).status).toBe(200);
    expect((await segments(at, { state: 'reviewed', pageId: id })).map(({ source }) => source)).toEqual([
      'Come back soon.',
    ]);
    const address = (await markdown(result, 'home')).replace('Vuelva pronto.', 'Vuelva a https://example.com/es.');
    expect(await edit(result, { page: id, document: { markdown: address } })).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('address') } },
    });
  });

  it('of many pages at once are read in a few statements', async () => {
    const statements = async (count: number): Promise<number> => {
      const { at, result } = await translated(
        ...Array.from({ length: count }, (_, index) =>
          newPage(`Page-${index}`, `Come back soon.\n\nText number ${index}`),
        ),
      );
      await api.patch(`/spaces/${result}`, { editMode: 'live' });
      const pages = await pageIds(result);
      const changes = await Promise.all(
        [...pages].map(async ([slug, page]) => ({
          ...{ operation: 'update_page', page },
          document: { markdown: (await markdown(result, slug)).replace('Textix numberix', 'Texto número') },
        })),
      );
      const { database } = app.current;
      const [edits, offered] = [app.current.get(EditedTranslations), app.current.get(SegmentRecords)];
      let asked = 0;
      const counted = [edits, offered, app.current.get(Corrections), app.current.get(ContentStore)] as unknown as {
        database: object;
      }[];
      const counting = new Proxy(database, {
        get: (target, name) => {
          if (name === 'query' || name === 'one' || name === 'execute') asked++;
          const found: unknown = Reflect.get(target, name);
          return typeof found === 'function' ? (found.bind(target) as unknown) : found;
        },
      });
      counted.forEach((each) => (each.database = counting));
      const accept = edits.accept.bind(edits);
      let during = 0;
      edits.accept = async (...given) => {
        const from = asked;
        const items = await accept(...given);
        during = asked - from;
        return items;
      };
      try {
        const { status, body } = await api.post(`/spaces/${result}/content`, { changes });
        expect([status, body]).toEqual([200, body]);
      } finally {
        counted.forEach((each) => (each.database = database));
        edits.accept = accept;
      }
      expect(await segments(at, { state: 'reviewed' })).toHaveLength(count);
      return during;
    };
    const few = await statements(2);
    expect(few).toBeGreaterThan(5);
    expect(await statements(45)).toBe(few);
  });

  it('are reviewed in a change request where the space is locked', async () => {
    const { at, result } = await translated(newPage('Home', HOME));
    const { id, document } = await pageAt(result, 'home');
    const written = JSON.parse(JSON.stringify(document).replace('Comeix backix soonix.', 'Vuelva pronto.')) as object;
    expect((await edit(result, { page: id, document: { document: written } })).status).toBe(409);
    const request = `/spaces/${result}/change-requests/${
      (await api.post<{ id: string }>(`/spaces/${result}/change-requests`, { subject: 'Better' })).body.id
    }`;
    expect((await edit(result, { page: id, document: { document: written } }, `${request}/content`)).status).toBe(200);
    expect(await segments(at, { state: 'reviewed' })).toEqual([]);
    expect(await api.post(`${request}/merge`)).toMatchObject({ status: 200, body: { result: 'merge' } });
    expect(await segments(at, { state: 'reviewed' })).toMatchObject([{ target: 'Vuelva pronto.' }]);
    await settle();
    expect(await markdown(result, 'home')).toContain('Vuelva pronto.');
  });

  it('change words, and nothing else', async () => {
    const { at, result } = await open();
    const { id } = await pageAt(result, 'steps');
    const text = await markdown(result, 'steps');
    const before = await segments(at);
    const refused: [object, string][] = [
      [{ document: { markdown: `${text}\n\nOtra línea.` } }, 'structure'],
      [{ document: { markdown: text.replace('`kettle on`', '`kettle off`') } }, 'structure'],
      [{ document: { markdown: text.replace('\nkettle on', '\nkettle off') } }, 'structure'],
      [{ document: { markdown: text.replace('https://example.com/', 'https://example.org/') } }, 'structure'],
      [{ document: { markdown: text.replace(/\*\*/g, '') } }, 'each tag'],
      [{ document: { markdown: '' } }, 'structure'],
      [{ slug: 'pasos' }, 'settings'],
      [{ hidden: true }, 'settings'],
      [{ description: 'Nuevo' }, 'settings'],
    ];
    for (const [change, message] of refused)
      expect([change, await edit(result, { page: id, ...change })]).toMatchObject([
        change,
        { status: 409, body: { error: { message: expect.stringContaining(message) } } },
      ]);
    const removed = await api.post<{ error: { message: string } }>(`/spaces/${result}/content`, {
      changes: [{ operation: 'delete_page', page: id }],
    });
    expect([removed.status, removed.body.error.message]).toEqual([409, expect.stringContaining('come or go')]);
    expect(await markdown(result, 'steps')).toBe(text);
    expect(await segments(at)).toEqual(before);
  });

  it('are kept and offered where a run is at work, or has failed, with another source', async () => {
    const { at, space, result } = await open();
    const home = (await pageIds(space)).get('home');
    const { id, document } = await pageAt(result, 'home');
    const say = (target: string): object =>
      JSON.parse(JSON.stringify(document).replace('Comeix backix soonix.', target)) as object;
    // The run has stored the segments of the new source, and fails before it is published.
    await write(space, {
      operation: 'update_page',
      page: home,
      document: { markdown: HOME.replace('Come back soon.', 'Come back very soon.') },
    });
    const { staging } = app.current.get(TranslationPublisher) as unknown as { staging: { claim: unknown } };
    const claim = staging.claim;
    let edits = 0;
    staging.claim = () => {
      staging.claim = claim;
      edits++;
      return Promise.reject(new DomainError('unavailable', 'Not now'));
    };
    await settle();
    expect(edits).toBe(1);
    expect((await segments(at, { pageId: id })).map(({ source }) => source)).toContain('Come back very soon.');
    expect((await edit(result, { page: id, document: { document: say('Vuelva pronto.') } })).status).toBe(200);
    const offered = [
      { source: 'Come back very soon.', match: { source: 'Come back soon.', target: 'Vuelva pronto.' } },
    ];
    expect(await segments(at, { state: 'outdated', pageId: id })).toMatchObject(offered);
    await settle();
    expect(await markdown(result, 'home')).toContain('Vuelva pronto.');
    expect((await api.post(`${at}/run`)).status).toBe(204);
    await settle();
    expect(await markdown(result, 'home')).toContain('Comeix backix veryix soonix.');
    expect(await segments(at, { state: 'outdated', pageId: id })).toMatchObject(offered);
  });

  it('do not stop a run that is at work, and one text is said in one way', async () => {
    const { space, result } = await open();
    const { id, document } = await pageAt(result, 'home');
    const written = JSON.parse(JSON.stringify(document).replace('Comeix backix soonix.', 'Vuelva pronto.')) as object;
    let asked = 0;
    engine.before = async () => {
      if (asked++ > 0) return;
      expect((await edit(result, { page: id, document: { document: written } })).status).toBe(200);
    };
    await write(space, newPage('More', 'Something new.'));
    await settle();
    expect(asked).toBe(1);
    expect(await markdown(result, 'more')).toContain('Somethingix newix.');
    expect(await markdown(result, 'home')).toContain('Vuelva pronto.');
    await write(space, newPage('Twice', 'Say it.\n\nSay it.'));
    await settle();
    const twice = await pageAt(result, 'twice');
    const said = JSON.stringify(twice.document).replace('Sayix itix.', 'Dígalo.').replace('Sayix itix.', 'Diga eso.');
    const both = await edit(result, { page: twice.id, document: { document: JSON.parse(said) as object } });
    expect(both).toMatchObject({ status: 409, body: { error: { message: expect.stringContaining('“Say it.”') } } });
  });

  it('are read against the source as it was translated', async () => {
    const { at, space, result } = await open();
    const home = (await pageIds(space)).get('home');
    await write(space, { operation: 'update_page', page: home, document: { markdown: `New.\n\n${HOME}` } });
    const { id, document } = await pageAt(result, 'home');
    const written = JSON.parse(JSON.stringify(document).replace('Comeix backix soonix.', 'Vuelva pronto.')) as object;
    expect((await edit(result, { page: id, document: { document: written } })).status).toBe(200);
    await settle();
    expect(await markdown(result, 'home')).toMatch(/Newix\.[^]*Vuelva pronto\./);
    expect((await segments(at, { state: 'reviewed', pageId: id })).map(({ source }) => source)).toEqual([
      'Come back soon.',
    ]);
  });
});

describe('texts with tags', () => {
  const piece = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', ' ', '<', '>', '&', 'lt;', '<pc id="1">', '</pc>', '😀', '"', '/') }),
    fc.integer({ min: 1, max: 9 }).map((opaque) => ({ opaque })),
  );
  const nested = fc
    .array(piece)
    .chain((inside) =>
      fc
        .array(piece)
        .map((around): Segment => [...around, { open: 1 }, ...inside, { open: 22 }, 'x', { close: 22 }, { close: 1 }]),
    );

  it('read back as the same segment, whatever the words are', () => {
    fc.assert(
      fc.property(nested, (pieces) => {
        const segment = mergeAdjacentTexts(pieces);
        expect(segmentOfTagged(taggedSegment(segment))).toEqual(segment);
      }),
    );
    expect(segmentOfTagged('a < b <b>c</b> &nbsp; &amp;lt;')).toEqual(['a < b <b>c</b> &nbsp; &lt;']);
    expect(segmentOfTagged('<pc id="1">a')).toBeUndefined();
  });

  it('are compared in bounded time, however many and long they are', () => {
    const words = (count: number, seed: number) =>
      Array.from({ length: count }, (_, index) => `w${(index * (seed % 7 === 0 ? 3 : 1) + seed) % 977}`).join(' ');
    const former = Array.from({ length: 45 }, (_, position) => ({
      ...{ source: [words(1500, position)], target: ['x'], position },
    }));
    const fresh = former.map(({ position }) => ({ segment: [words(1500, position + 300)], position }));
    const begin = performance.now();
    expect(changedSegments({ former, fresh }).length).toBeGreaterThan(40);
    expect(performance.now() - begin).toBeLessThan(10_000);
  });

  it('are paired with the text that they became', () => {
    const placed = (texts: readonly string[]) => texts.map((text, position) => ({ segment: [text], position }));
    const former = placed(['Press the red button twice.', 'Wait for ten seconds.', 'Nothing alike.']);
    const fresh = placed(['A new line.', 'Wait for twenty seconds.', 'Press the green button twice.', 'ボタンを押す']);
    expect(fuzzyMatches(former, fresh).map(({ former: a, fresh: b }) => [a, b])).toEqual([
      [0, 2],
      [1, 1],
    ]);
    const emoji: SegmentPiece[] = ['😀😁 one'];
    expect(segmentDiff(emoji, ['😀😂 one']).every(({ text }) => !/\p{Cs}/u.test(text))).toBe(true);
  });
});
