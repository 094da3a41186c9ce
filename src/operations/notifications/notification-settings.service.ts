import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { newId } from '../../kernel/common/ids.js';
import { Mail } from '../../kernel/platform/mail.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import {
  changedKinds,
  DEFAULT_CHOICE,
  type MailTime,
  type NotificationChoice,
  type StoredKinds,
} from './domain/kinds.js';
import { NotificationSettings } from './notification-settings.entity.js';
import type { NotificationReader } from './notifications.service.js';
import type { UpdateNotificationSettings } from './notifications.schema.js';
import { WeeklyDigests } from './weekly-digests.js';

/** The choices that hold for a person `$1` in the organization `$2` or, with null, everywhere. */
const CHOSEN = `SELECT u.email_verified AS verified, g.kinds, g.mail, g.digest FROM account u
  LEFT JOIN LATERAL (SELECT c.kinds, c.mail, c.digest FROM notification_settings c WHERE c.user_id = u.id AND (c.organization_id IS NULL OR c.organization_id = $2)
    ORDER BY c.organization_id NULLS LAST LIMIT 1) g ON true WHERE u.id = $1`;

/** Choices for one organization begin with those for everything. */
const BEGIN = `INSERT INTO notification_settings (id, user_id, organization_id, kinds, mail, digest) SELECT $3, $1, $2, g.kinds, g.mail, g.digest
  FROM (SELECT c.kinds, c.mail, c.digest, 0 AS place FROM notification_settings c WHERE c.user_id = $1 AND c.organization_id IS NULL
        UNION ALL SELECT '{}', 'immediately', NULL, 1 ORDER BY place LIMIT 1) g
  ON CONFLICT (user_id, organization_id) DO NOTHING`;

const LOCK = `SELECT id, kinds, mail, digest FROM notification_settings WHERE user_id = $1 AND organization_id IS NOT DISTINCT FROM $2 FOR NO KEY UPDATE`;

/** The choices of a person, and whether letters can be sent to them. */
export interface Chosen {
  readonly choice: NotificationChoice;
  readonly mailable: boolean;
}

interface LockedRow extends Record<string, unknown> {
  readonly id: string;
  readonly kinds: StoredKinds;
  readonly mail: MailTime;
  readonly digest: boolean | null;
}

interface ChosenRow extends Record<string, unknown> {
  readonly verified: boolean;
  readonly kinds: StoredKinds | null;
  readonly mail: MailTime | null;
  readonly digest: boolean | null;
}

/**
 * Which notifications people want. A token that acts in one organization shows and changes what holds for that
 * organization; other choices hold everywhere else.
 */
@Injectable()
export class NotificationChoices {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly mail: Mail,
    private readonly outbox: Outbox,
    private readonly digests: WeeklyDigests,
  ) {}

  /** The choices of a person, and whether letters can be sent to them. */
  async get({ userId, organizationId }: NotificationReader): Promise<Chosen> {
    const row = await this.database.one<ChosenRow>(CHOSEN, [userId, organizationId ?? null]);
    return {
      choice: {
        kinds: row?.kinds ?? DEFAULT_CHOICE.kinds,
        mail: row?.mail ?? DEFAULT_CHOICE.mail,
        digest: row?.digest ?? null,
      },
      mailable: this.mail.configured && row?.verified === true,
    };
  }

  /** Changes the choices that are given; they hold for all notifications from now on, and for letters that wait. */
  async update(reader: NotificationReader, { kinds, mail, digest }: UpdateNotificationSettings): Promise<Chosen> {
    const organizationId = reader.organizationId ?? null;
    await this.database.transaction(async () => {
      await this.database.execute(BEGIN, [reader.userId, organizationId, newId(this.clock.now().getTime())]);
      const row = await this.database.one<LockedRow>(LOCK, [reader.userId, organizationId]);
      if (!row) throw new Error('the settings were not stored');
      await this.database
        .of(NotificationSettings)
        .update(
          { id: row.id },
          { kinds: changedKinds(row.kinds, kinds ?? {}), mail: mail ?? row.mail, digest: digest ?? row.digest },
        );
      await this.digests.plan(reader.userId);
      await this.outbox.record({
        type: 'notification_settings_updated',
        organizationId,
        target: reader.userId,
        payload: {
          fields: [...(kinds ? ['kinds'] : []), ...(mail ? ['mail'] : []), ...(digest === undefined ? [] : ['digest'])],
        },
      });
    });
    return this.get(reader);
  }

  /** Ends all letters to a person, in every organization. */
  async endLetters(userId: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.execute(BEGIN, [userId, null, newId(this.clock.now().getTime())]);
      await this.database.execute(
        `UPDATE notification_settings SET mail = 'never', digest = false WHERE user_id = $1`,
        [userId],
      );
      await this.digests.plan(userId);
      await this.outbox.record({
        type: 'notification_settings_updated',
        organizationId: null,
        target: userId,
        payload: { fields: ['mail', 'digest'] },
      });
    });
  }
}
