import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A user's emoji reaction to a comment. */
@OrganizationTable()
@Entity('comment_reaction')
@ForeignKey('Comment', ['spaceId', 'commentId'], ['spaceId', 'id'], {
  name: 'comment_reaction_comment_fk',
  onDelete: 'CASCADE',
})
@ForeignKey('User', ['userId'], ['id'], { name: 'comment_reaction_user_fk' })
export class CommentReaction {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'comment_reaction_pkey' })
  spaceId: string;

  @PrimaryColumn({
    name: 'comment_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'comment_reaction_pkey',
  })
  commentId: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'comment_reaction_pkey' })
  emoji: string;

  @PrimaryColumn({ name: 'user_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'comment_reaction_pkey' })
  userId: string;

  @Column({ name: 'reacted_at', type: 'timestamptz', precision: 3 })
  reactedAt: Date;
}
