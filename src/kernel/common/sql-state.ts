/** The SQLSTATE of an error that came from PostgreSQL, directly or through TypeORM. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const own = (error as { code?: unknown }).code;
  if (typeof own === 'string' && /^[0-9A-Z]{5}$/.test(own)) return own;
  return sqlState((error as { driverError?: unknown }).driverError);
}
