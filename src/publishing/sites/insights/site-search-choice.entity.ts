import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../../kernel/common/table-kind.js';

/** How often readers of a site opened a page after a search for a query on one day. */
@OrganizationTable()
@Entity('site_search_choice')
@Index('site_search_choice_age_idx', { synchronize: false })
export class SiteSearchChoice {
  @PrimaryColumn({
    name: 'site_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'site_search_choice_pkey',
  })
  siteId: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'site_search_choice_pkey' })
  query: string;

  @PrimaryColumn({ type: 'date', primaryKeyConstraintName: 'site_search_choice_pkey' })
  day: string;

  @PrimaryColumn({
    name: 'page_space_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'site_search_choice_pkey',
  })
  pageSpaceId: string;

  @PrimaryColumn({
    name: 'page_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'site_search_choice_pkey',
  })
  pageId: string;

  @Column({ type: 'integer' })
  opens: number;
}
