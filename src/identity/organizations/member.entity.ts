import { Column, Entity, ForeignKey, Index, PrimaryColumn, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';
import { ACCESS_LEVELS, type AccessLevel } from '../../kernel/common/roles.js';

/** A person's membership in an organization; the role `none` is a guest. */
@OrganizationTable()
@Entity('member')
@Index('member_user_idx', ['userId'])
@Index('member_joined_idx', ['organizationId', 'joinedAt', 'userId'])
@Index('member_role_idx', ['organizationId', 'role', 'joinedAt', 'userId'])
@Index('member_seen_idx', { synchronize: false })
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'member_organization_fk' })
@ForeignKey('User', ['userId'], ['id'], { name: 'member_user_fk' })
@ForeignKey('CustomRole', ['organizationId', 'customRoleId', 'role'], ['organizationId', 'id', 'base'], {
  name: 'member_custom_role_fk',
  onUpdate: 'CASCADE',
  onDelete: 'SET NULL',
})
@Index('member_custom_role_idx', ['customRoleId'], { where: 'custom_role_id IS NOT NULL' })
export class Member {
  @PrimaryColumn({ name: 'organization_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'member_pkey' })
  organizationId: string;

  @PrimaryColumn({ name: 'user_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'member_pkey' })
  userId: string;

  @Column({ type: 'enum', enum: ACCESS_LEVELS, enumName: 'access_level' })
  role: AccessLevel;

  @Column({ name: 'custom_role_id', type: 'text', collation: 'C', nullable: true })
  customRoleId: string | null;

  @Column({ type: 'boolean', default: false })
  disabled: boolean;

  @Column({ type: 'boolean', default: false })
  sso: boolean;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;

  @Column({ name: 'joined_at', type: 'timestamptz', precision: 3 })
  joinedAt: Date;

  @Column({ name: 'last_seen_at', type: 'timestamptz', precision: 3, nullable: true })
  lastSeenAt: Date | null;
}
