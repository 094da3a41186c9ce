import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A place in the primary content that contains a reference. */
@OrganizationTable()
@Entity('content_link')
@Index('content_link_key_idx', ['spaceId', 'key', 'sourceKind', 'sourceId'])
export class ContentLink {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'content_link_pkey' })
  spaceId: string;

  @PrimaryColumn({ name: 'source_kind', type: 'text', collation: 'C', primaryKeyConstraintName: 'content_link_pkey' })
  sourceKind: string;

  @PrimaryColumn({ name: 'source_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'content_link_pkey' })
  sourceId: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'content_link_pkey' })
  key: string;

  @Column({ type: 'text', array: true })
  nodes: string[];
}
