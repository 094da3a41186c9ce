/** The parts of a section that determine its path. */
export interface PlacedSection {
  readonly id: string;
  readonly path: string;
  readonly isDefault: boolean;
}

/** The parts of a site space that determine its path. */
export interface PlacedSiteSpace {
  readonly sectionId: string | null;
  readonly siteSpacePath: string;
  readonly isDefault: boolean;
}

interface Places<Section, SiteSpace> {
  readonly sections: readonly Section[];
  readonly siteSpaces: readonly SiteSpace[];
}

/** The target of a path of a site. */
export interface ResolvedSitePath<Section, SiteSpace> {
  readonly siteSpace: SiteSpace;
  readonly section?: Section;
  /** The part of the site's path before the site space's content: '' or `/guides` or `/guides/v2`. */
  readonly basePath: string;
  /** The path inside of the site space, without a slash at its ends. */
  readonly pathname: string;
}

/**
 * Finds the site space for a path of a site ('' is its root), regardless of case. `rows` are those that the visitor
 * sees, in order. A default has no slug, so it takes all paths that no sibling slug takes. If the visitor does not see
 * a default, the first in order replaces it at its root only, at its own address: the result's `basePath` is then
 * longer than the path.
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

/** Tells whether a longer path could not lead to another section or site space than this one. */
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
