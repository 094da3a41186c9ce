import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';
import { ACCESS_LEVELS, type AccessLevel } from '../../kernel/common/roles.js';

/** An invitation by e-mail into an organization. */
@OrganizationTable()
@Entity('invitation')
@ForeignKey('User', ['createdBy'], ['id'], { name: 'invitation_creator_fk' })
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'invitation_organization_fk' })
@Index('invitation_email_key', { synchronize: false })
@Index('invitation_hash_key', ['hash'], { unique: true })
@Index('invitation_list_idx', ['organizationId', 'createdAt', 'id'])
export class Invitation {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'invitation_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ type: 'text' })
  email: string;

  @Column({ type: 'enum', enum: ACCESS_LEVELS, enumName: 'access_level' })
  role: AccessLevel;

  @Column({ type: 'boolean', default: false })
  sso: boolean;

  @Column({ type: 'boolean' })
  mailed: boolean;

  @Column({ type: 'bytea' })
  hash: Buffer;

  @Column({ type: 'bytea' })
  sealed: Buffer;

  @Column({ name: 'created_by', type: 'text', collation: 'C' })
  createdBy: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
