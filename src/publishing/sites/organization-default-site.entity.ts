import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** The default site of an organization. */
@OrganizationTable()
@Entity('organization_default_site')
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'organization_default_site_organization_fk' })
@ForeignKey('Site', ['organizationId', 'siteId'], ['organizationId', 'id'], {
  name: 'organization_default_site_site_fk',
  onDelete: 'CASCADE',
})
export class OrganizationDefaultSite {
  @PrimaryColumn({
    name: 'organization_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'organization_default_site_pkey',
  })
  organizationId: string;

  @Column({ name: 'site_id', type: 'text', collation: 'C' })
  siteId: string;
}
