import { describe, expect, it } from '@jest/globals';
import type { AccessLevel } from '../src/kernel/common/roles.js';
import { newId } from '../src/kernel/common/ids.js';
import { useApp } from './app.js';
import { buildOrganization, buildPerson, type Person, type Workspace } from './build.js';
import { Client } from './client.js';

const app = useApp();

interface Member {
  id: string;
  role: AccessLevel | null;
  spaces: number;
  teams: number;
}
interface List<Item> {
  items: Item[];
  count: number;
  next?: { page: string };
}

async function makeSpace({ admin, id }: Workspace, title: string, settings: object = {}): Promise<string> {
  const made = await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, { title, empty: true });
  expect(made.status).toBe(201);
  if (Object.keys(settings).length > 0)
    expect((await admin.api.patch(`/spaces/${made.body.id}`, settings)).status).toBe(200);
  return made.body.id;
}

const grant = (space: string, person: Person, role: AccessLevel) =>
  app.current.database.execute(
    'INSERT INTO space_member_grant (space_id, user_id, role, created_at) VALUES ($1, $2, $3, now())',
    [space, person.id, role],
  );

describe('members', () => {
  it('are listed by role, text, sort and order, page by page', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const path = `/orgs/${workspace.id}/members`;
    const reader = await workspace.member('read');
    const editor = await workspace.member('edit');
    const guest = await workspace.member('none');
    await app.current.database.execute('UPDATE account SET display_name = $2 WHERE id = $1', [reader.id, 'Zoë 100%_x']);
    await app.current.database.execute('UPDATE account SET display_name = $2 WHERE id = $1', [editor.id, 'aaron']);
    const ids = async (query: Record<string, string | number>) =>
      (await api.get<List<Member>>(path, { query })).body.items.map(({ id }) => id);
    const all = await api.get<List<Member>>(path);
    expect(all.body).toMatchObject({ count: 4 });
    expect(all.body.items.map(({ id }) => id).slice(0, 3)).toEqual([guest.id, editor.id, reader.id]);
    expect(all.body.items[0]).toMatchObject({
      object: 'member',
      id: guest.id,
      role: null,
      user: { object: 'user', email: guest.email },
      disabled: false,
      sso: false,
    });
    expect(await ids({ order: 'asc' })).toEqual([workspace.admin.id, reader.id, editor.id, guest.id]);
    expect(await ids({ role: 'guest' })).toEqual([guest.id]);
    expect(await ids({ role: 'edit' })).toEqual([editor.id]);
    expect(await ids({ search: 'ZOË 100%_' })).toEqual([reader.id]);
    expect(await ids({ search: '%' })).toEqual([reader.id]);
    expect(await ids({ search: editor.email.toUpperCase() })).toEqual([editor.id]);
    expect((await ids({ sort: 'name', order: 'asc' })).at(0)).toBe(editor.id);
    expect((await ids({ sort: 'name' })).at(0)).toBe(reader.id);
    const first = await api.get<List<Member>>(path, { query: { limit: 3, sort: 'name' } });
    const second = await api.get<List<Member>>(path, {
      query: { limit: 3, sort: 'name', page: first.body.next?.page },
    });
    expect(new Set([...first.body.items, ...second.body.items].map(({ id }) => id)).size).toBe(4);
    expect(second.body).not.toHaveProperty('next');
    expect(
      (await api.get(path, { query: { limit: 3, sort: 'name', order: 'asc', page: first.body.next?.page } })).status,
    ).toBe(400);
    expect((await api.get(path, { query: { role: 'none' } })).status).toBe(400);
    expect((await api.get(path, { query: { sort: 'email' } })).status).toBe(400);
  });

  it('are noted when they are here, and listed by it', async () => {
    const workspace = await buildOrganization(app.current);
    const guest = await workspace.member('none');
    const path = `/orgs/${workspace.id}/members/${guest.id}`;
    expect((await workspace.admin.api.get(path)).body).not.toHaveProperty('lastSeenAt');
    const before = new Date().toISOString();
    expect((await guest.api.post(`/orgs/${workspace.id}/ping`)).body).toEqual({
      serviceVisitorClaims: expect.any(String),
    });
    const { lastSeenAt } = (await workspace.admin.api.get<{ lastSeenAt: string }>(path)).body;
    expect(lastSeenAt >= before).toBe(true);
    const seen = await workspace.admin.api.get<List<Member>>(`/orgs/${workspace.id}/members`, {
      query: { sort: 'lastSeenAt' },
    });
    expect(seen.body).toMatchObject({ items: [{ id: guest.id, lastSeenAt }], count: 1 });
    expect((await (await buildPerson(app.current)).api.post(`/orgs/${workspace.id}/ping`)).status).toBe(404);
  });

  it('are hidden from guests and strangers, who see at most themselves', async () => {
    const workspace = await buildOrganization(app.current);
    const guest = await workspace.member('none');
    const stranger = await buildOrganization(app.current);
    const path = `/orgs/${workspace.id}/members`;
    expect((await guest.api.get(path)).status).toBe(403);
    expect((await guest.api.get(`${path}/${guest.id}`)).body).toMatchObject({ id: guest.id, role: null, spaces: 0 });
    const hidden = await guest.api.get(`${path}/${workspace.admin.id}`);
    expect(hidden.status).toBe(404);
    expect(hidden.body).toEqual((await guest.api.get(`${path}/${newId()}`)).body);
    for (const each of [path, `${path}/${workspace.admin.id}`])
      expect((await stranger.admin.api.get(each)).status).toBe(404);
    expect((await stranger.admin.api.patch(`${path}/${workspace.admin.id}`, { role: 'read' })).status).toBe(404);
    expect((await stranger.admin.api.delete(`${path}/${guest.id}`)).status).toBe(404);
    expect((await workspace.admin.api.get(`${path}/${stranger.admin.id}`)).status).toBe(404);
    expect((await workspace.admin.api.get(`${path}/${guest.id}`)).status).toBe(200);
  });

  it('have the spaces that they and the caller can see', async () => {
    const workspace = await buildOrganization(app.current);
    const [open, closed, granted] = [
      await makeSpace(workspace, 'Open'),
      await makeSpace(workspace, 'Closed', { defaultLevel: null }),
      await makeSpace(workspace, 'Granted', { defaultLevel: null }),
    ];
    const reader = await workspace.member('read');
    const editor = await workspace.member('edit');
    const guest = await workspace.member('none');
    await grant(granted, guest, 'comment');
    await grant(granted, editor, 'edit');
    await grant(open, editor, 'none');
    await makeSpace(workspace, 'Gone').then((id) => workspace.admin.api.delete(`/spaces/${id}`));
    const path = `/orgs/${workspace.id}/members`;
    const seenBy = async ({ api }: Person, { id }: Person): Promise<number> =>
      (await api.get<Member>(`${path}/${id}`)).body.spaces;
    expect(await seenBy(workspace.admin, workspace.admin)).toBe(3);
    expect(await seenBy(workspace.admin, reader)).toBe(1);
    expect(await seenBy(workspace.admin, editor)).toBe(1);
    expect(await seenBy(workspace.admin, guest)).toBe(1);
    expect(await seenBy(reader, workspace.admin)).toBe(1);
    expect(await seenBy(reader, editor)).toBe(0);
    expect(await seenBy(reader, guest)).toBe(0);
    expect(await seenBy(editor, guest)).toBe(1);
    expect(await seenBy(guest, guest)).toBe(1);
    const listed = await reader.api.get<List<Member>>(path, { query: { order: 'asc' } });
    expect(listed.body.items.map(({ spaces }) => spaces)).toEqual([1, 1, 0, 0]);
    expect(closed).not.toBe(open);
  });
});

describe('the role of a member', () => {
  it('3b-5 is changed by administrators only, and acts on the next request', async () => {
    const workspace = await buildOrganization(app.current);
    const path = `/orgs/${workspace.id}/members`;
    const member = await workspace.member('create');
    const peer = await workspace.member('review');
    expect((await member.api.patch(`${path}/${member.id}`, { role: 'admin' })).status).toBe(403);
    expect((await member.api.patch(`${path}/${peer.id}`, { role: 'read' })).status).toBe(403);
    expect((await member.api.post(`/orgs/${workspace.id}/collections`, { title: 'Mine' })).status).toBe(201);
    const before = await workspace.admin.api.get(`${path}/${member.id}`);
    const lowered = await workspace.admin.api.patch(`${path}/${member.id}`, {
      role: 'read',
      id: peer.id,
      disabled: true,
      sso: true,
    });
    expect(lowered.body).toMatchObject({ id: member.id, role: 'read', disabled: false, sso: false });
    expect((await member.api.post(`/orgs/${workspace.id}/collections`, { title: 'Mine too' })).status).toBe(403);
    const stale = await workspace.admin.api.patch(
      `${path}/${member.id}`,
      { role: 'edit' },
      { headers: { 'If-Match': before.headers.get('etag') ?? '' } },
    );
    expect(stale.status).toBe(412);
    expect((await workspace.admin.api.patch(`${path}/${member.id}`, { role: null })).body).toMatchObject({
      role: null,
    });
    expect((await member.api.get(path)).status).toBe(403);
    expect((await workspace.admin.api.patch(`${path}/${member.id}`, { role: 'none' })).status).toBe(400);
    expect((await workspace.admin.api.patch(`${path}/${newId()}`, { role: 'read' })).status).toBe(404);
    const events = await app.current.database.query<{ payload: unknown }>(
      `SELECT payload FROM event WHERE type = 'member_updated' AND target = $1 ORDER BY at, id`,
      [member.id],
    );
    expect(events.map(({ payload }) => payload)).toEqual([
      { previousRole: 'create', role: 'read' },
      { previousRole: 'read', role: 'none' },
    ]);
  });

  it('3b-7 stays with the last administrator', async () => {
    const workspace = await buildOrganization(app.current);
    const { admin } = workspace;
    const self = `/orgs/${workspace.id}/members/${admin.id}`;
    expect((await admin.api.patch(self, { role: 'create' })).status).toBe(409);
    expect((await admin.api.delete(self)).status).toBe(409);
    const second = await workspace.member('admin');
    await app.current.database.execute('UPDATE member SET disabled = true WHERE user_id = $1', [second.id]);
    expect((await admin.api.delete(self)).status).toBe(409);
    await app.current.database.execute('UPDATE member SET disabled = false WHERE user_id = $1', [second.id]);
    expect((await admin.api.patch(self, { role: 'create' })).body).toMatchObject({ role: 'create' });
    expect((await second.api.delete(`/orgs/${workspace.id}/members/${second.id}`)).status).toBe(409);
  });

  it('3b-7 stays with one of two administrators who demote or remove each other, or themselves, at once', async () => {
    for (const change of ['patch', 'delete', 'step down'] as const) {
      for (let round = 0; round < 5; round++) {
        const workspace = await buildOrganization(app.current);
        const [one, two] = [workspace.admin, await workspace.member('admin')];
        const path = `/orgs/${workspace.id}/members`;
        const attack = ({ api, id: own }: Person, { id }: Person) =>
          change === 'delete'
            ? api.delete(`${path}/${id}`)
            : api.patch(`${path}/${change === 'patch' ? id : own}`, { role: 'read' });
        const answers = await Promise.all([attack(one, two), attack(two, one)]);
        const done = answers.filter(({ status }) => status < 300);
        expect(done).toHaveLength(1);
        const admins = await app.current.database.query(
          `SELECT user_id FROM member WHERE organization_id = $1 AND role = 'admin'`,
          [workspace.id],
        );
        expect(admins).toHaveLength(1);
      }
    }
  });
});

describe('3b-4 a removed member', () => {
  it('loses everything on the next request, and gets nothing back by coming back', async () => {
    const workspace = await buildOrganization(app.current);
    const { admin } = workspace;
    const member = await workspace.member('read');
    const space = await makeSpace(workspace, 'Secret', { defaultLevel: null });
    const foreign = await buildOrganization(app.current);
    const foreignSpace = await makeSpace(foreign, 'Theirs', { defaultLevel: null });
    await app.current.database.execute(
      `INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ($1, $2, 'read', now())`,
      [foreign.id, member.id],
    );
    await grant(space, member, 'edit');
    await grant(foreignSpace, member, 'edit');
    const team = await admin.api.put<{ id: string }>(`/orgs/${workspace.id}/teams`, {
      title: 'Team',
      members: [member.id],
    });
    expect(team.status).toBe(201);
    const token = await member.api.post<{ id: string; token: string }>('/user/tokens', { name: 'bound' });
    await app.current.database.execute('UPDATE api_token SET organization_id = $2 WHERE id = $1', [
      token.body.id,
      workspace.id,
    ]);
    const listing = await member.api.get<List<Member>>(`/orgs/${workspace.id}/members`, { query: { limit: 1 } });
    expect((await member.api.get(`/spaces/${space}`)).status).toBe(200);
    expect((await member.api.delete(`/orgs/${workspace.id}/members/${member.id}`)).status).toBe(403);
    expect((await admin.api.delete(`/orgs/${workspace.id}/members/${member.id}`)).status).toBe(204);
    expect((await member.api.get(`/spaces/${space}`)).status).toBe(404);
    expect((await member.api.get(`/orgs/${workspace.id}`)).status).toBe(404);
    expect(
      (await member.api.get(`/orgs/${workspace.id}/members`, { query: { limit: 1, page: listing.body.next?.page } }))
        .status,
    ).toBe(404);
    expect((await new Client(app.current.url, token.body.token).get('/user')).status).toBe(401);
    expect((await member.api.get(`/spaces/${foreignSpace}`)).body).toMatchObject({ permissions: { edit: true } });
    expect((await admin.api.delete(`/orgs/${workspace.id}/members/${member.id}`)).status).toBe(204);
    await app.current.database.execute(
      `INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ($1, $2, 'read', now())`,
      [workspace.id, member.id],
    );
    expect((await member.api.get(`/spaces/${space}`)).status).toBe(404);
    expect((await admin.api.get(`/orgs/${workspace.id}/members/${member.id}`)).body).toMatchObject({
      teams: 0,
      spaces: 0,
    });
    expect((await admin.api.get(`/orgs/${workspace.id}/teams/${team.body.id}`)).body).toMatchObject({ members: 0 });
  });

  it('was told to sign in through a provider before', async () => {
    const workspace = await buildOrganization(app.current);
    const member = await workspace.member('read');
    const shown = `/orgs/${workspace.id}/members/${member.id}`;
    const path = `${shown}/sso`;
    expect((await member.api.post(path)).status).toBe(403);
    expect((await workspace.admin.api.get(shown)).body).toMatchObject({ sso: false });
    expect((await workspace.admin.api.post(path)).body).toMatchObject({ object: 'member', id: member.id, sso: true });
    expect((await workspace.admin.api.get(shown)).body).toMatchObject({ id: member.id, sso: true });
    expect((await workspace.admin.api.post(`/orgs/${workspace.id}/members/${newId()}/sso`)).status).toBe(404);
  });
});
