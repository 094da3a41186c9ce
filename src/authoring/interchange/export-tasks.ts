import { workerTask } from '../../kernel/platform/workers/worker-task.js';
import {
  planExport,
  rendererFor,
  writePage,
  writeReusableContent,
  type ExportPage,
  type ExportPlan,
  type ExportSpace,
} from './domain/export.js';
import { keepSummary, type RewrittenSummary } from './domain/keep-summary.js';
import { keepTags, type RewrittenTags } from './domain/keep-tags.js';
import { keepText, type RewrittenFile } from './domain/keep-text.js';
import { keepSiteFile, type RewrittenSite } from './domain/site-file/keep-site-file.js';
import { readFrontmatter } from '../../formats/markdown/frontmatter.js';
import { parsedDocument } from './domain/plan-pages.js';
import { finderAt, type Resolving } from './resolving-task.js';

/* Export of spaces as folders, as functions that any thread can run. */

export interface WriteOrder<Item> {
  readonly item: Item;
  /** JSON of its document; null for an empty one. */
  readonly json: string | null;
  readonly path: string;
  /** The paths of its targets, by id. */
  readonly paths: ReadonlyMap<string, string>;
}

/** Plans all paths, and the texts that describe the whole space. */
export function exportPlan(space: ExportSpace): ExportPlan {
  return planExport(space);
}

/** The Markdown of one page. */
export function pageMarkdown({ item, json, path, paths }: WriteOrder<ExportPage>): string {
  return writePage(item, parsedDocument(json), path, paths);
}

/** The Markdown of one reusable content. */
export function reusableContentMarkdown({
  item,
  json,
  path,
  paths,
}: WriteOrder<{ readonly id: string; readonly title: string }>): string {
  return writeReusableContent(item, parsedDocument(json), path, paths);
}

/** A file to be written over one that is there. */
export interface KeepOrder<Item> extends WriteOrder<Item> {
  /** The text that is there. */
  readonly before: string;
  readonly implied: RewrittenFile['implied'];
  /** The slugs of the tags that pages can have. */
  readonly tags: readonly string[];
  /** True if the table of contents does not name the page. */
  readonly unlisted: boolean;
  /** The ids of pages that have no file. */
  readonly pathless: ReadonlySet<string>;
}

/** The Markdown of one page, with the source of whatever means the same. */
export function keptPage({
  before,
  implied,
  unlisted,
  pathless,
  tags,
  port,
  ...order
}: KeepOrder<ExportPage> & Resolving) {
  const { item, path, paths } = order;
  const content = parsedDocument(order.json);
  const { slug, attributes } = item;
  const wanted = {
    document: content,
    title: item.title,
    attributes: { ...attributes, ...(slug !== undefined && { slug }) },
  };
  return keepText(
    {
      place: { path, page: { title: item.title, hidden: unlisted }, tags },
      before,
      wanted,
      write: (style) => writePage(unlisted ? withoutImplied(item, before) : item, content, path, paths, style),
      implied,
      render: rendererFor(path, paths),
      isThere: (page) => paths.has(page) || pathless.has(page),
    },
    finderAt(port),
  );
}

/** A page that no table of contents names is hidden, whether or not its file says so. */
function withoutImplied(page: ExportPage, before: string): ExportPage {
  if (readFrontmatter(before).frontmatter.hidden !== undefined) return page;
  const { hidden: _hidden, ...attributes } = page.attributes ?? {};
  return { ...page, attributes };
}

/** The Markdown of one reusable content, with the source of whatever means the same. */
export function keptReusableContent({
  before,
  pathless,
  port,
  ...order
}: KeepOrder<{ readonly id: string; readonly title: string }> & Resolving) {
  const { item, json, path, paths } = order;
  const content = parsedDocument(json);
  return keepText(
    {
      place: { path },
      before,
      wanted: { document: content, attributes: {} },
      write: (style) => writeReusableContent(item, content, path, paths, style),
      implied: {},
      render: rendererFor(path, paths),
      isThere: (page) => paths.has(page) || pathless.has(page),
    },
    finderAt(port),
  );
}

/** The table of contents, with the lines that mean the same. */
export function keptSummary(summary: RewrittenSummary): string {
  return keepSummary(summary);
}

/** The file of tags, with the entries that mean the same. */
export function keptTags(tags: RewrittenTags): string | undefined {
  return keepTags(tags);
}

/** The file of a site, with the parts that mean the same. */
export function keptSiteFile(site: RewrittenSite): string {
  return keepSiteFile(site);
}

/** Seconds in which even the table of contents of a hundred thousand pages is written. */
const PLAN_SECONDS = 120;
/** Approximate characters of a page in a table of contents. */
const PAGE_LENGTH = 100;
/** A document in JSON is about four times as long as its Markdown. */
const JSON_LENGTH = 4;
const sizeOf = ({ json }: WriteOrder<unknown>): number => (json?.length ?? 0) / JSON_LENGTH;
/** A text that is kept is read several times. */
const READINGS = 8;
const sizeOfKept = (order: KeepOrder<unknown>): number => READINGS * (order.before.length + sizeOf(order));

export const PLAN_EXPORT = workerTask(import.meta.url, exportPlan, {
  size: ({ pages }) => PAGE_LENGTH * pages.length,
  seconds: PLAN_SECONDS,
});
export const WRITE_PAGE = workerTask(import.meta.url, pageMarkdown, { size: sizeOf });
export const WRITE_REUSABLE_CONTENT = workerTask(import.meta.url, reusableContentMarkdown, { size: sizeOf });
export const KEEP_PAGE = workerTask(import.meta.url, keptPage, { size: sizeOfKept });
export const KEEP_REUSABLE_CONTENT = workerTask(import.meta.url, keptReusableContent, { size: sizeOfKept });
export const KEEP_SUMMARY = workerTask(import.meta.url, keptSummary, {
  size: ({ before, after, markdown }) => READINGS * (before.length + after.length) + markdown.length,
  seconds: PLAN_SECONDS,
});
export const KEEP_TAGS = workerTask(import.meta.url, keptTags, {
  size: ({ before, after = '' }) => READINGS * (before.length + after.length),
});
export const KEEP_SITE = workerTask(import.meta.url, keptSiteFile, { size: ({ before }) => READINGS * before.length });
