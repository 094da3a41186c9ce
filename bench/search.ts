import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { deriveDocument } from '../src/formats/document/derive.js';
import { parseMarkdown } from '../src/formats/markdown/parse.js';
import { Api } from './api.js';
import { table } from './report.js';
import { miniSearch, plainBm25, type PeerSearch, type SearchedSection } from './search-peers.js';
import { Server } from './server.js';
import { vectorsAreMade } from './vectors.js';

/*
 * npm run eval:search [-- --failures]
 *
 * Measures how well pages are found, on questions whose right pages were named before looking: the mean reciprocal rank
 * of the first right page among ten (MRR), the share of questions where it comes first, and the number of questions
 * without any answer; beside BM25 and minisearch on the same sections. The folders of documentation in `search/corpora`,
 * the guides in `docs/` and, if they lie beside the checkout, those of `../shared/corpora` are imported by the command
 * line and searched over HTTP. A second table has the share of questions that get an answer from their own documentation
 * and, wrongly, from others in the same language. `--failures` lists the questions whose right page does not come first.
 */

const KINDS = ['question', 'keywords', 'code', 'typo', 'synonym'] as const;
const GOAL = 0.75;
const FOUND = 10;
const TOKEN = 'of-the-evaluation-of-the-evaluation-of-the-evaluation';
const LANGUAGES: Readonly<Record<string, string>> = { de: 'de', fr: 'fr', ja: 'ja' };

interface Question {
  readonly query: string;
  readonly kind: (typeof KINDS)[number];
  /** Files of the right pages. */
  readonly pages: readonly string[];
}

interface PageNode {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly description?: string;
  readonly pages?: readonly PageNode[];
}

interface Result {
  readonly groups: readonly string[];
  /** By search, the rank from 1 of the first right page; 0 if it is not among those found, undefined if nothing is. */
  readonly ranks: Readonly<Record<string, number | undefined>>;
  readonly ms: number;
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const run = promisify(execFile);
const showFailures = process.argv.includes('--failures');

function folderOf(name: string): string | undefined {
  if (name === 'docs') return here('../docs');
  return [here(`search/corpora/${name}`), here(`../../shared/corpora/${name}`)].find(existsSync);
}

/** The titles and files of a table of contents, in its order. */
function summaryOf(folder: string): { readonly title: string; readonly file: string }[] {
  const links = readFileSync(join(folder, 'SUMMARY.md'), 'utf8').matchAll(
    /^\s*[*-]\s*\[((?:[^\]\\]|\\.)*)\]\(([^)]+)\)/gm,
  );
  return [...links].map(([, title = '', target = '']) => ({
    title: plainTitle(title),
    file: target.replace(/[<>]/g, '').split('#')[0] ?? '',
  }));
}

const plainTitle = (title: string): string => title.replace(/\\(.)/g, '$1').replace(/[`*_]/g, '').trim();

const documentsOf = (pages: readonly PageNode[]): PageNode[] =>
  pages.flatMap((page) => [...(page.type === 'document' ? [page] : []), ...documentsOf(page.pages ?? [])]);

/** The file of each page, by its id: both are in the order of the table of contents. */
function filesOf(pages: readonly PageNode[], folder: string): Map<string, string> {
  const links = summaryOf(folder);
  const files = new Map<string, string>();
  let next = 0;
  for (const { id, title } of pages) {
    const at = links.findIndex((link, index) => index >= next && link.title === plainTitle(title));
    const link = links[at];
    if (link) {
      files.set(id, link.file);
      next = at + 1;
    }
  }
  return files;
}

async function sectionsOf(api: Api, space: string, pages: readonly PageNode[]): Promise<SearchedSection[]> {
  const sections: SearchedSection[] = [];
  for (const { id, title: pageTitle, description = '' } of pages) {
    const { markdown } = await api.get<{ markdown: string }>(`/v1/spaces/${space}/content/page/${id}?format=markdown`);
    const derived = deriveDocument(parseMarkdown(markdown).document).sections;
    const texts = derived.length > 0 ? derived : [{ title: '', body: '' }];
    sections.push(...texts.map(({ title, body: text }) => ({ page: id, pageTitle, description, title, text })));
  }
  return sections;
}

/** A corpus in an organization of its own, with its questions. */
interface Corpus {
  readonly name: string;
  readonly language: string;
  readonly organization: string;
  readonly questions: readonly Question[];
}

const questionsOf = (name: string): Question[] =>
  JSON.parse(readFileSync(here(`search/questions/${name}.json`), 'utf8')) as Question[];

/** The share of questions that an organization answers. */
async function answeredShare(api: Api, { organization }: Corpus, questions: readonly Question[]): Promise<number> {
  let answered = 0;
  for (const { query } of questions) {
    const { answer } = await api.post<{ answer: { method: string } }>(`/v1/orgs/${organization}/ask`, { query });
    if (answer.method !== 'none') answered++;
  }
  return answered / Math.max(questions.length, 1);
}

/** Whether questions get an answer from their own documentation, and none from others in the same language. */
async function reportAnswers(api: Api, corpora: readonly Corpus[]): Promise<void> {
  const rows: (string | number)[][] = [];
  for (const corpus of corpora) {
    const foreign = corpora.flatMap(({ name, language, questions }) =>
      name !== corpus.name && language === corpus.language ? questions : [],
    );
    const own = await answeredShare(api, corpus, corpus.questions);
    rows.push([
      corpus.name,
      own.toFixed(2),
      foreign.length === 0 ? '' : (await answeredShare(api, corpus, foreign)).toFixed(2),
    ]);
  }
  process.stdout.write(`${table(['answered', 'own questions', 'foreign questions'], rows)}\n\n`);
}

async function evaluate(api: Api, corpus: Corpus, dataDir: string): Promise<Result[]> {
  const { name, organization, questions, language } = corpus;
  const folder = folderOf(name) ?? '';
  const { stdout } = await run(
    process.execPath,
    [here('../dist/src/cli.js'), 'import', folder, '--org', organization, '--title', name, '--json'],
    { env: { ...process.env, DATA_DIR: dataDir } },
  );
  const { space } = JSON.parse(stdout) as { space: string };
  await api.call('PATCH', `/v1/spaces/${space}`, { language });
  await vectorsAreMade(api.port, 100);
  const pages = documentsOf((await api.get<{ pages: PageNode[] }>(`/v1/spaces/${space}/content/pages`)).pages);
  const files = filesOf(pages, folder);
  const sections = await sectionsOf(api, space, pages);
  const peers: Readonly<Record<string, PeerSearch>> = { BM25: plainBm25(sections), minisearch: miniSearch(sections) };
  const known = new Set(files.values());
  const results: Result[] = [];
  for (const { query, kind, pages: right } of questions) {
    const missing = right.find((file) => !known.has(file));
    if (missing !== undefined) throw new Error(`${name} has no page ${missing}`);
    const rankIn = (found: readonly string[]): number | undefined =>
      found.length === 0 ? undefined : found.slice(0, FOUND).findIndex((id) => right.includes(files.get(id) ?? '')) + 1;
    const begin = performance.now();
    const { items } = await api.get<{ items: { id: string }[] }>(
      `/v1/spaces/${space}/search?limit=${FOUND}&query=${encodeURIComponent(query)}`,
    );
    const ms = performance.now() - begin;
    const own = rankIn(items.map(({ id }) => id));
    const others = Object.entries(peers).map(([peer, search]) => [peer, rankIn(search(query))] as const);
    if (showFailures && own !== 1)
      process.stdout.write(
        `${name} ${kind} "${query}": ${own ?? 'nothing'}, ${others.map(([peer, rank]) => `${peer} ${rank ?? 'nothing'}`).join(', ')}\n` +
          `    instead of ${right.join(', ')}: ${items
            .slice(0, 3)
            .map(({ id }) => files.get(id) ?? '?')
            .join(', ')}\n`,
      );
    results.push({ groups: [kind, name, 'all'], ranks: { Bindery: own, ...Object.fromEntries(others) }, ms });
  }
  return results;
}

interface Score {
  readonly mrr: number;
  readonly first: number;
  readonly empty: number;
}

function scoreOf(results: readonly Result[], search: string): Score {
  const ranks = results.map((result) => result.ranks[search]);
  return {
    mrr: ranks.reduce<number>((sum, rank) => sum + (rank === undefined || rank === 0 ? 0 : 1 / rank), 0) / ranks.length,
    first: ranks.filter((rank) => rank === 1).length / ranks.length,
    empty: ranks.filter((rank) => rank === undefined).length,
  };
}

/** Prints the table and the verdicts; returns whether all goals are met. */
function report(results: readonly Result[], names: readonly string[]): boolean {
  const searches = ['Bindery', 'BM25', 'minisearch'];
  const groups = ['all', ...KINDS, ...names];
  const scores = groups.map((group) => {
    const own = results.filter((result) => result.groups.includes(group));
    return { group, count: own.length, by: searches.map((search) => scoreOf(own, search)) };
  });
  const rows = scores
    .filter(({ count }) => count > 0)
    .map(({ group, count, by }) => [
      group,
      count,
      ...by.flatMap(({ mrr, first, empty }) => [mrr.toFixed(3), first.toFixed(2), empty]),
    ]);
  const heads = ['questions', 'count', ...searches.flatMap((search) => [`${search} MRR`, 'first', 'empty'])];
  process.stdout.write(`\n${table(heads, rows)}\n\n`);
  const times = results.map(({ ms }) => ms).sort((one, other) => one - other);
  process.stdout.write(
    `a search takes ${(times[Math.floor(times.length / 2)] ?? 0).toFixed(1)} ms in the middle, ${(times.at(-1) ?? 0).toFixed(0)} ms at most\n`,
  );
  const behind = scores.filter(
    ({ group, by: [own, bm25] }) => (KINDS as readonly string[]).includes(group) && own && bm25 && own.mrr < bm25.mrr,
  );
  const [all] = scores[0]?.by ?? [];
  const goals: [string, boolean][] = [
    [`MRR of at least ${GOAL}`, (all?.mrr ?? 0) >= GOAL],
    ['in no kind below BM25', behind.length === 0],
    ['no question without an answer', all?.empty === 0],
  ];
  for (const [goal, isMet] of goals) process.stdout.write(`${isMet ? 'met    ' : 'NOT MET'}  ${goal}\n`);
  return goals.every(([, isMet]) => isMet);
}

const dataDir = mkdtempSync(join(tmpdir(), 'bindery-eval-'));
const server = await Server.start({ folder: dataDir, token: TOKEN, searchVectors: 'model' });
const api = new Api(server.port, TOKEN);
try {
  const names = readdirSync(here('search/questions')).map((file) => basename(file, '.json'));
  const corpora: Corpus[] = [];
  const results: Result[] = [];
  for (const name of names) {
    if (folderOf(name) === undefined) {
      process.stdout.write(`${name}: not measured, its folder is not there\n`);
      continue;
    }
    const { id: organization } = await api.post<{ id: string }>('/v1/orgs', { title: name.padEnd(2) });
    const corpus = { name, organization, language: LANGUAGES[name] ?? 'en', questions: questionsOf(name) };
    corpora.push(corpus);
    results.push(...(await evaluate(api, corpus, dataDir)));
  }
  const areGoalsMet = report(results, names);
  await reportAnswers(api, corpora);
  if (!areGoalsMet) process.exitCode = 1;
} finally {
  api.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
