import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../src/kernel/platform/embedded-postgres/cluster.js';
import { Connection, requestText } from '../connection.js';
import { endGroup, untilAnswering } from '../processes.js';
import type { Undo } from '../undo.js';
import type { FoundPeer } from './found.js';
import type { ProductServer } from './product.js';

/** Tools with which peers are started. */
export interface Stage {
  /** A folder for their files and logs. */
  readonly folder: string;
  /** The program of Redis. */
  readonly redis: string;
  /** Takes the steps that end them. */
  readonly undo: Undo;
  /** Makes an empty database with a name, and returns its address. */
  readonly databaseUrl: (name: string) => Promise<string>;
}

interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
}

/** Starts a program as the leader of a group of its own, so that all that it starts can be ended with it, and waits until it answers. */
async function run(
  { name, command, args, directory, env, logFile }: Program,
  undo: Undo,
  answers: () => Promise<boolean>,
): Promise<ChildProcess> {
  if (undo.begun) throw new Error('the run has ended');
  const log = openSync(logFile, 'a');
  const child = spawn(command, args, {
    cwd: directory,
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: process.env['PATH'], ...env },
  });
  closeSync(log);
  undo.push(() => endGroup(child));
  await untilAnswering(name, child, logFile, answers);
  return child;
}

/** Tells whether Redis answers on a port. */
function pings(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const end = (answer: boolean): void => {
      socket.destroy();
      settle(answer);
    };
    socket.on('data', (text: Buffer) => end(text.toString('latin1').startsWith('+PONG')));
    socket.on('error', () => end(false)).on('close', () => end(false));
  });
}

async function healthy(port: number, path: string): Promise<boolean> {
  try {
    const connection = await Connection.open(port);
    const { status } = await connection.send(requestText('GET', path, ''));
    connection.close();
    return status === 200;
  } catch {
    return false;
  }
}

/** Starts a Redis that keeps nothing on disk, and returns its address. */
async function startRedis(name: string, folder: string, { redis, undo }: Stage): Promise<string> {
  const port = await freePort();
  await run(
    {
      name: `Redis for ${name}`,
      command: redis,
      args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder],
      directory: folder,
      env: {},
      logFile: join(folder, 'redis.log'),
    },
    undo,
    () => pings(port),
  );
  return `redis://127.0.0.1:${port}`;
}

/** Starts a peer on a database and a Redis of its own; with this Node, and its usual settings but for limits of rates. */
export async function startPeer({ peer, label, path }: FoundPeer, stage: Stage): Promise<ProductServer> {
  const folder = join(stage.folder, peer.folder);
  await mkdir(folder, { recursive: true });
  const databaseUrl = await stage.databaseUrl(`bench_${peer.folder}`);
  const redisUrl = await startRedis(label, folder, stage);
  const port = await freePort();
  const child = await run(
    {
      name: label,
      command: process.execPath,
      args: [join(path, peer.built[0])],
      directory: join(path, peer.directory),
      env: { HOME: folder, ...peer.environment({ port, databaseUrl, redisUrl, folder }) },
      logFile: join(folder, 'peer.log'),
    },
    stage.undo,
    () => healthy(port, peer.health),
  );
  return { server: { port, pid: child.pid ?? 0 }, databaseUrl };
}
