import { connectTo, type DatabaseConnection } from '../../common/connection.js';
import { TEXT_SETTINGS, copyIn, copyOut } from '../../common/copy-streams.js';
import { OperatorError, codeOf, reasonOf } from '../operator-error.js';
import { databaseUrl } from './cluster-lock.js';
import { SUPERUSER } from './cluster.js';
import { type DatabaseSchema, readSchema, type SchemaStatement, unknownObjects } from './schema-statements.js';

/** Two running clusters that the same password opens; `target` is a new one. */
export interface ClusterPair {
  readonly source: number;
  readonly target: number;
  readonly password: string;
}

/** Receives how many of all bytes of the tables were copied or compared. */
export type CopyProgress = (step: 'copied' | 'compared', bytes: number) => void;

const DATABASES = `SELECT datname AS name, format('CREATE DATABASE %I TEMPLATE template0 ENCODING %L CONNECTION LIMIT %s', datname,
  pg_encoding_to_char(encoding), datconnlimit) AS text,
    pg_database_size(oid)::text AS size, datcollate <> (SELECT datcollate FROM pg_database WHERE datname = 'postgres') AS "isForeign"
  FROM pg_database WHERE datallowconn AND NOT datistemplate ORDER BY datname`;

const SETTING = `format('%s TO %s', split_part(s, '=', 1), CASE WHEN split_part(s, '=', 1) IN ('local_preload_libraries', 'search_path',
  'session_preload_libraries', 'temp_tablespaces')
    THEN substr(s, strpos(s, '=') + 1) ELSE quote_literal(substr(s, strpos(s, '=') + 1)) END)`;

/** Roles that are not PostgreSQL's own, their passwords as they are hashed, and settings of roles and databases. */
const ROLES = `
  SELECT 1 AS step, 'role ' || quote_ident(rolname) AS object, concat('CREATE ROLE ', quote_ident(rolname), CASE WHEN rolsuper THEN ' SUPERUSER' END, CASE
    WHEN NOT rolinherit THEN ' NOINHERIT' END,
         CASE WHEN rolcreaterole THEN ' CREATEROLE' END, CASE WHEN rolcreatedb THEN ' CREATEDB' END, CASE WHEN rolcanlogin THEN ' LOGIN' END, CASE
           WHEN rolreplication THEN ' REPLICATION' END,
         CASE WHEN rolbypassrls THEN ' BYPASSRLS' END, ' CONNECTION LIMIT ', rolconnlimit, ' PASSWORD ' || quote_literal(rolpassword),
           ' VALID UNTIL ' || quote_literal(rolvaliduntil)) AS text
    FROM pg_authid WHERE rolname !~ '^pg_' AND rolname <> '${SUPERUSER}'
  UNION ALL
  SELECT 2, format('membership of %s in %s', m.member::regrole, m.roleid::regrole), format('GRANT %s TO %s%s', m.roleid::regrole, m.member::regrole,
         CASE WHEN to_jsonb(m) ? 'set_option' THEN format(' WITH ADMIN %s, INHERIT %s, SET %s', m.admin_option::text, to_jsonb(m) ->> 'inherit_option',
           to_jsonb(m) ->> 'set_option')
              WHEN m.admin_option THEN ' WITH ADMIN OPTION' END)
    FROM pg_auth_members m WHERE m.member >= 16384 OR m.roleid >= 16384
  UNION ALL
  SELECT 3, concat('settings of ', r.rolname, ' ', d.datname), (SELECT string_agg(concat('ALTER ', CASE
    WHEN r.oid IS NULL THEN 'DATABASE ' || quote_ident(d.datname)
         ELSE 'ROLE ' || quote_ident(r.rolname) || coalesce(' IN DATABASE ' || quote_ident(d.datname), '') END, ' SET ', ${SETTING}), '; ')
           FROM unnest(x.setconfig) s)
    FROM pg_db_role_setting x LEFT JOIN pg_roles r ON r.oid = x.setrole LEFT JOIN pg_database d ON d.oid = x.setdatabase
      WHERE (r.oid IS NULL) = (x.setrole = 0)
  ORDER BY 1, 2`;

/** Settings that somebody has made with `ALTER SYSTEM`. */
const SYSTEM_SETTINGS = `SELECT 'the setting ' || name AS object, format('ALTER SYSTEM SET %s', ${SETTING}) AS text
  FROM (SELECT name, name || '=' || setting AS s FROM pg_file_settings
    WHERE sourcefile LIKE '%/postgresql.auto.conf' AND error IS NULL) AS found ORDER BY name`;

const SIZE = `SELECT pg_table_size($1::text::regclass)::text AS size`;

/** The rows of a table in any order: their number, and the sum of what they hash to as text. */
const SUM_OF_ROWS = (table: string): string =>
  `SELECT count(*)::text AS rows, coalesce(sum(('x' || left(encode(sha256(convert_to("row of it"::text, 'UTF8')), 'hex'), 15))::bit(60)::bigint),
    0)::text AS sum FROM ONLY ${table} AS "row of it"`;

/** SQLSTATEs of a statement that names what does not exist yet. */
const ABSENT: readonly string[] = ['3F000', '42704', '42883', '42P01', '42703'];

const DISK_FULL = '53100';

/** Runs statements, each after those that make what it needs. @throws if some need what none of them makes. */
async function runInOrder(client: DatabaseConnection, statements: readonly SchemaStatement[]): Promise<void> {
  let waiting = statements;
  while (waiting.length > 0) {
    const refused: SchemaStatement[] = [];
    let reason: unknown;
    for (const statement of waiting) {
      await client.query('SAVEPOINT one');
      try {
        await client.query(statement.text);
        await client.query('RELEASE one');
      } catch (error) {
        const fault =
          codeOf(error) === DISK_FULL ? error : new OperatorError(`${statement.object}: ${reasonOf(error)}`);
        if (!ABSENT.includes(codeOf(error) ?? '')) throw fault;
        await client.query('ROLLBACK TO one');
        refused.push(statement);
        reason ??= fault;
      }
    }
    if (refused.length === waiting.length) throw reason;
    waiting = refused;
  }
}

/** Runs `work` with a connection in a transaction, which is committed; whatever fails closes the connection. */
async function inTransaction<T>(
  url: string,
  begin: string,
  work: (client: DatabaseConnection) => Promise<T>,
): Promise<T> {
  const client = await connectTo(url, 'bindery move', 'never');
  try {
    await client.query(`${begin}; ${TEXT_SETTINGS}; SET LOCAL search_path = ''; SET LOCAL check_function_bodies = off`);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } finally {
    client.abandon();
  }
}

const READING = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

async function* joined(
  source: AsyncIterable<readonly Buffer[]>,
  count: (bytes: number) => void,
): AsyncIterable<Buffer> {
  for await (const rows of source) {
    const bytes = Buffer.concat(rows);
    count(bytes.length);
    yield bytes;
  }
}

/** One database of both clusters. */
class DatabasePair {
  constructor(
    private readonly source: DatabaseConnection,
    private readonly targetUrl: string,
    private readonly progress: CopyProgress,
  ) {}

  /** Copies everything in one transaction, which writes no log of the rows of tables that it has made itself. */
  async copy(): Promise<void> {
    const schema = await readSchema(this.source);
    await inTransaction(this.targetUrl, 'BEGIN', async (target) => {
      await runInOrder(target, schema.before);
      for (const table of schema.tables) await this.copyRows(target, table);
      await runInOrder(target, schema.behind);
    });
    await inTransaction(this.targetUrl, READING, (target) => this.compare(schema, target));
    const target = await connectTo(this.targetUrl, 'bindery move');
    await target.query('ANALYZE').finally(() => target.abandon());
  }

  private async copyRows(target: DatabaseConnection, table: string): Promise<void> {
    const rows = copyOut(this.source, `COPY ${table} TO STDOUT`);
    await copyIn(
      target,
      `COPY ${table} FROM STDIN`,
      joined(rows, (bytes) => this.progress('copied', bytes)),
    );
  }

  /** @throws OperatorError if an object of the source is absent, or the rows of a table are others. */
  private async compare(schema: DatabaseSchema, target: DatabaseConnection): Promise<void> {
    const made = await readSchema(target);
    const present = new Set([...made.before, ...made.behind].map(({ object }) => object));
    const absent = [...schema.before, ...schema.behind].find(({ object }) => !present.has(object));
    if (absent) throw new OperatorError(`the copy lacks the ${absent.object}`);
    for (const table of schema.tables) {
      const [before, after] = await Promise.all([this.source, target].map((client) => sumOfRows(client, table)));
      if (before?.rows !== after?.rows || before?.sum !== after?.sum)
        throw new OperatorError(
          `the copy of the table ${table} has ${after?.rows} rows of ${before?.rows}${before?.rows === after?.rows ? ', but others' : ''}`,
        );
      this.progress('compared', Number(before?.size));
    }
  }
}

async function sumOfRows(
  client: DatabaseConnection,
  table: string,
): Promise<{ rows?: string; sum?: string; size?: string }> {
  const sums = await client.query<{ rows: string; sum: string }>(SUM_OF_ROWS(table));
  const sizes = await client.query<{ size: string }>(SIZE, [table]);
  return { ...sums.rows[0], ...sizes.rows[0] };
}

/** Reads the databases of a cluster with their sizes in bytes. @throws OperatorError if one holds what cannot be copied. */
export async function copyableDatabases(port: number, password: string): Promise<{ name: string; bytes: number }[]> {
  const { rows } = await inTransaction(databaseUrl(port, password, 'postgres'), READING, (client) =>
    client.query<{ name: string; text: string; size: string; isForeign: boolean }>(DATABASES),
  );
  for (const { name, isForeign } of rows) {
    if (isForeign) throw new OperatorError(`the database ${name} has a locale of its own`);
    const [first, ...more] = await inTransaction(databaseUrl(port, password, name), READING, unknownObjects);
    if (first !== undefined)
      throw new OperatorError(`the database ${name} holds ${[first, ...more].join(', ')}, which it does not know`);
  }
  return rows.map(({ name, size }) => ({ name, bytes: Number(size) }));
}

/**
 * Copies all roles, databases and settings of a cluster into a new one, in bounded memory, and compares both: each
 * object by its name, each table by the number and the hashes of its rows.
 * @throws OperatorError for the first difference; the error of PostgreSQL if its disk is full.
 */
export async function copyCluster(
  { source, target, password }: ClusterPair,
  note: (line: string) => void,
  progress: CopyProgress,
): Promise<void> {
  const of = (port: number, database: string): string => databaseUrl(port, password, database);
  await inTransaction(of(source, 'postgres'), READING, async (from) => {
    const databases = await from.query<{ name: string; text: string }>(DATABASES);
    const roles = await from.query<SchemaStatement>(ROLES);
    const settings = await from.query<SchemaStatement>(SYSTEM_SETTINGS);
    const client = await connectTo(of(target, 'postgres'), 'bindery move');
    try {
      for (const { name, text } of databases.rows) if (name !== 'postgres') await client.query(text);
      await client.query('BEGIN');
      await runInOrder(client, roles.rows);
      await client.query('COMMIT');
      for (const { object, text } of settings.rows)
        await client.query(text).catch((error: unknown) => note(`Not taken over: ${object} (${reasonOf(error)}).`));
    } finally {
      client.abandon();
    }
    for (const { name } of databases.rows)
      await inTransaction(of(source, name), READING, (reading) =>
        new DatabasePair(reading, of(target, name), progress).copy(),
      );
  });
}

/** Tells whether the error is that of a full disk. */
export const isDiskFull = (error: unknown): boolean => ['ENOSPC', DISK_FULL].includes(codeOf(error) ?? '');
