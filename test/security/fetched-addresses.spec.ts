import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { GitTransport } from '../../src/operations/imports/git/git-transport.js';
import { readSpecification } from '../../src/formats/openapi/reading/read-specification.js';
import { SpecificationReader } from '../../src/formats/openapi/reading/specification-reader.js';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { Outbound, type Resolver } from '../../src/kernel/platform/outbound/outbound.js';
import { OutboxRelay } from '../../src/kernel/platform/outbox-relay.js';
import { useApp } from '../app.js';
import { buildOrganization, type Workspace } from '../build.js';

/** One address of loopback stands for the public internet, the next for what lies inside. */
const app = useApp({ OUTBOUND_ALLOW: '127.0.0.1' });
const CANARY = 'what-lies-inside-4711';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const outside: { server: Server; asked: IncomingMessage[]; answer: Handler } = {
  server: createServer((request, response) => void (outside.asked.push(request), outside.answer(request, response))),
  asked: [],
  answer: (_, response) => response.end(),
};
const inside: { server: Server; asked: string[] } = {
  server: createServer(
    (request, response) =>
      void (
        inside.asked.push(request.url ?? ''),
        response.writeHead(200, { 'Content-Type': 'text/html', 'X-Secret': CANARY }).end(`<h1>${CANARY}</h1>`)
      ),
  ),
  asked: [],
};
let port: number;
/** What names lead to, and how often they were asked for. */
const lookups = new Map<string, number>();
const NAMES: Readonly<Record<string, (time: number) => readonly string[]>> = {
  'outside.test': () => ['127.0.0.1'],
  'inside.test': () => ['127.0.0.2'],
  '127.0.0.2.nip.io': () => ['127.0.0.2'],
  'mixed.test': () => ['127.0.0.1', '127.0.0.2'],
  'mapped.test': () => ['::ffff:127.0.0.2'],
  'rebind.test': (time) => [time === 1 ? '127.0.0.1' : '127.0.0.2'],
};
const resolve: Resolver = async (host) => {
  const time = (lookups.get(host) ?? 0) + 1;
  lookups.set(host, time);
  return (NAMES[host]?.(time) ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
};

beforeAll(async () => {
  await new Promise<void>((done) => outside.server.listen(0, '127.0.0.1', done));
  port = (outside.server.address() as AddressInfo).port;
  await new Promise<void>((done) => inside.server.listen(port, '127.0.0.2', done));
  Object.assign(app.current.get(Outbound), { resolve });
  app.current.get(GitTransport).httpsOnly = false;
  const read: SpecificationReader['read'] = ({ text, base, maxLength, fetch }) =>
    readSpecification(text, { base, maxLength, fetch });
  Object.assign(app.current.get(SpecificationReader), { read });
});
afterAll(() => {
  for (const { server } of [outside, inside]) {
    server.closeAllConnections();
    server.close();
  }
});
afterEach(() => {
  outside.asked = [];
  inside.asked = [];
  lookups.clear();
});

async function settle(): Promise<void> {
  await app.current.get(OutboxRelay).drain();
  await app.current.get(Jobs).drain();
}

/** What a caller is shown of an address that was given in one of the places for addresses. */
type Consumer = (workspace: Workspace, address: string) => Promise<unknown>;

async function spaceOf({ id, admin }: Workspace): Promise<string> {
  return (await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, { title: 'Guide', empty: true, editMode: 'live' }))
    .body.id;
}

async function runsOf({ id, admin }: Workspace): Promise<unknown> {
  await settle();
  return (await admin.api.get(`/org/${id}/imports`)).body;
}

async function specification({ id, admin }: Workspace, source: object): Promise<unknown> {
  const put = await admin.api.put(`/orgs/${id}/openapi/pets`, { source });
  await settle();
  return [
    put.body,
    (await admin.api.get(`/orgs/${id}/openapi/pets`)).body,
    (await admin.api.get(`/orgs/${id}/openapi/pets/versions/latest/content`)).body,
  ];
}

const website = async (workspace: Workspace, url: string): Promise<unknown> => {
  const space = await spaceOf(workspace);
  const started = await workspace.admin.api.post(`/org/${workspace.id}/imports`, {
    source: { type: 'website', url },
    target: { space },
  });
  return [started.body, await runsOf(workspace), (await workspace.admin.api.get(`/spaces/${space}/content`)).body];
};

const git =
  (kind: 'import' | 'export'): Consumer =>
  async (workspace, url) => {
    const space = await spaceOf(workspace);
    const order = await workspace.admin.api.post(`/spaces/${space}/git/${kind}`, {
      url,
      ref: 'refs/heads/main',
      ...(kind === 'export' && { commitMessage: 'Write it down' }),
    });
    return [order.body, await runsOf(workspace), (await workspace.admin.api.get(`/spaces/${space}/content`)).body];
  };

const PICTURE_PAGE = '/page-with-a-picture/';

/** The one consumer that looks a name up when it is given, and again when it is asked. */
const ISSUER = 'an issuer of OpenID Connect';

const CONSUMERS: Readonly<Record<string, Consumer>> = {
  'a new file': async (workspace, url) =>
    (
      await workspace.admin.api.post(`/spaces/${await spaceOf(workspace)}/content`, {
        changes: [{ operation: 'insert_files', files: [{ name: 'a.txt', url }] }],
      })
    ).body,
  'a new version of a file': async (workspace, url) => {
    const at = `/spaces/${await spaceOf(workspace)}/content`;
    const made = await workspace.admin.api.post<{ insertedFiles: { id: string }[] }>(at, {
      changes: [{ operation: 'insert_files', files: [{ name: 'a.txt', contentType: 'text/plain', base64: 'eA==' }] }],
    });
    return (
      await workspace.admin.api.post(at, {
        changes: [{ operation: 'update_file', file: made.body.insertedFiles[0]?.id, url }],
      })
    ).body;
  },
  'a specification': (workspace, url) => specification(workspace, { url }),
  'a document that a specification refers to': (workspace, url) =>
    specification(workspace, {
      text: JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Pets', version: '1' },
        paths: {},
        components: { schemas: { Pet: { $ref: `${url}#/Pet` } } },
      }),
    }),
  'a website': website,
  'a picture of a website': (workspace, url) => {
    const page = `<!doctype html><title>Pictures</title><main><h1>Pictures</h1><img src="${url}" alt="x"><iframe src="${url}"></iframe><link rel="stylesheet" href="${url}"></main>`;
    const { answer } = outside;
    outside.answer = (request, response) =>
      request.url === PICTURE_PAGE
        ? void response.writeHead(200, { 'Content-Type': 'text/html' }).end(page)
        : request.url === '/robots.txt'
          ? void response.writeHead(404).end()
          : answer(request, response);
    return website(workspace, `http://outside.test:${port}${PICTURE_PAGE}`);
  },
  'a repository to import': git('import'),
  'a repository to export to': git('export'),
  [ISSUER]: async ({ id, admin }, issuer) => {
    const made = await admin.api.post<{ service: { startURL: string } }>(`/orgs/${id}/oidc`, {
      label: 'Identity',
      issuer,
      clientID: 'bindery',
      clientSecret: 'known-to-both-sides',
    });
    return made.status === 201
      ? [made.body, await (await fetch(made.body.service.startURL, { redirect: 'manual' })).text()]
      : made.body;
  },
  'a webhook': async (workspace, url) => {
    const hooks = `/orgs/${workspace.id}/webhooks`;
    const made = await workspace.admin.api.post<{ id: string }>(hooks, { url, events: ['*'] });
    if (made.status !== 201) return made.body;
    await workspace.admin.api.post(`${hooks}/${made.body.id}/ping`);
    await settle();
    return [made.body, (await workspace.admin.api.get(`${hooks}/${made.body.id}/deliveries`)).body];
  },
};
const consumers = Object.entries(CONSUMERS).map(([name, give]) => ({ name, give }));

/** Requests that the consumer itself is about; a picture is asked for behind its page. */
const wanted = () => outside.asked.filter(({ url }) => url !== PICTURE_PAGE && url !== '/robots.txt');

describe('3b-22 an address that leads inside', () => {
  it.each(consumers)('is never asked, nor shown, where it is that of $name', async ({ give }) => {
    const workspace = await buildOrganization(app.current);
    const hosts = ['2130706434', '[::ffff:127.0.0.2]', 'inside.test.', 'mixed.test', 'mapped.test', '127.0.0.2.nip.io'];
    for (const host of hosts) {
      const told = JSON.stringify(await give(workspace, `http://${host}:${port}/inside`));
      expect([host, told.includes(CANARY)]).toEqual([host, false]);
    }
    expect([inside.asked, wanted().map(({ url }) => url)]).toEqual([[], []]);
  });

  it.each(consumers)('is not followed to from outside by $name', async ({ name, give }) => {
    const workspace = await buildOrganization(app.current);
    for (const location of [
      `http://127.0.0.2:${port}/inside`,
      `http://inside.test:${port}/inside`,
      `//mixed.test:${port}/inside`,
      'file:///etc/passwd',
    ]) {
      outside.answer = (_, response) =>
        void response.writeHead(302, { Location: location, 'Content-Type': 'text/html' }).end();
      outside.asked = [];
      const told = JSON.stringify(await give(workspace, `http://outside.test:${port}/begin`));
      expect([location, told.includes(CANARY), told.includes('root:')]).toEqual([location, false, false]);
      expect([name, location, wanted().length > 0]).toEqual([name, location, true]);
    }
    expect(inside.asked).toEqual([]);
  });
});

describe('3b-23 a name that leads elsewhere once it was checked', () => {
  it.each(consumers)('gives $name the address that was checked, or nothing', async ({ name, give }) => {
    const workspace = await buildOrganization(app.current);
    outside.answer = (_, response) =>
      void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Outside</h1>');
    for (let times = 0; times < 2; times++)
      expect(JSON.stringify(await give(workspace, `http://rebind.test:${port}/a`))).not.toContain(CANARY);
    expect([inside.asked, outside.asked.filter(({ headers }) => headers.host?.startsWith('rebind')).length]).toEqual([
      [],
      name === ISSUER ? 0 : 1,
    ]);
    expect(lookups.get('rebind.test')).toBeGreaterThan(1);
  });
});

describe('3b-24 what is asked outside', () => {
  it.each(consumers)('is sent no credential of ours by $name, nor who asks', async ({ give }) => {
    const workspace = await buildOrganization(app.current);
    outside.answer = (_, response) =>
      void response.writeHead(200, { 'Content-Type': 'text/html', 'Set-Cookie': 'a=b' }).end('<h1>Outside</h1>');
    for (let times = 0; times < 2; times++) await give(workspace, `http://outside.test:${port}/a`);
    expect(wanted().length).toBeGreaterThan(0);
    for (const { headers } of outside.asked) {
      const { authorization, cookie, referer, origin } = headers;
      expect([
        authorization,
        cookie,
        referer,
        origin,
        headers['proxy-authorization'],
        headers['x-forwarded-for'],
      ]).toEqual(Array(6).fill(undefined));
      expect(JSON.stringify(headers)).not.toContain(workspace.admin.api.token);
    }
  });
});

describe('3b-24 a specification that is hostile', () => {
  interface Spec {
    readonly processingState: string;
    readonly lastVersion?: string;
    readonly lastProcessErrorCode?: string;
  }
  const whole = { openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: {} };
  const endless: Handler = (_, response) => {
    const push = (): void => {
      while (response.write(Buffer.alloc(65_536, ' ')));
      response.once('drain', push);
    };
    push();
  };
  const send =
    (text: string, headers = {}): Handler =>
    (_, response) =>
      void response.writeHead(200, headers).end(text);
  const aliases = `openapi: 3.0.0\na0: &a0 [${Array(10).fill(CANARY).join(', ')}]\n${Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(10).fill(`*a${n}`).join(', ')}]`).join('\n')}`;
  const CASES: readonly (readonly [name: string, code: string, answer: Handler])[] = [
    ['never begins', 'FETCH_TIMEOUT', () => undefined],
    [
      'comes drop by drop',
      'FETCH_TIMEOUT',
      (_, response) => {
        const drops = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(drops));
      },
    ],
    ['never ends', 'FETCH_ERROR', endless],
    [
      'announces 200 MB',
      'FETCH_ERROR',
      (_, response) => void response.writeHead(200, { 'Content-Length': 200 * 1024 ** 2 }).write(CANARY),
    ],
    [
      'grows to 200 MB',
      'FETCH_ERROR',
      (_, response) =>
        void response
          .writeHead(200, { 'Content-Encoding': 'gzip' })
          .end(gzipSync(Buffer.alloc(200 * 1024 ** 2, ' '), { level: 1 })),
    ],
    [
      'is cut',
      'FETCH_ERROR',
      (_, response) => {
        response.writeHead(200, { 'Content-Length': 1000 }).write(CANARY);
        setTimeout(() => response.destroy(), 20);
      },
    ],
    [
      'is an error page',
      'FETCH_ERROR',
      (_, response) =>
        void response
          .writeHead(500, { 'Content-Type': 'application/json' })
          .end(JSON.stringify({ ...whole, 'x-secret': CANARY })),
    ],
    ['is a page', 'PARSE_ERROR', send(`<!doctype html><p>${CANARY}</p>`)],
    ['is words', 'PARSE_ERROR', send(CANARY)],
    ['is broken JSON', 'PARSE_ERROR', send(`{"password": "${CANARY}", ${CANARY}`)],
    ['is broken YAML', 'PARSE_ERROR', send(`password: ${CANARY}\n\t- "${CANARY}\n`)],
    ['is JSON of another kind', 'PARSE_ERROR', send(JSON.stringify({ AccessKeyId: CANARY, Token: CANARY }))],
    ['is a bomb of aliases', 'PARSE_ERROR', send(aliases)],
    [
      'is 1,000,000 levels deep',
      'PARSE_ERROR',
      send(`${JSON.stringify(whole).slice(0, -1)},"x-deep":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`),
    ],
    [
      'refers to itself in a circle',
      'PARSE_ERROR',
      send(
        JSON.stringify({
          ...whole,
          components: { schemas: { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } } },
        }),
      ),
    ],
    // Each document refers to the next one, without an end.
    [
      'refers to one more document, always',
      'PARSE_ERROR',
      (request, response) =>
        void response.end(
          JSON.stringify({
            ...whole,
            components: { schemas: { A: { $ref: `/${Number(request.url?.slice(1)) + 1}#/components/schemas/A` } } },
          }),
        ),
    ],
    [
      'refers to a document that is words',
      'PARSE_ERROR',
      (request, response) =>
        void response.end(
          request.url === '/1'
            ? JSON.stringify({ ...whole, components: { schemas: { A: { $ref: '/2#/A' } } } })
            : CANARY,
        ),
    ],
  ];

  it('costs a bounded number of requests, leaves the version before in place, and is not echoed', async () => {
    const outbound = app.current.get(Outbound);
    const fetch = outbound.fetch.bind(outbound);
    const { id, admin } = await buildOrganization(app.current);
    const at = `/orgs/${id}/openapi/pets`;
    const give = async (source: object): Promise<Spec> => {
      await admin.api.put(at, { source });
      await settle();
      return (await admin.api.get<Spec>(at)).body;
    };
    const good = await give({ text: JSON.stringify(whole) });
    expect(good.lastVersion).toEqual(expect.any(String));
    for (const [name, code, answer] of CASES) {
      outside.answer = answer;
      outside.asked = [];
      // Nobody waits 30 seconds here.
      outbound.fetch = (address, request) =>
        fetch(address, { ...request, ...(code === 'FETCH_TIMEOUT' && { timeout: 500 }) });
      const spec = await give({ url: `http://outside.test:${port}/1` });
      expect([name, spec.processingState, spec.lastProcessErrorCode, spec.lastVersion]).toEqual([
        name,
        'complete',
        code,
        good.lastVersion,
      ]);
      expect([name, JSON.stringify(spec).includes(CANARY)]).toEqual([name, false]);
      expect([name, outside.asked.length <= 101]).toEqual([name, true]);
    }
    outbound.fetch = fetch;
    // What is only large is read all the same.
    const paths = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`/p${at}`, {}]));
    outside.answer = send(JSON.stringify({ ...whole, paths }));
    expect(await give({ url: `http://outside.test:${port}/1` })).toMatchObject({
      processingState: 'complete',
      lastVersion: expect.not.stringMatching(good.lastVersion ?? '') as unknown,
    });
    expect(
      await give({ text: JSON.stringify({ ...whole, info: { title: 'Good again', version: '2' } }) }),
    ).not.toHaveProperty('lastProcessErrorCode');
  }, 120_000);
});
