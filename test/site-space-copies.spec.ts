import { describe, expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';
import { buildSpace, publish, usePublicListener } from './published-site.js';

const app = useApp();
usePublicListener(app);

interface SiteSpace {
  readonly id: string;
  readonly section?: string;
  readonly draft: boolean;
  readonly space: { readonly id: string; readonly title: string };
}
interface List<Item> {
  readonly items: readonly Item[];
}

describe('a space of a site that is duplicated', () => {
  it('stands in a section of its own if it was alone, else as a variant beside the original', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Handbook');
    await space.write({ operation: 'insert_page', title: 'Install', document: { markdown: 'Needs **Node.js** 20.' } });
    const site = await publish(workspace, [space]);
    const { api } = workspace.admin;
    const siteSpaces = async () => (await api.get<List<SiteSpace>>(`${site.path}/site-spaces`)).body.items;
    const [original] = await siteSpaces();
    const path = `${site.path}/site-spaces/${original?.id ?? ''}/duplicate`;
    const first = await api.post<SiteSpace>(path);
    expect([first.status, first.body.space.id === space.id, first.body.draft]).toEqual([201, false, false]);
    expect(first.headers.get('location')).toContain(`${site.path}/site-spaces/${first.body.id}`);
    const alone = await siteSpaces();
    expect(new Set(alone.map(({ section }) => section)).size).toBe(2);
    const variant = await buildSpace(workspace, 'Old');
    await api.post(`${site.path}/site-spaces`, { spaceId: variant.id, sectionId: alone[0]?.section });
    const second = await api.post<SiteSpace>(path, { draft: true });
    expect([second.status, second.body.section, second.body.draft]).toEqual([201, alone[0]?.section, true]);
    const pages = await api.get<{ pages: { title: string }[] }>(`/spaces/${second.body.space.id}/content/pages`);
    expect(pages.body.pages.map(({ title }) => title)).toEqual(['Install']);
    const { body: copy } = await api.get<{ urls: { published?: string } }>(`/spaces/${first.body.space.id}`);
    const shown = await fetch(`${copy.urls.published?.replace(/\/$/, '') ?? ''}/install`);
    expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('Node.js')]);
  });

  it('is shown to the visitors of the original alone, in its look, and is a draft where that is one', async () => {
    const workspace = await buildOrganization(app.current);
    const [space, internal] = [await buildSpace(workspace, 'Handbook'), await buildSpace(workspace, 'Internal')];
    const site = await publish(workspace, [space]);
    const { api } = workspace.admin;
    const added = await api.post<{ id: string }>(`${site.path}/sections`, { spaceId: internal.id, title: 'Internal' });
    const condition = 'visitor.claims.isBetaUser == true';
    await api.patch(`${site.path}/sections/${added.body.id}`, { condition, draft: true });
    const { items } = (await api.get<List<SiteSpace>>(`${site.path}/site-spaces`)).body;
    const original = items.find(({ section }) => section === added.body.id)?.id ?? '';
    await api.patch(`${site.path}/site-spaces/${original}`, { condition });
    await api.patch(`${site.path}/site-spaces/${original}/customization`, { title: 'Inside' });
    const { status, body } = await api.post<SiteSpace>(`${site.path}/site-spaces/${original}/duplicate`);
    expect([status, body]).toEqual([201, expect.objectContaining({ condition })]);
    const sections = (await api.get<List<{ id: string }>>(`${site.path}/sections`)).body.items;
    expect(sections.find(({ id }) => id === body.section)).toMatchObject({ condition, draft: true });
    expect((await api.get(`${site.path}/site-spaces/${body.id}/customization`)).body).toMatchObject({
      title: 'Inside',
    });
  });

  it('needs the role admin on the site and on the space, and leaves nothing behind where it fails', async () => {
    const workspace = await buildOrganization(app.current);
    const [space, hidden] = [await buildSpace(workspace, 'Handbook'), await buildSpace(workspace, 'Hidden')];
    const site = await publish(workspace, [space]);
    const { api } = workspace.admin;
    const { items } = (await api.get<List<SiteSpace>>(`${site.path}/site-spaces`)).body;
    const path = `${site.path}/site-spaces/${items[0]?.id ?? ''}/duplicate`;
    const editor = await workspace.member('edit');
    const stranger = await buildOrganization(app.current);
    expect((await editor.api.post(path)).status).toBe(403);
    expect((await stranger.admin.api.post(path)).status).toBe(404);
    expect((await api.post(`${site.path}/site-spaces/nothing/duplicate`)).status).toBe(404);
    expect((await api.post(path, { draft: 'yes' })).status).toBe(400);
    const creator = await workspace.member('create');
    await api.patch(`/spaces/${space.id}`, { defaultLevel: 'read' });
    await api.post(`${site.path}/permissions`, { users: [creator.id], role: 'admin' });
    expect((await creator.api.post(path)).status).toBe(403);
    const spaces = await api.get<List<{ id: string }>>(`/orgs/${workspace.id}/spaces`);
    expect(new Set(spaces.body.items.map(({ id }) => id))).toEqual(new Set([space.id, hidden.id]));
  });
});
