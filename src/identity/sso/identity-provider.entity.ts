import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';
import { ACCESS_LEVELS, type AccessLevel } from '../../kernel/common/roles.js';

/** An identity provider of an organization, by SAML or OpenID Connect. */
@OrganizationTable()
@Entity('identity_provider')
@Check(
  'identity_provider_protocol_check',
  ` CASE protocol WHEN 'saml'::text THEN (num_nonnulls(issuer, client_id, client_secret, scopes, email_domains) = 0) WHEN 'oidc'::text THEN ((num_nonnulls(entity_id, certificate, sso_url) = 0) AND (num_nulls(scopes, email_domains) = 0)) ELSE false END`,
)
@Check('identity_provider_status_check', `(status = ANY (ARRAY['pending'::text, 'active'::text]))`)
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'identity_provider_organization_fk' })
@ForeignKey('Team', ['organizationId', 'defaultTeamId'], ['organizationId', 'id'], {
  name: 'identity_provider_team_fk',
  onDelete: 'SET NULL',
})
@Unique('identity_provider_organization_id_key', ['organizationId', 'id'])
@Index('identity_provider_organization_idx', ['organizationId', 'createdAt', 'id'])
@Index('identity_provider_team_idx', { synchronize: false })
export class IdentityProvider {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'identity_provider_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ type: 'text' })
  label: string;

  @Column({ name: 'entity_id', type: 'text', nullable: true })
  entityId: string | null;

  @Column({ type: 'text', nullable: true })
  certificate: string | null;

  @Column({ name: 'sso_url', type: 'text', nullable: true })
  ssoUrl: string | null;

  @Column({ name: 'default_team_id', type: 'text', collation: 'C', nullable: true })
  defaultTeamId: string | null;

  @Column({ name: 'default_role', type: 'enum', enum: ACCESS_LEVELS, enumName: 'access_level', default: 'none' })
  defaultRole: AccessLevel;

  @Column({ type: 'text', default: 'pending' })
  status: string;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'text' })
  protocol: string;

  @Column({ type: 'text', nullable: true })
  issuer: string | null;

  @Column({ name: 'client_id', type: 'text', nullable: true })
  clientId: string | null;

  @Column({ name: 'client_secret', type: 'bytea', nullable: true })
  clientSecret: Buffer | null;

  @Column({ type: 'text', nullable: true })
  scopes: string | null;

  @Column({ name: 'email_domains', type: 'text', nullable: true })
  emailDomains: string | null;
}
