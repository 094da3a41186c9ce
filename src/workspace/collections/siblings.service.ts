import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import { invalid } from '../../kernel/common/errors.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { SIBLING_KINDS, type SiblingKind } from './collections.points.js';
import { keyBetween, MAX_KEY_LENGTH, spacedKeys } from '../../kernel/common/order-key.js';

/** A space or a collection in the list of its parent; spaces and collections share one list, ordered by (position, id). */
interface Sibling {
  readonly id: string;
  readonly position: string;
}

/** Names the neighbour of a new position. */
export type SiblingPointer =
  { readonly type: 'space'; readonly space: string } | { readonly type: 'collection'; readonly collection: string };

/** A position beside a neighbour; the end of the list without one. */
export interface SiblingPosition {
  readonly before?: SiblingPointer;
  readonly after?: SiblingPointer;
}

interface Gap {
  readonly low: Sibling | undefined;
  readonly high: Sibling | undefined;
}

/** The error for a neighbour that is not in the list, or not visible. */
export const noNeighbour = (field: 'before' | 'after') =>
  invalid(`position.${field}`, 'is not in the list of this parent');

const COLLECTIONS: SiblingKind = {
  type: 'collection',
  listed: 'SELECT id, position FROM collection WHERE organization_id = $1 AND parent_id IS NOT DISTINCT FROM $2',
  respace:
    'UPDATE collection t SET position = row.key FROM unnest($1::text[], $2::text[]) AS row (id, key) WHERE t.id = row.id',
};

/**
 * The list of a parent ($1 organization, $2 parent) without one object ($3), restricted by `where`; each kind by its
 * index.
 */
function listed(kinds: readonly SiblingKind[], where: string, order: 'ASC' | 'DESC', limit: string): string {
  const tail = `AND id <> $3 AND ${where} ORDER BY position ${order}, id ${order} ${limit}`;
  return `SELECT id, position FROM (${kinds.map((kind) => `(${kind.listed} ${tail})`).join(' UNION ALL ')}) sibling
    ORDER BY position ${order}, id ${order} ${limit}`;
}

function statementsOf(kinds: readonly SiblingKind[]) {
  return {
    all: listed(kinds, 'true', 'ASC', ''),
    last: listed(kinds, 'true', 'DESC', 'LIMIT 1'),
    next: listed(kinds, '(position, id) > ($4, $5)', 'ASC', 'LIMIT 1'),
    previous: listed(kinds, '(position, id) < ($4, $5)', 'DESC', 'LIMIT 1'),
    /** Tells whether $3 is between the neighbours ($4, $5) and ($6, $7), if there are any. */
    stands: `SELECT FROM (${kinds.map((kind) => `${kind.listed} AND id = $3`).join(' UNION ALL ')}) own
      WHERE ($4::text IS NULL OR (position, id) > ($4, $5)) AND ($6::text IS NULL OR (position, id) < ($6, $7))`,
  };
}

/** Positions in the lists of spaces and collections under an organization (parent null) or a collection. */
@Injectable()
export class Siblings {
  private readonly kinds: readonly SiblingKind[];
  private readonly statements: ReturnType<typeof statementsOf>;

  constructor(
    private readonly database: Database,
    registry: Registry,
  ) {
    this.kinds = [...registry.contributionsTo(SIBLING_KINDS), COLLECTIONS];
    this.statements = statementsOf(this.kinds);
  }

  /**
   * Returns a key at the end of a list. Two concurrent callers may get the same one: the id then determines the order,
   * so appending takes no lock.
   */
  async append(organizationId: string, parentId: string | null): Promise<string> {
    const last = await this.database.one<Sibling>(this.statements.last, [organizationId, parentId, '']);
    return keyBetween(last?.position, undefined);
  }

  /**
   * Returns a key for an object that moves into a list, or undefined if it is there already. Takes the organization's
   * lock, so moves are serialized. Throws `invalid` for a neighbour that is not in the list, with the path of the
   * field.
   */
  async place(
    organizationId: string,
    parentId: string | null,
    moving: string,
    position: SiblingPosition | undefined,
  ): Promise<string | undefined> {
    await this.database.execute('SELECT FROM organization WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
    const list = [organizationId, parentId, moving];
    const gap = await this.gap(list, position);
    if (await this.stands(list, gap)) return undefined;
    if (gap.low === undefined || gap.high === undefined || gap.low.position < gap.high.position) {
      const key = keyBetween(gap.low?.position, gap.high?.position);
      if (key.length <= MAX_KEY_LENGTH) return key;
    }
    return this.respace(list, gap);
  }

  private async gap(list: readonly unknown[], position: SiblingPosition | undefined): Promise<Gap> {
    const high = position?.before && (await this.anchor(list, position.before, 'before'));
    const low = position?.after && (await this.anchor(list, position.after, 'after'));
    if (low) {
      const next = await this.database.one<Sibling>(this.statements.next, [...list, low.position, low.id]);
      if (high && next?.id !== high.id) throw invalid('position', 'before and after are not neighbours in this order');
      return { low, high: next };
    }
    if (high)
      return {
        low: await this.database.one<Sibling>(this.statements.previous, [...list, high.position, high.id]),
        high,
      };
    return { low: await this.database.one<Sibling>(this.statements.last, list), high: undefined };
  }

  private async anchor(list: readonly unknown[], pointer: SiblingPointer, field: 'before' | 'after'): Promise<Sibling> {
    const kind = this.kinds.find(({ type }) => type === pointer.type);
    if (!kind) throw noNeighbour(field);
    const row = await this.database.one<Sibling>(`${kind.listed} AND id <> $3 AND id = $4`, [
      ...list,
      pointer.type === 'space' ? pointer.space : pointer.collection,
    ]);
    if (!row) throw noNeighbour(field);
    return row;
  }

  /** Tells whether the moving object is already in this list, at this position. */
  private async stands([organizationId, parentId, moving]: readonly unknown[], { low, high }: Gap): Promise<boolean> {
    const row = await this.database.one(this.statements.stands, [
      organizationId,
      parentId,
      moving,
      low?.position ?? null,
      low?.id ?? null,
      high?.position ?? null,
      high?.id ?? null,
    ]);
    return row !== undefined;
  }

  /** Re-spaces the whole list with one free position in the gap; returns its key. */
  private async respace(list: readonly unknown[], { low }: Gap): Promise<string> {
    const others = await this.database.query<Sibling>(this.statements.all, list);
    const keys = spacedKeys(others.length + 1);
    const [own = ''] = keys.splice(low ? others.findIndex(({ id }) => id === low.id) + 1 : 0, 1);
    const ids = others.map(({ id }) => id);
    for (const { respace } of this.kinds) await this.database.execute(respace, [ids, keys]);
    return own;
  }
}
