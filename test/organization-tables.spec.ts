import { beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { declaredTable, type DeclaredTable, type TableKind } from '../src/kernel/common/table-kind.js';
import { ARCHIVED } from '../src/operations/organization-archives/archived-tables.js';
import { useApp } from './app.js';
import { KEY_FAULTS, REASONS_TO_INSTALLATION } from './architecture/organization-gaps.js';
import { organizationKeyFaults, type OrganizationKeyFaults } from './architecture/organization-keys.js';
import { scratchDatabase } from './scratch-database.js';

/** Tables without an entity: the history of migrations, and all tables of the queue of jobs, which a library makes. */
const WITHOUT_ENTITY: ReadonlyMap<string, TableKind> = new Map([
  ['jobs.*', 'installation'],
  ['public.migration', 'installation'],
]);

const app = useApp();
let entities: Map<string, DeclaredTable | undefined>;

beforeAll(() => {
  entities = new Map(
    app.current.nest
      .get(DataSource)
      .entityMetadatas.map(({ tableName, target }) => [tableName, declaredTable(target as object)]),
  );
});

describe('tables', () => {
  it('are declared as those of an organization, of reference or of the installation', async () => {
    expect([...entities].filter(([, declared]) => declared === undefined)).toEqual([]);
    const tables = await app.current.database.query<{ schema: string; name: string }>(
      `SELECT t.schemaname AS schema, t.tablename AS name FROM pg_tables t
        WHERE t.schemaname NOT IN ('pg_catalog', 'information_schema')
          AND NOT (SELECT c.relispartition FROM pg_class c WHERE c.oid = format('%I.%I', t.schemaname, t.tablename)::regclass)`,
    );
    const others = tables
      .filter(({ schema, name }) => schema !== 'public' || !entities.has(name))
      .map(({ schema, name }) => (schema === 'public' ? `public.${name}` : `${schema}.*`));
    expect([...new Set(others)].sort()).toEqual([...WITHOUT_ENTITY.keys()]);
  });

  it('are those of an organization where their rows leave with it', () => {
    expect(Object.keys(ARCHIVED).filter((table) => entities.get(table)?.kind !== 'organization')).toEqual([]);
  });

  it('of an organization hold it in their keys, apart from those that are named', async () => {
    const tables = new Map([...entities].flatMap(([name, declared]) => (declared ? [[name, declared] as const] : [])));
    const faults = await organizationKeyFaults((text) => app.current.nest.get(DataSource).query(text), tables);
    expect(faults).toEqual(KEY_FAULTS);
    expect(Object.keys(faults.toInstallation).sort()).toEqual(Object.keys(REASONS_TO_INSTALLATION));
  });
});

describe('the rules of keys', () => {
  const OWNED = { kind: 'organization', organizationColumn: 'organization_id' } as const;
  const TABLES = new Map<string, DeclaredTable>([
    ['organization', { kind: 'organization', organizationColumn: 'id' }],
    ['person', { kind: 'installation' }],
    ['unit', { kind: 'reference' }],
    ['shelf', OWNED],
    ['book', OWNED],
  ]);
  const NOTHING: OrganizationKeyFaults = {
    withoutOrganization: [],
    primaryKeys: [],
    uniqueIndexes: [],
    foreignKeys: [],
    toInstallation: {},
    fromOthers: {},
  };
  const SHELF =
    'organization_id text NOT NULL CONSTRAINT shelf_organization REFERENCES organization, id text, PRIMARY KEY (organization_id, id)';
  const BOOK = 'organization_id text NOT NULL, id text, shelf_id text, PRIMARY KEY (organization_id, id)';
  const ON_SHELF =
    'CONSTRAINT book_shelf FOREIGN KEY (organization_id, shelf_id) REFERENCES shelf (organization_id, id)';

  it.each<[string, string, string, string, Partial<OrganizationKeyFaults>]>([
    ['all that is right', SHELF, `${BOOK}, ${ON_SHELF}, unit text REFERENCES unit`, 'id text', {}],
    [
      'a missing column',
      SHELF,
      'id text PRIMARY KEY',
      'id text',
      { withoutOrganization: ['book'], primaryKeys: ['book'] },
    ],
    [
      'a column that may be null, in no primary key',
      SHELF,
      'organization_id text, id text',
      'id text',
      { withoutOrganization: ['book'], primaryKeys: ['book'] },
    ],
    [
      'a primary key that ends with it',
      SHELF,
      'id text, organization_id text, PRIMARY KEY (id, organization_id)',
      'id text',
      { primaryKeys: ['book'] },
    ],
    [
      'a unique index that only includes it',
      SHELF,
      `${BOOK}, CONSTRAINT book_shelf_key UNIQUE (shelf_id) INCLUDE (organization_id)`,
      'id text',
      { uniqueIndexes: ['book_shelf_key'] },
    ],
    [
      'a foreign key of one column',
      `${SHELF}, CONSTRAINT shelf_key UNIQUE (id)`,
      `${BOOK}, CONSTRAINT book_shelf FOREIGN KEY (shelf_id) REFERENCES shelf (id)`,
      'id text',
      { uniqueIndexes: ['shelf_key'], foreignKeys: ['book_shelf'] },
    ],
    [
      'a foreign key that holds it on one side',
      SHELF,
      `${BOOK}, CONSTRAINT book_shelf FOREIGN KEY (shelf_id, organization_id) REFERENCES shelf (organization_id, id)`,
      'id text',
      { foreignKeys: ['book_shelf'] },
    ],
    [
      'foreign keys to and from the installation',
      SHELF,
      `${BOOK}, ${ON_SHELF}, owner text CONSTRAINT book_owner REFERENCES person`,
      'id text, place text CONSTRAINT person_place REFERENCES organization',
      { toInstallation: { person: ['book_owner'] }, fromOthers: { organization: ['person_place'] } },
    ],
  ])('find %s', async (_, shelf, book, person, faults) => {
    const scratch = await scratchDatabase('empty');
    try {
      await scratch.source.query(`
        CREATE TABLE organization (id text PRIMARY KEY);
        CREATE TABLE unit (id text PRIMARY KEY);
        CREATE TABLE shelf (${shelf});
        CREATE TABLE person (${person}, PRIMARY KEY (id));
        CREATE TABLE book (${book});`);
      expect(await organizationKeyFaults((text) => scratch.source.query(text), TABLES)).toEqual({
        ...NOTHING,
        ...faults,
      });
    } finally {
      await scratch.drop();
    }
  });
});
