import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A term of an organization and its translations. */
@OrganizationTable()
@Entity('glossary_entry')
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'glossary_entry_organization_fk' })
@Index('glossary_entry_organization_idx', ['organizationId', 'createdAt', 'id'])
export class GlossaryEntry {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'glossary_entry_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ type: 'jsonb' })
  translations: object;

  @Column({ type: 'jsonb', default: [] })
  forms: object;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
