import type { Operation } from './operations.js';
import { isRecord } from './json-schema.js';

/*
 * When an operation counts as exercised. A success answer alone proves little, so this looks, within one test, for data
 * that the test itself wrote:
 *
 *  - a read counts if its answer holds data from the body of an earlier write of the same test, or an id that an earlier
 *    write was the first to answer and that does not stand in the read's own path;
 *  - a write counts if a later read of the same test holds data of its body or an id that it was the first to answer; or,
 *    where it takes no body, if its own answer holds data that the test wrote before; or if the same read, made before
 *    and after it by the same caller, answers differently;
 *  - a delete counts if a later read of the deleted path answers 404 while the test had seen its id before, or if the same
 *    read before and after it answers differently;
 *  - and only if the test made at least one assertion after the answer that proves it.
 *
 * Long texts and identifiers may stand anywhere in an answer. Words, short numbers and booleans occur by chance, so they
 * count only under the same property name. What the harness cannot see is which value an assertion compared.
 */

/** One request and its answer, as the evidence rules see it. */
export interface Exchange {
  readonly operation: Operation | undefined;
  readonly method: string;
  readonly path: string;
  /** Query parameters by name, repeated ones joined by a comma. */
  readonly query: Readonly<Record<string, string>>;
  readonly requestBody: unknown;
  readonly status: number;
  readonly body: unknown;
  /** Whoever made the request; empty where the client does not tell callers apart. */
  readonly caller: string;
  /** Assertions that the test had made when the answer arrived. */
  readonly assertions: number;
}

export interface Evidence {
  /** The test asserted something after a success answer of this operation. */
  compared: boolean;
  /** The operation was exercised as described above. */
  exercised: boolean;
  nonEmpty: boolean;
  next: boolean;
  /** Filters that left out a row which the same list shows without them. */
  filters: string[];
}

/** What an answer holds, for look-ups. */
interface Contents {
  readonly values: ReadonlySet<string>;
  readonly pairs: ReadonlySet<string>;
  readonly texts: readonly string[];
}

interface Written {
  readonly texts: readonly string[];
  readonly pairs: readonly string[];
  /** Identifiers that this answer was the first to show. */
  readonly fresh: readonly string[];
}

type Leaf = readonly [key: string, value: string | number | boolean];

function* leaves(value: unknown, key = ''): Generator<Leaf> {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') yield [key, value];
  else if (Array.isArray(value)) for (const item of value) yield* leaves(item, key);
  else if (isRecord(value)) for (const [name, member] of Object.entries(value)) yield* leaves(member, name);
}

const WORD = /^[a-z][a-z_-]*$/;
const IDENTIFIER = /^[A-Za-z0-9_-]{8,}$/;

/** Whether a value is unlikely to stand in an answer by chance. */
const distinctive = (value: Leaf[1]): boolean =>
  typeof value === 'string'
    ? value.length >= 3 && !WORD.test(value)
    : typeof value === 'number' && Math.abs(value) >= 100;

function contentsOf(body: unknown): Contents {
  const values = new Set<string>();
  const pairs = new Set<string>();
  const texts: string[] = [];
  for (const [key, value] of leaves(body)) {
    values.add(String(value));
    pairs.add(`${key}=${String(value)}`);
    if (typeof value === 'string' && value.length >= 6 && !WORD.test(value)) texts.push(value);
  }
  return { values, pairs, texts };
}

function writtenBy(exchange: Exchange, isFresh: (id: string) => boolean): Written {
  const texts: string[] = [];
  const pairs: string[] = [];
  for (const [key, value] of leaves(exchange.requestBody)) {
    if (distinctive(value)) texts.push(String(value));
    else pairs.push(`${key}=${String(value)}`);
  }
  const shown = contentsOf(exchange.body).values;
  return {
    texts,
    pairs,
    fresh: [...shown].filter((value) => IDENTIFIER.test(value) && !WORD.test(value) && isFresh(value)),
  };
}

/** Longest list of an answer's texts that is compared piece by piece. */
const MOST_TEXTS = 2_000;

function holdsText(contents: Contents, text: string): boolean {
  if (contents.values.has(text)) return true;
  if (text.length < 6) return false;
  return contents.texts.slice(0, MOST_TEXTS).some((shown) => shown.includes(text) || text.includes(shown));
}

function holds(contents: Contents, written: Written, path: string): boolean {
  const segments = new Set(path.split('/'));
  return (
    written.fresh.some((id) => contents.values.has(id) && !segments.has(id)) ||
    written.pairs.some((pair) => contents.pairs.has(pair)) ||
    written.texts.some((text) => !segments.has(text) && holdsText(contents, text))
  );
}

const succeeded = (exchange: Exchange): boolean => exchange.status >= 200 && exchange.status < 300;

/** Requests that only read although they are POSTs. */
const READING_POSTS = new Set([
  'searchSiteContent',
  'resolvePublishedContentByUrl',
  'aggregateSiteEvents',
  'askInOrganization',
]);

const reads = (exchange: Exchange): boolean =>
  exchange.method === 'GET' || (exchange.operation !== undefined && READING_POSTS.has(exchange.operation.id));

/** A test's exchanges with the look-ups that the rules need, built when first asked for. */
class Trace {
  private readonly contents = new Map<number, Contents>();
  private readonly written = new Map<number, Written>();
  /** Identifiers by the place of the answer or path that first showed them. */
  private readonly firstSeen = new Map<string, number>();

  constructor(
    readonly exchanges: readonly Exchange[],
    private readonly assertions: number,
  ) {
    exchanges.forEach((exchange, at) => {
      for (const value of [...exchange.path.split('/'), ...this.contentsAt(at).values]) {
        if (IDENTIFIER.test(value) && !this.firstSeen.has(value)) this.firstSeen.set(value, at);
      }
    });
  }

  contentsAt(at: number): Contents {
    const known = this.contents.get(at);
    if (known) return known;
    const made = contentsOf(this.exchanges[at]?.body);
    this.contents.set(at, made);
    return made;
  }

  writtenAt(at: number): Written {
    const known = this.written.get(at);
    const exchange = this.exchanges[at];
    if (known || !exchange) return known ?? { texts: [], pairs: [], fresh: [] };
    const segments = new Set(exchange.path.split('/'));
    const made = writtenBy(exchange, (id) => this.firstSeen.get(id) === at && !segments.has(id));
    this.written.set(at, made);
    return made;
  }

  /** Whether the test asserted anything after this answer. */
  compared(at: number): boolean {
    return this.assertions > (this.exchanges[at]?.assertions ?? this.assertions);
  }

  shown(id: string, before: number): boolean {
    return (this.firstSeen.get(id) ?? before) < before;
  }
}

function readIsProven(trace: Trace, at: number, exchange: Exchange): boolean {
  if (!trace.compared(at)) return false;
  return trace.exchanges.some(
    (earlier, j) =>
      j < at && succeeded(earlier) && !reads(earlier) && holds(trace.contentsAt(at), trace.writtenAt(j), exchange.path),
  );
}

const sameRequest = (a: Exchange, b: Exchange): boolean =>
  a.path === b.path && a.caller === b.caller && JSON.stringify(a.query) === JSON.stringify(b.query);

function changesARead(trace: Trace, at: number): boolean {
  return trace.exchanges.some((before, j) => {
    if (j >= at || before.method !== 'GET') return false;
    return trace.exchanges.some(
      (after, k) =>
        k > at &&
        after.method === 'GET' &&
        sameRequest(before, after) &&
        trace.compared(k) &&
        (before.status !== after.status || JSON.stringify(before.body) !== JSON.stringify(after.body)),
    );
  });
}

function isGoneAfter(trace: Trace, at: number, exchange: Exchange): boolean {
  const id = exchange.path.split('/').at(-1) ?? '';
  if (!trace.shown(id, at)) return false;
  return trace.exchanges.some(
    (later, k) =>
      k > at &&
      later.method === 'GET' &&
      later.status === 404 &&
      trace.compared(k) &&
      (later.path === exchange.path || later.path.startsWith(`${exchange.path}/`)),
  );
}

function writeIsProven(trace: Trace, at: number, exchange: Exchange): boolean {
  const written = trace.writtenAt(at);
  const readBack = trace.exchanges.some(
    (later, k) =>
      k > at &&
      succeeded(later) &&
      reads(later) &&
      trace.compared(k) &&
      holds(trace.contentsAt(k), written, later.path),
  );
  if (readBack || changesARead(trace, at)) return true;
  return exchange.requestBody === undefined && readIsProven(trace, at, exchange);
}

function isProven(trace: Trace, at: number, exchange: Exchange): boolean {
  if (reads(exchange)) return readIsProven(trace, at, exchange);
  if (exchange.method === 'DELETE') return isGoneAfter(trace, at, exchange) || changesARead(trace, at);
  return writeIsProven(trace, at, exchange);
}

const itemsOf = (exchange: Exchange): unknown[] =>
  isRecord(exchange.body) && Array.isArray(exchange.body['items']) ? (exchange.body['items'] as unknown[]) : [];

const countOf = (exchange: Exchange): number =>
  isRecord(exchange.body) && typeof exchange.body['count'] === 'number'
    ? exchange.body['count']
    : itemsOf(exchange).length;

/** The request without paging and without the filter. */
const withoutFilter = (exchange: Exchange, filter: string): string => {
  const { page: _page, limit: _limit, [filter]: _filter, ...rest } = exchange.query;
  return JSON.stringify([exchange.path, exchange.caller, Object.entries(rest).sort()]);
};

/** Whether a row that the list shows otherwise is missing under this filter. */
function leavesRowOut(exchanges: readonly Exchange[], filtered: Exchange, filter: string): boolean {
  const shown = new Set(itemsOf(filtered).map((item) => JSON.stringify(item)));
  return exchanges.some((other) => {
    if (other.operation !== filtered.operation || !succeeded(other)) return false;
    if (
      other.query[filter] === filtered.query[filter] ||
      withoutFilter(other, filter) !== withoutFilter(filtered, filter)
    )
      return false;
    if (countOf(other) > countOf(filtered)) return true;
    return countOf(filtered) === shown.size && itemsOf(other).some((item) => !shown.has(JSON.stringify(item)));
  });
}

function addListEvidence(
  evidence: Evidence,
  exchanges: readonly Exchange[],
  exchange: Exchange,
  operation: Operation,
): void {
  evidence.nonEmpty ||= itemsOf(exchange).length > 0;
  evidence.next ||= isRecord(exchange.body) && isRecord(exchange.body['next']);
  for (const filter of operation.filters) {
    if (!(filter in exchange.query) || evidence.filters.includes(filter)) continue;
    if (leavesRowOut(exchanges, exchange, filter)) evidence.filters.push(filter);
  }
}

/** Answers of one operation that are examined in one test; races make thousands, and proof costs a look at all others. */
const MOST_ATTEMPTS = 40;

/** What one test proves about the operations that it used; `assertions` is how many it made in all. */
export function evidenceOf(exchanges: readonly Exchange[], assertions: number): Map<string, Evidence> {
  const trace = new Trace(exchanges, assertions);
  const found = new Map<string, Evidence>();
  const attempts = new Map<string, number>();
  exchanges.forEach((exchange, at) => {
    const { operation } = exchange;
    if (!operation || !succeeded(exchange)) return;
    const attempt = (attempts.get(operation.id) ?? 0) + 1;
    attempts.set(operation.id, attempt);
    if (attempt > MOST_ATTEMPTS) return;
    const evidence = found.get(operation.id) ?? {
      compared: false,
      exercised: false,
      nonEmpty: false,
      next: false,
      filters: [],
    };
    found.set(operation.id, evidence);
    evidence.compared ||= trace.compared(at);
    evidence.exercised ||= isProven(trace, at, exchange);
    if (operation.paged) addListEvidence(evidence, exchanges, exchange, operation);
  });
  return found;
}
