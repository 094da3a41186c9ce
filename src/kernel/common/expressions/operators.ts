import {
  ExpressionError,
  type BinaryOperator,
  type Data,
  type DataObject,
  type List,
  type Primitive,
  type UnaryOperator,
} from './tree.js';
import { MAX_TEXT, tooLong, type EvaluationBudget } from './evaluation-budget.js';

export function isList(value: unknown): value is List {
  return Array.isArray(value);
}

export function isDataObject(value: Data): value is DataObject {
  return typeof value === 'object' && value !== null && !isList(value);
}

export function isNothing(value: Data): value is undefined | null {
  return value === undefined || value === null;
}

/** Converts a value to text, as JavaScript does; objects have no text. */
export function toText(value: Data, work: EvaluationBudget): string {
  if (!isList(value)) {
    if (isDataObject(value)) throw new ExpressionError('an object has no text');
    return typeof value === 'string' ? value : String(value);
  }
  return joinTexts(value, ',', work);
}

/** Joins the texts of items with a separator; items that are nothing become empty texts. */
export function joinTexts(items: List, separator: string, work: EvaluationBudget): string {
  const texts: string[] = [];
  let length = 0;
  for (const item of items) {
    const text = isNothing(item) ? '' : toText(item, work);
    length += text.length + separator.length;
    if (length > MAX_TEXT + separator.length) throw tooLong();
    work.step();
    texts.push(text);
  }
  return work.made(texts.join(separator));
}

export function unary(operator: UnaryOperator, operand: Data, work: EvaluationBudget): Primitive {
  switch (operator) {
    case '!':
      return !operand;
    case '-':
      return -numberOf(operand, work);
    case '+':
      return numberOf(operand, work);
    case 'typeof':
      return typeof operand;
  }
}

export function binary(operator: BinaryOperator, left: Data, right: Data, work: EvaluationBudget): Primitive {
  switch (operator) {
    case '===':
      return same(left, right, work);
    case '!==':
      return !same(left, right, work);
    case '==':
      return alike(left, right, work);
    case '!=':
      return !alike(left, right, work);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compare(operator, primitive(left, work), primitive(right, work), work);
    case '+':
      return sum(primitive(left, work), primitive(right, work), work);
    case '-':
      return numberOf(left, work) - numberOf(right, work);
    case '*':
      return numberOf(left, work) * numberOf(right, work);
    case '/':
      return numberOf(left, work) / numberOf(right, work);
    case '%':
      return numberOf(left, work) % numberOf(right, work);
  }
}

export function same(left: Data, right: Data, work: EvaluationBudget): boolean {
  if (typeof left === 'string' && typeof right === 'string' && left.length === right.length) work.read(left);
  return left === right;
}

/** `==` of JavaScript: values of different types are compared as numbers, and nothing equals only nothing. */
function alike(left: Data, right: Data, work: EvaluationBudget): boolean {
  if (isNothing(left) || isNothing(right)) return isNothing(left) && isNothing(right);
  if (typeof left === 'object' && typeof right === 'object') return left === right;
  const a = primitive(left, work);
  const b = primitive(right, work);
  return typeof a === typeof b ? same(a, b, work) : Number(a) === Number(b);
}

function compare(
  operator: '<' | '<=' | '>' | '>=',
  left: Primitive,
  right: Primitive,
  work: EvaluationBudget,
): boolean {
  const texts = typeof left === 'string' && typeof right === 'string';
  if (texts) work.read(left);
  const [a, b] = texts ? [left, right] : [Number(left), Number(right)];
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
  }
}

function sum(left: Primitive, right: Primitive, work: EvaluationBudget): Primitive {
  if (typeof left !== 'string' && typeof right !== 'string') return Number(left) + Number(right);
  return work.made(`${String(left)}${String(right)}`);
}

function numberOf(value: Data, work: EvaluationBudget): number {
  const simple = primitive(value, work);
  return Number(typeof simple === 'string' ? work.read(simple) : simple);
}

function primitive(value: Data, work: EvaluationBudget): Primitive {
  if (isList(value)) return toText(value, work);
  if (isDataObject(value)) throw new ExpressionError('an object cannot be compared or calculated with');
  return value;
}
