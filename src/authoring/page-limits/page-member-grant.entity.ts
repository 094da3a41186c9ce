import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A member who sees a limited page. */
@OrganizationTable()
@Entity('page_member_grant')
@ForeignKey('PageLimit', ['spaceId', 'pageId'], ['spaceId', 'pageId'], {
  name: 'page_member_grant_limit_fk',
  onDelete: 'CASCADE',
})
@ForeignKey('User', ['userId'], ['id'], { name: 'page_member_grant_user_fk' })
@Index('page_member_grant_user_idx', ['userId'])
export class PageMemberGrant {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'page_member_grant_pkey' })
  spaceId: string;

  @PrimaryColumn({ name: 'page_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'page_member_grant_pkey' })
  pageId: string;

  @PrimaryColumn({ name: 'user_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'page_member_grant_pkey' })
  userId: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
