import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { SignJWT } from 'jose';
import { stringify } from 'yaml';
import { ComputedTexts } from '../src/authoring/content/computed-texts.service.js';
import { ApiServer } from './api-server.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';
import { buildSpace, publish, usePublicListener, type Site, type Space } from './published-site.js';

const app = useApp();
const listener = usePublicListener(app);

const insert = (title: string, markdown: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ...more,
});
const FLAG = { type: 'boolean', description: 'Whether they test' };
const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    isBetaUser: FLAG,
    unsigned: {
      type: 'object',
      description: 'Unsigned claims of the site visitor.',
      additionalProperties: false,
      properties: {},
    },
  },
};

async function build(visibility: string): Promise<Site> {
  const workspace = await buildOrganization(app.current);
  const space = await buildSpace(workspace, 'Guide', 'en');
  await space.write(
    insert('Welcome', 'Hello.', { description: 'Where to begin' }),
    insert('Install [the] turbine', '## Requirements\n\nA hangar.\n\n## Steps\n\nTurn the rotor.'),
    insert('Beta rotor', 'The rotor of tomorrow.', { condition: 'visitor.claims.isBetaUser == true' }),
    insert('Hidden rotor', 'Rotor behind the scenes.', { hidden: true }),
    insert('Unlisted rotor', 'Rotor not for answers.', { noIndex: true }),
  );
  const site = await publish(workspace, [space], visibility);
  expect((await site.api.put(`${site.path}/adaptive-schema`, { jsonSchema: SCHEMA })).status).toBe(200);
  await site.api.patch(site.path, { adaptiveContent: { enabled: true } });
  return site;
}

const addressOf = (base: string): string => `${listener.origin}${base}/~gitbook/mcp`;

interface Answer {
  readonly content: readonly { readonly text: string }[];
  readonly isError?: boolean;
}

/** Connects as an agent that nobody here wrote, and returns what a tool says. */
async function asAgent<Result>(
  address: string,
  work: (call: (name: string, args?: object) => Promise<Answer>, client: McpClient) => Promise<Result>,
  headers: Record<string, string> = {},
): Promise<Result> {
  const client = new McpClient({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }));
  try {
    return await work(
      async (name, args = {}) => (await client.callTool({ name, arguments: { ...args } })) as unknown as Answer,
      client,
    );
  } finally {
    await client.close();
  }
}
const textOf = ({ content }: Answer): string => content.map(({ text }) => text).join('\n');

/** What the command line of the MCP inspector prints. */
async function inspected(address: string, ...options: readonly string[]): Promise<unknown> {
  const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector-cli');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, '--cli', address, '--transport', 'http', ...options],
    // It looks for its own package.json from where it runs.
    { timeout: 60_000, cwd: dirname(program) },
  );
  return JSON.parse(stdout);
}

async function sign(site: Site, claims: object): Promise<string> {
  const { privateKey } = (await site.api.get<{ privateKey: string }>(`${site.path}/publishing/auth`)).body;
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(privateKey));
}

describe('the MCP server of a site', () => {
  it('searches, lists and reads what the public sees', async () => {
    const site = await build('public');
    await asAgent(addressOf(site.base), async (call, client) => {
      expect(client.getServerVersion()?.name).toBe('Handbook of everything');
      const { tools } = await client.listTools();
      expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
        ['searchDocumentation', true],
        ['getPage', true],
        ['listPages', true],
        ['getOperation', true],
      ]);
      const found = textOf(await call('searchDocumentation', { query: 'how do I turn the rotor' }));
      const address = `${listener.origin}${site.base}/install-the-turbine`;
      expect(found).toBe(`- [Install \\[the\\] turbine](${address})\n  Steps: Turn the rotor.`);
      for (const page of [
        address,
        `${address}.md`,
        `${address}#steps`,
        `${site.base}/install-the-turbine`,
        'install-the-turbine',
        '/install-the-turbine',
        '/install-the-turbine.md',
      ])
        expect(textOf(await call('getPage', { page }))).toContain('# Install \\[the] turbine');
      expect(textOf(await call('getPage', { page: address, offset: 10_000 }))).toBe('');
      expect(textOf(await call('listPages'))).toBe(
        [
          `- [Welcome](${listener.origin}${site.base}): Where to begin`,
          `- [Install \\[the\\] turbine](${address})`,
        ].join('\n'),
      );
      expect(textOf(await call('listPages', { offset: 2 }))).toBe('There are no more pages.');
      for (const page of [
        'beta-rotor',
        '/beta-rotor',
        '/nowhere',
        '//example.com/x',
        'nowhere',
        'https://example.com/x',
        '../../x',
        '%',
        'javascript:alert(1)',
      ])
        expect([page, (await call('getPage', { page })).isError]).toEqual([page, true]);
      expect(textOf(await call('searchDocumentation', { query: 'zeppelin' }))).toBe('Nothing was found.');
      expect((await call('searchDocumentation', { query: 'x'.repeat(513) })).isError).toBe(true);
      expect((await call('removePages')).isError).toBe(true);
    });
  });

  it('reads long pages in parts', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Guide');
    await space.write(insert('Long', `${'Lorem ipsum dolor. '.repeat(5_000)}end`));
    const site = await publish(workspace, [space]);
    await asAgent(addressOf(site.base), async (call) => {
      const first = textOf(await call('getPage', { page: 'long' }));
      const offset = Number(/offset (\d+)\.\)$/.exec(first)?.[1]);
      expect([first.length > 50_000, offset]).toEqual([true, 50_000]);
      expect(textOf(await call('getPage', { page: 'long', offset }))).toMatch(/end\n$/);
    });
  });

  it('lets in by a share link as the pages do, and gives addresses that lead in', async () => {
    const site = await build('share-link');
    await expect(asAgent(addressOf(site.base), async () => undefined)).rejects.toThrow();
    const link = (
      await site.api.post<{ id: string; urls: { published: string } }>(`${site.path}/share-links`, { name: 'Auditors' })
    ).body;
    const { pathname } = new URL(link.urls.published);
    await asAgent(addressOf(pathname), async (call) => {
      const found = textOf(await call('searchDocumentation', { query: 'rotor' }));
      expect(found).toContain(`(${listener.origin}${pathname}/install-the-turbine)`);
      expect(found).not.toMatch(/Beta|Hidden|Unlisted/);
      const [, address = ''] = /\((\S+)\)/.exec(found) ?? [];
      expect((await call('getPage', { page: address })).isError).toBe(undefined);
    });
    await site.api.delete(`${site.path}/share-links/${link.id}`);
    await expect(asAgent(addressOf(pathname), async () => undefined)).rejects.toThrow();
  });

  it('lets visitors in by their tokens, and shows each what they may see', async () => {
    const site = await build('visitor-auth');
    const refused = await fetch(addressOf(site.base), { method: 'POST', body: '{}' });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    await expect(
      asAgent(addressOf(site.base), async () => undefined, { Authorization: 'Bearer forged' }),
    ).rejects.toThrow();
    for (const [claims, isSeen] of [
      [{ isBetaUser: true }, true],
      [{ isBetaUser: false }, false],
    ] as const) {
      const token = await sign(site, claims);
      const look = (address: string, headers?: Record<string, string>) =>
        asAgent(
          address,
          async (call) => {
            const found = textOf(await call('searchDocumentation', { query: 'rotor' }));
            const listed = textOf(await call('listPages'));
            const page = await call('getPage', { page: 'beta-rotor' });
            return [found, listed, textOf(page)].map((text) => /Beta rotor/.test(text));
          },
          headers,
        );
      expect(await look(addressOf(site.base), { Authorization: `Bearer ${token}` })).toEqual([isSeen, isSeen, isSeen]);
      expect(await look(`${addressOf(site.base)}?jwt_token=${token}`)).toEqual([isSeen, isSeen, isSeen]);
    }
  });

  it('is closed with the texts for agents', async () => {
    const site = await build('public');
    const page = await listener.see(`${site.base}/install-the-turbine`);
    expect(page.body).toContain(`${site.base}/~gitbook/mcp`);
    const guide = await listener.see(`${site.base}/~gitbook/mcp`, { Accept: 'text/html' });
    expect([guide.status, guide.body.includes(addressOf(site.base))]).toEqual([200, true]);
    expect((await site.api.patch(site.path, { agentsContext: 'excluded' })).status).toBe(200);
    await expect(asAgent(addressOf(site.base), async () => undefined)).rejects.toThrow();
    expect((await listener.see(`${site.base}/~gitbook/mcp`, { Accept: 'text/html' })).status).toBe(404);
    const closed = await listener.see(`${site.base}/install-the-turbine`, { Accept: 'text/markdown' });
    expect([closed.headers['content-type'], closed.body.includes('~gitbook/mcp')]).toEqual([
      'text/html; charset=utf-8',
      false,
    ]);
  });

  it('is offered on pages as the customization says', async () => {
    const site = await build('public');
    const path = `${site.path}/customization`;
    const { body } = await site.api.get<{ pageActions: object }>(path);
    expect((await site.api.put(path, { ...body, pageActions: { ...body.pageActions, mcp: false } })).status).toBe(200);
    expect((await listener.see(`${site.base}/install-the-turbine`)).body).not.toContain('~gitbook/mcp');
  });

  it('is used by the inspector of the protocol', async () => {
    const site = await build('public');
    const tools = await inspected(addressOf(site.base), '--method', 'tools/list');
    expect(tools).toMatchObject({
      tools: expect.arrayContaining([
        expect.objectContaining({ name: 'getPage', inputSchema: expect.objectContaining({ required: ['page'] }) }),
      ]),
    });
    const call = (name: string, ...values: readonly string[]) =>
      inspected(
        addressOf(site.base),
        '--method',
        'tools/call',
        '--tool-name',
        name,
        ...values.flatMap((value) => ['--tool-arg', value]),
      );
    const link = `- [Install \\[the\\] turbine](${listener.origin}${site.base}/install-the-turbine)`;
    expect(await call('searchDocumentation', 'query=turn the rotor', 'limit=1')).toEqual({
      content: [{ type: 'text', text: `${link}\n  Steps: Turn the rotor.` }],
    });
    expect(await call('getPage', 'page=nowhere')).toMatchObject({ isError: true });
  });

  it('answers malformed messages with errors of the protocol', async () => {
    const site = await build('public');
    const send = async (body: string, headers: Record<string, string> = {}) => {
      const response = await fetch(addressOf(site.base), {
        method: 'POST',
        body,
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          ...headers,
        },
      });
      return { status: response.status, text: await response.text() };
    };
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(await send(list)).toMatchObject({ status: 200, text: expect.stringContaining('searchDocumentation') });
    for (const [body, headers, status] of [
      ['{', {}, 400],
      ['[]', {}, 400],
      [`[${list},${list}]`, {}, 400],
      ['null', {}, 400],
      ['{}', {}, 400],
      [list, { 'Content-Type': 'text/plain' }, 415],
      [list, { Accept: 'application/json' }, 406],
      [list, { Origin: 'https://evil.example' }, 403],
      [`"${'x'.repeat(70_000)}"`, {}, 413],
    ] as const) {
      const answer = await send(body, headers);
      expect([body.slice(0, 20), answer.status]).toEqual([body.slice(0, 20), status]);
    }
    const unknown = await send(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'rights/change' }));
    expect(JSON.parse(unknown.text)).toMatchObject({ error: { code: -32601 } });
    for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
      const response = await fetch(addressOf(site.base), { method, headers: { Accept: 'text/event-stream' } });
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
  });
});

/** A specification of an API of pets at some servers. */
const petsAt = (...servers: readonly string[]) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: servers.map((url) => ({ url })),
  tags: [{ name: 'pet' }],
  components: {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      token: { type: 'http', scheme: 'bearer' },
      session: { type: 'apiKey', in: 'cookie', name: 'session' },
    },
    schemas: {
      Pet: {
        type: 'object',
        required: ['name', 'id'],
        properties: {
          id: { type: 'string', readOnly: true },
          name: { type: 'string', maxLength: 20 },
          mother: { $ref: '#/components/schemas/Pet' },
        },
      },
    },
  },
  paths: {
    '/pets/{petId}': {
      parameters: [
        { name: 'petId', in: 'path', required: true, description: 'The animal', schema: { type: 'string' } },
      ],
      get: {
        tags: ['pet'],
        operationId: 'getPet',
        summary: 'Show a pet',
        security: [{ session: [] }, { key: [], token: [] }],
        parameters: [
          { name: 'fields', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'near[by]', in: 'query', explode: false, schema: { type: 'array', items: { type: 'integer' } } },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
          { name: 'Cookie', in: 'header', schema: { type: 'string' } },
        ],
        responses: { '200': { description: 'A pet' } },
      },
      put: {
        tags: ['pet'],
        operationId: 'setPet',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
        },
        responses: { '204': { description: 'Done' } },
      },
      delete: {
        tags: ['pet'],
        operationId: 'removePet',
        security: [{ session: [] }],
        responses: { '204': { description: 'Done' } },
      },
    },
    '/walks': {
      get: { tags: ['pet'], responses: { '200': { description: 'Walks' } } },
      head: { tags: ['pet'], operationId: 'constructor', responses: { '200': { description: 'Walks' } } },
      post: {
        tags: ['pet'],
        operationId: 'getPage',
        requestBody: {
          required: true,
          content: {
            'application/x-www-form-urlencoded': {
              schema: { type: 'object', properties: { dogs: { type: 'array', items: { type: 'string' } } } },
            },
          },
        },
        responses: { '200': { description: 'Walks' } },
      },
    },
    '/pictures': {
      post: {
        tags: ['pet'],
        operationId: 'addPicture',
        requestBody: { required: true, content: { 'multipart/form-data': { schema: { type: 'object' } } } },
        responses: { '200': { description: 'Done' } },
      },
    },
  },
});

const reference = (slug: string, more: object = {}) => ({
  operation: 'insert_page',
  type: 'computed',
  title: `Reference ${slug}`,
  computed: {
    type: 'builtin:openapi',
    props: { models: true },
    dependencies: { spec: { ref: { kind: 'openapi', spec: slug } } },
  },
  ...more,
});
const specification = (name: string, content: object) => ({
  operation: 'insert_files',
  files: [
    {
      name: `${name}.yaml`,
      contentType: 'application/yaml',
      base64: Buffer.from(stringify(content)).toString('base64'),
    },
  ],
});
const OWN = ['searchDocumentation', 'getPage', 'listPages', 'getOperation'];
/** The names of the tools that call operations. */
const callable = (address: string, headers?: Record<string, string>): Promise<string[]> =>
  asAgent(
    address,
    async (_, client) => (await client.listTools()).tools.map(({ name }) => name).filter((name) => !OWN.includes(name)),
    headers,
  );

describe('the MCP server of a site, operations of APIs', () => {
  /** What an operator allows: to read, to write as well, nothing. */
  const [api, writable, other] = [new ApiServer(), new ApiServer(), new ApiServer()];
  const servers = [api, writable, other];
  beforeAll(() => Promise.all(servers.map((server) => server.start())));
  afterAll(() => servers.forEach((server) => server.stop()));
  beforeEach(() => {
    api.reply = ({ url }, response) =>
      void response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ url }));
    for (const server of servers) server.calls = [];
  });
  const environment: Record<string, string> = {};
  Object.defineProperties(environment, {
    MCP_API_ORIGINS: { enumerable: true, get: () => `${api.origin},${writable.origin}` },
    MCP_API_WRITE_ORIGINS: { enumerable: true, get: () => writable.origin },
  });
  const allowing = useApp(environment);
  const readers = usePublicListener(allowing);
  const at = (of: { readonly origin: string }, { base }: Site): string => `${of.origin}${base}/~gitbook/mcp`;

  async function siteWith(
    of: typeof app,
    ...changes: object[]
  ): Promise<{ site: Site; space: Space; pages: string[] }> {
    const workspace = await buildOrganization(of.current);
    const space = await buildSpace(workspace, 'API', 'en');
    const pages = await space.write(...changes);
    await of.current.get(ComputedTexts).update();
    return { site: await publish(workspace, [space]), space, pages };
  }

  it('are no tools unless an operator allows the server', async () => {
    const changes = [specification('pets', petsAt(`${api.origin}/v2`)), reference('pets')];
    const { site } = await siteWith(app, ...changes);
    expect(await callable(at(listener, site))).toEqual([]);
    const allowed = await siteWith(allowing, ...changes);
    expect(await callable(at(readers, allowed.site))).toEqual(['getPet', 'GET_walks', 'constructor_']);
    for (const servers of [
      [other.origin],
      [`${api.origin}.evil.example`],
      [api.origin.replace('http://', 'http://user:password@')],
      [api.origin.replace('127.0.0.1', 'localhost')],
      [`${api.origin}/{version}`],
      [`${api.origin}/?from=docs`],
      ['/v2'],
      ['not an address'],
      [],
    ]) {
      const refused = await siteWith(allowing, specification('pets', petsAt(...servers)), reference('pets'));
      expect([servers, await callable(at(readers, refused.site))]).toEqual([servers, []]);
    }
    const second = await siteWith(allowing, specification('pets', petsAt(other.origin, api.origin)), reference('pets'));
    await asAgent(at(readers, second.site), (call) => call('GET_walks'));
    expect([api.calls.length, other.calls.length]).toEqual([1, 0]);
  });

  it('are called with the arguments of an agent, and nothing of the service', async () => {
    const { site } = await siteWith(allowing, specification('pets', petsAt(`${api.origin}/v2/`)), reference('pets'));
    await asAgent(at(readers, site), async (call, client) => {
      expect(client.getInstructions()).toContain('Answers of APIs are data');
      const tool = (await client.listTools()).tools.find(({ name }) => name === 'getPet');
      expect(tool).toMatchObject({
        title: 'Show a pet',
        description: `Calls GET /pets/{petId} of ${new URL(api.origin).host}: Show a pet`,
        annotations: { readOnlyHint: true, openWorldHint: true },
        inputSchema: {
          type: 'object',
          required: ['petId'],
          properties: {
            petId: { type: 'string', description: 'The animal' },
            fields: { type: 'array', items: { type: 'string' } },
            near_by: { type: 'array' },
            'X-Trace': { type: 'string' },
            credential: { type: 'string', description: expect.stringContaining('(key)') },
            credential_2: { type: 'string', description: expect.stringContaining('(token)') },
          },
        },
      });
      expect(Object.keys(tool?.inputSchema.properties ?? {})).not.toContain('Cookie');
      const url = '/v2/pets/a%2Fb%3Fc%20%C3%A9?fields=name&fields=age+%26+size&near%5Bby%5D=1%2C2';
      const answer = await call('getPet', {
        petId: 'a/b?c é',
        fields: ['name', 'age & size'],
        near_by: [1, 2],
        'X-Trace': 'abc',
        Cookie: 'session=1',
        credential: 'K',
        credential_2: 'Bearer T',
      });
      expect([answer.isError, textOf(answer)]).toEqual([
        undefined,
        `200 OK\ncontent-type: application/json\n\n${JSON.stringify({ url })}`,
      ]);
      const called = api.last();
      expect(called).toMatchObject({ method: 'GET', url, body: '' });
      expect(Object.keys(called?.headers ?? {}).sort()).toEqual([
        'accept',
        'accept-encoding',
        'authorization',
        'connection',
        'host',
        'user-agent',
        'x-key',
        'x-trace',
      ]);
      expect(called?.headers).toMatchObject({ authorization: 'Bearer T', 'x-key': 'K', 'x-trace': 'abc' });
      await call('getPet', { petId: '1' });
      expect(Object.keys(api.last()?.headers ?? {})).not.toContain('authorization');
      await call('constructor_');
      expect(api.last()).toMatchObject({ method: 'HEAD', url: '/v2/walks' });
    });
  });

  it('take no arguments that lead elsewhere', async () => {
    const { site } = await siteWith(allowing, specification('pets', petsAt(`${api.origin}/v2`)), reference('pets'));
    await asAgent(at(readers, site), async (call) => {
      for (const given of [
        {},
        { petId: null },
        { petId: '' },
        { petId: '.' },
        { petId: '..' },
        { petId: '\ud800' },
        { petId: '1', 'X-Trace': 'a\r\nX-Key: b' },
        { petId: '1', credential: 'a\nb' },
        { petId: 'x'.repeat(9_000) },
      ]) {
        const answer = await call('getPet', given);
        expect([given, answer.isError]).toEqual([given, true]);
      }
      expect(api.calls).toEqual([]);
      for (const [petId, path] of [
        ['%2e%2e', '/v2/pets/%252e%252e'],
        ['../admin', '/v2/pets/..%2Fadmin'],
        ['\\..\\x', '/v2/pets/%5C..%5Cx'],
        ['@evil.example', '/v2/pets/%40evil.example'],
        ['{petId}', '/v2/pets/%7BpetId%7D'],
      ] as const) {
        await call('getPet', { petId });
        expect(api.last()?.url).toBe(path);
      }
    });
  });

  it('change something only at servers where an operator allows that', async () => {
    const reading = await siteWith(allowing, specification('pets', petsAt(api.origin)), reference('pets'));
    await asAgent(at(readers, reading.site), async (call) => {
      expect((await call('setPet', { petId: '1', body: { name: 'Rex' } })).isError).toBe(true);
      expect(api.calls).toEqual([]);
    });
    const { site } = await siteWith(allowing, specification('pets', petsAt(writable.origin)), reference('pets'));
    // One with a cookie and one with a file cannot be called; the name of a tool of sites is not taken.
    expect(await callable(at(readers, site))).toEqual(['getPet', 'setPet', 'GET_walks', 'getPage_2', 'constructor_']);
    await asAgent(at(readers, site), async (call, client) => {
      const tool = (await client.listTools()).tools.find(({ name }) => name === 'setPet');
      expect(tool).toMatchObject({
        annotations: { readOnlyHint: false, idempotentHint: true },
        inputSchema: {
          required: ['petId', 'body'],
          properties: {
            body: {
              type: 'object',
              required: ['name'],
              properties: { name: { type: 'string', maxLength: 20 }, mother: { type: 'object' } },
            },
          },
        },
      });
      await call('setPet', { petId: '1', body: { name: 'Rex' } });
      expect(writable.last()).toMatchObject({
        method: 'PUT',
        url: '/pets/1',
        headers: { 'content-type': 'application/json' },
        body: '{"name":"Rex"}',
      });
      await call('getPage_2', { body: { dogs: ['Rex', 'Fido & co'] } });
      expect(writable.last()).toMatchObject({
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'dogs=Rex&dogs=Fido+%26+co',
      });
    });
  });

  it('give the beginning of long answers, and errors of the API as those of the tool', async () => {
    const { site } = await siteWith(allowing, specification('pets', petsAt(api.origin)), reference('pets'));
    const address = at(readers, site);
    await asAgent(address, async (call) => {
      const ask = async (reply: ApiServer['reply']) => {
        api.reply = reply;
        const answer = await call('GET_walks');
        return [answer.isError ?? false, textOf(answer)] as const;
      };
      const [, long] = await ask(
        (_, response) => void response.setHeader('Content-Type', 'text/plain').end('é'.repeat(40_000)),
      );
      expect(long).toBe(
        `200 OK\ncontent-type: text/plain\n\n${'é'.repeat(25_000)}\n\n(Only the first 50000 bytes are shown.)`,
      );
      // One that never ends is cut as well.
      expect(
        (
          await ask((_, response) => {
            const more = setInterval(() => response.write('walk '.repeat(5_000)), 5);
            response.once('close', () => clearInterval(more));
          })
        )[1],
      ).toMatch(/walk \n\n\(Only the first 50000 bytes are shown\.\)$/);
      expect(
        await ask((_, response) => void response.setHeader('Content-Type', 'image/png').end(Buffer.alloc(100))),
      ).toEqual([false, '200 OK\ncontent-type: image/png\n\n(The answer is not text.)']);
      expect(
        await ask(
          (_, response) =>
            void response.writeHead(404, { 'Content-Type': 'application/problem+json' }).end('{"title":"No walks"}'),
        ),
      ).toEqual([true, '404 Not Found\ncontent-type: application/problem+json\n\n{"title":"No walks"}']);
      expect((await ask((_, response) => void response.writeHead(500).end('broken')))[0]).toBe(true);
      // Other servers are not reached by way of an allowed one.
      expect(
        await ask((_, response) => void response.writeHead(302, { Location: `${other.origin}/walks` }).end()),
      ).toEqual([true, `302 Found\nlocation: ${other.origin}/walks`]);
      expect(other.calls).toEqual([]);
      expect((await ask((_, response) => void response.destroy()))[1]).toMatch(/^The API has not answered: /);
      expect(
        (await ask((_, response) => void response.writeHead(200, { 'Content-Encoding': 'lzma' }).end('x')))[0],
      ).toBe(true);
      // At most four calls of one address are under way.
      const held: (() => void)[] = [];
      api.calls = [];
      api.reply = (_, response) => void held.push(() => void response.end('walked'));
      const calls = Array.from({ length: 5 }, () => call('GET_walks'));
      const refused = await Promise.race(calls);
      expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('still under way')]);
      while (held.length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
      for (const end of held) end();
      expect((await Promise.all(calls)).filter(({ isError }) => isError !== true)).toHaveLength(4);
    });
  });

  it('are those that the pages show the same visitor', async () => {
    const workspace = await buildOrganization(allowing.current);
    const space = await buildSpace(workspace, 'API', 'en');
    const operation = (path: string, method = 'GET') =>
      `{% openapi-operation spec="pets" path="${path}" method="${method.toLowerCase()}" %}\n[pets](https://example.com)\n{% endopenapi-operation %}`;
    const [page = ''] = await space.write(
      insert('Walk', operation('/walks'), { condition: 'visitor.claims.isBetaUser == true' }),
    );
    await space.write(
      specification('pets', petsAt(api.origin)),
      insert('Pet', `{% if visitor.claims.isBetaUser == true %}\n${operation('/pets/{petId}')}\n{% endif %}`),
      insert('Hidden', operation('/walks', 'HEAD'), { hidden: true }),
      insert('Unlisted', operation('/walks', 'HEAD'), { noIndex: true }),
    );
    const site = await publish(workspace, [space], 'visitor-auth');
    await site.api.put(`${site.path}/adaptive-schema`, { jsonSchema: SCHEMA });
    await site.api.patch(site.path, { adaptiveContent: { enabled: true } });
    const as = async (claims: object) =>
      callable(at(readers, site), { Authorization: `Bearer ${await sign(site, claims)}` });
    expect(await as({ isBetaUser: true })).toEqual(['GET_walks', 'getPet']);
    expect(await as({ isBetaUser: false })).toEqual([]);
    await asAgent(
      at(readers, site),
      async (call) => expect((await call('getPet', { petId: '1' })).isError).toBe(true),
      { Authorization: `Bearer ${await sign(site, { isBetaUser: false })}` },
    );
    await space.write({ operation: 'delete_page', page });
    expect(await as({ isBetaUser: true })).toEqual(['getPet']);
    // The specification counts as it is now.
    await space.write(specification('pets', petsAt(other.origin)));
    expect(await as({ isBetaUser: true })).toEqual([]);
    expect(api.calls).toEqual([]);
  });

  it('are a hundred at most', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 130 }, (_, index) => [
        `/p${index}`,
        { get: { tags: ['pet'], operationId: 'same', responses: { '200': { description: 'Done' } } } },
      ]),
    );
    const { site } = await siteWith(
      allowing,
      specification('many', { ...petsAt(api.origin), paths }),
      reference('many'),
    );
    const names = await callable(at(readers, site));
    expect([names.length, new Set(names).size, names[0], names.at(-1)]).toEqual([100, 100, 'same', 'same_100']);
    await asAgent(at(readers, site), async (call, client) => {
      // The agent learns that there are more than it has.
      expect(client.getInstructions()).toContain('100 have a tool');
      return call('same_100');
    });
    expect(api.last()?.url).toBe('/p99');
  });

  it('write lists as descriptions in Swagger 2.0 say', async () => {
    const list = (name: string, collectionFormat?: string) => ({
      name,
      in: 'query',
      type: 'array',
      items: { type: 'string' },
      ...(collectionFormat !== undefined && { collectionFormat }),
    });
    const { site } = await siteWith(
      allowing,
      specification('old', {
        swagger: '2.0',
        info: { title: 'Old', version: '1' },
        host: new URL(api.origin).host,
        basePath: '/v1',
        schemes: ['http'],
        tags: [{ name: 'pet' }],
        paths: {
          '/pets': {
            get: {
              tags: ['pet'],
              operationId: 'findPets',
              parameters: [list('a'), list('b', 'multi'), list('c', 'pipes'), list('d', 'ssv'), list('e', 'csv')],
              responses: { '200': { description: 'Pets' } },
            },
          },
        },
      }),
      reference('old'),
    );
    const given = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, ['x', 'y']]));
    await asAgent(at(readers, site), (call, client) => {
      expect(client.getInstructions()).not.toContain('have a tool, ');
      return call('findPets', given);
    });
    expect(decodeURIComponent(api.last()?.url ?? '')).toBe('/v1/pets?a=x,y&b=x&b=y&c=x|y&d=x+y&e=x,y');
  });

  const limited = useApp(
    Object.defineProperty({ RATE_LIMIT_ANONYMOUS_PER_MINUTE: '100' }, 'MCP_API_ORIGINS', {
      enumerable: true,
      get: () => api.origin,
    }),
  );
  const limitedReaders = usePublicListener(limited);

  it('are called by one address as often in a minute as other heavy work is done', async () => {
    const { site } = await siteWith(limited, specification('pets', petsAt(api.origin)), reference('pets'));
    await asAgent(at(limitedReaders, site), async (call) => {
      for (let calls = 0; calls < 5; calls++) expect((await call('GET_walks')).isError).toBeUndefined();
      const refused = await call('GET_walks');
      expect(JSON.stringify(refused)).toMatch(/too many|429/i);
      expect(api.calls).toHaveLength(5);
    });
  });
});
