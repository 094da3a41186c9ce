import { Column, Entity, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A page whose vectors may be out of date, or are not made yet. */
@OrganizationTable()
@Entity('page_embedding_due')
export class PageEmbeddingDue {
  @PrimaryColumn({
    name: 'space_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'page_embedding_due_pkey',
  })
  spaceId: string;

  @PrimaryColumn({ name: 'page_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'page_embedding_due_pkey' })
  pageId: string;

  /** Rises with each change, so that one during the work is not forgotten. */
  @Column({ type: 'integer', default: 0 })
  generation: number;
}
