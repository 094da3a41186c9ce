import { describe, expect, it } from '@jest/globals';
import { newId } from '../src/kernel/common/ids.js';
import { useApp } from './app.js';
import { buildOrganization, type Person, type Workspace } from './build.js';

const app = useApp();

interface Team {
  id: string;
  title: string;
  members: number;
  spaces: number;
}
interface List<Item> {
  items: Item[];
  count: number;
  next?: { page: string };
}
interface TeamMember {
  organization: { id: string };
  team: { role: string };
}

async function makeTeam({ id, admin }: Workspace, title: string, members: readonly string[] = []): Promise<string> {
  const made = await admin.api.put<Team>(`/orgs/${id}/teams`, { title, members });
  expect(made.status).toBe(201);
  return made.body.id;
}

/** Who is in a team with which role, as an administrator reads it. */
async function rolesIn({ id, admin }: Workspace, team: string): Promise<Record<string, string>> {
  const listed = await admin.api.get<List<TeamMember>>(`/orgs/${id}/teams/${team}/members`);
  expect(listed.status).toBe(200);
  expect(listed.body.count).toBe(listed.body.items.length);
  return Object.fromEntries(listed.body.items.map(({ organization, team: { role } }) => [organization.id, role]));
}

const own = (workspace: Workspace, team: string, { id }: Person) =>
  workspace.admin.api.put(`/orgs/${workspace.id}/teams/${team}/members/${id}`, { role: 'owner' });

describe('teams', () => {
  it('are made, read, listed by owner and title, changed and deleted', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const path = `/orgs/${workspace.id}/teams`;
    const reader = await workspace.member('read');
    const writers = await makeTeam(workspace, ' Writers ', [reader.id, reader.email.toUpperCase()]);
    const readers = await makeTeam(workspace, 'Readers 100%');
    const got = await api.get(`${path}/${writers}`);
    expect(got.body).toMatchObject({
      object: 'team',
      id: writers,
      title: 'Writers',
      members: 1,
      spaces: 0,
      permissions: { admin: true, view: true },
    });
    expect((await api.get(path)).body).toMatchObject({ count: 2, items: [{ id: readers }, { id: writers }] });
    expect((await api.get(path, { query: { title: 'WRIT' } })).body).toMatchObject({
      count: 1,
      items: [{ id: writers }],
    });
    expect((await api.get(path, { query: { title: '%' } })).body).toMatchObject({ count: 1, items: [{ id: readers }] });
    expect((await api.get(path, { query: { owner: reader.id } })).body).toMatchObject({ count: 0 });
    await own(workspace, writers, reader);
    expect((await api.get(path, { query: { owner: reader.id } })).body).toMatchObject({
      count: 1,
      items: [{ id: writers }],
    });
    expect((await reader.api.get(`/orgs/${workspace.id}`)).body).toMatchObject({
      permissions: { ownTeam: true, admin: false },
    });
    const first = await api.get<List<Team>>(path, { query: { limit: 1 } });
    expect((await api.get(path, { query: { limit: 1, page: first.body.next?.page } })).body).toMatchObject({
      items: [{ id: writers }],
    });
    expect((await api.patch(`${path}/${writers}`, { title: 'Authors' })).body).toMatchObject({ title: 'Authors' });
    expect(
      (
        await api.patch(
          `${path}/${writers}`,
          { title: 'Stale' },
          { headers: { 'If-Match': got.headers.get('etag') ?? '' } },
        )
      ).status,
    ).toBe(412);
    for (const title of ['', '   ', 'x'.repeat(65), undefined, 7])
      expect((await api.patch(`${path}/${writers}`, { title })).status).toBe(400);
    expect((await api.delete(`${path}/${writers}`)).status).toBe(204);
    expect((await api.delete(`${path}/${writers}`)).status).toBe(204);
    expect((await api.get(`${path}/${writers}`)).status).toBe(404);
    expect((await api.get(`/orgs/${workspace.id}/members/${reader.id}/teams`)).body).toMatchObject({ count: 0 });
  });

  it('are shown to members, not to guests, and to nobody else', async () => {
    const workspace = await buildOrganization(app.current);
    const other = await buildOrganization(app.current);
    const guest = await workspace.member('none');
    const reader = await workspace.member('read');
    const team = await makeTeam(workspace, 'Team', [guest.id]);
    const path = `/orgs/${workspace.id}/teams/${team}`;
    expect((await reader.api.get(path)).body).toMatchObject({ permissions: { admin: false, view: true }, members: 1 });
    for (const each of [path, `${path}/members`, `/orgs/${workspace.id}/teams`]) {
      expect((await guest.api.get(each)).status).toBe(403);
      expect((await other.admin.api.get(each)).status).toBe(404);
    }
    expect((await other.admin.api.get(`/orgs/${other.id}/teams/${team}`)).status).toBe(404);
    expect((await guest.api.get(`/orgs/${workspace.id}/members/${guest.id}/teams`)).body).toMatchObject({
      count: 1,
      items: [{ team: { id: team }, member: { role: 'member' } }],
    });
    expect((await guest.api.get(`/orgs/${workspace.id}/members/${reader.id}/teams`)).status).toBe(404);
    expect(
      (await reader.api.get(`/orgs/${workspace.id}/members/${guest.id}/teams`, { query: { title: 'tea' } })).body,
    ).toMatchObject({ count: 1 });
    expect(
      (await reader.api.get(`/orgs/${workspace.id}/members/${guest.id}/teams`, { query: { title: 'x' } })).body,
    ).toMatchObject({ count: 0, items: [] });
    const second = await makeTeam(workspace, 'Second', [guest.id]);
    const mine = `/orgs/${workspace.id}/members/${guest.id}/teams`;
    const first = await reader.api.get<List<{ team: { id: string } }>>(mine, { query: { limit: 1 } });
    const rest = await reader.api.get<List<{ team: { id: string } }>>(mine, {
      query: { limit: 1, page: first.body.next?.page },
    });
    expect([...first.body.items, ...rest.body.items].map((item) => item.team.id).sort()).toEqual([team, second].sort());
    for (const change of [
      reader.api.patch(path, { title: 'Mine' }),
      reader.api.put(`/orgs/${workspace.id}/teams`, { title: 'Mine' }),
      reader.api.delete(path),
    ]) {
      expect((await change).status).toBe(403);
    }
    expect((await other.admin.api.delete(path)).status).toBe(404);
  });

  it('count the spaces that they reach and the caller can see', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const team = await makeTeam(workspace, 'Team');
    const outer = await api.post<{ id: string }>(`/orgs/${workspace.id}/collections`, { title: 'Outer' });
    const inner = await api.post<{ id: string }>(`/orgs/${workspace.id}/collections`, {
      title: 'Inner',
      parent: outer.body.id,
    });
    const space = async (parent?: string) =>
      (await api.post<{ id: string }>(`/orgs/${workspace.id}/spaces`, { title: 'Space', empty: true, parent })).body.id;
    const [below, closed, direct] = [await space(inner.body.id), await space(inner.body.id), await space()];
    await space();
    await api.patch(`/spaces/${closed}`, { defaultLevel: null });
    const { database } = app.current;
    await database.execute(
      `INSERT INTO collection_team_grant (organization_id, collection_id, team_id, role, created_at) VALUES ($1, $2, $3, 'read', now())`,
      [workspace.id, outer.body.id, team],
    );
    await database.execute(
      `INSERT INTO space_team_grant (space_id, team_id, role, created_at) VALUES ($1, $3, 'edit', now()), ($2, $3, 'none', now())`,
      [direct, below, team],
    );
    const reader = await workspace.member('read');
    const spaces = async (person: Person) =>
      (await person.api.get<Team>(`/orgs/${workspace.id}/teams/${team}`)).body.spaces;
    expect(await spaces(workspace.admin)).toBe(3);
    expect(await spaces(reader)).toBe(2);
    await api.delete(`/spaces/${direct}`);
    expect(await spaces(workspace.admin)).toBe(2);
    expect((await reader.api.get<List<Team>>(`/orgs/${workspace.id}/teams`)).body.items[0]?.spaces).toBe(1);
  });
});

describe('the members of a team', () => {
  it('are added, changed and removed at once, and removal wins', async () => {
    const workspace = await buildOrganization(app.current);
    const [a, b, c, d] = [
      await workspace.member('read'),
      await workspace.member('read'),
      await workspace.member('edit'),
      await workspace.member('none'),
    ];
    const team = await makeTeam(workspace, 'Team', [a.id]);
    const path = `/orgs/${workspace.id}/teams/${team}/members`;
    const { api } = workspace.admin;
    expect(
      (
        await api.put(path, {
          add: [b.email.toUpperCase(), c.id],
          memberships: { [c.email]: { role: 'owner' }, [d.id]: { role: 'member' } },
          remove: [a.email],
        })
      ).status,
    ).toBe(204);
    expect(await rolesIn(workspace, team)).toEqual({ [b.id]: 'member', [c.id]: 'owner', [d.id]: 'member' });
    expect(
      (
        await api.put(path, {
          add: [c.id, a.id, b.id],
          memberships: { [a.id]: { role: 'owner' } },
          remove: [a.id, b.email],
        })
      ).status,
    ).toBe(204);
    expect(await rolesIn(workspace, team)).toEqual({ [c.id]: 'owner', [d.id]: 'member' });
    expect((await api.put(path, {})).status).toBe(204);
    expect((await api.put(`${path}/${c.id}`)).status).toBe(204);
    expect((await api.put(`${path}/${b.id}`)).status).toBe(204);
    expect((await api.put(`${path}/${d.id}`, { role: 'owner' })).status).toBe(204);
    expect(await rolesIn(workspace, team)).toEqual({ [c.id]: 'owner', [d.id]: 'owner', [b.id]: 'member' });
    expect((await api.delete(`${path}/${d.id}`)).status).toBe(204);
    expect((await api.delete(`${path}/${d.id}`)).status).toBe(204);
    expect(await rolesIn(workspace, team)).toEqual({ [c.id]: 'owner', [b.id]: 'member' });
    const listed = await api.get<List<TeamMember>>(path, { query: { limit: 1 } });
    expect(listed.body).toMatchObject({
      count: 2,
      items: [{ organization: { object: 'member' }, permissions: { view: true } }],
    });
  });

  it('are members of the organization: others are refused with the path, and nothing changes', async () => {
    const workspace = await buildOrganization(app.current);
    const other = await buildOrganization(app.current);
    const member = await workspace.member('read');
    const team = await makeTeam(workspace, 'Team');
    const path = `/orgs/${workspace.id}/teams/${team}/members`;
    const { api } = workspace.admin;
    const refused = async (body: object, field: string) => {
      const answer = await api.put<{ error: { details: { path: string; message: string }[] } }>(path, body);
      expect(answer.status).toBe(400);
      expect(answer.body.error.details[0]?.path).toBe(field);
      return answer.body.error.details[0]?.message;
    };
    const messages = [
      await refused({ add: [member.id, other.admin.id] }, 'add.1'),
      await refused({ add: [newId()] }, 'add.0'),
      await refused({ add: [other.admin.email] }, 'add.0'),
      await refused({ add: ['nobody@example.com'] }, 'add.0'),
      await refused({ add: [member.id], remove: [other.admin.id] }, 'remove.0'),
      await refused({ memberships: { [other.admin.id]: { role: 'owner' } } }, `memberships.${other.admin.id}`),
    ];
    expect(new Set(messages).size).toBe(1);
    await refused({ memberships: { [member.id]: { role: 'admin' } } }, `memberships.${member.id}.role`);
    await refused({ memberships: { [member.id]: null } }, `memberships.${member.id}.role`);
    expect((await api.put(path, { add: [7] })).status).toBe(400);
    expect((await api.put(path, { memberships: [] })).status).toBe(400);
    expect((await api.put(`${path}/${other.admin.id}`, { role: 'member' })).status).toBe(404);
    expect((await api.put(`${path}/${member.id}`, { role: 'admin' })).status).toBe(400);
    const made = await api.put<{ error: object }>(`/orgs/${workspace.id}/teams`, {
      title: 'Other',
      members: [member.id, other.admin.id],
    });
    expect(made.body).toMatchObject({ error: { code: 400, details: [{ path: 'members.1' }] } });
    expect(await rolesIn(workspace, team)).toEqual({});
    expect((await api.get(`/orgs/${workspace.id}/teams`)).body).toMatchObject({ count: 1 });
    expect(
      (await other.admin.api.put(`/orgs/${other.id}/teams/${team}/members`, { add: [other.admin.id] })).status,
    ).toBe(404);
    expect((await other.admin.api.delete(`/orgs/${other.id}/teams/${team}/members/${member.id}`)).status).toBe(404);
  });

  it('are managed by owners, who reach nothing else', async () => {
    const workspace = await buildOrganization(app.current);
    const owner = await workspace.member('read');
    const member = await workspace.member('create');
    const guest = await workspace.member('none');
    const [team, other] = [
      await makeTeam(workspace, 'Team', [member.id]),
      await makeTeam(workspace, 'Other', [member.id]),
    ];
    await own(workspace, team, owner);
    await own(workspace, team, guest);
    const path = `/orgs/${workspace.id}/teams`;
    expect((await owner.api.get(`${path}/${team}`)).body).toMatchObject({ permissions: { admin: true } });
    expect((await owner.api.get(`${path}/${other}`)).body).toMatchObject({ permissions: { admin: false } });
    expect((await owner.api.put(`${path}/${team}/members`, { remove: [member.id] })).status).toBe(204);
    expect((await owner.api.put(`${path}/${team}/members/${member.id}`)).status).toBe(204);
    expect((await owner.api.put(`${path}/${other}/members`, { add: [owner.id] })).status).toBe(403);
    expect((await owner.api.patch(`${path}/${team}`, { title: 'Mine' })).status).toBe(403);
    expect((await owner.api.delete(`${path}/${team}`)).status).toBe(403);
    expect((await member.api.put(`${path}/${team}/members/${member.id}`, { role: 'owner' })).status).toBe(403);
    expect((await member.api.delete(`${path}/${team}/members/${owner.id}`)).status).toBe(403);
    expect((await guest.api.put(`${path}/${team}/members/${member.id}`, { role: 'owner' })).status).toBe(403);
    expect((await guest.api.get(`/orgs/${workspace.id}`)).body).toMatchObject({ permissions: { ownTeam: false } });
    await workspace.admin.api.put(`${path}/${team}/members/${owner.id}`, { role: 'member' });
    expect((await owner.api.put(`${path}/${team}/members`, { remove: [member.id] })).status).toBe(403);
    expect(await rolesIn(workspace, team)).toEqual({
      [member.id]: 'member',
      [owner.id]: 'member',
      [guest.id]: 'owner',
    });
  });

  it('get and lose what the team was given, on the next request', async () => {
    const workspace = await buildOrganization(app.current);
    const guest = await workspace.member('none');
    const made = await workspace.admin.api.post<{ id: string }>(`/orgs/${workspace.id}/spaces`, {
      title: 'Space',
      empty: true,
    });
    const team = await makeTeam(workspace, 'Team', [guest.id]);
    await app.current.database.execute(
      `INSERT INTO space_team_grant (space_id, team_id, role, created_at) VALUES ($1, $2, 'comment', now())`,
      [made.body.id, team],
    );
    expect((await guest.api.get(`/spaces/${made.body.id}`)).body).toMatchObject({
      permissions: { comment: true, edit: false },
    });
    await workspace.admin.api.delete(`/orgs/${workspace.id}/teams/${team}/members/${guest.id}`);
    expect((await guest.api.get(`/spaces/${made.body.id}`)).status).toBe(404);
    await workspace.admin.api.put(`/orgs/${workspace.id}/teams/${team}/members/${guest.id}`);
    expect((await guest.api.get(`/spaces/${made.body.id}`)).status).toBe(200);
    await workspace.admin.api.delete(`/orgs/${workspace.id}/teams/${team}`);
    expect((await guest.api.get(`/spaces/${made.body.id}`)).status).toBe(404);
  });
});
