import { setTimeout as pause } from 'node:timers/promises';
import pg, { type ClientConfig, type PoolClient, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import { connectTo, DatabaseConnection, type Route } from './connection.js';
import { inTime, type LogPosition, SYSTEM } from './log-position.js';

const APPLICATION_NAME = 'bindery replica position';
const POOLED = 'a connection pooler is in between, which lends sessions of any server';
const FOREIGN = 'it is no replica of this database';
/** Milliseconds for which a statement waits for a free connection: the primary may have one. */
const CONNECT_MILLISECONDS = 2000;

/** The time of the start tells servers apart that one address leads to. */
const IDENTITY = `SELECT pg_postmaster_start_time()::text AS identity, own.system FROM (${SYSTEM}) AS own`;

interface Identity {
  readonly identity: string;
  readonly system: string;
}

const POSITION = `SELECT pg_is_in_recovery() AS "isReplica", pg_wal_lsn_diff(coalesce(pg_last_wal_replay_lsn(), '0/0'), '0/0')::float8 AS "offset"`;

/** The timeline that the replica follows: the last one that it has received or, where that is not shown to the role, kept. */
const TIMELINE = `SELECT greatest((SELECT c.timeline_id FROM pg_control_checkpoint() AS c), (SELECT r.min_recovery_end_timeline FROM pg_control_recovery() AS r),
    (SELECT w.received_tli FROM pg_stat_wal_receiver AS w)) AS timeline`;

interface Found {
  readonly isReplica: boolean;
  readonly offset: number;
}

/** The way to a replica, and the settings of its connections. */
export interface ReplicaConnections {
  readonly route: Route;
  readonly poolSize: number;
  readonly client: ClientConfig;
}

interface Session {
  readonly system: string;
  readonly watch: DatabaseConnection;
  readonly pool: pg.Pool;
  readonly clients: Set<DatabaseConnection>;
}

const NOWHERE: LogPosition = { timeline: 0, offset: 0 };

/** A server that follows the primary: what it has replayed of the log, and how far it is behind. */
export class Replica {
  readonly host: string;
  /** Why the replica cannot be asked; undefined if it can. */
  fault: string | undefined = 'it was not asked yet';
  /** Statements that it runs at the moment. */
  active = 0;
  private session: Session | undefined;
  private opening: Promise<void> | undefined;
  private looking: Promise<void> | undefined;
  private position: LogPosition = NOWHERE;
  /** Its position when it was lost, until it has everything of the primary again: another server may have come back. */
  private before: LogPosition | undefined;
  /** False for a server that has become, or always was, the primary: it answers as a replica only while there is no other one. */
  isReplica = true;
  private lookedAt = 0;
  private isOver = false;
  /** The end of the log at a time, in milliseconds as `performance.now()` counts them, which it has not replayed yet. */
  private missing: { readonly offset: number; readonly since: number } | undefined;
  /** Milliseconds that it took to replay the last end that it was behind; infinite until it was measured. */
  private delay = Infinity;

  constructor(private readonly connections: ReplicaConnections) {
    this.host = new URL(connections.route.addresses[0]).host;
  }

  /** True where a statement sees all changes up to a position. */
  has({ timeline, offset }: LogPosition): boolean {
    return this.follows(timeline) && this.position.offset >= offset;
  }

  /** True where a replica that does not have a position yet may have it in a moment. */
  isNear({ timeline }: LogPosition, milliseconds: number): boolean {
    return this.follows(timeline) && (!this.missing || performance.now() - this.missing.since < milliseconds);
  }

  /** True for a server that can be asked, also one that has become the primary. */
  get isOpen(): boolean {
    return this.session !== undefined;
  }

  /**
   * True where the server can be asked without the primary, whose last known timeline is given. After it was lost, it has to have
   * at least what it had, on the same timeline.
   */
  mayStandIn(timeline: number): boolean {
    const { before, position } = this;
    if (this.session === undefined || position.timeline < timeline) return false;
    return before === undefined || (position.timeline === before.timeline && position.offset >= before.offset);
  }

  /** Milliseconds by which it was behind at a time. */
  lag(at: number): number {
    return Math.max(this.delay, this.missing ? at - this.missing.since : 0);
  }

  /** Notes the end of the log of the primary. */
  expect(end: LogPosition): void {
    const { offset } = end;
    if (this.has(end)) this.before = undefined;
    if (this.isReplica && this.position.offset < offset) this.missing ??= { offset, since: performance.now() };
    else if (!this.missing && this.isReplica && this.position.offset > 0) this.delay = 0;
  }

  async query<Row extends QueryResultRow>(statement: QueryConfig): Promise<QueryResult<Row>> {
    const { session } = this;
    if (!session) throw new Error(`Connection terminated: ${this.host} cannot be asked`);
    this.active++;
    try {
      return await session.pool.query<Row>(statement);
    } finally {
      this.active--;
    }
  }

  /** True where names of prepared statements are kept. */
  get keepsStatements(): boolean {
    return this.connections.route.keepsStatements;
  }

  /** Learns what it has replayed, after some milliseconds; calls at one time share a statement. Never throws. */
  look(milliseconds = 0): Promise<void> {
    this.looking ??= this.lookAfter(milliseconds).finally(() => (this.looking = undefined));
    return this.looking;
  }

  /** Looks in the background at one that is behind, unless it was looked at just now. */
  glance(milliseconds: number): void {
    if (performance.now() - this.lookedAt >= milliseconds) void this.look();
  }

  /**
   * Opens connections where there are none, and learns everything; a server of another system than that of the primary is
   * not asked. Never throws.
   */
  async examine(system: string): Promise<void> {
    if (this.session && this.session.system !== system) await this.lose(new Error(FOREIGN));
    if (!this.session && !this.isOver)
      await (this.opening ??= this.open(system).finally(() => (this.opening = undefined)));
    await this.ask(TIMELINE);
    await this.look();
  }

  async close(): Promise<void> {
    this.isOver = true;
    await this.opening;
    await this.part();
  }

  private follows(timeline: number): boolean {
    return this.session !== undefined && this.isReplica && this.position.timeline === timeline;
  }

  private async lookAfter(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await pause(milliseconds, undefined, { ref: false });
    this.lookedAt = performance.now();
    await this.ask(POSITION);
  }

  private async ask(statement: string): Promise<void> {
    const { session } = this;
    if (!session) return;
    try {
      const { rows } = await inTime(session.watch.query<Found & LogPosition>(statement));
      if (rows[0] && session === this.session) this.learn(rows[0]);
    } catch (error) {
      if (session === this.session) await this.lose(error);
    }
  }

  private learn({ isReplica = this.isReplica, ...found }: Partial<Found & LogPosition>): void {
    this.isReplica = isReplica;
    this.position = { ...this.position, ...found };
    if (!this.missing || (isReplica && this.position.offset < this.missing.offset)) return;
    this.delay = isReplica ? performance.now() - this.missing.since : 0;
    this.missing = undefined;
  }

  private async open(system: string): Promise<void> {
    const { route, poolSize, client } = this.connections;
    try {
      const watch = await connectTo(route, APPLICATION_NAME);
      const { identity, system: found } = await identityOf(watch);
      const fault = watch.isPooled ? POOLED : found === system ? undefined : FOREIGN;
      if (fault !== undefined) {
        watch.abandon();
        throw new Error(fault);
      }
      const clients = new Set<DatabaseConnection>();
      const config = {
        ...client,
        ...route.config,
        Client: DatabaseConnection,
        application_name: 'bindery',
        connectionTimeoutMillis: CONNECT_MILLISECONDS,
        max: poolSize,
        verify: requireIdentity(identity),
      };
      const pool = new pg.Pool(config as unknown as pg.PoolConfig);
      pool.on('error', () => undefined);
      pool.on('connect', (each) => clients.add(each as unknown as DatabaseConnection));
      pool.on('remove', (each) => clients.delete(each as unknown as DatabaseConnection));
      const session = (this.session = { system, watch, pool, clients });
      this.position = NOWHERE;
      // Its position may be lower from now on: it begins anew where one of its processes crashed.
      watch.once('end', () => {
        if (session === this.session) void this.lose(new Error('Connection terminated'));
      });
      this.fault = undefined;
    } catch (error) {
      this.fault = String(error);
    }
  }

  private async lose(error: unknown): Promise<void> {
    this.fault = String(error);
    await this.part();
  }

  /** Closes all connections; statements that they wait for fail at once. */
  private async part(): Promise<void> {
    const { session, position, before } = this;
    if (!session) return;
    if (position.timeline > 0 && (before === undefined || this.mayStandIn(position.timeline))) this.before = position;
    this.session = undefined;
    session.watch.abandon();
    for (const each of session.clients) each.abandon();
    await session.pool.end().catch(() => undefined);
  }
}

type Verified = (error?: Error) => void;

/** Refuses connections to another server: a balancer is in between, and what one has replayed says nothing of the next. */
const requireIdentity =
  (identity: string) =>
  (client: PoolClient, done: Verified): void => {
    identityOf(client).then(
      (found) =>
        done(found.identity === identity ? undefined : new Error('Connection terminated: another server answers')),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    );
  };

async function identityOf(client: Pick<pg.ClientBase, 'query'>): Promise<Identity> {
  const { rows } = await client.query<Identity>(IDENTITY);
  if (!rows[0]) throw new Error('the database tells no identity');
  return rows[0];
}
