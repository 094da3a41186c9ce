import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Servers of the release before work on the schema of an expanding migration. A contracting one takes away what only
 * they use, so it waits until they are gone.
 */
export type MigrationPhase = 'expand' | 'contract';

/** A statement that changes the rows of a table in batches, behind the transaction of its migration. */
export interface BatchedStatement {
  readonly table: string;
  /** The columns of a unique key, in whose order the batches are. */
  readonly key: readonly string[];
  /** Rows of a batch. */
  readonly rows: number;
  /** Changes the rows whose keys are in the relation `batch`. */
  readonly statement: string;
}

/** A change of indexes that is made beside readers and writers, outside of any transaction. */
export interface IndexStatement {
  readonly index: string;
  readonly isDrop: boolean;
  readonly statement: string;
}

export interface SqlMigration {
  readonly name: string;
  /** Milliseconds, which order the migrations of a history. */
  readonly time: number;
  readonly phase: MigrationPhase;
  /** The reason why servers of the release before work on, although a change looks otherwise. */
  readonly compatible: string | undefined;
  /** All but `batched`, as statements of one transaction. */
  readonly up: string;
  readonly down: string;
  /** The changes of indexes that `up` consists of; empty where it does anything else. */
  readonly indexes: readonly IndexStatement[];
  readonly batched: BatchedStatement | undefined;
}

const FILE_NAME = /^(\d{13})-([a-z0-9-]+)\.sql$/;
/** A line that begins a section, or declares something. */
const MARK = /^-- migrate:([a-z]+)(?: (.+))?$/gm;
const BACKGROUND = /^(\w+) by (\w+(?:, \w+)*)(?: in batches of (\d+))?$/;
const INDEX = /^(CREATE (?:UNIQUE )?INDEX|DROP INDEX) CONCURRENTLY (?!IF\b)(\w+)\b/;
const DEFAULT_BATCH = 1000;
/** The end of the names of contracting migrations: a release that lacks the file knows the phase by it. */
const CONTRACTS = /Contract\d{13}$/;

/** The phase of a migration by its name, which every release can tell. */
export const phaseOf = (name: string): MigrationPhase => (CONTRACTS.test(name) ? 'contract' : 'expand');

/** Reads `<time>-<words>.sql` in a folder, oldest first; names begin with the module. */
export function loadMigrations(folder: string, module = ''): SqlMigration[] {
  return readdirSync(folder)
    .sort()
    .map((file) => readMigration(join(folder, file), file, module));
}

function readMigration(path: string, file: string, module: string): SqlMigration {
  const refuse = (reason: string): never => {
    throw new Error(`${path} ${reason}`);
  };
  const [, time = '', title = ''] = FILE_NAME.exec(file) ?? [];
  const { declared, sections } = partsOf(readFileSync(path, 'utf8'));
  const { up, down, background, ...others } = sections;
  if (time === '' || up === undefined || down === undefined)
    return refuse('needs a name like 1795000000000-words.sql and the sections up and down');
  const [unknown] = [...Object.keys(others), ...Object.keys(declared)].filter((mark) => !KNOWN.has(mark));
  if (unknown !== undefined) return refuse(`has the mark migrate:${unknown}, which means nothing`);
  const phase = declared['phase'] ?? 'expand';
  if (phase !== 'expand' && phase !== 'contract') return refuse('has a phase other than expand and contract');
  const name = `${pascalCase(module)}${pascalCase(title)}${phase === 'contract' ? 'Contract' : ''}${time}`;
  if (phaseOf(name) !== phase) return refuse('is no contracting migration, so its name must not end with contract');
  if (phase === 'contract' && background !== undefined) return refuse('contracts, so it has nothing to do in batches');
  const indexes = indexStatements(up) ?? refuse('changes indexes CONCURRENTLY: all of its statements have to do so');
  return {
    name,
    time: Number(time),
    phase,
    compatible: declared['compatible'],
    up: indexes.length > 0 ? indexes.map(({ statement }) => `${alone(statement)};`).join('\n') : up,
    down,
    indexes,
    batched:
      background === undefined
        ? undefined
        : (batchedStatement(declared['background'] ?? '', background) ??
          refuse(
            'needs "-- migrate:background <table> by <columns of its key>", and one UPDATE, INSERT or DELETE of the keys in batch',
          )),
  };
}

const KNOWN: ReadonlySet<string> = new Set(['phase', 'compatible', 'up', 'background', 'down']);

const pascalCase = (words: string): string =>
  words.replace(/(^|-)([a-z0-9])/g, (_, __, letter: string) => letter.toUpperCase());

/** The text behind a mark on its line, and the lines between it and the next mark. */
function partsOf(text: string) {
  const declared: Record<string, string | undefined> = {};
  const sections: Record<string, string | undefined> = {};
  const marks = [...text.matchAll(MARK)];
  marks.forEach(({ 0: line, 1: mark = '', 2: words, index }, place) => {
    if (words !== undefined) declared[mark] = words.trim();
    sections[mark] = text.slice(index + line.length + 1, marks[place + 1]?.index);
  });
  return { declared, sections };
}

const statementsOf = (section: string): string[] =>
  section
    .replaceAll(/^\s*--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');

/** The statements of a section that changes indexes alone; none for one without, undefined for a mixture. */
function indexStatements(section: string): IndexStatement[] | undefined {
  const statements = statementsOf(section);
  if (!statements.some((statement) => /^(?:CREATE|DROP)\b.*\bINDEX CONCURRENTLY\b/.test(statement))) return [];
  const changes = statements.map((statement) => ({ statement, found: INDEX.exec(statement) }));
  if (changes.some(({ found }) => found === null)) return undefined;
  return changes.map(({ statement, found }) => ({
    index: found?.[2] ?? '',
    isDrop: found?.[1] === 'DROP INDEX',
    statement,
  }));
}

const alone = (statement: string): string => statement.replace(/ CONCURRENTLY\b/, '');

function batchedStatement(declared: string, section: string): BatchedStatement | undefined {
  const [, table, key, rows] = BACKGROUND.exec(declared) ?? [];
  const [statement, ...others] = statementsOf(section);
  if (table === undefined || key === undefined || statement === undefined || others.length > 0) return undefined;
  if (!/^(?:UPDATE|INSERT|DELETE)\b/.test(statement) || !/\bbatch\b/.test(statement)) return undefined;
  return { table, key: key.split(', '), rows: rows === undefined ? DEFAULT_BATCH : Number(rows), statement };
}

/** A migration as statements of one transaction, with all batches as one: for a database that nobody else uses. */
export function atOnce({ up, batched }: SqlMigration): string {
  return batched === undefined ? up : `${up};\n${inBatch(batched, '')}`;
}

/** The statement for a batch of keys, which `range` limits. */
export const inBatch = ({ table, key, statement }: BatchedStatement, range: string): string =>
  `WITH batch AS MATERIALIZED (SELECT ${key.join(', ')} FROM ${table}${range})\n${statement}`;
