import { EigenvalueDecomposition, Matrix as SquareMatrix } from 'ml-matrix';
import { randomFrom } from './random.js';

/*
 * Only eigenvectors come from the package ml-matrix (6.15.1), which takes a tenth to a third of the time of rotations by
 * Jacobi. Its products take 2.6 to 3.4 times as long as those here, and its rows twice the memory, because it has no
 * numbers of four bytes.
 */

/** Rows of numbers, stored consecutively. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: Float32Array;
}

export function matrix(rows: number, columns: number, data: Float32Array = new Float32Array(rows * columns)): Matrix {
  return { rows, columns, data };
}

export function rowOf({ columns, data }: Matrix, row: number): Float32Array {
  return data.subarray(row * columns, (row + 1) * columns);
}

/** The inner product of two rows of the same length. */
export function dot(a: Float32Array, b: Float32Array, from = 0, other = 0, length = a.length): number {
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  let at = 0;
  for (; at + 3 < length; at += 4) {
    s0 += (a[from + at] ?? 0) * (b[other + at] ?? 0);
    s1 += (a[from + at + 1] ?? 0) * (b[other + at + 1] ?? 0);
    s2 += (a[from + at + 2] ?? 0) * (b[other + at + 2] ?? 0);
    s3 += (a[from + at + 3] ?? 0) * (b[other + at + 3] ?? 0);
  }
  for (; at < length; at++) s0 += (a[from + at] ?? 0) * (b[other + at] ?? 0);
  return s0 + s1 + s2 + s3;
}

/** target += factor * source. */
export function addScaled(
  target: Float32Array,
  source: Float32Array,
  factor: number,
  from = 0,
  sourceFrom = 0,
  length = source.length,
): void {
  for (let at = 0; at < length; at++)
    target[from + at] = (target[from + at] ?? 0) + factor * (source[sourceFrom + at] ?? 0);
}

/** Scales a row to length one; a row of zeros stays unchanged. */
export function normalize(row: Float32Array): void {
  const length = Math.sqrt(dot(row, row));
  if (length > 1e-12) for (let at = 0; at < row.length; at++) row[at] = (row[at] ?? 0) / length;
}

export function normalizeRows(all: Matrix): void {
  for (let row = 0; row < all.rows; row++) normalize(rowOf(all, row));
}

/** The mean of the rows that are not all zeros. */
export function meanOf(all: Matrix): Float32Array {
  const sum = new Float64Array(all.columns);
  let count = 0;
  for (let row = 0; row < all.rows; row++) {
    let isEmpty = true;
    for (let column = 0; column < all.columns; column++) {
      const value = all.data[row * all.columns + column] ?? 0;
      if (value !== 0) isEmpty = false;
      sum[column] = (sum[column] ?? 0) + value;
    }
    if (!isEmpty) count++;
  }
  return Float32Array.from(sum, (value) => value / Math.max(1, count));
}

/** all * basis^T: each row in the coordinates of the rows of `basis`. */
export function projected(all: Matrix, basis: Matrix): Matrix {
  const target = matrix(all.rows, basis.rows);
  for (let row = 0; row < all.rows; row++) dots(all, row, basis, 0, basis.rows, rowOf(target, row));
  return target;
}

/** The inner products of one row with rows `from` to `to` of another matrix, into `target`: four at a time, as each number of the row is then read once for all four. */
export function dots(one: Matrix, row: number, many: Matrix, from: number, to: number, target: Float32Array): void {
  const { columns } = one;
  const [a, b, start] = [one.data, many.data, row * columns];
  let other = from;
  for (; other + 3 < to; other += 4) {
    let [s0, s1, s2, s3] = [0, 0, 0, 0];
    const [b0, b1, b2, b3] = [other * columns, (other + 1) * columns, (other + 2) * columns, (other + 3) * columns];
    for (let at = 0; at < columns; at++) {
      const value = a[start + at] ?? 0;
      s0 += value * (b[b0 + at] ?? 0);
      s1 += value * (b[b1 + at] ?? 0);
      s2 += value * (b[b2 + at] ?? 0);
      s3 += value * (b[b3 + at] ?? 0);
    }
    target[other - from] = s0;
    target[other - from + 1] = s1;
    target[other - from + 2] = s2;
    target[other - from + 3] = s3;
  }
  for (; other < to; other++) target[other - from] = dot(a, b, start, other * columns, columns);
}

/** Makes the rows orthonormal, one after another (Gram and Schmidt, twice for accuracy). */
export function orthonormalize(all: Matrix): void {
  const shares = new Float32Array(all.rows);
  for (let row = 0; row < all.rows; row++) {
    const own = rowOf(all, row);
    for (let pass = 0; pass < 2; pass++) {
      dots(all, row, all, 0, row, shares);
      subtractShares(all, row, shares);
    }
    // The remainder of a dependent row is noise: it is set to zero.
    if (dot(own, own) < 1e-14) own.fill(0);
    else normalize(own);
  }
}

/** Subtracts the projections on all previous rows from a row, four rows at a time. */
function subtractShares({ columns, data }: Matrix, row: number, shares: Float32Array): void {
  const start = row * columns;
  let before = 0;
  for (; before + 3 < row; before += 4) {
    const [s0, s1, s2, s3] = [
      shares[before] ?? 0,
      shares[before + 1] ?? 0,
      shares[before + 2] ?? 0,
      shares[before + 3] ?? 0,
    ];
    const [b0, b1, b2, b3] = [before * columns, (before + 1) * columns, (before + 2) * columns, (before + 3) * columns];
    for (let at = 0; at < columns; at++) {
      data[start + at] =
        (data[start + at] ?? 0) -
        s0 * (data[b0 + at] ?? 0) -
        s1 * (data[b1 + at] ?? 0) -
        s2 * (data[b2 + at] ?? 0) -
        s3 * (data[b3 + at] ?? 0);
    }
  }
  for (; before < row; before++) addScaled(data, data, -(shares[before] ?? 0), start, before * columns, columns);
}

/**
 * The leading axes of a symmetric operator on rows of `size` numbers, as orthonormal rows, largest first (subspace
 * iteration from a seeded start: Halko, Martinsson and Tropp 2011). `apply` returns the image of each row.
 */
export function leadingAxes(size: number, wanted: number, iterations: number, apply: (rows: Matrix) => Matrix): Matrix {
  const count = Math.min(size, wanted + 8);
  const random = randomFrom(size);
  let rows = matrix(
    count,
    size,
    Float32Array.from({ length: count * size }, () => random() - 0.5),
  );
  orthonormalize(rows);
  let image = rows;
  for (let round = 0; round < iterations; round++) {
    image = apply(rows);
    if (round + 1 < iterations) {
      orthonormalize(image);
      rows = image;
    }
  }
  const rotated = rotate(rows, image);
  return matrix(Math.min(wanted, count), size, rotated.data.slice(0, Math.min(wanted, count) * size));
}

/**
 * Rotates orthonormal rows within their span so that they are eigenvectors of the operator with the given images
 * (Rayleigh and Ritz).
 */
function rotate(rows: Matrix, images: Matrix): Matrix {
  const small = projected(rows, images);
  const axes = symmetricEigenvectors(small);
  const turned = matrix(rows.rows, rows.columns);
  for (let axis = 0; axis < rows.rows; axis++) {
    for (let row = 0; row < rows.rows; row++)
      addScaled(turned.data, rows.data, axes[axis]?.[row] ?? 0, axis * rows.columns, row * rows.columns, rows.columns);
  }
  return turned;
}

/** Eigenvectors of a small symmetric matrix as rows, that of the largest eigenvalue first. */
function symmetricEigenvectors({ rows: size, data }: Matrix): Float64Array[] {
  if (size === 0) return [];
  const values = new SquareMatrix(size, size);
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++)
      values.set(row, column, ((data[row * size + column] ?? 0) + (data[column * size + row] ?? 0)) / 2);
  const { eigenvectorMatrix: columns } = new EigenvalueDecomposition(values, { assumeSymmetric: true });
  return Array.from({ length: size }, (_, axis) =>
    Float64Array.from({ length: size }, (__, row) => columns.get(row, size - 1 - axis)),
  );
}
