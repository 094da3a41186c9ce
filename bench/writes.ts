import type { Api } from './api.js';
import { requestText } from './connection.js';
import type { GitPeer } from './git-peer.js';
import type { Limits } from './limits.js';
import { quantile, SERIAL_MARK } from './load.js';
import type { Target } from './measure.js';
import { bodyOf, pageText, type PageSource } from './pages.js';
import { difference, type RowCounter, total } from './rows.js';
import { LIMIT, pagePath, UNCACHED_PAGE, UNCACHED_TREE } from './reads.js';
import type { Server } from './server.js';
import { edit, editPages, merge, openChangeRequest, type Subject } from './spaces.js';

/** The cost of one write: one client, one request after another. */
export interface WriteMeasured {
  readonly operation: string;
  readonly subject: string;
  readonly times: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  /** Rows per operation, all tables; undefined if not counted. */
  readonly rows?: number;
  readonly rowsByTable?: Readonly<Record<string, number>>;
}

/** A kind of write: `prepare` is not measured and returns the input of `act`. */
interface Write<Prepared> {
  readonly operation: string;
  readonly times: number;
  prepare(turn: number): Promise<Prepared>;
  act(prepared: Prepared, turn: number): Promise<unknown>;
}

export interface WriteScene {
  readonly api: Api;
  readonly subject: Subject;
  readonly source: PageSource;
  readonly counter: RowCounter;
  /** 1 for the full number of repetitions. */
  readonly share: number;
  readonly say: (line: string) => void;
}

/** Runs after each turn of a series. */
type Beside = (turn: number) => Promise<void>;

const COUNTED = 4;
const EDITS_FOR_A_COMMIT = 10;
const LEAST_TIMES = 3;
/** A series of one space ends after this time, so that a slow machine measures less and not longer. */
const PATIENCE_MS = 20_000;
export const MERGED_PAGES = 100;
export const MERGE_OTHER = `merge, ${MERGED_PAGES} pages onto ${MERGED_PAGES} other changed`;
export const MERGE_SAME = `merge, ${MERGED_PAGES} pages onto the same changed elsewhere`;
let marks = 0;
const nextMark = (): string => `m${++marks}`;

/** Page numbers of the third level, a different range of them in each turn. */
function someLeaves(subject: Subject, count: number, turn: number): number[] {
  return Array.from({ length: count }, (_, index) => subject.leaves[(turn * 31 + index) % subject.leaves.length] ?? 0);
}

/** Pages of every level, for merges of as many pages as the smallest space has. */
function somePages(subject: Subject, count: number, turn: number): number[] {
  return Array.from({ length: count }, (_, index) => (turn * 31 + index) % subject.pages);
}

async function requestWith(
  { api, subject, source }: Pick<WriteScene, 'api' | 'subject' | 'source'>,
  pages: readonly number[],
  place: 'first' | 'last' = 'last',
): Promise<string> {
  const changeRequest = await openChangeRequest(api, subject, `Edits ${nextMark()}`);
  await editPages(api, subject, source, pages, nextMark(), { changeRequest, place });
  return changeRequest;
}

async function mustMerge({ api, subject }: WriteScene, changeRequest: string): Promise<void> {
  const result = await merge(api, subject, changeRequest);
  if (result !== 'merge') throw new Error(`a merge gave ${result}`);
}

interface Lane<Prepared> {
  readonly scene: WriteScene;
  readonly write: Write<Prepared>;
  readonly latencies: number[];
}

/**
 * Measures a kind of write in several spaces, and in the programs that are compared with it (`beside`), in alternation,
 * so that other load of the machine affects all of them alike.
 */
async function measureWrite<Prepared>(
  scenes: readonly WriteScene[],
  describe: (scene: WriteScene) => Write<Prepared>,
  { counted = COUNTED, beside }: { readonly counted?: number; readonly beside?: Beside } = {},
): Promise<WriteMeasured[]> {
  const lanes = scenes.map((scene): Lane<Prepared> => ({ scene, write: describe(scene), latencies: [] }));
  const [first] = lanes;
  if (!first) return [];
  const { share } = first.scene;
  const wanted = Math.max(LEAST_TIMES, Math.round(first.write.times * share));
  const end = performance.now() + PATIENCE_MS * share * lanes.length;
  for (let turn = 0; turn < wanted && (turn < LEAST_TIMES || performance.now() < end); turn++) {
    for (const { write, latencies } of lanes) {
      const prepared = await write.prepare(turn);
      const begin = performance.now();
      await write.act(prepared, turn);
      latencies.push(performance.now() - begin);
    }
    await beside?.(turn);
  }
  const measured: WriteMeasured[] = [];
  for (const lane of lanes) measured.push({ ...summaryOf(lane), ...(counted > 0 && (await rowsOf(lane, counted))) });
  return measured;
}

function summaryOf<Prepared>({
  scene: { subject, say },
  write: { operation },
  latencies,
}: Lane<Prepared>): WriteMeasured {
  const sorted = [...latencies].sort((left, right) => left - right);
  const [medianMs, p99Ms] = [quantile(sorted, 0.5), quantile(sorted, 0.99)];
  say(`${subject.label} pages: ${operation}, ${medianMs.toFixed(1)} ms`);
  return { operation, subject: subject.label, times: sorted.length, medianMs, p99Ms };
}

async function rowsOf<Prepared>(
  { scene: { counter }, write, latencies: { length: times } }: Lane<Prepared>,
  counted: number,
): Promise<Pick<WriteMeasured, 'rows' | 'rowsByTable'>> {
  const turns = Math.min(counted, times);
  // Background writes of the server are counted, too, but hardly twice: the smaller count is the operation's.
  const counts: Record<string, number>[] = [];
  for (let from = times; counts.length < 2; from += turns) {
    const prepared: Prepared[] = [];
    for (let turn = 0; turn < turns; turn++) prepared.push(await write.prepare(from + turn));
    const before = await counter.read();
    for (const [turn, item] of prepared.entries()) await write.act(item, from + turn);
    counts.push(difference(before, await counter.read(), turns));
  }
  const [rowsByTable = {}] = counts.sort((one, other) => total(one) - total(other));
  return { rows: total(rowsByTable), rowsByTable };
}

/** All writes whose cost must not grow with the space, one kind after another. */
export async function measureWrites(scenes: readonly WriteScene[], git: GitPeer | undefined): Promise<WriteMeasured[]> {
  const edited = new Map<WriteScene, string>();
  for (const scene of scenes) edited.set(scene, await openChangeRequest(scene.api, scene.subject, 'One-page edits'));
  const nothing = async (): Promise<void> => undefined;
  const editOnePage = ({ api, subject, source }: WriteScene, turn: number, changeRequest?: string): Promise<void> =>
    editPages(
      api,
      subject,
      source,
      someLeaves(subject, 1, turn),
      nextMark(),
      changeRequest === undefined ? {} : { changeRequest },
    );
  return [
    ...(await measureWrite(
      scenes,
      (scene) => ({
        operation: 'one-page edit in a change request',
        times: 100,
        prepare: nothing,
        act: (_, turn) => editOnePage(scene, turn, edited.get(scene)),
      }),
      { beside: async (turn) => (turn % EDITS_FOR_A_COMMIT === 0 ? git?.commit() : undefined) },
    )),
    ...(await measureWrite(scenes, (scene) => ({
      operation: 'one-page edit, live',
      times: 100,
      prepare: nothing,
      act: (_, turn) => editOnePage(scene, turn),
    }))),
    ...(await measureWrite(scenes, ({ api, subject }) => ({
      operation: 'create a change request',
      times: 100,
      prepare: nothing,
      act: () => openChangeRequest(api, subject, `Request ${nextMark()}`),
    }))),
    ...(await measureWrite(scenes, (scene) => ({
      operation: 'merge, 1 page',
      times: 40,
      prepare: (turn) => requestWith(scene, someLeaves(scene.subject, 1, turn)),
      act: (changeRequest) => mustMerge(scene, changeRequest),
    }))),
    // One at a time: in the smallest space two of them change the same pages.
    ...(await measureWrite(
      scenes,
      (scene) => ({
        operation: `merge, ${MERGED_PAGES} pages`,
        times: 24,
        prepare: (turn) => requestWith(scene, somePages(scene.subject, MERGED_PAGES, turn * 5)),
        act: (changeRequest) => mustMerge(scene, changeRequest),
      }),
      { counted: 1 },
    )),
  ];
}

/** Reads of pages and of the tree that nobody has read since the last change of the space. */
export async function measureUncachedReads(scenes: readonly WriteScene[]): Promise<WriteMeasured[]> {
  const change = ({ api, subject, source }: WriteScene): Promise<void> =>
    editPages(api, subject, source, subject.leaves.slice(-1), nextMark());
  return [
    ...(await measureWrite(
      scenes,
      (scene) => {
        const { api, subject } = scene;
        const distinct = Math.min(50, subject.leaves.length - 1);
        return {
          operation: UNCACHED_PAGE,
          times: 150,
          prepare: async (turn) => {
            if (turn % distinct === 0) await change(scene);
          },
          act: (_, turn) => api.bytes('GET', pagePath(subject, subject.leaves[turn % distinct] ?? 0)),
        };
      },
      { counted: 0 },
    )),
    ...(await measureWrite(
      scenes,
      (scene) => ({
        operation: UNCACHED_TREE,
        times: 20,
        prepare: () => change(scene),
        act: () => scene.api.bytes('GET', `/v1/spaces/${scene.subject.spaceId}/content/pages`),
      }),
      { counted: 0 },
    )),
  ];
}

/** A change request with edits of pages, onto a primary line with edits of other pages or of the same pages at another place. */
export async function movedRequest(
  { api, subject, source }: Pick<WriteScene, 'api' | 'subject' | 'source'>,
  turn: number,
  same: boolean,
): Promise<string> {
  const changed = somePages(subject, MERGED_PAGES, turn * 7);
  const primary = same ? changed : somePages(subject, MERGED_PAGES, turn * 7 + 20);
  // Equal on both sides before the first change, so that only the two notes differ.
  await editPages(api, subject, source, [...new Set([...changed, ...primary])], '0');
  const changeRequest = await requestWith({ api, subject, source }, changed, 'first');
  await editPages(api, subject, source, primary, nextMark());
  return changeRequest;
}

/**
 * Merges onto a primary line with as many changed pages: other pages, and the same pages at other places of their text.
 * A space in which the latter are conflicts has none of them.
 */
export async function measureMovedMerges(
  scenes: readonly WriteScene[],
  git: GitPeer | undefined,
): Promise<WriteMeasured[]> {
  const measured = await measureWrite(
    scenes,
    (scene) => ({
      operation: MERGE_OTHER,
      times: 10,
      prepare: (turn) => movedRequest(scene, turn, false),
      act: (changeRequest) => mustMerge(scene, changeRequest),
    }),
    { counted: 0, beside: async () => git?.merge('Other') },
  );
  const able: WriteScene[] = [];
  for (const scene of scenes)
    if ((await merge(scene.api, scene.subject, await movedRequest(scene, 100, true))) === 'merge') able.push(scene);
  return [
    ...measured,
    ...(await measureWrite(
      able,
      (scene) => ({
        operation: MERGE_SAME,
        times: 10,
        prepare: (turn) => movedRequest(scene, 101 + turn, true),
        act: (id) => mustMerge(scene, id),
      }),
      { counted: 0, beside: async () => git?.merge('Same') },
    )),
  ];
}

const WRITERS = 16;

/** Requests that rewrite pages at an address of content, each with other text. */
export function editRequests(
  token: string,
  path: string,
  subject: Subject,
  source: PageSource,
  pages: readonly number[],
): string[] {
  return pages.map((index) =>
    requestText('POST', path, token, { changes: [edit(subject, source, index, SERIAL_MARK)] }),
  );
}

/** Requests that add a page with the text of one there is, each with another title and other text. */
export function insertRequests(
  token: string,
  path: string,
  subject: Subject,
  source: PageSource,
  pages: readonly number[],
): string[] {
  return pages.map((index) => {
    const page = {
      operation: 'insert_page',
      title: `Added ${SERIAL_MARK}`,
      into: subject.pageIds[0],
      document: { markdown: bodyOf(pageText(source, index, SERIAL_MARK)) },
    };
    return requestText('POST', path, token, { changes: [page] });
  });
}

/** Writes with 16 connections into one space, each into a change request of its own, beside the bare update. */
export async function writeTargets(
  { api, subject, source }: WriteScene,
  server: Server,
  limits: Limits,
): Promise<Target[]> {
  const edits: string[][] = [];
  const inserts: string[][] = [];
  for (let writer = 0; writer < WRITERS; writer++) {
    const path = `/v1/spaces/${subject.spaceId}/change-requests/${await openChangeRequest(api, subject, `Writer ${writer}`)}/content`;
    const pages = someLeaves(subject, 20, writer);
    edits.push(editRequests(api.token, path, subject, source, pages));
    inserts.push(insertRequests(api.token, path, subject, source, pages));
  }
  const live = editRequests(
    api.token,
    `/v1/spaces/${subject.spaceId}/content`,
    subject,
    source,
    someLeaves(subject, 100, 3),
  );
  const common = { connections: WRITERS, subject: subject.label, server, expect: [200], bytes: 0 };
  return [
    {
      ...common,
      operation: 'bare: update with a revision row',
      subject: LIMIT,
      server: limits.bare,
      lanes: [limits.updateRequests],
    },
    { ...common, operation: 'one-page edit in a change request', lanes: edits },
    { ...common, operation: 'create a page in a change request', lanes: inserts },
    { ...common, operation: 'one-page edit, live', lanes: [live] },
  ];
}
