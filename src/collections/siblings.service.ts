import { Injectable } from '@nestjs/common';
import { Database } from '../common/database.js';
import { invalid } from '../common/errors.js';
import { keyBetween, MAX_KEY_LENGTH, spacedKeys } from '../common/order-key.js';

/** A space or a collection in the list of its parent; spaces and collections share one list. */
interface Sibling {
  readonly kind: 'space' | 'collection';
  readonly id: string;
  readonly position: string;
}

/** Names the neighbour of a new place. */
export type SiblingPointer = { readonly type: 'space'; readonly space: string } | { readonly type: 'collection'; readonly collection: string };

/** A place beside a neighbour; without one it is the end of the list. */
export interface SiblingPosition {
  readonly before?: SiblingPointer;
  readonly after?: SiblingPointer;
}

const LIST = `SELECT kind, id, position FROM (
    SELECT 'space' AS kind, id, position FROM space
     WHERE organization_id = $1 AND collection_id IS NOT DISTINCT FROM $2 AND deleted_at IS NULL
    UNION ALL
    SELECT 'collection', id, position FROM collection WHERE organization_id = $1 AND parent_id IS NOT DISTINCT FROM $2) sibling
  ORDER BY position, id`;

/** Places in the lists of spaces and collections under an organization (parent null) or a collection. */
@Injectable()
export class Siblings {
  constructor(private readonly database: Database) {}

  /**
   * A key at the end of a list. Two callers at once may get the same one: the id decides between them then, so
   * appending takes no lock.
   */
  async append(organizationId: string, parentId: string | null): Promise<string> {
    const row = await this.database.one<{ position: string | null }>(
      `SELECT greatest(
         (SELECT position FROM space WHERE organization_id = $1 AND collection_id IS NOT DISTINCT FROM $2 ORDER BY position DESC LIMIT 1),
         (SELECT position FROM collection WHERE organization_id = $1 AND parent_id IS NOT DISTINCT FROM $2 ORDER BY position DESC LIMIT 1)
       ) AS position`,
      [organizationId, parentId],
    );
    return keyBetween(row?.position ?? undefined, undefined);
  }

  /**
   * A key for a thing that moves into a list, or undefined when it stands there already. Takes the organization's lock,
   * so moves are serialised. Throws `invalid` for a neighbour that is not in the list, with the path of the field.
   */
  async place(organizationId: string, parentId: string | null, moving: string, position: SiblingPosition | undefined): Promise<string | undefined> {
    await this.database.execute('SELECT FROM organization WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
    const list = await this.database.query<Sibling>(LIST, [organizationId, parentId]);
    const others = list.filter(({ id }) => id !== moving);
    const gap = gapOf(others, position, moving);
    if (list.findIndex(({ id }) => id === moving) === gap) return undefined;
    const low = others[gap - 1]?.position;
    const high = others[gap]?.position;
    if (low === undefined || high === undefined || low < high) {
      const key = keyBetween(low, high);
      if (key.length <= MAX_KEY_LENGTH) return key;
    }
    return this.respace(others, gap);
  }

  /** Spreads the whole list anew, leaving one place free at `gap`; gives its key. */
  private async respace(others: readonly Sibling[], gap: number): Promise<string> {
    const keys = spacedKeys(others.length + 1);
    const [own = ''] = keys.splice(gap, 1);
    for (const kind of ['space', 'collection'] as const) {
      const ids = others.map(({ id }) => id);
      await this.database.execute(`UPDATE ${kind} t SET position = row.key FROM unnest($1::text[], $2::text[]) AS row (id, key) WHERE t.id = row.id`, [ids, keys]);
    }
    return own;
  }
}

/** The index in the list before which the moved thing will stand. */
function gapOf(others: readonly Sibling[], position: SiblingPosition | undefined, moving: string): number {
  const index = (pointer: SiblingPointer, field: 'before' | 'after'): number => {
    const id = pointer.type === 'space' ? pointer.space : pointer.collection;
    const found = id === moving ? -1 : others.findIndex((each) => each.kind === pointer.type && each.id === id);
    if (found < 0) throw invalid(`position.${field}`, 'is not in the list of this parent');
    return found;
  };
  const before = position?.before && index(position.before, 'before');
  const after = position?.after && index(position.after, 'after') + 1;
  if (before !== undefined && after !== undefined && before !== after) throw invalid('position', 'before and after are not neighbours');
  return before ?? after ?? others.length;
}
