import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A section of a site. */
@OrganizationTable()
@Entity('site_section')
@ForeignKey('SiteSectionGroup', ['siteId', 'groupId'], ['siteId', 'id'], { name: 'site_section_group_fk' })
@ForeignKey('Site', ['siteId'], ['id'], { name: 'site_section_site_fk', onDelete: 'CASCADE' })
@Unique('site_section_site_id_key', ['siteId', 'id'])
@Index('site_section_file_key', { synchronize: false })
@Index('site_section_path_key', { synchronize: false })
@Index('site_section_siblings_idx', ['siteId', 'position', 'id'])
export class SiteSection {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'site_section_pkey' })
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
  path: string;

  @Column({ type: 'text', nullable: true })
  condition: string | null;

  @Column({ name: 'default_site_space_id', type: 'text', collation: 'C', nullable: true })
  defaultSiteSpaceId: string | null;

  @Column({ type: 'text', collation: 'C' })
  position: string;

  @Column({ type: 'boolean', default: false })
  draft: boolean;

  @Column({ name: 'file_key', type: 'text', nullable: true })
  fileKey: string | null;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
