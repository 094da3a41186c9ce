import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A space that a site shows, as a variant or in a section. */
@OrganizationTable()
@Entity('site_space')
@ForeignKey('SiteSection', ['siteId', 'sectionId'], ['siteId', 'id'], { name: 'site_space_section_fk' })
@ForeignKey('Site', ['organizationId', 'siteId'], ['organizationId', 'id'], {
  name: 'site_space_site_fk',
  onDelete: 'CASCADE',
})
@ForeignKey('Space', ['organizationId', 'spaceId'], ['organizationId', 'id'], { name: 'site_space_space_fk' })
@Unique('site_space_site_id_key', ['siteId', 'id'])
@Index('site_space_file_key', { synchronize: false })
@Index('site_space_order_idx', { synchronize: false })
@Index('site_space_path_key', { synchronize: false })
@Index('site_space_siblings_idx', ['siteId', 'sectionId', 'position', 'id'])
@Index('site_space_space_idx', ['spaceId'])
export class SiteSpace {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'site_space_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ name: 'site_id', type: 'text', collation: 'C' })
  siteId: string;

  @Column({ name: 'section_id', type: 'text', collation: 'C', nullable: true })
  sectionId: string | null;

  @Column({ name: 'space_id', type: 'text', collation: 'C' })
  spaceId: string;

  @Column({ type: 'text' })
  path: string;

  @Column({ type: 'text', nullable: true })
  condition: string | null;

  @Column({ type: 'jsonb', default: () => `'{}'` })
  customization: object;

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
