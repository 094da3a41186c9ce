import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A person who was asked to review a change request. */
@OrganizationTable()
@Entity('requested_reviewer')
@ForeignKey('ChangeRequest', ['spaceId', 'changeRequestId'], ['spaceId', 'id'], {
  name: 'requested_reviewer_change_request_fk',
})
@ForeignKey('User', ['requestedBy'], ['id'], { name: 'requested_reviewer_requester_fk' })
@ForeignKey('User', ['userId'], ['id'], { name: 'requested_reviewer_user_fk' })
@Index('requested_reviewer_user_idx', ['userId'])
export class RequestedReviewer {
  @PrimaryColumn({
    name: 'space_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'requested_reviewer_pkey',
  })
  spaceId: string;

  @PrimaryColumn({
    name: 'change_request_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'requested_reviewer_pkey',
  })
  changeRequestId: string;

  @PrimaryColumn({ name: 'user_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'requested_reviewer_pkey' })
  userId: string;

  @Column({ name: 'requested_by', type: 'text', collation: 'C' })
  requestedBy: string;

  @Column({ name: 'revision_id', type: 'text', collation: 'C' })
  revisionId: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
