import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Addresses } from '../../src/kernel/common/addresses.js';
import { PublicListener } from '../../src/kernel/platform/public-listener.js';
import { TestApp } from '../app.js';
import { buildOrganization, type Workspace } from '../build.js';
import { buildSpace, publish, type Site, type Space } from '../published-site.js';
import { type FromCache, HAS_VARNISH, Varnish } from './varnish.js';

const PAGES = Number(process.env['ROUNDS'] ?? 0) > 10 ? 10_000 : 40;
/** Changes of one request: a page that holds the others. */
const PAGES_AT_ONCE = 50;
/** Milliseconds within which a cache shows a change. */
const WITHIN = 1000;

const holderOf = (index: number): number => index - (index % PAGES_AT_ONCE);
const insert = (index: number): object => ({
  operation: 'insert_page',
  title: `Page ${index}`,
  document: { markdown: `The text of page ${index}.\n` },
  ...(index === holderOf(index) ? { ref: 'holder' } : { into: 'holder' }),
});
const placeOf = (index: number): string =>
  index === holderOf(index) ? `page-${index}` : `page-${holderOf(index)}/page-${index}`;

/** Waits until caches were told for the second time of all that has changed. */
const toldTwice = (): Promise<void> => pause(4000);

/** The longest of the times within which readers saw a change, in milliseconds. */
let slowest = 0;

(HAS_VARNISH ? describe : describe.skip)(`Varnish in front of a site of ${PAGES} pages`, () => {
  let app: TestApp;
  let cache: Varnish;
  let workspace: Workspace;
  let space: Space;
  let site: Site;
  const pages: string[] = [];
  const pathOf = (index: number): string => `${site.base}/${placeOf(index)}`;

  beforeAll(async () => {
    cache = await Varnish.planned();
    app = await TestApp.start({
      SHARED_CACHE_SECONDS: '86400',
      SHARED_CACHE_PURGE: `varnish:http://127.0.0.1:${cache.port}`,
      TRUSTED_PROXIES: '127.0.0.1',
    });
    const port = await app.get(PublicListener).listen();
    app.get(Addresses).announce(app.url, `http://localhost:${port}`);
    await cache.start(port);
    workspace = await buildOrganization(app);
    space = await buildSpace(workspace, 'Guide');
    // The first page of a space is at its root.
    await space.write({ operation: 'insert_page', title: 'Welcome', document: { markdown: 'Hello.\n' } });
    for (let first = 0; first < PAGES; first += PAGES_AT_ONCE) {
      const length = Math.min(PAGES_AT_ONCE, PAGES - first);
      pages.push(...(await space.write(...Array.from({ length }, (_, index) => insert(first + index)))));
    }
    site = await publish(workspace, [space]);
    await toldTwice();
  }, 1_200_000);
  afterAll(async () => {
    await cache.close();
    await app.get(PublicListener).beforeApplicationShutdown();
    await app.close();
  });

  /** The milliseconds until a reader sees what holds of an answer. */
  async function shown(path: string, holds: (answer: FromCache) => boolean): Promise<void> {
    const began = performance.now();
    while (!holds(await cache.get(path))) {
      if (performance.now() - began > 10 * WITHIN) throw new Error('the cache shows what was before');
      await pause(10);
    }
    slowest = Math.max(slowest, performance.now() - began);
  }

  it('sends each page again without asking, with the same nonce in its policy and its text', async () => {
    const first = new Map<number, string>();
    let hits = 0;
    for (const round of [1, 2]) {
      for (let index = 0; index < PAGES; index++) {
        const { status, headers, body, isHit } = await cache.get(pathOf(index));
        expect([index, status]).toEqual([index, 200]);
        expect([headers['cache-control'], headers['surrogate-key']]).toEqual(['public, no-cache', undefined]);
        const policy = String(headers['content-security-policy']);
        const [, nonce = ''] = /'nonce-([\w-]+)'/.exec(policy) ?? [];
        expect(body.split(`nonce="${nonce}"`)).toHaveLength(3);
        if (round === 1) first.set(index, nonce);
        else expect(nonce).toBe(first.get(index));
        if (round === 2 && isHit) hits++;
      }
    }
    process.stdout.write(`${PAGES} pages: ${hits} of ${PAGES} second reads were hits\n`);
    expect(hits).toBe(PAGES);
  }, 1_200_000);

  it('shows a change of a text within a second, and keeps all other pages', async () => {
    for (const index of [0, 7, 21]) {
      await cache.get(pathOf(index));
      const text = `Other words ${index}.`;
      await space.write({ operation: 'update_page', page: pages[index], document: { markdown: `${text}\n` } });
      await shown(pathOf(index), ({ body }) => body.includes(text));
      expect((await cache.get(pathOf(index + 1))).isHit).toBe(true);
    }
    expect(slowest).toBeLessThan(WITHIN);
  });

  it('shows a new title on all pages within a second, and what became of the site', async () => {
    await cache.get(pathOf(3));
    await space.write({ operation: 'update_page', page: pages[4], title: 'Four' });
    await shown(pathOf(3), ({ body }) => body.includes('Four'));
    await site.api.patch(site.path, { title: 'Renamed' });
    await shown(pathOf(3), ({ body }) => body.includes('Renamed'));
    await site.api.patch(site.path, { visibility: 'visitor-auth' });
    await shown(pathOf(3), ({ status }) => status !== 200);
    await site.api.patch(site.path, { visibility: 'public' });
    await shown(pathOf(3), ({ status }) => status === 200);
    expect(slowest).toBeLessThan(WITHIN);
  });

  it('never sends to others what not everybody gets', async () => {
    const shared = await publish(workspace, [space], 'share-link', 'Shared');
    const link = await shared.api.post<{ urls: { published: string } }>(`${shared.path}/share-links`, {
      name: 'Friends',
    });
    const withKey = `${new URL(link.body.urls.published).pathname}/${placeOf(1)}`;
    for (let round = 0; round < 3; round++) {
      const entered = await cache.get(withKey);
      const Cookie = [entered.headers['set-cookie'] ?? []]
        .flat()
        .map((each) => each.split(';')[0])
        .join('; ');
      const inside = await cache.get(`${shared.base}/${placeOf(1)}`, { Cookie });
      expect([inside.status, inside.isHit]).toEqual([200, false]);
      const outside = await cache.get(`${shared.base}/${placeOf(1)}`);
      expect([outside.status, outside.isHit]).toEqual([404, false]);
    }
    const markdown = await cache.get(pathOf(5), { Accept: 'text/markdown' });
    expect(String(markdown.headers['content-type'])).toContain('text/markdown');
    expect(String((await cache.get(pathOf(5))).headers['content-type'])).toContain('text/html');
  });

  it('goes on while the service is away', async () => {
    await toldTwice();
    const known = await cache.get(pathOf(9));
    expect(known.status).toBe(200);
    await app.get(PublicListener).beforeApplicationShutdown();
    // Until its probe has found out.
    await pause(7000);
    for (let round = 0; round < 3; round++) {
      const { status, isHit, body } = await cache.get(pathOf(9));
      expect([status, isHit, body === known.body]).toEqual([200, true, true]);
    }
  });
});

afterAll(() => {
  process.stdout.write(`changes were seen after ${Math.round(slowest)} ms at the latest\n`);
});
