import { isNothing, joinTexts, same } from './operators.js';
import { ExpressionError, type Data, type List } from './tree.js';
import type { EvaluationBudget } from './evaluation-budget.js';

type TextMethod = (text: string, values: readonly Data[], work: EvaluationBudget) => Data;
type ListMethod = (list: List, values: readonly Data[], work: EvaluationBudget) => Data;
/** Calls a function for an item of a list. */
export type Each = (item: Data, index: number, list: List) => Data;
type EachMethod = (list: List, each: Each) => Data;

/** The methods of texts. They accept only the listed argument types and counts. */
const OF_TEXTS: Readonly<Record<string, TextMethod>> = {
  at: (text, values) => text.at(number(values, 0) ?? 0),
  endsWith: (text, values) => text.endsWith(string(values, 0)),
  includes: (text, values) => text.includes(string(values, 0)),
  indexOf: (text, values) => text.indexOf(string(values, 0)),
  slice: (text, values, work) => work.made(text.slice(number(values, 0), number(values, 1))),
  split: (text, values, work) => counted(text.split(string(values, 0)), work),
  startsWith: (text, values) => text.startsWith(string(values, 0)),
  toLowerCase: (text, _values, work) => work.made(text.toLowerCase()),
  toUpperCase: (text, _values, work) => work.made(text.toUpperCase()),
  trim: (text, _values, work) => work.made(text.trim()),
};

/** The methods of lists that take values. */
const OF_LISTS: Readonly<Record<string, ListMethod>> = {
  at: (list, values) => list.at(number(values, 0) ?? 0),
  includes: (list, [wanted], work) =>
    list.some((item) => same(item, wanted, work) || (Number.isNaN(item) && Number.isNaN(wanted))),
  indexOf: (list, [wanted], work) => list.findIndex((item) => same(item, wanted, work)),
  join: (list, values, work) => joinTexts(list, values[0] === undefined ? ',' : string(values, 0), work),
  slice: (list, values, work) => counted(list.slice(number(values, 0), number(values, 1)), work),
};

/** The methods of lists that call a function for the items. */
const WITH_FUNCTIONS: Readonly<Record<string, EachMethod>> = {
  every: (list, each) => list.every((item, index) => each(item, index, list)),
  filter: (list, each) => list.filter((item, index) => each(item, index, list)),
  find: (list, each) => list.find((item, index) => each(item, index, list)),
  map: (list, each) => list.map((item, index) => each(item, index, list)),
  some: (list, each) => list.some((item, index) => each(item, index, list)),
};

/** The maximum number of arguments of each method. */
const TAKES: Readonly<Record<string, number>> = { slice: 2, toLowerCase: 0, toUpperCase: 0, trim: 0 };

export function takesFunction(method: string): boolean {
  return Object.hasOwn(WITH_FUNCTIONS, method);
}

export function isMethod(name: string): boolean {
  return takesFunction(name) || Object.hasOwn(OF_LISTS, name) || Object.hasOwn(OF_TEXTS, name);
}

export function mostValues(method: string): number {
  return Object.hasOwn(TAKES, method) ? (TAKES[method] ?? 1) : 1;
}

/**
 * Calls a method of a text or list. Throws if the value has no such method, or the method does not accept the
 * arguments.
 */
export function callMethod(
  self: Data,
  name: string,
  values: readonly Data[],
  each: Each | undefined,
  work: EvaluationBudget,
): Data {
  if (Array.isArray(self)) {
    const list: List = self;
    work.step(list.length);
    if (each !== undefined) return methodOf(WITH_FUNCTIONS, name, 'a list')(list, each);
    return methodOf(OF_LISTS, name, 'a list')(list, values, work);
  }
  if (typeof self === 'string') return methodOf(OF_TEXTS, name, 'a text')(work.read(self), values, work);
  throw new ExpressionError(
    `${name} cannot be called on ${isNothing(self) ? String(self) : `a value of type ${typeof self}`}`,
  );
}

function methodOf<Method>(methods: Readonly<Record<string, Method>>, name: string, what: string): Method {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (method === undefined) throw new ExpressionError(`${what} has no method ${name}`);
  return method;
}

function string(values: readonly Data[], index: number): string {
  const value = values[index];
  if (typeof value !== 'string') throw new ExpressionError('the method takes a text');
  return value;
}

function number(values: readonly Data[], index: number): number | undefined {
  const value = values[index];
  if (value !== undefined && typeof value !== 'number') throw new ExpressionError('the method takes a number');
  return value;
}

function counted(list: List, work: EvaluationBudget): List {
  work.step(list.length);
  return list;
}
