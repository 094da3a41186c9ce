import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';
import { ACCESS_LEVELS, type AccessLevel } from '../../kernel/common/roles.js';

/** The role of a team on a space. */
@OrganizationTable()
@Entity('space_team_grant')
@ForeignKey('Space', ['spaceId'], ['id'], { name: 'space_team_grant_space_fk' })
@ForeignKey('Team', ['teamId'], ['id'], { name: 'space_team_grant_team_fk', onDelete: 'CASCADE' })
@Index('space_team_grant_team_idx', ['teamId'])
@ForeignKey('CustomRole', ['customRoleId', 'role'], ['id', 'base'], {
  name: 'space_team_grant_custom_role_fk',
  onUpdate: 'CASCADE',
  onDelete: 'SET NULL',
})
@Index('space_team_grant_custom_role_idx', ['customRoleId'], { where: 'custom_role_id IS NOT NULL' })
export class SpaceTeamGrant {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'space_team_grant_pkey' })
  spaceId: string;

  @PrimaryColumn({ name: 'team_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'space_team_grant_pkey' })
  teamId: string;

  @Column({ type: 'enum', enum: ACCESS_LEVELS, enumName: 'access_level' })
  role: AccessLevel;

  @Column({ name: 'custom_role_id', type: 'text', collation: 'C', nullable: true })
  customRoleId: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
