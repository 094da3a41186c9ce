import { Injectable } from '@nestjs/common';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { DomainError, invalid } from '../../kernel/common/errors.js';
import { type Page, type PageRequest, Pages } from '../../kernel/common/page.js';
import { document as documentOf } from '../../formats/document/build.js';
import { BlockTexts, type GivenText } from '../content/block-texts.js';
import {
  ContentLines,
  primaryPoint,
  requestPoint,
  type PrimaryHead,
  type RevisionRow,
} from '../content/content-lines.js';
import { ContentStore, NOTHING_HIDDEN, type Point } from '../content/content-store.js';
import type { ItemKey } from '../content/domain/content-item.js';
import { readConflict, type Conflict } from '../content/domain/conflict.js';
import type { MergeOutcome } from '../content/domain/merge.js';
import type { RequestHead } from '../content/request-lines.js';
import { blocksOf } from '../content/settled-blocks.js';
import { itemsNamedIn, type Versions } from './domain/conflict-words.js';
import type { GivenResolution, GivenResolutions } from './merge-tasks.js';
import type { ShownConflict, UpdateRequest } from './merges.schema.js';
import { RequestMerger } from './request-merger.js';

const EMPTY = documentOf([]);

type OpenConflicts = MergeOutcome['conflicts'];

/** Conflicts of change requests with the primary line, and how they are settled. */
@Injectable()
export class MergeConflicts {
  constructor(
    private readonly lines: ContentLines,
    private readonly merger: RequestMerger,
    private readonly pages: Pages,
    private readonly texts: BlockTexts,
    private readonly store: ContentStore,
  ) {}

  /** The conflicts between a change request and the primary line, page by page, as far as the caller sees the pages, and the primary revision that was compared. */
  async list(
    { id: spaceId, hiddenPages }: Pick<SpaceAccess, 'id' | 'hiddenPages'>,
    idOrNumber: string,
    query: PageRequest,
  ): Promise<{ primary: string; page: Page<ShownConflict> }> {
    const request = await this.lines.request(spaceId, idOrNumber);
    const head = await this.lines.primary(spaceId);
    const all =
      request.status === 'merged'
        ? []
        : await this.merger.seen(await this.conflictsWith(head, request), head, request, hiddenPages);
    const page = this.pages.ofKnown(query, {
      scope: ['conflicts', request.id],
      items: all,
      keys: ({ item, kind, id }) => [item, kind, id],
      direction: 'asc',
    });
    const conflicts = page.items.map(readConflict);
    const titles = await this.titlesAt(
      [requestPoint(request, hiddenPages), primaryPoint(head, hiddenPages)],
      conflicts.flatMap(itemsNamedIn),
    );
    const markdown = await this.inMarkdown(conflicts, head, request);
    const shown = conflicts.map((conflict) => ({ ...conflict, titles, markdown: markdown.get(conflict) }));
    return { primary: head.revisionId, page: page.with(shown) };
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
    const written: (GivenText & { readonly conflict: string })[] = [];
    body.resolutions?.forEach((each, index) => {
      const path = `resolutions.${index}`;
      const conflict = known.get(each.conflict);
      if (!conflict) throw invalid(`${path}.conflict`, 'is not a conflict of this change request');
      if (byConflict.has(conflict.id)) throw invalid(`${path}.conflict`, 'is settled by another resolution already');
      byConflict.set(conflict.id, resolutionOf(each, conflict.kind, path));
      if (each.markdown === undefined) return;
      const { id, item } = conflict;
      written.push({ conflict: id, item, markdown: each.markdown, path: `${path}.markdown` });
    });
    const documents = await this.texts.read(
      [requestPoint(request, NOTHING_HIDDEN), primaryPoint(head, NOTHING_HIDDEN)],
      written,
    );
    written.forEach(({ conflict, path }, index) =>
      byConflict.set(conflict, { json: JSON.stringify(documents[index]), path }),
    );
    return { byConflict, ...(body.default !== undefined && { otherwise: body.default }) };
  }

  /** Throws `invalid` for a revision that is none of the primary line. */
  async requirePrimary(spaceId: string, id: string): Promise<RevisionRow> {
    const revision = await this.lines.findRevision(spaceId, id);
    if (revision?.line !== '') throw invalid('primary', 'is not a revision of the primary line');
    return revision;
  }

  /** The Markdown of conflicts about blocks. */
  private async inMarkdown(
    conflicts: readonly Conflict[],
    head: PrimaryHead,
    request: RequestHead,
  ): Promise<ReadonlyMap<Conflict, Versions<string>>> {
    const places = conflicts.flatMap((conflict) => {
      const { kind, item, base, primary, changed } = conflict;
      return isAboutBlocks(kind) ? [{ conflict, item, versions: [base, primary, changed].map(blocksOf) }] : [];
    });
    const texts = await this.texts.show(
      [requestPoint(request, NOTHING_HIDDEN), primaryPoint(head, NOTHING_HIDDEN)],
      places,
    );
    return new Map(
      places.map(({ conflict }, index) => {
        const [base = '', primary = '', changed = ''] = texts[index] ?? [];
        return [conflict, { base, primary, changed }];
      }),
    );
  }

  /** The titles of items at the first of some points that has them. */
  private async titlesAt(points: readonly Point[], keys: readonly ItemKey[]): Promise<ReadonlyMap<ItemKey, string>> {
    const titles = new Map<ItemKey, string>();
    for (const point of points.toReversed())
      for (const [key, { title }] of await this.store.byKeys(point, new Set(keys))) titles.set(key, title);
    return titles;
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

const isAboutBlocks = (kind: Conflict['kind']): boolean => kind === 'block' || kind === 'blocks';

/** How a conflict is settled; Markdown is read later. */
function resolutionOf(
  { keep, document, markdown }: NonNullable<UpdateRequest['resolutions']>[number],
  kind: Conflict['kind'],
  path: string,
): GivenResolution {
  const given = [keep, document, markdown].filter((each) => each !== undefined);
  if (given.length !== 1) throw invalid(path, 'needs exactly one of keep, document and markdown');
  if (keep !== undefined) return { keep };
  if (!isAboutBlocks(kind))
    throw invalid(
      `${path}.${document === undefined ? 'markdown' : 'document'}`,
      `cannot settle a conflict of the kind ${kind}: keep one side`,
    );
  return { json: JSON.stringify(document ?? EMPTY), path: `${path}.document` };
}
