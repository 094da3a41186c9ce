import type { ColumnType, DataSource } from 'typeorm';

/** The 64-bit number of a transaction (https://www.postgresql.org/docs/current/functions-info.html), which TypeORM does not know. */
export const XID8 = 'xid8' as unknown as ColumnType;

/** Lets entities of a data source have columns of types that TypeORM does not know. To be called before it is initialized. */
export function withOwnTypes(source: DataSource): DataSource {
  source.driver.supportedDataTypes.push(XID8);
  return source;
}
