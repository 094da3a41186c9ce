import { describe, expect, it, jest } from '@jest/globals';
import { DataSource, type QueryRunner } from 'typeorm';
import { serviceHistory } from '../src/data-source.js';
import { TestApp, useApp } from './app.js';
import { buildOrganization } from './build.js';
import { scratchDatabase } from './scratch-database.js';

const app = useApp();

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
      const count = serviceHistory().migrations.length;
      for (let i = 0; i < count; i++) await scratch.source.undoLastMigration({ transaction: 'each' });
      expect(await objects()).toEqual([]);
      await scratch.source.runMigrations();
      expect((await objects()).length).toBeGreaterThan(20);
    } finally {
      await scratch.drop();
    }
  });
});
