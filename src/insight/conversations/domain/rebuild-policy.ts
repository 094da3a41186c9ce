/** What is known when it is decided whether clusters are built anew. */
export interface Analysis {
  /** Issues when they were last built; 0 where they never were. */
  readonly built: number;
  /** Issues that came or went since then. */
  readonly changed: number;
  /** Whether conversations still wait to be read. */
  readonly isReading: boolean;
}

/** Seconds for which few changes wait for others: the longer, the more there is to do. */
const MIN_PATIENCE = 60;
const MAX_PATIENCE = 3600;
const PATIENCE_OF_ISSUE = 0.1;
const SOON = 20;
/** Changed issues that are many: in a small organization, and as a share of a large one. */
const MANY = 20;
const SHARE = 0.1;
/** While conversations still come in, it takes more. */
const MANY_WHILE_READING = 2000;

/**
 * In how many seconds clusters should be built anew; undefined where there is no reason to. The first time is at once, as soon as
 * everything is read; later, the more has changed, the sooner.
 */
export function secondsToRebuild({ built, changed, isReading }: Analysis): number | undefined {
  if (changed === 0) return undefined;
  if (isReading) return changed >= Math.max(MANY_WHILE_READING, built) ? 0 : undefined;
  if (built === 0) return 0;
  return changed >= Math.max(MANY, built * SHARE)
    ? SOON
    : Math.min(MAX_PATIENCE, Math.max(MIN_PATIENCE, built * PATIENCE_OF_ISSUE));
}
