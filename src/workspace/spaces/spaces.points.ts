import type { Database } from '../../kernel/common/database.js';
import type { ContributedColumn } from '../../kernel/platform/manifest/contributed-columns.js';
import { ContributionPoint } from '../../kernel/platform/manifest/contribution.js';
import type { SpaceForCaller } from './spaces.schema.js';

/** Columns of a space `s`. */
export const SPACE_COLUMNS = new ContributionPoint<
  ContributedColumn<
    keyof Pick<SpaceForCaller, 'changeRequests' | 'changeRequestsOpen' | 'changeRequestsDraft' | 'gitSync'>
  >
>('columns of a space');

/**
 * Statements that return, as `path`, where the share key `$3` with the hash `$2` gives access to the space `$1` on the
 * public listener.
 */
export const SHARED_PATHS = new ContributionPoint<string>('paths of share keys');

/**
 * The reason why some of these spaces (ids) cannot move to another organization, in words for the caller; undefined if
 * they can.
 */
export const TRANSFER_OBSTACLES = new ContributionPoint<
  (database: Database, spaceIds: readonly string[]) => Promise<string | undefined>
>('obstacles to transfers');

export interface Transferred {
  readonly collections: readonly string[];
  readonly spaces: readonly string[];
  /** The destination organization. */
  readonly to: string;
}

/**
 * Removes everything that connects the objects with the organization that they leave, in the transaction of the
 * transfer and under all locks. Higher modules come first.
 */
export const TRANSFER_LEAVE = new ContributionPoint<(database: Database, things: Transferred) => Promise<unknown>>(
  'what stays behind at a transfer',
);

/**
 * Statements that move rows that refer to the collections `$6` to the organization `$1`: parts of the one statement
 * that moves the collections, since foreign keys with the organization are checked at its end.
 */
export const TRANSFER_CARRY = new ContributionPoint<string>('what goes along at a transfer');
