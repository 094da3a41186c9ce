import { relative } from 'node:path';
import ts from 'typescript';
import { ConstantValues } from './constant-values.js';

/** A property of a row type: its name, and what its values may be, as far as columns tell: `Date`, `string`, `number`, `boolean`, `object`. */
export interface RowProperty {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
}

/** A call that sends a statement to the database. */
export interface StatementCall {
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  /** The texts that the statement may have; none where they are not known without running the program. */
  readonly texts: readonly string[];
  /** The properties of the row type that the call names; undefined where it names none. */
  readonly row: readonly RowProperty[] | undefined;
}

const METHODS = new Set(['query', 'one', 'execute', 'unprepared']);
/** What `Pages.list` makes its statement of. */
const LIST_PARTS = ['select', 'from'] as const;

/** The calls of the methods of `Database` in the files of a program. */
export function statementCalls(program: ts.Program, folder: string): StatementCall[] {
  const checker = program.getTypeChecker();
  const files = program
    .getSourceFiles()
    .filter(({ fileName }) => !fileName.includes('/node_modules/') && !relative(folder, fileName).startsWith('..'));
  const values = new ConstantValues(checker, files);
  const found: StatementCall[] = [];
  for (const file of files) {
    const visit = (node: ts.Node): void => {
      const texts = ts.isCallExpression(node) ? textsOf(node, checker, values) : undefined;
      if (ts.isCallExpression(node) && texts) {
        const [row] = node.typeArguments ?? [];
        found.push({
          path: relative(folder, file.fileName),
          line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1,
          endLine: file.getLineAndCharacterOfPosition(node.getEnd()).line + 1,
          texts,
          row: row && propertiesOf(checker.getTypeFromTypeNode(row), checker),
        });
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return found;
}

/** The texts that a call sends; undefined where it sends none. */
function textsOf(call: ts.CallExpression, checker: ts.TypeChecker, values: ConstantValues): string[] | undefined {
  const { expression, arguments: given } = call;
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  // Names are looked at first, since types take much longer to find.
  if (!METHODS.has(expression.name.text) && expression.name.text !== 'list') return undefined;
  const owner = checker.getTypeAtLocation(expression.expression).symbol?.name;
  const [first, second] = given;
  if (owner === 'Database' && METHODS.has(expression.name.text) && first) return values.textsOf(first);
  if (owner !== 'Pages' || expression.name.text !== 'list' || !second) return undefined;
  const [selects = [], froms = []] = LIST_PARTS.map((name) => values.textsOfProperty(second, name));
  return selects.flatMap((select) => froms.map((from) => `SELECT ${select} ${from}`));
}

/** The properties of a row; those that not all members of a union have are optional. */
function propertiesOf(type: ts.Type, checker: ts.TypeChecker): RowProperty[] {
  const members = type.isUnion() ? type.types : [type];
  const all = new Map<string, RowProperty>();
  for (const property of members.flatMap((member) => checker.getPropertiesOfType(member))) {
    const { name, flags } = property;
    const isOptional =
      (flags & ts.SymbolFlags.Optional) !== 0 || !members.every((member) => checker.getPropertyOfType(member, name));
    all.set(name, {
      name,
      type: kindOf(
        checker.getNonNullableType(checker.getTypeOfSymbol(checker.getPropertyOfType(type, name) ?? property)),
        checker,
      ),
      isOptional,
    });
  }
  return [...all.values()];
}

function kindOf(type: ts.Type, checker: ts.TypeChecker): string {
  const kinds = new Set(
    (type.isUnion() ? type.types : [type]).map((each) => {
      if (each.flags & (ts.TypeFlags.StringLike | ts.TypeFlags.TemplateLiteral)) return 'string';
      if (each.flags & ts.TypeFlags.NumberLike) return 'number';
      if (each.flags & ts.TypeFlags.BooleanLike) return 'boolean';
      if (each.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) return 'unknown';
      if (each.flags & ts.TypeFlags.Null) return 'null';
      if (checker.isArrayType(each)) return 'array';
      return each.symbol?.name === 'Date' ? 'Date' : each.symbol?.name === 'Buffer' ? 'Buffer' : 'object';
    }),
  );
  kinds.delete('null');
  return [...kinds].sort().join(' | ');
}
