import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { newId } from '../../kernel/common/ids.js';
import { CONFIG } from '../../kernel/platform/config/config.js';
import { Announcements } from '../../kernel/platform/announcements.js';
import { Mail } from '../../kernel/platform/mail.js';
import { DEFAULT_CHOICE, deliveryOf, type NotificationDelivery } from './domain/kinds.js';
import type { NotificationsConfig } from './notifications.manifest.js';
import type { Recipient } from './recipients.statements.js';

/** The channel on which servers tell each other who has something new: payloads are ids of users. */
export const NEWS_CHANNEL = 'bindery_notifications';

/** Locks the ends of the lists of some people until the transaction ends, and moves each by a number of rows. */
const EXTEND = `INSERT INTO notification_inbox (user_id, sequence) SELECT n.id, n.rows FROM unnest($1::text[], $2::bigint[]) AS n (id, rows) ORDER BY n.id
  ON CONFLICT (user_id) DO UPDATE SET sequence = notification_inbox.sequence + excluded.sequence RETURNING user_id AS "userId", sequence::float8 AS sequence`;

/** `$2` is the delay of letters in seconds, `$3` the hour of digests in UTC. */
const MAIL_AT = `CASE n.mail WHEN 'immediately' THEN date_trunc('milliseconds', now() + $2::float8 * interval '1 second')
    WHEN 'daily' THEN (date_trunc('day', (now() AT TIME ZONE 'UTC') - $3::float8 * interval '1 hour') + interval '1 day' + $3 * interval '1 hour') AT TIME ZONE 'UTC'
    WHEN 'weekly' THEN (date_trunc('week', (now() AT TIME ZONE 'UTC') - $3 * interval '1 hour') + interval '1 week' + $3 * interval '1 hour') AT TIME ZONE 'UTC' END`;

/** A person is told of an event once, however often it is delivered. */
const INSERT = `INSERT INTO notification (id, event_id, user_id, sequence, kind, at, space_id, site_id, change_request_id, comment_id, page_id, subject_id, outcome, actor_id, in_app, mail_at)
  SELECT n.id, n.event_id, n.user_id, n.sequence, n.kind, n.at, n.space_id, n.site_id, n.request_id, n.comment_id, n.page_id, n.subject_id, n.outcome, n.actor_id, n.app, ${MAIL_AT}
    FROM jsonb_to_recordset($1) AS n (id text, event_id text, user_id text, sequence bigint, kind text, at timestamptz, space_id text, site_id text, request_id text, comment_id text,
      page_id text, subject_id text, outcome text, actor_id text, app boolean, mail text)
  ON CONFLICT ON CONSTRAINT notification_event_key DO NOTHING`;

type Told = Recipient & { readonly delivery: NotificationDelivery };

/** Adds rows to the lists of people, in the transaction that handles the events. */
@Injectable()
export class NotificationWriter {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly mail: Mail,
    private readonly announcements: Announcements,
    @Inject(CONFIG) private readonly config: NotificationsConfig,
  ) {}

  /** Tells people of what they have not switched off, and announces it to the servers on which they wait for it. */
  async tell(recipients: readonly Recipient[]): Promise<void> {
    const told = recipients.flatMap((recipient): Told[] => {
      const canMail = this.mail.configured && recipient.verified;
      const delivery = deliveryOf(recipient.choice ?? DEFAULT_CHOICE, recipient.kind, canMail);
      return delivery.app || delivery.mail ? [{ ...recipient, delivery }] : [];
    });
    if (told.length === 0) return;
    const ends = await this.extend(told);
    const now = this.clock.now().getTime();
    const rows = told.map((recipient) => {
      const sequence = (ends.get(recipient.userId) ?? 0) + 1;
      ends.set(recipient.userId, sequence);
      return rowOf(recipient, newId(now), sequence);
    });
    const { notificationMailDelay, notificationDigestHour } = this.config;
    await this.database.execute(INSERT, [JSON.stringify(rows), notificationMailDelay, notificationDigestHour]);
    await this.announcements.announce(NEWS_CHANNEL, [...ends.keys()]);
  }

  /** The ends of the lists of these people before their new rows. */
  private async extend(told: readonly Told[]): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    for (const { userId } of told) counts.set(userId, (counts.get(userId) ?? 0) + 1);
    const ends = await this.database.query<{ userId: string; sequence: number }>(EXTEND, [
      [...counts.keys()],
      [...counts.values()],
    ]);
    return new Map(ends.map(({ userId, sequence }) => [userId, sequence - (counts.get(userId) ?? 0)]));
  }
}

function rowOf(recipient: Told, id: string, sequence: number): Record<string, unknown> {
  return {
    id,
    event_id: recipient.eventId,
    user_id: recipient.userId,
    sequence,
    kind: recipient.kind,
    at: recipient.at,
    space_id: recipient.spaceId,
    site_id: recipient.siteId,
    request_id: recipient.changeRequestId,
    comment_id: recipient.commentId,
    page_id: recipient.pageId,
    subject_id: recipient.subjectId,
    outcome: recipient.outcome,
    actor_id: recipient.actorId,
    app: recipient.delivery.app,
    mail: recipient.delivery.mail ?? null,
  };
}
