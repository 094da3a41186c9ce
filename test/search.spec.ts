import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { LANGUAGES, type LanguageCode } from '../src/kernel/common/languages.js';
import { DocumentStore, type NewDocument } from '../src/authoring/content/document-store.js';
import { compoundSplits } from '../src/authoring/search/domain/compound-words.js';
import { editDistance, resemblingPatterns } from '../src/authoring/search/domain/edit-distance.js';
import { EXCERPT_LENGTH, excerptOf } from '../src/authoring/search/domain/excerpt.js';
import { parseQuery, rankedTerms, wordsToShow } from '../src/authoring/search/domain/search-terms.js';
import { Vocabulary } from '../src/authoring/search/vocabulary.js';
import { synonymsOf } from '../src/authoring/search/domain/synonyms.js';
import { TestApp, useApp } from './app.js';
import { buildOrganization, type Person } from './build.js';
import { Client } from './client.js';
import { chanceOf } from './faults/chance.js';
import { sessionWaits } from './session-waits.js';
import { findImpossible } from './faults/kill-checks.js';

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
  const { body } = await org.admin.api.post<{ id: string }>(`/orgs/${org.id}/spaces`, {
    title: 'Docs',
    empty: true,
    editMode: 'live',
    ...(language && { language }),
  });
  return { org, admin: org.admin, id: body.id, url: `/spaces/${body.id}` };
}

async function write(person: Person, url: string, ...changes: object[]): Promise<string[]> {
  const { status, body } = await person.api.post<{ changes: { page: { id: string } | string }[] }>(`${url}/content`, {
    changes,
  });
  expect([status, body]).toEqual([200, body]);
  return body.changes.map(({ page }) => (typeof page === 'string' ? page : page.id));
}

const insert = (title: string, markdown: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ...more,
});

async function search(
  person: Person,
  url: string,
  query: string,
  more: Record<string, string | number> = {},
): Promise<List> {
  const { status, body } = await person.api.get<List>(`${url}/search`, { query: { query, ...more } });
  expect([status, body]).toEqual([200, body]);
  return body;
}
const titles = async (person: Person, url: string, query: string) =>
  (await search(person, url, query)).items.map(({ title }) => title);

/** Counts the queries that a server ranks. */
function rankingsOf(server: TestApp): { count: number } {
  const vocabulary = server.get(Vocabulary);
  const resembling = vocabulary.resembling.bind(vocabulary);
  const counted = { count: 0 };
  vocabulary.resembling = (...words) => {
    counted.count++;
    return resembling(...words);
  };
  return counted;
}

describe('search in a space', () => {
  it('finds pages with the sections that match, their ancestors and an excerpt', async () => {
    const { admin, url } = await space();
    const long = `${'Before that there is much to say. '.repeat(30)}Then the zeppelin lands. ${'After that there is more. '.repeat(30)}`;
    const [guide, page] = await write(
      admin,
      url,
      insert('Guides', 'Start here', { ref: 'guides' }),
      insert('Airships', `Intro about flight\n\n## Landing\n\n${long}\n\n### Mooring\n\nA zeppelin is moored`, {
        into: 'guides',
      }),
    );
    const { items, count } = await search(admin, url, 'zeppelin');
    expect(count).toBe(1);
    const [hit] = items;
    expect(hit).toMatchObject({
      id: page,
      title: 'Airships',
      path: 'guides/airships',
      ancestors: [{ title: 'Guides' }],
    });
    expect(hit?.sections.map(({ id, title, path }) => [id, title, path]).sort()).toEqual([
      ['landing', 'Landing', 'guides/airships#landing'],
      ['mooring', 'Mooring', 'guides/airships#mooring'],
    ]);
    const landing = hit?.sections.find(({ id }) => id === 'landing');
    expect(landing?.body).toContain('the zeppelin lands');
    expect(landing?.body.length).toBeLessThan(EXCERPT_LENGTH + 20);
    const intro = await search(admin, url, 'flight');
    expect(intro.items[0]?.sections).toMatchObject([
      { id: page, title: 'Airships', path: 'guides/airships', body: 'Intro about flight' },
    ]);
    expect((await search(admin, url, 'Guides')).items[0]).toMatchObject({
      id: guide,
      sections: [{ body: 'Start here' }],
    });
  });

  it('ranks titles above headings above text, and takes the last word as a prefix', async () => {
    const { admin, url } = await space();
    await write(
      admin,
      url,
      insert('One', 'Configuration in the text, configuration again, configuration'),
      insert('Two', 'x\n\n## Configuration\n\ny'),
      insert('Configuration', 'z'),
    );
    for (const query of ['configuration', 'Configurations', 'config', 'configurati'])
      expect(await titles(admin, url, query)).toEqual(['Configuration', 'Two', 'One']);
    for (const query of ['config text', 'configuration tex'])
      expect(await titles(admin, url, query)).toEqual(['One', 'Configuration', 'Two']);
  });

  it('3b-30 reads phrases, or and minus, and survives whatever is typed', async () => {
    const { admin, url } = await space();
    await write(
      admin,
      url,
      insert('Red', 'a quick red fox'),
      insert('Blue', 'a quick blue whale'),
      insert('Grey', 'a red and quick wolf'),
    );
    expect((await titles(admin, url, '"quick red"')).sort()).toEqual(['Red']);
    expect((await titles(admin, url, 'fox or whale')).sort()).toEqual(['Blue', 'Red']);
    expect((await titles(admin, url, 'quick -red')).sort()).toEqual(['Blue']);
    expect(await titles(admin, url, 'the')).toEqual([]);
    for (const query of [
      `'`,
      `":*`,
      '&|!',
      ':*',
      '((',
      `a' | b`,
      '\\',
      '%',
      'x'.repeat(512),
      '-',
      '"',
      '~',
      '🚀',
      '<->',
      'fox:*',
      '文档',
      'or',
      'or or',
      '𐐨'.repeat(100),
      '𐐨𐐩𐐪𐐫𐐬𐐭𐐮𐐯 𐐨-𐐩_𐐪',
      '- -',
    ])
      expect((await search(admin, url, query)).count).toBeLessThanOrEqual(3);
    for (const query of ['', ' ', 'x'.repeat(513)])
      expect((await admin.api.get(`${url}/search`, { query: { query } })).status).toBe(400);
    expect((await admin.api.get(`${url}/search`)).status).toBe(400);
  });

  it('is true to the last write: edits, deletes, moves back and merges', async () => {
    const { admin, url } = await space();
    const [page] = await write(admin, url, insert('Page', 'first version'));
    expect(await titles(admin, url, 'first')).toEqual(['Page']);
    await write(admin, url, { operation: 'update_page', page, document: { markdown: 'second version' } });
    expect([await titles(admin, url, 'first'), await titles(admin, url, 'second')]).toEqual([[], ['Page']]);
    const request = (await admin.api.post<{ id: string }>(`${url}/change-requests`, { subject: 'x' })).body.id;
    await admin.api.post(`${url}/change-requests/${request}/content`, {
      changes: [{ operation: 'update_page', page, title: 'Renamed', document: { markdown: 'third version' } }],
    });
    expect([await titles(admin, url, 'third'), await titles(admin, url, 'renamed')]).toEqual([[], []]);
    await admin.api.post(`${url}/change-requests/${request}/merge`);
    expect([
      await titles(admin, url, 'third'),
      await titles(admin, url, 'renamed'),
      await titles(admin, url, 'second'),
    ]).toEqual([['Renamed'], ['Renamed'], []]);
    await app.current.get(DocumentStore).forgetSuperseded(new Date(Date.now() + 1000), 1000);
    await write(admin, url, { operation: 'update_page', page, document: { markdown: 'first version' } });
    expect(await titles(admin, url, 'first')).toEqual(['Renamed']);
    await write(admin, url, { operation: 'delete_page', page });
    expect([await titles(admin, url, 'first'), await titles(admin, url, 'renamed')]).toEqual([[], []]);
  });

  it('ranks a query once until the space or the synonyms change, on each server', async () => {
    const { org, admin, url } = await space();
    const [page] = await write(admin, url, insert('Setup', 'How the zeppelin is filled.'), insert('Other', 'Ballast.'));
    const other = await TestApp.start({ FILES_DIR: app.current.config.filesDir }, app.current.databaseUrl);
    try {
      const [first, second] = [app.current, other].map(rankingsOf);
      const elsewhere = new Client(other.url, admin.api.token);
      const found = await search(admin, url, 'zeppelin');
      expect(await search(admin, url, 'zeppelin')).toEqual(found);
      expect(first?.count).toBe(1);
      const there = async (query: string) =>
        (await elsewhere.get<List>(`${url}/search`, { query: { query } })).body.items.map(({ title }) => title);
      expect([await there('zeppelin'), await there('zeppelin'), second?.count]).toEqual([['Setup'], ['Setup'], 1]);
      await write(admin, url, { operation: 'update_page', page, title: 'Filling' });
      expect([await there('zeppelin'), await titles(admin, url, 'zeppelin')]).toEqual([['Filling'], ['Filling']]);
      expect([await there('dirigible'), await titles(admin, url, 'dirigible')]).toEqual([[], []]);
      await admin.api.put(`/orgs/${org.id}/search/synonyms`, { groups: [{ words: ['dirigible', 'zeppelin'] }] });
      expect([await there('dirigible'), await titles(admin, url, 'dirigible')]).toEqual([['Filling'], ['Filling']]);
      expect([first?.count, second?.count]).toEqual([4, 4]);
    } finally {
      await other.close();
    }
  });

  it('drops old versions from the index in the background, and keeps current ones', async () => {
    const { admin, url, id } = await space();
    const [page] = await write(admin, url, insert('Page', 'word zero'), insert('Same', 'word zero'));
    for (let version = 1; version <= 5; version++)
      await write(admin, url, { operation: 'update_page', page, document: { markdown: `word ${version}` } });
    const indexed = async () =>
      (
        await app.current.database.query<{ count: number }>(
          'SELECT count(*)::int AS count FROM section_vector WHERE space_id = $1',
          [id],
        )
      )[0]?.count;
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
    const [page] = await write(
      admin,
      url,
      insert('Page', 'Running first\n\n## Kept words\n\nThe keepers kept them\n\n## Other\n\nSome more'),
    );
    await write(admin, url, {
      operation: 'update_page',
      page,
      document: { markdown: 'Walked first\n\n## Kept words\n\nThe keepers kept them\n\n## Others\n\nSome more' },
    });
    const vectors = await app.current.database.query<{ title: string; same: boolean }>(
      `SELECT DISTINCT ON (t.title COLLATE "C", v.hash) t.title, v.vector = search_vector(search_scopes(v.space_id), search_config('en'), t.title || ' ' || t.text) AND v.heading_vector = search_vector('{}', search_config('en'), t.title) AS same
         FROM document d CROSS JOIN ROWS FROM (jsonb_to_recordset(d.sections) AS (title text, text text), unnest(d.section_texts)) AS t (title, text, hash)
         JOIN section_vector v ON v.space_id = d.space_id AND v.hash = t.hash WHERE d.space_id = $1 ORDER BY t.title COLLATE "C", v.hash`,
      [id],
    );
    expect(vectors.map(({ title, same }) => [title, same])).toEqual([
      ['', true],
      ['', true],
      ['Kept words', true],
      ['Other', true],
      ['Others', true],
    ]);
    expect([
      await titles(admin, url, 'running'),
      await titles(admin, url, 'walking'),
      await titles(admin, url, '"keeper"'),
    ]).toEqual([[], ['Page'], ['Page']]);
  });

  it('finds a draft that is merged after its words were dropped from the index', async () => {
    const { admin, url, id } = await space();
    const request = (await admin.api.post<{ id: string }>(`${url}/change-requests`, { subject: 'x' })).body.id;
    await admin.api.post(`${url}/change-requests/${request}/content`, {
      changes: [insert('Draft', 'A quadrocopter\n\n## Rotors\n\nIt has four')],
    });
    const indexed = () => app.current.database.query('SELECT FROM section_vector WHERE space_id = $1', [id]);
    const documents = app.current.get(DocumentStore);
    while ((await documents.forgetSuperseded(new Date(Date.now() + 60_000), 1000)) > 0);
    expect((await indexed()).length).toBe(2);
    while ((await documents.forgetSuperseded(new Date(Date.now() + 8 * 86_400_000), 1000)) > 0);
    expect((await indexed()).length).toBe(0);
    await admin.api.post(`${url}/change-requests/${request}/merge`);
    expect([await titles(admin, url, 'quadrocopter'), await titles(admin, url, 'rotors four')]).toEqual([
      ['Draft'],
      ['Draft'],
    ]);
  });

  it('finds a text that comes back while its words are being dropped', async () => {
    const { admin, url } = await space();
    const [page] = await write(admin, url, insert('Page', 'zeppelin'));
    const say = (markdown: string) => write(admin, url, { operation: 'update_page', page, document: { markdown } });
    await say('airship');
    const { database } = app.current;
    let begin = (): void => undefined;
    const writing = new Promise<void>((settle) => (begin = settle)).then(() => say('zeppelin'));
    await database.transaction(async () => {
      await app.current.get(DocumentStore).forgetSuperseded(new Date(Date.now() + 1000), 1000);
      begin();
      await sessionWaits(app.current.database, 'DELETE FROM section_unused%');
    });
    await writing;
    expect([await titles(admin, url, 'zeppelin'), await titles(admin, url, 'airship')]).toEqual([['Page'], []]);
  });

  it('indexes a text once that two writers bring at once, also when the first one fails', async () => {
    const { id } = await space();
    const { database } = app.current;
    const documents = app.current.get(DocumentStore);
    const document = (hash: string): NewDocument => ({
      hash: hash.repeat(64),
      json: '{}',
      words: 2,
      sections: [{ anchor: '', title: '', text: 'Shared words' }],
      references: [],
      anchors: [],
    });
    const put = (hash: string) => database.transaction(() => documents.put(id, null, [document(hash)]));
    let begin = (): void => undefined;
    const second = new Promise<void>((settle) => (begin = settle)).then(() => put('b'));
    const first = database.transaction(async () => {
      await documents.put(id, null, [document('a')]);
      begin();
      await sessionWaits(app.current.database, 'WITH input AS MATERIALIZED%');
      throw new Error('changed my mind');
    });
    await expect(first).rejects.toThrow('changed my mind');
    await second;
    await Promise.all([put('c'), put('d')]);
    expect(
      await database.query<{ vectors: number; unused: number; texts: number }>(
        `SELECT (SELECT count(*) FROM section_vector v WHERE v.space_id = $1)::int AS vectors, (SELECT count(*) FROM section_unused u WHERE u.space_id = $1)::int AS unused,
              (SELECT count(*) FROM document d JOIN section_vector v ON v.space_id = d.space_id AND v.hash = d.section_texts[1] WHERE d.space_id = $1)::int AS texts`,
        [id],
      ),
    ).toEqual([{ vectors: 1, unused: 1, texts: 3 }]);
  });

  it('stems words by the language of the space, also after that has changed', async () => {
    const { admin, url } = await space('de');
    await write(admin, url, insert('Häuser', 'Die Kinder spielten mit Bällen'));
    expect(await titles(admin, url, '"Haus spielt"')).toEqual([]);
    expect(await titles(admin, url, 'Kindern "Ball"')).toEqual(['Häuser']);
    const english = await space();
    await write(admin, url, insert('Running', 'The runners are running'));
    expect(await titles(admin, url, '"runner" "run"')).toEqual([]);
    await admin.api.patch(url, { language: 'en' });
    expect(await titles(admin, url, '"runner" "run"')).toEqual(['Running']);
    expect(await titles(english.admin, english.url, 'running')).toEqual([]);
    const configurations = await app.current.database.query<{ language: string; config: string; known: boolean }>(
      `SELECT l.code AS language, search_config(l.code)::text AS config, EXISTS (SELECT FROM pg_ts_config c WHERE c.cfgname = l.config) AS known FROM unnest($1::text[], $2::text[]) AS l (code, config)`,
      [Object.keys(LANGUAGES), Object.values(LANGUAGES)],
    );
    expect(configurations.length).toBe(Object.keys(LANGUAGES).length);
    for (const { language, config, known } of configurations)
      expect([language, config]).toEqual([language, known ? LANGUAGES[language as LanguageCode] : 'simple']);
    const unused = await app.current.database.query(
      'SELECT cfgname FROM pg_ts_config WHERE cfgname <> ALL ($1::text[])',
      [Object.values(LANGUAGES)],
    );
    expect(unused).toEqual([]);
  });

  it.each(['en', 'fr', 'de', 'zh'])('does not ask for accents, nor minds them, in %s', async (language) => {
    const { admin, url } = await space(language);
    await write(
      admin,
      url,
      insert('Résumé', 'Über den Flüssen, straße'),
      insert('Resume', 'Uber den Flussen, strasse'),
      insert('Other', 'smørrebrød, Łódź, œuvre, İstanbul, ﬁnd'),
    );
    for (const query of ['resume', 'résumé', 'RÉSUMÉ', 'uber', 'Über', 'strasse', 'Straße', 'flüss', 'fluss'])
      expect([query, (await titles(admin, url, query)).sort()]).toEqual([query, ['Resume', 'Résumé']]);
    for (const query of ['smorrebrod', 'smørrebrød', 'lodz', 'łódź', 'oeuvre', 'œuvre', 'istanbul', 'find'])
      expect([query, await titles(admin, url, query)]).toEqual([query, ['Other']]);
    expect((await titles(admin, url, '"uber den"')).sort()).toEqual(['Resume', 'Résumé']);
  });

  it.each(['en', 'zh', 'ja', 'ko', 'th', 'fr'])(
    'finds Chinese, Japanese, Korean and Thai, beside other scripts, in %s',
    async (language) => {
      const { admin, url } = await space(language);
      await write(
        admin,
        url,
        insert('Chinese', '使用API接口构建文档管理系统。数据库配置'),
        insert('Japanese', 'データベースの設定ガイドを読んでください。ｶﾞｲﾄﾞ'),
        insert('Korean', '데이터베이스를 설정하는 방법을 설명합니다'),
        insert('Thai', 'การตั้งค่าฐานข้อมูลสำหรับผู้ดูแลระบบ'),
        insert('Others', 'ການຕັ້ງຄ່າຖານຂໍ້ມູນ ការកំណត់មូលដ្ឋានទិន្នន័យ ဒေတာဘေ့စ်ဆက်တင်များ'),
      );
      const found: Record<string, string[]> = {
        Chinese: [
          '文档',
          '文档管理',
          '管理',
          '接口构建',
          'API',
          'API接口',
          '使用api',
          '档',
          '用',
          '置',
          '文档 数据库',
          '"文档管理"',
          '"使用API接口"',
          '"文档"',
          '"档"',
          '文档管理系',
        ],
        Japanese: ['データ', 'データベース', '設定', '設定ガイド', '読', 'ガイド', 'ベース 設定'],
        Korean: ['데이터', '데이터베이스', '설정', '방법'],
        Thai: ['ฐานข้อมูล', 'การตั้งค่า', 'ระบบ'],
        Others: ['ຖານຂໍ້ມູນ', 'មូលដ្ឋាន', 'ဒေတာဘေ့စ်'],
      };
      for (const [title, queries] of Object.entries(found))
        for (const query of queries) expect([query, await titles(admin, url, query)]).toEqual([query, [title]]);
      for (const query of ['文管', '"管理文档"', '文档 -管理', '"文档 API"'])
        expect([query, await titles(admin, url, query)]).toEqual([query, []]);
      expect(await titles(admin, url, 'API管理')).toEqual(['Chinese']);
      expect((await titles(admin, url, 'データ管理')).sort()).toEqual(['Chinese', 'Japanese']);
    },
  );

  it('finds what was meant where a word is mistyped, and only then', async () => {
    const { admin, url } = await space();
    await write(
      admin,
      url,
      insert('Kubernetes', 'Configuration of the zeppelin and its hangar'),
      insert('Other', 'The hanger is in the wardrobe'),
    );
    for (const query of [
      'zepelin',
      'zeppelni',
      'zzeppelin',
      'zappelim',
      'configuratoin',
      'confguraton hangar',
      'kubernets',
      'kuberentes',
    ])
      expect([query, await titles(admin, url, query)]).toEqual([query, ['Kubernetes']]);
    expect(await titles(admin, url, 'hangar')).toEqual(['Kubernetes']);
    expect(await titles(admin, url, 'wadrob hangar')).toEqual(['Kubernetes', 'Other']);
    expect((await titles(admin, url, 'hangor')).sort()).toEqual(['Kubernetes', 'Other']);
    for (const query of ['zepln', 'hangoor', 'its zepeln', '"zepelin"', 'zepelin -configuration', 'thx', 'x1zepelin'])
      expect([query, await titles(admin, url, query)]).toEqual([query, []]);
    expect((await search(admin, url, 'zepelin')).items[0]?.sections[0]?.body).toContain('zeppelin');
    const [page] = await write(admin, url, insert('Gone', 'A dirigible'));
    expect(await titles(admin, url, 'dirigable')).toEqual(['Gone']);
    expect(await search(admin, url, 'dirigable', { limit: 0 })).toMatchObject({ count: 1, items: [] });
    await write(admin, url, { operation: 'delete_page', page });
    expect(await titles(admin, url, 'dirigable')).toEqual([]);
    const request = (await admin.api.post<{ id: string }>(`${url}/change-requests`, { subject: 'x' })).body.id;
    await admin.api.post(`${url}/change-requests/${request}/content`, { changes: [insert('Draft', 'A quadrocopter')] });
    expect(await titles(admin, url, 'quadrocoptor')).toEqual([]);
    const copy = (await admin.api.post<{ id: string }>(`${url}/duplicate`)).body.id;
    expect(await titles(admin, `/spaces/${copy}`, 'zepelin')).toEqual(['Kubernetes']);
  });

  it('keeps the words of a space in few sets, while many write at once', async () => {
    const { admin, url, id } = await space();
    const { database } = app.current;
    const wordsOf = (writer: number, turn: number): string[] =>
      [
        'common',
        `writer${'abcdefgh'[writer] ?? ''}`,
        `turn${turn.toString(2).replaceAll('0', 'o').replaceAll('1', 'i')}`,
      ].sort();
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let turn = 0; turn < 80; turn++)
          await database.execute('INSERT INTO space_vocabulary (space_id, words) VALUES ($1, $2)', [
            id,
            wordsOf(writer, turn).join('\n'),
          ]);
      }),
    );
    const sets = await database.query<{ level: number; words: string }>(
      'SELECT level, words FROM space_vocabulary WHERE space_id = $1',
      [id],
    );
    const expected = new Set(Array.from({ length: 640 }, (_, at) => wordsOf(at % 8, Math.floor(at / 8))).flat());
    expect(new Set(sets.flatMap(({ words }) => words.split('\n')))).toEqual(expected);
    for (const { words } of sets) expect(words.split('\n')).toEqual([...new Set(words.split('\n'))].sort());
    expect(sets.length).toBeLessThan(60);
    expect(Math.max(...sets.map(({ level }) => level))).toBeGreaterThan(1);
    // The next writes merge what the others left to one another.
    for (let turn = 0; turn < 64; turn++)
      await database.execute(`INSERT INTO space_vocabulary (space_id, words) VALUES ($1, 'common')`, [id]);
    await write(admin, url, insert('Kubernetes', 'A zeppelin'));
    expect(await titles(admin, url, 'zepelin')).toEqual(['Kubernetes']);
  });

  it('shows the place that matches, whatever the spelling or script', async () => {
    const { admin, url } = await space();
    const filler = 'Lorem ipsum dolor sit amet consetetur. '.repeat(20);
    await write(
      admin,
      url,
      insert('Accents', `${filler} Un résumé détaillé. ${filler}`),
      insert('Pairs', `${'甲乙丙丁戊己庚辛壬癸。'.repeat(40)}文档管理系统${'子丑寅卯辰巳午未申酉。'.repeat(40)}`),
      insert('Prefix', `${filler} The zeppelin. ${filler}`),
    );
    const shown = async (query: string) => (await search(admin, url, query)).items[0]?.sections[0]?.body;
    for (const query of ['resume', 'detaille', 'résumés']) expect(await shown(query)).toContain('résumé détaillé');
    for (const query of ['文档', '管理系统', '档']) expect(await shown(query)).toContain('文档管理系统');
    for (const query of ['zepp', 'zepelin']) expect(await shown(query)).toContain('zeppelin');
  });

  it('takes names apart at their signs', async () => {
    const { admin, url } = await space();
    await write(
      admin,
      url,
      insert(
        'Names',
        'Set `server.max_connections` in /etc/app-settings.yaml, see https://docs.example.com/reference or self-hosted',
      ),
    );
    for (const query of [
      'max_connections',
      'connections',
      'server.max_connections',
      'settings',
      'yaml',
      'app-settings.yaml',
      'example',
      'docs.example.com',
      'hosted',
      'self-hosted',
      'self-host',
      '/etc/app',
    ])
      expect([query, await titles(admin, url, query)]).toEqual([query, ['Names']]);
  });

  it('finds words of every text where they stand nearly everywhere', async () => {
    const { admin, url, id } = await space();
    for (let batch = 0; batch < 4; batch++)
      await write(
        admin,
        url,
        ...Array.from({ length: 25 }, (_, at) =>
          insert(
            `Page ${batch * 25 + at}`,
            Array.from(
              { length: 40 },
              (__, section) => `## Part ${section}\n\nGranite of ${batch * 1000 + at * 40 + section}`,
            ).join('\n\n'),
          ),
        ),
      );
    const list = await search(admin, url, 'granite', { limit: 1000 });
    expect(list.count).toBe(list.items.length);
    expect(list.count).toBeGreaterThan(90);
    expect(await search(admin, url, 'granite', { limit: 1000 })).toEqual(list);
    expect((await titles(admin, url, 'granite 3999')).length).toBe(1);
    const places = await app.current.database.query<{ texts: number; half: number }>(
      `SELECT count(*)::int AS texts, (count(*) FILTER (WHERE vector @@ ('''~' || space_id || '.1''')::tsquery))::int AS half FROM section_vector WHERE space_id = $1`,
      [id],
    );
    expect(Math.abs((places[0]?.half ?? 0) / (places[0]?.texts ?? 1) - 0.5)).toBeLessThan(0.1);
  });

  it('finds no page with noIndex, in a copy neither, until the flag is taken away', async () => {
    const { admin, url } = await space();
    const [page] = await write(
      admin,
      url,
      insert('Zeppelin manual', 'A zeppelin', { noIndex: true }),
      insert('Other', 'The zeppelin', { noRobotsIndex: true }),
    );
    expect(await titles(admin, url, 'zeppelin')).toEqual(['Other']);
    expect(await titles(admin, url, '"zeppelin"')).toEqual(['Other']);
    const copy = (await admin.api.post<{ id: string }>(`${url}/duplicate`)).body.id;
    expect(await titles(admin, `/spaces/${copy}`, 'zeppelin')).toEqual(['Other']);
    await admin.api.patch(url, { language: 'de' });
    expect(await titles(admin, url, 'zeppelin')).toEqual(['Other']);
    await write(admin, url, { operation: 'update_page', page, noIndex: false });
    expect((await titles(admin, url, 'zeppelin manual')).sort()).toEqual(['Other', 'Zeppelin manual']);
    await write(admin, url, { operation: 'update_page', page, noIndex: true });
    expect(await titles(admin, url, 'zeppelin manual')).toEqual(['Other']);
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

  it('has left nothing behind that search would miss or look through for ever', async () => {
    const client = new pg.Client({ connectionString: app.current.databaseUrl });
    await client.connect();
    try {
      expect(await findImpossible(client)).toEqual([]);
    } finally {
      await client.end();
    }
  });
});

describe('the rules of search', () => {
  const short = (query: string) => {
    const { words, required } = parseQuery(query);
    return [
      ...words.map(({ text, isPhrase, isUnfinished }) => `${isPhrase ? '"' : ''}${text}${isUnfinished ? '*' : ''}`),
      ...required.map(({ choice, texts, negated }) => `${choice}${negated ? '-' : '+'}${texts.join('|')}`),
    ];
  };

  it.each([
    ['install', ['install*']],
    ['how to inst', ['how', 'to', 'inst*']],
    ['a', ['a']],
    ['"open phrase', ['"open phrase', '0+open phrase']],
    ['"a phrase" mo', ['"a phrase', 'mo*', '0+a phrase']],
    ['cats -dogs', ['cats', '0-dogs']],
    ['cats or dogs', ['cats', 'dogs*']],
    ['cats or dogs -mice', ['cats', 'dogs']],
    ['"big cats" or "small dogs"', ['"big cats', '"small dogs', '0+big cats', '1+small dogs']],
    ['or cats OR or dogs or', ['or', 'cats', 'dogs', 'or*']],
    ['-"no cats" yes', ['"no cats', 'yes*', '0+no cats']],
    ['yes -"no cats"', ['yes', '0-no cats']],
    ['-dogs', ['dogs*']],
    ['curl --dry-run -v', ['curl', 'dry-run', 'v']],
    ['self-hosted', ['self-hosted*']],
    ['config.', ['config*']],
    ["l'index d’un site", ['index', 'un', 'site*']],
    ['@type $ref', ['type', 'ref*']],
    ['文档API', ['文档', 'API*']],
    ['文', ['文']],
    ['文档 -管理', ['文档', '0-管理']],
    ['ＡＢＣ', ['ABC*']],
    [' - & "" ', []],
  ])('read %s', (query, expected) => {
    expect(short(query)).toEqual(expected);
  });

  const terms = (query: string, synonyms: Readonly<Record<string, string[]>> = {}) =>
    rankedTerms(parseQuery(query).words, (text) => synonyms[text.toLowerCase()] ?? []).map(
      ({ concept, text, phrase, prefix, weight }) =>
        `${concept} ${phrase ? '"' : ''}${text}${prefix ? '*' : ''} ${weight}`,
    );

  it.each([
    ['install guide', ['0 install 1', '1 guide 1']],
    ['recordTransformer', ['0 "recordTransformer 1', '0 "record Transformer 1', '1 record 0.35', '2 Transformer 0.35']],
    ['HTTPServer', ['0 "HTTPServer 1', '0 "HTTP Server 1', '1 HTTP 0.35', '2 Server 0.35']],
    ['max_size', ['0 "max_size 1', '0 "max size 1', '1 max 0.35', '2 size 0.35']],
    ['データの設定', ['0 データ 1', '0 デー 0.2', '0 ータ 0.2', '1 の* 0.2', '2 設定 1']],
    ['文', ['0 文* 1']],
    ['"single sign" x', ['0 "single sign 1', '1 x 1']],
  ])('weigh %s', (query, expected) => {
    expect(terms(query)).toEqual(expected);
  });

  it('give a word and adjacent words their other names', () => {
    expect(terms('SSO setup', { sso: ['single sign on'], setup: ['install'] })).toEqual([
      '0 SSO 1',
      '0 "single sign on 0.4',
      '1 setup 1',
      '1 install 0.4',
    ]);
    expect(terms('use sign on', { 'sign on': ['login'] }).at(-1)).toBe('-4 login 0.8');
  });

  it('know forms of a word by its synonyms', () => {
    expect(synonymsOf('Deleting')).toContain('remove');
    expect(synonymsOf('K8S')).toEqual(['kubernetes']);
    expect(synonymsOf('löschen')).toContain('entfernen');
    expect(synonymsOf('zeppelin')).toEqual([]);
  });

  it('take compounds apart', () => {
    expect(compoundSplits('datensicherung')).toContainEqual(['daten', 'sicherung']);
    expect(compoundSplits('arbeitszeit')).toContainEqual(['arbeit', 'zeit']);
    expect(compoundSplits('haus')).toEqual([]);
    expect(compoundSplits('x'.repeat(100))).toEqual([]);
    for (const split of compoundSplits('𐐨'.repeat(9))) expect(split.join('')).not.toMatch(/\p{Surrogate}/u);
  });

  it('match all words within the allowed edits, and few others', () => {
    const letters = [...'abcdé𐐨'];
    const chance = chanceOf(7);
    const some = (of: readonly string[]): string => of[Math.floor(chance() * of.length)] ?? '';
    const edited = (word: readonly string[]): string[] => {
      const at = Math.floor(chance() * word.length);
      const [head, letter = '', tail] = [word.slice(0, at), word[at], word.slice(at + 1)];
      const [next = '', ...rest] = tail;
      const ways = [
        [...head, ...tail],
        [...head, some(letters), ...tail],
        [...head, some(letters), letter, ...tail],
        [...head, next, letter, ...rest].filter((each) => each !== ''),
      ];
      return ways[Math.floor(chance() * ways.length)] ?? [];
    };
    let [compared, others] = [0, 0];
    for (let round = 0; round < 3000; round++) {
      const edits = 1 + (round % 2);
      const word = Array.from({ length: edits === 1 ? 4 + (round % 4) : 8 + (round % 17) }, () => some(letters));
      const near = edits === 1 ? edited(word) : edited(edited(word));
      const patterns = resemblingPatterns(word.join(''), edits).map((pattern) => new RegExp(pattern, 'u'));
      const isFound = (text: string): boolean => patterns.some((pattern) => pattern.test(text));
      if (editDistance(word.join(''), near.join(''), edits) <= edits) {
        compared++;
        if (!isFound(near.join(''))) throw new Error(`${patterns.join(' ')} misses ${near.join('')}`);
      }
      if (isFound(Array.from(word, () => some(letters)).join(''))) others++;
    }
    expect(compared).toBeGreaterThan(2000);
    expect(others).toBeLessThan(150);
    expect([resemblingPatterns('abc', 0), resemblingPatterns('a'.repeat(27), 2)]).toEqual([[], []]);
  });

  it('find the words to show', () => {
    expect(wordsToShow(rankedTerms(parseQuery('Cats or "big Übungen" -mice, cats').words, () => []))).toEqual([
      'cats',
      'big',
      'ubungen',
    ]);
  });

  it('cut excerpts around the words, between words, and never within a character', () => {
    const text = `${'lorem ipsum '.repeat(50)}the needle ${'dolor sit '.repeat(50)}`;
    expect(excerptOf(text, ['needles'])).toMatch(/^….*the needle.*…$/);
    expect(excerptOf(text, ['absent'])).toMatch(/^lorem.*…$/);
    expect(excerptOf('short  \n text', ['x'])).toBe('short text');
    expect(excerptOf('🚀'.repeat(400), ['x'])).not.toMatch(/\p{Surrogate}/u);
  });
});
