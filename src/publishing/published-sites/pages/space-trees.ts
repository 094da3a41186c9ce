import { Injectable } from '@nestjs/common';
import { Cache } from '../../../kernel/common/cache.js';
import { holds } from '../../../kernel/common/expressions/evaluate.js';
import type { DataObject } from '../../../kernel/common/expressions/tree.js';
import { ComputedPages, type ComputedReading, type UsedVersions } from '../../../authoring/content/computed-pages.js';
import { ContentStore, type Point } from '../../../authoring/content/content-store.js';
import type { Item } from '../../../authoring/content/domain/content-item.js';
import { primaryPoint } from '../../../authoring/content/content-lines.js';
import { presentVariables } from '../../../authoring/content/present-content.js';
import type { SiteSpaceRow } from '../../sites/structure.schema.js';
import type { Visit } from '../visit.js';
import { buildSpaceTree, type SpaceTree } from './domain/space-tree.js';

/** Bytes of a page in a tree beside its text. */
const BYTES_OF_PAGE = 700;
/** Bytes of a generated page in the indexes of operations and of former addresses that live as long as its tree. */
const BYTES_OF_INDEX = 350;

/** The pages of a space as a visitor sees them, at its current revision. */
export interface KnownTree {
  readonly tree: SpaceTree;
  readonly point: Point;
  /** The versions of the specifications of its computed pages. */
  readonly used: UsedVersions;
  /** True if conditions decide which of its pages a reader sees. */
  readonly isConditional: boolean;
  /** The number of pages that conditions hide from this visitor, with those below them. */
  readonly hiddenPages: number;
}

/** Builds the trees of spaces, once for each revision and outcome of conditions. */
@Injectable()
export class SpaceTrees {
  private readonly known = new Cache<KnownTree>({ share: 24, weigh: sizeOf });
  private readonly growing = new Map<string, Promise<KnownTree>>();

  constructor(
    private readonly store: ContentStore,
    private readonly computed: ComputedPages,
  ) {}

  /** The tree of a site space for the visitor of a visit. */
  async of(visit: Visit, row: SiteSpaceRow): Promise<KnownTree> {
    const point = pointOf(visit, row);
    const place = { organizationId: visit.site.organizationId, point };
    const shared = `${row.id} ${row.revisionId} ${point.line ?? ''} ${point.hidden.join()}`;
    const key = `${shared} ${visit.claimsKey}`;
    const known = this.known.get(shared) ?? this.known.get(key);
    if (known && (known.used.size === 0 || (await this.computed.areCurrent(place, known.used)))) return known;
    const growing = this.growing.get(key) ?? this.grow(visit, row).finally(() => this.growing.delete(key));
    this.growing.set(key, growing);
    const grown = await growing;
    this.known.set(grown.isConditional ? key : shared, grown);
    return grown;
  }

  /** The reader that computes the pages of a site space. */
  reading(visit: Visit, row: SiteSpaceRow): ComputedReading {
    return this.computed.reading({ organizationId: visit.site.organizationId, point: pointOf(visit, row) });
  }

  /** Tells whether the used specifications are still current. */
  async areCurrent(visit: Visit, row: SiteSpaceRow, used: UsedVersions): Promise<boolean> {
    return (
      used.size === 0 ||
      this.computed.areCurrent({ organizationId: visit.site.organizationId, point: pointOf(visit, row) }, used)
    );
  }

  private async grow(visit: Visit, row: SiteSpaceRow): Promise<KnownTree> {
    const point = pointOf(visit, row);
    const items = await this.store.ofKinds(point, ['page', 'variable', 'tag']);
    const reading = this.reading(visit, row);
    const expanded = await reading.expand(items.filter(({ kind }) => kind === 'page'));
    const pages = expanded.map((page) =>
      page.props['computed'] === undefined ? page : { ...page, updatedAt: reading.changedAt(page) },
    );
    const space = { vars: presentVariables(items) as DataObject };
    const isShown = ({ props }: Item): boolean =>
      props['condition'] === undefined ||
      holds(props['condition'] as string, {
        visitor: visit.visitor,
        space,
        page: { vars: (props['variables'] ?? {}) as DataObject },
      });
    const tags = items.filter(({ kind }) => kind === 'tag');
    const tree = buildSpaceTree(pages, isShown, tags);
    return {
      tree,
      point,
      used: reading.used,
      isConditional: pages.some(({ props }) => props['condition'] !== undefined),
      hiddenPages: pages.length - tree.byId.size,
    };
  }
}

function sizeOf({ tree }: KnownTree): number {
  let size = 2 * BYTES_OF_PAGE;
  for (const { item, path } of tree.byId.values())
    size +=
      BYTES_OF_PAGE +
      (item.props['computed'] === undefined ? 0 : BYTES_OF_INDEX) +
      2 * (item.title.length + path.length) +
      Object.values(item.props).reduce<number>(
        (sum, value) =>
          sum +
          (typeof value === 'string'
            ? 2 * value.length
            : typeof value === 'object'
              ? 2 * JSON.stringify(value).length
              : 16),
        0,
      );
  return size;
}

/**
 * The state of a site space's space that a visit shows: its primary line at the revision of the visit, or in a preview
 * the change request.
 */
export function pointOf({ preview }: Pick<Visit, 'preview'>, row: SiteSpaceRow): Point {
  return preview?.point.spaceId === row.id
    ? preview.point
    : primaryPoint({ spaceId: row.id, sequence: Number(row.sequence) }, row.hiddenPages);
}
