import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { Registry } from 'prom-client';
import { checkFolder, type CheckTools, type FolderCheck } from '../authoring/interchange/folder-check.js';
import type { FindTargets, GivenSource, PlannedDocument } from '../authoring/interchange/domain/plan-pages.js';
import { readFolder } from '../authoring/interchange/markdown-folder.js';
import { PooledReads } from '../authoring/interchange/pooled-reads.js';
import { READ_TITLE } from '../authoring/interchange/source-tasks.js';
import { WorkerPool } from '../kernel/platform/workers/worker-pool.js';

/**
 * Megabytes of new objects of a thread, at first and at most. Nearly all that parsing makes is garbage soon: with the few
 * megabytes of a server's threads, collecting them is a third of the work.
 */
const NEW_OBJECTS = { first: 32, most: 64 } as const;

/** Reads pages without their documents, which are large and not needed. */
class CheckedReads extends PooledReads {
  override document(given: GivenSource, find: FindTargets): Promise<PlannedDocument> {
    return super.document({ ...given, isChecked: true }, find);
  }
}

/** Checks the folder at a path. */
export type CheckPath = (folder: string) => Promise<FolderCheck>;

/** Loads its code, which is large, for folders with specifications only. */
const readSpecification: CheckTools['specifications']['read'] = async (given) => {
  const { SpecificationReader } = await import('../formats/openapi/reading/specification-reader.js');
  return new SpecificationReader().read(given);
};

/** Calls `work` with a function that checks folders, in threads of its own as a server does. */
export async function withFolderChecks<T>(work: (check: CheckPath) => Promise<T>): Promise<T> {
  const threads = availableParallelism();
  // One party has all threads but one.
  setFlagsFromString(`--min-semi-space-size=${NEW_OBJECTS.first}`);
  setFlagsFromString(`--max-semi-space-size=${NEW_OBJECTS.most}`);
  const pool = new WorkerPool({ workerThreads: threads + 1 }, { registry: new Registry() });
  const tools = {
    reads: new CheckedReads(pool),
    specifications: { read: readSpecification },
    atOnce: 2 * threads,
    signal: new AbortController().signal,
  };
  // The threads load their modules while the folder is listed and planned.
  const ready = Promise.all(Array.from({ length: threads }, () => pool.runPrepared(READ_TITLE, async () => '')));
  try {
    return await work(async (folder) => checkFolder(await readFolder(folder), tools));
  } finally {
    await ready;
    await pool.onApplicationShutdown();
  }
}
