import { Amount, OneOf, Text } from './fields.js';
import { MAX_LIMIT, type PageRequest } from './page.js';

/** The query of every list. */
export class PageQuery implements PageRequest {
  @Text({
    optional: true,
    min: 1,
    max: 4096,
    description: 'Token of the page to fetch: `next.page` of the page before',
  })
  page?: string;

  @Amount({
    optional: true,
    query: true,
    min: 0,
    max: MAX_LIMIT,
    description: 'Results in a page, 50 when omitted',
    example: 50,
  })
  limit?: number;
}

export class OrderedPageQuery extends PageQuery {
  @OneOf(['asc', 'desc'], { optional: true, default: 'desc', description: 'Direction of the list' })
  order: 'asc' | 'desc' = 'desc';
}
