import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A text that no page uses, until its vectors are dropped. */
@OrganizationTable()
@Entity('section_unused')
@Index('section_unused_since_idx', ['since'])
export class SectionUnused {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'section_unused_pkey' })
  spaceId: string;

  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'section_unused_pkey' })
  hash: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  since: Date;
}
