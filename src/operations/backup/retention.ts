const DAY_MS = 86_400_000;
/** 1970-01-01 was a Thursday, three days after a Monday. */
const DAYS_SINCE_MONDAY = 3;

/** How many backups are kept: of the newest, of days and of weeks that have one. */
export interface RetentionPolicy {
  readonly last: number;
  readonly daily: number;
  readonly weekly: number;
}

/** The backups that a policy keeps: the newest of each of so many days and weeks (UTC), and the newest of all in any case. */
export function keptBackups<Backup extends { readonly at: Date }>(
  backups: readonly Backup[],
  { last, daily, weekly }: RetentionPolicy,
): Set<Backup> {
  const newestFirst = backups.toSorted((one, other) => other.at.getTime() - one.at.getTime());
  const day = ({ at }: Backup): number => Math.floor(at.getTime() / DAY_MS);
  return new Set([
    ...newestFirst.slice(0, Math.max(1, last)),
    ...newestOfEach(newestFirst, day, daily),
    ...newestOfEach(newestFirst, (each) => Math.floor((day(each) + DAYS_SINCE_MONDAY) / 7), weekly),
  ]);
}

function newestOfEach<Backup>(
  newestFirst: readonly Backup[],
  periodOf: (each: Backup) => number,
  most: number,
): Backup[] {
  const periods = new Map<number, Backup>();
  for (const each of newestFirst) if (!periods.has(periodOf(each))) periods.set(periodOf(each), each);
  return [...periods.values()].slice(0, most);
}
