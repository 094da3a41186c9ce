import type { PlacedSection, PlacedSiteSpace } from '../../domain/resolve-site-path.js';
import { encodedPath } from './location.js';

/** Where the MCP server of a site is, below its address. */
export const MCP_PATH = '~gitbook/mcp';

/** The path of the search, below the address of a site. */
export const SEARCH_PATH = '~search';

/** The path of the questions, below the address of a site. */
export const ASK_PATH = '~ask';

/** The path at which readers rate a page, below the address of a site. */
export const FEEDBACK_PATH = '~feedback';

/** The address of the questions about a site whose pages in `siteSpace` come first. */
export function askPath(base: string, siteSpace: string): string {
  return `${base}/${ASK_PATH}?from=${encodeURIComponent(siteSpace)}`;
}

/** The path of a section within its site: '' for the default, else as in `/guides`. */
export function sectionPath(section: PlacedSection | undefined): string {
  return section && !section.isDefault ? `/${section.path}` : '';
}

/** The path of a site space within its site: '' or as in `/guides/v2`; escaped for addresses. */
export function siteSpacePath(
  { sections }: { readonly sections: readonly PlacedSection[] },
  siteSpace: PlacedSiteSpace,
): string {
  const own = siteSpace.isDefault ? '' : `/${siteSpace.siteSpacePath}`;
  return encodedPath(sectionPath(sections.find(({ id }) => id === siteSpace.sectionId)) + own);
}

/** The address of a place below a base; the root of a host is a slash. */
export function addressBelow(base: string, place: string): string {
  return place === '' ? base || '/' : `${base}/${encodedPath(place)}`;
}
