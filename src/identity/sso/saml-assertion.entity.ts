import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A used assertion, which must not be used again. */
@OrganizationTable()
@Entity('saml_assertion')
@ForeignKey('IdentityProvider', ['providerId'], ['id'], { name: 'saml_assertion_provider_fk', onDelete: 'CASCADE' })
@Index('saml_assertion_expiry_idx', ['providerId', 'expiresAt'])
export class SamlAssertion {
  @PrimaryColumn({ name: 'provider_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'saml_assertion_pkey' })
  providerId: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'saml_assertion_pkey' })
  id: string;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
