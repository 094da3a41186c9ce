import { describe, expect, it } from '@jest/globals';
import { readAppPath } from '../src/publishing/sites/domain/app-address.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';

const app = useApp();

interface Thing {
  id: string;
  urls: { app: string; published?: string };
}
interface Found {
  space?: Thing;
  collection?: Thing;
  changeRequest?: Thing;
  page?: { id: string; path: string; document?: object };
}

describe('addresses', () => {
  it('lead to collections, spaces, change requests and pages', async () => {
    const workspace = await buildOrganization(app.current);
    const {
      id,
      admin: { api },
    } = workspace;
    const { body: space } = await api.post<Thing>(`/orgs/${id}/spaces`, {
      title: 'Guide',
      empty: true,
      editMode: 'live',
    });
    await api.post(`/spaces/${space.id}/content`, {
      changes: [{ operation: 'insert_page', title: 'Über uns', document: { markdown: 'Hello' } }],
    });
    const { body: request } = await api.post<Thing>(`/spaces/${space.id}/change-requests`, { subject: 'Draft' });
    await api.post(`/spaces/${space.id}/change-requests/${request.id}/content`, {
      changes: [{ operation: 'insert_page', title: 'New' }],
    });
    const { body: collection } = await api.post<Thing>(`/orgs/${id}/collections`, { title: 'Shelf' });
    const { body: content } = await api.get<{ pages: (Thing & { path: string })[] }>(`/spaces/${space.id}/content`);
    const [page] = content.pages;
    const find = (url: string | undefined, who = api) => who.get<Found>('/urls/content', { query: { url } });
    expect((await find(space.urls.app)).body).toEqual({ space: expect.objectContaining({ id: space.id }) });
    expect((await find(collection.urls.app)).body).toEqual({
      collection: expect.objectContaining({ id: collection.id }),
    });
    expect((await find(page?.urls.app)).body).toMatchObject({
      space: { id: space.id },
      page: { id: page?.id, path: 'uber-uns', document: { object: 'document' } },
    });
    expect((await find(`${space.urls.app}/~/pages/${page?.id}`)).body.page?.id).toBe(page?.id);
    expect((await find(request.urls.app)).body).toEqual({
      space: expect.objectContaining({ id: space.id }),
      changeRequest: expect.objectContaining({ id: request.id }),
    });
    expect((await find(`${request.urls.app}/new`)).body).toMatchObject({
      changeRequest: { id: request.id },
      page: { path: 'new' },
    });
    const { body: site } = await api.post<Thing>(`/orgs/${id}/sites`, { title: 'Manual', spaces: [space.id] });
    const path = `/orgs/${id}/sites/${site.id}`;
    const root = (await api.post<Thing>(`${path}/publish`)).body.urls.published ?? '';
    expect((await find(root)).body).toEqual({ space: expect.objectContaining({ id: space.id }) });
    for (const address of [
      `${root}/uber-uns`,
      `${root.replace(/[^/]+$/, (name) => name.toUpperCase())}/Uber-Uns/?a=b#c`,
    ])
      expect((await find(address)).body.page?.id).toBe(page?.id);
    const { body: second } = await api.post<Thing>(`/orgs/${id}/spaces`, {
      title: 'API',
      empty: true,
      editMode: 'live',
    });
    await api.post(`/spaces/${second.id}/content`, { changes: [{ operation: 'insert_page', title: 'Calls' }] });
    await api.post(`${path}/site-spaces`, { spaceId: second.id });
    expect((await find(`${root}/api/calls`)).body).toMatchObject({ space: { id: second.id }, page: { path: 'calls' } });
    const hostname = `docs.${site.id.toLowerCase()}.example`;
    await api.patch(path, { hostname, proxy: `${hostname.replace('docs', 'www')}/manual` });
    for (const address of [
      `https://${hostname}/api/calls`,
      `https://${hostname.replace('docs', 'www')}/manual/api/calls`,
    ])
      expect((await find(address)).body).toMatchObject({ space: { id: second.id } });

    const stranger = (await buildOrganization(app.current)).admin.api;
    const guest = (await workspace.member('none')).api;
    for (const who of [stranger, guest])
      for (const url of [space.urls.app, collection.urls.app, page?.urls.app, `${root}/uber-uns`])
        expect((await find(url, who)).status).toBe(404);
    for (const url of [
      'https://example.com/',
      `${space.urls.app}/absent`,
      `${root}/absent`,
      `${space.urls.app}/~/changes/99`,
      `${space.urls.app}/%00`,
      `${space.urls.app}/%ff`,
      root.replace(/[^/]+$/, 'no-such-site'),
      space.urls.app.replace(space.id, 'x'),
    ]) {
      expect([url, (await find(url)).status]).toEqual([url, 404]);
    }
    expect((await api.get('/urls/content')).status).toBe(400);
    for (const url of ['nothing', 'ftp://example.com/', '/s/x'])
      expect([url, (await find(url)).status, (await api.post('/urls/published', { url })).status]).toEqual([
        url,
        400,
        400,
      ]);
    await api.delete(`/spaces/${space.id}`);
    expect((await find(page?.urls.app)).status).toBe(404);
  });

  it('are read part by part', () => {
    expect(readAppPath('/o/a/s/b/c/d/')).toEqual({ space: 'b', path: 'c/d' });
    expect(readAppPath('/o/a/s/b/~/revisions/r/c')).toEqual({ space: 'b', revision: 'r', path: 'c' });
    expect([
      readAppPath('/o/a/c/b'),
      readAppPath('/o/a/c/b/x'),
      readAppPath('/o/a/sites/b'),
      readAppPath('/x/o/a/s/b'),
      readAppPath('/o/a/s/b/~/x/y'),
    ]).toEqual([{ collection: 'b' }, undefined, undefined, undefined, undefined]);
  });
});
