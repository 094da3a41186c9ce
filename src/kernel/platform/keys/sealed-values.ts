import { Injectable } from '@nestjs/common';
import { Database } from '../../common/database.js';
import { SEALED_MARK, SEALED_PREFIX_LENGTH, sealedKeyId, Secrets } from '../../common/secrets.js';
import { Registry } from '../manifest/registry.js';
import { Outbox } from '../outbox.js';
import { ORGANIZATIONS_OF_ROWS } from './keys.points.js';

/** Rows of one step: few enough that its locks delay no one. */
const BATCH = 100;

/** A column of the type `sealed`; names are quoted for SQL. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The only column of the primary key. */
  readonly key: string;
  readonly nullable: boolean;
}

interface SealedRow {
  readonly id: string;
  readonly sealed: Buffer;
}

/** The number of values of a column that one key sealed; the key '' stands for those from before keys had ids. */
export interface SealedCount {
  readonly table: string;
  readonly key: string;
  readonly count: number;
}

/**
 * All values that are encrypted in the database permanently, found in the catalogue by their type. Responses stored for
 * repeated requests are excluded: they expire within a day, and none is missed if it cannot be read.
 */
@Injectable()
export class SealedValues {
  /** The organization of a row `t` of any table: its own, or that of the object that it names. */
  private readonly organization: string;

  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly outbox: Outbox,
    registry: Registry,
  ) {
    const row = 'to_jsonb(t)';
    const things = registry.contributionsTo(ORGANIZATIONS_OF_ROWS).map((organizationOf) => organizationOf(row));
    this.organization = `coalesce(${[`${row} ->> 'organization_id'`, ...things].join(', ')})`;
  }

  async columns(): Promise<SealedColumn[]> {
    const columns = await this.database.query<SealedColumn & Record<string, unknown>>(
      `SELECT c.oid::regclass::text AS table, quote_ident(a.attname) AS column, NOT a.attnotnull AS nullable,
              (SELECT quote_ident(k.attname) FROM pg_index i JOIN pg_attribute k ON k.attrelid = i.indrelid AND k.attnum = i.indkey[0]
                WHERE i.indrelid = c.oid AND i.indisprimary AND i.indnatts = 1 AND k.atttypid = 'text'::regtype) AS key
         FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE a.atttypid = 'sealed'::regtype AND NOT a.attisdropped AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
        ORDER BY 1, 2`,
    );
    const odd = columns.find(({ key }) => (key as string | null) === null);
    if (odd) throw new Error(`${odd.table} has a sealed column, but no primary key of one text column`);
    return columns;
  }

  /** Counts sealed values by key, in one statement. */
  async counts(): Promise<SealedCount[]> {
    const parts = (await this.columns()).map(
      ({
        table,
        column,
      }) => `SELECT '${table}' AS table, CASE WHEN substring(${column} FROM 1 FOR $1) = $2 THEN encode(substring(${column} FROM $1 + 1 FOR $3), 'hex') ELSE '' END AS key
                                FROM ${table} WHERE ${column} IS NOT NULL`,
    );
    return this.database.query<SealedCount & Record<string, unknown>>(
      `SELECT "table", key, count(*)::int AS count FROM (${parts.join(' UNION ALL ')}) found GROUP BY 1, 2 ORDER BY 1, 2`,
      [SEALED_MARK.length, SEALED_MARK, SEALED_PREFIX_LENGTH - SEALED_MARK.length],
    );
  }

  /** Values that no configured key opens, by table and key. */
  async unreadable(): Promise<SealedCount[]> {
    const found = new Map<string, SealedCount>();
    await this.walk(async ({ table }, rows) => {
      for (const { sealed } of rows) {
        if (this.secrets.tryDecrypt(sealed) !== undefined) continue;
        const key = sealedKeyId(sealed);
        const count = (found.get(`${table} ${key}`)?.count ?? 0) + 1;
        found.set(`${table} ${key}`, { table, key, count });
      }
    });
    return [...found.values()];
  }

  /**
   * Reseals values with the first key, in atomic steps: all, or those of some keys. Concurrent changes are kept.
   * Returns the number of values; unreadable ones stay.
   */
  async reseal({
    of,
    signal,
  }: { readonly of?: ReadonlySet<string>; readonly signal?: AbortSignal } = {}): Promise<number> {
    let resealed = 0;
    await this.walk(async ({ table, column, key }, rows) => {
      signal?.throwIfAborted();
      const made = rows.flatMap(({ id, sealed }) => {
        const plain = of === undefined || of.has(sealedKeyId(sealed)) ? this.secrets.tryDecrypt(sealed) : undefined;
        return plain === undefined ? [] : [{ id, sealed, anew: this.secrets.encrypt(plain) }];
      });
      if (made.length === 0) return;
      resealed += await this.database.transaction(() =>
        this.database.execute(
          `UPDATE ${table} t SET ${column} = made.anew FROM unnest($1::text[], $2::bytea[], $3::bytea[]) AS made (id, before, anew)
            WHERE t.${key} = made.id AND t.${column} = made.before`,
          [made.map(({ id }) => id), made.map(({ sealed }) => sealed), made.map(({ anew }) => anew)],
        ),
      );
    });
    return resealed;
  }

  /**
   * Discards values that no configured key opens, and notifies the organizations: clears the value if the column is
   * nullable, otherwise deletes the row. Returns their number.
   */
  async discardUnreadable(): Promise<number> {
    let discarded = 0;
    await this.walk(async (column, rows) => {
      const lost = rows.filter(({ sealed }) => this.secrets.tryDecrypt(sealed) === undefined);
      if (lost.length > 0) discarded += await this.database.transaction(() => this.discard(column, lost));
    });
    return discarded;
  }

  private async discard({ table, column, key, nullable }: SealedColumn, lost: readonly SealedRow[]): Promise<number> {
    const change = nullable ? `UPDATE ${table} t SET ${column} = NULL` : `DELETE FROM ${table} t`;
    const gone = await this.database.query<{ id: string; organizationId: string }>(
      `${change} WHERE t.${key} = ANY ($1) AND t.${column} = ANY ($2) RETURNING t.${key} AS id, ${this.organization} AS "organizationId"`,
      [lost.map(({ id }) => id), lost.map(({ sealed }) => sealed)],
    );
    for (const organizationId of new Set(gone.map((row) => row.organizationId))) {
      const ids = gone.filter((row) => row.organizationId === organizationId).map(({ id }) => id);
      await this.outbox.record({
        type: 'secrets_discarded',
        organizationId,
        target: organizationId,
        payload: { table, ids },
      });
    }
    return gone.length;
  }

  /** Visits every value that is not sealed with the first key, a few rows at a time. */
  private async walk(visit: (column: SealedColumn, rows: readonly SealedRow[]) => Promise<void>): Promise<void> {
    for (const column of await this.columns()) {
      for (let last: string | undefined = ''; last !== undefined;) {
        const rows: readonly SealedRow[] = await this.database.query<SealedRow & Record<string, unknown>>(
          `SELECT ${column.key} AS id, ${column.column} AS sealed FROM ${column.table}
            WHERE ${column.key} > $1 AND ${column.column} IS NOT NULL AND substring(${column.column} FROM 1 FOR $2) <> $3 ORDER BY ${column.key} LIMIT $4`,
          [last, SEALED_PREFIX_LENGTH, this.secrets.sealedPrefix, BATCH],
        );
        await visit(column, rows);
        last = rows.length < BATCH ? undefined : rows.at(-1)?.id;
      }
    }
  }
}
