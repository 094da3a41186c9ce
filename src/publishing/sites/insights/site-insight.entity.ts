import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../../kernel/common/table-kind.js';

/** A visit, search or other event of a reader of a site. The table is partitioned by month. */
@OrganizationTable()
@Entity('site_insight')
@Index('site_insight_range_idx', ['siteId', 'at'])
export class SiteInsight {
  @PrimaryColumn({ name: 'site_id', type: 'text', collation: 'C' })
  siteId: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  at: Date;

  @Column({ type: 'smallint' })
  type: number;

  @Column({ type: 'smallint' })
  context: number;

  @Column({ type: 'smallint' })
  device: number;

  @Column({ type: 'smallint' })
  browser: number;

  @Column({ type: 'smallint' })
  os: number;

  @Column({ type: 'smallint', nullable: true })
  bot: number | null;

  @Column({ type: 'bigint' })
  visitor: string;

  @PrimaryColumn({ type: 'bigint' })
  session: string;

  @Column({ type: 'text' })
  url: string;

  @Column({ name: 'section_id', type: 'text', collation: 'C', nullable: true })
  sectionId: string | null;

  @Column({ name: 'site_space_id', type: 'text', collation: 'C', nullable: true })
  siteSpaceId: string | null;

  @Column({ name: 'page_space_id', type: 'text', collation: 'C', nullable: true })
  pageSpaceId: string | null;

  @Column({ name: 'page_id', type: 'text', collation: 'C', nullable: true })
  pageId: string | null;

  @Column({ name: 'share_key', type: 'text', collation: 'C', nullable: true })
  shareKey: string | null;

  @Column({ type: 'text', nullable: true })
  language: string | null;

  @Column({ type: 'text', nullable: true })
  referrer: string | null;

  @Column({ type: 'jsonb', nullable: true })
  facts: object | null;

  @Column({ type: 'jsonb', nullable: true })
  claims: object | null;
}
