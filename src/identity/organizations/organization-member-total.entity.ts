import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';
import { ACCESS_LEVELS, type AccessLevel } from '../../kernel/common/roles.js';

/** The number of members of an organization with a role. */
@OrganizationTable()
@Entity('organization_member_total')
@ForeignKey('Organization', ['organizationId'], ['id'], {
  name: 'organization_member_total_organization_fk',
  onDelete: 'CASCADE',
})
export class OrganizationMemberTotal {
  @PrimaryColumn({
    name: 'organization_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'organization_member_total_pkey',
  })
  organizationId: string;

  @PrimaryColumn({
    type: 'enum',
    enum: ACCESS_LEVELS,
    enumName: 'access_level',
    primaryKeyConstraintName: 'organization_member_total_pkey',
  })
  role: AccessLevel;

  @PrimaryColumn({ type: 'boolean', primaryKeyConstraintName: 'organization_member_total_pkey' })
  disabled: boolean;

  @PrimaryColumn({ type: 'boolean', primaryKeyConstraintName: 'organization_member_total_pkey' })
  seen: boolean;

  @Column({ type: 'bigint' })
  members: string;
}
