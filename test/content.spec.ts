import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { buildOrganization, type Person } from './build.js';

const app = useApp();

interface PageBody {
  id: string;
  title: string;
  type: string;
  slug: string;
  path: string;
  pages: PageBody[];
  description?: string;
  documentId?: string;
  markdown?: string;
  document?: { object: string; data: object; nodes: { key: string; type: string; nodes: object[] }[] };
  [name: string]: unknown;
}

interface Update {
  revision: string;
  changes: { object: string; ref?: string; page: { id: string } | string }[];
  insertedFiles?: {
    id: string;
    name: string;
    downloadURL: string;
    size: number;
    contentType: string;
    dimensions?: object;
  }[];
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function liveSpace() {
  const org = await buildOrganization(app.current);
  const { body } = await org.admin.api.post<{ id: string; revision: string }>(`/orgs/${org.id}/spaces`, {
    title: 'Handbook',
    empty: true,
    editMode: 'live',
  });
  return { org, admin: org.admin, space: body.id, url: `/spaces/${body.id}` };
}

async function write(person: Person, url: string, changes: object[]): Promise<Update> {
  const answer = await person.api.post<Update>(`${url}/content`, { changes });
  expect([answer.status, answer.body]).toEqual([200, answer.body]);
  return answer.body;
}

const idOf = (update: Update, at = 0): string => {
  const page = update.changes[at]?.page;
  return typeof page === 'object' ? page.id : (page ?? '');
};

async function tree(person: Person, url: string, place = 'content'): Promise<unknown> {
  const { body } = await person.api.get<{ pages: PageBody[] }>(`${url}/${place}/pages`);
  const shape = (page: PageBody): unknown => [
    page.title,
    page.path,
    ...(page.pages?.length ? [page.pages.map(shape)] : []),
  ];
  return body.pages.map(shape);
}

async function fault(person: Person, url: string, changes: object[]): Promise<[number, string | undefined]> {
  const { status, body } = await person.api.post<{ error: { details: { path: string }[] } }>(`${url}/content`, {
    changes,
  });
  return [status, body.error?.details?.[0]?.path];
}

describe('creating a space', () => {
  it('begins with one page named like it, or empty where asked', async () => {
    const org = await buildOrganization(app.current);
    const made = await org.admin.api.post<{
      id: string;
      title: string;
      editMode: string;
      language: string;
      emoji: string;
    }>(`/orgs/${org.id}/spaces`, { title: 'Handbook', language: 'de', emoji: '1f4d8' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ title: 'Handbook', editMode: 'locked', language: 'de', emoji: '1f4d8' });
    expect(made.headers.get('location')).toContain(`/v1/spaces/${made.body.id}`);
    expect(await tree(org.admin, `/spaces/${made.body.id}`)).toEqual([['Handbook', 'handbook']]);
    const { url, admin } = await liveSpace();
    expect(await tree(admin, url)).toEqual([]);
    const revision = await admin.api.get<{ type: string; parents: string[] }>(`${url}/content`);
    expect(revision.body).toMatchObject({ object: 'revision', type: 'edits', parents: [], pages: [], files: [] });
  });

  it('is for those who may create content, in collections of the organization only', async () => {
    const org = await buildOrganization(app.current);
    const editor = await org.member('edit');
    expect((await editor.api.post(`/orgs/${org.id}/spaces`, { title: 'No' })).status).toBe(403);
    const other = await buildOrganization(app.current);
    expect((await other.admin.api.post(`/orgs/${org.id}/spaces`, { title: 'No' })).status).toBe(404);
    expect(
      (await org.admin.api.post(`/orgs/${org.id}/spaces`, { title: 'No', parent: 'AAAAAAAAAAAAAAAAAAAA' })).status,
    ).toBe(400);
    expect((await org.admin.api.post(`/orgs/${org.id}/spaces`, { title: 'No', template: { id: 'x' } })).status).toBe(
      400,
    );
  });
});

describe('writing pages', () => {
  it('makes a tree and reads back what was written, by id and by path', async () => {
    const { admin, url, space } = await liveSpace();
    const update = await write(admin, url, [
      {
        operation: 'insert_page',
        ref: 'guide',
        title: 'Guide',
        description: 'All of it',
        emoji: '1f680',
        document: { markdown: '# Guide\n\nHello **world**, see [setup](./setup.md).' },
      },
      {
        operation: 'insert_page',
        ref: 'setup',
        into: 'guide',
        title: 'Set up',
        document: { markdown: 'Install *it*.\n\n## First\n\nText' },
      },
      { operation: 'insert_page', title: 'Links', type: 'group' },
      {
        operation: 'insert_page',
        title: 'Elsewhere',
        type: 'link',
        target: { kind: 'url', url: 'https://example.com/' },
      },
    ]);
    expect(update.changes.map((change) => [change.object, change.ref])).toEqual([
      ['created_page', 'guide'],
      ['created_page', 'setup'],
      ['created_page', undefined],
      ['created_page', undefined],
    ]);
    const [guide, setup] = [idOf(update), idOf(update, 1)];
    expect(await tree(admin, url)).toEqual([
      ['Guide', 'guide', [['Set up', 'guide/set-up']]],
      ['Links', 'links'],
      ['Elsewhere', undefined],
    ]);

    const page = await admin.api.get<PageBody>(`${url}/content/page/${guide}`);
    expect(page.body).toMatchObject({
      id: guide,
      type: 'document',
      title: 'Guide',
      slug: 'guide',
      path: 'guide',
      description: 'All of it',
      emoji: '1f680',
    });
    expect(page.body.pages.map((child) => child.id)).toEqual([setup]);
    expect(page.body.document?.nodes[0]).toMatchObject({
      type: 'paragraph',
      nodes: [
        { leaves: [{ text: 'Hello ' }, { text: 'world', marks: [{ type: 'bold' }] }, { text: ', see ' }] },
        { type: 'link', data: { ref: { kind: 'page', page: setup } } },
        {},
      ],
    });
    const markdown = await admin.api.get<PageBody>(`${url}/content/page/${guide}`, { query: { format: 'markdown' } });
    expect(markdown.body.markdown).toBe('# Guide\n\nHello **world**, see [setup](guide/set-up.md).\n');
    const { key = '' } = page.body.document?.nodes[0] as { key?: string };
    const alone = (block: string, format: string) =>
      admin.api.get<PageBody>(`${url}/content/page/${guide}`, { query: { format, block } });
    expect((await alone(key, 'markdown')).body.markdown).toBe(markdown.body.markdown);
    expect((await alone(key, 'document')).body.document?.nodes).toEqual(page.body.document?.nodes);
    expect((await alone('another', 'markdown')).status).toBe(404);
    const byPath = await admin.api.get<PageBody>(`${url}/content/path/${encodeURIComponent('Guide/Set-up')}`);
    expect(byPath.body).toMatchObject({ id: setup, path: 'guide/set-up' });
    expect((await admin.api.get<PageBody>(`${url}/content/path/guide/set-up`)).body.id).toBe(setup);
    for (const nothing of ['guide/nothing', '%2F', '%2F%2F', 'guide%2F%2Fset-up'])
      expect((await admin.api.get(`${url}/content/path/${nothing}`)).status).toBe(404);
    const document = await admin.api.get<object>(`${url}/documents/${page.body.documentId ?? ''}`);
    expect(document.body).toEqual(page.body.document);
    expect((await admin.api.get(`${url}/documents/${'0'.repeat(64)}`)).status).toBe(404);
    const shown = await admin.api.get<{ revision: string }>(`/spaces/${space}`);
    expect(shown.body.revision).toBe(update.revision);
  });

  it('takes the title and attributes from the Markdown, and documents as they are', async () => {
    const { admin, url } = await liveSpace();
    const nodes = [
      {
        object: 'block',
        type: 'paragraph',
        key: 'k1',
        isVoid: false,
        data: {},
        nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'As is', marks: [] }] }],
      },
    ];
    const update = await write(admin, url, [
      {
        operation: 'insert_page',
        title: 'Given',
        document: {
          markdown: '---\ndescription: From the head\nicon: gear\nhidden: true\n---\n\n# From the heading\n\nText',
        },
      },
      {
        operation: 'insert_page',
        title: 'Document',
        document: { document: { object: 'document', data: { schemaVersion: 8 }, nodes } },
      },
      { operation: 'insert_page' },
    ]);
    const first = await admin.api.get<PageBody>(`${url}/content/page/${idOf(update)}`);
    expect(first.body).toMatchObject({
      title: 'From the heading',
      slug: 'from-the-heading',
      description: 'From the head',
      icon: 'gear',
      hidden: true,
    });
    const second = await admin.api.get<PageBody>(`${url}/content/page/${idOf(update, 1)}`);
    expect(second.body.document).toEqual({ object: 'document', data: { schemaVersion: 8 }, nodes });
    const third = await admin.api.get<PageBody>(`${url}/content/page/${idOf(update, 2)}`);
    expect(third.body).toMatchObject({ title: 'Untitled page', slug: 'untitled-page', document: { nodes: [] } });
    expect(third.body.documentId).toBeUndefined();
    expect(
      await fault(admin, url, [
        {
          operation: 'insert_page',
          document: { document: { object: 'document', data: {}, nodes: [{ object: 'block', type: 'nonsense' }] } },
        },
      ]),
    ).toEqual([400, 'changes.0.document.document.nodes.0']);
  });

  it('keeps the keys of blocks that a new version leaves alone', async () => {
    const { admin, url } = await liveSpace();
    const page = idOf(
      await write(admin, url, [
        { operation: 'insert_page', title: 'P', document: { markdown: 'One\n\nTwo\n\nThree' } },
      ]),
    );
    const keys = async () =>
      (await admin.api.get<PageBody>(`${url}/content/page/${page}`)).body.document?.nodes.map((node) => node.key) ?? [];
    const before = await keys();
    await write(admin, url, [
      { operation: 'update_page', page, document: { markdown: 'One\n\nNew\n\nTwo changed a bit\n\nThree' } },
    ]);
    const after = await keys();
    expect(new Set([...before, ...after]).size).toBeLessThanOrEqual(5);
    expect([after[0], after[3]]).toEqual([before[0], before[2]]);
  });

  it('moves pages, orders them, and refuses cycles', async () => {
    const { admin, url } = await liveSpace();
    const made = await write(
      admin,
      url,
      ['A', 'B', 'C', 'D'].map((title) => ({ operation: 'insert_page', title })),
    );
    const [a, b, c] = [idOf(made), idOf(made, 1), idOf(made, 2)];
    await write(admin, url, [
      { operation: 'update_page', page: c, at: 0 },
      { operation: 'update_page', page: b, into: a },
      { operation: 'insert_page', title: 'E', at: 1 },
      { operation: 'insert_page', title: 'F', into: a, at: 0 },
    ]);
    expect(await tree(admin, url)).toEqual([
      ['C', 'c'],
      ['E', 'e'],
      [
        'A',
        'a',
        [
          ['F', 'a/f'],
          ['B', 'a/b'],
        ],
      ],
      ['D', 'd'],
    ]);
    expect(await fault(admin, url, [{ operation: 'update_page', page: a, into: b }])).toEqual([400, 'changes.0.into']);
    expect(await fault(admin, url, [{ operation: 'update_page', page: a, into: a }])).toEqual([400, 'changes.0.into']);
    await write(admin, url, [{ operation: 'update_page', page: b, into: null }]);
    expect(await tree(admin, url)).toEqual([
      ['C', 'c'],
      ['E', 'e'],
      ['A', 'a', [['F', 'a/f']]],
      ['D', 'd'],
      ['B', 'b'],
    ]);
  });

  it('derives slugs from titles until they are set by hand; given ones that collide are refused', async () => {
    const { admin, url } = await liveSpace();
    const made = await write(admin, url, [
      { operation: 'insert_page', title: 'Same' },
      { operation: 'insert_page', title: 'Same' },
      { operation: 'insert_page', title: 'Über uns!' },
    ]);
    expect(await tree(admin, url)).toEqual([
      ['Same', 'same'],
      ['Same', 'same-1'],
      ['Über uns!', 'uber-uns'],
    ]);
    const [first, second, third] = [idOf(made), idOf(made, 1), idOf(made, 2)];
    await write(admin, url, [
      { operation: 'update_page', page: second, title: 'Other' },
      { operation: 'update_page', page: third, slug: 'About-Us' },
    ]);
    await write(admin, url, [{ operation: 'update_page', page: third, title: 'We' }]);
    expect(await tree(admin, url)).toEqual([
      ['Same', 'same'],
      ['Other', 'other'],
      ['We', 'about-us'],
    ]);
    expect(
      await fault(admin, url, [
        { operation: 'update_page', page: first, title: 'X' },
        { operation: 'update_page', page: first, slug: 'other' },
      ]),
    ).toEqual([400, 'changes.1.slug']);
    expect(await fault(admin, url, [{ operation: 'update_page', page: first, slug: 'a b' }])).toEqual([
      400,
      'changes.0.slug',
    ]);
    await write(admin, url, [
      { operation: 'update_page', page: first, slug: 'other' },
      { operation: 'update_page', page: second, slug: 'same' },
    ]);
    await write(admin, url, [{ operation: 'update_page', page: third, slug: '' }]);
    expect(await tree(admin, url)).toEqual([
      ['Same', 'other'],
      ['Other', 'same'],
      ['We', 'we'],
    ]);
  });

  it('takes paths and names that are too long to be found by', async () => {
    const { admin, url } = await liveSpace();
    // Nothing of these repeats, so that no index can make them shorter.
    const letters = (length: number) =>
      Array.from({ length }, () => String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000))).join('');
    const nested = Array.from({ length: 12 }, (_, depth) => ({
      operation: 'insert_page',
      title: 'Deep',
      slug: letters(100),
      ref: `at${depth}`,
      ...(depth > 0 && { into: `at${depth - 1}` }),
    }));
    const made = await write(admin, url, nested);
    const { revision } = await write(admin, url, [{ operation: 'update_page', page: idOf(made, 11), slug: 'renamed' }]);
    const path = [...nested.slice(0, 11).map(({ slug }) => slug), 'renamed'].join('/');
    expect((await admin.api.get(`${url}/revisions/${revision}/changes`)).body).toMatchObject({
      changes: [{ page: { id: idOf(made, 11), path } }],
    });

    const name = letters(1024);
    const link = {
      object: 'inline',
      type: 'link',
      isVoid: false,
      data: { ref: { kind: 'page', page: name, space: letters(1024) } },
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'there', marks: [] }] }],
    };
    const document = {
      object: 'document',
      data: {},
      nodes: [{ object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes: [link] }],
    };
    const markdown = `{% openapi-operation spec="${letters(4000)}" path="/pets" method="get" %}\n{% endopenapi-operation %}`;
    const linked = await write(admin, url, [
      { operation: 'insert_page', title: 'Document', document: { document } },
      { operation: 'insert_page', title: 'Markdown', document: { markdown } },
    ]);
    expect(
      (await admin.api.get<PageBody>(`${url}/content/page/${idOf(linked)}?format=document`)).body.document?.nodes[0]
        ?.nodes[0],
    ).toMatchObject({ data: { ref: { page: name } } });
    expect(
      (await admin.api.get<PageBody>(`${url}/content/page/${idOf(linked, 1)}?format=document`)).body.document?.nodes[0],
    ).toMatchObject({ type: 'openapi-operation' });
  });

  it('deletes subpages with their page, and brings a page back', async () => {
    const { admin, url } = await liveSpace();
    const made = await write(admin, url, [
      { operation: 'insert_page', ref: 'a', title: 'A', document: { markdown: 'Old' } },
      { operation: 'insert_page', ref: 'b', into: 'a', title: 'B' },
      { operation: 'insert_page', into: 'b', title: 'C' },
    ]);
    const before = made.revision;
    const gone = await write(admin, url, [{ operation: 'delete_page', page: idOf(made) }]);
    expect(gone.changes).toEqual([{ object: 'deleted_page', page: idOf(made) }]);
    expect(await tree(admin, url)).toEqual([]);
    expect((await admin.api.get(`${url}/content/page/${idOf(made, 2)}`)).status).toBe(404);
    expect(await tree(admin, url, `revisions/${before}`)).toEqual([['A', 'a', [['B', 'a/b', [['C', 'a/b/c']]]]]]);
    await write(admin, url, [{ operation: 'revert_page', page: idOf(made), revision: before }]);
    const page = await admin.api.get<PageBody>(`${url}/content/page/${idOf(made)}`, { query: { format: 'markdown' } });
    expect(page.body.markdown).toBe('# A\n\nOld\n');
    expect(await fault(admin, url, [{ operation: 'revert_page', page: idOf(made) }])).toEqual([
      400,
      'changes.0.revision',
    ]);
  });

  it('deletes what the same batch moved under the deleted page', async () => {
    const { admin, url } = await liveSpace();
    const made = await write(admin, url, [
      { operation: 'insert_page', ref: 'a', title: 'A' },
      { operation: 'insert_page', ref: 'b', title: 'B' },
      { operation: 'insert_page', into: 'b', title: 'C' },
      { operation: 'insert_page', title: 'D' },
    ]);
    const [a, b] = [idOf(made), idOf(made, 1)];
    await write(admin, url, [
      { operation: 'update_page', page: b, into: a },
      { operation: 'delete_page', page: a },
    ]);
    expect(await tree(admin, url)).toEqual([['D', 'd']]);
  });

  it('applies all changes or none, and names the one at fault', async () => {
    const { admin, url } = await liveSpace();
    expect(
      await fault(admin, url, [
        { operation: 'insert_page', title: 'A' },
        { operation: 'delete_page', page: 'nothing' },
      ]),
    ).toEqual([400, 'changes.1.page']);
    expect(await fault(admin, url, [{ operation: 'insert_page', title: 'A' }, { operation: 'no_such' }])).toEqual([
      400,
      'changes.1.operation',
    ]);
    expect(await fault(admin, url, [])).toEqual([400, 'changes']);
    expect(
      await fault(
        admin,
        url,
        Array.from({ length: 51 }, () => ({ operation: 'insert_page', title: 'A' })),
      ),
    ).toEqual([400, 'changes']);
    expect(
      await fault(admin, url, [
        { operation: 'insert_page', ref: 'a' },
        { operation: 'insert_page', ref: 'a' },
      ]),
    ).toEqual([400, 'changes.1.ref']);
    expect(await fault(admin, url, [{ operation: 'insert_page', type: 'link', title: 'L' }])).toEqual([
      400,
      'changes.0.target',
    ]);
    expect(await tree(admin, url)).toEqual([]);
  });

  it('refuses what is no change', async () => {
    const { admin, url } = await liveSpace();
    for (const change of [null, [], [[]], 1, 'insert_page', {}, { operation: 'constructor' }]) {
      expect((await admin.api.post(`${url}/content`, { changes: [change] })).status).toBe(400);
      expect(
        (await admin.api.post(`${url}/content`, { changes: [{ operation: 'insert_files', files: [change] }] })).status,
      ).toBe(400);
    }
  });

  it('takes names that every object has', async () => {
    const { admin, url } = await liveSpace();
    const sources = [
      '{% constructor %}\n\nb\n\n{% endconstructor %}',
      '{% tabs %}\n{% constructor %}\n{% endconstructor %}\n{% endtabs %}',
      'a <constructor>b</constructor>',
      '<constructor>\n\nb\n\n</constructor>',
      '<table><thead><tr><th data-type="constructor">a</th></tr></thead><tbody><tr><td><constructor>b</constructor></td></tr></tbody></table>',
      '[a](bindery:constructor?toString=b)',
    ];
    const made = await write(
      admin,
      url,
      sources.map((markdown) => ({ operation: 'insert_page', title: 'Names', document: { markdown } })),
    );
    for (const [at] of sources.entries()) {
      const first =
        (await admin.api.get<PageBody>(`${url}/content/page/${idOf(made, at)}`, { query: { format: 'markdown' } })).body
          .markdown ?? '';
      expect(first).toMatch(/constructor|\| b \|/);
      const again = await write(admin, url, [
        { operation: 'insert_page', title: 'Again', document: { markdown: first } },
      ]);
      expect(
        (await admin.api.get<PageBody>(`${url}/content/page/${idOf(again)}`, { query: { format: 'markdown' } })).body
          .markdown,
      ).toBe(first);
    }

    const column = { id: 'constructor', title: 'A', type: 'text', textAlignment: 'left' };
    const table = (definition: object, columns: string[]) => ({
      object: 'block',
      type: 'table',
      isVoid: true,
      data: {
        records: { r: { orderIndex: 'a', values: {} } },
        definition,
        view: { type: 'grid', columns, hideHeader: false },
      },
    });
    for (const block of [table({}, ['constructor', 'toString']), table({ constructor: column }, ['constructor'])]) {
      const page = idOf(
        await write(admin, url, [
          {
            operation: 'insert_page',
            title: 'Table',
            document: { document: { object: 'document', data: {}, nodes: [block] } },
          },
        ]),
      );
      for (const format of ['document', 'markdown'])
        expect((await admin.api.get(`${url}/content/page/${page}`, { query: { format } })).status).toBe(200);
    }
    expect(
      (await admin.api.get<{ items: object[] }>(`${url}/search`, { query: { query: 'native code' } })).body.items,
    ).toEqual([]);
  });

  it('needs live edits, the right to edit, and the version that If-Match names', async () => {
    const { org, admin, url } = await liveSpace();
    const change = { changes: [{ operation: 'insert_page', title: 'A' }] };
    const reader = await org.member('read');
    expect((await reader.api.post(`${url}/content`, change)).status).toBe(403);
    const stranger = await buildOrganization(app.current);
    expect((await stranger.admin.api.post(`${url}/content`, change)).status).toBe(404);
    for (const path of [
      'content',
      'content/pages',
      'content/files',
      'content/page/x',
      'content/path/x',
      'content/files/x',
      'revisions/x',
      'documents/x',
    ]) {
      expect((await stranger.admin.api.get(`${url}/${path}`)).status).toBe(404);
    }
    const etag = (await admin.api.get(url)).headers.get('etag') ?? '';
    expect((await admin.api.post(`${url}/content`, change, { headers: { 'If-Match': etag } })).status).toBe(200);
    expect((await admin.api.post(`${url}/content`, change, { headers: { 'If-Match': etag } })).status).toBe(412);
    await admin.api.patch(url, { editMode: 'locked' });
    expect((await admin.api.post(`${url}/content`, change)).status).toBe(409);
  });
});

describe('files, reusable contents and variables', () => {
  it('are written and read back', async () => {
    const { admin, url } = await liveSpace();
    const update = await write(admin, url, [
      {
        operation: 'insert_files',
        files: [
          { ref: 'pixel', name: 'pixel.png', contentType: 'image/png', base64: PIXEL },
          { name: 'notes.txt', contentType: 'text/plain', base64: Buffer.from('Notes').toString('base64') },
        ],
      },
      { operation: 'insert_page', title: 'Picture', document: { markdown: '![A pixel](./pixel)' } },
      { operation: 'insert_reusable_content', title: 'Hours', document: { markdown: 'Nine to five' } },
      { operation: 'set_variables', variables: { product: 'Bindery', edition: 2 } },
    ]);
    const [pixel, notes] = update.insertedFiles ?? [];
    expect(pixel).toMatchObject({
      name: 'pixel.png',
      contentType: 'image/png',
      size: Buffer.from(PIXEL, 'base64').length,
      dimensions: { width: 1, height: 1 },
    });
    const page = await admin.api.get<PageBody>(`${url}/content/page/${idOf(update)}`);
    expect(JSON.stringify(page.body.document)).toContain(`"file":"${pixel?.id ?? ''}"`);
    const markdown = await admin.api.get<PageBody>(`${url}/content/page/${idOf(update)}`, {
      query: { format: 'markdown' },
    });
    expect(markdown.body.markdown).toContain('/~files/');
    await write(admin, url, [
      { operation: 'update_page', page: idOf(update), document: { markdown: markdown.body.markdown } },
    ]);
    expect((await admin.api.get<PageBody>(`${url}/content/page/${idOf(update)}`)).body.documentId).toBe(
      page.body.documentId,
    );

    const list = await admin.api.get<{ items: { id: string }[]; count: number; next?: { page: string } }>(
      `${url}/content/files`,
      { query: { limit: 1 } },
    );
    expect(list.body).toMatchObject({ count: 2 });
    const rest = await admin.api.get<{ items: { id: string }[] }>(`${url}/content/files`, {
      query: { limit: 1, page: list.body.next?.page },
    });
    expect(new Set([...list.body.items, ...rest.body.items].map((file) => file.id))).toEqual(
      new Set([pixel?.id, notes?.id]),
    );
    const file = await admin.api.get(`${url}/content/files/${notes?.id ?? ''}`);
    expect(file.body).toMatchObject({ id: notes?.id, name: 'notes.txt', contentType: 'text/plain', size: 5 });
    expect((await admin.api.get(`${url}/content/files/nothing`)).status).toBe(404);

    const revision = await admin.api.get<{
      id: string;
      reusableContents: { id: string; title: string; document: string }[];
      variables: object;
    }>(`${url}/content`);
    expect(revision.body.variables).toEqual({ product: 'Bindery', edition: 2 });
    const [hours] = revision.body.reusableContents;
    expect(hours).toMatchObject({ title: 'Hours' });
    expect((await admin.api.get(`${url}/content/reusable-contents/${hours?.id ?? ''}`)).body).toEqual(hours);
    const document = await admin.api.get(
      `${url}/revisions/${revision.body.id}/reusable-contents/${hours?.id ?? ''}/document`,
    );
    expect(JSON.stringify(document.body)).toContain('Nine to five');

    await write(admin, url, [
      {
        operation: 'update_file',
        file: notes?.id,
        name: 'new.txt',
        contentType: 'text/plain',
        base64: Buffer.from('Longer notes').toString('base64'),
      },
      { operation: 'update_reusable_content', reusableContent: hours?.id, title: 'Opening hours' },
      { operation: 'set_variables', variables: { edition: null, product: 'B' } },
    ]);
    const next = await admin.api.get<{
      variables: object;
      reusableContents: { title: string }[];
      files: { name: string; size: number }[];
    }>(`${url}/content`);
    expect(next.body).toMatchObject({ variables: { product: 'B' }, reusableContents: [{ title: 'Opening hours' }] });
    expect(next.body.files.find(({ name }) => name === 'new.txt')).toMatchObject({ size: 12 });
    await write(admin, url, [
      { operation: 'delete_files', files: [pixel?.id, notes?.id] },
      { operation: 'delete_reusable_content', reusableContent: hours?.id },
    ]);
    expect((await admin.api.get(`${url}/content`)).body).toMatchObject({ files: [], reusableContents: [] });
    expect((await admin.api.get(`${url}/revisions/${revision.body.id}`)).body).toMatchObject({
      variables: { product: 'Bindery', edition: 2 },
      reusableContents: [{ title: 'Hours' }],
    });
    expect(
      (await admin.api.get<{ items: unknown[] }>(`${url}/revisions/${revision.body.id}/files`)).body.items,
    ).toHaveLength(2);
    expect((await admin.api.get(`${url}/revisions/${revision.body.id}/files/${notes?.id ?? ''}`)).body).toMatchObject({
      name: 'notes.txt',
      size: 5,
    });
  });

  it('are fetched from an address, through the guard', async () => {
    const server = createServer(
      (request, response) =>
        void (request.url === '/pixel.png'
          ? response.end(Buffer.from(PIXEL, 'base64'))
          : response.writeHead(404).end('secret')),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const { admin, url } = await liveSpace();
      const update = await write(admin, url, [
        { operation: 'insert_files', files: [{ name: 'pixel.png', url: `${base}/pixel.png` }] },
      ]);
      expect(update.insertedFiles).toMatchObject([
        { name: 'pixel.png', contentType: 'image/png', dimensions: { width: 1, height: 1 } },
      ]);
      const missing = await admin.api.post<{ error: { message: string } }>(`${url}/content`, {
        changes: [{ operation: 'insert_files', files: [{ name: 'x', url: `${base}/nothing` }] }],
      });
      expect([missing.status, missing.body.error.message]).toEqual([400, expect.not.stringContaining('secret')]);
      expect(
        await fault(admin, url, [{ operation: 'insert_files', files: [{ name: 'x', url: 'http://10.0.0.1/x' }] }]),
      ).toEqual([400, 'changes.0.files.0.url']);
    } finally {
      server.close();
    }
  });

  it('are refused where they break a rule', async () => {
    const { admin, url } = await liveSpace();
    expect(await fault(admin, url, [{ operation: 'insert_files', files: [{ name: 'a', base64: PIXEL }] }])).toEqual([
      400,
      'changes.0.files.0.contentType',
    ]);
    expect(
      await fault(admin, url, [
        { operation: 'insert_files', files: [{ name: 'a', contentType: 'image/png', base64: '§' }] },
      ]),
    ).toEqual([400, 'changes.0.files.0.base64']);
    expect(
      await fault(admin, url, [{ operation: 'insert_files', files: [{ name: 'a', contentType: 'image/png' }] }]),
    ).toEqual([400, 'changes.0.files.0.base64']);
    const large = Buffer.alloc(1024 ** 2 + 1).toString('base64');
    expect(
      await fault(admin, url, [
        { operation: 'insert_files', files: [{ name: 'a', contentType: 'image/png', base64: large }] },
      ]),
    ).toEqual([400, 'changes.0.files.0.base64']);
    expect(await fault(admin, url, [{ operation: 'set_variables', variables: { '1a': 'x' } }])).toEqual([
      400,
      'changes.0.variables.1a',
    ]);
    expect(await fault(admin, url, [{ operation: 'set_variables', variables: {} }])).toEqual([
      400,
      'changes.0.variables',
    ]);
    expect(await fault(admin, url, [{ operation: 'delete_files', files: ['nothing'] }])).toEqual([
      400,
      'changes.0.files.0',
    ]);
    const [kept] = (
      await admin.api.post<{ insertedFiles: { id: string }[] }>(`${url}/content`, {
        changes: [{ operation: 'insert_files', files: [{ name: 'a', contentType: 'text/plain', base64: 'YQ==' }] }],
      })
    ).body.insertedFiles;
    expect(
      await fault(admin, url, [
        { operation: 'set_variables', variables: { a: 'x' } },
        { operation: 'delete_files', files: [kept?.id, 'nothing'] },
      ]),
    ).toEqual([400, 'changes.1.files.1']);
  });
});

describe('revisions', () => {
  it('never change, carry an ETag and answer 304', async () => {
    const { admin, url } = await liveSpace();
    const first = await write(admin, url, [{ operation: 'insert_page', title: 'A', document: { markdown: 'One' } }]);
    const page = idOf(first);
    const old = await admin.api.get<PageBody>(`${url}/revisions/${first.revision}/page/${page}`);
    const etag = old.headers.get('etag') ?? '';
    const second = await write(admin, url, [
      { operation: 'update_page', page, title: 'B', document: { markdown: 'Two' } },
    ]);
    const again = await admin.api.get<PageBody>(`${url}/revisions/${first.revision}/page/${page}`);
    expect(again.body).toEqual(old.body);
    expect(again.headers.get('etag')).toBe(etag);
    expect(
      (await admin.api.get(`${url}/revisions/${first.revision}/page/${page}`, { headers: { 'If-None-Match': etag } }))
        .status,
    ).toBe(304);
    expect((await admin.api.get(`${url}/content/page/${page}`, { headers: { 'If-None-Match': etag } })).status).toBe(
      200,
    );
    expect((await admin.api.get(`${url}/revisions/${first.revision}/page/${page}/document`)).body).toEqual(
      old.body.document,
    );
    expect((await admin.api.get<PageBody>(`${url}/revisions/${second.revision}/path/b`)).body).toMatchObject({
      id: page,
      title: 'B',
    });
    expect((await admin.api.get(`${url}/revisions/${second.revision}/path/a`)).status).toBe(404);
    const shown = await admin.api.get(`${url}/revisions/${second.revision}`);
    expect(shown.body).toMatchObject({ id: second.revision, parents: [first.revision], type: 'edits' });
    const changes = await admin.api.get<{ changes: object[] }>(`${url}/revisions/${second.revision}/changes`);
    expect(changes.body.changes).toEqual([
      {
        type: 'page_edited',
        page: { id: page, type: 'document', title: 'B', path: 'b' },
        attributes: {
          title: { before: 'A', after: 'B' },
          slug: { before: 'a', after: 'b' },
          document: { before: old.body.documentId, after: expect.any(String) },
        },
      },
    ]);
    expect((await admin.api.get(`${url}/revisions/nothing`)).status).toBe(404);
    const other = await liveSpace();
    expect((await other.admin.api.get(`${other.url}/revisions/${first.revision}`)).status).toBe(404);
  });
});
