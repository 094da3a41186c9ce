import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { PoolClient, Pool, QueryResult, QueryResultRow } from 'pg';
import { DataSource, type EntityManager, type EntityTarget, type ObjectLiteral, type Repository } from 'typeorm';
import { resumed } from './context.js';

const MAX_ATTEMPTS = 5;
const RETRIED_SQLSTATES = new Set(['40001', '40P01']);

interface Ambient {
  readonly manager: EntityManager;
  readonly client: PoolClient;
  readonly afterCommit: (() => void)[];
  /** Settles with the statement that was asked for last. */
  turn: Promise<unknown>;
  /** Its connection serves others by now. */
  over: boolean;
}

/**
 * The way to PostgreSQL. The transaction is ambient: whatever runs inside `transaction` uses it,
 * through repositories as well as through `query`, and nobody passes a manager around.
 */
@Injectable()
export class Database {
  private readonly ambient = new AsyncLocalStorage<Ambient | undefined>();
  private readonly names = new Map<string, string>();

  constructor(private readonly source: DataSource) {}

  /** The repository of an entity, inside the current transaction where there is one. */
  of<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> {
    return (this.current()?.manager ?? this.source.manager).getRepository(entity);
  }

  /** Rows of a statement with `$1`… parameters; the text is prepared once per connection and must be constant. */
  async query<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.run<Row>(text, values)).rows;
  }

  /** Rows of a statement whose text is made for the occasion: it is not kept prepared, since there may be any number of them. */
  async unprepared<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const statement = { text, values: values as unknown[] };
    const ambient = this.current();
    const { rows } = await (ambient
      ? inTurn(ambient, () => ambient.client.query<Row>(statement))
      : poolOf(this.source).query<Row>(statement));
    resumed();
    return rows;
  }

  /** The first row of a statement, if it gives any. */
  async one<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row | undefined> {
    return (await this.run<Row>(text, values)).rows[0];
  }

  /** Runs a statement for its effect and gives the number of rows it touched. */
  async execute(text: string, values: readonly unknown[] = []): Promise<number> {
    return (await this.run(text, values)).rowCount ?? 0;
  }

  /** True inside `transaction`. */
  get inTransaction(): boolean {
    return this.current() !== undefined;
  }

  /**
   * Runs `work` in one transaction (joining the one around it), committed at its end and rolled
   * back when it throws. Serialization failures and deadlocks are tried again, so `work` must have
   * no effect outside the database except through `afterCommit`.
   */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.current()) return work();
    for (let attempt = 1; ; attempt++) {
      const afterCommit: (() => void)[] = [];
      try {
        const result = await this.source.transaction(async (manager) => {
          const client = (await manager.queryRunner?.connect()) as PoolClient;
          resumed();
          const ambient: Ambient = { manager, client, afterCommit, turn: Promise.resolve(), over: false };
          return this.ambient.run(ambient, work).finally(() => (ambient.over = true));
        });
        resumed();
        for (const effect of afterCommit) effect();
        return result;
      } catch (error) {
        if (attempt >= MAX_ATTEMPTS || !RETRIED_SQLSTATES.has(sqlState(error) ?? '')) throw error;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt));
      }
    }
  }

  /**
   * Runs `work` outside of the ambient transaction: for what must stay although that is rolled back, and for whatever is not
   * awaited and may outlast it.
   */
  apart<T>(work: () => Promise<T>): Promise<T> {
    return this.ambient.run(undefined, work);
  }

  /** Runs `effect` once the current transaction is committed, or at once outside of one. */
  afterCommit(effect: () => void): void {
    const ambient = this.current();
    if (ambient) ambient.afterCommit.push(effect);
    else effect();
  }

  /** Throws for work that has outlasted its transaction, which would else run in somebody else's. */
  private current(): Ambient | undefined {
    const ambient = this.ambient.getStore();
    if (ambient?.over) throw new Error('the transaction of this work is over: await the work in it, or run it apart');
    return ambient;
  }

  private async run<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<QueryResult<Row>> {
    const statement = { name: this.nameOf(text), text, values: values as unknown[] };
    const ambient = this.current();
    const result = await (ambient
      ? inTurn(ambient, () => ambient.client.query<Row>(statement))
      : poolOf(this.source).query<Row>(statement));
    resumed();
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

/** One statement after the other: a transaction has one connection, although work in it may ask for several things at once. */
function inTurn<T>(ambient: Ambient, ask: () => Promise<T>): Promise<T> {
  const answer = ambient.turn.then(ask);
  ambient.turn = answer.catch(() => undefined);
  return answer;
}

/** The connections of a data source, which TypeORM's types do not show. */
export function poolOf(source: DataSource): Pool {
  return (source.driver as unknown as { readonly master: Pool }).master;
}

/** The SQLSTATE of an error that came from PostgreSQL, directly or through TypeORM. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const own = (error as { code?: unknown }).code;
  if (typeof own === 'string' && /^[0-9A-Z]{5}$/.test(own)) return own;
  return sqlState((error as { driverError?: unknown }).driverError);
}
