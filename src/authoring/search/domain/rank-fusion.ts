/** Pages that are found by their meaning alone. */
const ALONE = 10;
/**
 * How near pages raise the rank: by 20 % for the nearest one, less by the reciprocal rank of the others (Cormack et al.:
 * Reciprocal Rank Fusion, 2009), with the constant 20. Pages without any word of the query begin at 40 % of the best
 * score. Chosen by `npm run eval:search`.
 */
const BOOST = 0.2;
const CONSTANT = 20;
const BASE = 0.4;
const DIGITS = 6;

/** A page with the hashes of its best sections, best first; null if only its title matches. */
export interface HitPage {
  readonly space: string;
  readonly page: string;
  readonly sections: readonly string[] | null;
  /** The scores of several sections as shares of that of the best one; null if there is only one. */
  readonly shares: readonly number[] | null;
}

export interface RankedPage extends HitPage {
  /** More than 0, with at most six digits behind the point. */
  readonly score: number;
  /** The share of the weight of the query that the best section covers, 0 to 1. */
  readonly coverage: number;
}

/**
 * The pages that are ranked by words, raised where they are among the near ones (nearest first), and near pages without
 * any word; nothing if no page has any word.
 */
export function fusedRanking(words: readonly RankedPage[], near: readonly HitPage[]): RankedPage[] {
  const best = words.reduce((most, { score }) => Math.max(most, score), 0);
  if (words.length === 0) return [];
  const key = ({ space, page }: HitPage): string => `${space} ${page}`;
  const shares = new Map(near.map((page, place) => [key(page), CONSTANT / (CONSTANT + place)]));
  const sections = new Map(near.map((page) => [key(page), page.sections]));
  const known = new Set(words.map(key));
  const raised = words.map((page) => ({
    ...page,
    score: rounded(page.score * (1 + BOOST * (shares.get(key(page)) ?? 0))),
    sections: page.sections ?? sections.get(key(page)) ?? null,
  }));
  const alone = near
    .slice(0, ALONE)
    .filter((page) => !known.has(key(page)))
    .map((page) => ({ ...page, score: rounded(best * BASE * (shares.get(key(page)) ?? 0)), coverage: 0 }));
  return [...raised, ...alone];
}

const rounded = (score: number): number => Number(score.toFixed(DIGITS));
