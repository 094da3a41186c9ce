import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { newId } from '../src/kernel/common/ids.js';
import { Tokens } from '../src/identity/users/tokens.service.js';
import { useApp } from './app.js';
import { buildOrganization, type Person, type Workspace } from './build.js';
import { Client } from './client.js';

const app = useApp();

interface Refusal {
  error: { code: number; message: string; details?: { path: string; message: string }[] };
}
interface Role {
  id: string;
  title: string;
  description?: string;
  base: string;
  permissions: string[];
  urls: { location: string };
}
interface List<Item> {
  items: Item[];
  count: number;
  next?: { page: string };
}
interface Shown {
  permissions: Record<string, boolean>;
}

const rolesOf = ({ id }: Workspace) => `/orgs/${id}/custom-roles`;

async function makeRole(workspace: Workspace, permissions: readonly string[], base = 'read'): Promise<string> {
  const made = await workspace.admin.api.post<Role>(rolesOf(workspace), { title: 'Role', base, permissions });
  expect(made.status).toBe(201);
  return made.body.id;
}

async function made(person: Person, path: string, body: object): Promise<string> {
  const answer = await person.api.post<{ id: string }>(path, body);
  expect(answer.status).toBe(201);
  return answer.body.id;
}

const makeSpace = ({ id, admin }: Workspace, more: object = {}) =>
  made(admin, `/orgs/${id}/spaces`, { title: 'Space', empty: true, ...more });

const propose = async ({ api }: Person, space: string) =>
  (await api.post(`/spaces/${space}/change-requests`, { subject: 'Proposal' })).status;

const give = async (workspace: Workspace, person: Person, customRole: string | null) => {
  const path = `/orgs/${workspace.id}/members/${person.id}`;
  const answer = await workspace.admin.api.patch<{ role: string; customRole?: string }>(path, { customRole });
  expect(answer.status).toBe(200);
  return answer.body;
};

async function makeTeam({ id, admin }: Workspace, members: readonly Person[]): Promise<string> {
  const team = { title: 'Team', members: members.map((member) => member.id) };
  return (await admin.api.put<{ id: string }>(`/orgs/${id}/teams`, team)).body.id;
}

describe('custom roles', () => {
  it('are made, listed, read, changed and deleted by administrators', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const path = rolesOf(workspace);
    const body = {
      title: 'Translator',
      description: 'Writes in change requests',
      base: 'read',
      permissions: ['space:propose', 'space:comment', 'space:propose'],
    };
    const first = await api.post<Role>(path, body);
    expect([first.status, first.headers.get('location')]).toEqual([201, first.body.urls.location]);
    expect(first.body).toMatchObject({
      ...body,
      object: 'custom-role',
      permissions: ['space:comment', 'space:propose'],
    });
    const second = await makeRole(workspace, ['site:publish']);
    const listed = await api.get<List<Role>>(path, { query: { limit: 1 } });
    const rest = await api.get<List<Role>>(path, { query: { limit: 1, page: listed.body.next?.page } });
    expect([listed.body.count, listed.body.items[0]?.id, rest.body.items[0]?.id, rest.body.next]).toEqual([
      2,
      first.body.id,
      second,
      undefined,
    ]);
    const own = `${path}/${first.body.id}`;
    const changed = await api.patch<Role>(own, { title: 'Writer', description: null, base: 'comment' });
    expect(changed.body).toMatchObject({ title: 'Writer', base: 'comment', permissions: first.body.permissions });
    expect(changed.body).not.toHaveProperty('description');
    expect((await api.get<Role>(own)).body).toEqual(changed.body);
    expect((await api.patch(own, { title: 'Other' }, { headers: { 'If-Match': '"1.x"' } })).status).toBe(412);
    expect((await api.delete(own)).status).toBe(204);
    expect((await api.delete(own)).status).toBe(204);
    expect((await api.get(own)).status).toBe(404);
    expect((await api.patch(own, { title: 'Gone' })).status).toBe(404);

    const events = await app.current.database.query<{ type: string; changes: unknown; label: string }>(
      `SELECT action AS type, payload -> 'changes' AS changes, target_label AS label FROM audit_event
        WHERE organization_id = $1 AND action LIKE 'custom_role%' ORDER BY occurred_at, id`,
      [workspace.id],
    );
    expect(events.map(({ type, label }) => [type, label])).toEqual([
      ['custom_role_created', 'Translator'],
      ['custom_role_created', 'Role'],
      ['custom_role_updated', 'Writer'],
      ['custom_role_deleted', 'Writer'],
    ]);
    expect(events[2]?.changes).toEqual([
      { field: 'title', before: 'Translator', after: 'Writer' },
      { field: 'description', before: 'Writes in change requests', after: null },
      { field: 'base', before: 'read', after: 'comment' },
    ]);
  });

  it('add what the catalogue names and nothing else, and never to administrators', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const catalogue = await api.get<List<{ id: string; description: string; resource: string; role: string }>>(
      `/orgs/${workspace.id}/custom-role-permissions`,
      { query: { limit: 1000 } },
    );
    const ids = catalogue.body.items.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort());
    expect(catalogue.body.items.find(({ id }) => id === 'space:merge')).toEqual({
      object: 'custom-role-permission',
      id: 'space:merge',
      description: 'Merge change requests',
      resource: 'space',
      role: 'review',
    });
    const guide = await readFile('docs/guides/custom-roles.md', 'utf8');
    const [, table = ''] = /\| On \| Permissions \|\n([^]*?)\n\n/.exec(guide) ?? [];
    expect([...table.matchAll(/`(\w+:\w+)`/g)].map(([, id]) => id).sort()).toEqual(ids);
    // None by which a holder gets, gives or keeps a role, a token or access.
    expect(
      ids.filter((id) => /admin|manage(?!Redirects)|invite|token|auth|sso|transfer|create(?!OpenAPI)|delete/i.test(id)),
    ).toEqual([]);
    // Whoever administers a space may do anyway all that can be added there, so giving a role there gives nothing more.
    const higher = catalogue.body.items.filter(({ resource, role }) => resource === 'space' && role === 'admin');
    expect(higher).toEqual([]);
    const faults: [object, string][] = [
      [{ title: 'Role', base: 'read', permissions: ['space:admin'] }, 'permissions'],
      [{ title: 'Role', base: 'read', permissions: [] }, 'permissions'],
      [{ title: 'Role', base: 'admin', permissions: ['space:edit'] }, 'base'],
      [{ title: '', base: 'read', permissions: ['space:edit'] }, 'title'],
    ];
    for (const [body, path] of faults) {
      const refused = await api.post<Refusal>(rolesOf(workspace), body);
      expect([refused.status, refused.body.error.details?.[0]?.path.split('.')[0]]).toEqual([400, path]);
    }
    await app.current.database.execute(
      `INSERT INTO custom_role (id, organization_id, title, base, permissions, created_at)
       SELECT $1 || n, $1, 'Role', 'read', '{space:edit}', now() FROM generate_series(1, 100) n`,
      [workspace.id],
    );
    const full = await api.post(rolesOf(workspace), { title: 'One more', base: 'read', permissions: ['space:edit'] });
    expect(full.status).toBe(409);
  });

  it('are given to members, for everything that inherits from them', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const [space, own] = [await makeSpace(workspace), await makeSpace(workspace)];
    await api.patch(`/spaces/${own}`, { defaultLevel: 'read' });
    const person = await workspace.member('comment');
    const role = await makeRole(workspace, ['space:propose', 'space:edit', 'organization:createOpenAPISpec']);
    expect(await propose(person, space)).toBe(403);
    expect(await give(workspace, person, role)).toMatchObject({ role: 'read', customRole: role });
    expect(await propose(person, space)).toBe(201);
    // A level of the space's own decides there, and adds nothing.
    expect(await propose(person, own)).toBe(403);
    const shown = await person.api.get<Shown>(`/spaces/${space}`);
    expect(shown.body.permissions).toMatchObject({
      view: true,
      edit: true,
      comment: false,
      merge: false,
      admin: false,
    });
    expect((await person.api.get<Shown>(`/spaces/${own}`)).body.permissions).toMatchObject({ edit: false });
    const organization = await person.api.get<Shown>(`/orgs/${workspace.id}`);
    expect(organization.body.permissions).toMatchObject({
      createOpenAPISpec: true,
      createContent: false,
      admin: false,
    });
    const member = await api.get(`/orgs/${workspace.id}/members/${person.id}`);
    expect(member.body).toMatchObject({ role: 'read', customRole: role });
    const listed = await api.get<List<{ id: string; customRole?: string }>>(`/orgs/${workspace.id}/members`, {
      query: { role: 'read' },
    });
    expect(listed.body.items).toMatchObject([{ id: person.id, customRole: role }]);

    const changes = await app.current.database.query<{ changes: unknown }>(
      `SELECT payload -> 'changes' AS changes FROM audit_event WHERE organization_id = $1 AND action = 'member_updated'`,
      [workspace.id],
    );
    expect(changes.map((line) => line.changes)).toEqual([
      [
        { field: 'role', before: 'comment', after: 'read' },
        { field: 'customRole', before: null, after: role },
      ],
    ]);
    // A role without a custom role replaces it, and so does none beside it.
    expect(await give(workspace, person, null)).not.toHaveProperty('customRole');
    expect(await propose(person, space)).toBe(403);
    await give(workspace, person, role);
    const alone = await api.patch(`/orgs/${workspace.id}/members/${person.id}`, { role: 'read' });
    expect(alone.body).not.toHaveProperty('customRole');
    expect(await propose(person, space)).toBe(403);
  });

  it('are given on things to people and teams, and taken with the role that replaces them', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const collection = await made(workspace.admin, `/orgs/${workspace.id}/collections`, { title: 'Collection' });
    const space = await makeSpace(workspace, { parent: collection });
    const shared = await makeSpace(workspace);
    const site = await made(workspace.admin, `/orgs/${workspace.id}/sites`, { title: 'Site', spaces: [shared] });
    const [writer, reviewer] = [
      await makeRole(workspace, ['space:propose', 'site:manageRedirects']),
      await makeRole(workspace, ['space:review', 'space:comment']),
    ];
    const [guest, other] = [await workspace.member('none'), await workspace.member('read')];
    const team = await makeTeam(workspace, [guest, other]);

    const inCollection = `/collections/${collection}/permissions`;
    expect((await api.post(inCollection, { role: 'read', customRole: writer, teams: [team] })).status).toBe(204);
    expect([await propose(guest, space), await propose(other, space)]).toEqual([201, 201]);
    const teams = await api.get<List<{ permission: string; customRole?: string }>>(`${inCollection}/teams`);
    expect(teams.body.items).toMatchObject([{ permission: 'read', customRole: writer }]);

    // The nearer grant decides: it takes what the collection adds.
    const onSpace = `/spaces/${space}/permissions`;
    expect((await api.post(onSpace, { role: 'read', customRole: reviewer, users: [guest.id] })).status).toBe(204);
    const users = await api.get<List<{ permission: string; customRole?: string }>>(`${onSpace}/users`);
    expect(users.body.items).toMatchObject([{ permission: 'read', customRole: reviewer }]);
    expect([await propose(guest, space), await propose(other, space)]).toEqual([403, 201]);
    expect((await guest.api.get<Shown>(`/spaces/${space}`)).body.permissions).toMatchObject({
      edit: false,
      comment: true,
      review: true,
    });
    const all = await guest.api.get<List<Shown & { id: string }>>(`/orgs/${workspace.id}/spaces`);
    expect(all.body.items).toMatchObject([{ id: space, permissions: { comment: true, review: true, edit: false } }]);
    expect((await api.patch(`${onSpace}/users/${guest.id}`, { customRole: writer })).status).toBe(204);
    expect(await propose(guest, space)).toBe(201);
    expect((await api.patch(`${onSpace}/users/${guest.id}`, { role: 'read' })).status).toBe(204);
    expect(await propose(guest, space)).toBe(403);
    expect((await api.patch(`${onSpace}/users/${guest.id}`, { customRole: writer })).status).toBe(204);
    expect((await api.patch(`${onSpace}/users/${guest.id}`, { customRole: null })).status).toBe(204);
    expect(await propose(guest, space)).toBe(403);
    expect((await api.delete(`${onSpace}/users/${guest.id}`)).status).toBe(204);
    expect(await propose(guest, space)).toBe(201);

    expect((await api.post(onSpace, { role: 'read', customRole: reviewer, teams: [team] })).status).toBe(204);
    const ofSpace = await api.get<List<{ permission: string; customRole?: string }>>(`${onSpace}/teams`);
    expect(ofSpace.body.items).toMatchObject([{ permission: 'read', customRole: reviewer }]);
    expect((await api.delete(`${onSpace}/teams/${team}`)).status).toBe(204);

    // A role on a site is one on its spaces, and what it adds for sites acts on the site.
    const sitePath = `/orgs/${workspace.id}/sites/${site}`;
    const redirect = (source: string) => ({ source, destination: { kind: 'external', url: 'https://example.com/' } });
    expect((await other.api.post(`${sitePath}/redirects`, redirect('/one'))).status).toBe(403);
    expect(
      (await api.post(`${sitePath}/permissions`, { role: 'read', customRole: writer, users: [other.id] })).status,
    ).toBe(204);
    expect((await other.api.post(`${sitePath}/redirects`, redirect('/one'))).status).toBe(201);
    expect((await other.api.patch(sitePath, { title: 'Changed' })).status).toBe(403);
    expect(await propose(other, shared)).toBe(201);
    expect((await api.delete(`/orgs/${workspace.id}/teams/${team}`)).status).toBe(204);
    expect([await propose(guest, space), await propose(other, space)]).toEqual([404, 403]);
  });

  it('are listed with their holders, and what they add with everybody who has access', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const space = await makeSpace(workspace);
    const site = await made(workspace.admin, `/orgs/${workspace.id}/sites`, { title: 'Site', spaces: [space] });
    const [first, second, other] = [
      await workspace.member('read'),
      await workspace.member('read'),
      await workspace.member('read'),
    ];
    const added = ['organization:viewConversations', 'site:publish', 'space:propose'];
    const role = await makeRole(workspace, added);
    const members = async (query: object) => {
      const answer = await api.get<List<{ id: string }>>(`/orgs/${workspace.id}/members`, { query: { ...query } });
      return [answer.status, answer.body.count, answer.body.items.map(({ id }) => id), answer.body.next?.page] as const;
    };
    expect(await members({ customRole: role })).toEqual([200, 0, [], undefined]);
    await give(workspace, first, role);
    await give(workspace, second, role);
    await api.post(`/spaces/${space}/permissions`, { role: 'read', customRole: role, users: [other.id] });
    const all = await members({ limit: 50 });
    expect(all[1]).toBe(4);
    const order = all[2].filter((id) => id === first.id || id === second.id);
    expect(await members({ customRole: role })).toEqual([200, 2, order, undefined]);
    const [, count, some, next] = await members({ customRole: role, limit: 1 });
    expect([count, some]).toEqual([2, order.slice(0, 1)]);
    expect(await members({ customRole: role, limit: 1, page: next })).toEqual([200, 2, order.slice(1), undefined]);
    expect((await members({ customRole: role, search: 'no such person' }))[2]).toEqual([]);
    // A custom role of elsewhere has no holders here.
    const elsewhere = await buildOrganization(app.current);
    expect((await members({ customRole: await makeRole(elsewhere, ['space:edit']) }))[2]).toEqual([]);

    const additions = async (path: string) => {
      const answer = await api.get<List<{ user: { id: string }; additionalPermissions?: string[] }>>(path);
      expect(answer.status).toBe(200);
      return Object.fromEntries(answer.body.items.map((item) => [item.user.id, item.additionalPermissions]));
    };
    expect(await additions(`/spaces/${space}/permissions/aggregate`)).toEqual({
      [workspace.admin.id]: undefined,
      [first.id]: ['space:propose'],
      [second.id]: ['space:propose'],
      [other.id]: ['space:propose'],
    });
    expect(await additions(`/orgs/${workspace.id}/sites/${site}/permissions/aggregate`)).toEqual({
      [workspace.admin.id]: undefined,
      [first.id]: ['site:publish', 'space:propose'],
      [second.id]: ['site:publish', 'space:propose'],
      [other.id]: undefined,
    });
    const explained = await api.get(`/spaces/${space}/permissions/users/${first.id}/explanation`);
    expect(explained.body).toMatchObject({ additionalPermissions: ['space:propose'] });
  });

  it('act on all who hold them from the next request on when they change', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const [space, other] = [await makeSpace(workspace), await makeSpace(workspace)];
    const person = await workspace.member('read');
    const role = await makeRole(workspace, ['space:propose']);
    const path = `${rolesOf(workspace)}/${role}`;
    await give(workspace, person, role);
    expect(
      (await api.post(`/spaces/${other}/permissions`, { role: 'read', customRole: role, users: [person.id] })).status,
    ).toBe(204);
    expect([await propose(person, space), await propose(person, other)]).toEqual([201, 201]);
    await api.patch(path, { permissions: ['space:comment'] });
    expect([await propose(person, space), await propose(person, other)]).toEqual([403, 403]);
    await api.patch(path, { base: 'edit' });
    expect([await propose(person, space), await propose(person, other)]).toEqual([201, 201]);
    const member = await api.get<{ role: string }>(`/orgs/${workspace.id}/members/${person.id}`);
    expect(member.body.role).toBe('edit');
    const aggregate = await api.get<List<{ permission: string; user: { id: string } }>>(
      `/spaces/${other}/permissions/aggregate`,
      { query: { role: 'edit' } },
    );
    expect(aggregate.body.items).toMatchObject([{ permission: 'edit', user: { id: person.id } }]);
    // The base remains.
    await api.delete(path);
    expect([await propose(person, space), await propose(person, other)]).toEqual([201, 201]);
    const after = await api.get(`/orgs/${workspace.id}/members/${person.id}`);
    expect(after.body).toMatchObject({ role: 'edit' });
    expect(after.body).not.toHaveProperty('customRole');
    expect((await person.api.get<Shown>(`/spaces/${other}`)).body.permissions).toMatchObject({ edit: true });
  });

  it('are refused where they are of elsewhere, or the role beside them is not their base', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const foreign = await makeRole(await buildOrganization(app.current), ['space:edit']);
    const own = await makeRole(workspace, ['space:edit'], 'comment');
    const person = await workspace.member('read');
    const space = await makeSpace(workspace);
    const site = await made(workspace.admin, `/orgs/${workspace.id}/sites`, { title: 'Site', spaces: [space] });
    const member = `/orgs/${workspace.id}/members/${person.id}`;
    const before = await api.get(member);
    const refusal = (answer: { status: number; body: Refusal }) => [
      answer.status,
      answer.body.error.details?.map(({ path }) => path),
    ];
    for (const customRole of [foreign, newId()]) {
      expect(refusal(await api.patch<Refusal>(member, { customRole }))).toEqual([400, ['customRole']]);
      const grant = { role: 'read', customRole, users: [person.id] };
      for (const thing of [`/spaces/${space}`, `/orgs/${workspace.id}/sites/${site}`])
        expect(refusal(await api.post<Refusal>(`${thing}/permissions`, grant))).toEqual([400, ['customRole']]);
      expect((await api.get(`${rolesOf(workspace)}/${customRole}`)).status).toBe(404);
      expect((await api.delete(`${rolesOf(workspace)}/${customRole}`)).status).toBe(204);
    }
    expect(refusal(await api.patch<Refusal>(member, { customRole: own, role: 'edit' }))).toEqual([400, ['role']]);
    expect(
      refusal(
        await api.post<Refusal>(`/spaces/${space}/permissions`, { role: null, customRole: own, users: [person.id] }),
      ),
    ).toEqual([400, ['role']]);
    expect((await api.get(member)).body).toEqual(before.body);
  });

  it('are given by administrators of the organization alone, who stay administrators', async () => {
    const workspace = await buildOrganization(app.current);
    const [maker, reader] = [await workspace.member('create'), await workspace.member('read')];
    const role = await makeRole(workspace, ['site:publish', 'space:merge']);
    const space = await made(maker, `/orgs/${workspace.id}/spaces`, { title: 'Own', empty: true });
    const site = await made(maker, `/orgs/${workspace.id}/sites`, { title: 'Own', spaces: [space] });
    for (const thing of [`/spaces/${space}`, `/orgs/${workspace.id}/sites/${site}`]) {
      const path = `${thing}/permissions`;
      expect((await maker.api.post(path, { role: 'read', customRole: role, users: [reader.id] })).status).toBe(403);
      expect((await maker.api.post(path, { role: 'read', users: [reader.id] })).status).toBe(204);
      expect((await maker.api.patch(`${path}/users/${reader.id}`, { customRole: role })).status).toBe(403);
      await workspace.admin.api.patch(`${path}/users/${reader.id}`, { customRole: role });
      // Taking one away is open to all who administer the thing.
      expect((await maker.api.patch(`${path}/users/${reader.id}`, { customRole: null })).status).toBe(204);
    }
    expect(
      (await reader.api.post(rolesOf(workspace), { title: 'R', base: 'read', permissions: ['space:edit'] })).status,
    ).toBe(403);
    expect((await maker.api.get(rolesOf(workspace))).status).toBe(403);
    const { api, id } = workspace.admin;
    expect((await api.patch(`/orgs/${workspace.id}/members/${id}`, { customRole: role })).status).toBe(409);
  });

  it('hold back what a grant on a site would add on spaces that its giver cannot change', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const [maker, friend] = [await workspace.member('create'), await workspace.member('read')];
    const role = await makeRole(workspace, ['space:merge']);
    await give(workspace, friend, role);
    const space = await made(maker, `/orgs/${workspace.id}/spaces`, { title: 'Own', empty: true });
    const site = await made(maker, `/orgs/${workspace.id}/sites`, { title: 'Own', spaces: [space] });
    const grants = `/orgs/${workspace.id}/sites/${site}/permissions`;
    // The site's grant stands before what the member has in the organization.
    expect((await api.post(grants, { role: 'read', users: [friend.id] })).status).toBe(204);
    await api.post(`/spaces/${space}/permissions`, { role: 'comment', users: [maker.id] });
    const merge = async () => (await friend.api.get<Shown>(`/spaces/${space}`)).body.permissions['merge'];
    expect(await merge()).toBe(false);
    await app.current.database.execute('UPDATE space SET created_by = $2 WHERE id = $1', [space, workspace.admin.id]);
    expect((await maker.api.delete(`${grants}/users/${friend.id}`)).status).toBe(403);
    expect(await merge()).toBe(false);
    expect((await api.delete(`${grants}/users/${friend.id}`)).status).toBe(204);
    expect(await merge()).toBe(true);
  });

  it('open nothing that the scopes of a token do not, and end with the membership', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await makeSpace(workspace);
    const person = await workspace.member('read');
    const role = await makeRole(workspace, ['space:propose']);
    await give(workspace, person, role);
    const token = await app.current.get(Tokens).issue(person.id, { name: 'reading', scopes: ['space:read'] });
    const limited = { ...person, api: new Client(app.current.url, token.secret) };
    expect([await propose(limited, space), await propose(person, space)]).toEqual([403, 201]);
    await workspace.admin.api.delete(`/orgs/${workspace.id}/members/${person.id}`);
    expect(await propose(person, space)).toBe(404);
    await app.current.database.execute(
      `INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ($1, $2, 'read', now())`,
      [workspace.id, person.id],
    );
    expect(await propose(person, space)).toBe(403);
  });

  it('let reviews of their holders count, and merges happen by them', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const space = await makeSpace(workspace);
    await api.patch(`/spaces/${space}`, {
      mergeRules: { type: 'rules', rules: [{ rule: 'require_at_least_one_approved_review' }] },
    });
    const person = await workspace.member('read');
    await give(workspace, person, await makeRole(workspace, ['space:review', 'space:merge']));
    const request = `/spaces/${space}/change-requests/${await made(workspace.admin, `/spaces/${space}/change-requests`, { subject: 'Change' })}`;
    await api.post(`${request}/content`, { changes: [{ operation: 'insert_page', title: 'Page' }] });
    await api.patch(request, { status: 'open' });
    expect((await person.api.post(`${request}/merge`)).status).toBe(403);
    expect((await person.api.post(`${request}/reviews`, { status: 'approved' })).status).toBe(201);
    expect((await person.api.post(`${request}/merge`)).status).toBe(200);
  });

  it('are deleted and given at once without leaving a grant that names what is gone', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const space = await makeSpace(workspace);
    for (let round = 0; round < 5; round++) {
      const role = await makeRole(workspace, ['space:propose']);
      const people = await Promise.all(Array.from({ length: 3 }, () => workspace.member('read')));
      const answers = await Promise.all([
        ...people.map((person) => api.patch(`/orgs/${workspace.id}/members/${person.id}`, { customRole: role })),
        ...people.map((person) =>
          api.post(`/spaces/${space}/permissions`, { role: 'read', customRole: role, users: [person.id] }),
        ),
        api.patch(`${rolesOf(workspace)}/${role}`, { permissions: ['space:merge', 'space:propose'] }),
        api.delete(`${rolesOf(workspace)}/${role}`),
      ]);
      expect(answers.filter(({ status }) => ![200, 204, 400, 404].includes(status))).toEqual([]);
      for (const person of people) expect(await propose(person, space)).toBe(403);
    }
    // A new base and grants at the same time: nobody is left with another role than the base.
    const role = await makeRole(workspace, ['space:comment']);
    const people = await Promise.all(Array.from({ length: 4 }, () => workspace.member('read')));
    const answers = await Promise.all([
      ...people.map((person) => api.patch(`/orgs/${workspace.id}/members/${person.id}`, { customRole: role })),
      ...people.map((person) =>
        api.post(`/spaces/${space}/permissions`, { role: 'read', customRole: role, users: [person.id] }),
      ),
      api.patch(`${rolesOf(workspace)}/${role}`, { base: 'edit' }),
    ]);
    expect(answers.filter(({ status }) => ![200, 204, 400].includes(status))).toEqual([]);
    for (const { id } of people)
      expect((await api.get(`/orgs/${workspace.id}/members/${id}`)).body).toMatchObject({
        role: 'edit',
        customRole: role,
      });
  });

  it('stay behind at a transfer, of which the base remains', async () => {
    const [from, to] = [await buildOrganization(app.current), await buildOrganization(app.current)];
    const person = await from.member('read');
    await app.current.database.execute(
      `INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ($1, $2, 'read', now()), ($1, $3, 'admin', now())`,
      [to.id, person.id, from.admin.id],
    );
    const role = await makeRole(from, ['space:propose']);
    const collection = await made(from.admin, `/orgs/${from.id}/collections`, { title: 'Moves' });
    const [space, inside] = [await makeSpace(from), await makeSpace(from, { parent: collection })];
    const grant = { role: 'read', customRole: role, users: [person.id] };
    for (const thing of [`/spaces/${space}`, `/collections/${collection}`]) {
      expect((await from.admin.api.post(`${thing}/permissions`, grant)).status).toBe(204);
      const moved = await from.admin.api.post(`${thing}/transfer`, { organization: to.id });
      expect(moved.status).toBe(200);
      const listed = await from.admin.api.get<List<object>>(`${thing}/permissions/users`);
      expect(listed.body.items).toMatchObject([{ permission: 'read' }]);
      expect(listed.body.items[0]).not.toHaveProperty('customRole');
    }
    expect([await propose(person, space), await propose(person, inside)]).toEqual([403, 403]);
  });
});
