import { Column, Entity, ForeignKey, PrimaryColumn, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** The JSON schema of the claims of a site's visitors. */
@OrganizationTable()
@Entity('site_adaptive_schema')
@ForeignKey('Site', ['siteId'], ['id'], { name: 'site_adaptive_schema_site_fk', onDelete: 'CASCADE' })
export class SiteAdaptiveSchema {
  @PrimaryColumn({
    name: 'site_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'site_adaptive_schema_pkey',
  })
  siteId: string;

  @Column({ name: 'json_schema', type: 'json' })
  jsonSchema: object;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
