import { detectLanguage, UNDETERMINED } from './detect-language.js';
import { askingOf, isAnotherMatter, withoutPleasantries } from './phrases.js';
import { emailSpans } from './redaction/emails.js';
import { withoutNames } from './redaction/names.js';
import { replaced } from './redaction/spans.js';
import { clipped, ended, MAX_MESSAGE, sentencesOf } from './sentences.js';
import { isStopWord, stemOf } from './terms.js';
import { wordsOf } from './words.js';

/** A conversation without markup and redacted, with its messages in order. */
export interface ConversationText {
  readonly subject?: string;
  /** `customer` is the person who asks; all others answer. */
  readonly messages: readonly { readonly role: string; readonly text: string }[];
}

/** A request or problem of a customer. */
export interface DerivedIssue {
  /** The sentence that describes it best, at most 120 characters. */
  readonly title: string;
  /** The sentences about it, at most 500 characters. */
  readonly summary: string;
  /** The text for comparison. */
  readonly text: string;
  /** ISO 639; `und` if it cannot be determined. */
  readonly language: string;
}

interface Sentence {
  readonly text: string;
  readonly score: number;
  readonly stems: ReadonlySet<string>;
  readonly isAnother: boolean;
}

const MAX_ISSUES = 5;
/** Maximum number of messages of a conversation that are read. */
export const MAX_MESSAGES = 100;
const MAX_TITLE = 120;
const MAX_SUMMARY = 500;
const MAX_TEXT = 800;
/** Minimum score of an issue: two words with content, or one with a question. */
const LEAST_SCORE = 2;
/** Minimum score of a further message that counts as another issue by itself. */
const LEAST_SCORE_OF_ANOTHER = 4;
const LONG_NUMBER = /(?<![\p{L}\p{N}])\+?\(?\d(?:[\d\s().-]{3,24})\d(?![\p{L}\p{N}])/gu;
const GENERIC_SUBJECT =
  /^(?:(?:re|fwd?|aw|wg|rv|tr)\s*:|(?:new\s+)?(?:ticket|case|conversation|chat|request|message|support|help|question|inquiry)\b[\s#:\d-]*$)/i;

/**
 * Derives the issues of a conversation: none if it contains only greetings and thanks, several if it announces another
 * matter, or asks about something without a word in common with the previous text.
 */
export function deriveIssues(conversation: ConversationText): DerivedIssue[] {
  const given = conversation.messages.slice(0, MAX_MESSAGES);
  const [title = '', ...texts] = withoutNames(
    [conversation.subject ?? '', ...given.map(({ text }) => text.slice(0, MAX_MESSAGE))].map(withoutAddresses),
  );
  const messages = given.map(({ role }, at) => ({ role, text: texts[at] ?? '' }));
  const said = messages.filter(({ role }) => role === 'customer').map(({ text }) => text.slice(0, 2_000));
  const language = detectLanguage([title, ...said].join('\n'));
  const groups: Sentence[][] = [];
  messages.forEach(({ role, text }, at) => {
    if (role !== 'customer') return;
    const isAnswer = asksSomething(messages[at - 1]);
    const sentences = sentencesOf(text).map((sentence) => judged(withoutNumbers(sentence), language));
    addTo(groups, sentences, isAnswer);
  });
  const found = groups.filter((group) => group.some(({ score }) => score >= LEAST_SCORE)).slice(0, MAX_ISSUES);
  const subject = subjectOf(title, language);
  if (found.length === 0) return subject ? [issueOf([subject], language)] : [];
  return found.map((group) =>
    issueOf(
      found.length === 1 && subject ? [subject, ...group] : group,
      language,
      found.length === 1 ? subject : undefined,
    ),
  );
}

function asksSomething(message: ConversationText['messages'][number] | undefined): boolean {
  return message !== undefined && message.role !== 'customer' && /[?？؟]/u.test(message.text.slice(-300));
}

/** Assigns the sentences of a message to their matter: the last one, or another. */
function addTo(groups: Sentence[][], sentences: readonly Sentence[], isAnswer: boolean): void {
  const isFirst = groups.length === 0;
  const begins =
    !isFirst &&
    !isAnswer &&
    sentences.some(({ score }) => score >= LEAST_SCORE_OF_ANOTHER) &&
    !shares(groups.flat(), sentences);
  if (isFirst || begins) groups.push([]);
  for (const sentence of sentences) {
    const isBegun = groups.at(-1)?.some(({ score }) => score >= LEAST_SCORE) ?? false;
    if (sentence.isAnother && isBegun && sentence.score >= LEAST_SCORE && !shares(groups.at(-1) ?? [], [sentence], 3))
      groups.push([]);
    groups.at(-1)?.push(sentence);
  }
}

/** Tells whether two lists of sentences have at least `least` words in common. */
function shares(before: readonly Sentence[], after: readonly Sentence[], least = 1): boolean {
  const known = new Set(before.flatMap(({ stems }) => [...stems]));
  return new Set(after.flatMap(({ stems }) => [...stems]).filter((stem) => known.has(stem))).size >= least;
}

function withoutAddresses(text: string): string {
  return replaced(text, emailSpans(text), '[email]');
}

/** A sentence without numbers of five digits or more, which say nothing about the request. */
function withoutNumbers(sentence: string): string {
  return sentence.replace(LONG_NUMBER, (found) => (found.replace(/\D/g, '').length >= 5 ? '[number]' : found));
}

/** Scores a sentence by its content: its words, and whether it asks a question or reports a problem. */
function judged(text: string, language: string): Sentence {
  const bare = withoutPleasantries(text.replace(/\[(?:name|email|number|phone|card|[a-z ]{2,20})\]/g, ' '));
  const own = language === UNDETERMINED ? detectLanguage(text) : language;
  const words = wordsOf(bare).filter((word) => !isStopWord(word, own) && !/^\d+$/.test(word));
  const stems = new Set(words.map((word) => stemOf(word, own)));
  const size = Math.min(8, stems.size);
  return { text, score: size < 1 ? 0 : size + askingOf(bare), stems, isAnother: isAnotherMatter(text) };
}

function subjectOf(subject: string, language: string): Sentence | undefined {
  const bare = subject.replace(/^(?:\s*(?:re|fwd?|aw|wg|rv|tr)\s*:)+\s*/i, '');
  const sentence = sentencesOf(bare).map((text) => judged(withoutNumbers(text), language))[0];
  return sentence && sentence.score >= LEAST_SCORE && !GENERIC_SUBJECT.test(bare) ? sentence : undefined;
}

function issueOf(group: readonly Sentence[], language: string, subject?: Sentence): DerivedIssue {
  const telling = group.filter(({ score }) => score >= LEAST_SCORE);
  const best =
    telling
      .filter((sentence) => sentence !== subject)
      .reduce<Sentence | undefined>(
        (most, sentence, at) =>
          !most || valueOf(sentence, at) > valueOf(most, telling.indexOf(most)) ? sentence : most,
        undefined,
      ) ?? subject;
  const around = telling.indexOf(best ?? (telling[0] as Sentence));
  const told = telling.slice(Math.max(0, around - 1), around + 4);
  const text = [...new Set([best, ...told].flatMap((sentence) => (sentence ? [sentence.text] : [])))];
  return {
    title: clipped(presentable(best?.text ?? ''), MAX_TITLE),
    summary: clipped(
      told
        .map((sentence, at) => (at < told.length - 1 ? ended(presentable(sentence.text)) : presentable(sentence.text)))
        .join(' '),
      MAX_SUMMARY,
    ),
    text: clipped(text.map((sentence) => withoutPleasantries(sentence)).join(' '), MAX_TEXT),
    language,
  };
}

/** The earlier of sentences with equal scores is preferred. */
function valueOf({ score }: Sentence, position: number): number {
  return score - Math.min(position, 6) * 0.4;
}

/** A sentence without its greeting, beginning with a capital. */
function presentable(sentence: string): string {
  const bare = withoutPleasantries(sentence) || sentence;
  return `${bare.slice(0, 1).toLocaleUpperCase('en')}${bare.slice(1)}`;
}
