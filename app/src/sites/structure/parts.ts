import { ApiError, queries, send, type Schemas } from '../../api/client.js';
import { siteTexts } from '../../texts/sites.js';
import { childrenOf, type Forest, ROOT } from '../../ui/tree/forest.js';
import { SITE, structureQuery, type SitePlace, type SiteSpace, type Structure } from '../queries.js';

export type Section = Schemas['SiteSectionBody'];
export type SectionGroup = Schemas['SiteSectionGroupBody'];
export type ExternalLink = Schemas['SiteExternalLinkBody'];
export type Part = SiteSpace | Section | SectionGroup | ExternalLink;
export type Kind = Part['object'];
export type Parts = Forest<Part>;

/** Paths of the operations on a part, by its kind. */
export const PATHS = {
  'site-space': `${SITE}/site-spaces/{siteSpaceId}`,
  'site-section': `${SITE}/sections/{siteSectionId}`,
  'site-section-group': `${SITE}/section-groups/{siteSectionGroupId}`,
  'site-external-link': `${SITE}/external-links/{siteExternalLinkId}`,
} as const;

const IDS = {
  'site-space': 'siteSpaceId',
  'site-section': 'siteSectionId',
  'site-section-group': 'siteSectionGroupId',
  'site-external-link': 'siteExternalLinkId',
} as const;

/** The parameters of the path of a part. */
export function pathOf(place: SitePlace, { object, id }: Pick<Part, 'object' | 'id'>): never {
  return { ...place, [IDS[object]]: id } as never;
}

/** The parts of a site below each other: spaces in sections, sections in groups. */
export function partsOf({ structure }: Structure): Parts {
  const items = new Map<string, Part>();
  const children = new Map<string, readonly string[]>();
  const parents = new Map<string, string>();
  const add = (below: readonly Part[], parent: string): void => {
    if (below.length > 0 || parent === ROOT)
      children.set(
        parent,
        below.map(({ id }) => id),
      );
    for (const part of below) {
      items.set(part.id, part);
      parents.set(part.id, parent);
      if (part.object === 'site-section') add(part.siteSpaces, part.id);
      else if (part.object === 'site-section-group') add(part.children, part.id);
    }
  };
  add(structure, ROOT);
  return { items, children, parents };
}

/** True for a part that can stand in another one, or at the top. */
export function fits(parts: Parts, into: Part | undefined, { object, id }: Part): boolean {
  if (object === 'site-space')
    // Without a space there, nothing names the section as a place.
    return into === undefined
      ? parts.parents.get(id) === ROOT
      : into.object === 'site-section' && childrenOf(parts, into.id).length > 0;
  if (into !== undefined && into.object !== 'site-section-group') return false;
  for (let above = into?.id; above !== undefined; above = parts.parents.get(above)) if (above === id) return false;
  return true;
}

const pointer = (parts: Parts, id: string | undefined) => {
  const part = id === undefined ? undefined : parts.items.get(id);
  return part && { type: part.object, id: part.id };
};

const parentNow = (part: Part): string => (part.object === 'site-space' ? part.section : part.sectionGroup) ?? ROOT;

/** Tells that somebody else arranged the site at the same time; nothing was lost, and the present order is shown. */
class ArrangedMeanwhile extends Error {
  constructor() {
    super(siteTexts.structure.arrangedMeanwhile);
  }
}

/**
 * Moves a part into another one or the top, after so many of the others there. Both neighbours are named, so that the
 * server refuses a place that somebody else has changed since it was shown.
 */
export async function movePart(place: SitePlace, parts: Parts, part: Part, into: string, at?: number): Promise<void> {
  const others = childrenOf(parts, into).filter((id) => id !== part.id);
  const index = Math.min(at ?? others.length, others.length);
  const [before, after] = [others[index], others[index - 1]];
  if (others.length === 0 && into !== ROOT) return moveIntoEmpty(place, part, into);
  const sort = async (next: string | undefined, previous: string | undefined): Promise<void> => {
    const position = { before: pointer(parts, next), after: pointer(parts, previous) };
    const item = { type: part.object, id: part.id };
    const moved = (await send('patch', `${SITE}/structure/sort`, place, { item, position })) as Part;
    if (parentNow(moved) !== into) throw new ArrangedMeanwhile();
  };
  try {
    await sort(before, after);
  } catch (error) {
    if (!(error instanceof ApiError) || ![400, 404, 409].includes(error.status)) throw error;
    const present = partsOf(await queries.fetchQuery({ ...structureQuery(place), staleTime: 0 }));
    const same = childrenOf(present, into).filter((id) => id !== part.id);
    const isUnchanged = present.items.has(part.id) && same.join() === others.join();
    // A part stands between the two that this person cannot see; else the server's reason is the right one.
    if (!isUnchanged) throw new ArrangedMeanwhile();
    if (before === undefined || after === undefined) throw error;
    await sort(undefined, after);
  }
}

async function moveIntoEmpty(place: SitePlace, part: Part, group: string): Promise<void> {
  if (part.object === 'site-section')
    await send(
      'post',
      `${SITE}/section-groups/{siteSectionGroupId}/sections`,
      { ...place, siteSectionGroupId: group },
      { sectionId: part.id },
    );
  else if (part.object === 'site-section-group' || part.object === 'site-external-link')
    await send('patch', PATHS[part.object], pathOf(place, part), { parent: group });
}
