import { Column, Entity, PrimaryColumn } from 'typeorm';
import { InstallationTable } from '../../kernel/common/table-kind.js';

/** A backup that this database was restored from; it is quiet until it is activated. */
@InstallationTable()
@Entity('restored_copy')
export class RestoredCopy {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'restored_copy_pkey' })
  id: string;

  /** The name of the backup in its target. */
  @Column({ type: 'text' })
  backup: string;

  /** The moment that the backup shows. */
  @Column({ name: 'taken_at', type: 'timestamptz', precision: 3 })
  takenAt: Date;

  @Column({ name: 'restored_at', type: 'timestamptz', precision: 3 })
  restoredAt: Date;

  @Column({ name: 'activated_at', type: 'timestamptz', precision: 3, nullable: true })
  activatedAt: Date | null;
}
