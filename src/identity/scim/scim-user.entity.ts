import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** The names of a member at the identity provider that provisions them; the row outlives the membership. */
@OrganizationTable()
@Entity('scim_user')
@Index('scim_user_name_key', { synchronize: false })
@Index('scim_user_external_key', ['organizationId', 'externalId'], { unique: true })
@Index('scim_user_account_idx', ['userId'])
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'scim_user_organization_fk' })
@ForeignKey('User', ['userId'], ['id'], { name: 'scim_user_user_fk' })
export class ScimUser {
  @PrimaryColumn({ name: 'organization_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'scim_user_pkey' })
  organizationId: string;

  @PrimaryColumn({ name: 'user_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'scim_user_pkey' })
  userId: string;

  /** Null where the provider has given the person no name, or the name of a former member to somebody else. */
  @Column({ name: 'user_name', type: 'text', nullable: true })
  userName: string | null;

  @Column({ name: 'external_id', type: 'text', nullable: true })
  externalId: string | null;

  /** The provider made the account. */
  @Column({ name: 'owns_account', type: 'boolean' })
  ownsAccount: boolean;
}
