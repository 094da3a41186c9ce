import { readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { OperatorError } from '../operator-error.js';
import { isAlive } from '../process-alive.js';
import { exists, syncFolder } from './files.js';
import type { Layout } from './layout.js';
import { readPostmasterFile, stopPostmaster } from './postmaster.js';

type Place = Pick<Layout, 'home' | 'cluster'>;

/** Days for which the cluster of the earlier version stays. */
const DAYS_KEPT = 7;
const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT = /-kept-until-(\d{4}-\d{2}-\d{2})(?:-\d+)?$/;

/** A new cluster that is complete, compared and on disk, and the process that lets it take the place of the old one. */
interface FinishedCluster {
  readonly path: string;
  readonly pid: number;
}

async function findFinished({ home, cluster }: Place): Promise<FinishedCluster | undefined> {
  const prefix = `${basename(cluster)}.moved-`;
  const name = (await readdir(home)).find(
    (entry) => entry.startsWith(prefix) && /^\d+$/.test(entry.slice(prefix.length)),
  );
  return name === undefined ? undefined : { path: join(home, name), pid: Number(name.slice(prefix.length)) };
}

/** The other process that is about to switch clusters, whose old server stops or has stopped; nothing may start on it. */
export async function switchingProcess(layout: Place): Promise<number | undefined> {
  const finished = await findFinished(layout);
  return finished !== undefined && finished.pid !== process.pid && isAlive(finished.pid) ? finished.pid : undefined;
}

/**
 * Completes a switch that was interrupted between its two renames. A process that finds no cluster finds the finished
 * one afterwards, because that is there before the old one leaves its place.
 * @returns true if there was one.
 */
export async function completeSwitch(layout: Place): Promise<boolean> {
  if (await exists(layout.cluster)) return false;
  const finished = await findFinished(layout);
  if (finished === undefined) return false;
  await rename(finished.path, layout.cluster).catch(async (error: unknown) => {
    // Another process may have completed it.
    if (!(await exists(layout.cluster))) throw error;
  });
  await syncFolder(layout.home);
  return true;
}

/** Removes clusters of earlier versions whose days are over. */
export async function removeExpired(layout: Place, note: (line: string) => void): Promise<void> {
  for (const name of await readdir(layout.home)) {
    const until = name.startsWith(`${basename(layout.cluster)}-`) ? KEPT.exec(name)?.[1] : undefined;
    if (until === undefined || Date.parse(until) + DAY_MS > Date.now()) continue;
    await rm(join(layout.home, name), { recursive: true, force: true });
    note(
      `Removed ${join(layout.home, name)}, the database as it was before it moved to another version of PostgreSQL.`,
    );
  }
}

/** Removes a finished cluster of a killed process, which may be older than the one there; in one step by its name. */
export async function discardFinished(layout: Place): Promise<void> {
  const aside = `${layout.cluster}.discarded`;
  await rm(aside, { recursive: true, force: true });
  const finished = await findFinished(layout);
  if (finished === undefined) return;
  await rename(finished.path, aside);
  await rm(aside, { recursive: true, force: true });
}

/**
 * Stops the server of the old cluster, and lets a new one take its place. The old one stays beside it.
 * @returns the place of the old one.
 * @throws OperatorError if another program has started a server on the old one.
 */
export async function switchClusters(cluster: string, layout: Place, from: string, server: number): Promise<string> {
  const until = new Date(Date.now() + DAYS_KEPT * DAY_MS).toISOString().slice(0, 10);
  const kept = await freeName(`${layout.cluster}-${from}-kept-until-${until}`);
  await rename(cluster, `${layout.cluster}.moved-${process.pid}`);
  await syncFolder(layout.home);
  // A server writes to its folder by the name that it had when the server started, so it has to be gone.
  await stopPostmaster(server, layout);
  await rename(layout.cluster, kept);
  if (await readPostmasterFile(kept)) {
    await rename(kept, layout.cluster);
    throw new OperatorError('another program has started a server on it');
  }
  await syncFolder(layout.home);
  await completeSwitch(layout);
  return kept;
}

async function freeName(path: string): Promise<string> {
  let name = path;
  for (let count = 2; await exists(name); count++) name = `${path}-${count}`;
  return name;
}
