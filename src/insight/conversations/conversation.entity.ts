import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A conversation with a customer, redacted. */
@OrganizationTable()
@Entity('conversation')
@ForeignKey('ConversationSource', ['organizationId', 'sourceId'], ['organizationId', 'id'], {
  name: 'conversation_source_fk',
  onDelete: 'CASCADE',
})
@Unique('conversation_external_key', ['sourceId', 'externalId'])
@Unique('conversation_organization_key', ['organizationId', 'id'])
@Index('conversation_list_idx', { synchronize: false })
@Index('conversation_pending_idx', { synchronize: false })
@Index('conversation_source_list_idx', ['sourceId', 'createdAt', 'id'])
export class Conversation {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'conversation_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ name: 'source_id', type: 'text', collation: 'C' })
  sourceId: string;

  @Column({ name: 'external_id', type: 'text', collation: 'C' })
  externalId: string;

  @Column({ type: 'text', nullable: true })
  subject: string | null;

  @Column({ type: 'jsonb' })
  parts: object;

  @Column({ type: 'jsonb' })
  metadata: object;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'ingested_at', type: 'timestamptz', precision: 3 })
  ingestedAt: Date;

  @Column({ name: 'processed_at', type: 'timestamptz', precision: 3, nullable: true })
  processedAt: Date | null;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;
}
