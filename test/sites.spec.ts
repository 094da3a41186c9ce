import type { Router } from 'express';
import { describe, expect, it } from '@jest/globals';
import { newId } from '../src/kernel/common/ids.js';
import { keyBetween, MAX_KEY_LENGTH } from '../src/kernel/common/order-key.js';
import { DEFAULT_CUSTOMIZATION } from '../src/publishing/sites/customization.schema.js';
import { overlay, patchOverrides, customizationReferences } from '../src/publishing/sites/domain/customization.js';
import { basenameFault, basenameOf } from '../src/publishing/sites/domain/paths.js';
import { gapAt, successor } from '../src/publishing/sites/domain/structure.js';
import { reachableStructure } from '../src/publishing/published-sites/domain/reachable-structure.js';
import { useApp } from './app.js';
import { buildOrganization, type Person, type Workspace } from './build.js';
import type { Answer, Client } from './client.js';

const app = useApp();
const UNKNOWN = 'AbCdEfGh0123456789Xy';

interface SiteSpace {
  id: string;
  path: string;
  default: boolean;
  section?: string;
  condition?: string;
  title: string;
  space: { id: string; visibility: string; urls: { published?: string } };
  urls: { published?: string };
}
interface Section {
  object: string;
  id: string;
  title: string;
  path: string;
  default: boolean;
  sectionGroup?: string;
  siteSpaces: SiteSpace[];
  urls: { published?: string };
}
interface Group {
  object: string;
  id: string;
  title: string;
  sectionGroup?: string;
  children: (Section | Group)[];
}
interface Site {
  id: string;
  title: string;
  basename: string;
  published: boolean;
  siteSpaces: number;
  urls: { location: string; published?: string };
}
interface List<Item> {
  items: Item[];
  count: number;
  next?: { page: string };
}
interface Refusal {
  error: { message: string; details?: { path: string; message: string }[] };
}
interface Profile {
  site: Site;
  structure: { type: string; structure: (Section & SiteSpace)[] };
  customizations: { site: object; siteSpaces: Record<string, object> };
  scripts: object[];
}

/** A space of an organization, made by its administrator or by somebody else. */
async function insertSpace(workspace: Workspace, title: string, creator: Person = workspace.admin): Promise<string> {
  const id = newId();
  await app.current.database.execute(
    `INSERT INTO space (id, organization_id, title, position, revision_id, created_by, created_at, updated_at)
     VALUES ($1, $2, $3, 'V', $4, $5, now(), now())`,
    [id, workspace.id, title, newId(), creator.id],
  );
  return id;
}

interface Built {
  readonly workspace: Workspace;
  readonly api: Client;
  readonly spaces: string[];
  readonly site: Site;
  /** The path of the site on the API. */
  readonly path: string;
  readonly siteSpaces: () => Promise<SiteSpace[]>;
  readonly sections: () => Promise<Section[]>;
}

/** A site of an organization of its own with spaces of the given titles at its root. */
async function buildSite(...titles: string[]): Promise<Built> {
  const workspace = await buildOrganization(app.current);
  const { api } = workspace.admin;
  const spaces: string[] = [];
  for (const title of titles) spaces.push(await insertSpace(workspace, title));
  const { body: site } = await api.post<Site>(`/orgs/${workspace.id}/sites`, { title: 'Manual', spaces });
  const path = `/orgs/${workspace.id}/sites/${site.id}`;
  return {
    workspace,
    api,
    spaces,
    site,
    path,
    siteSpaces: async () => (await api.get<List<SiteSpace>>(`${path}/site-spaces`)).body.items,
    sections: async () => (await api.get<List<Section>>(`${path}/sections`)).body.items,
  };
}

const pathsAt = (answer: Answer<Refusal>): string[] => (answer.body.error.details ?? []).map(({ path }) => path);
const refused = (answer: Answer<unknown>): Answer<Refusal> => answer as Answer<Refusal>;

async function eventsOf(target: string): Promise<string[]> {
  const rows = await app.current.database.query<{ type: string }>(
    'SELECT type FROM event WHERE target = $1 ORDER BY at, id',
    [target],
  );
  return rows.map(({ type }) => type);
}

describe('sites', () => {
  it('makes one of spaces in order, unpublished, and shows it', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const [first, second] = [await insertSpace(workspace, 'Handbuch für Ärzte'), await insertSpace(workspace, 'API')];
    const made = await api.post<Site>(`/orgs/${workspace.id}/sites`, {
      title: 'Praxis',
      type: 'premium',
      visibility: 'unlisted',
      spaces: [second, first],
    });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(made.body.urls.location);
    expect(made.body).toMatchObject({
      object: 'site',
      title: 'Praxis',
      type: 'premium',
      visibility: 'unlisted',
      published: false,
      siteSpaces: 2,
      agentsContext: 'included',
      adaptiveContent: { enabled: false },
    });
    expect(made.body.urls).not.toHaveProperty('published');
    const read = await api.get(`/orgs/${workspace.id}/sites/${made.body.id}`);
    expect(read.body).toEqual(made.body);
    expect(read.headers.get('etag')).toMatch(/^"1\./);
    const ofType = async (type: string) =>
      (await api.get<List<Site>>(`/orgs/${workspace.id}/sites`, { query: { type } })).body.items.map(({ id }) => id);
    expect([await ofType('premium'), await ofType('basic')]).toEqual([[made.body.id], []]);
    const listed = await api.get<List<SiteSpace>>(`/orgs/${workspace.id}/sites/${made.body.id}/site-spaces`);
    expect(listed.body.items.map(({ space, path, default: isDefault }) => [space.id, path, isDefault])).toEqual([
      [second, 'api', true],
      [first, 'handbuch-fur-arzte', false],
    ]);
    expect(await eventsOf(made.body.id)).toEqual(['site_created']);
  });

  it('needs no body, and names sites after their first space', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const bare = await api.post<Site>(`/orgs/${workspace.id}/sites`);
    expect(bare.body).toMatchObject({ title: 'Documentation', visibility: 'public', type: 'basic', siteSpaces: 0 });
    const named = await api.post<Site>(`/orgs/${workspace.id}/sites`, {
      spaces: [await insertSpace(workspace, 'Garden tools'), await insertSpace(workspace, 'Garden tools')],
    });
    expect(named.body.title).toBe('Garden tools');
    const listed = await api.get<List<SiteSpace>>(`/orgs/${workspace.id}/sites/${named.body.id}/site-spaces`);
    expect(listed.body.items.map(({ path }) => path)).toEqual(['garden-tools', 'garden-tools-1']);
    const short = await api.post<Site>(`/orgs/${workspace.id}/sites`, { spaces: [await insertSpace(workspace, 'X')] });
    expect(short.body.title).toBe('Documentation');
    expect(short.body.basename).not.toBe(bare.body.basename);
  });

  it('names every fault of a new site, and takes only spaces that the caller administers', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const own = await insertSpace(workspace, 'Own');
    const foreign = await insertSpace(await buildOrganization(app.current), 'Foreign');
    const trashed = await insertSpace(workspace, 'Trashed');
    await api.delete(`/spaces/${trashed}`);
    const bad = await api.post<Refusal>(`/orgs/${workspace.id}/sites`, {
      title: 'M',
      visibility: 'secret',
      type: 'huge',
      spaces: 'none',
    });
    expect(bad.status).toBe(400);
    expect(pathsAt(bad).sort()).toEqual(['spaces', 'title', 'type', 'visibility']);
    const spaces = await api.post<Refusal>(`/orgs/${workspace.id}/sites`, {
      spaces: [own, foreign, UNKNOWN, trashed, own],
    });
    expect(spaces.status).toBe(400);
    expect(pathsAt(spaces)).toEqual(['spaces.1', 'spaces.2', 'spaces.3', 'spaces.4']);
    const [foreignFault, unknownFault] = spaces.body.error.details ?? [];
    expect(foreignFault?.message).toBe(unknownFault?.message);

    const creator = await workspace.member('create');
    await app.current.database.execute(
      `INSERT INTO space_member_grant (space_id, user_id, role, created_at) VALUES ($1, $2, 'edit', now())`,
      [own, creator.id],
    );
    const weak = await creator.api.post<Refusal>(`/orgs/${workspace.id}/sites`, { spaces: [own] });
    expect(weak.status).toBe(403);
    expect(weak.body.error.message).toContain('space:admin');
    expect((await api.get<List<Site>>(`/orgs/${workspace.id}/sites`)).body.count).toBe(0);
  });

  it('lets its creator and administrators administer, other members view, and nobody else see it', async () => {
    const { workspace, path, site } = await buildSite('Guide');
    const [creator, editor, guest, stranger] = [
      await workspace.member('create'),
      await workspace.member('edit'),
      await workspace.member('none'),
      (await buildOrganization(app.current)).admin,
    ];
    const sites = `/orgs/${workspace.id}/sites`;
    expect((await editor.api.post(sites, {})).status).toBe(403);
    const own = await creator.api.post<Site>(sites, { title: 'Mine' });
    expect((await creator.api.post(`${sites}/${own.body.id}/publish`)).status).toBe(200);
    expect((await creator.api.post(`${path}/publish`)).status).toBe(403);
    for (const operation of ['publish', 'unpublish'])
      expect((await editor.api.post(`${path}/${operation}`)).status).toBe(403);
    const denied = await editor.api.patch<Refusal>(path, { title: 'Taken over' });
    expect(denied.status).toBe(403);
    expect(denied.body.error.message).toContain('site:admin');
    expect((await editor.api.delete(path)).status).toBe(403);
    expect((await editor.api.get<Site>(path)).body).toMatchObject({ id: site.id, title: 'Manual' });
    for (const { api } of [guest, stranger]) {
      for (const answer of [
        await api.get(path),
        await api.patch(path, { title: 'Taken over' }),
        await api.post(`${path}/publish`),
        await api.get(`${path}/site-spaces`),
        await api.get(`${path}/published`),
        await api.get(`${path}/customization`),
      ]) {
        expect(answer.status).toBe(404);
      }
    }
    const unknown = await guest.api.get(`${sites}/${UNKNOWN}`);
    expect((await guest.api.get(path)).body).toEqual(unknown.body);
    expect((await guest.api.delete(path)).status).toBe(204);
    expect((await guest.api.get<List<Site>>(sites)).body).toEqual({ items: [], count: 0 });
    await app.current.database.execute(
      `INSERT INTO site_member_grant (organization_id, site_id, user_id, role, created_at) VALUES ($1, $2, $3, 'read', now())`,
      [workspace.id, site.id, guest.id],
    );
    expect((await guest.api.get<List<Site>>(sites)).body).toMatchObject({ count: 1, items: [{ id: site.id }] });
    expect((await guest.api.get<List<SiteSpace>>(`${path}/site-spaces`)).body).toMatchObject({
      count: 1,
      items: [{ title: 'Guide' }],
    });
  });

  it('lists by space, title, publication and type, in pages', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const sites = `/orgs/${workspace.id}/sites`;
    const space = await insertSpace(workspace, 'Shared');
    const made: Site[] = [];
    for (const [title, type, spaces] of [
      ['Alpha docs', 'basic', [space]],
      ['Beta docs', 'premium', []],
      ['Gamma 100%', 'ultimate', [space]],
    ] as const) {
      made.push((await api.post<Site>(sites, { title, type, spaces })).body);
    }
    await api.post(`${sites}/${made[1]?.id}/publish`);
    const titles = async (query: Record<string, string | boolean | string[]>) =>
      (await api.get<List<Site>>(sites, { query })).body.items.map(({ title }) => title);
    expect(await titles({})).toEqual(['Gamma 100%', 'Beta docs', 'Alpha docs']);
    expect(await titles({ space })).toEqual(['Gamma 100%', 'Alpha docs']);
    expect(await titles({ space: UNKNOWN })).toEqual([]);
    expect(await titles({ title: 'DOCS' })).toEqual(['Beta docs', 'Alpha docs']);
    expect(await titles({ title: '%' })).toEqual(['Gamma 100%']);
    expect(await titles({ published: true })).toEqual(['Beta docs']);
    expect(await titles({ published: false })).toEqual(['Gamma 100%', 'Alpha docs']);
    expect(await titles({ type: 'basic' })).toEqual(['Alpha docs']);
    expect(await titles({ type: ['basic', 'ultimate'] })).toEqual(['Gamma 100%', 'Alpha docs']);
    const page = await api.get<List<Site>>(sites, { query: { limit: 2 } });
    expect(page.body).toMatchObject({ count: 3, items: [{ title: 'Gamma 100%' }, { title: 'Beta docs' }] });
    const rest = await api.get<List<Site>>(sites, { query: { limit: 2, page: page.body.next?.page } });
    expect(rest.body.items.map(({ title }) => title)).toEqual(['Alpha docs']);
    expect((await api.get(sites, { query: { page: page.body.next?.page, title: 'docs' } })).status).toBe(400);
    expect((await api.get(sites, { query: { published: 'maybe' } })).status).toBe(400);
    const reader = await workspace.member('read');
    await app.current.database.execute(`UPDATE space SET default_level = 'none' WHERE id = $1`, [space]);
    expect((await reader.api.get<List<Site>>(sites, { query: { space } })).body.count).toBe(0);
  });

  it('changes settings, keeps absent ones and clears the proxy with null', async () => {
    const { api, path, site } = await buildSite('Guide');
    const basename = `manual-${site.id.toLowerCase()}`;
    const changed = await api.patch<Site>(path, {
      title: 'New title',
      visibility: 'visitor-auth',
      basename,
      adaptiveContent: { enabled: true },
      agentsContext: 'excluded',
      proxy: 'example.com/docs',
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      title: 'New title',
      visibility: 'visitor-auth',
      basename,
      adaptiveContent: { enabled: true },
      agentsContext: 'excluded',
      proxy: { origin: 'example.com/docs' },
    });
    expect((await api.get(path)).body).toEqual(changed.body);
    const another = await buildSite('Other guide');
    const taken = await another.api.patch<Refusal>(another.path, { proxy: 'Example.com/docs' });
    expect({ status: taken.status, paths: pathsAt(taken) }).toEqual({ status: 409, paths: ['proxy'] });
    const cleared = await api.patch<Site>(path, { proxy: null });
    expect(cleared.body).not.toHaveProperty('proxy');
    expect(cleared.body).toMatchObject({ title: 'New title', basename });
    const same = await api.patch<Site>(path, { title: 'New title' });
    expect(same.headers.get('etag')).toBe(cleared.headers.get('etag'));
    expect(await eventsOf(site.id)).toEqual(['site_created', 'site_updated', 'site_updated']);
    const bad = await api.patch<Refusal>(path, {
      title: '',
      visibility: 'private',
      basename: 'a/b',
      adaptiveContent: { enabled: 'yes' },
      agentsContext: 'maybe',
      proxy: 'https://example.com',
      defaultSiteSpace: 7,
    });
    expect(bad.status).toBe(400);
    expect(pathsAt(bad).sort()).toEqual([
      'adaptiveContent.enabled',
      'agentsContext',
      'defaultSiteSpace',
      'proxy',
      'title',
      'visibility',
    ]);
    expect(pathsAt(await api.patch<Refusal>(path, { basename: 'a/b' }))).toEqual(['basename']);
    expect(pathsAt(await api.patch<Refusal>(path, { defaultSiteSpace: UNKNOWN }))).toEqual(['defaultSiteSpace']);
    expect(pathsAt(await api.patch<Refusal>(path, { defaultSiteSection: UNKNOWN }))).toEqual(['defaultSiteSection']);
    expect((await api.get(path)).body).toEqual(cleared.body);
  });

  it('shows the hostname that the operator gave it', async () => {
    const { api, path, site } = await buildSite('Guide');
    expect(site).not.toHaveProperty('hostname');
    await app.current.database.execute(`UPDATE site SET hostname = 'docs.acme.example' WHERE id = $1`, [site.id]);
    expect((await api.get(path)).body).toMatchObject({ id: site.id, hostname: 'docs.acme.example' });
  });

  it('refuses changes of a version that is no longer the latest', async () => {
    const { api, path } = await buildSite('Guide');
    const before = (await api.get(path)).headers.get('etag') ?? '';
    expect((await api.patch(path, { title: 'Second' }, { headers: { 'If-Match': before } })).status).toBe(200);
    expect((await api.patch(path, { title: 'Third' }, { headers: { 'If-Match': before } })).status).toBe(412);
    expect((await api.post(`${path}/publish`, undefined, { headers: { 'If-Match': before } })).status).toBe(412);
    expect((await api.get<Site>(path)).body).toMatchObject({ title: 'Second', published: false });
  });

  it('keeps basenames unique in the installation, whatever their case', async () => {
    const [one, two] = [await buildSite('Guide'), await buildSite('Guide')];
    expect(one.site.basename).not.toBe(two.site.basename);
    const taken = await two.api.patch<Refusal>(two.path, { basename: one.site.basename.toUpperCase() });
    expect(taken.status).toBe(409);
    expect(pathsAt(taken)).toEqual(['basename']);
    const recased = await one.api.patch<Site>(one.path, { basename: one.site.basename.toUpperCase() });
    expect(recased.body.basename).toBe(one.site.basename.toUpperCase());
    const wanted = `race-${two.site.id.toLowerCase()}`;
    const raced = await Promise.all([one, two].map(({ api, path }) => api.patch(path, { basename: wanted })));
    expect(raced.map(({ status }) => status).sort()).toEqual([200, 409]);
    const racing = await Promise.all(
      Array.from({ length: 20 }, () =>
        one.api.post<Site>(`/orgs/${one.workspace.id}/sites`, { title: `Same ${wanted}` }),
      ),
    );
    expect(racing.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(racing.map(({ body }) => body.basename)).size).toBe(20);
  });

  it('refuses every first path segment of the listeners as a basename', async () => {
    const router = app.current.nest.getHttpAdapter().getInstance() as { router: Router };
    const routes = router.router.stack.flatMap(({ route }) => (route ? [route.path].flat().map(String) : []));
    const segments = new Set(
      routes.map((path) => path.split('/')[1] ?? '').filter((segment) => segment !== '' && !/^[:*{]/.test(segment)),
    );
    expect([...segments]).toEqual(expect.arrayContaining(['v1', 'docs']));
    for (const segment of [...segments, 'healthz', 'readyz', 'metrics', 'app', '~files', '~app', 'DOCS', 'V1'])
      expect([segment, basenameFault(segment)]).toEqual([segment, expect.any(String)]);
    const { api, path } = await buildSite('Guide');
    const answer = await api.patch<Refusal>(path, { basename: 'docs' });
    expect([answer.status, pathsAt(answer)]).toEqual([400, ['basename']]);
    const { workspace } = await buildSite();
    expect(
      (await workspace.admin.api.post<Site>(`/orgs/${workspace.id}/sites`, { title: 'Docs' })).body.basename,
    ).toMatch(/^docs-\d+$/);
  });

  it('goes away with its structure, and leaves the spaces', async () => {
    const { api, path, workspace, spaces, site } = await buildSite('Guide', 'API');
    await api.post(`${path}/sections`, { spaceId: spaces[0], title: 'Guides' });
    await api.post(`${path}/section-groups`, { title: 'All' });
    await api.post(`${path}/publish`);
    expect((await api.delete(path)).status).toBe(204);
    expect((await api.delete(path)).status).toBe(204);
    expect((await api.get(path)).status).toBe(404);
    expect((await api.get(`${path}/site-spaces`)).status).toBe(404);
    expect((await api.get<List<Site>>(`/orgs/${workspace.id}/sites`)).body.count).toBe(0);
    expect((await api.get(`/spaces/${spaces[0]}`)).body).toMatchObject({ visibility: 'private', title: 'Guide' });
    expect(await eventsOf(site.id)).toEqual(['site_created', 'site_published', 'site_deleted']);
    expect(await app.current.database.query('SELECT id FROM site_space WHERE site_id = $1', [site.id])).toEqual([]);
  });
});

describe('publication', () => {
  it('shows a published site and its spaces at their addresses, and takes them away again', async () => {
    const { api, path, spaces, site } = await buildSite('Guide', 'Über uns');
    expect((await api.get(`${path}/published`)).status).toBe(404);
    const published = await api.post<Site>(`${path}/publish`);
    expect(published.body).toMatchObject({ id: site.id, published: true });
    const root = published.body.urls.published ?? '';
    expect(root).toMatch(new RegExp(`/${site.basename}$`));
    expect((await api.get(`/spaces/${spaces[0]}`)).body).toMatchObject({
      visibility: 'public',
      urls: { published: root, public: root },
    });
    expect((await api.get(`/spaces/${spaces[1]}`)).body).toMatchObject({
      visibility: 'public',
      urls: { published: `${root}/uber-uns` },
    });
    await api.patch(path, { visibility: 'visitor-auth' });
    expect((await api.get(`/spaces/${spaces[0]}`)).body).toMatchObject({
      visibility: 'visitor-auth',
      visitorAuth: { backend: 'custom' },
      urls: { published: root },
    });
    await api.patch(path, { visibility: 'share-link' });
    const shared = await api.get<{ urls: object }>(`/spaces/${spaces[0]}`);
    expect(shared.body).toMatchObject({ visibility: 'share-link', urls: { published: root } });
    expect(shared.body.urls).not.toHaveProperty('public');
    expect(shared.body).not.toHaveProperty('visitorAuth');
    const unpublished = await api.post<Site>(`${path}/unpublish`);
    expect(unpublished.body).toMatchObject({ published: false, visibility: 'share-link', siteSpaces: 2 });
    expect((await api.get(path)).body).toEqual(unpublished.body);
    const hidden = await api.get<{ urls: object }>(`/spaces/${spaces[0]}`);
    expect(hidden.body).toMatchObject({ visibility: 'private' });
    expect(hidden.body.urls).not.toHaveProperty('published');
    await api.post(`${path}/unpublish`);
    expect(await eventsOf(site.id)).toEqual([
      'site_created',
      'site_published',
      'site_updated',
      'site_updated',
      'site_unpublished',
    ]);
  });

  it('is where the content of a space is found, and no draft or old revision of it', async () => {
    const { id, admin } = await buildOrganization(app.current);
    const { api } = admin;
    const space = `/spaces/${(await api.post<{ id: string }>(`/orgs/${id}/spaces`, { title: 'Guide' })).body.id}`;
    const path = `/orgs/${id}/sites/${(await api.post<Site>(`/orgs/${id}/sites`, { title: 'Manual', spaces: [space.slice('/spaces/'.length)] })).body.id}`;
    const request = (await api.post<{ id: string }>(`${space}/change-requests`, { subject: 'Draft' })).body.id;
    const read = async (place: string) =>
      (await api.get<{ id: string; urls: { app: string; published?: string; public?: string } }>(`${space}${place}`))
        .body;
    const before = await read('/content');
    const { published = '' } = (await api.post<Site>(`${path}/publish`)).body.urls;
    expect((await read('/content')).urls).toEqual({ ...before.urls, published, public: published });
    for (const place of [`/revisions/${before.id}`, `/change-requests/${request}/content`])
      expect((await read(place)).urls).toEqual({ app: expect.any(String) });
    await api.patch(path, { visibility: 'unlisted' });
    expect((await read('/content')).urls).toEqual({ ...before.urls, published });
    await api.post(`${path}/unpublish`);
    expect((await read('/content')).urls).toEqual(before.urls);
  });

  it('shows a space of several sites as the most open of them does', async () => {
    const { api, path, spaces, workspace } = await buildSite('Guide');
    await api.patch(path, { visibility: 'unlisted' });
    await api.post(`${path}/publish`);
    const { body: other } = await api.post<Site>(`/orgs/${workspace.id}/sites`, { title: 'Other', spaces });
    expect((await api.get(`/spaces/${spaces[0]}`)).body).toMatchObject({ visibility: 'unlisted' });
    const published = await api.post<Site>(`/orgs/${workspace.id}/sites/${other.id}/publish`);
    expect((await api.get(`/spaces/${spaces[0]}`)).body).toMatchObject({
      visibility: 'public',
      urls: { published: published.body.urls.published },
    });
  });

  it('gives the complete profile: site, structure and every customization', async () => {
    const { api, path, site, siteSpaces } = await buildSite('Guide', 'API');
    const [guide, reference] = await siteSpaces();
    await api.put(`${path}/customization`, { ...DEFAULT_CUSTOMIZATION, title: 'Shown title' });
    await api.patch(`${path}/site-spaces/${reference?.id}/customization`, { styling: { theme: 'bold' } });
    await api.post(`${path}/publish`);
    const profile = await api.get<Profile>(`${path}/published`);
    expect(profile.status).toBe(200);
    expect(profile.body).toMatchObject({
      object: 'published-content-site',
      site: { id: site.id, published: true },
      scripts: [],
    });
    expect(profile.body.structure.type).toBe('siteSpaces');
    expect(profile.body.structure.structure.map(({ title, default: isDefault }) => [title, isDefault])).toEqual([
      ['Guide', true],
      ['API', false],
    ]);
    const settings = { ...DEFAULT_CUSTOMIZATION, title: 'Shown title' };
    expect(profile.body.customizations).toEqual({
      site: settings,
      siteSpaces: {
        [guide?.id ?? '']: settings,
        [reference?.id ?? '']: { ...settings, styling: { ...settings.styling, theme: 'bold' } },
      },
    });
  });

  it('serves no space in the trash, lets the next one stand in, and brings it back with restore', async () => {
    const { api, path, spaces, siteSpaces } = await buildSite('Guide', 'API');
    const { body: site } = await api.post<Site>(`${path}/publish`);
    const root = site.urls.published;
    await api.delete(`/spaces/${spaces[0]}`);
    const during = await api.get<Profile>(`${path}/published`);
    expect(
      during.body.structure.structure.map(({ title, default: isDefault, urls }) => [title, isDefault, urls.published]),
    ).toEqual([['API', true, root]]);
    expect(Object.keys(during.body.customizations.siteSpaces)).toHaveLength(1);
    expect(during.body.site.siteSpaces).toBe(1);
    expect((await siteSpaces()).map(({ title, default: isDefault }) => [title, isDefault])).toEqual([
      ['Guide', false],
      ['API', true],
    ]);
    expect((await api.get(`/spaces/${spaces[1]}`)).body).toMatchObject({ urls: { published: root } });
    await api.delete(`/spaces/${spaces[1]}`);
    expect((await api.get(`${path}/published`)).status).toBe(404);
    for (const space of spaces) await api.post(`/spaces/${space}/restore`);
    const after = await api.get<Profile>(`${path}/published`);
    expect(
      after.body.structure.structure.map(({ title, default: isDefault, urls }) => [title, isDefault, urls.published]),
    ).toEqual([
      ['Guide', true, root],
      ['API', false, `${root}/api`],
    ]);
  });

  it('leaves out of every answer the spaces that the caller may not see', async () => {
    const { workspace, api, path, spaces, siteSpaces } = await buildSite('Guide', 'Secret');
    const reader = await workspace.member('read');
    await api.post(`${path}/publish`);
    await app.current.database.execute(`UPDATE space SET default_level = 'none' WHERE id = $1`, [spaces[1]]);
    expect((await reader.api.get<List<SiteSpace>>(`${path}/site-spaces`)).body).toMatchObject({
      count: 1,
      items: [{ title: 'Guide' }],
    });
    for (const part of ['published', 'structure'])
      expect(JSON.stringify((await reader.api.get(`${path}/${part}`)).body)).not.toContain('Secret');
    const secret = (await siteSpaces())[1];
    expect((await reader.api.get(`${path}/site-spaces/${secret?.id}/customization`)).status).toBe(404);
    expect((await siteSpaces()).map(({ title }) => title)).toEqual(['Guide', 'Secret']);
  });
});

describe('site spaces', () => {
  it('adds, changes and removes them', async () => {
    const { api, path, workspace, siteSpaces } = await buildSite('Guide');
    const space = await insertSpace(workspace, 'Guide');
    const added = await api.post<SiteSpace>(`${path}/site-spaces`, { spaceId: space });
    expect(added.status).toBe(201);
    expect(added.headers.get('location')).toContain(`/site-spaces/${added.body.id}`);
    expect(added.body).toMatchObject({
      object: 'site-space',
      path: 'guide-1',
      default: false,
      title: 'Guide',
      space: { id: space },
    });
    const changed = await api.patch<SiteSpace>(`${path}/site-spaces/${added.body.id}`, {
      path: 'v2.0',
      condition: 'visitor.claims.isBeta',
    });
    expect(changed.body).toMatchObject({ path: 'v2.0', condition: 'visitor.claims.isBeta' });
    expect((await siteSpaces())[1]).toEqual(changed.body);
    const other = await insertSpace(workspace, 'Other');
    const pointed = await api.patch<SiteSpace>(`${path}/site-spaces/${added.body.id}`, {
      spaceId: other,
      condition: null,
    });
    expect(pointed.body).toMatchObject({ path: 'v2.0', title: 'Other', space: { id: other } });
    expect(pointed.body).not.toHaveProperty('condition');
    expect(
      (
        await api.patch(
          `${path}/site-spaces/${added.body.id}`,
          { path: 'x' },
          { headers: { 'If-Match': changed.headers.get('etag') ?? '' } },
        )
      ).status,
    ).toBe(412);
    const taken = await api.patch<Refusal>(`${path}/site-spaces/${added.body.id}`, { path: 'GUIDE' });
    expect([taken.status, pathsAt(taken)]).toEqual([409, ['path']]);
    for (const [body, at] of [
      [{ path: '~files' }, 'path'],
      [{ path: '' }, 'path'],
      [{ path: 'a/b' }, 'path'],
      [{ condition: 'x'.repeat(1025) }, 'condition'],
      [{ spaceId: UNKNOWN }, 'spaceId'],
    ] as const) {
      const answer = await api.patch<Refusal>(`${path}/site-spaces/${added.body.id}`, body);
      expect([answer.status, pathsAt(answer)]).toEqual([400, [at]]);
    }
    expect((await api.delete(`${path}/site-spaces/${added.body.id}`)).status).toBe(204);
    expect((await api.delete(`${path}/site-spaces/${added.body.id}`)).status).toBe(204);
    expect((await siteSpaces()).map(({ title }) => title)).toEqual(['Guide']);
    expect((await api.patch(`${path}/site-spaces/${added.body.id}`, { path: 'x' })).status).toBe(404);
    expect((await api.get(`/spaces/${other}`)).status).toBe(200);
    expect(await eventsOf(added.body.id)).toEqual([
      'site_space_added',
      'site_space_updated',
      'site_space_updated',
      'site_space_removed',
    ]);
  });

  it('takes neither foreign spaces nor callers without the right', async () => {
    const { api, path, workspace, spaces } = await buildSite('Guide');
    const foreign = await insertSpace(await buildOrganization(app.current), 'Foreign');
    for (const spaceId of [foreign, UNKNOWN]) {
      const answer = await api.post<Refusal>(`${path}/site-spaces`, { spaceId });
      expect([answer.status, pathsAt(answer)]).toEqual([400, ['spaceId']]);
    }
    const section = await api.post<Refusal>(`${path}/site-spaces`, { spaceId: spaces[0], sectionId: UNKNOWN });
    expect([section.status, pathsAt(section)]).toEqual([400, ['sectionId']]);
    expect(pathsAt(await api.post<Refusal>(`${path}/site-spaces`, {}))).toEqual(['spaceId']);
    const creator = await workspace.member('create');
    expect((await creator.api.post(`${path}/site-spaces`, { spaceId: spaces[0] })).status).toBe(403);
    const stranger = (await buildOrganization(app.current)).admin;
    expect((await stranger.api.post(`${path}/site-spaces`, { spaceId: spaces[0] })).status).toBe(404);
    const own = await creator.api.post<Site>(`/orgs/${workspace.id}/sites`, { title: 'Own' });
    await app.current.database.execute(
      `INSERT INTO space_member_grant (space_id, user_id, role, created_at) VALUES ($1, $2, 'review', now())`,
      [spaces[0], creator.id],
    );
    expect(
      (await creator.api.post(`/orgs/${workspace.id}/sites/${own.body.id}/site-spaces`, { spaceId: spaces[0] })).status,
    ).toBe(403);
  });

  it('has exactly one default, which the next in order becomes when it goes', async () => {
    const { api, path, site, siteSpaces } = await buildSite('A1', 'B1', 'C1');
    const { body: published } = await api.post<Site>(`${path}/publish`);
    const root = published.urls.published ?? '';
    const state = async () =>
      (await siteSpaces()).map(
        ({ title, default: isDefault, urls }) =>
          `${title}${isDefault ? '*' : ''} ${urls.published?.slice(root.length)}`,
      );
    expect(await state()).toEqual(['A1* ', 'B1 /b1', 'C1 /c1']);
    const [, second, third] = await siteSpaces();
    await api.patch(path, { defaultSiteSpace: second?.id });
    expect(await state()).toEqual(['A1 /a1', 'B1* ', 'C1 /c1']);
    const defaults = await api.get<List<SiteSpace>>(`${path}/site-spaces`, { query: { default: true } });
    expect(defaults.body).toMatchObject({ count: 1, items: [{ id: second?.id, default: true }] });
    expect(
      (await api.get<List<SiteSpace>>(`${path}/site-spaces`, { query: { default: false } })).body.items.map(
        ({ title }) => title,
      ),
    ).toEqual(['A1', 'C1']);
    const page = await api.get<List<SiteSpace>>(`${path}/site-spaces`, { query: { limit: 2 } });
    expect(page.body.items.map(({ title }) => title)).toEqual(['A1', 'B1']);
    expect(
      (
        await api.get<List<SiteSpace>>(`${path}/site-spaces`, { query: { limit: 2, page: page.body.next?.page } })
      ).body.items.map(({ title }) => title),
    ).toEqual(['C1']);
    await api.delete(`${path}/site-spaces/${second?.id}`);
    expect(await state()).toEqual(['A1 /a1', 'C1* ']);
    await api.delete(`${path}/site-spaces/${third?.id}`);
    expect(await state()).toEqual(['A1* ']);
    await api.delete(`${path}/site-spaces/${(await siteSpaces())[0]?.id}`);
    expect(await state()).toEqual([]);
    expect((await api.get(`${path}/published`)).status).toBe(404);
    expect((await api.get<Site>(path)).body).toMatchObject({ id: site.id, published: true, siteSpaces: 0 });
    expect((await api.get(`${path}/structure`)).body).toEqual({ type: 'siteSpaces', structure: [] });
  });

  it('moves them before, after, between and to the end', async () => {
    const { api, path, siteSpaces } = await buildSite('A1', 'B1', 'C1', 'D1');
    const [a = '', b = '', c = '', d = ''] = (await siteSpaces()).map(({ id }) => id);
    const at = (siteSpace: string) => ({ type: 'site-space', siteSpace });
    const order = async () => (await siteSpaces()).map(({ title }) => title.charAt(0)).join('');
    const move = (id: string, body?: object) => api.post<SiteSpace>(`${path}/site-spaces/${id}/move`, body);
    const moved = await move(d, { position: { before: at(a) } });
    expect([moved.status, moved.body.id, await order()]).toEqual([200, d, 'DABC']);
    await move(d, { position: { after: at(b) } });
    expect(await order()).toBe('ABDC');
    await move(a, { position: { after: at(d), before: at(c) } });
    expect(await order()).toBe('BDAC');
    await move(b);
    expect(await order()).toBe('DACB');
    for (const position of [
      { before: at(UNKNOWN) },
      { before: at(a) },
      { after: at(d), before: at(b) },
      { after: { type: 'site-section', siteSpace: d } },
    ]) {
      expect((await move(a, { position })).status).toBe(400);
    }
    expect((await move(UNKNOWN, { position: { before: at(a) } })).status).toBe(404);
    expect((await siteSpaces()).filter(({ default: isDefault }) => isDefault).map(({ id }) => id)).toEqual([a]);
  });

  it('keeps one default and distinct paths and places when many change a site at once', async () => {
    const { api, path, workspace, site, siteSpaces } = await buildSite();
    const spaces = await Promise.all(Array.from({ length: 6 }, () => insertSpace(workspace, 'Same')));
    const added = await Promise.all(spaces.map((spaceId) => api.post<SiteSpace>(`${path}/site-spaces`, { spaceId })));
    expect(added.map(({ status }) => status)).toEqual(spaces.map(() => 201));
    const ids = added.map(({ body }) => body.id);
    await Promise.all([
      ...ids.slice(0, 3).map((id) => api.delete(`${path}/site-spaces/${id}`)),
      ...ids.slice(3).map((id) => api.post(`${path}/site-spaces/${id}/move`)),
    ]);
    const left = await siteSpaces();
    expect(left.map(({ id }) => id).sort()).toEqual(ids.slice(3).sort());
    expect(left.filter(({ default: isDefault }) => isDefault)).toHaveLength(1);
    expect(new Set(left.map((each) => each.path)).size).toBe(3);
    const [stored] = await app.current.database.query<{ chosen: string; places: number }>(
      'SELECT default_site_space_id AS chosen, (SELECT count(DISTINCT position)::int FROM site_space WHERE site_id = $1) AS places FROM site WHERE id = $1',
      [site.id],
    );
    expect(stored?.places).toBe(3);
    expect(left.find(({ default: isDefault }) => isDefault)?.id).toBe(stored?.chosen);
  });

  it('reads a site of many spaces in one query a list, in a time that does not explode', async () => {
    const { api, path, workspace, site } = await buildSite('First');
    await app.current.database.execute(
      `WITH made AS (
         INSERT INTO space (id, organization_id, title, position, revision_id, created_by, created_at, updated_at)
         SELECT 'S' || lpad(n::text, 19, '0'), $1, 'Space ' || n, 'V', 'R' || n, $2, now(), now() FROM generate_series(1, 500) n RETURNING id)
       INSERT INTO site_space (id, organization_id, site_id, space_id, path, position, created_at)
       SELECT 'P' || substr(id, 2), $1, $3, id, id, id, now() FROM made`,
      [workspace.id, workspace.admin.id, site.id],
    );
    await api.post(`${path}/publish`);
    const started = performance.now();
    const listed = await api.get<List<SiteSpace>>(`${path}/site-spaces`, { query: { limit: 1000 } });
    const took = performance.now() - started;
    expect(listed.body.count).toBe(501);
    expect(listed.body.items.filter(({ default: isDefault }) => isDefault)).toHaveLength(1);
    expect(took).toBeLessThan(10_000);
  });

  it('spaces the order anew when keys have grown long', async () => {
    const { api, path, siteSpaces, site } = await buildSite('A1', 'B1', 'C1');
    const [a = '', b = '', c = ''] = (await siteSpaces()).map(({ id }) => id);
    let high = 'W';
    for (let next = high; next.length <= MAX_KEY_LENGTH; next = keyBetween('V', high)) high = next;
    await app.current.database.execute(
      `UPDATE site_space SET position = CASE id WHEN $2 THEN 'V' WHEN $3 THEN $4 ELSE 'X' END WHERE site_id = $1`,
      [site.id, a, b, high],
    );
    for (const id of [c, b, c, b]) {
      const answer = await api.post(`${path}/site-spaces/${id}/move`, {
        position: { after: { type: 'site-space', siteSpace: a } },
      });
      expect(answer.status).toBe(200);
    }
    expect((await siteSpaces()).map(({ id }) => id)).toEqual([a, b, c]);
    const rows = await app.current.database.query<{ position: string }>(
      'SELECT position FROM site_space WHERE site_id = $1',
      [site.id],
    );
    expect(Math.max(...rows.map(({ position }) => position.length))).toBeLessThan(MAX_KEY_LENGTH);
  });
});

describe('sections', () => {
  it('gathers what stood at the root in a first, default section', async () => {
    const { api, path, workspace, sections, siteSpaces } = await buildSite('Guide', 'German');
    const space = await insertSpace(workspace, 'Reference');
    const added = await api.post<Section>(`${path}/sections`, { spaceId: space, title: 'API reference', icon: 'gear' });
    expect(added.status).toBe(201);
    expect(added.headers.get('location')).toContain(`/sections/${added.body.id}`);
    expect(added.body).toMatchObject({
      object: 'site-section',
      title: 'API reference',
      icon: 'gear',
      path: 'api-reference',
      default: false,
      siteSpaces: [{ title: 'Reference', default: true, section: added.body.id }],
    });
    const listed = await sections();
    expect(
      listed.map(({ title, default: isDefault, siteSpaces: held }) => [
        title,
        isDefault,
        held.map((each) => `${each.title}${each.default ? '*' : ''}`),
      ]),
    ).toEqual([
      ['Guide', true, ['Guide*', 'German']],
      ['API reference', false, ['Reference*']],
    ]);
    expect(listed[1]).toEqual(added.body);
    expect((await siteSpaces()).map(({ title }) => title)).toEqual(['Guide', 'German', 'Reference']);
    const structure = await api.get<{ type: string; structure: Section[] }>(`${path}/structure`);
    expect(structure.body).toEqual({ type: 'sections', structure: listed });
    const { body: site } = await api.post<Site>(`${path}/publish`);
    const root = site.urls.published ?? '';
    expect((await sections()).map(({ urls }) => urls.published)).toEqual([root, `${root}/api-reference`]);
    expect((await siteSpaces()).map(({ urls }) => urls.published)).toEqual([
      root,
      `${root}/german`,
      `${root}/api-reference`,
    ]);
    expect((await siteSpaces()).map(({ space: shown }) => shown.urls.published)).toEqual([
      root,
      `${root}/german`,
      `${root}/api-reference`,
    ]);
    const page = await api.get<List<Section>>(`${path}/sections`, { query: { limit: 1 } });
    expect(page.body).toMatchObject({ count: 2, items: [{ title: 'Guide' }] });
    expect(
      (
        await api.get<List<Section>>(`${path}/sections`, {
          query: { limit: 1, page: page.body.next?.page, shareKey: 'x' },
        })
      ).body.items.map(({ title }) => title),
    ).toEqual(['API reference']);
  });

  it('changes them, their defaults and which of them is served at the root', async () => {
    const { api, path, workspace, spaces, sections } = await buildSite('Guide');
    const { body: added } = await api.post<Section>(`${path}/sections`, {
      spaceId: await insertSpace(workspace, 'Reference'),
    });
    const { body: variant } = await api.post<SiteSpace>(`${path}/site-spaces`, {
      spaceId: spaces[0],
      sectionId: added.id,
    });
    expect(variant).toMatchObject({ section: added.id, default: false, path: 'guide' });
    const changed = await api.patch<Section>(`${path}/sections/${added.id}`, {
      title: 'All of it',
      path: 'all',
      icon: 'book',
      description: 'Everything',
      condition: 'visitor.claims.isBeta',
      defaultSiteSpace: variant.id,
    });
    expect(changed.body).toMatchObject({
      title: 'All of it',
      path: 'all',
      icon: 'book',
      description: 'Everything',
      condition: 'visitor.claims.isBeta',
      siteSpaces: [{ default: false }, { id: variant.id, default: true }],
    });
    expect((await sections())[1]).toEqual(changed.body);
    const cleared = await api.patch<Section>(`${path}/sections/${added.id}`, {
      icon: null,
      description: null,
      condition: null,
    });
    for (const field of ['icon', 'description', 'condition']) expect(cleared.body).not.toHaveProperty(field);
    expect(
      (
        await api.patch(
          `${path}/sections/${added.id}`,
          { title: 'Late' },
          { headers: { 'If-Match': changed.headers.get('etag') ?? '' } },
        )
      ).status,
    ).toBe(412);
    const front = (await sections())[0];
    for (const [body, status, at] of [
      [{ path: front?.path }, 409, 'path'],
      [{ path: '.hidden' }, 400, 'path'],
      [{ path: 'sitemap.xml' }, 400, 'path'],
      [{ path: 'LLMs-full.txt' }, 400, 'path'],
      [{ title: 'M' }, 400, 'title'],
      [{ icon: 'not an icon' }, 400, 'icon'],
      [{ defaultSiteSpace: front?.siteSpaces[0]?.id }, 400, 'defaultSiteSpace'],
    ] as const) {
      const answer = await api.patch<Refusal>(`${path}/sections/${added.id}`, body);
      expect([body, answer.status, pathsAt(answer)]).toEqual([body, status, [at]]);
    }
    await api.patch(path, { defaultSiteSection: added.id });
    expect((await sections()).map(({ title, default: isDefault }) => [title, isDefault])).toEqual([
      ['Guide', false],
      ['All of it', true],
    ]);
    const outside = await api.patch<Refusal>(path, { defaultSiteSpace: front?.siteSpaces[0]?.id });
    expect([outside.status, pathsAt(outside)]).toEqual([400, ['defaultSiteSpace']]);
    const both = await api.patch(path, { defaultSiteSection: front?.id, defaultSiteSpace: front?.siteSpaces[0]?.id });
    expect(both.status).toBe(200);
    expect((await sections()).map(({ default: isDefault }) => isDefault)).toEqual([true, false]);
    expect((await api.patch(`${path}/sections/${UNKNOWN}`, { title: 'None' })).status).toBe(404);
  });

  it('keeps the addresses of the default section apart from those of the others', async () => {
    const { api, path, workspace, sections } = await buildSite('Guide', 'German');
    const { body: added } = await api.post<Section>(`${path}/sections`, {
      spaceId: await insertSpace(workspace, 'German'),
    });
    expect(added.path).toBe('german-1');
    const { body: english } = await api.post<SiteSpace>(`${path}/site-spaces`, {
      spaceId: await insertSpace(workspace, 'Guide'),
      sectionId: added.id,
    });
    expect(english.path).toBe('guide');
    await api.patch(path, { defaultSiteSection: added.id });
    const front = (await sections())[1];
    expect(front?.siteSpaces.map(({ path: own }) => own)).toEqual(['german', 'guide-1']);
  });

  it('removes a section but no space, and lets the next in order be the default', async () => {
    const { api, path, workspace, spaces, sections } = await buildSite('Guide');
    const more = [await insertSpace(workspace, 'B1'), await insertSpace(workspace, 'C1')];
    for (const spaceId of more) await api.post(`${path}/sections`, { spaceId });
    await api.post(`${path}/publish`);
    const [a, b, c] = await sections();
    const state = async () =>
      (await sections()).map(({ title, default: isDefault }) => `${title}${isDefault ? '*' : ''}`);
    await api.patch(path, { defaultSiteSection: b?.id });
    expect((await api.delete(`${path}/sections/${b?.id}`)).status).toBe(204);
    expect((await api.delete(`${path}/sections/${b?.id}`)).status).toBe(204);
    expect(await state()).toEqual(['Guide', 'C1*']);
    expect((await api.get(`/spaces/${more[0]}`)).body).toMatchObject({ visibility: 'private' });
    await api.delete(`/spaces/${more[1]}`);
    expect(await state()).toEqual(['Guide*', 'C1']);
    const served = await api.get<Profile>(`${path}/published`);
    expect(served.body.structure.structure.map(({ title }) => title)).toEqual(['Guide']);
    await api.post(`/spaces/${more[1]}/restore`);
    expect(await state()).toEqual(['Guide', 'C1*']);
    await api.delete(`${path}/sections/${c?.id}`);
    await api.delete(`${path}/sections/${a?.id}`);
    expect(await state()).toEqual([]);
    expect((await api.get(`${path}/published`)).status).toBe(404);
    const { body: back } = await api.post<SiteSpace>(`${path}/site-spaces`, { spaceId: spaces[0] });
    expect(back).not.toHaveProperty('section');
    expect((await api.get<Profile>(`${path}/published`)).body.structure).toMatchObject({
      type: 'siteSpaces',
      structure: [{ id: back.id, default: true }],
    });
  });

  it('moves sections beside each other', async () => {
    const { api, path, workspace, sections } = await buildSite('A1');
    for (const title of ['B1', 'C1'])
      await api.post(`${path}/sections`, { spaceId: await insertSpace(workspace, title) });
    const [a = '', b = '', c = ''] = (await sections()).map(({ id }) => id);
    const at = (siteSection: string) => ({ type: 'site-section', siteSection });
    const order = async () => (await sections()).map(({ title }) => title.charAt(0)).join('');
    const move = (id: string, position?: object) =>
      api.post<Section>(`${path}/sections/${id}/move`, position && { position });
    expect((await move(c, { before: at(a) })).body).toMatchObject({ id: c });
    expect(await order()).toBe('CAB');
    await move(c, { after: at(a), before: at(b) });
    expect(await order()).toBe('ACB');
    await move(a);
    expect(await order()).toBe('CBA');
    for (const position of [
      { before: at(UNKNOWN) },
      { after: at(c) },
      { before: { type: 'site-space', siteSection: b } },
    ])
      expect((await move(c, position)).status).toBe(400);
    expect((await move(UNKNOWN, { before: at(a) })).status).toBe(404);
    await api.post(`${path}/section-groups`, { title: 'Group', sections: [b] });
    const apart = await move(a, { before: at(b) });
    expect([apart.status, pathsAt(refused(apart))]).toEqual([400, ['position.before']]);
    expect(await order()).toBe('CAB');
  });
});

describe('section groups', () => {
  it('gathers sections in groups, also groups in groups', async () => {
    const { api, path, workspace, sections } = await buildSite('A1');
    for (const title of ['B1', 'C1'])
      await api.post(`${path}/sections`, { spaceId: await insertSpace(workspace, title) });
    const [a = '', b = '', c = ''] = (await sections()).map(({ id }) => id);
    const made = await api.post<Group>(`${path}/section-groups`, { title: 'Outer', icon: 'gear', sections: [c, a] });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toContain(`/section-groups/${made.body.id}`);
    expect(made.body).toMatchObject({
      object: 'site-section-group',
      title: 'Outer',
      icon: 'gear',
      children: [{ id: c, sectionGroup: made.body.id }, { id: a }],
    });
    const inner = await api.post<Group>(`${path}/section-groups`, { title: 'Inner', parent: made.body.id });
    expect(inner.body).toMatchObject({ sectionGroup: made.body.id, children: [] });
    const filled = await api.post<Group>(`${path}/section-groups/${inner.body.id}/sections`, { sectionId: b });
    expect(filled.status).toBe(201);
    expect(filled.body.children).toMatchObject([{ id: b, title: 'B1' }]);
    const structure = await api.get<{ type: string; structure: Group[] }>(`${path}/structure`);
    expect(structure.body).toMatchObject({
      type: 'sections',
      structure: [{ id: made.body.id, children: [{ id: c }, { id: a }, { id: inner.body.id, children: [{ id: b }] }] }],
    });
    const listed = await api.get<List<Group>>(`${path}/section-groups`);
    expect(listed.body).toMatchObject({
      count: 2,
      items: [{ id: made.body.id }, { id: inner.body.id, children: [{ id: b }] }],
    });
    const page = await api.get<List<Group>>(`${path}/section-groups`, { query: { limit: 1 } });
    expect(
      (
        await api.get<List<Group>>(`${path}/section-groups`, { query: { limit: 1, page: page.body.next?.page } })
      ).body.items.map(({ id }) => id),
    ).toEqual([inner.body.id]);
    await api.post(`${path}/publish`);
    for (const title of ['B1'])
      await app.current.database.execute(
        'UPDATE space SET deleted_at = now() WHERE organization_id = $1 AND title = $2',
        [workspace.id, title],
      );
    const served = await api.get<{ structure: { structure: Group[] } }>(`${path}/published`);
    expect(served.body.structure.structure).toMatchObject([{ id: made.body.id, children: [{ id: c }, { id: a }] }]);
    expect(JSON.stringify(served.body)).not.toContain(inner.body.id);
  });

  it('changes and removes them, and leaves what was in them', async () => {
    const { api, path, workspace, sections } = await buildSite('A1');
    await api.post(`${path}/sections`, { spaceId: await insertSpace(workspace, 'B1') });
    const [a = '', b = ''] = (await sections()).map(({ id }) => id);
    const { body: outer } = await api.post<Group>(`${path}/section-groups`, { title: 'Outer', icon: 'gear' });
    const { body: inner } = await api.post<Group>(`${path}/section-groups`, {
      title: 'Inner',
      parent: outer.id,
      sections: [a, b],
    });
    const changed = await api.patch<Group>(`${path}/section-groups/${outer.id}`, { title: 'Renamed', icon: null });
    expect(changed.body).toMatchObject({ title: 'Renamed', children: [{ id: inner.id }] });
    expect(changed.body).not.toHaveProperty('icon');
    expect((await api.get<List<Group>>(`${path}/section-groups`)).body.items[0]).toEqual(changed.body);
    expect(
      (await api.patch(`${path}/section-groups/${outer.id}`, { title: 'Late' }, { headers: { 'If-Match': '"1.x"' } }))
        .status,
    ).toBe(412);
    for (const id of [a, UNKNOWN])
      expect((await api.delete(`${path}/section-groups/${outer.id}/sections/${id}`)).status).toBe(204);
    expect((await api.delete(`${path}/section-groups/${inner.id}/sections/${a}`)).status).toBe(204);
    expect((await sections()).map(({ id, sectionGroup }) => [id, sectionGroup])).toEqual([
      [a, undefined],
      [b, inner.id],
    ]);
    expect((await api.delete(`${path}/section-groups/${inner.id}`)).status).toBe(204);
    expect((await api.delete(`${path}/section-groups/${inner.id}`)).status).toBe(204);
    expect((await sections()).map(({ id, sectionGroup }) => [id, sectionGroup])).toEqual([
      [a, undefined],
      [b, outer.id],
    ]);
    expect((await api.get<List<Group>>(`${path}/section-groups`)).body.items.map(({ id }) => id)).toEqual([outer.id]);
    for (const [body, at] of [
      [{ title: '' }, ['title']],
      [{ title: 'G', sections: [a, UNKNOWN, a], parent: UNKNOWN }, ['sections.1', 'sections.2', 'parent']],
      [{}, ['title']],
    ] as const) {
      const answer = await api.post<Refusal>(`${path}/section-groups`, body);
      expect([answer.status, pathsAt(answer)]).toEqual([400, at]);
    }
    expect(
      pathsAt(await api.post<Refusal>(`${path}/section-groups/${outer.id}/sections`, { sectionId: UNKNOWN })),
    ).toEqual(['sectionId']);
    expect((await api.post(`${path}/section-groups/${UNKNOWN}/sections`, { sectionId: a })).status).toBe(404);
    const reader = await workspace.member('read');
    expect((await reader.api.post(`${path}/section-groups`, { title: 'Mine' })).status).toBe(403);
    expect((await reader.api.delete(`${path}/section-groups/${outer.id}`)).status).toBe(403);
  });
});

describe('customization', () => {
  const complete = {
    ...DEFAULT_CUSTOMIZATION,
    title: 'Shown title',
    styling: {
      ...DEFAULT_CUSTOMIZATION.styling,
      theme: 'gradient',
      tint: { color: { light: '#fff', dark: '#000000' } },
      font: {
        id: 'own',
        custom: true,
        fontFamily: 'Own',
        fontFaces: [{ weight: 400, sources: [{ url: 'https://example.com/own.woff2', format: 'woff2' }] }],
      },
    },
    favicon: { emoji: '1f4d8' },
    header: {
      preset: 'custom',
      logo: { light: 'https://example.com/light.png', dark: 'https://example.com/dark.png' },
      primaryLink: { kind: 'url', url: 'https://example.com' },
      links: [
        {
          title: 'More',
          style: 'button-primary',
          to: null,
          links: [{ title: 'Home', to: { kind: 'url', url: 'https://example.com/' } }],
          condition: 'visitor.claims.isBeta',
        },
      ],
    },
    footer: {
      logo: { light: 'https://example.com/footer.png', dark: 'https://example.com/footer-dark.png' },
      groups: [{ title: 'Legal', links: [] }],
      copyright: 'Us',
    },
    privacyPolicy: { url: 'https://example.com/privacy' },
    announcement: {
      enabled: true,
      message: 'News',
      link: { title: 'Read', to: { kind: 'url', url: '/news' } },
      style: 'info',
    },
    socialPreview: { url: 'https://example.com/preview.png' },
  };

  it('starts with complete defaults and takes a complete replacement', async () => {
    const { api, path, workspace } = await buildSite('Guide');
    const before = await api.get(`${path}/customization`, { query: { unmasked: true } });
    expect(before.body).toEqual(DEFAULT_CUSTOMIZATION);
    const put = await api.put(`${path}/customization`, complete);
    expect([put.status, put.body]).toEqual([200, complete]);
    expect((await api.get(`${path}/customization`)).body).toEqual(complete);
    expect((await api.get(path)).body).toMatchObject({
      icon: { emoji: '1f4d8' },
      features: expect.arrayContaining([
        expect.objectContaining({
          customizations: [
            'header-logo',
            'theme-preset',
            'premium-fonts',
            'footer-logo',
            'footer-links',
            'footer-copyright',
          ],
        }),
      ]),
    });
    expect(
      (await api.put(`${path}/customization`, complete, { headers: { 'If-Match': before.headers.get('etag') ?? '' } }))
        .status,
    ).toBe(412);
    const { internationalization: _, ...older } = DEFAULT_CUSTOMIZATION;
    expect((await api.put(`${path}/customization`, { ...older, surplus: true })).body).toEqual(DEFAULT_CUSTOMIZATION);
    const reader = await workspace.member('read');
    expect((await reader.api.put(`${path}/customization`, complete)).status).toBe(403);
    expect((await reader.api.get(`${path}/customization`)).body).toEqual(DEFAULT_CUSTOMIZATION);
  });

  it('names every fault of settings, and links to no space that the caller cannot see', async () => {
    const { api, path } = await buildSite('Guide');
    const bad = await api.put<Refusal>(`${path}/customization`, {
      ...complete,
      styling: { ...complete.styling, theme: 'loud', primaryColor: { light: 'red', dark: '#fff' } },
      header: {
        ...complete.header,
        links: [{ title: 'X', to: { kind: 'url', url: 'javascript:alert(1)' }, links: [] }],
      },
      favicon: { emoji: 'x', icon: 1 },
      pdf: {},
      title: 'M',
    });
    expect(bad.status).toBe(400);
    expect(pathsAt(bad).sort()).toEqual([
      'favicon',
      'header.links.0.to.url',
      'pdf.enabled',
      'styling.primaryColor.light',
      'styling.theme',
      'title',
    ]);
    const foreign = await insertSpace(await buildOrganization(app.current), 'Foreign');
    const linked = await api.put<Refusal>(`${path}/customization`, {
      ...complete,
      header: { ...complete.header, primaryLink: { kind: 'space', space: foreign } },
    });
    expect([linked.status, pathsAt(linked)]).toEqual([400, ['header.primaryLink.space']]);
    for (const body of [undefined, [], 'text']) expect((await api.put(`${path}/customization`, body)).status).toBe(400);
    expect((await api.get(`${path}/customization`)).body).toEqual(DEFAULT_CUSTOMIZATION);
  });

  it('lets site spaces differ, value by value, until they inherit again', async () => {
    const { api, path, spaces, siteSpaces } = await buildSite('Guide');
    const [{ id } = { id: '' }] = await siteSpaces();
    const own = `${path}/site-spaces/${id}/customization`;
    await api.put(`${path}/customization`, complete);
    expect((await api.get(own)).body).toEqual(complete);
    const overridden = await api.patch(own, {
      title: 'Of its own',
      styling: { theme: 'muted', sidebar: { list: 'pill' }, font: 'Lato' },
      favicon: {},
      header: { primaryLink: { kind: 'space', space: spaces[0] } },
      pdf: { enabled: false },
    });
    expect(overridden.status).toBe(200);
    const expected = {
      ...complete,
      title: 'Of its own',
      styling: { ...complete.styling, theme: 'muted', sidebar: { background: 'default', list: 'pill' } },
      favicon: {},
      header: { ...complete.header, primaryLink: { kind: 'space', space: spaces[0] } },
      pdf: { enabled: false },
      pageActions: { ...complete.pageActions, items: ['markdown', 'mcp', 'external-ai'] },
    };
    expect(overridden.body).toEqual(expected);
    expect((await api.get(own)).body).toEqual(expected);
    expect((await api.get(`${path}/customization`)).body).toEqual(complete);
    const partly = await api.patch(own, {
      title: null,
      favicon: null,
      styling: { theme: null, sidebar: { list: null } },
      header: { primaryLink: null },
      pdf: { enabled: null },
      themes: { toggeable: false },
    });
    expect(partly.body).toEqual({ ...complete, themes: { default: 'light', toggeable: false } });
    expect(
      (
        await api.patch(
          own,
          { pdf: { enabled: true } },
          { headers: { 'If-Match': overridden.headers.get('etag') ?? '' } },
        )
      ).status,
    ).toBe(412);
    const bad = await api.patch<Refusal>(own, { title: 'M', styling: { theme: 'loud' }, pdf: {}, announcement: null });
    expect([bad.status, pathsAt(bad).sort()]).toEqual([400, ['announcement', 'pdf.enabled', 'styling.theme', 'title']]);
    expect((await api.delete(own)).status).toBe(204);
    expect((await api.delete(own)).status).toBe(204);
    expect((await api.get(own)).body).toEqual(complete);
    for (const method of ['get', 'patch'] as const)
      expect((await api[method](`${path}/site-spaces/${UNKNOWN}/customization`, {})).status).toBe(404);
  });
});

describe('rules', () => {
  it('finds gaps, successors and overrides', () => {
    const items = [
      { id: 'a', position: '1', draft: false },
      { id: 'b', position: '2', draft: false },
      { id: 'c', position: '3', draft: false },
    ];
    const [a, b, c] = items;
    expect(gapAt(items, {})).toEqual({ low: c, high: undefined });
    expect(gapAt(items, { before: 'a' })).toEqual({ low: undefined, high: a });
    expect(gapAt(items, { after: 'a', before: 'b' })).toEqual({ low: a, high: b });
    expect(gapAt(items, { after: 'b', before: 'a' })).toEqual({ fault: 'before' });
    expect(gapAt(items, { after: 'x' })).toEqual({ fault: 'after' });
    expect([successor(items, 'b'), successor(items, 'c'), successor([], 'c')]).toEqual([c, a, undefined]);
    expect(successor([...items, { id: 'b2', position: '21', draft: true }], 'b')).toEqual(c);
    expect(
      overlay(
        { styling: { theme: 'a', sidebar: { list: 'x', background: 'y' } }, favicon: { emoji: 'e' } },
        { styling: { sidebar: { list: 'z' } }, favicon: {} },
      ),
    ).toEqual({ styling: { theme: 'a', sidebar: { list: 'z', background: 'y' } }, favicon: {} });
    expect(patchOverrides({ styling: { theme: 'a' }, title: 'T' }, { styling: { theme: null }, title: null })).toEqual(
      {},
    );
    expect(customizationReferences({ header: { links: [{ to: { kind: 'page', page: 'p', space: 's' } }] } })).toEqual([
      { path: 'header.links.0.to', kind: 'page', space: 's', id: 'p' },
    ]);
    expect([basenameOf('日本'), basenameOf('日本-docs'), basenameFault('-x'), basenameFault('a_b-c1')]).toEqual([
      'site',
      'docs',
      expect.any(String),
      undefined,
    ]);
    const group = { id: 'g', parentId: null };
    expect(
      reachableStructure({
        groups: [group, { id: 'h', parentId: 'g' }],
        sections: [{ id: 's', groupId: 'h' }],
        links: [],
        siteSpaces: [{ sectionId: 's', deletedAt: null }],
      }).groups,
    ).toHaveLength(2);
  });
});
