import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** Revisions of a space whose conflicts with open change requests are still to be found. */
@OrganizationTable()
@Entity('conflict_check')
@ForeignKey('Space', ['spaceId'], ['id'], { name: 'conflict_check_space_fk' })
export class ConflictCheck {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'conflict_check_pkey' })
  spaceId: string;

  @Column({ name: 'from_sequence', type: 'bigint' })
  fromSequence: string;

  @Column({ name: 'to_sequence', type: 'bigint' })
  toSequence: string;

  /** When a job for it was enqueued last. */
  @Column({ name: 'noted_at', type: 'timestamptz', precision: 3 })
  notedAt: Date;
}
