import { type DatabaseConnection, connectTo, type Route } from './connection.js';

/** A place in the log of a database: bytes from its beginning, on one of the timelines that promotions begin. */
export interface LogPosition {
  readonly timeline: number;
  readonly offset: number;
}

/** Milliseconds for which an answer is waited for. */
const TRIAL_MILLISECONDS = 2000;
const APPLICATION_NAME = 'bindery log position';

/**
 * The end of the log: all changes that were acknowledged lie before it. The log is written before a commit is acknowledged,
 * unless `synchronous_commit` is off.
 */
const END_OF_LOG = `SELECT ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int AS timeline,
    pg_wal_lsn_diff(CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END, '0/0')::float8 AS "offset"`;

/** Tells databases apart that were made apart: a replica has the one of its primary. */
export const SYSTEM = 'SELECT s.system_identifier::text AS system FROM pg_control_system() AS s';

/** A database, or a pooler before it, did not answer in time: what is behind the address may be busy, silent or away. */
export class SilentDatabase extends Error {}

/**
 * Waits for work at most two seconds. What has arrived by then counts, also where the event loop was held meanwhile.
 * @throws SilentDatabase afterwards, which is an error of a lost connection
 */
export async function inTime<T>(work: Promise<T>): Promise<T> {
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const refuse = (): void => reject(new SilentDatabase('Connection terminated: the database does not answer'));
    limit = setTimeout(() => setImmediate(refuse), TRIAL_MILLISECONDS).unref();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(limit);
  }
}

/** The end of the log of the primary, asked on a connection of its own. */
export class PrimaryLog {
  private client: Promise<DatabaseConnection> | undefined;
  private running: Promise<LogPosition> | undefined;
  private waiting: Promise<LogPosition> | undefined;
  private isOver = false;
  /** The identifier of the database system, as the last connection has told it; undefined before the first. */
  system: string | undefined;

  constructor(private readonly route: Route) {}

  /**
   * The end of the log at some moment after the call. Calls at one time share a statement, but never one that is under
   * way: it may have been answered before a change that the caller has to see.
   */
  end(): Promise<LogPosition> {
    this.waiting ??= this.askNext();
    return this.waiting;
  }

  async close(): Promise<void> {
    this.isOver = true;
    const { client } = this;
    this.client = undefined;
    await client?.then((open) => open.end()).catch(() => undefined);
  }

  private async askNext(): Promise<LogPosition> {
    await this.running?.catch(() => undefined);
    this.waiting = undefined;
    // A lost connection tells nothing of the primary: only one that cannot be opened again does.
    this.running = this.ask().catch(() => this.ask());
    return this.running;
  }

  private async ask(): Promise<LogPosition> {
    if (this.isOver) throw new Error('Connection terminated: the server ends');
    const client = (this.client ??= this.connect());
    try {
      return await inTime(endOf(client));
    } catch (error) {
      if (this.client === client) this.client = undefined;
      void client.then((open) => open.abandon()).catch(() => undefined);
      throw error;
    }
  }

  private async connect(): Promise<DatabaseConnection> {
    const client = await connectTo(this.route, APPLICATION_NAME);
    try {
      this.system = (await client.query<{ system: string }>(SYSTEM)).rows[0]?.system;
      return client;
    } catch (error) {
      client.abandon();
      throw error;
    }
  }
}

async function endOf(client: Promise<DatabaseConnection>): Promise<LogPosition> {
  const { rows } = await (await client).query<LogPosition>(END_OF_LOG);
  const [end] = rows;
  if (!end) throw new Error('the database tells no position of its log');
  return end;
}
