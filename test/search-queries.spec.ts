import { afterEach, describe, expect, it } from '@jest/globals';
import { choiceFactor } from '../src/publishing/sites/domain/choice-factor.js';
import { countableQuery } from '../src/publishing/sites/domain/countable-query.js';
import { TypedSearches } from '../src/publishing/sites/domain/typed-searches.js';
import { SearchCounts } from '../src/publishing/sites/insights/search-counts.service.js';
import { SearchCountsRetentionJob } from '../src/publishing/sites/insights/search-counts-retention.job.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { Client, type Answer } from './client.js';
import { buildSpace, publish, usePublicListener, type Site, type Space } from './published-site.js';

const app = useApp();
const listener = usePublicListener(app);
const DAY = 24 * 3600 * 1000;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

interface Query {
  query: string;
  searches: number;
  unanswered: number;
  opened: number;
  lastAskedAt: string;
}
interface List<Item> {
  items: Item[];
  count: number;
  next?: { page: string };
}
interface Hit {
  pages: { id: string; title: string }[];
}
interface Refusal {
  error: { details?: { path: string }[] };
}

afterEach(() => app.current.setTime(undefined));

const page = (title: string, markdown = '') => ({ operation: 'insert_page', title, document: { markdown } });

async function buildSite(
  ...pages: object[]
): Promise<{ workspace: Workspace; space: Space; site: Site; pages: string[] }> {
  const workspace = await buildOrganization(app.current);
  const space = await buildSpace(workspace, 'Guide', 'en');
  const made = await space.write(...pages);
  return { workspace, space, site: await publish(workspace, [space]), pages: made };
}

/** A reader with a browser of their own searches a published site. */
async function search(site: Site, query: string, reader = 'one', asData = false): Promise<string> {
  const seen = await listener.see(`${site.base}/~search?q=${encodeURIComponent(query)}`, {
    'user-agent': `Mozilla/5.0 (${reader})`,
    ...(asData && { accept: 'application/json' }),
  });
  expect(seen.status).toBe(200);
  return seen.body;
}

/** The queries of a site as far as they are counted: texts with searches, unanswered and opened ones. */
async function counted({ api, path }: Site, query: Record<string, string | boolean> = {}): Promise<unknown[][]> {
  await app.current.get(SearchCounts).flush();
  const { status, body } = await api.get<List<Query>>(`${path}/search-queries`, { query });
  expect(status).toBe(200);
  return body.items.map(({ query: text, searches, unanswered, opened }) => [text, searches, unanswered, opened]);
}

async function tellOpened(
  { api, path }: Site,
  query: string,
  result: { spaceId: string; pageId: string },
  readers: readonly string[],
): Promise<void> {
  const events = readers.map((reader) => ({
    type: 'search_open_result',
    query,
    result,
    session: { visitorId: reader, sessionId: reader, userAgent: '', language: null, referrer: null },
    location: {
      url: 'https://docs.example.com/',
      siteSection: null,
      siteSpace: null,
      siteShareKey: null,
      space: null,
      revision: null,
      page: null,
    },
  }));
  expect((await api.post(`${path}/insights/events`, { events })).status).toBe(204);
}

describe('what readers search for', () => {
  it('is counted by query, once for each search of a reader, with those that found nothing', async () => {
    const { site } = await buildSite(page('Install', 'Use the turbine.'));
    await search(site, '  Turbine ');
    await search(site, 'turbine');
    await search(site, 'TURBINE', 'another');
    await search(site, 'xyzzy  plugh');
    await listener.see(`${site.base}/~search?q=head`, {}, 'HEAD');
    await listener.see(`${site.base}/~search?q=robot`, { 'user-agent': 'Googlebot/2.1' });
    for (const personal of ['me@example.com', 'call 0170 1234567', '1234567', 'card 4111-1111-1111-1111'])
      await search(site, personal);
    expect(await counted(site)).toEqual([
      ['turbine', 2, 0, 0],
      ['xyzzy plugh', 1, 1, 0],
    ]);
    expect(await counted(site, { unanswered: true })).toEqual([['xyzzy plugh', 1, 1, 0]]);
    app.current.setTime(new Date(Date.now() + DAY));
    await search(site, 'turbine', 'of another day');
    expect((await counted(site))[0]).toEqual(['turbine', 3, 0, 0]);
    const rows = JSON.stringify(
      await app.current.database.query('SELECT * FROM site_search_query WHERE site_id = $1', [site.id]),
    );
    expect(rows).not.toMatch(/127\.0\.0\.1|Mozilla|example\.com|1234567/);
  });

  it('is not counted letter by letter while somebody types', async () => {
    const { site } = await buildSite(page('Install', 'Use the turbine.'));
    for (const typed of ['t', 'tu', 'turb', 'tur', 'turbine']) await search(site, typed, 'one', true);
    await search(site, 'turbine');
    for (const typed of ['w', 'wh', 'wheel']) await search(site, typed, 'one', true);
    await search(site, 'wheels', 'another', true);
    expect(await counted(site)).toEqual([
      ['wheels', 1, 1, 0],
      ['wheel', 1, 1, 0],
      ['turbine', 1, 0, 0],
    ]);
  });

  it('is counted for programs that search with the tokens of readers, and not for members', async () => {
    const { site } = await buildSite(page('Install', 'Use the turbine.'));
    const url = (await site.api.get<{ urls: { published: string } }>(site.path)).body.urls.published;
    const { body } = await site.api.post<{ apiToken: string }>('/urls/published', { url });
    const reader = new Client(app.current.url, body.apiToken);
    for (const query of ['turb', 'turbine'])
      expect((await reader.post(`${site.path}/search`, { query })).status).toBe(200);
    await site.api.post(`${site.path}/search`, { query: 'of a member' });
    expect(await counted(site)).toEqual([['turbine', 1, 0, 0]]);
    // Another person may be behind the same program.
    await reader.post(`${site.path}/search`, { query: 'turbine' });
    expect(await counted(site)).toEqual([['turbine', 2, 0, 0]]);
  });

  it('is counted with the results that were opened', async () => {
    const { site, space, pages } = await buildSite(page('Start'), page('Install', 'Use the turbine.'));
    const link = /<a [^>]*class="hit"[^>]*>/.exec(await search(site, 'turbine', 'without script'))?.[0];
    expect(link).toContain('referrerpolicy="same-origin"');
    const view = async (referer: string, reader: string) =>
      listener.see(`${site.base}/install`, { referer, 'user-agent': `Mozilla/5.0 (${reader})` });
    const from = `${listener.origin}${site.base}/~search?q=Turbine`;
    await view(from, 'without script');
    await view(from, 'without script');
    await view(`https://elsewhere.example/~search?q=stolen`, 'without script');
    const { hits } = JSON.parse(await search(site, 'turbine', 'one', true)) as {
      hits: { space: string; page: string }[];
    };
    expect(hits[0]).toMatchObject({ space: space.id, page: pages[1] });
    const open = async (form: Record<string, string>, headers: Record<string, string> = {}) =>
      listener.see(
        `${site.base}/~search`,
        { ...FORM, 'user-agent': 'Mozilla/5.0 (one)', ...headers },
        'POST',
        new URLSearchParams(form).toString(),
      );
    const opened = { q: 'turbine', space: space.id, page: pages[1] ?? '' };
    expect((await open(opened)).status).toBe(204);
    expect((await open(opened, { origin: 'https://evil.example' })).status).toBe(403);
    for (const wrong of [{}, { ...opened, page: 'x' }, { ...opened, space: 'x' }])
      expect((await open(wrong)).status).toBe(400);
    expect(await counted(site)).toEqual([['turbine', 2, 0, 2]]);
    expect(
      await app.current.database.query(
        'SELECT query, page_id AS page, opens FROM site_search_choice WHERE site_id = $1',
        [site.id],
      ),
    ).toEqual([{ query: 'turbine', page: pages[1], opens: 2 }]);
  });

  it('is listed for those who see the site, by days and page by page', async () => {
    const { workspace, site } = await buildSite(page('Install', 'Use the turbine.'));
    const now = Date.now();
    app.current.setTime(new Date(now - 40 * DAY));
    await search(site, 'long ago');
    await counted(site);
    app.current.setTime(undefined);
    for (const reader of ['one', 'two']) await search(site, 'turbine', reader);
    await search(site, 'blades');
    expect(await counted(site)).toEqual([
      ['turbine', 2, 0, 0],
      ['blades', 1, 1, 0],
    ]);
    const before = { to: new Date(now - 35 * DAY).toISOString() };
    expect(await counted(site, before)).toEqual([['long ago', 1, 1, 0]]);
    expect(await counted(site, { from: new Date(now - 50 * DAY).toISOString() })).toHaveLength(3);
    expect(await counted(site, { from: new Date(now).toISOString(), unanswered: true })).toEqual([['blades', 1, 1, 0]]);
    const list = `${site.path}/search-queries`;
    const first = await site.api.get<List<Query>>(list, { query: { limit: 1 } });
    expect(first.body).toMatchObject({ count: 2, items: [{ query: 'turbine' }] });
    const second = await site.api.get<List<Query>>(list, { query: { limit: 1, page: first.body.next?.page } });
    expect(second.body.items.map(({ query }) => query)).toEqual(['blades']);
    expect(Date.parse(second.body.items[0]?.lastAskedAt ?? '')).toBeGreaterThanOrEqual(now - 1);
    const wrong: Answer<Refusal> = await site.api.get(list, {
      query: { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' },
    });
    expect([wrong.status, wrong.body.error.details?.map(({ path }) => path)]).toEqual([400, ['to']]);
    expect((await (await workspace.member('read')).api.get(list)).status).toBe(200);
    expect((await (await workspace.member('none')).api.get(list)).status).toBe(404);
    expect((await (await buildOrganization(app.current)).admin.api.get(list)).status).toBe(404);
  });

  it('goes when it is old, asked least among too many, or when its site is gone', async () => {
    const { site, space, pages } = await buildSite(page('Install', 'Use the turbine.'));
    const retention = app.current.get(SearchCountsRetentionJob);
    await search(site, 'first');
    for (const reader of ['one', 'two']) await search(site, 'second', reader);
    await tellOpened(site, 'first', { spaceId: space.id, pageId: pages[0] ?? '' }, ['one']);
    expect(await counted(site)).toHaveLength(2);
    const choices = () =>
      app.current.database.query('SELECT query FROM site_search_choice WHERE site_id = $1', [site.id]);
    await retention.removeStale(undefined, 2);
    expect([(await counted(site)).length, (await choices()).length]).toEqual([2, 1]);
    await retention.removeStale(undefined, 1);
    expect([await counted(site), await choices()]).toEqual([[['second', 2, 2, 0]], []]);
    app.current.setTime(new Date(Date.now() + 399 * DAY));
    await retention.removeStale();
    const all = { from: '2020-01-01T00:00:00Z' };
    expect(await counted(site, all)).toHaveLength(1);
    app.current.setTime(new Date(Date.now() + 402 * DAY));
    await retention.removeStale();
    expect(await counted(site, all)).toEqual([]);
    app.current.setTime(undefined);
    await search(site, 'too late');
    await site.api.delete(site.path);
    await app.current.get(SearchCounts).flush();
    expect(
      await app.current.database.query('SELECT query FROM site_search_query WHERE site_id = $1', [site.id]),
    ).toEqual([]);
  });
});

describe('what readers choose', () => {
  it('comes earlier in the next searches of the site for the same query, and in no others', async () => {
    const { site, space, pages } = await buildSite(
      page('Wheels', 'All about the turbine of wheels.'),
      page('Blades', 'All about the turbine of blades.'),
      page('Other', 'Something else, with a turbine in a much longer text about many other things.'),
    );
    const order = async (query = 'turbine') => {
      const { body } = await site.api.post<List<Hit>>(`${site.path}/search`, { query });
      return body.items.flatMap((hit) => hit.pages.map(({ id }) => id));
    };
    const inSpace = async () =>
      (
        await site.api.get<List<{ id: string }>>(`/spaces/${space.id}/search`, { query: { query: 'turbine' } })
      ).body.items.map(({ id }) => id);
    const [first = '', second = '', third = ''] = await order();
    const before = await inSpace();
    const token = (await site.api.post<List<Hit>>(`${site.path}/search`, { query: 'turbine' }, { query: { limit: 1 } }))
      .body.next?.page;
    expect([[first, second, third].sort(), token]).toEqual([[...pages].sort(), undefined]);
    const chosen = { spaceId: space.id, pageId: second };
    // Many in one minute, which stands still, count three times, and one reader counts once.
    const begin = Date.now();
    app.current.setTime(new Date(begin));
    await tellOpened(
      site,
      'Turbine',
      chosen,
      Array.from({ length: 50 }, (_, index) => `reader-${index}`),
    );
    await app.current.get(SearchCounts).flush();
    expect(await order()).toEqual([first, second, third]);
    app.current.setTime(new Date(begin + 60_000));
    await tellOpened(site, 'turbine', chosen, ['reader-0', 'reader-0', 'of-the-next-minute']);
    await app.current.get(SearchCounts).flush();
    expect(await order()).toEqual([first, second, third]);
    await tellOpened(site, 'turbine', chosen, ['another-of-it']);
    await tellOpened(site, 'turbine', { spaceId: space.id, pageId: 'nowhere' }, ['a', 'b']);
    await app.current.get(SearchCounts).flush();
    expect(await order('  TURBINE')).toEqual([second, first, third]);
    expect(await inSpace()).toEqual(before);
    expect(await order('the turbine')).toEqual([first, second, third]);
    expect(
      await app.current.database.query('SELECT page_id AS page, opens FROM site_search_choice WHERE site_id = $1', [
        site.id,
      ]),
    ).toEqual([{ page: second, opens: 5 }]);
    app.current.setTime(new Date(Date.now() + 91 * DAY));
    expect(await order()).toEqual([first, second, third]);
  });
});

describe('the rules of counting', () => {
  it.each([
    ['  How   to\tInstall?\n', 'how to install?'],
    ['@type forward', '@type forward'],
    ['npm i left-pad@1.2.3', 'npm i left-pad@1.2.3'],
    ['error 404', 'error 404'],
    ['ports 8080 and 443', 'ports 8080 and 443'],
    ['ÜBER', 'über'],
    [' \0\ud800 ', undefined],
    ['mail ada.lovelace@example.co.uk please', undefined],
    ['+49 (170) 123-45-67', undefined],
    ['DE02 1203 0000 0000 2020 51', undefined],
    ['x'.repeat(500), 'x'.repeat(200)],
  ])('keep %j as %j', (text, query) => {
    expect(countableQuery(text)).toBe(query);
  });

  it('wait for a pause', () => {
    const searches = new TypedSearches();
    const search = (query: string, at: number, reader = 'a') => ({
      site: 's',
      reader,
      query,
      isUnanswered: false,
      at,
    });
    const texts = (found: readonly { query: string }[]) => found.map(({ query }) => query);
    expect(texts(searches.typed(search('in', 0)))).toEqual([]);
    expect(texts(searches.typed(search('other', 500, 'b')))).toEqual([]);
    expect(texts(searches.typed(search('install', 1_000)))).toEqual([]);
    expect(texts(searches.settled(2_499))).toEqual([]);
    expect(texts(searches.settled(2_500))).toEqual(['other']);
    expect(texts(searches.typed(search('upgrade', 2_600)))).toEqual(['install']);
    expect(texts(searches.settle({ site: 's', reader: 'a' }, 'upgr'))).toEqual([]);
    expect(texts(searches.settle({ site: 's', reader: 'a' }, 'upgrade'))).toEqual(['upgrade']);
    expect(texts(searches.typed(search('remov', 3_000)))).toEqual([]);
    expect(texts(searches.complete(search('remove', 3_100)))).toEqual(['remove']);
    expect([texts(searches.settled()), searches.isWaiting]).toEqual([[], false]);
  });

  it('let choices count little and by their logarithm', () => {
    const factors = [0, 4, 5, 50, 500, 1e9].map(choiceFactor);
    expect(factors.slice(0, 2)).toEqual([1, 1]);
    expect(factors.slice(4)).toEqual([1.5, 1.5]);
    expect(factors[2]).toBeCloseTo(1.13, 2);
    expect([...factors].sort((a, b) => a - b)).toEqual(factors);
  });
});
