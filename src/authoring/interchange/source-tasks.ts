import type { MessagePort } from 'node:worker_threads';
import { workerTask } from '../../kernel/platform/workers/worker-task.js';
import { readRepositoryConfig } from './domain/gitbook-yaml.js';
import {
  keptDocument,
  readPlannedDocument,
  titleOf,
  type GivenSource,
  type PlannedDocument,
} from './domain/plan-pages.js';
import { mergedConfig } from './domain/repository-layout.js';
import { readSummary } from './domain/summary.js';
import type { FoundTarget } from './domain/targets.js';
import { readVariables } from './domain/variables.js';

/* Readers of the texts of a folder, as functions that any thread can run: each finds them here by name. */
export { readRepositoryConfig, readSummary, readVariables, titleOf };

export interface SourceDocumentInput {
  readonly given: GivenSource;
  /** Resolves targets: lists of them are sent, lists of `FoundTarget` are returned. */
  readonly port: MessagePort;
}

/** The document of a source file. */
export function documentOfSource({ given, port }: SourceDocumentInput): Promise<PlannedDocument> {
  const find = (targets: readonly string[]): Promise<readonly FoundTarget[]> =>
    new Promise((resolve) => {
      port.once('message', resolve);
      port.postMessage(targets);
    });
  return readPlannedDocument(given, find);
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
}: {
  readonly before: string | undefined;
  readonly own: string | undefined;
}): string | undefined {
  return mergedConfig(before, own);
}

/**
 * Hostile Markdown of 4,000 characters takes a third of a second, so only shorter texts are read on the main thread.
 */
const lengthOf = (text: string): number => 4 * text.length;

export const READ_CONFIG = workerTask(import.meta.url, readRepositoryConfig, { size: lengthOf });
export const READ_SUMMARY = workerTask(import.meta.url, readSummary, { size: lengthOf });
export const READ_VARIABLES = workerTask(import.meta.url, readVariables, { size: lengthOf });
export const READ_TITLE = workerTask(import.meta.url, titleOf, { size: lengthOf });
export const READ_SOURCE_DOCUMENT = workerTask(import.meta.url, documentOfSource, {
  size: ({ given }) => lengthOf(given.text),
});
export const KEEP_DOCUMENT = workerTask(import.meta.url, documentAsWritten, {
  size: ({ given }) => lengthOf(given.text),
});
export const MERGE_CONFIG = workerTask(import.meta.url, configAfterExport, {
  size: ({ before = '', own = '' }) => lengthOf(before) + lengthOf(own),
});
