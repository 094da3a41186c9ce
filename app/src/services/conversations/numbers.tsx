import { Badge } from '@mantine/core';
import { conversationTexts as words } from '../../texts/conversations.js';
import { RowName } from '../../ui/tables.js';
import type { Cluster } from './queries.js';

const [STEP, HEIGHT] = [6, 24];

/** The issues of each of the past weeks as columns. */
export function Pulse({ weeks }: Readonly<{ weeks: readonly number[] }>) {
  const most = Math.max(1, ...weeks);
  return (
    <svg width={weeks.length * STEP} height={HEIGHT} role="img" aria-label={words.pulseOf(weeks)}>
      {weeks.map((count, week) => {
        // A week without issues is seen as one, and not as a gap.
        const height = Math.max(1, Math.round((count / most) * HEIGHT));
        return (
          <rect key={week} x={week * STEP} y={HEIGHT - height} width={STEP - 2} height={height} fill="currentColor" />
        );
      })}
    </svg>
  );
}

/** The change from the four weeks before to the past four. */
export function Growth({ impact }: Pick<Cluster, 'impact'>) {
  const { recentIssues, earlierIssues, growth } = impact;
  if (growth !== undefined)
    return <RowName below={words.weeks(recentIssues, earlierIssues)}>{words.growthOf(growth)}</RowName>;
  return recentIssues > 0 ? <Badge color="violet">{words.isNew}</Badge> : '–';
}
