import { isJson, valueAt, type JsonObject } from './json.js';
import { pointerPath, type SpecificationProblem } from './specification-problem.js';

/** A fault that did not stop reading, and what readers see in its place. */
export interface SpecificationWarning extends SpecificationProblem {
  readonly instead: string;
}

/** The texts about places whose value stays as it is, by the code of their fault. */
const UNCHANGED: Readonly<Record<string, string>> = {
  'missing-property': 'is shown without it',
  'unknown-property': 'is ignored',
  'unresolved-reference': 'is shown without what it refers to',
  'circular-reference': 'is shown without what it refers to',
  'duplicate-operation-id': 'both operations are shown',
  'duplicate-parameter': 'the first one is shown',
  'duplicate-tag': 'the first one is shown',
  'missing-path-parameter': 'is shown without the parameter',
  'undeclared-security-scheme': 'its name is shown alone',
};
const AS_WRITTEN = 'is shown as it is written';
const LEFT_OUT = 'is left out';

/**
 * Changes values that have the wrong type to what they can only mean, and removes those that mean nothing, so that the
 * rest can be shown. `written` gives the text of a value in the source, where that is known.
 */
export function tolerate(
  root: JsonObject,
  problems: readonly SpecificationProblem[],
  written: (pointer: string) => string | undefined,
): SpecificationWarning[] {
  const removed = new Map<unknown[], Set<number>>();
  // Values are changed from the innermost on: a list that was an object has no longer the names of what is in it.
  const deepestFirst = problems.toSorted((one, other) => depthOf(other) - depthOf(one));
  const outcomes = new Map<SpecificationProblem, string>();
  const settled: Settled = new Map();
  for (const problem of deepestFirst) outcomes.set(problem, settle(root, problem, written, { removed, settled }));
  for (const [list, indexes] of removed) removeFrom(list, indexes);
  return problems.map((problem) => ({ ...problem, instead: outcomes.get(problem) ?? AS_WRITTEN }));
}

const depthOf = ({ pointer = '' }: SpecificationProblem): number => pointer.split('/').length;

function removeFrom(list: unknown[], indexes: ReadonlySet<number>): void {
  let kept = 0;
  for (const [index, value] of list.entries()) if (!indexes.has(index)) list[kept++] = value;
  list.length = kept;
}

/** The outcomes of values that were changed, by their parents: aliases of YAML give one object several places. */
type Settled = Map<object, Map<string | number, string>>;

/** Changes the value of one problem; returns what is shown instead. */
function settle(
  root: JsonObject,
  { code, pointer, wanted }: SpecificationProblem,
  written: (pointer: string) => string | undefined,
  { removed, settled }: { readonly removed: Map<unknown[], Set<number>>; readonly settled: Settled },
): string {
  const unchanged = Object.hasOwn(UNCHANGED, code) ? UNCHANGED[code] : undefined;
  if (unchanged !== undefined) return unchanged;
  const path = pointerPath(pointer ?? '');
  const name = path.at(-1);
  const parent = valueAt(root, path.slice(0, -1));
  const value = valueAt(root, path);
  const isInside = Array.isArray(parent) || isJson(parent);
  const known = isInside && name !== undefined ? settled.get(parent)?.get(name) : undefined;
  if (known !== undefined) return known;
  if (name === undefined || value === undefined || (code !== 'wrong-type' && value !== null)) return AS_WRITTEN;
  const meant = meaningOf(value, wanted ?? [], name, () => written(pointer ?? ''));
  if (Array.isArray(parent)) {
    if (meant === undefined) removed.set(parent, (removed.get(parent) ?? new Set()).add(Number(name)));
    else parent[Number(name)] = meant.value;
  } else if (isJson(parent)) {
    if (meant === undefined) delete parent[name];
    else parent[name] = meant.value;
  }
  const outcome = meant?.instead ?? LEFT_OUT;
  if (isInside) settled.set(parent, (settled.get(parent) ?? new Map<string | number, string>()).set(name, outcome));
  return outcome;
}

interface Meaning {
  readonly value: unknown;
  readonly instead: string;
}

/** The value of a wanted type that another value means; undefined if it means none. */
function meaningOf(
  value: unknown,
  wanted: readonly string[],
  name: string,
  written: () => string | undefined,
): Meaning | undefined {
  if (wanted.includes('string') && (typeof value === 'number' || typeof value === 'boolean')) {
    const text = written() ?? String(value);
    return { value: text, instead: `is shown as ${JSON.stringify(text)}` };
  }
  if (wanted.includes('array') && isJson(value)) {
    const values = Object.values(value);
    // Examples by their names are those of a media type, each with a value of its own.
    const isNamed = name === 'examples' && values.every((each) => isJson(each) && Object.hasOwn(each, 'value'));
    return {
      value: isNamed ? values.map((each) => (each as JsonObject)['value']) : values,
      instead: 'is shown as a list of its values',
    };
  }
  if (wanted.includes('array') && typeof value === 'string')
    return { value: [value], instead: 'is shown as a list of one' };
  if (wanted.includes('boolean') && (value === 'true' || value === 'false'))
    return { value: value === 'true', instead: `is shown as ${value}` };
  if (
    (wanted.includes('number') || wanted.includes('integer')) &&
    typeof value === 'string' &&
    /^-?\d+(\.\d+)?$/.test(value)
  )
    return { value: Number(value), instead: `is shown as ${value}` };
  return undefined;
}
