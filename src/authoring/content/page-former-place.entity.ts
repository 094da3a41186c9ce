import { Column, Entity, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A former place of a page, from which readers are redirected. */
@OrganizationTable()
@Entity('page_former_place')
export class PageFormerPlace {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'page_former_place_pkey' })
  spaceId: string;

  @PrimaryColumn({
    name: 'parent_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'page_former_place_pkey',
  })
  parentId: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'page_former_place_pkey' })
  slug: string;

  @PrimaryColumn({ name: 'page_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'page_former_place_pkey' })
  pageId: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
