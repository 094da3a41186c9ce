import { workerTask } from '../../kernel/platform/workers/worker-task.js';
import {
  planExport,
  writePage,
  writeReusableContent,
  type ExportPage,
  type ExportPlan,
  type ExportSpace,
} from './domain/export.js';
import { parsedDocument } from './domain/plan-pages.js';

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

/** Seconds in which even the table of contents of a hundred thousand pages is written. */
const PLAN_SECONDS = 120;
/** Approximate characters of a page in a table of contents. */
const PAGE_LENGTH = 100;
/** A document in JSON is about four times as long as its Markdown. */
const JSON_LENGTH = 4;
const sizeOf = ({ json }: WriteOrder<unknown>): number => (json?.length ?? 0) / JSON_LENGTH;

export const PLAN_EXPORT = workerTask(import.meta.url, exportPlan, {
  size: ({ pages }) => PAGE_LENGTH * pages.length,
  seconds: PLAN_SECONDS,
});
export const WRITE_PAGE = workerTask(import.meta.url, pageMarkdown, { size: sizeOf });
export const WRITE_REUSABLE_CONTENT = workerTask(import.meta.url, reusableContentMarkdown, { size: sizeOf });
