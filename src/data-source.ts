import { Socket } from 'node:net';
import pg from 'pg';
import {
  DataSource,
  type DataSourceOptions,
  type EntitySchema,
  type MigrationInterface,
  type QueryRunner,
} from 'typeorm';
import { withOwnTypes } from './kernel/common/column-types.js';
import { serverAddresses } from './kernel/common/database-address.js';
import { Replicas } from './kernel/common/replicas.js';
import { DatabaseConnection, type Preparation, Route, type SessionSettings } from './kernel/common/connection.js';
import { atOnce, type SqlMigration } from './kernel/platform/migrations/migration-file.js';
import { historyOfService, type MigrationHistory } from './kernel/platform/migrations/migration-history.js';
import { MANIFESTS } from './manifests.js';

type EntityClass =
  Exclude<NonNullable<DataSourceOptions['entities']>, Record<string, unknown>> extends readonly (infer E)[]
    ? Exclude<E, string | EntitySchema>
    : never;

/** Settings of the role limit the time of statements: a migration may take longer. */
const WITHOUT_LIMIT = 'SET LOCAL statement_timeout = 0;\n';

/** The history of the service itself. */
export const serviceHistory = (): MigrationHistory => historyOfService(MANIFESTS);

/** A migration as TypeORM runs it, in one transaction: for databases that nobody else uses. */
function migrationClass(migration: SqlMigration) {
  return class implements MigrationInterface {
    readonly name = migration.name;
    async up(runner: QueryRunner): Promise<void> {
      await runner.query(`${WITHOUT_LIMIT}${atOnce(migration)}`);
    }
    async down(runner: QueryRunner): Promise<void> {
      await runner.query(`${WITHOUT_LIMIT}${migration.down}`);
    }
  };
}

/** Closes a connection without any traffic for so many seconds: its database or the network hangs. */
function socketThatGivesUp(seconds: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(seconds * 1000, () =>
    socket.destroy(new Error('Connection terminated: the database was silent for too long')),
  );
}

/** Maximum time that a request waits for a free connection. */
const MOST_SECONDS_TO_CONNECT = 10;
/** PostgreSQL cancels a statement this long before its connection is closed. */
const GRACE_SECONDS = 1;

/** Replicas that answer statements which only read. */
export interface ReadOptions {
  readonly url: string;
  /** The address of the primary past a pooler, where the database is reached through one. */
  readonly directUrl?: string | undefined;
  /** Seconds by which a replica may be behind, and for which it may answer without the primary. */
  readonly maxLag: number;
  readonly maxAway: number;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  /**
   * Maximum time of a statement, and of waiting for a silent database; without it there is no limit, as migrations
   * need.
   */
  readonly timeoutSeconds?: number;
  readonly prepared?: Preparation;
  readonly reads?: ReadOptions | undefined;
  readonly entities?: readonly EntityClass[];
  readonly history?: MigrationHistory;
}

/**
 * Settings of the sessions of a server. Compiling a statement takes PostgreSQL seconds, and the statements here take
 * milliseconds. Planning a recursive one takes longer than running it, so each is planned once for a connection and not
 * for each set of parameters.
 */
export const sessionSettings = (timeoutSeconds?: number): SessionSettings => ({
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
  ...(timeoutSeconds !== undefined && { statement_timeout: String(timeoutSeconds * 1000) }),
});

/** The options of the only data source. */
export function dataSourceOptions({
  url,
  poolSize,
  timeoutSeconds,
  prepared,
  reads,
  entities = [],
  history = serviceHistory(),
}: DatabaseOptions) {
  const bounds =
    timeoutSeconds === undefined
      ? { connectionTimeoutMillis: MOST_SECONDS_TO_CONNECT * 1000 }
      : {
          connectionTimeoutMillis: Math.min(MOST_SECONDS_TO_CONNECT, timeoutSeconds) * 1000,
          stream: () => socketThatGivesUp(timeoutSeconds + GRACE_SECONDS),
        };
  const settings = sessionSettings(timeoutSeconds);
  const route = new Route(url, prepared, settings);
  const connections = { keepAlive: true, ...bounds };
  return {
    type: 'postgres',
    // The one that is loaded: TypeORM would find the package by its name, which the bundle does not have.
    driver: pg,
    url: route.addresses[0],
    entities: [...entities],
    migrations: history.migrations.map(migrationClass),
    migrationsTableName: history.table,
    migrationsTransactionMode: 'all',
    synchronize: false,
    poolSize,
    applicationName: 'bindery',
    extra: {
      Client: DatabaseConnection,
      route,
      // Statements are sent when they are issued, not when the one before them is answered: `Database` says what that means.
      pipeline: true,
      ...connections,
      ...(reads && {
        replicas: new Replicas({
          primary: reads.directUrl === undefined ? route : new Route(reads.directUrl, prepared, settings),
          maxLag: reads.maxLag * 1000,
          maxAway: reads.maxAway * 1000,
          replicas: serverAddresses(reads.url).map((address) => ({
            route: new Route(address, prepared, settings, false),
            poolSize,
            client: connections,
          })),
        }),
      }),
    },
  } as const satisfies DataSourceOptions;
}

export function createDataSource(options: DatabaseOptions): DataSource {
  return withOwnTypes(new DataSource(dataSourceOptions(options)));
}
