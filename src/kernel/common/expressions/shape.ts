import { ExpressionError, type Arrow, type ExpressionTree } from './tree.js';

/** The shape of data: a simple value, a list of such data, or an object with the fields that it always has. */
export type Shape = 'text' | 'number' | 'flag' | ListShape | FieldsShape;
interface ListShape {
  readonly of: Shape | undefined;
}
interface FieldsShape {
  readonly fields: Readonly<Record<string, Shape>>;
}

/** Undefined if the shape cannot be known before evaluation. */
type Known = Shape | undefined;
type Names = Readonly<Record<string, Known>>;

/**
 * Throws `ExpressionError` if a tree reads a field that data of this shape do not have, naming the path and the
 * available fields. Accesses that cannot be known before evaluation (`object[name]`) are left to `evaluate` with
 * `strict`.
 */
export function checkFields(tree: ExpressionTree, scope: FieldsShape): void {
  shapeOf(tree, scope.fields);
}

function shapeOf(tree: ExpressionTree, names: Names): Known {
  switch (tree.kind) {
    case 'value':
      return simpleShape(tree.value);
    case 'name':
      return Object.hasOwn(names, tree.name) ? names[tree.name] : undefined;
    case 'text':
      tree.parts.forEach((part) => shapeOf(part, names));
      return 'text';
    case 'list':
      return { of: common(tree.items.map((item) => shapeOf(item, names))) };
    case 'fields':
      return shapeOfObject(tree.entries, names);
    case 'unary':
      shapeOf(tree.operand, names);
      return tree.operator === 'typeof' ? 'text' : tree.operator === '!' ? 'flag' : 'number';
    case 'logical':
      return common([shapeOf(tree.left, names), shapeOf(tree.right, names)]);
    case 'binary':
      shapeOf(tree.left, names);
      shapeOf(tree.right, names);
      return undefined;
    case 'choice':
      shapeOf(tree.test, names);
      return common([shapeOf(tree.yes, names), shapeOf(tree.no, names)]);
    case 'chain':
      return shapeOf(tree.inner, names);
    case 'member':
      return shapeOfMember(tree, names);
    case 'call':
      return shapeOfCall(tree, names);
  }
}

function simpleShape(value: unknown): Known {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'flag' : undefined;
}

function shapeOfObject(entries: readonly (readonly [string, ExpressionTree])[], names: Names): Known {
  const fields = entries.map(([name, value]) => [name, shapeOf(value, names)] as const);
  return fields.every((entry): entry is readonly [string, Shape] => entry[1] !== undefined)
    ? { fields: Object.fromEntries(fields) }
    : undefined;
}

/** The shape that all values share, if any. */
function common(shapes: readonly Known[]): Known {
  const [first] = shapes;
  return shapes.every((shape) => shape === first) ? first : undefined;
}

function shapeOfMember(tree: Extract<ExpressionTree, { kind: 'member' }>, names: Names): Known {
  const object = shapeOf(tree.object, names);
  const name = tree.name.kind === 'value' ? tree.name.value : undefined;
  if (name === undefined || name === null) {
    shapeOf(tree.name, names);
    return typeof object === 'object' && 'of' in object ? object.of : undefined;
  }
  return object === undefined ? undefined : fieldShape(object, String(name), () => pathOf(tree.object));
}

function fieldShape(object: Shape, name: string, path: () => string): Known {
  if (typeof object === 'object' && 'fields' in object) {
    if (Object.hasOwn(object.fields, name)) return object.fields[name];
    throw new ExpressionError(`${path()} has no field ${name}: it has ${Object.keys(object.fields).join(', ')}`);
  }
  const isText = object === 'text';
  if (!isText && typeof object !== 'object')
    throw new ExpressionError(
      `${path()} is a ${object === 'flag' ? 'truth value' : 'number'} and has no field ${name}`,
    );
  if (name === 'length') return 'number';
  if (/^\d+$/.test(name)) return isText ? 'text' : object.of;
  throw new ExpressionError(`${path()} is a ${isText ? 'text' : 'list'} and has no field ${name}: it has length`);
}

function shapeOfCall(tree: Extract<ExpressionTree, { kind: 'call' }>, names: Names): Known {
  const object = shapeOf(tree.object, names);
  const list = typeof object === 'object' && 'of' in object ? object : undefined;
  const values = tree.values.map((value) => shapeOf(value, names));
  const made = tree.each && shapeOfArrow(tree.each, list, names);
  switch (tree.method) {
    case 'map':
      return { of: made };
    case 'filter':
    case 'slice':
      return object;
    case 'find':
      return list?.of;
    case 'at':
      return object === 'text' ? 'text' : list?.of;
    case 'every':
    case 'some':
    case 'includes':
    case 'startsWith':
    case 'endsWith':
      return 'flag';
    case 'indexOf':
      return 'number';
    case 'split':
      return { of: common(values) };
    default:
      return 'text';
  }
}

function shapeOfArrow({ parameters, body }: Arrow, list: ListShape | undefined, names: Names): Known {
  const given: readonly Known[] = [list?.of, 'number', list];
  return shapeOf(body, { ...names, ...Object.fromEntries(parameters.map((name, index) => [name, given[index]])) });
}

/** The source path of a value, as far as it is known. */
function pathOf(tree: ExpressionTree): string {
  if (tree.kind === 'name') return tree.name;
  if (tree.kind === 'chain') return pathOf(tree.inner);
  if (tree.kind === 'member') {
    const name = tree.name.kind === 'value' ? String(tree.name.value) : undefined;
    if (name === undefined) return `${pathOf(tree.object)}[…]`;
    return /^\d+$/.test(name) ? `${pathOf(tree.object)}[${name}]` : `${pathOf(tree.object)}.${name}`;
  }
  return tree.kind === 'call' ? `${pathOf(tree.object)}.${tree.method}(…)` : 'a value';
}
