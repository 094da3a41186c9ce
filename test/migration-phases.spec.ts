import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { breaksServers } from '../src/cli/migration-plan-runs.js';
import { planMigrations } from '../src/cli/migration-plan.js';
import { isMigrated, migrateDown, migrateTo, migrateUp, migrationReport } from '../src/cli/schema.js';
import { serviceHistory } from '../src/data-source.js';
import { connectTo } from '../src/kernel/common/connection.js';
import { defineModule } from '../src/kernel/platform/manifest/manifest.js';
import { Backfills } from '../src/kernel/platform/migrations/backfills.js';
import { loadMigrations } from '../src/kernel/platform/migrations/migration-file.js';
import { SchemaUpgrade } from '../src/kernel/platform/migrations/schema-upgrade.js';
import { ServerProcesses } from '../src/kernel/platform/migrations/server-processes.js';
import { compareParts, presentParts } from '../src/operations/doctor/schema-comparison.js';
import { TestApp, useApp } from './app.js';
import { type ScratchDatabase, scratchDatabase } from './scratch-database.js';

/** The newest migration of the last release: those behind it run beside its servers. */
const LAST_RELEASE = 1_799_710_000_000;

const app = useApp();

let folder: string;
let scratch: ScratchDatabase;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-phases-'));
  scratch = await scratchDatabase();
});
afterEach(async () => {
  await rm(folder, { recursive: true });
  await scratch.drop();
});

const added = () => [defineModule({ name: 'notes', requires: '*', migrations: folder })];
const add = (name: string, text: string): Promise<void> =>
  writeFile(join(folder, `${name}.sql`), `${text}\n-- migrate:down\nSELECT 1;\n`);
const addNotes = (): Promise<void> =>
  add(
    '1799990000000-notes',
    '-- migrate:up\nCREATE TABLE note (place text, number integer, words text, PRIMARY KEY (place, number));',
  );
const addBatches = (statement: string): Promise<void> =>
  add(
    '1799990000001-words',
    `-- migrate:up\n-- migrate:background note by place, number in batches of 7\n${statement}`,
  );
const addContraction = (): Promise<void> =>
  add(
    '1799990000002-given',
    '-- migrate:phase contract\n-- migrate:up\nALTER TABLE note ALTER COLUMN words SET NOT NULL;',
  );
const UPPER =
  'UPDATE note n SET words = upper(n.place) FROM batch WHERE (n.place, n.number) = (batch.place, batch.number);';
const GIVEN = 'GivenContract1799990000002';

const restOf = async (name: string) =>
  (await migrationReport(scratch.url, added())).find((migration) => migration.name === name);

describe('the migrations of the service', () => {
  it('leave what servers of the last release use as it is, unless they contract', async () => {
    const [old, empty] = [await scratchDatabase('empty'), await scratchDatabase('empty')];
    const names = serviceHistory().migrations.flatMap(({ name, time }) => (time <= LAST_RELEASE ? [name] : []));
    await migrateTo(old.url, { migration: names });
    const planned = await planMigrations(old.url, empty.url, []);
    expect(planned.length).toBeGreaterThan(0);
    expect(planned.filter(breaksServers).map(({ name, breaks }) => ({ name, breaks }))).toEqual([]);
    // Expanding ones ran first here, and none missed a contracting one of before.
    const [one, other] = [await connectTo(scratch.url, 'test'), await connectTo(empty.url, 'test')];
    const parts = (all: Awaited<ReturnType<typeof presentParts>>) =>
      all.filter(({ table, name }) => `${table}${name}` !== 'migration' && table !== 'migration');
    expect(compareParts(parts(await presentParts(one)), parts(await presentParts(other)))).toEqual({
      differences: [],
      leftovers: [],
    });
    await Promise.all([one.end(), other.end(), old.drop(), empty.drop()]);
  }, 120_000);
});

describe('a file of a migration', () => {
  it('tells its phase, its indexes and its batches', async () => {
    await addBatches(`-- For all.\n${UPPER}`);
    await addContraction();
    await add(
      '1799990000003-index',
      '-- migrate:compatible because nobody minds\n-- migrate:up\n-- Found fast.\nCREATE UNIQUE INDEX CONCURRENTLY note_words ON note (words);\nDROP INDEX CONCURRENTLY note_old;',
    );
    const [words, given, index] = loadMigrations(folder, 'notes');
    expect(words).toMatchObject({
      name: 'NotesWords1799990000001',
      phase: 'expand',
      batched: { table: 'note', key: ['place', 'number'], rows: 7 },
    });
    expect(given).toMatchObject({ name: `Notes${GIVEN}`, phase: 'contract', indexes: [], batched: undefined });
    expect(index).toMatchObject({
      compatible: 'because nobody minds',
      indexes: [
        { index: 'note_words', isDrop: false },
        { index: 'note_old', isDrop: true },
      ],
      up: 'CREATE UNIQUE INDEX note_words ON note (words);\nDROP INDEX note_old;',
    });
  });

  it.each([
    ['words', '-- migrate:phase later\n-- migrate:up\n', 'a phase other than expand and contract'],
    ['words', '-- migrate:phases expand\n-- migrate:up\n', 'the mark migrate:phases, which means nothing'],
    ['social-contract', '-- migrate:up\n', 'its name must not end with contract'],
    [
      'words',
      '-- migrate:up\nSELECT 1;\nCREATE INDEX CONCURRENTLY a ON b (c);\n',
      'all of its statements have to do so',
    ],
    [
      'words',
      '-- migrate:up\nCREATE INDEX CONCURRENTLY IF NOT EXISTS a ON b (c);\n',
      'all of its statements have to do so',
    ],
    [
      'words',
      '-- migrate:up\n-- migrate:background note\nUPDATE note SET a = 1 FROM batch;\n',
      'needs "-- migrate:background <table> by',
    ],
    [
      'words',
      '-- migrate:up\n-- migrate:background note by id\nUPDATE note SET a = 1;\n',
      'needs "-- migrate:background <table> by',
    ],
    [
      'words',
      '-- migrate:up\n-- migrate:background note by id\nDELETE FROM note USING batch; SELECT 1;\n',
      'needs "-- migrate:background <table> by',
    ],
    [
      'words',
      '-- migrate:phase contract\n-- migrate:up\n-- migrate:background note by id\nDELETE FROM note USING batch;\n',
      'nothing to do in batches',
    ],
    ['Words', '-- migrate:up\n', 'needs a name like'],
  ])('named %s is refused with %j', async (name, text, reason) => {
    await add(`1799990000001-${name}`, text);
    expect(() => loadMigrations(folder)).toThrow(reason);
  });
});

describe('statements in batches', () => {
  it('run once for each row, whatever its key, and are one with the note of them', async () => {
    await addNotes();
    await migrateUp(scratch.url, added());
    await scratch.source.query(`INSERT INTO note SELECT chr(97 + n % 3), n, NULL FROM generate_series(1, 40) AS n`);
    await addBatches(UPPER.replace('upper(n.place)', `coalesce(n.words, '') || 'x'`));
    expect(await migrateUp(scratch.url, added())).toEqual(['Words1799990000001']);
    expect(await restOf('Words1799990000001')).toMatchObject({ applied: true, batches: '0 of about 0 rows' });
    const server = await TestApp.start({}, scratch.url);
    const others = await TestApp.start({}, scratch.url);
    try {
      // Two servers at once: one batch at a time.
      expect(await Promise.all([server, others].map((each) => each.get(Backfills).finish()))).toEqual([true, true]);
    } finally {
      await Promise.all([server.close(), others.close()]);
    }
    expect(await scratch.source.query('SELECT DISTINCT words FROM note')).toEqual([{ words: 'x' }]);
    expect(
      await scratch.source.query('SELECT done_rows::int AS done, finished_at IS NOT NULL AS over FROM backfill'),
    ).toEqual([{ done: 40, over: true }]);
    expect(await restOf('Words1799990000001')).toMatchObject({ batches: undefined });
    expect(await migrateDown(scratch.url, 1, { module: 'notes', added: added() })).toEqual(['Words1799990000001']);
    expect(await scratch.source.query('SELECT FROM backfill')).toEqual([]);
  }, 120_000);

  it('that fail are told and tried again, and the contracting migration behind them waits', async () => {
    await addNotes();
    await migrateUp(scratch.url, added());
    await scratch.source.query(`INSERT INTO note VALUES ('a', 1, '8'), ('a', 2, 'nine')`);
    await addBatches(UPPER.replace('upper(n.place)', 'n.words::integer + 1'));
    await addContraction();
    expect(await migrateUp(scratch.url, added())).toEqual(['Words1799990000001']);
    expect(await restOf(GIVEN)).toMatchObject({
      applied: false,
      waits: 'the batches of Words1799990000001 are not done',
    });
    await expect(migrateUp(scratch.url, added(), { contract: true })).rejects.toThrow(
      'A batch of Words1799990000001 failed: invalid input syntax for type integer: "nine"',
    );
    expect(await restOf('Words1799990000001')).toMatchObject({
      hasFailed: true,
      batches: '0 of about 0 rows, and a batch failed (invalid input syntax for type integer: "nine")',
    });
    await scratch.source.query(`UPDATE note SET words = '9' WHERE number = 2`);
    expect(await migrateUp(scratch.url, added(), { contract: true })).toEqual([GIVEN]);
    expect(await scratch.source.query('SELECT words FROM note ORDER BY number')).toEqual([
      { words: '9' },
      { words: '10' },
    ]);
  }, 60_000);

  it('are all done at once in an empty database', async () => {
    const empty = await scratchDatabase('empty');
    await addNotes();
    await addBatches(UPPER);
    await addContraction();
    const ran = await migrateUp(empty.url, added());
    expect(ran.slice(-3)).toEqual(['Notes1799990000000', 'Words1799990000001', GIVEN]);
    expect(await empty.source.query('SELECT FROM backfill')).toEqual([]);
    await empty.drop();
  }, 60_000);

  it('are told by /readyz and among the metrics', async () => {
    const { database, url } = app.current;
    await database.execute(
      `INSERT INTO backfill (history, migration, migration_time, table_name, key_columns, batch_rows, statement, expected_rows, done_rows, begun_at)
       VALUES ('migration', 'Words1', 1, 'space', '{id}', 10, 'DELETE FROM space USING batch', 1000, 400, now())`,
    );
    const ready = await fetch(`${url}/readyz`);
    expect(await ready.json()).toEqual({ status: 'ready', migrations: 'Words1: 400 of about 1000 rows' });
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('bindery_backfill_rows{state="done"} 400\nbindery_backfill_rows{state="left"} 600\n');
    await database.execute('DELETE FROM backfill');
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready' });
  });
});

describe('a contracting migration', () => {
  it('waits for servers that do not know it, which begin no more once it has run', async () => {
    await addNotes();
    await migrateUp(scratch.url, added());
    const server = await TestApp.start({}, scratch.url);
    try {
      await server.get(ServerProcesses).start();
      await addContraction();
      expect(await migrateUp(scratch.url, added())).toEqual([]);
      expect((await restOf(GIVEN))?.waits).toMatch(/^servers of an older release run \(\d+\.\d+\.\d+ on \S+\)$/);
      // Servers that know it do not run one that waits.
      await server.get(SchemaUpgrade).finish(new AbortController().signal);
      expect(await restOf(GIVEN)).toMatchObject({ applied: false });
    } finally {
      await server.close();
    }
    expect(await scratch.source.query('SELECT FROM server_process')).toEqual([]);
    expect(await migrateUp(scratch.url, added())).toEqual([GIVEN]);
    // The code of before.
    await rm(join(folder, '1799990000002-given.sql'));
    await expect(migrateUp(scratch.url, added())).rejects.toThrow(`which does not know its migration ${GIVEN}`);
    expect(await isMigrated(scratch.url, added())).toBe(false);
  }, 60_000);

  it('waits no longer for a server that was silent, which then does not go on', async () => {
    const server = await TestApp.start({}, scratch.url);
    try {
      const processes = server.get(ServerProcesses);
      await processes.start();
      await scratch.source.query(`UPDATE server_process SET seen_at = now() - interval '91 seconds'`);
      await scratch.source.query(
        `INSERT INTO migration ("timestamp", name) VALUES (9999999999999, 'TomorrowContract9999999999999')`,
      );
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      await processes.beat();
      const ready = await fetch(`${server.url}/readyz`);
      expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('the database is newer')]);
    } finally {
      await server.close();
    }
  }, 60_000);

  it('of a newer release ends older ones, and an expanding one does not', async () => {
    await scratch.source.query(
      `INSERT INTO migration ("timestamp", name) VALUES (9999999999999, 'Tomorrow9999999999999')`,
    );
    expect([await migrateUp(scratch.url), await isMigrated(scratch.url)]).toEqual([[], true]);
    await scratch.source.query(`UPDATE migration SET name = 'TomorrowContract9999999999999' WHERE name ~ 'Tomorrow'`);
    await expect(migrateUp(scratch.url)).rejects.toThrow(
      'The database is newer than this release, which does not know its migration TomorrowContract9999999999999',
    );
    expect(await isMigrated(scratch.url)).toBe(false);
  });
});

describe('a migration beside servers', () => {
  it('gives up its place among those that wait for a table until it gets the lock', async () => {
    await addNotes();
    await migrateUp(scratch.url, added());
    await add('1799990000001-more', '-- migrate:up\nALTER TABLE note ADD COLUMN more text;');
    const [reader, other] = [new pg.Client(scratch.url), new pg.Client(scratch.url)];
    await Promise.all([reader.connect(), other.connect()]);
    await reader.query('BEGIN; SELECT * FROM note');
    const migrated = migrateUp(scratch.url, added());
    let slowest = 0;
    for (let round = 0; round < 30; round++, await pause(50)) {
      const began = performance.now();
      await other.query('SELECT * FROM note');
      slowest = Math.max(slowest, performance.now() - began);
    }
    await reader.query('COMMIT');
    expect(await migrated).toEqual(['More1799990000001']);
    process.stdout.write(`a reader behind a migration that waits: at most ${Math.round(slowest)} ms\n`);
    await Promise.all([reader.end(), other.end()]);
  }, 60_000);

  it('makes an index again that was never completed, and drops one beside readers', async () => {
    await addNotes();
    await migrateUp(scratch.url, added());
    await scratch.source.query(`INSERT INTO note VALUES ('a', 1, 'same'), ('a', 2, 'same')`);
    await add('1799990000001-index', '-- migrate:up\nCREATE UNIQUE INDEX CONCURRENTLY note_words ON note (words);');
    await expect(migrateUp(scratch.url, added())).rejects.toThrow('could not create unique index "note_words"');
    const state = `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('note_words')`;
    expect(await scratch.source.query(state)).toEqual([{ valid: false }]);
    await scratch.source.query(`UPDATE note SET words = number`);
    expect(await migrateUp(scratch.url, added())).toEqual(['Index1799990000001']);
    expect(await scratch.source.query(state)).toEqual([{ valid: true }]);
    await add(
      '1799990000002-no-index',
      '-- migrate:phase contract\n-- migrate:up\nDROP INDEX CONCURRENTLY note_words;',
    );
    expect(await migrateUp(scratch.url, added())).toEqual(['NoIndexContract1799990000002']);
    expect(await scratch.source.query(state)).toEqual([]);
  }, 60_000);
});
