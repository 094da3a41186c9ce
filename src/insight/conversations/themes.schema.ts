import type { Addresses } from '../../kernel/common/addresses.js';
import { Amount, Id, Nested, ObjectName, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { ImpactBody } from './issues.schema.js';
import { impactOf, PULSE_WEEKS, pulseOf, type WeekOfSource } from './domain/pulse.js';

/** Clusters of a theme that are shown with it. */
export const MAX_TOPICS = 20;

class TopicStats {
  @Amount({ min: 0, example: 7 }) issues: number;
  @Amount({ min: 0, example: 5 }) conversations: number;
}

class TopicUrls {
  @Url() location: string;
}

/** A cluster, as one of its theme. */
export class TopicBody {
  @Id({ description: 'The cluster' }) id: string;
  @Text({ example: 'PDF export' }) label: string;
  @Text({ max: 50, description: 'The name of an icon', example: 'file-pdf' }) icon: string;
  @Nested(() => TopicStats) stats: TopicStats;
  @Nested(() => TopicUrls) urls: TopicUrls;
}

class ThemeStats extends TopicStats {
  @Amount({ min: 1, example: 3, description: 'Its clusters' }) topics: number;
}

export class ThemeBody {
  @ObjectName('issues-theme') object: 'issues-theme';
  @Id() id: string;
  @Text({ example: 'Exports' }) label: string;
  @Text({ example: 'The export to PDF stops or leaves out pages. How do I export to Word?' }) summary: string;
  @Text({ max: 50, description: 'The name of an icon', example: 'download' }) icon: string;
  @Timestamp() createdAt: string;
  @Timestamp({ description: 'When a rebuild has changed what it says' }) updatedAt: string;
  @Amount({
    min: 0,
    list: true,
    minItems: PULSE_WEEKS,
    maxItems: PULSE_WEEKS,
    description: 'Issues of each of the past 13 weeks, the latest last',
    example: [0, 0, 0, 1, 0, 0, 2, 1, 0, 0, 0, 1, 2],
  })
  weeklyPulse: number[];
  @Nested(() => ThemeStats) stats: ThemeStats;
  @Nested(() => ImpactBody) impact: ImpactBody;
  @Nested(() => TopicBody, {
    list: true,
    maxItems: MAX_TOPICS,
    description: `Its clusters with the most issues, at most ${MAX_TOPICS}; all of them are listed by listConversationsIssuesClusters`,
  })
  topics: TopicBody[];
  @Nested(() => TopicUrls) urls: TopicUrls;
}

/** A row of table issues_theme with the totals of its clusters. */
export interface ThemeRow {
  readonly id: string;
  readonly organizationId: string;
  readonly label: string;
  readonly icon: string;
  readonly summary: string;
  readonly issues: number;
  readonly allIssues: number;
  readonly conversations: number;
  readonly topicCount: number;
  readonly topics: readonly {
    readonly id: string;
    readonly label: string;
    readonly icon: string;
    readonly issues: number;
    readonly conversations: number;
  }[];
  readonly weeks: readonly WeekOfSource[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export function presentTheme(row: ThemeRow, addresses: Addresses): ThemeBody {
  const { weeklyPulse } = pulseOf(row.weeks);
  const organization = `/orgs/${row.organizationId}`;
  return {
    object: 'issues-theme',
    id: row.id,
    label: row.label,
    summary: row.summary,
    icon: row.icon,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    weeklyPulse,
    impact: impactOf(weeklyPulse, row.issues, row.allIssues),
    stats: { issues: row.issues, conversations: row.conversations, topics: row.topicCount },
    topics: row.topics.map(({ id, label, icon, issues, conversations }) => ({
      id,
      label,
      icon,
      stats: { issues, conversations },
      urls: { location: addresses.location(`${organization}/conversations-clusters/${id}`) },
    })),
    urls: { location: addresses.location(`${organization}/conversations-themes/${row.id}`) },
  };
}
