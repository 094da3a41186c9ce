/** A cluster that exists before a rebuild. */
export interface KnownCluster {
  readonly id: string;
  /** True if it was reviewed or linked: it is kept, whatever the new clusters are. */
  readonly isPinned: boolean;
  readonly issueIds: readonly string[];
  /** For a cluster that people have merged or split off: the clusters whose issues never join it. Undefined for others. */
  readonly apartFrom?: readonly string[];
  /** Those of its issues that people have put into it. */
  readonly heldIds?: readonly string[];
}

/** A cluster after a rebuild; a new one has no id. */
export interface ContinuedCluster {
  readonly id: string | undefined;
  readonly issueIds: readonly string[];
}

/** A cluster counts as the same if the intersection is at least this part of the smaller one. */
export const LEAST_SHARE = 1 / 3;

/**
 * Assigns the ids of existing clusters to groups of issues, those with the most common issues first. A pinned cluster
 * without a matching group keeps its remaining issues, as a group of its own. A group of one issue is dropped, unless
 * it continues a cluster.
 */
export function continueClusters(
  groups: readonly (readonly string[])[],
  known: readonly KnownCluster[],
): ContinuedCluster[] {
  const groupOf = new Map(groups.flatMap((issues, group) => issues.map((issue) => [issue, group] as const)));
  const pairs = known.flatMap(({ id, isPinned, issueIds }) => {
    const shared = new Map<number, number>();
    for (const issue of issueIds) {
      const group = groupOf.get(issue);
      if (group !== undefined) shared.set(group, (shared.get(group) ?? 0) + 1);
    }
    const present = [...shared.values()].reduce((sum, count) => sum + count, 0);
    return [...shared].map(([group, count]) => ({
      id,
      isPinned,
      group,
      count,
      share: count / Math.min(present, groups[group]?.length ?? 1),
    }));
  });
  const idOf = new Map<number, string>();
  const continued = new Set<string>();
  const inOrder = pairs.sort(
    (a, b) =>
      b.count - a.count || Number(b.isPinned) - Number(a.isPinned) || b.share - a.share || (a.id < b.id ? -1 : 1),
  );
  for (const { id, group, share } of inOrder) {
    if (share < LEAST_SHARE || continued.has(id) || idOf.has(group)) continue;
    idOf.set(group, id);
    continued.add(id);
  }
  const left = known.filter(({ id, isPinned }) => isPinned && !continued.has(id));
  const kept = left.map(({ id, issueIds }) => ({ id, issueIds: issueIds.filter((issue) => groupOf.has(issue)) }));
  const taken = new Set(kept.flatMap(({ issueIds }) => issueIds));
  const carried = groups.map((issues, group) => ({
    id: idOf.get(group),
    issueIds: issues.filter((issue) => !taken.has(issue)),
  }));
  return [...carried.filter(({ id, issueIds }) => id !== undefined || issueIds.length > 1), ...kept];
}
