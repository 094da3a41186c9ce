/** Weeks of a pulse: the past three months. */
export const PULSE_WEEKS = 13;

/**
 * The number of issues of a source that began in one week; 0 is the week that ends now, and everything before the pulse
 * is one further week.
 */
export interface WeekOfSource {
  readonly source: string;
  readonly week: number;
  readonly issues: number;
}

/** The number of issues in each of the past weeks, the latest last, and for each source. */
export function pulseOf(weeks: readonly WeekOfSource[]): {
  readonly weeklyPulse: number[];
  readonly sources: Record<string, number>;
} {
  const weeklyPulse = Array.from({ length: PULSE_WEEKS }, () => 0);
  const sources = new Map<string, number>();
  for (const { source, week, issues } of weeks) {
    sources.set(source, (sources.get(source) ?? 0) + issues);
    // Dates in the future count as now.
    const index = PULSE_WEEKS - 1 - Math.max(0, week);
    if (index >= 0) weeklyPulse[index] = (weeklyPulse[index] ?? 0) + issues;
  }
  return { weeklyPulse, sources: Object.fromEntries([...sources].sort(([a], [b]) => (a < b ? -1 : 1))) };
}
