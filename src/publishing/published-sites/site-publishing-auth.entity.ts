import { Column, Entity, ForeignKey, PrimaryColumn, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** The login settings of a site's visitors. */
@OrganizationTable()
@Entity('site_publishing_auth')
@ForeignKey('Site', ['siteId'], ['id'], { name: 'site_publishing_auth_site_fk', onDelete: 'CASCADE' })
export class SitePublishingAuth {
  @PrimaryColumn({
    name: 'site_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'site_publishing_auth_pkey',
  })
  siteId: string;

  @Column({ name: 'key_sealed', type: 'bytea' })
  keySealed: Buffer;

  @Column({ type: 'integer', default: 1 })
  generation: number;

  @Column({ name: 'fallback_url', type: 'text', nullable: true })
  fallbackUrl: string | null;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
