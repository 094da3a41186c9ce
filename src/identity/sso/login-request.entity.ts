import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { InstallationTable } from '../../kernel/common/table-kind.js';

/** A pending login through an identity provider. */
@InstallationTable()
@Entity('login_request')
@ForeignKey('IdentityProvider', ['providerId'], ['id'], { name: 'login_request_provider_fk', onDelete: 'CASCADE' })
@Index('login_request_expiry_idx', ['providerId', 'expiresAt'])
export class LoginRequest {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'login_request_pkey' })
  id: string;

  @Column({ name: 'provider_id', type: 'text', collation: 'C' })
  providerId: string;

  @Column({ name: 'return_to', type: 'text', nullable: true })
  returnTo: string | null;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;

  @Column({ type: 'bytea' })
  browser: Buffer;

  @Column({ type: 'jsonb', nullable: true })
  answer: object | null;

  @Column({ type: 'boolean', default: false })
  taken: boolean;
}
