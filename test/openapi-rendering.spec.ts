import { describe, expect, it } from '@jest/globals';
import { block, document } from '../src/formats/document/build.js';
import type { Block } from '../src/formats/document/types.js';
import { languagePackOf } from '../src/formats/html/languages/language-packs.js';
import { consoleOf } from '../src/formats/html/openapi/console.js';
import { operationOf } from '../src/formats/html/openapi/operation.js';
import { operationBlocks } from '../src/formats/html/openapi/operation-blocks.js';
import { samplesOf } from '../src/formats/html/openapi/samples.js';
import { EMPTY_RESOLVER } from '../src/formats/html/reference-facts.js';
import { renderContent } from '../src/formats/html/render.js';
import { serializeMarkdown } from '../src/formats/markdown/serialize.js';
import { splitSpecification, SpecificationParts } from '../src/formats/openapi/specification-parts.js';

const spec = { kind: 'openapi', spec: 'pets' } as const;
const CODES = Array.from({ length: 40 }, (_, index) => `code-${index}`);

const api = SpecificationParts.of(
  splitSpecification({
    openapi: '3.0.3',
    paths: {
      '/pets': {
        post: {
          requestBody: {
            content: {
              'application/xml': { schema: { $ref: '#/components/schemas/Pet' } },
              'application/json': { schema: { $ref: '#/components/schemas/Pet' } },
            },
          },
          responses: {
            200: {
              description: 'ok',
              content: {
                'application/problem+xml': {
                  schema: { type: 'array', items: { $ref: '#/components/schemas/Tag' } },
                  example: [{ id: 1, label: 'a < b & "c"' }, { id: 2 }],
                },
              },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        Pet: {
          type: 'object',
          xml: { name: 'pet', namespace: 'https://pets.example.com' },
          properties: {
            id: { type: 'integer', xml: { attribute: true }, example: 7 },
            name: { type: 'string', example: 'Rex' },
            photos: { type: 'array', xml: { name: 'photo' }, items: { type: 'string', example: 'a.png' } },
            tags: {
              type: 'array',
              xml: { wrapped: true },
              items: { $ref: '#/components/schemas/Tag' },
            },
          },
        },
        Tag: {
          type: 'object',
          xml: { name: 'tag' },
          properties: { id: { type: 'integer', xml: { attribute: true } }, label: { type: 'string' } },
        },
        Short: { type: 'string', enum: CODES.slice(0, 13) },
        Long: { type: 'string', enum: CODES },
        Animal: {
          oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }, { type: 'null' }],
          discriminator: { propertyName: 'kind', mapping: { tomcat: '#/components/schemas/Cat' } },
        },
        Plain: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
        Many: {
          oneOf: Array.from({ length: 9 }, (_, index) => ({
            type: 'object',
            properties: { [`only-${index}`]: { type: 'string' } },
          })),
        },
        Cat: { type: 'object', properties: { lives: { type: 'integer' } } },
        Dog: { type: 'object', properties: { tricks: { type: 'integer' } } },
      },
    },
  }) ?? {},
);

const htmlOf = async (...blocks: Block[]): Promise<string> =>
  (await renderContent(document(blocks), { ...EMPTY_RESOLVER, specification: () => api })).html;
const markdownOf = (of: Block): string =>
  serializeMarkdown(document(operationBlocks(of, () => api, languagePackOf('en').content) ?? []));
const schema = (name: string): Block => block('openapi-schemas', { ref: spec, schemas: [name], grouped: false });
const operation = block('openapi-operation', { ref: spec, path: '/pets', method: 'post' });

describe('what a specification says', () => {
  it('has examples of XML as XML, and others as JSON', () => {
    const markdown = markdownOf(operation);
    expect(markdown).toContain(
      [
        '```xml',
        '<pet xmlns="https://pets.example.com" id="7">',
        '  <name>Rex</name>',
        '  <photo>a.png</photo>',
        '  <tags>',
        '    <tag id="0">',
        '      <label>text</label>',
        '    </tag>',
        '  </tags>',
        '</pet>',
        '```',
      ].join('\n'),
    );
    expect(markdown).toContain('"name": "Rex"');
    expect(markdown.replace(/^ +/gm, '')).toContain(
      [
        '```xml',
        '<root>',
        '<tag id="1">',
        '<label>a &lt; b &amp; &quot;c&quot;</label>',
        '</tag>',
        '<tag id="2"/>',
        '</root>',
        '```',
      ].join('\n'),
    );
  });

  it('shows the callbacks of an operation with what they send and take as an answer, below its responses', async () => {
    const calling = SpecificationParts.of(
      splitSpecification({
        openapi: '3.0.3',
        paths: {
          '/orders': {
            post: {
              responses: { 201: { description: 'made' } },
              callbacks: {
                paid: { $ref: '#/components/callbacks/Paid' },
                broken: { '{$url}': { post: 7 }, 'x-note': { post: {} } },
              },
            },
          },
        },
        components: {
          callbacks: {
            Paid: {
              '{$request.body#/url}': {
                post: {
                  summary: 'Tells that it <b>is paid</b>',
                  requestBody: {
                    content: { 'application/json': { schema: { properties: { amount: { type: 'integer' } } } } },
                  },
                  responses: { 204: { description: 'taken' } },
                  // Callbacks of callbacks are not followed, so that these come to an end.
                  callbacks: { again: { $ref: '#/components/callbacks/Paid' } },
                },
              },
            },
          },
        },
      }) ?? {},
    );
    const ofOrders = block('openapi-operation', { ref: spec, path: '/orders', method: 'post' });
    const { html } = await renderContent(document([ofOrders]), { ...EMPTY_RESOLVER, specification: () => calling });
    const places = [
      'made',
      '>Callbacks<',
      'id="callback:paid"',
      '{$request.body#/url}',
      'Tells that it &#x3C;b>is paid&#x3C;/b>',
      'amount',
      'taken',
    ].map((words) => html.indexOf(words));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places).not.toContain(-1);
    expect([html.includes('again'), html.includes('broken'), html.includes('x-note')]).toEqual([false, false, false]);
    expect(await htmlOf(operation)).not.toContain('Callbacks');
    const found = operationOf(calling, 'paths', '/orders', 'post');
    expect(found && samplesOf(found, 30_000)).toContainEqual({
      code: expect.stringContaining('"amount"'),
      language: 'json',
    });
    const written = serializeMarkdown(
      document(operationBlocks(ofOrders, () => calling, languagePackOf('en').content) ?? []),
    );
    const after = ['made', 'Callbacks', 'paid', '{$request.body#/url}', 'amount', 'taken'].map((words) =>
      written.indexOf(words),
    );
    expect(after).toEqual([...after].sort((one, other) => one - other));
    expect(after).not.toContain(-1);
  });

  it('shows something of each operation and schema, however large one of them is, and tells what is missing', async () => {
    const long = 'A **long** text. '.repeat(2_000);
    const wide = {
      description: long,
      properties: Object.fromEntries(
        Array.from({ length: 300 }, (_, index) => [
          `${'🐾'.repeat(120)}${index}`,
          { type: 'string', description: long },
        ]),
      ),
    };
    const large = SpecificationParts.of(
      splitSpecification({
        openapi: '3.0.3',
        paths: {},
        components: { schemas: { Wide: wide, Small: { properties: { name: { type: 'string' } } } } },
      }) ?? {},
    );
    const blocks = ['Wide', 'Small'].map((name) => schema(name));
    const { html } = await renderContent(document(blocks), { ...EMPTY_RESOLVER, specification: () => large });
    expect(html.length).toBeLessThan(300_000);
    expect(html).toContain('A **long** text.');
    expect(html).toContain('This page has no room for the rest');
    expect(html).toMatch(/schema-small[\s\S]*name/);
    expect(html.split('class="field"').length).toBeGreaterThan(5);
    expect(html.split('no room').length).toBe(2);
  });

  it('folds long lists of values, with how many more there are', async () => {
    const long = await htmlOf(schema('Long'));
    expect(long).toContain('<code>code-0, code-1,');
    expect(long).toMatch(
      /code-11<\/code><details[^>]*><summary>and 28 more<\/summary><code>code-12, .*code-39<\/code>/,
    );
    const short = await htmlOf(schema('Short'));
    expect([short.includes('code-12</code>'), short.includes('<details')]).toEqual([true, false]);
    expect(markdownOf(schema('Long'))).toMatch(/code-11, code-12, .*code-39/);
  });

  it('names the value by which variants are told apart', async () => {
    const html = await htmlOf(schema('Animal'));
    for (const title of ['1. Cat · kind: tomcat', '2. Dog · kind: Dog', '3. null'])
      expect([title, html.includes(`>${title}<`)]).toEqual([title, true]);
    expect(markdownOf(schema('Animal'))).toContain('Cat · kind: tomcat');
  });

  it('shows alternatives of a schema as tabs, and types alone below each other', async () => {
    const html = await htmlOf(schema('Animal'));
    const [, tabs = ''] = /<div class="tabs variants"([\s\S]*)$/.exec(html) ?? [];
    expect(
      tabs.match(/<label[^>]*>([^<]*)<\/label><div class="panel">/g)?.map((each) => each.replace(/<[^>]*>/g, '')),
    ).toEqual(['1. Cat · kind: tomcat', '2. Dog · kind: Dog', '3. null']);
    expect(tabs.match(/<input[^>]* checked/g)).toHaveLength(1);
    expect(tabs.indexOf('lives')).toBeLessThan(tabs.indexOf('tricks'));
    const plain = await htmlOf(schema('Plain'));
    expect([plain.includes('class="tabs'), plain.includes('2. integer')]).toEqual([false, true]);
    const many = await htmlOf(schema('Many'));
    expect([many.includes('class="tabs'), many.split('class="fields-more"').length - 1]).toEqual([false, 9]);
  });

  it('shows the operations for which a response has values, with links to those that have a page', async () => {
    const linking = SpecificationParts.of(
      splitSpecification({
        openapi: '3.0.3',
        paths: {
          '/pets': {
            post: {
              responses: {
                201: {
                  description: 'made',
                  links: {
                    read: {
                      operationId: 'readPet',
                      description: 'The *new* pet',
                      parameters: { id: '$response.body#/id' },
                      requestBody: { name: '$request.body#/name' },
                    },
                    feed: { $ref: '#/components/links/Feed' },
                    foreign: { operationRef: 'https://evil.example.com/#/paths/~1a/get' },
                    hostile: { operationId: '<script>alert(1)</script>' },
                    broken: 7,
                    nameless: {},
                  },
                },
              },
            },
          },
        },
        components: { links: { Feed: { operationRef: '#/paths/~1pets~1%7Bid%7D~1feed/put' } } },
      }) ?? {},
    );
    const resolver = {
      ...EMPTY_RESOLVER,
      specification: () => linking,
      operations: { readPet: 'operations/read-pet', constructor: 'never' },
    };
    const { html } = await renderContent(document([operation]), resolver);
    expect(html).toContain('<a href="operations/read-pet"><code>readPet</code></a>');
    expect(html).toContain('<em>new</em>');
    expect(html).toContain('id: <code>$response.body#/id</code>');
    expect(html).toContain('body: <code>{"name":"$request.body#/name"}</code>');
    expect(html).toContain('<code>put /pets/{id}/feed</code>');
    expect(html).toContain('<code>&#x3C;script>alert(1)&#x3C;/script></code>');
    for (const absent of ['foreign', 'broken', 'nameless', 'evil'])
      expect([absent, html.includes(absent)]).toEqual([absent, false]);
    const written = serializeMarkdown(
      document(operationBlocks(operation, () => linking, languagePackOf('en').content) ?? []),
    );
    expect(written).toMatch(/Linked operations[\s\S]*readPet[\s\S]*id: `\$response\.body#\/id`/);
  });

  it('has addresses that are the same whatever else is on the page', async () => {
    const ids = async (...blocks: Block[]): Promise<string[]> =>
      [...(await htmlOf(...blocks)).matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);
    const alone = await ids(operation);
    expect(alone).toEqual(
      expect.arrayContaining(['post-pets', 'body:name', 'body:tags.label', 'response:200', 'response:200.label']),
    );
    expect(new Set(alone).size).toBe(alone.length);
    const second = await ids(schema('Pet'), operation);
    expect(second).toEqual(expect.arrayContaining(['schema-pet', 'schema:name', 'post-pets:body:name']));
    expect(new Set(second).size).toBe(second.length);
    expect(await htmlOf(operation)).toContain('<a href="#body:tags.label">label</a>');
  });
});

describe('the console of an operation', () => {
  const consoleIn = (more: object, operation: object = {}, method = 'get', path = '/a') => {
    const parts = splitSpecification({
      openapi: '3.1.0',
      ...more,
      paths: { [path]: { [method]: { responses: {}, ...operation } } },
    });
    const found = SpecificationParts.of(parts ?? {});
    const read = operationOf(found, 'paths', path, method);
    return read && consoleOf(found, read);
  };
  const sources = (...servers: object[]) => consoleIn({ servers })?.sources;

  it('may send requests to the servers of the specification and to nothing else', () => {
    expect(sources({ url: 'https://API.example.com:8443/v1' }, { url: 'http://localhost:3000' })).toEqual([
      'https://api.example.com:8443',
      'http://localhost:3000',
    ]);
    expect(
      sources({ url: 'https://{region}.example.com', variables: { region: { default: 'eu', enum: ['eu', 'us'] } } }),
    ).toEqual(['https://eu.example.com', 'https://us.example.com']);
    const customer = { customer: { default: 'demo' } };
    expect(sources({ url: 'https://{customer}.example.com/v1', variables: customer })).toEqual([
      'https://*.example.com',
      'https://demo.example.com',
    ]);
    // A whole top-level domain is no server.
    expect(sources({ url: 'https://{customer}.com', variables: customer })).toEqual(['https://demo.com']);
    expect(sources({ url: '{scheme}://a.example.com', variables: { scheme: { default: 'https' } } })).toEqual([
      'https://a.example.com',
    ]);
    expect(sources({ url: 'https://münchen.example.com' })).toEqual(['https://xn--mnchen-3ya.example.com']);
    expect(consoleIn({ swagger: '2.0', host: 'a.example.com', basePath: '/v1/' })?.facts.servers).toEqual([
      { url: 'https://a.example.com/v1', variables: [] },
    ]);
  });

  it.each([
    'https://a.example.com;script-src',
    "https://a.example.com 'unsafe-inline'",
    'https://a.example.com,b',
    'https://*',
    'https://user:password@a.example.com',
    'https://{x}',
    'javascript://a/alert(1)',
    'ftp://a.example.com',
    '/v1',
    '//a.example.com',
    '',
  ])('has no server at %j, and is not there without one', (url) => {
    expect(consoleIn({ servers: [{ url }] })).toBeUndefined();
  });

  it('allows every host that a reader can choose, and offers no server otherwise', () => {
    const regions = Array.from({ length: 50 }, (_, index) => `r${index}`);
    const variables = { region: { default: 'r0', enum: regions } };
    const found = consoleIn({
      servers: ['https://a', 'http://a', 'https://b'].map((start) => ({
        url: `${start}.{region}.example.com`,
        variables: start === 'http://a' ? variables : { region: { default: 'r1' } },
      })),
    });
    expect(found?.facts.servers.map(({ url }) => url)).toEqual([
      'https://a.{region}.example.com',
      'http://a.{region}.example.com',
      'https://b.{region}.example.com',
    ]);
    expect(found?.sources).toHaveLength(52);
    const both = [1, 2].map((number) => ({ url: `https://{region}.s${number}.example.com`, variables }));
    const [one, other] = consoleIn({ servers: both })?.facts.servers ?? [];
    expect(one?.variables).toEqual([{ name: 'region', value: 'r0', values: regions }]);
    expect(other?.variables).toEqual([{ name: 'region', value: 'r0', values: ['r0'] }]);
    // A policy names no hosts of which only the end is free.
    const free = consoleIn({ servers: [{ url: 'https://{customer}.{domain}:8443/{version}' }] });
    expect(free).toBeUndefined();
    const [fixed] =
      consoleIn({
        servers: [{ url: 'https://api.{domain}/{version}', variables: { domain: { default: 'example.com' } } }],
      })?.facts.servers ?? [];
    expect(fixed?.variables).toEqual([
      { name: 'domain', value: 'example.com', values: ['example.com'] },
      { name: 'version', value: '' },
    ]);
  });

  it.each(['.example.org/a', ':8443/a', '@example.org/a', 'a'])('has no operation at %j, a part of a host', (path) => {
    expect(consoleIn({ servers: [{ url: 'https://a.example.com' }] }, {}, 'get', path)).toBeUndefined();
  });

  it('is bounded, whatever a specification declares', () => {
    const many = <Value>(value: (index: number) => Value) => Array.from({ length: 500 }, (_, index) => value(index));
    const found = consoleIn(
      {
        servers: many((index) => ({
          url: `https://{a}.{b}.s${index}.example.com`,
          variables: { a: { enum: many(String) }, b: { enum: many(String) } },
        })),
        security: many((index) => ({ [`s${index}`]: many(String) })),
        components: {
          securitySchemes: Object.fromEntries(
            many((index) => [`s${index}`, { type: 'apiKey', in: 'query', name: 'k' }]),
          ),
        },
      },
      {
        parameters: many((index) => ({ name: `p${index}`, in: 'query', example: 'x'.repeat(5_000) })),
        requestBody: { content: { 'application/json': { example: 'x'.repeat(19_000) } } },
      },
      'post',
    );
    expect(found?.sources.length).toBeLessThanOrEqual(60);
    expect(found?.facts.parameters).toHaveLength(100);
    expect(JSON.stringify(found?.facts).length).toBeLessThan(100_000);
    expect(found?.facts.body?.media).toEqual([{ type: 'application/json' }]);
  });

  it('is left out by an extension, for methods that no page sends, and without an address', () => {
    const servers = [{ url: 'https://a.example.com' }];
    expect(consoleIn({ servers })?.facts.method).toBe('GET');
    expect(consoleIn({ servers }, {}, 'trace')).toBeUndefined();
    expect(consoleIn({ servers }, { 'x-hideTryItPanel': true })).toBeUndefined();
    expect(consoleIn({ servers, 'x-hideTryItPanel': true })).toBeUndefined();
    expect(consoleIn({})).toBeUndefined();
  });

  it('knows schemes of security in both kinds of specifications, and the addresses of their tokens', () => {
    const servers = [{ url: 'https://a.example.com' }];
    const [authorizationUrl, tokenUrl] = ['https://login.example.com/authorize', 'https://login.example.com/token'];
    const flow = { authorizationUrl, tokenUrl, scopes: { read: '' } };
    const found = consoleIn({
      servers,
      security: [{}, { oauth: ['read'], basic: [] }, { key: [] }, { missing: [] }],
      components: {
        securitySchemes: {
          oauth: {
            type: 'oauth2',
            flows: { authorizationCode: flow, clientCredentials: { tokenUrl: 'blob:https://login.example.com/x' } },
          },
          basic: { type: 'http', scheme: 'Basic' },
          key: { type: 'apiKey', in: 'cookie', name: 'sid' },
        },
      },
    });
    expect(found?.facts.security).toEqual([
      [],
      [
        { name: 'oauth', kind: 'oauth2', authorizationUrl, tokenUrl, scopes: ['read'] },
        { name: 'basic', kind: 'basic' },
      ],
      [{ name: 'key', kind: 'key', place: 'cookie', key: 'sid' }],
    ]);
    expect(found?.sources).toEqual(['https://a.example.com', 'https://login.example.com']);
    const old = consoleIn({
      swagger: '2.0',
      host: 'a.example.com',
      security: [{ oauth: [] }],
      securityDefinitions: { oauth: { type: 'oauth2', flow: 'accessCode', ...flow } },
    });
    expect(old?.facts.security).toEqual([[{ name: 'oauth', kind: 'oauth2', authorizationUrl, tokenUrl, scopes: [] }]]);
  });
});
