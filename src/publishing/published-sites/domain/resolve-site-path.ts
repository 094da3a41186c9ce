/** A section as far as paths lead to it. */
export interface PlacedSection {
  readonly id: string;
  readonly path: string;
  readonly isDefault: boolean;
}

/** A site space as far as paths lead to it. */
export interface PlacedSiteSpace {
  readonly sectionId: string | null;
  readonly siteSpacePath: string;
  readonly isDefault: boolean;
}

interface Places<Section, SiteSpace> {
  readonly sections: readonly Section[];
  readonly siteSpaces: readonly SiteSpace[];
}

/** Where a path of a site leads. */
export interface ResolvedSitePath<Section, SiteSpace> {
  readonly siteSpace: SiteSpace;
  readonly section?: Section;
  /** The part of the site's path that the site space stands at: '' or `/guides` or `/guides/v2`. */
  readonly basePath: string;
  /** What of the path lies inside of the site space, without a slash at its ends. */
  readonly pathname: string;
}

/**
 * Which site space serves a path of a site ('' is its root), whatever the case of letters. `rows` hold in their order what the
 * visitor sees. A default has no slug, so it takes what no slug beside it takes. Where the visitor does not see a default, the
 * first in order stands in for it at its root alone, at its own address: the place's `basePath` is then longer than the path.
 */
export function resolveSitePath<Section extends PlacedSection, SiteSpace extends PlacedSiteSpace>(
  rows: Places<Section, SiteSpace>,
  path: string,
): ResolvedSitePath<Section, SiteSpace> | undefined {
  const segments = path.split('/').filter((segment) => segment !== '');
  const inSection = (
    section: Section | undefined,
    base: string,
    rest: readonly string[],
  ): ResolvedSitePath<Section, SiteSpace> | undefined => {
    const sectionId = section?.id ?? null;
    const chosen = choose(
      rows.siteSpaces.filter((siteSpace) => siteSpace.sectionId === sectionId),
      ({ siteSpacePath }) => siteSpacePath,
      rest,
    );
    if (!chosen) return undefined;
    return {
      siteSpace: chosen.item,
      ...(section && { section }),
      basePath: base + chosen.basePath,
      pathname: chosen.rest.join('/'),
    };
  };
  if (rows.sections.length === 0) return inSection(undefined, '', segments);
  const chosen = choose(rows.sections, (section) => section.path, segments);
  return chosen && inSection(chosen.item, chosen.basePath, chosen.rest);
}

/** Whether no more of a path could lead to another section or site space than this place's. */
export function isComplete<Section extends PlacedSection, SiteSpace extends PlacedSiteSpace>(
  rows: Places<Section, SiteSpace>,
  { siteSpace, section, pathname }: ResolvedSitePath<Section, SiteSpace>,
): boolean {
  if (pathname !== '' || !siteSpace.isDefault) return true;
  const beside = rows.siteSpaces.some(({ sectionId, isDefault }) => sectionId === siteSpace.sectionId && !isDefault);
  return !beside && !(section?.isDefault === true && rows.sections.length > 1);
}

interface Chosen<Item> {
  readonly item: Item;
  readonly basePath: string;
  readonly rest: readonly string[];
}

function choose<Item extends { readonly isDefault: boolean }>(
  items: readonly Item[],
  slugOf: (item: Item) => string,
  segments: readonly string[],
): Chosen<Item> | undefined {
  const [first, ...rest] = segments;
  const wanted = first?.toLowerCase();
  const named = items.find((item) => !item.isDefault && slugOf(item).toLowerCase() === wanted);
  if (named) return { item: named, basePath: `/${slugOf(named)}`, rest };
  const front = items.find(({ isDefault }) => isDefault);
  if (front) return { item: front, basePath: '', rest: segments };
  const [substitute] = items;
  return substitute && segments.length === 0
    ? { item: substitute, basePath: `/${slugOf(substitute)}`, rest: [] }
    : undefined;
}
