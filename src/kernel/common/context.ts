import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { DomainError } from './errors.js';
import { attribute, type LoopUser } from './event-loop.js';

/** Who makes the request, as far as writes and events need to know. */
export interface Caller {
  readonly userId: string;
  readonly tokenId: string;
  /** Set for a token that acts in one organization only. */
  readonly organizationId: string | undefined;
  /** `undefined`: everything that its user may do. */
  readonly scopes: readonly string[] | undefined;
}

/** Who acts where no token says it: a person whom an operation has recognised otherwise, or an identity provider that speaks for one. */
export type Acting =
  | { readonly type: 'user'; readonly id: string }
  | { readonly type: 'integration'; readonly id: string; readonly label: string };

/** What is known of the request being served; outside of requests (jobs) there is none. */
export interface RequestContext {
  readonly requestId: string;
  readonly ip: string | undefined;
  readonly ifMatch: string | undefined;
  readonly userAgent?: string | undefined;
  /** Where it does not come from a client of the API. */
  source?: 'integration' | 'workflow' | 'script';
  caller?: Caller;
  acting?: Acting;
  /** The organization that the request turned out to be about. */
  organizationId?: string;
  /** With whom the request shares its turns: the organization that its token was last used in, or who else it comes from. */
  party?: { readonly name: string; readonly isOrganization: boolean };
  /** Who is told what the request costs. */
  loopUser?: LoopUser;
  /** Milliseconds of a processor that the request has used until now. */
  cpuMilliseconds?: number;
}

const storage = new AsyncLocalStorage<RequestContext>();

export function runInContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}

/** Says that the request works again, after whatever it has waited for: what runs from now on is its own. */
export function resumed(): void {
  attribute(storage.getStore()?.loopUser);
}

/** Lets others be served, in the middle of long work. */
export async function yieldToOthers(): Promise<void> {
  await setImmediate();
  resumed();
}

/** Counts work that another thread has done for the request as its own: milliseconds of a processor. */
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

/** Says who acts in the request from now on, for the events that it records. */
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
