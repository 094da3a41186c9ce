import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A link that admits readers to a site. */
@OrganizationTable()
@Entity('site_share_link')
@ForeignKey('Site', ['siteId'], ['id'], { name: 'site_share_link_site_fk', onDelete: 'CASCADE' })
@Unique('site_share_link_key', ['siteId', 'keyHash'])
@Index('site_share_link_list_idx', ['siteId', 'createdAt', 'id'])
export class SiteShareLink {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'site_share_link_pkey' })
  id: string;

  @Column({ name: 'site_id', type: 'text', collation: 'C' })
  siteId: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'boolean', default: true })
  active: boolean;

  @Column({ name: 'key_hash', type: 'bytea' })
  keyHash: Buffer;

  @Column({ name: 'key_sealed', type: 'bytea' })
  keySealed: Buffer;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
