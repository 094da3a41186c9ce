import { describe, expect, it } from '@jest/globals';
import { newId } from '../src/kernel/common/ids.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import type { Client } from './client.js';
import { sessionWaits } from './session-waits.js';

const app = useApp();

interface Made {
  id: string;
  title: string;
  parent?: string;
}

async function makeCollection({ admin, id }: Workspace, title: string, parent?: string): Promise<string> {
  const made = await admin.api.post<Made>(`/orgs/${id}/collections`, { title, parent });
  expect(made.status).toBe(201);
  return made.body.id;
}

async function makeSpace({ admin, id }: Workspace, title: string, parent?: string): Promise<string> {
  const made = await admin.api.post<Made>(`/orgs/${id}/spaces`, { title, parent, empty: true });
  expect(made.status).toBe(201);
  return made.body.id;
}

/** The titles in a collection's list of spaces. */
async function titlesIn(api: Client, collection: string): Promise<string[]> {
  const listed = await api.get<{ items: Made[] }>(`/collections/${collection}/spaces`);
  return listed.body.items.map(({ title }) => title);
}

describe('collections', () => {
  it('are made, read, listed with and without what is nested, and changed', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const outer = await makeCollection(workspace, 'Outer');
    const inner = await makeCollection(workspace, 'Inner', outer);
    expect((await api.get(`/collections/${inner}`)).body).toMatchObject({
      id: inner,
      title: 'Inner',
      parent: outer,
      organization: workspace.id,
      defaultLevel: 'inherit',
    });
    expect((await api.get(`/orgs/${workspace.id}/collections`)).body).toMatchObject({
      count: 2,
      items: [{ id: inner }, { id: outer }],
    });
    expect((await api.get(`/orgs/${workspace.id}/collections`, { query: { nested: false } })).body).toMatchObject({
      count: 1,
      items: [{ id: outer, title: 'Outer' }],
    });
    const first = await api.get<{ next: { page: string } }>(`/orgs/${workspace.id}/collections`, {
      query: { limit: 1 },
    });
    expect(
      (await api.get(`/orgs/${workspace.id}/collections`, { query: { limit: 1, page: first.body.next.page } })).body,
    ).toMatchObject({ items: [{ id: outer }] });
    const changed = await api.patch(`/collections/${outer}`, {
      title: 'Outside',
      description: 'All of it',
      defaultLevel: 'read',
    });
    expect(changed.body).toMatchObject({ title: 'Outside', description: 'All of it', defaultLevel: 'read' });
    const member = await workspace.member('read');
    const listed = await member.api.get(`/orgs/${workspace.id}/collections`, { query: { nested: false } });
    expect(listed.body).toMatchObject({ items: [{ id: outer, title: 'Outside', description: 'All of it' }] });
    expect((await member.api.get(`/collections/${inner}`)).body).not.toHaveProperty('description');
    expect(
      (
        await api.patch(
          `/collections/${outer}`,
          { description: '' },
          { headers: { 'If-Match': changed.headers.get('etag') ?? '' } },
        )
      ).body,
    ).not.toHaveProperty('description');
    expect(
      (
        await api.patch(
          `/collections/${outer}`,
          { title: 'Stale' },
          { headers: { 'If-Match': changed.headers.get('etag') ?? '' } },
        )
      ).status,
    ).toBe(412);
    expect((await api.post(`/orgs/${workspace.id}/collections`)).body).toMatchObject({ title: 'Untitled' });
    expect((await api.post(`/orgs/${workspace.id}/collections`, { title: 'x'.repeat(51) })).status).toBe(400);
  });

  it('show members what they may and strangers nothing', async () => {
    const workspace = await buildOrganization(app.current);
    const other = await buildOrganization(app.current);
    const id = await makeCollection(workspace, 'Closed');
    const reader = await workspace.member('read');
    const guest = await workspace.member('none');
    expect((await reader.api.get(`/collections/${id}`)).body).toMatchObject({
      permissions: { view: true, create: false, admin: false },
    });
    expect((await reader.api.patch(`/collections/${id}`, { title: 'Mine' })).status).toBe(403);
    expect((await reader.api.delete(`/collections/${id}`)).status).toBe(403);
    expect((await reader.api.post(`/orgs/${workspace.id}/collections`, { title: 'Mine', parent: id })).status).toBe(
      403,
    );
    for (const api of [guest.api, other.admin.api]) {
      expect((await api.get(`/collections/${id}`)).status).toBe(404);
      expect((await api.delete(`/collections/${id}`)).status).toBe(204);
      expect((await api.post(`/collections/${id}/move`, { parent: null })).status).toBe(404);
    }
    const foreign = await other.admin.api.post(`/orgs/${other.id}/collections`, { parent: id });
    expect(foreign.body).toMatchObject({ error: { code: 400, details: [{ path: 'parent' }] } });
    expect(foreign.body).toEqual(
      (await other.admin.api.post(`/orgs/${other.id}/collections`, { parent: newId() })).body,
    );
    await workspace.admin.api.patch(`/collections/${id}`, { defaultLevel: null });
    expect((await reader.api.get(`/collections/${id}`)).status).toBe(404);
    expect((await workspace.admin.api.get(`/collections/${id}`)).status).toBe(200);
  });

  it('let nobody give a level that they do not hold', async () => {
    const workspace = await buildOrganization(app.current);
    const editor = await workspace.member('create');
    const collection = await makeCollection(workspace, 'Handbooks');
    const space = await makeSpace(workspace, 'Handbook', collection);
    expect((await editor.api.patch(`/collections/${collection}`, { defaultLevel: 'admin' })).status).toBe(403);
    expect((await editor.api.patch(`/spaces/${space}`, { defaultLevel: 'admin' })).status).toBe(403);
    expect((await editor.api.patch(`/spaces/${space}`, { defaultLevel: 'create' })).body).toMatchObject({
      defaultLevel: 'create',
    });
  });

  it('move with what is in them, never under themselves', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const a = await makeCollection(workspace, 'A');
    const b = await makeCollection(workspace, 'B', a);
    const c = await makeCollection(workspace, 'C', b);
    for (const parent of [a, b, c]) expect((await api.post(`/collections/${a}/move`, { parent })).status).toBe(400);
    expect((await api.post(`/collections/${c}/move`, {})).status).toBe(409);
    expect((await api.post(`/collections/${c}/move`, { parent: b })).status).toBe(409);
    const titled = await api.post<Made>(`/orgs/${workspace.id}/collections`, { title: 'Charts' });
    expect((await api.post(`/collections/${titled.body.id}/move`, { parent: a })).body).toMatchObject({
      id: titled.body.id,
      title: 'Charts',
      parent: a,
    });
    expect((await api.get(`/collections/${titled.body.id}`)).body).toMatchObject({ title: 'Charts', parent: a });
    expect((await api.post(`/collections/${c}/move`, { parent: null })).body).toMatchObject({ id: c, title: 'C' });
    expect((await api.get(`/collections/${c}`)).body).not.toHaveProperty('parent');
    expect((await api.post(`/collections/${a}/move`, { parent: c })).body).toMatchObject({ parent: c });
    const moves = await Promise.all([
      api.post(`/collections/${b}/move`, { parent: c }),
      api.post(`/collections/${c}/move`, { parent: b }),
    ]);
    expect(moves.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it.each(['spaces', 'collections'])(
    'leave %s where the move before put them, and change the order only',
    async (kind) => {
      const workspace = await buildOrganization(app.current);
      const { database } = app.current;
      const make = kind === 'spaces' ? makeSpace : makeCollection;
      const target = await makeCollection(workspace, 'Target');
      const [moved, neighbour] = [await make(workspace, 'Moved'), await make(workspace, 'Neighbour', target)];
      const type = kind === 'spaces' ? 'space' : 'collection';
      let begin = (): void => undefined;
      const waiting = new Promise<void>((settle) => (begin = settle)).then(() =>
        workspace.admin.api.post<Made>(`/${kind}/${moved}/move`, {
          position: { before: { type, [type]: neighbour } },
        }),
      );
      await database.transaction(async () => {
        await database.execute('SELECT FROM organization WHERE id = $1 FOR NO KEY UPDATE', [workspace.id]);
        begin();
        await sessionWaits(database, 'SELECT FROM organization%FOR NO KEY UPDATE%');
        const column = kind === 'spaces' ? 'collection_id' : 'parent_id';
        await database.execute(`UPDATE ${type} SET ${column} = $2 WHERE id = $1`, [moved, target]);
      });
      expect((await waiting).body).toMatchObject({ id: moved, parent: target });
    },
  );

  it('keep the order of spaces through 50 moves at once', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const collection = await makeCollection(workspace, 'List');
    const ids: string[] = [];
    for (const title of ['a', 'b', 'c', 'd', 'e']) ids.push(await makeSpace(workspace, title, collection));
    const [a = '', b = '', c = '', , e = ''] = ids;
    const first = await api.get<{ items: Made[]; next: { page: string } }>(`/collections/${collection}/spaces`, {
      query: { limit: 3 },
    });
    expect(first.body.items.map(({ title }) => title)).toEqual(['a', 'b', 'c']);
    expect(
      (
        await api.get<{ items: Made[] }>(`/collections/${collection}/spaces`, {
          query: { limit: 3, page: first.body.next.page },
        })
      ).body.items.map(({ title }) => title),
    ).toEqual(['d', 'e']);
    const at = (id: string, position: object) => api.post(`/spaces/${id}/move`, { position });
    expect((await at(e, { before: { type: 'space', space: a } })).status).toBe(200);
    expect(await titlesIn(api, collection)).toEqual(['e', 'a', 'b', 'c', 'd']);
    expect((await at(a, { after: { type: 'space', space: c } })).status).toBe(200);
    expect(await titlesIn(api, collection)).toEqual(['e', 'b', 'c', 'a', 'd']);
    expect((await at(a, { after: { type: 'space', space: c } })).status).toBe(409);
    expect((await at(a, { before: { type: 'space', space: a } })).status).toBe(400);
    expect((await at(a, { before: { type: 'space', space: newId() } })).status).toBe(400);
    expect((await at(a, { before: { type: 'space', space: b }, after: { type: 'space', space: c } })).status).toBe(400);
    expect((await at(a, { before: { type: 'collection' } })).status).toBe(400);
    const moves = Array.from({ length: 50 }, (_, i) =>
      at(ids[i % 5] ?? '', { [i % 2 ? 'before' : 'after']: { type: 'space', space: ids[(i * 3 + 1) % 5] ?? '' } }),
    );
    for (const { status } of await Promise.all(moves)) expect([200, 400, 409]).toContain(status);
    expect((await titlesIn(api, collection)).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('send their spaces to the trash, from where they come back at the root', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const outer = await makeCollection(workspace, 'Outer');
    const inner = await makeCollection(workspace, 'Inner', outer);
    const space = await makeSpace(workspace, 'Deep', inner);
    expect((await api.get(`/spaces/${space}`)).body).toMatchObject({ parent: inner, visibility: 'in-collection' });
    expect((await api.delete(`/collections/${outer}`)).status).toBe(204);
    expect((await api.delete(`/collections/${outer}`)).status).toBe(204);
    for (const id of [outer, inner]) expect((await api.get(`/collections/${id}`)).status).toBe(404);
    expect((await api.get(`/orgs/${workspace.id}/spaces`)).body).toMatchObject({ count: 0 });
    const restored = await api.post(`/spaces/${space}/restore`);
    expect(restored.body).toMatchObject({ id: space, title: 'Deep', visibility: 'private' });
    expect(restored.body).not.toHaveProperty('parent');
  });
});
