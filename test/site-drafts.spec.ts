import { describe, expect, it } from '@jest/globals';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import type { Answer } from './client.js';
import { buildSpace, publish, usePublicListener, type Made, type Site } from './published-site.js';

const app = useApp();
const listener = usePublicListener(app);

interface Part extends Made {
  readonly object: string;
  readonly title: string;
  readonly draft: boolean;
  readonly default: boolean;
  readonly path: string;
  readonly urls: { readonly published?: string };
  readonly siteSpaces?: Part[];
  readonly children?: Part[];
}
interface List<Item> {
  readonly items: Item[];
  readonly count: number;
}
interface Refusal {
  readonly error: { readonly details?: { readonly path: string }[] };
}

const refused = ({ status, body }: Answer<Refusal>) => [status, ...(body.error.details ?? []).map(({ path }) => path)];

/** A published site of one section for each title, with a page of the title and a word that only it has. */
async function sections(
  ...titles: string[]
): Promise<{ workspace: Workspace; site: Site; ids: Record<string, string> }> {
  const workspace = await buildOrganization(app.current);
  const site = await publish(workspace, []);
  const ids: Record<string, string> = {};
  for (const title of titles) {
    const space = await buildSpace(workspace, title);
    await space.write({
      operation: 'insert_page',
      title: `${title} page`,
      document: { markdown: `The word is only${title.toLowerCase()}.` },
    });
    const made = await site.api.post<Part>(`${site.path}/sections`, { spaceId: space.id, title });
    expect([made.status, made.body.draft]).toEqual([201, false]);
    ids[title] = made.body.id;
  }
  return { workspace, site, ids };
}

/** Where readers meet a section: addresses, navigation, lists for programs, searches, agents, the profile of the site. */
async function placesOf(site: Site, title: string): Promise<string[]> {
  const { origin } = listener;
  const see = (path: string) => listener.see(path);
  const name = title.toLowerCase();
  const searched = { query: `only${name}`, scope: { mode: 'all' } };
  const mcp = new McpClient({ name: 'test', version: '1.0.0' });
  await mcp.connect(new StreamableHTTPClientTransport(new URL(`${origin}${site.base}/~gitbook/mcp`)));
  const tools = (await mcp.listTools()).tools.map((tool) => tool.name);
  const search = tools.find((tool) => /search/i.test(tool)) ?? '';
  const said = JSON.stringify(await mcp.callTool({ name: search, arguments: { query: `only${name}` } }));
  await mcp.close();
  const found: readonly (readonly [string, boolean])[] = [
    ['address', (await see(`${site.base}/${name}`)).status === 200],
    ['navigation', (await see(site.base)).body.includes(`${site.base}/${name}`)],
    ['sitemap', (await see(`${site.base}/sitemap.xml`)).body.includes(`${site.base}/${name}`)],
    ['llms.txt', (await see(`${site.base}/llms.txt`)).body.includes(`${title} page`)],
    ['search page', (await see(`${site.base}/~search?q=only${name}`)).body.includes(`${title} page`)],
    ['search', (await site.api.post<List<Part>>(`${site.path}/search`, searched)).body.items.length > 0],
    ['mcp', said.includes(`${title} page`)],
    ['profile', JSON.stringify((await site.api.get(`${site.path}/published`)).body).includes(`"title":"${title}"`)],
  ];
  return found.filter(([, isFound]) => isFound).map(([place]) => place);
}

const EVERYWHERE = ['address', 'navigation', 'sitemap', 'llms.txt', 'search page', 'search', 'mcp', 'profile'];

describe('drafts in the structure of a site', () => {
  it('are sections that editors see and no reader', async () => {
    const { site, ids } = await sections('First', 'Second');
    const { api, path } = site;
    expect(await placesOf(site, 'Second')).toEqual(EVERYWHERE);
    const drafted = await api.patch<Part>(`${path}/sections/${ids['Second']}`, { draft: true });
    expect([drafted.status, drafted.body.draft, drafted.body.urls]).toEqual([200, true, {}]);
    expect(await placesOf(site, 'Second')).toEqual([]);
    const { structure } = (await api.get<{ structure: Part[] }>(`${path}/structure`)).body;
    expect(structure.map(({ title, draft }) => [title, draft])).toEqual([
      ['First', false],
      ['Second', true],
    ]);
    expect(structure[1]?.siteSpaces?.map(({ urls, default: isDefault }) => [urls, isDefault])).toEqual([[{}, true]]);
    await api.patch<Part>(`${path}/sections/${ids['Second']}`, { draft: false });
    expect(await placesOf(site, 'Second')).toEqual(EVERYWHERE);
  });

  it('are groups with all that is in them, and stay drafts when the group is removed', async () => {
    const { site, ids } = await sections('First', 'Second');
    const { api, path } = site;
    const outer = await api.post<Part>(`${path}/section-groups`, { title: 'Outer', draft: true });
    expect([outer.status, outer.body.draft]).toEqual([201, true]);
    const inner = await api.post<Part>(`${path}/section-groups`, {
      title: 'Inner',
      parent: outer.body.id,
      sections: [ids['Second']],
    });
    expect(await placesOf(site, 'Second')).toEqual([]);
    await api.patch(`${path}/section-groups/${outer.body.id}`, { draft: false });
    expect(await placesOf(site, 'Second')).toEqual(EVERYWHERE);
    await api.patch(`${path}/section-groups/${inner.body.id}`, { draft: true });
    expect((await listener.see(`${site.base}/second`)).status).toBe(404);
    expect((await api.delete(`${path}/section-groups/${inner.body.id}`)).status).toBe(204);
    expect((await listener.see(`${site.base}/second`)).status).toBe(404);
    const list = (await api.get<List<Part>>(`${path}/sections`)).body.items;
    expect(list.map(({ title, draft }) => [title, draft])).toEqual([
      ['First', false],
      ['Second', true],
    ]);
  });

  it('are site spaces beside the default', async () => {
    const workspace = await buildOrganization(app.current);
    const [front, other] = [await buildSpace(workspace, 'Front'), await buildSpace(workspace, 'Other')];
    for (const space of [front, other])
      await space.write({ operation: 'insert_page', title: 'Start', document: { markdown: 'Text' } });
    const site = await publish(workspace, [front]);
    const { api, path } = site;
    const added = await api.post<Part>(`${path}/site-spaces`, { spaceId: other.id, draft: true });
    expect([added.status, added.body.draft, added.body.default, added.body.urls]).toEqual([201, true, false, {}]);
    expect((await listener.see(`${site.base}/other`)).status).toBe(404);
    expect((await listener.see(site.base)).body).not.toContain(`${site.base}/other`);
    const space = await api.get<{ urls: { published?: string } }>(`/spaces/${other.id}`);
    expect(space.body.urls.published).toBeUndefined();
    await api.patch(`${path}/site-spaces/${added.body.id}`, { draft: false });
    expect((await listener.see(`${site.base}/other`)).status).toBe(200);
  });

  it('are never the default', async () => {
    const { workspace, site, ids } = await sections('First', 'Second');
    const { api, path } = site;
    const [first, second] = [ids['First'] ?? '', ids['Second'] ?? ''];
    const patch = async (below: string, body: object) => refused(await api.patch<Refusal>(`${path}${below}`, body));
    const post = async (below: string, body: object) => refused(await api.post<Refusal>(`${path}${below}`, body));
    expect(await patch(`/sections/${first}`, { draft: true })).toEqual([409, 'draft']);
    const [siteSpace] = (await api.get<List<Part>>(`${path}/site-spaces`, { query: { default: true } })).body.items;
    expect(await patch(`/site-spaces/${siteSpace?.id}`, { draft: true })).toEqual([409, 'draft']);
    expect(await post('/section-groups', { title: 'Group', draft: true, sections: [first] })).toEqual([
      409,
      'sections',
    ]);
    const { body: group } = await api.post<Part>(`${path}/section-groups`, { title: 'Group', draft: true });
    const into = { sectionId: first };
    expect(await post(`/section-groups/${group.id}/sections`, into)).toEqual([409, 'sectionId']);
    await api.patch(`${path}/section-groups/${group.id}`, { draft: false });
    expect((await api.post(`${path}/section-groups/${group.id}/sections`, into)).status).toBe(201);
    expect(await patch(`/section-groups/${group.id}`, { draft: true })).toEqual([409, 'draft']);
    await api.patch(`${path}/sections/${second}`, { draft: true });
    expect(await patch('', { defaultSiteSection: second })).toEqual([400, 'defaultSiteSection']);
    const space = await buildSpace(workspace, 'Third');
    const empty = await api.post<Made>(`/orgs/${workspace.id}/sites`, { title: 'Empty' });
    const draft = { spaceId: space.id, draft: true };
    for (const below of ['sections', 'site-spaces']) {
      const answer = await api.post<Refusal>(`/orgs/${workspace.id}/sites/${empty.body.id}/${below}`, draft);
      expect(refused(answer)).toEqual([409, 'draft']);
    }
    const added = await api.post<Part>(`${path}/site-spaces`, { ...draft, sectionId: first });
    expect(await patch(`/sections/${first}`, { defaultSiteSpace: added.body.id })).toEqual([400, 'defaultSiteSpace']);
    await api.delete(`${path}/sections/${first}`);
    expect((await listener.see(site.base)).status).toBe(404);
    await api.patch(`${path}/sections/${second}`, { draft: false });
    expect((await listener.see(site.base)).status).toBe(200);
  });
});

describe('what a site tells its callers', () => {
  it('has the level, the permissions of the caller and the address of the preview', async () => {
    const { workspace, site } = await sections('First');
    const seen = async (api = site.api) =>
      (
        await api.get<{
          type: string;
          appliedType: string;
          defaultLevel: string;
          permissions: Record<string, boolean>;
          urls: { app: string; preview: string };
        }>(site.path)
      ).body;
    const own = await seen();
    expect(own).toMatchObject({ appliedType: own.type, defaultLevel: 'inherit', permissionsModel: 'site' });
    expect(own.urls.preview).toBe(`${own.urls.app}/preview`);
    const all = { view: true, access: true, edit: true, create: true, admin: true, installIntegration: false };
    expect(own.permissions).toEqual({ ...all, viewAdaptiveSchema: true, editAdaptiveSchema: true });
    const [reader, editor] = [await workspace.member('read'), await workspace.member('edit')];
    expect((await seen(reader.api)).permissions).toEqual({
      view: true,
      access: true,
      edit: false,
      create: false,
      admin: false,
      installIntegration: false,
      viewAdaptiveSchema: true,
      editAdaptiveSchema: false,
    });
    expect((await seen(editor.api)).permissions).toMatchObject({ edit: true, create: false, admin: false });
    const published = await site.api.post<{ object: string; published: boolean }>(`${site.path}/publish`);
    expect(published.body).toMatchObject({ object: 'site', published: true, permissions: own.permissions });
  });
});
