import { rm, statfs } from 'node:fs/promises';
import { OperatorError, reasonOf } from '../operator-error.js';
import type { Binaries } from './binaries.js';
import { copyableDatabases, copyCluster, type CopyProgress, isDiskFull } from './cluster-copy.js';
import { discardFinished, switchClusters } from './cluster-switch.js';
import { launch, syncCluster, withNewCluster } from './cluster.js';
import type { Layout } from './layout.js';
import { stopPostmaster } from './postmaster.js';
import { broughtFolder } from './previous-binaries.js';

export interface MajorUpgrade {
  readonly layout: Layout;
  readonly password: string;
  /** The major version of the cluster. */
  readonly from: string;
  /** The programs of the new version. */
  readonly binaries: Binaries;
  readonly note: (line: string) => void;
  /** The server of the earlier version, which this process alone uses. */
  readonly held: { readonly port: number; readonly pid: number };
}

const PROGRESS_MS = 5000;
/** Size of a cluster without databases of ours. */
const EMPTY_BYTES = 40 * 1024 ** 2;

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 ** 2)} MB`;

/** Tells at most every five seconds how far a copy is. */
function progressOf(total: number, note: (line: string) => void): CopyProgress {
  const sums = { copied: 0, compared: 0 };
  let told = Date.now();
  return (step, bytes) => {
    sums[step] += bytes;
    if (Date.now() - told < PROGRESS_MS) return;
    told = Date.now();
    note(`  ${step} ${megabytes(sums[step])} of about ${megabytes(total)}`);
  };
}

/**
 * Moves a cluster to a newer major version: copies everything in it into a new cluster, compares both, and lets the new
 * one take the place of the old, which stays beside it. Until then nothing of the old one changes, and a start after an
 * interruption begins anew.
 * @throws OperatorError if it cannot be moved.
 */
export async function upgradeCluster(upgrade: MajorUpgrade): Promise<void> {
  const { layout, from, binaries, note, held } = upgrade;
  const begin = Date.now();
  try {
    const bytes = await requireRoom(upgrade);
    note(`Moving the database (${megabytes(bytes)}) from PostgreSQL ${from} to ${binaries.major}.`);
    // A process that was killed before the switch may have left a copy that is older than the cluster.
    await discardFinished(layout);
    const kept = await withNewCluster(binaries, layout, upgrade.password, false, async (cluster) => {
      await fill(upgrade, { ...layout, cluster }, progressOf(bytes, note));
      return switchClusters(cluster, layout, from, held.pid);
    });
    await rm(broughtFolder(layout, from), { recursive: true, force: true });
    const seconds = ((Date.now() - begin) / 1000).toFixed(1);
    note(
      `Moved the database to PostgreSQL ${binaries.major} in ${seconds} s: all rows are the same. ` +
        `The old one stays in ${kept}; a start after that day removes it.`,
    );
  } catch (error) {
    const sentence = `The database in ${layout.cluster} could not be moved from PostgreSQL ${from} to ${binaries.major} and is as it was`;
    if (isDiskFull(error)) throw new OperatorError(`${sentence}: the disk of ${layout.home} is full`, { cause: error });
    throw new OperatorError(`${sentence}: ${reasonOf(error)}. The release with PostgreSQL ${from} still runs on it`, {
      cause: error,
    });
  }
}

/** @returns the bytes of all databases. @throws OperatorError if they cannot be copied, or may not fit on the disk. */
async function requireRoom({ layout, password, held }: MajorUpgrade): Promise<number> {
  const databases = await copyableDatabases(held.port, password);
  const bytes = databases.reduce((sum, database) => sum + database.bytes, 0);
  const { bavail, bsize } = await statfs(layout.home);
  if (bavail * bsize < bytes + EMPTY_BYTES)
    throw new OperatorError(
      `it needs ${megabytes(bytes + EMPTY_BYTES)} on the disk of ${layout.home}, which has ${megabytes(bavail * bsize)}`,
    );
  return bytes;
}

/** Fills a new cluster, stops it and writes it to disk. */
async function fill(
  { binaries, password, note, held }: MajorUpgrade,
  layout: Layout,
  progress: CopyProgress,
): Promise<void> {
  // A crash means to begin anew, so nothing is logged for it.
  const started = await launch(binaries, layout, false, undefined, {
    wal_level: 'minimal',
    max_wal_senders: 0,
    autovacuum: 'off',
    maintenance_work_mem: '128MB',
  });
  if (!started.ready) throw new OperatorError(`the new one does not start (${started.reason})`);
  try {
    await copyCluster({ source: held.port, target: started.port, password }, note, progress);
  } finally {
    await stopPostmaster(started.pid, layout);
    started.lifeline.release();
  }
  await requireStart(binaries, layout);
  await syncCluster(binaries, layout);
}

/** The settings of the old cluster may name files and libraries that the new one lacks: after the switch it could not start. */
async function requireStart(binaries: Binaries, layout: Layout): Promise<void> {
  const started = await launch(binaries, layout, false);
  if (!started.ready)
    throw new OperatorError(`the new one does not start with the settings of the old one (${started.reason})`);
  await stopPostmaster(started.pid, layout);
  started.lifeline.release();
}
