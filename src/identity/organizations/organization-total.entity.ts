import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** The number of spaces and members of an organization. */
@OrganizationTable()
@Entity('organization_total')
@ForeignKey('Organization', ['organizationId'], ['id'], {
  name: 'organization_total_organization_fk',
  onDelete: 'CASCADE',
})
export class OrganizationTotal {
  @PrimaryColumn({
    name: 'organization_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'organization_total_pkey',
  })
  organizationId: string;

  @Column({ type: 'integer', default: 0 })
  spaces: number;

  @Column({ type: 'integer', default: 0 })
  members: number;
}
