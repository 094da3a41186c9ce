import { Injectable } from '@nestjs/common';
import { TaskLimitExceeded, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import { readRepositoryConfig, type RepositoryConfig } from './domain/gitbook-yaml.js';
import { leftOutDocument, type FindTargets, type GivenSource, type PlannedDocument } from './domain/plan-pages.js';
import type { SourceReads } from './domain/source-reads.js';
import type { ReadSite } from './domain/site-file/read-site-file.js';
import type { Summary } from './domain/summary.js';
import type { ReadTags } from './domain/tags-file.js';
import type { ReadVariables } from './domain/variables.js';
import type { BookStackExport } from './domain/tools/exports.js';
import type { ToolNavigation } from './domain/tools/navigation.js';
import { NO_HEAD, type ToolPageHead, type readPageHead } from './domain/tools/page-head.js';
import type { NavigationInput } from './domain/tools/pages.js';
import { runResolving } from './resolving-task.js';
import {
  KEEP_DOCUMENT,
  READ_CONFIG,
  READ_EXPORT,
  READ_HEAD,
  READ_NAVIGATION,
  READ_SITE,
  READ_SOURCE_DOCUMENT,
  READ_SUMMARY,
  READ_TAGS,
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

  tags(source: string): Promise<ReadTags> {
    return this.workers
      .run(READ_TAGS, source)
      .catch(instead((reason) => ({ tags: undefined, problems: [unread(reason)] })));
  }

  site(source: string): Promise<ReadSite> {
    return this.workers
      .run(READ_SITE, source)
      .catch(instead((reason) => ({ site: undefined, problems: [unread(reason)], lines: new Map() })));
  }

  title(source: string): Promise<string> {
    return this.workers.run(READ_TITLE, source).catch(instead(() => ''));
  }

  head(page: Parameters<typeof readPageHead>[0]): Promise<ToolPageHead> {
    return this.workers.run(READ_HEAD, page).catch(instead(() => NO_HEAD));
  }

  navigation(input: NavigationInput): Promise<ToolNavigation> {
    return this.workers
      .run(READ_NAVIGATION, input)
      .catch(instead((reason) => ({ groups: [], problems: [unread(reason)], aliases: [] })));
  }

  exported(source: string): Promise<BookStackExport> {
    return this.workers
      .run(READ_EXPORT, source)
      .catch(instead((reason) => ({ pages: [], groups: [], aliases: [], names: [], problems: [unread(reason)] })));
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
