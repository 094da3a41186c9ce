import type { Database } from './database.js';

/** Ranges of an allow list, which bounds the cost of every request that is compared with them. */
export const MAX_IP_RANGES = 100;

/**
 * The condition under which the list of ranges of a row lets an address in: an empty list lets in all, and an address of
 * null, that of no request, is not compared. Both arguments are expressions of a statement.
 */
export const admitsAddress = (row: string, address: string): string =>
  `(${row}.ip_allow_list = '{}' OR ${address}::inet IS NULL OR ${address}::inet <<= ANY (${row}.ip_allow_list))`;

export interface IpRanges {
  /** As PostgreSQL writes them, in order and without repetition; a single address is the range of it alone. */
  readonly ranges: string[];
  /** Tells whether the ranges contain an address. */
  readonly admits: boolean;
}

/** Reads valid ranges as they are stored. */
export async function readIpRanges(
  database: Database,
  given: readonly string[],
  address: string | null,
): Promise<IpRanges> {
  const row = await database.one<{ ranges: string[]; admits: boolean }>(
    `SELECT coalesce(array_agg(r.range::text ORDER BY r.range), '{}') AS ranges, coalesce(bool_or($2::inet <<= r.range), false) AS admits
       FROM (SELECT DISTINCT network(given::inet) AS range FROM unnest($1::text[]) given) r`,
    [given, address],
  );
  return row ?? { ranges: [], admits: false };
}
