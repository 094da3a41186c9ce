import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { InstallationTable } from '../../kernel/common/table-kind.js';

/** A one-time code for which a browser gets the token of its login. */
@InstallationTable()
@Entity('login_code')
@ForeignKey('Member', ['organizationId', 'userId'], ['organizationId', 'userId'], {
  name: 'login_code_member_fk',
  onDelete: 'CASCADE',
})
@ForeignKey('IdentityProvider', ['providerId'], ['id'], { name: 'login_code_provider_fk', onDelete: 'CASCADE' })
@Index('login_code_expiry_idx', ['expiresAt'])
@Index('login_code_member_idx', ['organizationId', 'userId'])
@Index('login_code_provider_idx', ['providerId'])
export class LoginCode {
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'login_code_pkey' })
  hash: Buffer;

  @Column({ name: 'provider_id', type: 'text', collation: 'C' })
  providerId: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ name: 'user_id', type: 'text', collation: 'C' })
  userId: string;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;

  @Column({ name: 'session_until', type: 'timestamptz', precision: 3, nullable: true })
  sessionUntil: Date | null;
}
