import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { OauthGrants } from '../src/identity/oauth/oauth-grants.service.js';
import { PROPOSING_SCOPES } from '../src/identity/users/tokens.service.js';
import { redirectUriFault, shownRedirect } from '../src/identity/oauth/domain/redirect-uri.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { Client } from './client.js';
import { buildSpace } from './published-site.js';

const app = useApp();
const REDIRECT = 'http://127.0.0.1:33418/callback';
const post = (path: string, form: Record<string, string | readonly string[]>, headers: Record<string, string> = {}) =>
  fetch(`${app.current.url}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(
      Object.entries(form).flatMap(([name, values]) => [values].flat().map((value) => [name, value])),
    ),
  });

/** The hidden fields of the consent page. */
const hiddenIn = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
      name,
      value.replace(/&#x26;|&amp;/g, '&'),
    ]),
  );
const chosenIn = (html: string): string[] =>
  [...html.matchAll(/name="grant" value="([^"]*)" checked/g)].map(([, scope = '']) => scope);

interface Flow {
  readonly clientId: string;
  readonly verifier: string;
  readonly address: string;
}

const register = async (client: object): Promise<string> => {
  const registered = await fetch(`${app.current.url}/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: 'Test agent', redirect_uris: [REDIRECT], ...client }),
  });
  expect(registered.status).toBe(201);
  return ((await registered.json()) as { client_id: string }).client_id;
};

/** Begins a flow as a client does that this service has never seen, or as the one before. */
async function begin(more: Record<string, string> = {}, clientId = clients[0] ?? ''): Promise<Flow> {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT,
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'a state & more',
    ...more,
  });
  return { clientId, verifier, address: `/oauth/authorize?${query.toString()}` };
}

/** Answers the consent page; returns where the browser is sent. */
async function consent(address: string, answers: Record<string, string | readonly string[]>) {
  const page = await fetch(`${app.current.url}${address}`);
  const html = await page.text();
  expect([page.status, html.slice(0, 15)]).toEqual([200, '<!doctype html>']);
  const answer = await post('/oauth/authorize', {
    ...hiddenIn(html),
    grant: chosenIn(html),
    decision: 'allow',
    ...answers,
  });
  return { html, answer, location: answer.headers.get('location') ?? '' };
}

const codeIn = (location: string): string => new URL(location).searchParams.get('code') ?? '';

async function tokensFor({ clientId, verifier }: Flow, code: string, more: Record<string, string> = {}) {
  const answer = await post('/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT,
    ...more,
  });
  return { status: answer.status, body: (await answer.json()) as OAuthTokens & { error?: string } };
}
const refreshed = async (clientId: string, token: string, more: Record<string, string> = {}) => {
  const answer = await post('/oauth/token', {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: token,
    ...more,
  });
  return { status: answer.status, body: (await answer.json()) as OAuthTokens & { error?: string } };
};

let workspace: Workspace;
let token: string;
/** Registered clients: their number in a minute has a limit. */
let clients: string[] = [];
beforeAll(async () => {
  workspace = await buildOrganization(app.current);
  await buildSpace(workspace, 'Guide', 'en');
  token = workspace.admin.api.token ?? '';
  clients = [await register({}), await register({})];
});
const as = (secret: string) => new Client(app.current.url, secret);

describe('an MCP client that nobody here wrote', () => {
  it('registers itself, asks the user, and works with what was granted', async () => {
    const kept: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string; sentTo?: URL } = {};
    const provider: OAuthClientProvider = {
      redirectUrl: REDIRECT,
      clientMetadata: { client_name: 'Somebody’s agent', redirect_uris: [REDIRECT] },
      clientInformation: () => kept.client,
      saveClientInformation: (client) => void (kept.client = client),
      tokens: () => kept.tokens,
      saveTokens: (tokens) => void (kept.tokens = tokens),
      redirectToAuthorization: (address) => void (kept.sentTo = address),
      saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
      codeVerifier: () => kept.verifier ?? '',
    };
    const address = new URL(`${app.current.url}/mcp`);
    const first = new StreamableHTTPClientTransport(address, { authProvider: provider });
    await expect(new McpClient({ name: 'somebody', version: '1' }).connect(first)).rejects.toBeInstanceOf(
      UnauthorizedError,
    );
    const { pathname, search } = kept.sentTo ?? new URL('http://nowhere/');
    const { html, location } = await consent(pathname + search, { token });
    expect(html).toContain('Somebody’s agent asks for access');
    expect(html).toContain('<code>127.0.0.1:33418</code>');
    await first.finishAuth(codeIn(location));
    const client = new McpClient({ name: 'somebody', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(address, { authProvider: provider }));
    const { content } = await client.callTool({ name: 'listOrganizations', arguments: {} });
    expect(JSON.stringify(content)).toContain(workspace.id);
    await client.close();
    const { body } = await workspace.admin.api.get<{
      items: { agent?: string; scopes?: string[]; expiresAt?: string }[];
    }>('/user/tokens');
    const own = body.items.find(({ agent }) => agent === 'Somebody’s agent');
    expect([...(own?.scopes ?? [])].sort()).toEqual([...PROPOSING_SCOPES].sort());
    const minutes = (Date.parse(own?.expiresAt ?? '') - Date.now()) / 60_000;
    expect([minutes > 55, minutes <= 60]).toEqual([true, true]);
  });

  it('finds the metadata of the service', async () => {
    const read = async (path: string) => (await fetch(`${app.current.url}${path}`)).json() as Promise<object>;
    const resource = await read('/.well-known/oauth-protected-resource/mcp');
    expect(resource).toMatchObject({ resource: `${app.current.url}/mcp`, authorization_servers: [app.current.url] });
    expect(await read('/.well-known/oauth-protected-resource')).toEqual(resource);
    expect(await read('/.well-known/oauth-authorization-server')).toMatchObject({
      issuer: app.current.url,
      token_endpoint: `${app.current.url}/oauth/token`,
      code_challenge_methods_supported: ['S256'],
    });
    const refused = await fetch(`${app.current.url}/mcp`, { method: 'POST' });
    expect(refused.headers.get('www-authenticate')).toContain(
      `resource_metadata="${app.current.url}/.well-known/oauth-protected-resource/mcp"`,
    );
  });
});

describe('consent', () => {
  it('gives no more than the token has, and to nobody else', async () => {
    const narrow = await workspace.admin.api.post<{ token: string }>('/user/tokens', {
      name: 'narrow',
      scopes: ['user:write', 'space:read', 'user:read'],
      expiresAt: new Date(Date.now() + 600_000).toISOString(),
    });
    const flow = await begin({ scope: 'user:read space:read change-request:merge' });
    const page = await (await fetch(`${app.current.url}${flow.address}`)).text();
    // What is wider than a proposal is for the person to choose.
    expect(chosenIn(page)).toEqual(['user:read', 'space:read']);
    const { location } = await consent(flow.address, {
      token: narrow.body.token,
      grant: ['user:read', 'space:read', 'change-request:merge', 'site:publish'],
    });
    expect(new URL(location).searchParams.get('state')).toBe('a state & more');
    expect(new URL(location).searchParams.get('iss')).toBe(app.current.url);
    const { status, body } = await tokensFor(flow, codeIn(location));
    expect([status, body.scope, body.token_type]).toEqual([200, 'user:read space:read', 'Bearer']);
    expect(body.expires_in).toBeLessThanOrEqual(600);
    expect((await as(body.access_token).get('/user')).status).toBe(200);
    expect((await as(body.access_token).get(`/orgs/${workspace.id}`)).status).toBe(403);
  });

  it('may be limited to one organization, and merges where the person says so', async () => {
    const other = await buildOrganization(app.current);
    const flow = await begin({ scope: 'user:read organization:read change-request:merge' });
    const wrong = await consent(flow.address, { token, organization: other.id });
    expect([wrong.answer.status, await wrong.answer.text()]).toEqual([400, expect.stringContaining('role="alert"')]);
    const { location } = await consent(flow.address, {
      token,
      organization: workspace.id,
      grant: ['user:read', 'organization:read', 'change-request:merge'],
    });
    const { body } = await tokensFor(flow, codeIn(location));
    expect(body.scope).toBe('user:read organization:read change-request:merge');
    expect((await as(body.access_token).get(`/orgs/${workspace.id}`)).status).toBe(200);
    expect((await as(body.access_token).get<{ items: unknown[] }>('/orgs')).body.items).toHaveLength(1);
  });

  it.each([
    ['without a token', {}, 'not a valid API token'],
    ['with a wrong one', { token: 'bdy_wrong' }, 'not a valid API token'],
    ['without scopes', { grant: [] }, 'Choose at least one scope'],
  ])('is shown again %s', async (_, answers, reason) => {
    const flow = await begin();
    const { answer } = await consent(flow.address, { ...('grant' in answers && { token }), ...answers });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(reason)]);
  });

  it('is no form that another site can send', async () => {
    const flow = await begin();
    const html = await (await fetch(`${app.current.url}${flow.address}`)).text();
    const answer = await post(
      '/oauth/authorize',
      { ...hiddenIn(html), grant: chosenIn(html), decision: 'allow', token },
      { 'Sec-Fetch-Site': 'cross-site' },
    );
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('another site')]);
    const page = await fetch(`${app.current.url}${flow.address}`);
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self' http://127.0.0.1:33418; frame-ancestors 'none'",
    );
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('sends the refusal and faults of the request back, and faults of the client nowhere', async () => {
    const flow = await begin();
    const { location } = await consent(flow.address, { decision: 'deny' });
    expect(new URL(location).searchParams.get('error')).toBe('access_denied');
    for (const [more, error] of [
      [{ scope: 'everything' }, 'invalid_scope'],
      [{ resource: 'https://elsewhere.example.com/mcp' }, 'invalid_target'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ response_type: 'token' }, 'invalid_request'],
    ] as const) {
      const { address } = await begin(more);
      const answer = await fetch(`${app.current.url}${address}`, { redirect: 'manual' });
      expect([more, new URL(answer.headers.get('location') ?? 'x:').searchParams.get('error')]).toEqual([more, error]);
    }
    for (const more of [['redirect_uri', 'https://evil.example.com/'] as const, ['client_id', 'nobody'] as const]) {
      const { address } = await begin(Object.fromEntries([more]));
      expect((await fetch(`${app.current.url}${address}`, { redirect: 'manual' })).status).toBe(400);
    }
    // Another port of the same machine is the same client (RFC 8252).
    const { address } = await begin({ redirect_uri: 'http://127.0.0.1:9/callback' });
    expect((await fetch(`${app.current.url}${address}`)).status).toBe(200);
  });

  it('is not for tokens of agents', async () => {
    const agent = await workspace.admin.api.post<{ token: string }>('/user/tokens', { name: 'x', agent: 'Codex' });
    const flow = await begin();
    const { answer } = await consent(flow.address, { token: agent.body.token });
    expect(await answer.text()).toContain('token of an agent');
  });

  it('shows names and addresses as text', async () => {
    const flow = await begin({}, await register({ client_name: '<b>Bold</b>\u202e\nname' }));
    const html = await (await fetch(`${app.current.url}${flow.address}`)).text();
    expect(html).not.toContain('<b>');
    expect(html).not.toContain('\u202e');
  });
});

describe('codes and refresh tokens', () => {
  const granted = async (more: Record<string, string> = {}) => {
    const flow = await begin(more);
    const { location } = await consent(flow.address, { token });
    return { flow, code: codeIn(location) };
  };

  it('are good once: whoever brings one again ends the access', async () => {
    const { flow, code } = await granted();
    const { body } = await tokensFor(flow, code);
    expect((await as(body.access_token).get('/user')).status).toBe(200);
    expect((await tokensFor(flow, code)).body.error).toBe('invalid_grant');
    expect((await as(body.access_token).get('/user')).status).toBe(401);
    expect((await refreshed(flow.clientId, body.refresh_token ?? '')).body.error).toBe('invalid_grant');
  });

  it('are renewed, and an old one ends the access', async () => {
    const { flow, code } = await granted();
    const first = (await tokensFor(flow, code)).body;
    const second = await refreshed(flow.clientId, first.refresh_token ?? '');
    expect(second.status).toBe(200);
    expect((await as(first.access_token).get('/user')).status).toBe(401);
    expect((await as(second.body.access_token).get('/user')).status).toBe(200);
    expect((await refreshed(flow.clientId, second.body.refresh_token ?? '', { scope: 'site:publish' })).status).toBe(
      400,
    );
    expect((await refreshed(flow.clientId, first.refresh_token ?? '')).status).toBe(400);
    expect((await as(second.body.access_token).get('/user')).status).toBe(401);
    expect((await refreshed(flow.clientId, second.body.refresh_token ?? '')).status).toBe(400);
  });

  it('are the client’s alone, with its verifier and its address', async () => {
    const { flow, code } = await granted();
    const other = await begin({}, clients[1]);
    expect((await tokensFor({ ...flow, verifier: other.verifier }, code)).body.error).toBe('invalid_grant');
    expect((await tokensFor({ ...flow, clientId: other.clientId }, code)).body.error).toBe('invalid_grant');
    expect((await tokensFor(flow, code, { redirect_uri: 'http://127.0.0.1:1/' })).body.error).toBe('invalid_grant');
    expect((await tokensFor(flow, code, { resource: 'https://elsewhere.example.com' })).body.error).toBe(
      'invalid_target',
    );
    expect((await tokensFor(flow, 'nothing')).body.error).toBe('invalid_grant');
    const { body } = await tokensFor(flow, code);
    expect((await refreshed(other.clientId, body.refresh_token ?? '')).body.error).toBe('invalid_grant');
    expect((await refreshed(flow.clientId, body.refresh_token ?? '')).status).toBe(200);
  });

  it('are exchanged once by two servers at the same time', async () => {
    const { flow, code } = await granted();
    const answers = await Promise.all([tokensFor(flow, code), tokensFor(flow, code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('end with their access token, and by revocation', async () => {
    const { flow, code } = await granted();
    const { body } = await tokensFor(flow, code);
    const revoke = (clientId: string, secret: string) => post('/oauth/revoke', { client_id: clientId, token: secret });
    const other = await begin({}, clients[1]);
    expect((await revoke(other.clientId, body.access_token)).status).toBe(200);
    expect((await as(body.access_token).get('/user')).status).toBe(200);
    expect((await revoke(flow.clientId, body.access_token)).status).toBe(200);
    expect((await as(body.access_token).get('/user')).status).toBe(401);
    expect((await refreshed(flow.clientId, body.refresh_token ?? '')).status).toBe(400);

    const again = await granted();
    const tokens = (await tokensFor(again.flow, again.code)).body;
    const { body: list } = await workspace.admin.api.get<{ items: { id: string; agent?: string }[] }>('/user/tokens');
    const newest = list.items.find(({ agent }) => agent === 'Test agent');
    await workspace.admin.api.delete(`/user/tokens/${newest?.id}`);
    expect((await refreshed(again.flow.clientId, tokens.refresh_token ?? '')).status).toBe(400);
    expect((await revoke(again.flow.clientId, 'nothing')).status).toBe(200);
  });

  it('expire, and unused clients are removed', async () => {
    const { flow, code } = await granted();
    const used = await granted();
    const { body } = await tokensFor(used.flow, used.code);
    app.current.setTime(new Date(Date.now() + 2 * 60_000));
    expect((await tokensFor(flow, code)).body.error).toBe('invalid_grant');
    app.current.setTime(new Date(Date.now() + 61 * 60_000));
    expect((await as(body.access_token).get('/user')).status).toBe(401);
    const renewed = await refreshed(used.flow.clientId, body.refresh_token ?? '');
    expect(renewed.status).toBe(200);
    app.current.setTime(new Date(Date.now() + 45 * 24 * 60 * 60_000));
    expect((await refreshed(used.flow.clientId, renewed.body.refresh_token ?? '')).status).toBe(400);
    await app.current.get(OauthGrants).removeUnused();
    app.current.setTime(undefined);
    const left = await app.current.database.query<{ id: string }>('SELECT id FROM oauth_client WHERE id = ANY ($1)', [
      [flow.clientId, used.flow.clientId],
    ]);
    expect(left).toEqual([]);
  });
});

describe('registration', () => {
  it('takes addresses that a code may be sent to', () => {
    for (const allowed of [
      'https://agent.example.com/callback',
      'http://localhost:3000/x',
      'http://[::1]:3000/x',
      'cursor://anysphere.cursor-retrieval/oauth/callback',
      'com.example.app:/oauth',
    ])
      expect([allowed, redirectUriFault(allowed)]).toEqual([allowed, undefined]);
    for (const refused of [
      'http://example.com/',
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'https://example.com/#x',
      'https://user:name@example.com/',
      'nothing',
      `https://example.com/${'x'.repeat(3000)}`,
    ])
      expect([refused, redirectUriFault(refused)]).toEqual([refused, expect.any(String)]);
    expect(shownRedirect('cursor://x/y')).toBe('an application on this device (cursor:)');
  });

  it('refuses anything else, and too many from one address', async () => {
    const answerTo = async (body: object, headers: object = {}) => {
      const answer = await fetch(`${app.current.url}/oauth/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      return [answer.status, ((await answer.json()) as { error?: string }).error];
    };
    expect(await answerTo({ redirect_uris: ['http://example.com/'] })).toEqual([400, 'invalid_client_metadata']);
    expect(await answerTo({ redirect_uris: [] })).toEqual([400, 'invalid_client_metadata']);
    expect(await answerTo({})).toEqual([400, 'invalid_client_metadata']);
    const many = await Promise.all(Array.from({ length: 30 }, () => answerTo({ redirect_uris: [REDIRECT] })));
    expect(many.map(([status]) => status)).toContain(400);
  });
});
