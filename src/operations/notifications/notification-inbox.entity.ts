import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { InstallationTable } from '../../kernel/common/table-kind.js';

/** The end of a person's list of notifications, and how their letters fare. */
@InstallationTable()
@Entity('notification_inbox')
@ForeignKey('User', ['userId'], ['id'], { name: 'notification_inbox_user_fk' })
@Index('notification_inbox_digest_idx', { synchronize: false })
export class NotificationInbox {
  @PrimaryColumn({
    name: 'user_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'notification_inbox_pkey',
  })
  userId: string;

  /** The sequence of the last notification. */
  @Column({ type: 'bigint' })
  sequence: string;

  /** Letters in a row that the mail server has not taken. */
  @Column({ name: 'mail_failures', type: 'integer', default: 0 })
  mailFailures: number;

  @Column({ name: 'mail_retry_at', type: 'timestamptz', precision: 3, nullable: true })
  mailRetryAt: Date | null;

  /** The time up to which weekly digests have told of changes; null for people who want none. */
  @Column({ name: 'digest_since', type: 'timestamptz', precision: 3, nullable: true })
  digestSince: Date | null;
}
