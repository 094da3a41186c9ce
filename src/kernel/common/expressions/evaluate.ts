import { callMethod, isMethod, type Each } from './methods.js';
import { binary, isDataObject, isList, isNothing, toText, unary } from './operators.js';
import { parseExpression } from './parse.js';
import {
  checkFieldName,
  ExpressionError,
  type Arrow,
  type Data,
  type Expression,
  type DataObject,
  type ExpressionTree,
} from './tree.js';
import { EvaluationBudget } from './evaluation-budget.js';

/** The value of a chain after `?.` found nothing. */
const NOTHING = Symbol('nothing');
type Found = Data | typeof NOTHING;

/** The parameters of a function around the names of the scope. */
interface Frame {
  readonly names: readonly string[];
  readonly values: readonly Data[];
  readonly outer: Frame | undefined;
}

/**
 * Evaluates an expression. It reads only own fields of the data in `scope` and changes nothing. Throws
 * `ExpressionError` if the expression has no value or takes more steps than `work` has left. Lists may contain another
 * list many times over, so that their full text may be unbounded: use `evaluateText` for text. With `strict`, reading a
 * field that an object does not have is an error; otherwise the result is nothing.
 */
export function evaluate(
  expression: Expression,
  scope: DataObject,
  work = new EvaluationBudget(),
  strict = false,
): Data {
  return new Evaluation(scope, work, strict).value(expression.tree, undefined);
}

/** Evaluates an expression to text; nothing becomes the empty text. */
export function evaluateText(expression: Expression, scope: DataObject, work = new EvaluationBudget()): string {
  const value = evaluate(expression, scope, work);
  return isNothing(value) ? '' : work.made(toText(value, work));
}

/**
 * Tells whether a condition holds, or all of several. An absent condition always holds; one that cannot be parsed or
 * has no value never does.
 */
export function holds(condition: string | readonly string[] | null | undefined, scope: DataObject): boolean {
  const conditions = typeof condition === 'string' ? [condition] : (condition ?? []);
  return conditions.every((each) => {
    if (each.trim() === '') return true;
    try {
      return Boolean(evaluate(parseExpression(each), scope));
    } catch (error) {
      if (error instanceof ExpressionError) return false;
      throw error;
    }
  });
}

class Evaluation {
  constructor(
    private readonly scope: DataObject,
    private readonly work: EvaluationBudget,
    private readonly strict: boolean,
  ) {}

  value(tree: ExpressionTree, frame: Frame | undefined): Data {
    const found = this.find(tree, frame);
    return found === NOTHING ? undefined : found;
  }

  private find(tree: ExpressionTree, frame: Frame | undefined): Found {
    this.work.step();
    switch (tree.kind) {
      case 'value':
        return tree.value;
      case 'name':
        return this.named(tree.name, frame);
      case 'text':
        return this.text(tree, frame);
      case 'list':
        return tree.items.map((item) => this.value(item, frame));
      case 'fields':
        return Object.assign(
          Object.create(null),
          Object.fromEntries(tree.entries.map(([name, value]) => [name, this.value(value, frame)])),
        ) as DataObject;
      case 'unary':
        return unary(tree.operator, this.value(tree.operand, frame), this.work);
      case 'logical':
        return this.logical(tree, frame);
      case 'binary':
        return binary(tree.operator, this.value(tree.left, frame), this.value(tree.right, frame), this.work);
      case 'choice':
        return this.value(this.value(tree.test, frame) ? tree.yes : tree.no, frame);
      case 'chain':
        return this.value(tree.inner, frame);
      case 'member':
        return this.onObject(tree, frame, (object) => fieldOf(object, this.value(tree.name, frame), this.strict));
      case 'call':
        return this.onObject(tree, frame, (object) => {
          const values = tree.values.map((value) => this.value(value, frame));
          return callMethod(object, tree.method, values, tree.each && this.each(tree.each, frame), this.work);
        });
    }
  }

  /** Applies `read` to the object of a member access or call; gives nothing if the chain was cut short. */
  private onObject(
    tree: Extract<ExpressionTree, { kind: 'member' | 'call' }>,
    frame: Frame | undefined,
    read: (object: Data) => Data,
  ): Found {
    const object = this.find(tree.object, frame);
    if (object === NOTHING || (tree.optional && isNothing(object))) return NOTHING;
    return read(object);
  }

  private named(name: string, frame: Frame | undefined): Data {
    for (let at = frame; at !== undefined; at = at.outer) {
      const index = at.names.lastIndexOf(name);
      if (index >= 0) return at.values[index];
    }
    if (!Object.hasOwn(this.scope, name)) throw new ExpressionError(`${name} is not defined`);
    return data(this.scope[name]);
  }

  private text({ strings, parts }: Extract<ExpressionTree, { kind: 'text' }>, frame: Frame | undefined): string {
    let text = strings[0] ?? '';
    for (const [index, part] of parts.entries())
      text = this.work.made(`${text}${toText(this.value(part, frame), this.work)}${strings[index + 1] ?? ''}`);
    return text;
  }

  private logical(
    { operator, left, right }: Extract<ExpressionTree, { kind: 'logical' }>,
    frame: Frame | undefined,
  ): Data {
    const value = this.value(left, frame);
    const decides = operator === '??' ? !isNothing(value) : operator === '||' ? Boolean(value) : !value;
    return decides ? value : this.value(right, frame);
  }

  private each({ parameters, body }: Arrow, outer: Frame | undefined): Each {
    return (...values) => this.value(body, { names: parameters, values, outer });
  }
}

/** An own field of an object, an item of a list, a character of a text, or a length. */
function fieldOf(object: Data, name: Data, strict: boolean): Data {
  if (isNothing(object)) throw new ExpressionError(`${String(object)} has no fields`);
  if (typeof name !== 'string' && typeof name !== 'number')
    throw new ExpressionError('the name of a field must be a text or a number');
  const key = checkFieldName(String(name));
  const absent = (): undefined => {
    if (strict) throw new ExpressionError(`there is no field ${key} where it is read`);
  };
  if (isDataObject(object)) return Object.hasOwn(object, key) ? data(object[key]) : absent();
  if (typeof object !== 'string' && !isList(object)) return absent();
  if (key === 'length') return object.length;
  if (isMethod(key)) throw new ExpressionError(`${key} is a method, which can only be called`);
  return /^(?:0|[1-9]\d*)$/.test(key) ? data(object[Number(key)]) : absent();
}

/** Throws for a value that is not data: a scope may contain anything. */
function data(value: unknown): Data {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint')
    throw new ExpressionError('the field holds no data');
  return value as Data;
}
