import { describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { loadMigrations } from '../src/data-source.js';
import { useApp } from './app.js';
import { scratchDatabase } from './scratch-database.js';

const app = useApp();

describe('migrations', () => {
  it('leave nothing for the schema builder to do', async () => {
    const source = app.current.nest.get(DataSource);
    const { upQueries } = await source.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
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
});
