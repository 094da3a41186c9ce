import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';
import { ACCESS_LEVELS, type AccessLevel } from '../../kernel/common/roles.js';

/** The role of a team on a site. */
@OrganizationTable()
@Entity('site_team_grant')
@ForeignKey('Site', ['organizationId', 'siteId'], ['organizationId', 'id'], {
  name: 'site_team_grant_site_fk',
  onDelete: 'CASCADE',
})
@ForeignKey('Team', ['organizationId', 'teamId'], ['organizationId', 'id'], {
  name: 'site_team_grant_team_fk',
  onDelete: 'CASCADE',
})
@Index('site_team_grant_team_idx', ['organizationId', 'teamId'])
@ForeignKey('CustomRole', ['organizationId', 'customRoleId', 'role'], ['organizationId', 'id', 'base'], {
  name: 'site_team_grant_custom_role_fk',
  onUpdate: 'CASCADE',
  onDelete: 'SET NULL',
})
@Index('site_team_grant_custom_role_idx', ['customRoleId'], { where: 'custom_role_id IS NOT NULL' })
export class SiteTeamGrant {
  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @PrimaryColumn({ name: 'site_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'site_team_grant_pkey' })
  siteId: string;

  @PrimaryColumn({ name: 'team_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'site_team_grant_pkey' })
  teamId: string;

  @Column({ type: 'enum', enum: ACCESS_LEVELS, enumName: 'access_level' })
  role: AccessLevel;

  @Column({ name: 'custom_role_id', type: 'text', collation: 'C', nullable: true })
  customRoleId: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
