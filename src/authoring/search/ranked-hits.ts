import { foldText, isUnspacedScript, wordBeginning } from './domain/text-folding.js';
import type { RankedTerm } from './domain/search-terms.js';
import type { SearchHit, SpaceHit } from './search.schema.js';
import type { SpaceHitRow } from './spaces-with-hits.js';

/** A part of a query: its share in the weight of the whole, and the beginnings of the words that stand for it. */
export interface QueryConcept {
  readonly weight: number;
  readonly stems: readonly string[];
}

/** A found page of any of the searched spaces. */
export interface RankedHit {
  readonly space: string;
  readonly spaceTitle: string;
  readonly page: SearchHit;
  readonly score: number;
  /** The share of the weight of the query that the best section of the page covers, 0 to 1. */
  readonly coverage: number;
  /** The parts of the query as they count in this space. */
  readonly concepts: readonly QueryConcept[];
}

/** The pages of presented spaces in one order, best first. */
export function inOneOrder(
  rows: readonly SpaceHitRow[],
  spaces: readonly SpaceHit[],
  terms: readonly RankedTerm[],
): RankedHit[] {
  const shown = new Map(spaces.map((space) => [space.id, space]));
  return rows
    .flatMap(({ id, title, pages, score: best, weights }) => {
      const factor = best / Math.max(...pages.map(({ score }) => score), Number.MIN_VALUE);
      const hits = new Map(shown.get(id)?.pages.map((hit) => [hit.id, hit]));
      const concepts = conceptsOf(terms, weights ?? {});
      return pages.flatMap(({ page: pageId, score, coverage }) => {
        const page = hits.get(pageId);
        return page ? [{ space: id, spaceTitle: title, page, score: score * factor, coverage, concepts }] : [];
      });
    })
    .sort((one, other) => other.score - one.score);
}

function conceptsOf(terms: readonly RankedTerm[], weights: Readonly<Record<string, number>>): QueryConcept[] {
  return Object.entries(weights).map(([number, weight]) => ({
    weight,
    stems: [
      ...new Set(
        terms
          .filter(({ concept }) => String(concept) === number)
          .map(({ text, phrase }) =>
            phrase || isUnspacedScript(text) ? foldText(text) : wordBeginning(foldText(text)),
          ),
      ),
    ],
  }));
}
