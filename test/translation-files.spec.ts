import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { mergeAdjacentTexts, type Segment } from '../src/insight/translations/domain/segment.js';
import { FILE_FORMATS, type FileFormat, type FileUnit } from '../src/insight/translations/files/translation-file.js';
import { fileTranslations, writtenFile } from '../src/insight/translations/files/translation-file-tasks.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import type { Client } from './client.js';
import { useEngine } from './translation-engine.js';

const app = useApp({ TRANSLATION_DELAY: '0' });
let org: Workspace;
let api: Client;

interface FileBody {
  content: string;
  segments: number;
  name: string;
  mediaType: string;
  next?: { page: string };
}
interface Segments {
  items: { id: string; page?: string; source: string; target: string; state: string }[];
}

beforeAll(async () => {
  useEngine(app.current, ['es']);
  org = await buildOrganization(app.current);
  api = org.admin.api;
});

const LANGUAGES = { source: 'en', target: 'es' };
const LINE = 'Read <pc id="1">this</pc> first, then <ph id="2"/> &amp; more.';

async function translated(): Promise<{ at: string; space: string; result: string }> {
  const { id: space } = (
    await api.post<{ id: string }>(`/orgs/${org.id}/spaces`, { title: 'Guide', empty: true, editMode: 'live' })
  ).body;
  const pages = ['Home', 'Other'].map((title) => ({
    operation: 'insert_page',
    title,
    slug: title.toLowerCase(),
    document: { markdown: `Read **this** first, then \`npm ci\` & more.\n\nOf ${title}.` },
  }));
  await api.post(`/spaces/${space}/content`, { changes: pages });
  const { body } = await api.post<{ id: string; result: { space: string } }>(`/orgs/${org.id}/translations`, {
    source: { space, language: 'en' },
    language: 'es',
  });
  await app.current.get(Jobs).drain();
  return { at: `/orgs/${org.id}/translations/${body.id}`, space, result: body.result.space };
}

const exported = async (at: string, query: Record<string, string>): Promise<FileBody> => {
  const { status, body } = await api.get<FileBody>(`${at}/export`, { query });
  expect([status, body]).toEqual([200, body]);
  return body;
};
const imported = (at: string, format: FileFormat, content: string) =>
  api.post<object>(`${at}/import`, { format, content });
const segments = async (at: string): Promise<Segments['items']> =>
  (await api.get<Segments>(`${at}/segments`)).body.items;

describe('files of a translation', () => {
  it('have what is asked for, in as many files as it takes', async () => {
    const { at } = await translated();
    const first = (await segments(at)).find(({ source }) => source === 'Home');
    await api.patch(`${at}/segments/${first?.id ?? ''}`, { target: 'Casa' });
    const xliff = await exported(at, { format: 'xliff' });
    expect(xliff).toMatchObject({ segments: 6, name: 'es.xliff', mediaType: 'application/xliff+xml' });
    expect(xliff.content).toContain('version="2.1" srcLang="en" trgLang="es"');
    expect(xliff.content).toContain(`<source>${LINE}</source>`);
    expect(xliff.content.match(/<file /g)).toHaveLength(2);
    expect((await exported(at, { format: 'xliff', pageId: first?.page ?? '' })).segments).toBe(3);
    expect(await exported(at, { format: 'xliff', state: 'reviewed' })).toMatchObject({
      segments: 1,
      content: expect.stringContaining('<segment state="reviewed">'),
    });
    const po = await exported(at, { format: 'po' });
    expect(po.content).toContain('msgid "Read <pc id=\\"1\\">this</pc> first, then <ph id=\\"2\\"/> &amp; more."');
    expect(po.content.match(/^msgid "Read/gm)).toHaveLength(1);
    expect(po.content).toMatch(/#, xml-text\nmsgid "Home"\nmsgstr "Casa"/);
    expect(await exported(at, { format: 'tmx' })).toMatchObject({
      segments: 1,
      content: expect.stringContaining('<tuv xml:lang="es"><seg>Casa</seg></tuv>'),
    });
    expect((await api.get(`${at}/export`, { query: { format: 'xliff', page: 'x' } })).status).toBe(400);
    expect((await api.get(`${at}/export`, { query: { format: 'csv' } })).status).toBe(400);
  });

  it('are taken as the file says, and nothing unreviewed in the place of what is reviewed', async () => {
    const { at, result } = await translated();
    const { content } = await exported(at, { format: 'xliff' });
    const edited = content
      .replaceAll(
        /(<segment state=")translated(">\s*<source>Of Home\.<\/source>\s*<target>)[^<]*/g,
        '$1final$2De casa.',
      )
      .replaceAll(/(<source>Of Other\.<\/source>\s*<target>)[^<]*/g, '$1De otra.')
      .replaceAll(/(<segment state=")translated(">\s*<source>Home<)/g, '$1reviewed$2')
      .replaceAll(/(<source>Read [^]*?<target>)[^]*?(<\/target>)/g, '$1Sin marcas$2');
    expect((await imported(at, 'xliff', edited)).body).toMatchObject({
      object: 'translation-import',
      reviewed: 2,
      unreviewed: 1,
      unchanged: 1,
      unknown: 0,
      refused: [
        { unit: expect.any(String), message: expect.stringContaining('each tag') },
        { unit: expect.any(String), message: expect.stringContaining('each tag') },
      ],
    });
    const now = new Map((await segments(at)).map(({ source, state, target }) => [source, [state, target]]));
    expect(now.get('Of Home.')).toEqual(['reviewed', 'De casa.']);
    expect(now.get('Of Other.')).toEqual(['machine', 'De otra.']);
    expect(now.get('Home')).toEqual(['reviewed', 'Homeix']);
    await app.current.get(Jobs).drain();
    const markdown = async (path: string) =>
      (await api.get<{ markdown: string }>(`/spaces/${result}/content/path/${path}`, { query: { format: 'markdown' } }))
        .body.markdown;
    expect(await markdown('home')).toContain('De casa.');
    expect(await markdown('other')).toContain('De otra.');
    const po = [
      'msgid ""\nmsgstr ""\n"Language: es\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"',
      '#, fuzzy\nmsgid "Of Home."\nmsgstr "Otra cosa."',
      `msgid "${LINE.replaceAll('"', '\\"')}"\nmsgstr "Lea <pc id=\\"1\\">esto</pc>, luego <ph id=\\"2\\"/> &amp; más."`,
      'msgid "Gone."\nmsgstr "Ido."',
      'msgid "Of Other."\nmsgstr ""',
    ].join('\n\n');
    expect((await imported(at, 'po', po)).body).toMatchObject({
      reviewed: 1,
      unreviewed: 0,
      unchanged: 1,
      unknown: 1,
      refused: [],
    });
    await app.current.get(Jobs).drain();
    for (const path of ['home', 'other']) expect(await markdown(path)).toContain('Lea **esto**, luego `npm ci` & más.');
    // The memory is taken over by another translation, with what only that has.
    const { content: tmx } = await exported(at, { format: 'tmx' });
    const other = await translated();
    const more = tmx.replace(
      '</body>',
      '<tu><tuv lang="en-US"><seg>Of Other.</seg></tuv><tuv lang="es-MX"><seg>Ajena.</seg></tuv></tu></body>',
    );
    expect(
      (await imported(other.at, 'tmx', more.replace('<tmx', '<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx'))).body,
    ).toMatchObject({ reviewed: 3, unreviewed: 1, refused: [] });
    expect(
      (await segments(other.at))
        .filter(({ state }) => state === 'reviewed')
        .map(({ source }) => source)
        .sort(),
    ).toEqual(['Home', 'Of Home.', LINE, LINE]);
  });

  it('are refused where they cannot be read', async () => {
    const { at } = await translated();
    for (const [format, content, message] of [
      ['xliff', 'no XML', 'well-formed'],
      ['xliff', '<xliff version="1.2"/>', 'XLIFF 2'],
      ['xliff', '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" trgLang="fr"/>', 'from en to fr'],
      ['xliff', '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en"><file>', 'well-formed'],
      ['xliff', '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><xliff>&a;</xliff>', 'declaration'],
      ['tmx', '<!DOCTYPE tmx SYSTEM "tmx14.dtd"><tmx><body>&a;</body></tmx>', 'well-formed'],
      ['tmx', `${'<a>'.repeat(60)}${'</a>'.repeat(60)}`, 'within each other'],
      ['tmx', '<tmx/>', 'TMX'],
      ['po', 'msgid "a\nmsgstr "b"', 'PO'],
      ['po', 'nothing', 'PO'],
      ['po', '# nothing', 'PO'],
      ['po', 'msgid ""\nmsgstr "Language: fr\\n"\n', 'language fr'],
    ] as const)
      expect([content, await imported(at, format, content)]).toMatchObject([
        content,
        { status: 400, body: { error: { details: [{ path: 'content', message: expect.stringContaining(message) }] } } },
      ]);
    expect((await imported(at, 'po', 'x'.repeat(5_000_001))).status).toBe(400);
  });

  it('are for administrators, and are not there for others', async () => {
    const { at } = await translated();
    const editor = (await org.member('create')).api;
    const foreign = (await buildOrganization(app.current)).admin.api;
    for (const [person, status] of [
      [editor, 403],
      [foreign, 404],
    ] as const) {
      expect((await person.get(`${at}/export`, { query: { format: 'po' } })).status).toBe(status);
      expect((await person.post(`${at}/import`, { format: 'po', content: 'msgid "a"\nmsgstr "b"' })).status).toBe(
        status,
      );
    }
    expect((await api.get(`${at}x/export`, { query: { format: 'tmx' } })).status).toBe(404);
    expect((await imported(`${at}x`, 'po', 'msgid "a"\nmsgstr "b"')).status).toBe(404);
  });
});

describe('texts in files', () => {
  const words = fc
    .string({
      unit: fc.constantFrom('a', 'é', '漢', '😀', ' ', '<', '>', '&', '"', "'", '\\', '\t', ']]>', '%s', '--'),
    })
    .map((text) => `x${text}x`);
  const segment = fc
    .tuple(words, words, words)
    .map(([before, inside, after]): Segment =>
      mergeAdjacentTexts([before, { open: 1 }, inside, { opaque: 3 }, { close: 1 }, after, { opaque: 2 }]),
    );

  it('come back as they were, with their markers and states', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(segment, segment, fc.boolean()), { minLength: 1, maxLength: 5 }),
        async (pairs) => {
          const units = pairs.map(([source, target, isReviewed], index): FileUnit => ({
            ...{ id: `u${index}`, place: `p${index % 2}`, source: [`${index} `, ...source], target },
            state: isReviewed ? 'reviewed' : 'machine',
          }));
          for (const format of FILE_FORMATS) {
            const content = await writtenFile({ ...LANGUAGES, format, units });
            const read = await fileTranslations({ ...LANGUAGES, format, content });
            expect(read).toMatchObject({ refused: [] });
            const found = 'translations' in read ? read.translations : [];
            const sorted = (list: readonly object[]) => list.map((each) => JSON.stringify(each)).sort();
            expect(sorted(found)).toEqual(
              sorted(
                units.map(({ source, target, state }) => ({
                  source: mergeAdjacentTexts(source),
                  target,
                  reviewed: state === 'reviewed',
                })),
              ),
            );
          }
        },
      ),
    );
  });

  it('are read as other tools write them', async () => {
    const xliff = `<?xml version="1.0"?><!-- a tool -->
<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="es-ES"><file id="f"><group id="g"><unit id="1">
  <segment state="final"><source>One <sc id="1"/>two</source><target>Uno <sc id="1"/>dos</target></segment>
  <ignorable><source> </source></ignorable>
  <segment state="reviewed"><source>three<ec startRef="1"/> <mrk id="m" type="term">four</mrk>.</source><target>tres<ec startRef="1"/> <![CDATA[cuatro]]>.</target></segment>
</unit></group><unit id="2"><segment><source>A</source></segment></unit></file></xliff>`;
    expect(await fileTranslations({ ...LANGUAGES, format: 'xliff', content: xliff })).toEqual({
      translations: [
        {
          source: ['One ', { open: 1 }, 'two three', { close: 1 }, ' four.'],
          target: ['Uno ', { open: 1 }, 'dos tres', { close: 1 }, ' cuatro.'],
          reviewed: true,
        },
      ],
      refused: [],
    });
  });
});
