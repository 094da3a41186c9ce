import type { SiteSectionRow, SiteSpaceRow } from '../../sites/structure.schema.js';
import type { Visit } from '../visitor-access.service.js';
import { addressBelow, siteSpacePath } from './domain/site-paths.js';
import { pathInSpace, type SpaceTree, type TreePage } from './domain/space-tree.js';

/** A published site as one request sees it. */
export interface SiteRequest {
  readonly visit: Visit;
  /** Path at which the site begins, '' at the root of a host; escaped. */
  readonly base: string;
  /** Scheme and host that the reader asked for. */
  readonly origin: string;
}

/** A site space of it, which the path of the request leads to. */
export interface SitePlace extends SiteRequest {
  readonly row: SiteSpaceRow;
  readonly section: SiteSectionRow | undefined;
}

/** The path of a page of a site space, from the root of the host on. */
export function pagePath({ visit, base }: SiteRequest, row: SiteSpaceRow, tree: SpaceTree, page: TreePage): string {
  return addressBelow(base + siteSpacePath(visit.rows, row), pathInSpace(tree, page));
}

/** Whether what a site shows depends on who asks for it. */
export function dependsOnVisitor({ site, shareKey, grant }: Visit): boolean {
  return (
    grant.memberId !== undefined ||
    site.visibility === 'share-link' ||
    site.visibility === 'visitor-auth' ||
    site.adaptiveContent ||
    shareKey !== undefined
  );
}

/** Whether search engines may list a site. */
export function isListed({ site, shareKey, grant }: Visit): boolean {
  return site.visibility === 'public' && shareKey === undefined && grant.memberId === undefined;
}

/** Whether agents may read a site: then it has texts for them, and leads its readers to them. */
export function isOpenToAgents({ site }: Visit): boolean {
  return site.agentsContext === 'included';
}

/** Whether the files of a site space are open to everybody who knows their addresses: not where only some readers see it. */
export function hasOpenFiles({ visit: { site, rows }, row }: Pick<SitePlace, 'visit' | 'row'>): boolean {
  const isConditional = [row, rows.sections.find(({ id }) => id === row.sectionId)].some(
    (each) => (each?.condition ?? '') !== '',
  );
  return !isConditional && (site.visibility === 'public' || site.visibility === 'unlisted');
}
