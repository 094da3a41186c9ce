import {
  parseExpressionAt,
  tokenizer,
  tokTypes,
  type AnyNode,
  type CallExpression,
  type MemberExpression,
  type Options,
  type Property,
  type SpreadElement,
} from 'acorn';
import { isMethod, mostValues, takesFunction } from './methods.js';
import {
  checkFieldName,
  ExpressionError,
  MAX_EXPRESSION_LENGTH,
  type Arrow,
  type BinaryOperator,
  type Expression,
  type ExpressionTree,
  type UnaryOperator,
} from './tree.js';

/** Maximum nesting depth of operations. */
const MAX_DEPTH = 100;
const OPTIONS: Options = { ecmaVersion: 2023, sourceType: 'module', preserveParens: true };

const UNARY: readonly string[] = ['!', '-', '+', 'typeof'] satisfies UnaryOperator[];
const BINARY: readonly string[] = [
  '===',
  '!==',
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  '+',
  '-',
  '*',
  '/',
  '%',
] satisfies BinaryOperator[];

/** Names, for error messages, of unsupported node kinds that authors are likely to try. */
const NAMES: Readonly<Record<string, string>> = {
  AssignmentExpression: 'an assignment',
  UpdateExpression: 'an assignment',
  NewExpression: 'new',
  ThisExpression: 'this',
  AwaitExpression: 'await',
  FunctionExpression: 'function',
  ClassExpression: 'class',
  SequenceExpression: 'a comma between expressions',
  SpreadElement: '...',
  TaggedTemplateExpression: 'a tagged template',
  ImportExpression: 'import',
  MetaProperty: 'import.meta',
};

/**
 * Parses one expression: a subset of JavaScript without statements, assignments, `new`, `this`, regular expressions and
 * functions as values. Throws `ExpressionError` for everything else.
 */
export function parseExpression(source: string): Expression {
  if (source.length > MAX_EXPRESSION_LENGTH)
    throw new ExpressionError(`an expression has at most ${MAX_EXPRESSION_LENGTH} characters`);
  const reader = new TreeReader();
  const tree = reader.read(syntaxOf(source));
  return { source, tree, roots: reader.roots };
}

/** The fault of an expression, undefined if it can be parsed. */
export function expressionFault(source: string): string | undefined {
  try {
    parseExpression(source);
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}

function syntaxOf(source: string): AnyNode {
  if (bracketDepth(source) > MAX_DEPTH) throw tooDeep();
  try {
    const node = parseExpressionAt(source, 0, OPTIONS);
    const rest = tokenizer(source.slice(node.end), OPTIONS).getToken();
    if (rest.type === tokTypes.eof) return node;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ExpressionError(`it is not a valid expression: ${error.message}`);
  }
  throw new ExpressionError('it is more than one expression');
}

/** The nesting depth of brackets, including those in texts: the parser would recurse as deep before it gives up. */
function bracketDepth(source: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of source) {
    if ('([{'.includes(character)) deepest = Math.max(deepest, ++depth);
    else if (')]}'.includes(character)) depth--;
  }
  return deepest;
}

class TreeReader {
  readonly roots = new Set<string>();
  private readonly parameters: string[] = [];
  private depth = 0;

  read(node: AnyNode): ExpressionTree {
    if (++this.depth > MAX_DEPTH) throw tooDeep();
    const tree = this.tree(node);
    this.depth--;
    return tree;
  }

  private tree(node: AnyNode): ExpressionTree {
    switch (node.type) {
      case 'Literal':
        if (node.regex || node.value instanceof RegExp) throw notPart('a regular expression');
        if (typeof node.value === 'bigint') throw notPart('a BigInt');
        return { kind: 'value', value: node.value };
      case 'Identifier':
        return this.name(node.name);
      case 'TemplateLiteral':
        return {
          kind: 'text',
          strings: node.quasis.map(({ value }) => value.cooked ?? ''),
          parts: this.all(node.expressions),
        };
      case 'ArrayExpression':
        return { kind: 'list', items: node.elements.map((item) => (item ? this.read(item) : refuse('an empty item'))) };
      case 'ObjectExpression':
        return { kind: 'fields', entries: node.properties.map((property) => this.entry(property)) };
      case 'UnaryExpression':
        if (!UNARY.includes(node.operator)) throw notPart(node.operator);
        return { kind: 'unary', operator: node.operator as UnaryOperator, operand: this.read(node.argument) };
      case 'LogicalExpression':
        return { kind: 'logical', operator: node.operator, left: this.read(node.left), right: this.read(node.right) };
      case 'BinaryExpression':
        if (!BINARY.includes(node.operator)) throw notPart(node.operator);
        return {
          kind: 'binary',
          operator: node.operator as BinaryOperator,
          left: this.read(node.left),
          right: this.read(node.right),
        };
      case 'ConditionalExpression':
        return {
          kind: 'choice',
          test: this.read(node.test),
          yes: this.read(node.consequent),
          no: this.read(node.alternate),
        };
      case 'MemberExpression':
        return { kind: 'member', object: this.read(node.object), name: this.memberName(node), optional: node.optional };
      case 'CallExpression':
        return this.call(node);
      case 'ChainExpression':
        return { kind: 'chain', inner: this.read(node.expression) };
      case 'ParenthesizedExpression':
        return this.read(node.expression);
      case 'ArrowFunctionExpression':
        throw new ExpressionError('a function can only be an argument of every, filter, find, map or some');
      default:
        throw notPart(Object.hasOwn(NAMES, node.type) ? (NAMES[node.type] ?? '') : node.type);
    }
  }

  private all(nodes: readonly AnyNode[]): ExpressionTree[] {
    return nodes.map((node) => this.read(node));
  }

  private name(name: string): ExpressionTree {
    if (name === 'undefined') return { kind: 'value', value: undefined };
    if (!this.parameters.includes(name)) this.roots.add(checkFieldName(name));
    return { kind: 'name', name };
  }

  private memberName(node: MemberExpression): ExpressionTree {
    if (node.property.type === 'PrivateIdentifier') throw notPart('a private name');
    if (node.computed) return this.read(node.property);
    return { kind: 'value', value: checkFieldName(node.property.type === 'Identifier' ? node.property.name : '') };
  }

  private entry(property: Property | SpreadElement): readonly [string, ExpressionTree] {
    if (property.type === 'SpreadElement') throw notPart('...');
    const { key, value } = property;
    if (property.computed || property.kind !== 'init' || property.method)
      throw notPart('a computed name, getter or method in an object');
    const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : '';
    return [checkFieldName(name), this.read(value)];
  }

  private call(node: CallExpression): ExpressionTree {
    const { callee } = node;
    if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier')
      throw new ExpressionError('only methods of texts and lists can be called');
    const method = callee.property.name;
    if (!isMethod(method)) throw new ExpressionError(`there is no method ${method}`);
    if (node.optional) throw notPart('?.()');
    if (callee.object.type === 'Super') throw notPart('super');
    const call = { kind: 'call', object: this.read(callee.object), method, optional: callee.optional } as const;
    if (takesFunction(method)) return { ...call, values: [], each: this.arrow(method, node.arguments) };
    if (node.arguments.length > mostValues(method))
      throw new ExpressionError(`${method} takes at most ${mostValues(method)} values`);
    return { ...call, values: this.all(node.arguments) };
  }

  private arrow(method: string, given: readonly AnyNode[]): Arrow {
    const [only] = given;
    if (given.length !== 1 || only?.type !== 'ArrowFunctionExpression')
      throw new ExpressionError(`${method} takes a function, such as item => item === 1`);
    if (only.async || only.body.type === 'BlockStatement') throw notPart('a function with statements');
    const parameters = only.params.map((parameter) => {
      if (parameter.type !== 'Identifier' || parameter.name === 'undefined')
        throw notPart('a parameter that is more than a name');
      return parameter.name;
    });
    this.parameters.push(...parameters);
    const body = this.read(only.body);
    this.parameters.length -= parameters.length;
    return { kind: 'arrow', parameters, body };
  }
}

function notPart(what: string): ExpressionError {
  return new ExpressionError(`${what} is not supported in expressions`);
}

function refuse(what: string): never {
  throw notPart(what);
}

function tooDeep(): ExpressionError {
  return new ExpressionError(`operations are nested more than ${MAX_DEPTH} deep`);
}
