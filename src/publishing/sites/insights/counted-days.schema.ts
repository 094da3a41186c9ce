import { Timestamp } from '../../../kernel/common/fields.js';
import { PageQuery } from '../../../kernel/common/page-query.js';

/** Asks for a page of what is counted by days. */
export class CountedDaysQuery extends PageQuery {
  @Timestamp({
    optional: true,
    description: 'On or after the day of this time in UTC; 30 days before the end when omitted',
    example: '2026-01-01T00:00:00.000Z',
  })
  from?: string;
  @Timestamp({
    optional: true,
    description: 'On or before the day of this time in UTC; today when omitted',
    example: '2099-12-31T00:00:00.000Z',
  })
  to?: string;
}
