import { detectLanguage } from './detect-language.js';
import { isAnotherMatter, withoutPleasantries } from './phrases.js';
import { emailSpans } from './redaction/emails.js';
import { withoutNames } from './redaction/names.js';
import { replaced } from './redaction/spans.js';
import { clipped, ended, MAX_MESSAGE, sentencesOf } from './sentences.js';
import { expectationAfter, isAsking, judged, type Expectation, type JudgedSentence } from './turn-acts.js';

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
  /** The smallest text that says what is wanted, for comparison. */
  readonly text: string;
  /** ISO 639; `und` if it cannot be determined. */
  readonly language: string;
}

interface Sentence extends JudgedSentence {
  /** The position of its message. */
  readonly message: number;
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
/** The score of another matter that an agent has asked for. */
const LEAST_SCORE_OF_OFFERED = 2.5;
/** Minimum score of an opening without a request that says by itself what is wanted. */
const LEAST_SCORE_OF_CLEAR = 3;
/** A request with fewer words is told together with the sentences next to it. */
const LEAST_STEMS = 3;
const MAX_REQUESTS = 3;
const LONG_NUMBER = /(?<![\p{L}\p{N}])\+?\(?\d(?:[\d\s().-]{3,24})\d(?![\p{L}\p{N}])/gu;
const GENERIC_SUBJECT =
  /^(?:(?:re|fwd?|aw|wg|rv|tr)\s*:|(?:new\s+)?(?:ticket|case|conversation|chat|request|message|support|help|question|inquiry)\b[\s#:\d-]*$)/i;

/**
 * Derives the issues of a conversation: none if it contains only greetings, thanks and answers, several if it announces
 * another matter, or asks for something without a word in common with the previous text.
 */
export function deriveIssues(conversation: ConversationText): DerivedIssue[] {
  const given = conversation.messages.slice(0, MAX_MESSAGES);
  const [title = '', ...texts] = withoutNames(
    [conversation.subject ?? '', ...given.map(({ text }) => text.slice(0, MAX_MESSAGE))].map(withoutAddresses),
  );
  const messages = given.map(({ role }, at) => ({ role, text: texts[at] ?? '' }));
  const said = messages.filter(({ role }) => role === 'customer').map(({ text }) => text.slice(0, 2_000));
  const language = detectLanguage([title, ...said].join('\n'));
  const matters: Sentence[][] = [];
  messages.forEach(({ role, text }, message) => {
    if (role !== 'customer') return;
    const expected = expectationAfter(messages[message - 1]);
    addTo(
      matters,
      sentencesOf(text).map((sentence) => ({
        ...judged(withoutNumbers(sentence), language, matters.length === 0 ? 'none' : expected),
        message,
        isAnother: isAnotherMatter(sentence),
      })),
      expected,
    );
  });
  const found = matters
    .filter((matter, at) => matter.some(isRequest) || (at === 0 && matter.some(isOpening)))
    .slice(0, MAX_ISSUES);
  const subject = subjectOf(title, language);
  if (found.length === 0) return subject ? [issueOf([subject], language)] : [];
  return found.map((matter) => issueOf(matter, language, found.length === 1 ? subject : undefined));
}

function isTelling({ score, act }: Sentence): boolean {
  return score >= LEAST_SCORE && act !== 'courtesy' && act !== 'detail';
}

/** Tells whether a sentence may begin a matter; one that only tells something is what it is about if nothing is asked. */
function isOpening(sentence: Sentence): boolean {
  return isTelling(sentence) && sentence.act !== 'answer';
}

function isRequest(sentence: Sentence): boolean {
  return isTelling(sentence) && isAsking(sentence);
}

/** Assigns the sentences of a message to their matter: the last one, or another. */
function addTo(matters: Sentence[][], sentences: readonly Sentence[], expected: Expectation): void {
  const last = matters.at(-1);
  if (!last && !sentences.some(isOpening)) return;
  const least = expected === 'matter' ? LEAST_SCORE_OF_OFFERED : LEAST_SCORE_OF_ANOTHER;
  const begins =
    !last ||
    (last.some(isRequest) &&
      expected !== 'answer' &&
      sentences.some((sentence) => isRequest(sentence) && sentence.score >= least) &&
      !shares(matters.flat(), sentences));
  if (begins) matters.push([]);
  for (const sentence of sentences) {
    const isBegun = matters.at(-1)?.some(isRequest) ?? false;
    if (sentence.isAnother && isBegun && isRequest(sentence) && !shares(matters.at(-1) ?? [], [sentence], 3))
      matters.push([]);
    matters.at(-1)?.push(sentence);
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

function subjectOf(subject: string, language: string): Sentence | undefined {
  const bare = subject.replace(/^(?:\s*(?:re|fwd?|aw|wg|rv|tr)\s*:)+\s*/i, '');
  const [first] = sentencesOf(bare);
  if (first === undefined || GENERIC_SUBJECT.test(bare)) return undefined;
  const sentence = { ...judged(withoutNumbers(first), language, 'none'), message: -1, isAnother: false };
  return isTelling(sentence) ? sentence : undefined;
}

/** The issue of a matter; `subject` is that of its conversation. */
function issueOf(matter: readonly Sentence[], language: string, subject?: Sentence): DerivedIssue {
  const told = matter.filter(isTelling);
  const opening = told.find(isOpening)?.message;
  const openings = told.filter((sentence) => sentence.message === opening && isOpening(sentence));
  const isVague = !told.some(isAsking) && openings.every(({ score }) => score < LEAST_SCORE_OF_CLEAR);
  const wanted = told.filter(
    (sentence) =>
      isAsking(sentence) || (isVague ? isOpening(sentence) : !openings.some(isAsking) && openings.includes(sentence)),
  );
  const best = clearestOf(wanted) ?? subject;
  const around = Math.max(0, told.indexOf(best ?? (told[0] as Sentence)));
  const summary = [...(subject ? [subject] : []), ...told.slice(Math.max(0, around - 1), around + 4)];
  return {
    title: clipped(presentable(best?.text ?? ''), MAX_TITLE),
    summary: clipped(
      summary.map(({ text }, at) => (at < summary.length - 1 ? ended(presentable(text)) : presentable(text))).join(' '),
      MAX_SUMMARY,
    ),
    text: clipped(
      smallestOf(told, wanted, best, subject)
        .map((text) => withoutPleasantries(text))
        .join(' '),
      MAX_TEXT,
    ),
    language,
  };
}

/** The clearest of sentences; of equally clear ones the first. */
function clearestOf(sentences: readonly Sentence[]): Sentence | undefined {
  const value = ({ score }: Sentence, at: number): number => score - Math.min(at, 6) * 0.4;
  return sentences
    .map((sentence, at) => ({ sentence, value: value(sentence, at) }))
    .reduce<{ sentence: Sentence; value: number } | undefined>(
      (most, each) => (most && most.value >= each.value ? most : each),
      undefined,
    )?.sentence;
}

/**
 * The fewest sentences that say what is wanted: the clearest one and other requests of its message, the opening without
 * a request, the subject, and if these are a few words only, the sentences next to them.
 */
function smallestOf(
  told: readonly Sentence[],
  wanted: readonly Sentence[],
  best: Sentence | undefined,
  subject: Sentence | undefined,
): string[] {
  const opening = told.find(isOpening)?.message;
  const chosen = new Set([best, subject].filter((sentence) => sentence !== undefined));
  for (const sentence of wanted)
    if (chosen.size <= MAX_REQUESTS && (sentence.message === best?.message || sentence.message === opening))
      chosen.add(sentence);
  const stems = (): number => new Set([...chosen].flatMap((sentence) => [...sentence.stems])).size;
  const around = best ? told.indexOf(best) : 0;
  const beside = [told[around + 1], told[around - 1], told[around + 2]].filter((sentence) => sentence !== undefined);
  const isAnswer = ({ act }: Sentence): boolean => act === 'answer';
  // After a vague opening only the answers to the agent say what it is about.
  for (const sentence of [...beside.filter((each) => !isAnswer(each)), ...beside.filter(isAnswer)])
    if (stems() < LEAST_STEMS) chosen.add(sentence);
  return [...new Set([...chosen].map(({ text }) => text))];
}

/** A sentence without its greeting, beginning with a capital. */
function presentable(sentence: string): string {
  const bare = withoutPleasantries(sentence) || sentence;
  return `${bare.slice(0, 1).toLocaleUpperCase('en')}${bare.slice(1)}`;
}
