import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { docmost } from './docmost.js';
import { outline } from './outline.js';
import { type Peer, textIn } from './peer.js';

const PEERS: readonly Peer[] = [docmost, outline];
const REDIS = 'redis-server';

/** A peer that can be started. */
export interface FoundPeer {
  readonly peer: Peer;
  /** With its version. */
  readonly label: string;
  readonly path: string;
}

/** The peers that can be started on this machine, and sentences about what the others need. */
export interface Found {
  readonly peers: readonly FoundPeer[];
  readonly needs: readonly string[];
  /** The program of Redis, which every peer needs. */
  readonly redis: string;
}

async function isThere(path: string, mode = constants.R_OK): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

async function programOnPath(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter((each) => each !== ''))
    if (await isThere(join(folder, name), constants.X_OK)) return join(folder, name);
  return undefined;
}

async function versionOf(folder: string): Promise<string> {
  try {
    return textIn(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')), 'version') ?? 'of unknown version';
  } catch {
    return 'of unknown version';
  }
}

/**
 * Looks for the peers in a folder, `BENCH_PEERS`, and for Redis on the search path for programs. Without Redis no peer is
 * found.
 */
export async function findPeers(folder: string | undefined, searchPath: string): Promise<Found> {
  const needs: string[] = [];
  const peers: FoundPeer[] = [];
  if (folder === undefined)
    needs.push(
      `BENCH_PEERS names no folder: it has to name one with ${PEERS.map((peer) => `${peer.folder}/`).join(' and ')}.`,
    );
  for (const peer of PEERS) {
    const path = resolve(folder ?? '.', peer.folder);
    const missing: string[] = [];
    if (folder !== undefined)
      for (const file of peer.built) if (!(await isThere(join(path, file)))) missing.push(join(path, file));
    if (folder !== undefined && missing.length === 0) {
      peers.push({ peer, label: `${peer.name} ${await versionOf(path)}`, path });
      continue;
    }
    const fault = missing.length === 0 ? '' : ` There is no ${missing.join(' and no ')}.`;
    const commands = peer.commands.map((command) => `\n    ${command}`).join('');
    needs.push(`${peer.name} has to be built in ${folder === undefined ? 'that folder' : folder}.${fault}${commands}`);
  }
  const redis = await programOnPath(REDIS, searchPath);
  if (redis === undefined)
    needs.push(`${REDIS} has to be on the PATH: both peers need it. PostgreSQL is that of the benchmark.`);
  return { peers: redis === undefined ? [] : peers, needs, redis: redis ?? REDIS };
}
