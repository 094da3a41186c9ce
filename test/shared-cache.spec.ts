import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Addresses } from '../src/kernel/common/addresses.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { PublicListener } from '../src/kernel/platform/public-listener.js';
import { DEFAULT_CUSTOMIZATION } from '../src/publishing/sites/customization.schema.js';
import { PurgeTargets, purgeTargetOf } from '../src/publishing/published-sites/shared-cache/purge-targets.js';
import { SURROGATE_KEY } from '../src/publishing/published-sites/shared-cache/cache-tags.js';
import { SharedCache } from '../src/publishing/published-sites/shared-cache/shared-cache.js';
import type { HttpResponse } from '../src/publishing/published-sites/pages/http-response.js';
import type { Replicas } from '../src/kernel/common/replicas.js';
import { TestApp, useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { until } from './notification-desk.js';
import { buildSpace, publish, usePublicListener, type Site, type Space } from './published-site.js';
import { SetClock } from './set-clock.js';

const SECONDS = 600;
/** Milliseconds within which caches have to be told. */
const WITHIN = 1000;
/** Milliseconds after which they are told again on servers that ask the database at each request. */
const AGAIN = 2000;

interface Told {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly at: number;
}

/** A cache that writes down of what it is told. */
class Cache {
  readonly told: Told[] = [];
  status = 200;
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      this.told.push({ method, url, headers, body: Buffer.concat(chunks).toString(), at: performance.now() });
      response.writeHead(this.status).end('{}');
    });
  });

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  tags(): string[] {
    return this.told.flatMap(({ headers }) => String(headers['surrogate-key']).split(' '));
  }
}

const app = useApp();
const off = usePublicListener(app);
const cache = new Cache();
/** A server with a cache in front of it, on the same database. */
let cached: TestApp;
let origin = '';
let workspace: Workspace;
let space: Space;
let site: Site;
let pages: readonly string[];

const insert = (title: string, markdown: string): object => ({
  operation: 'insert_page',
  title,
  document: { markdown },
});
const rewrite = (page: string, markdown: string): object => ({
  operation: 'update_page',
  page,
  document: { markdown },
});
const see = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${origin}${path}`, { redirect: 'manual', headers });
const compare = async (): Promise<void> => {
  await cached.get(Jobs).enqueue('shared-cache.compare', {});
  await cached.get(Jobs).drain();
};
/** The tags that the cache is told because of a change, within a second. */
async function toldOf(change: () => Promise<unknown>): Promise<string[]> {
  await change();
  const changed = performance.now();
  await until(() => cache.told.length > 0);
  expect(performance.now() - changed).toBeLessThan(WITHIN);
  return cache.tags();
}

beforeAll(async () => {
  const url = await cache.open();
  cached = await TestApp.start(
    {
      SHARED_CACHE_SECONDS: String(SECONDS),
      SHARED_CACHE_PURGE: `varnish:${url}`,
      PUBLISHED_DELAY_SECONDS: '0',
    },
    app.current.databaseUrl,
  );
  origin = `http://localhost:${await cached.get(PublicListener).listen()}`;
  cached.get(Addresses).announce(app.current.url, origin);
  workspace = await buildOrganization(app.current);
  space = await buildSpace(workspace, 'Guide');
  pages = await space.write(insert('Welcome', 'The first words.\n'), insert('Install', 'Run it.\n'));
  site = await publish(workspace, [space]);
});
afterAll(async () => {
  await cached.get(PublicListener).beforeApplicationShutdown();
  await cached.close();
  cache.close();
});

describe('answers of public sites', () => {
  it('are asked for again each time, and have no tags, where no cache may keep them', async () => {
    const { headers } = await off.see(site.base);
    expect(headers['cache-control']).toBe('public, no-cache');
    expect(headers['surrogate-key']).toBeUndefined();
    expect(headers['cache-tag']).toBeUndefined();
  });

  it('may stand in caches for as long as the setting says, under the tags of their site, space and page', async () => {
    const control = `public, max-age=0, s-maxage=${SECONDS}, stale-while-revalidate=30, stale-if-error=86400`;
    for (const again of [false, true]) {
      const { headers } = await see(`${site.base}/install`);
      expect([again, headers.get('cache-control')]).toEqual([again, control]);
      expect(headers.get('surrogate-key')?.split(' ')).toEqual([
        `site-${site.id}`,
        `space-${space.id}`,
        `page-${pages[1]}`,
      ]);
      expect(headers.get('cache-tag')).toBe(headers.get('surrogate-key')?.replaceAll(' ', ','));
    }
    const { headers } = await see(`${site.base}/install`);
    const [one, other] = await Promise.all([see(`${site.base}/install`), see(`${site.base}/install`)]);
    expect(one.headers.get('content-security-policy')).toBe(other.headers.get('content-security-policy'));
    expect(await one.text()).toBe(await other.text());
    const unchanged = await see(`${site.base}/install`, { 'If-None-Match': headers.get('etag') ?? '' });
    expect([unchanged.status, unchanged.headers.get('surrogate-key')]).toEqual([304, headers.get('surrogate-key')]);
    for (const text of ['sitemap.xml', 'llms.txt', 'install.md']) {
      const told = (await see(`${site.base}/${text}`)).headers;
      expect([text, told.get('cache-control')]).toEqual([text, control]);
      expect(told.get('surrogate-key')).toBe(`site-${site.id} texts-${site.id}`);
    }
  });

  it('stand in no cache where readers see different things, or nothing', async () => {
    const closed = await publish(workspace, [space], 'visitor-auth', 'Closed');
    const shared = await publish(workspace, [space], 'share-link', 'Shared');
    const link = await shared.api.post<{ id: string; key: string }>(`${shared.path}/share-links`, { name: 'Friends' });
    const adaptive = await publish(workspace, [space], 'public', 'Adaptive');
    await adaptive.api.patch(adaptive.path, { adaptiveContent: { enabled: true } });
    const paths = [
      closed.base,
      `${shared.base}?shareKey=${link.body.key}`,
      adaptive.base,
      `${site.base}/nowhere`,
      `${site.base}/~gitbook/search?q=words`,
      '/nothing-at-all',
    ];
    for (const path of paths) {
      const { headers } = await see(path);
      expect([path, headers.get('surrogate-key')]).toEqual([path, null]);
      expect(headers.get('cache-control')).not.toContain('s-maxage');
    }
  });

  it('stand there for no longer than a verification that they show', async () => {
    const { api } = workspace.admin;
    const verified = await publish(workspace, [space], 'public', 'Verified');
    await api.put(`${verified.path}/customization`, {
      ...DEFAULT_CUSTOMIZATION,
      pageVerification: { enabled: true },
    });
    const ends = Date.now() + 100_000;
    const { status } = await api.put(`/spaces/${space.id}/verifications/${pages[1]}`, {
      until: new Date(ends).toISOString(),
    });
    expect(status).toBeLessThan(300);
    const { headers } = await see(`${verified.base}/install`);
    const seconds = Number(/s-maxage=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1]);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(100);
    expect(headers.get('cache-control')).toContain('stale-if-error=0');
    expect(headers.get('surrogate-key')).toContain(`verifications-${workspace.id}`);
  });
});

describe('caches', () => {
  beforeEach(async () => {
    // Told of all that the tests before have changed, and told again.
    await until(async () => {
      const count = cache.told.length;
      await new Promise((resolve) => setTimeout(resolve, AGAIN + 500));
      return cache.told.length === count;
    });
    cache.told.length = 0;
  });

  it('are told within a second which pages have other texts, and told again later', async () => {
    const [welcome = ''] = pages;
    const tags = await toldOf(() => space.write(rewrite(welcome, 'The second words.\n')));
    expect(tags).toContain(`page-${welcome}`);
    expect(tags).toContain(`used-${space.id}`);
    expect(tags).toContain(`texts-${site.id}`);
    expect(tags).not.toContain(`page-${pages[1]}`);
    expect(tags).not.toContain(`space-${space.id}`);
    expect(cache.told[0]).toMatchObject({ method: 'PURGE', url: '/' });
    const [first] = cache.told;
    await until(() => cache.told.length > 1);
    expect((cache.told[1]?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(AGAIN - 100);
    expect(cache.tags().filter((tag) => tag === `page-${welcome}`)).toHaveLength(2);
  });

  it('are told of all pages of a space where others show what has changed', async () => {
    const tags = await toldOf(() => space.write({ operation: 'update_page', page: pages[1], title: 'Set up' }));
    expect(tags).toContain(`space-${space.id}`);
  });

  it('are told of a site whose settings or audience change, and of one that is gone', async () => {
    const other = await publish(workspace, [space], 'public', 'Other');
    expect(await toldOf(() => Promise.resolve())).toContain(`site-${other.id}`);
    cache.told.length = 0;
    const changes: (() => Promise<unknown>)[] = [
      () => other.api.patch(other.path, { title: 'Another' }),
      () => other.api.patch(other.path, { visibility: 'visitor-auth' }),
      () => other.api.delete(other.path),
    ];
    for (const change of changes) {
      expect(await toldOf(change)).toContain(`site-${other.id}`);
      cache.told.length = 0;
    }
  });

  it('are told by and by of what they did not take notice of, also of what a killed server left', async () => {
    const [welcome = ''] = pages;
    cache.status = 503;
    await toldOf(() => space.write(rewrite(welcome, 'The third words.\n')));
    cache.status = 200;
    cache.told.length = 0;
    await compare();
    expect(cache.tags()).toContain(`page-${welcome}`);
  });
});

describe('purges', () => {
  it('have the forms of Varnish, Fastly and Cloudflare', async () => {
    const url = cached.config.sharedCachePurge[0]?.replace('varnish:', '') ?? '';
    const config = {
      sharedCachePurge: [`varnish:${url}`, `fastly:${url}/service/S1/`, `cloudflare:${url}/client/v4/zones/Z1`],
      sharedCacheToken: 'a-token',
    };
    const outbound = (
      cached.get(PurgeTargets) as unknown as { outbound: ConstructorParameters<typeof PurgeTargets>[0] }
    ).outbound;
    cache.told.length = 0;
    const tags = Array.from({ length: 40 }, (_, index) => `page-${index}`);
    await new PurgeTargets(outbound, config).purge(tags);
    const by = (path: string) => cache.told.filter((told) => told.url === path);
    expect(by('/')).toHaveLength(1);
    expect(by('/')[0]?.headers['surrogate-key']).toBe(tags.join(' '));
    const [fastly] = by('/service/S1/purge');
    expect([fastly?.method, fastly?.headers['fastly-key']]).toEqual(['POST', 'a-token']);
    expect(JSON.parse(fastly?.body ?? '')).toEqual({ surrogate_keys: tags });
    const cloudflare = by('/client/v4/zones/Z1/purge_cache');
    expect(cloudflare.map(({ headers }) => headers.authorization)).toEqual(['Bearer a-token', 'Bearer a-token']);
    expect(cloudflare.flatMap(({ body }) => (JSON.parse(body) as { tags: string[] }).tags).sort()).toEqual(tags.sort());
  });

  it('go to addresses of a known form alone', () => {
    for (const text of [
      'http://cache',
      'nginx:http://cache',
      'varnish:cache',
      'varnish:http://user:secret@cache',
      'fastly:https://api/x?y=1',
    ])
      expect([text, purgeTargetOf(text)]).toEqual([text, undefined]);
  });
});

describe('answers of replicas', () => {
  const clock = new SetClock(Date.now());
  const answer = (): HttpResponse => ({
    status: 200,
    headers: { 'Cache-Control': 'public, no-cache', [SURROGATE_KEY]: 'site-1' },
    body: '',
  });
  const headersAt = (replicas: { standIn: boolean; lastAway: number }, at: number): HttpResponse['headers'] => {
    const shared = new SharedCache(clock, { sharedCacheSeconds: SECONDS }, { replicas: replicas as Replicas });
    return shared.marked(answer(), { read: { change: 0, at } }).headers;
  };

  it('stand in caches while the primary is there, unless they were read without it', () => {
    const kept = { 'Cache-Control': expect.stringContaining('s-maxage=600'), [SURROGATE_KEY]: 'site-1' };
    const notKept = { 'Cache-Control': 'public, no-cache' };
    expect(headersAt({ standIn: false, lastAway: 0 }, 50)).toMatchObject(kept);
    expect(headersAt({ standIn: false, lastAway: 49 }, 50)).toMatchObject(kept);
    expect(headersAt({ standIn: false, lastAway: 50 }, 50)).toEqual(notKept);
    expect(headersAt({ standIn: true, lastAway: 0 }, 50)).toEqual(notKept);
  });
});
