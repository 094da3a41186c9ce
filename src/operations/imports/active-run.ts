import type { Caller } from '../../kernel/common/context.js';
import type { ImportOrder, ImportResult, ImportTarget } from '../../authoring/interchange/import-order.js';
import type { ImportRunRow, RunResult } from './imports.schema.js';

/** A run as its work sees it. */
export interface ActiveRun extends ImportRunRow {
  readonly organizationId: string;
  /** Name and password of a repository. */
  readonly secret: string | undefined;
  /** For a run that writes into a change request of its own: makes it, in the transaction of `commit`, and gives its id. */
  readonly makeRequest: (() => Promise<string>) | undefined;
  /** To be awaited every now and then; throws once the run was cancelled, or given to another server. */
  readonly checkpoint: () => Promise<void>;
  /** Runs what makes the result visible, in the transaction that completes run and job. */
  readonly commit: <Result>(work: () => Promise<Result>, resultOf: (result: Result) => RunResult) => Promise<Result>;
}

/** The run is not to go on; whatever ended it is recorded already. */
export class Stopped extends Error {}

/** Whoever has asked for a run, with all of their rights in its organization, which had let them in. */
export function creatorOf({ createdBy, organizationId }: Pick<ActiveRun, 'createdBy' | 'organizationId'>): Caller {
  return { userId: createdBy, tokenId: '', organizationId, scopes: undefined };
}

/** The subject of the change request that a run makes for what it writes; undefined for one that needs none. */
export function newRequestOf(
  { source, changeRequestId }: ImportRunRow,
  editMode: 'live' | 'locked',
): string | undefined {
  if (changeRequestId !== null) return undefined;
  if (source.type === 'git') return source.standalone === true ? `Import of ${source.ref}`.slice(0, 100) : undefined;
  return editMode === 'locked' && (source.type === 'file' || source.type === 'website') ? 'Import' : undefined;
}

/** What every import of a run is told, apart from what it imports and how it ends. */
export function orderOf(run: ActiveRun, mode: ImportTarget['mode']): Omit<ImportOrder, 'source'> {
  const { spaceId, changeRequestId, makeRequest, pageId } = run;
  const target = {
    spaceId,
    mode,
    ...(changeRequestId !== null && { changeRequest: changeRequestId }),
    ...(makeRequest && { makeRequest }),
    ...(pageId !== null && { page: pageId }),
  };
  return { organizationId: run.organizationId, userId: run.createdBy, title: '', target, checkpoint: run.checkpoint };
}

const MAX_TEXT = 1000;

/** A text about what was imported, which can hold anything, as the database takes it. */
export function storableText(text: string): string {
  return text.slice(0, MAX_TEXT).replace(/[\0\p{Surrogate}]/gu, '\uFFFD');
}

/** The result of an import as a run keeps it; `addresses` tells where pages come from, by their source file. */
export function resultOf(
  { revision, changed, imported, problems }: ImportResult,
  addresses: ReadonlyMap<string, string>,
): RunResult {
  const pages = imported.map(({ id, source }) => {
    const address = source === undefined ? undefined : addresses.get(source);
    return address === undefined ? { id } : { id, sourceURL: address };
  });
  return {
    revision,
    changed,
    pages,
    problems: problems.map((problem) => ({
      ...problem,
      file: storableText(problem.file),
      message: storableText(problem.message),
    })),
  };
}
