import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** The current text of a page of the primary content. */
@OrganizationTable()
@Entity('page_current')
@Index('page_current_title_idx', { synchronize: false })
export class PageCurrent {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'page_current_pkey' })
  spaceId: string;

  @PrimaryColumn({ name: 'page_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'page_current_pkey' })
  pageId: string;

  @Column({ type: 'bytea', nullable: true })
  hash: Buffer | null;

  /** Empty if no search finds the page. */
  @Column({ name: 'title_vector', type: 'tsvector' })
  titleVector: string;
}
