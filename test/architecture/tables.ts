import ts from 'typescript';
import { foundationsOf } from './rules.js';
import { lineOf, moduleOf, type SourceFile } from './source.js';

/** How a statement touches a table. */
export interface TableReference {
  readonly path: string;
  readonly line: number;
  readonly module: string;
  readonly table: string;
  readonly owner: string;
  readonly isWrite: boolean;
}

const ENTITY = /@Entity\('(\w+)'/;
const ENTITY_CLASS = /export class (\w+)/;
/** Where PostgreSQL expects a relation; an opening parenthesis makes it a function, but for INTO, whose columns it begins. */
const PLACES =
  /\b(FROM|JOIN|INTO|UPDATE|TABLE|USING|ONLY)\s+(?:ONLY\s+)?"?([a-z][a-z0-9_]*)"?(?![\w.])(?:(?<=\bINTO\s+"?[a-z0-9_]+"?)|(?!\s*\())/g;
const WRITES = new Set(['INTO', 'UPDATE']);
/** Methods of repositories that read; all others may write. */
const REPOSITORY_READS = /^(find|count|exist|sum|average|minimum|maximum|createQueryBuilder|metadata|target)/;
/** Tables after the first of a list: `FROM space s, member m`. */
const LISTED = /,\s*(?:LATERAL\s+)?"?([a-z][a-z0-9_]*)"?\s+(?:AS\s+)?[a-z]\w*\b(?=\s*(?:,|WHERE|JOIN|ON|LEFT|$))/g;

/** The module that owns each table: the one that declares its entity. */
export function tableOwners(files: readonly SourceFile[]): Map<string, string> {
  return new Map(
    files
      .filter(({ path }) => path.endsWith('.entity.ts'))
      .flatMap(({ path, tree }) => {
        const table = ENTITY.exec(tree.text)?.[1];
        return table === undefined ? [] : [[table, moduleOf(path)] as const];
      }),
  );
}

const MANIFEST_NAME = /defineModule\(\{\s*name: '(\w+)'/;
const MADE_TABLE = /^CREATE (?:UNLOGGED )?TABLE (\w+)/gm;
const RENAMED_TABLE = /\bALTER TABLE (\w+) RENAME TO (\w+)/g;
const ATTACHED_PARTITION = /\bALTER TABLE (\w+) ATTACH PARTITION (\w+)/g;
const DROPPED_TABLE = /^DROP TABLE (\w+)/gm;

/** The modules that made tables whose entity has moved to another one since: a migration that was applied stays as it is. */
const MADE_BEFORE_MOVE: ReadonlyMap<string, string> = new Map([['upload', 'imports']]);

/** Tables that are made by a migration of another module than the one with their entity. `migrations` are texts by the names of manifests. */
export function misplacedTables(files: readonly SourceFile[], migrations: ReadonlyMap<string, string>): string[] {
  const owners = tableOwners(files);
  return files.flatMap(({ path, tree }) => {
    const name = path.endsWith('.manifest.ts') ? MANIFEST_NAME.exec(tree.text)?.[1] : undefined;
    const text = migrations.get(name ?? '') ?? '';
    const renamed = new Map([...text.matchAll(RENAMED_TABLE)].map(([, from = '', to = '']) => [from, to]));
    // A partition is a part of its table.
    const attached = new Map([...text.matchAll(ATTACHED_PARTITION)].map(([, table = '', part = '']) => [part, table]));
    const made = [...text.matchAll(MADE_TABLE)]
      .map(([, table = '']) => renamed.get(table) ?? table)
      .map((table) => attached.get(table) ?? table);
    const dropped = new Set([...text.matchAll(DROPPED_TABLE)].map(([, table = '']) => table));
    return made
      .filter((table) => owners.has(table) || !dropped.has(table))
      .filter((table) => owners.get(table) !== moduleOf(path) && MADE_BEFORE_MOVE.get(table) !== name)
      .map((table) => `${name} makes ${table}`);
  });
}

/** The tables of entities, by the names of their classes. */
export function tablesOfEntities(files: readonly SourceFile[]): Map<string, string> {
  return new Map(
    files.flatMap(({ path, tree }) => {
      const [table, entity] = [ENTITY.exec(tree.text)?.[1], ENTITY_CLASS.exec(tree.text)?.[1]];
      return !path.endsWith('.entity.ts') || table === undefined || entity === undefined
        ? []
        : [[entity, table] as const];
    }),
  );
}

/** Literals of a file, templates with a blank for each part that is put into them. */
function literalsOf(tree: ts.SourceFile): { readonly text: string; readonly node: ts.Node }[] {
  const found: { text: string; node: ts.Node }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) found.push({ text: node.text, node });
    else if (ts.isTemplateExpression(node))
      found.push({
        text: [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' $ '),
        node,
      });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** What a file does with repositories: `database.of(Space).insert(…)` writes table space. */
function repositoriesOf({
  tree,
}: SourceFile): { readonly entity: string; readonly isWrite: boolean; readonly node: ts.Node }[] {
  const found: { entity: string; isWrite: boolean; node: ts.Node }[] = [];
  const visit = (node: ts.Node): void => {
    const [entity] = ts.isCallExpression(node) ? node.arguments : [];
    if (
      entity &&
      ts.isIdentifier(entity) &&
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      ['of', 'getRepository'].includes(node.expression.name.text)
    ) {
      const method = ts.isPropertyAccessExpression(node.parent) ? node.parent.name.text : '';
      found.push({ entity: entity.text, isWrite: !REPOSITORY_READS.test(method), node });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** All places where statements and repositories of a file touch tables that are known. */
export function tablesOf(
  file: SourceFile,
  owners: ReadonlyMap<string, string>,
  entities: ReadonlyMap<string, string> = new Map(),
): TableReference[] {
  const referenceAt =
    (node: ts.Node) =>
    (table: string, isWrite: boolean): TableReference[] => {
      const owner = owners.get(table);
      return owner === undefined
        ? []
        : [{ path: file.path, line: lineOf(file.tree, node), module: moduleOf(file.path), table, owner, isWrite }];
    };
  const inStatements = literalsOf(file.tree).flatMap(({ text, node }) => {
    const reference = referenceAt(node);
    const named = [...text.matchAll(PLACES)].flatMap(({ 1: word = '', 2: table = '', index }) =>
      reference(table, WRITES.has(word) || (word === 'FROM' && /\bDELETE\s+$/.test(text.slice(0, index)))),
    );
    const isStatement = named.length > 0;
    return isStatement
      ? [...named, ...[...text.matchAll(LISTED)].flatMap(({ 1: table = '' }) => reference(table, false))]
      : [];
  });
  const inRepositories = repositoriesOf(file).flatMap(({ entity, isWrite, node }) =>
    referenceAt(node)(entities.get(entity) ?? '', isWrite),
  );
  return [...inStatements, ...inRepositories];
}

/** References to tables of modules that the referring one does not stand on, and writes to tables of others. */
export function wrongTables(files: readonly SourceFile[], roots: readonly string[]): TableReference[] {
  const owners = tableOwners(files);
  const entities = tablesOfEntities(files);
  return files
    .filter(({ path }) => !roots.includes(moduleOf(path)) && moduleOf(path) !== '')
    .flatMap((file) => tablesOf(file, owners, entities))
    .filter(({ module, owner, isWrite }) => owner !== module && (isWrite || !foundationsOf(module).has(owner)));
}

const MADE_ROUTINE = /^CREATE (?:OR REPLACE )?(?:FUNCTION|PROCEDURE|VIEW) (\w+)/gm;
const CALLED = /\b([a-z][a-z0-9_]*)\(/g;

/**
 * Functions and views that join what several modules know. The lowest module that asks for one owns it, like a
 * contribution point; the migration of the highest module that has to be joined defines it.
 */
const ASSEMBLED: ReadonlyMap<string, string> = new Map([
  ['exceptional_spaces', 'identity/organizations'],
  ['exceptional_spaces_of', 'identity/organizations'],
  ['team_spaces', 'identity/teams'],
  ['collection_access', 'workspace/collections'],
  ['space_access', 'workspace/spaces'],
  ['hidden_pages', 'workspace/spaces'],
  ['limited_pages', 'workspace/spaces'],
  ['limited_spaces', 'workspace/spaces'],
  ['sees_page', 'workspace/spaces'],
  ['site_route', 'workspace/spaces'],
]);

/** The module that owns each function and view: the first that makes it, or that asks for an assembled one. `migrations` are texts by the names of manifests. */
export function routineOwners(
  files: readonly SourceFile[],
  migrations: ReadonlyMap<string, string>,
): Map<string, string> {
  const owners = new Map<string, string>();
  for (const { path, tree } of files) {
    const name = path.endsWith('.manifest.ts') ? MANIFEST_NAME.exec(tree.text)?.[1] : undefined;
    for (const [, routine = ''] of (migrations.get(name ?? '') ?? '').matchAll(MADE_ROUTINE)) {
      const asked = ASSEMBLED.get(routine);
      if (asked !== undefined && asked !== moduleOf(path) && !foundationsOf(moduleOf(path)).has(asked)) continue;
      owners.set(routine, asked ?? moduleOf(path));
    }
  }
  return owners;
}

/** Uses of functions and views of modules that the using one does not stand on. */
export function wrongRoutines(files: readonly SourceFile[], owners: ReadonlyMap<string, string>): string[] {
  return files.flatMap(({ path, tree }) => {
    const module = moduleOf(path);
    if (module === '') return [];
    const used = new Set(
      literalsOf(tree).flatMap(({ text }) => [
        ...[...text.matchAll(CALLED)].map(([, routine = '']) => routine),
        ...[...text.matchAll(PLACES)].map(({ 2: relation = '' }) => relation),
      ]),
    );
    return [...used]
      .filter((routine) => {
        const owner = owners.get(routine);
        return owner !== undefined && owner !== module && !foundationsOf(module).has(owner);
      })
      .map((routine) => `${path} uses ${routine}`);
  });
}

/** A reference without its place, so that it stays the same when lines are added. */
export const named = ({ path, table, isWrite }: TableReference): string =>
  `${path} ${isWrite ? 'writes' : 'reads'} ${table}`;
