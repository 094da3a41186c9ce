import { describe, expect, it } from '@jest/globals';
import { specificationChanges } from '../src/formats/openapi/domain/changes/compare-specifications.js';
import type { SpecificationChange } from '../src/formats/openapi/domain/changes/change.js';

type Json = Record<string, unknown>;

/** A specification with an operation that sends and receives a schema. */
const specification = (schemas: Json = {}, operation: Json = {}, whole: Json = {}): Json => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: { '/pets/{id}': { post: { responses: { 200: { description: 'ok' } }, ...operation } } },
  components: { schemas },
  ...whole,
});
const content = (schema: unknown): Json => ({ content: { 'application/json': { schema } } });
const sends = (schema: unknown): Json => specification({}, { requestBody: content(schema) });
const receives = (schema: unknown): Json =>
  specification({}, { responses: { 200: { description: 'ok', ...content(schema) } } });
const takes = (...parameters: readonly Json[]): Json => specification({}, { parameters });
const query = (more: Json = {}): Json => ({ name: 'limit', in: 'query', schema: { type: 'integer' }, ...more });

const brief = ({ effect, code, place }: SpecificationChange): string =>
  `${effect} ${code}${place === undefined ? '' : ` @ ${place}`}`;
const found = (before: Json, after: Json): string[] => specificationChanges(before, after).changes.map(brief);

/** The effects of a change of a schema: where clients send it, and where they receive it. */
const effects = (before: unknown, after: unknown): string[] =>
  [sends, receives].map((of) => {
    const { changes } = specificationChanges(of(before), of(after));
    return changes.map(({ effect, code }) => `${effect} ${code}`).join(', ');
  });

const object = (properties: Json, more: Json = {}): Json => ({ type: 'object', properties, ...more });
const text = { type: 'string' };

const OF_SCHEMAS: readonly (readonly [string, unknown, unknown, string, string])[] = [
  ['nothing', object({ a: text }), object({ a: { ...text } }), '', ''],
  ['another type', text, { type: 'integer' }, 'breaking type-changed', 'breaking type-changed'],
  [
    'integers become numbers',
    { type: 'integer' },
    { type: 'number' },
    'compatible type-changed',
    'breaking type-changed',
  ],
  [
    'null is allowed in 3.1',
    text,
    { type: ['string', 'null'] },
    'compatible nullable-changed',
    'breaking nullable-changed',
  ],
  [
    'null is allowed in 3.0',
    text,
    { type: 'string', nullable: true },
    'compatible nullable-changed',
    'breaking nullable-changed',
  ],
  ['null is written otherwise', { type: 'string', nullable: true }, { anyOf: [text, { type: 'null' }] }, '', ''],
  [
    'a value is removed',
    { enum: ['a', 'b'] },
    { enum: ['a'] },
    'breaking enum-values-removed',
    'compatible enum-values-removed',
  ],
  [
    'a value is added',
    { enum: ['a'] },
    { enum: ['a', null] },
    'compatible enum-values-added',
    'dangerous enum-values-added',
  ],
  ['const is a list of one value', { enum: ['a'] }, { const: 'a' }, '', ''],
  [
    'an upper limit is lowered',
    { maxLength: 9 },
    { maxLength: 8 },
    'breaking limit-changed',
    'compatible limit-changed',
  ],
  ['a lower limit is lowered', { minimum: 2 }, { minimum: 1 }, 'compatible limit-changed', 'dangerous limit-changed'],
  ['a limit is taken away', { minItems: 2 }, {}, 'compatible limit-changed', 'dangerous limit-changed'],
  ['a pattern is added', text, { ...text, pattern: '^a' }, 'breaking rule-changed', 'compatible rule-changed'],
  [
    'a property is removed',
    object({ a: text, b: text }),
    object({ a: text }),
    'dangerous property-removed',
    'dangerous property-removed',
  ],
  [
    'a property that is always there is removed',
    object({ a: text }, { required: ['a'], additionalProperties: false }),
    object({}, { additionalProperties: false }),
    'breaking property-removed',
    'breaking property-removed',
  ],
  ['a property is added', object({}), object({ a: text }), 'compatible property-added', 'compatible property-added'],
  [
    'a required property is added',
    object({}),
    object({ a: text }, { required: ['a'] }),
    'breaking required-property-added',
    'compatible required-property-added',
  ],
  [
    'a name is required that is not described',
    object({}),
    object({}, { required: ['a'] }),
    'breaking required-property-added',
    'compatible required-property-added',
  ],
  [
    'a property becomes required',
    object({ a: text }),
    object({ a: text }, { required: ['a'] }),
    'breaking property-became-required',
    'compatible property-became-required',
  ],
  [
    'a property becomes optional',
    object({ a: text }, { required: ['a'] }),
    object({ a: text }),
    'compatible property-became-optional',
    'breaking property-became-optional',
  ],
  [
    'a required property is read-only',
    object({}),
    object({ id: { ...text, readOnly: true } }, { required: ['id'] }),
    '',
    'compatible required-property-added',
  ],
  [
    'a required property is no longer read-only',
    object({ id: { ...text, readOnly: true } }, { required: ['id'] }),
    object({ id: text }, { required: ['id'] }),
    'breaking required-property-added',
    '',
  ],
  [
    'a property is no longer write-only',
    object({ id: { ...text, writeOnly: true } }),
    object({ id: text }),
    '',
    'compatible property-added',
  ],
  [
    'names in another order',
    { not: { a: 1, b: 2 }, default: { a: 1, b: 2 } },
    { default: { b: 2, a: 1 }, not: { b: 2, a: 1 } },
    '',
    '',
  ],
  ['values with names in another order', { enum: [{ a: 1, b: 2 }] }, { enum: [{ b: 2, a: 1 }] }, '', ''],
  [
    'a property becomes write-only',
    object({ a: text }),
    object({ a: { ...text, writeOnly: true } }),
    '',
    'breaking property-became-write-only',
  ],
  [
    'other properties are refused',
    object({}),
    object({}, { additionalProperties: false }),
    'breaking additional-properties-refused',
    'compatible additional-properties-refused',
  ],
  [
    'an alternative is added',
    { oneOf: [text, { type: 'integer' }] },
    { oneOf: [text, { type: 'integer' }, { type: 'boolean' }] },
    'compatible alternative-added',
    'dangerous alternative-added',
  ],
  [
    'an alternative is removed, others are in another order',
    { anyOf: [{ title: 'Cat' }, { title: 'Dog' }, { title: 'Fox' }] },
    { anyOf: [{ title: 'Fox' }, { title: 'Dog' }] },
    'breaking alternative-removed',
    'compatible alternative-removed',
  ],
  [
    'properties move into a schema that is joined',
    object({ a: text, b: text }, { required: ['a'] }),
    { allOf: [object({ a: text }, { required: ['a'] }), object({ b: text })] },
    '',
    '',
  ],
  [
    'a description',
    { ...text, description: 'one' },
    { ...text, description: 'two' },
    'documentation description-changed',
    'documentation description-changed',
  ],
  ['deprecation', text, { ...text, deprecated: true }, 'compatible deprecated', 'compatible deprecated'],
];

describe('the changes between two versions of a specification', () => {
  it.each(OF_SCHEMAS)('of schemas: %s', (_, before, after, sent, received) => {
    expect(effects(before, after)).toEqual([sent, received]);
  });

  it('of operations, whose parameters in the path may have other names', () => {
    const named = (name: string) => ({
      ...specification(),
      paths: { [`/pets/{${name}}`]: { get: { parameters: [{ name, in: 'path', required: true, schema: text }] } } },
    });
    expect(found(named('id'), named('petId'))).toEqual([]);
    expect(found(specification(), { ...specification(), paths: {} })).toEqual(['breaking operation-removed']);
    expect(specificationChanges({ ...specification(), paths: {} }, specification())).toEqual({
      changes: [
        {
          effect: 'compatible',
          code: 'operation-added',
          operation: { method: 'post', path: '/pets/{id}' },
          message: 'The operation was added',
          pointer: '/paths/~1pets~1{id}/post',
        },
      ],
      counts: { breaking: 0, dangerous: 0, compatible: 1, documentation: 0 },
    });
  });

  it('of parameters', () => {
    const at = '@ query parameter limit';
    expect(found(takes(), takes(query()))).toEqual([`compatible parameter-added ${at}`]);
    expect(found(takes(), takes(query({ required: true })))).toEqual([`breaking required-parameter-added ${at}`]);
    expect(found(takes(query()), takes())).toEqual([`dangerous parameter-removed ${at}`]);
    expect(found(takes(query()), takes(query({ required: true })))).toEqual([
      `breaking parameter-became-required ${at}`,
    ]);
    expect(found(takes(query()), takes(query({ style: 'form', explode: true })))).toEqual([]);
    expect(found(takes(query()), takes(query({ explode: false })))).toEqual([`breaking serialization-changed ${at}`]);
    expect(found(takes(query()), takes(query({ schema: text })))).toEqual([`breaking type-changed ${at}`]);
    // The path item has them as well, and names of headers have no capitals.
    const header = (name: string) => ({ name, in: 'header', schema: text });
    const inItem = { ...specification(), paths: { '/pets/{id}': { parameters: [header('x-a')], post: {} } } };
    expect(found(inItem, { ...specification(), paths: { '/pets/{id}': { post: {} } } })).toContain(
      'dangerous parameter-removed @ header parameter x-a',
    );
    expect(found(takes(header('X-A')), takes(header('x-a')))).toEqual([]);
  });

  it('of bodies, responses and headers', () => {
    const body = (more: Json = {}) => specification({}, { requestBody: { ...content(text), ...more } });
    expect(found(specification(), body())).toEqual(['compatible request-body-added @ request body']);
    expect(found(specification(), body({ required: true }))).toEqual(['breaking request-body-added @ request body']);
    expect(found(body(), body({ required: true }))).toEqual(['breaking request-body-became-required @ request body']);
    expect(found(body(), specification())).toEqual(['breaking request-body-removed @ request body']);
    expect(found(body(), body({ content: { 'text/plain': { schema: text } } }))).toEqual([
      'breaking media-type-removed @ request body',
      'compatible media-type-added @ request body',
    ]);
    const answers = (responses: Json) => specification({}, { responses });
    const ok = { description: 'ok' };
    expect(found(answers({ 200: ok, 404: ok }), answers({ 201: ok }))).toEqual([
      'breaking response-removed @ response 200',
      'compatible response-removed @ response 404',
      'compatible response-added @ response 201',
    ]);
    const headed = (headers: Json) => answers({ 200: { ...ok, headers } });
    expect(found(headed({ 'X-A': {}, 'X-B': { required: true } }), headed({ 'x-c': {} }))).toEqual([
      'breaking header-removed @ response 200, header X-B',
      'dangerous header-removed @ response 200, header X-A',
      'compatible header-added @ response 200, header x-c',
    ]);
  });

  it('of a schema that operations share, once and as its worst effect, also where it refers to itself', () => {
    const pets = (name: Json) => ({
      ...specification({ Pet: object({ name, parent: { $ref: '#/components/schemas/Pet' } }) }),
      paths: Object.fromEntries(
        ['/a', '/b'].map((path) => [
          path,
          {
            get: { responses: { 200: content({ $ref: '#/components/schemas/Pet' }) } },
            put: { requestBody: content({ type: 'array', items: { $ref: '#/components/schemas/Pet' } }) },
          },
        ]),
      ),
    });
    expect(specificationChanges(pets(text), pets({ ...text, maxLength: 3 })).changes).toEqual([
      {
        effect: 'breaking',
        code: 'limit-changed',
        schema: 'Pet',
        place: 'name',
        message: 'maxLength was not given and is 3',
        pointer: '/components/schemas/Pet/properties/name',
      },
    ]);
  });

  it('of webhooks and callbacks, whose requests clients receive', () => {
    const hooked = (schema: Json, name = 'petBorn') => ({
      ...specification(),
      webhooks: { [name]: { post: { requestBody: content(schema) } } },
    });
    const [plain, more] = [object({ a: text }, { required: ['a'] }), object({ a: text })];
    expect(found(hooked(plain), hooked(more))).toEqual(['breaking property-became-optional @ request body']);
    expect(found(hooked(more), hooked(plain))).toEqual(['compatible property-became-required @ request body']);
    expect(found(hooked(plain), hooked(plain, 'other'))).toEqual([
      'breaking webhook-removed',
      'compatible webhook-added',
    ]);
    const calls = (schema: Json) =>
      specification(
        {},
        { callbacks: { paid: { '{$request.body#/url}': { post: { requestBody: content(schema) } } } } },
      );
    expect(found(calls(plain), calls(more))).toEqual([
      'breaking property-became-optional @ callback paid, request body',
    ]);
    expect(found(calls(plain), specification())).toEqual(['breaking callback-removed @ callback paid']);
  });

  it('of authorization: who was let in, and still is', () => {
    const secured = (security: unknown) => specification({}, security === undefined ? {} : { security });
    expect(found(secured(undefined), secured([{ key: [] }]))).toEqual(['breaking security-changed']);
    expect(found(secured([{ key: [] }]), secured(undefined))).toEqual(['compatible security-added']);
    expect(found(secured([{ o: ['read'] }]), secured([{ o: ['read', 'write'] }]))).toEqual([
      'breaking security-changed',
    ]);
    expect(found(secured([{ o: ['read', 'write'] }]), secured([{ o: ['read'] }]))).toEqual([
      'compatible security-added',
    ]);
    expect(found(secured([{ key: [] }]), secured([{ token: [] }, { key: [] }]))).toEqual(['compatible security-added']);
    // That of the whole specification is told once.
    const whole = (security: unknown) => specification({}, {}, { security });
    expect(found(whole([{ key: [] }]), whole([{ token: [] }]))).toEqual(['breaking security-changed']);
  });

  it('of the ways to get a token, whose descriptions do not count', () => {
    const scheme = (flows: unknown): Json =>
      specification({}, {}, { components: { securitySchemes: { o: { type: 'oauth2', flows } } } });
    const flow = (scopes: Json, more: Json = {}): Json => ({ implicit: { authorizationUrl: '/a', scopes, ...more } });
    expect(found(scheme(flow({ read: 'Reads', write: 'W' })), scheme(flow({ write: 'Writes', read: 'R' })))).toEqual(
      [],
    );
    expect(found(scheme(flow({ read: 'Reads' })), scheme(flow({})))).toEqual(['dangerous security-scheme-changed']);
    expect(found(scheme(flow({})), scheme(flow({}, { authorizationUrl: '/b' })))).toEqual([
      'dangerous security-scheme-changed',
    ]);
  });

  it('of a schema that joins more schemas than a call has arguments', () => {
    const joins = (type: string): Json => sends({ allOf: [{ type }, ...Array.from({ length: 300_000 }, () => ({}))] });
    expect(found(joins('string'), joins('integer'))).toEqual(['breaking type-changed @ request body']);
  });

  it('of schemas of which too many are joined, as not compared', () => {
    const joins = (last: string): Json =>
      sends({ allOf: [...Array.from({ length: 70 }, () => ({ type: 'object' })), { required: [last] }] });
    expect(found(joins('a'), joins('b'))).toEqual(['dangerous not-compared @ request body']);
    expect(found(joins('a'), joins('a'))).toEqual([]);
  });

  it('of keywords beside a reference, from OpenAPI 3.1 on', () => {
    const one = (siblings: Json, openapi: string): Json => ({
      ...sends({ $ref: '#/components/schemas/Name', ...siblings }),
      openapi,
      components: { schemas: { Name: { type: 'string', maxLength: 9 } } },
    });
    const changes = (openapi: string): unknown =>
      found(one({}, openapi), one({ maxLength: 5, description: 'x' }, openapi));
    expect(changes('3.0.3')).toEqual([]);
    expect(changes('3.1.0')).toEqual([
      'breaking limit-changed @ request body',
      'documentation description-changed @ request body',
    ]);
    const itself = one({ maxLength: 5 }, '3.1.0');
    itself['components'] = { schemas: { Name: { $ref: '#/components/schemas/Name', maxLength: 3 } } };
    expect(found(itself, itself)).toEqual([]);
  });

  it('of other properties, which may follow a schema', () => {
    const other = (additionalProperties: unknown): Json => sends({ type: 'object', additionalProperties });
    const code = (before: unknown, after: unknown): unknown => found(other(before), other(after));
    const schema = { type: 'string' };
    expect([code(true, schema), code({}, schema), code(undefined, schema)]).toEqual(
      Array.from({ length: 3 }, () => ['breaking additional-properties-restricted @ request body']),
    );
    expect(code(schema, true)).toEqual(['compatible additional-properties-unrestricted @ request body']);
    expect(code(false, schema)).toEqual(['compatible additional-properties-allowed @ request body']);
    expect([code(schema, schema), code(true, {}), code(undefined, true)]).toEqual([[], [], []]);
  });

  it('of responses, among which extensions are none', () => {
    const responses = (more: Json): Json => specification({}, { responses: { 200: { description: 'ok' }, ...more } });
    expect(found(responses({ 'x-note': 1 }), responses({ 404: { description: 'gone' }, 'x-other': 2 }))).toEqual([
      'compatible response-added @ response 404',
    ]);
  });

  it('of values that are no specification at all', () => {
    const odd: Json = { openapi: 3, paths: { '/a': { get: { parameters: 'x', responses: [null], security: 'no' } } } };
    odd['components'] = { schemas: { A: { $ref: '#/components/schemas/A' } } };
    expect(found(odd, { ...specification(), paths: { '/a': 7 } })).toEqual(['breaking operation-removed']);
    expect(found({ paths: null }, { paths: [] })).toEqual([]);
    const cyclic = (more: Json) => specification({}, { requestBody: content({ allOf: [{ $ref: '#/x' }] }) }, more);
    expect(found(cyclic({ x: { $ref: '#/x' } }), cyclic({ x: true }))).toEqual([]);
    const joinsItself = { x: { allOf: [{ $ref: '#/x' }], type: 'string' } };
    expect(found(cyclic(joinsItself), cyclic(joinsItself))).toEqual([]);
  });

  it('of a thousand operations with deep schemas, in time that grows with their size', () => {
    const large = (count: number, type: string): Json => ({
      ...specification(
        Object.fromEntries(
          Array.from({ length: count }, (_, index) => [
            `S${index}`,
            object(
              Object.fromEntries(
                Array.from({ length: 20 }, (_each, at) => [
                  `p${at}`,
                  at < 5 ? { $ref: `#/components/schemas/S${(index * 7 + at) % count}` } : { type },
                ]),
              ),
            ),
          ]),
        ),
      ),
      paths: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `/a${index}`,
          {
            get: { responses: { 200: content({ $ref: `#/components/schemas/S${index}` }) } },
            put: { requestBody: content({ $ref: `#/components/schemas/S${index}` }) },
          },
        ]),
      ),
    });
    const cost = (count: number): number => {
      const [before, after] = [large(count, 'string'), large(count, 'integer')];
      const start = performance.now();
      const { changes, counts } = specificationChanges(before, after);
      expect(counts.breaking).toBe(15 * count);
      expect(changes).toHaveLength(Math.min(5_000, 15 * count));
      return performance.now() - start;
    };
    cost(500);
    expect(cost(2_000)).toBeLessThan(12 * Math.max(20, cost(500)));
  });
});
