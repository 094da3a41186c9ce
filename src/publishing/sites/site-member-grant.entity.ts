import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';
import { ACCESS_LEVELS, type AccessLevel } from '../../kernel/common/roles.js';

/** The role of a member on a site. */
@OrganizationTable()
@Entity('site_member_grant')
@ForeignKey('Member', ['organizationId', 'userId'], ['organizationId', 'userId'], {
  name: 'site_member_grant_member_fk',
  onDelete: 'CASCADE',
})
@ForeignKey('Site', ['organizationId', 'siteId'], ['organizationId', 'id'], {
  name: 'site_member_grant_site_fk',
  onDelete: 'CASCADE',
})
@Index('site_member_grant_user_idx', ['organizationId', 'userId'])
@ForeignKey('CustomRole', ['organizationId', 'customRoleId', 'role'], ['organizationId', 'id', 'base'], {
  name: 'site_member_grant_custom_role_fk',
  onUpdate: 'CASCADE',
  onDelete: 'SET NULL',
})
@Index('site_member_grant_custom_role_idx', ['customRoleId'], { where: 'custom_role_id IS NOT NULL' })
export class SiteMemberGrant {
  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @PrimaryColumn({ name: 'site_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'site_member_grant_pkey' })
  siteId: string;

  @PrimaryColumn({ name: 'user_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'site_member_grant_pkey' })
  userId: string;

  @Column({ type: 'enum', enum: ACCESS_LEVELS, enumName: 'access_level' })
  role: AccessLevel;

  @Column({ name: 'custom_role_id', type: 'text', collation: 'C', nullable: true })
  customRoleId: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
