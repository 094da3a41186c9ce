import { blanked } from './redaction/masks.js';
import { isStopWord, stemOf } from './terms.js';
import { tokensOf, type WordToken } from './words.js';

/** Words of a phrase, as a text writes them. */
export interface Headline {
  readonly text: string;
  /** Stems of its words with content. */
  readonly stems: readonly string[];
  /** Words without content between them. */
  readonly fillers: number;
  /** It says what is done or what happened: it follows a wish, or has a verb between its words. */
  readonly hasVerb: boolean;
}

interface Word extends WordToken {
  readonly stem: string;
  readonly hasContent: boolean;
}

const MAX_WORDS = 7;
const MAX_CONTENT = 4;
/** Begins of headlines that are tried in a clause. */
const MAX_STARTS = 4;
const MAX_CLAUSES = 4;
/** The end of a clause: marks, gaps of masks, and words that begin a reason or another clause. */
const CLAUSE_END =
  /[.!?…;:,()"“”«»。！？、，；]+|\s{3,}|\s[-–—]\s|\s(?:but|because|since|so that|and i|aber|weil|damit|pero|porque|mais|parce que|perché|mas|omdat|men|ale|ponieważ|но|потому что)\s/iu;
/** Words that lead to what is wanted: they are no part of it. */
const LEADS = new Set(
  (
    'want wants wanted wanna need needs needed would like love know tell try trying tried help wonder wondering looking wish hello hi hey thanks thank please kindly possible able way question sir madam today currently just really still possibly maybe also already been much many long quick quickly during without within upon via per whether well ok okay yes yeah think see get got morning afternoon evening ' +
    'mochte will kann brauche wie wurde gerne bitte hallo hilfe frage wollte versuche quiero quisiera necesito puedo ayuda hola gustaria como je veux voudrais souhaite dois besoin bonjour aimerais vorrei voglio quero gostaria preciso graag wil kunt jag vill chce prosze хочу нужно можно'
  ).split(/\s+/),
);
/** Words in the middle of a clause that begin another one. */
const BREAKS = new Set(
  'need needs want wants please would wondering bitte möchte quiero necesito voudrais vorrei'.split(' '),
);
const WISHES = new Set(
  'to i can please you let could want need how kindly zu bitte möchte mochte a de je veux vorrei quiero quero'.split(
    ' ',
  ),
);
/** Words that say that something is, happened or does not happen. */
const COPULAS =
  /^(?:is|was|are|were|has|have|been|got|did|does|do|not|no|never|cannot|(?:is|was|are|were|has|have|did|does|do|ca|wo|could)n['’]?t|ist|war|wurde|hat|sind|nicht|kein\p{L}*|est|sont|pas|es|está|fue|no|non|è|não|не|нет|niet|inte|nie)$/iu;
/** Whose something is, by language: a headline does without. */
const POSSESSIVES: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    en: 'my|our|your|this|that|these|those',
    de: String.raw`mein\p{L}{0,2}|unser\p{L}{0,2}|ihr\p{L}{0,2}`,
    es: 'mis?|sus?|nuestr[oa]s?',
    fr: 'mon|ma|mes|notre|nos|votre|vos',
    it: 'mi[oae]|miei|vostr[oaei]|nostr[oaei]',
    pt: 'meus?|minhas?|seus?|suas?',
    nl: 'mijn|uw|onze',
    sv: 'min|mitt|mina',
    pl: 'mój|moja|moje|moją|mojego|mojej|moich',
    ru: 'мой|моя|моё|мое|мои|моего|моей|мою|моих',
    uk: 'мій|моя|моє|мої|мого|моєї|мою|моїх',
  }).map(([language, words]) => [language, new RegExp(String.raw`(?<![\p{L}\p{M}])(?:${words})\s+`, 'giu')] as const),
);
const HAN_END = /\p{sc=Han}$/u;
const HIRAGANA = /^[\p{sc=Hiragana}]{1,10}/u;

/** The phrases of a text that may be the headline of texts like it: they begin and end with words that have content. */
export function headlinesIn(text: string, language: string): Headline[] {
  return blanked(text)
    .split(CLAUSE_END)
    .filter((clause) => clause.trim() !== '')
    .slice(0, MAX_CLAUSES)
    .flatMap((clause) => phrasesOf(clause, language));
}

function phrasesOf(clause: string, language: string): Headline[] {
  const words = tokensOf(clause).map((token): Word => {
    const isEmpty = isStopWord(token.word, language) || LEADS.has(token.word) || /\d/.test(token.word);
    return { ...token, stem: stemOf(token.word, language), hasContent: !isEmpty };
  });
  const found: Headline[] = [];
  const starts = words.flatMap(({ hasContent }, at) => (hasContent ? [at] : [])).slice(0, MAX_STARTS);
  for (const start of starts) {
    for (let end = start; end < Math.min(words.length, start + MAX_WORDS); end++) {
      const word = words[end]?.word ?? '';
      if (/\d/.test(word) || BREAKS.has(word)) break;
      if (!words[end]?.hasContent) continue;
      const own = words.slice(start, end + 1);
      const content = own.filter(({ hasContent }) => hasContent);
      if (content.length > MAX_CONTENT) break;
      found.push({
        text: written(clause, own, language),
        stems: content.map(({ stem }) => stem),
        fillers: own.length - content.length,
        hasVerb:
          WISHES.has(words[start - 1]?.word ?? '') ||
          (own.length > 2 && own.slice(1, -1).some(({ word }) => COPULAS.test(word))),
      });
    }
  }
  return found;
}

/** The words as the clause writes them, to the end of the last one. */
function written(clause: string, words: readonly Word[], language: string): string {
  const [start, end] = [words[0]?.start ?? 0, words.at(-1)?.end ?? 0];
  // A verb in Japanese goes on in another script.
  const rest = HAN_END.test(clause.slice(start, end)) ? (HIRAGANA.exec(clause.slice(end))?.[0] ?? '') : '';
  const text = `${clause.slice(start, end)}${rest}`.replace(/\s+/g, ' ').trim();
  const possessives = POSSESSIVES.get(language);
  const shorter = possessives ? text.replace(possessives, '') : text;
  return shorter.trim() === '' ? text : shorter;
}
