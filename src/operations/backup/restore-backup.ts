import { Readable } from 'node:stream';
import { connectTo, type DatabaseConnection } from '../../kernel/common/connection.js';
import { newId } from '../../kernel/common/ids.js';
import { OperatorError } from '../../kernel/platform/operator-error.js';
import type { FileStorage } from '../../kernel/platform/storage/file-storage.js';
import type { BackupRepository } from './backup-repository.js';
import { Lease } from './lease.js';
import { loadRows, makeQueues, requireEmpty } from './load-rows.js';
import { backupAt, type BackupManifest, type NamedBackup, readManifest } from './stored-manifest.js';
import { eachFile } from './stored-files.js';

/** A place in which a backup is restored. */
export interface RestorePlace {
  readonly databaseUrl: string;
  /** Makes the schema that some migrations make, by the tables that record them. */
  readonly migrateTo: (migrations: BackupManifest['migrations']) => Promise<void>;
}

/** A place in which a backup is restored for use. */
export interface RestoreTarget extends RestorePlace {
  readonly storage: FileStorage;
}

export interface RestoredBackup extends NamedBackup {
  readonly manifest: BackupManifest;
}

/** Calls `work` with the newest backup that is not of a later moment than `at`, which nobody removes meanwhile. */
export async function withBackup<T>(
  repository: BackupRepository,
  at: Date | undefined,
  note: (line: string) => void,
  work: (backup: RestoredBackup) => Promise<T>,
): Promise<T> {
  const lease = await Lease.take(repository.target, 'shared', note);
  try {
    const found = await backupAt(repository, at);
    return await work({ ...found, manifest: await readManifest(repository, found) });
  } finally {
    await lease.release();
  }
}

/**
 * Restores a backup into an empty database, the files first, so that the rows, which appear in one transaction, never
 * name what is not there. The copy starts quiet.
 * @throws OperatorError if the database is not empty.
 */
export async function restoreBackup(
  repository: BackupRepository,
  { name, at, manifest }: RestoredBackup,
  place: RestoreTarget,
): Promise<void> {
  await withClient(place.databaseUrl, requireEmpty);
  await restoreFiles(repository, manifest, place.storage);
  await loadBackup(repository, manifest, place, async (client) => {
    await client.query(
      'INSERT INTO restored_copy (id, backup, taken_at, restored_at) VALUES ($1, $2, $3, clock_timestamp())',
      [newId(), name, at],
    );
  });
}

/** Makes the tables of a backup in an empty database and loads its rows, in a transaction that `more` takes part in. */
export async function loadBackup(
  repository: BackupRepository,
  manifest: BackupManifest,
  { databaseUrl, migrateTo }: RestorePlace,
  more: (client: DatabaseConnection) => Promise<void> = async () => undefined,
): Promise<void> {
  await withClient(databaseUrl, requireEmpty);
  await migrateTo(manifest.migrations);
  await withClient(databaseUrl, async (client) => {
    await makeQueues(client, manifest.queues);
    await loadRows(client, repository, manifest, () => more(client));
    await client.query('ANALYZE');
  });
}

async function restoreFiles(
  repository: BackupRepository,
  { files }: BackupManifest,
  storage: FileStorage,
): Promise<void> {
  const missing = new Set(files.missing);
  await eachFile(repository, files.stream, async ({ hash, size }) => {
    if (missing.has(hash) || (await storage.has(hash))) return;
    await storage.put(Readable.from(repository.getFile(hash, size), { objectMode: false }));
  });
}

/** A connection that is closed whatever state it is in. */
export async function withClient<T>(url: string, work: (client: DatabaseConnection) => Promise<T>): Promise<T> {
  const client = await connectTo(url, 'bindery restore');
  try {
    return await work(client);
  } finally {
    client.abandon();
  }
}

/**
 * Requires the keys that the secrets of a backup are sealed with, by their ids.
 * @throws OperatorError that names those that are not at hand.
 */
export function requireKeys({ secretKeys }: BackupManifest, present: readonly string[]): void {
  const lacking = secretKeys.filter((id) => !present.includes(id));
  if (lacking.length === 0) return;
  const named = (ids: readonly string[]): string => `${ids.length === 1 ? 'key' : 'keys'} ${ids.join(', ')}`;
  throw new OperatorError(
    `The secrets of the backup were encrypted with the ${named(lacking)}, which ${lacking.length === 1 ? 'is' : 'are'} not at hand (${
      present.length === 0 ? 'there is no key at all' : `SECRET_KEY has the ${named(present)}`
    }): set SECRET_KEY, or put the file secret-key into DATA_DIR. If the key is lost for good, pass --without-key and discard the secrets with "bindery keys discard"`,
  );
}
