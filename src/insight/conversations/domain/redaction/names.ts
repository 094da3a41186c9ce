import {
  ALSO_WORDS,
  CLOSINGS,
  GERMAN_SELF,
  GREETINGS,
  HONOURED_NOBODY,
  INTRODUCTIONS,
  NAME_QUESTIONS,
  NOBODY,
  OWN_SELVES,
  SELVES,
  GREETED_SELVES,
  TITLES,
  UNSPACED_ENDINGS,
  UNSPACED_INTRODUCTIONS,
} from './name-words.js';
import { replaced, type Span } from './spans.js';

/** Markers of Markdown and of quotations. */
const MARKS = '[*_~> \\t]*';
/** The end of a line, which may have the backslash of a Markdown break. */
const LINE_END = '\\\\?\\r?\\n';
const TITLE = `(?:(?:${TITLES})\\.?[ \\u00a0]+){0,2}`;
const WORD = "\\p{Lu}(?:[\\p{L}\\p{M}'’-]{1,30}|\\.)";
const NAME = new RegExp(
  `${WORD}(?:[ \\u00a0](?:(?:van|von|de|der|den|da|do|dos|del|la|le|bin|al|di|y) ){0,2}${WORD}){0,3}`,
  'uy',
);
const END = /[*_~ \t]*(?:[,.!?:;)\n\r—–]|\\\n|-[ \n]|$)/uy;
const GOES_ON =
  /[ \t]+(?:I|I['’]\p{L}+|we|my|our|this|thanks|thank|can|could|how|just|hope|ich|wir|je|nous|yo|eu)(?!\p{L})/uy;
const PLACE = /[,]? (?:from|with|at|here|of|von|aus|de|chez|da|di|van)(?!\p{L})/uy;
const ANYTHING = /(?:)/uy;
const LAST = /[*_]*[.!]?\s*$/uy;
const AND = /[*_]*(?:,| and| und| et| y| e| en| &| и)[ \t]+[*_]*/uy;

/** Contexts of names: the text before, in any case, and the alternatives that must follow. */
const PLACES: readonly { readonly before: RegExp; readonly behind: readonly RegExp[]; readonly leastWords?: number }[] =
  [
    {
      before: new RegExp(
        `^${MARKS}(?:(?:thanks|thank you),? )?(?:${GREETINGS})(?: again)?[ \\t]*,?[ \\t]+[*_]*${TITLE}`,
        'gimu',
      ),
      behind: [END, GOES_ON, AND],
    },
    {
      before: new RegExp(
        `^${MARKS}(?:${CLOSINGS})[*_ ,.!]*(?:(?:${LINE_END})+[\\s*_~>—–-]*|[ ,][*_]*|[—–-][ ]?)${TITLE}`,
        'gimu',
      ),
      behind: [END, AND],
    },
    { before: new RegExp(`(?<=[.!?] )(?:${CLOSINGS})[ ,]+[*_]*${TITLE}`, 'giu'), behind: [LAST] },
    { before: /\n[ \t]*(?:(?:--|—|–)[ \t]?|-(?=\p{Lu}))(?=[^\n]{1,60}\s*$)/gu, behind: [END] },
    { before: new RegExp(`(?<!\\p{L})(?:${INTRODUCTIONS})[ ]+[*_]*${TITLE}`, 'giu'), behind: [ANYTHING] },
    { before: new RegExp(`(?<!\\p{L})(?:${SELVES})[ ]+[*_]*${TITLE}`, 'giu'), behind: [PLACE] },
    { before: new RegExp(`(?<!\\p{L})(?:${OWN_SELVES})[ ]+[*_]*${TITLE}`, 'giu'), behind: [END, AND] },
    {
      before: new RegExp(
        `^${MARKS}(?:${GREETINGS})(?:[ ]+(?:there|all|team))?[ ,!.]+(?:${GREETED_SELVES})[ ]+[*_]*${TITLE}`,
        'gimu',
      ),
      behind: [END, AND, PLACE],
    },
    { before: new RegExp(`(?<!\\p{L})${GERMAN_SELF}[ ]+[*_]*${TITLE}`, 'giu'), behind: [END, AND], leastWords: 2 },
  ];
/** Words behind a name in lower case. */
const GOING_ON = 'and|but|from|i|my|with|last|und|aus|y|de|et|e|и';
/** In lower case it is a name only after introducing phrases, and between a greeting and a comma. */
const INTRODUCED_SMALL = new RegExp(
  `(?<!\\p{L})(?:${INTRODUCTIONS})[ ]+[*_]*(\\p{L}[\\p{L}'’-]{1,20}(?: (?!(?:${GOING_ON})(?!\\p{L}))\\p{L}[\\p{L}'’-]{1,20})?)(?=[*_ ]*(?:[,.!\\n]|$)|[*_ ]+(?:${GOING_ON})(?!\\p{L}))`,
  'giu',
);
const SMALL =
  /^[*_~> \t]*(?:hi|hello|hey|dear|hallo|hola|bonjour|salut|ciao|olá|hoi|hej)[ ]+(\p{Ll}[\p{L}'’-]{1,20})[ ]*[,!]/gimu;
/** A name before an e-mail address, as in the headers of quoted messages. */
const OF_ADDRESS = new RegExp(
  `(?<!\\p{L})(?!(?:AM|PM) )(${WORD}(?:[ \\u00a0]${WORD}){0,3})(?=[ ]\\\\?<\\[email\\])`,
  'gu',
);
const UNSPACED_NAME = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー]{1,8}?';
const UNSPACED = [
  new RegExp(`(?:${UNSPACED_INTRODUCTIONS})(${UNSPACED_NAME})(?=です|${UNSPACED_ENDINGS}|[，。,.、\\s]|$)`, 'gu'),
  new RegExp(`(?<=^|[\\s。、])(${UNSPACED_NAME})(?=${UNSPACED_ENDINGS})`, 'gu'),
];
const HONOURED =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,6}?)(?:さん|様|殿)|([\p{Script=Han}]{1,3})(?:先生|女士|小姐)/gu;

const ASKS_FOR_NAME = new RegExp(`(?:${NAME_QUESTIONS})`, 'iu');
const BARE_NAME = /^[*_ ]*(?:\p{L}[\p{L}\p{M}'’.-]{0,30})(?:[ \u00a0]\p{L}[\p{L}\p{M}'’.-]{0,30}){0,3}[*_ .!,]*$/u;

/** Tells whether somebody is asked for their name. */
export const asksForName = (question: string): boolean => ASKS_FOR_NAME.test(question);

/** Tells whether an answer is at most four words that may be a name, in any case. */
export function isBareName(answer: string): boolean {
  const plain = answer.trim();
  return (
    BARE_NAME.test(plain) &&
    !plain.split(/[ \u00a0]/).some((word) => NOBODY.has(word.toLowerCase().replace(/[.,!]+$/, '')))
  );
}

/** Minimum length of a name that is searched elsewhere, and the maximum number of such names. */
const MIN_SPREAD = 3;
const MOST_SPREAD = 200;
/** The replacement of a name. */
export const NAME_WORD = '[name]';

/**
 * Removes the names of people from the texts of one conversation: those in greetings, signatures and introductions of
 * any of them, and all other occurrences of these names.
 */
export function withoutNames(texts: readonly string[]): string[] {
  const found = texts.map(nameSpans);
  const spread = spreading(
    texts.flatMap((text, index) => (found[index] ?? []).map(({ start, end }) => text.slice(start, end))),
  );
  return texts.map((text, index) => {
    const own = replaced(text, found[index] ?? [], NAME_WORD);
    return spread === undefined ? own : own.replace(spread, NAME_WORD);
  });
}

/** The positions of names in a text. */
function nameSpans(text: string): Span[] {
  const spans: Span[] = [];
  for (const { before, behind, leastWords = 1 } of PLACES) {
    for (const { index, 0: lead } of text.matchAll(before)) {
      let next: number | undefined = index + lead.length;
      while (next !== undefined) {
        const span = nameAt(text, next, behind, leastWords);
        if (span) spans.push(span);
        next = span && matchEnd(AND, text, span.end);
      }
    }
  }
  for (const pattern of [SMALL, INTRODUCED_SMALL, OF_ADDRESS])
    for (const match of text.matchAll(pattern)) pushGroup(spans, match, NOBODY);
  for (const pattern of [HONOURED, ...UNSPACED])
    for (const match of text.matchAll(pattern)) pushGroup(spans, match, HONOURED_NOBODY);
  return spans;
}

function pushGroup(spans: Span[], match: RegExpExecArray, nobody: ReadonlySet<string>): void {
  const name = match[1] ?? match[2] ?? '';
  if (name === '' || nobody.has(name.toLowerCase())) return;
  const start = match.index + match[0].indexOf(name);
  spans.push({ start, end: start + name.length });
}

/** The longest name of at least so many words that begins at `start` and is followed by the required text. */
function nameAt(text: string, start: number, behind: readonly RegExp[], leastWords: number): Span | undefined {
  NAME.lastIndex = start;
  let name = NAME.exec(text)?.[0];
  while (name !== undefined && name !== '') {
    const end = start + name.length;
    const [first = '', ...others] = name.split(/[ \u00a0]/);
    if (others.length + 1 < leastWords) return undefined;
    if (NOBODY.has(first.toLowerCase())) return undefined;
    if (behind.some((pattern) => matchEnd(pattern, text, end) !== undefined)) return { start, end };
    name = name.slice(0, Math.max(0, name.search(/[ \u00a0][^ \u00a0]*$/u)));
  }
  return undefined;
}

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match ? at + match[0].length : undefined;
}

/** A pattern for names as whole words anywhere; ambiguous words do not count alone. */
function spreading(names: readonly string[]): RegExp | undefined {
  const wanted = new Set<string>();
  for (const name of names) {
    if (/[ \u00a0]/.test(name)) wanted.add(name);
    for (const word of name.split(/[ \u00a0]/)) {
      const small = word.toLowerCase();
      if (word.length < MIN_SPREAD || word.endsWith('.') || ALSO_WORDS.has(small) || NOBODY.has(small)) continue;
      wanted.add(word);
      wanted.add(word.charAt(0).toUpperCase() + word.slice(1));
    }
  }
  if (wanted.size === 0) return undefined;
  const longestFirst = [...wanted].sort((a, b) => b.length - a.length).slice(0, MOST_SPREAD);
  return new RegExp(
    `(?<![\\p{L}\\p{N}_[])(?:${longestFirst.map((name) => name.replaceAll('.', '\\.')).join('|')})(?![\\p{L}\\p{N}_])`,
    'gu',
  );
}
