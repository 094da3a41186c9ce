import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { InstallationTable } from '../../kernel/common/table-kind.js';
import type { NotificationKind } from './domain/kinds.js';

/** Something that one person is told of. */
@InstallationTable()
@Entity('notification')
@Check(
  'notification_kind_check',
  `(kind = ANY (ARRAY['review_requested'::text, 'reviewed'::text, 'commented'::text, 'replied'::text, 'mentioned'::text, 'merged'::text, 'conflict'::text, 'translation_failed'::text, 'import_ended'::text, 'verification_due'::text]))`,
)
@ForeignKey('User', ['actorId'], ['id'], { name: 'notification_actor_fk' })
@ForeignKey('User', ['userId'], ['id'], { name: 'notification_user_fk' })
@Check('notification_place_check', '(num_nonnulls(space_id, site_id) = 1)')
@ForeignKey('Space', ['spaceId'], ['id'], { name: 'notification_space_fk' })
@ForeignKey('Site', ['siteId'], ['id'], { name: 'notification_site_fk', onDelete: 'CASCADE' })
@ForeignKey('ChangeRequest', ['spaceId', 'changeRequestId'], ['spaceId', 'id'], {
  name: 'notification_change_request_fk',
})
@ForeignKey('Comment', ['spaceId', 'commentId'], ['spaceId', 'id'], {
  name: 'notification_comment_fk',
  onDelete: 'CASCADE',
})
@Unique('notification_event_key', ['eventId', 'userId'])
@Index('notification_list_key', ['userId', 'sequence'], { unique: true })
@Index('notification_unread_idx', { synchronize: false })
@Index('notification_change_request_idx', ['spaceId', 'changeRequestId', 'kind'])
@Index('notification_comment_idx', { synchronize: false })
@Index('notification_site_idx', { synchronize: false })
@Index('notification_user_site_idx', { synchronize: false })
@Index('notification_mail_idx', { synchronize: false })
@Index('notification_age_idx', ['at'])
export class Notification {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'notification_pkey' })
  id: string;

  @Column({ name: 'user_id', type: 'text', collation: 'C' })
  userId: string;

  /** Counts the notifications of the person in the order in which they were committed. */
  @Column({ type: 'bigint' })
  sequence: string;

  /** The event, or for a conflict the change request and its base. */
  @Column({ name: 'event_id', type: 'text', collation: 'C' })
  eventId: string;

  @Column({ type: 'text' })
  kind: NotificationKind;

  @Column({ type: 'timestamptz', precision: 3 })
  at: Date;

  /** The space or the site that it is about. */
  @Column({ name: 'space_id', type: 'text', collation: 'C', nullable: true })
  spaceId: string | null;

  @Column({ name: 'site_id', type: 'text', collation: 'C', nullable: true })
  siteId: string | null;

  @Column({ name: 'change_request_id', type: 'text', collation: 'C', nullable: true })
  changeRequestId: string | null;

  @Column({ name: 'comment_id', type: 'text', collation: 'C', nullable: true })
  commentId: string | null;

  @Column({ name: 'page_id', type: 'text', collation: 'C', nullable: true })
  pageId: string | null;

  /** The review, the import or the translation. */
  @Column({ name: 'subject_id', type: 'text', collation: 'C', nullable: true })
  subjectId: string | null;

  @Column({ type: 'text', nullable: true })
  outcome: string | null;

  @Column({ name: 'actor_id', type: 'text', collation: 'C', nullable: true })
  actorId: string | null;

  /** False if the notification is only mailed. */
  @Column({ name: 'in_app', type: 'boolean' })
  inApp: boolean;

  @Column({ name: 'read_at', type: 'timestamptz', precision: 3, nullable: true })
  readAt: Date | null;

  /** The time from which a letter may tell of it; null once one has, or need not. */
  @Column({ name: 'mail_at', type: 'timestamptz', precision: 3, nullable: true })
  mailAt: Date | null;
}
