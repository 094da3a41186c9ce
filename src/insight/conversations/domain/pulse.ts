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

/** Weeks that are compared with as many before them. */
export const RECENT_WEEKS = 4;

/** How much a group of issues matters, and how that changes. */
export interface Impact {
  /** Its share of all issues that are in clusters, from 0 to 1. */
  readonly share: number;
  /** Issues of the recent weeks, and of as many weeks before. */
  readonly recentIssues: number;
  readonly earlierIssues: number;
  /** The change from the earlier to the recent weeks: 0.5 is half as many again; absent without earlier ones. */
  readonly growth?: number;
}

export function impactOf(weeklyPulse: readonly number[], issues: number, all: number): Impact {
  const sum = (weeks: readonly number[]): number => weeks.reduce((total, week) => total + week, 0);
  const recentIssues = sum(weeklyPulse.slice(-RECENT_WEEKS));
  const earlierIssues = sum(weeklyPulse.slice(-2 * RECENT_WEEKS, -RECENT_WEEKS));
  const rounded = (value: number): number => Math.round(value * 1000) / 1000;
  return {
    share: rounded(issues / Math.max(1, all)),
    recentIssues,
    earlierIssues,
    ...(earlierIssues > 0 && { growth: rounded(recentIssues / earlierIssues - 1) }),
  };
}
