import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DatabaseConnection } from '../../kernel/common/connection.js';
import type { BackupRepository } from './backup-repository.js';
import { copyTable, type TableShape } from './catalogue.js';
import { TEXT_SETTINGS, copyOut } from '../../kernel/common/copy-streams.js';
import { DamagedBackup } from './damaged-backup.js';
import type { BackupManifest } from './stored-manifest.js';
import { loadBackup, type RestorePlace, withClient } from './restore-backup.js';
import { eachFile } from './stored-files.js';
import { StreamSum, type StoredStream } from './stored-stream.js';

/** Findings of a restore into a database that is thrown away. */
export interface Verification {
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  readonly faults: readonly string[];
}

/**
 * Restores a backup into an empty database, compares the rows of all tables there with what was read when the backup
 * was made, and reads all files.
 */
export async function verifyBackup(
  repository: BackupRepository,
  manifest: BackupManifest,
  place: RestorePlace,
): Promise<Verification> {
  const faults: string[] = [];
  await loadBackup(repository, manifest, place);
  await withClient(place.databaseUrl, async (client) => {
    await client.query('BEGIN READ ONLY');
    await client.query(TEXT_SETTINGS);
    for (const { stream, ...table } of manifest.tables) {
      const found = await sumsOf(client, table);
      if (found.rows !== stream.rows || found.sha256 !== stream.sha256)
        faults.push(
          `The table ${table.schema}.${table.name} has ${found.rows} rows of ${stream.rows}${found.rows === stream.rows ? ', but others' : ''}`,
        );
    }
  });
  faults.push(...(await damagedFiles(repository, manifest)));
  return {
    tables: manifest.tables.length,
    rows: manifest.tables.reduce((sum, { stream }) => sum + stream.rows, 0),
    files: manifest.files.count,
    faults,
  };
}

async function sumsOf(
  client: DatabaseConnection,
  table: TableShape,
): Promise<Pick<StoredStream, 'rows' | 'bytes' | 'sha256'>> {
  const sum = new StreamSum();
  for await (const rows of copyOut(client, copyTable(table))) for (const row of rows) sum.add(row);
  return sum.sums;
}

async function damagedFiles(repository: BackupRepository, { files }: BackupManifest): Promise<string[]> {
  const faults: string[] = [];
  const missing = new Set(files.missing);
  await eachFile(repository, files.stream, async ({ hash, size }) => {
    if (missing.has(hash)) return;
    try {
      await pipeline(repository.getFile(hash, size), new Writable({ write: (_, __, done) => done() }));
    } catch (error) {
      if (!(error instanceof DamagedBackup)) throw error;
      faults.push(error.message);
    }
  });
  return faults;
}
