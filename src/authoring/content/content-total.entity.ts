import { Column, Entity, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** The number of items of a kind on a line. */
@OrganizationTable()
@Entity('content_total')
export class ContentTotal {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'content_total_pkey' })
  spaceId: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'content_total_pkey' })
  line: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'content_total_pkey' })
  kind: string;

  @Column({ type: 'bigint' })
  count: string;
}
