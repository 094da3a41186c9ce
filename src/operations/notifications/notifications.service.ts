import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { requestAddress } from '../../kernel/common/ip-address.js';
import { Pages, type Page } from '../../kernel/common/page.js';
import {
  MARK_READ,
  MARK_UNREAD,
  NEWS,
  NOTIFICATION_COLUMNS,
  NOTIFICATIONS_FROM,
  UNREAD,
} from './notifications.statements.js';
import type { MarkNotifications, NotificationRow, NotificationsQuery } from './notifications.schema.js';

/** The part of a caller that decides which notifications are theirs to see. */
export type NotificationReader = Pick<Caller, 'userId' | 'organizationId'>;

/** The notifications of people: everybody sees their own, of what they can see now. */
@Injectable()
export class Notifications {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
  ) {}

  /** Lists the notifications of a person, latest first; every page tells how many of all are unread. */
  list({ userId, organizationId }: NotificationReader, query: NotificationsQuery): Promise<Page<NotificationRow>> {
    const { unread = null } = query;
    const kinds = query.kind === undefined ? null : [...new Set(query.kind)].sort();
    const from = `${NOTIFICATIONS_FROM} AND n.in_app AND ($4::boolean IS NULL OR (n.read_at IS NULL) = $4) AND ($5::text[] IS NULL OR n.kind = ANY ($5))`;
    return this.pages.list<NotificationRow>(query, {
      scope: ['notifications', userId, organizationId, unread, kinds],
      select: NOTIFICATION_COLUMNS,
      from,
      values: [userId, organizationId ?? null, requestAddress(), unread, kinds],
      count: `SELECT count(*) AS count, ${UNREAD} AS unread ${from}`,
      order: [{ expression: 'n.sequence', type: 'bigint' }],
      direction: 'desc',
    });
  }

  /** Marks notifications of a person as read or unread; ids of none of theirs have no effect. */
  async mark({ userId, organizationId }: NotificationReader, { read, ids }: MarkNotifications): Promise<void> {
    const values = [userId, ids ?? null, organizationId ?? null];
    if (read) await this.database.execute(MARK_READ, [...values, this.clock.now()]);
    else await this.database.execute(MARK_UNREAD, values);
  }

  /** The sequence of the last notification of each of some people who have any. */
  async ends(userIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.query<{ userId: string; sequence: number }>(
      'SELECT user_id AS "userId", sequence::float8 AS sequence FROM notification_inbox WHERE user_id = ANY ($1)',
      [userIds],
    );
    return new Map(rows.map(({ userId, sequence }) => [userId, sequence]));
  }

  /** At most so many notifications of a person at an address behind a sequence, in their order. */
  after(
    { userId, organizationId }: NotificationReader,
    address: string | null,
    sequence: number,
    limit: number,
  ): Promise<NotificationRow[]> {
    return this.database.query<NotificationRow>(NEWS, [userId, organizationId ?? null, address, sequence, limit]);
  }
}
