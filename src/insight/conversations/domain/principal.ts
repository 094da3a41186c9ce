import { addScaled, dot, leadingAxes, matrix, meanOf, projected, rowOf, type Matrix } from './dense.js';

/** The mean of rows, and orthonormal axes in descending order of variance. */
export interface PrincipalAxes {
  readonly mean: Float32Array;
  readonly axes: Matrix;
}

/** Further rows hardly change the axes. */
const MAX_ROWS = 4_000;
const ITERATIONS = 12;

/**
 * The principal components of rows; of many rows, those of an evenly spread sample. The mean includes `doubt`
 * additional rows of zeros: a feature that a few rows share need not be common to all.
 */
export function principalAxesOf(rows: Matrix, wanted: number, doubt = 0): PrincipalAxes {
  const mean = meanOf(rows).map((value) => value * (rows.rows / (rows.rows + doubt || 1)));
  const { columns } = rows;
  const covariance = matrix(columns, columns);
  const step = Math.max(1, rows.rows / MAX_ROWS);
  const centred = new Float32Array(columns);
  for (let next = 0; Math.floor(next) < rows.rows; next += step) {
    centred.set(rowOf(rows, Math.floor(next)));
    if (dot(centred, centred) === 0) continue;
    addScaled(centred, mean, -1);
    for (let column = 0; column < columns; column++) {
      addScaled(covariance.data, centred, centred[column] ?? 0, column * columns + column, column, columns - column);
    }
  }
  for (let row = 0; row < columns; row++)
    for (let column = 0; column < row; column++)
      covariance.data[row * columns + column] = covariance.data[column * columns + row] ?? 0;
  return { mean, axes: leadingAxes(columns, wanted, ITERATIONS, (guess) => projected(guess, covariance)) };
}

/** Subtracts the mean from rows; rows of zeros stay, because nothing is known of them. */
export function centred(rows: Matrix, mean: Float32Array): Matrix {
  const all = matrix(rows.rows, rows.columns, rows.data.slice());
  for (let row = 0; row < rows.rows; row++) {
    const own = rowOf(all, row);
    if (dot(own, own) > 0) addScaled(own, mean, -1);
  }
  return all;
}

/** Removes the components along the axes from rows. */
export function removeAxes(rows: Matrix, axes: Matrix): void {
  for (let row = 0; row < rows.rows; row++) {
    const own = rowOf(rows, row);
    for (let axis = 0; axis < axes.rows; axis++) addScaled(own, rowOf(axes, axis), -dot(own, rowOf(axes, axis)));
  }
}
