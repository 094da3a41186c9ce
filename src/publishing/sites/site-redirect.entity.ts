import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A path of a site that redirects to another target. */
@OrganizationTable()
@Entity('site_redirect')
@Check(
  'site_redirect_destination_check',
  `((num_nonnulls(section_id, site_space_id, url) = 1) AND ((page_id IS NULL) OR (site_space_id IS NOT NULL)))`,
)
@Check('site_redirect_capture_check', `(wildcard OR (NOT capture_wildcard))`)
@ForeignKey('SiteSection', ['siteId', 'sectionId'], ['siteId', 'id'], {
  name: 'site_redirect_section_fk',
  onDelete: 'CASCADE',
})
@ForeignKey('Site', ['organizationId', 'siteId'], ['organizationId', 'id'], {
  name: 'site_redirect_site_fk',
  onDelete: 'CASCADE',
})
@ForeignKey('SiteSpace', ['siteId', 'siteSpaceId'], ['siteId', 'id'], {
  name: 'site_redirect_site_space_fk',
  onDelete: 'CASCADE',
})
@Index('site_redirect_former_key', { synchronize: false })
@Index('site_redirect_list_idx', { synchronize: false })
@Index('site_redirect_path_key', { synchronize: false })
@Index('site_redirect_section_idx', { synchronize: false })
@Index('site_redirect_site_space_idx', { synchronize: false })
export class SiteRedirect {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'site_redirect_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ name: 'site_id', type: 'text', collation: 'C' })
  siteId: string;

  @Column({ type: 'boolean' })
  automatic: boolean;

  @Column({ type: 'text' })
  source: string;

  @Column({ type: 'text', collation: 'C' })
  path: string;

  /** The source ends in an asterisk; `path` is what stands before it. */
  @Column({ type: 'boolean', default: false })
  wildcard: boolean;

  @Column({ name: 'capture_wildcard', type: 'boolean', default: false })
  captureWildcard: boolean;

  @Column({ type: 'boolean', default: false })
  draft: boolean;

  @Column({ type: 'boolean', default: false })
  permanent: boolean;

  @Column({ name: 'section_id', type: 'text', collation: 'C', nullable: true })
  sectionId: string | null;

  @Column({ name: 'site_space_id', type: 'text', collation: 'C', nullable: true })
  siteSpaceId: string | null;

  @Column({ name: 'page_id', type: 'text', collation: 'C', nullable: true })
  pageId: string | null;

  @Column({ type: 'text', nullable: true })
  url: string | null;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3, nullable: true })
  updatedAt: Date | null;
}
