import { describe, expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';

const app = useApp();

interface Listed {
  items: { id: string; name?: string; title?: string }[];
  next?: { page: string };
}

describe('what a change request holds', () => {
  it('is read under it before the merge, and under its revision afterwards', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const space = await api.post<{ id: string }>(`/orgs/${workspace.id}/spaces`, {
      title: 'Harbour guide',
      empty: true,
    });
    await api.post(`/orgs/${workspace.id}/spaces`, { title: 'Lighthouse guide', empty: true });
    const spaces = await api.get<Listed>(`/orgs/${workspace.id}/spaces`, { query: { limit: 1 } });
    expect(spaces.body).toMatchObject({
      count: 2,
      items: [{ title: 'Lighthouse guide' }],
      next: { page: expect.any(String) },
    });
    expect(
      (await api.get<Listed>(`/orgs/${workspace.id}/spaces`, { query: { limit: 1, page: spaces.body.next?.page } }))
        .body.items,
    ).toMatchObject([{ id: space.body.id, title: 'Harbour guide' }]);

    const request = await api.post<{ id: string }>(`/spaces/${space.body.id}/change-requests`, {
      subject: 'Add the pier',
    });
    const base = `/spaces/${space.body.id}/change-requests/${request.body.id}`;
    const file = (name: string) => ({
      name,
      contentType: 'text/plain',
      base64: Buffer.from(`text of ${name}`).toString('base64'),
    });
    const written = await api.post(`${base}/content`, {
      changes: [
        { operation: 'insert_files', files: [file('berths.txt'), file('tides.txt')] },
        { operation: 'insert_page', title: 'The pier', slug: 'pier', document: { markdown: 'Boats moor here.' } },
        { operation: 'insert_reusable_content', title: 'Safety at sea', document: { markdown: 'Wear a vest.' } },
      ],
    });
    expect(written.status).toBe(200);

    const first = await api.get<Listed>(`${base}/content/files`, { query: { limit: 1 } });
    const second = await api.get<Listed>(`${base}/content/files`, { query: { limit: 1, page: first.body.next?.page } });
    expect([...first.body.items, ...second.body.items].map(({ name }) => name).sort()).toEqual([
      'berths.txt',
      'tides.txt',
    ]);
    const [shown] = first.body.items;
    expect((await api.get(`${base}/content/files/${shown?.id ?? ''}`)).body).toMatchObject({
      id: shown?.id,
      name: shown?.name,
    });
    expect((await api.get(`${base}/content/path/pier`, { query: { format: 'markdown' } })).body).toMatchObject({
      title: 'The pier',
      slug: 'pier',
      markdown: expect.stringContaining('Boats moor here.'),
    });
    const content = await api.get<{ reusableContents: { id: string; title: string }[] }>(`${base}/content`);
    const [reusable] = content.body.reusableContents;
    expect((await api.get(`${base}/content/reusable-contents/${reusable?.id ?? ''}`)).body).toMatchObject({
      id: reusable?.id,
      title: 'Safety at sea',
    });

    const merged = await api.post<{ revision: string; result: string }>(`${base}/merge`);
    expect(merged.body.result).toBe('merge');
    const revision = `/spaces/${space.body.id}/revisions/${merged.body.revision}`;
    const files = await api.get<Listed>(`${revision}/files`, { query: { limit: 1 } });
    expect(
      (await api.get<Listed>(`${revision}/files`, { query: { limit: 1, page: files.body.next?.page } })).body.items.map(
        ({ name }) => name,
      ),
    ).not.toEqual(files.body.items.map(({ name }) => name));
    expect((await api.get(`${revision}/reusable-contents/${reusable?.id ?? ''}`)).body).toMatchObject({
      title: 'Safety at sea',
    });
    expect(await api.get(`/spaces/${space.body.id}/content/path/pier`)).toMatchObject({
      status: 200,
      body: { title: 'The pier' },
    });
  });

  it('is hidden from people of other organizations', async () => {
    const workspace = await buildOrganization(app.current);
    const stranger = (await buildOrganization(app.current)).admin.api;
    const space = await workspace.admin.api.post<{ id: string }>(`/orgs/${workspace.id}/spaces`, {
      title: 'Ours',
      empty: true,
    });
    const request = await workspace.admin.api.post<{ id: string }>(`/spaces/${space.body.id}/change-requests`, {
      subject: 'Ours too',
    });
    for (const path of [
      '',
      '/files',
      '/files/AbCdEfGh0123456789Xy',
      '/path/pier',
      '/reusable-contents/AbCdEfGh0123456789Xy',
    ]) {
      expect(
        (await stranger.get(`/spaces/${space.body.id}/change-requests/${request.body.id}/content${path}`)).status,
      ).toBe(404);
    }
  });
});
