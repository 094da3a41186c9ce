import { LEAST_SHARE, type ContinuedCluster, type KnownCluster } from './cluster-continuity.js';

/** A decision of people about two clusters. */
export interface Decision {
  readonly kind: 'merge' | 'split';
  /** The cluster that took issues of the other one: it stays after a merge, and is new after a split. */
  readonly clusterId: string;
  readonly otherId: string;
}

/** The effect of all decisions of an organization. */
export interface Decided {
  /** The remaining cluster of each one that was merged into another. */
  readonly mergedInto: ReadonlyMap<string, string>;
  /** For each cluster that issues were merged into or split off to: the clusters whose issues never join it. */
  readonly apartFrom: ReadonlyMap<string, readonly string[]>;
}

/** The groups of a rebuild that decisions leave free, and the clusters that they determine. */
export interface Divided {
  readonly decided: readonly ContinuedCluster[];
  readonly groups: readonly (readonly string[])[];
  readonly known: readonly KnownCluster[];
}

/** Sums up decisions, the earliest of which comes first. A cluster that was merged into one that was merged itself counts as part of the last one. */
export function decidedBy(decisions: readonly Decision[]): Decided {
  const mergedInto = new Map<string, string>();
  // Latest first: a merged cluster takes part in no later decision, so that each merge is followed once.
  for (const { kind, clusterId, otherId } of decisions.toReversed())
    if (kind === 'merge') mergedInto.set(otherId, mergedInto.get(clusterId) ?? clusterId);
  const lastOf = (id: string): string => mergedInto.get(id) ?? id;
  const apart = new Map(decisions.map(({ clusterId }) => [lastOf(clusterId), new Set<string>()]));
  for (const { kind, clusterId, otherId } of decisions) {
    const [cluster, other] = [lastOf(clusterId), lastOf(otherId)];
    // A cluster that was split off and merged back is apart from nothing.
    if (kind === 'merge' || cluster === other) continue;
    apart.get(cluster)?.add(other);
    apart.get(other)?.add(cluster);
  }
  return {
    mergedInto,
    apartFrom: new Map([...apart].map(([id, others]) => [id, [...others]])),
  };
}

/**
 * Takes the issues of clusters that people have decided on out of the groups of a rebuild. Such a cluster has its held
 * issues, its other ones that are still in a group with a held one, and each group whose known issues are mostly its
 * own, without issues of clusters that it must stay apart from.
 */
export function divideByDecisions(groups: readonly (readonly string[])[], known: readonly KnownCluster[]): Divided {
  const own = known.filter(({ apartFrom }) => apartFrom !== undefined);
  if (own.length === 0) return { decided: [], groups, known };
  const clusterOf = new Map(known.flatMap(({ id, issueIds }) => issueIds.map((issue) => [issue, id] as const)));
  const heldIn = new Map(own.flatMap(({ id, heldIds = [] }) => heldIds.map((issue) => [issue, id] as const)));
  const ownOf = new Map(own.map((cluster) => [cluster.id, cluster]));
  const apartFrom = new Map(own.map((cluster) => [cluster.id, new Set(cluster.apartFrom)]));
  const taken = new Map<string, string[]>(own.map(({ id }) => [id, []]));
  const free = groups.map((issues) => {
    const heldHere = new Set(issues.flatMap((issue) => heldIn.get(issue) ?? []));
    const owner = ownerOf(issues, clusterOf, ownOf);
    return issues.filter((issue) => {
      const before = clusterOf.get(issue) ?? '';
      const joined = owner !== undefined && apartFrom.get(owner)?.has(before) ? undefined : owner;
      const cluster = heldIn.get(issue) ?? (heldHere.has(before) ? before : joined);
      if (cluster !== undefined) taken.get(cluster)?.push(issue);
      return cluster === undefined;
    });
  });
  return {
    decided: [...taken].map(([id, issueIds]) => ({ id, issueIds })),
    groups: free.filter((issues) => issues.length > 0),
    known: known.filter(({ apartFrom }) => apartFrom === undefined),
  };
}

/** The decided cluster that most issues of a group were in that were in one before, if the group has enough of it to continue it. */
function ownerOf(
  issues: readonly string[],
  clusterOf: ReadonlyMap<string, string>,
  own: ReadonlyMap<string, KnownCluster>,
): string | undefined {
  const counts = new Map<string, number>();
  for (const issue of issues) {
    const before = clusterOf.get(issue);
    if (before !== undefined) counts.set(before, (counts.get(before) ?? 0) + 1);
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const [id = '', count = 0] = [...counts].find(([, each]) => each * 2 > all) ?? [];
  const cluster = own.get(id);
  if (cluster === undefined) return undefined;
  return count >= Math.min(cluster.issueIds.length, issues.length) * LEAST_SHARE ? id : undefined;
}
