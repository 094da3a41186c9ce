import { type BackupRepository, objectName } from './backup-repository.js';
import { Lease } from './lease.js';
import { listBackups, type NamedBackup, readManifest, removeManifest } from './stored-manifest.js';
import { keptBackups, type RetentionPolicy } from './retention.js';
import { eachFile } from './stored-files.js';
import { chunksOf } from './stored-stream.js';

export interface PrunedTarget {
  readonly kept: readonly NamedBackup[];
  readonly removed: readonly NamedBackup[];
  readonly removedObjects: number;
  readonly removedBytes: number;
}

/** Objects between two looks at the lease. */
const AT_A_TIME = 100;

/**
 * Removes backups that a policy does not keep, and objects that no backup refers to, such as those of a backup that was
 * interrupted. All backups are kept without a policy. Nobody else uses the target meanwhile.
 * @throws DamagedBackup if a backup that is kept cannot be read; nothing is removed then.
 */
export async function pruneBackups(
  repository: BackupRepository,
  policy: RetentionPolicy | undefined,
  note: (line: string) => void,
): Promise<PrunedTarget> {
  const lease = await Lease.take(repository.target, 'exclusive', note);
  try {
    const backups = await listBackups(repository);
    const kept = policy === undefined ? new Set(backups) : keptBackups(backups, policy);
    const needed = await objectsOf(repository, [...kept]);
    const removed = backups.filter((backup) => !kept.has(backup));
    lease.require();
    for (const backup of removed) await removeManifest(repository, backup);
    const swept = await removeOthers(repository, needed, lease);
    await repository.target.removeUnfinished();
    await lease.removeVoid();
    return { kept: backups.filter((backup) => kept.has(backup)), removed, ...swept };
  } finally {
    await lease.release();
  }
}

/** The names of all objects that backups refer to. */
async function objectsOf(repository: BackupRepository, backups: readonly NamedBackup[]): Promise<Set<string>> {
  const needed = new Set<string>();
  for (const backup of backups) {
    const { tables, files } = await readManifest(repository, backup);
    for (const stream of [files.stream, ...tables.map((table) => table.stream)])
      for await (const id of chunksOf(repository, stream)) needed.add(objectName('data', id));
    await eachFile(repository, files.stream, async ({ hash }) => void needed.add(repository.fileObject(hash)));
  }
  return needed;
}

async function removeOthers(
  { target }: BackupRepository,
  needed: ReadonlySet<string>,
  lease: Lease,
): Promise<Pick<PrunedTarget, 'removedObjects' | 'removedBytes'>> {
  const swept = { removedObjects: 0, removedBytes: 0 };
  for (const folder of ['data/', 'files/'])
    for await (const { name, size } of target.list(folder)) {
      if (needed.has(name)) continue;
      if (swept.removedObjects % AT_A_TIME === 0) lease.require();
      await target.remove(name);
      swept.removedObjects++;
      swept.removedBytes += size;
    }
  return swept;
}
