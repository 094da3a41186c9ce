import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A page of a change request that a person has looked at. */
@OrganizationTable()
@Entity('viewed_page')
@ForeignKey('ChangeRequest', ['spaceId', 'changeRequestId'], ['spaceId', 'id'], {
  name: 'viewed_page_change_request_fk',
})
@ForeignKey('User', ['userId'], ['id'], { name: 'viewed_page_user_fk' })
export class ViewedPage {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'viewed_page_pkey' })
  spaceId: string;

  @PrimaryColumn({
    name: 'change_request_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'viewed_page_pkey',
  })
  changeRequestId: string;

  @PrimaryColumn({ name: 'user_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'viewed_page_pkey' })
  userId: string;

  @PrimaryColumn({ name: 'page_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'viewed_page_pkey' })
  pageId: string;

  /** A hash of the content that was seen. */
  @Column({ type: 'text', collation: 'C' })
  state: string;

  @Column({ name: 'viewed_at', type: 'timestamptz', precision: 3 })
  viewedAt: Date;
}
