import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** The state of the texts by which the computed pages of a space are found. */
@OrganizationTable()
@Entity('computed_index')
@ForeignKey('Space', ['spaceId'], ['id'], { name: 'computed_index_space_fk', onDelete: 'CASCADE' })
@Index('computed_index_due_idx', { synchronize: false })
export class ComputedIndex {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'computed_index_pkey' })
  spaceId: string;

  /** The version of each specification that the texts were made from, by slug. */
  @Column({ type: 'jsonb', default: {} })
  versions: object;

  /** Since when the texts may be out of date; null if they are not. */
  @Column({ name: 'due_at', type: 'timestamptz', precision: 3, nullable: true })
  dueAt: Date | null;
}
