import { invalid } from '../../../kernel/common/errors.js';
import { COLUMNS, type InsightsColumn } from './columns.js';
import type { EventsAggregation, EventsAggregationResult, QueriedColumn, QueriedFilter } from './aggregation.schema.js';

const DAY = 24 * 3600 * 1000;
const PRESETS = {
  lastYear: 365 * DAY,
  last3Months: 90 * DAY,
  last30Days: 30 * DAY,
  last7Days: 7 * DAY,
  last24Hours: DAY,
} as const;
const COMPARISONS = { greaterThan: '>', greaterThanOrEqual: '>=', lessThan: '<', lessThanOrEqual: '<=' } as const;

/** A statement over the events of a site, and the conversion of its rows to the result. */
export interface Aggregation {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly result: (rows: readonly Readonly<Record<string, unknown>>[]) => EventsAggregationResult;
}

const columnOf = ({ column }: Pick<QueriedColumn, 'column'>): InsightsColumn => COLUMNS[column];

/**
 * The statement of a query: names of columns are those of the table, everything else is a parameter. Selected columns
 * that are not metrics are grouped by too. Throws `invalid` with the path of an inconsistent part.
 */
export function aggregation(siteId: string, query: EventsAggregation, now: Date): Aggregation {
  const { from, to } = rangeOf(query.range, now);
  const builder = new Builder([siteId, from, to]);
  const groups = [
    ...(query.groupBy ?? []),
    ...(query.select ?? []).filter((column) => columnOf(column).isMetric !== true),
  ];
  for (const [index, column] of (query.groupBy ?? []).entries())
    if (columnOf(column).isMetric) throw invalid(`groupBy.${index}.column`, 'counts events, so it makes no groups');
  const selected: QueriedColumn[] =
    query.select && query.select.length > 0 ? query.select : [...groups, { column: 'eventsCount' }];
  const dimensions = distinct(groups.map((column) => builder.expression(column, 'groupBy')));
  const columns = selected.map((column, index) => builder.expression(column, `select.${index}`));
  const needed = [...groups, ...selected]
    .filter((column) => columnOf(column).isNeeded)
    .map((column) => `${builder.expression(column, 'select')} IS NOT NULL`);
  const where: string[] = [...new Set(needed)];
  const having: string[] = [];
  for (const [index, filter] of (query.where ?? []).entries())
    (columnOf(filter).isMetric ? having : where).push(builder.condition(filter, `where.${index}`));
  const isPerClaim = [...groups, ...selected, ...(query.where ?? [])].some((column) => columnOf(column).perClaim);
  const order = orderOf(query, dimensions, builder);
  const text = [
    `SELECT ${columns.map((expression, index) => `${expression} AS c${index}`).join(', ')} FROM site_insight e`,
    ...(isPerClaim ? ['CROSS JOIN LATERAL jsonb_object_keys(e.claims) AS property (name)'] : []),
    `WHERE ${['e.site_id = $1', 'e.at >= $2', 'e.at < $3', ...where].join(' AND ')}`,
    ...(dimensions.length === 0 ? [] : [`GROUP BY ${dimensions.join(', ')}`]),
    ...(having.length === 0 ? [] : [`HAVING ${having.join(' AND ')}`]),
    ...(order.length === 0 ? [] : [`ORDER BY ${order.join(', ')}`]),
    `LIMIT ${builder.parameter(query.limit, 'int')}`,
  ].join(' ');
  return {
    text,
    values: builder.values,
    result: (rows) => ({
      columns: selected.map((column, index) => ({
        column: column.column,
        ...(column.column === 'visitorClaim' && { claim: column.claim }),
        values: rows.map((row) => shown(columnOf(column), row[`c${index}`])),
      })),
    }),
  };
}

class Builder {
  readonly values: unknown[];
  private readonly known = new Map<string, string>();

  constructor(values: readonly unknown[]) {
    this.values = [...values];
  }

  parameter(value: unknown, type: string): string {
    const key = `${type} ${JSON.stringify(value)}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    this.values.push(value);
    const made = `$${this.values.length}::${type}`;
    this.known.set(key, made);
    return made;
  }

  /** Equal columns give equal texts, so that groups match the selected columns. */
  expression({ column, interval, claim }: QueriedColumn, path: string): string {
    const { expression } = COLUMNS[column];
    if (column === 'datetime')
      return interval === undefined ? 'e.at' : expression.replace('$interval', `'${interval}'`);
    if (column !== 'visitorClaim') return expression;
    if (claim === undefined) throw invalid(`${path}.claim`, 'is required');
    return expression.replace('$claim', () => this.parameter(claim, 'text'));
  }

  condition({ column: name, claim, values, operator }: QueriedFilter, path: string): string {
    const column = COLUMNS[name] as InsightsColumn;
    const expression = this.expression({ column: name, ...(claim !== undefined && { claim }) }, path);
    const stored = values.map((value, index) => this.stored(column, value, `${path}.values.${index}`));
    if (operator === 'in' || operator === 'notIn') {
      const present = stored.filter((value) => value !== null);
      const isIn = [
        ...(present.length > 0
          ? [
              `${expression} = ANY (${this.parameter(column.type === 'json' ? present.map((value) => JSON.stringify(value)) : present, `${sqlType(column)}[]`)})`,
            ]
          : []),
        ...(present.length < stored.length ? [`${expression} IS NULL`] : []),
      ].join(' OR ');
      return operator === 'in' ? `(${isIn})` : `coalesce(NOT (${isIn}), true)`;
    }
    const [value] = stored;
    if (value === null || value === undefined || stored.length > 1)
      throw invalid(`${path}.values`, `must be one value to compare with`);
    if (column.names !== undefined || column.type === 'json')
      throw invalid(`${path}.operator`, 'needs a column with an order');
    return `${expression} ${COMPARISONS[operator]} ${this.parameter(value, sqlType(column))}`;
  }

  private stored({ type, names }: InsightsColumn, value: unknown, path: string): unknown {
    if (value === null || (names !== undefined && value === '')) return null;
    if (names !== undefined) {
      const number = typeof value === 'string' ? names.indexOf(value) : -1;
      if (number < 0) throw invalid(path, `must be one of ${names.join(', ')}`);
      return number;
    }
    if (type === 'json') return value;
    if (type === 'number' ? typeof value !== 'number' : typeof value !== 'string')
      throw invalid(path, type === 'number' ? 'must be a number' : 'must be a text');
    if (type === 'time' && Number.isNaN(Date.parse(value as string))) throw invalid(path, 'must be a time');
    return value;
  }
}

/** As requested, else times in their order and everything else by count; equal rows by their groups. */
function orderOf({ order, select }: EventsAggregation, dimensions: readonly string[], builder: Builder): string[] {
  const ties = dimensions.map((expression) => `${expression} NULLS FIRST`);
  if (!order)
    return dimensions.length === 0
      ? []
      : [
          ...((select ?? []).some(({ column }) => column === 'datetime')
            ? []
            : [`${COLUMNS.eventsCount.expression} DESC`]),
          ...ties,
        ];
  const expression = builder.expression(order.by, 'order.by');
  if (columnOf(order.by).isMetric !== true && !dimensions.includes(expression))
    throw invalid('order.by.column', 'must be selected or counted');
  return [`${expression} ${order.direction === 'asc' ? 'ASC NULLS FIRST' : 'DESC NULLS LAST'}`, ...ties];
}

function rangeOf(range: EventsAggregation['range'], now: Date): { from: Date; to: Date } {
  if (typeof range === 'string')
    return { from: new Date(now.getTime() - PRESETS[range]), to: new Date(now.getTime() + 1) };
  const [from, to] = [new Date(range.from), new Date(range.to)];
  if (from >= to) throw invalid('range.to', 'must come after `from`');
  return { from, to };
}

function shown({ names, type }: InsightsColumn, value: unknown): unknown {
  if (names !== undefined) return typeof value === 'number' ? (names[value] ?? 'unknown') : null;
  return type === 'time' && value instanceof Date ? value.toISOString() : (value ?? null);
}

function sqlType({ type, names }: InsightsColumn): string {
  if (names !== undefined) return 'smallint';
  return { text: 'text', number: 'float8', time: 'timestamptz', json: 'jsonb' }[type];
}

function distinct(expressions: readonly string[]): string[] {
  return [...new Set(expressions)];
}
