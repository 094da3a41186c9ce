import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { InstallationTable } from '../../kernel/common/table-kind.js';

/** Access that a person granted to a client: first a code, then an access token that is renewed with refresh tokens. */
@InstallationTable()
@Entity('oauth_grant')
@ForeignKey('OauthClient', ['clientId'], ['id'], { name: 'oauth_grant_client_fk', onDelete: 'CASCADE' })
@ForeignKey('User', ['userId'], ['id'], { name: 'oauth_grant_user_fk' })
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'oauth_grant_organization_fk', onDelete: 'CASCADE' })
@ForeignKey('ApiToken', ['tokenId'], ['id'], { name: 'oauth_grant_token_fk', onDelete: 'CASCADE' })
@Unique('oauth_grant_code_key', ['codeHash'])
@Index('oauth_grant_client_idx', ['clientId'])
@Index('oauth_grant_token_idx', ['tokenId'])
@Index('oauth_grant_organization_idx', ['organizationId'])
export class OauthGrant {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'oauth_grant_pkey' })
  id: string;

  @Column({ name: 'client_id', type: 'text', collation: 'C' })
  clientId: string;

  @Column({ name: 'user_id', type: 'text', collation: 'C' })
  userId: string;

  /** The only organization in which the access token acts. */
  @Column({ name: 'organization_id', type: 'text', collation: 'C', nullable: true })
  organizationId: string | null;

  @Column({ type: 'text', array: true })
  scopes: string[];

  /** The end of the token with which it was granted. */
  @Column({ name: 'ends_at', type: 'timestamptz', precision: 3, nullable: true })
  endsAt: Date | null;

  @Column({ name: 'code_hash', type: 'bytea' })
  codeHash: Buffer;

  @Column({ name: 'code_expires_at', type: 'timestamptz', precision: 3 })
  codeExpiresAt: Date;

  @Column({ name: 'redirect_uri', type: 'text' })
  redirectUri: string;

  @Column({ type: 'text' })
  challenge: string;

  @Column({ name: 'token_id', type: 'text', collation: 'C', nullable: true })
  tokenId: string | null;

  @Column({ name: 'refresh_hash', type: 'bytea', nullable: true })
  refreshHash: Buffer | null;

  @Column({ name: 'refresh_expires_at', type: 'timestamptz', precision: 3, nullable: true })
  refreshExpiresAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
