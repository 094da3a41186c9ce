import type { DatabaseConnection } from '../../kernel/common/connection.js';
import type { Config } from '../../kernel/platform/config/config.js';
import type { CheckFinding } from '../../kernel/platform/health-checks/health-checks.points.js';

/** Seconds that a replica may be behind, and bytes of the log that a slot may hold back. */
const MOST_LAG_SECONDS = 30;
const MOST_HELD_BYTES = 2 ** 30;
/** Minutes for which a transaction may do nothing: it keeps what others have deleted from being cleaned up. */
const MOST_IDLE_MINUTES = 15;
/** Transactions until numbers are used up, of two milliards: PostgreSQL accepts no changes at the end. */
const MOST_AGE = 1_500_000_000;

/** Settings without which a crash of the machine can destroy data. */
const DURABLE = ['fsync', 'full_page_writes'];
/** Settings without which the database grows, and plans are made blindly. */
const TENDED = ['autovacuum', 'track_counts'];

interface Facts {
  readonly version: string;
  readonly encoding: string;
  readonly database: string;
  readonly bytes: number;
  readonly isReplica: boolean;
  readonly connections: number;
  readonly age: number;
  readonly idle: number;
  readonly unsafe: string[];
}

/** Those of others are seen by members of the role pg_monitor only; others find what is their own. */
const FACTS = `SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding, current_database() AS database,
    pg_database_size(current_database())::float8 AS bytes, pg_is_in_recovery() AS "isReplica",
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS connections,
    (SELECT age(d.datfrozenxid) FROM pg_database d WHERE d.datname = current_database()) AS age,
    (SELECT count(*)::int FROM pg_stat_activity a WHERE a.datname = current_database() AND a.state LIKE 'idle in transaction%'
        AND a.state_change < now() - interval '${MOST_IDLE_MINUTES} minutes') AS idle,
    ARRAY(SELECT s.name FROM pg_settings s WHERE s.name = ANY ($1) AND s.setting = 'off' ORDER BY s.name) AS unsafe`;

interface Standby {
  readonly name: string;
  readonly state: string;
  readonly seconds: number | null;
}

const STANDBYS = `SELECT coalesce(nullif(r.application_name, ''), r.client_addr::text, 'a replica') AS name, r.state,
    extract(epoch FROM r.replay_lag)::float8 AS seconds FROM pg_stat_replication r WHERE r.state IS NOT NULL ORDER BY 1`;

interface Slot {
  readonly name: string;
  readonly held: number;
}

const SLOTS = `SELECT s.slot_name AS name, pg_wal_lsn_diff(pg_current_wal_lsn(), s.restart_lsn)::float8 AS held
  FROM pg_replication_slots s WHERE NOT s.active AND s.restart_lsn IS NOT NULL ORDER BY 1`;

const ENDS = 'a crash of the machine can destroy the database';
const GROWS = 'the database grows and becomes slow';

type Settings = Pick<Config, 'databasePoolSize' | 'databaseDirectUrl'>;

/** Findings about the server of a database that was reached. */
export async function databaseFindings(client: DatabaseConnection, settings: Settings): Promise<CheckFinding[]> {
  const [facts] = (await client.query<Facts & Record<string, unknown>>(FACTS, [[...DURABLE, ...TENDED]])).rows;
  if (!facts) throw new Error('the database tells nothing of itself');
  if (facts.isReplica)
    return [
      {
        level: 'fault',
        message: `The database ${facts.database} is a replica, which accepts no changes`,
        advice: 'Name the primary in DATABASE_URL; it may name several hosts',
      },
    ];
  return [
    {
      level: 'ok',
      message: `PostgreSQL ${facts.version}, ${facts.encoding}: the database ${facts.database} has ${(facts.bytes / 1e6).toFixed(0)} MB`,
    },
    ...serverFindings(facts, settings),
    ...poolerFindings(client, settings),
    ...(await replicationFindings(client)),
  ];
}

function serverFindings({ unsafe, connections, age, idle }: Facts, { databasePoolSize }: Settings): CheckFinding[] {
  return [
    ...unsafe.map((name) => ({
      level: 'warning' as const,
      message: `The setting ${name} of PostgreSQL is off: ${DURABLE.includes(name) ? ENDS : GROWS}`,
      advice: `Set ${name} to on in postgresql.conf`,
    })),
    ...(databasePoolSize > connections
      ? [
          {
            level: 'warning' as const,
            message: `PostgreSQL takes ${connections} connections, fewer than DATABASE_POOL_SIZE (${databasePoolSize}) of one server`,
            advice: 'Raise max_connections, lower DATABASE_POOL_SIZE, or put a pooler in between',
          },
        ]
      : []),
    ...(age > MOST_AGE
      ? [
          {
            level: 'fault' as const,
            message: `The numbers of transactions are used up soon (${age} of 2147483648)`,
            advice: 'Run VACUUM (FREEZE) on the database, and find out what keeps autovacuum from it',
          },
        ]
      : []),
    ...(idle > 0
      ? [
          {
            level: 'warning' as const,
            message: `Transactions that have done nothing for more than ${MOST_IDLE_MINUTES} minutes: ${idle}`,
            advice: 'Find them in pg_stat_activity, and end their programs',
          },
        ]
      : []),
  ];
}

function poolerFindings(
  { isPooled, keepsStatements }: DatabaseConnection,
  { databaseDirectUrl }: Settings,
): CheckFinding[] {
  if (!isPooled) return [];
  const prepared = `statements are ${keepsStatements ? '' : 'not '}prepared behind it`;
  return [
    databaseDirectUrl === undefined
      ? {
          level: 'warning',
          message: `The database is reached through a pooler; ${prepared}, and servers ask for changes of others`,
          advice: 'Set DATABASE_DIRECT_URL, so that servers hear of changes at once',
        }
      : { level: 'ok', message: `The database is reached through a pooler; ${prepared}` },
  ];
}

async function replicationFindings(client: DatabaseConnection): Promise<CheckFinding[]> {
  const standbys = (await client.query<Standby & Record<string, unknown>>(STANDBYS)).rows;
  const slots = (await client.query<Slot & Record<string, unknown>>(SLOTS)).rows;
  return [
    ...standbys.map(({ name, state, seconds }): CheckFinding => {
      const behind = `${(seconds ?? 0).toFixed(1)} s behind`;
      if (state !== 'streaming')
        return {
          level: 'warning',
          message: `The replica ${name} is in the state ${state}`,
          advice: 'Look into its log',
        };
      return (seconds ?? 0) > MOST_LAG_SECONDS
        ? {
            level: 'warning',
            message: `The replica ${name} is ${behind}`,
            advice: 'Look for load on it, or on the network',
          }
        : { level: 'ok', message: `The replica ${name} is ${behind}` };
    }),
    ...slots
      .filter(({ held }) => held > MOST_HELD_BYTES)
      .map(({ name, held }): CheckFinding => ({
        level: 'warning',
        message: `The replication slot ${name}, which nobody reads, holds back ${(held / 1e9).toFixed(1)} GB of the log`,
        advice: `Start its replica again, or drop it: SELECT pg_drop_replication_slot('${name}')`,
      })),
  ];
}
