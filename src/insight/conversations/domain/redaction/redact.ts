import type { ConversationInput } from '../conversation.js';
import { askedNumber, withoutAnnounced, withoutAnswer } from './announced-numbers.js';
import { birthDateSpans } from './birth-dates.js';
import { cardSpans } from './cards.js';
import { emailSpans } from './emails.js';
import { asksForName, isBareName, NAME_WORD, withoutNames } from './names.js';
import { phoneSpans } from './phones.js';
import { replaced } from './spans.js';
import { streetSpans } from './streets.js';

const WORDS = {
  email: '[email]',
  card: '[card]',
  phone: '[phone]',
  birth: '[birth date]',
  street: '[street]',
} as const;

/** Attributes with a name, by their last words: `customer_name`, `firstName`. */
const NAME_KEY =
  /(?:^|(?:first|last|full|user|given|family|sur|middle|nick|customer|contact|display|sender|author|requester|person|client|agent|assignee|owner)[\s_.-]*)name$|^(?:customer|requester|sender|author|contact|assignee)$/i;
const PHONE_KEY =
  /(?:^|[\s_.-])(?:phone|mobile|tel|telephone|fax|whatsapp|cell)(?:[\s_.-]*(?:number|no|nr))?$|(?:phone|mobile)(?:number)?$/i;

/**
 * Replaces by words that tell their kind: e-mail addresses, card and telephone numbers, streets, dates of birth, numbers
 * that are announced as those of an account, a policy, an order or an identity document or asked for, and the names in
 * greetings, signatures, introductions and answers of a conversation. URLs with a personal e-mail address or number are removed. Requires clean text: see
 * `cleanBody`.
 */
export function redacted(conversation: ConversationInput): ConversationInput {
  const { subject, parts, metadata } = conversation;
  const attributes = Object.entries(metadata.attributes ?? {}).map(
    ([key, value]) => [withoutPersonal(key), attribute(key, value)] as const,
  );
  const texts = withoutNames([
    withoutPersonal(subject ?? ''),
    ...parts.map((part, index) => withoutPersonal(answerOf(part, parts[index - 1]))),
    ...attributes.map(([, value]) => value),
  ]);
  const values = texts.slice(1 + parts.length);
  const { url, createdAt } = metadata;
  return {
    ...conversation,
    ...(subject !== undefined && { subject: texts[0] ?? '' }),
    parts: parts.map((part, index) => ({ ...part, body: texts[index + 1] ?? '' })),
    metadata: {
      ...(url !== undefined && !tellsOfSomebody(url) && { url }),
      ...(metadata.attributes && {
        attributes: Object.fromEntries(attributes.map(([key], index) => [key, values[index] ?? ''])),
      }),
      ...(createdAt !== undefined && { createdAt }),
    },
  };
}

function attribute(key: string, value: string): string {
  if (value.trim() === '') return value;
  if (NAME_KEY.test(key)) return NAME_WORD;
  return PHONE_KEY.test(key) && /\d{3}/.test(value) ? WORDS.phone : withoutPersonal(value);
}

/**
 * Tells whether a URL contains an e-mail address, or a card or telephone number. Long numbers in the query are judged
 * by their parameter names; in the path they count as ids.
 */
function tellsOfSomebody(url: string): boolean {
  const plain = decoded(url);
  if (withoutNumbers(plain) !== plain) return true;
  const query = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1] ?? '');
  return [...query].some(([name, value]) => {
    const named = `${name.replace(/(?<=\p{Ll})(?=\p{Lu})|[_.-]+/gu, ' ')} ${value}`;
    return (PHONE_KEY.test(name) && /\d{3}/.test(value)) || withoutNumbers(named) !== named;
  });
}

/** Invalid escapes stay unchanged. */
function decoded(url: string): string {
  return url.replace(/(?:%[\da-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}

type Part = ConversationInput['parts'][number];

/** The text of a part, without the number or the name that the part before it has asked for. */
function answerOf({ body, role }: Part, before: Part | undefined): string {
  if (!before || before.role === role) return body;
  const [question = ''] = /[^.!?？。]*[?？]?[\s"']*$/u.exec(before.body.trimEnd()) ?? [];
  if (asksForName(question) && isBareName(body)) return NAME_WORD;
  const word = askedNumber(question);
  return word === undefined ? body : withoutAnswer(body, word);
}

/** A text without addresses, dates of birth and numbers of people. */
export function withoutPersonal(text: string): string {
  if (!/\p{Nd}/u.test(text)) return withoutNumbers(text);
  const withoutBirths = replaced(text, birthDateSpans(text), WORDS.birth);
  const withoutStreets = replaced(withoutBirths, streetSpans(withoutBirths), WORDS.street);
  return withoutAnnounced(withoutNumbers(withoutStreets));
}

/** A text without e-mail addresses, and numbers that are those of cards and telephones wherever they stand. */
export function withoutNumbers(text: string): string {
  const withoutEmails = replaced(text, emailSpans(text), WORDS.email);
  if (!/\p{Nd}/u.test(withoutEmails)) return withoutEmails;
  const withoutCards = replaced(withoutEmails, cardSpans(withoutEmails), WORDS.card);
  return replaced(withoutCards, phoneSpans(withoutCards), WORDS.phone);
}
