import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import ts from 'typescript';
import { Pages } from '../src/kernel/common/page.js';
import { useApp } from './app.js';
import { sendComposedStatements } from './architecture/composed-statements.js';
import { type Column, StatementDescriber } from './architecture/described-columns.js';
import { plainlyWritten, readingWrites } from './architecture/plain-writes.js';
import { RecordedStatements } from './architecture/recorded-statements.js';
import { type RowProperty, type StatementCall, statementCalls } from './architecture/statements.js';

/** Tables of which single rows are written by statements, and why: most of these are so frequent that they have to stay prepared. */
const WRITTEN_BY_SQL: ReadonlyMap<string, string> = new Map([
  ['revision', 'every write of content inserts one'],
  [
    'space',
    'every write of content moves its head, and one that has expired goes after the rows of all tables below it',
  ],
  ['job_lane', 'every job of a lane takes it and leaves it'],
  ['event_audience', 'a row is there or not, which is one statement either way'],
  ['identity_provider', 'each protocol brings columns of its own'],
]);

// Its database has the tables of the queue of jobs, too.
const app = useApp();
let program: ts.Program;
let calls: StatementCall[];

beforeAll(() => {
  const config = ts.parseJsonConfigFileContent(
    ts.readConfigFile('tsconfig.build.json', (file) => ts.sys.readFile(file)).config,
    ts.sys,
    resolve('.'),
  );
  program = ts.createProgram(config.fileNames, config.options);
  calls = statementCalls(program, resolve('src'));
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
    const recorded = new RecordedStatements(app.current.database, app.current.get(Pages));
    await sendComposedStatements(app.current);
    const sent = calls.map((call) => ({ ...call, texts: call.texts.length > 0 ? call.texts : recorded.of(call) }));
    const describer = await StatementDescriber.connect(app.current.databaseUrl);
    const faults: string[] = [];
    let checked = 0;
    for (const { path, line, texts, row } of sent) {
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
    const unknown = sent.filter(({ texts }) => texts.length === 0).map(({ path, line }) => `${path}:${line}`);
    process.stdout.write(
      `statements: ${checked} texts of ${calls.length - unknown.length} of ${calls.length} calls checked\n`,
    );
    expect([[...new Set(faults)], unknown]).toEqual([[], []]);
  }, 300_000);

  it('are not those that a repository writes: one row of given values, or by its key, without a condition or an answer', () => {
    const tables = new Map(
      app.current.nest.get(DataSource).entityMetadatas.map((entity) => [
        entity.tableName,
        {
          key: entity.primaryColumns.map(({ databaseName }) => databaseName),
          version: entity.versionColumn?.databaseName,
        },
      ]),
    );
    const plain = calls.flatMap(({ path, line, texts }) =>
      texts.flatMap((text) => {
        const table = plainlyWritten(text, tables);
        return table === undefined
          ? []
          : [{ table, fault: `${path}:${line} writes a row of ${table}: use its repository` }];
      }),
    );
    expect(plain.filter(({ table }) => !WRITTEN_BY_SQL.has(table)).map(({ fault }) => fault)).toEqual([]);
    expect(new Set(plain.map(({ table }) => table))).toEqual(new Set(WRITTEN_BY_SQL.keys()));
  });

  it('do not come after a read that a repository makes: rows are written by insert, update and delete', () => {
    expect(readingWrites(program, resolve('src'))).toEqual([]);
  });
});

describe('the rule of plain writes', () => {
  const tables = new Map([
    ['team', { key: ['id'], version: 'version' }],
    ['member', { key: ['team_id', 'user_id'] }],
  ]);

  it.each([
    ["INSERT INTO team (id, title, open, size) VALUES ($1, 'New', true, 0)", 'team'],
    ['INSERT INTO team (id, facts)\n  VALUES ($1, $2::jsonb)', 'team'],
    ['INSERT INTO team (id) VALUES ($1) ON CONFLICT DO NOTHING', undefined],
    ['INSERT INTO team (id) VALUES ($1) RETURNING version', undefined],
    ["INSERT INTO team (id, hash) VALUES ($1, decode($2, 'hex'))", undefined],
    ['INSERT INTO elsewhere (id) VALUES ($1)', undefined],
    ['DELETE FROM team WHERE id = $1', 'team'],
    ['DELETE FROM team WHERE organization_id = $1 AND id = $2', 'team'],
    ['DELETE FROM team WHERE organization_id = $1', undefined],
    ['DELETE FROM team WHERE id = $1 RETURNING title', undefined],
    ['DELETE FROM member WHERE team_id = $1 AND user_id = $2', 'member'],
    ['DELETE FROM member WHERE team_id = $1', undefined],
    ['DELETE FROM member WHERE team_id = $1 AND user_id = $2 AND NOT owner', undefined],
    ['UPDATE team SET title = $2, version = version + 1 WHERE id = $1', 'team'],
    ['UPDATE team SET title = $2 WHERE id = $1', undefined],
    ['UPDATE team SET size = size + 1, version = version + 1 WHERE id = $1', undefined],
    ['UPDATE member SET role = $3 WHERE team_id = $1 AND user_id = $2', 'member'],
    ['UPDATE member SET role = NULL WHERE team_id = $1 AND user_id = $2 AND role = $3', undefined],
    ['UPDATE member SET role = coalesce($3, role) WHERE team_id = $1 AND user_id = $2', undefined],
  ])('judges %s', (text, table) => {
    expect(plainlyWritten(text, tables)).toBe(table);
  });
});
