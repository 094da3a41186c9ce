import { Injectable } from '@nestjs/common';
import { Addresses } from '../../../kernel/common/addresses.js';
import { Clock } from '../../../kernel/common/clock.js';
import { Database } from '../../../kernel/common/database.js';
import { ContentStore } from '../../../authoring/content/content-store.js';
import type { ContentRef, FileOrUrlRef } from '../../../formats/document/types.js';
import type { Item, ItemKey } from '../../../authoring/content/domain/content-item.js';
import { ancestorsOf, indexPages, pathOf } from '../../../authoring/content/domain/page-paths.js';
import { relative } from '../../../authoring/content/markdown-links.js';
import { fileFacts, imageFacts, pageFacts } from '../../../authoring/rendering/reference-facts.js';
import {
  RelativeLinks,
  type RelativeTargets,
  type WrittenReferences,
} from '../../../authoring/content/relative-links.js';
import { isOwn } from '../../../authoring/content/reused-documents.js';
import { FileUrls, hourBucket } from '../../../kernel/platform/storage/file-urls.js';
import type { SiteSpaceRow } from '../../sites/structure.schema.js';
import { imageOfUrl, linkOfUrl } from '../../../formats/html/reference-facts.js';
import type { FileFacts, ImageFacts, LinkFacts } from '../../../formats/html/render-context.js';
import type { Visit } from '../visit.js';
import { encodedPath } from './domain/location.js';
import { siteSpacePath } from './domain/site-paths.js';
import type { SpaceTree, TreePage } from './domain/space-tree.js';
import { IS_PUBLIC_ROUTE } from './public-file-lookup.js';
import { hasOpenFiles, pageAddress, pagePath, type SitePlace } from './site-place.js';
import { SpaceTrees } from './space-trees.js';

interface Facts {
  readonly place: SitePlace;
  /** Trees of referenced site spaces, by space, in the order of the site. */
  readonly trees: ReadonlyMap<string, { readonly row: SiteSpaceRow; readonly tree: SpaceTree }>;
  readonly files: ReadonlyMap<ItemKey, Item>;
  /** Addresses of pages and spaces that other sites publish, by `<space>` and `<space>/<page>`. */
  readonly elsewhere: ReadonlyMap<string, { readonly href: string; readonly title: string }>;
  /** The state that those depend on, by space. */
  readonly states: ReadonlyMap<string, string>;
  /** Relative links that were kept as they were written. */
  readonly relative: RelativeTargets;
  readonly urls: FileUrls;
  /** Hours since 1970, on which signed addresses of files depend. */
  readonly bucket: number;
}

/** References of one page or of one site, resolved for a visitor. */
export class References {
  /** The used state of other spaces, by space: the revision of those of the site, the state of the others. */
  readonly used: ReadonlyMap<string, string>;
  private signs = false;

  constructor(private readonly facts: Facts) {
    this.used = new Map([
      ...[...facts.trees.values()]
        .filter(({ row }) => row.id !== facts.place.row.id)
        .map(({ row }) => [row.id, row.revisionId] as const),
      ...facts.states,
    ]);
  }

  /** The hour until whose end the addresses of files work, if any was signed. */
  get bucket(): number | undefined {
    return this.signs ? this.facts.bucket : undefined;
  }

  /** `page` is the page with the reference. */
  link(written: ContentRef, page?: TreePage): LinkFacts {
    const ref = this.facts.relative.of(written, page?.parent?.path ?? '');
    const facts = ref ? this.target(ref, page) : {};
    // A relative link to a page that the visitor may not see looks like one that leads nowhere.
    return written.kind === 'url' && facts.href === undefined ? { title: written.url } : facts;
  }

  private target(ref: ContentRef, page: TreePage | undefined): LinkFacts {
    switch (ref.kind) {
      case 'url':
        return linkOfUrl(ref.url, this.facts.place.origin);
      case 'page':
        return this.page(ref.page, ref.space, '');
      case 'anchor':
        return ref.page === undefined && (ref.space === undefined || page)
          ? this.anchor(ref.anchor, page)
          : this.page(ref.page, ref.space, ref.anchor);
      case 'space':
        return this.space(ref.space);
      case 'file': {
        const file = this.file(ref);
        return file ? { href: file.href, title: file.name } : {};
      }
      case 'openapi':
        return { title: ref.spec };
      default:
        return {};
    }
  }

  /**
   * The target of a link in the Markdown of a page: other pages of its space are linked as Markdown. '' if there is no
   * target.
   */
  markdownTarget(ref: ContentRef, page: TreePage): string {
    if (ref.kind === 'openapi') return ref.spec;
    const isHere =
      (ref.kind === 'page' || ref.kind === 'anchor') && ref.page !== undefined && isOwn(ref, this.facts.place.row.id);
    const other =
      isHere && ref.page !== undefined
        ? this.facts.trees.get(this.facts.place.row.id)?.tree.byId.get(ref.page)
        : undefined;
    if (!other) return this.link(ref, page).href ?? '';
    return `${relative(page.path, other.path)}.md${ref.kind === 'anchor' ? `#${encodeURIComponent(ref.anchor)}` : ''}`;
  }

  image(ref: FileOrUrlRef): ImageFacts | undefined {
    if (ref.kind === 'url') return imageOfUrl(ref.url);
    const file = this.item(ref);
    if (!file) return undefined;
    return imageFacts(file, this.fileAddress(file));
  }

  file(ref: ContentRef): FileFacts | undefined {
    const file = ref.kind === 'file' ? this.item(ref) : undefined;
    return file && fileFacts(file, this.fileAddress(file));
  }

  private item(ref: Extract<ContentRef, { kind: 'file' }>): Item | undefined {
    return isOwn(ref, this.facts.place.row.id) ? this.facts.files.get(`file:${ref.file}`) : undefined;
  }

  private fileAddress({ id, title: name, hash }: Item): string {
    const file = { id, name, hash: hash ?? '' };
    if (hasOpenFiles(this.facts.place)) return this.facts.urls.open(file);
    this.signs = true;
    return this.facts.urls.sign(file);
  }

  private page(id: string | undefined, space: string | undefined, anchor: string): LinkFacts {
    const fragment = anchor === '' ? '' : `#${encodeURIComponent(anchor)}`;
    for (const { row, tree } of space === undefined ? this.facts.trees.values() : this.treeOf(space)) {
      const page = id === undefined ? tree.first : tree.byId.get(id);
      if (page) return { href: `${pagePath(this.facts.place, row, tree, page)}${fragment}`, ...pageFacts(page.item) };
    }
    const other =
      space === undefined ? undefined : this.facts.elsewhere.get(id === undefined ? space : `${space}/${id}`);
    return other ? { href: `${other.href}${fragment}`, title: other.title, isExternal: true } : {};
  }

  private anchor(anchor: string, page: TreePage | undefined): LinkFacts {
    return { href: `#${encodeURIComponent(anchor)}`, title: page?.item.title ?? anchor };
  }

  private space(id: string): LinkFacts {
    const { place } = this.facts;
    for (const { row } of this.treeOf(id))
      return {
        href: pageAddress(place, place.base + siteSpacePath(place.visit.rows, row), ''),
        title: row.title,
      };
    const other = this.facts.elsewhere.get(id);
    return other ? { ...other, isExternal: true } : {};
  }

  private treeOf(space: string): { readonly row: SiteSpaceRow; readonly tree: SpaceTree }[] {
    const known = this.facts.trees.get(space);
    return known ? [known] : [];
  }
}

interface Route extends Record<string, unknown> {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly revision: string;
  /** The limited pages of the space, which no site shows. */
  readonly limited: readonly string[];
}

/** The state that links to spaces outside of the site depend on, by space; '' for one that is not published. */
function statesOf(spaces: readonly string[], routes: readonly Route[]): Map<string, string> {
  const found = new Map(
    routes.map(({ id, path, title, revision, limited }) => [id, JSON.stringify([path, title, revision, limited])]),
  );
  return new Map(spaces.map((id) => [id, found.get(id) ?? '']));
}

/** The most public address of published spaces outside of the site: `$1` their ids, `$2` the organization. */
const ELSEWHERE = `SELECT DISTINCT ON (route.space_id) route.space_id AS id, route.path, s.title, s.revision_id AS revision, limited_pages(s.id) AS limited
  FROM site_route route JOIN space s ON s.id = route.space_id
 WHERE route.space_id = ANY ($1::text[]) AND s.organization_id = $2 AND ${IS_PUBLIC_ROUTE}
 ORDER BY route.space_id, route.visibility, route.created_at, route.site_space_id`;

/** Resolves references, all of them together. */
@Injectable()
export class ReferenceLookup {
  constructor(
    private readonly trees: SpaceTrees,
    private readonly store: ContentStore,
    private readonly relative: RelativeLinks,
    private readonly urls: FileUrls,
    private readonly addresses: Addresses,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * `isSiteWide`: references without a space may mean pages of any space of the site; `written` are those whose relative
   * links lead from a folder.
   */
  async of(
    place: SitePlace,
    given: readonly ContentRef[],
    { isSiteWide = false, written = [] }: { isSiteWide?: boolean; written?: readonly WrittenReferences[] } = {},
  ): Promise<References> {
    const { visit, row } = place;
    const own = await this.trees.of(visit, row);
    const relative = await this.relative.of(own.point, written);
    const references = [...given, ...relative.references];
    const named = new Set(references.flatMap((ref) => ('space' in ref && ref.space !== undefined ? ref.space : [])));
    const reaches =
      isSiteWide &&
      references.some(
        (ref) =>
          (ref.kind === 'page' || ref.kind === 'anchor') &&
          ref.space === undefined &&
          ref.page !== undefined &&
          !own.tree.byId.has(ref.page),
      );
    const trees = new Map([[row.id, { row, tree: own.tree }]]);
    for (const other of visit.rows.siteSpaces) {
      if (!trees.has(other.id) && (reaches || named.has(other.id)))
        trees.set(other.id, { row: other, tree: (await this.trees.of(visit, other)).tree });
    }
    const keys = references.flatMap((ref): ItemKey[] =>
      ref.kind === 'file' && isOwn(ref, row.id) ? [`file:${ref.file}`] : [],
    );
    const foreign = [...named].filter((id) => !trees.has(id));
    const routes = await this.routes(visit.site.organizationId, foreign);
    return new References({
      place,
      trees,
      files: await this.store.byKeys(own.point, keys),
      elsewhere: await this.elsewhere(routes, references),
      states: statesOf(foreign, routes),
      relative,
      urls: this.urls,
      bucket: hourBucket(this.clock.now()),
    });
  }

  /**
   * Tells whether the used state of spaces, as in `References.used`, is still current; costs a statement if any is
   * outside of the site.
   */
  async areCurrent({ site, rows }: Visit, used: ReadonlyMap<string, string>): Promise<boolean> {
    const own = new Map(rows.siteSpaces.map((row) => [row.id, row.revisionId]));
    const foreign = [...used.keys()].filter((id) => !own.has(id));
    const now = statesOf(foreign, await this.routes(site.organizationId, foreign));
    return [...used].every(([id, state]) => (own.get(id) ?? now.get(id)) === state);
  }

  private async routes(organizationId: string, spaces: readonly string[]): Promise<Route[]> {
    return spaces.length === 0 ? [] : this.database.query<Route>(ELSEWHERE, [spaces, organizationId]);
  }

  private async elsewhere(
    routes: readonly Route[],
    references: readonly ContentRef[],
  ): Promise<Map<string, { href: string; title: string }>> {
    const found = new Map(
      routes.map(({ id, path, title }) => [id, { href: this.addresses.published(encodedPath(path)), title }]),
    );
    const wanted = references.flatMap((ref) =>
      (ref.kind === 'page' || ref.kind === 'anchor') &&
      ref.page !== undefined &&
      ref.space !== undefined &&
      found.has(ref.space)
        ? [{ space: ref.space, kind: 'page' as const, id: ref.page }]
        : [],
    );
    const hidden = new Map(routes.map(({ id, limited }) => [id, limited]));
    for (const [space, items] of await this.store.current(wanted, hidden)) {
      const index = indexPages(items);
      const root = found.get(space);
      for (const item of items) {
        // Pages that the visitor may not see, or with such an ancestor, are not revealed.
        const isOpen = [item, ...ancestorsOf(item, index)].every(({ props }) => props['condition'] === undefined);
        if (root && isOpen && item.slug !== null)
          found.set(`${space}/${item.id}`, {
            href: `${root.href}/${encodedPath(pathOf(item, index))}`,
            title: item.title,
          });
      }
    }
    return found;
  }
}
