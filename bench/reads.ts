import type { Api } from './api.js';
import { Connection, requestText } from './connection.js';
import type { Limits } from './limits.js';
import type { Target } from './measure.js';
import { FREQUENT_WORD, type PageSource, RARE_WORDS } from './pages.js';
import { Random } from './random.js';
import type { Server } from './server.js';
import { editPages, type Subject } from './spaces.js';

const DIFFERENT_PAGES = 100;
const CONNECTIONS = [1, 16] as const;
export const NOT_MODIFIED = 'page by id, 304';
const LIST_SIZE = 100;
/** The label of the limits of the machine in place of a space. */
export const LIMIT = 'limit';
/** The same limits, measured once more beside later measurements. */
export const LIMIT_AGAIN = 'limit, again';
/** Pages that were read before and have not changed. */
export const CACHED_PAGE = 'page by id';
export const UNCACHED_PAGE = 'page by id, first read after a change';
export const TREE = 'full tree';
export const RARE_SEARCH = 'search, rare word';
export const FREQUENT_SEARCH = 'search, frequent word';
export const UNCACHED_TREE = 'full tree, first read after a change';

/** Positions among so many pages of the third level, whose pages are read. */
export function chosenLeaves(leaves: number): number[] {
  const random = new Random(7);
  return Array.from({ length: Math.min(DIFFERENT_PAGES, leaves) }, () => random.below(leaves));
}

/** Reads of one space: name of the operation and the paths that are requested in rotation. */
export function readsOf(subject: Subject): Readonly<Record<string, string[]>> {
  const { spaceId, leaves, leafPaths } = subject;
  const chosen = chosenLeaves(leaves.length);
  const content = `/v1/spaces/${spaceId}/content`;
  const byId = chosen.map((leaf) => pagePath(subject, leaves[leaf] ?? 0));
  return {
    [CACHED_PAGE]: byId,
    'page by id, Markdown': byId.map((path) => `${path}?format=markdown`),
    'page by path': chosen.map((leaf) => `${content}/path/${encodeURIComponent(leafPaths[leaf] ?? '')}`),
    'list of 100 files': [`${content}/files?limit=${LIST_SIZE}`],
    [TREE]: [`${content}/pages`],
    [RARE_SEARCH]: RARE_WORDS.map((word) => `/v1/spaces/${spaceId}/search?query=${word}&limit=25`),
    [FREQUENT_SEARCH]: [`/v1/spaces/${spaceId}/search?query=${FREQUENT_WORD}&limit=25`],
  };
}

/** Requests for pages of a space, each for another page. */
export function pageRequestsOf(token: string, subject: Subject): string[] {
  return (readsOf(subject)[CACHED_PAGE] ?? []).map((path) => requestText('GET', path, token));
}

/** All reads of one space, with 1 and with 16 connections; first verifies each response. */
export async function readTargets(server: Server, token: string, subject: Subject): Promise<Target[]> {
  const targets: Target[] = [];
  const connection = await Connection.open(server.port);
  for (const [operation, paths] of Object.entries(readsOf(subject))) {
    const requests = paths.map((path) => requestText('GET', path, token));
    const { status, body } = await connection.send(requests[0] ?? '');
    if (status !== 200) throw new Error(`${operation} answered ${status}: ${body.toString().slice(0, 300)}`);
    targets.push(
      ...inBothWays({
        operation,
        subject: subject.label,
        server,
        lanes: [requests],
        expect: [200],
        bytes: body.length,
      }),
    );
  }
  const unchanged: string[] = [];
  for (const path of readsOf(subject)[CACHED_PAGE] ?? []) {
    const { head } = await connection.send(requestText('GET', path, token));
    const tag = /\r\netag: *([^\r]+)/i.exec(head)?.[1];
    if (tag !== undefined) unchanged.push(requestText('GET', path, token, undefined, { 'If-None-Match': tag }));
  }
  connection.close();
  if (unchanged.length > 0)
    targets.push(
      ...inBothWays({
        operation: NOT_MODIFIED,
        subject: subject.label,
        server,
        lanes: [unchanged],
        expect: [304],
        bytes: 0,
      }),
    );
  return targets;
}

/** Pages that nobody has read since the last change of the space: all of the largest space, each once in a slice. */
function uncachedTarget(server: Server, api: Api, subject: Subject, source: PageSource): Target {
  let changes = 0;
  return {
    operation: UNCACHED_PAGE,
    subject: subject.label,
    connections: 16,
    server,
    lanes: [subject.leaves.map((index) => requestText('GET', pagePath(subject, index), api.token))],
    expect: [200],
    bytes: 0,
    before: () => editPages(api, subject, source, subject.leaves.slice(-1), `u${++changes}`),
  };
}

/** Reads after a change, beside the limits; separate from the other reads, which the changes would disturb. */
export async function uncachedTargets(
  server: Server,
  api: Api,
  subject: Subject,
  source: PageSource,
  limits: Limits,
): Promise<Target[]> {
  const beside = (await limitTargets(limits, LIMIT_AGAIN)).filter(
    ({ operation, connections }) => operation.endsWith(': page') && connections === 16,
  );
  return [...beside, uncachedTarget(server, api, subject, source)];
}

export function pagePath({ spaceId, pageIds }: Subject, index: number): string {
  return `/v1/spaces/${spaceId}/content/page/${pageIds[index] ?? ''}`;
}

/** The same with one and with sixteen connections. */
export function inBothWays(target: Omit<Target, 'connections'>): Target[] {
  return CONNECTIONS.map((connections) => ({ ...target, connections }));
}

/** The reads that show the limits of this machine. */
export async function limitTargets(limits: Limits, subject = LIMIT): Promise<Target[]> {
  const sizeOf = async (port: number, request = ''): Promise<number> => {
    const connection = await Connection.open(port);
    const { status, body } = await connection.send(request);
    connection.close();
    if (status !== 200) throw new Error(`a server of the limits answered ${status}: ${body.toString().slice(0, 300)}`);
    return body.length;
  };
  const { bare, express, pageRequests, listRequests, headlineRequests } = limits;
  const kinds = [
    { operation: 'bare: page', server: bare, requests: pageRequests },
    { operation: 'Express: page', server: express, requests: pageRequests },
    { operation: 'bare: list of 100', server: bare, requests: listRequests },
    { operation: 'bare: search, ts_headline', server: bare, requests: headlineRequests },
  ];
  const targets: Target[] = [];
  for (const { operation, server, requests } of kinds) {
    const bytes = await sizeOf(server.port, requests[0]);
    const isNew = subject === LIMIT;
    targets.push(...inBothWays({ operation, subject, server, lanes: [requests], expect: [200], bytes, isNew }));
  }
  return targets;
}
