import { AsyncResource } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';
import type { Route } from './connection.js';
import { currentContext } from './context.js';
import { type LogPosition, PrimaryLog, SilentDatabase } from './log-position.js';
import { Replica, type ReplicaConnections } from './replica.js';
import { sqlState } from './sql-state.js';

/** Milliseconds for which a statement waits until a replica has what was acknowledged. */
const WAIT_MILLISECONDS = 20;
const STEP_MILLISECONDS = 1;
/** Milliseconds between two looks at all servers. */
const LOOK_MILLISECONDS = 1000;
const TEXTS_KNOWN = 1000;

const MAY_READ = /^\s*(?:SELECT|WITH|VALUES|\()/i;
/** The SQLSTATE of a change that a replica refuses. */
const READ_ONLY = '25006';
/** The SQLSTATE of a statement that has taken too long: it would on the primary, too. */
const CANCELLED = '57014';
/** SQLSTATEs of a primary that is away, or has become a replica, and a code of Node.js that looks like one; all others come from one that is there. */
const IS_AWAY = /^(?:08|57P|25006|55000|EPIPE)/;
/** The SQLSTATE of everything that PgBouncer refuses itself, also because no session is free. */
const REFUSED_BY_POOLER = '08P01';

export interface ReplicasOptions {
  /** The way to the primary, past a pooler where there is one. */
  readonly primary: Route;
  readonly replicas: readonly ReplicaConnections[];
  /** Milliseconds by which a replica may be behind that answers while the primary is away. */
  readonly maxLag: number;
  /** Milliseconds for which replicas answer while the primary is away. */
  readonly maxAway: number;
}

/** The state of a replica as operators see it. */
export interface ReplicaState {
  readonly host: string;
  /** Seconds. */
  readonly lag: number;
  readonly isUsable: boolean;
  /** True for a server that accepts changes. */
  readonly isPrimary: boolean;
  readonly fault: string | undefined;
}

/** A statement with the name under which it is prepared where prepared statements are kept, if it is to be prepared at all. */
export interface NamedStatement extends QueryConfig {
  readonly text: string;
}

export const withoutName = ({ text, values }: NamedStatement): NamedStatement => ({ text, ...(values && { values }) });

/**
 * Replicas that answer the statements of requests that only read. Each statement sees all that any server had acknowledged
 * when it began, as on the primary: it asks the primary for the end of its log, as all do that begin at that moment, and
 * goes to a replica that has replayed it, or will have in a moment, or else to the primary. That is the read index of Raft
 * (https://raft.github.io/raft.pdf, section 8). While the primary is away, statements see what replicas have.
 */
export class Replicas {
  readonly all: readonly Replica[];
  /** Statements by the place that answered: `away` are those of replicas while there was no primary. */
  readonly counts = { replica: 0, primary: 0, away: 0 };
  /** The last time that a statement was answered without the primary, as `performance.now()` counts. */
  lastAway = 0;
  private awaySince: number | undefined;
  /** The last time that the primary was heard, and its timeline; undefined before. */
  private heard: { readonly at: number; readonly timeline: number } | undefined;
  private isOver = false;
  private timer: NodeJS.Timeout | undefined;
  private isWatching = false;
  private readonly logger = new Logger('Replicas');
  private readonly log: PrimaryLog;
  /** Texts that change something although they begin as one that reads. */
  private readonly changing = new LRUCache<string, true>({ max: TEXTS_KNOWN });
  /** Connections and timers have the context of the boot, never that of the request that needed them first. */
  private readonly scope = new AsyncResource('Replicas');

  constructor(private readonly options: ReplicasOptions) {
    this.all = options.replicas.map((connections) => new Replica(connections));
    this.log = new PrimaryLog(options.primary);
  }

  /** True where the statement may be answered by a replica. */
  takes(text: string): boolean {
    return currentContext()?.readsOnly === true && MAY_READ.test(text) && !this.changing.has(text);
  }

  /** Runs a statement that `takes` lets in where it sees enough, and whatever fails there on the primary. */
  async query<Row extends QueryResultRow>(
    statement: NamedStatement,
    onPrimary: () => Promise<QueryResult<Row>>,
  ): Promise<QueryResult<Row>> {
    if (!this.isWatching) this.scope.runInAsyncScope(() => this.watch());
    const replica = await this.choose();
    const isAway = this.awaySince !== undefined;
    if (replica) {
      try {
        const result = await replica.query<Row>(replica.keepsStatements ? statement : withoutName(statement));
        this.counts[isAway ? 'away' : 'replica']++;
        if (isAway) this.lastAway = performance.now();
        return result;
      } catch (error) {
        const code = sqlState(error);
        if (code === CANCELLED) throw error;
        if (code === READ_ONLY) this.changing.set(statement.text, true);
      }
    }
    this.counts.primary++;
    return onPrimary();
  }

  /** Notes that the primary has answered: what it has acknowledged must be seen from now on. */
  heardPrimary(): void {
    this.awaySince = undefined;
  }

  /** True while the primary is away and a replica answers. */
  get standIn(): boolean {
    return this.standingIn() !== undefined;
  }

  get states(): readonly ReplicaState[] {
    const now = (this.awaySince !== undefined && this.heard?.at) || performance.now();
    return this.all.map((replica) => ({
      host: replica.host,
      lag: replica.lag(now) / 1000,
      isPrimary: !replica.isReplica,
      isUsable: replica.isOpen && replica.lag(now) <= this.options.maxLag,
      fault: replica.fault,
    }));
  }

  async close(): Promise<void> {
    this.isOver = true;
    clearTimeout(this.timer);
    await Promise.all([this.log.close(), ...this.all.map((replica) => replica.close())]);
  }

  private async choose(): Promise<Replica | undefined> {
    const end = this.awaySince === undefined ? await this.end() : undefined;
    return end ? this.having(end) : this.standingIn();
  }

  /** The end of the log; undefined where the primary does not tell it, which is away then or refuses a connection more. */
  private async end(): Promise<LogPosition | undefined> {
    try {
      const end = await this.scope.runInAsyncScope(() => this.log.end());
      this.heard = { at: performance.now(), timeline: end.timeline };
      this.awaySince = undefined;
      for (const replica of this.all) replica.expect(end);
      return end;
    } catch (error) {
      if (meansAway(error, this.options.primary)) this.awaySince ??= performance.now();
      return undefined;
    }
  }

  /** The replica with the least to do that has a position, or has it in a moment. */
  private async having(position: LogPosition): Promise<Replica | undefined> {
    const { maxLag } = this.options;
    const deadline = performance.now() + WAIT_MILLISECONDS;
    let late: Promise<void> | undefined;
    for (let step = 0; ; step = STEP_MILLISECONDS) {
      const now = performance.now();
      const found = leastActive(this.all.filter((replica) => replica.has(position) && replica.lag(now) <= maxLag));
      if (found) return found;
      const near = this.all.filter((replica) => replica.isNear(position, WAIT_MILLISECONDS));
      if (near.length === 0 || now >= deadline) {
        this.scope.runInAsyncScope(() => this.all.forEach((replica) => replica.glance(WAIT_MILLISECONDS)));
        return undefined;
      }
      late ??= pause(deadline - now);
      await Promise.race([late, ...near.map((replica) => this.scope.runInAsyncScope(() => replica.look(step)))]);
    }
  }

  /** The replica that answers while the primary is away: it was close behind when the primary was last heard, and is still the same. */
  private standingIn(): Replica | undefined {
    const { awaySince, heard } = this;
    const { maxAway, maxLag } = this.options;
    if (awaySince === undefined || heard === undefined || performance.now() - awaySince > maxAway) return undefined;
    return leastActive(
      this.all.filter((replica) => replica.mayStandIn(heard.timeline) && replica.lag(heard.at) <= maxLag),
    );
  }

  /** Looks at all servers from time to time: how far replicas are behind, and if those that were lost are there again. */
  private watch(): void {
    if (this.isOver) return;
    this.isWatching = true;
    const began = performance.now();
    void this.lookAround(began + LOOK_MILLISECONDS).finally(() => {
      const rest = Math.max(0, began + LOOK_MILLISECONDS - performance.now());
      if (!this.isOver) this.timer = setTimeout(() => this.watch(), rest).unref();
    });
  }

  private async lookAround(deadline: number): Promise<void> {
    const end = await this.end();
    const { system } = this.log;
    // Nothing is read from replicas before the primary was heard once.
    if (system === undefined) return;
    await Promise.all(
      this.all.map(async (replica) => {
        const { fault } = replica;
        await replica.examine(system);
        if (replica.fault !== undefined && replica.fault !== fault)
          this.logger.warn(`nothing is read from ${replica.host}: ${replica.fault}`);

        for (let step = STEP_MILLISECONDS; end && performance.now() + step < deadline; step *= 2) {
          if (replica.has(end) || !replica.isOpen || this.isOver) return;
          await replica.look(step);
        }
      }),
    );
  }
}

/**
 * True where an error of the question for the end of the log says that there is no primary. A pooler in between that refuses
 * or is silent says nothing: it may only have no session free, while changes go on.
 */
export function meansAway(error: unknown, { isPooled }: Pick<Route, 'isPooled'>): boolean {
  const code = sqlState(error);
  if (isPooled && (code === REFUSED_BY_POOLER || error instanceof SilentDatabase)) return false;
  return code === undefined || IS_AWAY.test(code);
}

const leastActive = (replicas: readonly Replica[]): Replica | undefined =>
  replicas.reduce<Replica | undefined>((best, each) => (best && best.active <= each.active ? best : each), undefined);
