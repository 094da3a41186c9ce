import { Column, Entity, ForeignKey, Index, PrimaryColumn, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A font of an organization, for its sites. */
@OrganizationTable()
@Entity('custom_font')
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'custom_font_organization_fk' })
@Index('custom_font_organization_idx', ['organizationId', 'createdAt', 'id'])
export class CustomFont {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'custom_font_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ name: 'font_family', type: 'text' })
  fontFamily: string;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
