import type { DeclaredTable } from '../../src/kernel/common/table-kind.js';

/** A query that answers with rows. */
type Query = <Row>(text: string) => Promise<Row[]>;

interface Column {
  readonly table: string;
  readonly name: string;
}

interface UniqueIndex {
  readonly table: string;
  readonly name: string;
  readonly isPrimary: boolean;
  readonly columns: readonly string[];
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly target: string;
  readonly columns: readonly string[];
  readonly targetColumns: readonly string[];
}

/** Foreign keys as `names` by the tables that they point to. */
type KeysByTarget = Readonly<Record<string, readonly string[]>>;

/** What keeps tables of organizations from being distributed by organization: each list is sorted. */
export interface OrganizationKeyFaults {
  /** Tables whose column with the organization is missing, or may be null. */
  readonly withoutOrganization: readonly string[];
  /** Tables whose primary key does not begin with the organization. */
  readonly primaryKeys: readonly string[];
  /** Other unique indexes without the organization. */
  readonly uniqueIndexes: readonly string[];
  /** Foreign keys between such tables that do not hold the organization on both sides. */
  readonly foreignKeys: readonly string[];
  /** Foreign keys of tables of organizations to those of the installation, by their target. */
  readonly toInstallation: KeysByTarget;
  /** Foreign keys of all other tables to tables of organizations, by their target. */
  readonly fromOthers: KeysByTarget;
}

const COLUMNS = `
  SELECT c.relname AS "table", a.attname AS name
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped AND a.attnotnull`;

const UNIQUE_INDEXES = `
  SELECT t.relname AS "table", c.relname AS name, i.indisprimary AS "isPrimary",
         ARRAY(SELECT a.attname::text FROM unnest(i.indkey) WITH ORDINALITY AS k (number, place)
                 JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
                WHERE k.place <= i.indnkeyatts ORDER BY k.place) AS columns
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
   WHERE t.relnamespace = 'public'::regnamespace AND i.indisunique`;

const columnsOf = (relation: string, numbers: string): string =>
  `ARRAY(SELECT a.attname::text FROM unnest(${numbers}) WITH ORDINALITY AS k (number, place)
           JOIN pg_attribute a ON a.attrelid = ${relation} AND a.attnum = k.number ORDER BY k.place)`;

const FOREIGN_KEYS = `
  SELECT c.relname AS "table", f.conname AS name, t.relname AS target,
         ${columnsOf('f.conrelid', 'f.conkey')} AS columns, ${columnsOf('f.confrelid', 'f.confkey')} AS "targetColumns"
    FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_class t ON t.oid = f.confrelid
   WHERE f.contype = 'f' AND c.relnamespace = 'public'::regnamespace`;

function byTarget(keys: readonly ForeignKey[]): KeysByTarget {
  const found: Record<string, string[]> = {};
  for (const { target, name } of keys) (found[target] ??= []).push(name);
  return Object.fromEntries(Object.entries(found).map(([target, names]) => [target, names.sort()]));
}

/** Reads the catalogue of a database whose tables are declared by these names. */
export async function organizationKeyFaults(
  query: Query,
  tables: ReadonlyMap<string, DeclaredTable>,
): Promise<OrganizationKeyFaults> {
  const columns = await query<Column>(COLUMNS);
  const indexes = await query<UniqueIndex>(UNIQUE_INDEXES);
  const keys = await query<ForeignKey>(FOREIGN_KEYS);
  const organizationOf = (table: string): string | undefined => tables.get(table)?.organizationColumn;
  const owned = [...tables.keys()].filter((table) => organizationOf(table) !== undefined).sort();
  const given = new Set(columns.map(({ table, name }) => `${table}.${name}`));
  const isHeld = ({ table, target, columns: from, targetColumns }: ForeignKey): boolean => {
    const place = from.indexOf(organizationOf(table) ?? '');
    return place >= 0 && targetColumns[place] === organizationOf(target);
  };
  const primary = new Map(indexes.filter(({ isPrimary }) => isPrimary).map((index) => [index.table, index.columns]));
  const [between, others] = [
    keys.filter(({ table }) => owned.includes(table)),
    keys.filter(({ table }) => !owned.includes(table)),
  ];
  return {
    withoutOrganization: owned.filter((table) => !given.has(`${table}.${organizationOf(table)}`)),
    primaryKeys: owned.filter((table) => primary.get(table)?.[0] !== organizationOf(table)),
    uniqueIndexes: indexes
      .filter(({ table, isPrimary }) => !isPrimary && owned.includes(table))
      .filter((index) => !index.columns.includes(organizationOf(index.table) ?? ''))
      .map(({ name }) => name)
      .sort(),
    foreignKeys: between
      .filter((key) => owned.includes(key.target) && !isHeld(key))
      .map(({ name }) => name)
      .sort(),
    toInstallation: byTarget(between.filter(({ target }) => tables.get(target)?.kind === 'installation')),
    fromOthers: byTarget(others.filter(({ target }) => owned.includes(target))),
  };
}
