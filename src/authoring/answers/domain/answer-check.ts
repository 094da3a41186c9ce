import { foldText, foldedWords, isUnspacedScript, wordBeginning } from '../../search/domain/text-folding.js';
import { titleOfSource, type AnswerBlock, type AnswerSentence, type Passage } from './answer.js';

/** The share of the words of a sentence that its sources must have. */
const SUPPORTED_WORDS = 0.6;
/** Shorter words are mostly those that every text has. */
const MIN_WORD = 4;
/** The share of sentences that may be left out before the whole answer is not trusted. */
const MOST_UNSUPPORTED = 0.34;

const TOKENS = /`[^`]+`|[^\s`"'<>()]+/gu;
const WORDS = /[\p{L}\p{N}_$@./:\\-]+/gu;
const IS_IDENTIFIER = /\p{N}|_|\p{Ll}\p{Lu}|(?<=\p{L})[./:\\](?=\p{L})/u;
const NEGATIONS =
  /(?<![\p{L}\p{N}])(?:not|never|cannot|no|none|without|\p{L}+n['’]t|nicht|nie|niemals|kein\p{L}*|ohne|pas|jamais|aucun\p{L}*|sans|nunca|ningún|sin|sem|não|mai|senza|niet|nooit|geen|ikke|aldri|inte|aldrig|не|нет|никогда|без)(?![\p{L}\p{N}])|ない|ません|ず|不|没|没有|無/iu;

/**
 * The blocks of an answer without sentences that their sources do not support; undefined if too many are not.
 * `inOtherLanguage`: question and sources are in different languages, so that only names, numbers and identifiers can be
 * compared. Words are compared, not what they say: a sentence of the words of its sources may still be wrong.
 */
export function supportedBlocks(
  blocks: readonly AnswerBlock[],
  passages: readonly Passage[],
  { inOtherLanguage }: { readonly inOtherLanguage: boolean },
): readonly AnswerBlock[] | undefined {
  const texts = passages.map((passage) => foldText(textOf(passage)));
  const checked = blocks.map((block) => ({
    ...block,
    sentences: block.sentences.filter((sentence) =>
      block.kind === 'code' ? hasLines(sentence, texts) : isSupported(sentence, texts, inOtherLanguage),
    ),
  }));
  const kept = checked.filter(({ sentences }) => sentences.length > 0);
  const [before, after] = [countOf(blocks), countOf(kept)];
  return after === 0 || before - after > before * MOST_UNSUPPORTED ? undefined : kept;
}

const countOf = (blocks: readonly AnswerBlock[]): number =>
  blocks.reduce((sum, { sentences }) => sum + sentences.length, 0);

const textOf = (passage: Passage): string =>
  [titleOfSource(passage), ...passage.text.read.map(({ text }) => text)].join('\n');

function isSupported({ text, sources }: AnswerSentence, texts: readonly string[], inOtherLanguage: boolean): boolean {
  const source = sourceTextOf(sources, texts);
  if (source === undefined) return false;
  if (!exactParts(text).every((part) => source.includes(part))) return false;
  if (inOtherLanguage) return true;
  if (NEGATIONS.test(text) && !NEGATIONS.test(source)) return false;
  const words = contentWords(text);
  const known = words.filter((word) => source.includes(isUnspacedScript(word) ? word : wordBeginning(word)));
  return known.length >= words.length * SUPPORTED_WORDS;
}

/** Code, addresses, numbers and identifiers: they stand in a source exactly, or the sentence is not from there. */
function exactParts(text: string): string[] {
  const parts = (text.match(TOKENS) ?? []).flatMap((token) => {
    if (token.startsWith('`')) return [token.slice(1, -1)];
    const words = token.includes('://')
      ? [token]
      : (token.match(WORDS) ?? []).filter((word) => IS_IDENTIFIER.test(word));
    return words.map((word) => word.replace(/[.,:;!?]+$/, ''));
  });
  return [...new Set(parts.map(foldText))].filter((part) => part !== '');
}

/** Every line of code stands in the sources, apart from its indentation. */
function hasLines({ text, sources }: AnswerSentence, texts: readonly string[]): boolean {
  const source = sourceTextOf(sources, texts);
  return (
    source !== undefined &&
    text.split('\n').every((line) => line.trim() === '' || source.includes(foldText(line.trim())))
  );
}

function sourceTextOf(sources: readonly number[], texts: readonly string[]): string | undefined {
  const cited = sources.map((source) => texts[source]);
  return cited.length === 0 || cited.includes(undefined) ? undefined : cited.join('\n');
}

/** Longer words, and pairs of characters where words have no blanks between them; each once. */
function contentWords(text: string): string[] {
  const words = foldedWords(text).flatMap((word) => {
    if (!isUnspacedScript(word)) return word.length < MIN_WORD ? [] : [word];
    const characters = [...word];
    return characters.slice(1).map((second, at) => `${characters[at] ?? ''}${second}`);
  });
  return [...new Set(words)];
}
