import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import ts from 'typescript';
import { Pages } from '../src/kernel/common/page.js';
import { declaredTable } from '../src/kernel/common/table-kind.js';
import { useApp } from './app.js';
import { sendComposedStatements } from './architecture/composed-statements.js';
import { uncomparedTables } from './architecture/compared-organizations.js';
import { type Column, StatementDescriber } from './architecture/described-columns.js';
import { plainlyWritten, readingWrites } from './architecture/plain-writes.js';
import { UNCOMPARED } from './architecture/organization-gaps.js';
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
  ['backfill', 'the command that migrates knows no entities'],
  ['event_audience', 'a row is there or not, which is one statement either way'],
  ['identity_provider', 'each protocol brings columns of its own'],
]);

// Its database has the tables of the queue of jobs, too.
const app = useApp();
let program: ts.Program;
let calls: StatementCall[];
/** The calls with all texts that they send, those that only a running program knows among them. */
let sent: StatementCall[];

beforeAll(() => {
  const config = ts.parseJsonConfigFileContent(
    ts.readConfigFile('tsconfig.build.json', (file) => ts.sys.readFile(file)).config,
    ts.sys,
    resolve('.'),
  );
  program = ts.createProgram(config.fileNames, config.options);
  calls = statementCalls(program, resolve('src'));
}, 300_000);

beforeAll(async () => {
  const recorded = new RecordedStatements(app.current.database, app.current.get(Pages));
  await sendComposedStatements(app.current);
  sent = calls.map((call) => ({ ...call, texts: call.texts.length > 0 ? call.texts : recorded.of(call) }));
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

/** The columns with the organization of its tables and of the views on them. */
async function organizationColumns(): Promise<Map<string, string | undefined>> {
  const source = app.current.nest.get(DataSource);
  const views = await source.query<{ view: string; column: string | null }[]>(
    `SELECT c.relname AS view, a.attname AS "column"
       FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id'
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'v'`,
  );
  const entities = source.entityMetadatas.flatMap(({ tableName, target, columns }) => {
    const column = declaredTable(target as object)?.organizationColumn;
    const isThere = columns.some(({ databaseName }) => databaseName === column);
    return column === undefined ? [] : [[tableName, isThere ? column : undefined] as const];
  });
  return new Map([...entities, ...views.map(({ view, column }) => [view, column ?? undefined] as const)]);
}

describe('the statements of the source', () => {
  it('can be prepared on the migrated schema, and give the columns that their row types declare', async () => {
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

  it('compare the organization of the tables that they touch, apart from those that are counted', async () => {
    const columns = await organizationColumns();
    const found = new Map<string, string[]>();
    for (const { path, line, texts } of sent) {
      const tables = await Promise.all(texts.map((text) => uncomparedTables(text, columns)));
      for (const table of new Set(tables.flat())) found.set(table, [...(found.get(table) ?? []), `${path}:${line}`]);
    }
    const counts = Object.fromEntries([...found].map(([table, places]) => [table, places.length]));
    const faults = [...found].filter(([table, places]) => places.length !== UNCOMPARED[table]);
    expect({ counts, faults: Object.fromEntries(faults) }).toEqual({ counts: UNCOMPARED, faults: {} });
  });

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

describe('the rule of compared organizations', () => {
  const COLUMNS = new Map([
    ['organization', 'id'],
    ['shelf', 'organization_id'],
    ['book', 'organization_id'],
    ['note', undefined],
  ]);

  it.each<[string, readonly string[]]>([
    ['SELECT title FROM book WHERE organization_id = $1 AND id = $2', []],
    ['SELECT title FROM book WHERE id = $1', ['book']],
    ['SELECT organization_id FROM book WHERE id = $1 ORDER BY organization_id', ['book']],
    ['SELECT 1 FROM book WHERE organization_id <> $1', ['book']],
    ['SELECT 1 FROM book WHERE NOT organization_id = $1', ['book']],
    ['SELECT 1 FROM book b WHERE b.organization_id = b.organization_id', ['book']],
    ['SELECT 1 FROM book WHERE organization_id = ANY ($1::text[])', []],
    ['SELECT 1 FROM book WHERE (organization_id, id) IN (($1, $2), ($3, $4))', []],
    ['SELECT 1 FROM book WHERE (organization_id, id) = ($1, $2)', []],
    ['SELECT 1 FROM book WHERE organization_id = $1 OR id = $2', ['book']],
    ['SELECT 1 FROM book WHERE organization_id = $1 AND id = $2 OR organization_id = $3', []],
    ['SELECT 1 FROM person p WHERE p.organization_id = $1', []],
    ['SELECT title FROM note WHERE id = $1', ['note']],
    ['SELECT 1 FROM elsewhere.book', []],
    ['SELECT 1 FROM organization WHERE id = $1', []],
    ['SELECT 1 FROM organization o JOIN book b ON b.organization_id = o.id WHERE o.id = $1', []],
    ['SELECT 1 FROM book b, shelf s WHERE s.id = b.shelf_id AND b.organization_id = $1', ['shelf']],
    ['SELECT 1 FROM book b JOIN shelf s USING (organization_id) WHERE b.id = $1', []],
    ['SELECT 1 FROM book b LEFT JOIN shelf s ON s.organization_id = b.organization_id', ['book']],
    ['SELECT 1 FROM book b LEFT JOIN shelf s USING (organization_id) WHERE b.organization_id = $1', []],
    ['SELECT 1 FROM book b FULL JOIN shelf s ON s.organization_id = b.organization_id', ['book', 'shelf']],
    ['SELECT 1 FROM person p JOIN (book b JOIN shelf s ON s.organization_id = b.organization_id) ON true', []],
    [
      'SELECT 1 FROM book b WHERE EXISTS (SELECT FROM shelf s WHERE s.organization_id = b.organization_id AND s.id = b.shelf_id)',
      [],
    ],
    [
      'SELECT 1 FROM book b WHERE NOT EXISTS (SELECT FROM shelf s WHERE s.organization_id = b.organization_id)',
      ['book'],
    ],
    ['SELECT (SELECT title FROM shelf s WHERE s.organization_id = b.organization_id) FROM book b', ['book']],
    ['SELECT 1 FROM book WHERE organization_id = (SELECT organization_id FROM shelf WHERE id = $1)', ['shelf']],
    ['SELECT 1 FROM book WHERE (organization_id, id) IN (SELECT organization_id, id FROM shelf)', ['shelf']],
    [
      'SELECT 1 FROM shelf s WHERE s.organization_id = $1 AND EXISTS (SELECT FROM note WHERE organization_id = $1)',
      ['note'],
    ],
    ['SELECT 1 FROM shelf s, LATERAL (SELECT 1 FROM book b WHERE b.organization_id = s.organization_id) x', ['shelf']],
    ['SELECT 1 FROM (SELECT * FROM book) b WHERE b.organization_id = $1', ['book']],
    ['WITH book AS (SELECT 1 AS id) SELECT id FROM book', []],
    ['WITH b AS (SELECT * FROM book) SELECT 1 FROM b JOIN shelf s ON s.organization_id = b.organization_id', ['book']],
    [
      `WITH RECURSIVE t AS (SELECT id, organization_id FROM shelf WHERE organization_id = $1
         UNION ALL SELECT s.id, s.organization_id FROM shelf s JOIN t ON s.organization_id = t.organization_id) SELECT 1 FROM t`,
      [],
    ],
    ['SELECT 1 FROM book WHERE organization_id = $1 UNION SELECT 1 FROM shelf', ['shelf']],
    ['SELECT 1 FROM book b WHERE b.organization_id = $1 FOR UPDATE OF b', []],
    ['UPDATE book SET organization_id = $1 WHERE id = $2', ['book']],
    ['UPDATE book b SET title = s.title FROM shelf s WHERE s.organization_id = b.organization_id AND b.id = $1', []],
    ['UPDATE book b SET title = s.title FROM shelf s WHERE b.organization_id = $1', ['shelf']],
    ['DELETE FROM book b USING shelf s WHERE (b.organization_id, b.shelf_id) = (s.organization_id, s.id)', []],
    ['DELETE FROM book RETURNING organization_id', ['book']],
    [
      'INSERT INTO book (organization_id, id) VALUES ($1, $2) ON CONFLICT (organization_id, id) DO UPDATE SET id = $2',
      [],
    ],
    ['INSERT INTO book (id) SELECT id FROM shelf WHERE organization_id = $1 RETURNING id', ['book']],
    ['INSERT INTO book (organization_id, id) SELECT organization_id, id FROM shelf', ['shelf']],
    ['INSERT INTO organization (id) VALUES ($1)', []],
    ['MERGE INTO book b USING shelf s ON b.organization_id = s.organization_id WHEN MATCHED THEN DELETE', []],
    [
      'WITH gone AS (DELETE FROM book RETURNING *) INSERT INTO shelf (organization_id) SELECT organization_id FROM gone',
      ['book'],
    ],
    ['LOCK TABLE shelf', ['shelf']],
  ])('judges %s', async (text, tables) => {
    expect(await uncomparedTables(text, COLUMNS)).toEqual(tables);
  });
});
