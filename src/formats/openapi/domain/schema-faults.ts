import { ownEntry } from '../../document/own-entry.js';
import { isJson, kindOf, valueAt } from './json.js';
import { pointerPath, pointerOf, type SpecificationProblem } from './specification-problem.js';

/** One error of a JSON Schema validator. */
export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** Errors that only report an error beneath them. */
const COMPOSITE: ReadonlySet<string> = new Set(['oneOf', 'anyOf', 'allOf', 'if', 'then', 'else', '$dynamicRef']);
/** Properties that distinguish several kinds of objects. */
const KIND_NAMES = ['in', 'type', 'scheme'];

/**
 * Reduces the errors of a validator: if it tried several kinds of objects, only those of the intended kind remain. An
 * object with `$ref` is intended as a reference, others as the kind with the given `type` or `in`.
 */
export function problemsOf(errors: readonly SchemaError[], root: unknown): SpecificationProblem[] {
  const choices = errors.filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf');
  const tree = new ErrorTree(errors.filter((error) => !COMPOSITE.has(error.keyword) && !isOfOtherKind(error, root)));
  for (const choice of choices) tree.settle(choice.instancePath, (inside) => meant(inside, choice));
  let leaves = tree.all();
  const valued = new Set(
    leaves.filter(({ keyword }) => keyword === 'enum' || keyword === 'const').map(({ instancePath }) => instancePath),
  );
  leaves = leaves.filter(({ keyword, instancePath }) => keyword !== 'type' || !valued.has(instancePath));
  const problems = (leaves.length > 0 ? leaves : choices).map((error) => problemOf(error, root));
  const known = new Set<string>();
  return problems.filter(
    ({ pointer, message }) => !known.has(`${pointer ?? ''} ${message}`) && known.add(`${pointer ?? ''} ${message}`),
  );
}

interface ErrorNode {
  readonly errors: Set<SchemaError>;
  readonly children: Map<string, ErrorNode>;
}

/** Errors by their places, so that a choice between kinds only visits the errors inside of it. */
class ErrorTree {
  private readonly root: ErrorNode = { errors: new Set(), children: new Map() };
  private readonly order = new Map<SchemaError, number>();
  private next = 0;

  constructor(errors: readonly SchemaError[]) {
    for (const error of errors) this.add(error);
  }

  /** Replaces the errors at a path and below it by those that `choose` returns; errors that it adds come last. */
  settle(path: string, choose: (inside: SchemaError[]) => readonly SchemaError[]): void {
    const inside = this.sorted(this.find(path));
    const kept = choose(inside);
    if (kept.length === inside.length && kept.every((error, index) => error === inside[index])) return;
    const keeps = new Set(kept);
    for (const error of inside) if (!keeps.has(error)) this.remove(error);
    for (const error of kept) if (!this.order.has(error)) this.add(error);
  }

  all(): SchemaError[] {
    return this.sorted(this.root);
  }

  private add(error: SchemaError): void {
    let node = this.root;
    for (const part of pointerPath(error.instancePath)) {
      const child = node.children.get(part) ?? { errors: new Set(), children: new Map() };
      node.children.set(part, child);
      node = child;
    }
    node.errors.add(error);
    this.order.set(error, this.next++);
  }

  private remove(error: SchemaError): void {
    this.find(error.instancePath)?.errors.delete(error);
    this.order.delete(error);
  }

  private find(path: string): ErrorNode | undefined {
    return pointerPath(path).reduce<ErrorNode | undefined>((node, part) => node?.children.get(part), this.root);
  }

  private sorted(node: ErrorNode | undefined): SchemaError[] {
    const found: SchemaError[] = [];
    const nodes = node ? [node] : [];
    for (let each = nodes.pop(); each; each = nodes.pop()) {
      for (const error of each.errors) found.push(error);
      for (const child of each.children.values()) nodes.push(child);
    }
    return found.sort((one, other) => (this.order.get(one) ?? 0) - (this.order.get(other) ?? 0));
  }
}

/** Tells whether an error requires a reference where none was intended, or another object where one was. */
function isOfOtherKind({ instancePath, keyword, params, schemaPath }: SchemaError, root: unknown): boolean {
  const value = valueAt(root, pointerPath(instancePath));
  const isReference = isJson(value) && typeof value['$ref'] === 'string';
  if (keyword === 'required' && params['missingProperty'] === '$ref') return isJson(value) && !isReference;
  return isReference && !/[rR]eference/.test(schemaPath);
}

/**
 * The errors of the intended kind, out of those inside of a choice between kinds; without one, an error that names all
 * kinds.
 */
function meant(inside: SchemaError[], { instancePath: at, schemaPath }: SchemaError): readonly SchemaError[] {
  const kinds = new Map<string, { readonly name: string; readonly of: SchemaError }>();
  for (const error of inside) {
    const name = KIND_NAMES.find((each) => error.instancePath === `${at}/${each}`);
    if (name !== undefined && (error.keyword === 'enum' || error.keyword === 'const'))
      kinds.set(branchOf(error), { name, of: error });
  }
  const unnamed = /SecurityScheme/.test(schemaPath)
    ? inside.find((error) => error.instancePath === at && error.params['missingProperty'] === 'type')
    : undefined;
  if (unnamed) return [unnamed];
  if (kinds.size === 0) return deepest(inside, at);
  const others = inside.filter((error) => !kinds.has(branchOf(error)));
  if (others.some((error) => /\/(oneOf|anyOf)\/\d+\/|SecurityScheme/.test(error.schemaPath))) return others;
  const [first] = kinds.values();
  if (!first || kinds.size < 2) return inside;
  const allowedValues = [...kinds.values()]
    .filter(({ name }) => name === first.name)
    .flatMap(({ of: { params } }) =>
      Array.isArray(params['allowedValues']) ? (params['allowedValues'] as unknown[]) : [params['allowedValue']],
    );
  return [{ ...first.of, keyword: 'enum', params: { allowedValues } }, ...others];
}

/** Removes errors of a value if something inside of it already has an error. */
function deepest(inside: SchemaError[], at: string): SchemaError[] {
  const isDeeper = inside.some(({ instancePath }) => instancePath !== at);
  return isDeeper ? inside.filter(({ instancePath, keyword }) => !(instancePath === at && keyword === 'type')) : inside;
}

function branchOf({ schemaPath }: SchemaError): string {
  return (
    /^(.*\/(?:oneOf|anyOf)\/\d+)\//.exec(schemaPath)?.[1] ??
    /^(#\/(?:definitions|\$defs)\/[^/]+)/.exec(schemaPath)?.[1] ??
    schemaPath
  );
}

/** A fault of the schema, and the value concerned. */
interface Fault {
  readonly error: SchemaError;
  readonly path: readonly string[];
  readonly value: unknown;
  /** The property concerned; '' if there is none. */
  readonly property: string;
}

const missingProperty = ({ property }: Fault): SpecificationProblem => ({
  code: 'missing-property',
  message: `lacks ${JSON.stringify(property)}`,
});

const unknownProperty = ({ path, property }: Fault): SpecificationProblem => ({
  code: 'unknown-property',
  message: `${JSON.stringify(property)} is nothing that OpenAPI knows here; names of extensions begin with x-`,
  pointer: pointerOf([...path, property]),
});

const valueNotAllowed = ({ error: { keyword, params }, value }: Fault): SpecificationProblem => {
  const allowed = keyword === 'const' ? [params['allowedValue']] : (params['allowedValues'] as unknown[]);
  return {
    code: 'wrong-value',
    message: `must be ${allowed.map((each) => JSON.stringify(each)).join(', ')}, and is ${shown(value)}`,
  };
};

const noAlternative = ({ error: { schemaPath } }: Fault): SpecificationProblem => ({
  code: 'wrong-value',
  message: /SchemaXORContent|\/(parameter|header)\//.test(schemaPath)
    ? 'needs schema or content, and only one of them'
    : 'is none of what is possible here',
});

const PROBLEMS: Readonly<Record<string, (fault: Fault) => SpecificationProblem>> = {
  required: missingProperty,
  dependencies: missingProperty,
  dependentRequired: missingProperty,
  additionalProperties: unknownProperty,
  unevaluatedProperties: unknownProperty,
  'false schema': () => ({ code: 'unknown-property', message: 'is nothing that OpenAPI knows here' }),
  type: ({ error: { params }, value }) => ({
    code: 'wrong-type',
    message: `must be ${namesOf(params['type'])}, and is ${kindOf(value)}`,
    wanted: [params['type']].flat().map(String),
  }),
  enum: valueNotAllowed,
  const: valueNotAllowed,
  pattern: ({ error: { params }, value }) => ({
    code: 'wrong-form',
    message: `${shown(value)} does not have the form ${String(params['pattern'])}`,
  }),
  propertyNames: ({ path, property }) => ({
    code: 'wrong-name',
    message: `${JSON.stringify(property)} is no possible name`,
    pointer: pointerOf([...path, property]),
  }),
  uniqueItems: ({ error: { params } }) => ({
    code: 'duplicate',
    message: `entries ${String(params['j'])} and ${String(params['i'])} are the same`,
  }),
  not: ({ error: { schemaPath } }) => ({ code: 'contradiction', message: contradictionOf(schemaPath) }),
  oneOf: noAlternative,
  anyOf: noAlternative,
};

function problemOf(error: SchemaError, root: unknown): SpecificationProblem {
  const { instancePath, keyword, params, message = 'is not valid' } = error;
  const path = pointerPath(instancePath);
  const named = ['missingProperty', 'additionalProperty', 'unevaluatedProperty', 'propertyName'].map(
    (each) => params[each],
  );
  const property = named.find((each) => typeof each === 'string') ?? '';
  const told = ownEntry(PROBLEMS, keyword)?.({ error, path, value: valueAt(root, path), property });
  return { pointer: instancePath, ...(told ?? { code: 'wrong-value', message }) };
}

function contradictionOf(schemaPath: string): string {
  if (/ExampleXORExamples|\/examples\//.test(schemaPath))
    return 'has example and examples, and only one of them is possible';
  return /SchemaXORContent/.test(schemaPath)
    ? 'has schema and content, and only one of them is possible'
    : 'has what excludes each other';
}

const KINDS: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
};

function namesOf(type: unknown): string {
  return [type]
    .flat()
    .map((each) => KINDS[String(each)] ?? String(each))
    .join(' or ');
}

function shown(value: unknown): string {
  const text = typeof value === 'object' && value !== null ? kindOf(value) : (JSON.stringify(value) ?? 'nothing');
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
