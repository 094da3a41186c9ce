import { AsyncResource } from 'node:async_hooks';
import { Inject, Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { currentContext } from '../../common/context.js';
import { DomainError } from '../../common/errors.js';
import { CONFIG, type Config } from '../../config.js';

/** A turn ends then although its answer is still being read: who reads slowly holds nothing that others need. */
export const TURN_MILLISECONDS = 30_000;
/** How long a request waits for its turn, and how many of one party do. */
const PATIENCE_MILLISECONDS = 30_000;
export const MOST_WAITING = 1000;
/** How long an organization counts as present after its last request. */
const PRESENCE_MILLISECONDS = 1000;
/** A request that has taken longer waits for something rather than for the processor. */
export const BRIEF_MILLISECONDS = 100;

interface Party {
  /** Those whose turn it is, and those of them that have not had it for long. */
  readonly working: Set<Response>;
  readonly brief: Set<Response>;
  /** Those that wait, the first first. */
  readonly waiting: Set<() => void>;
}

interface Sighting {
  readonly name: string;
  readonly at: number;
}

const NEVER: Sighting = { name: '', at: Number.NEGATIVE_INFINITY };

/**
 * Lets one organization have half of the connections to the database at once on each server, so that one at full load leaves
 * the others theirs; and while others are there, begins its requests one after the other, so that theirs do not queue behind
 * many for the processor. Further requests of it wait for their turn.
 */
@Injectable()
export class Turns {
  private readonly parties = new Map<string, Party>();
  private readonly atOnce: number;
  /** The organization that asked last, and the last one before it that is another. */
  private sightings: readonly [latest: Sighting, other: Sighting] = [NEVER, NEVER];

  constructor(@Inject(CONFIG) config: Pick<Config, 'databasePoolSize'>) {
    this.atOnce = Math.ceil(config.databasePoolSize / 2);
  }

  /** The middleware; it runs once a body has arrived, so that nobody's turn is spent on waiting for one. Refuses with 429 what waits in vain. */
  handle(_request: Request, response: Response, next: NextFunction): void {
    const asking = currentContext()?.party;
    if (asking === undefined || response.destroyed) {
      next();
      return;
    }
    const { name } = asking;
    const party = this.parties.get(name) ?? { working: new Set(), brief: new Set(), waiting: new Set() };
    this.parties.set(name, party);
    // Only who is known to belong to an organization holds others back by being there.
    if (asking.isOrganization) this.notice(name);
    if (party.waiting.size === 0 && this.mayBegin(name, party)) this.begin(name, party, response, next);
    else if (party.waiting.size < MOST_WAITING) this.wait(name, party, response, next);
    else next(busy());
  }

  private notice(name: string): void {
    const [latest, other] = this.sightings;
    this.sightings = [{ name, at: performance.now() }, latest.name === name ? other : latest];
  }

  private mayBegin(name: string, { working, brief }: Party): boolean {
    return working.size < this.atOnce && (brief.size === 0 || this.isAlone(name));
  }

  private isAlone(name: string): boolean {
    const [latest, other] = this.sightings;
    return performance.now() - (latest.name === name ? other : latest).at > PRESENCE_MILLISECONDS;
  }

  private begin(name: string, party: Party, response: Response, next: NextFunction): void {
    party.working.add(response);
    party.brief.add(response);
    const age = () => {
      party.brief.delete(response);
      // What others have sent meanwhile is looked at first.
      setImmediate(() => this.goOn(name, party));
    };
    const end = () => {
      clearTimeout(aging);
      clearTimeout(ending);
      response.off('close', end);
      party.working.delete(response);
      age();
    };
    const aging = setTimeout(age, BRIEF_MILLISECONDS).unref();
    const ending = setTimeout(end, TURN_MILLISECONDS).unref();
    response.once('close', end);
    next();
  }

  private wait(name: string, party: Party, response: Response, next: NextFunction): void {
    const leave = () => {
      clearTimeout(timer);
      response.off('close', leave);
      party.waiting.delete(start);
    };
    // Whoever ends a turn is another request, with a context of its own.
    const start = AsyncResource.bind(() => {
      leave();
      this.begin(name, party, response, next);
    });
    const timer = setTimeout(() => {
      leave();
      next(busy());
    }, PATIENCE_MILLISECONDS).unref();
    party.waiting.add(start);
    response.once('close', leave);
  }

  private goOn(name: string, party: Party): void {
    for (const start of party.waiting) {
      if (!this.mayBegin(name, party)) return;
      start();
    }
    if (party.working.size === 0 && this.parties.get(name) === party) this.parties.delete(name);
  }
}

function busy(): DomainError {
  return new DomainError('tooManyRequests', 'Too many requests of this organization wait to be answered', [], { 'Retry-After': '1' });
}
