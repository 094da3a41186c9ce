import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A former name of a site in addresses. */
@OrganizationTable()
@Entity('site_former_basename')
@ForeignKey('Site', ['organizationId', 'siteId'], ['organizationId', 'id'], {
  name: 'site_former_basename_site_fk',
  onDelete: 'CASCADE',
})
@Index('site_former_basename_site_idx', ['organizationId', 'siteId'])
export class SiteFormerBasename {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'site_former_basename_pkey' })
  basename: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ name: 'site_id', type: 'text', collation: 'C' })
  siteId: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
