export interface Structure<Group, Section, Link, SiteSpace> {
  readonly groups: readonly Group[];
  readonly sections: readonly Section[];
  readonly links: readonly Link[];
  readonly siteSpaces: readonly SiteSpace[];
}

/**
 * The served part of a site's structure: site spaces whose space is not in the trash, sections with any of those,
 * links beside sections, groups with any of those at any depth. A site space without a section beside sections cannot be
 * reached and is left out.
 */
export function reachableStructure<
  Group extends { readonly id: string; readonly parentId: string | null },
  Section extends { readonly id: string; readonly groupId: string | null },
  Link extends { readonly groupId: string | null },
  SiteSpace extends { readonly sectionId: string | null; readonly deletedAt: Date | null },
>({
  groups,
  sections,
  links,
  siteSpaces,
}: Structure<Group, Section, Link, SiteSpace>): Structure<Group, Section, Link, SiteSpace> {
  const alive = siteSpaces.filter(
    ({ deletedAt, sectionId }) => deletedAt === null && (sectionId !== null || sections.length === 0),
  );
  const filled = new Set(alive.map(({ sectionId }) => sectionId));
  const kept = sections.filter(({ id }) => filled.has(id));
  const parents = new Map(groups.map(({ id, parentId }) => [id, parentId]));
  const leading = kept.length === 0 ? [] : links;
  const used = new Set<string>();
  for (const { groupId } of [...kept, ...leading]) {
    for (let id = groupId; id !== null && !used.has(id); id = parents.get(id) ?? null) used.add(id);
  }
  return { groups: groups.filter(({ id }) => used.has(id)), sections: kept, links: leading, siteSpaces: alive };
}
