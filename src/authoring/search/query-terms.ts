import { Injectable } from '@nestjs/common';
import { invalid } from '../../kernel/common/errors.js';
import { parseQuery, rankedTerms, wordsToShow, type RankedTerm } from './domain/search-terms.js';
import { SynonymLists } from './search-synonyms.service.js';
import type { SpaceSelection } from './space-selection.js';
import { QueryMeanings } from './query-meanings.js';
import { Vocabulary } from './vocabulary.js';

/** A query as the statements of the ranking take it. */
export interface QueryTerms {
  /** The last parameters of a ranking: the terms, the conditions and the meaning, as JSON. */
  readonly parameters: readonly [string, string, string];
  /** The words to highlight, without accents. */
  readonly shown: readonly string[];
  readonly terms: readonly RankedTerm[];
}

/** Reads queries: their words, what else these may be called, and what may be meant by misspelled ones. */
@Injectable()
export class Queries {
  constructor(
    private readonly vocabulary: Vocabulary,
    private readonly synonyms: SynonymLists,
    private readonly meanings: QueryMeanings,
  ) {}

  /** Throws `invalid` for a query without any character. */
  async read(query: string, organizationId: string, searched: SpaceSelection): Promise<QueryTerms> {
    if (query.trim() === '') throw invalid('query', 'must not be empty');
    const parsed = parseQuery(query);
    const { words, required } = parsed;
    const [synonyms, resembling, meaning] = await Promise.all([
      this.synonyms.of(organizationId),
      this.vocabulary.resembling(searched, words),
      this.meanings.of(query, parsed),
    ]);
    const terms = rankedTerms(words, synonyms, resembling);
    return {
      parameters: [
        JSON.stringify(terms.map((term, id) => ({ ...term, id }))),
        JSON.stringify(required),
        JSON.stringify(meaning),
      ],
      shown: wordsToShow(terms),
      terms,
    };
  }
}
