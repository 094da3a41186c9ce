import { isJson, type JsonObject } from './json.js';

/** Names of objects whose entries are named by the author, and not by OpenAPI. */
const HOLDS_NAMED: ReadonlySet<string> = new Set([
  'paths',
  'webhooks',
  'x-webhooks',
  'pathItems',
  'callbacks',
  'schemas',
  'responses',
  'parameters',
  'requestBodies',
  'headers',
  'securitySchemes',
  'links',
  'examples',
  'content',
  'encoding',
  'variables',
  'properties',
  'patternProperties',
  'definitions',
  '$defs',
  'dependentSchemas',
  'securityDefinitions',
  'mapping',
  'scopes',
  'x-ext',
]);
/** Values under these names are data and not part of the specification. */
const DATA: ReadonlySet<string> = new Set([
  'example',
  'default',
  'enum',
  'const',
  'value',
  'dataValue',
  'serializedValue',
]);

/** Names and indexes on the path to a value. */
export type Path = readonly (string | number)[];

/**
 * Visits every object of a specification from the outside in, except examples, values and extensions, which can contain
 * anything, and objects whose names are the author's, such as `properties`. The path is only valid during the visit.
 */
export function visitObjects(root: unknown, visit: (node: JsonObject, path: Path) => void): void {
  const path: (string | number)[] = [];
  const below = (value: unknown, name: string | number, isNamed: boolean): void => {
    path.push(name);
    within(value, isNamed);
    path.pop();
  };
  const within = (value: unknown, isNamed: boolean): void => {
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) below(value[index], index, false);
      return;
    }
    if (!isJson(value)) return;
    if (!isNamed) visit(value, path);
    for (const name in value) {
      const inside = Object.hasOwn(value, name) ? value[name] : undefined;
      if (typeof inside !== 'object' || inside === null) continue;
      // The expressions of a callback are names of the author, too.
      if (isNamed) below(inside, name, path[path.length - 1] === 'callbacks');
      else if (HOLDS_NAMED.has(name)) below(inside, name, isJson(inside));
      else if (!DATA.has(name) && !name.startsWith('x-')) below(inside, name, false);
    }
  };
  within(root, false);
}
