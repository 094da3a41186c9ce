import { changesOf } from '../../kernel/platform/audit-changes.js';
import type { NewEvent } from '../../kernel/platform/manifest/events.js';
import type { SiteForCaller } from './sites.schema.js';
import type { Gone, PartChange, StructureChanges } from './structure-changes.js';

/** All that was written of a structure, with the sections that have another default and the parts that were removed. */
interface Written extends StructureChanges {
  readonly chosen: ReadonlySet<string>;
  readonly gone: Gone;
}

type Site = Pick<SiteForCaller, 'id' | 'organizationId'>;

/** No fields of the interface: new places are told as moves, and nobody sees keys. */
const UNTOLD = ['position', 'groupId', 'sectionId', 'key', 'id'];
const NAMES: Readonly<Record<string, string>> = { parentId: 'parent' };

/** The events of a structure that was written as a whole, as if its parts had been changed one by one. */
export function structureEvents(site: Site, written: Written): NewEvent[] {
  return [
    ...groupEvents(site, written),
    ...sectionEvents(site, written),
    ...linkEvents(site, written),
    ...siteSpaceEvents(site, written),
    ...removalEvents(site, written.gone),
  ];
}

function groupEvents({ id: siteId, organizationId }: Site, { groups, moved }: Written): NewEvent[] {
  return groups.flatMap((change): NewEvent[] => {
    const base = { organizationId, target: change.row.id };
    const [fields, payload] = [told(change), { siteId }];
    if (!change.before) return [{ type: 'site_section_group_added', ...base, payload: { siteId, sectionIds: [] } }];
    return [
      ...some(fields, { type: 'site_section_group_updated', ...base, payload: { siteId, fields } }),
      ...(isMoved(change, moved) ? [{ type: 'site_section_group_moved', ...base, payload } as const] : []),
    ];
  });
}

function sectionEvents({ id: siteId, organizationId }: Site, { sections, moved, chosen }: Written): NewEvent[] {
  const changes = new Map(sections.map((change) => [change.row.id, change]));
  return [...new Set([...changes.keys(), ...chosen])].flatMap((target): NewEvent[] => {
    const change = changes.get(target);
    const base = { organizationId, target };
    const fields = [...(change ? told(change) : []), ...(chosen.has(target) ? ['defaultSiteSpace'] : [])];
    const payload = { siteId };
    if (change && !change.before) return [{ type: 'site_section_added', ...base, payload }];
    return [
      ...some(fields, { type: 'site_section_updated', ...base, payload: { siteId, fields } }),
      ...(change && isMoved(change, moved) ? [{ type: 'site_section_moved', ...base, payload } as const] : []),
    ];
  });
}

function linkEvents({ id: siteId, organizationId }: Site, { links, moved }: Written): NewEvent[] {
  return links.flatMap((change): NewEvent[] => {
    const base = { organizationId, target: change.row.id };
    const [fields, payload] = [told(change), { siteId }];
    if (!change.before) return [{ type: 'site_external_link_added', ...base, payload }];
    return [
      ...some(fields, { type: 'site_external_link_updated', ...base, payload: { siteId, fields } }),
      ...(isMoved(change, moved) ? [{ type: 'site_external_link_moved', ...base, payload } as const] : []),
    ];
  });
}

function siteSpaceEvents({ id: siteId, organizationId }: Site, { siteSpaces, moved }: Written): NewEvent[] {
  return siteSpaces.flatMap((change): NewEvent[] => {
    const { row, before } = change;
    const base = { organizationId, spaceId: row.spaceId, target: row.id };
    const [fields, payload] = [told(change), { siteId }];
    if (!before) return [{ type: 'site_space_added', ...base, payload }];
    const audit = { changes: changesOf(before, row, ['path', 'spaceId', 'condition', 'draft']) };
    return [
      ...some(fields, { type: 'site_space_updated', ...base, payload: { siteId, fields }, audit }),
      ...(isMoved(change, moved) ? [{ type: 'site_space_moved', ...base, payload } as const] : []),
    ];
  });
}

/** Site spaces go with their section, as they do where that alone is removed. */
function removalEvents({ id: siteId, organizationId }: Site, gone: Gone): NewEvent[] {
  const inside = new Set<string | null>(gone.sections.map(({ id }) => id));
  const left = gone.siteSpaces.filter(({ sectionId }) => !inside.has(sectionId));
  const removed =
    <Type extends 'site_section_removed' | 'site_external_link_removed' | 'site_section_group_removed'>(type: Type) =>
    ({ id, title }: { readonly id: string; readonly title: string }) => ({
      type,
      organizationId,
      target: id,
      payload: { siteId },
      audit: { label: title },
    });
  return [
    ...left.map(
      ({ id, shownId }) =>
        ({ type: 'site_space_removed', organizationId, spaceId: shownId, target: id, payload: { siteId } }) as const,
    ),
    ...gone.sections.map(removed('site_section_removed')),
    ...gone.links.map(removed('site_external_link_removed')),
    ...gone.groups.map(removed('site_section_group_removed')),
  ];
}

/** The event, if there are any fields to tell. */
function some(fields: readonly string[], event: NewEvent): NewEvent[] {
  return fields.length > 0 ? [event] : [];
}

function isMoved({ row: { id }, before, fields }: PartChange, moved: ReadonlySet<string>): boolean {
  return before !== undefined && (moved.has(id) || ['groupId', 'sectionId'].some((name) => fields.includes(name)));
}

function told({ fields }: PartChange): string[] {
  return fields.filter((name) => !UNTOLD.includes(name)).map((name) => NAMES[name] ?? name);
}
