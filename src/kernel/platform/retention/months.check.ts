import { Injectable } from '@nestjs/common';
import { Database } from '../../common/database.js';
import type { CheckFinding, ExaminationOptions, HealthCheck } from '../health-checks/health-checks.points.js';
import { Registry } from '../manifest/registry.js';
import { MONTHS_AHEAD, MonthsAheadJob } from './months-ahead.job.js';
import { TABLES_BY_MONTH } from './month-partitions.js';

/** Rows of a DEFAULT partition that are counted. */
const MOST_COUNTED = 10_000;

/** Months from now on, as the first day of each, that no partition of a table has. */
const MISSING = `SELECT to_char(d.day, 'YYYY-MM') AS month
  FROM generate_series(date_trunc('month', now() AT TIME ZONE 'UTC'), date_trunc('month', now() AT TIME ZONE 'UTC') + $2 * interval '1 month', interval '1 month') AS d (day)
 WHERE NOT EXISTS (SELECT FROM month_partitions($1::regclass) m
   WHERE m.upper > month_bound($1::regclass, d.day::date) COLLATE "C" AND (m.lower IS NULL OR m.lower <= month_bound($1::regclass, d.day::date) COLLATE "C")) ORDER BY 1`;

const UNPLACED = 'SELECT rows_of_no_month($1::regclass, $2) AS rows';

/** Partitions that lack a trigger which statements on their table have, or where it is off. */
const UNGUARDED = `SELECT p.inhrelid::regclass::text AS name FROM pg_inherits p
 WHERE p.inhparent = $1::regclass AND EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = p.inhparent AND NOT t.tgisinternal AND t.tgtype & 1 = 0
   AND NOT EXISTS (SELECT FROM pg_trigger o WHERE o.tgrelid = p.inhrelid AND o.tgname = t.tgname AND o.tgfoid = t.tgfoid AND o.tgtype = t.tgtype AND o.tgenabled IN ('O', 'A')))
 ORDER BY 1`;

/** Looks at the partitions of tables by month. */
@Injectable()
export class MonthsCheck implements HealthCheck {
  readonly group = 'indexes';
  readonly name = 'months';

  constructor(
    private readonly database: Database,
    private readonly registry: Registry,
    private readonly monthsAhead: MonthsAheadJob,
  ) {}

  async run({ mend }: Pick<ExaminationOptions, 'mend'>): Promise<CheckFinding[]> {
    const tables = this.registry.contributionsTo(TABLES_BY_MONTH);
    const made = mend ? await this.monthsAhead.make() : 0;
    const findings = (await Promise.all(tables.map((table) => this.findingsOf(table)))).flat();
    if (made > 0) findings.unshift({ level: 'mended', message: `Partitions of the next months were made: ${made}` });
    return findings.length > 0
      ? findings
      : [{ level: 'ok', message: `The partitions of this month and the next ${MONTHS_AHEAD} are there` }];
  }

  private async findingsOf(table: string): Promise<CheckFinding[]> {
    const missing = await this.database.query<{ month: string }>(MISSING, [table, MONTHS_AHEAD]);
    const unplaced = (await this.database.one<{ rows: number }>(UNPLACED, [table, MOST_COUNTED]))?.rows ?? 0;
    const unguarded = await this.database.query<{ name: string }>(UNGUARDED, [table]);
    return [
      ...(missing.length === 0
        ? []
        : [
            {
              level: 'warning' as const,
              message: `The table ${table} has no partition for ${missing.map(({ month }) => month).join(', ')}`,
              advice:
                'Run "bindery doctor --mend"; where it stays so, end the long transactions that pg_stat_activity shows',
            },
          ]),
      ...(unplaced === 0
        ? []
        : [
            {
              level: 'warning' as const,
              message: `Rows of ${table} that lie in no month: ${unplaced}${unplaced < MOST_COUNTED ? '' : ' or more'}`,
              advice:
                'They were written with the time of a clock that is wrong, or imported: see if the clocks of all servers are right',
            },
          ]),
      ...unguarded.map(({ name }) => ({
        level: 'fault' as const,
        message: `The partition ${name} of ${table} lacks triggers of its table`,
        advice: `Run CALL give_month_triggers('${table}', '${name}') in the database, or enable those that are off`,
      })),
    ];
  }
}
