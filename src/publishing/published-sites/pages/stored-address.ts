import { createHash } from 'node:crypto';
import type { HeardTime } from '../../../kernel/platform/announcements.js';
import { ALL_PUBLISHED } from '../published-versions.js';

/*
 * What lies on disk beside the pages, for a server that starts while the database is away: which page stood at an
 * address, when a change was heard of, and for how long a process has heard of all changes. Times are milliseconds since
 * 1970 that do not follow the clock when it is set.
 */

/** The page that everybody got at an address. */
export interface StoredAddress {
  /** See `versionOfPages`. */
  readonly version: string;
  readonly organizationId: string;
  /** The name of the page on disk, the state that it follows from, and its ETag. */
  readonly page: string;
  readonly state: string;
  readonly etag: string;
  /** The time as of which it was read. */
  readonly at: number;
  /** The number of the process that has written this. */
  readonly writer: number;
}

/** The last change that was heard of. */
export interface HeardChange {
  readonly at: number;
}

/** The present time, also of `moment`, which is of this process as `performance.now()` counts. */
export const timeOf = (moment = performance.now()): number => performance.timeOrigin + moment;

const nameOf = (kind: string, text: string): string => createHash('sha256').update(`${kind} ${text}`).digest('hex');

/** The names on disk: by the key of a request, by the organization or ALL_PUBLISHED, and by the number of the process. */
export const nameOfAddress = (key: string): string => nameOf('address', key);
export const nameOfChange = (organizationId: string): string => nameOf('change', organizationId);
export const nameOfHeard = (writer: number): string => nameOf('heard', String(writer));

/** The names of the changes that concern the page at an address. */
export const namesOfChanges = ({ organizationId }: StoredAddress): string[] =>
  [organizationId, ALL_PUBLISHED].map(nameOfChange);

/** The last time at which the page at an address was known to be current; undefined if it was changed since. */
export function lastKnown(
  { at }: StoredAddress,
  changes: readonly (HeardChange | undefined)[],
  heard: HeardTime | undefined,
): number | undefined {
  if (changes.some((change) => change !== undefined && change.at >= at)) return undefined;
  return heard && heard.since <= at ? Math.max(at, heard.until) : at;
}
