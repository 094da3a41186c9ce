import type { Addresses } from '../../kernel/common/addresses.js';
import { Amount, Id, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { PageQuery } from '../../kernel/common/page-query.js';

export const DECISION_KINDS = ['merge', 'split'] as const;
/** Issues that one request can split off. */
const MOST_ISSUES = 1000;

export class DecisionsQuery extends PageQuery {
  @Id({ optional: true, description: 'Only decisions about this cluster' }) cluster?: string;
}

export class MergeClusters {
  @Id({ description: 'The cluster whose issues come here; it is not listed any more' }) cluster: string;
}

export class SplitCluster {
  @Id({ list: true, minItems: 1, maxItems: MOST_ISSUES, description: 'Issues of the cluster, not all of them' })
  issues: string[];
  @Text({
    optional: true,
    min: 1,
    max: 100,
    pattern: /\S/,
    patternMessage: 'label must not be blank',
    example: 'Export to Word',
    description: 'The label of the new cluster, which counts as reviewed then; without it, the next rebuild finds one',
  })
  label?: string;
}

class DecisionUrls {
  @Url() location: string;
}

export class DecisionBody {
  @ObjectName('issues-decision') object: 'issues-decision';
  @Id() id: string;
  @OneOf(DECISION_KINDS, { description: '`merge`: two clusters are one; `split`: issues are a cluster of their own' })
  kind: (typeof DECISION_KINDS)[number];
  @Id({ description: 'The cluster that took the issues: that which stays after a merge, or the new one of a split' })
  cluster: string;
  @Id({ description: 'The cluster that the issues were taken from' }) other: string;
  @Text({ example: 'Export to Word', description: 'The label of that cluster' }) otherLabel: string;
  @Amount({ min: 0, example: 4, description: 'Issues that it has moved and that are still there' }) issues: number;
  @Timestamp() createdAt: string;
  @Nested(() => DecisionUrls) urls: DecisionUrls;
}

/** A row of table issues_decision with the number of issues that it has moved. */
export interface DecisionRow {
  readonly id: string;
  readonly organizationId: string;
  readonly kind: (typeof DECISION_KINDS)[number];
  readonly clusterId: string;
  readonly otherId: string;
  readonly otherLabel: string;
  readonly issues: number;
  readonly createdAt: Date;
}

export function presentDecision(row: DecisionRow, addresses: Addresses): DecisionBody {
  return {
    object: 'issues-decision',
    id: row.id,
    kind: row.kind,
    cluster: row.clusterId,
    other: row.otherId,
    otherLabel: row.otherLabel,
    issues: row.issues,
    createdAt: row.createdAt.toISOString(),
    urls: { location: addresses.location(`/orgs/${row.organizationId}/conversations-decisions/${row.id}`) },
  };
}
