import { describe, expect, it } from '@jest/globals';
import { fieldsOf, missingFields } from './compare.js';
import { loadPublicDescriptions, type Description } from './documents.js';
import type { Evidence } from './evidence.js';
import type { OpenApiDocument, OperationObject, Schema } from './json-schema.js';
import type { Operation } from './operations.js';
import type { TestRecord } from './recorder.js';
import { buildReport, printReport, type ReportInput } from './report.js';

const operation = (changes: Partial<Operation>): Operation => ({
  id: 'listThings',
  method: 'GET',
  path: '/v1/things/{thingId}',
  section: 'Things',
  success: [200],
  errors: [],
  paged: false,
  location: false,
  events: false,
  scim: false,
  filters: [],
  source: 'public',
  origin: 'interface',
  ...changes,
});

const document = (paths: OpenApiDocument['paths'], schemas: Record<string, Schema> = {}): OpenApiDocument => ({
  openapi: '3.0.3',
  paths,
  components: { schemas },
});

const answers = (schema: Schema, more: Partial<OperationObject> = {}): OperationObject => ({
  operationId: 'listThings',
  responses: { 200: { content: { 'application/json': { schema } } } },
  ...more,
});

const described = (published: OpenApiDocument): Description => ({
  name: 'public',
  document: published,
  original: published,
  components: {},
});

const evidence = (changes: Partial<Evidence>): Evidence => ({
  compared: true,
  exercised: true,
  nonEmpty: false,
  next: false,
  filters: [],
  ...changes,
});

const record = (changes: Partial<TestRecord>): TestRecord => ({
  spec: 'a.spec.ts',
  test: 't',
  evidence: {},
  statuses: {},
  problems: [],
  serverErrors: 0,
  holds: [],
  validated: 0,
  seen: [],
  undeclared: [],
  ...changes,
});

const input = (changes: Partial<ReportInput>): ReportInput => ({
  operations: [operation({})],
  records: [],
  published: document({ '/v1/things/{thingId}': { get: answers({}) } }),
  descriptions: undefined,
  unseen: [],
  absences: [],
  ...changes,
});

describe('the report', () => {
  it('fails for what is implemented and not exercised, not for what is not implemented', () => {
    expect(buildReport(input({})).failures).toHaveLength(1);
    expect(buildReport(input({ published: document({}) })).failures).toEqual([]);
    expect(
      buildReport(input({ records: [record({ evidence: { listThings: evidence({ exercised: false }) } })] })).failures,
    ).toHaveLength(1);
    expect(buildReport(input({ records: [record({ evidence: { listThings: evidence({}) } })] })).failures).toEqual([]);
  });

  it('demands of a list rows, a next page and each filter, from whichever tests', () => {
    const list = [operation({ paged: true, filters: ['title', 'owner'] })];
    const first = record({ evidence: { listThings: evidence({ nonEmpty: true, filters: ['title'] }) } });
    const second = record({ evidence: { listThings: evidence({ exercised: false, next: true }) } });
    expect(buildReport(input({ operations: list, records: [first] })).states[0]?.lacking).toEqual([
      'no answer with next',
      'filter owner never left a row out',
    ]);
    expect(buildReport(input({ operations: list, records: [first, second] })).states[0]?.lacking).toEqual([
      'filter owner never left a row out',
    ]);
  });

  it('fails for answers that did not validate and for properties that nothing declares', () => {
    const records = [
      record({
        evidence: { listThings: evidence({}) },
        problems: ['GET /x: a server error'],
        undeclared: ['Thing.extra'],
      }),
    ];
    const { failures } = buildReport(input({ records }));
    expect(failures).toHaveLength(2);
    expect(failures[0]).toBe('a.spec.ts, t: GET /x: a server error');
    expect(failures[1]).toMatch(/Thing\.extra/);
  });

  it('counts the errors that the contract or our document declares, and those that tests met', () => {
    const published = document({
      '/v1/things/{thingId}': { get: answers({}, { responses: { 200: {}, 401: {}, 404: {}, 429: {} } }) },
    });
    const records = [record({ statuses: { listThings: { 200: 3, 404: 1 } } })];
    const [state] = buildReport(input({ operations: [operation({ errors: [409] })], published, records })).states;
    expect(state?.declared).toEqual([401, 404, 409]);
    expect(state?.met).toEqual([404]);
  });

  it('demands that every optional property was seen or is explained, and that the explanations are true', () => {
    const thing: Schema = {
      type: 'object',
      required: ['id'],
      properties: { id: {}, icon: {}, git: { type: 'object', properties: { ref: {}, url: {} } } },
    };
    const contract = described(
      document({ '/things/{thingId}': { get: answers({ $ref: '#/components/schemas/Thing' }) } }, { Thing: thing }),
    );
    const descriptions = { public: contract, next: contract };
    const report = (seen: string[], unseen: ReportInput['unseen']): readonly string[] =>
      buildReport(
        input({
          descriptions,
          unseen: unseen ?? [],
          records: [record({ evidence: { listThings: evidence({}) }, seen })],
        }),
      ).failures;
    expect(report([], [])).toHaveLength(4);
    expect(report(['Thing.icon', 'Thing.git', 'Thing.git.ref', 'Thing.git.url'], [])).toEqual([]);
    expect(report(['Thing.icon'], [{ property: 'Thing.git*', reason: 'later' }])).toEqual([]);
    expect(
      report(
        ['Thing.icon', 'Thing.git', 'Thing.git.ref', 'Thing.git.url'],
        [{ property: 'Thing.git*', reason: 'later' }],
      ),
    ).toHaveLength(1);
  });

  it('prints a line a section and the total', () => {
    const records = [
      record({ evidence: { listThings: evidence({}) }, statuses: { listThings: { 200: 1 } }, validated: 1 }),
    ];
    const report = buildReport(
      input({ records, operations: [operation({}), operation({ id: 'other', path: '/v1/others' })] }),
    );
    const text = printReport(report, true, true);
    expect(text).toMatch(/Things\s+1 of 2\s+1\s+0 of 0/);
    expect(text).toMatch(/\+ GET {4}\/v1\/things\/\{thingId\}/);
    expect(text).toMatch(/^1 of 2 operations of the interface implemented and exercised$/m);
  });
});

describe('the comparison of what requests may hold', () => {
  const body = (schema: Schema, query: string[] = []): OperationObject => ({
    ...answers({}),
    parameters: query.map((name) => ({ name, in: 'query' })),
    requestBody: { content: { 'application/json': { schema } } },
  });
  const theirs = document(
    {
      '/things/{thingId}': {
        get: body(
          {
            allOf: [
              {
                type: 'object',
                properties: {
                  title: {},
                  source: { oneOf: [{ properties: { url: {} } }, { properties: { text: {} } }] },
                },
              },
              { $ref: '#/components/schemas/More' },
            ],
          },
          ['page', 'owner'],
        ),
      },
    },
    {
      More: {
        type: 'object',
        properties: {
          tags: { type: 'array', items: { properties: { name: {} } } },
          body: { $ref: '#/components/schemas/JSONDocument' },
        },
      },
      JSONDocument: { properties: { nodes: {} } },
    },
  );
  const missing = (schema: Schema, query: string[]): string[] =>
    missingFields(described(theirs), document({ '/v1/things/{thingId}': { get: body(schema, query) } }), operation({}));

  it('lists parameters and fields that ours lacks, a missing parent instead of its children', () => {
    const source = { properties: { url: {}, text: {} } };
    const tags = { items: { properties: { name: {} } } };
    expect(missing({ properties: { title: {}, source, tags, body: {} } }, ['page', 'owner'])).toEqual([]);
    expect(missing({ properties: { title: {}, source: { properties: { url: {} } }, body: {} } }, ['page'])).toEqual([
      '?owner',
      'source.text',
      'tags',
    ]);
  });

  it('takes a free object for anything inside of it', () => {
    expect(
      missing(
        {
          properties: {
            title: {},
            source: { type: 'object', additionalProperties: true },
            tags: { items: { type: 'object' } },
            body: {},
          },
        },
        ['page', 'owner'],
      ),
    ).toEqual([]);
  });

  it('ends in recursive schemas', () => {
    const tree = document(
      {},
      { Node: { properties: { name: {}, children: { type: 'array', items: { $ref: '#/components/schemas/Node' } } } } },
    );
    expect([...fieldsOf(tree, { $ref: '#/components/schemas/Node' }).names].sort()).toContain('children.name');
  });

  const withPackage = loadPublicDescriptions() ? it : it.skip;
  withPackage('compares requests of the newer build by its own schemas', () => {
    const descriptions = loadPublicDescriptions();
    if (!descriptions) throw new Error('The package was there when the tests were named');
    const create = operation({ id: 'createOrganization', method: 'POST', path: '/v1/orgs' });
    const ours = document({ '/v1/orgs': { post: body({ properties: { title: {}, emailDomains: {} } }) } });
    expect(missingFields(descriptions.next, ours, create).sort()).toEqual([
      '?openapiUrl',
      '?withDefaultSite',
      'onboardingPreferences',
    ]);
    expect(missingFields(descriptions.public, ours, create)).toEqual([]);
  });
});
