import { relative } from 'node:path';
import ts from 'typescript';

/** What a write of one row depends on: the columns of the primary key, and the one that counts versions. */
export interface WrittenTable {
  readonly key: readonly string[];
  readonly version?: string | undefined;
}

const VALUE = String.raw`(?:\$\d+|'[^']*'|-?\d+|true|false|NULL)(?:::\w+)?`;
const list = (item: string, separator: string): string => `${item}(?:${separator}${item})*`;
const WHERE = `WHERE (?<where>${list(String.raw`\w+ = \$\d+`, ' AND ')})`;
const SET = list(String.raw`(?:\w+ = ${VALUE}|version = version \+ 1)`, ', ');
const PLAIN = [
  new RegExp(String.raw`^INSERT INTO (?<inserted>\w+) \([\w, ]+\) VALUES \(${list(VALUE, ', ')}\)$`),
  new RegExp(String.raw`^DELETE FROM (?<table>\w+) ${WHERE}$`),
  new RegExp(String.raw`^UPDATE (?<table>\w+) SET (?<set>${SET}) ${WHERE}$`),
];

const columnsIn = (text: string): string[] => [...text.matchAll(/(\w+) = /g)].map(([, column = '']) => column);

/**
 * The table of a statement that does no more than a repository does: it inserts one row of given values, or changes or removes
 * the row with a key. A change that leaves the version of a row as it is, or has a condition on what it sets, is none of these.
 */
export function plainlyWritten(text: string, tables: ReadonlyMap<string, WrittenTable>): string | undefined {
  const statement = text.replace(/\s+/g, ' ').trim();
  const parts = PLAIN.map((pattern) => pattern.exec(statement)?.groups).find((groups) => groups !== undefined);
  if (!parts) return undefined;
  const { inserted, table = '', set = '', where = '' } = parts;
  if (inserted !== undefined) return tables.has(inserted) ? inserted : undefined;
  const written = tables.get(table);
  const [changed, named] = [columnsIn(set), columnsIn(where)];
  const isByKey =
    written?.key.every((column) => named.includes(column)) && !named.some((name) => changed.includes(name));
  const keepsVersion = set !== '' && written?.version !== undefined && !changed.includes(written.version);
  return isByKey && !keepsVersion ? table : undefined;
}

/** Calls of the methods of repositories that read rows before they write them, as `path:line`. */
export function readingWrites(program: ts.Program, folder: string): string[] {
  const checker = program.getTypeChecker();
  const found: string[] = [];
  for (const file of program.getSourceFiles()) {
    const path = relative(folder, file.fileName);
    if (path.startsWith('..') || file.fileName.includes('/node_modules/')) continue;
    const visit = (node: ts.Node): void => {
      if (
        ts.isPropertyAccessExpression(node) &&
        ['save', 'remove'].includes(node.name.text) &&
        ['Repository', 'EntityManager'].includes(checker.getTypeAtLocation(node.expression).symbol?.name)
      )
        found.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`);
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return found;
}
