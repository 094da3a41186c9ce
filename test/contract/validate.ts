import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { isWebAddress } from '../../src/kernel/common/web-address.js';
import { processWide } from '../process-wide.js';
import type { Description, PublicDescriptions } from './documents.js';
import { isRecord, resolved, toJsonSchema, type Schema } from './json-schema.js';
import type { Operation } from './operations.js';

/** UTC with milliseconds: stricter than `date-time`, as our own timestamps always are. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const FORMATS = {
  'date-time': (value: string): boolean => TIMESTAMP.test(value) && !Number.isNaN(Date.parse(value)),
  date: /^\d{4}-\d{2}-\d{2}$/,
  uri: (value: string): boolean => /^[a-z][a-z0-9+.-]*:\S+$/i.test(value) && isWebAddress(value),
  email: /^[^\s@]+@[^\s@]+$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  emoji: /^\S.*$/u,
  icon: /^[a-z0-9:-]+$/i,
  byte: /^[A-Za-z0-9+/]*={0,2}$/,
  int32: { type: 'number', validate: (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 31 },
} as const;

/** One line a fault: where it is in the body, and what is wrong there. */
function describeErrors(errors: readonly ErrorObject[] | null | undefined): string[] {
  const telling = (errors ?? []).filter((error) => error.keyword !== 'if' && error.keyword !== 'anyOf');
  const chosen = telling.length > 0 ? telling : (errors ?? []);
  const depth = (error: ErrorObject): number => error.instancePath.split('/').length;
  return [...chosen]
    .sort((a, b) => depth(b) - depth(a))
    .slice(0, 6)
    .map((error) => `${error.instancePath || '(body)'} ${error.message ?? 'is wrong'} ${JSON.stringify(error.params)}`);
}

/** The JSON schema that a description gives for one response; null for a response without content. */
export function responseSchema(
  description: Description,
  operation: Operation,
  status: number,
): Schema | null | undefined {
  const path = operation.path.replace(/^\/v1(?=\/)/, '').replace(/^\/v1$/, '/');
  const own = description.document.paths[operation.path] ?? description.document.paths[path];
  const found = own?.[operation.method.toLowerCase()];
  const response = found?.responses[String(status)];
  if (!response) return undefined;
  const content = resolved<{ content?: Record<string, { schema?: Schema }> }>(description.document, response).content;
  return (
    (content?.['application/json'] ?? content?.['text/event-stream'] ?? content?.['application/scim+json'])?.schema ??
    null
  );
}

interface Compiled {
  readonly engine: Ajv;
  readonly schemas: Map<string, ValidateFunction>;
}

/** Validators that were compiled for a description. */
const compiledOf = processWide('compiled-descriptions', () => new WeakMap<Description, Compiled>());

/** Validates the bodies of responses; a schema is compiled when a response first needs it. */
export class ResponseValidator {
  constructor(
    private readonly descriptions: PublicDescriptions | undefined,
    /** What the service itself publishes; the only description of our own extensions. */
    public own?: Description,
  ) {}

  /** The description that tells the shape of this operation's answers; undefined where none is at hand. */
  descriptionOf(operation: Operation): Description | undefined {
    return operation.source === 'own' ? this.own : this.descriptions?.[operation.source];
  }

  /**
   * Faults of a success body, by the public schema and by what we publish ourselves; an empty list where it is valid or
   * where no schema is at hand.
   */
  success(operation: Operation, status: number, body: unknown): string[] {
    if (status === 204) return [];
    const described = this.descriptionOf(operation);
    const faults = described ? this.faults(described, operation, status, body) : [];
    if (!this.own || this.own === described) return faults;
    return [
      ...faults,
      ...this.faults(this.own, operation, status, body).map((fault) => `by our own document: ${fault}`),
    ];
  }

  private faults(description: Description, operation: Operation, status: number, body: unknown): string[] {
    const schema = responseSchema(description, operation, status);
    if (schema === undefined) return [`no answer ${status} is declared for ${operation.id}`];
    if (schema === null) return [];
    const key = `${description.name} ${operation.id} ${status}`;
    return this.check(description, key, () => toJsonSchema(description.document, schema), body);
  }

  /** Faults of an error body, which has one shape everywhere and repeats the status. */
  error(status: number, body: unknown): string[] {
    if (!isRecord(body) || !isRecord(body['error'])) return ['(body) is not {error: {code, message}}'];
    const { code, message, details, conflicts, type, ...others } = body['error'];
    const faults: string[] = [];
    if (code !== status) faults.push(`/error/code is ${JSON.stringify(code)}, the status is ${status}`);
    if (typeof message !== 'string' || message === '') faults.push('/error/message is not a text');
    if (type !== undefined && !isMissingFile(status, type, details))
      faults.push('/error/type is not missing_site_git_sync_config of a 409, with {path, branch, prompt}');
    if (type === undefined && details !== undefined && !isDetails(details))
      faults.push('/error/details is not a list of {path, message}');
    if (conflicts !== undefined && !isConflicts(status, conflicts))
      faults.push('/error/conflicts is not a list of {page, base, current, given} of a 409');
    const undeclared = [
      ...Object.keys(others).map((key) => `/error/${key}`),
      ...Object.keys(body).filter((key) => key !== 'error'),
    ];
    return [...faults, ...undeclared.map((key) => `${key} is not declared`)];
  }

  private check(description: Description, key: string, schema: () => Schema, body: unknown): string[] {
    const { engine, schemas } = compiled(description);
    let validate = schemas.get(key);
    if (validate === undefined) {
      const root = { $id: `contract:${key.replaceAll(' ', '/')}`, ...absoluteRefs(schema(), description.name) };
      validate = engine.compile(root);
      schemas.set(key, validate);
    }
    return validate(body) ? [] : describeErrors(validate.errors);
  }
}

function compiled(description: Description): Compiled {
  const known = compiledOf.get(description);
  if (known) return known;
  const engine = new Ajv({
    strict: false,
    allErrors: false,
    formats: FORMATS,
    validateSchema: false,
    // A schema is compiled for a few answers: each component once. Its code is optimized: else the deepest trees exceed the stack.
    inlineRefs: false,
  });
  engine.addSchema({ $id: `contract:${description.name}`, components: { schemas: description.components } });
  const made = { engine, schemas: new Map<string, ValidateFunction>() };
  compiledOf.set(description, made);
  return made;
}

const isDetails = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((item) => isRecord(item) && typeof item['path'] === 'string' && typeof item['message'] === 'string');

/** References within a document become references to the schema registered for it. */
function absoluteRefs(value: Schema, name: string): Schema {
  return JSON.parse(JSON.stringify(value).replaceAll('"$ref":"#/', `"$ref":"contract:${name}#/`)) as Schema;
}

/** The one error that the public API tells apart by a type, and whose details are no list. */
function isMissingFile(status: number, type: unknown, details: unknown): boolean {
  if (status !== 409 || type !== 'missing_site_git_sync_config' || !isRecord(details)) return false;
  return ['path', 'branch', 'prompt'].every((name) => typeof details[name] === 'string');
}

function isConflicts(status: number, conflicts: unknown): boolean {
  return (
    status === 409 &&
    Array.isArray(conflicts) &&
    conflicts.length > 0 &&
    conflicts.every(
      (conflict) =>
        isRecord(conflict) &&
        ['page', 'base', 'current', 'given'].every((name) => typeof conflict[name] === 'string') &&
        (typeof conflict['block'] === 'string' || typeof conflict['attribute'] === 'string'),
    )
  );
}
