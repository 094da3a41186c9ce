import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { useApp } from './app.js';
import { type Column, StatementDescriber } from './architecture/described-columns.js';
import { type RowProperty, type StatementCall, statementCalls } from './architecture/statements.js';

/** Statements whose text is made of what only the running program knows: each is run by the spec of its module. */
const MOST_UNKNOWN = 26;
/** Tables whose rows no repository inserts: with every write of content, by a statement that stays prepared; with columns of a protocol. */
const INSERTED_BY_SQL: ReadonlySet<string> = new Set(['revision', 'identity_provider']);

// Its database has the tables of the queue of jobs, too.
const app = useApp();
let calls: StatementCall[];

beforeAll(() => {
  const config = ts.parseJsonConfigFileContent(
    ts.readConfigFile('tsconfig.build.json', (file) => ts.sys.readFile(file)).config,
    ts.sys,
    resolve('.'),
  );
  calls = statementCalls(ts.createProgram(config.fileNames, config.options), resolve('src'));
}, 300_000);

function fits({ type }: RowProperty, column: Column): boolean {
  return column.type === 'json' || type === 'unknown' || type.split(' | ').includes(column.type);
}

function faultsOf(row: readonly RowProperty[], columns: readonly Column[]): string[] {
  const given = new Map(columns.map((column) => [column.name, column]));
  return [
    ...row.filter(({ name, isOptional }) => !isOptional && !given.has(name)).map(({ name }) => `gives no ${name}`),
    ...row.flatMap((property) => {
      const column = given.get(property.name);
      return column && !fits(property, column)
        ? [`gives ${property.name} as ${column.type}, not as ${property.type}`]
        : [];
    }),
  ];
}

describe('the statements of the source', () => {
  it('can be prepared on the migrated schema, and give the columns that their row types declare', async () => {
    const describer = await StatementDescriber.connect(app.current.databaseUrl);
    const faults: string[] = [];
    let checked = 0;
    for (const { path, line, texts, row } of calls) {
      for (const text of texts) {
        const found = await describer.columnsOf(text).then(
          (columns) => (row ? faultsOf(row, columns) : []),
          (error: Error) => [`${error.message}: ${text}`],
        );
        faults.push(...found.map((fault) => `${path}:${line} ${fault}`));
        checked++;
      }
    }
    await describer.end();
    const unknown = calls.filter(({ texts }) => texts.length === 0);
    process.stdout.write(
      `statements: ${checked} texts of ${calls.length - unknown.length} of ${calls.length} calls checked\n`,
    );
    expect([...new Set(faults)]).toEqual([]);
    expect(unknown.length).toBeLessThanOrEqual(MOST_UNKNOWN);
  }, 120_000);

  it('are not those that a repository writes: one row with its values, without a condition or an answer', () => {
    const plain = /^INSERT INTO (\w+) \([^)]*\) VALUES \((?:\$\d+|'[^']*'|true|false|NULL|, )+\)$/;
    const found = calls.flatMap(({ path, texts }) =>
      texts.flatMap((text) => {
        const [, table = ''] = plain.exec(text.replace(/\s+/g, ' ').trim()) ?? [];
        return table === '' || INSERTED_BY_SQL.has(table)
          ? []
          : `${path} inserts a row of ${table}: use its repository`;
      }),
    );
    expect(found).toEqual([]);
  });
});
