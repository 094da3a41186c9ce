import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import { Database } from '../../kernel/common/database.js';
import { Secrets } from '../../kernel/common/secrets.js';
import { CONFIG } from '../../kernel/platform/config/config.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { Mail } from '../../kernel/platform/mail.js';
import { DEFAULT_CHOICE, deliveryOf, type NotificationChoice } from './domain/kinds.js';
import { notificationLetter } from './domain/letter.js';
import type { NotificationsConfig } from './notifications.manifest.js';
import { appPath, toldOf, type NotificationRow } from './notifications.schema.js';
import { NOTIFICATION_COLUMNS, NOTIFICATIONS_OF_USER } from './notifications.statements.js';
import { choiceOf } from './recipients.statements.js';
import { isDigestDue } from './digest.statements.js';
import { WeeklyDigests } from './weekly-digests.js';
import { unsubscribeToken } from './unsubscribe-token.js';

/** People who get a letter in one turn, and those of them to whom one is sent at once. */
const PEOPLE = 100;
const AT_ONCE = 4;
/** Notifications that one letter tells of, and those that it takes along. */
const TOLD = 50;
const TAKEN = 1000;
/** Seconds that a server has for the letter of one person: longer than the mail server is waited for. */
const CLAIM_SECONDS = 120;
/** Letters to a person that failed in a row, after which the notifications stay in the list alone. */
const MOST_FAILURES = 8;

/** For the hour `$1` of digests. */
const DUE = `SELECT d.id FROM (
    SELECT n.user_id AS id, min(n.mail_at) AS at FROM notification n WHERE n.mail_at <= now() GROUP BY 1
    UNION ALL SELECT b.user_id, b.digest_since FROM notification_inbox b WHERE ${isDigestDue('$1')}) d
  LEFT JOIN notification_inbox b ON b.user_id = d.id
  WHERE b.mail_retry_at IS NULL OR b.mail_retry_at <= now() GROUP BY 1 ORDER BY min(d.at), 1 LIMIT ${PEOPLE}`;

/** One server at a time sends a person a letter; a server that dies meanwhile is waited for. `$2` is the hour of digests. */
const CLAIM = `UPDATE notification_inbox b SET mail_retry_at = now() + ${CLAIM_SECONDS} * interval '1 second' FROM account u
  WHERE b.user_id = $1 AND u.id = b.user_id AND (b.mail_retry_at IS NULL OR b.mail_retry_at <= now()) RETURNING u.email, u.email_verified AND NOT u.disabled AS reachable,
    CASE WHEN ${isDigestDue('$2')} THEN b.digest_since END AS "digestSince"`;

/** The notifications that a letter takes along: those that are due, and those that will be within the delay that collects them. */
const TAKE = `SELECT n.id FROM notification n WHERE n.user_id = $1 AND n.mail_at <= now() + $2::float8 * interval '1 second' ORDER BY n.sequence LIMIT ${TAKEN}`;

const LETTER = `SELECT ${NOTIFICATION_COLUMNS}, ${choiceOf('n.user_id')} AS choice ${NOTIFICATIONS_OF_USER} AND n.id = ANY ($2) AND n.read_at IS NULL ORDER BY n.sequence`;

const SENT = `UPDATE notification SET mail_at = NULL WHERE user_id = $1 AND id = ANY ($2)`;
const RELEASE = `UPDATE notification_inbox SET mail_retry_at = NULL, mail_failures = 0 WHERE user_id = $1 AND mail_retry_at IS NOT NULL`;
const FAILED = `UPDATE notification_inbox SET mail_failures = mail_failures + 1, mail_retry_at = now() + 2 ^ mail_failures * interval '1 minute' WHERE user_id = $1 RETURNING mail_failures AS failures`;
const FORGET = `UPDATE notification SET mail_at = NULL WHERE id = ANY (ARRAY (SELECT id FROM notification WHERE mail_at <= now() LIMIT 1000))`;

/** Whom a letter is for, and what it takes along. */
interface Claim extends Record<string, unknown> {
  readonly email: string;
  readonly reachable: boolean;
  /** The beginning of the digest that is due. */
  readonly digestSince: Date | null;
}

type LetterRow = NotificationRow & { readonly choice: NotificationChoice | null };

/** Sends letters about notifications: all that is due for a person in one. */
@Injectable()
export class NotificationLetters implements OnModuleInit {
  private readonly logger = new Logger('Notifications');

  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly mail: Mail,
    private readonly secrets: Secrets,
    private readonly addresses: Addresses,
    private readonly digests: WeeklyDigests,
    @Inject(CONFIG) private readonly config: NotificationsConfig,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('notifications.send-letters', (_, run) => this.sendDue(run.signal));
  }

  /** Sends all letters that are due; those that fail wait for longer each time. */
  private async sendDue(signal: AbortSignal): Promise<void> {
    if (!this.mail.configured) {
      // Letters that are not sent now must not come as old news once there is a mail server.
      await this.database.execute(FORGET);
      await this.digests.forget();
      return;
    }
    for (let due = await this.due(); due.length > 0; due = await this.due()) {
      const waiting = [...due];
      const work = async (): Promise<void> => {
        for (let id = waiting.shift(); id !== undefined && !signal.aborted; id = waiting.shift()) await this.serve(id);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      signal.throwIfAborted();
    }
  }

  private async due(): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(DUE, [this.config.notificationDigestHour]);
    return rows.map(({ id }) => id);
  }

  private async serve(userId: string): Promise<void> {
    const person = await this.database.one<Claim>(CLAIM, [userId, this.config.notificationDigestHour]);
    if (!person) return;
    const taken = await this.database.query<{ id: string }>(TAKE, [userId, this.config.notificationMailDelay]);
    const ids = taken.map(({ id }) => id);
    try {
      if (person.reachable) await this.send(userId, person, ids);
    } catch (error) {
      await this.fail(userId, person, ids, error);
      return;
    }
    await this.end(userId, person, ids);
  }

  /** Sends what the person still wants to be told of, can still see, and has not read meanwhile. */
  private async send(userId: string, { email: to, digestSince }: Claim, ids: readonly string[]): Promise<void> {
    const rows = await this.database.query<LetterRow>(LETTER, [userId, ids]);
    const wanted = rows.filter(
      ({ choice, kind }) => deliveryOf(choice ?? DEFAULT_CHOICE, kind, true).mail !== undefined,
    );
    const digest = digestSince ? await this.digests.read(userId, digestSince) : undefined;
    if (wanted.length === 0 && !digest) return;
    const unsubscribe = `${this.addresses.api}/notifications/unsubscribe/${unsubscribeToken(this.secrets, userId)}`;
    const letter = notificationLetter({
      told: wanted.slice(0, TOLD).map((row) => ({ ...toldOf(row), address: this.addresses.app(appPath(row)) })),
      left: Math.max(0, wanted.length - TOLD),
      digest,
      list: this.addresses.app('/notifications'),
      settings: this.addresses.app('/account?tab=notifications'),
      unsubscribe,
    });
    const name = createHash('sha256').update(
      JSON.stringify([userId, wanted.map(({ id }) => id), ...(digest ? [digest.since] : [])]),
    );
    const messageId = `<${name.digest('hex').slice(0, 40)}@${new URL(this.addresses.api).hostname}>`;
    await this.mail.send({ to, ...letter, messageId, unsubscribe });
  }

  private async end(userId: string, { digestSince }: Claim, ids: readonly string[]): Promise<void> {
    await this.database.transaction(async () => {
      if (digestSince) await this.digests.end(userId, digestSince);
      await this.database.execute(SENT, [userId, ids]);
      await this.database.execute(RELEASE, [userId]);
    });
  }

  private async fail(userId: string, person: Claim, ids: readonly string[], error: unknown): Promise<void> {
    const row = await this.database.one<{ failures: number }>(FAILED, [userId]);
    const isOver = (row?.failures ?? 0) >= MOST_FAILURES;
    this.logger.warn(`an e-mail to ${userId} failed${isOver ? ' for good' : ''}: ${String(error)}`);
    if (isOver) await this.end(userId, person, ids);
  }
}
