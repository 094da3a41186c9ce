import type { Caller } from '../../kernel/common/context.js';
import type { PlanProblem } from '../../authoring/interchange/domain/plan-model.js';
import type { ImportOrder, ImportResult, ImportTarget } from '../../authoring/interchange/import-order.js';
import type { SpaceFolder } from '../../authoring/interchange/neighbour-folders.service.js';
import type { ImportRunRow, RunResult } from './imports.schema.js';

/** A run as its work sees it. */
export interface ActiveRun extends ImportRunRow {
  readonly organizationId: string;
  /** Name and password of a repository. */
  readonly secret: string | undefined;
  /** The folders of other spaces in the same branch, for the space of a site: links lead from one to another. */
  readonly beside?: readonly SpaceFolder[];
  /**
   * For a run that writes to a change request of its own: creates it, in the transaction of `commit`, and returns its
   * id.
   */
  readonly makeRequest: (() => Promise<string>) | undefined;
  /** Must be awaited periodically; throws once the run was cancelled, or given to another server. */
  readonly checkpoint: () => Promise<void>;
  /** Runs the work that makes the result visible, in the transaction that completes run and job. */
  readonly commit: <Result>(work: () => Promise<Result>, resultOf: (result: Result) => RunResult) => Promise<Result>;
}

/** The run must not continue; its outcome is already recorded. */
export class Stopped extends Error {}

/** The creator of a run, with all of their permissions in its organization, which admitted them. */
export function creatorOf({ createdBy, organizationId }: Pick<ActiveRun, 'createdBy' | 'organizationId'>): Caller {
  return { userId: createdBy, tokenId: '', organizationId, scopes: undefined };
}

/** The subject of the change request that a run creates for its changes; undefined for one that needs none. */
export function newRequestOf(
  { source, changeRequestId }: ImportRunRow,
  editMode: 'live' | 'locked',
): string | undefined {
  if (changeRequestId !== null) return undefined;
  if (source.type === 'git') return source.standalone === true ? `Import of ${source.ref}`.slice(0, 100) : undefined;
  return editMode === 'locked' && (source.type === 'file' || source.type === 'website') ? 'Import' : undefined;
}

/** The common order of every import of a run, apart from its source and its end. */
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

/** Makes a text from imported content, which can contain anything, storable in the database. */
export function storableText(text: string): string {
  return text.slice(0, MAX_TEXT).replace(/[\0\p{Surrogate}]/gu, '\uFFFD');
}

/** The stored result of an import; `addresses` maps source files to the addresses of pages. */
export function resultOf(
  { revision, changed, imported, problems }: ImportResult,
  addresses: ReadonlyMap<string, string>,
): RunResult {
  const pages = imported.map(({ id, type, source }) => {
    const address = source === undefined ? undefined : addresses.get(source);
    return { id, type, ...(address !== undefined && { sourceURL: address }) };
  });
  return {
    revision,
    changed,
    pages,
    problems: problems.map(shownProblem),
  };
}

/** A problem as it is stored and shown. */
export function shownProblem({ file, line = 1, level, message }: PlanProblem): RunResult['problems'][number] {
  return { file: storableText(file), line, level, message: storableText(message) };
}
