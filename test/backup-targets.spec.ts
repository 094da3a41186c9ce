import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import S3rver from 's3rver';
import { loadConfig } from '../src/config.js';
import { readBackupKey } from '../src/operations/backup/backup-key.js';
import type { BackupTarget } from '../src/operations/backup/backup-target.js';
import { DamagedBackup } from '../src/operations/backup/damaged-backup.js';
import { BackupRepository } from '../src/operations/backup/backup-repository.js';
import { Lease } from '../src/operations/backup/lease.js';
import { EncryptedCodec } from '../src/operations/backup/object-codec.js';
import { openTarget } from '../src/operations/backup/open-target.js';
import { pruneBackups } from '../src/operations/backup/prune-backups.js';
import { keptBackups } from '../src/operations/backup/retention.js';
import { withBackup } from '../src/operations/backup/restore-backup.js';
import { listBackups, readManifest } from '../src/operations/backup/stored-manifest.js';
import { readStream, storeRows } from '../src/operations/backup/stored-stream.js';
import { useApp } from './app.js';
import { BackupDesk, KEY, NO_S3 } from './backup-desk.js';
import { buildOrganization } from './build.js';

const app = useApp();
let desk: BackupDesk;
let s3: S3rver;
let bucket: BackupTarget;

beforeAll(async () => {
  desk = await BackupDesk.open();
  s3 = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: join(desk.folder, 's3'),
    configureBuckets: [{ name: 'backups', configs: [] }],
  });
  const { port } = await s3.run();
  bucket = await openTarget('s3://backups/of/docs', {
    ...NO_S3,
    s3Endpoint: `http://127.0.0.1:${port}`,
    s3AccessKeyId: 'S3RVER',
    s3SecretAccessKey: 'S3RVER',
    s3ForcePathStyle: true,
  });
  await buildOrganization(app.current);
});
afterAll(async () => {
  bucket.close();
  await s3.close();
  await desk.close();
});

const quiet = (): void => undefined;

async function namesIn(target: BackupTarget, folder = ''): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of target.list(folder)) names.push(name);
  return names.sort();
}

/** Rows with keys in order, of many sizes. */
const rowsOf = (count: number, changed = -1): Buffer[] =>
  Array.from({ length: count }, (_, index) =>
    Buffer.from(
      `${String(index).padStart(12, '0')}\t${index === changed ? 'changed' : index * 7}\t${'x'.repeat(index % 900)}\n`,
    ),
  );

async function* batchesOf(rows: readonly Buffer[]): AsyncIterable<readonly Buffer[]> {
  for (let start = 0; start < rows.length; start += 1000) yield rows.slice(start, start + 1000);
}

describe.each(['folder', 's3'] as const)('a target in a %s', (kind) => {
  it('holds a backup that is restored, found by its time, and pruned with what nobody needs', async () => {
    const target = kind === 's3' ? bucket : await desk.target();
    const first = await desk.create(app.current, target);
    const second = await desk.create(app.current, target);
    expect(second.manifest.storedBytes).toBeLessThan(first.manifest.storedBytes / 4);
    const repository = await desk.repository(target);
    expect((await listBackups(repository)).map(({ name }) => name)).toEqual([first.name, second.name]);
    await withBackup(repository, first.at, quiet, async (found) => expect(found.name).toBe(first.name));
    await repository.putChunk(Buffer.from('of a backup that was interrupted'));
    const all = await namesIn(target, 'data/');
    const swept = await pruneBackups(repository, undefined, quiet);
    expect([swept.removed, swept.removedObjects]).toEqual([[], 1]);
    expect(await namesIn(target, 'data/')).toHaveLength(all.length - 1);
    const pruned = await pruneBackups(repository, { last: 1, daily: 0, weekly: 0 }, quiet);
    expect(pruned.removed.map(({ name }) => name)).toEqual([first.name]);
    expect(await namesIn(target, 'leases/')).toEqual([]);
    const { url } = await desk.restore(target);
    expect(url).toContain('scratch_');
  });
});

describe('rows in a target', () => {
  it('come back as they were, and a change of one stores a few chunks anew', async () => {
    const repository = await desk.repository(await desk.target());
    const rows = rowsOf(20_000);
    const stored = await storeRows(repository, batchesOf(rows));
    const before = repository.storedBytes;
    const parts: Buffer[] = [];
    for await (const part of readStream(repository, stored)) parts.push(part);
    expect(Buffer.concat(parts).equals(Buffer.concat(rows))).toBe(true);
    expect(stored).toMatchObject({ rows: 20_000, bytes: Buffer.concat(rows).length });
    await storeRows(repository, batchesOf(rows));
    expect(repository.storedBytes).toBe(before);
    const files = await namesIn(repository.target, 'data/');
    await storeRows(repository, batchesOf(rowsOf(20_000, 9000)));
    await storeRows(repository, batchesOf(rows.toSpliced(4000, 1)));
    expect((await namesIn(repository.target, 'data/')).length - files.length).toBeLessThanOrEqual(6);
    expect(files.length).toBeGreaterThan(15);
  });

  it('are refused where an object is missing, cut, changed, or another one', async () => {
    const repository = await desk.repository(await desk.target());
    const { target } = repository;
    const chunk = await repository.putChunk(randomBytes(3_000_000));
    const other = await repository.putChunk(randomBytes(3_000_000));
    const [name, second] = [chunk, other].map(({ id }) => `data/${id.slice(0, 2)}/${id}`) as [string, string];
    const path = join(target.address, name);
    const bytes = await readFile(path);
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(1_500_000) ^ 1, 1_500_000);
    const frame = 2 ** 20 + 16;
    const moved = Buffer.concat([
      bytes.subarray(0, 36),
      bytes.subarray(36 + frame, 36 + 2 * frame),
      bytes.subarray(36, 36 + frame),
      bytes.subarray(36 + 2 * frame),
    ]);
    const foreign = await readFile(join(target.address, second));
    for (const wrong of [
      changed,
      moved,
      foreign,
      bytes.subarray(0, 36 + 2 * frame),
      bytes.subarray(0, 20),
      Buffer.of(),
    ]) {
      await writeFile(path, wrong);
      await expect(repository.getChunk(chunk)).rejects.toThrow(DamagedBackup);
    }
    await rm(path);
    await expect(repository.getChunk(chunk)).rejects.toThrow(/its object data\/.* is missing/);
    await writeFile(path, bytes);
    expect((await repository.getChunk(chunk)).length).toBe(3_000_000);
  });

  it('and files are read in frames of any length', async () => {
    const codec = new EncryptedCodec(randomBytes(32));
    for (const size of [0, 1, 2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1, 3 * 2 ** 20 + 5]) {
      const content = randomBytes(size);
      const stored = await buffer(
        Readable.from(codec.encode('a', batchesOfBytes(content, 70_001)), { objectMode: false }),
      );
      expect(stored.length).toBe(codec.storedSize(size));
      const read = codec.decode('a', batchesOfBytes(stored, 50_003));
      expect((await buffer(Readable.from(read, { objectMode: false }))).equals(content)).toBe(true);
    }
  });
});

async function* batchesOfBytes(bytes: Buffer, length: number): AsyncIterable<Buffer> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

describe('the key of a target', () => {
  it('is needed, is the only one that opens it, and nothing is written without one by accident', async () => {
    const target = await desk.target();
    const open = (key: typeof KEY | undefined, begins: boolean, plain = false) =>
      BackupRepository.open(target, key, { begins, plain }, quiet);
    await expect(open(KEY, false)).rejects.toThrow(/There are no backups in/);
    await expect(open(undefined, true)).rejects.toThrow(/A backup is encrypted: set BACKUP_KEY/);
    expect(await namesIn(target)).toEqual([]);
    expect((await open({ passphrase: 'a passphrase of tests' }, true)).isEncrypted).toBe(true);
    expect((await open({ passphrase: 'a passphrase of tests' }, false)).isEncrypted).toBe(true);
    await expect(open({ passphrase: 'another passphrase' }, false)).rejects.toThrow(/is not the key of the backups/);
    await expect(open(KEY, false)).rejects.toThrow(/is not the key of the backups/);
    await expect(open(undefined, false)).rejects.toThrow(/are encrypted: set BACKUP_KEY/);
    await expect(open(undefined, true, true)).rejects.toThrow(/are encrypted: leave out --plain/);
  });

  it('is the passphrase of a setting, or the bytes of the file that another names', async () => {
    const file = join(desk.folder, 'backup-key');
    await writeFile(file, Buffer.alloc(32, 'bytes'));
    expect(await readBackupKey({})).toBeUndefined();
    expect(await readBackupKey({ backupKey: 'a passphrase of tests' })).toEqual({
      passphrase: 'a passphrase of tests',
    });
    expect(await readBackupKey({ backupKeyFile: file })).toEqual({ file: Buffer.alloc(32, 'bytes') });
    await writeFile(file, 'short');
    await expect(readBackupKey({ backupKeyFile: file })).rejects.toThrow(/needs 32 bytes or more/);
    await expect(readBackupKey({ backupKeyFile: `${file}-none` })).rejects.toThrow(/cannot be read/);
    expect(() => loadConfig({ BACKUP_KEY: 'a passphrase of tests', BACKUP_KEY_FILE: file })).toThrow(
      /exclude each other/,
    );
  });

  it('leaves nothing of the content to be read in the target; plain ones are readable as said', async () => {
    const sealed = await desk.target();
    await desk.create(app.current, sealed);
    const plain = await desk.target();
    const repository = await desk.repository(plain, 'plain');
    expect(repository.isEncrypted).toBe(false);
    await expect(desk.repository(plain, KEY)).rejects.toThrow(/are not encrypted: pass --plain/);
    const text = Buffer.from('Secret of the handbook. '.repeat(50));
    const [name = ''] = await Promise.all([
      repository.putChunk(text),
      desk.repository(sealed).then((each) => each.putChunk(text)),
    ]).then((chunks) => chunks.map(({ id }) => id));
    expect(await namesIn(plain, 'data/')).toEqual([`data/${name.slice(0, 2)}/${name}`]);
    expect(await namesIn(sealed, 'data/')).not.toContain(`data/${name.slice(0, 2)}/${name}`);
    for (const object of await namesIn(sealed, 'backups/'))
      expect((await readFile(join(sealed.address, object))).includes('restored_copy')).toBe(false);
  });

  it('tells a manifest that was changed or renamed', async () => {
    const target = await desk.target();
    const { name } = await desk.create(app.current, target);
    const repository = await desk.repository(target);
    const path = join(target.address, 'backups', name);
    const bytes = await readFile(path);
    const later = `${name.slice(0, 2)}99${name.slice(4)}`;
    await writeFile(join(target.address, 'backups', later), bytes);
    await expect(readManifest(repository, { name: later, at: new Date() })).rejects.toThrow(DamagedBackup);
    await rm(join(target.address, 'backups', later));
    await writeFile(path, bytes.subarray(0, bytes.length - 1));
    await expect(readManifest(repository, { name, at: new Date() })).rejects.toThrow(DamagedBackup);
    // Objects that a damaged backup needs are not known, so nothing is removed.
    const all = await namesIn(target, 'data/');
    await expect(pruneBackups(repository, undefined, quiet)).rejects.toThrow(DamagedBackup);
    expect(await namesIn(target, 'data/')).toEqual(all);
  });
});

describe('leases', () => {
  it('let a prune wait for backups, and backups for a prune; those of killed holders are void after a while', async () => {
    const target = await desk.target();
    const notes: string[] = [];
    const [one, two] = [await Lease.take(target, 'shared', quiet), await Lease.take(target, 'shared', quiet)];
    let isPruning = false;
    const pruning = Lease.take(target, 'exclusive', (line) => notes.push(line)).then((lease) => {
      isPruning = true;
      return lease;
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(isPruning).toBe(false);
    await one.release();
    await two.release();
    const prune = await pruning;
    expect(notes).toEqual([expect.stringContaining('Waiting for another command that uses the backups')]);
    let isFree = false;
    const next = Lease.take(target, 'shared', quiet).then((lease) => {
      isFree = true;
      return lease;
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(isFree).toBe(false);
    await prune.release();
    await (await next).release();
    await target.put('leases/exclusive-killed', Buffer.from('{}'));
    const { utimes } = await import('node:fs/promises');
    const past = new Date(Date.now() - 130_000);
    await utimes(join(target.address, 'leases/exclusive-killed'), past, past);
    const free = await Lease.take(target, 'exclusive', quiet);
    await free.removeVoid();
    await free.release();
    expect(await namesIn(target, 'leases/')).toEqual([]);
  });

  it('keep a prune from taking what a backup at the same time relies on', async () => {
    const target = await desk.target();
    await desk.create(app.current, target);
    const repository = await desk.repository(target);
    const made = await Promise.all([
      desk.create(app.current, target),
      pruneBackups(repository, { last: 1, daily: 0, weekly: 0 }, quiet),
      desk.create(app.current, target),
      pruneBackups(repository, { last: 1, daily: 0, weekly: 0 }, quiet),
    ]);
    expect(made).toHaveLength(4);
    for (const backup of await listBackups(repository)) await desk.restore(target, backup.at);
  });
});

it('a policy keeps the newest of all, of days and of weeks', () => {
  const backups = Array.from({ length: 60 }, (_, index) => ({ at: new Date(Date.UTC(2027, 0, 1, index * 12)) }));
  const kept = (last: number, daily: number, weekly: number) =>
    backups.flatMap((each) =>
      keptBackups(backups, { last, daily, weekly }).has(each) ? [each.at.toISOString().slice(5, 13)] : [],
    );
  expect(kept(0, 0, 0)).toEqual(['01-30T12']);
  expect(kept(3, 0, 0)).toEqual(['01-29T12', '01-30T00', '01-30T12']);
  expect(kept(1, 2, 0)).toEqual(['01-29T12', '01-30T12']);
  // Weeks end with Sundays: the 17th and the 24th.
  expect(kept(1, 0, 3)).toEqual(['01-17T12', '01-24T12', '01-30T12']);
});
