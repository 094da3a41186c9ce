interface Structure<Group, Section, SiteSpace> {
  readonly groups: readonly Group[];
  readonly sections: readonly Section[];
  readonly siteSpaces: readonly SiteSpace[];
}

/**
 * The served part of a site's structure: site spaces whose space is not in the trash, sections with any of those,
 * groups with any of those at any depth. A site space without a section beside sections cannot be reached and is left
 * out.
 */
export function reachableStructure<
  Group extends { readonly id: string; readonly parentId: string | null },
  Section extends { readonly id: string; readonly groupId: string | null },
  SiteSpace extends { readonly sectionId: string | null; readonly deletedAt: Date | null },
>({ groups, sections, siteSpaces }: Structure<Group, Section, SiteSpace>): Structure<Group, Section, SiteSpace> {
  const alive = siteSpaces.filter(
    ({ deletedAt, sectionId }) => deletedAt === null && (sectionId !== null || sections.length === 0),
  );
  const filled = new Set(alive.map(({ sectionId }) => sectionId));
  const kept = sections.filter(({ id }) => filled.has(id));
  const parents = new Map(groups.map(({ id, parentId }) => [id, parentId]));
  const used = new Set<string>();
  for (const { groupId } of kept) {
    for (let id = groupId; id !== null && !used.has(id); id = parents.get(id) ?? null) used.add(id);
  }
  return { groups: groups.filter(({ id }) => used.has(id)), sections: kept, siteSpaces: alive };
}
