import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** An issue that a decision keeps in its cluster. */
@OrganizationTable()
@Entity('issues_hold')
@ForeignKey('IssuesDecision', ['organizationId', 'decisionId'], ['organizationId', 'id'], {
  name: 'issues_hold_decision_fk',
  onDelete: 'CASCADE',
})
@ForeignKey('ConversationIssue', ['issueId'], ['id'], { name: 'issues_hold_issue_fk', onDelete: 'CASCADE' })
@Index('issues_hold_issue_idx', ['issueId'])
export class IssuesHold {
  @PrimaryColumn({
    name: 'organization_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'issues_hold_pkey',
  })
  organizationId: string;

  @PrimaryColumn({ name: 'decision_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'issues_hold_pkey' })
  decisionId: string;

  @PrimaryColumn({ name: 'issue_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'issues_hold_pkey' })
  issueId: string;

  /** True if the decision has moved the issue; false if it was in the cluster before. */
  @Column({ name: 'is_moved', type: 'boolean' })
  isMoved: boolean;
}
