import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { auditLines, events, monthsAgo, openPast, partitionsOf } from '../months.js';
import { scratchDatabase, type ScratchDatabase } from '../scratch-database.js';
import { chanceOf } from './chance.js';
import { pause } from './processes.js';

const ROUNDS = Number(process.env['ROUNDS'] ?? 4);
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
/** Each of them is a process that begins anew. */
const PATIENCE = 240_000;
const TABLES = ['event', 'audit_event'] as const;
/** Rows that lie in the DEFAULT partition, and in each month that is over. */
const [WAITING, OLD] = [3000, 2000];
const OLD_MONTHS = [8, 7, 6, 5];

Logger.overrideLogger(false);

describe(`a server that is killed while it makes and removes months (SEED=${SEED})`, () => {
  const chance = chanceOf(SEED);
  let scratch: ScratchDatabase;
  beforeAll(async () => {
    scratch = await scratchDatabase();
    for (const table of TABLES) await openPast(scratch, table, 8);
  });
  afterAll(() => scratch.drop());

  const soon = monthsAgo(-2);
  const countOf = async (table: string): Promise<number> =>
    Number((await scratch.source.query<{ count: string }[]>(`SELECT count(*) FROM ${table}`))[0]?.count);

  /** The months ahead are missing while rows of theirs wait, and months that are over are full. */
  const prepare = async (): Promise<void> => {
    const adders = { event: events, audit_event: auditLines };
    for (const table of TABLES) {
      for (const month of [soon, ...OLD_MONTHS.map(monthsAgo)])
        await scratch.source.query(`DROP TABLE IF EXISTS ${month.nameOf(table)}`);
      if ((await countOf(`${table}_default`)) === 0) await adders[table](scratch, soon.at, WAITING);
      for (const { day, at } of OLD_MONTHS.map(monthsAgo)) {
        await scratch.source.query('SELECT make_month($1::regclass, $2, 1000)', [table, day]);
        await adders[table](scratch, at, OLD);
      }
    }
  };

  const killAfter = async (part: number): Promise<void> => {
    const child = spawn(
      process.execPath,
      ['--import', './test/faults/run-typescript.mjs', './test/faults/tend-months-until-killed.ts', scratch.url],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    while (!said.includes('begun')) await pause(5);
    if (part < 1) await pause(part * 400);
    else while (!said.includes('ended')) await pause(5);
    child.kill('SIGKILL');
    await once(child, 'close');
    // A statement that has begun ends by itself.
    await scratch.source.query('SELECT pg_sleep(0.3)');
  };

  it(
    'leaves each month as it was or as it is to be, and the next one does the rest',
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        await prepare();
        await killAfter(round === ROUNDS - 1 ? 1 : chance());
        for (const table of TABLES) {
          const names = await partitionsOf(scratch, table);
          const isMade = names.includes(soon.nameOf(table));
          const moved = isMade ? await countOf(soon.nameOf(table)) : 0;
          expect([moved, await countOf(`${table}_default`)]).toEqual(isMade ? [WAITING, 0] : [0, WAITING]);
          for (const age of OLD_MONTHS) {
            const name = monthsAgo(age).nameOf(table);
            if (names.includes(name)) expect([name, await countOf(name)]).toEqual([name, OLD]);
          }
          if (round === ROUNDS - 1) {
            expect(isMade).toBe(true);
            expect(names.filter((name) => OLD_MONTHS.some((age) => monthsAgo(age).nameOf(table) === name))).toEqual([]);
          }
        }
        await expect(scratch.source.query('DELETE FROM audit_event_default')).rejects.toThrow('cannot be changed');
        const noted = await scratch.source.query<{ rows: number }[]>(
          'SELECT coalesce(sum(removed), 0)::int AS rows FROM audit_removal',
        );
        expect((noted[0]?.rows ?? -1) % OLD).toBe(0);
      }
    },
    PATIENCE,
  );
});
