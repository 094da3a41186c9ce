import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { deflateSync } from 'node:zlib';
import S3rver from 's3rver';
import { Addresses } from '../src/kernel/common/addresses.js';
import { Database } from '../src/kernel/common/database.js';
import { Secrets } from '../src/kernel/common/secrets.js';
import { loadConfig } from '../src/config.js';
import { Listeners } from '../src/kernel/platform/http/listeners.js';
import { PublicListener } from '../src/kernel/platform/public-listener.js';
import { Blobs } from '../src/kernel/platform/storage/blobs.js';
import { FileEndpoint } from '../src/kernel/platform/storage/file-endpoint.js';
import type { ServedFile } from '../src/kernel/platform/storage/served-file.js';
import { blobKey, FileStorage } from '../src/kernel/platform/storage/file-storage.js';
import { FileGate } from '../src/kernel/platform/storage/file-gate.js';
import { FileStandIns } from '../src/kernel/platform/storage/file-stand-ins.js';
import { FileUrls, hourBucket } from '../src/kernel/platform/storage/file-urls.js';
import { LocalStorage } from '../src/kernel/platform/storage/local-storage.js';
import { rangeOf } from '../src/kernel/platform/storage/byte-range.js';
import { S3Storage } from '../src/kernel/platform/storage/s3-storage.js';
import { dimensionsOf, sniffType } from '../src/kernel/platform/storage/media-type-sniffing.js';
import { createLog } from '../src/kernel/platform/telemetry/logger.js';
import { TestApp } from './app.js';
import { scratchDatabase, type ScratchDatabase } from './scratch-database.js';
import { SetClock } from './set-clock.js';

const HOUR = 3600 * 1000;
let folder: string;
let s3: S3rver;
let s3Storage: S3Storage;
let local: LocalStorage;
let scratch: ScratchDatabase;
let database: Database;

beforeAll(async () => {
  Logger.overrideLogger(false);
  folder = await mkdtemp(join(tmpdir(), 'bindery-storage-'));
  s3 = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: join(folder, 's3'),
    configureBuckets: [{ name: 'files', configs: [] }],
  });
  const { port } = await s3.run();
  s3Storage = new S3Storage({
    s3Endpoint: `http://127.0.0.1:${port}`,
    s3Region: 'us-east-1',
    s3Bucket: 'files',
    s3AccessKeyId: 'S3RVER',
    s3SecretAccessKey: 'S3RVER',
    s3ForcePathStyle: true,
  });
  local = new LocalStorage(join(folder, 'local'));
  scratch = await scratchDatabase();
  database = new Database(scratch.source);
});
afterAll(async () => {
  s3Storage.close();
  await s3.close();
  await scratch.drop();
  await rm(folder, { recursive: true, force: true });
});

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const read = async (storage: FileStorage, hash: string, range?: { first: number; last: number }): Promise<Buffer> =>
  buffer(await storage.get(hash, range));

describe.each(['local', 's3'] as const)('%s storage', (kind) => {
  const storage = (): FileStorage => (kind === 'local' ? local : s3Storage);

  it('keeps buffers and streams under their hash', async () => {
    const bytes = randomBytes(3 * 1024 * 1024 + 17);
    const expected = { hash: sha256(bytes), size: bytes.length };
    expect(await storage().has(expected.hash)).toBe(false);
    expect(await storage().put(Readable.from([bytes.subarray(0, 1000), bytes.subarray(1000)]))).toEqual(expected);
    expect(await storage().put(bytes)).toEqual(expected);
    expect(await storage().has(expected.hash)).toBe(true);
    expect((await read(storage(), expected.hash)).equals(bytes)).toBe(true);
  });

  it('reads parts', async () => {
    const { hash } = await storage().put(Buffer.from('0123456789'));
    expect((await read(storage(), hash, { first: 2, last: 4 })).toString()).toBe('234');
    expect((await read(storage(), hash, { first: 9, last: 9 })).toString()).toBe('9');
  });

  it('keeps the empty file', async () => {
    const { hash, size } = await storage().put(Buffer.alloc(0));
    expect([hash, size]).toEqual([sha256(Buffer.alloc(0)), 0]);
    expect(await read(storage(), hash)).toHaveLength(0);
  });

  it('removes, also what is not there', async () => {
    const { hash } = await storage().put(randomBytes(100));
    await storage().remove(hash);
    await storage().remove(hash);
    expect(await storage().has(hash)).toBe(false);
    await expect(storage().get(hash)).rejects.toMatchObject({ code: 'notFound' });
  });

  it('lists what it keeps', async () => {
    const { hash } = await storage().put(randomBytes(100));
    const listed = new Map<string, { size: number; modifiedAt: Date }>();
    for await (const blob of storage().list()) listed.set(blob.hash, blob);
    expect(listed.get(hash)?.size).toBe(100);
    expect(Math.abs((listed.get(hash)?.modifiedAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  it('stops at the limit, drops broken streams, and leaves nothing behind', async () => {
    await expect(storage().put(Readable.from([randomBytes(600), randomBytes(600)]), 1000)).rejects.toMatchObject({
      code: 'tooLarge',
    });
    const broken = new Readable({ read: () => undefined });
    broken.push(randomBytes(10));
    setTimeout(() => broken.destroy(new Error('connection lost')), 20);
    await expect(storage().put(broken)).rejects.toThrow('connection lost');
    const brokenBefore = new Readable({ read: () => undefined });
    const put = storage().put(brokenBefore);
    brokenBefore.destroy(new Error('connection lost'));
    await expect(put).rejects.toThrow('connection lost');
    const spooled = await storage().spool(randomBytes(10));
    await storage().discard(spooled);
    await expect(stat(spooled.path)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await readdir(join(spooled.path, '..'))).toEqual([]);
  });

  it('takes the same bytes from many at once', async () => {
    const bytes = randomBytes(200_000);
    const results = await Promise.all(Array.from({ length: 12 }, () => storage().put(Readable.from([bytes]))));
    expect(new Set(results.map((each) => each.hash)).size).toBe(1);
    expect((await read(storage(), sha256(bytes))).equals(bytes)).toBe(true);
  });

  it('makes a path of hashes only', async () => {
    for (const text of ['../../etc/passwd', 'A'.repeat(64), '', `${'a'.repeat(63)}/`])
      await expect(storage().has(text)).rejects.toThrow(RangeError);
  });
});

const unwatched = { follow: () => undefined };

describe('kinds of files', () => {
  const png = (width: number, height: number): Buffer => {
    const chunk = (type: string, data: Buffer): Buffer => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(data.length);
      return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
    };
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    header.set([8, 2, 0, 0, 0], 8);
    return Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(Buffer.alloc(10))),
      chunk('IEND', Buffer.alloc(0)),
    ]);
  };
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30.4"></svg>';

  it.each([
    ['photo.txt', png(2, 3), 'image/png'],
    ['a.png', Buffer.from(svg), 'image/svg+xml'],
    ['a.txt', Buffer.from(`\uFEFF <?xml version="1.0"?>\n<!-- a --><!DOCTYPE svg>\n${svg}`), 'image/svg+xml'],
    ['a.png', Buffer.from('<s:svg xmlns:s="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'],
    ['a.png', Buffer.from('<!-- x -->\n<!DOCTYPE html><p>'), 'text/html'],
    ['a.jpg', Buffer.from('  <script>alert(1)</script>'), 'text/html'],
    ['readme.md', Buffer.from('# Title'), 'text/markdown'],
    ['data.json', Buffer.from('{}'), 'application/json'],
    ['LICENSE', Buffer.from('Täxt'), 'text/plain'],
    ['a.pdf', Buffer.from('%PDF-1.7\n'), 'application/pdf'],
    ['a.txt', Buffer.from([1, 2, 3, 0, 255]), 'application/octet-stream'],
    ['a.html', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10]), 'image/jpeg'],
    ['empty', Buffer.alloc(0), 'text/plain'],
  ])('%s', async (name, bytes, type) => {
    expect(await sniffType(bytes, name)).toBe(type);
  });

  it('reads dimensions without decoding', () => {
    expect(dimensionsOf(png(640, 480), 'image/png')).toEqual({ width: 640, height: 480 });
    expect(dimensionsOf(Buffer.from(svg), 'image/svg+xml')).toEqual({ width: 40, height: 30 });
    expect(dimensionsOf(png(2 ** 31, 2 ** 31), 'image/png')).toBeUndefined();
    expect(dimensionsOf(png(60_000, 60_000), 'image/png')).toEqual({ width: 60_000, height: 60_000 });
    expect(dimensionsOf(Buffer.from('garbage'), 'image/png')).toBeUndefined();
    expect(dimensionsOf(png(640, 480), 'text/plain')).toBeUndefined();
  });
});

describe('ranges', () => {
  it.each([
    [undefined, undefined],
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=5-', { first: 5, last: 9 }],
    ['bytes=5-99', { first: 5, last: 9 }],
    ['bytes=-3', { first: 7, last: 9 }],
    ['bytes=-99', { first: 0, last: 9 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=3-1', undefined],
    ['bytes=0-1,3-4', undefined],
    ['pages=1-2', undefined],
    ['bytes=-', undefined],
  ])('%s of ten bytes', (header, expected) => expect(rangeOf(header, 10)).toEqual(expected));
});

describe('record of blobs', () => {
  const build = async (name: string) => {
    const clock = new SetClock(Date.now());
    const storage = new LocalStorage(join(folder, name));
    const blobs = new Blobs(database, clock, storage);
    await database.execute('DELETE FROM blob');
    await database.execute(`CREATE TABLE IF NOT EXISTS attachment (hash bytea, kind text)`);
    await database.execute('DELETE FROM attachment');
    return { clock, storage, blobs };
  };
  const attach = (hash: string, kind = 'file') =>
    database.execute(`INSERT INTO attachment VALUES (decode($1, 'hex'), $2)`, [hash, kind]);

  it('removes nothing while nobody has said what refers to files', async () => {
    const { blobs, storage, clock } = await build('undeclared');
    const { hash } = await blobs.store(Buffer.from('kept'), { name: 'a.txt' });
    clock.advance(1000 * HOUR);
    await expect(blobs.removeUnreferenced()).rejects.toThrow(/no column refers/);
    expect(await storage.has(hash)).toBe(true);
  });

  it('tells what was stored', async () => {
    const { blobs } = await build('kinds');
    expect(await blobs.store(Buffer.from('<svg width="4" height="5"/>'), { name: 'x.png' })).toEqual({
      hash: sha256(Buffer.from('<svg width="4" height="5"/>')),
      size: 27,
      contentType: 'image/svg+xml',
      width: 4,
      height: 5,
    });
    await expect(blobs.store(randomBytes(20), { name: 'x', maxBytes: 10 })).rejects.toMatchObject({ code: 'tooLarge' });
  });

  it('removes 48 hours after the upload or the last reference, not before', async () => {
    const { blobs, storage, clock } = await build('grace');
    blobs.refer({ table: 'attachment', column: 'hash', where: `kind = 'file'` });
    const [used, unused, other] = await Promise.all(
      ['used', 'unused', 'other'].map((text) =>
        blobs.store(Buffer.from(text), { name: text }).then((each) => each.hash),
      ),
    );
    if (!used || !unused || !other) throw new Error('three files were stored');
    await attach(used);
    await attach(other, 'page');
    clock.advance(48 * HOUR);
    expect(await blobs.removeUnreferenced()).toBe(0);
    clock.advance(1);
    expect(await blobs.removeUnreferenced()).toBe(2);
    expect([await storage.has(used), await storage.has(unused), await storage.has(other)]).toEqual([
      true,
      false,
      false,
    ]);
    clock.advance(1000 * HOUR);
    expect(await blobs.removeUnreferenced()).toBe(0);
    await database.execute('DELETE FROM attachment');
    expect(await blobs.removeUnreferenced()).toBe(0);
    clock.advance(48 * HOUR + 1);
    expect(await blobs.removeUnreferenced()).toBe(1);
    expect(await storage.has(used)).toBe(false);
    expect(await database.query('SELECT * FROM blob')).toEqual([]);
  });

  it('finds foreign keys by itself and gives an upload of known bytes new time', async () => {
    const { blobs, storage, clock } = await build('keys');
    blobs.refer({ table: 'attachment', column: 'hash' });
    await database.execute('CREATE TABLE logo (image bytea REFERENCES blob)');
    const first = await blobs.store(Buffer.from('logo'), { name: 'logo' });
    const second = await blobs.store(Buffer.from('later'), { name: 'later' });
    await database.execute(`INSERT INTO logo VALUES (decode($1, 'hex'))`, [first.hash]);
    clock.advance(49 * HOUR);
    await blobs.store(Buffer.from('later'), { name: 'again' });
    expect(await blobs.removeUnreferenced()).toBe(0);
    clock.advance(49 * HOUR);
    expect(await blobs.removeUnreferenced()).toBe(1);
    expect([await storage.has(first.hash), await storage.has(second.hash)]).toEqual([true, false]);
    await database.execute('DROP TABLE logo');
  });

  it('removes what was being received when a server died', async () => {
    const { blobs, storage } = await build('leftovers');
    blobs.refer({ table: 'attachment', column: 'hash' });
    const { path } = await storage.spool(Buffer.from('half'));
    await blobs.removeUnreferenced();
    expect((await stat(path)).size).toBe(4);
    const long = new Date(Date.now() - 49 * HOUR);
    await utimes(path, long, long);
    await blobs.removeUnreferenced();
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('removes bytes whose upload was rolled back', async () => {
    const { blobs, storage, clock } = await build('strays');
    blobs.refer({ table: 'attachment', column: 'hash' });
    const bytes = Buffer.from('rolled back');
    const upload = database.transaction(async () => {
      await blobs.store(bytes, { name: 'a' });
      throw new Error('refused');
    });
    await expect(upload).rejects.toThrow('refused');
    expect(await database.query('SELECT * FROM blob')).toEqual([]);
    expect(await storage.has(sha256(bytes))).toBe(true);
    const modified = new Date(clock.now().getTime() - 49 * HOUR);
    await utimes(join(folder, 'strays', blobKey(sha256(bytes))), modified, modified);
    expect(await blobs.removeUnreferenced()).toBe(1);
    expect(await storage.has(sha256(bytes))).toBe(false);
  });

  it('never removes bytes that are uploaded meanwhile', async () => {
    const { blobs, storage, clock } = await build('race');
    blobs.refer({ table: 'attachment', column: 'hash' });
    const bytes = Buffer.from('raced');
    for (let round = 0; round < 25; round++) {
      await blobs.store(bytes, { name: 'a' });
      clock.advance(49 * HOUR);
      const [stored] = await Promise.all([
        database.transaction(async () => {
          const file = await blobs.store(bytes, { name: 'a' });
          await attach(file.hash);
          return file;
        }),
        blobs.removeUnreferenced(),
        blobs.removeUnreferenced(),
      ]);
      expect(await storage.has(stored.hash)).toBe(true);
      expect(await database.query('SELECT size FROM blob')).toEqual([{ size: '5' }]);
      await database.execute('DELETE FROM attachment');
    }
  });
});

/** Images as they are. */
const unconverted: ConstructorParameters<typeof FileEndpoint>[5] = {
  of: (_, file) => Promise.resolve({ file, isProvisional: false }),
};

describe('a storage of S3', () => {
  it('is asked where and as whom the settings say', async () => {
    const asked: { path: string; authorization: string }[] = [];
    const server = createServer((request, response) => {
      asked.push({ path: request.url ?? '', authorization: request.headers.authorization ?? '' });
      request.resume().on('end', () => response.end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const environment = {
      FILES_STORAGE: 's3',
      S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      S3_REGION: 'eu-test-7',
      S3_BUCKET: 'handbook',
      S3_ACCESS_KEY_ID: 'KEYOFBINDERY',
      S3_SECRET_ACCESS_KEY: 'secret',
      S3_FORCE_PATH_STYLE: 'true',
    };
    const app = await TestApp.start(environment, scratch.url);
    const { hash } = await app.nest.get(FileStorage).put(Buffer.from('bytes'));
    await app.close();
    server.close();
    expect(asked.at(-1)).toMatchObject({
      path: expect.stringMatching(new RegExp(`^/handbook/${blobKey(hash)}`)),
      authorization: expect.stringMatching(/Credential=KEYOFBINDERY\/\d{8}\/eu-test-7\/s3\//),
    });
    // Without the path, the bucket is a part of the name.
    const named = new S3Storage(
      loadConfig({ ...environment, S3_ENDPOINT: 'http://s3.invalid', S3_FORCE_PATH_STYLE: '' }),
    );
    await expect(named.put(Buffer.from('bytes'))).rejects.toThrow('handbook.s3.invalid');
    named.close();
  });
});

describe('public listener', () => {
  const config = loadConfig({ SECRET_KEY: 'k'.repeat(40), PUBLIC_PORT: '0', SHUTDOWN_TIMEOUT: '5' });
  const clock = new SetClock(Date.now());
  const lines: string[] = [];
  const log = createLog({ logLevel: 'info' }, [], { write: (line) => void lines.push(line) });
  const files = new Map<string, ServedFile>();
  let listener: PublicListener;
  let urls: FileUrls;
  let base: string;

  const add = async (
    id: string,
    bytes: Buffer,
    more: Partial<ServedFile> & { name: string; contentType: string },
  ): Promise<string> => {
    const { hash } = await local.put(bytes);
    files.set(id, { hash, size: bytes.length, visibility: 'signed', ...more });
    return urls.sign({ id, name: more.name, hash });
  };

  beforeAll(async () => {
    const addresses = new Addresses();
    urls = new FileUrls(new Secrets(['k'.repeat(40)]), addresses, clock);
    const endpoint = new FileEndpoint(local, urls, new FileGate(), new FileStandIns(), clock, unconverted);
    endpoint.register(async (id) => files.get(id));
    listener = new PublicListener(config, endpoint, log, new Listeners(), unwatched);
    listener.mount((request, response, next) => {
      if (request.url === '/site/') response.end('a page');
      else if (request.url === '/fails/') next(new Error('inner detail'));
      else next();
    });
    base = `http://localhost:${await listener.listen()}`;
    addresses.announce('http://127.0.0.1:1', base);
  });
  afterAll(() => listener.beforeApplicationShutdown());

  const refused = async (response: Response, status: number): Promise<void> => {
    expect(response.status).toBe(status);
    expect(response.headers.get('content-disposition')).toBeNull();
    expect(await response.json()).toEqual({ error: { code: status, message: expect.any(String) } });
  };

  it('serves pictures in place, to be kept for as long as the address works', async () => {
    const address = await add('Picture1', Buffer.from('0123456789'), { name: 'ä "b".png', contentType: 'image/png' });
    const response = await fetch(address);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('0123456789');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': '10',
      'content-disposition': `inline; filename="_ _b_.png"; filename*=UTF-8''%C3%A4%20%22b%22.png`,
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
    });
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none';.*; sandbox$/);
    const [, maxAge] = /^private, max-age=(\d+), immutable$/.exec(response.headers.get('cache-control') ?? '') ?? [];
    expect(Number(maxAge)).toBeGreaterThan(23 * 3600);
    const again = await fetch(address, { headers: { 'If-None-Match': response.headers.get('etag') ?? '' } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await fetch(address, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
  });

  it.each([
    'image/svg+xml',
    'text/html',
    'application/xhtml+xml',
    'text/javascript',
    'application/xml',
    'application/octet-stream',
  ])('hands %s over for saving', async (contentType) => {
    const response = await fetch(await add('Active1', Buffer.from('<svg/>'), { name: 'x', contentType }));
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(response.headers.get('content-security-policy')).toMatch(/sandbox$/);
  });

  it('serves parts', async () => {
    const address = await add('Video1', Buffer.from('0123456789'), { name: 'v.mp4', contentType: 'video/mp4' });
    const part = await fetch(address, { headers: { Range: 'bytes=2-5' } });
    expect([
      part.status,
      part.headers.get('content-range'),
      part.headers.get('content-length'),
      await part.text(),
    ]).toEqual([206, 'bytes 2-5/10', '4', '2345']);
    const beyond = await fetch(address, { headers: { Range: 'bytes=10-' } });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10']);
    const stale = await fetch(address, { headers: { Range: 'bytes=2-5', 'If-Range': '"other"' } });
    expect([stale.status, await stale.text()]).toEqual([200, '0123456789']);
  });

  it('3b-28 refuses addresses that were changed, belong to other files or are too old', async () => {
    const address = await add('Secret1', Buffer.from('secret'), { name: 'a.txt', contentType: 'text/plain' });
    await add('Secret2', Buffer.from('other'), { name: 'b.txt', contentType: 'text/plain' });
    await refused(await fetch(address.replace('Secret1', 'Secret2')), 403);
    await refused(await fetch(address.replace('Secret1', 'Absent1')), 403);
    await refused(
      await fetch(
        address.replace(/expires=\d+/, (text) => text.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10))),
      ),
      403,
    );
    await refused(await fetch(address.replace(/v=[0-9a-f]{4}/, 'v=0000')), 403);
    await refused(await fetch(address.slice(0, -3)), 403);
    await refused(await fetch(address.replace(/\?.*/, '')), 404);
    const foreign = new FileUrls(new Secrets(['z'.repeat(40)]), new Addresses(), clock).sign({
      id: 'Secret1',
      name: 'a.txt',
      hash: 'a'.repeat(64),
    });
    await refused(await fetch(`${base}${new URL(foreign).pathname}${new URL(foreign).search}`), 403);
    clock.advance(26 * HOUR);
    await refused(await fetch(address), 403);
    clock.advance(-26 * HOUR);
  });

  it('gives the bytes that were signed, never those that replaced them', async () => {
    const address = await add('Replaced1', Buffer.from('old'), { name: 'a.txt', contentType: 'text/plain' });
    await add('Replaced1', Buffer.from('new'), { name: 'a.txt', contentType: 'text/plain' });
    await refused(await fetch(address), 404);
  });

  it('logs each request under the id that the answer names, without its signature', async () => {
    const response = await fetch(await add('Logged1', Buffer.from('x'), { name: 'a.txt', contentType: 'text/plain' }));
    await response.text();
    const own = (): string | undefined =>
      lines.find((each) => each.includes(response.headers.get('x-request-id') ?? 'none'));
    // The line is written once the answer is out, which may be after it was read here.
    for (let i = 0; i < 100 && own() === undefined; i++) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(own()).toMatch(/~files\/Logged1\/a\.txt.*signature=\[hidden\]/);
  });

  it('serves public files by their bare address', async () => {
    await add('Public1', Buffer.from('hello'), { name: 'a.txt', contentType: 'text/plain', visibility: 'public' });
    const response = await fetch(`${base}/~files/Public1/a.txt`);
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'public, max-age=300, stale-if-error=86400',
    ]);
  });

  it('signs the same address within an hour and another in the next', () => {
    const file = { id: 'File1', name: 'a.txt', hash: 'a'.repeat(64) };
    const start = new SetClock(Math.floor(Date.now() / HOUR) * HOUR);
    const own = new FileUrls(new Secrets(['k'.repeat(40)]), new Addresses(), start);
    const first = own.sign(file);
    start.advance(HOUR - 1);
    expect(own.sign(file)).toBe(first);
    const bucket = hourBucket(start.now());
    start.advance(1);
    expect(own.sign(file)).not.toBe(first);
    expect(hourBucket(start.now())).toBe(bucket + 1);
  });

  it('passes other requests to what is mounted, and answers errors in the one shape', async () => {
    expect(await (await fetch(`${base}/site/`)).text()).toBe('a page');
    await refused(await fetch(`${base}/nowhere`), 404);
    await refused(await fetch(`${base}/~files/`), 404);
    await refused(await fetch(`${base}/~files/../../etc/passwd`), 404);
    await refused(await fetch(`${base}/~files/Public1/a.txt`, { method: 'POST' }), 405);
    // As they stand: fetch would set them right.
    const statusOf = (path: string) =>
      new Promise((resolve, reject) =>
        get(base, { path }, (response) => resolve(response.resume().statusCode)).once('error', reject),
      );
    expect(
      await Promise.all(['//', '//[', '//:1/a', 'http://[/', '//host/~files/Public1/a.txt'].map(statusOf)),
    ).toEqual([404, 404, 404, 404, 404]);
    const failed = await fetch(`${base}/fails/`);
    expect(await failed.clone().text()).not.toContain('inner detail');
    await refused(failed, 500);
  });

  it('takes the next free port and finishes open requests when it closes', async () => {
    const port = Number(new URL(base).port);
    const second = new PublicListener(
      { ...config, publicPort: undefined },
      new FileEndpoint(local, urls, new FileGate(), new FileStandIns(), clock, unconverted),
      log,
      new Listeners(),
      unwatched,
    );
    let answer = (): void => undefined;
    const begun = new Promise<void>((settle) => {
      second.mount((_, response) => {
        answer = () => response.end('finished');
        settle();
      });
    });
    const next = await second.listen(port - 1);
    expect(next).toBeGreaterThan(port);
    const open = fetch(`http://127.0.0.1:${next}/slow`).then((response) => response.text());
    await begun;
    const closed = second.beforeApplicationShutdown();
    answer();
    expect(await open).toBe('finished');
    await closed;
    await expect(fetch(`http://127.0.0.1:${next}/`)).rejects.toThrow();
    const taken = new PublicListener(
      { ...config, publicPort: port },
      new FileEndpoint(local, urls, new FileGate(), new FileStandIns(), clock, unconverted),
      log,
      new Listeners(),
      unwatched,
    );
    await expect(taken.listen()).rejects.toThrow(/Port \d+ is in use/);
  });
});
