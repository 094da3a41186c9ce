import type { SiteSectionRow, SiteSpaceRow } from '../../sites/structure.schema.js';
import type { Visit } from '../visit.js';
import { addressBelow, siteSpacePath } from './domain/site-paths.js';
import { pathInSpace, type SpaceTree, type TreePage } from './domain/space-tree.js';

/** A published site as one request sees it. */
export interface SiteRequest {
  readonly visit: Visit;
  /** Base path of the site, '' at the root of a host; escaped. */
  readonly base: string;
  /** Scheme and host of the request. */
  readonly origin: string;
  /** Set where the site is written as static files: what needs the service is left out. */
  readonly isStatic?: true;
  /** The addresses of the PDFs that a static site has; undefined for one that is written without. */
  readonly pdfs?: ReadonlySet<string>;
}

/** The site space to which the path of the request leads. */
export interface SitePlace extends SiteRequest {
  readonly row: SiteSpaceRow;
  readonly section: SiteSectionRow | undefined;
}

/**
 * The address of a page at a place below a base of a site. Web servers look for the page of a static site in a folder,
 * and its address ends with a slash: without it they redirect.
 */
export function pageAddress({ isStatic }: SiteRequest, base: string, place: string): string {
  const address = addressBelow(base, place);
  return isStatic && !address.endsWith('/') ? `${address}/` : address;
}

/** The path of a page of a site space, from the root of the host on. */
export function pagePath(site: SiteRequest, row: SiteSpaceRow, tree: SpaceTree, page: TreePage): string {
  return pageAddress(site, site.base + siteSpacePath(site.visit.rows, row), pathInSpace(tree, page));
}

/** Tells whether the content of a site depends on the visitor. */
export function dependsOnVisitor({ site, shareKey, grant, isRestricted }: Visit): boolean {
  return (
    isRestricted ||
    grant.memberId !== undefined ||
    site.visibility === 'share-link' ||
    site.visibility === 'visitor-auth' ||
    site.adaptiveContent ||
    shareKey !== undefined
  );
}

/** Tells whether a visit is what everybody gets at the address: of a published site, without any credential. */
export function isForEverybody({ site, shareKey, grant, preview, isRestricted }: Visit): boolean {
  return (
    !isRestricted &&
    site.published &&
    (site.visibility === 'public' || site.visibility === 'unlisted') &&
    shareKey === undefined &&
    grant.memberId === undefined &&
    preview === undefined
  );
}

/** Tells whether a visit is what everybody gets, whatever they show. */
export function isSameForAll(visit: Visit): boolean {
  return isForEverybody(visit) && !visit.site.adaptiveContent;
}

/** Tells whether search engines may list a site. */
export function isListed({ site, shareKey, grant, isRestricted }: Visit): boolean {
  return !isRestricted && site.visibility === 'public' && shareKey === undefined && grant.memberId === undefined;
}

/** Tells whether agents may read a site: then it has texts for them, and links to these. */
export function isOpenToAgents({ site }: Visit): boolean {
  return site.agentsContext === 'included';
}

/**
 * Tells whether the files of a site space are public for everybody who knows their addresses: false if only some
 * readers or addresses see it, and in previews, whose files may be in no published version.
 */
export function hasOpenFiles({
  visit: { site, rows, preview, isRestricted },
  row,
}: Pick<SitePlace, 'visit' | 'row'>): boolean {
  const isConditional = [row, rows.sections.find(({ id }) => id === row.sectionId)].some(
    (each) => (each?.condition ?? '') !== '',
  );
  return (
    !isRestricted &&
    preview === undefined &&
    !isConditional &&
    (site.visibility === 'public' || site.visibility === 'unlisted')
  );
}
