import { describe, expect, it } from '@jest/globals';
import type { AccessLevel } from '../src/kernel/common/roles.js';
import { useApp } from './app.js';
import { buildOrganization, type Person, type Workspace } from './build.js';

const app = useApp();

interface Thing {
  id: string;
}
interface List<Item> {
  items: Item[];
  count: number;
}
interface Permission {
  permission: AccessLevel | null;
  user: Thing;
  origin: object;
  disabled: boolean;
}

async function build(): Promise<{
  workspace: Workspace;
  space: string;
  site: string;
  path: string;
  place: (body: object) => Promise<number>;
}> {
  const workspace = await buildOrganization(app.current);
  const { api } = workspace.admin;
  const { body: space } = await api.post<Thing>(`/orgs/${workspace.id}/spaces`, { title: 'Guide', empty: true });
  const { body: site } = await api.post<Thing>(`/orgs/${workspace.id}/sites`, { title: 'Manual', spaces: [space.id] });
  const path = `/orgs/${workspace.id}/sites/${site.id}`;
  return {
    workspace,
    space: space.id,
    site: site.id,
    path,
    place: async (body) => (await api.post(`${path}/permissions`, body)).status,
  };
}

/** What somebody may do on a space, from its flags. */
async function roleOn({ api }: Person, space: string): Promise<string> {
  const answer = await api.get<{ permissions: Record<string, boolean> }>(`/spaces/${space}`);
  if (answer.status === 404) return 'none';
  const { admin, review, edit, comment } = answer.body.permissions;
  return admin ? 'create' : review ? 'review' : edit ? 'edit' : comment ? 'comment' : 'read';
}

describe('roles on sites', () => {
  it('are given to people and teams, listed, changed and taken', async () => {
    const { workspace, path, site, place } = await build();
    const { api } = workspace.admin;
    const [guest, reader, fellow] = [
      await workspace.member('none'),
      await workspace.member('read'),
      await workspace.member('none'),
    ];
    const { body: team } = await api.put<Thing>(`/orgs/${workspace.id}/teams`, {
      title: 'Team',
      members: [guest.id, fellow.id],
    });
    expect((await guest.api.get(path)).status).toBe(404);
    expect(await place({ role: 'comment', users: [reader.id], teams: [team.id] })).toBe(204);
    expect(await place({ role: 'admin', users: [guest.id] })).toBe(204);
    expect((await guest.api.patch(path, { title: 'By a guest' })).status).toBe(200);
    expect((await api.get<List<Permission>>(`${path}/permissions/users`)).body).toMatchObject({
      count: 2,
      items: [
        { permission: 'admin', user: { id: guest.id } },
        { permission: 'comment', user: { id: reader.id } },
      ],
    });
    expect((await api.get(`${path}/permissions/teams`)).body).toMatchObject({
      count: 1,
      items: [{ permission: 'comment', team: { id: team.id } }],
    });
    const everybody = (await api.get<List<Permission>>(`${path}/permissions/aggregate`)).body;
    const found = Object.fromEntries(
      everybody.items.map(({ user, permission, origin }) => [user.id, [permission, origin]]),
    );
    expect(found).toEqual({
      [workspace.admin.id]: ['admin', { type: 'organization', organization: workspace.id }],
      [guest.id]: ['admin', { type: 'site', site, reason: 'member' }],
      [reader.id]: ['comment', { type: 'site', site, reason: 'member' }],
      [fellow.id]: ['comment', { type: 'site', site, reason: 'team', team: team.id }],
    });
    await app.current.database.execute('UPDATE account SET disabled = true WHERE id = $1', [reader.id]);
    expect(
      (await api.get<List<Permission>>(`${path}/permissions/aggregate`, { query: { role: 'comment' } })).body,
    ).toMatchObject({
      count: 2,
      items: [
        { user: { id: fellow.id }, disabled: false },
        { user: { id: reader.id }, disabled: true },
      ],
    });
    await app.current.database.execute('UPDATE account SET disabled = false WHERE id = $1', [reader.id]);
    expect(everybody.items.map(({ disabled }) => disabled)).toEqual([false, false, false, false]);
    for (const list of ['aggregate', 'users']) {
      const first = await api.get<List<Permission> & { next?: { page: string } }>(`${path}/permissions/${list}`, {
        query: { limit: 1 },
      });
      const second = await api.get<List<Permission>>(`${path}/permissions/${list}`, {
        query: { limit: 1, page: first.body.next?.page },
      });
      expect([
        first.body.items.length,
        second.body.items.length,
        first.body.items[0]?.user.id === second.body.items[0]?.user.id,
      ]).toEqual([1, 1, false]);
    }
    const { body: second } = await api.put<Thing>(`/orgs/${workspace.id}/teams`, { title: 'Second team', members: [] });
    expect(await place({ role: 'edit', teams: [second.id] })).toBe(204);
    const teams = async (query: Record<string, string | number> = {}) =>
      (
        await api.get<List<{ permission: string | null; team: Thing }> & { next?: { page: string } }>(
          `${path}/permissions/teams`,
          { query },
        )
      ).body;
    const page = await teams({ limit: 1 });
    expect([
      page.items[0]?.team.id,
      (await teams({ limit: 1, page: page.next?.page ?? '' })).items[0]?.team.id,
    ]).toEqual([second.id, team.id]);
    expect((await api.patch(`${path}/permissions/users/${guest.id}`, { role: 'review' })).status).toBe(204);
    expect((await api.get<List<Permission>>(`${path}/permissions/users`)).body.items[0]).toMatchObject({
      permission: 'review',
      user: { id: guest.id },
    });
    expect((await api.patch(`${path}/permissions/users/${guest.id}`, { role: 'read' })).status).toBe(204);
    expect((await guest.api.patch(path, { title: 'Again' })).status).toBe(403);
    expect((await api.patch(`${path}/permissions/teams/${second.id}`, { role: 'review' })).status).toBe(204);
    expect((await teams()).items.map(({ permission }) => permission)).toEqual(['review', 'comment']);
    expect((await api.delete(`${path}/permissions/teams/${second.id}`)).status).toBe(204);
    expect((await teams()).items.map((each) => each.team.id)).toEqual([team.id]);
    expect((await api.patch(`${path}/permissions/teams/${team.id}`, { role: null })).status).toBe(204);
    for (let time = 0; time < 2; time++)
      expect((await api.delete(`${path}/permissions/users/${guest.id}`)).status).toBe(204);
    expect((await guest.api.get(path)).status).toBe(404);
    expect((await api.delete(`${path}/permissions/teams/${team.id}`)).status).toBe(204);
    expect((await api.patch(`${path}/permissions/users/${guest.id}`, { role: 'read' })).status).toBe(404);
    expect(await place({ role: 'read' })).toBe(400);
    expect(await place({ role: 'read', users: [(await buildOrganization(app.current)).admin.id] })).toBe(400);
    for (const who of [guest, (await buildOrganization(app.current)).admin])
      expect((await who.api.get(`${path}/permissions/users`)).status).toBe(404);
    expect((await reader.api.post(`${path}/permissions`, { role: 'read', users: [reader.id] })).status).toBe(403);
  });

  it('3b-6 count on spaces that inherit: before collections and the organization, after what the space itself says', async () => {
    const { workspace, space, path, place } = await build();
    const { api } = workspace.admin;
    const [creator, reader, guest] = [
      await workspace.member('create'),
      await workspace.member('read'),
      await workspace.member('none'),
    ];
    // The first documented example: the nearer level counts, also where it gives less.
    await place({ role: 'comment', users: [creator.id, guest.id] });
    expect([await roleOn(creator, space), await roleOn(guest, space)]).toEqual(['comment', 'comment']);
    await api.delete(`${path}/permissions/users/${creator.id}`);
    expect(await roleOn(creator, space)).toBe('create');
    // The second: a level of its own resets what is inherited, a direct grant goes before both.
    await place({ role: 'review', users: [reader.id, creator.id] });
    expect([await roleOn(reader, space), await roleOn(creator, space)]).toEqual(['review', 'review']);
    await api.patch(`/spaces/${space}`, { defaultLevel: 'read' });
    expect([await roleOn(reader, space), await roleOn(creator, space)]).toEqual(['read', 'read']);
    await api.post(`/spaces/${space}/permissions`, { role: 'edit', users: [reader.id] });
    expect([await roleOn(reader, space), await roleOn(creator, space)]).toEqual(['edit', 'read']);
    await api.patch(`/spaces/${space}`, { defaultLevel: 'inherit' });
    expect([await roleOn(reader, space), await roleOn(creator, space)]).toEqual(['edit', 'review']);

    const { body: collection } = await api.post<Thing>(`/orgs/${workspace.id}/collections`, { title: 'Shelf' });
    await api.post(`/spaces/${space}/move`, { parent: collection.id });
    await api.post(`/collections/${collection.id}/permissions`, { role: 'edit', users: [creator.id, guest.id] });
    expect([await roleOn(creator, space), await roleOn(guest, space)]).toEqual(['review', 'comment']);
    const { body: other } = await api.post<Thing>(`/orgs/${workspace.id}/sites`, { title: 'Other', spaces: [space] });
    await api.post(`/orgs/${workspace.id}/sites/${other.id}/permissions`, { role: 'edit', users: [guest.id] });
    expect(await roleOn(guest, space)).toBe('edit');
    await place({ role: null, users: [creator.id] });
    expect(await roleOn(creator, space)).toBe('none');
  });

  it('of teams reach their members on the site and its spaces, for as long as they are members and the grant stands', async () => {
    const { workspace, space, path, place } = await build();
    const { api } = workspace.admin;
    const [guest, other] = [await workspace.member('none'), await workspace.member('none')];
    const { body: team } = await api.put<Thing>(`/orgs/${workspace.id}/teams`, {
      title: 'Writers',
      members: [guest.id],
    });
    const seen = async (person: Person) => [(await person.api.get(path)).status, await roleOn(person, space)];
    expect(await seen(guest)).toEqual([404, 'none']);
    expect(await place({ role: 'edit', teams: [team.id] })).toBe(204);
    expect([await seen(guest), await seen(other)]).toEqual([
      [200, 'edit'],
      [404, 'none'],
    ]);
    expect((await guest.api.patch(path, { title: 'By a writer' })).status).toBe(403);
    expect((await api.patch(`${path}/permissions/teams/${team.id}`, { role: 'admin' })).status).toBe(204);
    expect((await guest.api.patch(path, { title: 'By an admin of the site' })).status).toBe(200);
    expect(
      (await api.put(`/orgs/${workspace.id}/teams/${team.id}/members`, { add: [other.id], remove: [guest.id] })).status,
    ).toBeLessThan(300);
    expect([(await seen(guest))[0], (await seen(other))[0]]).toEqual([404, 200]);
    expect((await api.delete(`${path}/permissions/teams/${team.id}`)).status).toBe(204);
    expect(await seen(other)).toEqual([404, 'none']);
  });

  it('3b-5 give nobody more than whoever gives them has', async () => {
    const { workspace, space } = await build();
    const { api } = workspace.admin;
    const [creator, friend] = [await workspace.member('create'), await workspace.member('read')];
    const { body: own } = await creator.api.post<Thing>(`/orgs/${workspace.id}/sites`, {
      title: 'Own',
      spaces: [space],
    });
    const path = `/orgs/${workspace.id}/sites/${own.id}/permissions`;
    expect((await creator.api.post(path, { role: 'admin', users: [friend.id] })).status).toBe(403);
    expect((await creator.api.post(path, { role: 'review', users: [friend.id] })).status).toBe(204);
    // Since then the creator may only read the space.
    await api.post(`/spaces/${space}/permissions`, { role: 'read', users: [creator.id] });
    expect((await creator.api.post(path, { role: 'create', users: [friend.id] })).status).toBe(403);
    expect(await roleOn(friend, space)).toBe('review');
    await creator.api.delete(`${path}/users/${friend.id}`);
    const refused = await creator.api.post<{ error: { message: string } }>(path, { role: 'edit', users: [friend.id] });
    expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringContaining('space of the site')]);
    expect(await roleOn(friend, space)).toBe('read');
    expect((await api.post(path, { role: 'admin', users: [friend.id] })).status).toBe(204);
    expect((await friend.api.patch(`/orgs/${workspace.id}/sites/${own.id}`, { title: 'Shared' })).status).toBe(200);
    expect((await creator.api.patch(`${path}/users/${friend.id}`, { role: 'read' })).status).toBe(403);
  });
});
