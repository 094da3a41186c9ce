import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A group of sections of a site. */
@OrganizationTable()
@Entity('site_section_group')
@ForeignKey('SiteSectionGroup', ['siteId', 'parentId'], ['siteId', 'id'], { name: 'site_section_group_parent_fk' })
@ForeignKey('Site', ['siteId'], ['id'], { name: 'site_section_group_site_fk', onDelete: 'CASCADE' })
@Unique('site_section_group_site_id_key', ['siteId', 'id'])
@Index('site_section_group_file_key', { synchronize: false })
@Index('site_section_group_siblings_idx', ['siteId', 'position', 'id'])
export class SiteSectionGroup {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'site_section_group_pkey' })
  id: string;

  @Column({ name: 'site_id', type: 'text', collation: 'C' })
  siteId: string;

  @Column({ name: 'parent_id', type: 'text', collation: 'C', nullable: true })
  parentId: string | null;

  @Column({ type: 'text' })
  title: string;

  @Column({ type: 'text', nullable: true })
  icon: string | null;

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
