import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { serverAddresses } from './database-address.js';

/** Preparation of statements by name: `auto` where the connection is found to keep them. */
export type Preparation = 'auto' | 'always' | 'never';

/** Milliseconds within which one of several servers has to answer that it accepts changes. */
const SEARCH_MILLISECONDS = 3000;
/** Milliseconds for which a server is waited for that does not answer. */
const CONNECT_MILLISECONDS = 10_000;
/** SQLSTATE of a change that a server refuses because it has become a replica. */
const READ_ONLY = '25006';

/**
 * Tells whether the session is that of this connection, whose settings are then made, and whether it accepts changes.
 * A pooler tells its clients another process number than that of the session which it lends them.
 */
const INTRODUCTION = `SELECT own AS "isDirect", current_setting('transaction_read_only') = 'on' AS "isReadOnly",
    (SELECT count(set_config(s.name, s.value, false)) FROM unnest($2::text[], $3::text[]) AS s (name, value) WHERE own)
  FROM (SELECT pg_backend_pid()::text = $1 AS own) AS session`;

interface Introduction {
  readonly isDirect: boolean;
  readonly isReadOnly: boolean;
}

interface Place {
  readonly host: string;
  readonly port: number;
}

const isAt = (one: Place, other: Place): boolean => one.host === other.host && one.port === other.port;

/** Settings of sessions by their names in PostgreSQL. */
export type SessionSettings = Readonly<Record<string, string>>;

/** The way to a database that the connections of a pool share: its servers, and what was found out about them. */
export class Route {
  /** True where the last connection went through a pooler. */
  isPooled = false;
  /** False where a statement that was prepared by name may be unknown to the next session that the pooler lends. */
  keepsStatements: boolean;
  private keptByPooler: boolean | undefined;
  private current: Place | undefined;
  private search: Promise<Place> | undefined;
  private readonly open = new Set<DatabaseConnection>();
  readonly addresses: readonly [string, ...string[]];

  constructor(
    address: string,
    private readonly preparation: Preparation = 'auto',
    /** Settings of each session; a pooler needs them as settings of the role. */
    readonly settings: SessionSettings = {},
    /** False for a route to a replica, whose connections stay open after a change that it refuses. */
    readonly acceptsChanges = true,
  ) {
    this.addresses = serverAddresses(address);
    this.keepsStatements = preparation !== 'never';
  }

  /** Configuration of a connection on this route. */
  get config(): ConnectionConfig {
    return { connectionString: this.addresses[0], route: this };
  }

  /** True where one of several servers has to be found. */
  get hasSeveral(): boolean {
    return this.addresses.length > 1;
  }

  /** The server that accepts changes: the last one that did, or else the first of all to say so. */
  async place(config: ConnectionConfig): Promise<Place> {
    if (this.current) return this.current;
    this.search ??= this.find(config).finally(() => (this.search = undefined));
    const found = (this.current = await this.search);
    // Requests may still wait for the server before, which is silent, or a replica now.
    for (const connection of this.open) if (!isAt(connection, found)) connection.abandon();
    return found;
  }

  /** Notes a connection for as long as it is open. */
  join(connection: DatabaseConnection): void {
    this.open.add(connection);
    connection.once('end', () => this.open.delete(connection));
  }

  /** Lets the next connection look for the server again. */
  leave(place: Place): void {
    if (this.current && isAt(this.current, place)) this.current = undefined;
  }

  /** Notes what a new connection has found. */
  async learn(isDirect: boolean, keepsNames: () => Promise<boolean>): Promise<void> {
    this.isPooled = !isDirect;
    if (this.preparation !== 'auto') return;
    if (!isDirect) this.keptByPooler ??= await keepsNames();
    this.keepsStatements = isDirect || this.keptByPooler === true;
  }

  /** @throws Error of a lost connection where no server accepts changes within the time. */
  private async find(config: ConnectionConfig): Promise<Place> {
    const candidates = this.addresses.map(
      (connectionString) => new DatabaseConnection({ ...config, connectionString, route: undefined }),
    );
    const limit = setTimeout(() => candidates.forEach((candidate) => candidate.abandon()), SEARCH_MILLISECONDS);
    try {
      return await Promise.any(
        candidates.map(async (candidate) => {
          await candidate.connect();
          if (candidate.isReadOnly) throw new Error(`${candidate.host}:${candidate.port} accepts no changes`);
          return { host: candidate.host, port: candidate.port };
        }),
      );
    } catch (error) {
      const reasons = error instanceof AggregateError ? error.errors.map(String).join('; ') : String(error);
      throw new Error(`Connection terminated: no server of the database accepts changes (${reasons})`, {
        cause: error,
      });
    } finally {
      clearTimeout(limit);
      for (const candidate of candidates) candidate.abandon();
    }
  }
}

export interface ConnectionConfig extends pg.ClientConfig {
  readonly route?: Route | undefined;
}

/**
 * A connection to the server of a route that accepts changes. One whose server turns out to have become a replica is
 * closed, so that the next one goes to the new primary.
 */
export class DatabaseConnection extends pg.Client {
  isReadOnly = false;
  isPooled = false;
  private readonly route: Route | undefined;
  private readonly config: ConnectionConfig;

  constructor(config: ConnectionConfig) {
    super(config);
    this.route = config.route;
    this.config = config;
    // While the pool hands a connection on it has no error listener: an error then must not end the process, because
    // the next use of the connection reports it.
    this.on('error', () => undefined);
    this.connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
      if (code === READ_ONLY && this.route?.acceptsChanges !== false) setImmediate(() => this.abandon());
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error | null, client?: pg.Client) => void): void;
  override connect(callback?: (error: Error | null, client?: pg.Client) => void): Promise<pg.Client> | void {
    const opening = this.open();
    if (callback === undefined) return opening;
    opening.then(
      () => callback(null, this),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
    );
  }

  /** True where a statement that was prepared by name stays known. */
  get keepsStatements(): boolean {
    return this.route?.keepsStatements !== false;
  }

  /** Closes the connection without a word to the server, which may no longer listen. */
  abandon(): void {
    this.connection.stream.destroy();
  }

  private async open(): Promise<pg.Client> {
    const { route } = this;
    if (route?.hasSeveral) Object.assign(this, await route.place(this.config));
    if (this.connection.stream.destroyed) throw new Error('timeout expired');
    try {
      await super.connect();
      await this.introduce();
      if (this.isReadOnly && route?.hasSeveral)
        throw new Error(`Connection terminated: ${this.host}:${this.port} accepts no changes`);
      if (route?.hasSeveral) route.join(this);
      return this;
    } catch (error) {
      route?.leave(this);
      this.abandon();
      throw error;
    }
  }

  private async introduce(): Promise<void> {
    const { processID } = this as unknown as { readonly processID: number | null };
    const settings = this.route?.settings ?? {};
    const { rows } = await this.query<Introduction>(INTRODUCTION, [
      String(processID),
      Object.keys(settings),
      Object.values(settings),
    ]);
    const [found] = rows;
    this.isReadOnly = found?.isReadOnly === true;
    this.isPooled = found?.isDirect !== true;
    await this.route?.learn(!this.isPooled, () => this.keepsNames());
  }

  /**
   * Tells whether a pooler keeps prepared statements by names of its own, and so prepares them in each session where
   * they are unknown. One that passes names on loses them with the session.
   */
  private async keepsNames(): Promise<boolean> {
    const name = `bindery ${randomUUID()}`;
    await this.query('BEGIN');
    const { rows } = await this.query<{ isPassedOn: boolean }>({
      name,
      text: 'SELECT EXISTS (SELECT FROM pg_prepared_statements WHERE name = $1) AS "isPassedOn"',
      values: [name],
    });
    const isPassedOn = rows[0]?.isPassedOn !== false;
    if (isPassedOn) await this.query(`DEALLOCATE ${pg.escapeIdentifier(name)}`);
    await this.query('COMMIT');
    return !isPassedOn;
  }
}

/** Opens a connection beside those of a pool, to the server that accepts changes; a route is that of such a pool. */
export async function connectTo(
  address: string | Route,
  applicationName: string,
  preparation?: Preparation,
): Promise<DatabaseConnection> {
  const { config } = typeof address === 'string' ? new Route(address, preparation) : address;
  const client = new DatabaseConnection({
    ...config,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_MILLISECONDS,
  });
  await client.connect();
  return client;
}
