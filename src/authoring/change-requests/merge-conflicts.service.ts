import { Injectable } from '@nestjs/common';
import { DomainError, invalid } from '../../kernel/common/errors.js';
import { type Page, type PageRequest, Pages } from '../../kernel/common/page.js';
import { ContentLines, type PrimaryHead, type RevisionRow } from '../content/content-lines.js';
import { readConflict, type Conflict } from '../content/domain/conflict.js';
import type { MergeOutcome } from '../content/domain/merge.js';
import type { RequestHead } from '../content/request-lines.js';
import type { GivenResolution, GivenResolutions } from './merge-tasks.js';
import type { UpdateRequest } from './merges.schema.js';
import { RequestMerger } from './request-merger.js';

type OpenConflicts = MergeOutcome['conflicts'];

/** Conflicts of change requests with the primary line, and how they are settled. */
@Injectable()
export class MergeConflicts {
  constructor(
    private readonly lines: ContentLines,
    private readonly merger: RequestMerger,
    private readonly pages: Pages,
  ) {}

  /** The conflicts between a change request and the primary line, page by page, and the primary revision that was compared. */
  async list(
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

  /** How the body settles the conflicts that there are now; undefined where it settles none. */
  async resolutionsOf(
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
      if (byConflict.has(conflict.id)) throw invalid(`${path}.conflict`, 'is settled by another resolution already');
      byConflict.set(conflict.id, resolutionOf(each, conflict.kind, path));
    });
    return { byConflict, ...(body.default !== undefined && { otherwise: body.default }) };
  }

  /** Throws `invalid` for a revision that is none of the primary line. */
  async requirePrimary(spaceId: string, id: string): Promise<RevisionRow> {
    const revision = await this.lines.findRevision(spaceId, id);
    if (revision?.line !== '') throw invalid('primary', 'is not a revision of the primary line');
    return revision;
  }

  private async conflictsWith(
    head: Pick<PrimaryHead, 'spaceId' | 'sequence'>,
    request: RequestHead,
  ): Promise<OpenConflicts> {
    return (await this.merger.merge(head, request, { isStored: false })).outcome.conflicts;
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

/** True if the caller settles a conflict: the resulting content has not been reviewed by anybody. */
export function settles({ resolutions = [], default: otherwise }: UpdateRequest): boolean {
  return resolutions.length > 0 || otherwise !== undefined;
}

function resolutionOf(
  { keep, document }: NonNullable<UpdateRequest['resolutions']>[number],
  kind: Conflict['kind'],
  path: string,
): GivenResolution {
  if ((keep === undefined) === (document === undefined)) throw invalid(path, 'needs exactly one of keep and document');
  if (keep !== undefined) return { keep };
  if (kind !== 'block' && kind !== 'blocks')
    throw invalid(`${path}.document`, `cannot settle a conflict of the kind ${kind}: keep one side`);
  return { json: JSON.stringify(document), path };
}
