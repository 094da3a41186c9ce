import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Api } from '../bench/api.js';
import { LoadGenerator } from '../bench/load.js';
import { generatedPages } from '../bench/pages.js';
import { comparisonsOf, measureProducts, peersSection } from '../bench/peers/compare.js';
import { fillPeers, type Filling, missingSection } from '../bench/peers/fill.js';
import { findPeers, type FoundPeer } from '../bench/peers/found.js';
import { ourProduct, READS, WRITES } from '../bench/peers/product.js';
import { Undo } from '../bench/undo.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';
import { Process, pause } from './faults/processes.js';
import { scratchDatabase } from './scratch-database.js';

const STAND_INS = pathToFileURL(resolve('test/peer-stand-ins.mjs')).href;
const PAGES = 60;
const CONNECTIONS = 2;

/** A program that runs a stand-in. */
const program = (name: string, fault: string): string =>
  `import(${JSON.stringify(STAND_INS)}).then((standIns) => standIns.${name}(${JSON.stringify(fault)}));\n`;

async function build(folder: string, name: 'docmost' | 'outline', fault = ''): Promise<void> {
  const file = join(folder, name, name === 'docmost' ? 'apps/server/dist/main.js' : 'build/server/index.js');
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, program(name, fault));
  await mkdir(join(folder, name, 'node_modules'));
  await writeFile(join(folder, name, 'package.json'), JSON.stringify({ version: '9.8.7' }));
}

/** A search path whose only program is Redis. */
async function installRedis(folder: string): Promise<string> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'redis-server'), `#!${process.execPath}\n${program('redis', '')}`);
  await chmod(join(bin, 'redis-server'), 0o755);
  return bin;
}

/** The numbers of all processes that the stand-ins of products have noted, which were started in a folder. */
async function pidsIn(place: string): Promise<number[]> {
  const texts = await Promise.all(
    ['docmost', 'outline'].map((name) => readFile(join(place, name, 'pids'), 'utf8').catch(() => '')),
  );
  return texts.flatMap((text) => text.split('\n').filter((line) => line !== '')).map(Number);
}

/** The folders of runs of the benchmark that have not ended, or have not cleaned up. */
const runsIn = async (place: string): Promise<string[]> =>
  (await readdir(place)).filter((name) => name.startsWith('bindery-bench-'));

/** Tells whether a process runs. One that has ended stays in the list of the system until somebody asks how. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return true;
  }
}

/** Waits until processes are gone: those of a group whose leader has ended go a moment later. */
async function expectGone(pids: readonly number[]): Promise<void> {
  for (let turn = 0; turn < 50 && pids.some(isRunning); turn++) await pause(20);
  expect(pids.filter(isRunning)).toEqual([]);
}

let folder = '';
let undo = new Undo();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-peers-'));
  // For root, the database of the benchmark runs as another user, who must be able to enter.
  await chmod(folder, 0o755);
  undo = new Undo();
});
afterEach(async () => {
  await undo.all();
  await rm(folder, { recursive: true, force: true });
});

describe('what is needed to measure other products', () => {
  it('names the setting, the folders and the commands where there is nothing', async () => {
    const { peers, needs } = await findPeers(undefined, '');
    expect(peers).toEqual([]);
    expect(needs).toEqual([
      'BENCH_PEERS names no folder: it has to name one with docmost/ and outline/.',
      expect.stringMatching(/^Docmost has to be built in that folder\.\n .*pnpm build/),
      expect.stringMatching(/^Outline has to be built in that folder\.\n .*yarn build/),
      expect.stringContaining('redis-server has to be on the PATH'),
    ]);
  });

  it('names what is missing of a product that is not built, and finds the other one', async () => {
    await build(folder, 'outline');
    await mkdir(join(folder, 'docmost'));
    const found = await findPeers(folder, await installRedis(folder));
    expect(found.peers.map(({ label }) => label)).toEqual(['Outline 9.8.7']);
    expect(found.needs).toHaveLength(1);
    expect(missingSection(found)).toContain(
      `There is no ${join(folder, 'docmost/apps/server/dist/main.js')} and no ${join(folder, 'docmost/node_modules')}.`,
    );
  });

  it('finds no product without Redis', async () => {
    await build(folder, 'outline');
    expect(await findPeers(folder, folder)).toMatchObject({ peers: [], needs: [{}, expect.stringContaining('redis')] });
  });
});

describe('other products beside ours', () => {
  const app = useApp();
  let databases: { drop: () => Promise<void> }[] = [];
  const source = generatedPages(1);

  const filling = (redis: string, say: (line: string) => void = () => undefined): Filling => ({
    folder,
    redis,
    undo,
    databaseUrl: async () => {
      const database = await scratchDatabase('empty');
      databases.push(database);
      return database.url;
    },
    source,
    count: PAGES,
    say,
  });

  afterEach(async () => {
    await undo.all();
    for (const database of databases) await database.drop();
    databases = [];
  });

  it('are filled with the same pages and measured in the same run', async () => {
    await build(folder, 'docmost');
    await build(folder, 'outline');
    const found = await findPeers(folder, await installRedis(folder));
    const { products, faults } = await fillPeers(found.peers, filling(found.redis));
    expect(faults).toEqual([]);

    const organization = await buildOrganization(app.current);
    const port = Number(new URL(app.current.url).port);
    const api = new Api(port, organization.admin.api.token ?? '');
    const place = { server: { port, pid: process.pid }, databaseUrl: app.current.databaseUrl };
    const ours = await ourProduct(place, api, organization.id, source, PAGES);
    api.close();
    const load = LoadGenerator.start();
    undo.push(() => load.stop());
    const measured = await measureProducts([ours, ...products], CONNECTIONS, load, process.pid, 0.005);

    const labels = ['Bindery', 'Docmost 9.8.7', 'Outline 9.8.7'];
    expect(measured.map(({ operation, subject }) => [operation, subject])).toEqual(
      [...READS, ...WRITES].flatMap((operation) => labels.map((label) => [operation, label])),
    );
    for (const each of measured) {
      expect(each.failures).toEqual({});
      expect(each.requests).toBeGreaterThanOrEqual(3 * CONNECTIONS);
    }
    const comparisons = comparisonsOf(measured);
    expect(comparisons).toHaveLength(12);
    for (const { ours: own, theirs, ratio, met } of comparisons) {
      expect(ratio).toBeCloseTo(own / theirs);
      expect(met).toBe(own >= 5 * theirs);
    }
    const lines = peersSection(measured).split('\n');
    expect(lines.filter((line) => /^page read +Outline 9\.8\.7 .* [\d.]+ +(met|NOT MET)$/.test(line))).toHaveLength(1);

    const pids = await pidsIn(folder);
    expect(pids).toHaveLength(5);
    expect(pids.filter(isRunning)).toHaveLength(5);
    await undo.all();
    await expectGone(pids);
  });

  it('that fail are told with their answer and stopped, and the others are measured', async () => {
    const redis = join(await installRedis(folder), 'redis-server');
    const peers: FoundPeer[] = [];
    for (const [name, fault] of [
      ['docmost', 'ends'],
      ['docmost', 'old'],
      ['docmost', 'page of a proxy'],
      ['docmost', 'full'],
      ['outline', 'old'],
      ['outline', ''],
    ] as const) {
      const place = join(folder, `${name} ${fault}`);
      await build(place, name, fault);
      const [found] = (await findPeers(place, join(folder, 'bin'))).peers;
      if (found !== undefined) peers.push(found);
    }
    const { products, faults } = await fillPeers(peers, filling(redis));
    expect(faults).toEqual([
      'Docmost 9.8.7: Docmost 9.8.7 did not start: it ended with status 1\nthe migration failed\n',
      expect.stringMatching(
        /^Docmost 9\.8\.7: the answer to POST \/api\/pages\/info has not the text that the page was made with: \{"data":/,
      ),
      'Docmost 9.8.7: POST /api/pages/create answered no JSON: <html>Sign in</html>',
      'Docmost 9.8.7: POST /api/pages/create answered 500: {"message":"the disk is full"}',
      'Outline 9.8.7: the answer to POST /api/installation.create is 404 without the cookie accessToken: {"message":"Not found"}',
    ]);
    expect(products.map(({ label }) => label)).toEqual(['Outline 9.8.7']);
    const running = (await pidsIn(folder)).filter(isRunning);
    expect(running).toHaveLength(3);
    expect(running).toContain(products[0]?.server.pid);
  });
});

describe('npm run bench -- peers', () => {
  const run = (env: Readonly<Record<string, string>>): Process =>
    new Process(
      spawn(process.execPath, ['--import', './test/faults/run-typescript.mjs', 'bench/bench.ts', 'peers'], {
        env: { PATH: process.env['PATH'], TMPDIR: folder, ...env },
      }),
    );

  it('says what it needs and ends with success where no product is there', async () => {
    const { code, stdout } = await run({}).ending;
    expect(stdout).toContain('BENCH_PEERS names no folder');
    expect(code).toBe(0);
    expect(await runsIn(folder)).toEqual([]);
  });

  it('stops everything when it is interrupted', async () => {
    await build(folder, 'docmost', 'silent');
    const PATH = `${await installRedis(folder)}:${process.env['PATH'] ?? ''}`;
    const bench = run({ PATH, BENCH_PEERS: folder });
    while (!bench.stderr.includes('Docmost 9.8.7 runs') && !bench.over) await pause(20);
    const [place = ''] = await runsIn(folder);
    const pids = await pidsIn(join(folder, place));
    expect(pids).toHaveLength(2);
    const { code } = await bench.kill('SIGINT');
    expect(code).toBe(130);
    await expectGone(pids);
    expect(await runsIn(folder)).toEqual([]);
  });
});
