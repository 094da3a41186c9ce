import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../../kernel/common/table-kind.js';

const primaryKeyConstraintName = 'customization_draft_pkey';

/** How a site would look, as one person tries it before saving: the last of each person for each site. */
@OrganizationTable()
@Entity('customization_draft')
@ForeignKey('Site', ['organizationId', 'siteId'], ['organizationId', 'id'], {
  name: 'customization_draft_site_fk',
  onDelete: 'CASCADE',
})
@ForeignKey('Member', ['organizationId', 'userId'], ['organizationId', 'userId'], {
  name: 'customization_draft_member_fk',
  onDelete: 'CASCADE',
})
@Index('customization_draft_site_idx', ['organizationId', 'siteId'])
export class CustomizationDraft {
  @PrimaryColumn({ name: 'organization_id', type: 'text', collation: 'C', primaryKeyConstraintName })
  organizationId: string;

  @PrimaryColumn({ name: 'user_id', type: 'text', collation: 'C', primaryKeyConstraintName })
  userId: string;

  @PrimaryColumn({ name: 'site_id', type: 'text', collation: 'C', primaryKeyConstraintName })
  siteId: string;

  /** The site space whose overrides are tried; null where the settings are those of the site. */
  @Column({ name: 'site_space_id', type: 'text', collation: 'C', nullable: true })
  siteSpaceId: string | null;

  /** All settings of the site, or all overrides of the site space. */
  @Column({ type: 'jsonb' })
  settings: Readonly<Record<string, unknown>>;

  /** Another one with each change. */
  @Column({ type: 'text', collation: 'C' })
  version: string;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
