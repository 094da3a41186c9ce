import { Column, Entity, PrimaryColumn } from 'typeorm';
import { InstallationTable } from '../../kernel/common/table-kind.js';

/** A pending or completed removal of old lines of the audit log. */
@InstallationTable()
@Entity('audit_removal')
export class AuditRemoval {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'audit_removal_pkey' })
  id: string;

  @Column({ type: 'timestamptz', precision: 3 })
  before: Date;

  @Column({ name: 'removed_at', type: 'timestamptz', precision: 3 })
  removedAt: Date;

  @Column({ type: 'integer', default: 0 })
  removed: number;
}
