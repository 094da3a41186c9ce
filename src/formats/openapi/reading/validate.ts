import { Validator } from '@seriousme/openapi-schema-validator';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isJson, kindOf, type JsonObject } from '../domain/json.js';
import { pointerOf, unreadable, type SpecificationProblem } from '../domain/specification-problem.js';
import { referenceFaults } from '../domain/references.js';
import { problemsOf } from '../domain/schema-faults.js';
import { semanticFaults } from '../domain/semantics.js';
import { visitObjects, type Path } from '../domain/visit-objects.js';

const DIALECTS = [
  undefined,
  'https://spec.openapis.org/oas/3.1/dialect/base',
  'https://json-schema.org/draft/2020-12/schema',
];
const METASCHEMA = 'https://json-schema.org/draft/2020-12/schema';

export type SpecificationVersion = '2.0' | '3.0' | '3.1' | '3.2';

/** The OpenAPI version of a parsed specification. Throws `Unreadable` if it has no known version. */
export function openApiVersion(root: unknown): SpecificationVersion {
  if (!isJson(root)) throw unreadable('wrong-type', `must be an object, and is ${kindOf(root)}`, { pointer: '' });
  const name = Object.hasOwn(root, 'swagger') ? 'swagger' : 'openapi';
  const value = root[name];
  if (value === undefined)
    throw unreadable(
      'missing-property',
      'lacks "openapi", which says what it is: "3.0.3", "3.1.0", or "swagger": "2.0"',
      { pointer: '' },
    );
  if (typeof value !== 'string')
    throw unreadable('wrong-type', `must be a text such as "3.1.0"; in YAML it is one between quotes`, {
      pointer: `/${name}`,
    });
  const version = /^(2\.0|3\.[012])(\.\d+)?(-.+)?$/.exec(value)?.[1];
  if (version === undefined || (version === '2.0') !== (name === 'swagger'))
    throw unreadable(
      'unknown-version',
      `${JSON.stringify(value.slice(0, 50))} is no version that can be read; those are 3.0, 3.1 and 3.2, and "swagger": "2.0"`,
      { pointer: `/${name}` },
    );
  return version as SpecificationVersion;
}

/**
 * The schemas of all versions. The package's own check of references reports no places, and takes three times as long.
 */
class VersionSchemas extends Validator {
  declare readonly getAjvValidator: (version: string) => ValidateFunction;
}

/** A compiled schema copies all errors so far for each part that has some, which takes the square of their number; they are added instead. */
const addErrors = (code: string): string =>
  code.replaceAll(
    /(\w+) = \1 === null \? ([\w.]+) : \1\.concat\(\2\)/g,
    '$1 = $1 === null ? $2 : ($2.forEach((error) => $1.push(error)), $1)',
  );
const OPTIONS = { allErrors: true, validateFormats: false, code: { process: addErrors } };

/** Compiles each of them once. */
const SCHEMAS = new VersionSchemas(OPTIONS);

/** Faults of a specification by the schema of its version. */
export function shapeFaults(root: JsonObject, version: SpecificationVersion): SpecificationProblem[] {
  const check = SCHEMAS.getAjvValidator(version);
  return check(root) ? [] : problemsOf(check.errors ?? [], root);
}

/** Faults by the rules that the schema of its version cannot express. */
export function contentFaults(root: JsonObject, version: SpecificationVersion): SpecificationProblem[] {
  return [
    ...(version === '3.1' || version === '3.2' ? schemaFaults(root) : []),
    ...referenceFaults(root),
    ...semanticFaults(root),
  ];
}

/** Schemas of OpenAPI 3.1 and later are JSON Schemas, which the schema of OpenAPI itself does not validate. */
function schemaFaults(root: JsonObject): SpecificationProblem[] {
  if (!DIALECTS.includes(root['jsonSchemaDialect'] as string | undefined)) return [];
  const check = new Ajv2020({ strict: false, ...OPTIONS }).getSchema(METASCHEMA);
  if (!check) return [];
  const problems: SpecificationProblem[] = [];
  const judge = (schema: unknown, path: Path): void => {
    if (typeof schema === 'boolean' || check(schema)) return;
    const base = pointerOf(path);
    for (const problem of problemsOf(check.errors ?? [], schema))
      problems.push({ ...problem, pointer: `${base}${problem.pointer ?? ''}` });
  };
  visitObjects(
    root,
    (node, path) =>
      void (Object.hasOwn(node, 'schema') && !isInSchema(path) && judge(node['schema'], [...path, 'schema'])),
  );
  const components = root['components'];
  const schemas = isJson(components) ? components['schemas'] : undefined;
  for (const [name, schema] of Object.entries(isJson(schemas) ? schemas : {}))
    judge(schema, ['components', 'schemas', name]);
  return problems;
}

/** Tells whether a path is inside of a schema, which is validated as a whole. */
function isInSchema(path: Path): boolean {
  return path.includes('schema') || (path[0] === 'components' && path[1] === 'schemas');
}
