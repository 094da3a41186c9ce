import pg from 'pg';
import type { DatabaseConnection } from '../../kernel/common/connection.js';
import type { CheckFinding } from '../../kernel/platform/health-checks/health-checks.points.js';
import { reasonOf } from '../../kernel/platform/operator-error.js';
import {
  compareParts,
  expectedParts,
  presentParts,
  type SchemaDifference,
  type SchemaPart,
} from './schema-comparison.js';

const EXAMPLES = 5;
/** Seconds that a change waits for the lock of a table, for which everybody else then waits. */
const LOCK_SECONDS = 5;
/** Minutes that an index may take, which is made beside writers. */
const ALONE_MINUTES = 60;

interface Repair {
  /** Statements that run one by one, outside of any transaction: indexes that are made beside writers take no other way. */
  readonly alone?: readonly string[];
  /** Statements of one transaction behind those, and of another one. */
  readonly together?: readonly string[];
  readonly after?: readonly string[];
  readonly done: string;
}

/** Compares the schema with what the migrations make, and mends indexes, constraints and triggers. */
export async function schemaFindings(
  client: DatabaseConnection,
  make: (client: DatabaseConnection) => Promise<void>,
  mend: boolean,
): Promise<CheckFinding[]> {
  const expected = await expectedParts(client, make);
  const { differences, leftovers } = compareParts(expected, await presentParts(client));
  const findings: CheckFinding[] = [];
  for (const { name, table } of leftovers)
    findings.push(
      await repaired(
        client,
        `The index ${name} of ${table} was never completed, and no migration makes it`,
        { alone: [`DROP INDEX CONCURRENTLY ${name}`], done: 'it was dropped' },
        mend,
      ),
    );
  for (const difference of differences)
    findings.push(await repaired(client, describe(difference), repairOf(difference), mend));
  if (findings.length === 0)
    return [
      {
        level: 'ok',
        message: `All ${expected.length} tables, columns, constraints, indexes, triggers, functions and views are as the migrations make them`,
      },
    ];
  const [faults, mended] = [
    findings.filter(({ level }) => level !== 'mended'),
    findings.filter(({ level }) => level === 'mended'),
  ];
  return faults.length <= EXAMPLES
    ? findings
    : [
        ...mended,
        ...faults.slice(0, EXAMPLES),
        {
          level: 'fault',
          message: `Further parts of the schema that are not as the migrations make them: ${faults.length - EXAMPLES}`,
        },
      ];
}

function describe({ expected: { kind, name, table }, state }: SchemaDifference): string {
  const place = table === '' ? '' : ` of ${table}`;
  const words = {
    missing: 'is missing',
    different: 'is not as the migrations make it',
    idle: kind === 'index' ? 'was never completed' : 'is not enforced',
  };
  return `The ${kind} ${name}${place} ${words[state]}`;
}

/** The way to mend a difference; undefined for those that take a decision, or what is lost. */
function repairOf({ expected, state }: SchemaDifference): Repair | undefined {
  const { kind, name, table, definition } = expected;
  if (state === 'different') return undefined;
  switch (kind) {
    case 'index':
      return indexRepair(expected, state);
    case 'constraint':
      return constraintRepair(expected, state);
    case 'trigger':
      return state === 'idle'
        ? { together: [`ALTER TABLE ${table} ENABLE TRIGGER ${name}`], done: 'it was switched on' }
        : { together: [definition], done: 'it was made' };
    default:
      return undefined;
  }
}

/** The index of a partitioned table, which holds up writers while it is made, has one of each partition below it. */
function indexRepair({ name, definition }: SchemaPart, state: 'missing' | 'idle'): Repair {
  const isIdle = state === 'idle';
  const done = isIdle ? 'it was built again' : 'it was made';
  if (definition.includes(' ON ONLY '))
    return { together: [...(isIdle ? [`DROP INDEX ${name}`] : []), definition.replace(' ON ONLY ', ' ON ')], done };
  return { alone: [isIdle ? `REINDEX INDEX CONCURRENTLY ${name}` : concurrently(definition)], done };
}

function constraintRepair({ name, table, definition, index }: SchemaPart, state: 'missing' | 'idle'): Repair {
  const validate = `ALTER TABLE ${table} VALIDATE CONSTRAINT ${name}`;
  if (state === 'idle') return { together: [validate], done: 'it was validated' };
  if (index !== null)
    return {
      alone: [concurrently(index)],
      together: [
        `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition.startsWith('PRIMARY') ? 'PRIMARY KEY' : 'UNIQUE'} USING INDEX ${name}`,
      ],
      done: 'it was made',
    };
  // It holds for writers at once; rows that are there are read under a lock that lets writers on.
  return {
    together: [`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition} NOT VALID`],
    after: [validate],
    done: 'it was made',
  };
}

const concurrently = (definition: string): string =>
  definition.replace(/^CREATE (UNIQUE )?INDEX /, 'CREATE $1INDEX CONCURRENTLY IF NOT EXISTS ');

async function repaired(
  client: DatabaseConnection,
  message: string,
  repair: Repair | undefined,
  mend: boolean,
): Promise<CheckFinding> {
  if (repair === undefined)
    return {
      level: 'fault',
      message,
      advice: 'Compare it with the migrations of this release, or restore a backup from before',
    };
  if (!mend) return { level: 'fault', message, advice: 'Run "bindery doctor --mend"' };
  try {
    await runRepair(client, repair);
    return { level: 'mended', message: `${message}: ${repair.done}` };
  } catch (error) {
    return {
      level: 'fault',
      message,
      advice: `It could not be mended (${withDetail(error)}): mend the rows that are in the way, and run this again`,
    };
  }
}

/** The reason, with the key of the row that is in the way. */
const withDetail = (error: unknown): string =>
  error instanceof pg.DatabaseError && error.detail !== undefined
    ? `${error.message}: ${error.detail}`
    : reasonOf(error);

async function runRepair(client: DatabaseConnection, { alone = [], together = [], after = [] }: Repair): Promise<void> {
  // A setting of the session would stay with that of a pooler.
  if (!client.isPooled) await client.query(`SET statement_timeout = '${ALONE_MINUTES}min'`);
  for (const statement of alone) await client.query(statement);
  for (const statements of [together, after]) if (statements.length > 0) await inTransaction(client, statements);
}

async function inTransaction(client: DatabaseConnection, statements: readonly string[]): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '${LOCK_SECONDS}s'`);
    for (const statement of statements) await client.query(statement);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
