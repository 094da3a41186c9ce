/** Maximum characters of a message that are read; no question is longer. */
export const MAX_MESSAGE = 20_000;
const MAX_SENTENCES = 200;
const MAX_SENTENCE = 500;
/** The end of a sentence: marks of unspaced scripts end one anywhere, others before a space. */
const END = /(?<=[.!?…]["'”’)\]]?) (?=[^\p{Ll}])|(?<=[!?]) |(?<=[。！？｡।؟][」』]?)(?![。！？」』])/u;
/** Lines above the quotation in an e-mail reply; a signature follows two dashes. */
const QUOTED_BELOW =
  /^(?:--\s?|_{5,}|-{3,}\s*(?:original message|forwarded message|ursprüngliche nachricht|mensaje original|message d'origine).*|(?:on|am|el|le|op|il|em) .{4,100}(?:wrote|schrieb|escribi[oó]|a écrit|schreef|ha scritto|escreveu)\s?:)$/iu;

/** The sentences of a message, in order, without quotations and signatures. */
export function sentencesOf(message: string): string[] {
  const own: string[] = [];
  for (const line of message.slice(0, MAX_MESSAGE).split(/[\r\n\u2028\u2029]+/)) {
    const bare = line.replace(/\s+/g, ' ').trim();
    if (QUOTED_BELOW.test(bare)) break;
    if (!/^[>|]/.test(bare)) own.push(bare);
  }
  return own
    .flatMap((line) => line.split(END))
    .map((sentence) => cleaned(sentence))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    .slice(0, MAX_SENTENCES);
}

/** Removes control characters and markers of lists and emphasis; joins spaces. */
function cleaned(sentence: string): string {
  const bare = sentence
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]+/gu, ' ')
    .replace(/^\s*(?:[-*+•–—#]+|\(?\d{1,2}[.)])\s+/u, '')
    .replace(/\*\*|__|`/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return clipped(bare, MAX_SENTENCE);
}

/** A sentence with a mark at its end. */
export function ended(sentence: string): string {
  return /[.!?…。！？]$/u.test(sentence) ? sentence : `${sentence}.`;
}

/** The first words of a text, at most `length` characters, with an ellipsis if it is cut. */
export function clipped(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '');
  const words = start.replace(/\s+\S*$/, '');
  return `${(words.length > length / 2 ? words : start).replace(/[\s,;:.]+$/, '')}…`;
}
