import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Process } from './faults/processes.js';
import { cliFile } from './faults/program.js';
import { type ScratchDatabase, scratchDatabase } from './scratch-database.js';

/** Files that a start may load; one by one the modules of the bundle are some 4,900. */
const MOST_FILES = 180;
/** Packages outside of the bundle that a start may load, with what they bring. */
const OUTSIDE = ['pino', 'piscina', 'satteri', 'swagger-ui-dist'];
/** Packages that `satteri` brings for each platform. */
const NATIVE = /^@bruits\/satteri-/;
const BROUGHT = [
  '@pinojs/redact',
  'atomic-sleep',
  'on-exit-leak-free',
  'pino-std-serializers',
  'quick-format-unescaped',
  'safe-stable-stringify',
  'sonic-boom',
  'thread-stream',
];

const packageOf = (path: string): string | undefined => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];

/** How many files of each package, and of the service itself, there are: what a failure is about. */
function counted(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const name = packageOf(path) ?? (/\/bundle\//.test(path) ? 'the bundle' : 'the service');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${count} of ${name}`);
}

describe('what a start loads', () => {
  let folder: string;
  let database: ScratchDatabase;
  let loaded: string[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-modules-'));
    await chmod(folder, 0o755);
    database = await scratchDatabase();
    const list = join(folder, 'modules.txt');
    const preload = resolve('test/faults/list-modules.mjs');
    const server = new Process(
      spawn(process.execPath, ['--import', preload, await cliFile(), 'serve', '--json'], {
        cwd: folder,
        env: {
          PATH: process.env['PATH'] ?? '',
          LOADED_MODULES: list,
          DATA_DIR: folder,
          DATABASE_URL: database.url,
          SECRET_KEY: 'k'.repeat(40),
          PORT: '0',
          WORKERS: '1',
          PUBLIC_PORT: '0',
          DEMO: 'false',
          SHUTDOWN_DELAY: '0',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    await server.announcement();
    expect(await server.kill('SIGTERM')).toMatchObject({ code: 0 });
    const addresses = (await readFile(list, 'utf8'))
      .split('\n')
      .filter((line) => line !== '' && !line.includes(preload));
    loaded = [...new Set(addresses.map((address) => address.replace('file://', '')))];
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  it('is the bundle, in few files', () => {
    expect(loaded.filter((path) => path.includes('/bundle/')).length).toBeGreaterThan(10);
    expect(loaded.length > MOST_FILES ? counted(loaded) : []).toEqual([]);
  });

  it('is none of the packages that are heavy or seldom needed', () => {
    const names = new Set(loaded.flatMap((path) => packageOf(path) ?? []));
    expect([...names].filter((name) => ![...OUTSIDE, ...BROUGHT].includes(name) && !NATIVE.test(name))).toEqual([]);
  });
});
