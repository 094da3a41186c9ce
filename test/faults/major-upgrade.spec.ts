import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Binaries } from '../../src/kernel/platform/embedded-postgres/binaries.js';
import { databaseUrl } from '../../src/kernel/platform/embedded-postgres/cluster-lock.js';
import { readPostmasterFile } from '../../src/kernel/platform/embedded-postgres/postmaster.js';
import { EARLIER, EarlierPostgres, earlierBinaries } from '../earlier-postgres.js';
import { chanceOf } from './chance.js';
import { findImpossible } from './kill-checks.js';
import { pause, Stage } from './processes.js';
import { missingPages, StormClient, type StormTarget, Tally, writeInStorm } from './storm-writers.js';

const ROUNDS = Number(process.env['ROUNDS'] ?? 1);
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const WRITERS = 4;
const TOKEN = 'upgrade-token-upgrade-token-upgrade-token';
const ENV = {
  SECRET_KEY: 'a-key-for-tests-only-a-key-for-tests-only',
  BOOTSTRAP_TOKEN: TOKEN,
  DEMO: 'true',
  RATE_LIMIT_PER_MINUTE: '0',
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: '0',
  SEARCH_VECTORS: 'none',
};

async function ask<Body>(api: string, path: string): Promise<Body> {
  const answer = await fetch(`${api}${path}`, { headers: { Authorization: `Bearer ${TOKEN}` } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Body;
}

/** Addresses differ from start to start. */
const withoutAddresses = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, ''));

describe(`writers while the database moves from PostgreSQL ${EARLIER} (SEED=${SEED})`, () => {
  const chance = chanceOf(SEED);
  const tally = new Tally();
  const target: { -readonly [Key in keyof StormTarget]: StormTarget[Key] } = { url: undefined, published: undefined };
  let stage: Stage;
  let binaries: Binaries | undefined;

  beforeAll(async () => {
    stage = await Stage.open();
    binaries = await earlierBinaries(join(stage.folder, 'programs'));
  }, 240_000);
  afterAll(() => stage.close());

  it(
    'go on after the move of the database, with everything that was acknowledged',
    async () => {
      if (binaries === undefined) return;
      const old = await EarlierPostgres.start(stage.dataDir, binaries);
      const first = await stage.serve({ env: { ...ENV, DATABASE_URL: old.url } });
      const space = first.facts.demo?.space ?? '';
      const paths = ['/orgs', `/spaces/${space}`, `/spaces/${space}/content/pages`, `/spaces/${space}/change-requests`];
      const before = withoutAddresses(await Promise.all(paths.map((path) => ask(first.facts.api, path))));
      [target.url, target.published] = [first.facts.api, first.facts.published];

      let ended = false;
      const { items } = await ask<{ items: { id: string }[] }>(first.facts.api, '/orgs');
      const written = Array.from({ length: WRITERS }, (_, index) => {
        const own = chanceOf(SEED + index + 1);
        const client = new StormClient([target], TOKEN, own, tally);
        const organizationId = items[0]?.id ?? '';
        return writeInStorm({ name: `w${index}`, organizationId, client, chance: own, site: '/', isOver: () => ended });
      });
      await pause(5000);
      // The machine loses both at once; what had been acknowledged is in the log of the database.
      target.url = undefined;
      target.published = undefined;
      process.kill(old.pid, 'SIGKILL');
      await first.server.kill('SIGKILL');

      const env = { ...ENV, EMBEDDED_POSTGRES_PREVIOUS: binaries.folder };
      for (let round = 0; round < ROUNDS; round++) {
        const killed = stage.run(['serve', '--json'], { env });
        while (!killed.stderr.includes('Moving the database') && !killed.over) await pause(20);
        await pause(chance() * 10_000);
        await killed.kill('SIGKILL');
      }
      const second = await stage.serve({ env });
      [target.url, target.published] = [second.facts.api, second.facts.published];
      const after = withoutAddresses(await Promise.all(paths.map((path) => ask(second.facts.api, path))));
      await pause(3000);
      ended = true;
      const spaces = (await Promise.all(written)).flat();

      const cluster = join(stage.dataDir, 'postgres');
      const { port = 0 } = (await readPostmasterFile(cluster)) ?? {};
      const password = (await readFile(join(stage.dataDir, 'database-password'), 'utf8')).trim();
      const sql = new pg.Client({ connectionString: databaseUrl(port, password, 'bindery') });
      await sql.connect();
      const { rows } = await sql.query('SHOW server_version_num');
      const faults = [
        ...(await missingPages(spaces, new StormClient([target], TOKEN, chance, tally))),
        ...(await findImpossible(sql)),
      ];
      await sql.end();
      const pages = spaces.reduce((sum, { titles }) => sum + titles.length, 0);
      process.stdout.write(
        `major upgrade under writers: seed ${SEED}: ${WRITERS} writers, ${ROUNDS} kills: ${pages} acknowledged pages, ${faults.length} faults\n`,
      );
      expect({ faults, surprises: tally.surprises }).toEqual({ faults: [], surprises: [] });
      expect(rows).toEqual([{ server_version_num: expect.stringMatching(/^18/) }]);
      expect(after).toEqual(before);
      expect(pages).toBeGreaterThan(WRITERS);
      expect((await readdir(stage.dataDir)).filter((name) => /\.new-|\.moved|^previous/.test(name))).toEqual([]);
    },
    480_000 + ROUNDS * 60_000,
  );
});
