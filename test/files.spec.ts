import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Addresses } from '../src/kernel/common/addresses.js';
import { PublicListener } from '../src/kernel/platform/public-listener.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';

/** Loopback has one open address, which stands for the public internet. */
const app = useApp({ OUTBOUND_ALLOW: '127.0.0.1' });

interface File {
  id: string;
  name: string;
  contentType: string;
  downloadURL: string;
  size: number;
  dimensions?: { width: number; height: number };
}

let origin: string;
let source: string;
let answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end();
const server = createServer((request, response) => answer(request, response));

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  source = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  origin = `http://localhost:${await app.current.get(PublicListener).listen()}`;
  app.current.get(Addresses).announce(app.current.url, origin);
});
afterAll(async () => {
  server.close();
  await app.current.get(PublicListener).beforeApplicationShutdown();
});

async function space() {
  const { id, admin } = await buildOrganization(app.current);
  const made = await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, {
    title: 'Files',
    empty: true,
    editMode: 'live',
  });
  const url = `/spaces/${made.body.id}`;
  const send = (...files: object[]) =>
    admin.api.post<{
      insertedFiles: File[];
      error?: { message: string; details: { path: string; message: string }[] };
    }>(`${url}/content`, { changes: [{ operation: 'insert_files', files }] });
  const insert = async (...files: object[]): Promise<File[]> => {
    const { status, body } = await send(...files);
    expect([status, body]).toEqual([200, body]);
    return body.insertedFiles;
  };
  return { api: admin.api, url, send, insert };
}

const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)));
const box = (type: string, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + 8);
  return Buffer.concat([length, Buffer.from(type), body]);
};

/** The beginning of a picture of each kind, 300 by 200 pixels; nothing of it is ever decoded. */
const PICTURES: Readonly<Record<string, Buffer>> = {
  'image/png': bytes(
    [0x89],
    'PNG\r\n',
    [0x1a, 0x0a, 0, 0, 0, 13],
    'IHDR',
    [0, 0, 1, 44, 0, 0, 0, 200, 8, 2, 0, 0, 0, 0, 0, 0, 0],
  ),
  'image/jpeg': bytes(
    [0xff, 0xd8, 0xff, 0xe0, 0, 16],
    'JFIF',
    [
      0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0xff, 0xc0, 0, 17, 8, 0, 200, 1, 44, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1, 0xff,
      0xd9,
    ],
  ),
  'image/gif': bytes('GIF89a', [44, 1, 200, 0, 0, 0, 0, 0x3b]),
  'image/webp': bytes(
    'RIFF',
    [30, 0, 0, 0],
    'WEBPVP8X',
    [10, 0, 0, 0, 0, 0, 0, 0, 43, 1, 0, 199, 0, 0],
    'VP8 ',
    [0, 0, 0, 0],
  ),
  'image/svg+xml': Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200"><script>alert(1)</script></svg>',
  ),
  'image/avif': Buffer.concat([
    box('ftyp', bytes('avif', [0, 0, 0, 0], 'avifmif1')),
    box(
      'meta',
      bytes([0, 0, 0, 0]),
      box('iprp', box('ipco', box('ispe', bytes([0, 0, 0, 0, 0, 0, 1, 44, 0, 0, 0, 200])))),
    ),
  ]),
};

describe('3b-28 files of a space', () => {
  it('are what their bytes are, with the dimensions of pictures, by address and in base64', async () => {
    const { insert } = await space();
    const kinds = Object.entries(PICTURES);
    answer = (request, response) =>
      void response
        .writeHead(200, { 'Content-Type': 'text/plain' })
        .end(PICTURES[decodeURIComponent(request.url ?? '').slice(1)] ?? '');
    const fetched = await insert(
      ...kinds.map(([type]) => ({ name: 'picture', url: `${source}/${encodeURIComponent(type)}` })),
    );
    expect(fetched.map(({ contentType, dimensions }) => [contentType, dimensions])).toEqual(
      kinds.map(([type]) => [type, { width: 300, height: 200 }]),
    );
    const given = await insert(
      ...kinds.map(([contentType, picture]) => ({ name: 'picture', contentType, base64: picture.toString('base64') })),
    );
    expect(given.map(({ contentType, dimensions, size }) => [contentType, dimensions, size])).toEqual(
      kinds.map(([type, picture]) => [type, { width: 300, height: 200 }, picture.length]),
    );
  });

  it('claim what dimensions they like at no cost', async () => {
    const { insert } = await space();
    const flood = Buffer.from(PICTURES['image/png'] ?? '');
    flood.writeUInt32BE(900_000, 16);
    flood.writeUInt32BE(900_000, 20);
    const beyond = Buffer.from(flood);
    beyond.writeUInt32BE(0xffffffff, 16);
    const before = process.memoryUsage().rss;
    const files = await insert(
      ...[flood, beyond].map((picture) => ({
        name: 'flood.png',
        contentType: 'image/png',
        base64: picture.toString('base64'),
      })),
    );
    expect(files.map(({ dimensions }) => dimensions)).toEqual([{ width: 900_000, height: 900_000 }, undefined]);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 ** 2);
  });

  it('are uploaded as the body of a request, to a space and to a change request, also in the place of another', async () => {
    const { api, url } = await space();
    const made = await api.post<{ id: string }>(`${url}/change-requests`, { subject: 'Files' });
    const request = `${url}/change-requests/${made.body.id}`;
    const large = Buffer.alloc(3 * 1024 ** 2, 'large');
    const picture = PICTURES['image/png'] ?? Buffer.of();
    for (const place of [url, request]) {
      const upload = (raw: Buffer, type: string, query: Record<string, string>) =>
        api.post<{ insertedFiles?: File[] }>(`${place}/content/files`, undefined, {
          raw,
          query,
          headers: { 'Content-Type': type },
        });
      const list = () => api.get<{ items: File[] }>(`${place}/content/files`);
      expect((await list()).body.items.filter(({ name }) => name === 'large.txt' && place === url)).toEqual([]);
      const inserted = await upload(large, 'text/plain; charset=utf-8', { name: 'large.txt' });
      expect(inserted.status).toBe(201);
      const [file] = inserted.body.insertedFiles ?? [];
      expect((await list()).body.items.map(({ id }) => id)).toContain(file?.id);
      expect(file).toMatchObject({ name: 'large.txt', contentType: 'text/plain', size: large.length });
      const replaced = await upload(picture, 'application/octet-stream', { name: 'other.png', file: file?.id ?? '' });
      expect([replaced.status, replaced.body.insertedFiles]).toEqual([201, undefined]);
      const now = (await api.get<File>(`${place}/content/files/${file?.id ?? ''}`)).body;
      expect(now).toMatchObject({ name: 'large.txt', contentType: 'image/png', size: picture.length });
      expect((await upload(picture, 'image/png', {})).status).toBe(400);
      expect((await upload(picture, 'image/png', { name: 'a.png', file: 'AbCdEfGh0123456789Xy' })).status).toBe(400);
    }
    const beyond = await api.post(`${url}/content/files`, undefined, {
      raw: Buffer.alloc(100 * 1024 ** 2 + 1),
      query: { name: 'beyond.bin' },
    });
    expect(beyond.status).toBe(413);
    expect((await api.post(`${url}x/content/files`, undefined, { raw: picture, query: { name: 'a' } })).status).toBe(
      404,
    );
    await api.patch(url, { editMode: 'locked' });
    const locked = await api.post(`${url}/content/files`, undefined, { raw: picture, query: { name: 'a.png' } });
    expect(locked.status).toBe(409);
  });

  it('are stored once for the same bytes, and each keeps its name', async () => {
    const [one, other] = [await space(), await space()];
    const file = { contentType: 'text/plain', base64: Buffer.from('The same bytes').toString('base64') };
    const files = [
      ...(await one.insert({ name: 'a.txt', ...file }, { name: 'b.txt', ...file })),
      ...(await other.insert({ name: 'c.txt', ...file })),
    ];
    const rows = await app.current.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM blob WHERE hash = sha256('The same bytes')`,
    );
    expect([rows, new Set(files.map(({ id }) => id)).size]).toEqual([[{ count: 1 }], 3]);
    for (const { downloadURL, name } of files) {
      const response = await fetch(downloadURL);
      expect([response.status, await response.text(), response.headers.get('content-disposition')]).toEqual([
        200,
        'The same bytes',
        expect.stringContaining(name),
      ]);
    }
  });

  it('are listed in one answer that callers may keep until a file changes', async () => {
    const { api, url, insert } = await space();
    const file = { contentType: 'text/plain', base64: Buffer.from('A').toString('base64') };
    await insert({ name: 'b.txt', ...file });
    const read = (headers: Record<string, string> = {}) =>
      api.get<{ items: File[]; count: number }>(`${url}/content/files?limit=1`, { headers });
    const first = await read();
    const kept = { 'If-None-Match': first.headers.get('etag') ?? '' };
    expect([first.body.items[0]?.name, first.body.count, (await read(kept)).status]).toEqual(['b.txt', 1, 304]);
    await insert({ name: 'c.txt', ...file });
    const changed = await read(kept);
    expect([changed.status, changed.body.items[0]?.name, changed.body.count]).toEqual([200, 'c.txt', 2]);
  });

  it('are handed out by an address that is signed for one file and its bytes', async () => {
    const { api, url, insert } = await space();
    const [file] = await insert({
      name: 'notes.txt',
      contentType: 'text/plain',
      base64: Buffer.from('0123456789').toString('base64'),
    });
    const address = file?.downloadURL ?? '';
    expect(address.startsWith(`${origin}/~files/${file?.id ?? ''}/notes.txt?`)).toBe(true);
    const whole = await fetch(address);
    expect([whole.status, await whole.text()]).toEqual([200, '0123456789']);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^default-src 'none';.*sandbox$/),
      'accept-ranges': 'bytes',
    });
    const part = await fetch(address, { headers: { Range: 'bytes=-3' } });
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, '789', 'bytes 7-9/10']);
    const head = await fetch(address, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
    expect((await fetch(address, { method: 'POST' })).status).toBe(405);
    const foreign = await space();
    const [theirs] = await foreign.insert({
      name: 'theirs.txt',
      contentType: 'text/plain',
      base64: Buffer.from('secret').toString('base64'),
    });
    for (const changed of [
      address.replace(file?.id ?? '', theirs?.id ?? ''),
      address.replace(/signature=./, (mark) => (mark.endsWith('_') ? 'signature=a' : 'signature=_')),
      address.replace(/expires=\d/, 'expires=9'),
      `${address}x`,
    ]) {
      expect((await fetch(changed)).status).toBe(403);
    }
    expect((await fetch(address.replace(/\?.*/, ''))).status).toBe(404);
    expect((await foreign.api.get(`${url}/content/files/${file?.id ?? ''}`)).status).toBe(404);
    // Old bytes keep their address; the address of the file is that of the new ones.
    await api.post(`${url}/content`, {
      changes: [
        {
          operation: 'update_file',
          file: file?.id,
          contentType: 'text/plain',
          base64: Buffer.from('new').toString('base64'),
        },
      ],
    });
    const now = (await api.get<File>(`${url}/content/files/${file?.id ?? ''}`)).body.downloadURL;
    expect([await (await fetch(address)).text(), await (await fetch(now)).text()]).toEqual(['0123456789', 'new']);
    app.current.setTime(new Date(Date.now() + 26 * 3_600_000));
    try {
      expect((await fetch(now)).status).toBe(403);
      expect(
        (await fetch((await api.get<File>(`${url}/content/files/${file?.id ?? ''}`)).body.downloadURL)).status,
      ).toBe(200);
    } finally {
      app.current.setTime(undefined);
    }
    await api.delete(url);
    expect((await fetch(now)).status).toBe(404);
  });

  it('have any name, which cannot break out of a header or a path', async () => {
    const { insert } = await space();
    const names = [
      'a\r\nSet-Cookie: x=1.txt',
      '"; filename=evil.html',
      '../../etc/passwd',
      'ünïcödé 文.txt',
      'a/b\\c?d#e%2f.txt',
      '\u202Etxt.exe',
      "it's (1)*.txt",
      '.',
    ];
    const files = await insert(
      ...names.map((name) => ({ name, contentType: 'text/plain', base64: Buffer.from('x').toString('base64') })),
    );
    expect(files.map(({ name }) => name)).toEqual(names);
    for (const { downloadURL, name } of files) {
      const response = await fetch(downloadURL);
      const disposition = response.headers.get('content-disposition') ?? '';
      expect([
        name,
        response.status,
        response.headers.get('set-cookie'),
        /^inline; filename="[^"\\]*"; filename\*=UTF-8''[\w%.~!-]*$/.test(disposition),
      ]).toEqual([name, 200, null, true]);
      expect(decodeURIComponent(disposition.split("UTF-8''")[1] ?? '')).toBe(name);
    }
  });

  it('that a browser could run are never run', async () => {
    const { insert } = await space();
    const types = [
      'text/html',
      'image/svg+xml',
      'application/xhtml+xml',
      'text/xml',
      'application/javascript',
      'text/javascript',
      'application/x-shockwave-flash',
      'multipart/related',
      'text/HTML',
    ];
    const files = await insert(
      ...types.map((contentType) => ({
        name: 'page',
        contentType,
        base64: Buffer.from('<script>alert(1)</script>').toString('base64'),
      })),
    );
    for (const { downloadURL } of files) {
      const response = await fetch(downloadURL);
      expect([
        response.headers.get('content-disposition')?.split(';')[0],
        response.headers.get('x-content-type-options'),
        response.headers.get('content-security-policy'),
      ]).toEqual(['attachment', 'nosniff', expect.stringMatching(/sandbox$/)]);
    }
  });

  it('are what their bytes are where their sender calls them a picture or a page, and else what the sender says', async () => {
    const { api, url, insert } = await space();
    const png = PICTURES['image/png'] ?? Buffer.of();
    const svg = PICTURES['image/svg+xml'] ?? Buffer.of();
    const cases: readonly [claimed: string, content: Buffer | string, type: string][] = [
      ['image/png', '<script>alert(1)</script>', 'text/html'],
      ['image/png', PICTURES['image/gif'] ?? '', 'image/gif'],
      ['image/png', 'only words', 'text/plain'],
      ['image/jpg', PICTURES['image/jpeg'] ?? '', 'image/jpeg'],
      ['image/svg+xml', '<?xml version="1.0"?><feed/>', 'application/xml'],
      ['image/svg+xml', svg, 'image/svg+xml'],
      ['text/html', png, 'image/png'],
      ['text/javascript', Buffer.from([0, 1, 2, 3]), 'application/octet-stream'],
      ['application/pdf', '<!doctype html><title>a</title>', 'text/html'],
      ['text/plain', svg, 'image/svg+xml'],
      ['text/markdown', '# A heading\n', 'text/markdown'],
      ['text/html', '<p>A part of a page</p>', 'text/html'],
      ['application/atom+xml', '<?xml version="1.0"?><feed/>', 'application/atom+xml'],
      ['application/x-own', Buffer.from([0, 1, 2, 3]), 'application/x-own'],
      ['image/x-tga', Buffer.from([0, 1, 2, 3]), 'image/x-tga'],
    ];
    const contents = cases.map(([, content]) => Buffer.from(content));
    answer = (request, response) => void response.end(contents[Number(request.url?.slice(1))]);
    const given = await insert(
      ...cases.map(([contentType], at) => ({ name: 'a.html', contentType, base64: contents[at]?.toString('base64') })),
    );
    const fetched = await insert(
      ...cases.map(([contentType], at) => ({ name: 'a.html', contentType, url: `${source}/${at}` })),
    );
    for (const files of [given, fetched])
      expect(files.map(({ contentType }, at) => [cases[at]?.[0], contentType])).toEqual(
        cases.map(([claimed, , type]) => [claimed, type]),
      );
    const served = await fetch(given[0]?.downloadURL ?? '');
    expect([served.headers.get('content-type'), served.headers.get('content-disposition')?.split(';')[0]]).toEqual([
      'text/html; charset=utf-8',
      'attachment',
    ]);
    await api.post(`${url}/content`, {
      changes: [
        { operation: 'update_file', file: given[10]?.id, contentType: 'text/markdown', base64: png.toString('base64') },
      ],
    });
    expect((await api.get<File>(`${url}/content/files/${given[10]?.id ?? ''}`)).body).toMatchObject({
      contentType: 'image/png',
      dimensions: { width: 300, height: 200 },
    });
  });
});

describe('3b-22 files by address', () => {
  it.each([
    'http://127.0.0.2/',
    'http://127.2/',
    'http://2130706434/',
    'http://0x7f.2/',
    'http://017700000002/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.2]/',
    'http://0.0.0.0/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.0.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://[64:ff9b::7f00:2]/',
    'http://user:secret@127.0.0.1/',
    'http://127.0.0.1@127.0.0.2/',
  ])('never come from %s', async (url) => {
    const { send } = await space();
    const { status, body } = await send({ name: 'a', url });
    expect([status, body.error?.details[0]?.path]).toEqual([400, 'changes.0.files.0.url']);
    expect(JSON.stringify(body)).not.toMatch(/ECONN|meta-data|127\.0\.0\.2/);
  });

  it.each([
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'ftp://127.0.0.1/a',
    'data:text/plain,x',
    '//127.0.0.1/',
    'javascript:0',
    'nonsense',
    '',
  ])('need http or https, not %s', async (url) => {
    const { send } = await space();
    expect((await send({ name: 'a', url })).body.error).toMatchObject({
      code: 400,
      details: [{ path: 'changes.0.files.0.url', message: 'must be an http or https address' }],
    });
  });

  it.each(['http://127.0.0.2/', 'http://10.0.0.1/', 'http://[::1]/', 'file:///etc/passwd', 'http://169.254.169.254/'])(
    'are not led to %s by a redirect',
    async (location) => {
      const { send } = await space();
      answer = (_, response) => void response.writeHead(302, { Location: location }).end('a body that nobody sees');
      const { status, body } = await send({ name: 'a', url: source });
      expect([status, body.error?.details[0]?.path]).toEqual([400, 'changes.0.files.0.url']);
      expect(JSON.stringify(body)).not.toContain('nobody');
    },
  );

  it('follow three redirects, send nothing of ours, and show nothing of a failed answer', async () => {
    const { send, insert, api, url } = await space();
    const headers: IncomingMessage['headers'][] = [];
    answer = (request, response) => {
      headers.push(request.headers);
      const left = Number(request.url?.slice(1));
      if (left > 0) response.writeHead(302, { Location: `/${left - 1}` }).end();
      else response.end('arrived');
    };
    expect(await insert({ name: 'a.txt', url: `${source}/3` })).toMatchObject([{ size: 7, contentType: 'text/plain' }]);
    for (const each of headers)
      expect(Object.keys(each)).not.toEqual(expect.arrayContaining(['authorization', 'cookie']));
    expect((await send({ name: 'a', url: `${source}/4` })).status).toBe(400);
    answer = (_, response) => void response.writeHead(500).end('inner detail');
    const failed = await send({ name: 'a', url: source });
    expect([failed.status, JSON.stringify(failed.body)]).toEqual([400, expect.not.stringContaining('inner detail')]);
    answer = (_, response) => void response.writeHead(200, { 'Content-Length': 200 * 1024 ** 2 }).write('x');
    expect([400, 413]).toContain((await send({ name: 'a', url: source })).status);
    answer = (_, response) => void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('no gzip');
    expect((await send({ name: 'a', url: source })).status).toBe(400);
    expect((await api.get<{ count: number }>(`${url}/content/files`)).body.count).toBe(1);
  });
});
