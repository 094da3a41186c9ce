import { randomUUID } from 'node:crypto';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { DomainError } from './errors.js';
import { attribute, type LoopUser } from './event-loop.js';

/** The user who makes the request, as far as writes and events need to know. */
export interface Caller {
  readonly userId: string;
  readonly tokenId: string;
  /** Set for a token that acts in one organization only. */
  readonly organizationId: string | undefined;
  /** `undefined` grants everything that the user may do. */
  readonly scopes: readonly string[] | undefined;
  /** The end of a token that acts for a while in the name of another one, whose id `tokenId` is. */
  readonly until?: Date | undefined;
  /** The name of the agent that uses the token, for a token of an agent. */
  readonly agent?: string | undefined;
}

/**
 * The actor where no token identifies one: a person whom an operation has recognized otherwise, or an identity provider
 * that acts for one.
 */
export type Acting =
  | { readonly type: 'user'; readonly id: string }
  | { readonly type: 'integration'; readonly id: string; readonly label: string };

/** The state of the request being served; there is none outside of requests (in jobs). */
export interface RequestContext {
  readonly requestId: string;
  readonly ip: string | undefined;
  readonly ifMatch: string | undefined;
  readonly userAgent?: string | undefined;
  /** The request asks for no change: replicas may answer its statements. */
  readonly readsOnly?: boolean;
  /** The caller wants to be refused for input that the operation does not know. */
  readonly isStrict?: boolean;
  /** Paths of input that the operation does not know. */
  unknown?: readonly string[];
  /** Set if the request does not come from a client of the API. */
  source?: 'integration' | 'workflow' | 'script';
  caller?: Caller;
  acting?: Acting;
  /** The organization that the request was found to concern. */
  organizationId?: string;
  /**
   * The party that shares the request's quota: the organization that its token was last used in, or else another
   * origin.
   */
  party?: { readonly name: string; readonly isOrganization: boolean };
  /**
   * The site that is limited to some addresses and whose visitor makes the request: addresses of files that are made
   * then are good from those alone.
   */
  filesOf?: string;
  /** The account that is charged with the cost of the request. */
  loopUser?: LoopUser;
  /** Milliseconds of processor time that the request has used so far. */
  cpuMilliseconds?: number;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** True for requests of a method that changes nothing. */
export const asksForNoChange = ({ method }: { readonly method?: string | undefined }): boolean =>
  method === 'GET' || method === 'HEAD';

export function runInContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

/** Runs work in the background as a user, for whose organization it counts. Inside of a request the caller stays that of the request. */
export function runAs<T>(caller: Caller, organizationId: string, work: () => T): T {
  const ambient = currentContext();
  const party = { name: organizationId, isOrganization: true };
  const context: RequestContext = ambient?.caller
    ? ambient
    : { requestId: randomUUID(), ip: undefined, ifMatch: undefined, source: 'workflow', party, ...ambient, caller };
  return runInContext(context, work);
}

export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}

/** Marks the request as running again after a wait: the work from now on is attributed to it. */
export function resumed(): void {
  attribute(storage.getStore()?.loopUser);
}

/** Yields to other requests in the middle of long work. */
export async function yieldToOthers(): Promise<void> {
  await setImmediate();
  resumed();
}

/** Milliseconds for which long work has the event loop at a time. */
const STRETCH = 10;

/** Work of many small steps, none of which waits for anything: it yields to others now and then. */
export class LongWork {
  private since = performance.now();

  /** Must be awaited between two steps. */
  async step(): Promise<void> {
    if (performance.now() - this.since < STRETCH) return;
    await yieldToOthers();
    this.since = performance.now();
  }
}

/** Charges the request with work that another thread has done for it, in milliseconds of processor time. */
export function chargeCpu(milliseconds: number): void {
  storage.getStore()?.loopUser?.charge(milliseconds);
  resumed();
}

/** The id of the acting user; only operations behind the bearer guard may ask. */
export function callerId(): string {
  const caller = storage.getStore()?.caller;
  if (!caller) throw new DomainError('unauthenticated', 'This operation needs an API token');
  return caller.userId;
}

/** The name of the agent that makes the request; null for people and for the service itself. */
export function actingAgent(): string | null {
  return storage.getStore()?.caller?.agent ?? null;
}

/** Sets the actor of the request from now on, for the events that it records. */
export function actAs(acting: Acting): void {
  const context = storage.getStore();
  if (!context) return;
  context.acting = acting;
  if (acting.type === 'integration') context.source = 'integration';
}

/**
 * Compares the request's `If-Match` with the version of the row that is about to change; the row
 * must be locked. `*` and an absent header match everything.
 */
export function requireMatch(version: number): void {
  const header = storage.getStore()?.ifMatch;
  if (header === undefined || header.trim() === '*') return;
  const versions = [...header.matchAll(/"(\d+)\.[^"]*"/g)].map((match) => Number(match[1]));
  if (!versions.includes(version)) {
    throw new DomainError('preconditionFailed', 'The object has changed since the version that If-Match names');
  }
}
