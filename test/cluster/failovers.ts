import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { chanceOf } from '../faults/chance.js';
import { findImpossible } from '../faults/kill-checks.js';
import { type Process, Stage } from '../faults/processes.js';
import { missingPages, StormClient, Tally, writeInStorm, type StormSpace } from '../faults/storm-writers.js';

const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const SERVERS = 2;
/** Milliseconds between two changes of the primary. */
const QUIET_MS = 1500;
const TOKEN = 'failover-token-failover-token-failover-token';

/** Two databases, of which one accepts changes and the other one has all that is acknowledged. */
export interface DatabasePair {
  /** The address that servers get. */
  readonly url: string;
  readonly primaryUrl: string;
  /** The primary is lost without a word, and the other one takes its place; waits until there are two again. */
  failOver(): Promise<void>;
  /** The primary hands over. */
  switchOver(): Promise<void>;
  close(): Promise<void>;
}

interface Address {
  readonly url: string;
  readonly published: string;
}

/**
 * Declares the test of two servers whose database loses its primary `failovers` times under writers and readers, and hands over half as often.
 */
export function describeFailovers(name: string, start: () => Promise<DatabasePair>, failovers: number): void {
  const switchovers = Math.ceil(failovers / 2);
  const [writers, readers] = failovers >= 5 ? [8, 32] : [4, 6];
  describe(`writers and readers on two servers, ${name}: the primary changes ${failovers + switchovers} times (SEED=${SEED})`, () => {
    const chance = chanceOf(SEED);
    const tally = new Tally();
    const addresses: Address[] = [];
    const processes: Process[] = [];
    let stage: Stage;
    let pair: DatabasePair;
    let organizationId: string;

    beforeAll(async () => {
      stage = await Stage.open();
      pair = await start();
      const env = {
        DATABASE_URL: pair.url,
        SECRET_KEY: 'a-key-for-tests-only-a-key-for-tests-only',
        BOOTSTRAP_TOKEN: TOKEN,
        RATE_LIMIT_PER_MINUTE: '0',
        RATE_LIMIT_ANONYMOUS_PER_MINUTE: '0',
        SEARCH_VECTORS: 'none',
        LOG_LEVEL: 'error',
      };
      const started = await Promise.all(Array.from({ length: SERVERS }, () => stage.serve({ env })));
      for (const { server, facts } of started) {
        processes.push(server);
        addresses.push({ url: facts.api, published: facts.published });
      }
      organizationId = (await client(chance).ask<{ items: { id: string }[] }>('GET', '/orgs')).items[0]?.id ?? '';
    }, 240_000);

    afterAll(async () => {
      await stage.close();
      await pair?.close();
    });

    const client = (own: () => number): StormClient => new StormClient(addresses, TOKEN, own, tally);

    /** Writes one page after the other, and gives the longest time between two acknowledgements, in milliseconds. */
    async function longestGap(isOver: () => boolean): Promise<{ gap: number; space: StormSpace }> {
      const own = client(chanceOf(SEED + 1000));
      const { id } = await own.ask<{ id: string }>('POST', `/orgs/${organizationId}/spaces`, {
        title: 'Pulse',
        empty: true,
        editMode: 'live',
      });
      const space: StormSpace = { id, titles: [] };
      let gap = 0;
      for (let last = Date.now(); !isOver(); await pause(50)) {
        const title = `Beat ${randomUUID()}`;
        const changes = [{ operation: 'insert_page', title, document: { markdown: 'A beat.' } }];
        await own.ask('POST', `/spaces/${id}/content`, { changes });
        space.titles.push(title);
        gap = Math.max(gap, Date.now() - last);
        last = Date.now();
      }
      return { gap, space };
    }

    async function read(own: () => number, isOver: () => boolean): Promise<void> {
      const reader = client(own);
      for (; !isOver(); await pause(own() * 200)) await reader.ask('GET', `/orgs/${organizationId}/spaces`);
    }

    /** Changes the primary under the writers. */
    async function disturb(): Promise<void> {
      for (let round = 0; round < failovers; round++) {
        await pause(QUIET_MS);
        await pair.failOver();
        await pause(QUIET_MS);
        if (round % 2 === 0) await pair.switchOver();
      }
      await pause(QUIET_MS);
    }

    it(
      'have everything that was acknowledged, answer 503 at most, and go on without a restart',
      async () => {
        let ended = false;
        const isOver = (): boolean => ended;
        const disturbed = disturb().finally(() => (ended = true));
        const [{ gap, space }, , ...written] = await Promise.all([
          longestGap(isOver),
          Promise.all(Array.from({ length: readers }, (_, index) => read(chanceOf(SEED + 2000 + index), isOver))),
          ...Array.from({ length: writers }, (_, index) => {
            const own = chanceOf(SEED + index + 1);
            return writeInStorm({
              name: `w${index}`,
              organizationId,
              client: client(own),
              chance: own,
              site: '/',
              isOver,
            });
          }),
          disturbed.then((): StormSpace[] => []),
        ]);
        if (tally.surprises.length > 0)
          process.stdout.write(
            processes
              .flatMap(({ stdout, stderr }) =>
                (stdout + stderr).split('\n').filter((line) => line.includes('"Errors"')),
              )
              .join('\n'),
          );
        const spaces = [...written.flat(), space];
        const sql = new pg.Client({ connectionString: pair.primaryUrl });
        await sql.connect();
        const faults = [...(await missingPages(spaces, client(chance))), ...(await findImpossible(sql))];
        await sql.end();
        const pages = spaces.reduce((sum, { titles }) => sum + titles.length, 0);
        process.stdout.write(
          `failover, ${name}: seed ${SEED}: ${failovers} failovers, ${switchovers} switchovers, ${writers} writers, ${readers} readers: ${pages} acknowledged pages, ${faults.length} lost; ` +
            `${tally.of(() => true)} answers, ${tally.of((status) => status === 503)} of them 503, longest gap ${(gap / 1000).toFixed(1)} s\n`,
        );
        expect({ surprises: tally.surprises, faults, broken: tally.broken }).toEqual({
          surprises: [],
          faults: [],
          broken: 0,
        });
        expect(processes.map(({ over }) => over)).toEqual(processes.map(() => false));
        expect(tally.of((status) => status === 503)).toBeGreaterThan(0);
        expect(space.titles.length).toBeGreaterThan(0);
      },
      240_000 + failovers * 60_000,
    );
  });
}
