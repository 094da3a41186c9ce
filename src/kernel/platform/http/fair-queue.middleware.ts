import { AsyncResource } from 'node:async_hooks';
import { Inject, Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { currentContext, type RequestContext } from '../../common/context.js';
import { DomainError } from '../../common/errors.js';
import { CONFIG, type Config } from '../config/config.js';
import { CpuBudgets } from '../rate-limit/cpu-budget.js';

/** A turn ends then although its answer is still being read: who reads slowly holds nothing that others need. */
export const TURN_MILLISECONDS = 30_000;
/** How long a request waits for its turn, and how many of one party do. */
const PATIENCE_MILLISECONDS = 30_000;
export const MOST_WAITING = 1000;
/** How long an organization counts as present after its last request. */
const PRESENCE_MILLISECONDS = 1000;
/** A request that has taken longer waits for something rather than for the processor. */
export const BRIEF_MILLISECONDS = 100;

type Party = NonNullable<RequestContext['party']>;

interface Line {
  /** Those whose turn it is, and those of them that have not had it for long. */
  readonly working: Set<Turn>;
  readonly brief: Set<Turn>;
  /** Those that wait, the first first. */
  readonly waiting: Set<() => void>;
  /** Set while the line waits for nothing but the end of a pause. */
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
 * A fair queue of requests. It lets one organization have half of the connections to the database at once on each server, so that
 * one at full load leaves the others theirs; and while others are there, begins its requests one after the other, so that theirs
 * do not queue behind many for the processor. Who has used more than its share of the processor's time in the last minute then
 * pauses between its turns for as long as each has cost. Further requests of it wait for their turn.
 */
@Injectable()
export class FairQueue {
  private readonly lines = new Map<string, Line>();
  private readonly turns = new WeakMap<RequestContext, Turn>();
  private readonly atOnce: number;
  /** The organization that asked last, and the last one before it that is another. */
  private sightings: readonly [latest: Sighting, other: Sighting] = [NEVER, NEVER];

  constructor(
    @Inject(CONFIG) config: Pick<Config, 'databasePoolSize'>,
    private readonly budgets: CpuBudgets,
  ) {
    this.atOnce = Math.ceil(config.databasePoolSize / 2);
  }

  /** The middleware; it runs before authentication. Refuses with 429 what waits in vain, and whoever has used up a minute's time of the processor. */
  handle(_request: Request, response: Response, next: NextFunction): void {
    const context = currentContext();
    const asking = context?.party;
    if (context === undefined || asking === undefined) {
      next();
      return;
    }
    // Only who is known to belong to an organization holds others back by being there.
    if (asking.isOrganization) this.notice(asking.name);
    const refusal = this.budgets.refusalOf(asking.name);
    if (refusal) next(refusal);
    else this.ask(context, asking.name, response, next);
  }

  /** Gives away the turn of the current request for as long as it waits for its sender, and takes another before it goes on. */
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

  /** Ends the turn of the current request, which from now on takes as long as its sender likes. */
  leave(): void {
    const context = currentContext();
    if (context) this.turns.get(context)?.end();
  }

  /** Counts milliseconds of a processor against a party. */
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
      // What others have sent meanwhile is looked at first.
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
    // Whoever ends a turn is another request, with a context of its own.
    const start = AsyncResource.bind(() => {
      leave();
      begin();
    });
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

  /** Nobody's end of a turn wakes a line up that waits for the end of a pause. */
  private awaitPause(name: string, line: Line): void {
    const pause = this.budgets.pauseOf(name);
    if (pause === 0 || line.pausing !== undefined) return;
    const goOn = () => {
      line.pausing = undefined;
      this.goOn(name, line);
    };
    // The others may be gone before it ends.
    line.pausing = setTimeout(goOn, Math.min(pause, PRESENCE_MILLISECONDS)).unref();
  }
}

function busy(): DomainError {
  return new DomainError('tooManyRequests', 'Too many requests of this organization wait to be answered', [], {
    'Retry-After': '1',
  });
}
