import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, afterEach, beforeEach, expect } from '@jest/globals';
import type { EventLoopBlock } from '../../src/kernel/platform/telemetry/event-loop-monitor.js';
import { processWide } from '../process-wide.js';
import { type Description, describe } from './documents.js';
import type { OpenApiDocument } from './json-schema.js';
import { Recorder, type RecordedExchange } from './recorder.js';

/** The channel of the service's watch on its event loop; not imported, so that specs without a server load none. */
const HOLDS = 'bindery.event-loop.hold';

const recorder = new Recorder();

const assertionsSoFar = (): number => expect.getState().assertionCalls;

/**
 * To be called by the HTTP client of the tests for every answer of the API's listener. Checks the answer against the
 * contract and throws `ContractError` where it differs; whatever 5xx arrives, the test fails.
 */
export function recordExchange(exchange: RecordedExchange): void {
  try {
    recorder.record(exchange, assertionsSoFar());
  } catch (error) {
    if (error instanceof Error) error.stack = stackOfTest(error.stack);
    throw error;
  }
}

/** The stack without the harness and the client, so that the line of the test is shown. */
function stackOfTest(stack = ''): string {
  return stack
    .split('\n')
    .filter((line) => !/[/\\]test[/\\](contract[/\\](hooks|recorder)|client|published-client)\.ts/.test(line))
    .join('\n');
}

/**
 * Holds the answers of a service to the document that it publishes, as well as to the public one. All servers of a run
 * publish the same, so only the first is asked: making it takes longer than starting a server. One that is `extended` by modules of
 * a test publishes more, for itself.
 */
export async function learnPublishedDocument(address: string, extended: boolean): Promise<void> {
  if (extended) return recorder.learn(describe('own', documentOf(await publishedBy(address))));
  const known = processWide('published-description', () => new Map<'own', Description>());
  const description = known.get('own') ?? describe('own', documentOf(await keptDocument(address)));
  known.set('own', description);
  recorder.learn(description);
}

const documentOf = (text: string): OpenApiDocument => JSON.parse(text) as OpenApiDocument;

const publishedBy = async (address: string): Promise<string> => (await fetch(new URL('/openapi.json', address))).text();

/** The contents that the first server of a whole run publishes. */
async function keptDocument(address: string): Promise<string> {
  const folder = process.env['CONTRACT_RECORDS'];
  if (folder === undefined) return publishedBy(address);
  const kept = join(folder, 'published.json');
  if (existsSync(kept)) return readFileSync(kept, 'utf8');
  const text = await publishedBy(address);
  const draft = `${kept}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, kept);
  return text;
}

const noteHold = (hold: unknown): void => recorder.noteHold(hold as EventLoopBlock);
subscribe(HOLDS, noteHold);
// Channels are the process's, and outlive the spec file.
afterAll(() => void unsubscribe(HOLDS, noteHold));

beforeEach(() => recorder.beginTest());

afterEach(() => {
  const { testPath, currentTestName, assertionCalls } = expect.getState();
  recorder.endTest(relative(process.cwd(), testPath ?? ''), currentTestName ?? '', assertionCalls);
});

/** A `fetch` that records what it receives, for clients that take one, such as the published client. */
export async function recordingFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const sent = await request.clone().text();
  const response = await fetch(request);
  const text = await response.clone().text();
  const { pathname, search } = new URL(request.url);
  recordExchange({
    method: request.method,
    path: pathname + search,
    requestBody: sent === '' ? undefined : parsed(sent),
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : parsed(text),
    caller: request.headers.get('authorization') ?? '',
  });
  return response;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
