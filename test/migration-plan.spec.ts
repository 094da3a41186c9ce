import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { planLines } from '../src/cli/migration-plan-runs.js';
import { type PlannedMigration, planMigrations } from '../src/cli/migration-plan.js';
import { migrateTo, migrateUp, migrationStates } from '../src/cli/schema.js';
import { serviceHistory } from '../src/data-source.js';
import { defineModule } from '../src/kernel/platform/manifest/manifest.js';
import { Stage } from './faults/processes.js';
import { type ScratchDatabase, scratchDatabase } from './scratch-database.js';

/** The last of the baselines of 0.1.0. */
const BASELINES = 1_795_400_002_500;

const databases: ScratchDatabase[] = [];
let old: ScratchDatabase;
let planned: readonly PlannedMigration[];

async function empty(): Promise<ScratchDatabase> {
  const database = await scratchDatabase('empty');
  databases.push(database);
  return database;
}

const named = (end: string): PlannedMigration => {
  const found = planned.find(({ name }) => name.replace(/\d+$/, '') === end);
  if (!found) throw new Error(`no migration ${end} is planned`);
  return found;
};
const lockOn = (migration: PlannedMigration, table: string) => migration.locks.find((lock) => lock.table === table);

beforeAll(async () => {
  old = await empty();
  const names = serviceHistory()
    .migrations.filter(({ time }) => time <= BASELINES)
    .map(({ name }) => name);
  await migrateTo(old.url, { migration: names });
  await old.source.query(
    `INSERT INTO account (id, display_name, email, created_at) VALUES ('a', 'A', 'a@example.com', now())`,
  );
  await old.source.query('ANALYZE');
  planned = await planMigrations(old.url, (await empty()).url, []);
}, 120_000);
afterAll(() => Promise.all(databases.map((database) => database.drop())));

describe('the plan of migrations', () => {
  it('has those that the database lacks, in their order, and leaves it as it is', async () => {
    const states = await migrationStates(old.url);
    const missing = states.filter(({ applied }) => !applied).map(({ name }) => name);
    expect(missing.length).toBeGreaterThan(40);
    // Those that contract come behind all others.
    const contracts = (name: string): boolean => /Contract\d+$/.test(name);
    expect(planned.map(({ name }) => name)).toEqual([
      ...missing.filter((name) => !contracts(name)),
      ...missing.filter(contracts),
    ]);
    const names = await old.source.query<{ name: string }[]>(
      `SELECT nspname AS name FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema$)'`,
    );
    expect(names).toEqual([{ name: 'public' }]);
  });

  it('tells the locks of each on tables that are there, and whom they hold up', () => {
    // ALTER TABLE account … and a new table that refers to it.
    expect(named('UsersAgents').locks).toEqual([
      expect.objectContaining({
        table: 'api_token',
        mode: 'ACCESS EXCLUSIVE',
        blocks: 'readers and writers',
        work: [],
        seconds: 0,
      }),
    ]);
    // A foreign key keeps writers of the table that it refers to waiting.
    expect(lockOn(named('ChangeRequestsViewedPages'), 'account')).toMatchObject({
      mode: 'SHARE ROW EXCLUSIVE',
      blocks: 'writers',
      rows: 1,
    });
    // An index that is made in a transaction lets readers on.
    expect(named('SitesPublicSitesByTitle').locks).toEqual([
      expect.objectContaining({ table: 'site', mode: 'SHARE', blocks: 'writers', work: ['index'] }),
    ]);
    // Statements that write rows hold up nobody.
    expect(named('SitesFixedCustomizations').locks.filter(({ work }) => work.length > 0)).toEqual([
      expect.objectContaining({ table: 'site', mode: 'ROW EXCLUSIVE', blocks: 'nobody', work: ['write'] }),
    ]);
  });

  it('tells the work on tables, and the time from their sizes, for modules from elsewhere as well', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-plan-'));
    const write = (name: string, up: string) =>
      writeFile(join(folder, name), `-- migrate:up\n${up}\n-- migrate:down\nSELECT 1;\n`);
    await write(
      '1796000000000-notes.sql',
      // Autovacuum writes a map of visibility, which changes the size while the test compares it.
      `CREATE TABLE note (id text PRIMARY KEY, number integer, words text) WITH (autovacuum_enabled = false);
       CREATE TABLE other (id text PRIMARY KEY);`,
    );
    const notes = [defineModule({ name: 'notes', requires: '*', migrations: folder })];
    const database = await empty();
    await migrateUp(database.url, notes);
    await database.source.query(`INSERT INTO note SELECT n, n, repeat('x', 1000) FROM generate_series(1, 20000) AS n`);
    await database.source.query('ANALYZE note');
    await write(
      '1796000000001-numbers.sql',
      'ALTER TABLE note ALTER COLUMN number TYPE bigint, ALTER COLUMN number SET NOT NULL;',
    );
    await write(
      '1796000000002-words.sql',
      'CREATE INDEX note_words ON note (md5(words)); UPDATE note SET words = upper(words);',
    );
    await write('1796000000003-owners.sql', 'ALTER TABLE note ADD COLUMN owner text NOT NULL; DROP TABLE other;');
    const [numbers, words, owners] = await planMigrations(database.url, (await empty()).url, notes);
    const [size] = await database.source.query<{ bytes: number }[]>(
      `SELECT pg_total_relation_size('note')::float8 AS bytes`,
    );
    expect(size?.bytes).toBeGreaterThan(20e6);
    expect(numbers).toMatchObject({
      module: 'notes',
      locks: [{ table: 'note', mode: 'ACCESS EXCLUSIVE', rows: 20_000, bytes: size?.bytes, work: ['rewrite', 'scan'] }],
      breaks: ['the column number of note is another'],
    });
    expect(words).toMatchObject({
      locks: [{ table: 'note', mode: 'SHARE', blocks: 'writers', work: ['index', 'write'] }],
      breaks: [],
    });
    expect(owners).toMatchObject({
      locks: [
        { table: 'note', work: [], seconds: 0 },
        { table: 'other', mode: 'ACCESS EXCLUSIVE' },
      ],
      breaks: ['the table other is gone', 'the column owner of note has to be given'],
    });
    expect([numbers?.seconds, words?.seconds].every((seconds = 0) => seconds > 0.5 && seconds < 10)).toBe(true);
    await rm(folder, { recursive: true });
  });

  it('tells what servers of the release before do not expect', () => {
    expect(named('UsersAgents').breaks).toEqual([]);
    expect(named('PlatformRenameClockwork').breaks).toEqual(['the table clockwork is gone']);
    expect(named('ContentTags').breaks).toEqual(['the constraint content_item_kind_check of content_item is another']);
    expect(named('ContentSearchScopes').breaks.join()).toContain(
      'the function search_vector(text,regconfig,text) is gone',
    );
    expect(named('SitesDraftStructure').breaks).toEqual([]);
  });

  it('is nothing for a database that has all of them, and is refused for one that is newer', async () => {
    const current = await empty();
    await migrateUp(current.url);
    expect(await planMigrations(current.url, 'postgres://127.0.0.1:1/nothing', [])).toEqual([]);
    expect(planLines([], 0)).toEqual(['The database is up to date.']);
    await expect(planMigrations(old.url, current.url, [])).rejects.toThrow(/is not empty, it has the table \w+/);
    await expect(planMigrations(old.url, old.url, [])).rejects.toThrow(/is not empty/);
    await current.source.query(`INSERT INTO migration ("timestamp", name) VALUES (1, 'OfTomorrow9999999999999')`);
    await expect(planMigrations(current.url, 'postgres://127.0.0.1:1/nothing', [])).rejects.toThrow(
      /newer than this release/,
    );
  });

  it('is printed', async () => {
    const stage = await Stage.open();
    try {
      const env = { DATABASE_URL: old.url, SECRET_KEY: 'k'.repeat(40) };
      const scratch = await empty();
      const words = ['migrate', 'plan', '--database-url', scratch.url];
      const { code, stdout, stderr } = await stage.finish(words, { env });
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(
        /^UsersAgents\d+: about 0\.0 s\n {2}Servers of the release before work on\.\n {2}TABLE +LOCK +BLOCKS +ROWS +SIZE +WORK +SECONDS\n {2}api_token +ACCESS EXCLUSIVE +readers and writers /m,
      );
      expect(stdout).toMatch(/\n {2}Servers of the release before may fail:\n {4}the table clockwork is gone\n/);
      expect(stdout).toMatch(/Each of them runs in a transaction of its own: all together about \d+\.\d s\.\n$/);
    } finally {
      await stage.close();
    }
  });
});
