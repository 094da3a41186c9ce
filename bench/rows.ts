import type pg from 'pg';
import type { Api } from './api.js';
import { Connection, requestText } from './connection.js';
import { pause } from './processes.js';

/** Sessions report their writes at the end of a transaction, but at most once a second. */
const REPORT_INTERVAL_MS = 1050;
const PARALLEL_REQUESTS = 30;

/** Rows inserted, updated and deleted so far, by table. */
export type RowCounts = ReadonlyMap<string, number>;

/** Reads PostgreSQL's own counters of rows written. */
export class RowCounter {
  constructor(
    private readonly client: pg.Client,
    private readonly api: Api,
    private readonly spaceId: string,
  ) {}

  /** The counters, including all writes of requests answered before. */
  async read(): Promise<RowCounts> {
    await pause(REPORT_INTERVAL_MS);
    await this.wakeSessions();
    const { rows } = await this.client.query<{ name: string; written: string }>(
      `SELECT schemaname || '.' || relname AS name, n_tup_ins + n_tup_upd + n_tup_del AS written FROM pg_stat_user_tables`,
    );
    return new Map(rows.map(({ name, written }) => [name.replace(/^public\./, ''), Number(written)]));
  }

  /** Gives every session of the server some work, so that it reports. */
  private async wakeSessions(): Promise<void> {
    const request = requestText('GET', `/v1/spaces/${this.spaceId}`, this.api.token);
    await Promise.all(
      Array.from({ length: PARALLEL_REQUESTS }, async () => {
        const connection = await Connection.open(this.api.port);
        await connection.send(request);
        connection.close();
      }),
    );
  }
}

/** Rows written between two readings, divided by the number of operations; unchanged tables are left out. */
export function difference(before: RowCounts, after: RowCounts, operations: number): Record<string, number> {
  const written: Record<string, number> = {};
  for (const [name, count] of after) {
    const grown = count - (before.get(name) ?? 0);
    if (grown > 0 && !BACKGROUND.test(name)) written[name] = grown / operations;
  }
  return written;
}

/** Written by schedule or at most once a minute, not by the operations. */
const BACKGROUND =
  /^(api_token|account|member|schedule_tick|rate_budget|jobs\.(queue|schedule|version|subscription|archive))$/;

export const total = (written: Readonly<Record<string, number>>): number =>
  Object.values(written).reduce((sum, count) => sum + count, 0);
