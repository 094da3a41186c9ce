import { addScaled, leadingAxes, matrix, type Matrix } from './dense.js';

/** The term space of texts, frozen, so that new texts are placed by the same rule. */
export interface LatentSpace {
  readonly terms: readonly string[];
  /** The weight of a term, by the number of texts that have it. */
  readonly weights: Float32Array;
  /** A row for each term: its position in the space. */
  readonly places: Matrix;
}

interface Counted {
  readonly counts: ReadonlyMap<string, number>;
}

const ITERATIONS = 3;

function counted(features: readonly string[]): Counted {
  const counts = new Map<string, number>();
  for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  return { counts };
}

/** Sparse rows, as terms and their values, stored consecutively. */
interface Sparse {
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float32Array;
}

/**
 * Latent semantic analysis of texts (Deerwester et al. 1990) over the terms that at least two of them have, the most
 * frequent `maxTerms` of them, weighted by 1 + log of their count and by the log of their inverse document frequency.
 */
export function latentSpaceOf(
  texts: readonly (readonly string[])[],
  dimensions: number,
  maxTerms: number,
): LatentSpace {
  const frequency = new Map<string, number>();
  for (const features of texts)
    for (const feature of new Set(features)) frequency.set(feature, (frequency.get(feature) ?? 0) + 1);
  const kept = [...frequency]
    .filter(([, count]) => count > 1)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, maxTerms);
  const terms = kept.map(([term]) => term);
  const weights = Float32Array.from(kept, ([, count]) => Math.log((1 + texts.length) / (1 + count)) + 1);
  const rows = sparseOf(texts, terms, weights);
  const axes = leadingAxes(terms.length, Math.min(dimensions, terms.length, texts.length), ITERATIONS, (guess) =>
    throughTexts(guess, rows, texts.length),
  );
  return { terms, weights, places: transposed(axes) };
}

/** The positions of texts in the space. */
export function placed(texts: readonly (readonly string[])[], { terms, weights, places }: LatentSpace): Matrix {
  const { starts, columns, values } = sparseOf(texts, terms, weights);
  const all = matrix(texts.length, places.columns);
  for (let row = 0; row < texts.length; row++) {
    for (let at = starts[row] ?? 0; at < (starts[row + 1] ?? 0); at++) {
      addScaled(
        all.data,
        places.data,
        values[at] ?? 0,
        row * places.columns,
        (columns[at] ?? 0) * places.columns,
        places.columns,
      );
    }
  }
  return all;
}

function sparseOf(texts: readonly (readonly string[])[], terms: readonly string[], weights: Float32Array): Sparse {
  const indexes = new Map(terms.map((term, index) => [term, index]));
  const starts = new Uint32Array(texts.length + 1);
  const columns: number[] = [];
  const values: number[] = [];
  texts.forEach((features, row) => {
    let square = 0;
    for (const [feature, count] of counted(features).counts) {
      const index = indexes.get(feature);
      if (index === undefined) continue;
      const value = (1 + Math.log(count)) * (weights[index] ?? 0);
      columns.push(index);
      values.push(value);
      square += value * value;
    }
    const start = starts[row] ?? 0;
    for (let at = start; at < values.length; at++) values[at] = (values[at] ?? 0) / Math.sqrt(square);
    starts[row + 1] = values.length;
  });
  return { starts, columns: Uint32Array.from(columns), values: Float32Array.from(values) };
}

/** Multiplies rows over terms by the matrix of the texts and its transpose: A^T A, without computing that product. */
function throughTexts(rows: Matrix, { starts, columns, values }: Sparse, texts: number): Matrix {
  // With a column for each row, each term of a text is added to all of them at once.
  const turned = transposed(rows);
  const width = rows.rows;
  const target = matrix(rows.columns, width);
  const text = new Float32Array(width);
  for (let row = 0; row < texts; row++) {
    text.fill(0);
    const [start, end] = [starts[row] ?? 0, starts[row + 1] ?? 0];
    for (let at = start; at < end; at++)
      addScaled(text, turned.data, values[at] ?? 0, 0, (columns[at] ?? 0) * width, width);
    for (let at = start; at < end; at++)
      addScaled(target.data, text, values[at] ?? 0, (columns[at] ?? 0) * width, 0, width);
  }
  return transposed(target);
}

function transposed({ rows, columns, data }: Matrix): Matrix {
  const turned = matrix(columns, rows);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      turned.data[column * rows + row] = data[row * columns + column] ?? 0;
  return turned;
}
