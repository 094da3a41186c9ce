import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32, deflateSync } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Addresses } from '../src/kernel/common/addresses.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { PublicListener } from '../src/kernel/platform/public-listener.js';
import { document, paragraph, plain } from '../src/formats/document/build.js';
import { chapterFacts } from '../src/publishing/pdf/chapter-facts.js';
import { PdfPainter, type Painting } from '../src/publishing/pdf/pdf-painter.js';
import { PAINT_PDF } from '../src/publishing/pdf/paint-pdf-task.js';
import { breakLines } from '../src/formats/pdf/layout/line-breaking.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import type { Client } from './client.js';
import { everyConstruct, type Targets } from './every-construct.js';
import { readPdf, type ReadPdf } from './pdf-reader.js';

const app = useApp();

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const NOTHING = { resolver: { reference: () => ({}), picture: () => undefined, reusable: () => undefined } };

interface Update {
  changes: { page: { id: string } }[];
  insertedFiles?: { id: string; name: string }[];
  error?: unknown;
}

beforeAll(async () => {
  const port = await app.current.get(PublicListener).listen();
  app.current.get(Addresses).announce(app.current.url, `http://localhost:${port}`);
});
afterAll(() => app.current.get(PublicListener).beforeApplicationShutdown());

async function space(title = 'ManualOfEverything', workspace?: Workspace) {
  const organization = workspace ?? (await buildOrganization(app.current));
  const { api } = organization.admin;
  const made = await api.post<{ id: string }>(`/orgs/${organization.id}/spaces`, {
    title,
    empty: true,
    editMode: 'live',
    language: 'en',
  });
  const url = `/spaces/${made.body.id}`;
  const write = async (...changes: object[]): Promise<Update> => {
    const { status, body } = await api.post<Update>(`${url}/content`, { changes }, { query: { compat: false } });
    expect([status, body.error]).toEqual([200, undefined]);
    return body;
  };
  const page = async (page: object): Promise<string> =>
    (await write({ operation: 'insert_page', ...page })).changes[0]?.page.id ?? '';
  return { id: made.body.id, organization, api, url, write, page };
}

async function addressOf(api: Client, url: string, query: Record<string, string | boolean> = {}): Promise<string> {
  const { status, body } = await api.get<{ url: string }>(`${url}/pdf`, { query });
  expect([status, Object.keys(body).sort()]).toEqual([200, ['status', 'url']]);
  return body.url;
}

async function bytesAt(address: string): Promise<Uint8Array> {
  const response = await fetch(address);
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect([response.status, response.headers.get('content-type'), Buffer.from(bytes.subarray(0, 7)).toString()]).toEqual(
    [200, 'application/pdf', '%PDF-1.'],
  );
  return bytes;
}

async function pdfOf(api: Client, url: string, query?: Record<string, string | boolean>): Promise<ReadPdf> {
  const address = await addressOf(api, url, query);
  await app.current.get(Jobs).drain();
  return readPdf(await bytesAt(address));
}

const all = ({ sheets }: ReadPdf): string => sheets.join(' ');

describe('the PDF of a space', () => {
  it('has a title, contents with page numbers, an outline, and links that lead to their targets', async () => {
    const { api, url, page, write } = await space();
    const target = await page({
      title: 'Installation',
      document: {
        markdown: `Intro words\n\n${'A paragraph that fills the sheet.\n\n'.repeat(70)}\n\n## Far below\n\nThe goal`,
      },
    });
    await page({ title: 'Below it', into: target, document: { markdown: 'Words of the child' } });
    await page({ title: 'Guides', type: 'group' });
    await page({
      title: 'Overview',
      description: 'What there is',
      document: {
        markdown: `[to the page](/pages/${target}) [to the anchor](/pages/${target}#far-below) [out](https://example.com/a?b=c) [mail](mailto:a@example.com) [bad](javascript:alert(1)) [file](file:///etc/passwd)`,
      },
    });
    await write({
      operation: 'insert_page',
      title: 'Elsewhere',
      type: 'link',
      target: { kind: 'url', url: 'https://example.com/elsewhere' },
    });
    const pdf = await pdfOf(api, url);
    expect(pdf.info).toMatchObject({ Title: 'ManualOfEverything', Language: 'en', Creator: 'Bindery' });
    expect(pdf.sheets[0]).toContain('ManualOfEverything');
    const sheetOf = (words: string) => pdf.sheets.findIndex((sheet, index) => index > 1 && sheet.includes(words)) + 1;
    const [first, below, overview, far] = ['Intro words', 'Words of the child', 'What there is', 'Far below'].map(
      sheetOf,
    );
    expect(pdf.sheets[1]).toMatch(
      new RegExp(`Contents Installation ${first} Below it ${below} Guides \\d+ Overview ${overview} Elsewhere`),
    );
    expect(far).toBeGreaterThan(first ?? 0);
    expect(pdf.outline).toMatchObject([
      { title: 'Installation', sheet: first, items: [{ title: 'Below it', sheet: below }] },
      { title: 'Guides', items: [] },
      { title: 'Overview', sheet: overview },
    ]);
    expect(pdf.links[1]).toEqual(
      expect.arrayContaining([
        { sheet: first },
        { sheet: below },
        { sheet: overview },
        { url: 'https://example.com/elsewhere' },
      ]),
    );
    expect(pdf.links[(overview ?? 0) - 1]).toEqual([
      { sheet: first },
      { sheet: far },
      { url: 'https://example.com/a?b=c' },
      { url: 'mailto:a@example.com' },
    ]);
    pdf.sheets.forEach((sheet, index) => expect(index < 2 || sheet.includes(` ${index + 1}`)).toBe(true));
  });

  it('says whether it is there already, to everybody who asks for the same', async () => {
    const { api, url, page } = await space('AskedTwice');
    await page({ title: 'Only', document: { markdown: 'Words' } });
    const status = async () => (await api.get<{ status: string }>(`${url}/pdf`)).body.status;
    expect([await status(), await status()]).toEqual(['pending', 'pending']);
    await app.current.get(Jobs).drain();
    expect(await status()).toBe('completed');
    await page({ title: 'Another', document: { markdown: 'More words' } });
    expect(await status()).toBe('pending');
  });

  it('is one page, or a page with those below it, where one is named', async () => {
    const { api, url, page } = await space('PartsOfTheManual');
    const top = await page({ title: 'Top', document: { markdown: 'Words of the top' } });
    const middle = await page({
      title: 'Middle',
      into: top,
      document: { markdown: `Words of the middle, see [the top](/pages/${top})` },
    });
    await page({ title: 'Deep', into: middle, document: { markdown: 'Words of the deep' } });
    const whole = await pdfOf(api, url);
    const branch = await pdfOf(api, url, { page: middle });
    const alone = await pdfOf(api, url, { page: middle, only: true });
    const has = (pdf: ReadPdf) => ['top', 'middle', 'deep'].filter((name) => all(pdf).includes(`Words of the ${name}`));
    expect([has(whole), has(branch), has(alone)]).toEqual([['top', 'middle', 'deep'], ['middle', 'deep'], ['middle']]);
    expect([alone.sheets.length, alone.outline]).toEqual([1, []]);
    expect(alone.links[0]?.[0]?.url).toContain(`/~/pages/${top}`);
    expect((await api.get(`${url}/pdf`, { query: { only: true } })).body).toMatchObject({
      error: { code: 400, details: [{ path: 'only', message: expect.stringContaining('needs page') }] },
    });
    const link = await page({
      title: 'Elsewhere',
      type: 'link',
      target: { kind: 'url', url: 'https://example.com/elsewhere' },
    });
    expect((await pdfOf(api, url, { page: link, only: true })).links).toEqual([
      expect.arrayContaining([{ url: 'https://example.com/elsewhere' }]),
    ]);
    expect((await pdfOf(api, url, { page: await page({ title: 'Group', type: 'group' }), only: true })).sheets).toEqual(
      [expect.stringContaining('Group')],
    );
    expect((await api.get(`${url}/pdf`, { query: { page: 'AbCdEfGh0123456789Xy' } })).status).toBe(404);
    expect((await api.get(`${url}/pdf`, { query: { only: 'perhaps' } })).status).toBe(400);
    for (const wrong of ['../1', '', 'x'.repeat(41)]) {
      expect((await api.get(`${url}/pdf`, { query: { page: wrong } })).body).toMatchObject({
        error: {
          code: 400,
          details: [{ path: 'page', message: 'must be the id of a page: 1 to 40 letters and digits' }],
        },
      });
    }
  });

  it('without pages says so', async () => {
    const { api, url } = await space('EmptyManual');
    const { sheets, outline } = await pdfOf(api, url);
    expect([sheets.length, sheets[0]?.includes('EmptyManual'), sheets[1], outline]).toEqual([
      2,
      true,
      'There are no pages yet',
      [],
    ]);
  });

  it('of a change request shows what it changes', async () => {
    const { api, url, page } = await space('DraftOfTheManual');
    const home = await page({ title: 'Home', document: { markdown: 'The words of before' } });
    const request = (
      await api.post<{ id: string; number: number }>(`${url}/change-requests`, { subject: 'Better words' })
    ).body;
    const draft = `${url}/change-requests/${request.number}`;
    await api.post(`${draft}/content`, {
      changes: [{ operation: 'update_page', page: home, document: { markdown: 'The words of afterwards' } }],
    });
    const changed = await pdfOf(api, draft);
    expect(changed.sheets[0]).toContain(`Change request #${request.number}: Better words`);
    expect([all(changed).includes('words of afterwards'), all(changed).includes('words of before')]).toEqual([
      true,
      false,
    ]);
    expect(all(await pdfOf(api, url))).toContain('words of before');
    expect((await api.get(`${url}/change-requests/999/pdf`)).status).toBe(404);
  });

  it('embeds the glyphs of Latin, Greek, Cyrillic, Chinese, Japanese and Korean text', async () => {
    const { api, url, page } = await space('Scripts');
    const texts = [
      'Zażółć gęślą jaźń',
      'Καλημέρα κόσμε ἀρχή',
      'Съешь ещё этих булок ґанок',
      '你好世界中文排版',
      '日本語のテキスト',
      '안녕하세요 세계',
      '→ ✓ ∑ ├──',
      '🚀',
      'ភាសាខ្មែរ',
    ];
    await page({
      title: 'Many scripts',
      document: { markdown: texts.flatMap((text) => [text, `**${text}**`, `*${text}*`, `\`${text}\``]).join('\n\n') },
    });
    const address = await addressOf(api, url);
    await app.current.get(Jobs).drain();
    const bytes = await bytesAt(address);
    const words = all(await readPdf(bytes)).replaceAll(' ', '');
    for (const text of texts) expect(words.split(text.normalize('NFC').replace(/[ \u200b]/g, '')).length - 1).toBe(4);
    const raw = Buffer.from(bytes).toString('latin1');
    const count = (pattern: RegExp) => [...raw.matchAll(pattern)].length;
    expect(count(/\/Type \/FontDescriptor/g)).toBeGreaterThanOrEqual(4);
    expect(count(/\/FontFile2 /g)).toBe(count(/\/Type \/FontDescriptor/g));
    expect(count(/\/Subtype \/Type1/g)).toBe(0);
    expect(bytes.length).toBeLessThan(400_000);
  });
});

describe('the content of a PDF', () => {
  it('has every construct with all of its words', async () => {
    const { id, organization, api, url, write, page } = await space('Constructs');
    const made = await write(
      {
        operation: 'insert_files',
        files: [{ ref: 'pixel', name: 'pixel.png', contentType: 'image/png', base64: PIXEL }],
      },
      { operation: 'insert_reusable_content', title: 'Shared', document: { markdown: 'Shared words' } },
      { operation: 'set_variables', variables: { product: 'TheProduct' } },
    );
    const other = await page({ title: 'Other page', document: { markdown: '## Two' } });
    const reusableContent =
      (await api.get<{ reusableContents: { id: string }[] }>(`${url}/content`)).body.reusableContents[0]?.id ?? '';
    const targets: Targets = {
      file: made.insertedFiles?.[0]?.id ?? '',
      page: other,
      reusableContent,
      user: organization.admin.id,
      space: id,
      collection: 'AbCdEfGh0123456789Xy',
    };
    const everything = await page({ title: 'Everything', document: { document: everyConstruct(targets) } });
    const pdf = await pdfOf(api, url, { page: everything, only: true });
    const words = [
      'The first heading',
      'The second heading',
      'The third heading',
      'A heading of the fifth level',
      'Everything that stands in a line',
      'to a file',
      'to a openapi',
      '🚀',
      'TheProduct',
      'a^2',
      'a word',
      'Look for it',
      '@Ada',
      'Read on',
      'bold text',
      'italic text',
      'strikethrough text',
      'superscript text',
      'subscript text',
      'keyboard text',
      'color text',
      'code text',
      '7.',
      'The seventh',
      'A point in a point',
      'Done',
      'Open',
      'Quoted words',
      'A hint of info',
      'A hint of warning',
      'A hint of danger',
      'A hint of success',
      'If visitor.claims.isBetaUser',
      'Only for some',
      'The caption',
      'pixel.png',
      'A file to take home',
      'https://example.com/video',
      'A film',
      'install.sh',
      'npm ci',
      'npm run',
      'e^{i\\pi} + 1 = 0',
      'What is inside?',
      'This is',
      'First',
      'In the first tab',
      'Number',
      'Checkbox',
      'Rating',
      'The words of a cell',
      '1234.5',
      '☑',
      '★★★★☆',
      'Small',
      'Other page',
      'The words of a card',
      'https://example.com/card',
      'GET',
      '/pets',
      'POST',
      'pets.yaml',
      'Pet, Owner',
      'petAdopted',
      'diagrams: flow',
      'Shared words',
      'The first step',
      'The left column',
      'The right column',
      '31 Jan 2026',
      'new',
      'What is new',
      'Explain it',
      'Explain this page',
      'What the word means',
      'A note in code',
      'in code',
    ];
    const text = all(pdf).replaceAll(' ', '');
    expect(words.filter((each) => !text.includes(each.replaceAll(' ', '')))).toEqual([]);
  });

  it('3b-29 reads no file and no address, and survives what is hostile', async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests++;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const outside = `http://127.0.0.1:${(server.address() as AddressInfo).port}/picture.png`;
    const { api, url, write, page } = await space('Hostile');
    const files = await write({
      operation: 'insert_files',
      files: [
        {
          ref: 'a',
          name: 'flood.png',
          contentType: 'image/png',
          base64: png(900_000, 900_000, 6, Buffer.alloc(8)).toString('base64'),
        },
        {
          ref: 'b',
          name: 'bomb.png',
          contentType: 'image/png',
          base64: png(3000, 3000, 6, deflateSync(Buffer.alloc(80_000_000))).toString('base64'),
        },
        {
          ref: 'c',
          name: 'broken.png',
          contentType: 'image/png',
          base64: png(40, 40, 2, Buffer.from('nonsense')).toString('base64'),
        },
        {
          ref: 'd',
          name: 'broken.jpg',
          contentType: 'image/jpeg',
          base64: Buffer.from([
            0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0xff, 0xc0, 0, 17, 8,
            0, 200, 1, 44, 3,
          ]).toString('base64'),
        },
        {
          ref: 'e',
          name: 'drawing.svg',
          contentType: 'image/svg+xml',
          base64: Buffer.from(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"><image href="file:///etc/passwd"/></svg>',
          ).toString('base64'),
        },
      ],
    });
    const pictures = (files.insertedFiles ?? []).map(({ id, name }) => `![${name}](/files/${id})`);
    const nested = Array.from({ length: 30 }, (_, depth) => `${'  '.repeat(depth)}* level ${depth}`).join('\n');
    const wide = [`|${' c |'.repeat(60)}`, `|${' - |'.repeat(60)}`, `|${' wide |'.repeat(60)}`].join('\n');
    await page({
      title: 'Hostile',
      document: {
        markdown: [
          `![outside](${outside})`,
          '![local](file:///etc/passwd)',
          '![data](data:image/png;base64,AAAA)',
          ...pictures,
          nested,
          wide,
          'w'.repeat(200_000),
          'THE END',
        ].join('\n\n'),
      },
    });
    const text = all(await pdfOf(api, url));
    expect(text).toContain('THE END');
    expect(text).toContain(outside);
    expect(text).toContain('flood.png: flood.png (the picture is too large for a PDF)');
    expect(text).toContain('pictures of type svg+xml are not shown in PDFs');
    expect(text).not.toContain('root:');
    expect(text.split('wide').length - 1).toBe(60);
    for (let depth = 0; depth < 30; depth++) expect(text).toContain(`level ${depth}`);
    expect(requests).toBe(0);
    server.close();
  });

  it('ends where reusable contents hold each other many times over', async () => {
    const { api, url, write, page } = await space('Echo');
    await write(
      ...Array.from({ length: 8 }, (_, index) => ({
        operation: 'insert_reusable_content',
        title: `Echo ${index}`,
        document: { markdown: '' },
      })),
    );
    const { reusableContents } = (
      await api.get<{ reusableContents: { id: string; title: string }[] }>(`${url}/content`)
    ).body;
    const ids = reusableContents.toSorted((a, b) => (a.title < b.title ? -1 : 1)).map(({ id }) => id);
    const manyOf = (id: string) => ({
      document: {
        object: 'document',
        data: {},
        nodes: Array.from({ length: 20 }, () => ({
          object: 'block',
          type: 'reusable-content',
          data: { ref: { kind: 'reusable-content', reusableContent: id } },
        })),
      },
    });
    await write(
      ...ids.slice(0, -1).map((reusableContent, index) => ({
        operation: 'update_reusable_content',
        reusableContent,
        document: manyOf(ids[index + 1] ?? ''),
      })),
    );
    await page({ title: 'Loud', document: manyOf(ids[0] ?? '') });
    const { sheets } = await pdfOf(api, url);
    expect(sheets.length).toBeLessThan(2000);
    expect(sheets.join(' ')).toContain('Reusable content that is not part of this PDF');
  });

  it.each([
    ['spaces', ' '],
    ['brackets that must not end a line', '（'],
  ])('breaks an endless run of %s', (_, character) => {
    const text = `${character.repeat(1_500_000)}字 end`;
    const style = { face: 'mono', size: 9, color: '#000000' } as const;
    const lines = [...breakLines([{ text, style }], { width: 400, isPreformatted: true })];
    const set = lines.flatMap(({ segments }) => segments.map((part) => ('text' in part ? part.text : ''))).join('');
    expect([set.replaceAll(' ', '') === text.replaceAll(' ', ''), lines.length > 10_000]).toEqual([true, true]);
  });

  it('repeats the header of a long table on every sheet', async () => {
    const { api, url, page } = await space('LongTable');
    const rows = Array.from({ length: 1500 }, (_, index) => `| row${index} | value ${index} |`);
    await page({
      title: 'Rows',
      document: { markdown: ['| Header of names | Header of values |', '| --- | --- |', ...rows].join('\n') },
    });
    const { sheets } = await pdfOf(api, url);
    const withRows = sheets.filter((sheet) => /row\d/.test(sheet));
    expect(withRows.length).toBeGreaterThan(20);
    expect(withRows.every((sheet) => sheet.includes('Header of names') && sheet.includes('Header of values'))).toBe(
      true,
    );
    expect(new Set(sheets.join(' ').match(/row\d+/g)).size).toBe(1500);
  });

  it('3b-9 says nothing of other spaces', async () => {
    const workspace = await buildOrganization(app.current);
    const secret = await space('SecretSpace', workspace);
    const hidden = await secret.page({ title: 'HiddenTitle', document: { markdown: 'Hidden words' } });
    await secret.write({
      operation: 'insert_reusable_content',
      title: 'HiddenShared',
      document: { markdown: 'Hidden shared words' },
    });
    const reusableContent =
      (await secret.api.get<{ reusableContents: { id: string }[] }>(`${secret.url}/content`)).body.reusableContents[0]
        ?.id ?? '';
    const open = await space('OpenSpace', workspace);
    const block = (type: string, data: object) => ({ object: 'block', type, isVoid: true, data });
    const nodes = [
      block('content-ref', { ref: { kind: 'page', page: hidden, space: secret.id } }),
      block('reusable-content', { ref: { kind: 'reusable-content', reusableContent, space: secret.id } }),
      block('reusable-content', { ref: { kind: 'reusable-content', reusableContent } }),
    ];
    await open.page({
      title: 'References',
      document: { document: { object: 'document', data: { schemaVersion: 8 }, nodes } },
    });
    const text = all(await pdfOf(open.api, open.url));
    expect(text).toContain('References');
    expect(text).not.toMatch(/Hidden|Secret/);
  });

  it('names members only for those who may know them', async () => {
    const { organization, api, url, page } = await space('Mentions');
    const line = [
      { object: 'text', leaves: [{ object: 'leaf', text: 'Ask ', marks: [] }] },
      { object: 'inline', type: 'mention', isVoid: true, data: { ref: { kind: 'user', user: organization.admin.id } } },
    ];
    await page({
      title: 'Home',
      document: {
        document: {
          object: 'document',
          data: { schemaVersion: 8 },
          nodes: [{ object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes: line }],
        },
      },
    });
    const guest = await organization.member('none');
    await api.post(`${url}/permissions`, { role: 'read', users: [guest.id] });
    const name = `@Person ${organization.admin.email.slice(0, 6)}`;
    const texts = [all(await pdfOf(api, url)), all(await pdfOf(guest.api, url))];
    expect(texts.map((text) => [text.includes('Ask'), text.includes(name)])).toEqual([
      [true, true],
      [true, false],
    ]);
  });
});

describe('the address of a PDF', () => {
  it('is given to whoever may read the space, and works for an hour', async () => {
    const { organization, api, url, page } = await space('Address');
    await page({ title: 'Home', document: { markdown: 'Words' } });
    const outsider = (await buildOrganization(app.current)).admin.api;
    const guest = (await organization.member('none')).api;
    const reader = (await organization.member('read')).api;
    expect((await outsider.get(`${url}/pdf`)).status).toBe(404);
    expect((await guest.get(`${url}/pdf`)).status).toBe(404);
    const address = await addressOf(reader, url);
    await app.current.get(Jobs).drain();
    const whole = await bytesAt(address);
    const head = await fetch(address, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), head.headers.get('content-disposition')]).toEqual([
      200,
      String(whole.length),
      expect.stringContaining('Address.pdf'),
    ]);
    const part = await fetch(address, { headers: { Range: 'bytes=0-3' } });
    expect([part.status, await part.text()]).toEqual([206, '%PDF']);
    expect((await fetch(address, { method: 'POST' })).status).toBe(405);
    const other = await addressOf(reader, url, { page: await page({ title: 'Another' }) });
    const id = /~pdf\/(\w+)/.exec(other)?.[1] ?? '';
    for (const changed of [
      address.replace(/~pdf\/\w+/, `~pdf/${id}`),
      address.replace(/signature=./, (mark) => (mark.endsWith('_') ? 'signature=a' : 'signature=_')),
      address.replace(/expires=\d/, 'expires=9'),
      address.replace(/\?.*/, ''),
    ]) {
      expect((await fetch(changed)).status).toBe(403);
    }
    app.current.setTime(new Date(Date.now() + 59 * 60_000));
    expect((await fetch(address)).status).toBe(200);
    app.current.setTime(new Date(Date.now() + 61 * 60_000));
    const late = await fetch(address);
    expect([late.status, await late.json()]).toEqual([
      403,
      { error: { code: 403, message: expect.stringContaining('expired') } },
    ]);
    app.current.setTime(undefined);
    await api.delete(url);
    expect((await fetch(address)).status).toBe(404);
  });

  it('leads to the same PDF for everybody, until the content changes', async () => {
    const { organization, api, url, page } = await space('Shared');
    const home = await page({ title: 'Home', document: { markdown: 'First words' } });
    const readers = await Promise.all(Array.from({ length: 6 }, () => organization.member('read')));
    const idOf = (address: string) => /~pdf\/(\w+)/.exec(address)?.[1];
    await app.current.get(Jobs).drain();
    const addresses = await Promise.all(readers.map(({ api: reader }) => addressOf(reader, url)));
    expect(new Set(addresses.map(idOf)).size).toBe(1);
    expect(await app.current.get(Jobs).drain()).toBe(1);
    expect(idOf(await addressOf(api, url))).toBe(idOf(addresses[0] ?? ''));
    expect(await app.current.get(Jobs).drain()).toBe(0);
    await api.post(`${url}/content`, {
      changes: [{ operation: 'update_page', page: home, document: { markdown: 'Second words' } }],
    });
    expect(all(await pdfOf(api, url))).toContain('Second words');
    expect(all(await readPdf(await bytesAt(addresses[0] ?? '')))).toContain('First words');
  });

  it('waits for a PDF that is not there yet', async () => {
    const { api, url, page } = await space('Waiting');
    await page({ title: 'Home', document: { markdown: 'Words' } });
    const download = bytesAt(await addressOf(api, url));
    await new Promise((resolve) => setTimeout(resolve, 400));
    await app.current.get(Jobs).drain();
    expect(all(await readPdf(await download))).toContain('Home');
  });

  it('says why a PDF could not be made, and tries again later', async () => {
    const { api, url, page } = await space('Failing');
    const home = await page({ title: 'Home', document: { markdown: 'Words' } });
    const address = await addressOf(api, url, { page: home });
    await app.current.database.execute(
      `UPDATE pdf_rendering SET wanted = jsonb_set(wanted, '{page}', '"gone"') WHERE space_id = $1`,
      [url.slice('/spaces/'.length)],
    );
    await app.current.get(Jobs).drain();
    const failed = await fetch(address);
    expect([failed.status, await failed.json()]).toEqual([
      409,
      { error: { code: 409, message: 'The PDF could not be made: the page no longer exists' } },
    ]);
    expect((await api.get<{ error: object }>(`${url}/pdf`, { query: { page: home } })).body.error).toMatchObject({
      code: 409,
      message: expect.stringContaining('could not be made'),
    });
    app.current.setTime(new Date(Date.now() + 11 * 60_000));
    try {
      expect(all(await pdfOf(api, url, { page: home }))).toContain('Home');
    } finally {
      app.current.setTime(undefined);
    }
  });

  it('says that it takes too long to make, and is nothing that others wait for', async () => {
    const { api, url, page } = await space('Endless');
    await page({ title: 'Home', document: { markdown: 'Words' } });
    const limit = jest.replaceProperty(PAINT_PDF, 'seconds', 0.001);
    try {
      const address = await addressOf(api, url);
      await app.current.get(Jobs).drain();
      const failed = await fetch(address);
      expect([failed.status, await failed.json()]).toEqual([
        409,
        { error: { code: 409, message: 'The PDF could not be made: it takes more than 0.001 seconds to process' } },
      ]);
    } finally {
      limit.restore();
    }
    const other = await space('Short');
    await other.page({ title: 'Elsewhere', document: { markdown: 'Words' } });
    expect(all(await pdfOf(other.api, other.url))).toContain('Elsewhere');
  });

  it('is no longer painted once its job is lost, and fails with what it cannot be told', async () => {
    const painter = app.current.get(PdfPainter);
    const book = {
      title: 'Book',
      language: null,
      madeAt: new Date(0),
      chapters: [{ id: 'a', title: 'A', level: 0, kind: 'page' as const }],
      hasFront: true,
    };
    const outcome = (painting: Painting): Promise<unknown[]> =>
      Promise.all(
        [painting.sheets, buffer(painting.stream)].map((part) =>
          part.then(
            () => 'done',
            (error: unknown) => (error as Error).message,
          ),
        ),
      );
    const lost = new AbortController();
    const painting = painter.paint(
      { book, footer: '' },
      () => new Promise(() => setTimeout(() => lost.abort(new Error('another server has the job')), 20)),
      { signal: lost.signal },
    );
    expect(await outcome(painting)).toEqual(['another server has the job', 'another server has the job']);
    const failing = painter.paint({ book, footer: '' }, () => Promise.reject(new Error('the database is gone')), {});
    expect(await outcome(failing)).toEqual(['the database is gone', 'the database is gone']);
    const whole = painter.paint(
      { book, footer: '' },
      () => Promise.resolve(chapterFacts(JSON.stringify(document([paragraph(plain('words'))])), NOTHING, [])),
      {},
    );
    expect(await outcome(whole)).toEqual(['done', 'done']);
    expect(await whole.sheets).toBe(3);
  });

  it('is refused while too many PDFs of a space wait', async () => {
    const { api, url, page } = await space('Flood');
    const pages: string[] = [];
    for (let index = 0; index < 22; index++) pages.push(await page({ title: `Page ${index}` }));
    const answers: number[] = [];
    for (const each of pages) answers.push((await api.get(`${url}/pdf`, { query: { page: each } })).status);
    expect(answers).toEqual([...Array.from({ length: 20 }, () => 200), 429, 429]);
    await app.current.get(Jobs).drain();
    expect((await api.get(`${url}/pdf`, { query: { page: pages[21] ?? '' } })).status).toBe(200);
    await app.current.get(Jobs).drain();
  });

  it('goes with what nobody asks for any more', async () => {
    const { api, url, page } = await space('Stale');
    await page({ title: 'Home', document: { markdown: 'Words' } });
    const address = await addressOf(api, url);
    await app.current.get(Jobs).drain();
    await bytesAt(address);
    const rows = () =>
      app.current.database.query(`SELECT 1 FROM pdf_rendering WHERE space_id = $1`, [url.slice('/spaces/'.length)]);
    await app.current.get(Jobs).enqueue('pdf.remove-stale', {});
    await app.current.get(Jobs).drain();
    expect(await rows()).toHaveLength(1);
    app.current.setTime(new Date(Date.now() + 25 * 3600_000));
    try {
      await app.current.get(Jobs).enqueue('pdf.remove-stale', {});
      await app.current.get(Jobs).drain();
      expect(await rows()).toHaveLength(0);
    } finally {
      app.current.setTime(undefined);
    }
  });
});

/** A PNG with this header and these compressed pixels, however wrong. */
function png(width: number, height: number, type: number, data: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, type, 0, 0, 0], 8);
  const chunk = (name: string, content: Buffer): Buffer => {
    const bytes = Buffer.alloc(content.length + 12);
    bytes.writeUInt32BE(content.length, 0);
    bytes.write(name, 4, 'latin1');
    content.copy(bytes, 8);
    bytes.writeUInt32BE(crc32(bytes.subarray(4, content.length + 8)), content.length + 8);
    return bytes;
  };
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
