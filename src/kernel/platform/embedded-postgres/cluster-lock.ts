import { realpath } from 'node:fs/promises';
import pg from 'pg';
import { OperatorError, codeOf, reasonOf } from '../operator-error.js';
import { SUPERUSER } from './cluster.js';

/** A second `server` is refused; a `guest` (a command) works beside one. */
export type ClusterRole = 'server' | 'guest';

const SPACE = 0x62696e64;
/**
 * Held shared by every process that uses the database: a process that can take it exclusively is the last one and may
 * stop PostgreSQL.
 */
const PRESENCE = 1;
/** Held by the one server. */
const SERVER = 2;
const PATIENCE_MS = 3000;

/** Address of a database of the cluster. */
export const databaseUrl = (port: number, password: string, database: string): string =>
  `postgres://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;

/** True if the failure means that the server is starting, stopping or has just stopped, so that a retry makes sense. */
export function isTransient(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined)
    return ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', '57P01', '57P02', '57P03', '53300'].includes(code);
  return /^(Connection terminated|timeout expired)/.test(reasonOf(error));
}

/**
 * A database session that represents this process in the cluster. Its locks end with the process, however it ends, so
 * no clean-up is needed after a `kill -9`, and no stale lock file remains.
 */
export class ClusterLock {
  private closing = false;

  private constructor(
    private readonly client: pg.Client,
    private readonly lost: (reason: string) => void,
  ) {}

  /**
   * Opens the session and takes the locks of the role.
   * @param lost called once if the session ends without being released.
   * @throws OperatorError if another server holds the cluster, or another cluster responds on that port.
   */
  static async acquire(
    port: number,
    password: string,
    cluster: string,
    role: ClusterRole,
    lost: (reason: string) => void,
  ): Promise<ClusterLock> {
    const client = new pg.Client({
      connectionString: databaseUrl(port, password, 'postgres'),
      application_name: `bindery ${role} ${process.pid}`,
      connectionTimeoutMillis: 5000,
      keepAlive: true,
    });
    const lock = new ClusterLock(client, lost);
    let fault = 'the connection was closed';
    client.on('error', (error) => (fault = error.message));
    await client.connect();
    client.once('end', () => lock.ended(fault));
    try {
      await lock.verify(cluster);
      await client.query('SELECT pg_advisory_lock_shared($1, $2)', [SPACE, PRESENCE]);
      if (role === 'server') await lock.claimServer(cluster);
      return lock;
    } catch (error) {
      await lock.close();
      throw error;
    }
  }

  private ended(reason: string): void {
    if (this.closing) return;
    this.closing = true;
    this.lost(reason);
  }

  /** The password already identifies the cluster; the check of the folder detects a copy of the data directory. */
  private async verify(cluster: string): Promise<void> {
    const { rows } = await this.client.query<{ directory: string }>(
      `SELECT current_setting('data_directory') AS directory`,
    );
    const directory = rows[0]?.directory ?? '';
    if ((await realpath(directory).catch(() => directory)) !== cluster) {
      throw new OperatorError(`The PostgreSQL recorded for ${cluster} serves ${directory} instead: stop it first`);
    }
  }

  /** Waits a little, because the session of a server that was just killed ends only when PostgreSQL notices. */
  private async claimServer(cluster: string): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!(await this.tryLock(SERVER))) {
      if (Date.now() > deadline)
        throw new OperatorError(
          `Another server${await this.describeHolder()} is using the data directory of ${cluster}: stop it, or set DATA_DIR to another folder`,
        );
      await new Promise((settle) => setTimeout(settle, 100));
    }
  }

  private async tryLock(key: number): Promise<boolean> {
    const { rows } = await this.client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS taken', [
      SPACE,
      key,
    ]);
    return rows[0]?.taken === true;
  }

  private async describeHolder(): Promise<string> {
    const { rows } = await this.client.query<{ name: string }>(
      `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
        WHERE l.locktype = 'advisory' AND l.granted AND l.classid = $1 AND l.objid = $2 LIMIT 1`,
      [SPACE, SERVER],
    );
    const pid = /\d+$/.exec(rows[0]?.name ?? '')?.[0];
    return pid === undefined ? '' : ` (process ${pid})`;
  }

  /** Creates the database of that name if it does not exist. */
  async ensureDatabase(name: string): Promise<void> {
    const { rowCount } = await this.client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount !== 0) return;
    try {
      await this.client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
    } catch (error) {
      // Two concurrent processes cause duplicate_database, or unique_violation on the catalogue.
      if (!['42P04', '23505'].includes(codeOf(error) ?? '')) throw error;
    }
  }

  /**
   * Releases this process's share. @returns true if no other process uses the cluster; from then on none can begin to,
   * until it stops.
   */
  async resign(): Promise<boolean> {
    this.closing = true;
    await this.client.query('SELECT pg_advisory_unlock_shared($1, $2)', [SPACE, PRESENCE]);
    return this.tryLock(PRESENCE);
  }

  /** Waits a little until no other process uses the cluster; none can begin to after that. @returns false if one stays. */
  async becomeLast(): Promise<boolean> {
    const deadline = Date.now() + PATIENCE_MS;
    if (await this.resign()) return true;
    while (!(await this.tryLock(PRESENCE))) {
      if (Date.now() > deadline) return false;
      await new Promise((settle) => setTimeout(settle, 100));
    }
    return true;
  }

  async close(): Promise<void> {
    this.closing = true;
    await this.client.end().catch(() => undefined);
  }
}
