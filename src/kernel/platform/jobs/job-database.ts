import type PgBoss from 'pg-boss';
import type { DataSource } from 'typeorm';
import { poolOf, type Database } from '../../common/database.js';

/** Runs pg-boss on the connection pool of the service, in the ambient transaction if there is one. */
export class JobDatabase implements PgBoss.Db {
  constructor(
    private readonly database: Database,
    private readonly source: DataSource,
  ) {}

  async executeSql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }> {
    if (values !== undefined && values.length > 0) return { rows: await this.database.query(text, values) };
    // Installation and maintenance are several statements with their own BEGIN and COMMIT.
    return { rows: (await poolOf(this.source).query<Record<string, unknown>>(text)).rows };
  }
}
