import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../../kernel/common/table-kind.js';

/** How often readers of a site searched for a query on one day. */
@OrganizationTable()
@Entity('site_search_query')
@Index('site_search_query_age_idx', { synchronize: false })
export class SiteSearchQuery {
  @PrimaryColumn({
    name: 'site_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'site_search_query_pkey',
  })
  siteId: string;

  @PrimaryColumn({ type: 'date', primaryKeyConstraintName: 'site_search_query_pkey' })
  day: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'site_search_query_pkey' })
  query: string;

  @Column({ type: 'integer' })
  searches: number;

  @Column({ type: 'integer' })
  unanswered: number;

  @Column({ type: 'integer' })
  opened: number;

  @Column({ name: 'last_asked_at', type: 'timestamptz', precision: 3 })
  lastAskedAt: Date;
}
