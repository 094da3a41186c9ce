import { longestRun } from '../../kernel/common/longest-run.js';
import { spacedKeys } from '../../kernel/common/order-key.js';
import { inOrder, membersOf } from './domain/structure.js';
import type { KnownParts, SitePlan } from './domain/site-plan.js';
import type { ExternalLinkRow } from './external-links.schema.js';
import type { SectionGroupRow, SiteSectionRow } from './structure.schema.js';

/** A site space with its place, whoever may see its space. */
export interface SiteSpaceFacts {
  readonly id: string;
  readonly sectionId: string | null;
  readonly shownId: string;
  /** The space that it shows; null for one in the trash. */
  readonly spaceId: string | null;
  readonly title: string;
  readonly path: string;
  readonly condition: string | null;
  readonly draft: boolean;
  readonly position: string;
}

/** All parts of a site. */
export interface SiteParts extends KnownParts {
  readonly groups: readonly SectionGroupRow[];
  readonly sections: readonly SiteSectionRow[];
  readonly links: readonly ExternalLinkRow[];
  readonly siteSpaces: readonly SiteSpaceFacts[];
}

/** The parts of a site that there is not yet. */
export const NO_PARTS: SiteParts = { groups: [], sections: [], links: [], siteSpaces: [], keys: new Map() };

/** The parts that a site has and a plan lacks. */
export type Gone = Pick<SiteParts, 'groups' | 'sections' | 'links' | 'siteSpaces'>;

export function goneParts(plan: SitePlan, before: SiteParts): Gone {
  const kept = new Set([...plan.order, ...plan.siteSpaces.map(({ id }) => id)]);
  const without = <Part extends { readonly id: string }>(parts: readonly Part[]) =>
    parts.filter(({ id }) => !kept.has(id));
  return {
    groups: without(before.groups),
    sections: without(before.sections),
    links: without(before.links),
    siteSpaces: without(before.siteSpaces),
  };
}

/** A part to write, what it was, and the fields that differ; a new one was nothing, and all of its fields are new. */
export interface PartChange<Row extends { readonly id: string } = { readonly id: string }, Before = object> {
  readonly row: Row & { readonly position: string };
  readonly before: Before | undefined;
  readonly fields: readonly string[];
}

interface Placing {
  readonly places: ReadonlyMap<string, string>;
  readonly keys: ReadonlyMap<string, string>;
}

/** The changes that a plan makes. */
export function structureChanges(plan: SitePlan, before: SiteParts): StructureChanges {
  const { places, moved } = placesOf(plan, before);
  const placing = { places, keys: before.keys };
  return {
    groups: changed(plan.groups, before.groups, placing),
    sections: changed(plan.sections, before.sections, placing),
    links: changed(plan.links, before.links, placing),
    siteSpaces: changed(plan.siteSpaces, before.siteSpaces, placing),
    moved,
  };
}

/** The rows that are new or differ. */
function changed<Row extends { readonly id: string; readonly key: string }, Before extends { readonly id: string }>(
  rows: readonly Row[],
  present: readonly Before[],
  { places, keys }: Placing,
): PartChange<Row, Before>[] {
  const known = new Map(present.map((row) => [row.id, row]));
  return rows.flatMap((planned): PartChange<Row, Before>[] => {
    const row = { ...planned, position: places.get(planned.id) ?? '' };
    const before = known.get(row.id);
    const was = before && new Map<string, unknown>(Object.entries({ ...before, key: keys.get(row.id) }));
    const fields = Object.entries(row).flatMap(([name, value]) =>
      was && (!was.has(name) || was.get(name) === value) ? [] : [name],
    );
    return fields.length > 0 ? [{ row, before, fields }] : [];
  });
}

/** The order key of each part, and those that stand elsewhere among the others than before. */
function placesOf(plan: SitePlan, before: SiteParts): { places: Map<string, string>; moved: ReadonlySet<string> } {
  const [places, moved] = [new Map<string, string>(), new Set<string>()];
  const place = (wanted: readonly string[], present: readonly { readonly id: string; readonly position: string }[]) => {
    const order = new Map([...present].sort(inOrder).map(({ id }, index) => [id, index]));
    const known = wanted.filter((id) => order.has(id));
    const staying = longestRun(known, order);
    const positions = new Map(present.map(({ id, position }) => [id, position]));
    const keys = spacedKeys(wanted.length);
    wanted.forEach((id, index) => {
      const kept = staying.size === wanted.length ? positions.get(id) : undefined;
      places.set(id, kept ?? keys[index] ?? '');
    });
    for (const id of known) if (!staying.has(id)) moved.add(id);
  };
  place(plan.order, membersOf(before.groups, before.sections, before.links));
  for (const sectionId of new Set(plan.siteSpaces.map((row) => row.sectionId)))
    place(
      plan.siteSpaces.filter((row) => row.sectionId === sectionId).map(({ id }) => id),
      before.siteSpaces.filter((row) => row.sectionId === sectionId),
    );
  return { places, moved };
}

/** The rows to write of each kind of part, and the ids of those that stand elsewhere among the others than before. */
export interface StructureChanges {
  readonly moved: ReadonlySet<string>;
  readonly groups: readonly PartChange<SitePlan['groups'][number], SectionGroupRow>[];
  readonly sections: readonly PartChange<SitePlan['sections'][number], SiteSectionRow>[];
  readonly links: readonly PartChange<SitePlan['links'][number], ExternalLinkRow>[];
  readonly siteSpaces: readonly PartChange<SitePlan['siteSpaces'][number], SiteSpaceFacts>[];
}
