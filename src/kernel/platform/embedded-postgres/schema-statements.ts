import type { DatabaseConnection } from '../../common/connection.js';

/** An object of a database, and a statement that makes it, or a part of it, elsewhere. */
export interface SchemaStatement {
  /** The object as it is told to an operator; the same in every version of PostgreSQL. */
  readonly object: string;
  readonly text: string;
}

/** Statements that make a database again: those before its rows and those behind them. */
export interface DatabaseSchema {
  readonly before: readonly SchemaStatement[];
  readonly behind: readonly SchemaStatement[];
  /** Names of tables that have rows of their own, as they stand in statements. */
  readonly tables: readonly string[];
}

/** Schemas that are not PostgreSQL's own; all names are written with their schema, because the search path is empty. */
const OWN_SCHEMA = (schema: string): string =>
  `${schema} IN (SELECT oid FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema')`;

/** Objects that an extension makes come with it. */
const OWN = (catalogue: string, oid: string): string =>
  `NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = '${catalogue}'::regclass AND d.objid = ${oid} AND d.deptype = 'e')`;

const RELATION = `${OWN_SCHEMA('c.relnamespace')} AND c.relpersistence <> 't' AND ${OWN('pg_class', 'c.oid')}`;

const OPTIONS = (options: string): string =>
  `(SELECT string_agg(split_part(o, '=', 1) || '=' || quote_literal(substr(o, strpos(o, '=') + 1)), ', ') FROM unnest(${options}) o)`;

const SEQUENCE_OPTIONS = `concat(' INCREMENT BY ', s.seqincrement, ' MINVALUE ', s.seqmin, ' MAXVALUE ', s.seqmax, ' START WITH ', s.seqstart,
  ' CACHE ', s.seqcache, CASE WHEN s.seqcycle THEN ' CYCLE' END)`;

const COLUMN = `concat(quote_ident(a.attname), ' ', format_type(a.atttypid, a.atttypmod),
    CASE WHEN a.attstorage <> t.typstorage THEN CASE a.attstorage WHEN 'p' THEN ' STORAGE PLAIN' WHEN 'm' THEN ' STORAGE MAIN'
      WHEN 'e' THEN ' STORAGE EXTERNAL' ELSE ' STORAGE EXTENDED' END END,
    CASE a.attcompression WHEN 'p' THEN ' COMPRESSION pglz' WHEN 'l' THEN ' COMPRESSION lz4' END,
    (SELECT format(' COLLATE %I.%I', n.nspname, l.collname) FROM pg_collation l JOIN pg_namespace n ON n.oid = l.collnamespace
      WHERE l.oid = a.attcollation AND a.attcollation <> t.typcollation),
    CASE WHEN a.attgenerated <> '' THEN concat(' GENERATED ALWAYS AS (', pg_get_expr(f.adbin, f.adrelid), CASE a.attgenerated WHEN 's' THEN ') STORED'
      ELSE ') VIRTUAL' END)
         ELSE ' DEFAULT ' || pg_get_expr(f.adbin, f.adrelid) END,
    CASE WHEN a.attidentity <> '' AND NOT c.relispartition THEN
      concat(' GENERATED ', CASE a.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END, ' AS IDENTITY (SEQUENCE NAME ',
        (SELECT concat(s.seqrelid::regclass, ${SEQUENCE_OPTIONS}) FROM pg_sequence s JOIN pg_depend d ON d.objid = s.seqrelid
          AND d.classid = 'pg_class'::regclass
          WHERE d.refobjid = c.oid AND d.refobjsubid = a.attnum AND d.deptype = 'i'), ')') END,
    CASE WHEN a.attnotnull THEN ' NOT NULL' END)`;

const COLUMNS = `(SELECT string_agg(${COLUMN}, ', ' ORDER BY a.attnum) FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_attrdef f ON f.adrelid = a.attrelid AND f.adnum = a.attnum WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)`;

const TABLE = `concat('CREATE ', CASE c.relpersistence WHEN 'u' THEN 'UNLOGGED ' END, 'TABLE ', c.oid::regclass, ' (', ${COLUMNS}, ')',
    CASE c.relkind WHEN 'p' THEN ' PARTITION BY ' || pg_get_partkeydef(c.oid) END,
    (SELECT ' WITH (' || string_agg(o, ', ') || ')' FROM (SELECT ${OPTIONS('c.reloptions')} UNION ALL SELECT ${OPTIONS(
      "ARRAY(SELECT 'toast.' || o FROM pg_class toast, unnest(toast.reloptions) o WHERE toast.oid = c.reltoastrelid)",
    )}) AS options (o)))`;

const DOMAIN = `concat('CREATE DOMAIN ', t.oid::regtype, ' AS ', format_type(t.typbasetype, t.typtypmod),
    (SELECT format(' COLLATE %I.%I', n.nspname, l.collname) FROM pg_collation l JOIN pg_namespace n ON n.oid = l.collnamespace
      JOIN pg_type b ON b.oid = t.typbasetype
      WHERE l.oid = t.typcollation AND b.typcollation <> t.typcollation),
    ' DEFAULT ' || t.typdefault, CASE WHEN t.typnotnull THEN ' NOT NULL' END,
    (SELECT string_agg(format(' CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid)), '' ORDER BY k.conname)
       FROM pg_constraint k WHERE k.contypid = t.oid AND k.contype = 'c'))`;

/** Objects that rows need, roughly in the order in which they can be made; one that is refused waits for those it needs. */
const BEFORE = `
  SELECT 1 AS step, oid, format('schema %I', nspname) AS object, format('CREATE SCHEMA IF NOT EXISTS %I', nspname) AS text
    FROM pg_namespace n WHERE ${OWN_SCHEMA('n.oid')} AND ${OWN('pg_namespace', 'n.oid')}
  UNION ALL
  SELECT 2, e.oid, format('extension %I', e.extname), format('CREATE EXTENSION IF NOT EXISTS %I SCHEMA %I', e.extname, n.nspname)
    FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
  UNION ALL
  SELECT 3, t.oid, 'type ' || t.oid::regtype, CASE t.typtype
         WHEN 'e' THEN concat('CREATE TYPE ', t.oid::regtype, ' AS ENUM (', (SELECT string_agg(quote_literal(enumlabel), ', ' ORDER BY enumsortorder)
           FROM pg_enum WHERE enumtypid = t.oid), ')')
         WHEN 'd' THEN ${DOMAIN} ELSE concat('CREATE TYPE ', t.oid::regtype, ' AS (', (SELECT ${COLUMNS} FROM pg_class c WHERE c.oid = t.typrelid), ')') END
    FROM pg_type t LEFT JOIN pg_class r ON r.oid = t.typrelid
   WHERE ${OWN_SCHEMA('t.typnamespace')} AND ${OWN('pg_type', 't.oid')} AND (t.typtype IN ('e', 'd') OR t.typtype = 'c' AND r.relkind = 'c')
  UNION ALL
  SELECT 4, c.oid, 'sequence ' || c.oid::regclass, concat('CREATE ', CASE c.relpersistence WHEN 'u' THEN 'UNLOGGED ' END, 'SEQUENCE ', c.oid::regclass,
    ' AS ', s.seqtypid::regtype, ${SEQUENCE_OPTIONS})
    FROM pg_class c JOIN pg_sequence s ON s.seqrelid = c.oid
   WHERE ${RELATION} AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'i')
  UNION ALL
  SELECT 5, p.oid, 'function ' || p.oid::regprocedure, pg_get_functiondef(p.oid)
    FROM pg_proc p WHERE p.prokind <> 'a' AND ${OWN_SCHEMA('p.pronamespace')} AND ${OWN('pg_proc', 'p.oid')}
  UNION ALL
  SELECT 6, c.oid, 'table ' || c.oid::regclass, ${TABLE} FROM pg_class c WHERE c.relkind IN ('r', 'p') AND ${RELATION}
  UNION ALL
  SELECT 7, c.oid, format('partition %s of %s', c.oid::regclass, i.inhparent::regclass),
         format('ALTER TABLE ONLY %s ATTACH PARTITION %s %s', i.inhparent::regclass, c.oid::regclass, pg_get_expr(c.relpartbound, c.oid))
    FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid WHERE c.relkind IN ('r', 'p') AND c.relispartition AND ${RELATION}
  UNION ALL
  SELECT 8, c.oid, 'owner of sequence ' || c.oid::regclass, format('ALTER SEQUENCE %s OWNED BY %s.%I', c.oid::regclass, d.refobjid::regclass, a.attname)
    FROM pg_class c JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.refclassid = 'pg_class'::regclass AND d.deptype = 'a'
    JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid WHERE c.relkind = 'S' AND ${RELATION}
  UNION ALL
  SELECT 9, c.oid, 'view ' || c.oid::regclass, concat('CREATE VIEW ', c.oid::regclass, ' (', (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum)
    FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0), ')',
         ' WITH (' || ${OPTIONS('c.reloptions')} || ')', ' AS ', pg_get_viewdef(c.oid))
    FROM pg_class c WHERE c.relkind = 'v' AND ${RELATION}
  ORDER BY 1, 2`;

const TABLE_PART = `JOIN pg_class c ON c.oid = k.conrelid WHERE ${RELATION}`;

/** Privileges of roles on objects, by the names of both in statements. */
const PRIVILEGES = `
  SELECT 'SCHEMA ' || n.oid::regnamespace AS target, n.nspacl AS acl FROM pg_namespace n WHERE ${OWN_SCHEMA('n.oid')} AND ${OWN('pg_namespace', 'n.oid')}
  UNION ALL SELECT concat(CASE c.relkind WHEN 'S' THEN 'SEQUENCE ' ELSE 'TABLE ' END, c.oid::regclass), c.relacl FROM pg_class c WHERE c.relkind IN ('r',
    'p', 'v', 'm', 'S') AND ${RELATION}
  UNION ALL SELECT concat(CASE p.prokind WHEN 'p' THEN 'PROCEDURE ' ELSE 'FUNCTION ' END, p.oid::regprocedure), p.proacl
    FROM pg_proc p WHERE p.prokind <> 'a' AND ${OWN_SCHEMA('p.pronamespace')} AND ${OWN('pg_proc', 'p.oid')}
  UNION ALL SELECT concat('TYPE ', t.oid::regtype), t.typacl FROM pg_type t WHERE ${OWN_SCHEMA('t.typnamespace')} AND ${OWN('pg_type', 't.oid')}
  UNION ALL SELECT format('DATABASE %I', datname), datacl FROM pg_database WHERE datname = current_database()`;

const GRANTEE = `CASE x.grantee WHEN 0 THEN 'PUBLIC' ELSE x.grantee::regrole::text END`;
/** The order in which privileges are kept follows from how they were given. */
const IN_ORDER = 'ORDER BY x.grantee::regrole::text, x.privilege_type';
const GRANTABLE = `CASE WHEN x.is_grantable THEN ' WITH GRANT OPTION' END`;

/** Everything that is made faster, or only possible, behind the rows. */
const BEHIND = `
  SELECT CASE WHEN k.contype IN ('c', 'n') THEN 1 WHEN k.contype = 'f' THEN 7 ELSE 2 END AS step, CASE WHEN c.relispartition THEN 0 ELSE 1 END AS place,
    k.oid,
         format('constraint %I of %s', k.conname, c.oid::regclass) AS object,
         concat('ALTER TABLE ', CASE WHEN k.contype IN ('p', 'u', 'x') THEN 'ONLY ' END, c.oid::regclass, ' ADD CONSTRAINT ', quote_ident(k.conname), ' ',
           pg_get_constraintdef(k.oid)) AS text
    FROM pg_constraint k ${TABLE_PART} AND (k.contype IN ('p', 'u', 'x') OR k.contype = 'c' AND k.conislocal OR k.contype = 'f' AND k.conparentid = 0)
  UNION ALL
  SELECT 3, 0, c.oid, 'materialized view ' || c.oid::regclass, concat('CREATE MATERIALIZED VIEW ', c.oid::regclass, ' AS ', rtrim(pg_get_viewdef(c.oid),
    ';'), CASE WHEN NOT c.relispopulated THEN ' WITH NO DATA' END)
    FROM pg_class c WHERE c.relkind = 'm' AND ${RELATION}
  UNION ALL
  SELECT 4, 0, c.oid, 'index ' || c.oid::regclass, pg_get_indexdef(c.oid)
    FROM pg_class c JOIN pg_index x ON x.indexrelid = c.oid WHERE ${RELATION} AND x.indisvalid
     AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = c.oid AND k.contype IN ('p', 'u', 'x'))
  UNION ALL
  SELECT 5, 0, c.oid, format('index %s of index %s', c.oid::regclass, i.inhparent::regclass), format('ALTER INDEX %s ATTACH PARTITION %s',
    i.inhparent::regclass, c.oid::regclass)
    FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid WHERE c.relkind IN ('i', 'I') AND ${RELATION}
  UNION ALL
  SELECT 6, 0, x.oid, 'statistics ' || x.stxname, pg_get_statisticsobjdef(x.oid) FROM pg_statistic_ext x WHERE ${OWN_SCHEMA('x.stxnamespace')}
  UNION ALL
  SELECT 6, 1, c.oid, format('column %I of %s', a.attname, c.oid::regclass), concat_ws('; ',
         format('ALTER TABLE ONLY %s ALTER COLUMN %I SET STATISTICS ', c.oid::regclass, a.attname) || nullif((to_jsonb(a) ->> 'attstattarget')::int, -1),
         format('ALTER TABLE ONLY %s ALTER COLUMN %I SET (', c.oid::regclass, a.attname) || ${OPTIONS('a.attoptions')} || ')')
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped WHERE c.relkind IN ('r', 'p', 'm') AND ${RELATION}
     AND ((to_jsonb(a) ->> 'attstattarget')::int <> -1 OR a.attoptions IS NOT NULL)
  UNION ALL
  SELECT 6, 2, c.oid, 'replica identity of ' || c.oid::regclass, CASE c.relreplident
         WHEN 'i' THEN format('ALTER TABLE ONLY %s REPLICA IDENTITY USING INDEX %I', c.oid::regclass, (SELECT r.relname FROM pg_index x
           JOIN pg_class r ON r.oid = x.indexrelid WHERE x.indrelid = c.oid AND x.indisreplident))
         ELSE format('ALTER TABLE ONLY %s REPLICA IDENTITY %s', c.oid::regclass, CASE c.relreplident WHEN 'f' THEN 'FULL' ELSE 'NOTHING' END) END
    FROM pg_class c WHERE c.relkind IN ('r', 'p') AND c.relreplident <> 'd' AND ${RELATION}
  UNION ALL
  SELECT 8, 0, t.oid, format('trigger %I of %s', t.tgname, c.oid::regclass), concat(pg_get_triggerdef(t.oid), CASE WHEN t.tgenabled <> 'O' THEN
         format('; ALTER TABLE %s %s TRIGGER %I', c.oid::regclass, CASE t.tgenabled WHEN 'D' THEN 'DISABLE' WHEN 'A' THEN 'ENABLE ALWAYS'
           ELSE 'ENABLE REPLICA' END, t.tgname) END)
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND ${RELATION}
  UNION ALL
  SELECT 9, 0, c.oid, 'value of sequence ' || c.oid::regclass, format('SELECT setval(%L, %s)', c.oid::regclass, q.last_value)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_sequences q ON q.schemaname = n.nspname AND q.sequencename = c.relname
   WHERE q.last_value IS NOT NULL AND ${RELATION}
  UNION ALL
  SELECT 10, 0, e.objoid, concat('comment on ', i.type, ' ', i.identity), format('COMMENT ON %s %s IS %L', CASE WHEN i.type LIKE '% column' THEN 'COLUMN'
    WHEN i.type LIKE '% constraint' THEN 'CONSTRAINT' ELSE i.type END,
         CASE WHEN i.type = 'domain constraint' THEN replace(i.identity, ' on ', ' on domain ') ELSE i.identity END, e.description)
    FROM pg_description e, LATERAL pg_identify_object(e.classoid, e.objoid, e.objsubid) i WHERE e.objoid >= 16384 AND i.type <> 'extension'
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = e.classoid AND d.objid = e.objoid AND d.deptype = 'e')
  UNION ALL
  SELECT 11, 0, o.objid, concat('owner of ', i.type, ' ', i.identity), format('ALTER %s %s OWNER TO %s', i.type, i.identity, o.refobjid::regrole)
    FROM pg_shdepend o, LATERAL pg_identify_object(o.classid, o.objid, 0) i
   WHERE o.dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND o.deptype = 'o' AND o.objsubid = 0
     AND i.type IN ('table', 'view', 'materialized view', 'sequence', 'function', 'procedure', 'schema', 'type', 'statistics object')
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = o.classid AND d.objid = o.objid AND (d.deptype = 'e' OR i.type = 'sequence'
       AND d.deptype IN ('i', 'a') AND d.refclassid = 'pg_class'::regclass))
  UNION ALL
  SELECT 12, 0, 0, 'privileges on ' || g.target, concat('REVOKE ALL ON ', g.target, ' FROM PUBLIC', (
         SELECT string_agg(format('; GRANT %s ON %s TO %s', x.privilege_type, g.target, ${GRANTEE}) || coalesce(${GRANTABLE}, ''), '' ${IN_ORDER})
           FROM aclexplode(g.acl) x))
    FROM (${PRIVILEGES}) g WHERE g.acl IS NOT NULL
  UNION ALL
  SELECT 13, 0, c.oid, format('privileges on column %I of %s', a.attname, c.oid::regclass), (
         SELECT string_agg(format('GRANT %s (%I) ON %s TO %s', x.privilege_type, a.attname, c.oid::regclass, ${GRANTEE}) || coalesce(${GRANTABLE}, ''),
           '; ' ${IN_ORDER}) FROM aclexplode(a.attacl) x)
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid WHERE EXISTS (SELECT FROM aclexplode(a.attacl)) AND ${RELATION}
  UNION ALL
  SELECT 14, 0, f.oid, concat('default privileges of ', f.defaclrole::regrole, ' ', f.defaclobjtype), (
         SELECT string_agg(concat('ALTER DEFAULT PRIVILEGES FOR ROLE ', f.defaclrole::regrole, ' IN SCHEMA ' || nullif(f.defaclnamespace, 0)::regnamespace,
           ' GRANT ', x.privilege_type,
           CASE f.defaclobjtype WHEN 'r' THEN ' ON TABLES' WHEN 'S' THEN ' ON SEQUENCES' WHEN 'f' THEN ' ON FUNCTIONS' WHEN 'T' THEN ' ON TYPES'
             ELSE ' ON SCHEMAS' END,
           ' TO ', ${GRANTEE}, ${GRANTABLE}), '; ' ${IN_ORDER}) FROM aclexplode(f.defaclacl) x)
    FROM pg_default_acl f WHERE EXISTS (SELECT FROM aclexplode(f.defaclacl))
  ORDER BY 1, 2, 3`;

const TABLES = `SELECT c.oid::regclass::text AS name FROM pg_class c WHERE c.relkind = 'r' AND ${RELATION} ORDER BY pg_relation_size(c.oid) DESC, 1`;

/** The oid of the first object that is not PostgreSQL's own. */
const FIRST = 16_384;

const OTHERS = ['pg_operator', 'pg_cast', 'pg_conversion', 'pg_opclass', 'pg_opfamily', 'pg_ts_config', 'pg_ts_dict']
  .concat(['pg_ts_parser', 'pg_ts_template', 'pg_foreign_data_wrapper', 'pg_foreign_server', 'pg_event_trigger'])
  .concat(['pg_publication', 'pg_subscription', 'pg_policy', 'pg_collation', 'pg_language', 'pg_am', 'pg_transform'])
  .concat(['pg_largeobject_metadata']);

const OBJECTS_OF = (catalogue: string): string =>
  `SELECT pg_describe_object('${catalogue}'::regclass, o.oid, 0) AS object
     FROM ${catalogue} o WHERE o.oid >= ${FIRST} AND ${OWN(catalogue, 'o.oid')}`;

/** Objects of kinds that no statement above makes: at most ten, as they are told to an operator. */
const UNKNOWN = `SELECT object FROM (
  ${OTHERS.map(OBJECTS_OF).join('\n  UNION ALL ')}
  UNION ALL SELECT pg_describe_object('pg_proc'::regclass, p.oid, 0) FROM pg_proc p WHERE p.prokind = 'a' AND p.oid >= ${FIRST} AND ${OWN('pg_proc', 'p.oid')}
  UNION ALL SELECT pg_describe_object('pg_type'::regclass, t.oid, 0) FROM pg_type t WHERE (t.typtype = 'r' OR t.typtype = 'b' AND t.typelem = 0)
    AND t.oid >= ${FIRST} AND ${OWN('pg_type', 't.oid')}
  UNION ALL SELECT pg_describe_object('pg_rewrite'::regclass, r.oid, 0) FROM pg_rewrite r WHERE r.rulename <> '_RETURN' AND r.oid >= ${FIRST}
    AND ${OWN('pg_rewrite', 'r.oid')}
  UNION ALL SELECT 'the inheritance of ' || pg_describe_object('pg_class'::regclass, c.oid, 0) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE NOT c.relispartition AND ${OWN('pg_class', 'c.oid')}
  UNION ALL SELECT pg_describe_object('pg_class'::regclass, c.oid, 0) FROM pg_class c WHERE ${RELATION} AND (c.relkind = 'f' OR c.reloftype <> 0
    OR c.relrowsecurity OR c.reltablespace <> 0)) AS found
  ORDER BY object LIMIT 10`;

/** Objects of the database that `readSchema` has no statements for, as they are told to an operator: at most ten. */
export async function unknownObjects(client: DatabaseConnection): Promise<string[]> {
  return (await client.query<{ object: string }>(UNKNOWN)).rows.map(({ object }) => object);
}

/** Reads the objects of a database, whoever made them, in a transaction whose search path is empty. */
export async function readSchema(client: DatabaseConnection): Promise<DatabaseSchema> {
  const before = await client.query<SchemaStatement>(BEFORE);
  const behind = await client.query<SchemaStatement>(BEHIND);
  const tables = await client.query<{ name: string }>(TABLES);
  return { before: before.rows, behind: behind.rows, tables: tables.rows.map(({ name }) => name) };
}
