/**
 * SQL for the time of the database, some seconds from now: what decides which server may do what, and when, comes from here, because the
 * clocks of servers differ. A column of the type timestamptz(3) would round it up, so that what is due now would be due a moment later.
 */
export function databaseTime(afterSeconds = '0'): string {
  return afterSeconds === '0'
    ? `date_trunc('milliseconds', now())`
    : `date_trunc('milliseconds', now() + ${afterSeconds} * interval '1 second')`;
}
