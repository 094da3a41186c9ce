/** Opens of a page after one query that let it rise; less could be a single reader. */
export const LEAST_OPENS = 5;
const MOST_FACTOR = 1.5;
/** Opens with which a page gets the highest factor. */
const MOST_OPENS = 500;

/** The factor by which a page counts more in a search for a query after which readers opened it so many times. */
export function choiceFactor(opens: number): number {
  if (opens < LEAST_OPENS) return 1;
  return Math.min(MOST_FACTOR, 1 + ((MOST_FACTOR - 1) * Math.log(opens)) / Math.log(MOST_OPENS));
}
