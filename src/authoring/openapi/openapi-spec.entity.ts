import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** An OpenAPI specification in the registry of an organization. */
@OrganizationTable()
@Entity('openapi_spec')
@Check(
  'openapi_spec_error_check',
  `(error_code = ANY (ARRAY['FETCH_TIMEOUT'::text, 'FETCH_ERROR'::text, 'PARSE_ERROR'::text, 'BREAKING_CHANGES'::text]))`,
)
@Check('openapi_spec_fail_on_check', `(fail_on = ANY (ARRAY['breaking'::text, 'dangerous'::text]))`)
@Check('openapi_spec_source_check', `((source_url IS NULL) <> (source_hash IS NULL))`)
@Check('openapi_spec_state_check', `(state = ANY (ARRAY['pending'::text, 'progress'::text, 'complete'::text]))`)
@Check('openapi_spec_visibility_check', `(visibility = ANY (ARRAY['private'::text, 'public'::text]))`)
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'openapi_spec_organization_fk', onDelete: 'CASCADE' })
@ForeignKey('Blob', ['sourceHash'], ['hash'], { name: 'openapi_spec_source_fk' })
@Unique('openapi_spec_organization_key', ['organizationId', 'id'])
@Unique('openapi_spec_slug_key', ['organizationId', 'slug'])
@Index('openapi_spec_due_idx', { synchronize: false })
@Index('openapi_spec_list_idx', { synchronize: false })
@Index('openapi_spec_source_idx', { synchronize: false })
export class OpenApiSpec {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'openapi_spec_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ type: 'text', collation: 'C' })
  slug: string;

  @Column({ name: 'source_url', type: 'text', nullable: true })
  sourceUrl: string | null;

  @Column({ name: 'source_hash', type: 'bytea', nullable: true })
  sourceHash: Buffer | null;

  @Column({ name: 'source_number', type: 'integer', default: 1 })
  sourceNumber: number;

  @Column({ type: 'text', nullable: true })
  etag: string | null;

  @Column({ name: 'last_modified', type: 'text', nullable: true })
  lastModified: string | null;

  @Column({ type: 'text' })
  visibility: string;

  @Column({ type: 'text' })
  state: string;

  @Column({ name: 'due_at', type: 'timestamptz', precision: 3, nullable: true })
  dueAt: Date | null;

  @Column({ type: 'integer', default: 0 })
  attempts: number;

  @Column({ name: 'last_version_id', type: 'text', collation: 'C', nullable: true })
  lastVersionId: string | null;

  @Column({ name: 'processed_at', type: 'timestamptz', precision: 3, nullable: true })
  processedAt: Date | null;

  @Column({ name: 'error_code', type: 'text', nullable: true })
  errorCode: string | null;

  @Column({ type: 'jsonb', default: () => `'[]'` })
  errors: object;

  @Column({ name: 'error_count', type: 'integer', default: 0 })
  errorCount: number;

  /** Null where the installation decides. */
  @Column({ type: 'boolean', nullable: true })
  tolerant: boolean | null;

  /** The effect of changes from which on a new version is refused; null where every version is taken. */
  @Column({ name: 'fail_on', type: 'text', nullable: true })
  failOn: string | null;

  @Column({ type: 'jsonb', default: () => `'[]'` })
  warnings: object;

  @Column({ name: 'warning_count', type: 'integer', default: 0 })
  warningCount: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;
}
