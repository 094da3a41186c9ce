import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A comment on a space or change request, or a reply to one. */
@OrganizationTable()
@Entity('comment')
@Check(
  'comment_cell_check',
  `(((table_record IS NULL) = (table_definition IS NULL)) AND ((table_record IS NULL) OR (node IS NOT NULL)))`,
)
@Check('comment_node_check', `((node IS NULL) OR (page_id IS NOT NULL))`)
@Check(
  'comment_reply_check',
  `((parent_id IS NULL) OR ((resolved_at IS NULL) AND (page_id IS NULL) AND (review_id IS NULL)))`,
)
@Check('comment_resolved_check', `((resolved_by IS NULL) = (resolved_at IS NULL))`)
@Check(
  'comment_side_check',
  `((side IS NULL) OR ((node IS NOT NULL) AND (side = ANY (ARRAY['before'::text, 'after'::text]))))`,
)
@Check(
  'comment_suggestion_check',
  `(((suggestion IS NULL) = (suggestion_before IS NULL)) AND ((suggestion IS NULL) OR (node IS NOT NULL)))`,
)
@Check(
  'comment_applied_check',
  `(((applied_by IS NULL) = (applied_at IS NULL)) AND ((applied_at IS NULL) OR (suggestion IS NOT NULL)))`,
)
@ForeignKey('User', ['appliedBy'], ['id'], { name: 'comment_applier_fk' })
@ForeignKey('User', ['postedBy'], ['id'], { name: 'comment_author_fk' })
@ForeignKey('Comment', ['spaceId', 'parentId'], ['spaceId', 'id'], { name: 'comment_parent_fk', onDelete: 'CASCADE' })
@ForeignKey('User', ['resolvedBy'], ['id'], { name: 'comment_resolver_fk' })
@ForeignKey('Space', ['spaceId'], ['id'], { name: 'comment_space_fk' })
@Index('comment_author_idx', ['spaceId', 'line', 'postedBy'])
@Index('comment_list_idx', { synchronize: false })
@Index('comment_open_idx', { synchronize: false })
@Index('comment_page_idx', { synchronize: false })
@Index('comment_reply_idx', { synchronize: false })
@Index('comment_review_key', { synchronize: false })
export class Comment {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'comment_pkey' })
  spaceId: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'comment_pkey' })
  id: string;

  @Column({ type: 'text', collation: 'C' })
  line: string;

  @Column({ name: 'parent_id', type: 'text', collation: 'C', nullable: true })
  parentId: string | null;

  @Column({ name: 'review_id', type: 'text', collation: 'C', nullable: true })
  reviewId: string | null;

  @Column({ name: 'revision_id', type: 'text', collation: 'C' })
  revisionId: string;

  @Column({ name: 'page_id', type: 'text', collation: 'C', nullable: true })
  pageId: string | null;

  @Column({ type: 'text', collation: 'C', nullable: true })
  node: string | null;

  @Column({ name: 'table_record', type: 'text', collation: 'C', nullable: true })
  tableRecord: string | null;

  @Column({ name: 'table_definition', type: 'text', collation: 'C', nullable: true })
  tableDefinition: string | null;

  @Column({ type: 'json' })
  body: object;

  /** The name of the agent that acted for the author. */
  @Column({ type: 'text', nullable: true })
  agent: string | null;

  @Column({ name: 'posted_by', type: 'text', collation: 'C' })
  postedBy: string;

  @Column({ name: 'posted_at', type: 'timestamptz', precision: 3 })
  postedAt: Date;

  @Column({ name: 'edited_at', type: 'timestamptz', precision: 3, nullable: true })
  editedAt: Date | null;

  @Column({ name: 'resolved_by', type: 'text', collation: 'C', nullable: true })
  resolvedBy: string | null;

  @Column({ name: 'resolved_at', type: 'timestamptz', precision: 3, nullable: true })
  resolvedAt: Date | null;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;

  /** The side of the comparison that has the block. */
  @Column({ type: 'text', nullable: true })
  side: string | null;

  /** The blocks that are suggested in the place of the block. */
  @Column({ type: 'json', nullable: true })
  suggestion: object | null;

  /** The block when the suggestion was made, as a list. */
  @Column({ name: 'suggestion_before', type: 'json', nullable: true })
  suggestionBefore: object | null;

  @Column({ name: 'applied_by', type: 'text', collation: 'C', nullable: true })
  appliedBy: string | null;

  @Column({ name: 'applied_at', type: 'timestamptz', precision: 3, nullable: true })
  appliedAt: Date | null;
}
