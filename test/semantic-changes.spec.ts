import { describe, expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';

const app = useApp();

interface Written {
  revision: string;
  changes: { page: { id: string } }[];
  insertedFiles?: { id: string }[];
}
interface Changes {
  mergedFrom?: { id: string };
  changes: { type: string; [name: string]: unknown }[];
  more?: number;
}
interface Content {
  pages: { id: string; title: string; documentId?: string; path?: string }[];
  files: { id: string; name: string }[];
  reusableContents: { id: string; title: string; document?: string }[];
  variables?: object;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

async function space() {
  const { id, admin } = await buildOrganization(app.current);
  const made = await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, {
    title: 'Changes',
    empty: true,
    editMode: 'live',
  });
  const url = `/spaces/${made.body.id}`;
  const write = async (place: string, changes: object[]): Promise<Written> => {
    const { status, body } = await admin.api.post<Written>(
      `${place}/content`,
      { changes },
      { query: { compat: false } },
    );
    expect([status, body]).toEqual([200, body]);
    return body;
  };
  return { api: admin.api, url, write };
}

/** A space with one of everything, and a batch that makes every kind of change to it. */
async function everything() {
  const { api, url, write } = await space();
  const made = await write(url, [
    { operation: 'insert_page', ref: 'edited', title: 'Edited', document: { markdown: 'One' } },
    { operation: 'insert_page', title: 'Moved' },
    { operation: 'insert_page', title: 'Deleted' },
    { operation: 'insert_page', ref: 'parent', title: 'Parent' },
    {
      operation: 'insert_files',
      files: [
        { name: 'edited.txt', contentType: 'text/plain', base64: base64('one') },
        { name: 'deleted.txt', contentType: 'text/plain', base64: base64('two') },
      ],
    },
    { operation: 'insert_reusable_content', title: 'Edited', document: { markdown: 'One' } },
    { operation: 'insert_reusable_content', title: 'Deleted', document: { markdown: 'Gone' } },
    { operation: 'set_variables', variables: { kept: 1, edited: 'one', deleted: true } },
    { operation: 'insert_tag', label: 'Edited', color: 'red', emoji: '1f680' },
    { operation: 'insert_tag', label: 'Deleted' },
  ]);
  const ids = {
    edited: made.changes[0]?.page.id,
    moved: made.changes[1]?.page.id,
    deleted: made.changes[2]?.page.id,
    parent: made.changes[3]?.page.id,
  };
  const before = (await api.get<Content>(`${url}/content`)).body;
  const reusable = (title: string) => before.reusableContents.find((each) => each.title === title);
  const [editedFile, deletedFile] = (made.insertedFiles ?? []).map(({ id }) => id);
  const batch = [
    { operation: 'update_page', page: ids.edited, title: 'New', document: { markdown: 'Two' } },
    { operation: 'update_page', page: ids.moved, into: ids.parent },
    { operation: 'delete_page', page: ids.deleted },
    { operation: 'insert_page', title: 'Created', at: 0 },
    { operation: 'insert_files', files: [{ name: 'created.txt', contentType: 'text/plain', base64: base64('three') }] },
    { operation: 'update_file', file: editedFile, name: 'new.txt' },
    { operation: 'delete_files', files: [deletedFile] },
    { operation: 'insert_reusable_content', title: 'Created', document: { markdown: 'Fresh' } },
    {
      operation: 'update_reusable_content',
      reusableContent: reusable('Edited')?.id,
      title: 'New',
      document: { markdown: 'Two' },
    },
    { operation: 'delete_reusable_content', reusableContent: reusable('Deleted')?.id },
    { operation: 'set_variables', variables: { edited: 'two', deleted: null, created: 2 } },
    { operation: 'update_tag', tag: 'edited', label: 'New', color: 'blue', icon: 'gear' },
    { operation: 'delete_tag', tag: 'deleted' },
    { operation: 'insert_tag', label: 'Created' },
  ];
  /** The changes that the batch makes, in full, as `place` then shows the content. */
  const expected = async (place: string) => {
    const after = (await api.get<Content>(place)).body;
    const page = (title: string) => after.pages.find((each) => each.title === title);
    const now = (title: string) => after.reusableContents.find((each) => each.title === title);
    const document = (id: string | undefined) => before.pages.find((each) => each.id === id)?.documentId;
    const file = (id: string | undefined, name: string) => ({
      id,
      name,
      contentType: 'text/plain',
      downloadURL: expect.stringContaining(`/~files/${id ?? ''}/${name}?`),
    });
    const [editedReusable, deletedReusable] = [reusable('Edited'), reusable('Deleted')];
    return [
      { type: 'page_created', page: { id: page('Created')?.id, type: 'document', title: 'Created', path: 'created' } },
      {
        type: 'page_edited',
        page: { id: ids.edited, type: 'document', title: 'New', path: 'new' },
        attributes: {
          title: { before: 'Edited', after: 'New' },
          slug: { before: 'edited', after: 'new' },
          document: { before: document(ids.edited), after: page('New')?.documentId },
        },
      },
      {
        type: 'page_moved',
        page: { id: ids.moved, type: 'document', title: 'Moved', path: 'parent/moved' },
        parent: { after: { id: ids.parent, type: 'document', title: 'Parent', path: 'parent' } },
      },
      { type: 'page_deleted', page: { id: ids.deleted, type: 'document', title: 'Deleted', path: 'deleted' } },
      { type: 'file_created', file: file(after.files.find(({ name }) => name === 'created.txt')?.id, 'created.txt') },
      {
        type: 'file_edited',
        file: file(editedFile, 'new.txt'),
        attributes: { name: { before: 'edited.txt', after: 'new.txt' } },
      },
      { type: 'file_deleted', file: file(deletedFile, 'deleted.txt') },
      { type: 'reusable_content_created', reusableContent: now('Created') },
      {
        type: 'reusable_content_edited',
        reusableContent: now('New'),
        attributes: {
          title: { before: 'Edited', after: 'New' },
          document: { before: editedReusable?.document, after: now('New')?.document },
        },
      },
      { type: 'reusable_content_deleted', reusableContent: deletedReusable },
      {
        type: 'variables_edited',
        variables: { edited: { before: 'one', after: 'two' }, deleted: { before: true }, created: { after: 2 } },
      },
      { type: 'tag_created', tag: { slug: 'created', label: 'Created' } },
      { type: 'tag_deleted', tag: { slug: 'deleted', label: 'Deleted' } },
      {
        type: 'tag_edited',
        tag: { slug: 'edited', label: 'New' },
        attributes: {
          label: { before: 'Edited', after: 'New' },
          color: { before: 'red', after: 'blue' },
          emoji: { before: '1f680' },
          icon: { after: 'gear' },
        },
      },
    ];
  };
  return { api, url, write, batch, expected, made, before };
}

const byType = (changes: { type: string }[]) => changes.toSorted((a, b) => (a.type < b.type ? -1 : 1));

describe('semantic changes', () => {
  it('are of fourteen kinds, in the same words for a revision, a change request and its merge', async () => {
    const { api, url, write, batch, expected } = await everything();
    const { body: request } = await api.post<{ id: string }>(`${url}/change-requests`, { subject: 'Everything' });
    const at = `${url}/change-requests/${request.id}`;
    await write(at, batch);
    const seen = (await api.get<Changes>(`${at}/changes`, { query: { limit: 100 } })).body;
    // Whether the caller has viewed a page is told of change requests alone.
    const proposed = {
      ...seen,
      changes: seen.changes.map((each) => {
        const { viewed, ...change } = each;
        expect(viewed).toBe('page' in each ? false : undefined);
        return change;
      }),
    };
    expect(Object.keys(proposed)).toEqual(['changes']);
    expect(byType(proposed.changes)).toEqual(byType(await expected(`${at}/content`)));
    const { body: head } = await api.get<{ revision: string }>(at);
    expect(
      (await api.get<Changes>(`${url}/revisions/${head.revision}/changes`, { query: { limit: 100 } })).body,
    ).toEqual(proposed);
    const { body: merged } = await api.post<{ revision: string }>(`${at}/merge`);
    const { mergedFrom, ...shown } = (
      await api.get<Changes>(`${url}/revisions/${merged.revision}/changes`, { query: { limit: 100 } })
    ).body;
    expect(mergedFrom).toMatchObject({
      object: 'change-request',
      id: request.id,
      status: 'merged',
      revisionMerged: merged.revision,
    });
    expect(shown).toEqual(proposed);
    expect(new Set(shown.changes.map(({ type }) => type)).size).toBe(14);
    const direct = await everything();
    const written = await direct.write(direct.url, direct.batch);
    const { body } = await direct.api.get<Changes>(`${direct.url}/revisions/${written.revision}/changes`, {
      query: { limit: 100 },
    });
    expect(byType(body.changes)).toEqual(byType(await direct.expected(`${direct.url}/revisions/${written.revision}`)));
    expect(body).not.toHaveProperty('mergedFrom');
  });

  it('are ten unless `limit` says otherwise; `more` counts the rest', async () => {
    const { api, url, write } = await space();
    const written = await write(
      url,
      Array.from({ length: 13 }, (_, at) => ({ operation: 'insert_page', title: `P${at}` })),
    );
    const shown = async (query: object) =>
      (await api.get<Changes>(`${url}/revisions/${written.revision}/changes`, { query: { ...query } })).body;
    const all = await shown({ limit: 1000 });
    expect(all.changes.map((change) => (change['page'] as { title: string }).title)).toEqual(
      Array.from({ length: 13 }, (_, at) => `P${at}`),
    );
    expect(all).not.toHaveProperty('more');
    expect(await shown({})).toEqual({ changes: all.changes.slice(0, 10), more: 3 });
    expect(await shown({ limit: 0 })).toEqual({ changes: [], more: 13 });
    expect(await shown({ limit: 13 })).toEqual({ changes: all.changes });
    for (const limit of [-1, 1001, 'x'])
      expect((await api.get(`${url}/revisions/${written.revision}/changes`, { query: { limit } })).status).toBe(400);
    const { body: request } = await api.post<{ id: string; number: number }>(`${url}/change-requests`, {
      subject: 'More',
    });
    await write(
      `${url}/change-requests/${request.id}`,
      written.changes.map(({ page }) => ({ operation: 'update_page', page: page.id, hidden: true })),
    );
    expect(
      (await api.get(`${url}/change-requests/${request.number}/changes`, { query: { limit: 12 } })).body,
    ).toMatchObject({ more: 1 });
    expect((await api.get(`${url}/change-requests/nothing/changes`)).status).toBe(404);
  });

  it('of an update show what came from primary', async () => {
    const { api, url, write } = await space();
    const base = await write(url, [{ operation: 'insert_page', title: 'Base' }]);
    const { body: request } = await api.post<{ id: string }>(`${url}/change-requests`, { subject: 'Update' });
    const at = `${url}/change-requests/${request.id}`;
    await write(at, [{ operation: 'insert_page', title: 'Mine', into: base.changes[0]?.page.id }]);
    await write(url, [{ operation: 'insert_page', title: 'Theirs' }]);
    const { body: updated } = await api.post<{ revision: string }>(`${at}/update`);
    expect((await api.get<Changes>(`${url}/revisions/${updated.revision}/changes`)).body.changes).toEqual([
      { type: 'page_created', page: { id: expect.any(String), type: 'document', title: 'Theirs', path: 'theirs' } },
    ]);
    expect((await api.get<Changes>(`${at}/changes`)).body.changes).toEqual([
      {
        type: 'page_created',
        page: { id: expect.any(String), type: 'document', title: 'Mine', path: 'base/mine' },
        viewed: false,
      },
    ]);
  });

  it('of an update that is the first revision of its change request show what came since that was opened', async () => {
    const { api, url, write } = await space();
    await write(url, [{ operation: 'insert_page', title: 'Before' }]);
    const { body: request } = await api.post<{ id: string }>(`${url}/change-requests`, { subject: 'Update' });
    await write(url, [{ operation: 'insert_page', title: 'Since' }]);
    const { body: updated } = await api.post<{ revision: string }>(`${url}/change-requests/${request.id}/update`);
    expect((await api.get<Changes>(`${url}/revisions/${updated.revision}/changes`)).body.changes).toEqual([
      { type: 'page_created', page: { id: expect.any(String), type: 'document', title: 'Since', path: 'since' } },
    ]);
  });
});

describe('every read of a fixed revision', () => {
  const READS = [
    '',
    '/pages',
    '/files',
    '/files/{file}',
    '/page/{page}',
    '/page/{page}?format=markdown',
    '/page/{page}/document',
    '/path/edited',
    '/reusable-contents/{reusable}',
    '/reusable-contents/{reusable}/document',
  ];

  it('says the same for ever: of primary, of a change request, and of one that is merged', async () => {
    const { api, url, write, batch, before, made } = await everything();
    const { body: request } = await api.post<{ id: string }>(`${url}/change-requests`, { subject: 'Everything' });
    const at = `${url}/change-requests/${request.id}`;
    const file = made.insertedFiles?.[0]?.id ?? '';
    const ids = {
      file,
      page: made.changes[0]?.page.id ?? '',
      reusable: before.reusableContents.find(({ title }) => title === 'Edited')?.id ?? '',
    };
    const readAll = (revision: string) =>
      Promise.all(
        READS.map(async (read) => {
          const { status, body, headers } = await api.get(
            `${url}/revisions/${revision}${read.replace(/\{(\w+)\}/g, (_, name: string) => ids[name as keyof typeof ids])}`,
          );
          return [read, status, body, headers.get('etag')];
        }),
      );
    const first =
      (await write(at, [{ operation: 'update_page', page: ids.page, description: 'Described' }])).changeRequest
        ?.revision ?? '';
    const [old, drafted] = [await readAll(made.revision), await readAll(first)];
    for (const answers of [old, drafted])
      expect(answers.map(([read, status]) => [read, status])).toEqual(READS.map((read) => [read, 200]));
    expect(drafted.find(([read]) => read === '/page/{page}')?.[2]).toMatchObject({
      title: 'Edited',
      description: 'Described',
    });
    await write(at, batch);
    await write(url, [
      { operation: 'insert_page', title: 'Elsewhere' },
      { operation: 'update_page', page: ids.page, hidden: true },
    ]);
    const { body: updated } = await api.post<{ revision: string }>(`${at}/update`);
    const pulled = await readAll(updated.revision);
    expect(pulled.find(([read]) => read === '/page/{page}')?.[2]).toMatchObject({
      title: 'New',
      description: 'Described',
      hidden: true,
    });
    const { body: merged } = await api.post<{ revision: string }>(`${at}/merge`);
    await write(url, [
      { operation: 'delete_page', page: ids.page },
      { operation: 'delete_files', files: [file] },
    ]);
    await api.post(`${url}/revisions/${made.revision}/rollback`);
    expect([await readAll(made.revision), await readAll(first), await readAll(updated.revision)]).toEqual([
      old,
      drafted,
      pulled,
    ]);
    const after = await readAll(merged.revision);
    expect(after.map(([read, status]) => [read, status])).toEqual(
      READS.map((read) => [read, read === '/path/edited' ? 404 : 200]),
    );
    expect(after.find(([read]) => read === '/page/{page}/document')?.[2]).toEqual(
      pulled.find(([read]) => read === '/page/{page}/document')?.[2],
    );
    // The merged request still shows what it proposed, by its own address, too.
    expect((await api.get<{ title: string }>(`${at}/content/page/${ids.page}`)).body).toMatchObject({
      title: 'New',
      hidden: true,
    });
    for (const read of [
      '/page/nothing',
      '/page/nothing/document',
      '/files/nothing',
      '/reusable-contents/nothing',
      '/path/nothing',
    ])
      expect((await api.get(`${url}/revisions/${made.revision}${read}`)).status).toBe(404);
  });
});

interface Written {
  changeRequest?: { revision: string };
}
