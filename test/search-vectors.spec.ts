import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isPlainLanguage } from '../src/authoring/search/domain/plain-language.js';
import { parseQuery } from '../src/authoring/search/domain/search-terms.js';
import { PageEmbeddings } from '../src/authoring/search/page-embeddings.service.js';
import { ScopedSearch, type SearchScope } from '../src/authoring/search/scoped-search.service.js';
import { Database } from '../src/kernel/common/database.js';
import { fold } from '../src/kernel/platform/sentence-vectors/domain/fold.js';
import { fromCentre, meanDirection, sketchOf } from '../src/kernel/platform/sentence-vectors/domain/sketch.js';
import { SentenceVectors } from '../src/kernel/platform/sentence-vectors/sentence-vectors.js';
import { TestApp, useApp } from './app.js';
import { buildOrganization } from './build.js';
import type { Client } from './client.js';

/** An embeddings interface for which texts are near if they are about the same of a few subjects. */
class FakeEmbeddings {
  asked: string[] = [];
  status = 200;
  url = '';
  private server: Server | undefined;
  private static readonly subjects = [/ferment|sourdough|bread/i, /quokka|marsupial|wombat/i, /invoice|billing/i];

  async start(): Promise<void> {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] };
        this.asked.push(...input);
        response.statusCode = this.status;
        const data = input.map((text, index) => ({ index, embedding: FakeEmbeddings.vectorOf(text) }));
        response.end(JSON.stringify({ data }));
      });
    });
    await new Promise<void>((resolve) => this.server?.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server?.close(() => resolve()));
  }

  /** Each subject has numbers of its own that are large where the text is about it, and small where it is not. */
  private static vectorOf(text: string): number[] {
    return FakeEmbeddings.subjects.flatMap((subject) =>
      Array.from({ length: 16 }, (_, place) => (subject.test(text) ? 1 : -0.1) * (place % 2 === 0 ? 1 : -1)),
    );
  }
}

interface Hits {
  readonly items: readonly { readonly title: string; readonly sections: readonly { readonly title: string }[] }[];
}

const service = new FakeEmbeddings();
beforeAll(() => service.start());
afterAll(() => service.stop());

describe('search by meaning, with a service', () => {
  let app: TestApp;
  let api: Client;
  let organization = '';

  const space = async (pages: Readonly<Record<string, string>>): Promise<string> => {
    const { id } = (
      await api.post<{ id: string }>(`/orgs/${organization}/spaces`, {
        title: 'Kitchen',
        empty: true,
        editMode: 'live',
      })
    ).body;
    for (const [title, markdown] of Object.entries(pages))
      await api.post(`/spaces/${id}/content`, { changes: [insertion(title, markdown)] });
    return id;
  };
  const insertion = (title: string, markdown: string) => ({
    operation: 'insert_page',
    title,
    document: { markdown },
  });
  const settle = async (): Promise<void> => {
    while ((await app.get(PageEmbeddings).update()) > 0);
  };
  const found = async (spaceId: string, query: string): Promise<string[]> =>
    (await api.get<Hits>(`/spaces/${spaceId}/search?query=${encodeURIComponent(query)}`)).body.items.map(
      ({ title }) => title,
    );
  afterAll(() => app.close());
  beforeAll(async () => {
    app = await TestApp.start({
      SEARCH_VECTORS: 'service',
      EMBEDDINGS_URL: service.url,
      EMBEDDINGS_MODEL: 'subjects',
      EMBEDDINGS_API_KEY: 'of-the-service',
    });
    const workspace = await buildOrganization(app);
    api = workspace.admin.api;
    organization = workspace.id;
  });

  it('finds pages that mean the same in other words, behind those with the words, and shows the section that does', async () => {
    const id = await space({
      Steps: 'Earlier and later ones.',
      Marsupials: 'Intro.\n\n## Wombat care\n\nThey dig.',
      Payments: '## Invoice\n\nNumbers.',
    });
    expect(await found(id, 'quokka earlier steps')).toEqual(['Steps']);
    await settle();
    expect(await found(id, 'quokka earlier steps')).toEqual(['Steps', 'Marsupials', 'Payments']);
    const { items } = (await api.get<Hits>(`/spaces/${id}/search?query=quokka%20earlier%20steps`)).body;
    expect(items[1]?.sections.map(({ title }) => title)).toEqual(['Wombat care']);
    // Pages of the organization and of answers go by the same ranking.
    const { items: spaces } = (
      await api.get<{ items: readonly { pages: Hits['items'] }[] }>(
        `/orgs/${organization}/search?query=quokka%20earlier%20steps`,
      )
    ).body;
    expect(spaces[0]?.pages.map(({ title }) => title)).toEqual(['Steps', 'Marsupials', 'Payments']);
  });

  it('raises those with the words that also mean the same', async () => {
    const id = await space({
      'Daily bread': 'The oven needs attention.',
      'Daily oven': 'The oven needs attention.',
      'Other oven': 'Daily.',
    });
    const before = await found(id, 'daily oven fermentation');
    await settle();
    expect(before.indexOf('Daily bread')).toBeGreaterThan(0);
    expect((await found(id, 'daily oven fermentation')).indexOf('Daily bread')).toBeLessThan(3);
    expect(await found(id, 'nothing whatsoever')).toEqual([]);
  });

  it('follows changes of titles, texts, languages and removals, and makes nothing twice', async () => {
    const id = await space({ Steps: 'Earlier and later ones.', Saga: 'Handlers run.' });
    await settle();
    const pages = (await api.get<{ pages: { id: string; title: string }[] }>(`/spaces/${id}/content/pages`)).body.pages;
    const saga = pages.find(({ title }) => title === 'Saga')?.id;
    const database = app.get(Database);
    const rows = () =>
      database.query('SELECT page_id, source, sketch::text, model FROM page_embedding WHERE space_id = $1', [id]);
    expect(await rows()).toHaveLength(2);

    service.asked = [];
    await api.post(`/spaces/${id}/content`, { changes: [{ operation: 'update_page', page: saga, title: 'Wombats' }] });
    await settle();
    expect(service.asked).toEqual(['Wombats. Handlers run.']);
    service.asked = [];
    await api.post(`/spaces/${id}/content`, { changes: [{ operation: 'update_page', page: saga, emoji: '1f600' }] });
    await settle();
    expect(service.asked).toEqual([]);
    await api.post(`/spaces/${id}/content`, { changes: [{ operation: 'delete_page', page: saga }] });
    await settle();
    expect(await rows()).toHaveLength(1);
    await api.delete(`/spaces/${id}`);
  });

  it('lets spaces take turns', async () => {
    const large = await space(Object.fromEntries(Array.from({ length: 45 }, (_, at) => [`Page ${at}`, 'Text.'])));
    const small = await space({ Steps: 'Earlier and later ones.' });
    const left = async (): Promise<string[]> =>
      (await app.get(Database).query<{ space_id: string }>('SELECT space_id FROM page_embedding_due')).map(
        (row) => row.space_id,
      );
    await app.get(PageEmbeddings).update();
    await app.get(PageEmbeddings).update();
    await app.get(PageEmbeddings).update();
    expect((await left()).filter((id) => id === small)).toEqual([]);
    expect((await left()).filter((id) => id === large).length).toBeGreaterThan(0);
    await settle();
    expect(await left()).toEqual([]);
  });

  it('keeps a page due that changes while its vectors are made', async () => {
    const id = await space({ Steps: 'Earlier and later ones.' });
    const database = app.get(Database);
    const vectors = app.get(SentenceVectors);
    const of = vectors.of.bind(vectors);
    vectors.of = async (...given) => {
      vectors.of = of;
      await database.execute('UPDATE page_current SET hash = hash WHERE space_id = $1', [id]);
      return of(...given);
    };
    expect(await app.get(PageEmbeddings).update()).toBe(0);
    expect(await database.query('SELECT page_id FROM page_embedding_due WHERE space_id = $1', [id])).toHaveLength(1);
    await settle();
  });

  it('shows readers of a site no page by its meaning that they do not see, or see in another form', async () => {
    const id = await space({ Steps: 'Earlier and later ones.', Marsupials: '## Wombat care\n\nThey dig.' });
    await settle();
    const pages = (await api.get<{ pages: { id: string; title: string }[] }>(`/spaces/${id}/content/pages`)).body.pages;
    const page = { space: id, page: pages.find(({ title }) => title === 'Marsupials')?.id ?? '' };
    const seen = async (limits: Partial<SearchScope>): Promise<string[]> => {
      const scope = { organizationId: organization, spaces: [id], hidden: [], rewritten: [], chosen: [], view: 'all' };
      const { items } = await app.get(ScopedSearch).search({ ...scope, ...limits }, 'quokka and earlier steps', {});
      return items.flatMap((hit) => hit.pages.map(({ title }) => title));
    };
    expect(await seen({})).toEqual(['Steps', 'Marsupials']);
    expect(await seen({ hidden: [page], view: 'hidden' })).toEqual(['Steps']);
    expect(await seen({ rewritten: [{ ...page, sections: [] }], view: 'rewritten' })).toEqual(['Steps']);
  });

  it('does not find by meaning what search must not find', async () => {
    const id = await space({ Steps: 'Earlier and later ones.' });
    await api.post(`/spaces/${id}/content`, {
      changes: [{ ...insertion('Marsupials', 'They dig.'), noIndex: true }],
    });
    await settle();
    expect(await found(id, 'quokka and earlier steps')).toEqual(['Steps']);
  });

  it('keeps pages due while the service fails, and searches by words', async () => {
    const id = await space({ Steps: 'Earlier and later ones.', Marsupials: 'They dig.' });
    service.status = 500;
    expect(await app.get(PageEmbeddings).update()).toBe(0);
    expect(await found(id, 'quokka and earlier steps')).toEqual(['Steps']);
    service.status = 200;
    await settle();
    const database = app.get(Database);
    expect(await database.query('SELECT page_id FROM page_embedding_due')).toEqual([]);
  });
});

describe('search by meaning, with the built-in model', () => {
  const app = useApp({ SEARCH_VECTORS: 'model' });

  it('finds synonyms in English, and leaves pages in other languages to their words', async () => {
    const { admin, id: organization } = await buildOrganization(app.current);
    const { api } = admin;
    const make = async (language: string | undefined): Promise<string> => {
      const { id } = (
        await api.post<{ id: string }>(`/orgs/${organization}/spaces`, {
          title: 'Shop',
          empty: true,
          editMode: 'live',
          ...(language !== undefined && { language }),
        })
      ).body;
      const page = (title: string, markdown: string) => ({
        operation: 'insert_page',
        title,
        document: { markdown },
      });
      const changes = [
        page('Automobile insurance', 'Policies.'),
        page('Buying apples', 'How to choose fruit that is cheap.'),
        page('Cheap flights', 'Airports.'),
      ];
      await api.post(`/spaces/${id}/content`, { changes });
      return id;
    };
    const [english, german] = [await make(undefined), await make('de')];
    const embeddings = app.current.get(PageEmbeddings);
    while ((await embeddings.update()) > 0);
    const query = 'cheap protection for my car';
    // The first search may not have waited for the meaning of its query.
    await app.current.get(SentenceVectors).of('model', [query]);
    const titles = async (id: string): Promise<string[]> => {
      await api.get(`/spaces/${id}/search?query=${encodeURIComponent(query)}`);
      const { items } = (await api.get<Hits>(`/spaces/${id}/search?query=${encodeURIComponent(query)}`)).body;
      return items.map(({ title }) => title);
    };
    expect(await titles(english)).toContain('Automobile insurance');
    expect(await titles(german)).not.toContain('Automobile insurance');
  }, 60_000);
});

describe('vectors', () => {
  it('are centred, have a bit for each number, and are folded if they are long', () => {
    const centre = meanDirection([
      [3, 0],
      [0, 2],
    ]);
    expect([...centre]).toEqual([0.5, 0.5]);
    expect([...fromCentre([0, 5], centre)]).toEqual([-0.5, 0.5]);
    expect(sketchOf(fromCentre([0, 5], centre))).toBe('01');
    expect([...fromCentre([0, 0], centre)]).toEqual([-0.5, -0.5]);
    const long = Float32Array.from({ length: 4_000 }, (_, place) => Math.sin(place));
    expect(fold(long, 1_024)).toHaveLength(1_024);
    expect(fold(long.subarray(0, 5), 1_024)).toEqual(long.subarray(0, 5));
    const [norm, folded] = [long, fold(long, 1_024)].map((each) => Math.hypot(...each));
    expect((folded ?? 0) / (norm ?? 1)).toBeCloseTo(1, 0);
  });

  it.each([
    ['quokka earlier steps', true],
    ['how do I undo this?', true],
    ['undo', false],
    ['"undo this" now', false],
    ['undo -steps', false],
    ['recordTransformer filter', false],
    ['max_connections limit', false],
    ['version 2 changes', false],
    ['変更 申請', true],
  ])('apply to plain language: %s', (query, applies) => {
    expect(isPlainLanguage(query, parseQuery(query))).toBe(applies);
  });
});
