import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from './kill-clients.js';

const PATIENCE_MS = 120_000;
const THINGS = [
  'export the handbook to PDF',
  'log in with the identity provider',
  'pay the invoice by credit card',
  'find a page in the search',
];
const WAYS = [
  'How can I %s? It fails every time.',
  'We cannot %s since yesterday.',
  'Why is it not possible to %s any more?',
  'Every attempt to %s ends with a blank page.',
];

/** Ingests so many conversations of a source; one in ten says nothing that is an issue. */
export async function ingest(caller: Caller, organization: string, source: string, count: number): Promise<void> {
  const conversations = Array.from({ length: count }, (_, index) => {
    const body =
      index % 10 === 9
        ? 'Thank you!'
        : (WAYS[Math.floor(index / THINGS.length) % WAYS.length] ?? '').replace(
            '%s',
            THINGS[index % THINGS.length] ?? '',
          );
    return { id: `${index}`, parts: [{ type: 'message', role: 'user', body }] };
  });
  await caller.call('POST', `/orgs/${organization}/conversations?source=${source}`, conversations);
}

interface Settings {
  readonly analysis: { readonly status: string; readonly waiting: number; readonly clusteredAt?: string };
}

const settingsOf = (caller: Caller, organization: string): Promise<Settings> =>
  caller.call('GET', `/orgs/${organization}/conversations-settings`);

/** Waits until everything is read and clustered; whether it was done already when first looked at. */
export async function analysed(caller: Caller, organization: string): Promise<{ readonly atOnce: boolean }> {
  for (let looks = 0, end = Date.now() + PATIENCE_MS; ; looks++) {
    const { analysis } = await settingsOf(caller, organization);
    if (analysis.waiting === 0 && analysis.status === 'idle') return { atOnce: looks === 0 };
    if (Date.now() > end) throw new Error(`the conversations were not read: ${JSON.stringify(analysis)}`);
    await pause(300);
  }
}

interface List<Item> {
  readonly items: readonly Item[];
  readonly count: number;
  readonly next?: { readonly page: string };
}

async function all<Item>(caller: Caller, path: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let page: string | undefined, isMore = true; isMore; isMore = page !== undefined) {
    const list: List<Item> = await caller.call('GET', `${path}?limit=1000${page === undefined ? '' : `&page=${page}`}`);
    items.push(...list.items);
    page = list.next?.page;
  }
  return items;
}

/** What is not as it would be without any kill: conversations that were not read or not once, clusters whose numbers are wrong. */
export async function findBrokenConversations(caller: Caller, organization: string, wanted: number): Promise<string[]> {
  const path = `/orgs/${organization}/conversations`;
  const conversations = await all<{ id: string; processedAt?: string }>(caller, path);
  const issues = await all<{ issue: { id: string; conversation: string; summary: string; cluster?: string } }>(
    caller,
    `${path}-issues`,
  );
  const clusters = await all<{ id: string; stats: { issues: number; conversations: number } }>(
    caller,
    `${path}-clusters`,
  );
  const faults =
    conversations.length === wanted ? [] : [`${conversations.length} of ${wanted} conversations are there`];
  const unread = conversations.filter(({ processedAt }) => processedAt === undefined);
  if (unread.length > 0) faults.push(`${unread.length} conversations were not read`);
  const having = new Set(issues.map(({ issue }) => issue.conversation));
  if (having.size !== wanted * 0.9) faults.push(`${having.size} conversations have issues`);
  const said = new Set(issues.map(({ issue }) => `${issue.conversation} ${issue.summary}`));
  if (said.size !== issues.length) faults.push(`${issues.length - said.size} issues are there twice`);
  if (clusters.length === 0) faults.push('there are no clusters');
  for (const { id, stats } of clusters) {
    const own = issues.filter(({ issue }) => issue.cluster === id);
    if (own.length !== stats.issues || new Set(own.map(({ issue }) => issue.conversation)).size !== stats.conversations)
      faults.push(`the cluster ${id} counts ${stats.issues} of ${own.length} issues`);
  }
  return faults;
}

interface Decision {
  readonly id: string;
  readonly kind: 'merge' | 'split';
  readonly cluster: string;
  readonly other: string;
  readonly issues: number;
}

/** Asks for a merge of the two largest clusters, or for a split of the largest one; an answer may not arrive. */
export async function decide(
  caller: Caller,
  organization: string,
  kind: Decision['kind'],
): Promise<() => Promise<void>> {
  const path = `/orgs/${organization}/conversations`;
  const clusters = await all<{ id: string }>(caller, `${path}-clusters`);
  const [largest, second] = clusters.map(({ id }) => id);
  const issues = await all<{ issue: { id: string; cluster?: string } }>(caller, `${path}-issues`);
  const own = issues.flatMap(({ issue }) => (issue.cluster === largest ? [issue.id] : []));
  const body = kind === 'merge' ? { cluster: second } : { issues: own.slice(1) };
  return () => caller.call('POST', `${path}-clusters/${largest ?? ''}/${kind}`, body);
}

/** Undoes the decisions that are there; tells their number, and which of them were made in part only. */
export async function undoDecisions(
  caller: Caller,
  organization: string,
): Promise<{ readonly count: number; readonly faults: readonly string[] }> {
  const path = `/orgs/${organization}/conversations`;
  const decisions = await all<Decision>(caller, `${path}-decisions`);
  const issues = await all<{ issue: { cluster?: string } }>(caller, `${path}-issues`);
  const sizeOf = (cluster: string): number => issues.filter(({ issue }) => issue.cluster === cluster).length;
  const faults = decisions.flatMap(({ id, kind, cluster, other, issues: moved }) => {
    const isWhole = moved > 0 && (kind === 'merge' ? sizeOf(other) === 0 : sizeOf(cluster) === moved);
    return isWhole ? [] : [`the ${kind} ${id} was made in part`];
  });
  for (const { id } of decisions) await caller.call('DELETE', `${path}-decisions/${id}`);
  return { count: decisions.length, faults };
}
