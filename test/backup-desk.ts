import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateTo, migrateUp } from '../src/cli/schema.js';
import { FileStorage } from '../src/kernel/platform/storage/file-storage.js';
import { LocalStorage } from '../src/kernel/platform/storage/local-storage.js';
import type { BackupKey } from '../src/operations/backup/backup-key.js';
import { BackupRepository } from '../src/operations/backup/backup-repository.js';
import type { BackupTarget } from '../src/operations/backup/backup-target.js';
import { createBackup, type BackupSource } from '../src/operations/backup/create-backup.js';
import { openTarget } from '../src/operations/backup/open-target.js';
import { restoreBackup, withBackup } from '../src/operations/backup/restore-backup.js';
import type { TestApp } from './app.js';
import { scratchDatabase, type ScratchDatabase } from './scratch-database.js';

export const KEY: BackupKey = { file: Buffer.alloc(32, 'key of tests ') };

export const NO_S3 = {
  s3Endpoint: undefined,
  s3Region: 'us-east-1',
  s3AccessKeyId: undefined,
  s3SecretAccessKey: undefined,
  s3ForcePathStyle: false,
};

const quiet = (): void => undefined;

/** A folder for the targets and restored files of a spec file, and the databases that were restored. */
export class BackupDesk {
  private readonly databases: ScratchDatabase[] = [];
  private targets = 0;

  private constructor(readonly folder: string) {}

  static async open(): Promise<BackupDesk> {
    return new BackupDesk(await mkdtemp(join(tmpdir(), 'bindery-backup-')));
  }

  /** A target that nothing has been written to. */
  target(): Promise<BackupTarget> {
    return openTarget(join(this.folder, `target-${++this.targets}`), NO_S3);
  }

  /** Opens a target to write to it. */
  repository(target: BackupTarget, key: BackupKey | 'plain' = KEY): Promise<BackupRepository> {
    const plain = key === 'plain';
    return BackupRepository.open(target, plain ? undefined : key, { begins: true, plain }, quiet);
  }

  async create(app: TestApp, target: BackupTarget, more: Partial<BackupSource> = {}) {
    const source = {
      databaseUrl: app.databaseUrl,
      storage: app.nest.get(FileStorage, { strict: false }),
      release: 'test',
      renderPages: async () => [],
      ...more,
    };
    return createBackup(await this.repository(target), source, quiet);
  }

  async emptyDatabase(): Promise<ScratchDatabase> {
    const database = await scratchDatabase('empty');
    this.databases.push(database);
    return database;
  }

  /** Restores the newest backup of a target that is not later, and gives the database and the folder of files. */
  async restore(target: BackupTarget, at?: Date, into?: string): Promise<{ url: string; files: string }> {
    const url = into ?? (await this.emptyDatabase()).url;
    const files = await mkdtemp(join(this.folder, 'files-'));
    const repository = await this.repository(target);
    await withBackup(repository, at, quiet, (backup) =>
      restoreBackup(repository, backup, {
        databaseUrl: url,
        migrateTo: (migrations) => migrateTo(url, migrations),
        storage: new LocalStorage(files),
      }),
    );
    await migrateUp(url);
    return { url, files };
  }

  async close(): Promise<void> {
    for (const database of this.databases) await database.drop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
