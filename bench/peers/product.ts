import { Api } from '../api.js';
import { requestText } from '../connection.js';
import { SERIAL_MARK } from '../load.js';
import { bodyOf, FREQUENT_WORD, lastNote, pageText, type PageSource, RARE_WORDS } from '../pages.js';
import { pause } from '../processes.js';
import { CACHED_PAGE, chosenLeaves, FREQUENT_SEARCH, RARE_SEARCH, readsOf, TREE } from '../reads.js';
import { buildSpace, levelsOf } from '../spaces.js';
import { editRequests, insertRequests } from '../writes.js';
import { type Account, ask, type Call, faultOf } from './peer.js';

/** Compared operations, in the order of the report. */
export const READS = ['page read', 'list of pages', RARE_SEARCH, FREQUENT_SEARCH] as const;
export const WRITES = ['create a page', 'update a page'] as const;
export type Operation = (typeof READS | typeof WRITES)[number];

/** A product with all pages in it: ours or a peer. */
export interface Product {
  readonly label: string;
  readonly server: { readonly port: number; readonly pid: number };
  readonly databaseUrl: string;
  /** Texts of requests, which are sent in rotation; those of writes have the mark of load generators in them. */
  readonly requests: Readonly<Record<Operation, readonly string[]>>;
}

const LIST_SIZE = 100;
const FOUND = 25;
/** Searches, and texts that are changed, may follow a write a little later. */
const PATIENCE_MS = 30_000;
const PROGRESS = 250;

/** A started server of a product, with its database. */
export type ProductServer = Pick<Product, 'server' | 'databaseUrl'>;

/** Ours, with the pages in a new space. Its list is the tree of all pages: it has no list of a hundred. */
export async function ourProduct(
  { server, databaseUrl }: ProductServer,
  api: Api,
  organizationId: string,
  source: PageSource,
  count: number,
): Promise<Product> {
  const subject = await buildSpace(api, organizationId, String(count), count, source);
  const { token } = api;
  const paths = readsOf(subject);
  const reads = (name: string): string[] => (paths[name] ?? []).map((path) => requestText('GET', path, token));
  const changed = chosenLeaves(subject.leaves.length).map((leaf) => subject.leaves[leaf] ?? 0);
  const content = `/v1/spaces/${subject.spaceId}/content`;
  return {
    label: 'Bindery',
    server,
    databaseUrl,
    requests: {
      'page read': reads(CACHED_PAGE),
      'list of pages': reads(TREE),
      [RARE_SEARCH]: reads(RARE_SEARCH),
      [FREQUENT_SEARCH]: reads(FREQUENT_SEARCH),
      'create a page': insertRequests(token, content, subject, source, changed),
      'update a page': editRequests(token, content, subject, source, changed),
    },
  };
}

/** Writes the pages into a peer, one after the other and in the same three levels, and returns their ids. */
async function writePages(
  api: Api,
  account: Account,
  source: PageSource,
  count: number,
  say: (done: number) => void,
): Promise<string[]> {
  const levels = levelsOf(count);
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const page = pageText(source, index);
    const parent = ids[levels.parentOf(index) ?? -1];
    const call = account.create({ title: page.title, markdown: bodyOf(page), ...(parent !== undefined && { parent }) });
    ids.push(await ask(api, call, 'id of the page', (answer) => account.idOf(answer)));
    if (ids.length % PROGRESS === 0) say(ids.length);
  }
  return ids;
}

/** A call, and what is wrong with its answer where that is not as wanted. */
interface Check {
  readonly call: Call;
  readonly isWanted: (answer: unknown) => boolean;
  readonly fault: string;
}

/** Repeats a call until its answer is as wanted; after some time, 0 for once, the last answer is a fault. */
async function check(api: Api, { call: { path, body }, isWanted, fault }: Check, patienceMs: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const answer = await api.post<unknown>(path, body);
    if (isWanted(answer)) return;
    if (performance.now() >= deadline) throw faultOf(path, fault, answer);
    await pause(100);
  }
}

/** Checks that the peer does what is going to be measured: what a page says is read and found, listed and changed. */
async function checkPeer(api: Api, account: Account, source: PageSource, ids: readonly string[]): Promise<void> {
  const [id = ''] = ids;
  const [rare = ''] = RARE_WORDS;
  const listed = Math.min(LIST_SIZE, ids.length);
  const text = (edit: number | string, fault: string): Check => ({
    call: account.read(id),
    isWanted: (answer) => JSON.stringify(answer).includes(lastNote(pageText(source, 0, edit))),
    fault,
  });
  const items = (call: Call, least: number, fault: string): Check => ({
    call,
    isWanted: (answer) => (account.itemsOf(answer)?.length ?? 0) >= least,
    fault,
  });
  await check(api, text(0, 'has not the text that the page was made with'), 0);
  await check(api, items(account.list(LIST_SIZE), listed, `has not the ${listed} pages of a list`), 0);
  for (const [word, least] of [
    [rare, 3],
    [FREQUENT_WORD, FOUND],
  ] as const)
    await check(api, items(account.search(word, FOUND), least, `has not ${least} pages with ${word}`), PATIENCE_MS);
  const { path, body } = account.update(id, bodyOf(pageText(source, 0, 'check')));
  await api.post(path, body);
  await check(api, text('check', 'has not the text that the page was changed to'), PATIENCE_MS);
}

/** A peer that is started and has an account, filled with the pages and checked. */
export async function peerProduct(
  label: string,
  { server, databaseUrl }: ProductServer,
  account: Account,
  source: PageSource,
  count: number,
  say: (line: string) => void,
): Promise<Product> {
  const api = new Api(server.port, account.token);
  const begin = performance.now();
  const ids = await writePages(api, account, source, count, (done) => say(`${label} has ${done} of ${count} pages`));
  say(`wrote ${count} pages into ${label} in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  await checkPeer(api, account, source, ids);
  api.close();
  const { firstLeaf } = levelsOf(count);
  const chosen = chosenLeaves(count - firstLeaf).map((leaf) => firstLeaf + leaf);
  const text = ({ path, body }: Call): string => requestText('POST', path, account.token, body);
  const marked = (index: number): string => bodyOf(pageText(source, index, SERIAL_MARK));
  const parent = ids[0] ?? '';
  return {
    label,
    server,
    databaseUrl,
    requests: {
      'page read': chosen.map((index) => text(account.read(ids[index] ?? ''))),
      'list of pages': [text(account.list(LIST_SIZE))],
      [RARE_SEARCH]: RARE_WORDS.map((word) => text(account.search(word, FOUND))),
      [FREQUENT_SEARCH]: [text(account.search(FREQUENT_WORD, FOUND))],
      'create a page': chosen.map((index) =>
        text(account.create({ title: `Added ${SERIAL_MARK}`, markdown: marked(index), parent })),
      ),
      'update a page': chosen.map((index) => text(account.update(ids[index] ?? '', marked(index)))),
    },
  };
}
