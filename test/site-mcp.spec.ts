import { describe, expect, it } from '@jest/globals';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { SignJWT } from 'jose';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';
import { buildSpace, publish, usePublicListener, type Site } from './published-site.js';

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
