import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A login by which an administrator sees what an identity provider sends; it lets nobody in. */
@OrganizationTable()
@Entity('login_test')
@ForeignKey('IdentityProvider', ['organizationId', 'providerId'], ['organizationId', 'id'], {
  name: 'login_test_provider_fk',
  onDelete: 'CASCADE',
})
@ForeignKey('Member', ['organizationId', 'userId'], ['organizationId', 'userId'], {
  name: 'login_test_member_fk',
  onDelete: 'CASCADE',
})
@Index('login_test_user_key', ['organizationId', 'providerId', 'userId'], { unique: true })
@Index('login_test_member_idx', ['organizationId', 'userId'])
@Index('login_test_expiry_idx', ['expiresAt'])
export class LoginTest {
  @PrimaryColumn({
    name: 'organization_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'login_test_pkey',
  })
  organizationId: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'login_test_pkey' })
  id: string;

  @Column({ name: 'provider_id', type: 'text', collation: 'C' })
  providerId: string;

  @Column({ name: 'user_id', type: 'text', collation: 'C' })
  userId: string;

  @Column({ type: 'bytea' })
  browser: Buffer;

  @Column({ type: 'jsonb', nullable: true })
  result: object | null;

  @Column({ type: 'boolean', default: false })
  finished: boolean;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
