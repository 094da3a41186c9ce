import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { InstallationTable } from '../../kernel/common/table-kind.js';

/** An export or import of a whole organization in the background. */
@InstallationTable()
@Entity('organization_run')
@Check('organization_run_kind_check', `(kind = ANY (ARRAY['export'::text, 'import'::text]))`)
@Check(
  'organization_run_status_check',
  `(status = ANY (ARRAY['pending'::text, 'in-progress'::text, 'completed'::text, 'failed'::text]))`,
)
@Check('organization_run_organization_check', `((kind = 'import'::text) OR (organization_id IS NOT NULL))`)
@ForeignKey('Organization', ['organizationId'], ['id'], {
  name: 'organization_run_organization_fk',
  onDelete: 'CASCADE',
})
@ForeignKey('User', ['createdBy'], ['id'], { name: 'organization_run_creator_fk' })
@ForeignKey('Blob', ['sourceHash'], ['hash'], { name: 'organization_run_source_fk' })
@Index('organization_run_organization_idx', ['organizationId', 'createdAt', 'id'])
@Index('organization_run_creator_idx', ['createdBy'])
@Index('organization_run_source_idx', { synchronize: false })
@Index('organization_run_created_idx', ['createdAt'])
export class OrganizationRun {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'organization_run_pkey' })
  id: string;

  @Column({ type: 'text' })
  kind: 'export' | 'import';

  @Column({ type: 'text', default: 'pending' })
  status: 'pending' | 'in-progress' | 'completed' | 'failed';

  @Column({ name: 'organization_id', type: 'text', collation: 'C', nullable: true })
  organizationId: string | null;

  @Column({ name: 'created_by', type: 'text', collation: 'C' })
  createdBy: string;

  @Column({ name: 'source_hash', type: 'bytea', nullable: true })
  sourceHash: Buffer | null;

  @Column({ name: 'steps_done', type: 'integer', default: 0 })
  stepsDone: number;

  @Column({ type: 'integer', default: 0 })
  steps: number;

  @Column({ type: 'jsonb', nullable: true })
  result: OrganizationRunResult | null;

  @Column({ type: 'text', nullable: true })
  error: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'started_at', type: 'timestamptz', precision: 3, nullable: true })
  startedAt: Date | null;

  @Column({ name: 'completed_at', type: 'timestamptz', precision: 3, nullable: true })
  completedAt: Date | null;
}

/** The result of a run as it is stored. */
export interface OrganizationRunResult {
  /** Rows of all tables. */
  readonly rows: number;
  readonly files: number;
  /** The archive that an export has written; the hash is in hexadecimal. */
  readonly archive?: { readonly name: string; readonly hash: string; readonly size: number };
  /** Addresses of people whose membership an import has left to an administrator, who enables it or invites them. */
  readonly waiting?: readonly string[];
  /** Differences between an imported organization and its archive, in sentences. */
  readonly notes?: readonly string[];
}
