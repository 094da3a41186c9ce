import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { Database } from './database.js';
import { invalid } from './errors.js';
import { Secrets } from './secrets.js';

const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 1000;
/** Maximum size of the rows of one page in bytes, for lists that know the size of their rows. */
const MAX_BYTES = 4_000_000;

/** The paging parameters of a request: the token of an earlier page and the size of this one. */
export interface PageRequest {
  readonly page?: string;
  readonly limit?: number;
}

/** One page of a list; `count` is the total that the caller may see, `next` the token of the next page. */
export class Page<Item> {
  constructor(
    readonly items: readonly Item[],
    readonly count: number,
    readonly next: string | undefined,
    readonly extra: Readonly<Record<string, unknown>> = {},
    /** Makes the token of the page that follows the item at an index. */
    private readonly after?: (index: number) => string,
  ) {}

  map<Other>(present: (item: Item) => Other): Page<Other> {
    return new Page(this.items.map(present), this.count, this.next, this.extra, this.after);
  }

  /** Its first items; the next page begins with the rest. */
  first(length: number): Page<Item> {
    if (length >= this.items.length || !this.after) return this;
    return new Page(this.items.slice(0, length), this.count, this.after(length - 1), this.extra);
  }

  /** The same page with other items: for presenters that load embedded objects for all items at once. */
  with<Other>(items: readonly Other[], extra: Readonly<Record<string, unknown>> = this.extra): Page<Other> {
    return new Page(items, this.count, this.next, extra);
  }
}

/** One column of the sort order of a list; the last one must be unique. */
export interface SortKey {
  readonly expression: string;
  readonly type: 'text' | 'timestamptz' | 'integer' | 'bigint' | 'numeric';
}

export interface ListStatement {
  /** The list and its filters: a token of one list is refused by another. */
  readonly scope: readonly unknown[];
  readonly select: string;
  /** From `FROM` to the end of `WHERE`, with `$1`… for `values`. */
  readonly from: string;
  readonly values: readonly unknown[];
  /**
   * A statement that returns the total as `count` without counting rows; it takes `values` too. Further columns of its
   * row describe the whole list and are added to every page.
   */
  readonly count?: string;
  /** Bytes that a row adds to the response, for lists of large rows: their pages end before they become too large. */
  readonly bytes?: string;
  /** The first page counts the rows that it reads: best if all rows have to be read anyway, as for a ranking. */
  readonly countsItself?: boolean;
  readonly order: readonly SortKey[];
  readonly direction: 'asc' | 'desc';
}

/** A list whose items are all in memory. */
export interface KnownList<Item> {
  /** The list and its filters, as of a `ListStatement`. */
  readonly scope: readonly unknown[];
  readonly items: readonly Item[];
  /** The sort keys of an item: as many for all, of the same types, together unique. */
  readonly keys: (item: Item) => readonly SortValue[];
  readonly direction: 'asc' | 'desc';
}

/** Texts are compared by their UTF-16 code units. */
type SortValue = string | number;

interface Cursor {
  readonly keys: readonly (string | number | null)[];
  readonly count: number;
  /** Further columns of the statement that counts. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Keyset paging for every list of the service, over any SELECT. */
@Injectable()
export class Pages {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /**
   * Returns one page of a list, in one query (two on the first page, where a statement of its own counts). Rows
   * that exist throughout appear exactly once while others are added and removed. Sort keys must not be null. Throws
   * `invalid` for a token that was tampered with or belongs to another list.
   */
  async list<Row extends QueryResultRow>(request: PageRequest, statement: ListStatement): Promise<Page<Row>> {
    const limit = request.limit ?? DEFAULT_LIMIT;
    const cursor = request.page === undefined ? undefined : this.open(request.page, statement.scope);
    const counting = cursor === undefined && limit > 0 ? countOf(statement) : undefined;
    const counted = counting === undefined ? (cursor ?? (await this.count(statement))) : undefined;
    const extra = counted?.extra ?? {};
    if (limit === 0) return new Page<Row>([], counted?.count ?? 0, undefined, extra);

    const values = [...statement.values];
    const keys = statement.order.map((key, index) => `${castOut(key)} AS sort_key_${index}`);
    const direction = statement.direction.toUpperCase();
    let after = '';
    if (cursor) {
      const given = statement.order.map((key, index) => {
        values.push(cursor.keys[index]);
        return `$${values.length}::${key.type}`;
      });
      const compare = statement.direction === 'asc' ? '>' : '<';
      after = ` AND (${statement.order.map((key) => key.expression).join(', ')}) ${compare} (${given.join(', ')})`;
    }
    values.push(limit + 1);
    const order = statement.order.map((key) => `${key.expression} ${direction}`).join(', ');
    const measured = measurement(statement.bytes, order);
    // The planner does not know the parameter: the constant tells it that no list returns more than this.
    const rows = await this.database.query<Row & Record<string, string | number>>(
      `SELECT * FROM (
         SELECT ${statement.select}, ${keys.join(', ')}${counting === undefined ? '' : `, ${counting} AS total_count`}${measured.columns} ${statement.from}${after}
          ${measured.window} ORDER BY ${order} LIMIT ${MAX_LIMIT + 1}) page
        ${measured.where} LIMIT $${values.length}`,
      values,
    );
    const count = counted?.count ?? Number(rows[0]?.['total_count'] ?? 0);
    const tokenAfter = (index: number): string => {
      const row: Record<string, string | number | null> = rows[index] ?? {};
      return this.token(
        { keys: statement.order.map((_, i) => row[`sort_key_${i}`] ?? null), count, extra },
        statement.scope,
      );
    };
    // The row that makes the page too large is fetched too, and shows that there is another page.
    const large = rows.findIndex((row, index) => index > 0 && Number(row['page_bytes'] ?? 0) > MAX_BYTES);
    const length = large > 0 ? Math.min(large, limit) : limit;
    return new Page<Row>(
      rows.slice(0, length),
      count,
      rows.length > length ? tokenAfter(length - 1) : undefined,
      extra,
      tokenAfter,
    );
  }

  /** Returns one page of a list whose items are known: the same paging as `list`, without a statement. */
  ofKnown<Item>(request: PageRequest, { scope, items, keys, direction }: KnownList<Item>): Page<Item> {
    const limit = request.limit ?? DEFAULT_LIMIT;
    const cursor = request.page === undefined ? undefined : this.open(request.page, scope);
    const compare = (one: Cursor['keys'], other: Cursor['keys']): number =>
      direction === 'asc' ? compareKeys(one, other) : compareKeys(other, one);
    const rows = items
      .map((item) => ({ item, keys: keys(item) }))
      .filter((row) => !cursor || compare(row.keys, cursor.keys) > 0)
      .sort((one, other) => compare(one.keys, other.keys));
    const count = cursor?.count ?? items.length;
    const tokenAfter = (index: number): string =>
      this.token({ keys: rows[index]?.keys ?? [], count, extra: {} }, scope);
    return new Page(
      rows.slice(0, limit).map(({ item }) => item),
      count,
      limit > 0 && rows.length > limit ? tokenAfter(limit - 1) : undefined,
      {},
      tokenAfter,
    );
  }

  /** A signed, opaque token for a position in the list that `scope` names. */
  private token({ keys, count, extra }: Cursor, scope: readonly unknown[]): string {
    const body = Buffer.from(
      JSON.stringify([fingerprint(scope), count, keys, ...(Object.keys(extra).length > 0 ? [extra] : [])]),
    ).toString('base64url');
    return `${body}.${this.secrets.sign('page-token', body)}`;
  }

  /** Decodes the position of a token; throws `invalid` if it is not one of this list. */
  private open(token: string, scope: readonly unknown[]): Cursor {
    const [body = '', signature = '', ...rest] = token.split('.');
    if (rest.length > 0 || !this.secrets.verify('page-token', body, signature)) {
      throw invalid('page', 'is not a token of this service');
    }
    const [owner, count, keys, extra = {}] = JSON.parse(Buffer.from(body, 'base64url').toString()) as [
      string,
      number,
      (string | number | null)[],
      Record<string, unknown>?,
    ];
    if (owner !== fingerprint(scope)) throw invalid('page', 'belongs to a list with other filters');
    return { keys, count, extra };
  }

  private async count(statement: ListStatement): Promise<Omit<Cursor, 'keys'>> {
    const row = await this.database.one<{ count: string }>(
      statement.count ?? `SELECT count(*) AS count ${statement.from}`,
      statement.values,
    );
    const { count = 0, ...extra } = row ?? {};
    return { count: Number(count), extra };
  }
}

/** The column in which the rows of a page have the total themselves; undefined where a statement of its own counts. */
function countOf({ countsItself, count, from }: ListStatement): string | undefined {
  if (countsItself === true) return 'count(*) OVER ()';
  return count === undefined ? `(SELECT count(*) ${from})` : undefined;
}

function compareKeys(one: Cursor['keys'], other: Cursor['keys']): number {
  const at = one.findIndex((key, index) => key !== other[index]);
  if (at < 0) return 0;
  return (one[at] ?? 0) < (other[at] ?? 0) ? -1 : 1;
}

/** The parts of a statement that end a page at the row that makes it too large; a page has at least one row. */
function measurement(
  bytes: string | undefined,
  order: string,
): { readonly columns: string; readonly window: string; readonly where: string } {
  if (bytes === undefined) return { columns: '', window: '', where: '' };
  return {
    columns: `, sum(${bytes}) OVER sofar AS page_bytes, sum(${bytes}) OVER sofar - ${bytes} AS bytes_before, row_number() OVER sofar AS page_row`,
    window: `WINDOW sofar AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)`,
    where: `WHERE bytes_before <= ${MAX_BYTES} OR page_row <= 2`,
  };
}

function castOut(key: SortKey): string {
  return key.type === 'timestamptz'
    ? `to_char(${key.expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : key.expression;
}

function fingerprint(scope: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(scope)).digest('base64url').slice(0, 12);
}
