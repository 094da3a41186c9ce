import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { InstallationTable } from '../../kernel/common/table-kind.js';

/** A link that signs one person in, once. */
@InstallationTable()
@Entity('sign_in_link')
@Check('sign_in_link_person_check', `((user_id IS NOT NULL) OR (invite_id IS NOT NULL))`)
@ForeignKey('User', ['userId'], ['id'], { name: 'sign_in_link_user_fk' })
@ForeignKey('Member', ['organizationId', 'userId'], ['organizationId', 'userId'], {
  name: 'sign_in_link_member_fk',
  onDelete: 'CASCADE',
})
@Index('sign_in_link_email_idx', { synchronize: false })
@Index('sign_in_link_expiry_idx', ['expiresAt'])
@Index('sign_in_link_member_idx', ['organizationId', 'userId'])
@Index('sign_in_link_user_idx', ['userId'])
export class SignInLink {
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'sign_in_link_pkey' })
  hash: Buffer;

  @Column({ type: 'text' })
  email: string;

  /** Null for an address without an account, which an invite link admits. */
  @Column({ name: 'user_id', type: 'text', collation: 'C', nullable: true })
  userId: string | null;

  /** The only organization in which its session acts. */
  @Column({ name: 'organization_id', type: 'text', collation: 'C', nullable: true })
  organizationId: string | null;

  @Column({ name: 'invite_id', type: 'text', collation: 'C', nullable: true })
  inviteId: string | null;

  /** It was sent to the address, which using it verifies. */
  @Column({ type: 'boolean' })
  mailed: boolean;

  @Column({ name: 'return_to', type: 'text', nullable: true })
  returnTo: string | null;

  @Column({ name: 'session_until', type: 'timestamptz', precision: 3, nullable: true })
  sessionUntil: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
