import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { presentUserTo, UserBody, type UserFacts } from '../../identity/users/users.schema.js';
import type { Addresses } from '../../kernel/common/addresses.js';
import {
  Amount,
  Flag,
  Id,
  Nested,
  ObjectName,
  OneOf,
  Repeated,
  Text,
  Timestamp,
  Url,
} from '../../kernel/common/fields.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import {
  MAIL_TIMES,
  NOTIFICATION_KINDS,
  switchesOf,
  wantsDigest,
  type KindSwitches,
  type MailTime,
  type NotificationChoice,
  type NotificationKind,
} from './domain/kinds.js';
import { sentenceOf, type ToldNotification } from './domain/letter.js';

const OUTCOMES = ['approved', 'changes-requested', 'completed', 'failed', 'cancelled'] as const;
type Outcome = (typeof OUTCOMES)[number];

export class NotificationsQuery extends PageQuery {
  @Flag({ optional: true, query: true, description: 'Only unread ones, or with `false` only read ones' })
  unread?: boolean;
  @Repeated()
  @OneOf(NOTIFICATION_KINDS, {
    optional: true,
    list: true,
    maxItems: NOTIFICATION_KINDS.length,
    description: 'Only these kinds; give the parameter once for each',
    example: ['mentioned'],
  })
  kind?: NotificationKind[];
}

export class MarkNotifications {
  @Flag({ description: 'True marks them as read' })
  read: boolean;
  @Id({ optional: true, list: true, description: 'The notifications; all of the caller when omitted' })
  ids?: string[];
}

class TitledObject {
  @Id()
  id: string;
  @Text({ example: 'Handbook' })
  title: string;
}

class NotifiedChangeRequest {
  @Id()
  id: string;
  @Amount({ example: 7 })
  number: number;
  @Text({ example: 'Fix the quickstart' })
  subject: string;
}

class NotificationUrls {
  @Url({ example: 'http://localhost:3000/app/o/AbCdEfGh0123456789Xy/s/BcDeFgHi0123456789Xy/~/changes/7' })
  app: string;
}

export class NotificationsTokenBody {
  @Text({
    description: 'A JWT, for the header `Authorization` of requests about notifications',
    example: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJBYkNkIn0.c2lnbmF0dXJl',
  })
  token: string;
}

/** Something that the caller is told of. */
export class NotificationBody {
  @ObjectName('notification')
  object: 'notification';
  @Id()
  id: string;
  @OneOf(NOTIFICATION_KINDS)
  kind: NotificationKind;
  @Text({ description: 'One sentence about the event', example: 'Ada Lovelace merged #7 “Fix the quickstart”' })
  text: string;
  @Timestamp({ description: 'When it happened' })
  at: string;
  @Flag({ example: false })
  read: boolean;
  @Nested(() => UserBody, {
    optional: true,
    description: 'The person who did it; absent for work of the service itself',
  })
  actor?: UserBody;
  @Nested(() => TitledObject)
  organization: TitledObject;
  @Nested(() => TitledObject, { optional: true, description: 'The space that it is about' })
  space?: TitledObject;
  @Nested(() => TitledObject, {
    optional: true,
    description: 'The site that it is about: one that cannot be kept equal with its repository',
  })
  site?: TitledObject;
  @Nested(() => NotifiedChangeRequest, { optional: true })
  changeRequest?: NotifiedChangeRequest;
  @Nested(() => TitledObject, { optional: true })
  page?: TitledObject;
  @Id({ optional: true, description: 'The comment, or the one that was replied to' })
  comment?: string;
  @Id({ optional: true, description: 'The reply to the comment' })
  reply?: string;
  @Text({
    optional: true,
    description:
      'The beginning of the comment or reply, or the reason why an import, export or synchronization has failed',
    example: 'Should this name the port?',
  })
  excerpt?: string;
  @Id({ optional: true, description: 'The review' })
  review?: string;
  @Id({ optional: true, description: 'The run of the import or export' })
  importRun?: string;
  @Id({ optional: true, description: 'The translation' })
  translation?: string;
  @OneOf(OUTCOMES, { optional: true, description: 'How the review, import or translation ended' })
  outcome?: Outcome;
  @Nested(() => NotificationUrls)
  urls: NotificationUrls;
}

/** Publishes the class that only an event stream names. */
export const NotificationEvents = () => ApiExtraModels(NotificationBody);
export const NOTIFICATION_EVENTS = {
  content: { 'text/event-stream': { schema: { $ref: getSchemaPath(NotificationBody) } } },
};

class SwitchesBody {
  @Flag({ description: 'Shown in the list of notifications' })
  app: boolean;
  @Flag({ description: 'Told by mail' })
  mail: boolean;
}

class SwitchesChange {
  @Flag({ optional: true, description: 'Shown in the list of notifications' })
  app?: boolean;
  @Flag({ optional: true, description: 'Told by mail' })
  mail?: boolean;
}

class KindsBody implements Record<NotificationKind, SwitchesBody> {
  @Nested(() => SwitchesBody) review_requested: SwitchesBody;
  @Nested(() => SwitchesBody) reviewed: SwitchesBody;
  @Nested(() => SwitchesBody) commented: SwitchesBody;
  @Nested(() => SwitchesBody) replied: SwitchesBody;
  @Nested(() => SwitchesBody) mentioned: SwitchesBody;
  @Nested(() => SwitchesBody) merged: SwitchesBody;
  @Nested(() => SwitchesBody) conflict: SwitchesBody;
  @Nested(() => SwitchesBody) translation_failed: SwitchesBody;
  @Nested(() => SwitchesBody) import_ended: SwitchesBody;
  @Nested(() => SwitchesBody) verification_due: SwitchesBody;
}

class KindsChange implements Partial<Record<NotificationKind, SwitchesChange>> {
  @Nested(() => SwitchesChange, { optional: true }) review_requested?: SwitchesChange;
  @Nested(() => SwitchesChange, { optional: true }) reviewed?: SwitchesChange;
  @Nested(() => SwitchesChange, { optional: true }) commented?: SwitchesChange;
  @Nested(() => SwitchesChange, { optional: true }) replied?: SwitchesChange;
  @Nested(() => SwitchesChange, { optional: true }) mentioned?: SwitchesChange;
  @Nested(() => SwitchesChange, { optional: true }) merged?: SwitchesChange;
  @Nested(() => SwitchesChange, { optional: true }) conflict?: SwitchesChange;
  @Nested(() => SwitchesChange, { optional: true }) translation_failed?: SwitchesChange;
  @Nested(() => SwitchesChange, { optional: true }) import_ended?: SwitchesChange;
  @Nested(() => SwitchesChange, { optional: true }) verification_due?: SwitchesChange;
}

export class UpdateNotificationSettings {
  @Nested(() => KindsChange, { optional: true, description: 'Kinds and switches that are left out stay as they are' })
  kinds?: KindsChange;
  @OneOf(MAIL_TIMES, { optional: true, description: 'Time at which e-mails are sent' })
  mail?: MailTime;
  @Flag({
    optional: true,
    description:
      'An e-mail tells each week of the changes in the spaces that the caller takes part in; until it is set, it does where `mail` is `weekly`',
  })
  digest?: boolean;
}

export class NotificationSettingsBody {
  @ObjectName('notification-settings')
  object: 'notification-settings';
  @Nested(() => KindsBody)
  kinds: KindsBody;
  @OneOf(MAIL_TIMES, {
    description: 'Time at which e-mails are sent: soon after each event, daily, weekly or never',
  })
  mail: MailTime;
  @Flag({
    description: 'An e-mail tells each week of the changes in the spaces that the caller takes part in',
    example: false,
  })
  digest: boolean;
  @Flag({
    description: 'E-mails can be sent: the service has a mail server, and the address of the caller is verified',
  })
  mailable: boolean;
}

export interface NotificationRow extends Record<string, unknown> {
  readonly id: string;
  readonly sequence: number;
  readonly kind: NotificationKind;
  readonly at: Date;
  readonly read: boolean;
  readonly outcome: Outcome | null;
  readonly subjectId: string | null;
  readonly organizationId: string;
  readonly organization: string;
  /** The space or the site that it is about, and its title. */
  readonly spaceId: string | null;
  readonly siteId: string | null;
  readonly place: string;
  readonly changeRequestId: string | null;
  readonly number: number | null;
  readonly subject: string | null;
  readonly pageId: string | null;
  readonly pageTitle: string | null;
  readonly commentId: string | null;
  readonly replyId: string | null;
  readonly excerpt: string | null;
  readonly actor: UserFacts | null;
  readonly guestId: string | null;
}

/** The place in the workspace where the person can see what a notification is about; sites have none of their own. */
export function appPath(row: NotificationRow): string {
  if (row.spaceId === null) return `/o/${row.organizationId}`;
  const base = `/o/${row.organizationId}/s/${row.spaceId}${row.number === null ? '' : `/~/changes/${row.number}`}`;
  const page = row.pageId === null || row.pageTitle === null ? base : `${base}/~/pages/${row.pageId}`;
  return row.commentId === null ? page : `${page}?comment=${row.commentId}`;
}

/** The facts of a notification for its sentence. */
export function toldOf(row: NotificationRow): Omit<ToldNotification, 'address'> {
  return {
    kind: row.kind,
    outcome: row.outcome,
    actor: row.actor?.displayName,
    organization: row.organization,
    place: row.place,
    isOfSite: row.siteId !== null,
    request: row.number === null ? undefined : { number: row.number, subject: row.subject ?? '' },
    page: row.pageTitle ?? undefined,
    excerpt: row.excerpt ?? undefined,
  };
}

export function presentNotification(row: NotificationRow, addresses: Addresses): NotificationBody {
  const { subjectId, commentId, replyId, excerpt, outcome } = row;
  return {
    object: 'notification',
    id: row.id,
    kind: row.kind,
    text: sentenceOf(toldOf(row)),
    at: row.at.toISOString(),
    read: row.read,
    ...(row.actor && { actor: presentUserTo({ guestId: row.guestId }, row.actor, addresses) }),
    organization: { id: row.organizationId, title: row.organization },
    ...(row.spaceId !== null && { space: { id: row.spaceId, title: row.place } }),
    ...(row.siteId !== null && { site: { id: row.siteId, title: row.place } }),
    ...(row.changeRequestId !== null && {
      changeRequest: { id: row.changeRequestId, number: row.number ?? 0, subject: row.subject ?? '' },
    }),
    ...(row.pageId !== null && row.pageTitle !== null && { page: { id: row.pageId, title: row.pageTitle } }),
    ...(commentId !== null && { comment: commentId }),
    ...(replyId !== null && { reply: replyId }),
    ...(excerpt !== null && { excerpt }),
    ...(subjectId !== null && { [subjectOf(row.kind)]: subjectId }),
    ...(outcome !== null && { outcome }),
    urls: { app: addresses.app(appPath(row)) },
  };
}

function subjectOf(kind: NotificationKind): 'review' | 'importRun' | 'translation' {
  if (kind === 'import_ended') return 'importRun';
  return kind === 'translation_failed' ? 'translation' : 'review';
}

export function presentNotificationSettings(choice: NotificationChoice, mailable: boolean): NotificationSettingsBody {
  const kinds = Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, switchesOf(choice, kind)]));
  return {
    object: 'notification-settings',
    kinds: kinds as Record<NotificationKind, KindSwitches>,
    mail: choice.mail,
    digest: wantsDigest(choice),
    mailable,
  };
}
