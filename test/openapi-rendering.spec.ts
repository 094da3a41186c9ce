import { describe, expect, it } from '@jest/globals';
import { block, document } from '../src/formats/document/build.js';
import type { Block } from '../src/formats/document/types.js';
import { languagePackOf } from '../src/formats/html/languages/language-packs.js';
import { operationBlocks } from '../src/formats/html/openapi/operation-blocks.js';
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
