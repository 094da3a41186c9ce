import { describe, expect, it } from '@jest/globals';
import {
  addressWithCaptured,
  capturedBy,
  keyOfSource,
  SOURCE_PATTERN,
} from '../src/publishing/sites/domain/redirects.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';
import type { Answer } from './client.js';
import { buildSpace, publish, usePublicListener, type Made, type Site } from './published-site.js';

const app = useApp();
const listener = usePublicListener(app);
const see: typeof listener.see = (...request) => listener.see(...request);
const UNKNOWN = 'AbCdEfGh0123456789Xy';

interface Redirect extends Made {
  readonly source: string;
  readonly draft: boolean;
  readonly permanent: boolean;
  readonly captureWildcard: boolean;
  readonly createdAt: string;
  readonly updatedAt?: string;
}
interface Result {
  readonly status: string;
  readonly source: string;
  readonly draft: boolean;
  readonly id?: string;
  readonly error?: string;
}
interface List<Item> {
  readonly items: Item[];
  readonly count: number;
}
interface Refusal {
  readonly error: { readonly details?: { readonly path: string }[] };
}

const refused = ({ status, body }: Answer<Refusal>) => [status, ...(body.error.details ?? []).map(({ path }) => path)];
const away = (url = 'https://example.com/new') => ({ kind: 'external', url });

async function buildSite(visibility = 'public'): Promise<{
  site: Site;
  pages: string[];
  siteSpaces: string[];
  spaces: string[];
  organization: string;
  add: (source: string, destination: object, rule?: object) => Promise<Answer<Redirect>>;
  change: (...redirects: object[]) => Promise<Answer<{ results: Result[] } & Refusal>>;
}> {
  const workspace = await buildOrganization(app.current);
  const [guide, manual] = [await buildSpace(workspace, 'Guide'), await buildSpace(workspace, 'Manual')];
  const insert = (title: string, into?: string) => ({
    operation: 'insert_page',
    title,
    document: { markdown: 'Text' },
    ...(into !== undefined && { into }),
  });
  const pages = await guide.write(insert('Install'), insert('Use'));
  pages.push(...(await guide.write(insert('Linux', pages[0]))));
  pages.push(...(await manual.write(insert('Calls'))));
  const site = await publish(workspace, [guide, manual], visibility);
  const { items } = (await site.api.get<List<Made>>(`${site.path}/site-spaces`)).body;
  return {
    site,
    pages,
    siteSpaces: items.map(({ id }) => id),
    spaces: [guide.id, manual.id],
    organization: workspace.id,
    add: (source, destination, rule = {}) =>
      site.api.post<Redirect>(`${site.path}/redirects`, { source, destination, ...rule }),
    change: (...redirects) => site.api.put(`${site.path}/redirects`, { redirects }),
  };
}

describe('redirects of a site', () => {
  it('lead nobody on while they are drafts, which stand beside what is live', async () => {
    const { site, add } = await buildSite();
    const { api, path, base } = site;
    const draft = await add('/old', away('https://example.com/draft'), { draft: true });
    expect([draft.status, draft.body.draft]).toEqual([201, true]);
    expect((await see(`${base}/old`)).status).toBe(404);
    expect((await api.get(`${path}/redirect`, { query: { source: '/old' } })).status).toBe(404);
    const live = await add('/OLD', away('https://example.com/live'));
    expect(live.status).toBe(201);
    expect(await see(`${base}/old`)).toMatchObject({ status: 307, location: 'https://example.com/live' });
    const list = async (query: Record<string, unknown>) =>
      (await api.get<List<Redirect>>(`${path}/redirects`, { query: query as never })).body.items.map(({ id }) => id);
    expect(await list({})).toEqual([live.body.id]);
    expect(await list({ draft: true })).toEqual([draft.body.id]);
    const at = `${path}/redirects/${draft.body.id}`;
    expect(refused(await api.patch<Refusal>(at, { draft: false }))).toEqual([409, 'source']);
    await api.delete(`${path}/redirects/${live.body.id}`);
    const published = await api.patch<Redirect>(at, { draft: false });
    expect([published.status, published.body.draft]).toEqual([200, false]);
    expect(await see(`${base}/old`)).toMatchObject({ status: 307, location: 'https://example.com/draft' });
    expect(refused((await add('/old', away())) as never)).toEqual([409, 'source']);
  });

  it('append what their asterisk stands for, if they say so', async () => {
    const { site, siteSpaces, pages, add } = await buildSite();
    const { api, path, base } = site;
    expect((await add('/plain/*', away())).status).toBe(201);
    expect((await add('/away/*', away('https://example.com/new/?a=b#c'), { captureWildcard: true })).status).toBe(201);
    expect((await add('/v1*', away('https://example.com/v2'), { captureWildcard: true })).status).toBe(201);
    const [guide, manual] = siteSpaces;
    expect((await add('/docs/*', { kind: 'site-space', siteSpaceId: guide }, { captureWildcard: true })).status).toBe(
      201,
    );
    const install = { kind: 'site-page', siteSpaceId: guide, pageId: pages[0] };
    expect((await add('/docs/setup/*', install, { captureWildcard: true })).status).toBe(201);
    expect((await add('/docs/setup/fixed', { kind: 'site-space', siteSpaceId: manual })).status).toBe(201);
    const led: readonly (readonly [string, string | undefined])[] = [
      ['plain/anything/at/all', 'https://example.com/new'],
      ['plain', 'https://example.com/new'],
      ['plainly', undefined],
      ['away/Some/%C3%9Cber', 'https://example.com/new/Some/%C3%9Cber?a=b#c'],
      ['away', 'https://example.com/new/?a=b#c'],
      ['away/%2E%2E/up', undefined],
      ['v1.2/x', 'https://example.com/v2.2/x'],
      ['docs/use', `${base}/use`],
      ['Docs/Install/Linux', `${base}/install/linux`],
      ['docs/nowhere', undefined],
      ['docs/manual/calls', `${base}/manual`],
      ['docs/setup/linux', `${base}/install/linux`],
      ['docs/setup/fixed', `${base}/manual`],
    ];
    for (const [from, to] of led) {
      const { status, location } = await see(`${base}/${from}`);
      expect([from, status, location]).toEqual([from, to === undefined ? 404 : 307, to]);
    }
    expect(await see(`${base}/docs/use?x=y`)).toMatchObject({ location: `${base}/use?x=y` });
    const found = await api.get<{ target: string; redirect: Redirect }>(`${path}/redirect`, {
      query: { source: '/docs/*' },
    });
    expect([found.body.redirect.source, found.body.target.endsWith(base)]).toEqual(['/docs/*', true]);
    expect(refused((await add('/none', away(), { captureWildcard: true })) as never)).toEqual([400, 'captureWildcard']);
    expect(refused((await add('/Docs/*', away())) as never)).toEqual([409, 'source']);
    for (const source of ['/*', '/a/*/b', '/a**', '*'])
      expect([source, ...refused((await add(source, away())) as never)]).toEqual([source, 400, 'source']);
    expect((await api.get<List<Redirect>>(`${path}/redirects`, { query: { search: '/docs/*' } })).body.count).toBe(3);
    const orderBy = 'source' as const;
    const sorted = await api.get<List<Redirect>>(`${path}/redirects`, { query: { orderBy } });
    expect(sorted.body.items.map(({ source }) => source)).toEqual([
      '/away/*',
      '/docs/*',
      '/docs/setup/*',
      '/docs/setup/fixed',
      '/plain/*',
      '/v1*',
    ]);
  });

  it('are permanent for everybody only, and tell when they changed', async () => {
    const { site, add } = await buildSite();
    const { api, path, base } = site;
    const made = await add('/old', away(), { permanent: true });
    expect([made.body.permanent, typeof made.body.createdAt, made.body.updatedAt]).toEqual([true, 'string', undefined]);
    expect(await see(`${base}/old`)).toMatchObject({ status: 308, location: 'https://example.com/new' });
    await api.patch(path, { visibility: 'unlisted' });
    expect((await see(`${base}/old`)).status).toBe(308);
    const { url } = (await api.get<{ url: string }>(`${path}/publishing/preview`)).body;
    const token = new URL(url).searchParams.get('jwt_token') ?? '';
    const entered = await see(`${base}/old?jwt_token=${token}`);
    const cookie = [entered.headers['set-cookie'] ?? []]
      .flat()
      .map((each) => each.split(';')[0])
      .join('; ');
    expect((await see(`${base}/old`, { Cookie: cookie })).status).toBe(307);
    const changed = await api.patch<Redirect>(`${path}/redirects/${made.body.id}`, { permanent: false });
    expect([changed.body.permanent, typeof changed.body.updatedAt]).toEqual([false, 'string']);
    expect((await see(`${base}/old`)).status).toBe(307);
    const same = await api.patch<Redirect>(`${path}/redirects/${made.body.id}`, { permanent: false });
    expect(same.body).toEqual(changed.body);
  });
});

describe('lists of changes of redirects', () => {
  it('add, change, remove and publish, and tell what became of each', async () => {
    const { site, siteSpaces, pages, spaces, change } = await buildSite();
    const { api, path, base } = site;
    const [guide] = siteSpaces;
    const [space] = spaces;
    const made = await change(
      { source: '/a', destination: away() },
      { source: '/b', destination: { kind: 'site-page', siteSpaceId: guide, pageId: pages[1] }, permanent: true },
      { source: '/b', destination: away('https://example.com/draft'), intent: 'draft' },
      { source: '/c/*', destination: { kind: 'path', spaceId: space, path: '/Install' }, captureWildcard: true },
      { source: '/A', destination: away('https://example.com/again') },
      { source: '/d', destination: { kind: 'site-page', siteSpaceId: guide, pageId: UNKNOWN } },
      { source: '/e', destination: { kind: 'path', spaceId: space, path: 'nowhere' } },
      { source: '/f', destination: null },
      { source: '/g', intent: 'publish' },
      { source: '/h', destination: away(), captureWildcard: true },
      { source: '/%FF', destination: away() },
    );
    expect(made.status).toBe(200);
    const { results } = made.body;
    expect(results.map(({ status, source, draft }) => [status, source, draft])).toEqual([
      ['created', '/a', false],
      ['created', '/b', false],
      ['created', '/b', true],
      ['created', '/c/*', false],
      ['updated', '/A', false],
      ['error', '/d', false],
      ['error', '/e', false],
      ['error', '/f', false],
      ['error', '/g', false],
      ['error', '/h', false],
      ['error', '/%FF', false],
    ]);
    expect(results[4]?.id).toBe(results[0]?.id);
    expect(results.flatMap(({ error }) => error?.split(':')[0] ?? [])).toEqual([
      'destination.pageId',
      'destination.path',
      'source',
      'source',
      'captureWildcard',
      'source',
    ]);
    expect(await see(`${base}/a`)).toMatchObject({ status: 307, location: 'https://example.com/again' });
    expect(await see(`${base}/b`)).toMatchObject({ status: 308, location: `${base}/use` });
    expect(await see(`${base}/c/linux`)).toMatchObject({ status: 307, location: `${base}/install/linux` });

    const next = await change(
      { source: '/b', intent: 'publish' },
      { source: '/a', destination: null },
      { source: '/a', destination: away('https://example.com/anew') },
      { source: '/i', destination: away(), intent: 'draft' },
      { source: '/i', intent: 'publish' },
    );
    expect(next.body.results).toEqual([
      { status: 'published', source: '/b', draft: false, id: results[1]?.id },
      { status: 'deleted', source: '/A', draft: false },
      { status: 'created', source: '/a', draft: false, id: expect.any(String) },
      { status: 'created', source: '/i', draft: true, id: expect.any(String) },
      { status: 'published', source: '/i', draft: false, id: expect.any(String) },
    ]);
    expect(await see(`${base}/b`)).toMatchObject({ status: 307, location: 'https://example.com/draft' });
    expect(await see(`${base}/a`)).toMatchObject({ status: 307, location: 'https://example.com/anew' });
    expect(await see(`${base}/i`)).toMatchObject({ status: 307, location: 'https://example.com/new' });
    expect((await api.get<List<Redirect>>(`${path}/redirects`, { query: { draft: true } })).body.count).toBe(0);
    const again = await change({ source: '/i', destination: away() });
    expect(again.body.results).toEqual([{ ...next.body.results[4], status: 'updated' }]);
    const events = await app.current.database.query<{ payload: object }>(
      `SELECT payload FROM event WHERE target = $1 AND type = 'site_redirects_changed' ORDER BY at, id`,
      [site.id],
    );
    expect(events.map(({ payload }) => payload)).toEqual([
      { created: 4, updated: 1, deleted: 0, published: 0 },
      { created: 2, updated: 0, deleted: 1, published: 2 },
    ]);
  });

  it('hold at most 500 changes with the fields of their intent, by administrators', async () => {
    const { site, change, organization } = await buildSite();
    const many = (length: number) =>
      Array.from({ length }, (_, at) => ({ source: `/many/${at}`, destination: away(`https://example.com/${at}`) }));
    expect((await change(...many(500))).body.results.every(({ status }) => status === 'created')).toBe(true);
    expect(await see(`${site.base}/many/499`)).toMatchObject({ location: 'https://example.com/499' });
    for (const [redirects, at] of [
      [[], 'redirects'],
      [many(501), 'redirects'],
      [[{ source: '/a' }], 'redirects.0.destination'],
      [[{ source: '/a', destination: away(), intent: 'publish' }], 'redirects.0.destination'],
      [[{ source: '/a', permanent: true, intent: 'publish' }], 'redirects.0.permanent'],
      [[{ source: 'a', destination: away() }], 'redirects.0.source'],
      [[{ source: '/a', destination: away('javascript:alert(1)') }], 'redirects.0.destination.url'],
    ] as const)
      expect(refused(await change(...redirects))).toEqual([400, at]);
    const stranger = await buildSite();
    expect(stranger.organization).not.toBe(organization);
    const body = { redirects: many(1) };
    expect((await stranger.site.api.put(`${site.path}/redirects`, body)).status).toBe(404);
  });
});

describe('the rules of wildcards', () => {
  it('say where a source begins and what it captures', () => {
    expect([keyOfSource('/Old/*'), keyOfSource('/Old*'), keyOfSource('/old'), keyOfSource('/%zz')]).toEqual([
      { path: 'old/', wildcard: true },
      { path: 'old', wildcard: true },
      { path: 'old', wildcard: false },
      undefined,
    ]);
    expect([capturedBy('old/', 'Old/A/b'), capturedBy('old/', 'old'), capturedBy('old', 'Older/b')]).toEqual([
      '/A/b',
      '',
      'er/b',
    ]);
    expect(capturedBy('old/', 'old/../b')).toBeUndefined();
    expect(addressWithCaptured('https://example.com', '//evil.example/x')).toBe('https://example.com//evil.example/x');
    for (const source of ['/a/*', '/a*', '/a+b', '/a/b']) expect(source).toMatch(SOURCE_PATTERN);
    for (const source of ['/*', '/a/**', '/a*b', '/a//*']) expect(source).not.toMatch(SOURCE_PATTERN);
  });
});
