import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A cluster of similar issues. */
@OrganizationTable()
@Entity('issues_cluster')
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'issues_cluster_organization_fk', onDelete: 'CASCADE' })
@ForeignKey('IssuesTheme', ['organizationId', 'themeId'], ['organizationId', 'id'], {
  name: 'issues_cluster_theme_fk',
  onDelete: 'SET NULL',
})
@Check('issues_cluster_outcome_check', `outcome IN ('open', 'done', 'canceled')`)
@Unique('issues_cluster_organization_key', ['organizationId', 'id'])
@Index('issues_cluster_conversations_idx', ['organizationId', 'conversations', 'updatedAt', 'id'])
@Index('issues_cluster_issues_idx', ['organizationId', 'issues', 'updatedAt', 'id'])
@Index('issues_cluster_theme_idx', ['organizationId', 'themeId', 'issues', 'id'])
@Index('issues_cluster_updated_idx', ['organizationId', 'updatedAt', 'id'])
export class IssuesCluster {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'issues_cluster_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ type: 'text' })
  label: string;

  @Column({ type: 'text' })
  icon: string;

  @Column({ type: 'text' })
  summary: string;

  @Column({ type: 'integer', default: 0 })
  issues: number;

  @Column({ type: 'integer', default: 0 })
  conversations: number;

  @Column({ name: 'reviewed_at', type: 'timestamptz', precision: 3, nullable: true })
  reviewedAt: Date | null;

  /** The decision of a person about a finding of a site: `open`, `done` or `canceled`. */
  @Column({ type: 'text', collation: 'C', nullable: true })
  outcome: string | null;

  @Column({ name: 'outcome_at', type: 'timestamptz', precision: 3, nullable: true })
  outcomeAt: Date | null;

  /** The theme that the last rebuild has put it into. */
  @Column({ name: 'theme_id', type: 'text', collation: 'C', nullable: true })
  themeId: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;
}
