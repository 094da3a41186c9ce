import type pg from 'pg';
import { Api } from './api.js';
import { pageText, type PageSource } from './pages.js';
import { section, table } from './report.js';
import { buildSpace, editPages, type Subject } from './spaces.js';

const EDITS = 3;
/** Bytes a page below which a table is counted among the others. */
const SMALL = 50;

/** Bytes of the tables with their indexes and all that is stored beside them, by name; those of the jobs together. */
type Sizes = ReadonlyMap<string, number>;

export interface SizeFindings {
  readonly label: string;
  readonly pages: number;
  /** Bytes of Markdown a page. */
  readonly markdown: number;
  /** Bytes a page by table, as the pages were written and after each was edited three times. */
  readonly written: Readonly<Record<string, number>>;
  readonly edited: Readonly<Record<string, number>>;
}

async function sizesOf(client: pg.Client): Promise<Sizes> {
  await client.query('VACUUM ANALYZE');
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `SELECT CASE schemaname WHEN 'public' THEN coalesce(pg_partition_root(relid)::text, relname) ELSE schemaname END AS name, sum(pg_total_relation_size(relid)) AS bytes
       FROM pg_stat_user_tables GROUP BY 1`,
  );
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

function grownBy(before: Sizes, after: Sizes, pages: number): Record<string, number> {
  return Object.fromEntries(
    [...after]
      .map(([name, bytes]) => [name, (bytes - (before.get(name) ?? 0)) / pages] as const)
      .filter(([, bytes]) => bytes !== 0)
      .sort(([, one], [, other]) => other - one),
  );
}

/** Bytes that `spaces` spaces of `pages` pages each take in a database that has nothing else. */
export async function measureSize(
  api: Api,
  client: pg.Client,
  source: PageSource,
  spaces: number,
  pages: number,
): Promise<SizeFindings> {
  const { items } = await api.get<{ items: readonly { id: string }[] }>('/v1/orgs');
  const before = await sizesOf(client);
  const subjects: Subject[] = [];
  const sources = Array.from({ length: spaces }, (_, space): PageSource => ({
    ...source,
    sections: (index) => source.sections(space * pages + index),
  }));
  for (const own of sources)
    subjects.push(await buildSpace(api, items[0]?.id ?? '', String(pages), pages, own, { files: 0 }));
  const written = grownBy(before, await sizesOf(client), spaces * pages);
  for (let edit = 1; edit <= EDITS; edit++)
    for (const [space, subject] of subjects.entries())
      await editPages(api, subject, sources[space] ?? source, [...subject.pageIds.keys()], `s${edit}`);
  const edited = grownBy(before, await sizesOf(client), spaces * pages);
  const lengths = Array.from({ length: pages }, (_, index) => Buffer.byteLength(pageText(source, index).markdown));
  return {
    label: spaces === 1 ? `${pages} pages` : `${spaces} x ${pages}`,
    pages: spaces * pages,
    markdown: lengths.reduce((sum, length) => sum + length, 0) / pages,
    written,
    edited,
  };
}

const sumOf = (sizes: Readonly<Record<string, number>>): number =>
  Object.values(sizes).reduce((sum, bytes) => sum + bytes, 0);

/** Bytes a page by table, for each size. */
export function sizeSection(findings: readonly SizeFindings[]): string {
  const columns = findings.flatMap(({ written, edited }) => [written, edited]);
  const names = [...new Set(columns.flatMap((sizes) => Object.keys(sizes)))];
  const shown = names
    .filter((name) => columns.some((sizes) => (sizes[name] ?? 0) >= SMALL))
    .sort((one, other) => (columns[0]?.[other] ?? 0) - (columns[0]?.[one] ?? 0));
  const others = names.filter((name) => !shown.includes(name));
  const row = (title: string, bytesOf: (sizes: Readonly<Record<string, number>>) => number): string[] => [
    title,
    ...columns.map((sizes) => bytesOf(sizes).toFixed(0)),
  ];
  return section(
    `Bytes a page in the database, as written and after ${EDITS} edits`,
    table(
      ['table', ...findings.flatMap(({ label }) => [label, 'edited'])],
      [
        row('all', sumOf),
        ...shown.map((name) => row(name, (sizes) => sizes[name] ?? 0)),
        row('others', (sizes) => others.reduce((sum, name) => sum + (sizes[name] ?? 0), 0)),
        ['Markdown', ...findings.flatMap(({ markdown }) => [markdown.toFixed(0), ''])],
      ],
    ),
  );
}
