import type PgBoss from 'pg-boss';
import { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { poolOf, type Database } from '../../common/database.js';

const RECLAIMED_AT_ONCE = 100;
const PROBLEM = 'its server died';

const RENEW = `UPDATE jobs.job SET expire_in = now() - started_on + $4 * interval '1 second'
  WHERE name = $1 AND id IN (SELECT id FROM jobs.job WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3 FOR UPDATE SKIP LOCKED)`;

const IS_HELD = `SELECT FROM jobs.job WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3`;

/** A locked row belongs to a running server that is committing the job. */
const EXPIRED = `SELECT name, id, retry_count < retry_limit AS again FROM jobs.job WHERE state = 'active' AND started_on + expire_in < now() ORDER BY name, id LIMIT ${RECLAIMED_AT_ONCE} FOR UPDATE SKIP LOCKED`;

const TRY_AGAIN = `UPDATE jobs.job j SET state = 'retry', start_after = now(), output = jsonb_build_object('message', '${PROBLEM}')
  FROM unnest($1::text[], $2::uuid[]) AS expired (name, id) WHERE j.name = expired.name AND j.id = expired.id`;

export interface FetchedJob {
  readonly id: string;
  readonly name: string;
  /** Counts the runs; together with the id it is the fencing token. */
  readonly retryCount: number;
  /** Retries that may fail; failures of the infrastructure do not count. */
  readonly retryLimit: number;
}

interface ExpiredJob extends Record<string, unknown> {
  readonly name: string;
  readonly id: string;
  readonly again: boolean;
}

/**
 * Leases of running jobs, by the time of the database. The server that runs a job renews its lease, over a connection
 * of its own so that it keeps its jobs however many requests wait for the pool. Any server reclaims a lease that is not
 * renewed.
 */
export class JobLeases {
  private connection: Pool | undefined;

  constructor(
    private readonly database: Database,
    private readonly source: DataSource,
    private readonly boss: PgBoss,
  ) {}

  /** Creates an index that finds running jobs without reading finished ones, of which there are many. */
  async prepare(): Promise<void> {
    await this.database.execute(
      `CREATE INDEX IF NOT EXISTS job_active_idx ON jobs.job (started_on) WHERE state = 'active'`,
    );
  }

  /** Renews the lease of a job for so many seconds; false if it was lost. */
  async renew({ name, id, retryCount }: FetchedJob, seconds: number): Promise<boolean> {
    this.connection ??= this.connect();
    const { rowCount } = await this.connection.query(RENEW, [name, id, retryCount, seconds]);
    return rowCount === 1 || (await this.connection.query(IS_HELD, [name, id, retryCount])).rowCount === 1;
  }

  /**
   * Requeues jobs whose servers died: to run again at once, or as dead letters after the last attempt. Returns their
   * number.
   */
  reclaim(): Promise<number> {
    return this.database.transaction(async () => {
      const expired = await this.database.query<ExpiredJob>(EXPIRED);
      const again = expired.filter((job) => job.again);
      if (again.length > 0)
        await this.database.execute(TRY_AGAIN, [again.map(({ name }) => name), again.map(({ id }) => id)]);
      for (const { name, id } of expired.filter((job) => !job.again))
        await this.boss.fail(name, id, { message: PROBLEM });
      return expired.length;
    });
  }

  async close(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    await connection?.end();
  }

  private connect(): Pool {
    const { options } = poolOf(this.source);
    // The password is a hidden property, which a spread does not copy.
    const pool = new Pool({ ...options, password: options.password, max: 1 });
    // A connection that breaks while idle must not end the process: the next use opens another.
    return pool.on('error', () => undefined);
  }
}
