import { describe, expect, it, jest } from '@jest/globals';
import { DataSource, type QueryRunner } from 'typeorm';
import { loadMigrations } from '../src/data-source.js';
import { TestApp, useApp } from './app.js';
import { buildOrganization } from './build.js';
import { scratchDatabase } from './scratch-database.js';

const app = useApp();

/** The last migration before those of specifications, conversations, translations and single sign-on. */
const EARLIER_STATE = 1_795_000_000_958;

/** Rows that are only ever added and counted have no key in the database; every entity of TypeORM has one. */
const KEY_OF_KEYLESS = /^ALTER TABLE "(?:search_word|site_insight)" ADD CONSTRAINT "PK_\w+" PRIMARY KEY /;

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

describe('migrations', () => {
  it('make a table for each entity, and no others', async () => {
    const source = app.current.nest.get(DataSource);
    const tables = await source.query<{ name: string }[]>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migration' ORDER BY 1`,
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
      const count = loadMigrations().length;
      for (let i = 0; i < count; i++) await scratch.source.undoLastMigration({ transaction: 'each' });
      expect(await objects()).toEqual([]);
      await scratch.source.runMigrations();
      expect((await objects()).length).toBeGreaterThan(20);
    } finally {
      await scratch.drop();
    }
  });

  it('3b-40 go forward on a database with data, of which nothing changes', async () => {
    const scratch = await scratchDatabase();
    const server = await TestApp.start({}, scratch.url);
    try {
      const { id, admin } = await buildOrganization(server);
      const space = (
        await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, { title: 'Kept', empty: true, editMode: 'live' })
      ).body.id;
      await admin.api.post(`/spaces/${space}/content`, {
        changes: [{ operation: 'insert_page', title: 'Page', document: { markdown: '# Page\n\nSaid before.' } }],
      });
      await admin.api.post(`/spaces/${space}/change-requests`, { subject: 'Open' });
      const isNewer = async () =>
        (await scratch.source.query<unknown[]>(`SELECT FROM migration WHERE "timestamp" > $1`, [EARLIER_STATE]))
          .length > 0;
      while (await isNewer()) await scratch.source.undoLastMigration({ transaction: 'each' });
      // What is renamed later is left out; it holds nothing here.
      const columns = await scratch.source.query<{ table: string; names: string[] }[]>(
        `SELECT c.table_name AS table, array_agg(c.column_name::text) AS names FROM information_schema.columns c JOIN pg_tables t ON t.schemaname = 'public' AND t.tablename = c.table_name
          WHERE c.table_schema = 'public' AND c.table_name <> ALL ($1) GROUP BY c.table_name`,
        [['migration', 'webhook_lane']],
      );
      const rows = async (): Promise<Record<string, unknown[]>> =>
        Object.fromEntries(
          await Promise.all(
            columns.map(
              async ({ table, names }) =>
                [
                  table,
                  await scratch.source.query<unknown[]>(
                    `SELECT ${names.map((name) => `"${name}"::text`).join()} FROM "${table}" ORDER BY ${names.map((_, at) => at + 1).join()}`,
                  ),
                ] as const,
            ),
          ),
        );
      const before = await rows();
      expect([
        Object.keys(before).length > 40,
        before['space']?.length,
        before['revision']?.length,
        before['document']?.length,
        before['change_request']?.length,
      ]).toEqual([true, 1, 2, 1, 1]);
      await scratch.source.runMigrations();
      expect(await rows()).toEqual(before);
    } finally {
      await server.close();
      await scratch.drop();
    }
  });

  it('move the texts of sections to the documents that have them, and back', async () => {
    const scratch = await scratchDatabase();
    const runner = scratch.source.createQueryRunner();
    try {
      const isThere = async () =>
        (await scratch.source.query<unknown[]>(`SELECT FROM migration WHERE name LIKE '%1795000000861'`)).length > 0;
      while (await isThere()) await scratch.source.undoLastMigration({ transaction: 'each' });
      await runner.query('SET session_replication_role = replica');
      await runner.query(
        `INSERT INTO document (space_id, hash, body, words, created_at) SELECT 'space', decode(hash, 'hex'), '{}', 1, now() FROM unnest(ARRAY['0a', '0b', '0c']) AS hash`,
      );
      await runner.query(`INSERT INTO document_section (space_id, hash, idx, anchor, level, title, body, heading_vector, vector)
        SELECT 'space', decode(hash, 'hex'), idx, anchor, 1, title, body, search_vector('space', 'english', title), search_vector('space', 'english', title || ' ' || body)
          FROM (VALUES ('0a', 0, '', '', 'kept'), ('0a', 1, 'b', 'Bär', 'old'), ('0b', 0, '', '', 'kept'), ('0b', 1, 'b', 'Bär', 'new'), ('0b', 2, 'c', 'Bär', 'new')) AS s (hash, idx, anchor, title, body)`);
      await runner.query(
        `UPDATE document_section SET vector = NULL, heading_vector = NULL WHERE hash = '\\x0a' AND idx = 0`,
      );
      await runner.query(
        `INSERT INTO page_current (space_id, page_id, hash, title_vector) VALUES ('space', 'page', '\\x0b', ''), ('space', 'other', '\\x0c', '')`,
      );
      const before: unknown = await runner.query(
        'SELECT hash, idx, anchor, title, body, CASE hash WHEN $1 THEN vector END AS vector FROM document_section ORDER BY hash, idx',
        [Buffer.from([0x0b])],
      );
      await runner.query('RESET session_replication_role');
      await scratch.source.runMigrations();
      const texts = (rows: string): Promise<unknown> =>
        runner.query(`SELECT t.title, t.text FROM ${rows} r JOIN (
          SELECT DISTINCT t.* FROM document d CROSS JOIN ROWS FROM (jsonb_to_recordset(d.sections) AS (title text, text text), unnest(d.section_texts)) AS t (title, text, hash)) t USING (hash) ORDER BY 1, 2`);
      expect(await texts('section_vector')).toEqual([
        { title: '', text: 'kept' },
        { title: 'Bär', text: 'new' },
        { title: 'Bär', text: 'old' },
      ]);
      expect(await texts('section_current')).toEqual([
        { title: '', text: 'kept' },
        { title: 'Bär', text: 'new' },
      ]);
      expect(await texts('section_unused')).toEqual([{ title: 'Bär', text: 'old' }]);
      while (await isThere()) await scratch.source.undoLastMigration({ transaction: 'each' });
      expect(
        await runner.query('SELECT hash, idx, anchor, title, body, vector FROM document_section ORDER BY hash, idx'),
      ).toEqual(before);
    } finally {
      await runner.release();
      await scratch.drop();
    }
  });
});
