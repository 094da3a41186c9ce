import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** An import into a space, or an export of it, that runs in the background. */
@OrganizationTable()
@Entity('import_run')
@Check(
  'import_run_status_check',
  `(status = ANY (ARRAY['pending'::text, 'in-progress'::text, 'completed'::text, 'failed'::text, 'cancelled'::text]))`,
)
@ForeignKey('User', ['createdBy'], ['id'], { name: 'import_run_creator_fk' })
@ForeignKey('Space', ['spaceId'], ['id'], { name: 'import_run_space_fk' })
@Index('import_run_created_idx', ['createdAt', 'id'])
@Index('import_run_creator_idx', ['createdBy'])
@Index('import_run_space_idx', ['spaceId', 'createdAt', 'id'])
export class ImportRun {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'import_run_pkey' })
  id: string;

  @Column({ name: 'space_id', type: 'text', collation: 'C' })
  spaceId: string;

  @Column({ type: 'text' })
  status: string;

  @Column({ type: 'jsonb' })
  source: object;

  @Column({ name: 'change_request_id', type: 'text', collation: 'C', nullable: true })
  changeRequestId: string | null;

  @Column({ name: 'page_id', type: 'text', collation: 'C', nullable: true })
  pageId: string | null;

  @Column({ type: 'bytea', nullable: true })
  secret: Buffer | null;

  @Column({ name: 'created_by', type: 'text', collation: 'C' })
  createdBy: string;

  @Column({ type: 'text', nullable: true })
  error: string | null;

  @Column({ type: 'jsonb', nullable: true })
  result: object | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'started_at', type: 'timestamptz', precision: 3, nullable: true })
  startedAt: Date | null;

  @Column({ name: 'completed_at', type: 'timestamptz', precision: 3, nullable: true })
  completedAt: Date | null;
}
