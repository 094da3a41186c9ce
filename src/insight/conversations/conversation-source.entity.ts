import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A source of conversations, such as a help desk. */
@OrganizationTable()
@Entity('conversation_source')
@ForeignKey('Organization', ['organizationId'], ['id'], {
  name: 'conversation_source_organization_fk',
  onDelete: 'CASCADE',
})
@Unique('conversation_source_organization_key', ['organizationId', 'id'])
@Index('conversation_source_deleted_idx', { synchronize: false })
@Index('conversation_source_name_key', { synchronize: false })
export class ConversationSource {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'conversation_source_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ type: 'text', collation: 'C' })
  name: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'deleted_at', type: 'timestamptz', precision: 3, nullable: true })
  deletedAt: Date | null;
}
