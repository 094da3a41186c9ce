import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { DataSource, type QueryRunner } from 'typeorm';
import { REPLACED_MIGRATIONS } from '../src/cli/baselines.js';
import { migrateDown, migrateUp, migrationStates } from '../src/cli/schema.js';
import { createDataSource, serviceHistory } from '../src/data-source.js';
import { phaseOf } from '../src/kernel/platform/migrations/migration-file.js';
import { MANIFESTS } from '../src/manifests.js';
import { Doctor } from '../src/operations/doctor/doctor.service.js';
import { TestApp, useApp } from './app.js';
import { Client } from './client.js';
import { auditLines, events, insights } from './months.js';
import { scratchDatabase, type ScratchDatabase } from './scratch-database.js';

const app = useApp();

/** The migrations that each release brought: hashes by paths. */
const RELEASED = JSON.parse(readFileSync('test/migrations/released.json', 'utf8')) as Record<
  string,
  Record<string, string>
>;
const RELEASED_FILES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(RELEASED).flatMap((files) => Object.entries(files)),
);

/** The words of drafts, which the files of releases leave out. */
const LACKING = 'search-words';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
/** The time in the name of a migration. */
const timeOf = (path: string): number => Number(/(\d{13})-[a-z0-9-]+\.sql$/.exec(path)?.[1]);

/** Rows that are only ever added and counted have no key in the database; every entity of TypeORM has one. */
const KEY_OF_KEYLESS = /^ALTER TABLE "(?:space_vocabulary|site_insight)" ADD CONSTRAINT "PK_\w+" PRIMARY KEY /;

/** A connection that sends one statement after the other, which the schema builder leaves to pg, and pg will not do for much longer. */
function inTurn(runner: QueryRunner): QueryRunner {
  const query = runner.query.bind(runner);
  let turn: Promise<unknown> = Promise.resolve();
  jest.spyOn(runner, 'query').mockImplementation((...statement) => {
    const answer = turn.then(() => query(...statement));
    turn = answer.catch(() => undefined);
    return answer;
  });
  return runner;
}

/** A database that has the migrations of a release, and no later ones. */
async function databaseOf(version: string): Promise<ScratchDatabase> {
  const scratch = await scratchDatabase('empty');
  const newest = Math.max(...Object.keys(RELEASED[version] ?? {}).map(timeOf));
  const { table, migrations } = serviceHistory();
  const history = { table, migrations: migrations.filter(({ time }) => time <= newest) };
  const release = createDataSource({ url: scratch.url, poolSize: 1, history });
  await release.initialize();
  await release.runMigrations();
  await release.destroy();
  return scratch;
}

/** The names of the migrations that a database has, oldest first. */
async function recorded({ source }: ScratchDatabase): Promise<string[]> {
  const rows = await source.query<{ name: string }[]>('SELECT name FROM migration ORDER BY id');
  return rows.map(({ name }) => name);
}

describe('migrations', () => {
  it('make a table for each entity, and no others', async () => {
    const source = app.current.nest.get(DataSource);
    const tables = await source.query<{ name: string }[]>(
      `SELECT c.relname AS name FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'migration' ORDER BY 1`,
    );
    expect(source.entityMetadatas.map(({ tableName }) => tableName).sort()).toEqual(tables.map(({ name }) => name));
  });

  it('leave nothing for the schema builder to do', async () => {
    const source = app.current.nest.get(DataSource);
    const create = source.createQueryRunner.bind(source);
    const runners = jest.spyOn(source, 'createQueryRunner').mockImplementation((mode) => inTurn(create(mode)));
    const { upQueries } = await source.driver.createSchemaBuilder().log();
    expect(runners).toHaveBeenCalled();
    runners.mockRestore();
    expect(upQueries.map(({ query }) => query).filter((query) => !KEY_OF_KEYLESS.test(query))).toEqual([]);
  });

  it('go up on an empty database, down to nothing, and up again', async () => {
    const scratch = await scratchDatabase();
    try {
      const objects = () =>
        scratch.source.query<{ name: string }[]>(
          `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast') AND c.oid NOT IN (SELECT unnest(ARRAY[i.indexrelid, i.indrelid]) FROM pg_index i WHERE i.indrelid = 'migration'::regclass)
              AND c.relname <> 'migration_id_seq'
            UNION ALL SELECT typname FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE n.nspname = 'public' AND t.typtype = 'e'
            UNION ALL SELECT proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = 'public'
              AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
        );
      expect((await objects()).length).toBeGreaterThan(20);
      const count = serviceHistory().migrations.length;
      for (let i = 0; i < count; i++) await scratch.source.undoLastMigration({ transaction: 'each' });
      expect(await objects()).toEqual([]);
      await scratch.source.runMigrations();
      expect((await objects()).length).toBeGreaterThan(20);
    } finally {
      await scratch.drop();
    }
  });

  it('are brought by the module whose folder they lie in, each at a time of its own', async () => {
    const folders = MANIFESTS.flatMap(({ name, migrations }) => (migrations === undefined ? [] : [name]));
    expect(await readdir('migrations')).toEqual([...folders].sort());
    const times = serviceHistory().migrations.map(({ time }) => time);
    expect(new Set(times).size).toBe(times.length);
  });
});

describe('released migrations', () => {
  it('stay as they are, and others come after them', async () => {
    const files = (await readdir('migrations', { recursive: true })).filter((path) => path.endsWith('.sql'));
    const added = files.filter((path) => !(path in RELEASED_FILES));
    const hashes = await Promise.all(
      Object.keys(RELEASED_FILES).map(async (path) => [path, sha256(await readFile(join('migrations', path)))]),
    );
    expect(Object.fromEntries(hashes)).toEqual(RELEASED_FILES);
    expect(added.filter((path) => timeOf(path) <= Math.max(...Object.keys(RELEASED_FILES).map(timeOf)))).toEqual([]);
  });

  it.each(Object.keys(RELEASED))(
    '3b-40 go forward from %s on a database with data, which stays readable',
    async (version) => {
      const scratch = await databaseOf(version);
      await scratch.source.query(await readFile(join('test/migrations', `${version}.sql`), 'utf8'));
      const later = scratch.source.migrations.length - (await recorded(scratch)).length;
      expect(await migrateUp(scratch.url, [], { contract: true })).toHaveLength(later);
      const server = await TestApp.start({}, scratch.url);
      try {
        await expectReadable(new Client(server.url, 'bnd_of_released_databases'));
        const broken: string[] = [];
        for await (const { group, check, level, message } of server.get(Doctor).examine({ all: true, mend: false }))
          if (group === 'invariants' && level !== 'ok' && check !== LACKING) broken.push(message);
        expect(broken).toEqual([]);
      } finally {
        await server.close();
        await scratch.drop();
      }
    },
  );
});

describe('the vocabulary of a space', () => {
  it('has the words that servers of either release write during an upgrade', async () => {
    const scratch = await databaseOf('0.1.0');
    const { source, url } = scratch;
    const space = 'Guide000000000000000';
    const words = ['basalt', 'first', 'gneiss', 'granite', 'releas', 'release', 'said'];
    const single = async (): Promise<string[]> => {
      const rows = await source.query<{ word: string }[]>(
        'SELECT word FROM search_word WHERE space_id = $1 ORDER BY 1',
        [space],
      );
      return rows.map(({ word }) => word);
    };
    const sets = async (): Promise<string[]> => {
      const rows = await source.query<{ words: string }[]>(
        'SELECT words FROM space_vocabulary WHERE space_id = $1 ORDER BY words',
        [space],
      );
      return rows.map(({ words }) => words);
    };
    try {
      await source.query(await readFile('test/migrations/0.1.0.sql', 'utf8'));
      await migrateUp(url);
      await source.query(
        `INSERT INTO search_word (space_id, word, letters) SELECT $1, word, search_letters(word) FROM unnest('{granite,gneiss}'::text[]) AS word`,
        [space],
      );
      await source.query('INSERT INTO space_vocabulary (space_id, words) VALUES ($1, $2)', [space, 'basalt\nfirst']);
      expect(await single()).toEqual(words);
      expect(await sets()).toEqual(['basalt\nfirst', 'gneiss\ngranite']);
      expect(await migrateUp(url, [], { contract: true })).toEqual(['ContentSingleWordsContract1799750000001']);
      expect(await sets()).toEqual(['basalt\nfirst', words.join('\n'), 'gneiss\ngranite']);
      await migrateDown(url, 1);
      expect(await single()).toEqual(words);
      await migrateDown(url, 1);
      expect(await single()).toEqual(words);
    } finally {
      await scratch.drop();
    }
  });
});

describe('tables of a released database that become partitioned', () => {
  const TABLES = ['event', 'audit_event', 'site_insight'];
  const [now, far] = [Date.now(), Date.now() + 200 * 24 * 3600 * 1000];
  const sums = async ({ source }: ScratchDatabase): Promise<unknown[]> => {
    const found: unknown[] = [];
    for (const table of TABLES)
      found.push(
        await source.query<unknown[]>(
          `SELECT count(*), sum(hashtextextended((to_jsonb(t) - 'agent')::text, 0)) FROM ${table} t`,
        ),
      );
    return found;
  };
  const filesOf = ({ source }: ScratchDatabase, names: readonly string[]) =>
    source.query<{ file: string }[]>(
      'SELECT pg_relation_filenode(name::regclass) AS file FROM unnest($1::text[]) WITH ORDINALITY AS n (name, place) ORDER BY place',
      [names],
    );

  it('keep their rows where they lie, take those of old servers, and become what they were', async () => {
    const scratch = await databaseOf('0.1.0');
    try {
      await scratch.source.query(await readFile('test/migrations/0.1.0.sql', 'utf8'));
      await scratch.source.query(`INSERT INTO event_consumer (name, created_at) VALUES ('keeper', now())`);
      for (const time of [now, far]) {
        const [id] = await events(scratch, new Date(time), 30);
        await scratch.source.query(
          `INSERT INTO event_claim (consumer, event_id, due_at) VALUES ('keeper', $1, now())`,
          [id],
        );
        await auditLines(scratch, new Date(time), 30);
        await insights(scratch, new Date(time), 30);
      }
      const before = await sums(scratch);
      const files = await filesOf(scratch, TABLES);
      await migrateUp(scratch.url);
      expect(await sums(scratch)).toEqual(before);
      const earlier = TABLES.map((table) => `${table}_earlier`);
      expect(await filesOf(scratch, earlier)).toEqual(files);
      for (const table of TABLES) {
        const [row] = await scratch.source.query<{ count: string }[]>(`SELECT count(*) FROM ${table}_default`);
        // The event of the fixture has an id of a far future.
        expect([table, row?.count]).toEqual([table, table === 'event' ? '31' : '30']);
      }
      expect(await scratch.source.query('SELECT FROM event_claim')).toHaveLength(2);
      // The statement by which servers of 0.1.0 remove lines.
      const removed = await scratch.source.query<unknown[]>(
        `INSERT INTO audit_removal (id, before, removed_at) VALUES ('r', now() - interval '400 days', now()) RETURNING removed`,
      );
      expect(removed).toEqual([]);
      const names = await recorded(scratch);
      await migrateDown(scratch.url, names.length - names.indexOf('PlatformMonths1799760000000'));
      expect(await sums(scratch)).toEqual(before);
      await expect(scratch.source.query('DELETE FROM audit_event')).rejects.toThrow('cannot be changed');
      await migrateUp(scratch.url);
      expect(await sums(scratch)).toEqual(before);
    } finally {
      await scratch.drop();
    }
  });
});

describe('a database from before the baselines', () => {
  /** A database with the schema of the baselines, whose history has these names. */
  async function withHistory(names: readonly string[]): Promise<ScratchDatabase> {
    const scratch = await databaseOf('0.1.0');
    await scratch.source.query('DELETE FROM migration');
    await scratch.source.query(
      `INSERT INTO migration ("timestamp", name) SELECT right(name, 13)::bigint, name FROM unnest($1::text[]) AS name`,
      [names],
    );
    return scratch;
  }

  it('gets the baselines recorded, and nothing runs', async () => {
    const scratch = await withHistory(REPLACED_MIGRATIONS);
    try {
      expect((await migrationStates(scratch.url)).filter(({ applied }) => applied)).toHaveLength(46);
      expect(await recorded(scratch)).toEqual(REPLACED_MIGRATIONS);
      const names = serviceHistory().migrations.map(({ name }) => name);
      const contracting = names.filter((name) => phaseOf(name) === 'contract');
      const inTheirOrder = [...names.filter((name) => phaseOf(name) === 'expand'), ...contracting];
      expect(await migrateUp(scratch.url, [], { contract: true })).toEqual(inTheirOrder.slice(26));
      expect(await recorded(scratch)).toEqual(inTheirOrder);
      expect(await scratch.source.showMigrations()).toBe(false);
    } finally {
      await scratch.drop();
    }
  });

  it.each([
    ['some of the migrations that they replace', REPLACED_MIGRATIONS.slice(0, 45), 45],
    ['others beside them', [...REPLACED_MIGRATIONS, 'Tomorrow9999999999999'], 46],
  ])('is refused with %s, and stays as it is', async (_, names, count) => {
    const scratch = await withHistory(names);
    try {
      for (const migrate of [() => migrateUp(scratch.url), () => migrateDown(scratch.url, 1)])
        await expect(migrate()).rejects.toThrow(
          `The database has ${count} of the 46 migrations that the baselines of 0.1.0 replace: migrate it with the last version before 0.1.0 first`,
        );
      expect(await recorded(scratch)).toEqual(names);
    } finally {
      await scratch.drop();
    }
  });
});

/** Reads what the data of each release has: more may come with a later one, but none of this goes. */
async function expectReadable(api: Client): Promise<void> {
  const organization = '/orgs/Kestrel0000000000000';
  const space = '/spaces/Guide000000000000000';
  const request = `${space}/change-requests/Request0000000000000`;
  const ada = { displayName: 'Ada', email: 'ada@example.com' };
  const expected: readonly (readonly [path: string, body: object])[] = [
    ['/user', ada],
    [organization, { title: 'Kestrel' }],
    [`${organization}/members`, { items: [{ user: { displayName: 'Ben' } }, { user: ada }] }],
    [
      `${organization}/teams/Writers0000000000000/members`,
      { items: [{ organization: { user: { displayName: 'Ben' } } }] },
    ],
    [`${organization}/audit-events`, { items: [{ action: 'space_created' }] }],
    ['/collections/Products000000000000', { title: 'Products' }],
    [space, { title: 'Guide', parent: 'Products000000000000' }],
    [
      `${space}/content/page/PageBegin00000000000?format=markdown`,
      { markdown: '# Begin here\n\nSaid in the first release.\n' },
    ],
    [`${space}/search?query=released`, { items: [{ title: 'Begin here' }] }],
    [`${space}/comments`, { items: [{ body: { markdown: 'Is this right?\n' } }] }],
    [request, { subject: 'A second page', number: 1 }],
    [`${request}/content/page/PageNext000000000000?format=markdown`, { markdown: '# Next\n\nProposed.\n' }],
    [`${organization}/sites/Handbook000000000000`, { title: 'Handbook', siteSpaces: 1 }],
  ];
  for (const [path, body] of expected) expect([path, (await api.get(path)).body]).toMatchObject([path, body]);
  // What derives from it can still be written.
  const written = await api.post(`${request}/merge`);
  expect([written.status, written.body]).toMatchObject([200, { result: 'merge' }]);
}
