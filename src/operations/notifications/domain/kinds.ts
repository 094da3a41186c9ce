/** The kinds of notifications, in the order in which settings show them. */
export const NOTIFICATION_KINDS = [
  'review_requested',
  'reviewed',
  'commented',
  'replied',
  'mentioned',
  'merged',
  'conflict',
  'translation_failed',
  'import_ended',
  'verification_due',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** When letters are sent: soon after each event, once a day, once a week, or not at all. */
export const MAIL_TIMES = ['immediately', 'daily', 'weekly', 'never'] as const;
export type MailTime = (typeof MAIL_TIMES)[number];

/** Where notifications of a kind go. */
export interface KindSwitches {
  readonly app: boolean;
  readonly mail: boolean;
}

/** Switches that differ from the default, which is on. */
export type StoredKinds = Readonly<Partial<Record<NotificationKind, Partial<KindSwitches>>>>;

/** The settings of a person. */
export interface NotificationChoice {
  readonly kinds: StoredKinds;
  readonly mail: MailTime;
  /** True if a letter tells each week what changed in spaces; null: where letters are weekly. */
  readonly digest: boolean | null;
}

/** The settings of people who have changed none. */
export const DEFAULT_CHOICE: NotificationChoice = { kinds: {}, mail: 'immediately', digest: null };

/** Tells whether a person gets a letter each week about what changed. */
export function wantsDigest({ digest, mail }: NotificationChoice): boolean {
  return digest ?? mail === 'weekly';
}

export function switchesOf({ kinds }: NotificationChoice, kind: NotificationKind): KindSwitches {
  return { app: true, mail: true, ...kinds[kind] };
}

/** The switches of all kinds, of which those in `changes` are changed. */
export function changedKinds(kinds: StoredKinds, changes: StoredKinds): StoredKinds {
  return Object.fromEntries(
    NOTIFICATION_KINDS.flatMap((kind) => {
      const switches = { ...kinds[kind], ...changes[kind] };
      return Object.keys(switches).length === 0 ? [] : [[kind, switches]];
    }),
  );
}

/** Where a notification goes: into the list of the person, and into a letter at one of the times. */
export interface NotificationDelivery {
  readonly app: boolean;
  readonly mail: Exclude<MailTime, 'never'> | undefined;
}

/** Decides where a notification goes; `canMail`: mail is configured, and the address of the person is verified. */
export function deliveryOf(choice: NotificationChoice, kind: NotificationKind, canMail: boolean): NotificationDelivery {
  const { app, mail } = switchesOf(choice, kind);
  return { app, mail: mail && canMail && choice.mail !== 'never' ? choice.mail : undefined };
}
