import { describe, expect, it } from '@jest/globals';
import { Sessions } from '../src/identity/sessions/sessions.service.js';
import { LINK_MINUTES, SignInLinks } from '../src/identity/sessions/sign-in-links.service.js';
import { Users } from '../src/identity/users/users.service.js';
import { LastSeen } from '../src/kernel/access/last-seen.js';
import { useApp } from './app.js';
import { buildOrganization, buildPerson } from './build.js';
import { Client } from './client.js';
import { cookieOf, fromOwnPage, inSession, linkFor, secretOf, signInWith, type Session } from './session-client.js';

const app = useApp();
const nobody = () => new Client(app.current.url, undefined);

interface Link {
  url: string;
  expiresAt: string;
}

describe('signing in with a link', () => {
  it('gives the browser a cookie that no script reads, and the person everything that is theirs', async () => {
    const { id, email } = await buildPerson(app.current);
    const secret = await linkFor(app.current, id);
    const shown = await nobody().get(`/auth/sign-in-links/${secret}`);
    expect(shown.status).toBe(200);
    expect(shown.body).toEqual({
      object: 'sign-in-link',
      email,
      displayName: expect.stringMatching(/^Person /),
      expiresAt: expect.any(String),
    });
    const answer = await nobody().post<Session>(
      '/auth/sessions',
      { secret },
      { headers: { ...fromOwnPage(app.current.url), 'User-Agent': 'Browser of a test' } },
    );
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ object: 'session', user: { id, email }, method: 'link' });
    expect(answer.body).not.toHaveProperty('organization');
    const [header = ''] = answer.headers.getSetCookie();
    expect(header).toMatch(
      /^bindery=bds_[0-9A-Za-z]{40}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
    );
    expect(JSON.stringify(answer.body)).not.toContain(header.slice(8, 50));
    const headers = { Cookie: cookieOf(answer) ?? '' };
    expect((await nobody().get('/user', { headers })).body).toMatchObject({ id, email });
    expect((await nobody().get('/auth/session', { headers })).body).toEqual(answer.body);
    expect((await nobody().get(`/auth/sign-in-links/${secret}`)).status).toBe(404);
    const again = await nobody().post('/auth/sessions', { secret }, { headers: fromOwnPage(app.current.url) });
    expect([again.status, again.headers.getSetCookie()]).toEqual([404, []]);
  });

  it('lets the session change what its person may change, with the token against forged requests', async () => {
    const { id: organizationId, admin } = await buildOrganization(app.current);
    const browser = await inSession(app.current, admin.id);
    const changed = await browser.patch(`/orgs/${organizationId}`, { title: 'Changed in a browser' });
    expect([changed.status, changed.body['title']]).toEqual([200, 'Changed in a browser']);
    expect((await browser.post('/user/tokens', { name: 'Made in a browser' })).body).not.toHaveProperty('expiresAt');
  });

  it('ends with the link, and at the latest after 30 days', async () => {
    const { id } = await buildPerson(app.current);
    const [late, browser] = [await linkFor(app.current, id), await inSession(app.current, id)];
    const now = Date.now();
    try {
      app.current.setTime(new Date(now + LINK_MINUTES.handedOver * 60_000 + 1000));
      expect((await nobody().get(`/auth/sign-in-links/${late}`)).status).toBe(404);
      const headers = fromOwnPage(app.current.url);
      expect((await nobody().post('/auth/sessions', { secret: late }, { headers })).status).toBe(404);
      expect((await browser.get('/auth/session')).status).toBe(200);
      app.current.setTime(new Date(now + 30 * 86_400_000 + 60_000));
      expect((await browser.get('/auth/session')).status).toBe(401);
      expect(await app.current.get(Sessions).removeExpired()).toBeGreaterThan(0);
      expect(await app.current.get(SignInLinks).removeExpired()).toBeGreaterThan(0);
    } finally {
      app.current.setTime(undefined);
    }
  });

  it('is over when the person signs out', async () => {
    const browser = await inSession(app.current, (await buildPerson(app.current)).id);
    const out = await browser.delete('/auth/session');
    expect(out.status).toBe(204);
    expect(out.headers.getSetCookie()).toEqual(['bindery=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0']);
    expect((await browser.get('/auth/session')).status).toBe(401);
    expect((await browser.get('/user')).status).toBe(401);
  });

  it('tells requests with a token that they have no session', async () => {
    const { api } = await buildPerson(app.current);
    expect((await api.get('/auth/session')).status).toBe(401);
    expect((await api.delete('/auth/session')).status).toBe(401);
    expect((await api.get('/user')).status).toBe(200);
  });

  it('shows no session among the API tokens', async () => {
    const { id, api } = await buildPerson(app.current);
    const browser = await inSession(app.current, id);
    const { items } = (await api.get<{ items: { id: string; name: string }[] }>('/user/tokens')).body;
    expect(items.map(({ name }) => name)).toEqual(['test']);
    expect((await api.delete(`/user/tokens/${browser.session.id}`)).status).toBe(204);
    expect((await browser.get('/user')).status).toBe(200);
  });
});

describe('lists of sessions', () => {
  it('go page by page, latest first, for their owner and for administrators', async () => {
    const workspace = await buildOrganization(app.current);
    const member = await workspace.member('edit');
    const made: string[] = [];
    for (let index = 0; index < 3; index++) made.unshift((await inSession(app.current, member.id)).session.id);
    interface Page {
      items: { id: string }[];
      next?: { page: string };
    }
    for (const [{ api }, path] of [
      [member, '/user/sessions'],
      [workspace.admin, `/orgs/${workspace.id}/members/${member.id}/sessions`],
    ] as const) {
      const first = (await api.get<Page>(path, { query: { limit: 2 } })).body;
      const page = first.next?.page ?? '';
      const rest = (await api.get<Page>(path, { query: { limit: 2, page } })).body;
      expect([first.items.length, rest.next]).toEqual([2, undefined]);
      expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(made);
    }
  });
});

describe('3b-45 links that administrators make', () => {
  it('make sessions that their lists show with their last use until they end', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const member = await workspace.member('edit');
    const path = `/orgs/${workspace.id}/members/${member.id}`;
    const sessions = async (): Promise<unknown[]> =>
      (await api.get<{ items: unknown[] }>(`${path}/sessions`)).body.items;
    expect(await sessions()).toEqual([]);
    const first = await signInWith(app.current.url, secretOf((await api.post<Link>(`${path}/sign-in-link`)).body.url));
    expect(await sessions()).toMatchObject([{ id: first.session.id }]);
    expect((await first.get('/user')).status).toBe(200);
    await app.current.get(LastSeen).flush();
    expect(await sessions()).toMatchObject([{ id: first.session.id, lastUsedAt: expect.any(String) }]);
    expect((await first.delete('/auth/session')).status).toBe(204);
    expect(await sessions()).toEqual([]);
    const second = await signInWith(app.current.url, secretOf((await api.post<Link>(`${path}/sign-in-link`)).body.url));
    expect(await sessions()).toMatchObject([{ id: second.session.id }]);
    expect((await api.delete(`${path}/sessions`)).status).toBe(204);
    expect(await sessions()).toEqual([]);
    expect((await second.get('/user')).status).toBe(401);
  });

  it('sign a member in, in this organization alone', async () => {
    const workspace = await buildOrganization(app.current);
    const other = await buildOrganization(app.current);
    const member = await workspace.member('edit');
    const path = `/orgs/${workspace.id}/members/${member.id}/sign-in-link`;
    const made = await workspace.admin.api.post<Link>(path);
    expect(made.status).toBe(201);
    expect(made.body.url).toMatch(new RegExp(`^${app.current.url}/app/sign-in#\\w{40}$`));
    const secret = secretOf(made.body.url);
    expect((await nobody().get(`/auth/sign-in-links/${secret}`)).body).toMatchObject({
      email: member.email,
      organization: { id: workspace.id, title: 'Test organization' },
    });
    await app.current.database.execute(
      `INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ($1, $2, 'admin', now())`,
      [other.id, member.id],
    );
    const browser = await signInWith(app.current.url, secret);
    expect(browser.session).toMatchObject({ organization: workspace.id, method: 'link', user: { id: member.id } });
    expect((await browser.get(`/orgs/${workspace.id}`)).status).toBe(200);
    expect((await browser.get(`/orgs/${other.id}`)).status).toBe(404);
    expect((await browser.get('/user')).status).toBe(200);
    expect((await browser.get('/user/tokens')).status).toBe(404);
    expect((await browser.post('/user/tokens', { name: 'Beyond' })).status).toBe(404);
    expect((await browser.delete('/auth/session')).status).toBe(204);
  });

  it('are for administrators, and members who can sign in', async () => {
    const workspace = await buildOrganization(app.current);
    const [editor, reader, stranger] = [
      await workspace.member('edit'),
      await workspace.member('read'),
      await buildPerson(app.current),
    ];
    const path = (id: string) => `/orgs/${workspace.id}/members/${id}/sign-in-link`;
    const { api } = workspace.admin;
    expect((await editor.api.post(path(reader.id))).status).toBe(403);
    expect((await stranger.api.post(path(reader.id))).status).toBe(404);
    expect((await api.post(path(stranger.id))).status).toBe(404);
    await app.current.database.execute('UPDATE member SET disabled = true WHERE user_id = $1', [reader.id]);
    expect((await api.post(path(reader.id))).status).toBe(409);
    await app.current.database.execute('UPDATE account SET disabled = true WHERE id = $1', [editor.id]);
    expect((await api.post(path(editor.id))).status).toBe(409);
    await expect(app.current.get(SignInLinks).forUser(await app.current.get(Users).get(editor.id))).rejects.toThrow(
      /disabled/,
    );
  });
});

describe('invitations in the browser', () => {
  it('show where they lead, and make an account that is signed in', async () => {
    const { id, admin } = await buildOrganization(app.current);
    const email = `invited-${id.toLowerCase()}@example.com`;
    await admin.api.post(`/orgs/${id}/invites`, { emails: [email], role: 'edit' });
    const listed = await admin.api.get<{ items: { urls: { app: string } }[] }>(`/orgs/${id}/invites`);
    const page = listed.body.items[0]?.urls.app ?? '';
    expect(page).toMatch(new RegExp(`^${app.current.url}/app/invitations/\\w{40}$`));
    const path = `/auth/invitations/${page.split('/').at(-1) ?? ''}`;
    expect((await nobody().get(path)).body).toEqual({
      object: 'invitation',
      email,
      role: 'edit',
      organization: { id, title: 'Test organization' },
      invitedBy: expect.stringMatching(/^Person /),
      expiresAt: expect.any(String),
      hasAccount: false,
    });
    const forged = await nobody().post(path, { session: true }, { headers: { Origin: 'https://evil.example' } });
    expect([forged.status, forged.headers.getSetCookie()]).toEqual([403, []]);
    const headers = fromOwnPage(app.current.url);
    const made = await nobody().post(path, { displayName: 'Ada', session: true }, { headers });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ user: { displayName: 'Ada', email }, organization: id });
    expect(made.body).not.toHaveProperty('token');
    const session = await nobody().get<Session>('/auth/session', { headers: { Cookie: cookieOf(made) ?? '' } });
    expect(session.body).toMatchObject({ method: 'invitation', user: { email } });
    expect((await nobody().get(path)).status).toBe(404);
  });

  it('tell whether the address has an account', async () => {
    const { id, admin } = await buildOrganization(app.current);
    const { email, api } = await buildPerson(app.current);
    await admin.api.post(`/orgs/${id}/invites`, { emails: [email], role: 'read' });
    const listed = await admin.api.get<{ items: { urls: { app: string } }[] }>(`/orgs/${id}/invites`);
    const secret = listed.body.items[0]?.urls.app.split('/').at(-1) ?? '';
    expect((await nobody().get(`/auth/invitations/${secret}`)).body).toMatchObject({ email, hasAccount: true });
    expect((await api.post(`/orgs/${id}/invites/${secret}`)).status).toBe(200);
  });

  it('are links as well, to the organization or to one space or collection of it', async () => {
    const { id, admin } = await buildOrganization(app.current);
    const space = await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, { title: 'Guide', empty: true });
    const link = async (body: object) =>
      (await admin.api.post<{ id: string }>(`/orgs/${id}/link-invites`, body)).body.id;
    const organization = { id, title: 'Test organization' };
    const [whole, one] = [await link({ role: 'comment' }), await link({ space: space.body.id, level: 'edit' })];
    expect((await nobody().get(`/auth/invite-links/${whole}`)).body).toEqual({
      object: 'invite-link',
      organization,
      role: 'comment',
    });
    const shown = await nobody().get(`/auth/invite-links/${one}`);
    expect(shown.body).toEqual({ object: 'invite-link', organization, role: 'edit', space: 'Guide' });
    const collection = await admin.api.post<{ id: string }>(`/orgs/${id}/collections`, { title: 'Guides' });
    const many = await link({ collection: collection.body.id, level: 'read' });
    expect((await nobody().get(`/auth/invite-links/${many}`)).body).toMatchObject({ collection: 'Guides' });
    await admin.api.patch(`/orgs/${id}`, { inviteLinks: false });
    expect((await nobody().get(`/auth/invite-links/${whole}`)).status).toBe(404);
    const person = await inSession(app.current, (await buildPerson(app.current)).id);
    await admin.api.patch(`/orgs/${id}`, { inviteLinks: true });
    expect((await person.post(`/orgs/${id}/invites/${whole}`)).status).toBe(200);
    expect((await person.get(`/orgs/${id}`)).status).toBe(200);
  });
});
