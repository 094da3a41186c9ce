import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { GetObjectCommand, ListObjectsV2Command, type S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Database } from '../src/kernel/common/database.js';
import { FileMoves, type FileMove } from '../src/kernel/platform/storage/file-moves.js';
import { LocalStorage } from '../src/kernel/platform/storage/local-storage.js';
import { MovingStorage } from '../src/kernel/platform/storage/moving-storage.js';
import { s3Client } from '../src/kernel/platform/storage/s3-client.js';
import { putObject } from '../src/kernel/platform/storage/s3-upload.js';
import type { SpooledFile } from '../src/kernel/platform/storage/spool.js';
import { type S3Service, startS3 } from './faults/s3-service.js';
import { scratchDatabase, type ScratchDatabase } from './scratch-database.js';

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-moves-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('files of a former storage', () => {
  /** A storage that may lose what it takes without an error. */
  class ForgetfulStorage extends LocalStorage {
    forgets = false;
    override async place(file: SpooledFile): Promise<void> {
      await super.place(file);
      if (this.forgets) await this.remove(file.hash);
    }
  }

  let scratch: ScratchDatabase;
  let database: Database;
  let present: ForgetfulStorage;
  let former: LocalStorage;

  beforeAll(async () => {
    scratch = await scratchDatabase();
    database = new Database(scratch.source);
  });
  afterAll(() => scratch.drop());
  beforeEach(async () => {
    const name = randomBytes(4).toString('hex');
    present = new ForgetfulStorage(join(folder, `${name}-present`));
    former = new LocalStorage(join(folder, `${name}-former`));
    await database.execute('DELETE FROM blob');
  });

  /** Notes a file whose bytes are stored elsewhere, or not yet. */
  const note = async (bytes: Uint8Array, age: string): Promise<string> => {
    await database.execute(
      `INSERT INTO blob (hash, size, created_at, unreferenced_since) VALUES (decode($1, 'hex'), $2, now(), now() - $3::interval)`,
      [hashOf(bytes), bytes.length, age],
    );
    return hashOf(bytes);
  };
  const move = async (deletes: boolean, meanwhile: () => Promise<unknown>): Promise<FileMove | undefined> => {
    const events: Promise<unknown>[] = [];
    // A move asks again at once: its next question waits until all that happens meanwhile has happened.
    const patient = Object.create(database) as Database;
    patient.query = async (...question) => {
      await Promise.all(events);
      return database.query(...question);
    };
    const moves = new FileMoves(patient, new MovingStorage(present, former));
    const result = await moves.move(deletes, () => void events.push(meanwhile()));
    await Promise.all(events);
    return result;
  };
  const nothing = (): Promise<void> => Promise.resolve();

  it('stay there where the copy cannot be read', async () => {
    const bytes = randomBytes(1000);
    const hash = await note(bytes, '2 hours');
    await former.put(bytes);
    present.forgets = true;
    const kept = { brought: 0, present: 0, missing: 0, damaged: 1, examples: [hash] };
    expect(await move(true, nothing)).toEqual(kept);
    expect([await former.has(hash), await present.has(hash)]).toEqual([true, false]);
    present.forgets = false;
    expect(await move(true, nothing)).toEqual({ ...kept, brought: 1, damaged: 0, examples: [] });
    expect([await former.has(hash), await present.has(hash)]).toEqual([false, true]);
  });

  it('are missing where neither storage has them in the end, and a row still names bytes that are not on their way', async () => {
    const [lost, late, removed, underway] = [randomBytes(10), randomBytes(20), randomBytes(30), randomBytes(40)];
    for (const bytes of [lost, late, removed]) await note(bytes, '2 hours');
    await note(underway, '1 minute');
    await present.put(randomBytes(50));
    await note(Buffer.from('here'), '2 hours');
    await former.put(Buffer.from('here'));
    // The rows are asked for again behind all files.
    const result = await move(false, async () => {
      await database.execute(`DELETE FROM blob WHERE hash = decode($1, 'hex')`, [hashOf(removed)]);
      await present.put(late);
    });
    expect(result).toMatchObject({ brought: 1, missing: 1, damaged: 0, examples: [hashOf(lost)] });
  });
});

describe('large objects', () => {
  const MEGABYTE = 1024 ** 2;
  let s3: S3Service;
  let client: S3Client;

  beforeAll(async () => {
    s3 = await startS3(folder, 'large');
    client = s3Client({
      s3Endpoint: s3.settings['S3_ENDPOINT'],
      s3Region: 'us-east-1',
      s3AccessKeyId: 'S3RVER',
      s3SecretAccessKey: 'S3RVER',
      s3ForcePathStyle: true,
    });
  });
  afterAll(async () => {
    client.destroy();
    await s3.close();
  });

  const piecesOf = (bytes: Buffer): Readable =>
    Readable.from(
      Array.from({ length: Math.ceil(bytes.length / 700_000) }, (_, i) =>
        bytes.subarray(i * 700_000, (i + 1) * 700_000),
      ),
    );

  it.each([32, 33])('of %i MB are stored in parts of 16 MB', async (megabytes) => {
    const place = { Bucket: 'large', Key: `${megabytes}` };
    const bytes = randomBytes(megabytes * MEGABYTE);
    const sent = jest.spyOn(client, 'send');
    await putObject(client, place, piecesOf(bytes), bytes.length, MEGABYTE);
    const parts = sent.mock.calls.filter(([command]) => command instanceof UploadPartCommand);
    sent.mockRestore();
    expect(parts).toHaveLength(Math.ceil(megabytes / 16));
    const answer = await client.send(new GetObjectCommand(place));
    expect(hashOf(await buffer(answer.Body as Readable))).toBe(hashOf(bytes));
  });

  it('are not stored where their bytes end too early', async () => {
    const bytes = randomBytes(20 * MEGABYTE);
    const place = { Bucket: 'large', Key: 'cut' };
    await expect(putObject(client, place, piecesOf(bytes), bytes.length + 1, MEGABYTE)).rejects.toThrow('bytes came');
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'large', Prefix: 'cut' }));
    expect(Contents).toEqual([]);
  });
});
