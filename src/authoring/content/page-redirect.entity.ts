import { Column, Entity, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A path of a space that redirects to a page. */
@OrganizationTable()
@Entity('page_redirect')
export class PageRedirect {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'page_redirect_pkey' })
  spaceId: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'page_redirect_pkey' })
  path: string;

  @Column({ name: 'page_id', type: 'text', collation: 'C' })
  pageId: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'jsonb', nullable: true })
  given: object | null;
}
