import { join } from 'node:path';
import { type Config, keysOfFile } from '../kernel/platform/config/config.js';
import { connectTo, type DatabaseConnection, type Preparation } from '../kernel/common/connection.js';
import { serverAddresses } from '../kernel/common/database-address.js';
import { OperatorError, codeOf, reasonOf } from '../kernel/platform/operator-error.js';
import { settlePooler } from './pooler.js';
import { readConfiguration, type Configuration } from './configuration.js';

const OLDEST_VERSION = 15;

/** The database does not answer, or not yet: unlike one that refuses, it may do so later. */
export class DatabaseUnreachable extends OperatorError {}

/** The database of a command; `config` has the keys that belong to it. */
export type OpenDatabase = {
  readonly url: string;
  readonly config: Config;
  /** Closes it; an embedded database stops if no other process uses it. */
  close(): Promise<void>;
};

export type OpenOptions = {
  /** `server` for the one server of an embedded database, `guest` for commands. */
  readonly role: 'server' | 'guest';
  readonly note: (line: string) => void;
  /** Called when the embedded database begins to start, for work that can be done until it is ready. */
  readonly whileStarting?: () => void;
  readonly onLost?: (reason: string) => void;
};

/**
 * Opens the configured database, or the embedded one, whose code is loaded only then.
 * @throws OperatorError if it cannot be used, and DatabaseUnreachable if one that is not embedded does not answer.
 */
export async function openDatabase(config: Config, options: OpenOptions): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) {
    await checkDatabase(config.databaseUrl, config.databasePrepared, async (client) => {
      if (options.role === 'server' && client.isPooled) await settlePooler(client, config, options.note);
    });
    return { url: config.databaseUrl, config, close: async () => undefined };
  }
  const [{ startEmbeddedPostgres }, { readOrCreate }, { randomBytes }] = await Promise.all([
    import('../kernel/platform/embedded-postgres/embedded-postgres.js'),
    import('../kernel/platform/embedded-postgres/files.js'),
    import('node:crypto'),
  ]);
  const database = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    role: options.role,
    log: options.note,
    previous: config.embeddedPostgresPrevious,
    ...(options.whileStarting && { whileStarting: options.whileStarting }),
    ...(options.onLost && { onLost: options.onLost }),
  });
  try {
    const file = join(config.dataDir, 'secret-key');
    const secretKey =
      config.secretKey.length > 0
        ? config.secretKey
        : keysOfFile(file, await readOrCreate(file, () => randomBytes(32).toString('hex')));
    return { url: database.url, config: { ...config, secretKey }, close: () => database.stop() };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** Runs `work` on the configured database, even while a server uses an embedded one. */
export async function withDatabase<T>(
  work: (database: OpenDatabase, configuration: Configuration) => Promise<T>,
): Promise<T> {
  const configuration = await readConfiguration();
  const database = await openDatabase(configuration.config, { role: 'guest', note: () => undefined });
  try {
    return await work(database, configuration);
  } finally {
    await database.close();
  }
}

/** The address without its password, for messages to an operator. */
const addressOf = (url: string): string => {
  const servers = serverAddresses(url).map((address) => new URL(address));
  const hosts = servers.map(({ hostname, port }) => `${hostname || 'localhost'}:${port || '5432'}`);
  const name = decodeURIComponent(servers[0]?.pathname.slice(1) ?? '');
  return `${name || 'the default database'} at ${hosts.join(' or ')}`;
};

/** Checks that the external database is reachable and supported, and does `more` on that connection. */
async function checkDatabase(
  url: string,
  preparation: Preparation,
  more: (client: DatabaseConnection) => Promise<void>,
): Promise<void> {
  let client: DatabaseConnection | undefined;
  try {
    client = await connectTo(url, 'bindery check', preparation);
    const { rows } = await client.query<{ version: number; encoding: string }>(
      `SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('server_encoding') AS encoding`,
    );
    const [{ version, encoding } = { version: 0, encoding: '' }] = rows;
    if (version < OLDEST_VERSION)
      throw new OperatorError(
        `The database ${addressOf(url)} is PostgreSQL ${version}, but ${OLDEST_VERSION} or newer is needed`,
      );
    if (encoding !== 'UTF8')
      throw new OperatorError(
        `The database ${addressOf(url)} has the encoding ${encoding}, but UTF8 is needed: create it with ENCODING 'UTF8'`,
      );
    await more(client);
  } catch (error) {
    throw error instanceof OperatorError ? error : faultOf(error, addressOf(url));
  } finally {
    await client?.end().catch(() => undefined);
  }
}

function faultOf(error: unknown, address: string): OperatorError {
  const refusal = refusalIn(error);
  const code = codeOf(refusal) ?? '';
  if (code.startsWith('28'))
    return new OperatorError(
      `The database ${address} refuses the user (${reasonOf(refusal)}): check user and password in DATABASE_URL`,
      { cause: error },
    );
  if (code !== '')
    return new OperatorError(`The database ${address} does not exist: create it, or check DATABASE_URL`, {
      cause: error,
    });
  return new DatabaseUnreachable(
    `The database ${address} cannot be reached (${reasonOf(error)}): check DATABASE_URL, and that PostgreSQL runs`,
    { cause: error },
  );
}

/** The error by which a server that answers refuses the user or the database, among those behind an error; undefined if none does. */
function refusalIn(error: unknown): unknown {
  const code = codeOf(error) ?? '';
  if (code.startsWith('28') || code === '3D000') return error;
  const { cause, errors = [] } = (error ?? {}) as { readonly cause?: unknown; readonly errors?: readonly unknown[] };
  return [...errors, ...(cause === undefined ? [] : [cause])].map(refusalIn).find((found) => found !== undefined);
}
