import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/common/database.js';

const ROWS_AT_ONCE = 5000;

type LeftTable = 'translation_segment' | 'translation_correction';

/** Passes in each organization from one translation with rows to the next one, so that not every row is read. */
const leftIn = (
  table: LeftTable,
): string => `SELECT l.organization_id AS "organizationId", l.translation_id AS "translationId"
  FROM organization g JOIN LATERAL (
    WITH RECURSIVE owner AS (
      (SELECT r.organization_id, r.translation_id FROM ${table} r WHERE r.organization_id = g.id ORDER BY r.translation_id LIMIT 1)
      UNION ALL
      SELECT n.organization_id, n.translation_id FROM owner o CROSS JOIN LATERAL (
        SELECT r.organization_id, r.translation_id FROM ${table} r
         WHERE r.organization_id = g.id AND r.translation_id > o.translation_id ORDER BY r.translation_id LIMIT 1) n)
    SELECT o.organization_id, o.translation_id FROM owner o
     WHERE NOT EXISTS (SELECT FROM translation t WHERE t.organization_id = g.id AND t.id = o.translation_id)) l ON l.organization_id = g.id`;

const removeFrom = (table: LeftTable): string => `DELETE FROM ${table} d
  WHERE d.organization_id = $1 AND d.translation_id = $2 AND d.ctid = ANY (ARRAY (
    SELECT r.ctid FROM ${table} r WHERE r.organization_id = $1 AND r.translation_id = $2 LIMIT ${ROWS_AT_ONCE}))`;

const STATEMENTS = (['translation_segment', 'translation_correction'] as const).map((table) => ({
  left: leftIn(table),
  remove: removeFrom(table),
}));

/** The texts of translations that are deleted. */
@Injectable()
export class LeftSegments {
  constructor(private readonly database: Database) {}

  /** Deletes them in batches, each in its own transaction. */
  async remove(signal: AbortSignal): Promise<void> {
    for (const { left, remove } of STATEMENTS) {
      const owners = await this.database.query<{ organizationId: string; translationId: string }>(left);
      for (const { organizationId, translationId } of owners)
        for (let removed = ROWS_AT_ONCE; removed === ROWS_AT_ONCE;) {
          signal.throwIfAborted();
          removed = await this.database.execute(remove, [organizationId, translationId]);
        }
    }
  }
}
