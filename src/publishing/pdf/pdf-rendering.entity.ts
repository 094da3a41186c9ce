import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A requested PDF. */
@OrganizationTable()
@Entity('pdf_rendering')
@Check('pdf_rendering_status_check', `(status = ANY (ARRAY['pending'::text, 'done'::text, 'failed'::text]))`)
@ForeignKey('Blob', ['hash'], ['hash'], { name: 'pdf_rendering_hash_fk' })
@ForeignKey('Space', ['spaceId'], ['id'], { name: 'pdf_rendering_space_fk' })
@Unique('pdf_rendering_key', ['spaceId', 'key'])
@Index('pdf_rendering_asked_idx', ['askedAt'])
@Index('pdf_rendering_hash_idx', { synchronize: false })
@Index('pdf_rendering_pending_idx', { synchronize: false })
export class PdfRendering {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'pdf_rendering_pkey' })
  id: string;

  @Column({ name: 'space_id', type: 'text', collation: 'C' })
  spaceId: string;

  @Column({ type: 'bytea', nullable: true })
  key: Buffer | null;

  @Column({ type: 'text' })
  status: string;

  @Column({ type: 'jsonb' })
  wanted: object;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'bytea', nullable: true })
  hash: Buffer | null;

  @Column({ type: 'bigint', nullable: true })
  size: string | null;

  @Column({ type: 'jsonb', nullable: true })
  used: object | null;

  @Column({ type: 'text', nullable: true })
  error: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'completed_at', type: 'timestamptz', precision: 3, nullable: true })
  completedAt: Date | null;

  @Column({ name: 'asked_at', type: 'timestamptz', precision: 3 })
  askedAt: Date;
}
