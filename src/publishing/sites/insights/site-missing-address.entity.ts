import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../../kernel/common/table-kind.js';

const primaryKeyConstraintName = 'site_missing_address_pkey';

/** How often readers of a site found no page at an address on one day. */
@OrganizationTable()
@Entity('site_missing_address')
@ForeignKey('Site', ['organizationId', 'siteId'], ['organizationId', 'id'], {
  name: 'site_missing_address_site_fk',
  onDelete: 'CASCADE',
})
@Index('site_missing_address_age_idx', { synchronize: false })
export class SiteMissingAddress {
  @PrimaryColumn({ name: 'organization_id', type: 'text', collation: 'C', primaryKeyConstraintName })
  organizationId: string;

  @PrimaryColumn({ name: 'site_id', type: 'text', collation: 'C', primaryKeyConstraintName })
  siteId: string;

  @PrimaryColumn({ type: 'date', primaryKeyConstraintName })
  day: string;

  /** Below the site, with a slash at its beginning. */
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName })
  path: string;

  @Column({ type: 'integer' })
  requests: number;

  /** The page that the last reader came from who told of one. */
  @Column({ type: 'text', nullable: true })
  referrer: string | null;

  @Column({ name: 'last_asked_at', type: 'timestamptz', precision: 3 })
  lastAskedAt: Date;
}
