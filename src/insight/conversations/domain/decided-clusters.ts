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

/** Sums up decisions. A cluster that was merged into one that was merged itself counts as part of the last one. */
export function decidedBy(decisions: readonly Decision[]): Decided {
  const next = new Map(decisions.flatMap((each) => (each.kind === 'merge' ? [[each.otherId, each.clusterId]] : [])));
  const lastOf = (id: string): string => {
    let last = id;
    // No merge leads back: a merged cluster takes part in no other decision.
    for (let at = next.get(id); at !== undefined; at = next.get(at)) last = at;
    return last;
  };
  const apart = new Map(decisions.map(({ clusterId }) => [lastOf(clusterId), new Set<string>()]));
  for (const { kind, clusterId, otherId } of decisions) {
    const [cluster, other] = [lastOf(clusterId), lastOf(otherId)];
    // A cluster that was split off and merged back is apart from nothing.
    if (kind === 'merge' || cluster === other) continue;
    apart.get(cluster)?.add(other);
    apart.get(other)?.add(cluster);
  }
  return {
    mergedInto: new Map([...next.keys()].map((id) => [id, lastOf(id)])),
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
  const taken = new Map<string, string[]>(own.map(({ id }) => [id, []]));
  const free = groups.map((issues) => {
    const heldHere = new Set(issues.flatMap((issue) => heldIn.get(issue) ?? []));
    const owner = own.find((cluster) => ownsGroup(cluster, issues, clusterOf));
    return issues.filter((issue) => {
      const before = clusterOf.get(issue) ?? '';
      const joined = owner?.apartFrom?.includes(before) ? undefined : owner?.id;
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

/** Tells whether most issues of a group that were in a cluster before were in this one, and enough of it to continue it. */
function ownsGroup(
  { id, issueIds }: KnownCluster,
  issues: readonly string[],
  clusterOf: ReadonlyMap<string, string>,
): boolean {
  const before = issues.flatMap((issue) => clusterOf.get(issue) ?? []);
  const count = before.filter((cluster) => cluster === id).length;
  return count * 2 > before.length && count >= Math.min(issueIds.length, issues.length) * LEAST_SHARE;
}
