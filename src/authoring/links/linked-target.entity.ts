import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A target of references in the primary content of a space, and their number. */
@OrganizationTable()
@Entity('link_target')
@Index('link_target_foreign_idx', { synchronize: false })
@Index('link_target_written_idx', { synchronize: false })
@Index('link_target_item_idx', { synchronize: false })
export class LinkedTarget {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'link_target_pkey' })
  spaceId: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'link_target_pkey' })
  key: string;

  @Column({ type: 'text' })
  relation: string;

  @Column({ type: 'text', collation: 'C' })
  kind: string;

  @Column({ type: 'text', collation: 'C' })
  target: string;

  @Column({ name: 'target_space_id', type: 'text', collation: 'C' })
  targetSpaceId: string;

  @Column({ type: 'text' })
  anchor: string;

  @Column({ type: 'integer' })
  links: number;
}
