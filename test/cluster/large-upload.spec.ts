import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { memoryOf } from '../../bench/processes.js';
import { Stage } from '../faults/processes.js';
import { type S3Service, startS3 } from '../faults/s3-service.js';

const TOKEN = 'large-token-large-token-large-token-large-token';
const MEGABYTE = 1024 ** 2;
/** Megabytes of the file: 1,024 in the long form. */
const SIZE = Number(process.env['ROUNDS'] ?? 0) > 10 ? 1024 : 128;
/** Megabytes by which the memory of the server may grow, whatever the size. */
const GROWTH = 96;
const BUCKET = 'large';

let stage: Stage;
let s3: S3Service;
let remote: Readonly<Record<string, string>>;

beforeAll(async () => {
  stage = await Stage.open();
  s3 = await startS3(stage.folder, BUCKET);
  remote = s3.settings;
}, 120_000);
afterAll(async () => {
  await stage.close();
  await s3.close();
});

/** The bytes of a file of so many megabytes, each with another beginning, and their hash when all were read. */
function bytesOf(megabytes: number): { readonly body: Readable; readonly hash: () => string } {
  const block = randomBytes(MEGABYTE);
  const hash = createHash('sha256');
  const body = Readable.from(
    (function* () {
      for (let index = 0; index < megabytes; index++) {
        const bytes = Buffer.from(block);
        bytes.writeUInt32BE(index);
        hash.update(bytes);
        yield bytes;
      }
    })(),
  );
  return { body, hash: () => hash.digest('hex') };
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer);
  return hash.digest('hex');
}

/** The largest file below a folder. */
async function largestIn(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    files
      .filter((file) => file.isFile())
      .map(async (file) => {
        const path = join(file.parentPath, file.name);
        return { path, size: (await stat(path)).size };
      }),
  );
  return sizes.sort((left, right) => right.size - left.size)[0]?.path ?? '';
}

describe(`an upload of ${SIZE} MB`, () => {
  it.each([
    ['the disk', () => ({}), () => join(stage.dataDir, 'files')],
    ['S3', () => remote, () => join(stage.folder, 's3')],
  ] as const)(
    'goes to %s in memory that does not follow its size',
    async (_, storage, folder) => {
      const env = { BOOTSTRAP_TOKEN: TOKEN, SEARCH_VECTORS: 'none', IMPORT_MAX_BYTES: '1gb', ...storage() };
      const { server, facts } = await stage.serve({ env });
      const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
      const organizations = (await (await fetch(`${facts.api}/orgs`, { headers })).json()) as {
        items: { id: string }[];
      };
      const [organization] = organizations.items;
      const offer = async (megabytes: number): Promise<string> => {
        const file = { name: 'all.zip', type: 'application/zip', size: megabytes * MEGABYTE };
        const body = JSON.stringify({ kind: 'import_file', file });
        const path = `/orgs/${organization?.id}/storage/upload`;
        return (
          (await (await fetch(`${facts.api}${path}`, { method: 'POST', headers, body })).json()) as { url: string }
        ).url;
      };
      const send = async (megabytes: number): Promise<string> => {
        const { body, hash } = bytesOf(megabytes);
        const { status } = await fetch(await offer(megabytes), {
          method: 'PUT',
          headers: { 'content-type': 'application/zip', 'content-length': String(megabytes * MEGABYTE) },
          body: Readable.toWeb(body) as ReadableStream,
          duplex: 'half',
        } as RequestInit);
        expect(status).toBe(204);
        return hash();
      };
      await send(8);
      const before = memoryOf(server.child.pid ?? 0)?.nowMb ?? 0;
      const sent = await send(SIZE);
      const { peakMb } = memoryOf(server.child.pid ?? 0) ?? { peakMb: Infinity };
      process.stdout.write(
        `an upload of ${SIZE} MB: ${Math.round(before)} MB before, at most ${Math.round(peakMb)} MB\n`,
      );
      expect(await hashOf(await largestIn(folder()))).toBe(sent);
      expect(peakMb - before).toBeLessThan(GROWTH);
      expect((await server.kill('SIGTERM')).code).toBe(0);
    },
    600_000,
  );
});
