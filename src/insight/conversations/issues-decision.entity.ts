import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A decision of people about clusters, which every rebuild keeps. */
@OrganizationTable()
@Entity('issues_decision')
@ForeignKey('Organization', ['organizationId'], ['id'], {
  name: 'issues_decision_organization_fk',
  onDelete: 'CASCADE',
})
@ForeignKey('IssuesCluster', ['organizationId', 'clusterId'], ['organizationId', 'id'], {
  name: 'issues_decision_cluster_fk',
  onDelete: 'CASCADE',
})
@ForeignKey('IssuesCluster', ['organizationId', 'otherId'], ['organizationId', 'id'], {
  name: 'issues_decision_other_fk',
  onDelete: 'CASCADE',
})
@Check('issues_decision_kind_check', `kind IN ('merge', 'split')`)
@Check('issues_decision_number_check', 'number >= 1 AND number <= 1000000000')
@Check('issues_decision_clusters_check', 'cluster_id <> other_id')
@Unique('issues_decision_number_key', ['organizationId', 'number'])
@Index('issues_decision_merged_key', ['organizationId', 'otherId'], { unique: true, where: "kind = 'merge'" })
@Index('issues_decision_cluster_idx', ['organizationId', 'clusterId'])
@Index('issues_decision_other_idx', ['organizationId', 'otherId'])
export class IssuesDecision {
  @PrimaryColumn({
    name: 'organization_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'issues_decision_pkey',
  })
  organizationId: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'issues_decision_pkey' })
  id: string;

  /** Its place in the order of the decisions of an organization, from 1. */
  @Column({ type: 'integer' })
  number: number;

  @Column({ type: 'text', collation: 'C' })
  kind: string;

  /** The cluster that took the issues: the one that the other was merged into, or the one that was split off. */
  @Column({ name: 'cluster_id', type: 'text', collation: 'C' })
  clusterId: string;

  /** The cluster that the issues were taken from. */
  @Column({ name: 'other_id', type: 'text', collation: 'C' })
  otherId: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
