import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../src/kernel/common/ids.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { Client } from './client.js';
import { Members } from '../src/identity/organizations/members.service.js';
import { Tokens } from '../src/identity/users/tokens.service.js';
import { Users } from '../src/identity/users/users.service.js';

const app = useApp();

interface ScimUser {
  readonly id: string;
  readonly userName: string;
  readonly externalId?: string;
  readonly displayName: string;
  readonly active: boolean;
  readonly emails: readonly { readonly value: string }[];
  readonly roles: readonly { readonly value: string }[];
  readonly groups: readonly { readonly value: string; readonly display: string }[];
  readonly meta: { readonly location: string };
}
interface ScimGroup {
  readonly id: string;
  readonly displayName: string;
  readonly externalId?: string;
  readonly members: readonly { readonly value: string }[];
}
interface ScimList<Resource> {
  readonly totalResults: number;
  readonly startIndex: number;
  readonly itemsPerPage: number;
  readonly Resources: readonly Resource[];
}

const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
let people = 0;
const address = () => `person-${++people}-${Date.now()}@example.com`;

/** The provisioning of an organization, as an identity provider speaks to it. */
function provisioning({ id, admin }: Workspace) {
  const base = `/orgs/${id}/scim/v2`;
  const users = `${base}/Users`;
  const groups = `${base}/Groups`;
  return {
    base,
    users,
    groups,
    user: async (more: object = {}) => {
      const { status, body } = await admin.api.post<ScimUser>(users, { userName: address(), ...more });
      expect(status).toBe(201);
      return body;
    },
    patchUser: (user: string, ...Operations: object[]) => admin.api.patch<ScimUser>(`${users}/${user}`, { Operations }),
    find: async (filter: string) =>
      (await admin.api.get<ScimList<ScimUser>>(users, { query: { filter } })).body.Resources.map(
        ({ id: each }) => each,
      ),
    group: async (more: object = {}) => {
      const { status, body } = await admin.api.post<ScimGroup>(groups, { displayName: 'Writers', ...more });
      expect(status).toBe(201);
      return body;
    },
    patchGroup: (group: string, ...Operations: object[]) =>
      admin.api.patch<ScimGroup>(`${groups}/${group}`, { Operations }),
    membersOf: async (group: string) =>
      (await admin.api.get<ScimGroup>(`${groups}/${group}`)).body.members.map(({ value }) => value),
  };
}

describe('users by SCIM', () => {
  it('become members with an account, and are found by what providers look them up by', async () => {
    const workspace = await buildOrganization(app.current);
    const { users, find } = provisioning(workspace);
    const userName = address();
    const made = await workspace.admin.api.post<ScimUser>(users, {
      schemas: [
        'urn:ietf:params:scim:schemas:core:2.0:User',
        'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
      ],
      userName,
      externalId: '00u1',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ value: 'other@example.com' }, { value: userName.toUpperCase(), primary: true, type: 'work' }],
      phoneNumbers: [{ value: '+44 20 7946 0000' }],
      roles: [{ value: 'edit', primary: true }],
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Engines' },
    });
    expect(made.body).toMatchObject({
      userName,
      externalId: '00u1',
      displayName: 'Ada Lovelace',
      name: { formatted: 'Ada Lovelace' },
      emails: [{ value: userName.toUpperCase(), primary: true }],
      active: true,
      roles: [{ value: 'edit' }],
      groups: [],
    });
    expect(made.headers.get('location')).toBe(made.body.meta.location);
    expect(made.headers.get('content-type')).toContain('application/scim+json');
    const { id } = made.body;
    expect((await workspace.admin.api.get(`/orgs/${workspace.id}/members/${id}`)).body).toMatchObject({ role: 'edit' });
    for (const filter of [
      `userName eq "${userName.toUpperCase()}"`,
      'externalId eq "00u1"',
      `emails.value eq "${userName}"`,
      `emails[value eq "${userName}"]`,
      `id eq "${id}"`,
      `userName eq "${userName}" and active eq true`,
    ])
      expect([filter, await find(filter)]).toEqual([filter, [id]]);
    expect(await find('userName eq "nobody"')).toEqual([]);
    expect(await find(`userName eq "${userName}" and active eq false`)).toEqual([]);
    for (const filter of [
      'userName co "a"',
      'title eq "a"',
      'userName eq',
      'id eq "1" or id eq "2"',
      'userName pr',
      '((',
    ])
      expect((await workspace.admin.api.get(users, { query: { filter } })).body).toMatchObject({
        schemas: [ERROR],
        status: '400',
        scimType: 'invalidFilter',
        error: { code: 400, details: [{ path: 'filter' }] },
      });
  });

  it('are listed page by page, with the attributes that are asked for', async () => {
    const workspace = await buildOrganization(app.current);
    const { users, user } = provisioning(workspace);
    for (let index = 0; index < 4; index++) await user();
    const page = async (query: object) =>
      (await workspace.admin.api.get<ScimList<ScimUser>>(users, { query: { ...query } })).body;
    const all = await page({});
    expect([all.totalResults, all.startIndex, all.itemsPerPage]).toEqual([5, 1, 5]);
    const second = await page({ startIndex: 3, count: 2 });
    expect([second.totalResults, second.startIndex, second.itemsPerPage]).toEqual([5, 3, 2]);
    expect(second.Resources).toEqual(all.Resources.slice(2, 4));
    expect((await page({ count: 0 })).Resources).toEqual([]);
    expect((await page({ startIndex: 100 })).Resources).toEqual([]);
    expect(Object.keys((await page({ attributes: 'USERNAME,name.formatted' })).Resources[0] ?? {}).sort()).toEqual([
      'id',
      'name',
      'schemas',
      'userName',
    ]);
    const one = await workspace.admin.api.get(`${users}/${all.Resources[0]?.id ?? ''}`, {
      query: { excludedAttributes: 'groups,meta' },
    });
    expect(Object.keys(one.body)).not.toContain('groups');
    // RFC 7644, section 3.4.2.4.
    const none = await page({ startIndex: -3, count: -1 });
    expect([none.totalResults, none.startIndex, none.itemsPerPage, none.Resources]).toEqual([5, 1, 0, []]);
    expect((await page({ startIndex: -3, count: 2 })).Resources).toEqual(all.Resources.slice(0, 2));
  });

  it('are shut out and let in again, and keep what they had', async () => {
    const workspace = await buildOrganization(app.current);
    const { user, patchUser, group, membersOf, users } = provisioning(workspace);
    const { id } = await user({ roles: [{ value: 'create' }] });
    const team = await group({ members: [{ value: id }] });
    const { secret } = await app.current.get(Tokens).issue(id, { name: 'Own' });
    const own = new Client(app.current.url, secret);
    const reads = async () => (await own.get(`/orgs/${workspace.id}`)).status;
    expect(await reads()).toBe(200);
    // As Microsoft Entra ID writes it.
    const out = await patchUser(id, { op: 'Replace', path: 'active', value: 'False' });
    expect([out.status, out.body.active, await reads()]).toEqual([200, false, 404]);
    expect(await membersOf(team.id)).toEqual([id]);
    // As Okta writes it.
    const back = await patchUser(id, { op: 'replace', value: { active: true } });
    expect([back.body.active, back.body.roles[0]?.value, await reads()]).toEqual([true, 'create', 200]);
    expect(back.body.groups).toEqual([{ value: team.id, display: 'Writers' }]);
    const { body: events } = await workspace.admin.api.get<{
      items: { payload: { changes?: { field: string; after: unknown }[] } }[];
    }>(`/orgs/${workspace.id}/audit-events`, { query: { action: 'member_updated' } });
    const changes = events.items.flatMap(({ payload }) => payload.changes ?? []);
    expect(changes.filter(({ field }) => field === 'disabled').map(({ after }) => after)).toEqual([false, true]);
    const last = await workspace.admin.api.patch(`${users}/${workspace.admin.id}`, {
      Operations: [{ op: 'replace', path: 'active', value: false }],
    });
    expect(last.body).toMatchObject({ schemas: [ERROR], status: '409', error: { code: 409 } });
  });

  it('whose account the operator has disabled stay shut out when it is enabled again', async () => {
    const workspace = await buildOrganization(app.current);
    const { user, patchUser, users } = provisioning(workspace);
    const { api } = workspace.admin;
    const switchAccount = (id: string, disabled: boolean) =>
      app.current.database.execute('UPDATE account SET disabled = $2 WHERE id = $1', [id, disabled]);
    const isActive = async (id: string) => (await api.get<ScimUser>(`${users}/${id}`)).body.active;
    const [patched, put, renamed] = [await user(), await user(), await user()];
    for (const { id } of [patched, put, renamed]) await switchAccount(id, true);
    expect((await patchUser(patched.id, { op: 'replace', path: 'active', value: false })).body.active).toBe(false);
    await api.put(`${users}/${put.id}`, { userName: put.userName, active: false });
    await patchUser(renamed.id, { op: 'replace', path: 'displayName', value: 'Renamed' });
    for (const { id } of [patched, put, renamed]) await switchAccount(id, false);
    expect([await isActive(patched.id), await isActive(put.id), await isActive(renamed.id)]).toEqual([
      false,
      false,
      true,
    ]);
    expect((await patchUser(put.id, { op: 'replace', path: 'active', value: true })).body.active).toBe(true);
  });

  it('come back with an account of their own, which stays theirs', async () => {
    const workspace = await buildOrganization(app.current);
    const { users, patchUser } = provisioning(workspace);
    const { api } = workspace.admin;
    const [managed, found, left] = [
      await workspace.member('edit'),
      await workspace.member('edit'),
      await workspace.member('edit'),
    ];
    await patchUser(managed.id, { op: 'replace', path: 'externalId', value: 'own' });
    for (const { id, email } of [managed, found]) {
      expect((await api.delete(`${users}/${id}`)).status).toBe(204);
      const back = await api.post<ScimUser>(users, { userName: email, displayName: 'Taken', active: true });
      expect([back.status, back.body.id, back.body.displayName]).toEqual([201, id, expect.not.stringMatching('Taken')]);
      const moved = await patchUser(id, { op: 'replace', path: 'emails[primary eq true].value', value: address() });
      expect(moved.body).toMatchObject({ status: '400', scimType: 'mutability' });
    }
    // The provider has never had anything to do with this one.
    expect((await api.delete(`/orgs/${workspace.id}/members/${left.id}`)).status).toBe(204);
    expect((await api.post(users, { userName: left.email })).body).toMatchObject({
      status: '409',
      detail: expect.stringContaining('invite'),
    });
  });

  it('who are gone leave their names to others', async () => {
    const workspace = await buildOrganization(app.current);
    const { users, user, find } = provisioning(workspace);
    const { api } = workspace.admin;
    const former = await user({ externalId: 'x', emails: [{ value: address() }] });
    expect((await api.delete(`${users}/${former.id}`)).status).toBe(204);
    const made = await Promise.all(
      [1, 2].map(() => api.post<ScimUser>(users, { userName: address(), externalId: 'x' })),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409]);
    const [next] = await find('externalId eq "x"');
    expect(next).toBe(made.find(({ status }) => status === 201)?.body.id);
    expect(next).not.toBe(former.id);
    const named = await user({ userName: former.userName, emails: [{ value: address() }] });
    expect(await find(`userName eq "${former.userName}"`)).toEqual([named.id]);
    // Somebody who comes back without a name of the provider is known by the address.
    const [email = ''] = former.emails.map(({ value }) => value);
    await app.current.database.transaction(() => app.current.get(Members).admit(workspace.id, former.id, 'read'));
    expect((await api.get<ScimUser>(`${users}/${former.id}`)).body).toMatchObject({ userName: email });
    expect(await find(`userName eq "${email}"`)).toEqual([former.id]);
    const taken = await api.put(`${users}/${former.id}`, { userName: email, externalId: 'x' });
    expect(taken.body).toMatchObject({ status: '409', scimType: 'uniqueness' });
  });

  it('have the same limits in every kind of change', async () => {
    const workspace = await buildOrganization(app.current);
    const { users, user, patchUser } = provisioning(workspace);
    const { id, userName } = await user();
    const before = (await workspace.admin.api.get(`${users}/${id}`)).body;
    // Repeated letters would be compressed by indexes.
    const letters = (length: number) =>
      Array.from({ length }, (_, index) => String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000))).join('');
    for (const [path, limit] of [
      ['displayName', 200],
      ['userName', 320],
      ['externalId', 320],
      ['name.formatted', 200],
      ['name.givenName', 200],
    ] as const)
      for (const length of [limit + 1, 5000]) {
        const [first = '', second] = path.split('.');
        const value = letters(length);
        const put = { userName, [first]: second === undefined ? value : { [second]: value } };
        for (const answer of [
          await patchUser(id, { op: 'replace', path, value }),
          await workspace.admin.api.put(`${users}/${id}`, put),
        ])
          expect([path, answer.body]).toMatchObject([
            path,
            { status: '400', scimType: 'invalidValue', error: { details: [{ path }] } },
          ]);
      }
    const parts = { givenName: letters(150), familyName: letters(150) };
    for (const answer of [
      await patchUser(id, { op: 'replace', value: { name: parts } }),
      await workspace.admin.api.put(`${users}/${id}`, { userName, name: parts }),
    ])
      expect(answer.body).toMatchObject({ status: '400', error: { details: [{ path: 'name' }] } });
    expect((await workspace.admin.api.get(`${users}/${id}`)).body).toEqual(before);
    const longest = await patchUser(
      id,
      { op: 'replace', path: 'userName', value: letters(320) },
      { op: 'replace', path: 'externalId', value: letters(320) },
      { op: 'replace', path: 'displayName', value: letters(200) },
    );
    expect([longest.status, longest.body.displayName]).toEqual([200, letters(200)]);
  });

  it('leave and come back with the account that the provider made', async () => {
    const workspace = await buildOrganization(app.current);
    const { users, user, find } = provisioning(workspace);
    const userName = address();
    const { id } = await user({ userName, externalId: 'x' });
    expect((await workspace.admin.api.post(users, { userName })).body).toMatchObject({
      status: '409',
      scimType: 'uniqueness',
    });
    expect((await workspace.admin.api.delete(`${users}/${id}`)).status).toBe(204);
    expect([(await workspace.admin.api.get(`${users}/${id}`)).status, await find(`id eq "${id}"`)]).toEqual([404, []]);
    expect((await workspace.admin.api.delete(`${users}/${id}`)).body).toMatchObject({
      schemas: [ERROR],
      status: '404',
    });
    expect((await user({ userName, externalId: 'y' })).id).toBe(id);
    expect(await find('externalId eq "y"')).toEqual([id]);
  });

  it('change their role, name and address, but nobody takes the account of somebody else over', async () => {
    const workspace = await buildOrganization(app.current);
    const { users, user, patchUser } = provisioning(workspace);
    const { id } = await user();
    const next = address();
    const patched = await patchUser(
      id,
      { op: 'add', path: 'name.givenName', value: 'Grace' },
      { op: 'Add', path: 'name.familyName', value: 'Hopper' },
      { op: 'replace', path: 'emails[type eq "work"].value', value: next },
      { op: 'replace', path: 'roles[primary eq "True"].value', value: 'review' },
      { op: 'add', path: 'externalId', value: 'e-1' },
      { op: 'add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Navy' },
    );
    expect(patched.body).toMatchObject({
      displayName: 'Grace Hopper',
      emails: [{ value: next }],
      roles: [{ value: 'review' }],
      externalId: 'e-1',
    });
    const put = await workspace.admin.api.put<ScimUser>(`${users}/${id}`, {
      userName: 'ghopper',
      displayName: 'G. Hopper',
      emails: [{ value: next }],
      active: true,
    });
    expect(put.body).toMatchObject({ userName: 'ghopper', displayName: 'G. Hopper', externalId: 'e-1' });
    for (const operation of [
      { op: 'replace', path: 'nothing', value: 1 },
      { op: 'replace', path: 'roles', value: [{ value: 'emperor' }] },
      { op: 'replace', path: 'emails', value: [{ value: 'no address' }] },
      { op: 'copy', path: 'active', value: true },
      { op: 'replace', path: 'active', value: 'perhaps' },
      { op: 'replace', path: 'emails', value: [{ value: workspace.admin.email }] },
    ])
      expect([400, 409]).toContain((await patchUser(id, operation)).status);
    for (const operations of [
      [{ op: 'remove', path: 'a.'.repeat(200) }],
      [{ op: 'add', path: 'emails', value: 'x'.repeat(50_000) }],
      Array.from({ length: 101 }, () => ({ op: 'replace', path: 'active', value: true })),
    ])
      expect((await patchUser(id, ...operations)).body).toMatchObject({ status: '400', scimType: 'invalidValue' });
    // The address follows the user name where it was the same.
    const plain = await user();
    const moved = address();
    const renamedTo = await workspace.admin.api.put<ScimUser>(`${users}/${plain.id}`, { userName: moved });
    expect(renamedTo.body).toMatchObject({ userName: moved, emails: [{ value: moved }] });
    const member = await workspace.member('edit');
    const before = (await workspace.admin.api.get<ScimUser>(`${users}/${member.id}`)).body;
    const renamed = await patchUser(member.id, { op: 'replace', path: 'displayName', value: 'Renamed' });
    expect([renamed.status, renamed.body.displayName]).toEqual([200, before.displayName]);
    expect(
      (await patchUser(member.id, { op: 'replace', path: 'emails[primary eq true].value', value: address() })).body,
    ).toMatchObject({
      status: '400',
      scimType: 'mutability',
    });
    const stranger = await buildOrganization(app.current);
    expect((await workspace.admin.api.post(users, { userName: stranger.admin.email })).body).toMatchObject({
      status: '409',
      detail: expect.stringContaining('invite'),
    });
    expect((await workspace.admin.api.get(`${users}/${stranger.admin.id}`)).status).toBe(404);
    expect((await patchUser(stranger.admin.id, { op: 'replace', path: 'active', value: false })).status).toBe(404);
    expect((await workspace.admin.api.post(users, { userName: 'no address' })).status).toBe(400);
    expect((await workspace.admin.api.post(users, {})).body).toMatchObject({ schemas: [ERROR], status: '400' });
  });

  it('have an account that its maker cannot take over once its owner uses it elsewhere', async () => {
    const workspace = await buildOrganization(app.current);
    const elsewhere = await buildOrganization(app.current);
    const { user, patchUser } = provisioning(workspace);
    const takeOver = (id: string) =>
      patchUser(
        id,
        { op: 'replace', path: 'displayName', value: 'Taken' },
        { op: 'replace', path: 'emails[primary eq true].value', value: address() },
      );
    const [joined, proved] = [await user(), await user()];
    await app.current.database.transaction(() => app.current.get(Members).admit(elsewhere.id, joined.id, 'read'));
    await app.current.get(Users).verifyEmail(proved.id, proved.emails[0]?.value ?? '');
    for (const { id, displayName, emails } of [joined, proved]) {
      const { status, body } = await takeOver(id);
      expect([status, body]).toMatchObject([400, { scimType: 'mutability' }]);
      const renamed = await patchUser(id, { op: 'replace', path: 'displayName', value: 'Taken' });
      expect(renamed.body).toMatchObject({ displayName, emails });
    }
  });

  it('begin with the role and team of the identity provider, through which they sign in', async () => {
    const workspace = await buildOrganization(app.current);
    const { user, group } = provisioning(workspace);
    expect((await user()).roles).toMatchObject([{ value: 'read' }]);
    const { id: defaultTeam } = await group();
    await workspace.admin.api.post(`/orgs/${workspace.id}/saml`, {
      label: 'Okta',
      defaultRole: 'comment',
      defaultTeam,
    });
    const { id, roles, groups } = await user();
    expect([roles, groups]).toMatchObject([[{ value: 'comment' }], [{ value: defaultTeam }]]);
    expect((await workspace.admin.api.get(`/orgs/${workspace.id}/members/${id}`)).body).toMatchObject({ sso: true });
  });

  it('made by two calls at once are made once', async () => {
    const workspace = await buildOrganization(app.current);
    const { users, find } = provisioning(workspace);
    const userName = address();
    const answers = await Promise.all([1, 2, 3].map(() => workspace.admin.api.post(users, { userName })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await find(`userName eq "${userName}"`)).toHaveLength(1);
  });
});

describe('groups by SCIM', () => {
  it('are teams, which providers make, find, fill, rename and delete', async () => {
    const workspace = await buildOrganization(app.current);
    const { groups, group, user, patchGroup, membersOf } = provisioning(workspace);
    const { api } = workspace.admin;
    const [ada, bob, eve] = [await user(), await user(), await user()];
    const made = await group({ displayName: ' Writers ', externalId: 'g-1', members: [{ value: ada.id }] });
    expect(made).toMatchObject({ displayName: 'Writers', externalId: 'g-1', members: [{ value: ada.id }] });
    const { id } = made;
    expect((await api.get(`/orgs/${workspace.id}/teams/${id}`)).body).toMatchObject({ title: 'Writers', members: 1 });
    const other = await group({ displayName: 'Readers' });
    for (const filter of [
      'displayName eq "writers"',
      'externalId eq "g-1"',
      `members eq "${ada.id}"`,
      `members.value eq "${ada.id}"`,
    ]) {
      const { body } = await api.get<ScimList<ScimGroup>>(groups, { query: { filter } });
      expect([filter, body.Resources.map((each) => each.id)]).toEqual([filter, [id]]);
    }
    const bare = await api.get<ScimList<ScimGroup>>(groups, { query: { excludedAttributes: 'members' } });
    expect(bare.body.Resources.map((each) => [each.id, 'members' in each])).toEqual([
      [id, false],
      [other.id, false],
    ]);
    await patchGroup(id, { op: 'Add', path: 'members', value: [{ value: bob.id }, { value: eve.id }] });
    await patchGroup(id, { op: 'Remove', path: `members[value eq "${ada.id}"]` });
    expect(new Set(await membersOf(id))).toEqual(new Set([bob.id, eve.id]));
    await patchGroup(id, { op: 'remove', path: 'members', value: [{ value: eve.id }] });
    expect(await membersOf(id)).toEqual([bob.id]);
    await patchGroup(id, { op: 'replace', value: { id, displayName: 'Authors', members: [{ value: ada.id }] } });
    expect((await api.get(`${groups}/${id}`)).body).toMatchObject({
      displayName: 'Authors',
      members: [{ value: ada.id }],
    });
    await patchGroup(id, { op: 'remove', path: 'members' }, { op: 'remove', path: 'externalId' });
    const emptied = (await api.get<ScimGroup>(`${groups}/${id}`)).body;
    expect([emptied.members, emptied.externalId]).toEqual([[], undefined]);
    const put = await api.put<ScimGroup>(`${groups}/${id}`, { displayName: 'Editors', members: [{ value: eve.id }] });
    expect(put.body).toMatchObject({ displayName: 'Editors', members: [{ value: eve.id }] });
    expect((await api.delete(`${groups}/${id}`)).status).toBe(204);
    expect((await api.get(`${groups}/${id}`)).body).toMatchObject({ schemas: [ERROR], status: '404' });
    expect((await api.delete(`${groups}/${id}`)).status).toBe(404);
  });

  it('keep the owners of a team, and take members who are shut out', async () => {
    const workspace = await buildOrganization(app.current);
    const { group, user, patchUser, patchGroup, membersOf } = provisioning(workspace);
    const [owner, away] = [await user(), await user()];
    const { id } = await group({ members: [{ value: owner.id }] });
    const path = `/orgs/${workspace.id}/teams/${id}/members`;
    await workspace.admin.api.put(`${path}/${owner.id}`, { role: 'owner' });
    await patchUser(away.id, { op: 'replace', path: 'active', value: false });
    await patchGroup(id, { op: 'add', path: 'members', value: [{ value: owner.id }, { value: away.id }] });
    expect((await membersOf(id)).length).toBe(2);
    const { body } = await workspace.admin.api.get<{
      items: { organization: { id: string }; team: { role: string } }[];
    }>(path);
    expect(body.items.find(({ organization }) => organization.id === owner.id)?.team.role).toBe('owner');
    await patchGroup(id, { op: 'remove', path: 'members', value: [{ value: away.id }] });
    expect(await membersOf(id)).toEqual([owner.id]);
  });

  it('have one name for each, of one length, in every kind of change', async () => {
    const workspace = await buildOrganization(app.current);
    const { groups, group, patchGroup } = provisioning(workspace);
    const { api } = workspace.admin;
    const [writers, readers] = [await group(), await group({ displayName: 'Readers' })];
    const rename = (id: string, displayName: string) =>
      Promise.all([
        api.put<ScimGroup>(`${groups}/${id}`, { displayName }),
        patchGroup(id, { op: 'replace', path: 'displayName', value: displayName }),
      ]);
    for (const { body } of await rename(readers.id, ' writers '))
      expect(body).toMatchObject({ schemas: [ERROR], status: '409', scimType: 'uniqueness' });
    expect((await api.get<ScimGroup>(`${groups}/${readers.id}`)).body.displayName).toBe('Readers');
    for (const { status, body } of await rename(writers.id, 'WRITERS'))
      expect([status, body]).toMatchObject([200, { displayName: 'WRITERS' }]);
    const both = await Promise.all(
      [writers, readers].map(({ id }) => patchGroup(id, { op: 'replace', path: 'displayName', value: 'Editors' })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    // A team of the same name that was made in another way may keep it.
    const twin = await api.put<{ id: string }>(`/orgs/${workspace.id}/teams`, { title: 'Editors' });
    for (const { status } of await rename(twin.body.id, 'Editors')) expect(status).toBe(200);
    for (const { status } of await rename(writers.id, '✍️'.repeat(64))) expect(status).toBe(200);
    for (const { body } of await rename(writers.id, 'x'.repeat(65)))
      expect(body).toMatchObject({ status: '400', scimType: 'invalidValue' });
  });

  it('made by two calls at once are made once', async () => {
    const { id, admin } = await buildOrganization(app.current);
    const make = () => admin.api.post(`/orgs/${id}/scim/v2/Groups`, { schemas: [GROUP], displayName: 'Writers' });
    expect((await Promise.all([make(), make()])).map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });

  it('refuse people of elsewhere and operations that are none', async () => {
    const workspace = await buildOrganization(app.current);
    const { groups, group, patchGroup, membersOf } = provisioning(workspace);
    const stranger = await buildOrganization(app.current);
    const { id } = await group();
    const theirs = await provisioning(stranger).group();
    for (const operation of [
      { op: 'add', path: 'members', value: [{ value: stranger.admin.id }] },
      { op: 'add', path: 'members', value: ['text'] },
      { op: 'add', path: 'owner', value: 'a' },
      { op: 'add', path: 'members[value eq "a"]', value: 'a' },
      { op: 'remove', path: 'members[display eq "a"]' },
      { op: 'remove', path: 'members[[' },
      { op: 'remove', path: `members[${'value eq "a" and '.repeat(20)}value eq "a"]` },
      { op: 'remove' },
      { op: 'move', path: 'members' },
      { op: 'replace', path: 'displayName', value: '' },
      { op: 'replace', value: 'text' },
    ]) {
      const { status, body } = await patchGroup(id, operation);
      expect([operation, status, body]).toMatchObject([operation, 400, { schemas: [ERROR], error: { code: 400 } }]);
    }
    expect(await membersOf(id)).toEqual([]);
    expect(
      (await workspace.admin.api.post(groups, { displayName: 'A', members: [{ value: stranger.admin.id }] })).status,
    ).toBe(400);
    expect((await workspace.admin.api.get<ScimList<ScimGroup>>(groups)).body.totalResults).toBe(1);
    expect((await patchGroup(theirs.id, { op: 'remove', path: 'members' })).status).toBe(404);
  });
});

describe('the description of SCIM', () => {
  it('names what is supported, and the attributes that are kept', async () => {
    const workspace = await buildOrganization(app.current);
    const { base } = provisioning(workspace);
    const { api } = workspace.admin;
    expect((await api.get(`${base}/ServiceProviderConfig`)).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 100 },
    });
    const types = await api.get<ScimList<{ id: string; endpoint: string }>>(`${base}/ResourceTypes`);
    expect(types.body.Resources.map(({ endpoint }) => endpoint)).toEqual(['/Users', '/Groups']);
    expect((await api.post(`${base}/Groups`, { schemas: [GROUP], displayName: 'Writers' })).status).toBe(201);
    expect((await api.get(`${base}/ResourceTypes/Group`)).body).toMatchObject({
      id: 'Group',
      endpoint: '/Groups',
      schema: GROUP,
    });
    const { body } = await api.get<ScimList<{ id: string; attributes: { name: string }[] }>>(`${base}/Schemas`);
    for (const { id, attributes } of body.Resources) {
      expect((await api.get(`${base}/Schemas/${id}`)).body).toMatchObject({ id, attributes });
      expect(attributes.map(({ name }) => name)).not.toContain('phoneNumbers');
    }
    expect((await api.get(`${base}/Schemas/urn:none`)).body).toMatchObject({ schemas: [ERROR], status: '404' });
  });

  it('answers people without the right in the same shape', async () => {
    const workspace = await buildOrganization(app.current);
    const { users } = provisioning(workspace);
    const editor = await workspace.member('create');
    expect((await editor.api.get(users)).body).toMatchObject({ schemas: [ERROR], status: '403', error: { code: 403 } });
    expect((await new Client(app.current.url, undefined).get(users)).body).toMatchObject({
      schemas: [ERROR],
      status: '401',
    });
  });
});

/** The cases of Microsoft's SCIM validator and of Okta's specification tests, by their names. */
describe('a provider that checks the service before it is used', () => {
  let user: ScimUser;
  let group: ScimGroup;
  let api: Client;
  let base: string;
  beforeAll(async () => {
    const workspace = await buildOrganization(app.current);
    ({ api } = workspace.admin);
    ({ base } = provisioning(workspace));
    ({ body: user } = await api.post<ScimUser>(`${base}/Users`, person(address())));
    ({ body: group } = await api.post<ScimGroup>(`${base}/Groups`, { schemas: [GROUP], displayName: 'Checked' }));
  });

  const person = (userName: string) => ({
    schemas: [USER],
    userName,
    externalId: `external ${userName}`,
    active: true,
    displayName: 'Checked Person',
    title: 'Engineer',
    name: { formatted: 'Checked Person', familyName: 'Person', givenName: 'Checked' },
    emails: [{ type: 'work', value: userName, primary: true }],
    phoneNumbers: [{ type: 'mobile', value: '+44 20 7946 0000' }],
  });
  const patched = (path: string, ...Operations: object[]) =>
    api.patch<ScimUser & ScimGroup>(`${base}${path}`, { schemas: [PATCH], Operations });
  const changeUser = (...operations: object[]) => patched(`/Users/${user.id}`, ...operations);
  const changeGroup = (...operations: object[]) => patched(`/Groups/${group.id}`, ...operations);
  const found = async (path: string) => (await api.get<ScimList<{ id: string }>>(`${base}${path}`)).body;

  it.each<[string, () => Promise<unknown>, boolean | number | string | object | (() => object)]>([
    ['Create a duplicate User', async () => (await api.post(`${base}/Users`, person(user.userName))).status, 409],
    ['Get a User', async () => (await api.get<ScimUser>(`${base}/Users/${user.id}`)).body, () => user],
    ['Get a User that is not there', async () => (await api.get(`${base}/Users/${newId()}`)).status, 404],
    [
      'Filter for an existing User with different case',
      async () => (await found(`/Users?filter=userName eq "${user.userName.toUpperCase()}"`)).totalResults,
      1,
    ],
    [
      'Filter for a User that is not there',
      async () => found('/Users?filter=userName eq "nobody"'),
      { schemas: [LIST], totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] },
    ],
    ['List Users with startIndex and count', async () => (await found('/Users?startIndex=1&count=2')).itemsPerPage, 2],
    [
      'Patch a User: multiple operations on different attributes',
      async () =>
        (
          await changeUser(
            { op: 'Replace', path: 'displayName', value: 'Other' },
            { op: 'Add', path: 'nickName', value: 'O' },
            { op: 'replace', path: 'emails[type eq "work"].value', value: user.userName },
          )
        ).body.displayName,
      'Other',
    ],
    [
      'Patch a User: replace attributes without a path',
      async () => (await changeUser({ op: 'Replace', value: { displayName: 'Third' } })).body.displayName,
      'Third',
    ],
    [
      'Patch a User: disable',
      async () => (await changeUser({ op: 'Replace', path: 'active', value: 'False' })).body.active,
      false,
    ],
    [
      'Patch a User: enable',
      async () => (await changeUser({ op: 'Replace', path: 'active', value: 'True' })).body.active,
      true,
    ],
    ['Replace a User', async () => (await api.put(`${base}/Users/${user.id}`, person(user.userName))).status, 200],
    [
      'Create a duplicate Group',
      async () => (await api.post(`${base}/Groups`, { schemas: [GROUP], displayName: 'checked' })).body,
      { schemas: [ERROR], status: '409', scimType: 'uniqueness' },
    ],
    [
      'Get a Group without its members',
      async () => 'members' in (await api.get<object>(`${base}/Groups/${group.id}?excludedAttributes=members`)).body,
      false,
    ],
    [
      'Filter for an existing Group',
      async () =>
        (await found('/Groups?excludedAttributes=members&filter=displayName eq "CHECKED"')).Resources.map(
          ({ id }) => id,
        ),
      () => [group.id],
    ],
    [
      'Patch a Group: add a member',
      async () => (await changeGroup({ op: 'Add', path: 'members', value: [{ $ref: null, value: user.id }] })).body,
      () => ({ members: [{ value: user.id }] }),
    ],
    [
      'Patch a Group: remove a member',
      async () => (await changeGroup({ op: 'Remove', path: 'members', value: [{ value: user.id }] })).body.members,
      [],
    ],
    [
      'Patch a Group: replace displayName',
      async () => (await changeGroup({ op: 'Replace', path: 'displayName', value: 'Renamed' })).body.displayName,
      'Renamed',
    ],
    ['Delete a Group', async () => (await api.delete(`${base}/Groups/${group.id}`)).status, 204],
    ['Delete the same Group twice', async () => (await api.delete(`${base}/Groups/${group.id}`)).status, 404],
    ['Delete a User', async () => (await api.delete(`${base}/Users/${user.id}`)).status, 204],
    ['Delete the same User twice', async () => (await api.delete(`${base}/Users/${user.id}`)).status, 404],
    ['Delete a User that is not there', async () => (await api.delete(`${base}/Users/${newId()}`)).status, 404],
  ])('%s', async (_, answer, expected) => {
    expect({ answer: await answer() }).toMatchObject({
      answer: typeof expected === 'function' ? (expected as () => object)() : expected,
    });
  });
});
