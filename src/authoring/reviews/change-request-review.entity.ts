import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A review of a change request as it was at one revision. */
@OrganizationTable()
@Entity('change_request_review')
@Check('change_request_review_status_check', `(status = ANY (ARRAY['approved'::text, 'changes-requested'::text]))`)
@ForeignKey('ChangeRequest', ['spaceId', 'changeRequestId'], ['spaceId', 'id'], {
  name: 'change_request_review_change_request_fk',
})
@ForeignKey('User', ['requestedBy'], ['id'], { name: 'change_request_review_requester_fk' })
@ForeignKey('User', ['reviewerId'], ['id'], { name: 'change_request_review_reviewer_fk' })
@Unique('change_request_review_space_id_key', ['spaceId', 'id'])
@Index('change_request_review_list_idx', ['spaceId', 'changeRequestId', 'createdAt', 'id'])
export class ChangeRequestReview {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'change_request_review_pkey' })
  id: string;

  @Column({ name: 'space_id', type: 'text', collation: 'C' })
  spaceId: string;

  @Column({ name: 'change_request_id', type: 'text', collation: 'C' })
  changeRequestId: string;

  @Column({ name: 'reviewer_id', type: 'text', collation: 'C' })
  reviewerId: string;

  @Column({ name: 'requested_by', type: 'text', collation: 'C', nullable: true })
  requestedBy: string | null;

  /** The name of the agent that reviewed for the reviewer. */
  @Column({ type: 'text', nullable: true })
  agent: string | null;

  @Column({ type: 'text' })
  status: string;

  @Column({ name: 'revision_id', type: 'text', collation: 'C' })
  revisionId: string;

  @Column({ type: 'bigint' })
  sequence: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
