import { STOP_WORDS } from './stop-words.js';
import { wordsOf } from './words.js';

/** The language of a text in no known language (ISO 639-3: undetermined). */
export const UNDETERMINED = 'und';
const SAMPLE = 2_000;
/** Scripts of one language, or mainly of one; languages with the same script are distinguished by their words. */
const SCRIPTS: readonly (readonly [language: string, letters: RegExp])[] = [
  ['ja', /[\p{sc=Hiragana}\p{sc=Katakana}]/gu],
  ['zh', /\p{sc=Han}/gu],
  ['ko', /\p{sc=Hangul}/gu],
  ['th', /\p{sc=Thai}/gu],
  ['he', /\p{sc=Hebrew}/gu],
  ['ar', /\p{sc=Arabic}/gu],
  ['el', /\p{sc=Greek}/gu],
  ['hi', /\p{sc=Devanagari}/gu],
  ['bn', /\p{sc=Bengali}/gu],
  ['ta', /\p{sc=Tamil}/gu],
  ['ka', /\p{sc=Georgian}/gu],
  ['hy', /\p{sc=Armenian}/gu],
];

/** The language of a text, as an ISO 639 code: by its script, or by the most common words of languages. */
export function detectLanguage(text: string): string {
  const sample = text.slice(0, SAMPLE);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0) return UNDETERMINED;
  const counts = SCRIPTS.map(([language, script]) => ({ language, count: sample.match(script)?.length ?? 0 }));
  const [kana, han] = [counts[0]?.count ?? 0, counts[1]?.count ?? 0];
  // Japanese also uses Chinese characters, but Chinese never uses kana.
  if (kana > 0 && kana + han > letters * 0.4 && kana > han * 0.1) return 'ja';
  const own = counts.slice(1).find(({ count }) => count > letters * 0.4);
  return own?.language ?? byWords(wordsOf(sample), /\p{sc=Cyrillic}/u.test(sample));
}

function byWords(words: readonly string[], isCyrillic: boolean): string {
  let best = { language: UNDETERMINED, count: 0 };
  for (const [language, stops] of STOP_WORDS) {
    if ((language === 'ru' || language === 'uk') !== isCyrillic) continue;
    const count = words.reduce((sum, word) => sum + (stops.has(word) ? 1 : 0), 0);
    if (count > best.count) best = { language, count };
  }
  return best.count >= Math.min(2, words.length / 3) ? best.language : UNDETERMINED;
}

/** The most frequent language of texts. */
export function usualLanguageOf(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) {
    const language = detectLanguage(text);
    if (language !== UNDETERMINED) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0] ?? UNDETERMINED;
}
