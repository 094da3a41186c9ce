import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A version of a specification with new content. */
@OrganizationTable()
@Entity('openapi_version')
@ForeignKey('Blob', ['hash'], ['hash'], { name: 'openapi_version_hash_fk' })
@ForeignKey('OpenApiSpec', ['organizationId', 'specId'], ['organizationId', 'id'], {
  name: 'openapi_version_spec_fk',
  onDelete: 'CASCADE',
})
@Unique('openapi_version_organization_key', ['organizationId', 'id'])
@Index('openapi_version_hash_idx', ['hash'])
@Index('openapi_version_list_idx', { synchronize: false })
export class OpenApiVersion {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'openapi_version_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ name: 'spec_id', type: 'text', collation: 'C' })
  specId: string;

  @Column({ type: 'bytea' })
  hash: Buffer;

  @Column({ type: 'bigint' })
  size: string;

  /** How many changes of each effect there are against the version before; null where nothing was compared. */
  @Column({ name: 'change_counts', type: 'jsonb', nullable: true })
  changeCounts: object | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
