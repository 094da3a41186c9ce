import { connectTo, type DatabaseConnection } from '../../kernel/common/connection.js';
import { beginSnapshot } from '../../kernel/common/snapshot.js';
import { DomainError } from '../../kernel/common/errors.js';
import { OperatorError } from '../../kernel/platform/operator-error.js';
import type { FileStorage } from '../../kernel/platform/storage/file-storage.js';
import { type BackupRepository, WrongBytes } from './backup-repository.js';
import {
  COPY_FILES,
  copyTable,
  findJobTable,
  findMigrations,
  findQueues,
  findSequences,
  findTables,
} from './catalogue.js';
import { TEXT_SETTINGS, copyOut } from '../../kernel/common/copy-streams.js';
import { eachFile } from './stored-files.js';
import { Lease } from './lease.js';
import { type BackupManifest, type NamedBackup, type RenderedPage, writeManifest } from './stored-manifest.js';
import { storeRows } from './stored-stream.js';

/** The parts of a service that are backed up. */
export interface BackupSource {
  readonly databaseUrl: string;
  readonly storage: FileStorage;
  /** The release that writes the backup. */
  readonly release: string;
  /** Renders a sample of pages as a snapshot of the database has them. */
  readonly renderPages: (snapshot: string) => Promise<RenderedPage[]>;
}

export interface CreatedBackup extends NamedBackup {
  readonly manifest: BackupManifest;
  /** Hashes of files that the database names and the storage lacks. */
  readonly lostFiles: readonly string[];
}

/** The table that a restored copy is known by: a database without it is older than backups. */
const NEEDED = 'restored_copy';
/** Files that the storage may lack before the storage is taken for the wrong one. */
const MOST_LOST = 1000;

type Snapshot = Omit<BackupManifest, 'finishedAt' | 'release' | 'files' | 'storedBytes'> & {
  readonly files: BackupManifest['files']['stream'];
};

/**
 * Backs up the database as it is at one moment, and the files that it names then. Servers go on meanwhile: a file is
 * removed no sooner than 48 hours after the last reference to it, so those of the moment are still there.
 */
export async function createBackup(
  repository: BackupRepository,
  source: BackupSource,
  note: (line: string) => void,
): Promise<CreatedBackup> {
  const lease = await Lease.take(repository.target, 'shared', note);
  try {
    const { files: stream, ...snapshot } = await storeSnapshot(repository, source);
    const { count, bytes, missing } = await storeFiles(repository, source.storage, stream);
    const lostFiles = await lostOf(source.databaseUrl, missing);
    const manifest: BackupManifest = {
      ...snapshot,
      finishedAt: new Date().toISOString(),
      release: source.release,
      files: { count, bytes, missing: missing.map(({ hash }) => hash), stream },
      storedBytes: repository.storedBytes,
    };
    lease.require();
    return { ...(await writeManifest(repository, manifest)), manifest, lostFiles };
  } finally {
    await lease.release();
  }
}

/** Stores the rows of all tables, in one transaction that sees nothing of what others change meanwhile. */
async function storeSnapshot(repository: BackupRepository, source: BackupSource): Promise<Snapshot> {
  const client = await connectTo(source.databaseUrl, 'bindery backup');
  try {
    await beginSnapshot(client);
    await client.query(TEXT_SETTINGS);
    const { rows } = await client.query<{ at: Date; version: string; snapshot: string }>(
      `SELECT clock_timestamp() AS at, current_setting('server_version') AS version, pg_export_snapshot() AS snapshot`,
    );
    const [{ at, version, snapshot } = { at: new Date(), version: '', snapshot: '' }] = rows;
    const shapes = await findTables(client);
    if (!shapes.some(({ name }) => name === NEEDED))
      throw new OperatorError('The database is of a release without backups: run "bindery migrate up" first');
    const queues = await findQueues(client);
    if (queues) shapes.push(await findJobTable(client));
    const tables: BackupManifest['tables'] = [];
    for (const shape of shapes)
      tables.push({ ...shape, stream: await storeRows(repository, copyOut(client, copyTable(shape))) });
    const found = {
      at: at.toISOString(),
      postgres: version,
      migrations: await findMigrations(client),
      tables,
      sequences: await findSequences(client),
      queues: queues ?? null,
      files: await storeRows(repository, copyOut(client, COPY_FILES)),
      secretKeys: await findSecretKeys(client),
      pages: await source.renderPages(snapshot),
    };
    await client.query('COMMIT');
    return found;
  } finally {
    // A statement that was not read to its end would keep the connection open.
    client.abandon();
  }
}

async function findSecretKeys(client: DatabaseConnection): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM sealing_key WHERE id <> '' AND free_at IS NULL ORDER BY current_at DESC, id`,
  );
  return rows.map(({ id }) => id);
}

interface MissingFile {
  readonly hash: string;
  /** True where nothing referred to the file when that was looked at last. */
  readonly isUnreferenced: boolean;
}

async function storeFiles(
  repository: BackupRepository,
  storage: FileStorage,
  stream: BackupManifest['files']['stream'],
): Promise<{ count: number; bytes: number; missing: MissingFile[] }> {
  const found = { count: 0, bytes: 0, missing: [] as MissingFile[] };
  await eachFile(repository, stream, async ({ hash, size, isUnreferenced }) => {
    try {
      await repository.putFile(hash, size, () => storage.get(hash));
      found.count++;
      found.bytes += size;
    } catch (error) {
      if (!isLost(error)) throw error;
      found.missing.push({ hash, isUnreferenced });
      if (found.missing.length > MOST_LOST)
        throw new OperatorError(
          `The file storage lacks more than ${MOST_LOST} files that the database names: check FILES_STORAGE and FILES_DIR`,
        );
    }
  });
  return found;
}

const isLost = (error: unknown): boolean =>
  error instanceof WrongBytes || (error instanceof DomainError && error.code === 'notFound');

/** Those of missing files that were not removed as unreferenced since the moment of the snapshot. */
async function lostOf(databaseUrl: string, missing: readonly MissingFile[]): Promise<string[]> {
  if (missing.length === 0) return [];
  const client = await connectTo(databaseUrl, 'bindery backup');
  try {
    const { rows } = await client.query<{ hash: string }>(
      `SELECT encode(hash, 'hex') AS hash FROM blob WHERE hash IN (SELECT decode(h, 'hex') FROM unnest($1::text[]) AS h)`,
      [missing.map(({ hash }) => hash)],
    );
    const known = new Set(rows.map(({ hash }) => hash));
    return missing.flatMap(({ hash, isUnreferenced }) => (!isUnreferenced || known.has(hash) ? [hash] : []));
  } finally {
    await client.end();
  }
}
