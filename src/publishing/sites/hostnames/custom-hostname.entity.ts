import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { InstallationTable } from '../../../kernel/common/table-kind.js';
import type { HostnameStatus } from '../domain/hostname-status.js';

/** A hostname that a site claims. The site is served there once `site.hostname` has it. */
@InstallationTable()
@Entity('custom_hostname')
@Check(
  'custom_hostname_status_check',
  `(status = ANY (ARRAY['dns_passed'::text, 'dns_no_cname'::text, 'dns_wrong_cname'::text, 'internal_error'::text]))`,
)
@ForeignKey('Site', ['organizationId', 'siteId'], ['organizationId', 'id'], {
  name: 'custom_hostname_site_fk',
  onDelete: 'CASCADE',
})
@Unique('custom_hostname_site_key', ['organizationId', 'siteId'])
export class CustomHostname {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'custom_hostname_pkey' })
  hostname: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ name: 'site_id', type: 'text', collation: 'C' })
  siteId: string;

  /** Null before the first check, and where DNS is not asked. */
  @Column({ type: 'text', nullable: true })
  status: HostnameStatus | null;

  @Column({ name: 'claimed_at', type: 'timestamptz', precision: 3 })
  claimedAt: Date;

  @Column({ name: 'checked_at', type: 'timestamptz', precision: 3, nullable: true })
  checkedAt: Date | null;
}
