import { ContributionPoint } from '../../kernel/platform/manifest/contribution.js';

/** A kind of thing that lies in one list with others under an organization or a collection, ordered by (position, id). */
export interface SiblingKind {
  readonly type: 'space' | 'collection';
  /**
   * Selects the columns id and position of those under the parent `$2` (null: the root) of the organization `$1`, up to a
   * WHERE that further conditions follow by AND.
   */
  readonly listed: string;
  /** Gives to the ids `$1` the positions `$2`. */
  readonly respace: string;
}

/** What lies in the lists of collections beside these. */
export const SIBLING_KINDS = new ContributionPoint<SiblingKind>('kinds of siblings');
