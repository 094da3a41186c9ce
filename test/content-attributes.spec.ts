import { describe, expect, it } from '@jest/globals';
import type { Item } from '../src/authoring/content/domain/content-item.js';
import { semanticChanges } from '../src/authoring/content/domain/semantic-changes.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';

const app = useApp();

interface Page {
  id: string;
  type: string;
  pages?: Page[];
  [name: string]: unknown;
}
interface Change {
  type: string;
  page?: { id: string; title: string };
  attributes?: Record<string, { before?: unknown; after?: unknown }>;
  [name: string]: unknown;
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const LAYOUT = {
  width: 'default',
  cover: true,
  coverSize: 'hero',
  coverMask: 'none',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
  tags: true,
  actions: true,
  anchors: true,
};
const url = (name: string) => ({ kind: 'url', url: `https://example.com/${name}` });

/** A space with live edits. */
async function space() {
  const { id, admin } = await buildOrganization(app.current);
  const made = await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, {
    title: 'Attributes',
    empty: true,
    editMode: 'live',
  });
  const base = `/spaces/${made.body.id}`;
  const write = async (...changes: object[]) => {
    const { status, body } = await admin.api.post<{
      revision: string;
      changes: { page: { id: string } }[];
      insertedFiles?: { id: string }[];
    }>(`${base}/content`, { changes });
    expect([status, body]).toEqual([200, body]);
    return body;
  };
  const changesOf = async (revision: string) =>
    (await admin.api.get<{ changes: Change[] }>(`${base}/revisions/${revision}/changes`)).body.changes;
  return { api: admin.api, base, write, changesOf };
}

describe('what a page is given', () => {
  it('comes back as it was written, and is shown as changed when it changes', async () => {
    const { api, base, write, changesOf } = await space();
    const first = {
      title: 'Guide',
      slug: 'guide',
      emoji: '1f680',
      icon: 'gear',
      linkTitle: 'The guide',
      description: 'All of it',
      hidden: true,
      noIndex: true,
      noRobotsIndex: true,
      condition: 'visitor.claims.isBetaUser',
      layout: { ...LAYOUT, width: 'wide', outline: false },
      cover: { ref: url('light.png'), refDark: url('dark.png'), yPos: 20, height: 300 },
      variables: { product: 'Bindery', year: 2026 },
      metaLinks: { canonical: url('canonical'), alternates: [url('alternate')] },
    };
    const made = await write({ operation: 'insert_page', ...first, document: { markdown: 'Words' } });
    const page = made.changes[0]?.page.id ?? '';
    expect((await api.get(`${base}/content/page/${page}`)).body).toMatchObject({ id: page, ...first });
    expect((await api.get(`${base}/content/page/${page}/meta-links`)).body).toEqual(first.metaLinks);
    const revised = await api.get(`${base}/revisions/${made.revision}/page/${page}/meta-links`);
    expect(revised.body).toEqual(first.metaLinks);
    expect((await api.get(`${base}/content/page/nothing/meta-links`)).status).toBe(404);
    const { body: request } = await api.post<{ id: string }>(`${base}/change-requests`, { subject: 'Other links' });
    const proposed = await api.get(`${base}/change-requests/${request.id}/content/page/${page}/meta-links`);
    expect(proposed.body).toEqual(first.metaLinks);
    const second = {
      title: 'Manual',
      slug: 'manual',
      emoji: '1f4d8',
      description: 'Most of it',
      layout: { coverSize: 'full' },
      cover: { ref: url('new.png') },
      variables: { product: 'Bindery 2' },
    };
    const changed = await write({ operation: 'update_page', page, ...second, document: { markdown: 'Other words' } });
    const shown = { ...second, layout: { ...LAYOUT, coverSize: 'full' }, cover: { ref: url('new.png'), yPos: 0 } };
    const read = await api.get(`${base}/content/page/${page}`);
    expect(read.body).toMatchObject(shown);
    expect((await api.get(`${base}/content/page/${page}/meta-links`)).body).toEqual(first.metaLinks);
    const [edited, ...others] = await changesOf(changed.revision);
    expect(others).toEqual([]);
    expect(edited).toMatchObject({ type: 'page_edited', page: { id: page, title: 'Manual', path: 'manual' } });
    expect(edited?.attributes).not.toHaveProperty('hidden');
    const names = ['title', 'slug', 'emoji', 'description', 'layout', 'cover', 'variables'] as const;
    for (const name of names) expect(edited?.attributes?.[name]).toEqual({ before: first[name], after: shown[name] });
    expect(edited?.attributes?.['document']).toEqual({ before: expect.any(String), after: read.body['documentId'] });
    const removed = await write({
      operation: 'update_page',
      page,
      cover: null,
      variables: null,
      layout: null,
      metaLinks: null,
      emoji: '',
      condition: '',
    });
    const bare = await api.get<Page>(`${base}/content/page/${page}`);
    expect(bare.body['layout']).toEqual(LAYOUT);
    for (const name of ['cover', 'variables', 'metaLinks', 'emoji', 'condition'])
      expect(bare.body).not.toHaveProperty(name);
    const [emptied] = await changesOf(removed.revision);
    expect(emptied?.attributes).toEqual({
      condition: { before: first.condition },
      metaLinks: { before: first.metaLinks },
      emoji: { before: second.emoji },
      variables: { before: second.variables },
      layout: { before: shown.layout, after: LAYOUT },
      cover: { before: shown.cover },
    });
    const more = await write({
      operation: 'update_page',
      page,
      icon: 'bell',
      linkTitle: 'Short',
      hidden: false,
      noIndex: false,
      noRobotsIndex: false,
    });
    expect((await changesOf(more.revision))[0]?.attributes).toEqual({
      icon: { before: 'gear', after: 'bell' },
      linkTitle: { before: 'The guide', after: 'Short' },
      hidden: { before: true },
      noIndex: { before: true },
      noRobotsIndex: { before: true },
    });
    const linked = await write({ operation: 'update_page', page, type: 'link', target: url('target') });
    expect((await changesOf(linked.revision))[0]?.attributes).toMatchObject({
      type: { before: 'document', after: 'link' },
      slug: { before: 'manual' },
      target: { after: url('target') },
    });
  });

  it('is refused where it has not the shape in which it is shown', async () => {
    const { api, base } = await space();
    const wrong: [object, string][] = [
      [{ layout: { width: 'vast' } }, 'layout.width'],
      [{ layout: { sidebar: true } }, 'layout.sidebar'],
      [{ cover: { ref: { kind: 'page', page: 'x' } } }, 'cover.ref.kind'],
      [{ cover: { ref: url('a.png'), height: 9 } }, 'cover.height'],
      [{ cover: { ref: url('a.png'), height: 701 } }, 'cover.height'],
      [{ variables: { product: {} } }, 'variables.product'],
      [{ variables: { product: 'x'.repeat(257) } }, 'variables.product'],
      [{ metaLinks: { canonical: 'https://example.com' } }, 'metaLinks.canonical.kind'],
      [{ type: 'link', target: { kind: 'nothing' } }, 'target.kind'],
    ];
    for (const [attributes, path] of wrong) {
      const changes = [
        { operation: 'insert_page', title: 'Fine' },
        { operation: 'insert_page', title: 'Wrong', ...attributes },
      ];
      expect((await api.post(`${base}/content`, { changes })).body).toMatchObject({
        error: { code: 400, details: [{ path: `changes.1.${path}` }] },
      });
    }
    expect((await api.get(`${base}/content/pages`)).body).toEqual({ pages: [] });
  });
});

describe('what else a space holds', () => {
  it('is shown as changed: groups, links, places, files, reusable contents and variables', async () => {
    const { api, base, write, changesOf } = await space();
    const made = await write(
      {
        operation: 'insert_page',
        type: 'group',
        title: 'Basics',
        emoji: '1f680',
        hidden: true,
        noIndex: true,
        noRobotsIndex: true,
      },
      {
        operation: 'insert_page',
        type: 'link',
        title: 'Elsewhere',
        emoji: '1f517',
        hidden: true,
        target: url('elsewhere'),
      },
      { operation: 'insert_page', ref: 'one', title: 'One' },
      { operation: 'insert_page', ref: 'two', title: 'Two' },
      { operation: 'insert_page', into: 'one', title: 'Child' },
      {
        operation: 'insert_files',
        files: [
          { name: 'notes.txt', contentType: 'text/plain', base64: Buffer.from('notes').toString('base64') },
          { name: 'dot.png', contentType: 'image/png', base64: PIXEL },
        ],
      },
      { operation: 'insert_reusable_content', title: 'Hours', document: { markdown: 'Nine to five' } },
      { operation: 'set_variables', variables: { product: 'Bindery', year: 2026 } },
    );
    const [group, link, one, two, child] = made.changes.map(({ page }) => page.id);
    const [notes, dot] = (made.insertedFiles ?? []).map(({ id }) => id);
    const before = await api.get<{ pages: Page[]; reusableContents: { id: string; document: string }[] }>(
      `${base}/content`,
    );
    expect(before.body.pages[0]).toMatchObject({
      id: group,
      type: 'group',
      emoji: '1f680',
      hidden: true,
      noIndex: true,
      noRobotsIndex: true,
    });
    expect(before.body.pages[1]).toMatchObject({
      id: link,
      type: 'link',
      emoji: '1f517',
      hidden: true,
      target: url('elsewhere'),
      href: 'https://example.com/elsewhere',
    });
    expect(before.body).toMatchObject({ variables: { product: 'Bindery', year: 2026 } });
    const [hours] = before.body.reusableContents;
    const changed = await write(
      { operation: 'update_page', page: group, title: 'First steps', emoji: '1f4d8' },
      { operation: 'update_page', page: link, emoji: '1f310', target: url('somewhere') },
      { operation: 'update_page', page: child, into: two },
      { operation: 'update_file', file: notes, name: 'image.png', contentType: 'image/png', base64: PIXEL },
      {
        operation: 'update_file',
        file: dot,
        contentType: 'text/plain',
        base64: Buffer.from('no image').toString('base64'),
      },
      {
        operation: 'update_reusable_content',
        reusableContent: hours?.id,
        title: 'Opening hours',
        document: { markdown: 'Ten to four' },
      },
      { operation: 'set_variables', variables: { product: 'Bindery 2', year: null, edition: 'first' } },
    );
    const changes = await changesOf(changed.revision);
    const of = (type: string, id: string | undefined) =>
      changes.find(
        (change) =>
          change.type === type &&
          [change.page, change['file'], change['reusableContent']].some(
            (item) => (item as { id?: string } | undefined)?.id === id,
          ),
      );
    expect(of('page_edited', group)?.attributes).toMatchObject({
      title: { before: 'Basics', after: 'First steps' },
      emoji: { before: '1f680', after: '1f4d8' },
    });
    expect(of('page_edited', link)?.attributes).toEqual({
      emoji: { before: '1f517', after: '1f310' },
      target: { before: url('elsewhere'), after: url('somewhere') },
    });
    expect(of('page_moved', child)).toMatchObject({
      page: { path: 'two/child' },
      parent: { before: { id: one, title: 'One' }, after: { id: two, title: 'Two' } },
    });
    expect(of('file_edited', notes)?.attributes).toMatchObject({
      name: { before: 'notes.txt', after: 'image.png' },
      contentType: { before: 'text/plain', after: 'image/png' },
      size: { before: 5, after: Buffer.from(PIXEL, 'base64').length },
      dimensions: { after: { width: 1, height: 1 } },
      downloadURL: { before: expect.stringContaining('notes.txt'), after: expect.stringContaining('image.png') },
    });
    expect(of('file_edited', dot)?.attributes).toMatchObject({ dimensions: { before: { width: 1, height: 1 } } });
    const after = await api.get<{ reusableContents: { title: string; document: string }[]; variables: object }>(
      `${base}/content`,
    );
    expect(of('reusable_content_edited', hours?.id)?.attributes).toEqual({
      title: { before: 'Hours', after: 'Opening hours' },
      document: { before: hours?.document, after: after.body.reusableContents[0]?.document },
    });
    expect(changes.find(({ type }) => type === 'variables_edited')?.['variables']).toEqual({
      product: { before: 'Bindery', after: 'Bindery 2' },
      year: { before: 2026 },
      edition: { after: 'first' },
    });
    expect(after.body.variables).toEqual({ product: 'Bindery 2', edition: 'first' });
    const query = { metadata: false, computed: false, limit: 2 };
    expect((await api.get(`${base}/revisions/${changed.revision}/changes`, { query })).body).toEqual({
      changes: changes.slice(0, 2),
      more: changes.length - 2,
    });
  });
});

describe('facts of git', () => {
  const at = new Date('2026-01-31T09:30:00.000Z');
  const page = (props: object): Item => ({
    kind: 'page',
    id: 'page',
    parentId: '',
    position: 'a',
    type: 'document',
    title: 'Tea',
    slug: 'tea',
    hash: null,
    props: { ...props },
    createdAt: at,
    updatedAt: at,
  });
  const show = {
    page: ({ id }: Item) => ({ id }),
    parent: () => undefined,
    file: () => ({ downloadURL: '' }),
    reusable: () => ({}),
  };

  it('make no change where they are left out', () => {
    const moved = {
      before: page({ git: { oid: 'a', path: 'tea.md' } }),
      after: page({ git: { oid: 'a', path: 'docs/tea.md' } }),
    };
    expect(semanticChanges([moved], show)).toEqual([
      {
        type: 'page_edited',
        page: { id: 'page' },
        attributes: { git: { before: { oid: 'a', path: 'tea.md' }, after: { oid: 'a', path: 'docs/tea.md' } } },
      },
    ]);
    expect(semanticChanges([moved], show, false)).toEqual([]);
    const both = { before: moved.before, after: page({ git: { oid: 'b', path: 'tea.md' }, hidden: true }) };
    expect(semanticChanges([both], show, false)).toEqual([
      { type: 'page_edited', page: { id: 'page' }, attributes: { hidden: { after: true } } },
    ]);
  });
});
