/**
 * SQL for the time of the database, some seconds from now. Decisions about which server may do something, and when, use
 * this time, because the clocks of servers differ. A column of the type timestamptz(3) would round it up and make work
 * due a moment later.
 */
export function databaseTime(afterSeconds = '0'): string {
  return afterSeconds === '0'
    ? `date_trunc('milliseconds', now())`
    : `date_trunc('milliseconds', now() + ${afterSeconds} * interval '1 second')`;
}
