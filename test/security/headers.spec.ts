import { readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { TrustedProxies } from '../../src/kernel/platform/http/trusted-proxies.js';
import { TestApp, useApp } from '../app.js';
import { buildOrganization } from '../build.js';
import { Client } from '../client.js';
import { buildSpace, publish, usePublicListener } from '../published-site.js';

interface Case {
  readonly kind: string;
  readonly path: string;
  readonly method?: string;
  readonly body?: string;
  readonly request?: Readonly<Record<string, string>>;
  /** With a token. */
  readonly caller?: boolean;
  /** With the ETag of a first answer. */
  readonly again?: boolean;
  readonly status: number;
  /** A pattern for each header; null for one that must not be there. */
  readonly headers: Readonly<Record<string, string | null>>;
}
interface Listener {
  readonly every: Readonly<Record<string, string | null>>;
  readonly cases: readonly Case[];
}
const { api, public: published } = JSON.parse(readFileSync('test/security/headers/cases.json', 'utf8')) as {
  readonly api: Listener;
  readonly public: Listener;
};

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const app = useApp({
  API_URL: 'https://api.example.com',
  PUBLIC_URL: 'https://docs.example.com',
  TRUSTED_PROXIES: 'loopback,10.0.0.0/8',
});
const listening = usePublicListener(app);
/** What stands in braces in the cases. */
const names = new Map<string, string>();
let token = '';

const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (whole, name: string) => names.get(name) ?? whole);
const patternOf = (text: string): RegExp =>
  new RegExp(text.replace(/\{([a-z]+)\}/g, (whole, name: string) => names.get(name) ?? whole));

interface Seen {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

function ask(
  origin: string,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Readonly<Record<string, string>>; body?: string } = {},
): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${origin}${path}`, { method, headers: { ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.on('error', reject).end(body);
  });
}

async function answerTo(
  origin: string,
  { path, method, body, request = {}, caller = false, again = false }: Case,
): Promise<Seen> {
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...Object.fromEntries(Object.entries(request).map(([name, value]) => [name, filled(value)])),
    ...(caller && { authorization: `Bearer ${token}` }),
  };
  const options = { headers, ...(method !== undefined && { method }), ...(body !== undefined && { body }) };
  if (!again) return ask(origin, filled(path), options);
  const { etag = '' } = (await ask(origin, filled(path), options)).headers;
  return ask(origin, filled(path), { ...options, headers: { ...headers, 'if-none-match': etag } });
}

/** What is not as the case says. */
function faultsOf({ status, headers }: Seen, wanted: Case, { every }: Listener): string[] {
  const faults = status === wanted.status ? [] : [`status ${status} instead of ${wanted.status}`];
  for (const [name, pattern] of Object.entries({ ...every, ...wanted.headers })) {
    const value = headers[name]?.toString();
    if (pattern === null ? value !== undefined : value === undefined || !patternOf(pattern).test(value))
      faults.push(`${name}: ${value ?? '-'} instead of ${pattern ?? 'nothing'}`);
  }
  return faults;
}

beforeAll(async () => {
  const workspace = await buildOrganization(app.current);
  token = workspace.admin.api.token ?? '';
  const space = await buildSpace(workspace, 'Guide');
  await space.write({ operation: 'insert_page', title: 'Tea', document: { markdown: 'Brew it.' } });
  const files = [
    ['png', 'dot.png', 'image/png', PIXEL],
    [
      'svg',
      'dot.svg',
      'image/svg+xml',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>').toString('base64'),
    ],
    ['html', 'page.html', 'text/html', Buffer.from('<script>alert(1)</script>').toString('base64')],
  ] as const;
  await space.write({
    operation: 'insert_files',
    files: files.map(([, name, contentType, base64]) => ({ name, contentType, base64 })),
  });
  const listed = (
    await workspace.admin.api.get<{ items: { name: string; downloadURL: string }[] }>(
      `/spaces/${space.id}/content/files`,
    )
  ).body.items;
  for (const [key, name] of files) {
    const address = new URL(listed.find((file) => file.name === name)?.downloadURL ?? 'http://absent');
    names.set(key, address.pathname + address.search);
  }
  names.set('space', space.id);
  names.set('site', (await publish(workspace, [space], 'public', 'Open handbook')).base);
  const shared = await publish(workspace, [space], 'share-link', 'Closed handbook');
  names.set('shared', shared.base);
  const { body } = await shared.api.post<{ urls: { published: string } }>(`${shared.path}/share-links`, {
    name: 'Auditors',
  });
  names.set('key', body.urls.published.split('~share/')[1]?.split('/')[0] ?? '');
});

describe('headers of the API', () => {
  it.each(api.cases)('$kind', async (wanted) => {
    expect(faultsOf(await answerTo(app.current.url, wanted), wanted, api)).toEqual([]);
  });
});

describe('headers of published sites and files', () => {
  it.each(published.cases)('$kind', async (wanted) => {
    expect(faultsOf(await answerTo(listening.origin, wanted), wanted, published)).toEqual([]);
  });
});

describe('origins', () => {
  it('that are listed are let in by name, and none that looks like them', async () => {
    const strict = await TestApp.start(
      { CORS_ORIGINS: 'https://docs.example.com,https://app.example.com' },
      app.current.databaseUrl,
    );
    try {
      for (const [origin, allowed] of [
        ['https://docs.example.com', true],
        ['https://app.example.com', true],
        ['https://docs.example.com.evil.example', false],
        ['https://evil.example/https://docs.example.com', false],
        ['http://docs.example.com', false],
        ['https://docs.example.com:8443', false],
        ['https://DOCS.example.com@evil.example', false],
        ['https://xdocs.example.com', false],
        ['null', false],
      ] as const) {
        for (const [method, path] of [
          ['OPTIONS', '/v1/orgs'],
          ['GET', '/v1/orgs'],
          ['GET', '/openapi.json'],
          ['GET', '/nowhere'],
        ] as const) {
          const { headers } = await ask(strict.url, path, {
            method,
            headers: { origin, 'access-control-request-method': 'POST', authorization: `Bearer ${token}` },
          });
          expect({
            origin,
            method,
            path,
            allowed: headers['access-control-allow-origin'],
            credentials: headers['access-control-allow-credentials'],
          }).toEqual({ origin, method, path, allowed: allowed ? origin : undefined, credentials: undefined });
          expect(headers.vary).toContain('Origin');
        }
      }
    } finally {
      await strict.close();
    }
  });

  it('by http have no HSTS, and the API sets no cookie', async () => {
    const plain = await TestApp.start({}, app.current.databaseUrl);
    try {
      const { headers } = await new Client(plain.url, token).get('/orgs');
      expect([headers.get('strict-transport-security'), headers.get('set-cookie')]).toEqual([null, null]);
    } finally {
      await plain.close();
    }
  });
});

describe('3b-32 what proxies say', () => {
  const request = (peer: string, headers: IncomingHttpHeaders): IncomingMessage =>
    ({ socket: { remoteAddress: peer }, headers }) as IncomingMessage;
  const proxies = new TrustedProxies(['loopback', '10.0.0.0/8', '2001:db8::/32']);

  it.each<[string, string, string | undefined, string]>([
    ['nobody speaks for a caller who is no proxy', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['nor for one who names a proxy', '203.0.113.9', '127.0.0.1', '203.0.113.9'],
    ['a proxy names the caller', '127.0.0.1', '198.51.100.1', '198.51.100.1'],
    [
      'what stands before that is the caller’s own word',
      '127.0.0.1',
      '1.1.1.1, 127.0.0.1, 198.51.100.1',
      '198.51.100.1',
    ],
    ['through two proxies', '10.0.0.2', '1.1.1.1, 198.51.100.1, 10.0.0.1', '198.51.100.1'],
    ['through three, one by IPv6', '::ffff:10.0.0.2', '198.51.100.1, 2001:db8::1, 10.0.0.1', '198.51.100.1'],
    ['a proxy that nobody trusts ends the way', '10.0.0.2', '198.51.100.1, 192.0.2.7, 10.0.0.1', '192.0.2.7'],
    ['ports do not make somebody else', '127.0.0.1', '198.51.100.1:51234', '198.51.100.1'],
    ['nor do those of IPv6', '127.0.0.1', '[2606:4700::1]:443', '2606:4700::1'],
    ['what is no address counts as nothing', '10.0.0.2', 'unknown', '10.0.0.2'],
    ['and neither does what stands before it', '10.0.0.2', '1.1.1.1, "><script>, 10.0.0.1', '10.0.0.1'],
    ['no header', '10.0.0.2', undefined, '10.0.0.2'],
    ['an empty one', '10.0.0.2', ' , ', '10.0.0.2'],
  ])('%s', (_, peer, forwarded, client) => {
    expect(proxies.clientOf(request(peer, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }))).toBe(
      client,
    );
    expect(
      new TrustedProxies([]).clientOf(request(peer, { 'x-forwarded-for': forwarded, forwarded: 'for=1.1.1.1' })),
    ).toBe(peer);
  });

  it.each<[string, string, string | undefined, string | undefined, string | undefined]>([
    ['of nobody but proxies', '203.0.113.9', undefined, 'evil.example', undefined],
    ['of the one proxy', '127.0.0.1', '198.51.100.1', 'docs.example.com', 'docs.example.com'],
    ['that a caller began to write', '127.0.0.1', '198.51.100.1', 'evil.example, docs.example.com', 'docs.example.com'],
    [
      'of the outermost of two',
      '10.0.0.2',
      '198.51.100.1, 10.0.0.1',
      'evil.example, docs.example.com, inner.example',
      'docs.example.com',
    ],
    [
      'of the outer proxy that both pass on',
      '10.0.0.2',
      '198.51.100.1, 10.0.0.1',
      'docs.example.com',
      'docs.example.com',
    ],
    ['that is not there', '10.0.0.2', '198.51.100.1', undefined, undefined],
  ])('the host %s', (_, peer, forwarded, host, expected) => {
    expect(
      proxies.wordOf(request(peer, { 'x-forwarded-for': forwarded, 'x-forwarded-host': host }), 'x-forwarded-host'),
    ).toBe(expected);
  });

  it('changes neither limits, hosts, cookies nor addresses where no proxy is trusted, and hosts and cookies only where one is', async () => {
    const untrusting = await TestApp.start({ RATE_LIMIT_ANONYMOUS_PER_MINUTE: '3' }, app.current.databaseUrl);
    try {
      // All within one minute, however long they take.
      untrusting.setTime(new Date());
      const statuses: number[] = [];
      for (let at = 0; at < 6; at++) {
        statuses.push(
          (
            await ask(untrusting.url, '/v1/orgs', {
              headers: {
                'x-forwarded-for': `198.51.100.${at}`,
                forwarded: `for=198.51.100.${at}`,
                'x-real-ip': `198.51.100.${at}`,
              },
            })
          ).status,
        );
      }
      expect(statuses.slice(-2)).toEqual([429, 429]);
    } finally {
      await untrusting.close();
    }
    const seen = async (headers: Record<string, string>) =>
      (await ask(listening.origin, filled('{shared}/?shareKey={key}'), { headers })).headers['set-cookie']?.join() ??
      'none';
    expect(await seen({ 'x-forwarded-proto': 'https' })).toContain('; Secure');
    expect(await seen({ forwarded: 'proto=https;host=evil.example' })).not.toContain('; Secure');
    expect(await seen({ 'x-forwarded-proto': 'http, https', 'x-forwarded-for': '198.51.100.1' })).toContain('; Secure');
    const page = await ask(listening.origin, filled('{site}/tea'), { headers: { 'x-forwarded-host': 'evil.example' } });
    expect(page.body).not.toContain('evil.example');
  });
});
