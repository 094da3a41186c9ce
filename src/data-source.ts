import { readdirSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import {
  DataSource,
  type DataSourceOptions,
  type EntitySchema,
  type MigrationInterface,
  type QueryRunner,
} from 'typeorm';
import { withOwnTypes } from './kernel/common/column-types.js';
import { DatabaseConnection, type Preparation, Route, type SessionSettings } from './kernel/common/connection.js';
import { MANIFESTS } from './manifests.js';

type EntityClass =
  Exclude<NonNullable<DataSourceOptions['entities']>, Record<string, unknown>> extends readonly (infer E)[]
    ? Exclude<E, string | EntitySchema>
    : never;
type MigrationClass = (new () => MigrationInterface & { readonly name: string }) & { readonly time: number };

const FILE_NAME = /^(\d{13})-([a-z0-9-]+)\.sql$/;
/** Settings of the role limit the time of statements: a migration may take longer. */
const WITHOUT_LIMIT = 'SET LOCAL statement_timeout = 0;\n';
const SECTIONS = /^-- migrate:up\n([\s\S]*)^-- migrate:down\n([\s\S]*)$/m;

/** A sequence of migrations, and the table that records which of them the database has. */
export interface MigrationHistory {
  readonly table: string;
  readonly migrations: readonly MigrationClass[];
}

/**
 * The history of the service itself: the migrations of all of its modules in order of time, by names that begin with
 * the module.
 */
export function serviceHistory(): MigrationHistory {
  const migrations = MANIFESTS.flatMap(({ name, migrations: folder }) =>
    folder === undefined ? [] : loadMigrations(folder, name),
  );
  return { table: 'migration', migrations: migrations.sort((a, b) => a.time - b.time) };
}

/** The history of an external module. */
export function moduleHistory(module: string, folder: string): MigrationHistory {
  return { table: `migration_of_${module}`, migrations: loadMigrations(folder) };
}

/** Reads `<time>-<name>.sql` in a folder as migrations of TypeORM, oldest first. */
function loadMigrations(folder: string, module = ''): MigrationClass[] {
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const [, time = '', title = ''] = FILE_NAME.exec(file) ?? [];
      const [, up, down] = SECTIONS.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
      if (up === undefined || down === undefined)
        throw new Error(`${join(folder, file)} needs a name like 1795000000000-words.sql and the sections up and down`);
      return migration(`${pascalCase(module)}${pascalCase(title)}${time}`, Number(time), up, down);
    });
}

const pascalCase = (words: string): string =>
  words.replace(/(^|-)([a-z0-9])/g, (_, __, letter: string) => letter.toUpperCase());

function migration(name: string, time: number, up: string, down: string): MigrationClass {
  return class SqlMigration implements MigrationInterface {
    static readonly time = time;
    readonly name = name;
    async up(runner: QueryRunner): Promise<void> {
      await runner.query(`${WITHOUT_LIMIT}${up}`);
    }
    async down(runner: QueryRunner): Promise<void> {
      await runner.query(`${WITHOUT_LIMIT}${down}`);
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

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  /**
   * Maximum time of a statement, and of waiting for a silent database; without it there is no limit, as migrations
   * need.
   */
  readonly timeoutSeconds?: number;
  readonly prepared?: Preparation;
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

/** The options of the only data source; all migrations of a run share one transaction. */
export function dataSourceOptions({
  url,
  poolSize,
  timeoutSeconds,
  prepared,
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
  const route = new Route(url, prepared, sessionSettings(timeoutSeconds));
  return {
    type: 'postgres',
    // The one that is loaded: TypeORM would find the package by its name, which the bundle does not have.
    driver: pg,
    url: route.addresses[0],
    entities: [...entities],
    migrations: [...history.migrations],
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
      keepAlive: true,
      ...bounds,
    },
  } as const satisfies DataSourceOptions;
}

export function createDataSource(options: DatabaseOptions): DataSource {
  return withOwnTypes(new DataSource(dataSourceOptions(options)));
}
