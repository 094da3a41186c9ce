import { matrix, normalizeRows, type Matrix } from './dense.js';

/** Vectors of the words of a language, the most frequent word first. */
export interface WordVectors {
  readonly ranks: ReadonlyMap<string, number>;
  readonly dimensions: number;
  readonly scales: Float32Array;
  readonly values: Int8Array;
}

const SMOOTHING = 1e-3;

/** Reads the output of `scripts/compile-word-vectors.mjs`. */
export function readWordVectors(file: Uint8Array): WordVectors {
  const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
  const [count = 0, dimensions = 0] = new Uint32Array(bytes, 0, 2);
  const [scalesAt, valuesAt] = [8, 8 + count * 4];
  const words = new TextDecoder().decode(new Uint8Array(bytes, valuesAt + count * dimensions)).split('\n');
  return {
    ranks: new Map(words.map((word, rank) => [word, rank])),
    dimensions,
    scales: new Float32Array(bytes, scalesAt, count),
    values: new Int8Array(bytes, valuesAt, count * dimensions),
  };
}

/**
 * Texts as sums of the vectors of their words, with more weight for rare words (SIF: Arora, Liang and Ma 2017). The
 * frequency of a word follows from its rank, by Zipf's law. A text without any known word is a row of zeros.
 */
export function summed(
  texts: readonly (readonly string[])[],
  { ranks, dimensions, scales, values }: WordVectors,
): Matrix {
  const harmonic = Math.log(ranks.size) + 0.5772;
  const all = matrix(texts.length, dimensions);
  texts.forEach((words, row) => {
    for (const word of words) {
      const rank = ranks.get(word) ?? ranks.get(word.replace(/'.*$/, ''));
      if (rank === undefined) continue;
      const weight = (SMOOTHING / (SMOOTHING + 1 / ((rank + 2.7) * harmonic))) * (scales[rank] ?? 0);
      for (let column = 0; column < dimensions; column++) {
        all.data[row * dimensions + column] =
          (all.data[row * dimensions + column] ?? 0) + weight * (values[rank * dimensions + column] ?? 0);
      }
    }
  });
  normalizeRows(all);
  return all;
}
