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
/** Where PostgreSQL expects a relation; a comma or parenthesis may follow, an opening one makes it a function. */
const PLACES = /\b(FROM|JOIN|INTO|UPDATE|TABLE|USING|ONLY)\s+(?:ONLY\s+)?"?([a-z][a-z0-9_]*)"?(?!\s*\(|[\w.])/g;
const WRITES = new Set(['INTO', 'UPDATE']);
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

/** All places where statements of a file touch tables that are known. */
export function tablesOf(file: SourceFile, owners: ReadonlyMap<string, string>): TableReference[] {
  return literalsOf(file.tree).flatMap(({ text, node }) => {
    const reference = (table: string, isWrite: boolean): TableReference[] => {
      const owner = owners.get(table);
      return owner === undefined
        ? []
        : [{ path: file.path, line: lineOf(file.tree, node), module: moduleOf(file.path), table, owner, isWrite }];
    };
    const named = [...text.matchAll(PLACES)].flatMap(({ 1: word = '', 2: table = '', index }) =>
      reference(table, WRITES.has(word) || (word === 'FROM' && /\bDELETE\s+$/.test(text.slice(0, index)))),
    );
    const isStatement = named.length > 0;
    return isStatement
      ? [...named, ...[...text.matchAll(LISTED)].flatMap(({ 1: table = '' }) => reference(table, false))]
      : [];
  });
}

/** References to tables of modules that the referring one does not stand on, and writes to tables of others. */
export function wrongTables(files: readonly SourceFile[], roots: readonly string[]): TableReference[] {
  const owners = tableOwners(files);
  return files
    .filter(({ path }) => !roots.includes(moduleOf(path)) && moduleOf(path) !== '')
    .flatMap((file) => tablesOf(file, owners))
    .filter(({ module, owner, isWrite }) => owner !== module && (isWrite || !foundationsOf(module).has(owner)));
}

/** A reference without its place, so that it stays the same when lines are added. */
export const named = ({ path, table, isWrite }: TableReference): string =>
  `${path} ${isWrite ? 'writes' : 'reads'} ${table}`;
