import type { NotificationKind } from './kinds.js';

/** A notification as a letter tells it; the texts come from people. */
export interface ToldNotification {
  readonly kind: NotificationKind;
  readonly outcome: string | null;
  readonly actor: string | undefined;
  readonly organization: string;
  readonly space: string;
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
  /** Addresses of all notifications, of the settings, and of the end of all letters. */
  readonly list: string;
  readonly settings: string;
  readonly unsubscribe: string;
}

const SUBJECT_LENGTH = 150;
const TITLE_LENGTH = 80;
const EXCERPT_LENGTH = 300;

/** The letter about some notifications: plain text, in which whatever people have written stands in one line. */
export function notificationLetter(facts: LetterFacts): { readonly subject: string; readonly text: string } {
  const [first, ...others] = facts.told;
  const count = facts.told.length + facts.left;
  const subject = first && others.length + facts.left === 0 ? sentenceOf(first) : `${count} notifications`;
  const where = first && facts.told.every(({ space }) => space === first.space) ? `[${title(first.space)}] ` : '';
  return {
    subject: shortened(`${where}${subject}`, SUBJECT_LENGTH),
    text: [
      ...facts.told.flatMap(paragraphOf),
      ...(facts.left > 0 ? [`${facts.left} more: ${facts.list}`, ''] : []),
      '--',
      `Choose which notifications you get: ${facts.settings}`,
      `Get no more letters about them: ${facts.unsubscribe}`,
      '',
    ].join('\n'),
  };
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
      return `${requestOf(told)} is in conflict with what has changed in ${quoted(told.space)}`;
    case 'translation_failed':
      return `The translation ${quoted(told.space)} could not be brought up to date`;
    case 'import_ended':
      return `The import or export of ${quoted(told.space)} ${ENDS[told.outcome ?? ''] ?? 'has ended'}`;
    case 'verification_due':
      return `The verification of ${placeOf(told)} in ${quoted(told.space)} has run out`;
  }
}

const ENDS: Readonly<Record<string, string>> = {
  completed: 'is complete',
  failed: 'has failed',
  cancelled: 'was cancelled',
};

function requestOf({ request, space }: Omit<ToldNotification, 'address'>): string {
  if (!request) return quoted(space);
  return request.subject.trim() === '' ? `#${request.number}` : `#${request.number} ${quoted(request.subject)}`;
}

function placeOf(told: Omit<ToldNotification, 'address'>): string {
  if (told.page === undefined) return requestOf(told);
  return told.request ? `${quoted(told.page)} in ${requestOf(told)}` : quoted(told.page);
}

const quoted = (text: string): string => `“${title(text)}”`;
const title = (text: string): string => shortened(oneLine(text), TITLE_LENGTH);

/** Control characters could begin a header or a line, and those of direction make a text look like another. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .trim();
}

function shortened(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
