import { Injectable } from '@nestjs/common';
import { invalid } from '../../kernel/common/errors.js';
import { parseQuery, rankedTerms, wordsToShow } from './domain/search-terms.js';
import { synonymsOf } from './domain/synonyms.js';
import type { SpaceSelection } from './space-selection.js';
import { Vocabulary } from './vocabulary.js';

/** A query as the statements of the ranking take it. */
export interface QueryTerms {
  /** The last two parameters of a ranking: the terms and the conditions, as JSON. */
  readonly parameters: readonly [string, string];
  /** The words to highlight, without accents. */
  readonly shown: readonly string[];
}

/** Reads queries: their words, what else these may be called, and what may be meant by misspelled ones. */
@Injectable()
export class Queries {
  constructor(private readonly vocabulary: Vocabulary) {}

  /** Throws `invalid` for a query without any character. */
  async read(query: string, searched: SpaceSelection): Promise<QueryTerms> {
    if (query.trim() === '') throw invalid('query', 'must not be empty');
    const { words, required } = parseQuery(query);
    const terms = rankedTerms(words, synonymsOf, await this.vocabulary.resembling(searched, words));
    return {
      parameters: [JSON.stringify(terms.map((term, id) => ({ ...term, id }))), JSON.stringify(required)],
      shown: wordsToShow(terms),
    };
  }
}
