import { describe, expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';
import type { Answer } from './client.js';
import { buildSpace, publish, usePublicListener } from './published-site.js';

const app = useApp();
const listener = usePublicListener(app);
const UNKNOWN = 'AbCdEfGh0123456789Xy';
const ELSEWHERE = 'https://community.example.com/';

interface Member {
  object: string;
  id: string;
  title: string;
  children?: Member[];
  sectionGroup?: string;
}
interface Refusal {
  error: { details?: { path: string }[] };
}

const pathsAt = (answer: Answer<Refusal>): string[] => (answer.body.error.details ?? []).map(({ path }) => path);

/** A published site with a section for each of two spaces. */
async function buildSections() {
  const workspace = await buildOrganization(app.current);
  const [first, second] = [await buildSpace(workspace, 'Guide'), await buildSpace(workspace, 'Reference')];
  for (const space of [first, second])
    await space.write({ operation: 'insert_page', title: 'Start', document: { markdown: 'Text' } });
  const site = await publish(workspace, [first]);
  await site.api.post(`${site.path}/sections`, { spaceId: second.id, title: 'Reference' });
  const links = `${site.path}/external-links`;
  const shape = ({ title, children }: Member): string =>
    children ? `${title}(${children.map(shape).join(' ')})` : title;
  return {
    workspace,
    site,
    links,
    add: (body: object) => site.api.post<Member>(links, { title: 'Community', url: ELSEWHERE, ...body }),
    tree: async () =>
      (await site.api.get<{ structure: Member[] }>(`${site.path}/structure`)).body.structure.map(shape).join(' '),
    tabs: async () => {
      const { body } = await listener.see(site.base);
      const bar = /<nav class="tabs-bar".*?<\/nav>/s.exec(body)?.[0] ?? '';
      return [...bar.matchAll(/<a ([^>]*)>/g)].map(([, attributes = '']) => attributes);
    },
  };
}

describe('external links of a site', () => {
  it('stand among sections and in groups, are changed, moved and removed', async () => {
    const { site, links, add, tree } = await buildSections();
    const { api, path } = site;
    const made = await add({ description: 'Ask others', icon: 'comments', condition: 'visitor.claims.isBetaUser' });
    expect([made.status, made.headers.get('location')?.endsWith(`/external-links/${made.body.id}`)]).toEqual([
      201,
      true,
    ]);
    expect(made.body).toEqual({
      object: 'site-external-link',
      id: made.body.id,
      title: 'Community',
      description: 'Ask others',
      icon: 'comments',
      url: ELSEWHERE,
      draft: false,
      condition: 'visitor.claims.isBetaUser',
    });
    expect(await tree()).toBe('Guide Reference Community');
    const { body: group } = await api.post<Member>(`${path}/section-groups`, { title: 'More' });
    const one = `${links}/${made.body.id}`;
    const changed = await api.patch<Member>(one, {
      title: 'Forum',
      url: 'https://forum.example.com/',
      parent: group.id,
      description: null,
      icon: null,
      condition: null,
      draft: true,
    });
    expect(changed.body).toEqual({
      object: 'site-external-link',
      id: made.body.id,
      title: 'Forum',
      url: 'https://forum.example.com/',
      sectionGroup: group.id,
      draft: true,
    });
    expect(await tree()).toBe('Guide Reference More(Forum)');
    const { body: groups } = await api.get<{ items: Member[] }>(`${path}/section-groups`);
    expect(groups.items[0]?.children).toEqual([changed.body]);
    const { body: other } = await add({
      title: 'Chat',
      description: 'Ask at once',
      icon: 'comments',
      condition: 'visitor.claims.isBetaUser',
    });
    const beside = await api.patch<Member>(`${path}/structure/sort`, {
      item: { type: 'site-external-link', id: other.id },
      position: { before: { type: 'site-external-link', id: made.body.id } },
    });
    expect([beside.status, beside.body]).toEqual([200, { ...other, sectionGroup: group.id }]);
    expect(await tree()).toBe('Guide Reference More(Chat Forum)');
    await api.delete(`${links}/${other.id}`);
    const [guide] = (await api.get<{ structure: Member[] }>(`${path}/structure`)).body.structure;
    const pointer = { type: 'site-external-link', id: made.body.id };
    const moved = await api.patch<Member>(`${path}/structure/sort`, {
      item: pointer,
      position: { before: { type: 'site-section', id: guide?.id } },
    });
    expect([moved.status, moved.body.object, moved.body.sectionGroup]).toEqual([200, 'site-external-link', undefined]);
    expect(await tree()).toBe('Forum Guide Reference More()');
    await api.patch(`${path}/structure/sort`, {
      item: { type: 'site-section', id: guide?.id },
      position: { before: pointer },
    });
    expect(await tree()).toBe('Guide Forum Reference More()');
    // The entries of a group take its place when the group goes.
    await api.patch(one, { parent: group.id });
    await api.delete(`${path}/section-groups/${group.id}`);
    expect(await tree()).toBe('Guide Reference Forum');
    expect((await api.delete(one)).status).toBe(204);
    expect((await api.delete(one)).status).toBe(204);
    expect((await api.patch(one, { title: 'Gone' })).status).toBe(404);
    expect(await tree()).toBe('Guide Reference');
  });

  it('need sections, a safe address and a group of the site, and are for administrators', async () => {
    const { workspace, site, links, add } = await buildSections();
    for (const [body, path] of [
      [{ url: 'javascript:alert(1)' }, 'url'],
      [{ url: '/inside' }, 'url'],
      [{ title: 'A' }, 'title'],
      [{ icon: '<b>' }, 'icon'],
      [{ condition: 'visitor.claims.(' }, 'condition'],
      [{ parent: UNKNOWN }, 'parent'],
    ] as const) {
      const refused = (await add(body)) as Answer<unknown> as Answer<Refusal>;
      expect([body, refused.status, pathsAt(refused)]).toEqual([body, 400, [path]]);
    }
    const { body: link } = await add({});
    const refused = await site.api.patch<Refusal>(`${links}/${link.id}`, { url: 'ftp://example.com/' });
    expect([refused.status, pathsAt(refused)]).toEqual([400, ['url']]);
    const simple = await publish(workspace, [await buildSpace(workspace, 'Alone')]);
    const alone = await simple.api.post<Refusal>(`${simple.path}/external-links`, { title: 'Forum', url: ELSEWHERE });
    expect([alone.status, pathsAt(alone)]).toEqual([400, ['parent']]);
    const reader = await workspace.member('read');
    expect((await reader.api.post(links, { title: 'Forum', url: ELSEWHERE })).status).toBe(403);
    expect((await reader.api.delete(`${links}/${link.id}`)).status).toBe(403);
    const foreign = await buildOrganization(app.current);
    expect((await foreign.admin.api.patch(`${links}/${link.id}`, { title: 'Theirs' })).status).toBe(404);
    const theirs = `/orgs/${foreign.id}/sites/${site.id}/external-links/${link.id}`;
    expect((await foreign.admin.api.delete(theirs)).status).toBe(404);
  });

  it('are tabs and entries of menus on published pages, for whom they are live', async () => {
    const { site, links, add, tabs } = await buildSections();
    const { body: link } = await add({});
    expect((await tabs()).at(-1)).toBe(`class="tab" href="${ELSEWHERE}" rel="noopener"`);
    const published = async () =>
      (
        await site.api.get<{ structure: { structure: Member[] } }>(`${site.path}/published`)
      ).body.structure.structure.map(({ title }) => title);
    expect(await published()).toEqual(['Guide', 'Reference', 'Community']);
    await site.api.patch(`${links}/${link.id}`, { draft: true });
    expect([(await tabs()).join().includes(ELSEWHERE), await published()]).toEqual([false, ['Guide', 'Reference']]);
    await site.api.patch(`${links}/${link.id}`, { draft: false, condition: 'visitor.claims.isBetaUser' });
    expect((await tabs()).join()).not.toContain(ELSEWHERE);
    const { body: group } = await site.api.post<Member>(`${site.path}/section-groups`, { title: 'More', draft: true });
    await site.api.patch(`${links}/${link.id}`, { condition: null, parent: group.id });
    expect((await tabs()).join()).not.toContain(ELSEWHERE);
    await site.api.patch(`${site.path}/section-groups/${group.id}`, { draft: false });
    expect((await tabs()).at(-1)).toBe(`href="${ELSEWHERE}" rel="noopener"`);
    const { body: settings } = await site.api.get<object>(`${site.path}/customization`);
    await site.api.put(`${site.path}/customization`, { ...settings, externalLinks: { target: 'blank' } });
    expect((await tabs()).at(-1)).toBe(`href="${ELSEWHERE}" rel="noopener" target="_blank"`);
  });
});
