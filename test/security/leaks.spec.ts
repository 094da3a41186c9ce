import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import pg from 'pg';
import { pause, type Announcement, type Process, Stage } from '../faults/processes.js';
import { type ScratchDatabase, scratchDatabase } from '../scratch-database.js';

const SETTINGS = {
  SECRET_KEY: 'installation-key-xk41-installation-key-xk41',
  BOOTSTRAP_TOKEN: 'bootstrap-token-xk42-bootstrap-token-xk42',
  METRICS_TOKEN: 'metrics-token-xk43',
  S3_SECRET_ACCESS_KEY: 'storage-secret-xk44',
  DEEPL_API_KEY: 'deepl-key-xk45:fx',
  LLM_API_KEY: 'model-key-xk46',
  EMBEDDINGS_API_KEY: 'embeddings-key-xk47',
  LIBRETRANSLATE_API_KEY: 'libre-key-xk48',
} as const;
const MAIL_PASSWORD = 'mail-password-xk49';
const PRIVATE_KEY = [
  '-----BEGIN PRIVATE KEY-----',
  'MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggxk50',
  '-----END PRIVATE KEY-----',
].join('\n');
/** What only the database, files or code would say. */
const INSIDE =
  /\n\s+at |node_modules|\/src\/|\/dist\/|\.[jt]s:\d|\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b|QueryFailed|relation "|SQLSTATE|pg_|\/tmp\//;

/** Everything that anybody was shown or sent that nobody else may read: by what it is called. */
const secrets = new Map<string, string>();
const refusals: string[] = [];

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

let database: ScratchDatabase;
let stage: Stage;
let server: Process;
let facts: Announcement;
let engine: ReturnType<typeof createServer>;

async function send(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const answer = await response.text();
  if (response.status >= 400) refusals.push(`${response.status} ${answer}`);
  let body: unknown;
  try {
    body = JSON.parse(answer);
  } catch {
    body = undefined;
  }
  return {
    status: response.status,
    text: answer,
    headers: response.headers,
    body: (body ?? {}) as Record<string, unknown>,
  };
}

const api = (
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  token: string = SETTINGS.BOOTSTRAP_TOKEN,
): Promise<Answer> =>
  send(`${facts.api}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });

async function make(path: string, body: unknown, method = 'POST'): Promise<Record<string, string>> {
  const answer = await api(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body as Record<string, string>;
}

function keep(name: string, secret: string | undefined): string {
  if (secret === undefined || secret.length < 8) throw new Error(`there is no ${name}`);
  secrets.set(name, secret);
  return secret;
}

/** Answers as a careless service does: with all that it was sent. */
async function echo(request: IncomingMessage): Promise<string> {
  return JSON.stringify({ error: `refused ${request.headers.authorization ?? ''} ${await text(request)}` });
}

beforeAll(async () => {
  database = await scratchDatabase();
  stage = await Stage.open();
  engine = createServer(
    (request, response) =>
      void echo(request).then((body) =>
        response.writeHead(request.url === '/languages' ? 500 : 403, { 'Content-Type': 'application/json' }).end(body),
      ),
  );
  await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
  const services = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
  const env = {
    ...SETTINGS,
    DATABASE_URL: database.url,
    LOG_LEVEL: 'trace',
    S3_ACCESS_KEY_ID: 'id',
    SMTP_URL: `smtp://bindery:${MAIL_PASSWORD}@127.0.0.1:1`,
    MAIL_FROM: 'docs@example.com',
    DEEPL_URL: services,
    LLM_URL: services,
    LLM_MODEL: 'model',
    EMBEDDINGS_URL: services,
    EMBEDDINGS_MODEL: 'model',
    LIBRETRANSLATE_URL: services,
    TRANSLATION_DELAY: '0',
    OUTBOUND_ALLOW: '127.0.0.0/8',
    CONVERSATIONS_LLM: 'true',
  };
  ({ server, facts } = await stage.serve({ env }));
  for (const [name, secret] of Object.entries(SETTINGS)) keep(name, secret);
  keep('password of the mail server', MAIL_PASSWORD);
  keep('password of the database', new URL(database.url).password);
}, 120_000);
afterAll(async () => {
  await stage.close();
  engine.closeAllConnections();
  engine.close();
  await database.drop();
});

describe('3b-31 what is secret', () => {
  let organization: string;
  let site: string;
  let basename: string;
  let space: string;

  it('is made, shown and used in every way that there is', async () => {
    organization = facts.bootstrap?.organization.id ?? '';
    const token = keep('API token', (await make('/user/tokens', { name: 'CI' }))['token']);
    keep('revoked API token', (await make('/user/tokens', { name: 'Old' }))['token']);
    space = (await make(`/orgs/${organization}/spaces`, { title: 'Guide', empty: true, editMode: 'live' }))['id'] ?? '';
    await make(`/spaces/${space}/content`, {
      changes: [{ operation: 'insert_page', title: 'Tea', document: { markdown: 'Brew it.' } }],
    });
    const made = (
      await api('POST', `/orgs/${organization}/sites`, { title: 'Handbook', visibility: 'share-link', spaces: [space] })
    ).body as { id: string; basename: string };
    [site, basename] = [`/orgs/${organization}/sites/${made.id}`, made.basename];
    await make(`${site}/publish`, {});
    const link = (await api('POST', `${site}/share-links`, { name: 'Auditors' })).body as {
      urls: { published: string };
    };
    const shareKey = keep('share key', /~share\/(\w+)/.exec(link.urls.published)?.[1]);
    const siteKey = keep(
      'key of the site',
      ((await api('GET', `${site}/publishing/auth`)).body as { privateKey: string }).privateKey,
    );
    const visitor = keep(
      'token of a visitor',
      await new SignJWT({ plan: 'pro' })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setExpirationTime('1h')
        .sign(Buffer.from(siteKey)),
    );
    const hooks = `/orgs/${organization}/webhooks`;
    const hook = await make(hooks, { url: 'http://127.0.0.1:1/hook', events: ['space_updated'] });
    const hookSecret = keep('secret of a webhook', hook['secret']);
    keep('next secret of the webhook', (await make(`${hooks}/${hook['id'] ?? ''}/rotate-secret`, {}))['secret']);
    const invite = keep(
      'invite link',
      (await make(`/orgs/${organization}/link-invites`, { level: 'read', space }))['id'],
    );
    await api(
      'POST',
      `/orgs/${organization}/link-invites`,
      { level: 'read', space },
      { 'Idempotency-Key': 'once-and-again' },
    ).then(({ body }) => keep('invite link of a repeated request', body['id'] as string));
    await make(`/orgs/${organization}/invites`, { emails: ['grace@example.org'], role: 'edit' });
    const offer = await api('POST', `/org/${organization}/imports/uploads`, {
      name: 'a.zip',
      size: 10,
      contentType: 'application/zip',
    });
    const signed = [
      offer.body['url'] as string | undefined,
      ((await api('GET', `/spaces/${space}/pdf`)).body as { url?: string }).url,
    ].filter((url) => url !== undefined);
    signed.forEach((url, index) =>
      keep(`signature of the address ${index}`, new URL(url).searchParams.get('signature') ?? undefined),
    );
    const page = await api('GET', '/user/tokens?limit=1');
    const next = (page.body as { next?: { page: string } }).next?.page ?? '';
    keep('page token', next);
    const reader = keep(
      'token of a reader',
      (
        (await api('POST', '/urls/published', { url: link.urls.published })).body as {
          apiToken?: string;
          token?: string;
        }
      ).apiToken,
    );

    // As many odd ways to send them as there are kinds of requests.
    const own = facts.published;
    const addresses = [
      ...signed,
      ...[
        `/${basename}/~share/${shareKey}/`,
        `/${basename}/%7Eshare/${shareKey}/tea`,
        `/${basename}/%257eshare/${shareKey}/tea`,
        `/${basename}/?shareKey=${shareKey}`,
        `/${basename}/?share%4Bey=${shareKey}`,
        `/${basename}?jwt_token=${visitor}`,
        `/${basename}/~gitbook/auth/login?location=%2F%3Fjwt_token%3D${visitor}`,
        `/${visitor}/${basename}`,
        `/~files/x/y?signature=${siteKey}`,
      ].map((path) => own + path),
      ...[
        `/urls/content?url=${encodeURIComponent(link.urls.published)}`,
        `/urls/content?url=${encodeURIComponent(encodeURIComponent(link.urls.published))}`,
        `/orgs?page=${next}`,
        `/user?access_token=${token}`,
        `/user/${token}`,
        `/user?q=a&q=x%3Ftoken%3D${shareKey}`,
        `/auth/invitations/${invite}`,
        `/AUTH/Invitations/${invite}`,
        `/auth%2finvitations/${invite}`,
        `/auth//invitations//${invite}`,
        `/orgs/${organization}/link-invites/${invite}`,
        `/x?code=${shareKey}&state=${invite}`,
        `/x?SAMLResponse=${siteKey}&RelayState=${invite}`,
        `/x?returnTo=${encodeURIComponent(`https://app.example.com/?code=${shareKey}`)}`,
      ].map((path) => facts.api + path),
      `${facts.api.replace('/v1', '')}/sso/saml/Absent/start?returnTo=${encodeURIComponent(`https://app.example.com/?session=${token}`)}`,
      `${facts.api.replace('/v1', '')}/sso/oidc/Absent/callback?code=${shareKey}&state=${invite}&session_state=${siteKey}`,
    ];
    for (const address of addresses) await send(address);
    for (const authorization of [
      `Bearer ${token}`,
      `bearer  ${token}`,
      `BEARER\t${token}`,
      `Token ${token}`,
      `Basic ${Buffer.from(`ada:${token}`).toString('base64')}`,
      `Digest username="${token}"`,
      token,
      `Bearer ${reader}`,
      `Bearer ${token}, Bearer ${shareKey}`,
    ]) {
      await send(`${facts.api}/user`, { headers: { Authorization: authorization } });
    }
    await send(`${facts.api}/user`, {
      headers: {
        Cookie: `token=${token}; bindery-login=${invite}`,
        'User-Agent': `agent ${token}`,
        Referer: `https://x.example/?t=${token}`,
      },
    });
    await send(`${own}/${basename}/`, {
      headers: {
        Cookie: `gitbook-share-key=${shareKey}; gitbook-visitor-token=${visitor}`,
        'User-Agent': `agent ${token}`,
      },
    });
    for (const body of [
      `{"token": "${token}"`,
      `"${hookSecret}"`,
      JSON.stringify({ name: token, scopes: [shareKey], expiresAt: hookSecret }),
      `{"a": "${token}\\u0000"}`,
    ])
      await api('POST', '/user/tokens', body);
    for (const certificate of [
      PRIVATE_KEY,
      `-----BEGIN CERTIFICATE-----\n${siteKey}\n-----END CERTIFICATE-----\n${PRIVATE_KEY}`,
    ])
      await api('POST', `/orgs/${organization}/saml`, { label: 'Identity', certificate });
    keep('private key', PRIVATE_KEY.split('\n')[1]);
    await send(`${facts.api.replace('/v1', '')}/sso/saml/Absent/acs`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: `SAMLResponse=${Buffer.from(`<a>${invite}</a>`).toString('base64')}&RelayState=${shareKey}`,
    });
    await api('POST', '/auth/exchange', { code: invite });
    await api('POST', `/spaces/${space}/git/import`, {
      url: 'https://x-access-token:repository-token-xk51@127.0.0.1:1/docs.git',
      ref: 'refs/heads/main',
    });
    keep('token of a repository', 'repository-token-xk51');
    await api('PATCH', `/spaces/${space}`, { title: 'Guide of tea' });
    await api('POST', `/orgs/${organization}/translations`, { source: { space, language: 'en' }, language: 'fr' });
    await api('GET', '/user', undefined, {}, 'revoked-or-wrong-xk52');
    keep('wrong token', 'revoked-or-wrong-xk52');
    expect(secrets.size).toBeGreaterThanOrEqual(25);
    expect(addresses.length + refusals.length).toBeGreaterThan(40);
  }, 120_000);

  it('is in no log, metric, health check or answer that refuses', async () => {
    // Jobs that fail: mail, webhooks, the repository, the translation.
    const deadline = Date.now() + 20_000;
    while (!/invitations\.mail failed/.test(server.stdout) && Date.now() < deadline) await pause(100);
    const base = facts.api.replace('/v1', '');
    const metrics = await send(`${base}/metrics`, { headers: { Authorization: `Bearer ${SETTINGS.METRICS_TOKEN}` } });
    const health = await send(`${base}/readyz`);
    const announced = server.stdout.split('\n').find((line) => line.startsWith('{"version"')) ?? '';
    // The log is written a few kilobytes at a time, or after a second.
    await pause(1200);
    const log = `${server.stdout}${server.stderr}`.replace(announced, '');
    expect(log.match(/"msg":"(answered|cut off|failed)"/g)?.length).toBeGreaterThan(50);
    expect(log).toMatch(/invitations\.mail failed/);
    expect(log).toContain('"url":"/v1/user/tokens?limit=1"');
    expect(server.stderr).not.toContain('Warning');
    expect([metrics.status, health.status]).toEqual([200, 200]);
    const places = { log, metrics: metrics.text + health.text, refusals: refusals.join('\n') };
    const found = [...secrets].flatMap(([name, secret]) =>
      Object.entries(places).flatMap(([place, said]) =>
        forms(secret).some((form) => said.includes(form))
          ? [
              `${name} in ${place}: ${
                said
                  .split('\n')
                  .find((line) => forms(secret).some((form) => line.includes(form)))
                  ?.slice(0, 300) ?? ''
              }`,
            ]
          : [],
      ),
    );
    expect(found).toEqual([]);
    process.stdout.write(
      `leaks: ${secrets.size} secrets, ${places.log.split('\n').length} lines of log, ${refusals.length} refusals\n`,
    );
  }, 60_000);

  it('3b-42 nor the token of the first administrator, which the operator set', async () => {
    const shown = (text: string): number => text.split(SETTINGS.BOOTSTRAP_TOKEN).length - 1;
    expect(facts.bootstrap).toEqual({
      userId: expect.any(String) as unknown,
      email: 'admin@example.com',
      organization: expect.any(Object) as unknown,
    });
    expect(shown(server.stdout + server.stderr)).toBe(0);
    const again = await stage.serve({
      env: {
        DATABASE_URL: database.url,
        SECRET_KEY: SETTINGS.SECRET_KEY,
        BOOTSTRAP_TOKEN: SETTINGS.BOOTSTRAP_TOKEN,
        LOG_LEVEL: 'trace',
      },
    });
    expect(again.facts.bootstrap).toBeUndefined();
    const { stdout, stderr } = await again.server.kill('SIGTERM');
    expect(shown(stdout + stderr)).toBe(0);
  }, 60_000);

  it('tells nothing of the database, the files or the code in what is refused', () => {
    expect(refusals.filter((refusal) => INSIDE.test(refusal))).toEqual([]);
    expect(refusals.filter((refusal) => refusal.startsWith('5'))).toEqual([]);
  });

  it('is in no row of the database as it is, whatever the table', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('public', 'jobs'))`,
    );
    const found: string[] = [];
    let rows = 0;
    for (const { name } of tables) {
      const { rows: dump } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      rows += dump.length;
      const said = dump.map(({ row }) => row).join('\n');
      for (const [secret, value] of secrets)
        if ([...forms(value), Buffer.from(value).toString('hex')].some((form) => said.includes(form)))
          found.push(`${secret} in ${name}`);
    }
    await client.end();
    expect(tables.length).toBeGreaterThan(60);
    expect(found).toEqual([]);
    process.stdout.write(`leaks: ${tables.length} tables with ${rows} rows\n`);
  });

  it('is not said by a server that cannot start', async () => {
    const password = 'database-password-xk53';
    const { code, stdout, stderr } = await stage.finish(['serve'], {
      env: {
        ...SETTINGS,
        S3_ACCESS_KEY_ID: 'id',
        DATABASE_URL: `postgres://bindery:${password}@127.0.0.1:1/bindery`,
        LOG_LEVEL: 'trace',
        LLM_MODEL: 'm',
        EMBEDDINGS_MODEL: 'm',
        // With it, the server would send the pages that it has stored, and wait.
        PUBLISHED_AWAY_SECONDS: '0',
      },
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining('cannot be reached')]);
    for (const secret of [password, ...secrets.values()]) expect(stdout + stderr).not.toContain(secret);
  }, 60_000);
});

/** A secret as texts may write it. */
function forms(secret: string): string[] {
  return [
    ...new Set([
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64').replace(/=+$/, ''),
      Buffer.from(secret).toString('base64url'),
    ]),
  ];
}
