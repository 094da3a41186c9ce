import { ContributionPoint } from '../../kernel/platform/manifest/contribution.js';

/** A kind of object in the common ordered list of an organization or a collection, ordered by (position, id). */
export interface SiblingKind {
  readonly type: 'space' | 'collection';
  /**
   * Selects the columns id and position of the objects under the parent `$2` (null: the root) of the organization `$1`,
   * up to a WHERE to which further conditions are appended with AND.
   */
  readonly listed: string;
  /** Sets the positions `$2` of the ids `$1`. */
  readonly respace: string;
}

/** Further kinds of objects in the lists of collections. */
export const SIBLING_KINDS = new ContributionPoint<SiblingKind>('kinds of siblings');
