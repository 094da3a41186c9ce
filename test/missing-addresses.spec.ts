import { afterEach, describe, expect, it } from '@jest/globals';
import { countablePath } from '../src/publishing/sites/domain/countable-path.js';
import { MissingAddressCounts } from '../src/publishing/sites/insights/missing-address-counts.service.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import type { Answer } from './client.js';
import { buildSpace, publish, seePreview, usePublicListener, type Site } from './published-site.js';

const app = useApp();
const listener = usePublicListener(app);
const DAY = 24 * 3600 * 1000;
const BROWSER = { accept: 'text/html,*/*;q=0.8', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };

interface Missing {
  readonly path: string;
  readonly requests: number;
  readonly referrer?: string;
  readonly lastAskedAt: string;
}
interface List {
  readonly items: Missing[];
  readonly count: number;
  readonly next?: { readonly page: string };
}
interface Refusal {
  readonly error: { readonly details?: readonly { readonly path: string }[] };
}

afterEach(() => app.current.setTime(undefined));

async function buildSite(): Promise<{ workspace: Workspace; site: Site }> {
  const workspace = await buildOrganization(app.current);
  const space = await buildSpace(workspace, 'Guide', 'en');
  await space.write({ operation: 'insert_page', title: 'Install', document: { markdown: 'Use the turbine.' } });
  return { workspace, site: await publish(workspace, [space]) };
}

/** A reader asks for an address of a site; gives the status of the answer. */
async function ask(site: Site, path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  return (await listener.see(`${site.base}${path}`, { ...BROWSER, ...headers }, method)).status;
}

/** The addresses of a site as far as they are counted: each with its number, and the page that led there. */
async function counted({ api, path }: Site, query: Readonly<Record<string, string>> = {}): Promise<unknown[][]> {
  await app.current.get(MissingAddressCounts).flush();
  const { status, body } = await api.get<List>(`${path}/missing-addresses`, { query });
  expect(status).toBe(200);
  return body.items.map(({ path: missing, requests, referrer }) => [missing, requests, referrer]);
}

describe('addresses at which readers find no page', () => {
  it('are no new ones once a site has many of them on a day, while those that it has go on counting', async () => {
    const { site } = await buildSite();
    const { site: other } = await buildSite();
    const counts = app.current.get(MissingAddressCounts);
    for (const path of ['/a', '/b', '/b']) await ask(site, path);
    await counts.flush(2);
    for (const path of ['/a', '/a', '/c']) await ask(site, path);
    await ask(other, '/c');
    await counts.flush(2);
    expect(await counted(site)).toEqual([
      ['/a', 3, undefined],
      ['/b', 2, undefined],
    ]);
    expect(await counted(other)).toEqual([['/c', 1, undefined]]);
  });

  it('are counted by path with a page that led there, without queries', async () => {
    const { site } = await buildSite();
    expect(await ask(site, '')).toBe(200);
    expect(await ask(site, '/old/start?token=secret')).toBe(404);
    expect(await ask(site, '/old/start/', { referer: 'https://forum.example.com/thread/7?user=me' })).toBe(404);
    expect(await ask(site, `/${encodeURIComponent('صفحة')}`)).toBe(404);
    expect(await counted(site)).toEqual([
      ['/old/start', 2, 'https://forum.example.com/thread/7'],
      ['/صفحة', 1, undefined],
    ]);
    // A later reader who tells of no page leaves the one that is known.
    await ask(site, '/old/start');
    expect(await counted(site)).toEqual([
      ['/old/start', 3, 'https://forum.example.com/thread/7'],
      ['/صفحة', 1, undefined],
    ]);
    const rows = JSON.stringify(
      await app.current.database.query('SELECT * FROM site_missing_address WHERE site_id = $1', [site.id]),
    );
    expect(rows).not.toMatch(/127\.0\.0\.1|Mozilla|secret|user=me/);
  });

  it('are not counted for robots, programs, pictures, heads, previews and addresses of people', async () => {
    const { site } = await buildSite();
    await ask(site, '/gone', { 'user-agent': 'Googlebot/2.1' });
    await ask(site, '/gone', { accept: '*/*' });
    await ask(site, '/apple-touch-icon.png', { accept: 'image/*' });
    await ask(site, '/gone', {}, 'HEAD');
    await ask(site, '/unsubscribe/me@example.com');
    await ask(site, `/${'long/'.repeat(300)}`);
    const { body } = await site.api.get<{ url: string }>(`${site.path}/publishing/preview`);
    expect((await seePreview(listener, `${body.url.replace('?', '/gone?')}`)).status).toBe(404);
    expect(await counted(site)).toEqual([]);
  });

  it('are no more where a redirect leads on', async () => {
    const { site } = await buildSite();
    expect(await ask(site, '/old/start')).toBe(404);
    const destination = { kind: 'external', url: 'https://example.com/' };
    expect((await site.api.post(`${site.path}/redirects`, { source: '/old/start', destination })).status).toBe(201);
    expect(await ask(site, '/old/start')).toBe(307);
    expect(await counted(site)).toEqual([['/old/start', 1, undefined]]);
  });

  it('are listed for those who see the site, by days and page by page', async () => {
    const { workspace, site } = await buildSite();
    const now = Date.now();
    app.current.setTime(new Date(now - 40 * DAY));
    await ask(site, '/long-ago');
    await app.current.get(MissingAddressCounts).flush();
    app.current.setTime(undefined);
    for (let count = 0; count < 2; count += 1) await ask(site, '/often');
    await ask(site, '/once');
    expect(await counted(site)).toEqual([
      ['/often', 2, undefined],
      ['/once', 1, undefined],
    ]);
    expect(await counted(site, { to: new Date(now - 35 * DAY).toISOString() })).toEqual([['/long-ago', 1, undefined]]);
    expect(await counted(site, { from: new Date(now - 50 * DAY).toISOString() })).toHaveLength(3);
    const list = `${site.path}/missing-addresses`;
    const first = await site.api.get<List>(list, { query: { limit: 1 } });
    expect(first.body).toMatchObject({ count: 2, items: [{ path: '/often', requests: 2 }] });
    const second = await site.api.get<List>(list, { query: { limit: 1, page: first.body.next?.page } });
    expect(second.body.items.map(({ path }) => path)).toEqual(['/once']);
    expect(Date.parse(second.body.items[0]?.lastAskedAt ?? '')).toBeGreaterThanOrEqual(now - 1);
    const wrong: Answer<Refusal> = await site.api.get(list, {
      query: { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' },
    });
    expect([wrong.status, wrong.body.error.details?.map(({ path }) => path)]).toEqual([400, ['to']]);
    expect((await (await workspace.member('read')).api.get(list)).status).toBe(200);
    expect((await (await workspace.member('none')).api.get(list)).status).toBe(404);
    expect((await (await buildOrganization(app.current)).admin.api.get(list)).status).toBe(404);
  });

  it('go when they are old, asked for least among too many, or when their site is gone', async () => {
    const { site } = await buildSite();
    const counts = app.current.get(MissingAddressCounts);
    await ask(site, '/first');
    for (let count = 0; count < 2; count += 1) await ask(site, '/second');
    expect(await counted(site)).toHaveLength(2);
    await counts.removeStale(undefined, 1);
    expect(await counted(site)).toEqual([['/second', 2, undefined]]);
    const all = { from: '2020-01-01T00:00:00Z' };
    app.current.setTime(new Date(Date.now() + 399 * DAY));
    await counts.removeStale();
    expect(await counted(site, all)).toHaveLength(1);
    app.current.setTime(new Date(Date.now() + 402 * DAY));
    await counts.removeStale();
    expect(await counted(site, all)).toEqual([]);
    app.current.setTime(undefined);
    await ask(site, '/too-late');
    await site.api.delete(site.path);
    await counts.flush();
    const left = 'SELECT path FROM site_missing_address WHERE site_id = $1';
    expect(await app.current.database.query(left, [site.id])).toEqual([]);
  });

  it.each([
    ['/a', '/a'],
    ['/a\0b', '/ab'],
    ['/\ud800a', '/a'],
    ['/releases/1.2.3', '/releases/1.2.3'],
    ['/@team/guide', '/@team/guide'],
    ['/unsubscribe/me@example.com', undefined],
    ['/unsubscribe/me%40example.com', undefined],
    ['/unsubscribe/me%252540example.com', undefined],
    ['/40%40', '/40%40'],
    [`/${'x'.repeat(1000)}`, undefined],
    ['', undefined],
  ])('are counted as %j → %j', (path, expected) => {
    expect(countablePath(path)).toBe(expected);
  });
});
