import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { newId } from '../src/kernel/common/ids.js';
import { Tokens } from '../src/identity/users/tokens.service.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { buildSpace, publish, usePublicListener } from './published-site.js';
import { makeIdentity } from './security/saml/certificates.js';

/*
 * Each example is run as it stands but for ports and certificates, where the program is installed. The client has another
 * address than the proxy, which alone is trusted.
 */

const CLIENT = '127.0.0.2';
const API_HOST = 'api.docs.example.com';

const folder = mkdtempSync(join(tmpdir(), 'bindery-proxies-'));
const app = useApp({ TRUSTED_PROXIES: '127.0.0.1', ACME_WEBROOT: folder, HOSTNAME_DNS_CHECK: 'false' });
const published = usePublicListener(app);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const example = (name: string): string => readFileSync(join('examples/reverse-proxies', name), 'utf8');
const isInstalled = (program: string): boolean => spawnSync(program, ['-v'], { stdio: 'ignore' }).error === undefined;

interface Got {
  readonly status: number;
  readonly body: string;
}

/** A GET, or a PATCH with a body. */
function get(port: number, host: string, path: string, body?: object): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        servername: host,
        localAddress: CLIENT,
        rejectUnauthorized: false,
        agent: false,
        method: body ? 'PATCH' : 'GET',
        headers: {
          Host: host,
          'X-Forwarded-For': '203.0.113.9',
          'X-Forwarded-Host': 'forged.example',
          'X-Forwarded-Proto': 'http',
          ...(body && { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' }),
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      },
    );
    sent.on('error', reject).end(body && JSON.stringify(body));
  });
}

async function twoFreePorts(): Promise<[number, number]> {
  const servers = [1, 2].map(() => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => new Promise((resolve) => server.once('listening', resolve))));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return [ports[0] ?? 0, ports[1] ?? 0];
}

/** The file of an example with the addresses of this server in the place of its own. */
const adapted = (text: string): string =>
  text
    .replaceAll('127.0.0.1:3000', new URL(app.current.url).host)
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${new URL(published.origin).port}`);

/** Runs a proxy until it answers, then `work`. */
async function behind(
  [program, ...args]: readonly [string, ...string[]],
  port: number,
  work: () => Promise<void>,
): Promise<void> {
  const output: Buffer[] = [];
  const proxy = spawn(program, args, {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  const ended = new Promise<void>((resolve) => proxy.once('exit', () => resolve()));
  proxy.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  try {
    for (let attempt = 0; ; attempt++) {
      const answers = await get(port, API_HOST, '/').catch(() => undefined);
      if (answers) break;
      if (attempt > 100 || proxy.exitCode !== null) throw new Error(`${program}: ${Buffer.concat(output).toString()}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await work();
  } finally {
    proxy.kill('SIGTERM');
    await ended;
  }
}

let workspace: Workspace;
let hostname: string;
let secret: string;
beforeAll(async () => {
  workspace = await buildOrganization(app.current);
  const space = await buildSpace(workspace, 'Space');
  await space.write({ operation: 'insert_page', title: 'Page', document: { markdown: 'Text behind a proxy' } });
  const site = await publish(workspace, [space]);
  hostname = `docs.${site.id.toLowerCase()}.example`;
  await site.api.patch(site.path, { hostname });
  ({ secret } = await app.current.get(Tokens).issue(workspace.admin.id, { name: 'Behind' }));
});

/** Host, scheme and address of the client have to arrive, whatever the client says of itself. */
async function expectWhole(port: number): Promise<void> {
  const page = await get(port, hostname, '/');
  expect([page.status, page.body.includes('Text behind a proxy')]).toEqual([200, true]);
  expect((await get(port, hostname, '/robots.txt')).body).toContain(`Sitemap: https://${hostname}/sitemap.xml`);
  const title = `Renamed ${newId()}`;
  const renamed = await get(port, API_HOST, `/v1/orgs/${workspace.id}`, { title });
  expect([renamed.status, renamed.body.includes(title)]).toEqual([200, true]);
  const events = await workspace.admin.api.get<{ items: { context: object }[] }>(`/orgs/${workspace.id}/audit-events`, {
    query: { action: 'organization_updated', limit: 1 },
  });
  expect(events.body.items).toMatchObject([{ context: { ipAddress: CLIENT } }]);
}

(isInstalled('caddy') ? describe : describe.skip)('the example for Caddy', () => {
  it('passes requests on, with certificates for hostnames that are served', async () => {
    const [plain, port] = await twoFreePorts();
    const file = join(folder, 'Caddyfile');
    const forTests = `{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\thttp_port ${plain}\n\thttps_port ${port}\n`;
    writeFileSync(file, adapted(example('Caddyfile')).replace(/^\{\n/m, forTests));
    await behind(['caddy', 'run', '--config', file], port, async () => {
      await expectWhole(port);
      await expect(get(port, 'docs.unknown.example', '/')).rejects.toThrow(/alert/);
    });
  });
});

(isInstalled('nginx') ? describe : describe.skip)('the example for nginx', () => {
  it('passes requests on, and challenges by HTTP', async () => {
    const [plain, port] = await twoFreePorts();
    const { certificate, privateKey } = makeIdentity();
    writeFileSync(join(folder, 'fullchain.pem'), certificate);
    writeFileSync(join(folder, 'privkey.pem'), privateKey);
    const servers = adapted(example('nginx.conf'))
      .replace(/^ *listen \[::\].*\n/gm, '')
      .replace(/listen 80\b/g, `listen 127.0.0.1:${plain}`)
      .replace(/listen 443\b/g, `listen 127.0.0.1:${port}`)
      .replaceAll('/etc/letsencrypt/live/docs.example.com', folder);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    );
    const file = join(folder, 'nginx.conf');
    writeFileSync(
      file,
      `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off; ${temporary.join(' ')}\n${servers}}`,
    );
    const challenges = join(folder, '.well-known/acme-challenge');
    mkdirSync(challenges, { recursive: true });
    writeFileSync(join(challenges, 'token'), 'token.thumbprint');
    await behind(['nginx', '-e', 'stderr', '-c', file], port, async () => {
      await expectWhole(port);
      const asked = (path: string) =>
        fetch(`http://127.0.0.1:${plain}${path}`, {
          redirect: 'manual',
          headers: { 'X-Forwarded-For': '203.0.113.9' },
        });
      expect(await (await asked('/.well-known/acme-challenge/token')).text()).toBe('token.thumbprint');
      const moved = await asked('/page?a=b');
      expect([moved.status, moved.headers.get('location')]).toEqual([308, `https://127.0.0.1:${plain}/page?a=b`]);
    });
  });
});

(isInstalled('traefik') ? describe : describe.skip)('the example for Traefik, run', () => {
  it('passes requests on', async () => {
    const [plain, port] = await twoFreePorts();
    const file = join(folder, 'traefik.yml');
    // Without a resolver Traefik answers with a certificate of its own.
    const own = adapted(example('traefik.yml'))
      .replaceAll(/tls:\n *certResolver: letsencrypt/g, 'tls: {}')
      .replaceAll('help.acme.com', hostname);
    writeFileSync(file, own);
    const entries = [
      `--entryPoints.web.address=127.0.0.1:${plain}`,
      `--entryPoints.websecure.address=127.0.0.1:${port}`,
    ];
    await behind(['traefik', ...entries, `--providers.file.filename=${file}`], port, async () => {
      await expectWhole(port);
      const moved = await fetch(`http://127.0.0.1:${plain}/page?a=b`, { redirect: 'manual' });
      expect([moved.status, moved.headers.get('location')?.startsWith('https://')]).toEqual([308, true]);
    });
  });
});

describe('the example for Traefik, read', () => {
  it('is whole: routers name middlewares and services that are there', () => {
    interface Router {
      readonly rule: string;
      readonly service: string;
      readonly middlewares?: string[];
    }
    interface Service {
      readonly loadBalancer: { readonly passHostHeader: boolean; readonly servers: { readonly url: string }[] };
    }
    const { http } = parse(example('traefik.yml')) as {
      http: {
        routers: Record<string, Router>;
        middlewares: Record<string, object>;
        services: Record<string, Service>;
      };
    };
    const used = Object.values(http.routers);
    expect(new Set(used.map(({ service }) => service))).toEqual(new Set(Object.keys(http.services)));
    expect(new Set(used.flatMap(({ middlewares = [] }) => middlewares))).toEqual(
      new Set(Object.keys(http.middlewares)),
    );
    expect(Object.values(http.services).map(({ loadBalancer }) => loadBalancer)).toEqual([
      { passHostHeader: true, servers: [{ url: 'http://127.0.0.1:3000' }] },
      { passHostHeader: true, servers: [{ url: 'http://127.0.0.1:3001' }] },
    ]);
  });
});
