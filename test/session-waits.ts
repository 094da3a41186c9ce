import type { Database } from '../src/kernel/common/database.js';

/** Waits until a session waits for a lock in a statement like this one; inside a transaction, which would see one state only. */
export async function sessionWaits(database: Database, statement: string): Promise<void> {
  const waiting = () =>
    database.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
      [statement],
    );
  for (let turn = 0; turn < 500; turn++) {
    if ((await waiting()).length > 0) return;
    await new Promise((settle) => setTimeout(settle, 20));
    await database.query('SELECT pg_stat_clear_snapshot()');
  }
  throw new Error(`No session waits in ${statement}`);
}
