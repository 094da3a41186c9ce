import { Injectable } from '@nestjs/common';
import { Access } from '../../kernel/access/access.service.js';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid } from '../../kernel/common/errors.js';
import { keyBetween } from '../../kernel/common/order-key.js';
import { type Page, type PageRequest, Pages } from '../../kernel/common/page.js';
import { Commits } from '../content/commits.js';
import type { RowChange } from '../content/content-store.js';
import type { NewDocument } from '../content/document-store.js';
import type { Side } from '../content/domain/block-order.js';
import { readConflict, type Conflict } from '../content/domain/conflict.js';
import { sameItem, type Item, type ItemKey } from '../content/domain/content-item.js';
import { mergeContent, type MergeOutcome } from '../content/domain/merge.js';
import { isActive } from '../content/domain/request-status.js';
import { ContentLines, type PrimaryHead, type RevisionRow } from '../content/content-lines.js';
import type { RequestHead } from '../content/request-lines.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Spaces } from '../../workspace/spaces/spaces.service.js';
import { ChangeRequest } from './change-request.entity.js';
import { DocumentMerger, type MergedDocuments } from './document-merger.js';
import { MergeGate } from './merge-gate.js';
import { MergeLoader, type LoadedSides } from './merge-loader.js';
import type { GivenResolution, GivenResolutions } from './merge-tasks.js';
import type { UpdateRequest } from './merges.schema.js';

export interface MergeResult {
  readonly revision: string;
  readonly result: 'merge' | 'update' | 'conflicts';
}

type OpenConflicts = MergeOutcome['conflicts'];

/** Merges change requests into the primary line, and updates them from it. */
@Injectable()
export class Merges {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly access: Access,
    private readonly spaces: Spaces,
    private readonly lines: ContentLines,
    private readonly gate: MergeGate,
    private readonly loader: MergeLoader,
    private readonly merger: DocumentMerger,
    private readonly commits: Commits,
    private readonly outbox: Outbox,
    private readonly pages: Pages,
  ) {}

  /**
   * Merges a change request into the primary line as one revision; with open conflicts nothing changes. For a request
   * that is already merged, returns the revision of its merge. Throws `forbidden` if the merge rules, as of the commit,
   * do not let the caller merge.
   */
  async merge(caller: Caller, spaceId: string, idOrNumber: string): Promise<MergeResult> {
    return this.database.transaction(async () => {
      const head = await this.lines.lockPrimaryIn(await this.spaces.holdMembership(caller, spaceId), spaceId);
      await this.access.requireSpace(caller, spaceId, 'space:merge');
      const request = await this.lines.lockRequest(spaceId, idOrNumber);
      if (request.mergedRevisionId !== null) return { revision: request.mergedRevisionId, result: 'merge' };
      requireMatch(request.version);
      await this.gate.requireAllowed(caller, request);
      const sides = await this.loader.load(head, request);
      const documents = await this.merger.merge(sides, true);
      const outcome = merged(sides, documents);
      if (outcome.conflicts.length > 0) return { revision: request.revisionId, result: 'conflicts' };
      const otherParents = request.revisionId === head.revisionId ? [] : [request.revisionId];
      const revision = await this.commits.toPrimary(
        head,
        { items: outcome.items, documents: newDocuments(outcome, documents) },
        { type: 'merge', otherParents, mergedFrom: request.id },
      );
      await this.close(request, revision);
      return { revision, result: 'merge' };
    });
  }

  /**
   * Merges the primary line into a change request. The resolutions of the body settle conflicts; while one is open,
   * nothing changes. Throws `conflict` if the conflicts have changed since the resolutions were made.
   */
  async update(caller: Caller, spaceId: string, idOrNumber: string, body: UpdateRequest = {}): Promise<MergeResult> {
    return this.database.transaction(async () => {
      const request = await this.lines.lockRequest(spaceId, idOrNumber);
      await this.access.requireSpace(caller, spaceId, 'space:edit');
      requireMatch(request.version);
      if (!isActive(request.status))
        throw new DomainError('conflict', `The change request is ${request.status}: its content cannot change`);
      const head = await this.lines.primary(spaceId);
      if (body.primary !== undefined && body.primary !== head.revisionId)
        await this.requirePrimary(spaceId, body.primary);
      if (head.sequence === request.baseSequence) return { revision: request.revisionId, result: 'update' };
      const sides = await this.loader.load(head, request);
      const open = await this.merger.merge(sides, true);
      const resolutions = await this.resolutionsOf(body, merged(sides, open).conflicts, head, request);
      const documents = resolutions ? await this.merger.settle(sides, open, resolutions) : open;
      const outcome = merged(sides, documents, resolutions);
      if (outcome.conflicts.length > 0) return { revision: request.revisionId, result: 'conflicts' };
      const revision = await this.commits.toRequest(
        request,
        overlayRows(sides, outcome),
        newDocuments(outcome, documents),
        { type: 'update', otherParents: [head.revisionId], keepsReviews: !settles(body) },
        head,
      );
      return { revision, result: 'update' };
    });
  }

  /**
   * Lists the conflicts between a change request and the primary line, page by page, and the primary revision that was
   * compared.
   */
  async conflicts(
    spaceId: string,
    idOrNumber: string,
    query: PageRequest,
  ): Promise<{ primary: string; page: Page<Conflict> }> {
    const request = await this.lines.request(spaceId, idOrNumber);
    const head = await this.lines.primary(spaceId);
    const all = request.status === 'merged' ? [] : await this.conflictsWith(head, request);
    const byId = new Map(all.map((conflict) => [conflict.id, conflict]));
    const page = await this.pages.list<{ id: string }>(query, {
      scope: ['conflicts', request.id],
      select: 'c.id',
      from: 'FROM unnest($1::text[], $2::text[], $3::text[]) AS c (item, kind, id) WHERE true',
      values: [all.map(({ item }) => item), all.map(({ kind }) => kind), all.map(({ id }) => id)],
      order: ['item', 'kind', 'id'].map((column) => ({ expression: `c.${column} COLLATE "C"`, type: 'text' })),
      direction: 'asc',
    });
    return {
      primary: head.revisionId,
      page: page.with(
        page.items.flatMap(({ id }) => {
          const conflict = byId.get(id);
          return conflict ? [readConflict(conflict)] : [];
        }),
      ),
    };
  }

  private async conflictsWith(
    head: Pick<PrimaryHead, 'spaceId' | 'sequence'>,
    request: RequestHead,
  ): Promise<OpenConflicts> {
    const sides = await this.loader.load(head, request);
    return merged(sides, await this.merger.merge(sides, false)).conflicts;
  }

  private async close(request: RequestHead, revision: string): Promise<void> {
    await this.database
      .of(ChangeRequest)
      .update({ id: request.id }, { status: 'merged', mergedRevisionId: revision, updatedAt: this.clock.now() });
    await this.outbox.record({
      type: 'change_request_merged',
      organizationId: request.organizationId,
      spaceId: request.spaceId,
      target: request.id,
      payload: { revisionId: revision, number: request.number },
    });
  }

  /** The resolutions of the body for the current conflicts; undefined if it has none. */
  private async resolutionsOf(
    body: UpdateRequest,
    now: OpenConflicts,
    head: PrimaryHead,
    request: RequestHead,
  ): Promise<GivenResolutions | undefined> {
    if (!settles(body)) return undefined;
    if (body.primary === undefined) throw invalid('primary', 'is needed with resolutions');
    if (body.primary !== head.revisionId) await this.requireSameConflicts(body.primary, now, head, request);
    const known = new Map(now.map((conflict) => [conflict.id, conflict]));
    const byConflict = new Map<string, GivenResolution>();
    body.resolutions?.forEach((each, index) => {
      const path = `resolutions.${index}`;
      const conflict = known.get(each.conflict);
      if (!conflict) throw invalid(`${path}.conflict`, 'is not a conflict of this change request');
      if (byConflict.has(conflict.id)) throw invalid(`${path}.conflict`, 'is already resolved by another resolution');
      byConflict.set(conflict.id, resolutionOf(each, conflict.kind, path));
    });
    return { byConflict, ...(body.default !== undefined && { otherwise: body.default }) };
  }

  private async requirePrimary(spaceId: string, id: string): Promise<RevisionRow> {
    const revision = await this.lines.findRevision(spaceId, id);
    if (revision?.line !== '') throw invalid('primary', 'is not a revision of the primary line');
    return revision;
  }

  private async requireSameConflicts(
    compared: string,
    now: OpenConflicts,
    head: PrimaryHead,
    request: RequestHead,
  ): Promise<void> {
    const revision = await this.requirePrimary(head.spaceId, compared);
    const then = await this.conflictsWith({ spaceId: head.spaceId, sequence: revision.sequence }, request);
    const ids = (conflicts: OpenConflicts) =>
      conflicts
        .map((conflict) => conflict.id)
        .sort()
        .join();
    if (ids(then) !== ids(now))
      throw new DomainError('conflict', 'Primary has moved and the conflicts have changed: compare again');
  }
}

/** Tells whether the caller resolves any conflict: nobody has reviewed the result. */
function settles({ resolutions = [], default: otherwise }: UpdateRequest): boolean {
  return resolutions.length > 0 || otherwise !== undefined;
}

function merged(sides: LoadedSides, documents: MergedDocuments, resolutions?: GivenResolutions): MergeOutcome {
  if (!resolutions) return mergeContent({ ...sides, documents, keyBetween });
  const byConflict = new Map(
    [...resolutions.byConflict].flatMap(([id, each]): [string, Side][] => ('keep' in each ? [[id, each.keep]] : [])),
  );
  return mergeContent({ ...sides, documents, keyBetween, resolutions: { ...resolutions, byConflict } });
}

/** The documents that a merge created, of items that still exist. */
function newDocuments({ items }: MergeOutcome, merges: MergedDocuments): NewDocument[] {
  return [...items].flatMap(([key, item]) => (item ? (merges.get(key)?.document ?? []) : []));
}

function resolutionOf(
  { keep, document }: NonNullable<UpdateRequest['resolutions']>[number],
  kind: Conflict['kind'],
  path: string,
): GivenResolution {
  if ((keep === undefined) === (document === undefined)) throw invalid(path, 'needs exactly one of keep and document');
  if (keep !== undefined) return { keep };
  if (kind !== 'block' && kind !== 'blocks')
    throw invalid(`${path}.document`, `cannot resolve a conflict of the kind ${kind}: keep one side`);
  return { json: JSON.stringify(document), path };
}

/** The rows that reduce the overlay of a request to its differences from the new primary. */
function overlayRows({ changed, primary }: LoadedSides, { items }: MergeOutcome): RowChange[] {
  const rows: RowChange[] = [];
  for (const key of new Set([...changed.keys(), ...items.keys()])) {
    const now = changed.get(key);
    const next = items.get(key);
    if (next === undefined) rows.push({ remove: key });
    else if (next === null) rows.push(...tombstone(key, now, primary));
    else if (!now || !sameItem(now, next)) rows.push({ item: next });
  }
  return rows;
}

function tombstone(key: ItemKey, now: Item | null | undefined, primary: ReadonlyMap<ItemKey, Item>): RowChange[] {
  if (!primary.has(key)) return now === undefined ? [] : [{ remove: key }];
  return now === null ? [] : [{ tombstone: key }];
}
