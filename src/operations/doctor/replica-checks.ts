import { setTimeout as pause } from 'node:timers/promises';
import { connectTo, type DatabaseConnection } from '../../kernel/common/connection.js';
import { serverAddresses } from '../../kernel/common/database-address.js';
import { SYSTEM } from '../../kernel/common/log-position.js';
import type { CheckFinding } from '../../kernel/platform/health-checks/health-checks.points.js';
import { reasonOf } from '../../kernel/platform/operator-error.js';

const NAME = 'bindery doctor';
const STEP_MILLISECONDS = 20;

const END = 'SELECT pg_current_wal_flush_lsn()::text AS "end"';
const HAS = 'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS "isThere"';

/** Findings about each host of DATABASE_READ_URL: how long it takes to have what the primary has now. */
export async function replicaFindings(
  primary: DatabaseConnection,
  readUrl: string,
  maxLagSeconds: number,
): Promise<CheckFinding[]> {
  return Promise.all(
    serverAddresses(readUrl).map(async (address) => {
      const { host } = new URL(address);
      try {
        const replica = await connectTo(address, NAME);
        try {
          return await findingOf(host, primary, replica, maxLagSeconds);
        } finally {
          await replica.end().catch(() => undefined);
        }
      } catch (error) {
        return {
          level: 'warning',
          message: `The server ${host} of DATABASE_READ_URL cannot be reached (${reasonOf(error)})`,
          advice: 'Start it, or take it out of DATABASE_READ_URL; the primary answers meanwhile',
        };
      }
    }),
  );
}

async function findingOf(
  host: string,
  primary: DatabaseConnection,
  replica: DatabaseConnection,
  maxLagSeconds: number,
): Promise<CheckFinding> {
  const server = `The server ${host} of DATABASE_READ_URL`;
  if (replica.isPooled)
    return {
      level: 'fault',
      message: `${server} is a pooler, which lends sessions of any server, so nothing is read there`,
      advice: 'Name the replica itself',
    };
  const [own, other] = await Promise.all([systemOf(primary), systemOf(replica)]);
  if (own !== other)
    return { level: 'fault', message: `${server} is no replica of this database`, advice: 'Correct the address' };
  if (!replica.isReadOnly) return { level: 'ok', message: `${server} accepts changes, so it is not used as a replica` };
  const lag = primary.isReadOnly ? undefined : await lagOf(primary, replica, maxLagSeconds);
  return lag === undefined
    ? {
        level: 'warning',
        message: `${server} is more than ${maxLagSeconds} s behind (DATABASE_READ_MAX_LAG), so nothing is read there`,
        advice: 'Look for load on it, for long statements that hold up what it replays, or on the network',
      }
    : { level: 'ok', message: `${server} is a replica, ${lag.toFixed(2)} s behind` };
}

async function systemOf(client: DatabaseConnection): Promise<string | undefined> {
  return (await client.query<{ system: string }>(SYSTEM)).rows[0]?.system;
}

/** Seconds until the replica has what the primary has now; undefined where that takes too long. */
async function lagOf(
  primary: DatabaseConnection,
  replica: DatabaseConnection,
  maxSeconds: number,
): Promise<number | undefined> {
  const began = performance.now();
  const end = (await primary.query<{ end: string }>(END)).rows[0]?.end;
  for (;;) {
    const { rows } = await replica.query<{ isThere: boolean }>(HAS, [end]);
    const seconds = (performance.now() - began) / 1000;
    if (rows[0]?.isThere === true) return seconds;
    if (seconds > maxSeconds) return undefined;
    await pause(STEP_MILLISECONDS);
  }
}
