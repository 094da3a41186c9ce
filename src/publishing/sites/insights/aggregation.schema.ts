import { z } from 'zod';
import { COLUMN_NAMES } from './columns.js';

const MAX_COLUMNS = 20;
const MAX_FILTERS = 20;
const MAX_VALUES = 100;
export const MAX_ROWS = 1_000;

const column = z.object({
  column: z.enum(COLUMN_NAMES),
  interval: z.enum(['hour', 'day', 'week', 'month']).optional(),
  claim: z.string().min(1).max(200).optional(),
  precision: z.int().min(0).max(15).optional(),
});
const value = z.union([z.string().max(2048), z.number(), z.null(), z.record(z.string(), z.unknown())]);
const filter = z.object({
  column: z.enum(COLUMN_NAMES),
  claim: z.string().min(1).max(200).optional(),
  values: z.array(value).min(1).max(MAX_VALUES),
  operator: z.enum(['in', 'notIn', 'greaterThan', 'greaterThanOrEqual', 'lessThan', 'lessThanOrEqual']).default('in'),
});
const time = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-01-31T09:30:00.000Z' });

/** A query of the events of a site: columns, conditions, groups and a range of time. */
export const eventsAggregation = z.object({
  select: z.array(column).max(MAX_COLUMNS).optional(),
  where: z.array(filter).max(MAX_FILTERS).optional(),
  groupBy: z.array(column).max(MAX_COLUMNS).optional(),
  order: z.object({ by: column, direction: z.enum(['asc', 'desc']) }).optional(),
  range: z.union(
    [z.enum(['lastYear', 'last3Months', 'last30Days', 'last7Days', 'last24Hours']), z.object({ from: time, to: time })],
    {
      error: 'must be lastYear, last3Months, last30Days, last7Days, last24Hours or {from, to}',
    },
  ),
  limit: z.int().min(1).max(MAX_ROWS).default(MAX_ROWS),
});

export type EventsAggregation = z.output<typeof eventsAggregation>;
export type QueriedColumn = z.output<typeof column>;
export type QueriedFilter = z.output<typeof filter>;

/** The result by columns: the nth value of each column belongs to the nth row. */
export const eventsAggregationResult = z.object({
  columns: z.array(
    z.object({ column: z.enum(COLUMN_NAMES), claim: z.string().optional(), values: z.array(z.unknown()) }),
  ),
});

export type EventsAggregationResult = z.output<typeof eventsAggregationResult>;

export const AGGREGATION_EXAMPLE = {
  select: [{ column: 'page' }, { column: 'eventsCount' }],
  groupBy: [{ column: 'page' }],
  where: [{ column: 'eventType', values: ['page_view'] }],
  order: { by: { column: 'eventsCount' }, direction: 'desc' },
  range: 'last30Days',
  limit: 10,
};
export const RESULT_EXAMPLE = {
  columns: [
    { column: 'page', values: [{ page: 'AbCdEfGh0123456789Xy', space: 'AbCdEfGh0123456789Xz' }] },
    { column: 'eventsCount', values: [42] },
  ],
};
