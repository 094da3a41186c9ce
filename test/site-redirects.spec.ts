import { describe, expect, it } from '@jest/globals';
import {
  beginningsOf,
  comparablePath,
  redirectsOfYaml,
  SOURCE_PATTERN,
  sourceOf,
} from '../src/publishing/sites/domain/redirects.js';
import { LiveRedirects } from '../src/publishing/sites/live-redirects.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import type { Answer, Client } from './client.js';

const app = useApp();
const UNKNOWN = 'AbCdEfGh0123456789Xy';

interface Thing {
  id: string;
}
interface Redirect extends Thing {
  object: string;
  source: string;
  destination: object;
}
interface List<Item> {
  items: Item[];
  count: number;
  next?: { page: string };
}
interface Refusal {
  error: { message: string; details?: { path: string; message: string }[] };
}
interface Found {
  redirect: Redirect;
  target: string;
}
interface Report {
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
  entries: { line?: number; from: string; status: string; message?: string; source?: string }[];
}
interface SiteSpace extends Thing {
  path: string;
  section?: string;
}

const pathsAt = (answer: Answer<Refusal>): string[] => (answer.body.error.details ?? []).map(({ path }) => path);

/** A space with pages of these titles, one below the other where a title has a slash. */
async function spaceOf(
  { id, admin: { api } }: Workspace,
  title: string,
  ...pages: string[]
): Promise<{ id: string; pages: Record<string, string> }> {
  const { body: space } = await api.post<Thing>(`/orgs/${id}/spaces`, { title, empty: true, editMode: 'live' });
  const made: Record<string, string> = {};
  for (const page of pages) {
    const [above = '', own] = page.split('/');
    const change = {
      operation: 'insert_page',
      title: own ?? above,
      document: { markdown: 'Text' },
      ...(own !== undefined && { into: made[above] }),
    };
    const { body } = await api.post<{ changes: { page: Thing | string }[] }>(`/spaces/${space.id}/content`, {
      changes: [change],
    });
    const inserted = body.changes[0]?.page;
    made[page] = typeof inserted === 'object' ? inserted.id : (inserted ?? '');
  }
  return { id: space.id, pages: made };
}

async function buildSite(): Promise<{
  workspace: Workspace;
  api: Client;
  path: string;
  siteId: string;
  guide: Awaited<ReturnType<typeof spaceOf>>;
  api2: Awaited<ReturnType<typeof spaceOf>>;
  siteSpaces: SiteSpace[];
  root: string;
}> {
  const workspace = await buildOrganization(app.current);
  const { api } = workspace.admin;
  const [guide, api2] = [
    await spaceOf(workspace, 'Guide', 'Install', 'Install/Linux', 'Use'),
    await spaceOf(workspace, 'Reference', 'Install', 'Calls'),
  ];
  const { body: site } = await api.post<Thing>(`/orgs/${workspace.id}/sites`, {
    title: 'Manual',
    spaces: [guide.id, api2.id],
  });
  const path = `/orgs/${workspace.id}/sites/${site.id}`;
  const { body: published } = await api.post<{ urls: { published: string } }>(`${path}/publish`);
  const { items } = (await api.get<List<SiteSpace>>(`${path}/site-spaces`)).body;
  return { workspace, api, path, siteId: site.id, guide, api2, siteSpaces: items, root: published.urls.published };
}

describe('redirects that people give', () => {
  it('are added, listed, found, changed and removed', async () => {
    const { api, path, siteSpaces, guide, root } = await buildSite();
    const [first, second] = siteSpaces;
    const destination = { kind: 'site-page', siteSpaceId: first?.id, pageId: guide.pages['Install/Linux'] };
    const made = await api.post<Redirect>(`${path}/redirects`, { source: '/Old/Linux', destination });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      object: 'site-redirect',
      id: expect.any(String),
      source: '/Old/Linux',
      draft: false,
      captureWildcard: false,
      permanent: false,
      destination,
      createdAt: expect.any(String),
    });
    const found = await api.get<Found>(`${path}/redirect`, { query: { source: '/old/LINUX' } });
    expect(found.body).toEqual({ redirect: made.body, target: `${root}/install/linux` });
    const other = await api.post<Redirect>(`${path}/redirects`, {
      source: '/old/api',
      destination: { kind: 'site-space', siteSpaceId: second?.id },
    });
    expect((await api.get<Found>(`${path}/redirect`, { query: { source: '/old/api' } })).body.target).toBe(
      `${root}/reference`,
    );
    const elsewhere = await api.post<Redirect>(`${path}/redirects`, {
      source: '/shop',
      destination: { kind: 'external', url: 'https://shop.example.com/' },
    });
    expect((await api.get<Found>(`${path}/redirect`, { query: { source: '/shop' } })).body.target).toBe(
      'https://shop.example.com/',
    );
    const page = await api.get<List<Redirect>>(`${path}/redirects`, { query: { limit: 2 } });
    expect([page.body.count, ...page.body.items.map(({ id }) => id)]).toEqual([3, elsewhere.body.id, other.body.id]);
    expect(
      (await api.get<List<Redirect>>(`${path}/redirects`, { query: { limit: 2, page: page.body.next?.page } })).body
        .items,
    ).toEqual([made.body]);
    expect(
      (await api.get<List<Redirect>>(`${path}/redirects`, { query: { search: 'OLD/' } })).body.items.map(
        ({ source }) => source,
      ),
    ).toEqual(['/old/api', '/Old/Linux']);
    const changed = await api.patch<Redirect>(`${path}/redirects/${made.body.id}`, {
      destination: { kind: 'site-space', siteSpaceId: first?.id },
    });
    expect(changed.body).toEqual({
      ...made.body,
      destination: { kind: 'site-space', siteSpaceId: first?.id },
      updatedAt: expect.any(String),
    });
    expect((await api.patch<Redirect>(`${path}/redirects/${made.body.id}`, { source: '/older' })).body.source).toBe(
      '/older',
    );
    expect(
      (
        await api.patch(
          `${path}/redirects/${made.body.id}`,
          { source: '/x' },
          { headers: { 'If-Match': changed.headers.get('etag') ?? '' } },
        )
      ).status,
    ).toBe(412);
    expect((await api.get(`${path}/redirect`, { query: { source: '/old/linux' } })).status).toBe(404);
    expect((await api.get<List<Redirect>>(`${path}/redirects`)).body.count).toBe(3);
    for (let time = 0; time < 2; time++)
      expect((await api.delete(`${path}/redirects/${made.body.id}`)).status).toBe(204);
    expect((await api.get<List<Redirect>>(`${path}/redirects`)).body.items.map(({ id }) => id)).toEqual([
      elsewhere.body.id,
      other.body.id,
    ]);
    expect((await api.patch(`${path}/redirects/${made.body.id}`, { source: '/y' })).status).toBe(404);
    expect((await api.get<List<Redirect>>(`${path}/redirects`)).body.count).toBe(2);
  });

  it('begin once at a path, and lead to what is there and the caller sees', async () => {
    const { workspace, api, path, siteSpaces, guide, root } = await buildSite();
    const [first] = siteSpaces;
    const post = (source: string, destination: object) =>
      api.post<Refusal>(`${path}/redirects`, { source, destination });
    const space = { kind: 'site-space', siteSpaceId: first?.id };
    expect((await post('/a', space)).status).toBe(201);
    const taken = await post('/A', space);
    expect([taken.status, pathsAt(taken)]).toEqual([409, ['source']]);
    for (const source of ['a', '/', '/a b', '/a?b', '/%', '/a//b', `/${'x'.repeat(512)}`])
      expect([source, (await post(source, space)).status]).toEqual([source, 400]);
    for (const source of ['/%FF', '/%00']) expect(pathsAt(await post(source, space))).toEqual(['source']);
    const bad: readonly (readonly [object, string])[] = [
      [{ kind: 'site-section' }, 'destination.siteSectionId'],
      [{ kind: 'site-section', siteSectionId: UNKNOWN }, 'destination.siteSectionId'],
      [{ kind: 'site-space', siteSpaceId: UNKNOWN }, 'destination.siteSpaceId'],
      [{ kind: 'site-page', siteSpaceId: first?.id }, 'destination.pageId'],
      [{ kind: 'site-page', siteSpaceId: first?.id, pageId: UNKNOWN }, 'destination.pageId'],
      [{ kind: 'external' }, 'destination.url'],
      [{ kind: 'external', url: 'javascript:alert(1)' }, 'destination.url'],
      [{ kind: 'external', url: `${root}/a` }, 'destination.url'],
      [{ kind: 'page' }, 'destination.kind'],
    ];
    for (const [destination, at] of bad) {
      const answer = await post('/b', destination);
      expect([destination, answer.status, pathsAt(answer)]).toEqual([destination, 400, [at]]);
    }
    const stranger = await buildSite();
    expect(pathsAt(await post('/b', { kind: 'site-space', siteSpaceId: stranger.siteSpaces[0]?.id }))).toEqual([
      'destination.siteSpaceId',
    ]);
    expect((await stranger.api.post(`${path}/redirects`, { source: '/b', destination: space })).status).toBe(404);
    const reader = await workspace.member('read');
    expect((await reader.api.post(`${path}/redirects`, { source: '/b', destination: space })).status).toBe(403);
    expect((await reader.api.get<Found>(`${path}/redirect`, { query: { source: '/a' } })).body.target).toBe(root);
    await api.patch(`/spaces/${guide.id}`, { defaultLevel: null });
    expect((await reader.api.get(`${path}/redirect`, { query: { source: '/a' } })).status).toBe(404);
  });

  it('go with what they lead to', async () => {
    const { api, path, siteSpaces, api2 } = await buildSite();
    const second = siteSpaces[1]?.id;
    await api.post(`${path}/redirects`, {
      source: '/calls',
      destination: { kind: 'site-page', siteSpaceId: second, pageId: api2.pages['Calls'] },
    });
    expect((await api.get(`${path}/redirect`, { query: { source: '/calls' } })).status).toBe(200);
    await api.post(`/spaces/${api2.id}/content`, {
      changes: [{ operation: 'delete_page', page: api2.pages['Calls'] }],
    });
    expect((await api.get(`${path}/redirect`, { query: { source: '/calls' } })).status).toBe(404);
    await api.delete(`${path}/site-spaces/${second}`);
    expect((await api.get<List<Redirect>>(`${path}/redirects`)).body.count).toBe(0);
  });
});

describe('redirects that the service leaves', () => {
  it('lead from where sections and site spaces were found before, with what lies below', async () => {
    const { workspace, api, path, siteSpaces, root, siteId } = await buildSite();
    const resolve = async (from: string) =>
      (await app.current.get(LiveRedirects).find(siteId, from))?.target as { path?: string } | undefined;
    const [first, second] = siteSpaces;
    await api.patch(`${path}/site-spaces/${second?.id}`, { path: 'api' });
    expect(await resolve('Reference')).toMatchObject({ path: 'api' });
    expect(await resolve('/reference/calls/')).toMatchObject({ path: 'api/calls' });
    expect(await resolve('reference/nothing')).toBeUndefined();
    const found = await api.get<Found>(`${path}/redirect`, { query: { source: '/reference/CALLS' } });
    expect(found.body).toMatchObject({
      target: `${root}/api/calls`,
      redirect: { source: '/reference', destination: { kind: 'site-space', siteSpaceId: second?.id } },
    });
    expect((await api.get<List<Redirect>>(`${path}/redirects`)).body.count).toBe(0);

    await api.patch(path, { defaultSiteSpace: second?.id });
    expect(await resolve('api/calls')).toMatchObject({ path: 'calls' });
    expect(await resolve('use')).toMatchObject({ path: 'guide/use' });
    expect(await resolve('install/linux')).toMatchObject({ path: 'guide/install/linux' });

    const extra = await spaceOf(workspace, 'Extra', 'Start');
    const { body: section } = await api.post<Thing>(`${path}/sections`, { spaceId: extra.id, title: 'Extra' });
    await api.patch(`${path}/sections/${section.id}`, { path: 'more' });
    await api.patch(`${path}/sections/${section.id}`, { path: 'most' });
    for (const old of ['extra/start', 'more/start']) expect(await resolve(old)).toMatchObject({ path: 'most/start' });
    await api.patch(path, { defaultSiteSection: section.id });
    for (const old of ['extra/start', 'more/start', 'most/start'])
      expect(await resolve(old)).toMatchObject({ path: 'start' });
    const { path: moved = '' } = (await resolve('guide/use')) ?? {};
    expect(moved).toMatch(/\/guide\/use$/);
    await api.delete(`${path}/site-spaces/${first?.id}`);
    expect(await resolve('guide/use')).toBeUndefined();
  });

  it('never lead in circles, and give way to what people gave', async () => {
    const { api, path, siteSpaces, siteId } = await buildSite();
    const resolve = async (from: string) => (await app.current.get(LiveRedirects).find(siteId, from))?.target;
    const [first, second] = siteSpaces;
    const { body: third } = await api.post<SiteSpace>(`${path}/site-spaces`, {
      spaceId: (await buildSpace(path, api)).id,
    });
    const rename = (id: string | undefined, to: string) => api.patch(`${path}/site-spaces/${id}`, { path: to });
    await rename(second?.id, 'b');
    await rename(third.id, 'reference');
    await rename(second?.id, 'c');
    await rename(third.id, 'b');
    await rename(second?.id, 'reference');
    await rename(third.id, 'c');
    for (const start of ['b', 'c', 'reference']) {
      let at = `${start}/nowhere`;
      for (let hop = 0; hop < 5; hop++) {
        const target = await resolve(at);
        if (!target || !('path' in target)) break;
        at = target.path;
        expect(hop).toBeLessThan(2);
      }
    }
    expect(await resolve('b/calls')).toMatchObject({ path: 'reference/calls' });
    await api.post(`${path}/redirects`, {
      source: '/b/calls',
      destination: { kind: 'site-space', siteSpaceId: first?.id },
    });
    expect(await resolve('b/calls')).toMatchObject({ path: '' });
    expect(await app.current.get(LiveRedirects).find(siteId, 'b/calls', new Set())).toBeUndefined();
  });

  it('lead from a former basename until another site has it', async () => {
    const [one, other] = [await buildSite(), await buildSite()];
    const redirects = app.current.get(LiveRedirects);
    const { body: before } = await one.api.get<{ basename: string }>(one.path);
    const basename = `renamed-${one.siteId.toLowerCase()}`;
    await one.api.patch(one.path, { basename });
    expect(await redirects.formerSite(before.basename.toUpperCase())).toEqual({ id: one.siteId, basename });
    await other.api.patch(other.path, { basename: before.basename });
    await other.api.patch(other.path, { basename: `other-${other.siteId.toLowerCase()}` });
    expect(await redirects.formerSite(before.basename)).toMatchObject({ id: other.siteId });
    await other.api.delete(other.path);
    expect(await redirects.formerSite(before.basename)).toBeUndefined();
  });
});

async function buildSpace(path: string, api: Client): Promise<Thing> {
  return (await api.post<Thing>(path.replace(/\/sites\/.*/, '/spaces'), { title: 'Third', empty: true })).body;
}

describe('lists of redirects', () => {
  const YAML = [
    'root: ./',
    'redirects:',
    '  old/linux: install/linux.md',
    '  /moved/Use: ./use.md',
    '  shop: https://shop.example.com/',
    '  home: README.md',
    '  lost: gone.md',
    '  none:',
    '',
  ].join('\n');

  it('are taken from a .gitbook.yaml, and tell what became of each line', async () => {
    const { api, path, root, siteId } = await buildSite();
    const taken = await api.post<Report>(`${path}/redirects/import`, { yaml: YAML });
    expect(taken.status).toBe(200);
    expect(taken.body).toEqual({
      created: 4,
      updated: 0,
      unchanged: 0,
      skipped: 2,
      entries: [
        { line: 3, from: 'old/linux', status: 'created', source: '/old/linux' },
        { line: 4, from: '/moved/Use', status: 'created', source: '/moved/Use' },
        { line: 5, from: 'shop', status: 'created', source: '/shop' },
        { line: 6, from: 'home', status: 'created', source: '/home' },
        { line: 7, from: 'lost', status: 'skipped', message: 'there is no page gone' },
        { line: 8, from: 'none', status: 'skipped', message: 'it has no target' },
      ],
    });
    const target = async (source: string) =>
      (await api.get<Found>(`${path}/redirect`, { query: { source } })).body.target;
    expect(await target('/old/linux')).toBe(`${root}/install/linux`);
    expect(await target('/moved/use')).toBe(`${root}/use`);
    expect(await target('/shop')).toBe('https://shop.example.com/');
    expect(await target('/home')).toBe(root);
    const again = await api.post<Report>(`${path}/redirects/import`, {
      redirects: {
        'old/linux': 'use.md',
        shop: 'https://shop.example.com/',
        ['bad path?']: 'use.md',
        'OLD/linux': 'use.md',
        self: `${root}/use`,
      },
    });
    expect(again.body).toMatchObject({ created: 1, updated: 1, unchanged: 1, skipped: 2 });
    expect(again.body.entries.map(({ status }) => status)).toEqual([
      'updated',
      'unchanged',
      'created',
      'skipped',
      'skipped',
    ]);
    expect(await target('/old/linux')).toBe(`${root}/use`);
    const events = await app.current.database.query<{ payload: object }>(
      `SELECT payload FROM event WHERE target = $1 AND type = 'site_redirects_imported' ORDER BY at, id`,
      [siteId],
    );
    expect(events.map(({ payload }) => payload)).toEqual([
      { created: 4, updated: 0 },
      { created: 1, updated: 1 },
    ]);
  });

  it('begin below the site space that is named, and are refused where they are none', async () => {
    const { api, path, siteSpaces, root } = await buildSite();
    const taken = await api.post<Report>(`${path}/redirects/import`, {
      redirects: { 'old/calls': 'calls.md' },
      siteSpace: siteSpaces[1]?.id,
    });
    expect(taken.body.entries).toEqual([{ from: 'old/calls', status: 'created', source: '/reference/old/calls' }]);
    expect((await api.get<Found>(`${path}/redirect`, { query: { source: '/reference/old/calls' } })).body.target).toBe(
      `${root}/reference/calls`,
    );
    const long = Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`older/${index}`, 'calls.md']));
    expect(
      (await api.post<Report>(`${path}/redirects/import`, { redirects: long, siteSpace: siteSpaces[1]?.id })).body,
    ).toMatchObject({ created: 1_500, skipped: 0 });
    const many = Object.fromEntries(Array.from({ length: 5_001 }, (_, index) => [`old/${index}`, 'use.md']));
    for (const [body, at] of [
      [{}, 'redirects'],
      [{ yaml: 'a', redirects: {} }, 'redirects'],
      [{ yaml: 'a: [' }, 'yaml'],
      [{ yaml: 'root: ./' }, 'yaml'],
      [{ redirects: many }, 'redirects'],
      [{ redirects: {}, siteSpace: UNKNOWN }, 'siteSpace'],
    ] as const) {
      const answer = await api.post<Refusal>(`${path}/redirects/import`, body);
      expect([answer.status, pathsAt(answer)]).toEqual([400, [at]]);
    }
  });
});

describe('hostnames', () => {
  it('are set and removed, unique in the installation, and where the site is found', async () => {
    const [one, other] = [await buildSite(), await buildSite()];
    const hostname = `docs.${one.siteId.toLowerCase()}.example`;
    const set = await one.api.patch<{ hostname?: string; proxy?: { target: string }; urls: { published: string } }>(
      one.path,
      { hostname },
    );
    const port = new URL(one.root).port;
    expect(set.body).toMatchObject({ hostname, urls: { published: `http://${hostname}:${port}` } });
    const spaces = await one.api.get<List<{ urls: { published: string }; space: { urls: { published: string } } }>>(
      `${one.path}/site-spaces`,
    );
    expect(spaces.body.items.map(({ urls, space }) => [urls.published, space.urls.published])).toEqual([
      [`http://${hostname}:${port}`, `http://${hostname}:${port}`],
      [`http://${hostname}:${port}/reference`, `http://${hostname}:${port}/reference`],
    ]);
    const proxied = await one.api.patch<{ proxy?: { target: string }; urls: { published: string } }>(one.path, {
      proxy: 'example.com/docs',
    });
    expect(proxied.body).toMatchObject({
      proxy: { origin: 'example.com/docs', target: one.root },
      urls: { published: 'https://example.com/docs' },
    });
    const taken = await other.api.patch<Refusal>(other.path, { hostname });
    expect([taken.status, pathsAt(taken)]).toEqual([409, ['hostname']]);
    for (const bad of [
      'example.com',
      'Docs.example.com',
      'docs.example.com.',
      'docs..example.com',
      '-docs.example.com',
      'https://docs.example.com',
      '',
      `${'a.'.repeat(300)}com`,
    ]) {
      expect([bad, (await other.api.patch<Refusal>(other.path, { hostname: bad })).status]).toEqual([bad, 400]);
    }
    const raced = await Promise.all(
      [one, other].map(({ api, path }) => api.patch(path, { hostname: `race.${other.siteId.toLowerCase()}.example` })),
    );
    expect(raced.map(({ status }) => status).sort()).toEqual([200, 409]);
    await one.api.patch(one.path, { hostname: null, proxy: null });
    const after = await one.api.get<{ urls: { published: string } }>(one.path);
    expect(after.body).not.toHaveProperty('hostname');
    expect(after.body.urls.published).toBe(one.root);
  });
});

describe('the rules of redirects', () => {
  it('compares paths, and reads them from lists', () => {
    expect([comparablePath('/%C3%9Cber/Uns/'), comparablePath('%zz'), comparablePath('%00')]).toEqual([
      'über/uns',
      undefined,
      undefined,
    ]);
    expect([beginningsOf('a/b/c'), beginningsOf('')]).toEqual([['a/b/c', 'a/b', 'a', ''], ['']]);
    expect([sourceOf('a/Über uns'), sourceOf('/a/%C3%9C'), sourceOf('100%')]).toEqual([
      '/a/%C3%9Cber%20uns',
      '/a/%C3%9C',
      '/100%25',
    ]);
    for (const path of ['a/Über uns', "it's/(here)!", '100%']) expect(sourceOf(path)).toMatch(SOURCE_PATTERN);
    expect(redirectsOfYaml('redirects:\n  a: b\n')).toEqual([{ from: 'a', to: 'b', line: 2 }]);
    expect(() => redirectsOfYaml('redirects: []')).toThrow('no mapping');
  });
});
