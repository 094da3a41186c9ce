import type { ColumnType, DataSource } from 'typeorm';

/** The 64-bit number of a transaction (https://www.postgresql.org/docs/current/functions-info.html), which TypeORM does not know. */
export const XID8 = 'xid8' as unknown as ColumnType;

/**
 * Allows entities of a data source to have columns of types that TypeORM does not know. Must be called before the data
 * source is initialized.
 */
export function withOwnTypes(source: DataSource): DataSource {
  source.driver.supportedDataTypes.push(XID8);
  return source;
}
