/** The version of the engine. A higher one gives other clusters, or more than clusters, from the same issues. */
export const ENGINE_VERSION = 1;

/** The data for deciding on a rebuild of clusters. */
export interface Analysis {
  /** Number of issues at the last rebuild; 0 if there was none. */
  readonly built: number;
  /** Number of issues added or removed since then. */
  readonly changed: number;
  /** True while conversations still wait to be read. */
  readonly isReading: boolean;
  /** True if an older engine made the last rebuild. */
  readonly isOutdated: boolean;
}

/** Minimum seconds that few changes wait for others: the larger the organization, the longer. */
const MIN_PATIENCE = 60;
const MAX_PATIENCE = 3600;
const PATIENCE_OF_ISSUE = 0.1;
const SOON = 20;
/** The number of changed issues that is many: in a small organization, and as a share of a large one. */
const MANY = 20;
const SHARE = 0.1;
/** The number that is many while conversations are still being ingested. */
const MANY_WHILE_READING = 2000;

/**
 * Seconds until clusters should be rebuilt; undefined if there is no reason to. The first rebuild is at once, as soon
 * as everything is read; later, the more has changed, the sooner. Clusters that an older engine has built are built again soon.
 */
export function secondsToRebuild({ built, changed, isReading, isOutdated }: Analysis): number | undefined {
  if (changed === 0 && !isOutdated) return undefined;
  if (isReading) return changed >= Math.max(MANY_WHILE_READING, built) ? 0 : undefined;
  if (built === 0) return 0;
  return isOutdated || changed >= Math.max(MANY, built * SHARE)
    ? SOON
    : Math.min(MAX_PATIENCE, Math.max(MIN_PATIENCE, built * PATIENCE_OF_ISSUE));
}
