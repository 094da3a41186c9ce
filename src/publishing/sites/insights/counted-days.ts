import { invalid } from '../../../kernel/common/errors.js';

const DAY = 24 * 3600 * 1000;
const DAYS = 30;

/** The range of days that a list of counts is asked for: the last 30 of them unless it says so. Throws `invalid` for one that ends before it begins. */
export function countedDays(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: Date,
): { readonly start: Date; readonly end: Date } {
  const end = to === undefined ? now : new Date(to);
  const start = from === undefined ? new Date(end.getTime() - DAYS * DAY) : new Date(from);
  if (start > end) throw invalid('to', 'must not come before `from`');
  return { start, end };
}
