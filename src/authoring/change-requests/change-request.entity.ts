import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A change request: the head of a line beside the primary one of its space. */
@OrganizationTable()
@Entity('change_request')
@Check(
  'change_request_status_check',
  `(status = ANY (ARRAY['draft'::text, 'open'::text, 'archived'::text, 'merged'::text]))`,
)
@ForeignKey('IssuesCluster', ['issuesClusterId'], ['id'], { name: 'change_request_cluster_fk', onDelete: 'SET NULL' })
@ForeignKey('User', ['createdBy'], ['id'], { name: 'change_request_creator_fk' })
@ForeignKey('Space', ['spaceId'], ['id'], { name: 'change_request_space_fk' })
@Unique('change_request_number_key', ['spaceId', 'number'])
@Unique('change_request_space_id_key', ['spaceId', 'id'])
@Index('change_request_cluster_idx', { synchronize: false })
@Index('change_request_list_idx', ['spaceId', 'status', 'createdAt', 'id'])
export class ChangeRequest {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'change_request_pkey' })
  id: string;

  @Column({ name: 'space_id', type: 'text', collation: 'C' })
  spaceId: string;

  @Column({ type: 'integer' })
  number: number;

  @Column({ type: 'text', default: 'draft' })
  status: string;

  @Column({ type: 'text' })
  subject: string;

  @Column({ type: 'jsonb', nullable: true })
  description: object | null;

  /** The name of the agent that acted for the author. */
  @Column({ type: 'text', nullable: true })
  agent: string | null;

  @Column({ name: 'created_by', type: 'text', collation: 'C' })
  createdBy: string;

  @Column({ name: 'revision_id', type: 'text', collation: 'C' })
  revisionId: string;

  @Column({ type: 'bigint', default: 0 })
  sequence: string;

  @Column({ name: 'base_revision_id', type: 'text', collation: 'C' })
  baseRevisionId: string;

  @Column({ name: 'base_sequence', type: 'bigint' })
  baseSequence: string;

  @Column({ name: 'initial_revision_id', type: 'text', collation: 'C' })
  initialRevisionId: string;

  @Column({ name: 'merged_ancestor_id', type: 'text', collation: 'C', nullable: true })
  mergedAncestorId: string | null;

  @Column({ name: 'merged_revision_id', type: 'text', collation: 'C', nullable: true })
  mergedRevisionId: string | null;

  /** The revision of another change request that this one goes on from. */
  @Column({ name: 'continued_revision_id', type: 'text', collation: 'C', nullable: true })
  continuedRevisionId: string | null;

  @Column({ name: 'issues_cluster_id', type: 'text', collation: 'C', nullable: true })
  issuesClusterId: string | null;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;

  @Column({ name: 'written_sequence', type: 'bigint', default: 0 })
  writtenSequence: string;
}
