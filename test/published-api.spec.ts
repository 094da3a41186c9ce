import { describe, expect, it, jest } from '@jest/globals';
import { block, document } from '../src/formats/document/build.js';
import type { Block } from '../src/formats/document/types.js';
import { serializeMarkdown } from '../src/formats/markdown/serialize.js';
import { Specifications } from '../src/authoring/content/specifications.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { languagePackOf } from '../src/formats/html/languages/language-packs.js';
import { operationBlocks } from '../src/formats/html/openapi/operation-blocks.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';
import { buildSpace, publish, usePublicListener } from './published-site.js';

const app = useApp();
const listener = usePublicListener(app);

const specification = (words: string): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: {
      '/pets': {
        post: {
          summary: 'Add a pet',
          description: words,
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
          responses: { 201: { description: 'Added' } },
        },
      },
    },
    components: { schemas: { Pet: { type: 'object', properties: { name: { type: 'string', example: 'Rex' } } } } },
  });

const COMPUTED = {
  type: 'builtin:openapi',
  props: { models: true },
  dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } },
};
const DRAWN = / name string Example: Rex.*curl -X POST 'https:\/\/api\.example\.com\/pets'.*201 Added/.source;

const MODEL = '* `name`: string\n  * Example: `Rex`\n';

/** The operation as the Markdown of a page has it. */
function asMarkdown(words: string): string {
  const body = '{\n  "name": "Rex"\n}';
  return [
    '`POST /pets`',
    words,
    '**Servers**',
    '* `https://api.example.com`',
    '**Body**',
    'application/json',
    MODEL.trimEnd(),
    `\`\`\`json\n${body}\n\`\`\``,
    `\`\`\`sh\ncurl -X POST 'https://api.example.com/pets' \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'\n\`\`\``,
    '**Responses**',
    '* **201** Added\n',
  ].join('\n\n');
}

function wordsOf(html: string): string {
  return html
    .replace(/<(script|style|svg)\b.*?<\/\1>/gs, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

describe('operations of an API on published pages', () => {
  it('say what the newest specification says of them, on computed pages and in blocks', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Guide');
    const bytes = (words: string): object => ({
      contentType: 'application/json',
      base64: Buffer.from(specification(words)).toString('base64'),
    });
    await space.write(
      { operation: 'insert_files', files: [{ ref: 'spec', name: 'pets.json', ...bytes('The first words.') }] },
      {
        operation: 'insert_page',
        title: 'By hand',
        document: {
          markdown:
            '{% openapi-operation spec="pets" path="/pets" method="post" %}\n[pets](https://example.com/pets)\n{% endopenapi-operation %}\n',
        },
      },
      { operation: 'insert_page', type: 'computed', title: 'API', computed: COMPUTED },
    );
    const site = await publish(workspace, [space], 'public');
    const read = async (path = ''): Promise<string> => wordsOf((await listener.see(`${site.base}${path}`)).body);
    // The title of the page of an operation is its summary already.
    for (const [path, summary] of Object.entries({ '': 'Add a pet ', '/operations/post-pets': '' }))
      expect(await read(path)).toMatch(new RegExp(`POST /pets Try it ${summary}The first words\\..*${DRAWN}`));
    expect(await read('/models/pet')).toMatch(/Pet name string Example: Rex/);

    const markdownOf = async (path: string): Promise<string> => (await listener.see(`${site.base}${path}.md`)).body;
    expect(await markdownOf('/by-hand')).toBe(`# By hand\n\n${asMarkdown('Add a pet\n\nThe first words.')}`);
    expect(await markdownOf('/operations/post-pets')).toBe(`# Add a pet\n\n${asMarkdown('The first words.')}`);
    expect(await markdownOf('/operations')).toBe(
      '# Operations\n\n## [Add a pet](operations/post-pets.md)\n\n`POST /pets`\n',
    );
    expect(await markdownOf('/models/pet')).toContain(MODEL);
    expect(await markdownOf('/models')).toBe('# Models\n\n## [Pet](models/pet.md)\n');
    const index = (await listener.see(`${site.base}/llms.txt`)).body;
    for (const path of ['operations', 'operations/post-pets', 'models', 'models/pet'])
      expect(index).toContain(`${site.base}/${path}.md`);
    const whole = (await listener.see(`${site.base}/llms-full.txt`)).body;
    expect([whole.split('The first words.').length, whole.includes('{% openapi')]).toEqual([3, false]);

    const { body } = await workspace.admin.api.get<{ items: { id: string }[] }>(`/spaces/${space.id}/content/files`);
    await space.write({ operation: 'update_file', file: body.items[0]?.id, ...bytes('Other words.') });
    for (const path of ['', '/operations/post-pets']) expect(await read(path)).toMatch(/Other words\./);
    expect(await markdownOf('/by-hand')).toContain(asMarkdown('Add a pet\n\nOther words.'));
    expect(await markdownOf('/operations/post-pets')).toContain(asMarkdown('Other words.'));
    await space.write({ operation: 'delete_files', files: [body.items[0]?.id] });
    expect(await markdownOf('/by-hand')).toContain('{% openapi-operation spec="pets" path="/pets" method="post" %}');
  });

  it('draw from so many specifications on each page, however many other pages do', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Guide');
    const base64 = Buffer.from(specification('The words.')).toString('base64');
    const slugs = Array.from({ length: 21 }, (_, index) => `pets-${index}`);
    const files = slugs.map((slug) => ({ ref: slug, name: `${slug}.json`, contentType: 'application/json', base64 }));
    const drawing = (...from: string[]): object => ({
      markdown: from
        .map(
          (spec) => `{% openapi-operation spec="${spec}" path="/pets" method="post" %}\n{% endopenapi-operation %}\n`,
        )
        .join('\n'),
    });
    const [last = ''] = slugs.slice(-1);
    await space.write(
      { operation: 'insert_files', files: files.slice(0, 20) },
      { operation: 'insert_files', files: files.slice(20) },
      { operation: 'insert_page', title: 'Many', document: drawing(...slugs) },
      { operation: 'insert_page', title: 'Twenty more', document: drawing(...slugs.slice(1)) },
      { operation: 'insert_page', title: 'One', document: drawing(last) },
    );
    const site = await publish(workspace, [space], 'public');
    const read = async (path: string): Promise<string> => (await listener.see(`${site.base}${path}`)).body;
    const shown = [
      ['many', 20],
      ['twenty-more', 20],
      ['one', 1],
    ] as const;
    const texts: string[] = [];
    for (const [path, count] of shown) {
      const text = await read(`/${path}.md`);
      expect([path, text.split('**201** Added').length - 1]).toEqual([path, count]);
      expect([path, (await read(path === 'many' ? '' : `/${path}`)).split('The words.').length - 1]).toEqual([
        path,
        count,
      ]);
      texts.push(`${text}\n\n`);
    }
    expect(texts[0]).toContain(`{% openapi-operation spec="${last}"`);
    const lookUp = jest.spyOn(app.current.get(Specifications), 'several');
    expect(await read('/llms-full.txt')).toBe(texts.join(''));
    expect(lookUp).toHaveBeenCalledTimes(1);
    lookUp.mockRestore();
  });

  it('follow the versions of a registered specification', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Guide');
    await space.write(
      { operation: 'insert_page', title: 'Start' },
      { operation: 'insert_page', type: 'computed', title: 'API', computed: COMPUTED },
    );
    const site = await publish(workspace, [space], 'public');
    const see = (path: string) => listener.see(`${site.base}${path}`);
    const give = async (text: string): Promise<void> => {
      expect([200, 201]).toContain(
        (await workspace.admin.api.put(`/orgs/${workspace.id}/openapi/pets`, { source: { text } })).status,
      );
      await app.current.get(Jobs).drain();
    };
    expect((await see('/operations/post-pets')).status).toBe(404);
    await give(specification('The first words.'));
    expect(wordsOf((await see('/operations/post-pets')).body)).toMatch(
      new RegExp(`POST /pets Try it The first words\\..*${DRAWN}`),
    );
    expect(wordsOf((await see('/models/pet')).body)).toMatch(/Pet name string Example: Rex/);
    const changed = async () =>
      new Map(
        [
          ...(await see('/sitemap.xml')).body.matchAll(
            /<loc>[^<]*?((?:\/(?:operations|models))?\/[\w-]*|)<\/loc><lastmod>([^<]*)/g,
          ),
        ].map(([, path = '', time = '']) => [path, time]),
      );
    const before = await changed();
    await give(specification('Other words.'));
    const after = await changed();
    const { body: version } = await workspace.admin.api.get<{ createdAt: string }>(
      `/orgs/${workspace.id}/openapi/pets/versions/latest`,
    );
    expect([after.get('/operations/post-pets'), after.get('/models/pet'), after.size]).toEqual([
      version.createdAt,
      version.createdAt,
      before.size,
    ]);
    expect(
      [...after]
        .filter(([path, time]) => time !== before.get(path))
        .map(([path]) => path)
        .sort(),
    ).toEqual(['/models', '/models/pet', '/operations', '/operations/post-pets']);
    expect(wordsOf((await see('/operations/post-pets')).body)).toMatch(
      new RegExp(`POST /pets Try it Other words\\..*${DRAWN}`),
    );
    // What cannot be read leaves the last good version.
    await give('{}');
    expect(wordsOf((await see('/operations/post-pets')).body)).toMatch(/Other words\./);
    await workspace.admin.api.delete(`/orgs/${workspace.id}/openapi/pets`);
    expect((await see('/operations/post-pets')).status).toBe(404);
  });
});

describe('what a specification says, as Markdown', () => {
  const text = { type: 'string' };
  const root = {
    security: [{ key: [] }],
    paths: {
      '/pets/{id}': {
        parameters: [{ name: 'id', in: 'path', schema: { type: 'integer', minimum: 1 } }],
        get: {
          summary: 'One pet',
          deprecated: true,
          parameters: [
            {
              name: 'with',
              in: 'query',
              required: true,
              description: 'What *else*',
              schema: { type: 'array', items: { type: 'string', enum: ['owner', 'toys'] } },
            },
          ],
          responses: {
            200: {
              description: 'It\n\nwith all',
              headers: { 'X-Rate': { schema: text } },
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
            },
            404: { description: 'No such pet' },
          },
        },
      },
    },
    webhooks: { born: { post: { description: 'One more', responses: {} } } },
    components: {
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
      schemas: {
        Pet: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { ...text, readOnly: true },
            mother: { $ref: '#/components/schemas/Pet' },
            kind: {
              oneOf: [
                { title: 'Cat', type: 'object', properties: { lives: { type: 'integer', default: 9 } } },
                { type: 'null' },
              ],
            },
          },
          additionalProperties: text,
        },
      },
    },
  };
  const api = {
    at: (pointer: readonly string[]) =>
      pointer.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], root),
  };
  const written = (of: Block): string | undefined => {
    const blocks = operationBlocks(of, () => api, languagePackOf('en').content);
    return blocks && serializeMarkdown(document(blocks));
  };
  const ref = { kind: 'openapi', spec: 'pets' } as const;

  const PET = `* \`name\`: string, required, read only

* \`mother\`: object

* \`kind\`: Cat | null

  **One of**

  * Cat
    * \`lives\`: integer
      * Default: \`9\`
  * null

* Other properties: string
`;

  it('has the parameters, schemas and answers of an operation', () => {
    expect(
      written(
        block('swagger', {
          ref: { kind: 'url', url: 'https://example.com/pets.json' },
          path: '/pets/{id}',
          method: 'get',
        }),
      ),
    ).toBe(`\`GET /pets/{id}\`

One pet

**deprecated**

**Authorization**

* \`key\` · API key in header X-Key

**Path parameters**

* \`id\`: integer, required
  * \`≥ 1\`

**Query parameters**

* \`with\`: array of string, required

  What _else_

  * Possible values: \`owner, toys\`

\`\`\`sh
curl -X GET '/pets/{id}?with=with' \\
  -H 'X-Key: <key>'
\`\`\`

**Responses**

* **200**

  It

  with all

  **Headers**

  * \`X-Rate\`: string

  application/json

${PET.replace(/^(?=.)/gm, '  ')}
  \`\`\`json
  {
    "name": "text",
    "kind": {
      "lives": 9
    }
  }
  \`\`\`

* **404** No such pet
`);
  });

  it('has schemas, of which none is opened within itself, and webhooks', () => {
    const found = written(block('openapi-schemas', { ref, schemas: ['Pet'], grouped: false }));
    expect(found).toMatch(/^`Pet`\n\n\* `name`: string, required, read only\n\n\* `mother`: object\n {2}\* `name`/);
    expect(found?.split('`lives`')).toHaveLength(3);
    expect(written(block('openapi-webhook', { ref, name: 'born', method: 'post' }))).toBe('`POST born`\n\nOne more\n');
  });

  it('is nothing where the specification has no such thing', () => {
    expect(written(block('openapi-operation', { ref, path: '/nothing', method: 'get' }))).toBeUndefined();
    expect(written(block('divider', {}))).toBeUndefined();
  });
});
