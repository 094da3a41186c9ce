import { isStopWord } from './terms.js';
import { wordsOf } from './words.js';

/* Details of a person or a matter that a sentence consists of, and nothing else: a number, an address, a name. */

/** Longer sentences are not only an address or a number. */
const MAX_WORDS = 10;
const MAX_NAME_WORDS = 3;
const LEAST_DIGITS = 3;
/** Words before the name of a field. */
const LEAD = String.raw`^(?:(?:it|this|that|yes|so|and|here|well|the|my|our|last|first|full|customer|user|registered|mein\p{L}?|die|der|das|mi|el|la|mon|ma|le|il|mio|meu|minha|mijn)[\s,]+(?:(?:is|ist|es|est|è)[\s,]+)?)*`;
const NAME = new RegExp(
  String.raw`${LEAD}(?:(?:company|business|shop)[\s,]+)?(?:name|surname|nachname|vorname|nombre|apellido|nom|prénom|nome|cognome|naam|namn)(?:[\s:,]+(is|are|ist|es|est|è)(?!\p{L})|[\s]*(:)|(?=\s|$))\s*`,
  'iu',
);
const NUMBER = new RegExp(
  String.raw`${LEAD}(?:password|passcode|pin|account|booking|confirmation|order|ticket|policy|customer|phone|mobile|contact|e-?mail|zip|konto|bestellung|auftrag|rechnung|telefon|pedido|cuenta|teléfono|commande|compte|ordine|conto)(?:[\s,-]+(?:confirmation|name|no|number|nr|id|code|address|reference|nummer|número|numéro|numero))*(?:[\s:,#]+(?:is|are|ist|es|est|è)(?!\p{L}))?[\s:,#]+`,
  'iu',
);
/** Fields whose values have words between their digits. */
const PLACE_OR_DATE = new RegExp(
  String.raw`${LEAD}(?:(?:street )?address|date of birth|birth ?(?:day|date)|adresse|anschrift|geburtsdatum|dirección|indirizzo)(?:[\s:,]+(?:is|are|ist|es|est|è)(?!\p{L}))?[\s:,]+`,
  'iu',
);
/** Introductions after which any word is a name, and those after which only a word with a capital is one. */
const INTRODUCTION =
  /^(?:mein name ist|ich hei(?:ß|ss)e|me llamo|mi nombre es|je m['’]appelle|mon nom est|mi chiamo|il mio nome è|meu nome é|me chamo|ik heet|mijn naam is|jag heter|mitt namn är|nazywam się|mam na imię|меня зовут|мене звати|benim adım|adım)\s+/iu;
const WEAK_INTRODUCTION = /^(?:i am|i['’]?m|this is|ich bin|soy|je suis|sono|sou|ik ben|jag är)\s+/iu;
const VERB = /(?:ed|ing|ly|lt)$/;
/** A single consonant, as numbers of bookings have them. */
const LATIN_LETTER = /^[b-df-hj-np-tv-xz]$/;
const CYRILLIC_LETTER = /^\p{sc=Cyrillic}$/u;
const UNSPACED = new Set(['ja', 'zh', 'th', 'ko']);

/** Tells whether a sentence only says who somebody is, or a number of theirs; `isMasked` if a mask was taken from it. */
export function isIdentifying(text: string, isMasked = false): boolean {
  const bare = text.trim().replace(/[\s.!,]+$/u, '');
  for (const introduction of [INTRODUCTION, WEAK_INTRODUCTION]) {
    const rest = afterIn(introduction, bare);
    if (rest !== undefined) return isName(rest, introduction === INTRODUCTION);
  }
  const named = NAME.exec(bare);
  if (named) {
    const rest = bare.slice(named[0].length).trim();
    return rest === '' ? isMasked : isName(rest, (named[1] ?? named[2]) !== undefined);
  }
  const number = afterIn(NUMBER, `${bare} `)?.trim();
  if (number !== undefined) return number === '' ? isMasked : /@/.test(number) || isNumber(number);
  const place = afterIn(PLACE_OR_DATE, `${bare} `)?.trim();
  return place !== undefined && (place === '' ? isMasked : isPlaceOrDate(place));
}

/** Tells whether a short sentence is mostly digits, single letters and masks, without a verb. */
export function isMostlyDetails(
  words: readonly string[],
  content: readonly string[],
  language: string,
  isMasked: boolean,
): boolean {
  if (words.length > MAX_WORDS || (language === 'en' && content.some((word) => VERB.test(word)))) return false;
  const isSpaced = !UNSPACED.has(language);
  const details = words.filter((word) => /\d/.test(word) || (isSpaced && isLetter(word, language))).length;
  return (details > 0 || isMasked) && content.length <= (isSpaced ? Math.max(1, details) : details);
}

/** One-letter words of a language are words: only in English no consonant is one. */
function isLetter(word: string, language: string): boolean {
  return CYRILLIC_LETTER.test(word) ? !isStopWord(word, language) : language === 'en' && LATIN_LETTER.test(word);
}

function afterIn(beginning: RegExp, text: string): string | undefined {
  const found = beginning.exec(text);
  return found ? text.slice(found[0].length) : undefined;
}

function isName(text: string, isAnnounced: boolean): boolean {
  const words = text.split(/[\s,]+/u);
  if (words.length > MAX_NAME_WORDS || !words.every((word) => /^\p{L}[\p{L}\p{M}'’.-]*$/u.test(word))) return false;
  const isCapital = words.every((word) => /^\p{Lu}/u.test(word) && !/^\p{Lu}{2,}$/u.test(word));
  return isCapital || (isAnnounced && words.length < MAX_NAME_WORDS && !words.some((word) => VERB.test(word)));
}

/** Words with digits and single letters, with at least three digits: fewer are an amount. */
function isNumber(value: string): boolean {
  return (
    value.replace(/\D/g, '').length >= LEAST_DIGITS &&
    wordsOf(value).every((word) => /\d/.test(word) || word.length === 1)
  );
}

/** A few words with a number, and nothing that happened. */
function isPlaceOrDate(value: string): boolean {
  const words = wordsOf(value);
  const others = words.filter((word) => !/\d/.test(word) && word.length > 1);
  const numbers = words.length - others.length;
  return (
    numbers > 0 && others.length <= 2 + numbers && !others.some((word) => VERB.test(word) || isStopWord(word, 'en'))
  );
}
