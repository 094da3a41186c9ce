import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../src/kernel/common/ids.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { TestApp, useApp } from './app.js';
import { buildOrganization, buildPerson, type Workspace } from './build.js';
import { Client } from './client.js';
import { MailServer } from './mail-server.js';

const app = useApp();

interface Link {
  id: string;
}
interface Invitation {
  id: string;
  email: string;
  mailed: boolean;
  urls: { accept?: string };
}
interface List<Item> {
  items: Item[];
  count: number;
  next?: { page: string };
}

const address = () => `${newId().toLowerCase()}@example.com`;
const secretOf = (url: string | undefined) => url?.split('/').at(-1) ?? '';
const makeSpace = async ({ id, admin }: Workspace) =>
  (await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, { title: 'Space', empty: true })).body.id;

/** Invites one address and gives the secret that administrators are shown without a mail server. */
async function invite({ id, admin }: Workspace, email: string, more: object = {}): Promise<string> {
  expect((await admin.api.post(`/orgs/${id}/invites`, { emails: [email], ...more })).status).toBe(200);
  const listed = await admin.api.get<List<Invitation>>(`/orgs/${id}/invites`);
  return secretOf(listed.body.items.find((each) => each.email === email.toLowerCase())?.urls.accept);
}

describe('invite links', () => {
  it('let people into the organization, with their role, and never take one away', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const path = `/orgs/${workspace.id}/link-invites`;
    const made = await api.post<Link>(path, { role: 'comment' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ object: 'invite', role: 'comment', redundant: true });
    expect(made.body.id).toMatch(/^\w{40}$/);
    expect((await api.get(path)).body).toMatchObject({ count: 1, items: [{ id: made.body.id }] });
    expect((await api.get(`${path}/${made.body.id}`)).body).toEqual(made.body);
    const [person, editor, guest] = [
      await buildPerson(app.current),
      await workspace.member('edit'),
      await workspace.member('none'),
    ];
    const joins = `/orgs/${workspace.id}/invites/${made.body.id}`;
    for (const each of [person, editor, guest]) expect((await each.api.post(joins)).status).toBe(200);
    const role = async (id: string) =>
      (await api.get<{ role: string }>(`/orgs/${workspace.id}/members/${id}`)).body.role;
    expect([await role(person.id), await role(editor.id), await role(guest.id)]).toEqual([
      'comment',
      'edit',
      'comment',
    ]);
    expect((await api.patch(`${path}/${made.body.id}`, { role: null })).body).toMatchObject({ role: null });
    expect((await api.get(`${path}/${made.body.id}`)).body).toMatchObject({ id: made.body.id, role: null });
    const second = await api.post<Link>(path, { role: 'review' });
    expect((await api.get(`${path}/${second.body.id}`)).body).toMatchObject({ role: 'review' });
    expect((await api.patch(`${path}/${second.body.id}`, { role: 'read' })).body).toMatchObject({ role: 'read' });
    const newest = await api.get<List<Link & { role: string }>>(path, { query: { limit: 1 } });
    const oldest = await api.get<List<Link & { role: string }>>(path, {
      query: { limit: 1, page: newest.body.next?.page },
    });
    expect([...newest.body.items, ...oldest.body.items].map(({ id, role }) => [id, role])).toEqual([
      [second.body.id, 'read'],
      [made.body.id, null],
    ]);
    expect((await api.delete(`${path}/${second.body.id}`)).status).toBe(204);
    expect((await api.patch(`${path}/${made.body.id}`, { level: 'read' })).status).toBe(400);
    const late = await buildPerson(app.current);
    const other = await buildOrganization(app.current);
    expect((await late.api.post(`/orgs/${other.id}/invites/${made.body.id}`)).status).toBe(404);
    await api.patch(`/orgs/${workspace.id}`, { inviteLinks: false });
    expect((await late.api.post(joins)).status).toBe(404);
    expect((await api.post(path, { role: 'read' })).status).toBe(409);
    await api.patch(`/orgs/${workspace.id}`, { inviteLinks: true });
    expect((await api.delete(`${path}/${made.body.id}`)).status).toBe(204);
    expect((await api.delete(`${path}/${made.body.id}`)).status).toBe(204);
    expect((await late.api.post(joins)).status).toBe(404);
    const stored = await app.current.database.query<{ row: string }>(
      'SELECT l::text AS row FROM invite_link l UNION ALL SELECT e::text FROM event e',
    );
    expect(stored.filter(({ row }) => row.includes(made.body.id))).toEqual([]);
  });

  it('let guests into one space or collection', async () => {
    const workspace = await buildOrganization(app.current);
    const creator = await workspace.member('create');
    const space = await makeSpace(workspace);
    const collection = (
      await workspace.admin.api.post<{ id: string }>(`/orgs/${workspace.id}/collections`, { title: 'Box' })
    ).body.id;
    const path = `/orgs/${workspace.id}/link-invites`;
    const toSpace = await creator.api.post<Link>(path, { level: 'comment', space });
    const toCollection = await creator.api.post<Link>(path, { level: 'edit', collection });
    expect(toSpace.body).toMatchObject({ level: 'comment', redundant: true, space: { id: space } });
    expect(toCollection.body).toMatchObject({ level: 'edit', collection: { id: collection } });
    const [person, reviewer] = [await buildPerson(app.current), await workspace.member('review')];
    for (const { id } of [toSpace.body, toCollection.body]) {
      for (const { api } of [person, reviewer])
        expect((await api.post(`/orgs/${workspace.id}/invites/${id}`)).status).toBe(200);
    }
    expect((await person.api.get(`/spaces/${space}`)).body).toMatchObject({
      permissions: { comment: true, edit: false },
    });
    expect((await person.api.get(`/collections/${collection}`)).status).toBe(200);
    expect((await person.api.get(`/orgs/${workspace.id}/members/${person.id}`)).body).toMatchObject({
      role: null,
      spaces: 1,
    });
    expect((await reviewer.api.get(`/spaces/${space}`)).body).toMatchObject({ permissions: { review: true } });
    expect((await reviewer.api.post(path, { level: 'read', space })).status).toBe(403);
    expect((await reviewer.api.get(`${path}/${toSpace.body.id}`)).status).toBe(404);
    expect((await reviewer.api.delete(`${path}/${toSpace.body.id}`)).status).toBe(204);
    expect((await creator.api.get(`${path}/${toSpace.body.id}`)).status).toBe(200);
    expect((await creator.api.post(path, { level: 'admin', space })).status).toBe(403);
    expect((await creator.api.post(path, { role: 'read' })).status).toBe(403);
    expect((await person.api.post(path, { level: 'read', space })).status).toBe(403);
    const foreign = await buildOrganization(app.current);
    const stolen = await foreign.admin.api.post(`/orgs/${foreign.id}/link-invites`, { level: 'read', space });
    expect(stolen.body).toMatchObject({ error: { code: 400, details: [{ path: 'space' }] } });
    expect(stolen.body).toEqual(
      (await foreign.admin.api.post(`/orgs/${foreign.id}/link-invites`, { level: 'read', space: newId() })).body,
    );
    for (const body of [
      {},
      { level: 'read' },
      { role: 'read', space },
      { level: 'read', space, collection },
      { space },
    ])
      expect((await creator.api.post(path, body)).status).toBe(400);
    await workspace.admin.api.delete(`/spaces/${space}`);
    expect(
      (await (await buildPerson(app.current)).api.post(`/orgs/${workspace.id}/invites/${toSpace.body.id}`)).status,
    ).toBe(404);
  });
});

describe('invitations by e-mail address', () => {
  it('are shown with their link without a mail server, make one account, and verify nothing', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const member = await workspace.member('read');
    const [ada, grace] = [address(), address()];
    const invited = await api.post(`/orgs/${workspace.id}/invites`, {
      emails: [ada.toUpperCase(), { email: grace, role: null }, member.email],
      role: 'edit',
      sso: true,
    });
    expect(invited.body).toEqual({ users: [member.id], invited: 2, failedSSOEmails: [member.email] });
    const listed = await api.get<List<Invitation>>(`/orgs/${workspace.id}/invites`);
    expect(listed.body.count).toBe(2);
    const first = await api.get<List<Invitation>>(`/orgs/${workspace.id}/invites`, { query: { limit: 1 } });
    const rest = await api.get<List<Invitation>>(`/orgs/${workspace.id}/invites`, {
      query: { limit: 1, page: first.body.next?.page },
    });
    expect([...first.body.items, ...rest.body.items]).toEqual(listed.body.items);
    const find = (email: string) => listed.body.items.find((each) => each.email === email);
    expect(find(ada)).toMatchObject({ object: 'invitation', role: 'edit', sso: true, mailed: false });
    expect(find(grace)).toMatchObject({ role: null });
    const secret = secretOf(find(ada)?.urls.accept);
    const nobody = new Client(app.current.url, undefined);
    const made = await nobody.post<{ user: { id: string }; token: string; organization: string }>(
      `/auth/invitations/${secret}`,
      { displayName: 'Ada' },
    );
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ user: { displayName: 'Ada', email: ada }, organization: workspace.id });
    const own = new Client(app.current.url, made.body.token);
    expect((await own.get(`/orgs/${workspace.id}/members/${made.body.user.id}`)).body).toMatchObject({
      role: 'edit',
      sso: true,
    });
    expect(
      await app.current.database.one('SELECT email_verified AS verified FROM account WHERE id = $1', [
        made.body.user.id,
      ]),
    ).toEqual({ verified: false });
    expect((await nobody.post(`/auth/invitations/${secret}`)).status).toBe(404);
    expect((await api.get(`/orgs/${workspace.id}/invites`)).body).toMatchObject({ count: 1 });
    const withdrawn = find(grace);
    expect((await member.api.delete(`/orgs/${workspace.id}/link-invites/${withdrawn?.id ?? ''}`)).status).toBe(204);
    expect((await api.get(`/orgs/${workspace.id}/invites`)).body).toMatchObject({ count: 1 });
    expect((await api.delete(`/orgs/${workspace.id}/link-invites/${withdrawn?.id ?? ''}`)).status).toBe(204);
    expect((await nobody.post(`/auth/invitations/${secretOf(withdrawn?.urls.accept)}`)).status).toBe(404);
    for (const role of ['none', 'read', 'create'] as const)
      expect(
        (await (await workspace.member(role)).api.post(`/orgs/${workspace.id}/invites`, { emails: [ada] })).status,
      ).toBe(403);
    for (const emails of [[], ['nobody'], [{ email: ada, role: 'owner' }], ada, [7]])
      expect((await api.post(`/orgs/${workspace.id}/invites`, { emails })).status).toBe(400);
    const wrong = await api.post(`/orgs/${workspace.id}/invites`, { emails: [ada, { email: ada, role: 'owner' }] });
    expect(wrong.body).toMatchObject({
      error: { details: [{ path: 'emails.1.role', message: expect.stringMatching(/^must be one of/) }] },
    });
  });

  it('are accepted by people with an account with their own token only, once, for seven days', async () => {
    const workspace = await buildOrganization(app.current);
    const [person, other] = [await buildPerson(app.current), await buildPerson(app.current)];
    const nobody = new Client(app.current.url, undefined);
    const secret = await invite(workspace, person.email, { role: 'review' });
    expect((await nobody.post(`/auth/invitations/${secret}`)).status).toBe(409);
    const listed = await workspace.admin.api.get<List<Invitation>>(`/orgs/${workspace.id}/invites`);
    const id = listed.body.items[0]?.id ?? '';
    expect((await other.api.post(`/orgs/${workspace.id}/invites/${id}`)).status).toBe(404);
    expect((await nobody.post(`/auth/invitations/${id}`)).status).toBe(404);
    expect((await person.api.post(`/orgs/${workspace.id}/invites/${id}`)).body).toEqual({});
    expect((await person.api.get(`/orgs/${workspace.id}/members/${person.id}`)).body).toMatchObject({ role: 'review' });
    expect((await other.api.post(`/orgs/${workspace.id}/invites/${secret}`)).status).toBe(404);
    const second = await invite(workspace, other.email);
    const third = await invite(workspace, other.email, { role: 'read' });
    expect((await other.api.post(`/orgs/${workspace.id}/invites/${second}`)).status).toBe(404);
    app.current.setTime(new Date(Date.now() + 7 * 86_400_000));
    expect((await other.api.post(`/orgs/${workspace.id}/invites/${third}`)).status).toBe(404);
    expect((await workspace.admin.api.get(`/orgs/${workspace.id}/invites`)).body).toMatchObject({ count: 0 });
    app.current.setTime(undefined);
    expect((await other.api.post(`/orgs/${workspace.id}/invites/${third}`)).status).toBe(200);
  });

  it('give a member nothing that was meant for somebody else, and stay open for them', async () => {
    const workspace = await buildOrganization(app.current);
    const reader = await workspace.member('read');
    const email = address();
    const secret = await invite(workspace, email, { role: 'admin' });
    expect((await reader.api.post(`/orgs/${workspace.id}/invites/${secret}`)).status).toBe(404);
    expect((await workspace.admin.api.get(`/orgs/${workspace.id}/members/${reader.id}`)).body).toMatchObject({
      role: 'read',
    });
    expect((await new Client(app.current.url, undefined).post(`/auth/invitations/${secret}`)).body).toMatchObject({
      user: { email },
    });
  });

  it('make one account however often they are accepted at once', async () => {
    const workspace = await buildOrganization(app.current);
    const nobody = new Client(app.current.url, undefined);
    const secret = await invite(workspace, address());
    const answers = await Promise.all([1, 2, 3, 4].map(() => nobody.post(`/auth/invitations/${secret}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404]);
  });
});

describe('people', () => {
  it('are seen by themselves and by members of a shared organization who may list members', async () => {
    const workspace = await buildOrganization(app.current);
    const [reader, guest, stranger] = [
      await workspace.member('read'),
      await workspace.member('none'),
      await buildPerson(app.current),
    ];
    expect((await reader.api.get(`/users/${workspace.admin.id}`)).body).toMatchObject({
      object: 'user',
      id: workspace.admin.id,
      email: workspace.admin.email,
    });
    expect((await reader.api.get(`/users/${guest.id}`)).status).toBe(200);
    expect((await guest.api.get(`/users/${guest.id}`)).body).toMatchObject({ id: guest.id });
    for (const { api } of [guest, stranger]) {
      const hidden = await api.get(`/users/${reader.id}`);
      expect(hidden.status).toBe(404);
      expect(hidden.body).toEqual((await api.get(`/users/${newId()}`)).body);
      expect((await api.patch(`/users/${reader.id}`, { displayName: 'Hacked' })).status).toBe(404);
    }
    expect((await workspace.admin.api.patch(`/users/${reader.id}`, { displayName: 'Hacked' })).status).toBe(403);
    const before = await reader.api.get(`/users/${reader.id}`);
    const changed = await reader.api.patch(`/users/${reader.id}`, {
      displayName: ' Ada ',
      photoURL: 'https://example.com/a.png',
      email: 'evil@example.com',
    });
    expect(changed.body).toMatchObject({
      displayName: 'Ada',
      photoURL: 'https://example.com/a.png',
      email: reader.email,
    });
    expect((await reader.api.get(`/users/${reader.id}`)).body).toEqual(changed.body);
    expect((await workspace.admin.api.get(`/users/${reader.id}`)).body).toMatchObject({
      id: reader.id,
      displayName: 'Ada',
      photoURL: 'https://example.com/a.png',
    });
    expect((await reader.api.get('/user')).body).toEqual(changed.body);
    expect(
      (
        await reader.api.patch(
          `/users/${reader.id}`,
          { displayName: 'Late' },
          { headers: { 'If-Match': before.headers.get('etag') ?? '' } },
        )
      ).status,
    ).toBe(412);
    expect((await reader.api.patch(`/users/${reader.id}`, { photoURL: null })).body).not.toHaveProperty('photoURL');
    for (const body of [
      { displayName: '' },
      { displayName: ' ' },
      { displayName: 'x'.repeat(65) },
      { photoURL: 'data:,x' },
    ])
      expect((await reader.api.patch(`/users/${reader.id}`, body)).status).toBe(400);
  });
});

// Last, because passport knows one bearer strategy per process: that of the server that started last.
describe('invitations with a mail server', () => {
  let mail: MailServer;
  let server: TestApp;
  beforeAll(async () => {
    mail = await MailServer.start();
    server = await TestApp.start({ SMTP_URL: mail.url, MAIL_FROM: 'Bindery <docs@example.com>' });
  });
  afterAll(async () => {
    await server.close();
    await mail.stop();
  });

  it('go out by a job, are shown to nobody else, and prove the address', async () => {
    const workspace = await buildOrganization(server);
    await server.database.execute('UPDATE account SET display_name = $2 WHERE id = $1', [
      workspace.admin.id,
      'Eve\r\nBcc: all@example.com',
    ]);
    const [email, gone] = [address(), address()];
    expect(
      (await workspace.admin.api.post(`/orgs/${workspace.id}/invites`, { emails: [email, gone] })).body,
    ).toMatchObject({ invited: 2 });
    expect(mail.letters).toEqual([]);
    const listed = await workspace.admin.api.get<List<Invitation>>(`/orgs/${workspace.id}/invites`);
    for (const each of listed.body.items) expect(each).toMatchObject({ mailed: true, urls: {} });
    await workspace.admin.api.delete(
      `/orgs/${workspace.id}/link-invites/${listed.body.items.find((each) => each.email === gone)?.id ?? ''}`,
    );
    await server.get(Jobs).drain();
    expect(mail.letters.map(({ to }) => to)).toEqual([email]);
    const text = (mail.letters[0]?.data ?? '').replace(/=\n/g, '').replace(/=3D/g, '=');
    expect(text).toContain('From: Bindery <docs@example.com>');
    expect(text).not.toMatch(/^Bcc/m);
    const secret = /\/app\/invitations\/(\w{40})/.exec(text)?.[1] ?? '';
    const made = await new Client(server.url, undefined).post<{ user: { id: string; displayName: string } }>(
      `/auth/invitations/${secret}`,
    );
    expect(made.status).toBe(201);
    expect(made.body.user.displayName).toBe(email.split('@')[0]);
    expect(
      await server.database.one('SELECT email_verified AS verified FROM account WHERE id = $1', [made.body.user.id]),
    ).toEqual({ verified: true });
  });
});
