import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { InstallationTable } from '../../kernel/common/table-kind.js';
import type { TokenKind } from '../../kernel/access/access.points.js';

/** An API token, or what the cookie of a session holds; the token itself is shown once and only its hash is kept. */
@InstallationTable()
@Entity('api_token')
@Check('api_token_kind_check', `kind IN ('api', 'session')`)
@Index('api_token_session_idx', { synchronize: false })
@Index('api_token_hash_key', ['hash'], { unique: true })
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'api_token_organization_fk' })
@Index('api_token_user_idx', ['userId', 'createdAt', 'id'])
@ForeignKey('User', ['userId'], ['id'], { name: 'api_token_user_fk' })
export class ApiToken {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'api_token_pkey' })
  id: string;

  @Column({ name: 'user_id', type: 'text', collation: 'C' })
  userId: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C', nullable: true })
  organizationId: string | null;

  @Column({ type: 'text', default: 'api' })
  kind: TokenKind;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'bytea' })
  hash: Buffer;

  /** The first characters of the token, by which people recognize it. */
  @Column({ type: 'text' })
  hint: string;

  @Column({ type: 'text', array: true, nullable: true })
  scopes: string[] | null;

  /** The name of the agent that uses it; null for people and programs. */
  @Column({ type: 'text', nullable: true })
  agent: string | null;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
