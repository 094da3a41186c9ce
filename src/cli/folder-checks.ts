import { availableParallelism } from 'node:os';
import { Registry } from 'prom-client';
import { checkFolder, type FolderCheck } from '../authoring/interchange/folder-check.js';
import type { FindTargets, GivenSource, PlannedDocument } from '../authoring/interchange/domain/plan-pages.js';
import { readFolder } from '../authoring/interchange/markdown-folder.js';
import { PooledReads } from '../authoring/interchange/pooled-reads.js';
import { SpecificationReader } from '../formats/openapi/reading/specification-reader.js';
import { WorkerPool } from '../kernel/platform/workers/worker-pool.js';

/** Reads pages without their documents, which are large and not needed. */
class CheckedReads extends PooledReads {
  override document(given: GivenSource, find: FindTargets): Promise<PlannedDocument> {
    return super.document({ ...given, isChecked: true }, find);
  }
}

/** Checks the folder at a path. */
export type CheckPath = (folder: string) => Promise<FolderCheck>;

/** Calls `work` with a function that checks folders, in threads of its own as a server does. */
export async function withFolderChecks<T>(work: (check: CheckPath) => Promise<T>): Promise<T> {
  const threads = availableParallelism();
  // One party has all threads but one.
  const pool = new WorkerPool({ workerThreads: threads + 1 }, { registry: new Registry() });
  const tools = {
    reads: new CheckedReads(pool),
    specifications: new SpecificationReader(),
    atOnce: 2 * threads,
    signal: new AbortController().signal,
  };
  try {
    return await work(async (folder) => checkFolder(await readFolder(folder), tools));
  } finally {
    await pool.onApplicationShutdown();
  }
}
