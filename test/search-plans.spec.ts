import { beforeAll, describe, expect, it } from '@jest/globals';
import { Registry } from '../src/kernel/platform/manifest/registry.js';
import { visibleSpaces } from '../src/workspace/spaces/visible-spaces.js';
import { resemblingPatterns } from '../src/authoring/search/domain/edit-distance.js';
import { comparedWords, parseQuery, rankedTerms } from '../src/authoring/search/domain/search-terms.js';
import type { RankedPage } from '../src/authoring/search/domain/rank-fusion.js';
import { synonymsOf } from '../src/authoring/search/domain/synonyms.js';
import { pagesByMeaning } from '../src/authoring/search/pages-by-meaning.js';
import { pagesByWords } from '../src/authoring/search/pages-by-words.js';
import { hitParameters, spacesWithHits } from '../src/authoring/search/spaces-with-hits.js';
import { resemblingWords } from '../src/authoring/search/vocabulary.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';

const app = useApp();
const SPACES = 2_000;
/** In short runs a part of them: enough that reading all of them is no plan. */
const FOREIGN_PAGES = process.env['ROUNDS'] === undefined ? 60_000 : 200_000;
const QUERIES = ['the space', 'space', 'granite', 'overview of the space', '"number 7"', 'zeppelin space', 'spac'];
const MISTYPED = ['granite', 'zeppelin', 'spade of granit', 'overv'];

const rows = (statement: string, values: readonly unknown[] = []) => app.current.database.query(statement, values);

/** Spaces of an organization, each with some pages that have one section, as the content module would index them. */
async function fill({ id, admin }: Workspace, spaces: number, pages: number): Promise<void> {
  await rows(
    `INSERT INTO space (id, organization_id, title, position, revision_id, created_by, created_at, updated_at)
     SELECT 'Q' || lpad(n::text, 7, '0') || right($1, 12), $1, 'Space ' || n, 'V', 'r', $2, now(), now() FROM generate_series(1, $3::int) n`,
    [id, admin.id, spaces],
  );
  await rows(
    `WITH made AS (
       SELECT 'Q' || lpad((1 + n % $2::int)::text, 7, '0') || right($1, 12) AS space, 'P' || lpad(n::text, 19, '0') AS page, n,
              decode(md5(n::text), 'hex') AS hash, 'The space of overview number ' || n % 1000 || CASE n % 50 WHEN 0 THEN ' granite' ELSE '' END AS text
         FROM generate_series(1, $3::int) n),
     titles AS (
       INSERT INTO page_current (space_id, page_id, hash, title_vector)
       SELECT space, page, NULL, search_vector(ARRAY[space, $1], 'pg_catalog.english', 'Space overview ' || n) FROM made),
     texts AS (
       INSERT INTO section_current (space_id, hash, page_id) SELECT space, hash, page FROM made),
     meanings AS (
       INSERT INTO page_embedding (space_id, page_id, model, source, sketch, hashes, sketches)
       SELECT space, page, 'of the test', hash, ('x' || encode(hash, 'hex'))::bit(128), ARRAY[hash], ARRAY[('x' || encode(hash, 'hex'))::bit(128)::bit varying] FROM made)
     INSERT INTO section_vector (space_id, hash, heading_vector, vector)
     SELECT space, hash, '', search_vector(ARRAY[space, $1], 'pg_catalog.english', text) FROM made`,
    [id, spaces, pages],
  );
  await rows(
    `INSERT INTO space_vocabulary (space_id, words)
     SELECT s.id, string_agg(w.word, chr(10) ORDER BY w.word COLLATE "C") FROM space s
      CROSS JOIN (SELECT unnest('{space,granite,overview,number}'::text[]) AS word UNION SELECT translate(md5(n::text), '0123456789', 'ghijklmnop') FROM generate_series(1, $2::int / $3::int) n) w
      WHERE s.organization_id = $1 GROUP BY s.id`,
    [id, pages, spaces],
  );
  await rows('ANALYZE space, page_current, section_current, section_vector, page_embedding, space_vocabulary');
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The rows of tables and entries of indexes that a plan has read, those of a bitmap once: with its index. */
function rowsRead(node: PlanNode): number {
  const reads = node['Relation Name'] !== undefined || node['Index Name'] !== undefined;
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const own = node['Node Type'] === 'Bitmap Heap Scan' ? 0 : (reads ? node['Actual Rows'] : 0) + removed;
  return own * node['Actual Loops'] + (node.Plans ?? []).reduce((sum, plan) => sum + rowsRead(plan), 0);
}

async function readBy(statement: string, values: readonly unknown[]): Promise<number> {
  const [plan] = await rows(`EXPLAIN (ANALYZE, TIMING off, FORMAT json) ${statement}`, values);
  const [{ Plan: root }] = plan?.['QUERY PLAN'] as [{ Plan: PlanNode }];
  return rowsRead(root);
}

async function cost({ id, admin }: Workspace, query: string): Promise<number> {
  const { words, required } = parseQuery(query);
  const terms = rankedTerms(words, synonymsOf).map((term, index) => ({ ...term, id: index }));
  const searched = { from: visibleSpaces('admin').from, values: [admin.id, id] };
  const byWords = [...searched.values, JSON.stringify(terms), JSON.stringify(required)];
  const pages = (await rows(pagesByWords(searched), byWords)) as unknown as RankedPage[];
  const ranking = { pages, weights: {}, shown: [], terms: [] };
  const spaces = `SELECT * ${spacesWithHits(searched, app.current.get(Registry))} ORDER BY score DESC LIMIT 50`;
  const costs = [
    await readBy(pagesByWords(searched), byWords),
    await readBy(pagesByMeaning(searched), [...searched.values, 'of the test', '01'.repeat(64)]),
    await readBy(spaces, [...searched.values, ...hitParameters(ranking), null]),
  ];
  return costs.reduce((sum, each) => sum + each, 0);
}

function costOfWords({ id, admin }: Workspace, query: string): Promise<number> {
  const searched = { from: visibleSpaces('admin').from, values: [admin.id, id] };
  const words = comparedWords(parseQuery(query).words).map((word) => ({
    ...word,
    resembling: resemblingPatterns(word.word, word.edits),
    parts: [],
  }));
  return readBy(resemblingWords(searched), [...searched.values, JSON.stringify(words)]);
}

describe('the search of an organization with 2,000 spaces', () => {
  let workspace: Workspace;
  const alone = new Map<string, number>();
  const words = new Map<string, number>();

  beforeAll(async () => {
    workspace = await buildOrganization(app.current);
    await fill(workspace, SPACES, 2 * SPACES);
    for (const query of QUERIES) alone.set(query, await cost(workspace, query));
    for (const query of MISTYPED) words.set(query, await costOfWords(workspace, query));
    await fill(await buildOrganization(app.current), 20, FOREIGN_PAGES);
  }, 300_000);

  it.each(QUERIES)('reads no texts of other organizations for: %s', async (query) => {
    const before = alone.get(query) ?? 0;
    const read = await cost(workspace, query);
    expect(before).toBeGreaterThan(0);
    expect(read).toBeLessThan(1.1 * before + 100);
    expect(read).toBeLessThan(20 * SPACES);
  });

  it.each(MISTYPED)('reads no words of other organizations for: %s', async (query) => {
    const before = words.get(query) ?? 0;
    expect(before).toBeGreaterThan(0);
    expect(await costOfWords(workspace, query)).toBeLessThan(1.1 * before + 100);
  });

  it('finds spaces by the rarest word', async () => {
    const { body } = await workspace.admin.api.get<{ items: { title: string }[]; count: number }>(
      `/orgs/${workspace.id}/search`,
      { query: { query: 'granite', limit: 1000 } },
    );
    expect(body.count).toBe(40);
  });
});
