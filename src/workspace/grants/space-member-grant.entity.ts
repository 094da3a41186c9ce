import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';
import { ACCESS_LEVELS, type AccessLevel } from '../../kernel/common/roles.js';

/** The role of a member on a space. */
@OrganizationTable()
@Entity('space_member_grant')
@ForeignKey('Space', ['spaceId'], ['id'], { name: 'space_member_grant_space_fk' })
@ForeignKey('User', ['userId'], ['id'], { name: 'space_member_grant_user_fk' })
@Index('space_member_grant_user_idx', ['userId'])
@ForeignKey('CustomRole', ['customRoleId', 'role'], ['id', 'base'], {
  name: 'space_member_grant_custom_role_fk',
  onUpdate: 'CASCADE',
  onDelete: 'SET NULL',
})
@Index('space_member_grant_custom_role_idx', ['customRoleId'], { where: 'custom_role_id IS NOT NULL' })
export class SpaceMemberGrant {
  @PrimaryColumn({
    name: 'space_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'space_member_grant_pkey',
  })
  spaceId: string;

  @PrimaryColumn({ name: 'user_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'space_member_grant_pkey' })
  userId: string;

  @Column({ type: 'enum', enum: ACCESS_LEVELS, enumName: 'access_level' })
  role: AccessLevel;

  @Column({ name: 'custom_role_id', type: 'text', collation: 'C', nullable: true })
  customRoleId: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
