import { Column, Entity, ForeignKey, Index, PrimaryColumn, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** An entry of a site's structure that leads elsewhere. */
@OrganizationTable()
@Entity('site_external_link')
@ForeignKey('SiteSectionGroup', ['siteId', 'groupId'], ['siteId', 'id'], { name: 'site_external_link_group_fk' })
@ForeignKey('Site', ['siteId'], ['id'], { name: 'site_external_link_site_fk', onDelete: 'CASCADE' })
@Index('site_external_link_file_key', { synchronize: false })
@Index('site_external_link_siblings_idx', ['siteId', 'position', 'id'])
export class SiteExternalLink {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'site_external_link_pkey' })
  id: string;

  @Column({ name: 'site_id', type: 'text', collation: 'C' })
  siteId: string;

  @Column({ name: 'group_id', type: 'text', collation: 'C', nullable: true })
  groupId: string | null;

  @Column({ type: 'text' })
  title: string;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  @Column({ type: 'text', nullable: true })
  icon: string | null;

  @Column({ type: 'text' })
  url: string;

  @Column({ type: 'text', nullable: true })
  condition: string | null;

  @Column({ type: 'boolean', default: false })
  draft: boolean;

  @Column({ type: 'text', collation: 'C' })
  position: string;

  @Column({ name: 'file_key', type: 'text', nullable: true })
  fileKey: string | null;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
