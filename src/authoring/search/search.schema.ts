import { Amount, Id, Nested, OneOf, Text, Url } from '../../kernel/common/fields.js';
import { PageQuery } from '../../kernel/common/page-query.js';

export class SearchQuery extends PageQuery {
  @Text({
    max: 512,
    description: 'Words, "phrases", or, -without; the last word may be unfinished. Accents do not matter',
    example: 'install',
  })
  query: string;
}

const SCORE = {
  min: 0,
  fractional: true,
  example: 4.2,
  description: 'Relevance: the higher, the better; comparable within one answer',
} as const;

class AppUrl {
  @Url() app: string;
}

export class SearchSection {
  @Text({
    description: 'The anchor of the heading; the page where the text stands before the first one',
    example: 'requirements',
  })
  id: string;
  @Text({ example: 'Requirements' }) title: string;
  @Text({ example: 'guides/installation#requirements' }) path: string;
  @Amount(SCORE) score: number;
  @Text({ description: 'The text around the words', example: 'To install the service you need…' }) body: string;
  @Nested(() => AppUrl) urls: AppUrl;
}

class Ancestor {
  @Text({ example: 'Guides' }) title: string;
}

export class SearchHit {
  @Id({ description: 'The page' }) id: string;
  @Text({ example: 'Installation' }) title: string;
  @Text({ description: 'Empty where the page has none', example: 'How to install the service' }) description: string;
  @Text({ example: 'guides/installation' }) path: string;
  @Amount(SCORE) score: number;
  @Amount({ min: 1, example: 1, description: 'The place of the page among all found pages, whatever their space' })
  rank: number;
  @Nested(() => SearchSection, { list: true }) sections: SearchSection[];
  @Nested(() => Ancestor, { list: true }) ancestors: Ancestor[];
  @Nested(() => AppUrl) urls: AppUrl;
}

/** A space with its pages that match. */
export class SpaceHit {
  @OneOf(['space']) type: 'space';
  @Id({ description: 'The space' }) id: string;
  @Text({ example: 'Handbook' }) title: string;
  @Amount(SCORE) score: number;
  @Nested(() => SearchHit, { list: true, description: 'The best of its pages, at most ten' }) pages: SearchHit[];
}
