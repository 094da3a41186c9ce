import type { Config } from '../kernel/platform/config/config.js';
import { readBackupKey } from '../operations/backup/backup-key.js';
import { BackupRepository, type Beginning } from '../operations/backup/backup-repository.js';
import { openTarget } from '../operations/backup/open-target.js';
import {
  listBackups,
  type BackupManifest,
  type NamedBackup,
  readManifest,
} from '../operations/backup/stored-manifest.js';
import { type PrunedTarget, pruneBackups } from '../operations/backup/prune-backups.js';
import type { RetentionPolicy } from '../operations/backup/retention.js';
import { readConfiguration } from './configuration.js';

/** Receives a line for the operator while a command works. */
export type Note = (line: string) => void;

export const EXISTING: Beginning = { begins: false, plain: false };

/** Runs `work` with the backups of a target. */
export async function withRepository<T>(
  address: string,
  config: Config,
  beginning: Beginning,
  note: Note,
  work: (repository: BackupRepository) => Promise<T>,
): Promise<T> {
  const target = await openTarget(address, config);
  try {
    return await work(await BackupRepository.open(target, await readBackupKey(config), beginning, note));
  } finally {
    target.close();
  }
}

/** `bindery backup list`: all backups of a target, oldest first. */
export async function runList(address: string, note: Note): Promise<(NamedBackup & { manifest: BackupManifest })[]> {
  const { config } = await readConfiguration();
  return withRepository(address, config, EXISTING, note, async (repository) => {
    const backups = [];
    for (const backup of await listBackups(repository))
      backups.push({ ...backup, manifest: await readManifest(repository, backup) });
    return backups;
  });
}

/** `bindery backup prune`. */
export async function runPrune(
  address: string,
  policy: RetentionPolicy | undefined,
  note: Note,
): Promise<PrunedTarget> {
  const { config } = await readConfiguration();
  return withRepository(address, config, EXISTING, note, (repository) => pruneBackups(repository, policy, note));
}
