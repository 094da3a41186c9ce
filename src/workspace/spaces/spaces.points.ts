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

/** Statements that give, as `path`, where on the public listener the share key `$3` with the hash `$2` opens the space `$1`. */
export const SHARED_PATHS = new ContributionPoint<string>('paths of share keys');

/** Why some of these spaces (ids) cannot go to another organization, in words for whoever asks for it; undefined where nothing holds them. */
export const TRANSFER_OBSTACLES = new ContributionPoint<
  (database: Database, spaceIds: readonly string[]) => Promise<string | undefined>
>('obstacles to transfers');

export interface Transferred {
  readonly collections: readonly string[];
  readonly spaces: readonly string[];
  /** The organization that they go to. */
  readonly to: string;
}

/**
 * Drops what ties things to the organization that they leave, in the transaction of the transfer and under the locks of all of
 * them. Modules above come first.
 */
export const TRANSFER_LEAVE = new ContributionPoint<(database: Database, things: Transferred) => Promise<unknown>>(
  'what stays behind at a transfer',
);

/**
 * Statements that put what refers to the collections `$6` into the organization `$1`: parts of the one statement that puts the
 * collections there, since foreign keys that name the organization are checked at its end.
 */
export const TRANSFER_CARRY = new ContributionPoint<string>('what goes along at a transfer');
