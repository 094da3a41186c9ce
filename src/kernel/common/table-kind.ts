import 'reflect-metadata';

/**
 * The place of the rows of a table once organizations lie on several databases: those of an `organization` lie beside all others
 * of the same one, those of a `reference` table on every database, those of the `installation` on one that all organizations share.
 */
export type TableKind = 'organization' | 'reference' | 'installation';

export interface DeclaredTable {
  readonly kind: TableKind;
  /** The column with the id of the organization, in tables of an organization. */
  readonly organizationColumn?: string;
}

const DECLARED = Symbol('table kind');

const declare =
  (declared: DeclaredTable): ClassDecorator =>
  (entity) =>
    Reflect.defineMetadata(DECLARED, declared, entity);

/**
 * Each row belongs to one organization, whose id is in the column `organization_id`, or the named one: never null, first in the
 * primary key, part of all unique indexes and of foreign keys to other such tables, and compared by all statements. So the tables
 * can be distributed by that column. `test/organization-tables.spec.ts` names those for which some of it does not hold yet.
 */
export const OrganizationTable = (organizationColumn = 'organization_id'): ClassDecorator =>
  declare({ kind: 'organization', organizationColumn });

/** The table is small, seldom changes, and has the same rows on every database, so that statements on any of them can join it. */
export const ReferenceTable = (): ClassDecorator => declare({ kind: 'reference' });

/**
 * The rows belong to the installation as a whole: accounts and their tokens, names that are unique over all organizations, files by
 * their hashes, jobs, and what servers know of each other. No statement may need one together with rows of an organization for good.
 */
export const InstallationTable = (): ClassDecorator => declare({ kind: 'installation' });

/** The declaration of an entity; undefined where it has none. */
export const declaredTable = (entity: object): DeclaredTable | undefined =>
  Reflect.getMetadata(DECLARED, entity) as DeclaredTable | undefined;
