import { Injectable } from '@nestjs/common';
import { TaskLimitExceeded, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import { readRepositoryConfig, type RepositoryConfig } from './domain/gitbook-yaml.js';
import { leftOutDocument, type FindTargets, type GivenSource, type PlannedDocument } from './domain/plan-pages.js';
import type { SourceReads } from './domain/source-reads.js';
import type { Summary } from './domain/summary.js';
import type { ReadVariables } from './domain/variables.js';
import { runResolving } from './resolving-task.js';
import {
  KEEP_DOCUMENT,
  READ_CONFIG,
  READ_SOURCE_DOCUMENT,
  READ_SUMMARY,
  READ_TITLE,
  READ_VARIABLES,
} from './source-tasks.js';

/**
 * Reads the texts of folders in threads. A text that exceeds the limits is reported as a problem, and everything else
 * is imported.
 */
@Injectable()
export class PooledReads implements SourceReads {
  constructor(private readonly workers: WorkerPool) {}

  config(source: string): Promise<RepositoryConfig> {
    return this.workers
      .run(READ_CONFIG, source)
      .catch(instead((reason) => ({ ...readRepositoryConfig(), problems: [unread(reason)] })));
  }

  summary(source: string): Promise<Summary> {
    return this.workers
      .run(READ_SUMMARY, source)
      .catch(instead((reason) => ({ groups: [], problems: [unread(reason)] })));
  }

  variables(source: string): Promise<ReadVariables> {
    return this.workers
      .run(READ_VARIABLES, source)
      .catch(instead((reason) => ({ variables: {}, problems: [unread(reason)] })));
  }

  title(source: string): Promise<string> {
    return this.workers.run(READ_TITLE, source).catch(instead(() => ''));
  }

  /** A document that exceeds the limits is kept as written, or left out if that exceeds them as well. */
  document(given: GivenSource, find: FindTargets): Promise<PlannedDocument> {
    const asWritten = (reason: string): Promise<PlannedDocument> =>
      this.workers.run(KEEP_DOCUMENT, { given, reason }).catch(instead((why) => leftOutDocument(given, why)));
    return runResolving(this.workers, READ_SOURCE_DOCUMENT, { given }, find).catch(instead(asWritten));
  }
}

/**
 * Replaces the result of a text that takes too much time or memory to read, or is nested more deeply than the stack
 * allows.
 */
function instead<Result>(
  make: (reason: string) => Result | Promise<Result>,
): (error: unknown) => Result | Promise<Result> {
  return (error) => {
    if (error instanceof TaskLimitExceeded) return make(error.reason);
    if (error instanceof RangeError) return make('is nested too deeply to be read');
    throw error;
  };
}

function unread(reason: string): { line: number; message: string } {
  return { line: 1, message: `nothing of it is read: it ${reason}` };
}
