import { isJson, valueAt, type JsonObject } from './json.js';
import { OPERATION_METHODS } from './operation-methods.js';
import { pointerOf, type SpecificationProblem } from './specification-problem.js';
import { localPath } from './references.js';
import type { Path } from './visit-objects.js';

const MAX_HOPS = 16;

/**
 * Rules of OpenAPI that its schemas cannot express: unique ids of operations, parameters of paths, unique tags, security
 * schemes that are declared.
 */
export function semanticFaults(root: JsonObject): SpecificationProblem[] {
  return [...operationFaults(root), ...tagFaults(root), ...securityFaults(root)];
}

/** Operations of paths, with their positions; those of webhooks and callbacks have no paths with parameters. */
export function* operationsOf(
  root: JsonObject,
): Generator<{ readonly operation: JsonObject; readonly item: JsonObject; readonly path: string; readonly at: Path }> {
  for (const [path, value] of Object.entries(objectAt(root, 'paths'))) {
    const item = followed(root, value);
    if (!item || path.startsWith('x-')) continue;
    for (const method of OPERATION_METHODS) {
      const operation = item[method];
      if (isJson(operation)) yield { operation, item, path, at: ['paths', path, method] };
    }
  }
}

function* operationFaults(root: JsonObject): Generator<SpecificationProblem> {
  const first = new Map<string, string>();
  for (const { operation, item, path, at } of operationsOf(root)) {
    const id = operation['operationId'];
    if (typeof id === 'string') {
      const other = first.get(id);
      // Several paths can share one path item.
      if (other !== undefined && isOwn(root, path))
        yield {
          code: 'duplicate-operation-id',
          message: `is ${JSON.stringify(id)}, as that of ${other} is; ids of operations must differ`,
          pointer: pointerOf([...at, 'operationId']),
        };
      first.set(id, other ?? `${String(at[2]).toUpperCase()} ${path}`);
    }
    yield* parameterFaults(root, operation, item, path, at);
  }
}

function isOwn(root: JsonObject, path: string): boolean {
  const item = objectAt(root, 'paths')[path];
  return isJson(item) && typeof item['$ref'] !== 'string';
}

function* parameterFaults(
  root: JsonObject,
  operation: JsonObject,
  item: JsonObject,
  path: string,
  at: Path,
): Generator<SpecificationProblem> {
  const declared = new Set<string>();
  for (const [owner, base] of [
    [operation, at],
    [item, at.slice(0, 2)],
  ] as const) {
    const seen = new Set<string>();
    const listed = owner['parameters'];
    for (const [index, value] of (Array.isArray(listed) ? (listed as unknown[]) : []).entries()) {
      const parameter = followed(root, value);
      if (typeof parameter?.['name'] !== 'string') continue;
      const key = `${String(parameter['in'])} ${parameter['name']}`;
      if (seen.has(key))
        yield {
          code: 'duplicate-parameter',
          message: `is a second parameter ${JSON.stringify(parameter['name'])} in ${String(parameter['in'])}`,
          pointer: pointerOf([...base, 'parameters', index]),
        };
      seen.add(key);
      declared.add(key);
    }
  }
  for (const [, name = ''] of (path.split('?')[0] ?? '').matchAll(/\{([^{}]+)\}/g)) {
    if (!declared.has(`path ${name}`))
      yield {
        code: 'missing-path-parameter',
        message: `has no parameter ${JSON.stringify(name)} in path, which its path ${JSON.stringify(path)} has`,
        pointer: pointerOf(at),
      };
  }
}

function* tagFaults(root: JsonObject): Generator<SpecificationProblem> {
  const seen = new Set<unknown>();
  const tags = Array.isArray(root['tags']) ? (root['tags'] as unknown[]) : [];
  for (const [index, tag] of tags.entries()) {
    const name = isJson(tag) ? tag['name'] : undefined;
    if (name !== undefined && seen.has(name))
      yield {
        code: 'duplicate-tag',
        message: `is a second tag ${JSON.stringify(name)}`,
        pointer: pointerOf(['tags', index]),
      };
    seen.add(name);
  }
}

function* securityFaults(root: JsonObject): Generator<SpecificationProblem> {
  const declared = new Set([
    ...Object.keys(objectAt(objectAt(root, 'components'), 'securitySchemes')),
    ...Object.keys(objectAt(root, 'securityDefinitions')),
  ]);
  // Since OpenAPI 3.2 a requirement may name a scheme by its address.
  const isDeclared = (name: string): boolean =>
    declared.has(name) || (/^3\.2/.test(String(root['openapi'])) && /[/#:]/.test(name));
  const owners: { readonly security: unknown; readonly at: Path }[] = [
    { security: root['security'], at: ['security'] },
    ...[...operationsOf(root)].map(({ operation, at }) => ({
      security: operation['security'],
      at: [...at, 'security'],
    })),
  ];
  for (const { security, at } of owners)
    for (const [index, need] of (Array.isArray(security) ? (security as unknown[]) : []).entries())
      for (const name of isJson(need) ? Object.keys(need) : [])
        if (!isDeclared(name))
          yield {
            code: 'undeclared-security-scheme',
            message: `names the security scheme ${JSON.stringify(name)}, which the specification does not declare`,
            pointer: pointerOf([...at, index, name]),
          };
}

function objectAt(value: JsonObject, name: string): JsonObject {
  const found = value[name];
  return isJson(found) ? found : {};
}

/** The object that a value is, or refers to inside of the specification. */
function followed(root: JsonObject, value: unknown): JsonObject | undefined {
  let at = value;
  for (let hops = 0; hops < MAX_HOPS && isJson(at); hops++) {
    const target = at['$ref'];
    if (typeof target !== 'string') return at;
    const path = localPath(target);
    at = path && valueAt(root, path);
  }
  return undefined;
}
