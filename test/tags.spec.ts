import { describe, expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { buildOrganization, type Person } from './build.js';
import { buildSpace, publish, usePublicListener } from './published-site.js';

const app = useApp();
const listener = usePublicListener(app);

interface PageTag {
  tag: { kind: 'tag'; tag: string };
  primary?: boolean;
}
interface Page {
  id: string;
  title: string;
  tags?: PageTag[];
  pages?: Page[];
}
interface Revision {
  tags: { slug: string; label: string; color: string; emoji?: string; icon?: string }[];
  variables: object;
  pages: Page[];
}
interface Written {
  revision: string;
  changes: { page: { id: string } }[];
}

const on = (tag: string, primary?: boolean): PageTag => ({
  tag: { kind: 'tag', tag },
  ...(primary !== undefined && { primary }),
});
const page = (title: string, more: object = {}) => ({ operation: 'insert_page', title, ...more });
const tag = (label: string, more: object = {}) => ({ operation: 'insert_tag', label, ...more });

async function space() {
  const org = await buildOrganization(app.current);
  const { body } = await org.admin.api.post<{ id: string }>(`/orgs/${org.id}/spaces`, {
    title: 'Docs',
    empty: true,
    editMode: 'live',
  });
  return { org, admin: org.admin, id: body.id, url: `/spaces/${body.id}` };
}

async function write({ api }: Person, place: string, ...changes: object[]): Promise<Written> {
  const { status, body } = await api.post<Written>(`${place}/content`, { changes }, { query: { compat: false } });
  expect([status, body]).toEqual([200, body]);
  return body;
}

async function fault({ api }: Person, place: string, ...changes: object[]) {
  const { status, body } = await api.post<{ error: { details?: { path: string }[] } }>(`${place}/content`, { changes });
  return [status, body.error?.details?.[0]?.path];
}

async function tagsOn({ api }: Person, place: string, id: string): Promise<PageTag[] | undefined> {
  return (await api.get<Page>(`${place}/content/page/${id}`)).body.tags;
}

const revisionOf = async ({ api }: Person, place: string) => (await api.get<Revision>(`${place}/content`)).body;

describe('tags', () => {
  it('are made, changed, put on pages and deleted, and old revisions keep them', async () => {
    const { admin, url } = await space();
    expect(await revisionOf(admin, url)).toMatchObject({ tags: [], variables: {} });
    const made = await write(
      admin,
      url,
      tag('Public Beta', { color: 'green', icon: 'flask' }),
      tag('New', { slug: 'NEW', emoji: '1f680' }),
      page('One', { tags: [on('public-beta'), on('new', true)] }),
      page('Two'),
    );
    const [one = '', two = ''] = made.changes.map((change) => change.page.id);
    const first = await revisionOf(admin, url);
    expect(first.tags).toEqual([
      { slug: 'new', label: 'New', color: 'default', emoji: '1f680' },
      { slug: 'public-beta', label: 'Public Beta', color: 'green', icon: 'flask' },
    ]);
    expect(first.pages.map(({ tags }) => tags)).toEqual([[on('new', true), on('public-beta')], []]);
    expect(await tagsOn(admin, url, one)).toEqual([on('new', true), on('public-beta')]);
    await write(
      admin,
      url,
      { operation: 'update_tag', tag: 'public-beta', label: 'Beta', icon: '' },
      { operation: 'update_tag', tag: 'new', color: '$primary', icon: 'star' },
      { operation: 'update_page', page: two, tags: [on('new')] },
      { operation: 'update_page', page: one, title: 'First' },
    );
    expect((await revisionOf(admin, url)).tags).toEqual([
      { slug: 'new', label: 'New', color: '$primary', icon: 'star' },
      { slug: 'public-beta', label: 'Beta', color: 'green' },
    ]);
    expect(await tagsOn(admin, url, one)).toEqual([on('new', true), on('public-beta')]);
    const gone = await write(
      admin,
      url,
      { operation: 'delete_tag', tag: 'new' },
      { operation: 'update_page', page: one, title: 'One' },
    );
    expect([await tagsOn(admin, url, one), await tagsOn(admin, url, two)]).toEqual([[on('public-beta')], []]);
    const { body: changes } = await admin.api.get(`${url}/revisions/${gone.revision}/changes`);
    expect(changes).toEqual({
      changes: [
        { type: 'tag_deleted', tag: { slug: 'new', label: 'New' } },
        expect.objectContaining({ type: 'page_edited', page: expect.objectContaining({ id: one }) }),
      ],
    });
    const bare = await write(admin, url, { operation: 'update_page', page: one, tags: null });
    expect(await tagsOn(admin, url, one)).toEqual([]);
    expect((await admin.api.get(`${url}/revisions/${bare.revision}/changes`)).body).toMatchObject({
      changes: [{ type: 'page_edited', attributes: { tags: { before: [on('new', true), on('public-beta')] } } }],
    });
    const tagged = await write(admin, url, { operation: 'update_page', page: one, tags: [on('public-beta', true)] });
    const untagged = await write(admin, url, { operation: 'update_page', page: one, tags: null });
    for (const [revision, side] of [
      [tagged.revision, 'after'],
      [untagged.revision, 'before'],
    ])
      expect((await admin.api.get(`${url}/revisions/${revision}/changes`)).body).toMatchObject({
        changes: [{ type: 'page_edited', attributes: { tags: { [side ?? '']: [on('public-beta', true)] } } }],
      });
    const { body: then } = await admin.api.get<Revision>(`${url}/revisions/${made.revision}`);
    expect([then.tags, then.pages.map(({ tags }) => tags)]).toEqual([first.tags, first.pages.map(({ tags }) => tags)]);
    await admin.api.post(`${url}/revisions/${made.revision}/rollback`);
    expect(await revisionOf(admin, url)).toMatchObject({ tags: first.tags });
    expect(await tagsOn(admin, url, one)).toEqual([on('new', true), on('public-beta')]);
  });

  it('are refused where they break a rule, with the path', async () => {
    const { admin, url } = await space();
    const made = await write(admin, url, tag('Beta'), page('One'));
    const id = made.changes[0]?.page.id;
    const cases: [object, string][] = [
      [tag('Beta'), 'slug'],
      [tag('Other', { slug: 'a b' }), 'slug'],
      [tag('Other', { color: 'beige' }), 'color'],
      [tag('Other', { icon: 'no icon!' }), 'icon'],
      [tag('Other', { icon: 'gear', emoji: '1f680' }), 'icon'],
      [{ operation: 'insert_tag' }, 'label'],
      [{ operation: 'update_tag', tag: 'unknown', label: 'X' }, 'tag'],
      [{ operation: 'delete_tag', tag: 'unknown' }, 'tag'],
      [page('Two', { tags: [on('beta'), on('unknown')] }), 'tags.1.tag.tag'],
      [{ operation: 'update_page', page: id, tags: [on('beta'), on('beta')] }, 'tags.1.tag.tag'],
      [{ operation: 'update_page', page: id, tags: [{ tag: { kind: 'page', tag: 'beta' } }] }, 'tags.0.tag.kind'],
      [{ operation: 'update_page', page: id, tags: ['beta'] }, 'tags.0'],
      [page('Group', { type: 'group', tags: [on('beta')] }), 'tags'],
    ];
    for (const [change, path] of cases)
      expect([change, await fault(admin, url, change)]).toEqual([change, [400, `changes.0.${path}`]]);
    const both = [tag('New'), page('Two', { tags: [on('beta', true), on('new', true)] })];
    expect(await fault(admin, url, ...both)).toEqual([400, 'changes.1.tags.1.primary']);
    expect((await revisionOf(admin, url)).tags.map(({ slug }) => slug)).toEqual(['beta']);
  });

  it('choose the pages of a list, with the pages above them', async () => {
    const { admin, url } = await space();
    await write(
      admin,
      url,
      tag('Beta'),
      tag('New'),
      page('Guides', { ref: 'guides' }),
      page('One', { into: 'guides', tags: [on('beta')] }),
      page('Two', { into: 'guides', tags: [on('new')] }),
      page('Three', { tags: [on('beta'), on('new')], ref: 'three' }),
      page('Four', { into: 'three' }),
    );
    const titles = async (tags?: string[]) => {
      const { status, body } = await admin.api.get<{ pages: Page[] }>(`${url}/content/pages`, {
        query: tags === undefined ? {} : { tags },
      });
      expect(status).toBe(200);
      const shown = (pages: Page[] = []): unknown[] =>
        pages.map((each) => (each.pages?.length ? [each.title, ...shown(each.pages)] : each.title));
      return shown(body.pages);
    };
    expect(await titles()).toEqual([
      ['Guides', 'One', 'Two'],
      ['Three', 'Four'],
    ]);
    expect(await titles(['beta'])).toEqual([['Guides', 'One'], 'Three']);
    expect(await titles(['beta', 'new'])).toEqual([['Guides', 'One', 'Two'], 'Three']);
    expect(await titles(['unknown'])).toEqual([]);
    await write(admin, url, { operation: 'delete_tag', tag: 'beta' });
    expect(await titles(['beta'])).toEqual([]);
  });

  it('of both sides are united by a merge; what one side removed is gone', async () => {
    const { admin, url } = await space();
    const made = await write(
      admin,
      url,
      ...['A', 'B', 'C'].map((label) => tag(label)),
      page('One', { tags: [on('a'), on('b')] }),
      page('Two', { tags: [on('c', true)] }),
    );
    const [one = '', two = ''] = made.changes.map((change) => change.page.id);
    const { body: request } = await admin.api.post<{ id: string }>(`${url}/change-requests`, { subject: 'Tags' });
    const at = `${url}/change-requests/${request.id}`;
    await write(
      admin,
      at,
      tag('D'),
      { operation: 'update_page', page: one, tags: [on('b'), on('d', true)] },
      { operation: 'delete_tag', tag: 'c' },
    );
    expect([await tagsOn(admin, at, one), await tagsOn(admin, at, two)]).toEqual([[on('b'), on('d', true)], []]);
    await write(
      admin,
      url,
      { operation: 'update_page', page: one, tags: [on('a'), on('b'), on('c')] },
      { operation: 'update_page', page: two, title: 'Second' },
    );
    const { body: merged } = await admin.api.post<{ result: string; revision: string }>(`${at}/merge`);
    expect(merged.result).toBe('merge');
    expect((await admin.api.get(`${url}/revisions/${merged.revision}`)).body).toMatchObject({
      type: 'merge',
      mergedFrom: { object: 'change-request', id: request.id },
    });
    expect([await tagsOn(admin, url, one), await tagsOn(admin, url, two)]).toEqual([[on('b'), on('d', true)], []]);
    expect((await revisionOf(admin, url)).tags.map(({ slug }) => slug)).toEqual(['a', 'b', 'd']);
  });

  it('that both sides changed differently are a conflict', async () => {
    const { admin, url } = await space();
    await write(admin, url, tag('Beta', { color: 'red' }), tag('Old'));
    const { body: request } = await admin.api.post<{ id: string }>(`${url}/change-requests`, { subject: 'Labels' });
    const at = `${url}/change-requests/${request.id}`;
    await write(
      admin,
      at,
      { operation: 'update_tag', tag: 'beta', label: 'Preview', color: 'blue' },
      { operation: 'delete_tag', tag: 'old' },
    );
    await write(
      admin,
      url,
      { operation: 'update_tag', tag: 'beta', label: 'Early access' },
      { operation: 'update_tag', tag: 'old', label: 'Legacy' },
    );
    const { body } = await admin.api.get<{ conflicts: { id: string }[] }>(`${at}/conflicts`);
    expect(body.conflicts).toMatchObject([
      { kind: 'attribute', tag: 'beta', attribute: 'label', base: 'Beta', primary: 'Early access', changed: 'Preview' },
      { kind: 'deleted', tag: 'old', changed: null },
    ]);
  });

  it('go with a space that is duplicated', async () => {
    const { admin, url } = await space();
    await write(admin, url, tag('Beta'), page('One', { tags: [on('beta', true)] }));
    const { body: copy } = await admin.api.post<{ id: string }>(`${url}/duplicate`);
    const { tags, pages } = await revisionOf(admin, `/spaces/${copy.id}`);
    expect([tags, pages.map((each) => each.tags)]).toEqual([
      [{ slug: 'beta', label: 'Beta', color: 'default' }],
      [[on('beta', true)]],
    ]);
  });

  it('are shown on published pages, the primary one in the navigation', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Guide');
    await space.write(
      tag('Beta & more', { slug: 'beta', color: 'green', icon: 'flask' }),
      tag('New', { emoji: '1f680' }),
      page('One', { tags: [on('beta', true), on('new')] }),
      page('Two', { tags: [on('beta'), on('new')], layout: { tags: false } }),
    );
    const site = await publish(workspace, [space]);
    const mainOf = (html: string) => /<main.*?<\/main>/s.exec(html)?.[0] ?? '';
    const sidebarOf = (html: string) => /<nav class="tree".*?<\/nav>/s.exec(html)?.[0] ?? '';
    const one = (await listener.see(site.base)).body;
    expect(mainOf(one)).toMatch(
      /<ul class="page-tags"><li><span class="page-tag"><span class="text-green ground-green"><svg.*?<span>Beta (&amp;|&#x26;) more<\/span><\/span><\/span><\/li><li><span class="page-tag"><span class="plain"><span class="emoji"[^>]*>🚀<\/span><span>New/s,
    );
    const two = (await listener.see(`${site.base}/two`)).body;
    expect(mainOf(two)).not.toContain('page-tag');
    for (const html of [one, two]) expect(sidebarOf(html).match(/class="page-tag"/g)).toHaveLength(1);
    await space.write({ operation: 'delete_tag', tag: 'beta' });
    const after = (await listener.see(site.base)).body;
    expect(mainOf(after).match(/class="page-tag"/g)).toHaveLength(1);
    expect(sidebarOf(after)).not.toContain('page-tag');
  });
});
