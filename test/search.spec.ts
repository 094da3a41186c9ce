import { describe, expect, it } from '@jest/globals';
import { LANGUAGES } from '../src/common/languages.js';
import { DocumentStore } from '../src/content/document-store.js';
import { EXCERPT_LENGTH, excerptOf } from '../src/search/domain/excerpt.js';
import { plainWords, searchWords } from '../src/search/domain/search-words.js';
import { useApp } from './app.js';
import { buildOrganization, type Person } from './build.js';

const app = useApp();

interface Hit {
  id: string;
  title: string;
  path: string;
  sections: { id: string; title: string; path: string; body: string; urls: { app: string } }[];
  ancestors: { title: string }[];
  urls: { app: string };
}
interface List {
  items: Hit[];
  count: number;
  next?: { page: string };
}

async function space(language?: string) {
  const org = await buildOrganization(app.current);
  const { body } = await org.admin.api.post<{ id: string }>(`/orgs/${org.id}/spaces`, { title: 'Docs', empty: true, editMode: 'live', ...(language && { language }) });
  return { org, admin: org.admin, id: body.id, url: `/spaces/${body.id}` };
}

async function write(person: Person, url: string, ...changes: object[]): Promise<string[]> {
  const { status, body } = await person.api.post<{ changes: { page: { id: string } | string }[] }>(`${url}/content`, { changes });
  expect([status, body]).toEqual([200, body]);
  return body.changes.map(({ page }) => (typeof page === 'string' ? page : page.id));
}

const insert = (title: string, markdown: string, more: object = {}) => ({ operation: 'insert_page', title, document: { markdown }, ...more });

async function search(person: Person, url: string, query: string, more: Record<string, string | number> = {}): Promise<List> {
  const { status, body } = await person.api.get<List>(`${url}/search`, { query: { query, ...more } });
  expect([status, body]).toEqual([200, body]);
  return body;
}
const titles = async (person: Person, url: string, query: string) => (await search(person, url, query)).items.map(({ title }) => title);

describe('search in a space', () => {
  it('finds pages with the sections that match, their ancestors and an excerpt', async () => {
    const { admin, url } = await space();
    const long = `${'Before that there is much to say. '.repeat(30)}Then the zeppelin lands. ${'After that there is more. '.repeat(30)}`;
    const [guide, page] = await write(admin, url, insert('Guides', 'Start here', { ref: 'guides' }), insert('Airships', `Intro about flight\n\n## Landing\n\n${long}\n\n### Mooring\n\nA zeppelin is moored`, { into: 'guides' }));
    const { items, count } = await search(admin, url, 'zeppelin');
    expect(count).toBe(1);
    const [hit] = items;
    expect(hit).toMatchObject({ id: page, title: 'Airships', path: 'guides/airships', ancestors: [{ title: 'Guides' }] });
    expect(hit?.sections.map(({ id, title, path }) => [id, title, path]).sort()).toEqual([['landing', 'Landing', 'guides/airships#landing'], ['mooring', 'Mooring', 'guides/airships#mooring']]);
    const landing = hit?.sections.find(({ id }) => id === 'landing');
    expect(landing?.body).toContain('the zeppelin lands');
    expect(landing?.body.length).toBeLessThan(EXCERPT_LENGTH + 20);
    const intro = await search(admin, url, 'flight');
    expect(intro.items[0]?.sections).toMatchObject([{ id: page, title: 'Airships', path: 'guides/airships', body: 'Intro about flight' }]);
    expect((await search(admin, url, 'Guides')).items[0]).toMatchObject({ id: guide, sections: [{ body: 'Start here' }] });
  });

  it('ranks titles above headings above text, and takes the last word as a prefix', async () => {
    const { admin, url } = await space();
    await write(admin, url, insert('One', 'Configuration in the text, configuration again, configuration'), insert('Two', 'x\n\n## Configuration\n\ny'), insert('Configuration', 'z'));
    for (const query of ['configuration', 'Configurations', 'config', 'configurati']) expect(await titles(admin, url, query)).toEqual(['Configuration', 'Two', 'One']);
    expect(await titles(admin, url, 'config text')).toEqual([]);
    expect(await titles(admin, url, 'configuration tex')).toEqual(['One']);
  });

  it('reads phrases, or and minus, and survives whatever is typed', async () => {
    const { admin, url } = await space();
    await write(admin, url, insert('Red', 'a quick red fox'), insert('Blue', 'a quick blue whale'), insert('Grey', 'a red and quick wolf'));
    expect((await titles(admin, url, '"quick red"')).sort()).toEqual(['Red']);
    expect((await titles(admin, url, 'fox or whale')).sort()).toEqual(['Blue', 'Red']);
    expect((await titles(admin, url, 'quick -red')).sort()).toEqual(['Blue']);
    expect(await titles(admin, url, 'the')).toEqual([]);
    for (const query of [`'`, `":*`, '&|!', ':*', '((', `a' | b`, '\\', '%', 'x'.repeat(512), '-', '"', '~', '🚀', '<->', 'fox:*', '文档', 'or', 'or or', '- -']) expect((await search(admin, url, query)).count).toBeLessThanOrEqual(3);
    for (const query of ['', ' ', 'x'.repeat(513)]) expect((await admin.api.get(`${url}/search`, { query: { query } })).status).toBe(400);
    expect((await admin.api.get(`${url}/search`)).status).toBe(400);
  });

  it('is true to the last write: edits, deletes, moves back and merges', async () => {
    const { admin, url } = await space();
    const [page] = await write(admin, url, insert('Page', 'first version'));
    expect(await titles(admin, url, 'first')).toEqual(['Page']);
    await write(admin, url, { operation: 'update_page', page, document: { markdown: 'second version' } });
    expect([await titles(admin, url, 'first'), await titles(admin, url, 'second')]).toEqual([[], ['Page']]);
    const request = (await admin.api.post<{ id: string }>(`${url}/change-requests`, { subject: 'x' })).body.id;
    await admin.api.post(`${url}/change-requests/${request}/content`, { changes: [{ operation: 'update_page', page, title: 'Renamed', document: { markdown: 'third version' } }] });
    expect([await titles(admin, url, 'third'), await titles(admin, url, 'renamed')]).toEqual([[], []]);
    await admin.api.post(`${url}/change-requests/${request}/merge`);
    expect([await titles(admin, url, 'third'), await titles(admin, url, 'renamed'), await titles(admin, url, 'second')]).toEqual([['Renamed'], ['Renamed'], []]);
    await app.current.get(DocumentStore).forgetSuperseded(new Date(Date.now() + 1000), 1000);
    await write(admin, url, { operation: 'update_page', page, document: { markdown: 'first version' } });
    expect(await titles(admin, url, 'first')).toEqual(['Renamed']);
    await write(admin, url, { operation: 'delete_page', page });
    expect([await titles(admin, url, 'first'), await titles(admin, url, 'renamed')]).toEqual([[], []]);
  });

  it('drops old versions from the index in the background, and keeps current ones', async () => {
    const { admin, url, id } = await space();
    const [page] = await write(admin, url, insert('Page', 'word zero'), insert('Same', 'word zero'));
    for (let version = 1; version <= 5; version++) await write(admin, url, { operation: 'update_page', page, document: { markdown: `word ${version}` } });
    const indexed = async () => (await app.current.database.query<{ count: number }>('SELECT count(*)::int AS count FROM document_section WHERE space_id = $1 AND vector IS NOT NULL', [id]))[0]?.count;
    const before = (await indexed()) ?? 0;
    const documents = app.current.get(DocumentStore);
    while ((await documents.forgetSuperseded(new Date(Date.now() + 1000), 2)) > 0);
    expect(await indexed()).toBeLessThan(before);
    expect((await titles(admin, url, 'word')).sort()).toEqual(['Page', 'Same']);
    expect(await titles(admin, url, '3')).toEqual([]);
    expect(await titles(admin, url, '5')).toEqual(['Page']);
  });

  it('indexes an edited page as it would a new one, whatever it takes over from before', async () => {
    const { admin, url, id } = await space();
    const [page] = await write(admin, url, insert('Page', 'Running first\n\n## Kept words\n\nThe keepers kept them\n\n## Other\n\nSome more'));
    await write(admin, url, { operation: 'update_page', page, document: { markdown: 'Walked first\n\n## Kept words\n\nThe keepers kept them\n\n## Others\n\nSome more' } });
    const vectors = await app.current.database.query<{ title: string; same: boolean }>(
      `SELECT s.title, s.vector = search_vector(s.space_id, search_config('en'), s.title || ' ' || s.body) AND s.heading_vector = search_vector(s.space_id, search_config('en'), s.title) AS same
         FROM document_section s WHERE s.space_id = $1 ORDER BY s.title COLLATE "C"`,
      [id],
    );
    expect(vectors.map(({ title, same }) => [title, same])).toEqual([['', true], ['', true], ['Kept words', true], ['Kept words', true], ['Other', true], ['Others', true]]);
    expect([await titles(admin, url, 'running'), await titles(admin, url, 'walking'), await titles(admin, url, '"keeper"')]).toEqual([[], ['Page'], ['Page']]);
  });

  it('stems words by the language of the space, also after that has changed', async () => {
    const { admin, url } = await space('de');
    await write(admin, url, insert('Häuser', 'Die Kinder spielten mit Bällen'));
    expect(await titles(admin, url, 'Haus spielt')).toEqual([]);
    expect(await titles(admin, url, 'Kindern "Ball"')).toEqual(['Häuser']);
    const english = await space();
    await write(admin, url, insert('Running', 'The runners are running'));
    expect(await titles(admin, url, '"runner" "run"')).toEqual([]);
    await admin.api.patch(url, { language: 'en' });
    expect(await titles(admin, url, '"runner" "run"')).toEqual(['Running']);
    expect(await titles(english.admin, english.url, 'running')).toEqual([]);
    const configurations = await app.current.database.query<{ language: string; config: string }>(`SELECT language, search_config(language)::text AS config FROM unnest($1::text[]) AS language`, [Object.keys(LANGUAGES)]);
    expect(Object.fromEntries(configurations.map(({ language, config }) => [language, config]))).toEqual(LANGUAGES);
  });

  it('stays within the space and answers only those who can see it', async () => {
    const [one, two] = [await space(), await space()];
    await write(one.admin, one.url, insert('Mine', 'secret word'));
    await write(two.admin, two.url, insert('Yours', 'secret word'));
    expect(await titles(one.admin, one.url, 'secret')).toEqual(['Mine']);
    expect((await two.admin.api.get(`${one.url}/search`, { query: { query: 'secret' } })).status).toBe(404);
    const guest = await one.org.member('none');
    expect((await guest.api.get(`${one.url}/search`, { query: { query: 'secret' } })).status).toBe(404);
    const reader = await one.org.member('read');
    expect(await titles(reader, one.url, 'secret')).toEqual(['Mine']);
  });

  it('pages through the hits without repeating one', async () => {
    const { admin, url } = await space();
    await write(admin, url, ...Array.from({ length: 7 }, (_, at) => insert(`Page ${at}`, 'common word')));
    const seen: string[] = [];
    let next: string | undefined;
    do {
      const list: List = await search(admin, url, 'common', { limit: 3, ...(next !== undefined && { page: next }) });
      expect(list.count).toBe(7);
      seen.push(...list.items.map(({ id }) => id));
      next = list.next?.page;
    } while (next !== undefined);
    expect([seen.length, new Set(seen).size]).toEqual([7, 7]);
  });
});

describe('the rules of search', () => {
  it.each([
    ['install', { complete: '', prefix: 'install' }],
    ['how to inst', { complete: 'how to ', prefix: 'inst' }],
    ['a', { complete: 'a', prefix: undefined }],
    ['"open phrase', { complete: '"open phrase', prefix: undefined }],
    ['"a phrase" mo', { complete: '"a phrase" ', prefix: 'mo' }],
    ['cats -dogs', { complete: 'cats -dogs', prefix: undefined }],
    ['cats or dogs', { complete: 'cats or dogs', prefix: undefined }],
    ['self-hosted', { complete: 'self-', prefix: 'hosted' }],
  ])('split %s', (query, expected) => {
    expect(searchWords(query)).toEqual(expected);
  });

  it('find the plain words', () => {
    expect(plainWords('Cats or "big dogs" -mice, cats')).toEqual(['cats', 'big', 'dogs']);
  });

  it('cut excerpts around the words, between words, and never within a character', () => {
    const text = `${'lorem ipsum '.repeat(50)}the needle ${'dolor sit '.repeat(50)}`;
    expect(excerptOf(text, ['needles'])).toMatch(/^….*the needle.*…$/);
    expect(excerptOf(text, ['absent'])).toMatch(/^lorem.*…$/);
    expect(excerptOf('short  \n text', ['x'])).toBe('short text');
    expect(excerptOf('🚀'.repeat(400), ['x'])).not.toMatch(/\p{Surrogate}/u);
  });
});
