import { workerTask } from '../../kernel/platform/workers/worker-task.js';
import { readRepositoryConfig } from './domain/gitbook-yaml.js';
import {
  keptDocument,
  readPlannedDocument,
  titleOf,
  type GivenSource,
  type PlannedDocument,
} from './domain/plan-pages.js';
import { readFrontmatter } from '../../formats/markdown/frontmatter.js';
import { mergedConfig } from './domain/repository-layout.js';
import { readSiteFile } from './domain/site-file/read-site-file.js';
import { readSummary } from './domain/summary.js';
import { readBookStack } from './domain/tools/exports.js';
import { readNavigation } from './domain/tools/navigation.js';
import { readPageHead } from './domain/tools/page-head.js';
import { readTags } from './domain/tags-file.js';
import { readVariables } from './domain/variables.js';
import { finderAt, type Resolving } from './resolving-task.js';

/* Readers of the texts of a folder, as functions that any thread can run: each finds them here by name. */
export {
  readBookStack,
  readNavigation,
  readPageHead,
  readRepositoryConfig,
  readSiteFile,
  readSummary,
  readTags,
  readVariables,
  titleOf,
};

export interface SourceDocumentInput extends Resolving {
  readonly given: GivenSource;
}

/** The document of a source file. */
export function documentOfSource({ given, port }: SourceDocumentInput): Promise<PlannedDocument> {
  return readPlannedDocument(given, finderAt(port));
}

/** The document of a source file that cannot be read, and the reason. */
export function documentAsWritten({
  given,
  reason,
}: {
  readonly given: GivenSource;
  readonly reason: string;
}): PlannedDocument {
  return keptDocument(given, reason);
}

/** The `.gitbook.yaml` of a repository after an export. */
export function configAfterExport({
  before,
  own,
  dead,
}: {
  readonly before: string | undefined;
  readonly own: string | undefined;
  /** Redirects that lead nowhere. */
  readonly dead: readonly string[];
}): string | undefined {
  return mergedConfig(before, own, dead);
}

/** The slug in the frontmatter of a page, lower case as it is imported. */
export function slugIn(text: string): string | undefined {
  return readFrontmatter(text).frontmatter.slug?.normalize('NFC').toLowerCase();
}

/**
 * Hostile Markdown of 4,000 characters takes a third of a second, so only shorter texts are read on the main thread.
 */
const lengthOf = (text: string): number => 4 * text.length;

export const READ_CONFIG = workerTask(import.meta.url, readRepositoryConfig, { size: lengthOf });
export const READ_SUMMARY = workerTask(import.meta.url, readSummary, { size: lengthOf });
export const READ_VARIABLES = workerTask(import.meta.url, readVariables, { size: lengthOf });
export const READ_TAGS = workerTask(import.meta.url, readTags, { size: lengthOf });
export const READ_SITE = workerTask(import.meta.url, readSiteFile, { size: lengthOf });
export const READ_TITLE = workerTask(import.meta.url, titleOf, { size: lengthOf });
export const READ_HEAD = workerTask(import.meta.url, readPageHead, { size: ({ text }) => lengthOf(text) });
export const READ_NAVIGATION = workerTask(import.meta.url, readNavigation, {
  size: ({ sources, pages }) =>
    sources.reduce((sum, { text }) => sum + lengthOf(text), 0) + pages.reduce((sum, [path]) => sum + path.length, 0),
});
export const READ_EXPORT = workerTask(import.meta.url, readBookStack, { size: lengthOf });
export const READ_SLUG = workerTask(import.meta.url, slugIn, { size: lengthOf });
export const READ_SOURCE_DOCUMENT = workerTask(import.meta.url, documentOfSource, {
  size: ({ given }) => lengthOf(given.text),
});
export const KEEP_DOCUMENT = workerTask(import.meta.url, documentAsWritten, {
  size: ({ given }) => lengthOf(given.text),
});
export const MERGE_CONFIG = workerTask(import.meta.url, configAfterExport, {
  size: ({ before = '', own = '' }) => lengthOf(before) + lengthOf(own),
});
