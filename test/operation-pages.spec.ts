import { describe, expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';
import { buildSpace, publish, usePublicListener } from './published-site.js';

const app = useApp();
const listener = usePublicListener(app);

const MAX_PAGE = 300_000;
const TAGS = ['pets', 'orders', 'people', 'places', 'routes', 'rules', 'roles', 'reports'];
const OPERATIONS = 1_200;
const SCHEMAS = 150;

const text = (words: string): object => ({ type: 'string', description: `${words} `.repeat(8) });
const fields = (count: number, of: (index: number) => object): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, of(index)]));

/** Schemas that are wide and within each other: the whole of the last one has more fields than any page can show. */
const schemas = Object.fromEntries(
  Array.from({ length: SCHEMAS }, (_, number) => [
    `Schema${number}`,
    {
      type: 'object',
      required: ['field0'],
      properties: fields(12, (index) =>
        number === 0 || index > 6 ? text(`Field ${index}`) : { $ref: `#/components/schemas/Schema${number - 1}` },
      ),
    },
  ]),
);

const json = (schema: object): object => ({ 'application/json': { schema } });
const operation = (number: number): object => ({
  tags: [TAGS[number % TAGS.length]],
  operationId: `doThing${number}`,
  summary: `Do thing ${number}`,
  description: 'What it *does*.',
  parameters: [
    { name: 'thingId', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'limit', in: 'query', schema: { type: 'integer' } },
  ],
  requestBody: { content: json({ $ref: `#/components/schemas/Schema${number % SCHEMAS}` }) },
  responses: {
    200: { description: 'Done', content: json({ $ref: `#/components/schemas/Schema${(number + 1) % SCHEMAS}` }) },
    404: { description: 'Nothing' },
  },
});

const LARGE = {
  openapi: '3.1.0',
  info: { title: 'Large', version: '1' },
  tags: TAGS.map((name) => ({ name, 'x-displayName': `All ${name}`, description: `About ${name}.` })),
  paths: Object.fromEntries(
    Array.from({ length: OPERATIONS }, (_, number) => [`/things${number}/{thingId}`, { post: operation(number) }]),
  ),
  components: { schemas },
};

const computed = (props: object) => ({
  operation: 'insert_page',
  type: 'computed',
  title: 'API',
  computed: {
    type: 'builtin:openapi',
    props,
    dependencies: { spec: { ref: { kind: 'openapi', spec: 'large' } } },
  },
});

describe('a published API of 1,200 operations', () => {
  const build = async (props: object = { models: true }) => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'API', 'en');
    await space.write(
      {
        operation: 'insert_files',
        files: [
          {
            name: 'large.json',
            contentType: 'application/json',
            base64: Buffer.from(JSON.stringify(LARGE)).toString('base64'),
          },
        ],
      },
      computed(props),
    );
    const site = await publish(workspace, [space]);
    const see = async (path: string) => listener.see(`${site.base}${path}`);
    return { site, see };
  };

  it('has small pages, a sidebar that opens one branch, and every operation in sitemap and llms.txt', async () => {
    const { site, see } = await build();
    const places = [...(await see('/sitemap.xml')).body.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) =>
      new URL(address).pathname.slice(site.base.length),
    );
    expect(places).toHaveLength(TAGS.length + OPERATIONS + 1 + SCHEMAS);
    const index = (await see('/llms.txt')).body;
    expect(index.match(/\/do-thing\d+\.md\)/g)).toHaveLength(OPERATIONS);

    const shown = [
      '/pets/do-thing0',
      '/orders/do-thing1',
      '/orders/do-thing1033',
      '/pets/do-thing1192',
      '/roles',
      '/models',
      '/models/schema149',
    ];
    for (const path of shown) {
      expect(places).toContain(path);
      const { status, body } = await see(path);
      expect([path, status, Buffer.byteLength(body) < MAX_PAGE]).toEqual([path, 200, true]);
      const [sidebar = ''] = /<nav class="tree"[\s\S]*?<\/nav>/.exec(body) ?? [];
      const links = sidebar.split('<a ').length - 1;
      expect([path, links > 0, links < 200]).toEqual([path, true, true]);
    }
    const last = (await see('/pets/do-thing1192')).body;
    const leads = ['/pets/do-thing1184', '/orders', '/orders/do-thing1'].map((path) =>
      last.includes(`href="${site.base}${path}"`),
    );
    expect(leads).toEqual([true, true, false]);
  });

  it('has an address for every operation, parameter, field and response', async () => {
    const { see } = await build();
    const { body } = await see('/orders/do-thing1');
    const ids = [...body.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of [
      'post-things1-thingid',
      'path:thingid',
      'query:limit',
      'body:field0',
      'body:field0.field3',
      'response:200',
      'response:200.field0.field0.field11',
      'response:404',
    ])
      expect(ids).toContain(id);
    expect(body.includes('href="#body:field0.field3"')).toBe(true);
    expect((await see('/models/schema3')).body.includes(' id="schema:field0.field0.field8"')).toBe(true);
  });

  it('says how many fields it leaves out where there are too many', async () => {
    const { see } = await build();
    const { body } = await see('/models/schema149');
    expect(/<li class="field">and \d+ more<\/li>/.exec(body)).not.toBeNull();
  });

  it('keeps the addresses of its groups, which lead to their operations', async () => {
    const { site, see } = await build();
    const { body } = await see('/orders');
    for (const words of [
      'About orders.',
      'All orders</h1>',
      ...[1, 9, 1_193].map((each) => `href="${site.base}/orders/do-thing${each}"`),
    ])
      expect([words, body.includes(words)]).toEqual([words, true]);
  });

  it('shows no more of whole groups than fits, where a page is asked for each tag', async () => {
    const { see } = await build({ models: true, grouping: 'by-tag' });
    expect((await see('/sitemap.xml')).body.split('<loc>')).toHaveLength(1 + TAGS.length + 1);
    for (const path of ['', '/models']) {
      const { status, body } = await see(path);
      expect([path, status, Buffer.byteLength(body) < MAX_PAGE]).toEqual([path, 200, true]);
    }
    const { body } = await see('/orders');
    expect(body.match(/class="path"/g)).toHaveLength(150);
    // The first one has the shortest addresses; those of the others begin with theirs.
    for (const id of ['query:limit', 'post-things9-thingid:query:limit'])
      expect([id, body.includes(` id="${id}"`)]).toEqual([id, true]);
  });
});
