import { Check, Column, Entity, ForeignKey, PrimaryColumn, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** The redaction and retention of conversations of an organization. */
@OrganizationTable()
@Entity('conversation_settings')
@Check('conversation_settings_retention_check', `(retention_days >= 1)`)
@ForeignKey('Organization', ['organizationId'], ['id'], {
  name: 'conversation_settings_organization_fk',
  onDelete: 'CASCADE',
})
export class ConversationSettings {
  @PrimaryColumn({
    name: 'organization_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'conversation_settings_pkey',
  })
  organizationId: string;

  @Column({ type: 'boolean', default: true })
  redact: boolean;

  @Column({ name: 'retention_days', type: 'integer', nullable: true })
  retentionDays: number | null;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;
}
