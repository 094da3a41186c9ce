import { describe, expect, it } from '@jest/globals';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { buildSpace } from './published-site.js';

const app = useApp();

const trashOf = async ({ id, admin }: Workspace): Promise<string[]> =>
  (await admin.api.get<{ items: { id: string }[] }>(`/orgs/${id}/trash`)).body.items.map((each) => each.id);

describe('a space in the trash', () => {
  it('is removed for good when somebody asks, and nobody can restore it', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const [space, other] = [await buildSpace(workspace, 'Gone'), await buildSpace(workspace, 'Kept')];
    await space.write({ operation: 'insert_page', title: 'Page', document: { markdown: 'Text.' } });
    const path = `/spaces/${space.id}`;
    expect((await admin.api.delete(`${path}/trash`)).status).toBe(409);
    for (const each of [space, other]) await admin.api.delete(`/spaces/${each.id}`);
    const writer = await workspace.member('edit');
    const foreign = await buildOrganization(app.current);
    for (const person of [writer, foreign.admin]) expect((await person.api.delete(`${path}/trash`)).status).toBe(404);
    expect((await trashOf(workspace)).sort()).toEqual([space.id, other.id].sort());
    expect((await admin.api.delete(`${path}/trash`)).status).toBe(204);
    expect(await trashOf(workspace)).toEqual([other.id]);
    expect((await admin.api.post(`${path}/restore`)).status).toBe(404);
    await app.current.get(Jobs).drain();
    expect((await admin.api.get(path)).status).toBe(404);
    expect(await app.current.database.query('SELECT id FROM space WHERE id = $1', [space.id])).toEqual([]);
    expect(await app.current.database.query('SELECT id FROM revision WHERE space_id = $1', [space.id])).toEqual([]);
    const { body } = await admin.api.get<{ items: { action: string; actor: { id: string } }[] }>(
      `/orgs/${id}/audit-events`,
      { query: { action: ['space_purged', 'space_removed'] } },
    );
    expect(body.items.map(({ action }) => action)).toEqual(['space_removed', 'space_purged']);
    expect(body.items[1]?.actor.id).toBe(admin.id);
    expect((await admin.api.post(`/spaces/${other.id}/restore`)).status).toBe(200);
  });

  it('is restored or removed, and not both, when two ask at once', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    for (let round = 0; round < 5; round += 1) {
      const { id } = await buildSpace(workspace, `Space ${round}`);
      await api.delete(`/spaces/${id}`);
      const [purged, restored] = await Promise.all([
        api.delete(`/spaces/${id}/trash`),
        api.post(`/spaces/${id}/restore`),
      ]);
      await app.current.get(Jobs).drain();
      const there = (await api.get(`/spaces/${id}`)).status;
      expect([purged.status, restored.status, there]).toEqual(
        purged.status === 204 ? [204, 404, 404] : [409, 200, 200],
      );
    }
  });
});
