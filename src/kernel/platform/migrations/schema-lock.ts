import { setTimeout as pause } from 'node:timers/promises';
import { connectTo, type DatabaseConnection, type Route } from '../../common/connection.js';

/** Any two fixed numbers: only one process migrates at a time, on any server. */
const MIGRATION_LOCK = `${0x62696e64}, 3`;

/** The name of the connections in PostgreSQL's statistics. */
const APPLICATION_NAME = 'bindery migrations';

/** Milliseconds after which a lock that another process holds is asked for again. */
const RETRY_MILLISECONDS = 200;

/** Opens a connection for work on the schema. */
export async function withSchemaConnection<T>(
  place: string | Route,
  work: (client: DatabaseConnection) => Promise<T>,
): Promise<T> {
  const client = await connectTo(place, APPLICATION_NAME);
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Runs `work` with a connection, under the lock against other schema changes. It is a lock of a transaction, which
 * keeps its session behind a connection pooler. Whoever waits for it holds no session meanwhile: the one who works may
 * need the last of the pooler.
 */
export const withSchemaLock = <T>(
  place: string | Route,
  work: (client: DatabaseConnection) => Promise<T>,
): Promise<T> =>
  withSchemaConnection(place, async (lock) => {
    while (!(await takesLock(lock))) await pause(RETRY_MILLISECONDS);
    return underLock(lock, place, work);
  });

/** Does so as well; undefined at once where another process has the lock. */
export const trySchemaLock = <T>(
  place: string | Route,
  work: (client: DatabaseConnection) => Promise<T>,
): Promise<T | undefined> =>
  withSchemaConnection(place, async (lock) => ((await takesLock(lock)) ? underLock(lock, place, work) : undefined));

async function underLock<T>(
  lock: DatabaseConnection,
  place: string | Route,
  work: (client: DatabaseConnection) => Promise<T>,
): Promise<T> {
  const result = await withSchemaConnection(place, work);
  await lock.query('COMMIT');
  return result;
}

/**
 * Begins a transaction that holds the lock for as long as it takes; false where another process has it. A statement with
 * parameters would leave a portal with a snapshot, for which an index that is made CONCURRENTLY waits.
 */
async function takesLock(client: DatabaseConnection): Promise<boolean> {
  await client.query('BEGIN');
  const { rows } = await client.query<{ isTaken: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${MIGRATION_LOCK}) AS "isTaken", set_config('idle_in_transaction_session_timeout', '0', true)`,
  );
  if (rows[0]?.isTaken === true) return true;
  await client.query('ROLLBACK');
  return false;
}
