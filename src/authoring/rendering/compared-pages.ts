import { Injectable } from '@nestjs/common';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { notFound } from '../../kernel/common/errors.js';
import { ComputedPages, type ComputedReading, type FoundPage } from '../content/computed-pages.js';
import { ContentComparisons, type ContentComparison } from '../content/content-comparisons.js';
import { ContentPlaces, type ContentPath, type ContentPlace } from '../content/content-places.js';
import { ContentStore, type Point } from '../content/content-store.js';
import { DocumentStore } from '../content/document-store.js';
import { ROOT, type Item } from '../content/domain/content-item.js';
import { indexPages, pathOf } from '../content/domain/page-paths.js';
import { attributeChanges, type AttributeChange } from '../content/domain/semantic-changes.js';
import type { PageChange } from './page-diff.schema.js';

/** The kinds of content that have documents to compare. */
export type ComparedKind = 'page' | 'reusable';

/** A page, or a reusable content, at one of two compared states. */
export interface PageVersion extends FoundPage {
  /** JSON; undefined for an empty page, or one that has no document. */
  readonly document: string | undefined;
  readonly path: string;
  /** The page above it; undefined at the root. */
  readonly parent: { readonly id: string; readonly title: string; readonly path: string } | undefined;
}

/** One of two compared states. */
export interface ComparedState {
  readonly place: ContentPlace;
  readonly reading: ComputedReading;
  /** Undefined where the page is not there. */
  readonly version: PageVersion | undefined;
}

/** A page at both states. */
export interface ComparedPage {
  readonly before: ComparedState;
  readonly after: ComparedState;
}

/** Finds both versions of a page that a revision or a change request may have changed. */
@Injectable()
export class ComparedPages {
  constructor(
    private readonly places: ContentPlaces,
    private readonly comparisons: ContentComparisons,
    private readonly store: ContentStore,
    private readonly documents: DocumentStore,
    private readonly computed: ComputedPages,
  ) {}

  /** Throws `notFound` for a page, or a reusable content, that is at neither state. */
  async of(space: SpaceAccess, path: ContentPath, kind: ComparedKind, id: string): Promise<ComparedPage> {
    const place = await this.places.at(space, path);
    const comparison = await this.comparison(space, path);
    const before = await this.state(place, comparison.before, kind, id);
    const after = await this.state(place, comparison.after, kind, id);
    if (!before.version && !after.version) throw notFound(kind === 'page' ? 'Page' : 'Reusable content');
    return { before, after };
  }

  private comparison(
    space: SpaceAccess,
    { changeRequestId, revisionId = '' }: ContentPath,
  ): Promise<ContentComparison> {
    return changeRequestId === undefined
      ? this.comparisons.ofRevision(space, revisionId)
      : this.comparisons.ofRequest(space, changeRequestId);
  }

  private async state(place: ContentPlace, point: Point, kind: ComparedKind, id: string): Promise<ComparedState> {
    const reading = this.computed.reading({ organizationId: place.space.organizationId, point });
    const found = kind === 'page' ? await this.page(point, id, reading) : await this.reusable(point, id);
    return { place: { ...place, point }, reading, version: found && (await this.version(point, found, reading)) };
  }

  private async page(point: Point, id: string, reading: ComputedReading): Promise<FoundPage | undefined> {
    const around = await this.store.withAncestors(point, [id]);
    const page = around.find((each) => each.id === id);
    return page ? { page, around } : reading.byId(id);
  }

  private async reusable(point: Point, id: string): Promise<FoundPage | undefined> {
    const item = await this.store.get(point, 'reusable', id);
    return item && { page: item, around: [] };
  }

  private async version(point: Point, found: FoundPage, reading: ComputedReading): Promise<PageVersion> {
    const index = indexPages(found.around);
    const above = found.page.parentId === ROOT ? undefined : index.get(found.page.parentId);
    return {
      ...found,
      document: await this.document(point, found.page, reading),
      path: pathOf(found.page, index),
      parent: above && { id: above.id, title: above.title, path: pathOf(above, index) },
    };
  }

  private async document(point: Point, page: Item, reading: ComputedReading): Promise<string | undefined> {
    const computed = await reading.body(page);
    if (computed) return JSON.stringify(computed);
    return page.hash === null ? undefined : (await this.documents.json(point.spaceId, [page.hash])).get(page.hash);
  }
}

/** How a page differs as a whole, and in its attributes. */
export function pageChange({ before, after }: ComparedPage): {
  readonly change: PageChange;
  readonly attributes: readonly AttributeChange[];
} {
  const [was, now] = [before.version, after.version];
  const attributes = attributeChanges(was?.page, now?.page);
  if (!was) return { change: 'added', attributes };
  if (!now) return { change: 'deleted', attributes };
  const isMoved = was.page.parentId !== now.page.parentId || was.page.position !== now.page.position;
  const isChanged = attributes.length > 0 || was.document !== now.document;
  const parent: AttributeChange[] =
    was.page.parentId === now.page.parentId
      ? []
      : [
          {
            attribute: 'parent',
            ...(was.parent && { before: was.parent }),
            ...(now.parent && { after: now.parent }),
          },
        ];
  return {
    change: isChanged ? 'changed' : isMoved ? 'moved' : 'unchanged',
    attributes: [...attributes, ...parent],
  };
}
