import { createTwoFilesPatch, FILE_HEADERS_ONLY, formatPatch } from 'diff';
import { dataChanges, shownDiff, type ShownDiff } from '../../formats/document/diff/present-diff.js';
import type { Document } from '../../formats/document/types.js';
import { workerTask } from '../../kernel/platform/workers/worker-task.js';

/* Comparisons of whole documents, as functions of texts that any thread can run. */

/** Documents are longer as JSON than as text, at least by this factor. */
const JSON_LENGTH = 8;
/**
 * Lines that are inserted and deleted at most: a text with more is shown as replaced. The time for comparing grows with
 * their square.
 */
const MAX_LINES = 4_000;

/** Two versions of a document as JSON, undefined where there is none. */
export interface ComparedVersions {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface BlockDiffOrder extends ComparedVersions {
  /** Unchanged blocks on both sides of a change. */
  readonly context: number;
}

/** A version of a page as Markdown; `name` is undefined where there is none. */
export interface MarkdownVersion {
  readonly name: string | undefined;
  readonly markdown: string;
}

export interface UnifiedDiffOrder {
  readonly before: MarkdownVersion;
  readonly after: MarkdownVersion;
  /** Unchanged lines on both sides of a change. */
  readonly context: number;
}

/** The differences of two versions of a document as JSON. */
export function blockDiff({ context, ...versions }: BlockDiffOrder): string {
  const [before, after] = parsed(versions);
  const shown: ShownDiff = shownDiff(before, after, context);
  return JSON.stringify(shown);
}

/** The differences of a document besides its blocks, as JSON. */
export function documentDataDiff(versions: ComparedVersions): string {
  const [before, after] = parsed(versions);
  return JSON.stringify(dataChanges(before, after));
}

function parsed({ before, after }: ComparedVersions): [Document | undefined, Document | undefined] {
  const read = (json: string | undefined): Document | undefined =>
    json === undefined ? undefined : (JSON.parse(json) as Document);
  return [read(before), read(after)];
}

/** The lines that differ between two versions of a page, in the unified format; empty where none does. */
export function unifiedDiff({ before, after, context }: UnifiedDiffOrder): string {
  const [was, now] = [ended(before.markdown), ended(after.markdown)];
  if (was === now && before.name !== undefined && after.name !== undefined) return '';
  const [from, to] = [before.name ?? '/dev/null', after.name ?? '/dev/null'];
  const options = { context, headerOptions: FILE_HEADERS_ONLY, maxEditLength: MAX_LINES };
  return createTwoFilesPatch(from, to, was, now, undefined, undefined, options) ?? replaced(from, to, was, now);
}

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

function replaced(from: string, to: string, before: string, after: string): string {
  const [was, now] = [before, after].map((text) => text.split('\n').slice(0, -1));
  const [deleted, inserted] = [was ?? [], now ?? []];
  return formatPatch(
    {
      oldFileName: from,
      newFileName: to,
      oldHeader: undefined,
      newHeader: undefined,
      hunks: [
        {
          oldStart: deleted.length === 0 ? 0 : 1,
          oldLines: deleted.length,
          newStart: inserted.length === 0 ? 0 : 1,
          newLines: inserted.length,
          lines: [...deleted.map((line) => `-${line}`), ...inserted.map((line) => `+${line}`)],
        },
      ],
    },
    FILE_HEADERS_ONLY,
  );
}

const sizeOf = ({ before = '', after = '' }: ComparedVersions): number => (before.length + after.length) / JSON_LENGTH;

export const BLOCK_DIFF = workerTask(import.meta.url, blockDiff, { size: sizeOf });
export const DOCUMENT_DATA_DIFF = workerTask(import.meta.url, documentDataDiff, { size: sizeOf });
export const UNIFIED_DIFF = workerTask(import.meta.url, unifiedDiff, {
  size: ({ before, after }: UnifiedDiffOrder) => before.markdown.length + after.markdown.length,
});
