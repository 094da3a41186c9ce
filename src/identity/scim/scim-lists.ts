import type { Database } from '../../kernel/common/database.js';
import { invalid } from '../../kernel/common/errors.js';
import { comparisonsOf } from './scim-filter.js';
import { MAX_COUNT, type ScimListQuery } from './scim.schema.js';

export type ListRequest = Pick<ScimListQuery, 'filter' | 'startIndex' | 'count'>;

/** A page of a list by offsets, as RFC 7644 has them. */
export interface ScimPage<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  /** From 1. */
  readonly startIndex: number;
}

interface Listing {
  readonly columns: string;
  /** Tables and conditions, with `values` as its parameters. */
  readonly from: string;
  readonly conditions: Readonly<Record<string, (parameter: string) => string>>;
  readonly order: string;
  readonly values: readonly unknown[];
}

/** Lists what a filter finds; throws `invalid` for an attribute that cannot be compared. */
export async function scimPage<Row>(
  database: Database,
  { filter, startIndex = 1, count = MAX_COUNT }: ListRequest,
  { columns, from, conditions, order, values }: Listing,
): Promise<ScimPage<Row>> {
  const parameters = [...values];
  const found = (filter === undefined ? [] : comparisonsOf(filter, 'filter')).map(({ attribute, value }) => {
    const condition = conditions[attribute];
    if (!condition) throw invalid('filter', `can compare ${Object.keys(conditions).join(', ')}`);
    return condition(`$${parameters.push(value)}::text`);
  });
  const matching = [from, ...found].join(' AND ');
  const first = Math.max(startIndex, 1);
  const [totals] = await database.unprepared<{ total: number }>(
    `SELECT count(*)::int AS total FROM ${matching}`,
    parameters,
  );
  const rows = await database.unprepared<Row & Record<string, unknown>>(
    `SELECT ${columns} FROM ${matching} ORDER BY ${order} LIMIT $${parameters.length + 1} OFFSET $${parameters.length + 2}`,
    [...parameters, Math.min(Math.max(count, 0), MAX_COUNT), first - 1],
  );
  return { rows, total: totals?.total ?? 0, startIndex: first };
}
