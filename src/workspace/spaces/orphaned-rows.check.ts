import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import type { CheckFinding, HealthCheck } from '../../kernel/platform/health-checks/health-checks.points.js';
import { SpaceTables, type SpaceTable } from './space-tables.js';

const EXAMPLES = 3;

/** Finds rows of spaces that are not there, in all tables that have rows of spaces. They stay: they may be all that is left of what people wrote. */
@Injectable()
export class OrphanedRowsCheck implements HealthCheck {
  readonly group = 'invariants';
  readonly name = 'orphaned-rows';

  constructor(
    private readonly database: Database,
    private readonly tables: SpaceTables,
  ) {}

  async run(): Promise<CheckFinding[]> {
    const tables = await this.tables.inOrder();
    const findings: CheckFinding[] = [];
    for (const table of tables) {
      const orphans = await this.spacesIn(table);
      if (orphans.length === 0) continue;
      findings.push({
        level: 'fault',
        message: `Spaces that are not there and have rows in ${table.table}: ${orphans.length}`,
        examples: orphans.slice(0, EXAMPLES),
        advice: 'Restore a backup from before if their content is missed, or delete these rows',
      });
    }
    return findings.length > 0
      ? findings
      : [
          {
            level: 'ok',
            message: `All rows of ${new Set(tables.map(({ table }) => table)).size} tables belong to spaces that are there`,
          },
        ];
  }

  /** The spaces that the rows of a table name, one step of its index for each, if they are not there. */
  private async spacesIn({ table, column }: SpaceTable): Promise<string[]> {
    const rows = await this.database.unprepared<{ id: string }>(
      `WITH RECURSIVE named AS (
          SELECT min(t.${column}) AS id FROM ${table} t
          UNION ALL
          SELECT (SELECT min(t.${column}) FROM ${table} t WHERE t.${column} > named.id) FROM named WHERE named.id IS NOT NULL)
        SELECT named.id FROM named WHERE named.id IS NOT NULL AND NOT EXISTS (SELECT FROM space s WHERE s.id = named.id) ORDER BY 1`,
    );
    return rows.map(({ id }) => id);
  }
}
