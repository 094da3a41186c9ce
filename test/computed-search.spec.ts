import { describe, expect, it } from '@jest/globals';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { stringify } from 'yaml';
import { ComputedTexts } from '../src/authoring/content/computed-texts.service.js';
import { operationText, schemaText } from '../src/formats/openapi/domain/operation-text.js';
import { splitSpecification, SpecificationParts } from '../src/formats/openapi/specification-parts.js';
import { Database } from '../src/kernel/common/database.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { Client } from './client.js';
import { buildSpace, publish, usePublicListener, type Space } from './published-site.js';

const app = useApp();
const listener = usePublicListener(app);

const PETS = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1', description: 'All about pets.' },
  tags: [{ name: 'pet' }],
  paths: {
    '/pets/{petId}/vaccinations': {
      post: {
        tags: ['pet'],
        summary: 'Record a shot',
        operationId: 'recordVaccination',
        description: 'Stores who was vaccinated when.',
        parameters: [
          { name: 'petId', in: 'path', required: true, description: 'The animal', schema: { type: 'string' } },
        ],
        responses: { '204': { description: 'Done' } },
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Vaccination' } } } },
      },
    },
  },
  components: {
    schemas: {
      Vaccination: {
        type: 'object',
        properties: {
          batchNumber: { type: 'string', description: 'As printed on the vial' },
          self: { $ref: '#/components/schemas/Vaccination' },
        },
      },
    },
  },
};

const file = (specification: object) => ({
  operation: 'insert_files',
  files: [
    {
      name: 'pets.yaml',
      contentType: 'application/yaml',
      base64: Buffer.from(stringify(specification)).toString('base64'),
    },
  ],
});
const computed = (more: object = {}) => ({
  operation: 'insert_page',
  type: 'computed',
  title: 'Reference',
  computed: {
    type: 'builtin:openapi',
    props: { models: true },
    dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } },
  },
  ...more,
});

interface Hit {
  readonly title: string;
  readonly path: string;
  readonly sections: { title: string; path: string; body: string }[];
}
const update = (): Promise<number> => app.current.get(ComputedTexts).update();
/** The page with the operation, where it is found. */
const pets = async (workspace: Workspace, space: string, query: string): Promise<number> =>
  (await found(workspace, space, query)).filter(({ path }) => path.startsWith('pet/')).length;
const found = async ({ admin }: Workspace, space: string, query: string): Promise<Hit[]> =>
  (await admin.api.get<{ items: Hit[] }>(`/spaces/${space}/search`, { query: { query } })).body.items;

async function build(more: object = {}): Promise<{ workspace: Workspace; space: Space; page: string }> {
  const workspace = await buildOrganization(app.current);
  const space = await buildSpace(workspace, 'API', 'en');
  const [page = ''] = await space.write(file(PETS), computed(more));
  await update();
  return { workspace, space, page };
}

describe('pages of API references', () => {
  it('are found by operation, path, tag, schema and field, in a space, an organization and a site', async () => {
    const { workspace, space } = await build();
    for (const [query, path] of [
      ['recordVaccination', 'pet/record-vaccination'],
      ['/pets/{petId}/vaccinations', 'pet/record-vaccination'],
      ['POST vaccinations', 'pet/record-vaccination'],
      ['record a shot', 'pet/record-vaccination'],
      ['the animal', 'pet/record-vaccination'],
    ] as const) {
      const hits = await found(workspace, space.id, query);
      expect([query, hits[0]?.path]).toEqual([query, path]);
      expect(hits[0]).toMatchObject({ title: 'Record a shot' });
    }
    expect((await found(workspace, space.id, 'batchNumber')).map(({ path }) => path).sort()).toEqual([
      'models/vaccination',
      'pet/record-vaccination',
    ]);
    const { body } = await workspace.admin.api.get<{ items: { pages: Hit[] }[] }>(`/orgs/${workspace.id}/search`, {
      query: { query: 'recordVaccination' },
    });
    expect(body.items[0]?.pages[0]?.path).toBe('pet/record-vaccination');
    const site = await publish(workspace, [space]);
    const page = await listener.see(`${site.base}/~search?q=recordVaccination`);
    expect(page.body).toContain(`href="${site.base}/pet/record-vaccination"`);
    const shown = await listener.see(`${site.base}/pet/record-vaccination`);
    for (const id of ['post-pets-petid-vaccinations', 'path:petid', 'body:batchnumber', 'response:204'])
      expect(shown.body).toContain(` id="${id}"`);
    const [article = ''] = /<main.*<\/main>/s.exec(shown.body) ?? [];
    expect(article.split('Record a shot')).toHaveLength(2);
    const group = await listener.see(`${site.base}/pet`);
    expect(group.body).toContain('id="record-a-shot"');
    expect(group.body).toContain(`href="${site.base}/pet/record-vaccination"`);
    const agent = new McpClient({ name: 'somebody', version: '1' });
    await agent.connect(new StreamableHTTPClientTransport(new URL(`${listener.origin}${site.base}/~gitbook/mcp`)));
    const tool = async (operation: string) =>
      (await agent.callTool({ name: 'getOperation', arguments: { operation } })) as {
        content: { text: string }[];
        isError?: boolean;
      };
    const byId = await tool('recordVaccination');
    expect(byId.content[0]?.text).toMatch(
      /\/pet\/record-vaccination\n\n# Record a shot\n\n`POST \/pets\/\{petId\}\/vaccinations`\n[\s\S]*`batchNumber`/,
    );
    expect(await tool('post /pets/{petId}/vaccinations')).toEqual(byId);
    for (const nothing of ['recordVaccinations', 'GET /pets/{petId}/vaccinations', 'Vaccination', ' '])
      expect([nothing, (await tool(nothing)).isError]).toEqual([nothing, true]);
    await agent.close();
    const { body: answered } = await workspace.admin.api.post<{
      answer: { method: string; answer: { markdown: string } };
    }>(
      `/orgs/${workspace.id}/ask`,
      { query: 'what is the batchNumber of a vaccination' },
      { query: { format: 'markdown' } },
    );
    expect(answered.answer.answer.markdown).toContain('As printed on the vial');
  });

  it('keep their addresses where an operation more changes their groups, and are all found by id and path', async () => {
    const { workspace, space } = await build();
    const site = await publish(workspace, [space]);
    const many = (count: number) => ({
      ...PETS,
      paths: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `/${index % 2 ? 'odd' : 'even'}/list/${index}`,
          { get: { operationId: `list${index}`, summary: 'List', responses: {} } },
        ]),
      ),
    });
    await space.write(file(many(100)));
    await update();
    expect((await listener.see(`${site.base}/operations/list7`)).status).toBe(200);
    await space.write(file(many(101)));
    expect(await update()).toBe(1);
    const moved = await listener.see(`${site.base}/operations/list7?q=1`);
    expect([moved.status, moved.location]).toEqual([307, `${site.base}/operations/odd/list7?q=1`]);
    const text = await listener.see(`${site.base}/operations/list7.md`);
    expect([text.status, text.location]).toEqual([307, `${site.base}/operations/odd/list7.md`]);
    expect((await listener.see(`${site.base}/operations/list700`)).status).toBe(404);
    expect(await found(workspace, space.id, 'list7')).toMatchObject([{ path: 'operations/odd/list7' }]);
    const agent = new McpClient({ name: 'somebody', version: '1' });
    await agent.connect(new StreamableHTTPClientTransport(new URL(`${listener.origin}${site.base}/~gitbook/mcp`)));
    // All of them have the same words: search alone ranks others first.
    for (const operation of ['list0', 'list63', 'GET /even/list/50', 'list100']) {
      const result = await agent.callTool({ name: 'getOperation', arguments: { operation } });
      expect(JSON.stringify(result)).toContain(`/list/${/\d+$/.exec(operation)?.[0] ?? ''}\``);
    }
    await agent.close();
  });

  it('are found by agents in written pages that show them, however many others have the same words', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'API', 'en');
    const shown =
      '{% openapi-operation spec="pets" path="/pets/{petId}/vaccinations" method="post" %}\n{% endopenapi-operation %}\n';
    await space.write(
      file(PETS),
      ...Array.from({ length: 12 }, (_, index) => ({
        operation: 'insert_page',
        title: `recordVaccination ${index}`,
        document: { markdown: 'recordVaccination: POST /pets/{petId}/vaccinations, recordVaccination.\n'.repeat(5) },
      })),
      { operation: 'insert_page', title: 'Shots', document: { markdown: `Words.\n\n## Here\n\n${shown}` } },
    );
    const site = await publish(workspace, [space]);
    const agent = new McpClient({ name: 'somebody', version: '1' });
    await agent.connect(new StreamableHTTPClientTransport(new URL(`${listener.origin}${site.base}/~gitbook/mcp`)));
    for (const operation of ['recordVaccination', 'POST /pets/{petId}/vaccinations']) {
      const result = await agent.callTool({ name: 'getOperation', arguments: { operation } });
      expect(JSON.stringify(result)).toContain('/shots\\n\\n## Here');
    }
    for (const operation of ['recordVaccinations', 'GET /pets/{petId}/vaccinations'])
      expect((await agent.callTool({ name: 'getOperation', arguments: { operation } })).isError).toBe(true);
    await agent.close();
  });

  it('are found again after they were made in another format, without a change of the space', async () => {
    const { workspace, space } = await build();
    const database = app.current.get(Database);
    expect(await update()).toBe(0);
    await database.query(`UPDATE computed_index SET versions = versions - '$format' WHERE space_id = $1 RETURNING 1`, [
      space.id,
    ]);
    expect(await update()).toBe(1);
    expect(await pets(workspace, space.id, 'recordVaccination')).toBe(1);
    expect(await update()).toBe(0);
  });

  it('follow the specification and the page', async () => {
    const { workspace, space, page } = await build();
    await space.write({
      operation: 'insert_files',
      files: [
        {
          name: 'pets.yaml',
          contentType: 'application/yaml',
          base64: Buffer.from(
            stringify({
              ...PETS,
              paths: {
                '/walks': {
                  get: { tags: ['pet'], operationId: 'listWalks', responses: { '200': { description: 'Walks' } } },
                },
              },
            }),
          ).toString('base64'),
        },
      ],
    });
    await update();
    expect(await pets(workspace, space.id, 'recordVaccination')).toBe(0);
    expect(await pets(workspace, space.id, 'listWalks')).toBe(1);
    await space.write({ operation: 'update_page', page, noIndex: true });
    await update();
    expect(await pets(workspace, space.id, 'listWalks')).toBe(0);
    await space.write({ operation: 'update_page', page, noIndex: false });
    await update();
    expect(await pets(workspace, space.id, 'listWalks')).toBe(1);
    await workspace.admin.api.patch(`/spaces/${space.id}`, { language: 'de' });
    await update();
    expect(await pets(workspace, space.id, 'listWalks')).toBe(1);
    await space.write({ operation: 'delete_page', page });
    await update();
    expect(await pets(workspace, space.id, 'listWalks')).toBe(0);
    expect(await update()).toBe(0);
  });

  it('follow a specification of the organization', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'API', 'en');
    const put = async (text: object) => {
      await workspace.admin.api.put(`/orgs/${workspace.id}/openapi/pets`, { source: { text: JSON.stringify(text) } });
      await app.current.get(Jobs).drain();
      await update();
    };
    await space.write(computed());
    await update();
    await put(PETS);
    expect(await pets(workspace, space.id, 'recordVaccination')).toBe(1);
    await put({
      ...PETS,
      paths: { '/walks': { get: { operationId: 'listWalks', responses: { '200': { description: 'Walks' } } } } },
    });
    expect(await pets(workspace, space.id, 'recordVaccination')).toBe(0);
    expect((await found(workspace, space.id, 'listWalks')).length).toBe(1);
  });

  it('are found by nobody who does not see the page that they are generated from', async () => {
    const { workspace, space, page } = await build({ hidden: true });
    expect(await pets(workspace, space.id, 'recordVaccination')).toBe(1);
    const site = await publish(workspace, [space]);
    expect((await listener.see(`${site.base}/~search?q=recordVaccination`)).body).not.toContain('record-vaccination');
    const opened = await workspace.admin.api.post<{ apiToken: string }>('/urls/published', {
      url: `${listener.origin}${site.base}`,
    });
    const reader = new Client(app.current.url, opened.body.apiToken);
    const searched = await reader.post<{ count: number }>(`${site.path}/search`, {
      query: 'recordVaccination',
      scope: { mode: 'all' },
    });
    expect(searched.body.count).toBe(0);
    // A condition of the page is one of all pages that are generated from it.
    await workspace.admin.api.put(`${site.path}/adaptive-schema`, {
      jsonSchema: {
        type: 'object',
        additionalProperties: false,
        properties: { isBetaUser: { type: 'boolean', description: 'Whether they test' } },
      },
    });
    await workspace.admin.api.patch(site.path, { adaptiveContent: { enabled: true } });
    expect((await listener.see(`${site.base}/pet`)).status).toBe(200);
    await space.write({
      operation: 'update_page',
      page,
      hidden: false,
      condition: 'visitor.claims.isBetaUser == true',
    });
    await update();
    expect((await listener.see(`${site.base}/pet`)).status).toBe(404);
    expect((await listener.see(`${site.base}/llms-full.txt`)).body).not.toContain('Record a shot');
    expect((await listener.see(`${site.base}/~search?q=recordVaccination`)).body).not.toContain('record-vaccination');
    expect(
      (await reader.post<{ count: number }>(`${site.path}/search`, { query: 'batchNumber', scope: { mode: 'all' } }))
        .body.count,
    ).toBe(0);
    const foreign = await buildOrganization(app.current);
    expect(
      (await foreign.admin.api.get(`/spaces/${space.id}/search`, { query: { query: 'recordVaccination' } })).status,
    ).toBe(404);
  });
});

describe('the words of an operation', () => {
  const parts = SpecificationParts.of(splitSpecification(PETS) ?? {});

  it('are its names and sentences, and those of its fields, each name once', () => {
    expect(operationText(parts, 'paths', '/pets/{petId}/vaccinations', 'post')).toBe(
      'POST /pets/{petId}/vaccinations recordVaccination Record a shot Stores who was vaccinated when. petId The animal batchNumber As printed on the vial self 204 Done',
    );
    expect(schemaText(parts, 'Vaccination')).toBe('Vaccination batchNumber As printed on the vial self');
    expect(operationText(parts, 'paths', '/nothing', 'get')).toBe('GET /nothing');
    expect(operationText(parts, 'webhooks', 'nothing', 'post')).toBe('POST nothing');
  });

  it('have an end, whatever refers to itself', () => {
    const schema: Record<string, unknown> = { type: 'object', properties: {} };
    for (let at = 0; at < 3_000; at++)
      (schema['properties'] as Record<string, unknown>)[`field${at}`] = { $ref: '#/components/schemas/Wide' };
    const wide = SpecificationParts.of(
      splitSpecification({ components: { schemas: { Wide: schema, Loop: { $ref: '#/components/schemas/Loop' } } } }) ??
        {},
    );
    expect(schemaText(wide, 'Wide').length).toBeLessThanOrEqual(4_000);
    expect(schemaText(wide, 'Loop')).toBe('Loop');
  });
});
