import { Amount, Flag, Text, Timestamp } from '../../../kernel/common/fields.js';
import { CountedDaysQuery } from './counted-days.schema.js';

export class SearchQueriesQuery extends CountedDaysQuery {
  @Flag({
    optional: true,
    query: true,
    description: 'Only queries that found nothing, by the number of these searches',
    example: true,
  })
  unanswered?: boolean;
}

export class SearchQueryBody {
  @Text({ description: 'In lower case, with single blanks, at most 200 characters', example: 'reset password' })
  query: string;
  @Amount({ description: 'Searches for it', example: 42 })
  searches: number;
  @Amount({ description: 'Searches that found nothing', example: 3 })
  unanswered: number;
  @Amount({ description: 'Searches after which a result was opened', example: 30 })
  opened: number;
  @Timestamp({ description: 'The last search for it' })
  lastAskedAt: string;
}

export interface SearchQueryRow {
  readonly query: string;
  readonly searches: number;
  readonly unanswered: number;
  readonly opened: number;
  readonly lastAskedAt: Date;
}

export function presentSearchQuery(row: SearchQueryRow): SearchQueryBody {
  return {
    query: row.query,
    searches: row.searches,
    unanswered: row.unanswered,
    opened: row.opened,
    lastAskedAt: row.lastAskedAt.toISOString(),
  };
}
