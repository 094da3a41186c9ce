import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeSettings } from '../config.js';
import { connectTo, type DatabaseConnection } from '../kernel/common/connection.js';
import { sqlState } from '../kernel/common/sql-state.js';
import { serverAddresses } from '../kernel/common/database-address.js';
import { secretsOf } from '../kernel/platform/config/config.js';
import type {
  CheckFinding,
  CheckGroup,
  ExaminationOptions,
} from '../kernel/platform/health-checks/health-checks.points.js';
import { KeyStates } from '../kernel/platform/keys/key-states.js';
import { codeOf, reasonOf } from '../kernel/platform/operator-error.js';
import { redactLiterals, redactText } from '../kernel/platform/telemetry/redact.js';
import { databaseFindings } from '../operations/doctor/database-checks.js';
import { Doctor, notMade, type Diagnosis } from '../operations/doctor/doctor.service.js';
import { replicaFindings } from '../operations/doctor/replica-checks.js';
import { schemaFindings } from '../operations/doctor/schema-checks.js';
import { announceConfigured } from './addresses.js';
import { readConfiguration, type Configuration } from './configuration.js';
import { openDatabase, type OpenDatabase } from './database.js';
import { makeSchema, migrationReport, type ReportedMigration } from './schema.js';
import { withServicesOn } from './services.js';

const NAME = 'bindery doctor';
const NAMED_MIGRATIONS = 3;
/** Seconds that a statement of a check may take, unless the setting is shorter. */
const STATEMENT_SECONDS = 60;
const POOL_SIZE = 4;
/** SQLSTATE of what a user of the database may not do. */
const NOT_PERMITTED = '42501';

type Tell = (group: CheckGroup, check: string, findings: readonly CheckFinding[]) => void;

/** `bindery doctor`: tells findings as they are made. No text of them holds a secret of the configuration. */
export async function runDoctor(options: ExaminationOptions, tell: (diagnosis: Diagnosis) => void): Promise<void> {
  const warnings: string[] = [];
  const configuration = await readConfiguration((line) => warnings.push(line));
  const { config, manifests } = configuration;
  const hide = redactLiterals(secretsOf(config, describeSettings(manifests)));
  const told: Tell = (group, check, findings) => {
    for (const finding of findings) tell(redacted({ group, check, ...finding }, hide));
  };
  const names = warnings.map((line): CheckFinding => ({ level: 'warning', message: line.replace(/^Warning: /, '') }));
  told('settings', 'names', names.length > 0 ? names : [{ level: 'ok', message: 'The settings are valid' }]);
  told('settings', 'key-file', await keyFileFindings(join(config.dataDir, 'secret-key')));
  let database: OpenDatabase;
  try {
    database = await openDatabase(config, { role: 'guest', note: () => undefined });
  } catch (error) {
    told('database', 'server', [{ level: 'fault', message: reasonOf(error) }]);
    return;
  }
  try {
    if (await examineDatabase(database, configuration, options, told))
      await examineServices(database, configuration, options, told);
  } finally {
    await database.close();
  }
}

function redacted(diagnosis: Diagnosis, hide: (text: string) => string): Diagnosis {
  const clean = (text: string): string => redactText(hide(text));
  const { message, advice, examples } = diagnosis;
  return {
    ...diagnosis,
    message: clean(message),
    ...(advice !== undefined && { advice: clean(advice) }),
    ...(examples !== undefined && { examples: examples.map(clean) }),
  };
}

/** The file of generated keys must be read by nobody else. */
async function keyFileFindings(file: string): Promise<CheckFinding[]> {
  try {
    const { mode } = await stat(file);
    return (mode & 0o077) === 0
      ? []
      : [{ level: 'warning', message: `Others than its owner may read ${file}`, advice: `chmod 600 ${file}` }];
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    return [{ level: 'fault', message: `${file} cannot be read (${reasonOf(error)})` }];
  }
}

/** Checks the server of the database and its schema. @returns true if the services of this release can work on it. */
async function examineDatabase(
  { url, config }: OpenDatabase,
  { manifests }: Configuration,
  { mend }: ExaminationOptions,
  tell: Tell,
): Promise<boolean> {
  const client = await connectTo(url, NAME, config.databasePrepared);
  try {
    tell('database', 'server', await databaseFindings(client, config).catch(notMade));
    const hosts = serverAddresses(url);
    if (hosts.length > 1) tell('database', 'hosts', await Promise.all(hosts.map(hostFinding)));
    if (config.databaseDirectUrl !== undefined)
      tell('database', 'direct-address', await directFindings(client, config.databaseDirectUrl));
    if (config.databaseReadUrl !== undefined)
      tell('database', 'replicas', await replicaFindings(client, config.databaseReadUrl, config.databaseReadMaxLag));
    if (client.isReadOnly) return false;
    const states = await migrationReport(url, manifests);
    tell('migrations', 'migrations', migrationFindings(states));
    if (!states.every(({ phase, applied, known }) => (phase === 'expand' ? applied : known))) return false;
    // In the middle of an upgrade the schema is partly that of the next release.
    if (states.some(({ known }) => !known)) return true;
    const applied = new Set(states.flatMap((state) => (state.applied ? [keyOf(state.module, state.name)] : [])));
    const make = (scratch: DatabaseConnection): Promise<void> =>
      makeSchema(scratch, manifests, (module, name) => applied.has(keyOf(module, name)));
    tell('indexes', 'schema', await schemaFindings(client, make, mend).catch(schemaNotMade));
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A user of the database who may not make a schema can work, but not compare. */
const schemaNotMade = (error: unknown): readonly CheckFinding[] =>
  sqlState(error) === NOT_PERMITTED
    ? [
        {
          level: 'warning',
          message:
            'Tables, indexes and constraints could not be compared with the migrations: the user of the database may make no schema',
          advice: 'GRANT CREATE ON DATABASE to this user, or run the doctor as its owner',
        },
      ]
    : notMade(error);

/** The finding about one of several servers: the one that accepts changes, a replica, or one that is away. */
async function hostFinding(address: string): Promise<CheckFinding> {
  const { host } = new URL(address);
  try {
    const client = await connectTo(address, NAME);
    await client.end();
    return {
      level: 'ok',
      message: `The server ${host} of DATABASE_URL ${client.isReadOnly ? 'is a replica' : 'accepts changes'}`,
    };
  } catch (error) {
    return {
      level: 'warning',
      message: `The server ${host} of DATABASE_URL cannot be reached (${reasonOf(error)})`,
      advice: 'Start it, so that there is another one when the first fails; or take it out of DATABASE_URL',
    };
  }
}

const keyOf = (module: string | undefined, name: string): string => `${module ?? ''} ${name}`;

function migrationFindings(states: readonly ReportedMigration[]): CheckFinding[] {
  const names = (some: readonly ReportedMigration[]): string[] =>
    some.map(({ name }) => name).slice(0, NAMED_MIGRATIONS);
  const missing = states.filter(({ phase, applied }) => !applied && phase === 'expand');
  const unknown = states.filter(({ known }) => !known);
  const isContracted = unknown.some(({ phase }) => phase === 'contract') || missing.length > 0;
  const findings: CheckFinding[] = [
    ...(missing.length > 0
      ? [
          {
            level: 'fault' as const,
            message: `The database lacks ${missing.length} of ${states.length} migrations, so nothing further is checked`,
            examples: names(missing),
            advice: 'Make a backup, then run "bindery migrate up" or start the server',
          },
        ]
      : []),
    ...(unknown.length > 0
      ? [
          {
            level: isContracted ? ('fault' as const) : ('warning' as const),
            message: `Migrations that this release does not know, so that ${isContracted ? 'nothing further is checked' : 'the schema is not checked'}: ${unknown.length}`,
            examples: names(unknown),
            advice: isContracted
              ? 'Use the release that made them, and the modules that belong to it'
              : 'Servers of this release work on; complete the upgrade, and use the release that made them',
          },
        ]
      : []),
    ...(missing.length > 0 ? [] : states.flatMap(unfinishedFindings)),
  ];
  return findings.length === 0
    ? [{ level: 'ok', message: `The database has all ${states.length} migrations` }]
    : findings;
}

/** The findings about a migration whose batches are not done, or that waits for servers. */
function unfinishedFindings({ name, batches, hasFailed, waits }: ReportedMigration): CheckFinding[] {
  return [
    ...(batches === undefined
      ? []
      : [
          {
            level: hasFailed ? ('fault' as const) : ('warning' as const),
            message: `The batches of ${name} are not done: ${batches}`,
            advice: hasFailed
              ? 'Mend the rows that are in the way; running servers try it again every few seconds'
              : 'Running servers do them',
          },
        ]),
    ...(waits === undefined
      ? []
      : [
          {
            level: 'warning' as const,
            message: `${name} waits: ${waits}`,
            advice: 'Running servers of this release run it as soon as nothing is in its way',
          },
        ]),
  ];
}

const IDENTITY = `SELECT concat_ws(' ', d.datname, d.oid, pg_postmaster_start_time()) AS identity FROM pg_database d WHERE d.datname = current_database()`;

/** The address past a pooler has to lead to the same database. */
async function directFindings(client: DatabaseConnection, url: string): Promise<CheckFinding[]> {
  try {
    const direct = await connectTo(url, NAME);
    try {
      const [own, other] = await Promise.all([client.query(IDENTITY), direct.query(IDENTITY)]);
      const isSame = JSON.stringify(own.rows) === JSON.stringify(other.rows);
      if (!isSame)
        return [
          {
            level: 'fault',
            message: 'DATABASE_DIRECT_URL leads to another database than DATABASE_URL',
            advice: 'Correct it',
          },
        ];
      return direct.isPooled
        ? [
            {
              level: 'fault',
              message: 'DATABASE_DIRECT_URL leads to a pooler',
              advice: 'Name the server of the database itself',
            },
          ]
        : [{ level: 'ok', message: 'DATABASE_DIRECT_URL leads to the database, past the pooler' }];
    } finally {
      await direct.end().catch(() => undefined);
    }
  } catch (error) {
    return [{ level: 'fault', message: `The database cannot be reached by DATABASE_DIRECT_URL (${reasonOf(error)})` }];
  }
}

/** Makes the checks of the modules with the services of the application, which do not listen. */
async function examineServices(
  { url, config }: OpenDatabase,
  { modules }: Configuration,
  options: ExaminationOptions,
  tell: Tell,
): Promise<void> {
  const databaseTimeout = Math.min(config.databaseTimeout, STATEMENT_SECONDS);
  // Nobody reads pages here.
  const settings = { ...config, databaseTimeout, databasePoolSize: POOL_SIZE, publishedPagesDiskMb: 0 };
  await withServicesOn({ url, config: settings }, modules, async (services) => {
    announceConfigured(services);
    // Stored secrets may be encrypted anew, which is a use of the key.
    if (options.mend) await services.get(KeyStates).start();
    for await (const { group, check, ...finding } of services.get(Doctor, { strict: false }).examine(options))
      tell(group, check, [finding]);
  }).catch((error: unknown) => tell('database', 'services', [{ level: 'fault', message: reasonOf(error) }]));
}
