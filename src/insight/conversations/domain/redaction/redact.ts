import type { ConversationInput } from '../conversation.js';
import { cardSpans } from './cards.js';
import { emailSpans } from './emails.js';
import { NAME_WORD, withoutNames } from './names.js';
import { phoneSpans } from './phones.js';
import { replaced } from './spans.js';

const WORDS = { email: '[email]', card: '[card]', phone: '[phone]' } as const;

/** Attributes that hold a name, by the last words of their own: `customer_name`, `firstName`. */
const NAME_KEY =
  /(?:^|(?:first|last|full|user|given|family|sur|middle|nick|customer|contact|display|sender|author|requester|person|client|agent|assignee|owner)[\s_.-]*)name$|^(?:customer|requester|sender|author|contact|assignee)$/i;
const PHONE_KEY =
  /(?:^|[\s_.-])(?:phone|mobile|tel|telephone|fax|whatsapp|cell)(?:[\s_.-]*(?:number|no|nr))?$|(?:phone|mobile)(?:number)?$/i;

/**
 * A conversation in which words stand for e-mail addresses, the numbers of cards and telephones, and the names in greetings,
 * signatures and introductions. An address of the web that holds an e-mail address or number of somebody is left out. Clean text is expected: see `cleanBody`.
 */
export function redacted(conversation: ConversationInput): ConversationInput {
  const { subject, parts, metadata } = conversation;
  const attributes = Object.entries(metadata.attributes ?? {}).map(
    ([key, value]) => [withoutNumbers(key), attribute(key, value)] as const,
  );
  const texts = withoutNames([
    ...[subject ?? '', ...parts.map(({ body }) => body)].map(withoutNumbers),
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
  return PHONE_KEY.test(key) && /\d{3}/.test(value) ? WORDS.phone : withoutNumbers(value);
}

/**
 * Whether an address of the web holds an e-mail address, or the number of a card or telephone. Long numbers in the query are judged
 * by the names that they have there; in the path they are taken for ids.
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

/** Escapes that are none stay as they are. */
function decoded(url: string): string {
  return url.replace(/(?:%[\da-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}

/** A text without the addresses and numbers of people. */
export function withoutNumbers(text: string): string {
  const withoutEmails = replaced(text, emailSpans(text), WORDS.email);
  if (!/\p{Nd}/u.test(withoutEmails)) return withoutEmails;
  const withoutCards = replaced(withoutEmails, cardSpans(withoutEmails), WORDS.card);
  return replaced(withoutCards, phoneSpans(withoutCards), WORDS.phone);
}
