import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';
import { TEAM_ROLES, type TeamRole } from './teams.schema.js';

/** A member of a team. */
@OrganizationTable()
@Entity('team_member')
@ForeignKey('Member', ['organizationId', 'userId'], ['organizationId', 'userId'], {
  name: 'team_member_member_fk',
  onDelete: 'CASCADE',
})
@ForeignKey('Team', ['organizationId', 'teamId'], ['organizationId', 'id'], {
  name: 'team_member_team_fk',
  onDelete: 'CASCADE',
})
@Index('team_member_list_idx', ['teamId', 'createdAt', 'userId'])
@Index('team_member_of_user_idx', ['organizationId', 'userId', 'teamId'])
@Index('team_member_team_idx', ['teamId', 'userId'])
@Index('team_member_user_idx', ['userId', 'organizationId'])
export class TeamMember {
  @PrimaryColumn({
    name: 'organization_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'team_member_pkey',
  })
  organizationId: string;

  @PrimaryColumn({ name: 'team_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'team_member_pkey' })
  teamId: string;

  @PrimaryColumn({ name: 'user_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'team_member_pkey' })
  userId: string;

  @Column({ type: 'enum', enum: TEAM_ROLES, enumName: 'team_role', default: 'member' })
  role: TeamRole;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
