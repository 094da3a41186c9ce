import { AsyncResource } from 'node:async_hooks';
import { Inject, Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { currentContext, type RequestContext } from '../../common/context.js';
import { DomainError } from '../../common/errors.js';
import { CONFIG, type Config } from '../config/config.js';
import { CpuBudgets } from '../rate-limit/cpu-budget.js';

/**
 * A turn ends after this time even if its response is still being read: slow readers hold no resource that others need.
 */
export const TURN_MILLISECONDS = 30_000;
/** The time that a request waits for its turn, and the number of waiting requests per party. */
const PATIENCE_MILLISECONDS = 30_000;
export const MOST_WAITING = 1000;
/** The time that an organization counts as present after its last request. */
const PRESENCE_MILLISECONDS = 1000;
/** A request that takes longer probably waits for something other than the processor. */
export const BRIEF_MILLISECONDS = 100;

type Party = NonNullable<RequestContext['party']>;

interface Line {
  /** Running turns, and those of them that began recently. */
  readonly working: Set<Turn>;
  readonly brief: Set<Turn>;
  /** Waiting requests, in order of arrival. */
  readonly waiting: Set<() => void>;
  /** Set while the queue waits only for the end of a pause. */
  pausing: NodeJS.Timeout | undefined;
}

interface Turn {
  readonly name: string;
  readonly response: Response;
  end(): void;
}

interface Sighting {
  readonly name: string;
  readonly at: number;
}

const NEVER: Sighting = { name: '', at: Number.NEGATIVE_INFINITY };

/**
 * A fair queue of requests. It limits each organization to half of the connections to the database at once on each
 * server, so that one at full load leaves connections to the others; and while others are present, starts its requests
 * one after another, so that those of the others do not queue behind many for the processor. An organization that has
 * used more than its share of processor time in the last minute then pauses between its turns for as long as each turn
 * took. Its further requests wait for their turn.
 */
@Injectable()
export class FairQueue {
  private readonly lines = new Map<string, Line>();
  private readonly turns = new WeakMap<RequestContext, Turn>();
  private readonly atOnce: number;
  /** The organization that sent the last request, and the last one before it that differs. */
  private sightings: readonly [latest: Sighting, other: Sighting] = [NEVER, NEVER];

  constructor(
    @Inject(CONFIG) config: Pick<Config, 'databasePoolSize'>,
    private readonly budgets: CpuBudgets,
  ) {
    this.atOnce = Math.ceil(config.databasePoolSize / 2);
  }

  /**
   * The middleware; it runs before authentication. Responds with 429 to requests that wait in vain, and to parties that
   * have used up their processor time of a minute.
   */
  handle(_request: Request, response: Response, next: NextFunction): void {
    const context = currentContext();
    const asking = context?.party;
    if (context === undefined || asking === undefined) {
      next();
      return;
    }
    // Only parties that are known to be organizations make others wait by their presence.
    if (asking.isOrganization) this.notice(asking.name);
    const refusal = this.budgets.refusalOf(asking.name);
    if (refusal) next(refusal);
    else this.ask(context, asking.name, response, next);
  }

  /** Releases the turn of the current request while it waits for its sender, and takes another before it continues. */
  async outside<T>(work: () => Promise<T>): Promise<T> {
    const context = currentContext();
    const turn = context && this.turns.get(context);
    if (!turn) return work();
    this.leave();
    const result = await work();
    await new Promise<void>((resolve, reject) => {
      this.ask(context, turn.name, turn.response, (error?: unknown) =>
        error instanceof Error ? reject(error) : resolve(),
      );
    });
    return result;
  }

  /** Ends the turn of the current request, which may from now on take as long as its sender likes. */
  leave(): void {
    const context = currentContext();
    if (context) this.turns.get(context)?.end();
  }

  /** Charges milliseconds of processor time to a party. */
  charge({ name }: Party, milliseconds: number): void {
    this.budgets.charge(name, milliseconds, this.isAlone(name) ? 'alone' : 'beside others');
  }

  private ask(context: RequestContext, name: string, response: Response, next: NextFunction): void {
    if (response.destroyed) {
      next();
      return;
    }
    const line = this.lines.get(name) ?? {
      working: new Set(),
      brief: new Set(),
      waiting: new Set(),
      pausing: undefined,
    };
    this.lines.set(name, line);
    const begin = () => {
      this.turns.set(context, this.begin(name, line, response));
      next();
    };
    if (line.waiting.size === 0 && this.mayBegin(name, line)) begin();
    else if (line.waiting.size < MOST_WAITING) this.wait(name, line, response, begin, next);
    else next(busy());
  }

  private notice(name: string): void {
    const [latest, other] = this.sightings;
    this.sightings = [{ name, at: performance.now() }, latest.name === name ? other : latest];
  }

  private mayBegin(name: string, { working, brief }: Line): boolean {
    return working.size < this.atOnce && (this.isAlone(name) || (brief.size === 0 && this.budgets.pauseOf(name) === 0));
  }

  private isAlone(name: string): boolean {
    const [latest, other] = this.sightings;
    return performance.now() - (latest.name === name ? other : latest).at > PRESENCE_MILLISECONDS;
  }

  private begin(name: string, line: Line, response: Response): Turn {
    const age = () => {
      line.brief.delete(turn);
      // Requests that arrived meanwhile are examined first.
      setImmediate(() => this.goOn(name, line));
    };
    const end = () => {
      clearTimeout(aging);
      clearTimeout(ending);
      response.off('close', end);
      if (line.working.delete(turn)) age();
    };
    const turn: Turn = { name, response, end };
    const aging = setTimeout(age, BRIEF_MILLISECONDS).unref();
    const ending = setTimeout(end, TURN_MILLISECONDS).unref();
    line.working.add(turn);
    line.brief.add(turn);
    response.once('close', end);
    return turn;
  }

  private wait(name: string, line: Line, response: Response, begin: () => void, refuse: NextFunction): void {
    const leave = () => {
      clearTimeout(timer);
      response.off('close', leave);
      line.waiting.delete(start);
    };
    // The turn may be ended by another request, which has a context of its own.
    const own = new AsyncResource('turn');
    const start = () => {
      leave();
      own.runInAsyncScope(begin);
    };
    const timer = setTimeout(() => {
      leave();
      refuse(busy());
    }, PATIENCE_MILLISECONDS).unref();
    line.waiting.add(start);
    response.once('close', leave);
    this.awaitPause(name, line);
  }

  private goOn(name: string, line: Line): void {
    for (const start of line.waiting) {
      if (!this.mayBegin(name, line)) return this.awaitPause(name, line);
      start();
    }
    if (line.working.size === 0 && this.lines.get(name) === line) this.lines.delete(name);
  }

  /** Wakes a queue that waits for the end of a pause, when no turn's end would wake it. */
  private awaitPause(name: string, line: Line): void {
    const pause = this.budgets.pauseOf(name);
    if (pause === 0 || line.pausing !== undefined) return;
    const goOn = () => {
      line.pausing = undefined;
      this.goOn(name, line);
    };
    // The other parties may leave before it ends.
    line.pausing = setTimeout(goOn, Math.min(pause, PRESENCE_MILLISECONDS)).unref();
  }
}

function busy(): DomainError {
  return new DomainError('tooManyRequests', 'Too many requests of this organization wait to be answered', [], {
    'Retry-After': '1',
  });
}
