import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EventLoopBlock } from '../../src/kernel/platform/telemetry/event-loop-monitor.js';
import { processWide } from '../process-wide.js';
import { type Description, loadPublicDescriptions, MISSING_PACKAGE } from './documents.js';
import { evidenceOf, type Evidence, type Exchange } from './evidence.js';
import { operationOf } from './extensions.js';
import type { Operation } from './operations.js';
import { commonPart } from './scim-errors.js';
import { responseSchema, ResponseValidator } from './validate.js';
import type { Answer } from './versions.js';
import { observe, type Observed } from './walk.js';

/** One request and the answer to it, as the HTTP client of the tests saw them. */
export interface RecordedExchange {
  readonly method: string;
  /** Path of the request on the API's listener, `/v1` included; a query string here is read too. */
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Body as sent, parsed; undefined where none was sent. */
  readonly requestBody?: unknown;
  readonly status: number;
  readonly headers: Headers | Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed JSON; undefined where the answer had no body, text where it was not JSON. */
  readonly body: unknown;
  /** Whoever made the request, for instance the token; tells reads of two callers apart. */
  readonly caller?: string | undefined;
  /** The test provokes an outage on purpose and expects 503 with `Retry-After`. Every other 5xx fails the test. */
  readonly outage?: boolean | undefined;
}

/** Milliseconds of the processor for which one request may hold the event loop, on a machine that is half as fast as usual. */
const MAX_HOLD = 1000;

/** Characters of the answers that are kept. */
const MAX_KEPT = 200_000;

/** What one test did, one line of the record. */
export interface TestRecord {
  readonly spec: string;
  readonly test: string;
  readonly evidence: Record<string, Evidence>;
  /** Answers by operation and status. */
  readonly statuses: Record<string, Record<string, number>>;
  readonly problems: string[];
  readonly serverErrors: number;
  /** Requests that held the event loop for too long. */
  readonly holds: string[];
  readonly validated: number;
  readonly seen: string[];
  readonly undeclared: string[];
}

/** A response that breaks the contract; thrown in the test that received it. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
}

interface Current {
  exchanges: Exchange[];
  statuses: Record<string, Record<string, number>>;
  problems: string[];
  serverErrors: number;
  holds: string[];
  validated: number;
  observed: Observed;
}

const emptyState = (): Current => ({
  exchanges: [],
  statuses: {},
  problems: [],
  serverErrors: 0,
  holds: [],
  validated: 0,
  observed: { seen: new Set(), undeclared: new Set() },
});

function headerOf(exchange: RecordedExchange, name: string): string | undefined {
  const { headers } = exchange;
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(found) ? found.join(', ') : found;
}

/** Path and query of an exchange, wherever the client put them. */
function addressed(exchange: RecordedExchange): { path: string; query: Record<string, string> } {
  const url = new URL(exchange.path, 'http://api.invalid');
  const query: Record<string, string> = {};
  const add = (name: string, value: unknown): void => {
    const text = Array.isArray(value) ? value.map(String).join(',') : String(value);
    query[name] = name in query ? `${query[name]},${text}` : text;
  };
  for (const [name, value] of url.searchParams) add(name, value);
  for (const [name, value] of Object.entries(exchange.query ?? {}))
    if (value !== undefined && value !== null) add(name, value);
  return { path: url.pathname, query };
}

/** Collects what the tests of one worker receive, checks each answer at once, and judges each test when it ends. */
export class Recorder {
  private state = emptyState();

  constructor(
    private readonly validator: ResponseValidator = defaultValidator(),
    /** Where the records go; null keeps them in memory only. */
    private readonly folder: string | null = process.env['CONTRACT_RECORDS'] ?? null,
  ) {}

  /** From now on answers are held to the document that the service itself publishes, too. */
  learn(published: Description): void {
    this.validator.own = published;
  }

  /** Checks an answer and notes it; throws `ContractError` with every fault found. `assertions`: made so far in this test. */
  record(recorded: RecordedExchange, assertions: number): void {
    const { path, query } = addressed(recorded);
    const operation = operationOf(recorded.method === 'HEAD' ? 'GET' : recorded.method, path);
    const isStream = operation?.events === true && recorded.status < 300 && typeof recorded.body === 'string';
    const problems = [...this.statusProblems(recorded, operation, path), ...this.headerProblems(recorded, operation)];
    problems.push(...this.bodyProblems(recorded, operation));
    if (recorded.method !== 'HEAD') {
      const { method, requestBody, status } = recorded;
      const body = isStream ? dataOfEvents(recorded.body) : recorded.body;
      this.state.exchanges.push({
        operation,
        method,
        path,
        query,
        requestBody,
        status,
        body,
        caller: recorded.caller ?? '',
        assertions,
      });
      if (operation) this.count(operation, status);
    }
    if (problems.length === 0) return;
    const named = `${recorded.method} ${recorded.path} answered ${recorded.status}`;
    this.state.problems.push(...problems.map((problem) => `${named}: ${problem}`));
    throw new ContractError(`${named}\n  ${problems.join('\n  ')}`);
  }

  /** Notes a request that kept all others waiting for more than a second of the processor. */
  noteHold({ request, cpu, wall }: EventLoopBlock): void {
    if (request === undefined || cpu <= MAX_HOLD) return;
    this.state.holds.push(
      `${request.method} ${request.url} held the event loop for ${Math.round(cpu)} ms of the processor (${Math.round(wall)} ms)`,
    );
  }

  /** Forgets what happened between tests: only what a test itself wrote proves anything in it. */
  beginTest(): void {
    const { problems, serverErrors, holds, statuses } = this.state;
    this.state = { ...emptyState(), problems, serverErrors, holds, statuses };
  }

  /** Judges the test that ends and writes its line. */
  endTest(spec: string, test: string, assertions: number): TestRecord {
    const { exchanges, observed, statuses, problems, serverErrors, holds, validated } = this.state;
    const evidence = Object.fromEntries(evidenceOf(exchanges, assertions));
    const record: TestRecord = {
      spec,
      test,
      evidence,
      statuses,
      problems,
      serverErrors,
      holds,
      validated,
      seen: [...observed.seen],
      undeclared: [...observed.undeclared],
    };
    this.state = emptyState();
    if (this.folder && (exchanges.length > 0 || problems.length > 0 || holds.length > 0))
      this.write(this.folder, record);
    return record;
  }

  private write(folder: string, record: TestRecord): void {
    mkdirSync(folder, { recursive: true });
    appendFileSync(join(folder, `worker-${process.pid}.jsonl`), `${JSON.stringify(record)}\n`);
  }

  /** Keeps an answer for the report, which holds it to further versions of the public API. */
  private keep(answer: Answer): void {
    if (!this.folder) return;
    const line = JSON.stringify(answer);
    if (line.length > MAX_KEPT) return;
    const folder = join(this.folder, 'answers');
    mkdirSync(folder, { recursive: true });
    appendFileSync(join(folder, `worker-${process.pid}.jsonl`), `${line}\n`);
  }

  private count(operation: Operation, status: number): void {
    const counts = (this.state.statuses[operation.id] ??= {});
    counts[status] = (counts[status] ?? 0) + 1;
  }

  private statusProblems(recorded: RecordedExchange, operation: Operation | undefined, path: string): string[] {
    const { status } = recorded;
    if (status >= 500) {
      if (status === 503 && recorded.outage && headerOf(recorded, 'retry-after')) return [];
      this.state.serverErrors += 1;
      return ['a server error'];
    }
    if (status < 200 || status >= 300 || recorded.method === 'OPTIONS') return [];
    if (operation)
      return operation.success.includes(status) ? [] : [`success is ${operation.success.join(' or ')} here`];
    return /^\/v1(\/|$)/.test(path) ? ['this operation is in no table of the contract'] : [];
  }

  private headerProblems(recorded: RecordedExchange, operation: Operation | undefined): string[] {
    const problems: string[] = [];
    const demand = (name: string): void => {
      if (!headerOf(recorded, name)) problems.push(`the header ${name} is missing`);
    };
    demand('x-request-id');
    if (recorded.status === 401) demand('www-authenticate');
    if (recorded.status === 429) demand('retry-after');
    if (recorded.status === 201 && operation?.location) demand('location');
    const type = headerOf(recorded, 'content-type') ?? '';
    const shown = recorded.method !== 'HEAD' && recorded.body !== undefined && recorded.body !== '';
    const expected = operation?.events && recorded.status < 300 ? /^text\/event-stream\b/ : mediaOf(operation);
    if (shown && (operation || recorded.status >= 400) && !expected.test(type))
      problems.push(`the content type is ${type || 'missing'}`);
    return problems;
  }

  private bodyProblems(recorded: RecordedExchange, operation: Operation | undefined): string[] {
    const { status, body } = recorded;
    if (recorded.method === 'HEAD' || recorded.method === 'OPTIONS') return [];
    if (status === 204 || status === 304)
      return body === undefined || body === '' ? [] : [`a body came with ${status}`];
    if (status >= 400) return this.validator.error(status, operation?.scim === true ? commonPart(body) : body);
    if (!operation || !operation.success.includes(status)) return [];
    const shapes = operation.events && typeof body === 'string' ? dataOfEvents(body) : [body];
    const faults = shapes.flatMap((shape) => this.validator.success(operation, status, shape));
    if (faults.length === 0) shapes.forEach((shape) => this.notice(operation, status, shape));
    return faults;
  }

  private notice(operation: Operation, status: number, body: unknown): void {
    const description = this.validator.descriptionOf(operation);
    const schema = description && responseSchema(description, operation, status);
    if (!description || !schema) return;
    this.state.validated += 1;
    this.keep({ operation: operation.id, status, body });
    observe(description.document, { schema, name: operation.id }, body, this.state.observed);
  }
}

/** SCIM has a media type of its own; a request that its operation never sees is answered in that of all others. */
function mediaOf(operation: Operation | undefined): RegExp {
  return operation?.scim === true ? /^application\/(?:scim\+)?json\b/ : /^application\/json\b/;
}

/** The data of the events without a name; those with one only say how a stream ends. */
function dataOfEvents(stream: string): unknown[] {
  return stream
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => JSON.parse(event.slice('data: '.length)) as unknown);
}

function defaultValidator(): ResponseValidator {
  const descriptions = processWide('public-descriptions', () => ({ loaded: loadPublicDescriptions() })).loaded;
  if (!descriptions) process.stderr.write(`${MISSING_PACKAGE}\n`);
  return new ResponseValidator(descriptions);
}
