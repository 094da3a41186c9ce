import { digestLines, digestSubject, type Digest } from './digest.js';
import type { NotificationKind } from './kinds.js';
import { oneLine, quoted, requestName, shortened, title } from './letter-texts.js';

/** A notification as a letter tells it; the texts come from people. */
export interface ToldNotification {
  readonly kind: NotificationKind;
  readonly outcome: string | null;
  readonly actor: string | undefined;
  readonly organization: string;
  /** The title of the space or the site that it is about. */
  readonly place: string;
  readonly isOfSite: boolean;
  /** Number and subject of the change request. */
  readonly request: { readonly number: number; readonly subject: string } | undefined;
  readonly page: string | undefined;
  readonly excerpt: string | undefined;
  /** The address of its place in the workspace. */
  readonly address: string;
}

export interface LetterFacts {
  readonly told: readonly ToldNotification[];
  /** Notifications that have no room in the letter. */
  readonly left: number;
  /** The changes of the last week, for those who want to be told of them. */
  readonly digest: Digest | undefined;
  /** Addresses of all notifications, of the settings, and of the end of all letters. */
  readonly list: string;
  readonly settings: string;
  readonly unsubscribe: string;
}

const SUBJECT_LENGTH = 150;
const EXCERPT_LENGTH = 300;

/** The letter about some notifications and changes: plain text, in which whatever people have written stands in one line. */
export function notificationLetter(facts: LetterFacts): { readonly subject: string; readonly text: string } {
  const { told, left, digest } = facts;
  return {
    subject: shortened(told.length === 0 && digest ? digestSubject(digest) : subjectOf(facts), SUBJECT_LENGTH),
    text: [
      ...told.flatMap(paragraphOf),
      ...(left > 0 ? [`${left} more: ${facts.list}`, ''] : []),
      ...(digest ? digestLines(digest) : []),
      '--',
      `Choose which notifications you get: ${facts.settings}`,
      `Unsubscribe: ${facts.unsubscribe}`,
      '',
    ].join('\n'),
  };
}

function subjectOf({ told, left }: LetterFacts): string {
  const [first, ...others] = told;
  const subject = first && others.length + left === 0 ? sentenceOf(first) : `${told.length + left} notifications`;
  return `${first && told.every(({ place }) => place === first.place) ? `[${title(first.place)}] ` : ''}${subject}`;
}

function paragraphOf(told: ToldNotification): string[] {
  const excerpt = told.excerpt === undefined ? '' : shortened(oneLine(told.excerpt), EXCERPT_LENGTH);
  return [`${sentenceOf(told)}.`, ...(excerpt === '' ? [] : [`> ${excerpt}`]), told.address, ''];
}

/** One sentence about the event, without its end. */
export function sentenceOf(told: Omit<ToldNotification, 'address'>): string {
  const actor = told.actor === undefined ? 'Somebody' : title(told.actor);
  switch (told.kind) {
    case 'review_requested':
      return `${actor} asks for a review of ${requestOf(told)}`;
    case 'reviewed':
      return told.outcome === 'approved'
        ? `${actor} approved ${requestOf(told)}`
        : `${actor} asked for changes in ${requestOf(told)}`;
    case 'commented':
      return `${actor} commented on ${placeOf(told)}`;
    case 'replied':
      return `${actor} replied on ${placeOf(told)}`;
    case 'mentioned':
      return `${actor} mentioned you on ${placeOf(told)}`;
    case 'merged':
      return `${actor} merged ${requestOf(told)}`;
    case 'conflict':
      return `${requestOf(told)} is in conflict with what has changed in ${quoted(told.place)}`;
    case 'translation_failed':
      return `The translation ${quoted(told.place)} could not be brought up to date`;
    case 'import_ended':
      return told.isOfSite
        ? `The structure of the site ${quoted(told.place)} could not be kept equal with its repository`
        : `The import or export of ${quoted(told.place)} ${ENDS[told.outcome ?? ''] ?? 'has ended'}`;
    case 'verification_due':
      return `The verification of ${placeOf(told)} in ${quoted(told.place)} has run out`;
  }
}

const ENDS: Readonly<Record<string, string>> = {
  completed: 'is complete',
  failed: 'has failed',
  cancelled: 'was cancelled',
};

function requestOf({ request, place }: Omit<ToldNotification, 'address'>): string {
  return request ? requestName(request) : quoted(place);
}

function placeOf(told: Omit<ToldNotification, 'address'>): string {
  if (told.page === undefined) return requestOf(told);
  return told.request ? `${quoted(told.page)} in ${requestOf(told)}` : quoted(told.page);
}
