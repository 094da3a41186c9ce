import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DataSource, type DataSourceOptions, type EntitySchema, type MigrationInterface, type QueryRunner } from 'typeorm';

type EntityClass = Exclude<NonNullable<DataSourceOptions['entities']>, Record<string, unknown>> extends readonly (infer E)[] ? Exclude<E, string | EntitySchema> : never;
type MigrationClass = new () => MigrationInterface & { readonly name: string };

const FILE_NAME = /^(\d{13})-([a-z0-9-]+)\.sql$/;
const SECTIONS = /^-- migrate:up\n([\s\S]*)^-- migrate:down\n([\s\S]*)$/m;

/** The folder of the migrations, whether this file runs from `src` or from `dist/src`. */
function migrationsFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (let i = 0; i < 3; i++) {
    const candidate = join(folder, 'migrations');
    try {
      if (readdirSync(candidate).some((name) => FILE_NAME.test(name))) return candidate;
    } catch {
      // not here: look one folder higher
    }
    folder = dirname(folder);
  }
  throw new Error('the folder migrations is missing');
}

/** Reads `migrations/<time>-<name>.sql` as migrations of TypeORM, oldest first. */
export function loadMigrations(folder: string = migrationsFolder()): MigrationClass[] {
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const [, time = '', title = ''] = FILE_NAME.exec(file) ?? [];
      const [, up, down] = SECTIONS.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
      if (up === undefined || down === undefined) throw new Error(`migrations/${file} needs a name like 1795000000000-words.sql and the sections up and down`);
      return migration(`${title.replace(/(^|-)([a-z0-9])/g, (_, __, letter: string) => letter.toUpperCase())}${time}`, up, down);
    });
}

function migration(name: string, up: string, down: string): MigrationClass {
  return class SqlMigration implements MigrationInterface {
    readonly name = name;
    async up(runner: QueryRunner): Promise<void> {
      await runner.query(up);
    }
    async down(runner: QueryRunner): Promise<void> {
      await runner.query(down);
    }
  };
}

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly entities?: readonly EntityClass[];
}

/** The options of the one data source; all migrations of a run share one transaction. */
export function dataSourceOptions({ url, poolSize, entities = [] }: DatabaseOptions) {
  return {
    type: 'postgres',
    url,
    entities: [...entities],
    migrations: loadMigrations(),
    migrationsTableName: 'migration',
    migrationsTransactionMode: 'all',
    synchronize: false,
    poolSize,
    applicationName: 'bindery',
    // Compiling a statement takes PostgreSQL seconds, and the statements here take milliseconds. Planning a recursive one
    // takes longer than running it, so each is planned once for a connection and not for each set of parameters.
    extra: { keepAlive: true, connectionTimeoutMillis: 10_000, options: '-c jit=off -c plan_cache_mode=force_generic_plan' },
  } as const satisfies DataSourceOptions;
}

export function createDataSource(options: DatabaseOptions): DataSource {
  return new DataSource(dataSourceOptions(options));
}
