import { describe, expect, it } from '@jest/globals';
import { fusedRanking, type HitPage, type RankedPage } from '../src/authoring/search/domain/rank-fusion.js';

const found = (page: string, sections: readonly string[] | null = null): HitPage => ({
  space: 's',
  page,
  sections,
  shares: null,
});
const ranked = (page: string, score: number, sections: readonly string[] | null = null): RankedPage => ({
  ...found(page, sections),
  score,
  coverage: 1,
});

/** The ids of pages, best first. */
const order = (pages: readonly RankedPage[]): string[] =>
  pages.toSorted((one, other) => other.score - one.score).map(({ page }) => page);

describe('the ranking by words and meaning', () => {
  it('is that of the words where nothing is near', () => {
    const words = [ranked('a', 3), ranked('b', 2)];
    expect(fusedRanking(words, [])).toEqual(words);
  });

  it('finds nothing where no page has a word', () => {
    expect(fusedRanking([], [found('a')])).toEqual([]);
  });

  it('raises near pages by a fifth at most, the nearest most', () => {
    const fused = fusedRanking([ranked('a', 10), ranked('b', 9), ranked('c', 7)], [found('b'), found('c')]);
    expect(order(fused)).toEqual(['b', 'a', 'c']);
    expect(fused.map(({ score }) => score)).toEqual([10, 10.8, 8.333333]);
  });

  it('adds ten near pages without any word, behind good ones, with their own sections', () => {
    const near = Array.from({ length: 20 }, (_, index) => found(`n${index}`, [`section ${index}`]));
    const fused = fusedRanking([ranked('a', 10)], near);
    expect(fused).toHaveLength(11);
    expect(order(fused).slice(0, 3)).toEqual(['a', 'n0', 'n1']);
    expect(fused[1]).toEqual({ space: 's', page: 'n0', sections: ['section 0'], shares: null, score: 4, coverage: 0 });
  });

  it('shows the section that is near where only the title has a word', () => {
    const near = [found('a', ['near']), found('b', ['near'])];
    const [first, second] = fusedRanking([ranked('a', 2), ranked('b', 1, ['with the word'])], near);
    expect([first?.sections, second?.sections]).toEqual([['near'], ['with the word']]);
  });

  it('does not take a page of another space for a near one', () => {
    const [page] = fusedRanking([ranked('a', 2)], [{ ...found('a'), space: 'other' }]);
    expect(page?.score).toBe(2);
  });
});
