/** The mean of vectors of equal length, each taken as of length 1. */
export function meanDirection(vectors: readonly ArrayLike<number>[]): Float32Array {
  const mean = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    const scale = 1 / (lengthOf(vector) * vectors.length);
    for (let place = 0; place < mean.length; place++) mean[place] = (mean[place] ?? 0) + (vector[place] ?? 0) * scale;
  }
  return mean;
}

/** A vector, taken as of length 1, as seen from a centre. */
export function fromCentre(vector: ArrayLike<number>, centre: Float32Array): Float32Array {
  const scale = 1 / lengthOf(vector);
  return centre.map((middle, place) => (vector[place] ?? 0) * scale - middle);
}

/**
 * The signs of a vector as bits, 1 for a positive number. The number of different bits grows with the angle between two
 * vectors (Charikar: Similarity Estimation Techniques from Rounding Algorithms, 2002).
 */
export function sketchOf(vector: Float32Array): string {
  return Array.from(vector, (value) => (value > 0 ? '1' : '0')).join('');
}

function lengthOf(vector: ArrayLike<number>): number {
  let sum = 0;
  for (let place = 0; place < vector.length; place++) sum += (vector[place] ?? 0) ** 2;
  return Math.sqrt(sum) || 1;
}
