import type { Addresses } from '../../kernel/common/addresses.js';
import { Amount, Flag, Free, Id, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { OrderedPageQuery, PageQuery } from '../../kernel/common/page-query.js';
import { versioned } from '../../kernel/common/versioned.js';
import { ConversationBody, DEFAULT_SOURCE, presentConversation, type ConversationRow } from './conversations.schema.js';
import { impactOf, PULSE_WEEKS, pulseOf, RECENT_WEEKS, type WeekOfSource } from './domain/pulse.js';

export const CLUSTER_ORDERS = [
  'updatedAt',
  'issues',
  'conversations',
  'tasksTotal',
  'tasksBacklog',
  'tasksStarted',
] as const;

export class ClustersQuery extends OrderedPageQuery {
  @OneOf(CLUSTER_ORDERS, {
    optional: true,
    default: 'updatedAt',
    description: 'Order of the list. This service makes no tasks: their numbers are 0',
  })
  orderBy: (typeof CLUSTER_ORDERS)[number] = 'updatedAt';
  @Id({ optional: true, description: 'Only clusters of this theme' }) theme?: string;
}

export class IssuesQuery extends PageQuery {
  @Id({ optional: true, description: 'Only issues of this cluster' }) cluster?: string;
  @Id({ optional: true, description: 'Only issues of this conversation' }) conversation?: string;
}

export class UpdateCluster {
  @Text({
    optional: true,
    min: 1,
    max: 100,
    pattern: /\S/,
    patternMessage: 'label must not be blank',
    example: 'PDF export',
  })
  label?: string;
  @Text({ optional: true, max: 1000, example: 'The export to PDF stops or leaves out pages.' }) summary?: string;
  @Text({
    optional: true,
    min: 1,
    max: 50,
    pattern: /^[a-z0-9-]+$/,
    patternMessage: 'icon must be the name of an icon: small letters, digits and hyphens',
    example: 'file-pdf',
  })
  icon?: string;
  @Flag({
    optional: true,
    description:
      'A cluster that was reviewed stays, with its id and what it says. True as well as soon as anything else is given',
  })
  reviewed?: boolean;
}

class ClusterStats {
  @Amount({ min: 0, example: 7 }) issues: number;
  @Amount({ min: 0, example: 5 }) conversations: number;
  @Amount({ min: 0, example: 0 }) tasksTotal: number;
  @Amount({ min: 0, example: 0 }) tasksBacklog: number;
  @Amount({ min: 0, example: 0 }) tasksStarted: number;
  @Amount({ min: 0, example: 0 }) tasksCompleted: number;
  @Amount({ min: 0, example: 0 }) tasksCancelled: number;
}

export class ImpactBody {
  @Amount({
    fractional: true,
    min: 0,
    max: 1,
    example: 0.12,
    description: 'Its share of all issues that are in clusters',
  })
  share: number;
  @Amount({ min: 0, example: 6, description: `Issues of the past ${RECENT_WEEKS} weeks` }) recentIssues: number;
  @Amount({ min: 0, example: 4, description: `Issues of the ${RECENT_WEEKS} weeks before` }) earlierIssues: number;
  @Amount({
    optional: true,
    fractional: true,
    min: -1,
    example: 0.5,
    description:
      'The change from the earlier to the recent weeks: 0.5 is half as many again. Absent without earlier issues',
  })
  growth?: number;
}

class ClusterUrls {
  @Url() location: string;
  @Url() app: string;
}

export class ClusterBody {
  @ObjectName('issues-cluster') object: 'issues-cluster';
  @Id() id: string;
  @Text({ example: 'PDF export' }) label: string;
  @Timestamp() createdAt: string;
  @Timestamp({ description: 'When issues came or went, or what it says was changed' }) updatedAt: string;
  @Text({ max: 50, description: 'The name of an icon', example: 'file-pdf' }) icon: string;
  @Text({ example: 'The export to PDF stops or leaves out pages.' }) summary: string;
  @Amount({
    min: 0,
    list: true,
    minItems: PULSE_WEEKS,
    maxItems: PULSE_WEEKS,
    description: 'Issues of each of the past 13 weeks, the latest last',
    example: [0, 0, 0, 1, 0, 0, 2, 1, 0, 0, 0, 1, 2],
  })
  weeklyPulse: number[];
  @Id({ optional: true, description: 'Its theme, of listConversationsThemes; absent until a rebuild' }) theme?: string;
  @Id({ optional: true, description: 'The cluster that it was merged into; it has no issues then, and is not listed' })
  mergedInto?: string;
  @Flag({ description: 'It was reviewed: it stays, with its id and what it says' }) reviewed: boolean;
  @Free({
    schema: { type: 'object', additionalProperties: { type: 'integer' } },
    description: 'The number of issues from each source',
    example: { [DEFAULT_SOURCE]: 7 },
  })
  sources: Record<string, number>;
  @Nested(() => ClusterStats) stats: ClusterStats;
  @Nested(() => ImpactBody) impact: ImpactBody;
  @Nested(() => ClusterUrls) urls: ClusterUrls;
}

class IssueUrls {
  @Url() location: string;
}

export class IssueBody {
  @ObjectName('conversation-issue') object: 'conversation-issue';
  @Id() id: string;
  @Text({ example: 'The export of our handbook to PDF stops with an error' }) title: string;
  @Text({ example: 'The export of our handbook to PDF stops with an error. What can I do?' }) summary: string;
  @Timestamp({ description: 'When its conversation began' }) createdAt: string;
  @Timestamp({ description: 'When its conversation was ingested' }) ingestedAt: string;
  @Id({ description: 'The conversation that it is from' }) conversation: string;
  @Id({ optional: true, description: 'Its cluster; absent as long as it is like none' }) cluster?: string;
  @Nested(() => IssueUrls) urls: IssueUrls;
}

export class IssueOfConversationBody {
  @Nested(() => IssueBody) issue: IssueBody;
  @Nested(() => ConversationBody) conversation: ConversationBody;
}

/** A row of table issues_cluster with the totals of its issues. */
export interface ClusterRow {
  readonly id: string;
  readonly organizationId: string;
  readonly label: string;
  readonly icon: string;
  readonly summary: string;
  readonly issues: number;
  readonly conversations: number;
  readonly isReviewed: boolean;
  readonly themeId: string | null;
  readonly mergedInto: string | null;
  /** Issues in all clusters of the organization. */
  readonly allIssues: number;
  readonly weeks: readonly WeekOfSource[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly version: number;
}

/** A row of table conversation_issue and its conversation. */
export interface IssueRow {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly clusterId: string | null;
  readonly createdAt: Date;
  readonly ingestedAt: Date;
  readonly conversation: ConversationRow;
}

export function presentCluster(row: ClusterRow, addresses: Addresses): ClusterBody {
  const pulse = pulseOf(row.weeks);
  const tasks = { tasksTotal: 0, tasksBacklog: 0, tasksStarted: 0, tasksCompleted: 0, tasksCancelled: 0 };
  return versioned(
    {
      object: 'issues-cluster',
      id: row.id,
      label: row.label,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      icon: row.icon,
      summary: row.summary,
      ...(row.themeId !== null && { theme: row.themeId }),
      ...(row.mergedInto !== null && { mergedInto: row.mergedInto }),
      reviewed: row.isReviewed,
      ...pulse,
      impact: impactOf(pulse.weeklyPulse, row.issues, row.allIssues),
      stats: { issues: row.issues, conversations: row.conversations, ...tasks },
      urls: {
        location: addresses.location(`/orgs/${row.organizationId}/conversations-clusters/${row.id}`),
        app: addresses.app(`/o/${row.organizationId}/conversations/clusters/${row.id}`),
      },
    },
    row.version,
  );
}

export function presentIssue({ conversation, ...row }: IssueRow, addresses: Addresses): IssueOfConversationBody {
  return {
    issue: {
      object: 'conversation-issue',
      id: row.id,
      title: row.title,
      summary: row.summary,
      createdAt: row.createdAt.toISOString(),
      ingestedAt: row.ingestedAt.toISOString(),
      conversation: conversation.id,
      ...(row.clusterId !== null && { cluster: row.clusterId }),
      urls: { location: addresses.location(`/orgs/${conversation.organizationId}/conversations-issues/${row.id}`) },
    },
    conversation: presentConversation(conversation, addresses),
  };
}
