import { queryOptions } from '@tanstack/react-query';
import { get, readAll, type Schemas } from '../api/client.js';

export type Site = Schemas['SiteBody'];
export type SiteProps = Readonly<{ site: Site }>;
export type SitePlace = Readonly<{ organizationId: string; siteId: string }>;
export type SiteSpace = Schemas['SiteSpaceBody'];
export type Structure = Schemas['SiteStructureBody'];
type Part = Structure['structure'][number];

export const SITE = '/v1/orgs/{organizationId}/sites/{siteId}';

/** The beginning of the keys of all that is read about the sites of an organization. */
export const sitesKey = (organizationId: string) => ['sites', organizationId] as const;

/** The same about one site. */
export const siteKey = ({ organizationId, siteId }: SitePlace) => [...sitesKey(organizationId), siteId] as const;

export const siteQuery = (place: SitePlace) =>
  queryOptions({ queryKey: [...siteKey(place), 'site'], queryFn: () => get(SITE, place) });

export const structureQuery = (place: SitePlace) =>
  queryOptions({ queryKey: [...siteKey(place), 'structure'], queryFn: () => get(`${SITE}/structure`, place) });

/** A space of a site with the names of the groups and the section that it stands in. */
export interface PlacedSpace {
  readonly id: string;
  readonly siteSpace: SiteSpace;
  readonly above: readonly string[];
}

/** The spaces of a site in the order of its navigation. */
export function placedSpaces(parts: readonly Part[], above: readonly string[] = []): PlacedSpace[] {
  return parts.flatMap((part) => {
    if (part.object === 'site-space') return [{ id: part.id, siteSpace: part, above }];
    if (part.object === 'site-section')
      return part.siteSpaces.map((siteSpace) => ({ id: siteSpace.id, siteSpace, above: [...above, part.title] }));
    return part.object === 'site-section-group' ? placedSpaces(part.children, [...above, part.title]) : [];
  });
}

/** All share links of a site; a site has few of them. */
export const shareLinksQuery = (place: SitePlace) =>
  queryOptions({
    queryKey: [...siteKey(place), 'share-links'],
    queryFn: () => readAll<Schemas['ShareLinkBody']>((page) => get(`${SITE}/share-links`, place, { page })),
  });
