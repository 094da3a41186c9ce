import ts from 'typescript';
import {
  LAZY_FOLDERS,
  LAZY_PACKAGES,
  PURE_BUILTINS,
  PURE_FOLDERS,
  PURE_PACKAGES,
  SHARED_FILES,
  STANDS_ON,
} from './directions.js';
import { isDomain, moduleOf, packageOf, targetOf, type SourceFile } from './source.js';

/** A broken rule, as `path:line what`. */
export type Violation = string;

/** Everything that a module stands on, directly or not. */
export function foundationsOf(
  module: string,
  table: Readonly<Record<string, readonly string[]>> = STANDS_ON,
): Set<string> {
  const found = new Set<string>();
  const open = [...(table[module] ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(table[next] ?? []));
  }
  return found;
}

/** Folders without a row in the table, and rows that stand on themselves or on an unknown module. */
export function tableFaults(files: readonly SourceFile[], roots: readonly string[]): Violation[] {
  const folders = new Set(files.map(({ path }) => moduleOf(path)).filter((name) => name && !roots.includes(name)));
  const missing = [...folders]
    .filter((name) => !(name in STANDS_ON))
    .map((name) => `src/${name} has no row in the table of directions`);
  const circular = Object.keys(STANDS_ON)
    .filter((name) => foundationsOf(name).has(name))
    .map((name) => `${name} stands on itself`);
  const unknown = Object.entries(STANDS_ON).flatMap(([name, others]) =>
    others.filter((other) => !(other in STANDS_ON)).map((other) => `${name} stands on ${other}, which has no row`),
  );
  return [...missing, ...circular, ...unknown];
}

/** Imports against the direction. `roots` are folders that put everything together, such as the command line. */
export function wrongDirections(files: readonly SourceFile[], roots: readonly string[]): Violation[] {
  return files.flatMap((file) => {
    const from = moduleOf(file.path);
    const shared = SHARED_FILES.includes(file.path);
    if ((from === '' && !shared) || roots.includes(from)) return [];
    const allowed = foundationsOf(from).add(from);
    return file.imports.flatMap(({ specifier, line }) => {
      const target = targetOf(file, specifier);
      if (target === undefined || SHARED_FILES.includes(target)) return [];
      const to = moduleOf(target);
      return to !== '' && !shared && allowed.has(to) ? [] : [`${file.path}:${line} imports ${target}`];
    });
  });
}

/** Groups of files that import each other in a circle, types included. */
export function importCycles(files: readonly SourceFile[]): string[][] {
  const known = new Map(files.map((file) => [file.path, file]));
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const connect = (path: string): void => {
    index.set(path, index.size);
    low.set(path, index.size - 1);
    stack.push(path);
    const file = known.get(path);
    for (const { specifier } of file?.imports ?? []) {
      const next = file && targetOf(file, specifier);
      if (!next || !known.has(next)) continue;
      if (!index.has(next)) {
        connect(next);
        low.set(path, Math.min(low.get(path) ?? 0, low.get(next) ?? 0));
      } else if (stack.includes(next)) low.set(path, Math.min(low.get(path) ?? 0, index.get(next) ?? 0));
    }
    if (low.get(path) !== index.get(path)) return;
    const group = stack.splice(stack.indexOf(path));
    if (group.length > 1) cycles.push(group.sort());
  };
  for (const { path } of files) if (!index.has(path)) connect(path);
  return cycles;
}

/** What rules in `domain/` folders may not do: know the outside, read the clock, draw random numbers. */
export function impureDomains(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => isPure(path))
    .flatMap((file) => [
      ...file.imports.flatMap(({ specifier, line }) => {
        const target = targetOf(file, specifier);
        const pure = target === undefined ? isPurePackage(specifier) : isPure(target);
        return pure ? [] : [`${file.path}:${line} imports ${specifier}`];
      }),
      ...file.impure.map(({ call, line }) => `${file.path}:${line} calls ${call}`),
    ]);
}

const isPure = (path: string): boolean => isDomain(path) || PURE_FOLDERS.some((folder) => path.startsWith(folder));

const isPurePackage = (specifier: string): boolean =>
  specifier.startsWith('node:')
    ? PURE_BUILTINS.includes(specifier)
    : PURE_PACKAGES.some((pattern) => pattern.test(packageOf(specifier)));

/** Barrels, default exports, `any`, `forwardRef` and inverse relations. */
export function bannedForms(files: readonly SourceFile[]): Violation[] {
  return files.flatMap((file) => {
    const banned = file.imports.flatMap(({ specifier, names, line }) =>
      names
        .filter(
          (name) =>
            (name === 'forwardRef' && specifier === '@nestjs/common') ||
            (name === 'OneToMany' && specifier === 'typeorm'),
        )
        .map((name) => `${file.path}:${line} uses ${name}`),
    );
    return [
      ...(/(^|\/)index\.ts$/.test(file.path) ? [`${file.path}:1 is a barrel`] : []),
      ...file.defaultExports.map((line) => `${file.path}:${line} exports a default`),
      ...file.anyTypes.map((line) => `${file.path}:${line} says any`),
      ...banned,
    ];
  });
}

const inLazyFolder = (path: string): boolean => LAZY_FOLDERS.some((folder) => path.startsWith(folder));

/** Static imports of code that is needed only on request, from outside of it. A lazy file is one that lies in a lazy folder or loads a lazy package. */
export function eagerImports(files: readonly SourceFile[]): Violation[] {
  const loads = ({ imports }: SourceFile): boolean =>
    imports.some(({ specifier, kind }) => kind === 'static' && LAZY_PACKAGES.includes(packageOf(specifier)));
  const lazy = new Set(files.filter((file) => inLazyFolder(file.path) || loads(file)).map(({ path }) => path));
  return files.flatMap((file) =>
    file.imports
      .filter(
        ({ kind, specifier }) =>
          kind === 'static' && lazy.has(targetOf(file, specifier) ?? '') && !inLazyFolder(file.path),
      )
      .map(({ specifier, line }) => `${file.path}:${line} loads ${specifier} although it may never be needed`),
  );
}

/** The names that a file declares and exports. A type and a constant of one name are one. */
function exportedNames({ tree }: SourceFile): Set<string> {
  const names = new Set<string>();
  const add = (name: ts.Node | undefined): void => {
    if (name && ts.isIdentifier(name)) names.add(name.text);
    else if (name && (ts.isObjectBindingPattern(name) || ts.isArrayBindingPattern(name)))
      for (const element of name.elements) if (ts.isBindingElement(element)) add(element.name);
  };
  for (const statement of tree.statements) {
    const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
    if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
    if (ts.isVariableStatement(statement)) for (const { name } of statement.declarationList.declarations) add(name);
    else if (
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isEnumDeclaration(statement)
    )
      add(statement.name);
  }
  return names;
}

/** Exported names that several files declare: a reader who searches for one finds something else. */
export function homonyms(files: readonly SourceFile[]): Violation[] {
  const places = new Map<string, string[]>();
  for (const file of files)
    for (const name of exportedNames(file)) places.set(name, [...(places.get(name) ?? []), file.path]);
  return [...places]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name} is declared in ${paths.join(', ')}`)
    .sort();
}
