import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { isJson, valueAt, type JsonObject } from '../src/formats/openapi/domain/json.js';
import {
  pointerPath,
  Unreadable,
  type SpecificationProblem,
} from '../src/formats/openapi/domain/specification-problem.js';
import { presentProblem } from '../src/formats/openapi/domain/present-problem.js';
import { SpecificationReader } from '../src/formats/openapi/reading/specification-reader.js';
import {
  readSpecification,
  type FetchedDocument,
  type ReadSpecification,
} from '../src/formats/openapi/reading/read-specification.js';
import { rounds, seed } from './property/content-generators.js';

/** A folder with specifications of others: each is read, and changed in the same ways. */
const FOLDER = process.env['SPECIFICATIONS'];
const MAX = 21_000_000;

const read = (text: string): Promise<ReadSpecification> =>
  readSpecification(text, { maxLength: MAX, fetch: () => Promise.reject(new Error('nothing is fetched')) });

const tolerantly = (text: string): Promise<ReadSpecification> =>
  readSpecification(text, {
    maxLength: MAX,
    tolerant: true,
    fetch: () => Promise.reject(new Error('nothing is fetched')),
  });

async function problemsOf(text: string): Promise<readonly SpecificationProblem[]> {
  try {
    await read(text);
    return [];
  } catch (error) {
    if (error instanceof Unreadable) return error.problems;
    throw error;
  }
}

/** The places that a change is made in: the first operation, and what it has. */
interface Places {
  readonly root: JsonObject;
  readonly path: string;
  readonly method: string;
  readonly operation: JsonObject;
}

function placesOf(root: JsonObject): Places {
  for (const [path, item] of Object.entries(root['paths'] as JsonObject)) {
    for (const [method, operation] of Object.entries(item as JsonObject))
      if (isJson(operation) && isJson(operation['responses'])) return { root, path, method, operation };
  }
  throw new Error('the specification has no operation');
}

type Change = (places: Places) => void;
const on =
  (name: string, value: unknown): Change =>
  ({ root }) =>
    void (root[name] = value);
const inInfo =
  (name: string, value: unknown): Change =>
  ({ root }) =>
    void ((root['info'] as JsonObject)[name] = value);
const inOperation =
  (name: string, value: unknown): Change =>
  ({ operation }) =>
    void (operation[name] = value);
const parameter = (value: unknown): Change => inOperation('parameters', [value]);
const response =
  (value: unknown): Change =>
  ({ operation }) =>
    void ((operation['responses'] as JsonObject)['200'] = value);
const schema = (value: unknown): Change =>
  response({ description: 'ok', content: { 'application/json': { schema: value } } });
const component =
  (kind: string, value: unknown): Change =>
  ({ root }) =>
    void (root['components'] = { ...(root['components'] as JsonObject | undefined), [kind]: { Changed: value } });
const without =
  (...path: string[]): Change =>
  ({ root }) =>
    void delete (valueAt(root, path.slice(0, -1)) as JsonObject)[path.at(-1) ?? ''];

const OPERATION = /^\/paths\/[^/]+\/\w+/.source;
const inside = (rest: string): RegExp => new RegExp(`${OPERATION}${rest}$`);
const query = { name: 'q', in: 'query', schema: {} };

/** Changes of a valid specification in OpenAPI 3.0, each with the place and kind of the fault that must be told of it. */
const CHANGES: readonly (readonly [name: string, change: Change, pointer: RegExp, code: string])[] = [
  ['no version', without('openapi'), /^$/, 'missing-property'],
  ['a version that is a number', on('openapi', 3), /^\/openapi$/, 'wrong-type'],
  ['a version of the future', on('openapi', '4.0.0'), /^\/openapi$/, 'unknown-version'],
  ['no info', without('info'), /^$/, 'missing-property'],
  ['no title', without('info', 'title'), /^\/info$/, 'missing-property'],
  ['no version of the API', without('info', 'version'), /^\/info$/, 'missing-property'],
  ['a title that is a number', inInfo('title', 7), /^\/info\/title$/, 'wrong-type'],
  ['an unknown field of info', inInfo('author', 'me'), /^\/info\/author$/, 'unknown-property'],
  ['a licence without a name', inInfo('license', {}), /^\/info\/license$/, 'missing-property'],
  ['no paths', without('paths'), /^$/, 'missing-property'],
  ['paths as a list', on('paths', []), /^\/paths$/, 'wrong-type'],
  [
    'a path without a slash',
    ({ root }) => void ((root['paths'] as JsonObject)['pets'] = {}),
    /^\/paths\/pets$/,
    'unknown-property',
  ],
  [
    'a method that is none',
    ({ root, path, operation }) => void (((root['paths'] as JsonObject)[path] as JsonObject)['fetch'] = operation),
    /^\/paths\/[^/]+\/fetch$/,
    'unknown-property',
  ],
  ['servers as an object', on('servers', {}), /^\/servers$/, 'wrong-type'],
  ['a server without an address', on('servers', [{ description: 'x' }]), /^\/servers\/0$/, 'missing-property'],
  ['an unknown field of all', on('title', 'x'), /^\/title$/, 'unknown-property'],
  ['tags as texts', on('tags', ['pets']), /^\/tags\/0$/, 'wrong-type'],
  ['a tag without a name', on('tags', [{ description: 'x' }]), /^\/tags\/0$/, 'missing-property'],
  ['a tag twice', on('tags', [{ name: 'a' }, { name: 'a', description: 'b' }]), /^\/tags\/1$/, 'duplicate-tag'],
  ['no responses', ({ operation }) => void delete operation['responses'], inside(''), 'missing-property'],
  ['responses as a list', inOperation('responses', []), inside('/responses'), 'wrong-type'],
  ['a response without a description', response({}), inside('/responses/200'), 'missing-property'],
  [
    'a status that is none',
    ({ operation }) => void ((operation['responses'] as JsonObject)['2000'] = { description: 'x' }),
    inside('/responses/2000'),
    'unknown-property',
  ],
  ['a summary that is an object', inOperation('summary', {}), inside('/summary'), 'wrong-type'],
  ['an id that is a number', inOperation('operationId', 1), inside('/operationId'), 'wrong-type'],
  ['tags of an operation as a text', inOperation('tags', 'pets'), inside('/tags'), 'wrong-type'],
  ['deprecated as a text', inOperation('deprecated', 'yes'), inside('/deprecated'), 'wrong-type'],
  ['an unknown field of an operation', inOperation('produces', ['a/b']), inside('/produces'), 'unknown-property'],
  ['parameters as an object', inOperation('parameters', {}), inside('/parameters'), 'wrong-type'],
  ['a parameter without a name', parameter({ in: 'query', schema: {} }), inside('/parameters/0'), 'missing-property'],
  ['a parameter without a place', parameter({ name: 'q', schema: {} }), inside('/parameters/0'), 'missing-property'],
  ['a parameter in the body', parameter({ ...query, in: 'body' }), inside('/parameters/0/in'), 'wrong-value'],
  [
    'a parameter of a path that is not required',
    parameter({ ...query, in: 'path' }),
    inside('/parameters/0'),
    'missing-property',
  ],
  ['a parameter without a schema', parameter({ name: 'q', in: 'query' }), inside('/parameters/0'), 'missing-property'],
  [
    'a parameter twice',
    inOperation('parameters', [query, { ...query, description: 'again' }]),
    inside('/parameters/1'),
    'duplicate-parameter',
  ],
  [
    'a parameter of the path that is missing',
    ({ root, operation }) =>
      void ((root['paths'] as JsonObject)['/changed/{id}'] = {
        get: { ...operation, operationId: 'changed', parameters: [] },
      }),
    /^\/paths\/~1changed~1\{id\}\/get$/,
    'missing-path-parameter',
  ],
  [
    'an id of an operation twice',
    ({ root, operation }) => {
      operation['operationId'] = 'same';
      (root['paths'] as JsonObject)['/changed'] = { get: { operationId: 'same', responses: operation['responses'] } };
    },
    /operationId$/,
    'duplicate-operation-id',
  ],
  ['a body without content', inOperation('requestBody', {}), inside('/requestBody'), 'missing-property'],
  ['content as a list', inOperation('requestBody', { content: [] }), inside('/requestBody/content'), 'wrong-type'],
  [
    'a type that is none',
    schema({ type: 'text' }),
    inside('/responses/200/content/application~1json/schema/type'),
    'wrong-value',
  ],
  [
    'types as a list',
    schema({ type: ['string', 'null'] }),
    inside('/responses/200/content/application~1json/schema/type'),
    'wrong-value',
  ],
  [
    'required as true',
    schema({ type: 'object', required: true }),
    inside('/responses/200/content/application~1json/schema/required'),
    'wrong-type',
  ],
  [
    'properties as a list',
    schema({ properties: [] }),
    inside('/responses/200/content/application~1json/schema/properties'),
    'wrong-type',
  ],
  [
    'a length below zero',
    schema({ type: 'string', maxLength: -1 }),
    inside('/responses/200/content/application~1json/schema/maxLength'),
    'wrong-value',
  ],
  [
    'a reference to nothing',
    schema({ $ref: '#/components/schemas/Nothing' }),
    inside('/responses/200/content/application~1json/schema/\\$ref'),
    'unresolved-reference',
  ],
  [
    'a reference to another document',
    schema({ $ref: 'pets.yaml#/Pet' }),
    inside('/responses/200/content/application~1json/schema/\\$ref'),
    'unresolved-reference',
  ],
  [
    'references in a circle',
    ({ root }) => {
      const components = (root['components'] ?? {}) as JsonObject;
      root['components'] = {
        ...components,
        schemas: {
          ...(components['schemas'] as JsonObject | undefined),
          A: { $ref: '#/components/schemas/B' },
          B: { $ref: '#/components/schemas/A' },
        },
      };
    },
    /^\/components\/schemas\/[AB]\/\$ref$/,
    'circular-reference',
  ],
  [
    'a description that is a number',
    component('examples', { description: 1 }),
    /^\/components\/examples\/Changed\/description$/,
    'wrong-type',
  ],
  [
    'a scheme without a type',
    component('securitySchemes', {}),
    /^\/components\/securitySchemes\/Changed$/,
    'missing-property',
  ],
  [
    'a key without a name',
    component('securitySchemes', { type: 'apiKey', in: 'header' }),
    /^\/components\/securitySchemes\/Changed$/,
    'missing-property',
  ],
];

/** What is no JSON or YAML, by the line that is told. */
const TEXTS: readonly (readonly [name: string, text: string, line: number | undefined, code: string])[] = [
  ['a comma too many', '{\n"openapi": "3.0.0",\n}', 3, 'syntax'],
  ['the end is missing', '{\n"openapi": "3.0.0",\n"info": {', 3, 'syntax'],
  ['tabs in YAML', 'openapi: 3.0.0\ninfo:\n\ttitle: x', 3, 'syntax'],
  ['a key twice', 'openapi: 3.0.0\ninfo: {}\ninfo: {}', 3, 'syntax'],
  ['a key twice in JSON', '{"openapi": "3.0.0",\n"info": {"title": "a",\n "ti\\u0074le": "b"}}', 3, 'syntax'],
  ['a web page', '<html></html>', 1, 'syntax'],
  ['nothing', '  \n', undefined, 'empty'],
  ['only words', 'just words', 1, 'wrong-type'],
  ['an alias that holds itself', 'openapi: 3.0.0\ninfo: &a\n  title: *a', 1, 'cyclic-alias'],
  [
    'a bomb of aliases',
    `openapi: 3.0.0\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n${Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(10).fill(`*a${n}`).join(', ')}]`).join('\n')}`,
    1,
    'too-large',
  ],
];

/** A part of a specification that is small enough to be read many times: some paths, and the components that they need. */
function partOf(specification: JsonObject): JsonObject {
  const paths = Object.fromEntries(Object.entries(specification['paths'] as JsonObject).slice(0, 12));
  const { openapi, info, servers = [], tags = [], security = [] } = specification;
  const { securitySchemes } = (specification['components'] ?? {}) as JsonObject;
  const components: Record<string, Record<string, unknown>> = { ...(isJson(securitySchemes) && { securitySchemes }) };
  const waiting: unknown[] = [paths];
  for (const value of waiting) {
    for (const [, pointer = ''] of (JSON.stringify(value) ?? '').matchAll(/"#(\/components\/[^"]+)"/g)) {
      const [, kind = '', name = ''] = pointerPath(pointer);
      if (components[kind]?.[name] !== undefined) continue;
      const component = valueAt(specification, ['components', kind, name]);
      components[kind] = { ...components[kind], [name]: component };
      waiting.push(component);
    }
  }
  return { openapi, info, servers, tags, security, paths, components };
}

/** What is told otherwise of this many changes, others in each run. */
async function unexpected(specification: JsonObject, count: number): Promise<unknown[]> {
  const faults: unknown[] = [];
  const step = Math.max(1, Math.floor(CHANGES.length / count));
  for (const [name, change, pointer, code] of CHANGES.filter((_, index) => index % step === seed % step)) {
    const changed = structuredClone(specification);
    change(placesOf(changed));
    const problems = await problemsOf(JSON.stringify(changed, null, 1));
    const found = problems.find((each) => each.code === code && pointer.test(each.pointer ?? 'none'));
    const place = valueAt(changed, pointerPath(found?.pointer ?? ''));
    if (!found || found.line === undefined || place === undefined || problems.length > 3)
      faults.push([name, problems.slice(0, 4)]);
  }
  return faults;
}

const PETS: JsonObject = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1', description: 'All about pets.' },
  servers: [{ url: 'https://pets.example.com' }],
  tags: [{ name: 'pets' }],
  security: [{ key: [] }],
  paths: {
    '/pets': {
      get: {
        tags: ['pets'],
        operationId: 'listPets',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1 } }],
        responses: {
          200: {
            description: 'Pets',
            content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } } },
          },
          default: { $ref: '#/components/responses/Fault' },
        },
      },
      post: {
        tags: ['pets'],
        operationId: 'addPet',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
        },
        responses: { 201: { description: 'Made' } },
      },
    },
    '/pets/{id}': {
      parameters: [{ $ref: '#/components/parameters/id' }],
      get: {
        operationId: 'getPet',
        responses: { 200: { description: 'A pet', headers: { 'x-left': { schema: { type: 'integer' } } } } },
      },
    },
  },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string', maxLength: 50 }, parent: { $ref: '#/components/schemas/Pet' } },
      },
    },
    responses: { Fault: { description: 'Wrong' } },
    parameters: { id: { name: 'id', in: 'path', required: true, schema: { type: 'string' } } },
    securitySchemes: { key: { type: 'apiKey', name: 'x-key', in: 'header' } },
  },
};

describe('reading a specification', () => {
  it('tells of each fault where it is and why, in changes of our own (ROUNDS=50 makes all of them)', async () => {
    expect((await read(JSON.stringify(PETS))).operations).toBe(3);
    expect(CHANGES.length).toBeGreaterThanOrEqual(50);
    expect(await unexpected(PETS, rounds(10))).toEqual([]);
  });

  it('accepts nearly all of them where it is tolerant, with what is shown instead, and then has nothing to tell of', async () => {
    const refused: string[] = [];
    const again: unknown[] = [];
    for (const [name, change] of CHANGES) {
      const changed = structuredClone(PETS);
      change(placesOf(changed));
      const text = JSON.stringify(changed, null, 1);
      try {
        const { json, warnings, warningCount } = await tolerantly(text);
        expect([
          name,
          warnings.length,
          warnings.every(({ instead, line }) => instead !== '' && line !== undefined),
        ]).toEqual([name, warningCount, true]);
        const more = await tolerantly(json);
        // Values that were changed are no faults any more; those that were left out may be missed.
        const isSettled = warnings.every(({ instead }) =>
          /^is (left out|shown as (a list|"|true|false|\d))/.test(instead),
        );
        const rest = more.warnings.filter(({ code }) => code !== 'missing-property');
        if (more.warningCount > warningCount || (isSettled && rest.length > 0))
          again.push([name, warnings, more.warnings]);
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        refused.push(name);
      }
    }
    expect(refused).toEqual([
      'no version',
      'a version that is a number',
      'a version of the future',
      'a reference to another document',
    ]);
    expect(again).toEqual([]);
  });

  it('shows what a faulty value can only mean', async () => {
    const text = [
      'openapi: 3.0.3',
      'info: {title: x, version: 1.10}',
      'tags: {a: {name: b}}',
      'paths:',
      '  /a:',
      '    get:',
      '      tags: pets',
      '      deprecated: "true"',
      '      security: [{nobody: []}]',
      '      responses:',
      '        200:',
      '          description: null',
      '          content:',
      '            application/json: {schema: {type: null, minimum: "3"}}',
      '        404: {description: x, content: {a/b: {schema: null}}}',
    ].join('\n');
    const { json, warnings } = await tolerantly(text);
    expect(JSON.parse(json)).toEqual({
      openapi: '3.0.3',
      info: { title: 'x', version: '1.10' },
      tags: [{ name: 'b' }],
      paths: {
        '/a': {
          get: {
            tags: ['pets'],
            deprecated: true,
            security: [{ nobody: [] }],
            responses: {
              200: { content: { 'application/json': { schema: { minimum: 3 } } } },
              404: { description: 'x', content: { 'a/b': {} } },
            },
          },
        },
      },
    });
    const at = Object.fromEntries(warnings.map(({ pointer, instead, line }) => [pointer ?? '', [line, instead]]));
    expect(at).toMatchObject({
      '/info/version': [2, 'is shown as "1.10"'],
      '/tags': [3, 'is shown as a list of its values'],
      '/paths/~1a/get/tags': [7, 'is shown as a list of one'],
      '/paths/~1a/get/deprecated': [8, 'is shown as true'],
      '/paths/~1a/get/responses/200/description': [12, 'is left out'],
      '/paths/~1a/get/responses/200/content/application~1json/schema/type': [14, 'is left out'],
    });
    const named = await tolerantly(
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'x', version: '1' },
        components: { schemas: { A: { type: 'string', examples: { one: { value: 'a' }, two: { value: 'b' } } } } },
      }),
    );
    expect(named.json).toContain('"examples":["a","b"]');
  });

  it('tells of security schemes that nobody declares', async () => {
    const text = JSON.stringify({ ...PETS, security: [{ key: [] }, { other: [] }] }, null, 1);
    for (const { warnings, warningCount } of [await read(text), await tolerantly(text)]) {
      expect(warnings).toMatchObject([
        { code: 'undeclared-security-scheme', pointer: '/security/1/other', instead: 'its name is shown alone' },
      ]);
      expect(warningCount).toBe(1);
    }
    expect(await problemsOf(JSON.stringify({ ...PETS, security: [{ other: [] }], tags: [{}] }))).not.toEqual([]);
  });

  it('changes a value once that has several places by an alias, and keeps it', async () => {
    const text = [
      'openapi: 3.0.3',
      'info: {title: x, version: "1"}',
      'paths:',
      '  /a:',
      '    get: &shared',
      '      tags: pets',
      '      deprecated: "true"',
      '      responses: {200: {description: 5}}',
      '  /b:',
      '    get: *shared',
    ].join('\n');
    const { json, warnings } = await tolerantly(text);
    const operation = { tags: ['pets'], deprecated: true, responses: { 200: { description: '5' } } };
    expect(JSON.parse(json)).toMatchObject({ paths: { '/a': { get: operation }, '/b': { get: operation } } });
    expect(warnings.filter(({ instead }) => instead === 'is left out')).toEqual([]);
  });

  it('tells of references that lead nowhere beside other faults', async () => {
    const { json, warnings } = await tolerantly(
      JSON.stringify({
        openapi: '3.0.3',
        info: { title: 'x', version: 1 },
        paths: {},
        components: {
          schemas: { A: { $ref: '#/components/schemas/B' } },
        },
        tags: [null, ...Array.from({ length: 1_000 }, (_, index) => ({ name: `tag${index}` }))],
      }),
    );
    expect(warnings.map(({ code }) => code)).toContain('unresolved-reference');
    expect((JSON.parse(json) as { tags: unknown[] }).tags).toHaveLength(1_000);
  });

  it('lets no tolerance touch what cannot be read', async () => {
    for (const [name, text, , code] of TEXTS)
      await expect(
        tolerantly(text).catch((error: unknown) => [name, (error as Unreadable).problems[0]?.code]),
      ).resolves.toEqual([name, code]);
  });

  it('tells the line of what is neither JSON nor YAML', async () => {
    for (const [name, text, , code] of TEXTS)
      expect([name, await problemsOf(text)]).toEqual([name, [expect.objectContaining({ code })]]);
    for (const [name, text, line] of TEXTS) expect([name, (await problemsOf(text))[0]?.line]).toEqual([name, line]);
  });

  it('names the second of two keys of JSON, in the specification and in others that it refers to', async () => {
    const twice = '{"openapi": "3.0.0",\n"info": {"title": "a", "a/b": [{}, {"c": 1,\n  "c": 2}]}}';
    expect(await problemsOf(twice)).toEqual([
      {
        code: 'syntax',
        pointer: '/info/a~1b/1/c',
        line: 3,
        message: expect.stringMatching(/^is there twice, again at column 3:/),
      },
    ]);
    const whole = JSON.stringify({
      openapi: '3.0.0',
      info: { title: 'x', version: '1' },
      paths: { '/a': { $ref: 'https://a.example/part.json' } },
    });
    const read = readSpecification(whole, {
      maxLength: MAX,
      fetch: () => Promise.resolve({ text: '{"get":{},\n"get":{}}' }),
    });
    await expect(read).rejects.toMatchObject({
      problems: [{ code: 'syntax', pointer: '/get', line: 2, document: 'https://a.example/part.json' }],
    });
  });

  it('looks into the schemas of OpenAPI 3.1, which are JSON Schemas', async () => {
    const text = stringify({
      openapi: '3.1.0',
      info: { title: 'x', version: '1' },
      components: {
        schemas: {
          Fine: { type: ['string', 'null'] },
          Pet: { type: 'object', properties: { name: { type: 'text' } } },
        },
      },
    });
    expect(await problemsOf(text)).toEqual([
      expect.objectContaining({
        pointer: expect.stringMatching(/^\/components\/schemas\/Pet\/properties\/name\/type$/),
        line: 15,
      }),
    ]);
  });

  it('finds anchors in other documents, and tells of faults there by their own addresses and places', async () => {
    const documents: Readonly<Record<string, string>> = {
      'https://a.example/parts.yaml':
        'Pet:\n  $anchor: Pet\n  properties:\n    next: {$ref: "#Other"}\n    whole: {$ref: "whole.json#Own"}\nO: {$anchor: Other, type: string}\nBad:\n  items: {$ref: "#/Nowhere"}\n  not: {$ref: "#Nameless"}\n',
    };
    const reading = (schemas: object) => ({
      text: JSON.stringify(
        {
          openapi: '3.1.0',
          info: { title: 'x', version: '1' },
          components: { schemas: { Own: { $anchor: 'Own', type: 'string' }, ...schemas } },
        },
        null,
        1,
      ),
      options: {
        base: 'https://a.example/whole.json',
        maxLength: MAX,
        fetch: async (address: string) =>
          documents[address] === undefined ? { problem: 'it is not there' } : { text: documents[address] },
      },
    });
    const problems = async (schemas: object, remove = ''): Promise<unknown> => {
      const { text, options } = reading(schemas);
      const fetch = async (address: string) => ({
        text: ((await options.fetch(address)).text ?? '').replace(remove, ''),
      });
      return readSpecification(text, remove === '' ? options : { ...options, fetch }).then(
        ({ json }) => JSON.parse(json) as unknown,
        (error: unknown) => (error instanceof Unreadable ? error.problems.map(presentProblem) : error),
      );
    };
    const faults = /Bad:[^]*/.exec(documents['https://a.example/parts.yaml'] ?? '')?.[0];
    expect(await problems({ A: { $ref: 'parts.yaml#Pet' } }, faults)).toMatchObject({
      components: { schemas: { A: { $ref: '#/x-ext/d1/Pet' } } },
      'x-ext': {
        d1: { Pet: { properties: { next: { $ref: '#/x-ext/d1/O' }, whole: { $ref: '#/components/schemas/Own' } } } },
      },
    });
    expect(await problems({ A: { $ref: 'parts.yaml#Nobody' }, B: { $ref: 'parts.yaml#/Nothing' } })).toEqual([
      {
        code: 'unresolved-reference',
        pointer: '/components/schemas/A/$ref',
        line: 14,
        message:
          '/components/schemas/A/$ref (line 14) refers to "https://a.example/parts.yaml#Nobody", which is not there',
      },
      {
        code: 'unresolved-reference',
        pointer: '/components/schemas/B/$ref',
        line: 17,
        message:
          '/components/schemas/B/$ref (line 17) refers to "https://a.example/parts.yaml#/Nothing", which is not there',
      },
      {
        code: 'unresolved-reference',
        pointer: '/Bad/items/$ref',
        document: 'https://a.example/parts.yaml',
        message:
          'https://a.example/parts.yaml: /Bad/items/$ref refers to "https://a.example/parts.yaml#/Nowhere", which is not there',
      },
      {
        code: 'unresolved-reference',
        pointer: '/Bad/not/$ref',
        document: 'https://a.example/parts.yaml',
        message:
          'https://a.example/parts.yaml: /Bad/not/$ref refers to "https://a.example/parts.yaml#Nameless", which is not there',
      },
    ]);
    expect(await problems({ A: { $ref: 'missing.yaml' } })).toEqual([
      {
        code: 'unresolved-reference',
        pointer: '/components/schemas/A/$ref',
        line: 14,
        message: '/components/schemas/A/$ref (line 14) refers to "https://a.example/missing.yaml": it is not there',
      },
    ]);
  });

  it('lets others go on while it waits for another document', async () => {
    const reader = new SpecificationReader();
    const { signal } = new AbortController();
    const order = { base: 'https://a.example/whole.json', maxLength: MAX, signal };
    const ended: unknown[] = [];
    const give = await new Promise<(document: FetchedDocument) => void>((asked) => {
      const text = '{"openapi": "3.0.3", "paths": {"/a": {"$ref": "missing.json"}}}';
      reader
        .read({ ...order, text, fetch: () => new Promise(asked) })
        .catch((error: unknown) => ended.push('slow', error));
    });
    await expect(
      reader.read({ ...order, text: '{', fetch: () => Promise.reject(new Error('nothing is fetched')) }),
    ).rejects.toMatchObject({ problems: [{ code: 'syntax' }] });
    expect(ended).toEqual([]);
    give({ problem: 'it is not there' });
    await expect(
      reader.read({ ...order, text: '', fetch: () => Promise.reject(new Error('nothing is fetched')) }),
    ).rejects.toMatchObject({ problems: [{ code: 'empty' }] });
    for (let tries = 0; tries < 200 && ended.length === 0; tries++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(ended).toEqual([
      'slow',
      expect.objectContaining({ problems: [expect.objectContaining({ code: 'unresolved-reference' })] }),
    ]);
  });

  it('keeps the memory of no more than two at once', async () => {
    const reader = new SpecificationReader();
    const events: string[] = [];
    const waiting: ((document: FetchedDocument) => void)[] = [];
    const answer = (): void => waiting.shift()?.({ problem: 'it is not there' });
    const fetch = () =>
      new Promise<FetchedDocument>((resolve) => {
        waiting.push(resolve);
        if (events.push('asks') > 1) answer();
      });
    const order = {
      base: 'https://a.example/whole.json',
      maxLength: MAX,
      signal: new AbortController().signal,
      text: '{"openapi": "3.0.3", "paths": {"/a": {"$ref": "missing.json"}}}',
      fetch,
    };
    await Promise.all(
      [1, 2, 3].map(() =>
        reader
          .read(order)
          .catch((error: unknown) => events.push(error instanceof Unreadable ? 'ends' : String(error)))
          .then(() => events.length === 5 && answer()),
      ),
    );
    expect(events).toEqual(['asks', 'asks', 'ends', 'asks', 'ends', 'ends']);
  });

  it('converts Swagger 2.0', async () => {
    const swagger = {
      swagger: '2.0',
      info: { title: 'Pets', version: '1' },
      host: 'pets.example.com',
      basePath: '/v1',
      schemes: ['https'],
      consumes: ['application/json'],
      produces: ['application/json'],
      paths: {
        '/pets/{id}': {
          parameters: [{ $ref: '#/parameters/id' }],
          get: {
            parameters: [
              { name: 'tags', in: 'query', type: 'array', items: { type: 'string' }, collectionFormat: 'multi' },
              { name: 'ids', in: 'query', type: 'array', items: { type: 'string' } },
            ],
            responses: {
              200: {
                description: 'ok',
                schema: { $ref: '#/definitions/Pet' },
                headers: { 'x-left': { type: 'integer' } },
              },
              default: { $ref: '#/responses/Fault' },
            },
            security: [{ basic: [] }],
          },
          put: {
            parameters: [{ in: 'body', name: 'pet', required: true, schema: { $ref: '#/definitions/Pet' } }],
            responses: { 204: { description: 'done' } },
          },
          post: {
            consumes: ['multipart/form-data'],
            parameters: [{ in: 'formData', name: 'picture', type: 'file', required: true }],
            responses: { 204: { description: 'done' } },
          },
        },
      },
      parameters: { id: { name: 'id', in: 'path', required: true, type: 'string' } },
      responses: { Fault: { description: 'wrong' } },
      definitions: {
        Pet: {
          type: 'object',
          discriminator: 'kind',
          required: ['kind'],
          properties: { kind: { type: 'string' }, parent: { $ref: '#/definitions/Pet' } },
        },
      },
      securityDefinitions: {
        basic: { type: 'basic' },
        login: {
          type: 'oauth2',
          flow: 'accessCode',
          authorizationUrl: 'https://a.example.com',
          tokenUrl: 'https://b.example.com',
          scopes: { read: 'Read' },
        },
      },
    };
    const { json, version } = await read(JSON.stringify(swagger));
    expect(version).toBe('2.0');
    expect((await read(json)).version).toBe('3.0');
    const converted = JSON.parse(json) as JsonObject;
    expect(converted).toMatchObject({
      openapi: '3.0.3',
      servers: [{ url: 'https://pets.example.com/v1' }],
      paths: {
        '/pets/{id}': {
          parameters: [{ $ref: '#/components/parameters/id' }],
          get: {
            parameters: [
              { name: 'tags', style: 'form', explode: true, schema: { type: 'array', items: { type: 'string' } } },
              { name: 'ids', style: 'form', explode: false },
            ],
            responses: {
              200: {
                headers: { 'x-left': { schema: { type: 'integer' } } },
                content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
              },
              default: { $ref: '#/components/responses/Fault' },
            },
          },
          put: {
            requestBody: {
              required: true,
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
            },
          },
          post: {
            requestBody: {
              content: {
                'multipart/form-data': {
                  schema: { properties: { picture: { type: 'string', format: 'binary' } }, required: ['picture'] },
                },
              },
            },
          },
        },
      },
      components: {
        schemas: { Pet: { discriminator: { propertyName: 'kind' } } },
        securitySchemes: {
          basic: { type: 'http', scheme: 'basic' },
          login: { flows: { authorizationCode: { scopes: { read: 'Read' } } } },
        },
      },
    });
  });

  it('gives the components of Swagger 2.0 names that OpenAPI 3 allows, and what refers to them', async () => {
    const { json } = await read(
      JSON.stringify({
        swagger: '2.0',
        info: { title: 'Names', version: '1' },
        security: [{ 'my key': [] }],
        paths: {
          '/a': {
            get: {
              parameters: [{ $ref: '#/parameters/the%20page' }],
              security: [{ 'my key': [] }, { plain: [] }],
              responses: {
                200: { description: 'ok', schema: { $ref: '#/definitions/Map«string,Pet»' } },
                400: { $ref: '#/responses/a~1b' },
              },
            },
          },
        },
        parameters: { 'the page': { name: 'page', in: 'query', type: 'string' } },
        responses: { 'a/b': { description: 'wrong' } },
        definitions: {
          'Map«string,Pet»': { additionalProperties: { $ref: '#/definitions/Map%28string%2CPet%29/properties/pet' } },
          'Map(string,Pet)': { properties: { pet: { $ref: '#/definitions/Map_string_Pet_' } } },
          Map_string_Pet_: { type: 'object' },
        },
        securityDefinitions: { 'my key': { type: 'apiKey', name: 'key', in: 'header' }, plain: { type: 'basic' } },
      }),
    );
    expect((await read(json)).version).toBe('3.0');
    const pet = '#/components/schemas/Map_string_Pet_';
    expect(JSON.parse(json)).toMatchObject({
      security: [{ my_key: [] }],
      paths: {
        '/a': {
          get: {
            parameters: [{ $ref: '#/components/parameters/the_page' }],
            security: [{ my_key: [] }, { plain: [] }],
            responses: {
              200: { content: { 'application/json': { schema: { $ref: `${pet}_2` } } } },
              400: { $ref: '#/components/responses/a_b' },
            },
          },
        },
      },
      components: {
        parameters: { the_page: { name: 'page' } },
        responses: { a_b: { description: 'wrong' } },
        schemas: {
          Map_string_Pet__2: { additionalProperties: { $ref: `${pet}_3/properties/pet` } },
          Map_string_Pet__3: { properties: { pet: { $ref: pet } } },
          Map_string_Pet_: { type: 'object' },
        },
        securitySchemes: { my_key: { name: 'key' }, plain: { type: 'http' } },
      },
    });
  });

  const others =
    FOLDER !== undefined && existsSync(FOLDER)
      ? readdirSync(FOLDER)
          .map((name) => join(FOLDER, name))
          .filter((file) => statSync(file).isFile())
      : [];
  (others.length > 0 ? it : it.skip)(
    'holds for specifications of others (SPECIFICATIONS names a folder of them)',
    async () => {
      const rows: string[] = [];
      for (const file of others) {
        const text = readFileSync(file, 'utf8');
        const started = performance.now();
        const { json, version, operations } = await read(text);
        rows.push(
          `${file.split('/').at(-1) ?? ''} | ${(text.length / 1e6).toFixed(2)} MB | ${version} | ${operations} operations | ${((performance.now() - started) / 1000).toFixed(2)} s`,
        );
        const specification = JSON.parse(json) as JsonObject;
        if (version === '3.0')
          expect([file, await unexpected(partOf(specification), CHANGES.length)]).toEqual([file, []]);
      }
      process.stdout.write(`${rows.join('\n')}\n`);
    },
    600_000,
  );
});
