import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** An issue that was found in a conversation. */
@OrganizationTable()
@Entity('conversation_issue')
@ForeignKey('IssuesCluster', ['organizationId', 'clusterId'], ['organizationId', 'id'], {
  name: 'conversation_issue_cluster_fk',
  onDelete: 'SET NULL',
})
@ForeignKey('Conversation', ['organizationId', 'conversationId'], ['organizationId', 'id'], {
  name: 'conversation_issue_conversation_fk',
  onDelete: 'CASCADE',
})
@Index('conversation_issue_cluster_idx', { synchronize: false })
@Index('conversation_issue_conversation_idx', ['organizationId', 'conversationId'])
@Index('conversation_issue_list_idx', { synchronize: false })
@Index('conversation_issue_unplaced_idx', { synchronize: false })
export class ConversationIssue {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'conversation_issue_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ name: 'conversation_id', type: 'text', collation: 'C' })
  conversationId: string;

  @Column({ name: 'source_id', type: 'text', collation: 'C' })
  sourceId: string;

  @Column({ name: 'cluster_id', type: 'text', collation: 'C', nullable: true })
  clusterId: string | null;

  @Column({ name: 'model_version', type: 'integer' })
  modelVersion: number;

  @Column({ type: 'text' })
  title: string;

  @Column({ type: 'text' })
  summary: string;

  @Column({ type: 'text' })
  text: string;

  @Column({ type: 'text' })
  language: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'ingested_at', type: 'timestamptz', precision: 3 })
  ingestedAt: Date;
}
