import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import { invalid } from '../../kernel/common/errors.js';
import { fusedRanking, type HitPage, type RankedPage } from './domain/rank-fusion.js';
import { parseQuery, rankedTerms, wordsToShow, type ParsedQuery, type RankedTerm } from './domain/search-terms.js';
import { pagesByMeaning } from './pages-by-meaning.js';
import { type PageByWords, pagesByWords } from './pages-by-words.js';
import { QueryMeanings } from './query-meanings.js';
import { SynonymLists } from './search-synonyms.service.js';
import { keyOf, SearchCache } from './search-cache.js';
import type { SpaceSelection } from './space-selection.js';
import { Vocabulary } from './vocabulary.js';

/** A page of a space. */
export interface PageOfSpace {
  readonly space: string;
  readonly page: string;
}

/** Pages that one reader sees in another form than the stored one, or not at all. */
export interface ReaderView {
  /** Pages that the reader cannot see. */
  readonly hidden: readonly PageOfSpace[];
  /** Pages of which the reader sees other sections than the indexed ones. */
  readonly rewritten: readonly PageOfSpace[];
  /** The sections of these. */
  readonly texts: readonly (PageOfSpace & { readonly title: string; readonly body: string })[];
}

/** The pages that a query finds, and what is known of the query. */
export interface Ranking {
  /** In no order; at most 510. */
  readonly pages: readonly RankedPage[];
  /** The shares of the concepts of the query in its weight, by dictionary and by their numbers. */
  readonly weights: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The words to highlight, without accents. */
  readonly shown: readonly string[];
  readonly terms: readonly RankedTerm[];
}

/** A ranking, and the key of what follows from it and is kept with it (`SearchCache`); undefined where nothing is. */
export interface KeptRanking extends Ranking {
  readonly key: string | undefined;
}

type Searched = Readonly<{
  parsed: ParsedQuery;
  organizationId: string;
  spaces: SpaceSelection;
  reader: ReaderView | undefined;
}>;

/**
 * Ranks pages by the words of a query, their synonyms and what may be meant by misspelled ones, and by what the query
 * means. Both are asked for at once, since the meaning of a new query takes as long to find as the words.
 */
@Injectable()
export class Rankings {
  constructor(
    private readonly database: Database,
    private readonly vocabulary: Vocabulary,
    private readonly synonyms: SynonymLists,
    private readonly meanings: QueryMeanings,
    private readonly cache: SearchCache,
  ) {}

  /** Throws `invalid` for a query without any character. */
  async of(query: string, organizationId: string, spaces: SpaceSelection, reader?: ReaderView): Promise<KeptRanking> {
    if (query.trim() === '') throw invalid('query', 'must not be empty');
    const searched = { parsed: parseQuery(query), organizationId, spaces, reader };
    const [words, near] = await Promise.all([this.kept(searched), this.byMeaning(query, searched)]);
    if (near.length === 0) return words;
    return { ...words, pages: fusedRanking(words.pages, near), key: words.key && keyOf(words.key, near) };
  }

  private async kept(searched: Searched): Promise<KeptRanking> {
    const { parsed, organizationId, spaces, reader } = searched;
    const key = spaces.ids && keyOf(await this.cache.stateOf(organizationId, spaces.ids), parsed, reader);
    return { ...(await this.cache.get(key, () => this.byWords(searched))), key };
  }

  private async byWords({ parsed, organizationId, spaces, reader }: Searched): Promise<Ranking> {
    const [synonyms, resembling] = await Promise.all([
      this.synonyms.of(organizationId),
      this.vocabulary.resembling(spaces, parsed.words),
    ]);
    const terms = rankedTerms(parsed.words, synonyms, resembling);
    const found = await this.database.query<PageByWords & Record<string, unknown>>(
      pagesByWords(spaces, reader !== undefined),
      [
        ...spaces.values,
        JSON.stringify(terms.map((term, id) => ({ ...term, id }))),
        JSON.stringify(parsed.required),
        ...(reader ? [...otherwise(reader), JSON.stringify(reader.texts)] : []),
      ],
    );
    const pages = found.map(({ space, page, score, coverage, sections, shares }) => ({
      space,
      page,
      score,
      coverage,
      sections: sections?.split(' ') ?? null,
      shares: shares?.split(' ').map(Number) ?? null,
    }));
    return { pages: fusedRanking(pages, []), weights: found[0]?.weights ?? {}, shown: wordsToShow(terms), terms };
  }

  private async byMeaning(query: string, { parsed, spaces, reader }: Searched): Promise<HitPage[]> {
    const meaning = await this.meanings.of(query, parsed);
    if (!meaning) return [];
    return this.database.query<HitPage & Record<string, unknown>>(pagesByMeaning(spaces, reader !== undefined), [
      ...spaces.values,
      meaning.model,
      meaning.sketch,
      ...(reader ? otherwise(reader) : []),
    ]);
  }
}

/** The parameters of the pages that a reader does not see as they are stored. */
const otherwise = ({ hidden, rewritten }: ReaderView): readonly string[][] =>
  [hidden, rewritten].flatMap((pages) => [pages.map(({ space }) => space), pages.map(({ page }) => page)]);

/** The pages of a ranking as a table with the columns `space_id`, `page_id`, `score` and `coverage`, from the parameter `first` on. */
export const rankedTable = (name: string, first: number): string =>
  `unnest($${first}::text[], $${first + 1}::text[], $${first + 2}::numeric[], $${first + 3}::real[]) AS ${name} (space_id, page_id, score, coverage)`;

/** The parameters of `rankedTable`. */
export const rankedColumns = (pages: readonly RankedPage[]): readonly unknown[] => [
  pages.map(({ space }) => space),
  pages.map(({ page }) => page),
  pages.map(({ score }) => score),
  pages.map(({ coverage }) => coverage),
];
