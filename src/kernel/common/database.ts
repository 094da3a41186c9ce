import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pg, { type PoolClient, type Pool, type QueryResult, type QueryResultRow } from 'pg';
import {
  DataSource,
  type EntityManager,
  type EntityTarget,
  type ObjectLiteral,
  type QueryRunner,
  type Repository,
} from 'typeorm';
import type { Route } from './connection.js';
import { currentContext, resumed } from './context.js';
import { type NamedStatement, type Replicas, withoutName } from './replicas.js';
import { sqlState } from './sql-state.js';

const MAX_ATTEMPTS = 5;
const RETRIED_SQLSTATES = new Set(['40001', '40P01']);

/** A transaction that has begun, on a connection of its own. */
interface OpenTransaction {
  readonly runner: QueryRunner;
  readonly client: PoolClient;
  readonly afterCommit: (() => void)[];
  /** The connection may already serve other requests. */
  isOver: boolean;
}

/** Work that shares a transaction. In a deferred one it may not have begun yet. */
interface Scope {
  open?: OpenTransaction | undefined;
  /** Settles with the work that begins the transaction. */
  beginning?: Promise<unknown> | undefined;
  readonly begun?: () => Promise<void>;
  isOver?: boolean;
}

/**
 * Access to PostgreSQL. The transaction is ambient: all code inside `transaction` uses it, through repositories as well
 * as through `query`, and nobody passes a manager around. Statements that a transaction issues at once are sent at once,
 * and run one after another in the order in which they were issued: what does not follow from the answer of another one
 * takes no round trip of its own. Statements outside of transactions that belong to a request which only reads may be
 * answered by replicas, where they see as much as on the primary.
 */
@Injectable()
export class Database implements OnApplicationShutdown {
  private readonly scopes = new AsyncLocalStorage<Scope | undefined>();
  private readonly names = new Map<string, string>();
  /** The replicas of the database, where there are any that answer. */
  readonly replicas: Replicas | undefined;
  /** Repositories through it read as `unprepared` does. */
  private readonly reader: EntityManager | undefined;

  constructor(private readonly source: DataSource) {
    this.replicas = (source.options as { readonly extra?: { readonly replicas?: Replicas } }).extra?.replicas;
    if (this.replicas) this.reader = readerOf(source, (text, values) => this.send({ text, values: [...values] }));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.replicas?.close();
  }

  /** The repository of an entity, inside the current transaction where there is one. */
  of<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> {
    const open = this.current();
    const reader = open === undefined && currentContext()?.readsOnly ? this.reader : undefined;
    return (reader ?? (open?.runner ?? this.source).manager).getRepository(entity);
  }

  /**
   * Returns the rows of a statement with parameters `$1`…; the text is prepared once per connection, where that keeps
   * what was prepared, and must be constant.
   */
  async query<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.run<Row>(text, values)).rows;
  }

  /**
   * Returns the rows of a statement whose text is built at run time: it is not prepared, since there may be any number
   * of such texts.
   */
  async unprepared<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.send<Row>({ text, values: values as unknown[] })).rows;
  }

  /** Returns the first row of a statement, if any. */
  async one<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row | undefined> {
    return (await this.run<Row>(text, values)).rows[0];
  }

  /** Runs a statement and returns the number of affected rows. */
  async execute(text: string, values: readonly unknown[] = []): Promise<number> {
    return (await this.run(text, values)).rowCount ?? 0;
  }

  /** True inside `transaction`. */
  get inTransaction(): boolean {
    return this.current() !== undefined;
  }

  /**
   * Runs `work` in one transaction (joining the current one), committed at its end and rolled back if it throws.
   * Serialization failures and deadlocks are retried, so `work` must have no effect outside the database except through
   * `afterCommit`.
   */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    const scope = this.joinable();
    if (scope?.open) return work();
    if (scope) return this.beginDeferred(scope, work);
    return withRetries(async () => {
      const { open, result } = await this.begin(work);
      await commit(open);
      return result;
    });
  }

  /**
   * Runs `work` so that all its transactions become one, which begins with the first of them and is committed after
   * `finish`, or rolled back if either throws. `begun` runs first in it; work before the first transaction runs outside
   * of any. Only the first transaction is retried after a serialization failure or deadlock.
   */
  async deferredTransaction<T>(
    begun: () => Promise<void>,
    work: () => Promise<T>,
    finish: (result: T) => Promise<void>,
  ): Promise<T> {
    const scope: Scope = { begun };
    try {
      const result = await this.scopes.run(scope, async () => {
        const made = await work();
        await this.transaction(() => finish(made));
        return made;
      });
      if (scope.open) await commit(scope.open);
      return result;
    } catch (error) {
      if (scope.open && !scope.open.isOver) await rollBack(scope.open);
      throw error;
    } finally {
      scope.isOver = true;
    }
  }

  /**
   * Runs `work` outside of the ambient transaction: for effects that must persist after a rollback, and for work that
   * is not awaited and may outlast the transaction.
   */
  apart<T>(work: () => Promise<T>): Promise<T> {
    return this.scopes.run(undefined, work);
  }

  /** Runs `effect` once the current transaction is committed, or at once outside of one. */
  afterCommit(effect: () => void): void {
    const open = this.current();
    if (open) open.afterCommit.push(effect);
    else effect();
  }

  private current(): OpenTransaction | undefined {
    return this.joinable()?.open;
  }

  /** Throws for work that has outlasted its transaction, because it would otherwise run in another one. */
  private joinable(): Scope | undefined {
    const scope = this.scopes.getStore();
    if (scope?.isOver || scope?.open?.isOver)
      throw new Error('the transaction of this work is over: await the work in it, or run it apart');
    return scope;
  }

  /** Runs `work`, which only reads, on what a snapshot shows, which the open transaction of another connection has exported. */
  async inSnapshot<T>(snapshot: string, work: () => Promise<T>): Promise<T> {
    return this.transaction(async () => {
      const client = this.current()?.client;
      await client?.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      await client?.query(`SET TRANSACTION SNAPSHOT ${pg.escapeLiteral(snapshot)}`);
      return work();
    });
  }

  /** Runs the first work of a new transaction, and rolls it back if that throws. */
  private async begin<T>(work: () => Promise<T>): Promise<{ readonly open: OpenTransaction; readonly result: T }> {
    const runner = this.source.createQueryRunner();
    const client = (await runner.connect()) as PoolClient;
    const open: OpenTransaction = { runner, client, afterCommit: [], isOver: false };
    if (this.replicas) open.afterCommit.push(() => this.replicas?.heardPrimary());
    try {
      beginTransaction(runner, client);
      return { open, result: await this.scopes.run({ open }, work) };
    } catch (error) {
      await rollBack(open);
      throw error;
    }
  }

  /** Begins a deferred transaction with this work; concurrent work waits for it. */
  private async beginDeferred<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
    while (scope.beginning) await scope.beginning.catch(() => undefined);
    if (scope.open) return work();
    const beginning = withRetries(() =>
      this.begin(async () => {
        await scope.begun?.();
        return work();
      }),
    );
    scope.beginning = beginning;
    try {
      const { open, result } = await beginning;
      scope.open = open;
      return result;
    } finally {
      scope.beginning = undefined;
    }
  }

  private async run<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<QueryResult<Row>> {
    return this.send<Row>({ name: this.nameOf(text), text, values: values as unknown[] });
  }

  /** Runs a statement where it belongs: in the current transaction, on a replica or on the primary. */
  private async send<Row extends QueryResultRow>(statement: NamedStatement): Promise<QueryResult<Row>> {
    const open = this.current();
    const result =
      open === undefined && this.replicas?.takes(statement.text)
        ? await this.replicas.query<Row>(statement, () => this.sendToPrimary(statement, undefined))
        : await this.sendToPrimary<Row>(statement, open);
    resumed();
    return result;
  }

  private async sendToPrimary<Row extends QueryResultRow>(
    statement: NamedStatement,
    open: OpenTransaction | undefined,
  ): Promise<QueryResult<Row>> {
    const sent = databaseRouteOf(this.source).keepsStatements ? statement : withoutName(statement);
    const result = await (open ? together(open.client) : poolOf(this.source)).query<Row>(sent);
    this.replicas?.heardPrimary();
    return result;
  }

  private nameOf(text: string): string {
    let name = this.names.get(text);
    if (name === undefined) {
      name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
      this.names.set(text, name);
    }
    return name;
  }
}

/** A manager whose repositories run their statements by `send`; changes belong into a transaction. */
function readerOf(
  source: DataSource,
  send: (text: string, values: readonly unknown[]) => Promise<QueryResult>,
): EntityManager {
  const runner = source.createQueryRunner();
  return source.createEntityManager(
    Object.assign(runner, {
      connect: () => Promise.resolve({ query: (text: string, values: readonly unknown[] = []) => send(text, values) }),
      startTransaction: () =>
        Promise.reject(new Error('the changes of a request that only reads belong into a transaction')),
    }),
  );
}

/** The connection, which writes what it is asked in this turn of the event loop to its socket at once. */
function together(client: PoolClient): PoolClient {
  const { stream } = client.connection;
  if (stream.writableCorked === 0) {
    stream.cork();
    process.nextTick(() => stream.uncork());
  }
  return client;
}

/**
 * Begins a transaction without waiting for the answer, so that the first statements are sent with it: where it fails, so
 * do they. The runner would wait; it learns that a transaction is open, and repositories begin none of their own.
 */
function beginTransaction(runner: QueryRunner, client: PoolClient): void {
  together(client)
    .query('START TRANSACTION')
    .catch(() => undefined);
  Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
}

async function commit(open: OpenTransaction): Promise<void> {
  open.isOver = true;
  try {
    await open.runner.commitTransaction();
  } catch (error) {
    await rollBack(open);
    throw error;
  }
  await open.runner.release();
  resumed();
  for (const effect of open.afterCommit) effect();
}

/** Rolls a transaction back. The error that caused it is kept, not one of a lost connection. */
async function rollBack(open: OpenTransaction): Promise<void> {
  open.isOver = true;
  await open.runner.rollbackTransaction().catch(() => undefined);
  await open.runner.release();
}

/** Retries work that failed because of concurrent work. */
async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || !RETRIED_SQLSTATES.has(sqlState(error) ?? '')) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt));
    }
  }
}

/** The connection pool of a data source, which TypeORM's types do not expose. */
export function poolOf(source: DataSource): Pool {
  return (source.driver as unknown as { readonly master: Pool }).master;
}

/** The way on which the connections of a data source reach the database. */
export const databaseRouteOf = (source: DataSource): Route =>
  (poolOf(source).options as unknown as { readonly route: Route }).route;
