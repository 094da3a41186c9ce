import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import ts from 'typescript';

export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** `type`: erased at run time; `dynamic`: loaded when the call is reached. */
  readonly kind: 'static' | 'type' | 'dynamic';
  readonly names: readonly string[];
}

/** What a rule may want to know of one file. */
export interface SourceFile {
  /** Path relative to the folder that was read, with `/`. */
  readonly path: string;
  readonly imports: readonly Import[];
  readonly defaultExports: readonly number[];
  readonly anyTypes: readonly number[];
  /** Calls that read the clock or draw random numbers. */
  readonly impure: readonly { readonly call: string; readonly line: number }[];
  readonly tree: ts.SourceFile;
}

/** The line of a node, counted from 1. */
export const lineOf = (tree: ts.SourceFile, node: ts.Node): number =>
  tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;

const IMPURE_CALLS = new Set([
  'Date.now',
  'Math.random',
  'performance.now',
  'process.hrtime',
  'randomUUID',
  'randomBytes',
  'randomInt',
]);

function importOf(tree: ts.SourceFile, node: ts.Node): Import | undefined {
  const line = lineOf(tree, node);
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const clause = node.importClause;
    const bindings =
      clause?.namedBindings && ts.isNamedImports(clause.namedBindings) ? clause.namedBindings.elements : undefined;
    const erased =
      clause?.phaseModifier === ts.SyntaxKind.TypeKeyword ||
      (bindings?.length && !clause?.name && bindings.every((each) => each.isTypeOnly));
    const names = bindings?.map((each) => (each.propertyName ?? each.name).text) ?? [];
    return { specifier: node.moduleSpecifier.text, line, kind: erased ? 'type' : 'static', names };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
    return { specifier: node.moduleSpecifier.text, line, kind: node.isTypeOnly ? 'type' : 'static', names: [] };
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [target] = node.arguments;
    return target && ts.isStringLiteral(target)
      ? { specifier: target.text, line, kind: 'dynamic', names: [] }
      : undefined;
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
    return { specifier: node.argument.literal.text, line, kind: 'type', names: [] };
  }
  return undefined;
}

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return true;
  if (ts.isExportSpecifier(node)) return node.name.text === 'default';
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) ?? false)
  );
}

function impureCall(tree: ts.SourceFile, node: ts.Node): string | undefined {
  if (ts.isNewExpression(node) && node.expression.getText(tree) === 'Date' && !node.arguments?.length)
    return 'new Date()';
  if (!ts.isCallExpression(node)) return undefined;
  const called = node.expression.getText(tree);
  return IMPURE_CALLS.has(called) || IMPURE_CALLS.has(called.split('.').at(-1) ?? '') ? called : undefined;
}

/** Parses one file; nothing is resolved or type-checked. */
export function parseSource(path: string, text: string): SourceFile {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const imports: Import[] = [];
  const defaultExports: number[] = [];
  const anyTypes: number[] = [];
  const impure: { call: string; line: number }[] = [];
  const visit = (node: ts.Node): void => {
    const found = importOf(tree, node);
    if (found) imports.push(found);
    if (isDefaultExport(node)) defaultExports.push(lineOf(tree, node));
    if (node.kind === ts.SyntaxKind.AnyKeyword) anyTypes.push(lineOf(tree, node));
    const call = impureCall(tree, node);
    if (call) impure.push({ call, line: lineOf(tree, node) });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { path, imports, defaultExports, anyTypes, impure, tree };
}

/** Parses every `.ts` file below a folder. */
export function readSources(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => parseSource(relative(folder, file).split(sep).join('/'), readFileSync(file, 'utf8')));
}

/** The file that a relative specifier names, relative to the folder that was read; undefined for packages. */
export function targetOf(file: SourceFile, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  return posix.join(posix.dirname(file.path), specifier).replace(/\.js$/, '.ts');
}

/** Name of the package that a specifier names: `@scope/name` or `name`. */
export function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
}

/** The module of a file: its room and the folder in it, `workspace/spaces`; the room alone for files that lie beside its modules, empty beside the rooms. */
export const moduleOf = (path: string): string => path.split('/').slice(0, -1).slice(0, 2).join('/');

export const isDomain = (path: string): boolean => dirname(path).split('/').includes('domain');
