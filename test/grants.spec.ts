import { describe, expect, it } from '@jest/globals';
import type { AccessLevel } from '../src/kernel/common/roles.js';
import { newId } from '../src/kernel/common/ids.js';
import { useApp } from './app.js';
import { buildOrganization, type Person, type Workspace } from './build.js';

const app = useApp();

interface UserPermission {
  permission: AccessLevel | null;
  user: { id: string };
}
interface TeamPermission {
  permission: AccessLevel | null;
  team: { id: string };
}
interface Explanation {
  permission: AccessLevel | null;
  reasons: { rule: string; permission: AccessLevel | null; on: object; decides: boolean }[];
}
interface List<Item> {
  items: Item[];
  count: number;
  next?: { page: string };
}

const make = async ({ id, admin }: Workspace, kind: 'spaces' | 'collections', body: object = {}): Promise<string> => {
  const made = await admin.api.post<{ id: string }>(
    `/orgs/${id}/${kind}`,
    kind === 'spaces' ? { title: 'Thing', empty: true, ...body } : { title: 'Thing', ...body },
  );
  expect(made.status).toBe(201);
  return made.body.id;
};
const makeTeam = async ({ id, admin }: Workspace, members: readonly Person[]): Promise<string> =>
  (
    await admin.api.put<{ id: string }>(`/orgs/${id}/teams`, {
      title: 'Team',
      members: members.map((member) => member.id),
    })
  ).body.id;

/** Role by user in a list of permissions. */
async function roles(
  person: Person,
  path: string,
  query: Record<string, string> = {},
): Promise<Record<string, AccessLevel | null>> {
  const listed = await person.api.get<List<UserPermission>>(path, { query });
  expect(listed.status).toBe(200);
  expect(listed.body.count).toBe(listed.body.items.length);
  return Object.fromEntries(listed.body.items.map(({ permission, user }) => [user.id, permission]));
}

describe.each(['spaces', 'collections'] as const)('permissions on %s', (kind) => {
  it('are given to people and teams, listed, changed and taken', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const [guest, reader, other] = [
      await workspace.member('none'),
      await workspace.member('read'),
      await workspace.member('edit'),
    ];
    const id = await make(workspace, kind);
    const path = `/${kind}/${id}/permissions`;
    const team = await makeTeam(workspace, [guest]);
    expect((await guest.api.get(`/${kind}/${id}`)).status).toBe(404);
    expect((await api.post(path, { role: 'comment', users: [guest.id, reader.id], teams: [team] })).status).toBe(204);
    expect((await api.post(path, { role: null, users: [other.id] })).status).toBe(204);
    expect((await guest.api.get(`/${kind}/${id}`)).status).toBe(200);
    expect((await other.api.get(`/${kind}/${id}`)).status).toBe(404);
    expect(await roles(workspace.admin, `${path}/users`)).toEqual({
      [guest.id]: 'comment',
      [reader.id]: 'comment',
      [other.id]: null,
    });
    const everybody = await api.get<List<UserPermission>>(`${path}/aggregate`, { query: { limit: 2 } });
    const others = await api.get<List<UserPermission>>(`${path}/aggregate`, {
      query: { limit: 2, page: everybody.body.next?.page },
    });
    expect(
      Object.fromEntries(
        [...everybody.body.items, ...others.body.items].map(({ user, permission }) => [user.id, permission]),
      ),
    ).toEqual({ [workspace.admin.id]: 'admin', [guest.id]: 'comment', [reader.id]: 'comment' });
    expect((await reader.api.get(`${path}/teams`)).body).toMatchObject({
      count: 1,
      items: [{ permission: 'comment', team: { object: 'team', id: team, members: 1 } }],
    });
    const first = await api.get<List<UserPermission>>(`${path}/users`, { query: { limit: 2 } });
    expect(
      (await api.get<List<UserPermission>>(`${path}/users`, { query: { limit: 2, page: first.body.next?.page } })).body
        .items,
    ).toHaveLength(1);
    expect((await api.patch(`${path}/users/${guest.id}`, { role: 'create' })).status).toBe(204);
    expect((await guest.api.get(`/${kind}/${id}`)).body).toMatchObject({ permissions: { admin: true } });
    expect((await api.patch(`${path}/users/${guest.id}`, {})).status).toBe(204);
    expect((await api.delete(`${path}/users/${guest.id}`)).status).toBe(204);
    expect((await api.delete(`${path}/users/${guest.id}`)).status).toBe(204);
    expect((await guest.api.get(`/${kind}/${id}`)).body).toMatchObject({ permissions: { view: true, admin: false } });
    expect((await api.patch(`${path}/teams/${team}`, { role: null })).status).toBe(204);
    expect((await guest.api.get(`/${kind}/${id}`)).status).toBe(404);
    const second = await makeTeam(workspace, [reader]);
    expect((await api.post(path, { role: 'edit', teams: [second] })).status).toBe(204);
    const newest = await api.get<List<TeamPermission>>(`${path}/teams`, { query: { limit: 1 } });
    const oldest = await api.get<List<TeamPermission>>(`${path}/teams`, {
      query: { limit: 1, page: newest.body.next?.page },
    });
    expect([...newest.body.items, ...oldest.body.items].map((item) => [item.team.id, item.permission])).toEqual([
      [second, 'edit'],
      [team, null],
    ]);
    expect((await api.delete(`${path}/teams/${team}`)).status).toBe(204);
    expect((await api.get(`${path}/teams`, { query: { limit: 1 } })).body).toMatchObject({
      count: 1,
      items: [{ team: { id: second } }],
    });
    expect((await api.delete(`${path}/teams/${second}`)).status).toBe(204);
    expect((await api.get(`${path}/teams`)).body).toMatchObject({ count: 0 });
    expect((await api.patch(`${path}/teams/${team}`, { role: 'read' })).status).toBe(404);
    expect((await api.patch(`${path}/users/${guest.id}`, { role: 'read' })).status).toBe(404);
    const events = await app.current.database.query<{ type: string }>(
      `SELECT type FROM event WHERE target = $1 AND type LIKE '%permission%' ORDER BY at, id`,
      [id],
    );
    const name = kind.slice(0, -1);
    const [set, taken] = [`${name}_permission_set`, `${name}_permission_removed`];
    expect(events.map(({ type }) => type)).toEqual([set, set, set, taken, set, set, taken, taken]);
  });

  it('go to people and teams of the organization only, all or none', async () => {
    const workspace = await buildOrganization(app.current);
    const foreign = await buildOrganization(app.current);
    const reader = await workspace.member('read');
    const path = `/${kind}/${await make(workspace, kind)}/permissions`;
    const [team, foreignTeam] = [await makeTeam(workspace, []), await makeTeam(foreign, [])];
    const { api } = workspace.admin;
    const details = async (body: object) =>
      (await api.post<{ error: { code: number; details: { path: string; message: string }[] } }>(path, body)).body.error
        .details[0];
    const user = await details({ role: 'read', users: [reader.id, foreign.admin.id] });
    expect(user?.path).toBe('users.1');
    expect(await details({ role: 'read', users: [newId()] })).toEqual({ path: 'users.0', message: user?.message });
    const wrongTeam = await details({ role: 'read', users: [reader.id], teams: [team, foreignTeam] });
    expect(wrongTeam?.path).toBe('teams.1');
    expect(await details({ role: 'read', teams: [newId()] })).toEqual({ path: 'teams.0', message: wrongTeam?.message });
    for (const body of [
      { role: 'read' },
      { role: 'read', users: [] },
      { users: [reader.id] },
      { role: 'none', users: [reader.id] },
    ])
      expect((await api.post(path, body)).status).toBe(400);
    expect(await roles(workspace.admin, `${path}/users`)).toEqual({});
    expect((await foreign.admin.api.get(`${path}/users`)).status).toBe(404);
    expect((await foreign.admin.api.post(path, { role: 'read', users: [foreign.admin.id] })).status).toBe(404);
    expect((await api.patch(`${path}/users/${foreign.admin.id}`, { role: 'read' })).status).toBe(404);
  });

  it('3b-5 are given by those who hold them, and never above', async () => {
    const workspace = await buildOrganization(app.current);
    const [creator, reviewer, reader, chief] = [
      await workspace.member('create'),
      await workspace.member('review'),
      await workspace.member('read'),
      await workspace.member('read'),
    ];
    const guest = await workspace.member('none');
    const id = await make(workspace, kind);
    const path = `/${kind}/${id}/permissions`;
    for (const { api } of [reviewer, reader]) {
      expect((await api.post(path, { role: 'read', users: [reader.id] })).status).toBe(403);
      expect((await api.patch(`${path}/users/${reader.id}`, { role: 'read' })).status).toBe(403);
      expect((await api.delete(`${path}/users/${reader.id}`)).status).toBe(403);
    }
    const team = await makeTeam(workspace, [chief]);
    expect((await creator.api.post(path, { role: 'create', users: [reader.id] })).status).toBe(204);
    expect((await creator.api.post(path, { role: 'admin', users: [creator.id] })).status).toBe(403);
    expect((await workspace.admin.api.post(path, { role: 'admin', teams: [team] })).status).toBe(204);
    expect((await creator.api.patch(`${path}/teams/${team}`, { role: 'read' })).status).toBe(403);
    expect((await creator.api.delete(`${path}/teams/${team}`)).status).toBe(403);
    expect((await creator.api.post(path, { role: 'read', teams: [team] })).status).toBe(403);
    expect((await chief.api.post(path, { role: 'admin', users: [reader.id] })).status).toBe(204);
    expect((await creator.api.delete(`${path}/users/${reader.id}`)).status).toBe(403);
    expect((await creator.api.get(`/${kind}/${id}`)).body).toMatchObject({ permissions: { admin: true } });
    await workspace.admin.api.post(path, { role: 'create', users: [guest.id] });
    expect((await guest.api.get(`/${kind}/${id}`)).status).toBe(200);
    for (const listed of ['users', 'teams', 'aggregate'])
      expect((await guest.api.get(`${path}/${listed}`)).status).toBe(403);
    expect((await guest.api.post(path, { role: 'read', users: [reviewer.id] })).status).toBe(403);
    expect((await guest.api.delete(`${path}/users/${reviewer.id}`)).status).toBe(403);
  });

  it('are explained by all rules that give a role, in order, with the one that decides', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const [reader, fellow, guest] = [
      await workspace.member('read'),
      await workspace.member('comment'),
      await workspace.member('none'),
    ];
    const outer = await make(workspace, 'collections');
    expect((await api.patch(`/collections/${outer}`, { defaultLevel: 'comment' })).status).toBe(200);
    const id = await make(workspace, kind, { parent: outer });
    const [outerPath, path] = [`/collections/${outer}/permissions`, `/${kind}/${id}/permissions`];
    const type = kind.slice(0, -1);
    const team = await makeTeam(workspace, [reader]);
    await api.post(outerPath, { role: 'edit', users: [reader.id] });
    await api.post(path, { role: 'review', teams: [team] });
    const why = (person: Person, userId: string) => person.api.get<Explanation>(`${path}/users/${userId}/explanation`);
    const onOuter = { type: 'collection', id: outer, title: 'Thing' };
    const onOrganization = { type: 'organization', id: workspace.id };
    const { status, body } = await why(workspace.admin, reader.id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ permission: 'review', user: { id: reader.id }, disabled: false });
    expect(body.reasons).toMatchObject([
      {
        rule: 'team',
        permission: 'review',
        on: { type, id, title: 'Thing' },
        team: { id: team, title: 'Team' },
        decides: true,
      },
      { rule: 'person', permission: 'edit', on: onOuter, decides: false },
      { rule: 'level', permission: 'comment', on: onOuter, decides: false },
      { rule: 'membership', permission: 'read', on: onOrganization, decides: false },
    ]);
    // The reader does not see the collection any more, nor its title.
    await api.patch(`${outerPath}/users/${reader.id}`, { role: null });
    const seen = (await why(reader, fellow.id)).body;
    expect(seen.reasons).toMatchObject([
      { rule: 'level', permission: 'comment', on: { type: 'collection' }, decides: true },
      { rule: 'membership', permission: 'comment', on: onOrganization },
    ]);
    expect(seen.reasons[0]?.on).toEqual({ type: 'collection' });
    expect((await why(workspace.admin, workspace.admin.id)).body.reasons[0]).toMatchObject({
      rule: 'administrator',
      permission: 'admin',
      decides: true,
    });
    expect((await why(workspace.admin, guest.id)).body).toMatchObject({ permission: null });
    await app.current.database.execute('UPDATE member SET disabled = true WHERE user_id = $1', [fellow.id]);
    expect((await why(workspace.admin, fellow.id)).body).toMatchObject({
      permission: null,
      disabled: true,
      reasons: [],
    });
    await api.post(path, { role: 'read', users: [guest.id] });
    expect((await why(guest, guest.id)).status).toBe(403);
    const foreign = await buildOrganization(app.current);
    expect((await why(foreign.admin, reader.id)).status).toBe(404);
    for (const unknown of [foreign.admin.id, newId()]) expect((await why(workspace.admin, unknown)).status).toBe(404);
  });

  it('are not taken where that would leave somebody above who takes them', async () => {
    const workspace = await buildOrganization(app.current);
    const [creator, reader] = [await workspace.member('create'), await workspace.member('read')];
    const outer = await make(workspace, 'collections');
    const id = await make(workspace, kind, { parent: outer });
    const path = `/${kind}/${id}/permissions`;
    const team = await makeTeam(workspace, [reader]);
    expect(
      (await workspace.admin.api.post(`/collections/${outer}/permissions`, { role: 'admin', users: [reader.id] }))
        .status,
    ).toBe(204);
    expect((await workspace.admin.api.post(path, { role: 'comment', users: [reader.id], teams: [team] })).status).toBe(
      204,
    );
    expect((await creator.api.delete(`${path}/teams/${team}`)).status).toBe(204);
    expect((await creator.api.delete(`${path}/users/${reader.id}`)).status).toBe(403);
    expect((await reader.api.get(`/${kind}/${id}`)).body).toMatchObject({ permissions: { admin: false } });
    expect((await creator.api.patch(`${path}/users/${reader.id}`, { role: 'read' })).status).toBe(204);
    expect((await workspace.admin.api.delete(`${path}/users/${reader.id}`)).status).toBe(204);
    expect((await reader.api.get(`/${kind}/${id}`)).body).toMatchObject({ permissions: { admin: true } });
  });

  it('make up who has access, which agrees with what each of them is shown', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const people = [workspace.admin];
    for (const role of ['none', 'none', 'read', 'comment', 'edit', 'review', 'create', 'read', 'admin'] as const)
      people.push(await workspace.member(role));
    const [, guest, , , commenter, , , creator, teamed] = people as [Person, ...Person[]];
    const outer = await make(workspace, 'collections');
    const id = await make(workspace, kind, { parent: outer });
    const path = `/${kind}/${id}/permissions`;
    await api.post(`/collections/${outer}/permissions`, {
      role: 'edit',
      users: [guest?.id],
      teams: [await makeTeam(workspace, teamed ? [teamed] : [])],
    });
    await api.post(path, { role: null, users: [commenter?.id] });
    await api.post(path, { role: 'read', users: [creator?.id] });
    const order = ['read', 'comment', 'edit', 'review', 'create', 'admin'];
    for (const level of ['inherit', 'comment', null]) {
      expect((await api.patch(`/${kind}/${id}`, { defaultLevel: level })).status).toBe(200);
      const told = await roles(workspace.admin, `${path}/aggregate`);
      for (const person of people) {
        const seen = await person.api.get<{ permissions?: Record<string, boolean> }>(`/${kind}/${id}`);
        expect(seen.status).toBe(told[person.id] === undefined ? 404 : 200);
        expect(seen.body.permissions?.['admin'] ?? false).toBe(
          order.indexOf(told[person.id] ?? '') >= order.indexOf('create'),
        );
        if (kind === 'spaces')
          expect(seen.body.permissions?.['comment'] ?? false).toBe(
            order.indexOf(told[person.id] ?? '') >= order.indexOf('comment'),
          );
      }
      const only = await roles(workspace.admin, `${path}/aggregate`, { role: 'admin' });
      expect(Object.keys(only).sort()).toEqual(
        Object.keys(told)
          .filter((user) => told[user] === 'admin')
          .sort(),
      );
    }
  });
});

describe('the spaces of a member', () => {
  it('are those that the caller sees too, with the role of the member', async () => {
    const workspace = await buildOrganization(app.current);
    const [reader, editor, guest] = [
      await workspace.member('read'),
      await workspace.member('edit'),
      await workspace.member('none'),
    ];
    const [open, closed, shared] = [
      await make(workspace, 'spaces'),
      await make(workspace, 'spaces'),
      await make(workspace, 'spaces'),
    ];
    const { api } = workspace.admin;
    await api.patch(`/spaces/${closed}`, { defaultLevel: null });
    await api.post(`/spaces/${closed}/permissions`, { role: 'comment', users: [guest.id, editor.id] });
    await api.post(`/spaces/${shared}/permissions`, { role: 'review', users: [guest.id] });
    const listed = async (caller: Person, member: Person, query: Record<string, string | number> = {}) => {
      const path = `/orgs/${workspace.id}/members/${member.id}`;
      const answer = await caller.api.get<List<{ permission: string; space: { id: string } }>>(`${path}/spaces`, {
        query,
      });
      expect(answer.status).toBe(200);
      if (query['limit'] === undefined) expect(answer.body.count).toBe(answer.body.items.length);
      expect((await caller.api.get<{ spaces: number }>(path)).body.spaces).toBe(answer.body.count);
      return Object.fromEntries(answer.body.items.map(({ permission, space }) => [space.id, permission]));
    };
    expect(await listed(workspace.admin, workspace.admin)).toEqual({
      [open]: 'admin',
      [closed]: 'admin',
      [shared]: 'admin',
    });
    expect(await listed(workspace.admin, guest)).toEqual({ [closed]: 'comment', [shared]: 'review' });
    expect(await listed(workspace.admin, editor)).toEqual({ [open]: 'edit', [closed]: 'comment', [shared]: 'edit' });
    expect(await listed(reader, editor)).toEqual({ [open]: 'edit', [shared]: 'edit' });
    expect(await listed(reader, guest)).toEqual({ [shared]: 'review' });
    expect(await listed(editor, reader)).toEqual({ [open]: 'read', [shared]: 'read' });
    expect(await listed(guest, guest)).toEqual({ [closed]: 'comment', [shared]: 'review' });
    expect(Object.keys(await listed(workspace.admin, workspace.admin, { order: 'asc', limit: 1 }))).toEqual([open]);
    expect((await guest.api.get(`/orgs/${workspace.id}/members/${reader.id}/spaces`)).status).toBe(404);
    await app.current.database.execute('UPDATE member SET disabled = true WHERE user_id = $1', [reader.id]);
    expect(await listed(workspace.admin, reader)).toEqual({});
  });
});
