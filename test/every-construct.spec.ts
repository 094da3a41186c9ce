import { describe, expect, it } from '@jest/globals';
import { withBlockIds } from '../src/formats/document/block-ids.js';
import { BLOCKS, INLINES, MARK_ORDER } from '../src/formats/document/node-kinds.js';
import type { Document } from '../src/formats/document/types.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';
import { everyConstruct, typesIn, withKeys, type Targets } from './every-construct.js';

const app = useApp();

interface Update {
  changeRequest: { id: string; revision: string };
  changes: { ref?: string; page: { id: string } }[];
  insertedFiles?: { id: string; name: string }[];
}
interface PageBody {
  documentId: string;
  document: Document;
  markdown: string;
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A change request with something of each kind to refer to. */
async function draft() {
  const { id: organization, admin } = await buildOrganization(app.current);
  const { api } = admin;
  const space = (await api.post<{ id: string }>(`/orgs/${organization}/spaces`, { title: 'Constructs', empty: true }))
    .body.id;
  const collection = (await api.post<{ id: string }>(`/orgs/${organization}/collections`, { title: 'Box' })).body.id;
  const request = (await api.post<{ id: string }>(`/spaces/${space}/change-requests`, { subject: 'Everything' })).body
    .id;
  const url = `/spaces/${space}/change-requests/${request}`;
  const write = async (...changes: object[]): Promise<Update> => {
    const { status, body } = await api.post<Update>(`${url}/content`, { changes }, { query: { compat: false } });
    expect([status, body]).toEqual([200, body]);
    return body;
  };
  const made = await write(
    {
      operation: 'insert_files',
      files: [{ ref: 'pixel', name: 'pixel.png', contentType: 'image/png', base64: PIXEL }],
    },
    { operation: 'insert_page', ref: 'other', title: 'Other', document: { markdown: '## Two' } },
    { operation: 'insert_reusable_content', title: 'Shared', document: { markdown: 'Shared words' } },
  );
  expect(made.insertedFiles).toMatchObject([{ name: 'pixel.png', dimensions: { width: 1, height: 1 } }]);
  expect(made.changes).toMatchObject([{ object: 'created_page', ref: 'other' }]);
  const content = await api.get<{ reusableContents: { id: string }[] }>(`${url}/content`);
  const targets: Targets = {
    file: made.insertedFiles?.[0]?.id ?? '',
    page: made.changes[0]?.page.id ?? '',
    reusableContent: content.body.reusableContents[0]?.id ?? '',
    user: admin.id,
    space,
    collection,
  };
  return { api, space, url, write, targets };
}

describe('a document', () => {
  it('comes back as it was written, with the ids of its blocks, whatever it consists of', async () => {
    const { api, space, url, write, targets } = await draft();
    const written = withKeys(everyConstruct(targets));
    expect(typesIn(written)).toEqual(new Set([...Object.keys(BLOCKS), ...Object.keys(INLINES), ...MARK_ORDER]));
    const shown = withBlockIds(written);
    const update = await write({ operation: 'insert_page', title: 'Everything', document: { document: written } });
    const page = update.changes[0]?.page.id ?? '';
    const draftPage = await api.get<PageBody>(`${url}/content/page/${page}`);
    expect(draftPage.body.document).toEqual(shown);
    expect((await api.post(`${url}/merge`)).body).toMatchObject({ result: 'merge' });
    const merged = await api.get<PageBody>(`/spaces/${space}/content/page/${page}`);
    expect(merged.body.document).toEqual(shown);
    const byId = `/spaces/${space}/documents/${merged.body.documentId}`;
    for (const schema of [undefined, 'current', 'next'])
      expect((await api.get(byId, { query: { schema } })).body).toEqual(shown);
    expect((await api.get(byId, { query: { schema: 'first' } })).status).toBe(400);
    const fixed = `/spaces/${space}/revisions/${(await api.get<{ revision: string }>(`/spaces/${space}`)).body.revision}`;
    for (const evaluated of [undefined, 'false'])
      expect((await api.get(`${fixed}/page/${page}/document`, { query: { evaluated } })).body).toEqual(shown);
    expect((await api.get(`${fixed}/page/${page}/document`, { query: { evaluated: 'perhaps' } })).status).toBe(400);
  });

  it('without expressions is the same evaluated', async () => {
    const { api, space, url, write, targets } = await draft();
    const page =
      (await write({ operation: 'insert_page', title: 'Plain', document: { markdown: 'Just words' } })).changes[0]?.page
        .id ?? '';
    const { revision } = (await api.post<{ revision: string }>(`${url}/merge`)).body;
    const fixed = `/spaces/${space}/revisions/${revision}`;
    for (const path of [
      `${fixed}/page/${page}`,
      `${fixed}/page/${page}/document`,
      `${fixed}/reusable-contents/${targets.reusableContent}/document`,
    ]) {
      const plain = (await api.get(path)).body;
      for (const evaluated of ['true', 'deterministic-only'])
        expect((await api.get(path, { query: { evaluated } })).body).toEqual(plain);
    }
  });

  it('has every construct again after it went through Markdown', async () => {
    const { api, url, write, targets } = await draft();
    const written = everyConstruct(targets);
    const page =
      (await write({ operation: 'insert_page', title: 'Everything', document: { document: written } })).changes[0]?.page
        .id ?? '';
    const { markdown } = (await api.get<PageBody>(`${url}/content/page/${page}`, { query: { format: 'markdown' } }))
      .body;
    const again =
      (await write({ operation: 'insert_page', title: 'Again', document: { markdown } })).changes[0]?.page.id ?? '';
    const read = await api.get<PageBody>(`${url}/content/page/${again}`);
    expect(typesIn(read.body.document)).toEqual(typesIn(written));
  });

  it('may leave out what has a default', async () => {
    const { api, url, write } = await draft();
    const words = [{ object: 'text', leaves: [{ object: 'leaf', text: 'Few words', marks: [] }] }];
    const nodes = [
      { object: 'block', type: 'paragraph', nodes: words },
      { object: 'block', type: 'divider' },
      {
        object: 'block',
        type: 'list-unordered',
        nodes: [{ object: 'block', type: 'list-item', nodes: [{ object: 'block', type: 'paragraph', nodes: words }] }],
      },
      { object: 'block', type: 'blockquote', nodes: [{ object: 'block', type: 'paragraph', nodes: words }] },
    ];
    const surplus = { object: 'block', type: 'math', data: { formula: 'x' }, nodes: [] };
    const page =
      (
        await write({
          operation: 'insert_page',
          title: 'Bare',
          document: { document: { object: 'document', data: {}, nodes: [...nodes, surplus] } },
        })
      ).changes[0]?.page.id ?? '';
    const read = await api.get<PageBody>(`${url}/content/page/${page}`);
    expect(read.body.document.nodes.slice(0, nodes.length)).toMatchObject(nodes);
    expect(read.body.document.nodes.at(-1)).toEqual({
      object: 'block',
      type: 'math',
      isVoid: true,
      data: { formula: 'x' },
      key: expect.any(String),
    });
    expect(read.body.document.nodes[0]).toMatchObject({ isVoid: false, data: {} });
    const { markdown } = (await api.get<PageBody>(`${url}/content/page/${page}`, { query: { format: 'markdown' } }))
      .body;
    expect(markdown).toBe('# Bare\n\nFew words\n\n***\n\n* Few words\n\n> Few words\n\n$$\nx\n$$\n');
  });
});
