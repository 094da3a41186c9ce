/** What stands where a name, an address or a number was. */
const NAME = '[name]';
const CAPITALIZED = String.raw`\p{Lu}[\p{L}\p{M}'’-]{1,30}(?:\s+\p{Lu}[\p{L}\p{M}'’-]{1,30}){0,2}`;
/** Words that say that a name follows, however it is written. */
const INTRODUCTIONS = new RegExp(
  String.raw`(?<=^|[\s,.;!])(?:my name is|me llamo|mi nombre es|je m['’]appelle|mon nom est|mein name ist|ich heiße|mi chiamo|il mio nome è|meu nome é|mijn naam is|ik heet|jag heter|mam na imię|nazywam się|меня зовут|мене звати|benim adım)\s+([\p{L}\p{M}'’-]{2,30}(?:\s+[\p{L}\p{M}'’-]{2,30}){0,2})`,
  'giu',
);
/** Words that a name may follow: it is one if it is written with a capital. */
const CAPITAL_INTRODUCTIONS = new RegExp(String.raw`(?<=^|[\s,.;!])(?:[Tt]his is|I am|I['’]m|[Ii]t['’]s|[Ss]oy|[Ii]ch bin|[Jj]e suis|[Ss]ono|[Ss]ou o|[Ii]k ben)\s+(${CAPITALIZED})(?=\s*(?:[,.!]|$|from\b|here\b|and\b|de\b|von\b|aus\b|y\b|und\b|et\b))`, 'gu');
const GREETINGS = new RegExp(String.raw`(?<=^|[\s,.;!])(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|hola|estimad[oa]s?|bonjour|cher|chère|hallo|guten (?:tag|morgen|abend)|liebe[rs]?|ciao|buongiorno|caro|cara|olá|prezad[oa]|beste|hej|cześć|привет|merhaba)\s+(?:(?:mr|mrs|ms|dr|herr|frau|sr|sra|señora?|monsieur|madame)\.?\s+)?(\p{Lu}[\p{L}\p{M}'’-]{1,30})(?=\s*[,.!]|\s*$)`, 'giu');
const SIGNED = new RegExp(String.raw`(?:regards|cheers|sincerely|best|thanks|thank you|saludos|gracias|cordialement|merci|grüßen|grüße|grüssen|danke|saluti|grazie|atenciosamente|obrigad[oa]|groeten|hälsningar|pozdrawiam)\s*[,!.]?\s*\n+\s*(${CAPITALIZED})\s*$`, 'gimu');
const UNSPACED_NAMES = [/(?<=私の名前は|我叫|我是|我的名字是)[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]{2,8}?(?=です|と申します|[，。,.、]|$)/gu, /(?<=^|[\s。、])[\p{sc=Han}\p{sc=Katakana}ー]{1,8}(?=と申します|様[、。\s])/gu];
/** Written with a capital because they begin a sentence, or named as somebody who is no person. */
const NO_NAMES = new Set('team support all everyone there sir madam customer service not sure just also now still very trying having looking using getting unable able a the i in on so happy sorry afraid wondering todos equipo zusammen team tous équipe'.split(' '));

/** Names that a conversation tells of those who speak: at introductions, in greetings and below. */
export function namesIn(messages: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const message of messages) {
    const text = message.slice(0, 20_000);
    for (const [, found = ''] of text.matchAll(INTRODUCTIONS)) {
      const words = found.split(/\s+/);
      // Who writes without capitals gives a first name; what follows it is another word.
      words.filter((word, at) => isName(word) && (at === 0 || /^\p{Lu}/u.test(word))).forEach((name) => names.add(name));
    }
    for (const pattern of [CAPITAL_INTRODUCTIONS, GREETINGS, SIGNED]) {
      for (const [, found = ''] of text.matchAll(pattern)) for (const word of found.split(/\s+/)) if (isName(word) && /^\p{Lu}/u.test(word)) names.add(word);
    }
    for (const pattern of UNSPACED_NAMES) for (const [name] of text.matchAll(pattern)) names.add(name);
  }
  return names;
}

function isName(word: string): boolean {
  return word.length > 1 && !NO_NAMES.has(word.toLowerCase());
}

/** A sentence without anything personal: names, e-mail addresses, and numbers of five digits or more. */
export function masked(sentence: string, names: ReadonlySet<string>): string {
  const bare = sentence
    .replace(/[^\s@<>()]{1,64}@[^\s@<>()]{1,255}\.[\p{L}]{2,24}/gu, '[email]')
    .replace(/(?<![\p{L}\p{N}])\+?\(?\d(?:[\d\s().-]{3,24})\d(?![\p{L}\p{N}])/gu, (found) => (found.replace(/\D/g, '').length >= 5 ? '[number]' : found));
  if (names.size === 0) return bare;
  const named = bare.replace(/[\p{L}\p{M}'’-]+/gu, (word) => (names.has(word) || names.has(word.replace(/['’]s$/, '')) ? NAME : word));
  const unspaced = [...names].filter((name) => /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]+$/u.test(name));
  return unspaced.reduce((text, name) => text.replaceAll(name, NAME), named).replace(/(?:\[name\]\s*)+(?=\[name\])/g, '');
}
