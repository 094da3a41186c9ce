/** A place of a text that is found again in its other form: the words there, and its share of the whole. */
export interface Landmark {
  readonly words: string;
  readonly share: number;
}

const WORD = /[\p{L}\p{N}]+/gu;
/** The weight of the words against that of the place. */
const WORDS_COUNT = 4;

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(WORD));
}

/** The index of the candidate that is the place of a landmark, most probably; -1 if there is none. */
export function findLandmark({ words, share }: Landmark, candidates: readonly Landmark[]): number {
  const wanted = wordsOf(words);
  let [best, most] = [-1, -Infinity];
  candidates.forEach((candidate, index) => {
    const own = wordsOf(candidate.words);
    const common = [...wanted].filter((word) => own.has(word)).length;
    const alike = wanted.size + own.size === 0 ? 0 : (2 * common) / (wanted.size + own.size);
    const score = WORDS_COUNT * alike - Math.abs(candidate.share - share);
    if (score > most) [best, most] = [index, score];
  });
  return best;
}
