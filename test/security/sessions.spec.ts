import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isInWorkspace, isWorkspacePath } from '../../src/identity/sessions/domain/workspace-path.js';
import { Tokens } from '../../src/identity/users/tokens.service.js';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { newId } from '../../src/kernel/common/ids.js';
import { TestApp, useApp } from '../app.js';
import { buildOrganization, buildPerson } from '../build.js';
import { Client } from '../client.js';
import { MailServer } from '../mail-server.js';
import { cookieOf, fromOwnPage, inSession, linkFor, secretOf, signInWith, type Session } from '../session-client.js';
import { Browser } from './browser.js';
import { beginLogin } from './login-pages.js';
import { OidcIdentityProvider } from './oidc/identity-provider.js';

const [OLD_KEY, NEW_KEY] = ['an-old-key-for-tests-only-an-old-key', 'a-new-key-for-tests-only-a-new-key-for'];
const app = useApp({ SECRET_KEY: OLD_KEY });
const nobody = () => new Client(app.current.url, undefined);
const signIn = (secret: string, headers: Record<string, string>) =>
  nobody().post<Session>('/auth/sessions', { secret }, { headers });
const run = (statement: string, ...values: unknown[]) => app.current.database.execute(statement, values);

describe('3b-43 requests that another site forges', () => {
  it('change nothing without the token and an origin of this address', async () => {
    const { id, admin } = await buildOrganization(app.current);
    const browser = await inSession(app.current, admin.id);
    const other = await inSession(app.current, admin.id);
    const own = fromOwnPage(app.current.url);
    const cookie = { Cookie: browser.cookie };
    const token = { 'X-CSRF-Token': browser.session.csrfToken };
    const change = async (headers: Record<string, string>) =>
      (await nobody().patch(`/orgs/${id}`, { title: 'Forged' }, { headers })).status;
    for (const headers of [
      cookie,
      { ...cookie, ...token },
      { ...cookie, ...own },
      { ...cookie, ...token, Origin: 'https://evil.example' },
      { ...cookie, ...token, Origin: 'null' },
      { ...cookie, ...token, Origin: app.current.url.replace('127.0.0.1', 'localhost') },
      { ...cookie, ...token, ...own, 'Sec-Fetch-Site': 'cross-site' },
      { ...cookie, ...token, ...own, 'Sec-Fetch-Site': 'same-site' },
      { ...cookie, ...own, 'X-CSRF-Token': other.session.csrfToken },
      { ...cookie, ...own, 'X-CSRF-Token': '' },
    ])
      expect([headers, await change(headers)]).toEqual([headers, 403]);
    expect((await admin.api.get(`/orgs/${id}`)).body['title']).toBe('Test organization');
    expect(await change({ ...cookie, ...token, ...own })).toBe(200);
    expect(await change({ ...cookie, ...token, 'Sec-Fetch-Site': 'same-origin' })).toBe(200);
  });

  it('sign nobody in as somebody else', async () => {
    const secret = await linkFor(app.current, (await buildPerson(app.current)).id);
    const foreign: Record<string, string>[] = [
      {},
      { Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ];
    for (const headers of foreign) {
      const answer = await signIn(secret, headers);
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
    }
    expect((await signIn(secret, fromOwnPage(app.current.url))).status).toBe(201);
  });

  it('are never told by CORS to bring the cookie along', async () => {
    const browser = await inSession(app.current, (await buildPerson(app.current)).id);
    const answer = await nobody().get('/user', { headers: { Cookie: browser.cookie, Origin: 'https://evil.example' } });
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(answer.headers.get('vary')).toContain('Cookie');
  });
});

describe('3b-44 cookies', () => {
  it('are made anew with each sign-in, which ends the session before', async () => {
    const { id } = await buildPerson(app.current);
    const first = await inSession(app.current, id);
    const second = await signInWith(app.current.url, await linkFor(app.current, id), first.cookie);
    expect(second.cookie).not.toBe(first.cookie);
    expect((await first.get('/user')).status).toBe(401);
    expect((await second.get('/user')).status).toBe(200);
  });

  it('count only as this service has signed them, and are no API tokens', async () => {
    const person = await buildPerson(app.current);
    const browser = await inSession(app.current, person.id);
    const [secret = '', signature = ''] = browser.cookie.replace('bindery=', '').split('.');
    const { secret: token } = await app.current.get(Tokens).issue(person.id, { name: 'Token' });
    for (const cookie of [
      `bindery=${secret}`,
      `bindery=${secret}.${'A'.repeat(43)}`,
      `bindery=${'bds_' + 'A'.repeat(40)}.${signature}`,
      `bindery=${token}`,
      `__Host-bindery=${secret}.${signature}`,
    ])
      expect((await nobody().get('/user', { headers: { Cookie: cookie } })).status).toBe(401);
    for (const bearer of [secret, `${secret}.${signature}`])
      expect((await new Client(app.current.url, bearer).get('/user')).status).toBe(401);
    const both = await person.api.get('/auth/session', { headers: { Cookie: browser.cookie } });
    expect(both.status).toBe(401);
  });

  it('are stored as hashes', async () => {
    const { id } = await buildPerson(app.current);
    const link = await linkFor(app.current, id);
    const browser = await inSession(app.current, id);
    const rows = await app.current.database.query<{ text: string }>(
      'SELECT t::text AS text FROM api_token t WHERE user_id = $1 UNION ALL SELECT l::text FROM sign_in_link l WHERE user_id = $1 UNION ALL SELECT e::text FROM event e WHERE target = $2 OR actor_id = $1',
      [id, browser.session.id],
    );
    const all = rows.map(({ text }) => text).join('\n');
    expect(all).toContain(browser.session.id);
    for (const secret of [link, browser.cookie.slice('bindery='.length)])
      expect(all).not.toContain(secret.slice(0, 30));
  });

  it('end with the key that signed them', async () => {
    const browser = await inSession(app.current, (await buildPerson(app.current)).id);
    const status = async (key: string): Promise<number> => {
      const server = await TestApp.start({ SECRET_KEY: key }, app.current.databaseUrl);
      try {
        return (await new Client(server.url, undefined).get('/user', { headers: { Cookie: browser.cookie } })).status;
      } finally {
        await server.close();
      }
    };
    expect([await status(`${NEW_KEY},${OLD_KEY}`), await status(NEW_KEY)]).toEqual([200, 401]);
  }, 60_000);
});

describe('3b-44 links', () => {
  it('sign one of two browsers in that use them at once', async () => {
    const { id } = await buildPerson(app.current);
    const secret = await linkFor(app.current, id);
    const answers = await Promise.all([1, 2, 3, 4].map(() => signIn(secret, fromOwnPage(app.current.url))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404]);
    const row = await app.current.database.one<{ count: number }>(
      `SELECT count(*)::integer AS count FROM api_token WHERE user_id = $1 AND kind = 'session'`,
      [id],
    );
    expect(row?.count).toBe(1);
  });

  it('are not for agents, tokens with scopes and programs that want more than they may', async () => {
    const { id, admin } = await buildOrganization(app.current);
    const tokens = app.current.get(Tokens);
    const path = `/orgs/${id}/members/${admin.id}/sign-in-link`;
    for (const limits of [
      { name: 'Scopes', scopes: ['organization:members:write'] },
      { name: 'Agent', agent: 'Agent', scopes: ['organization:members:write'] },
    ]) {
      const { secret } = await tokens.issue(admin.id, limits);
      expect((await new Client(app.current.url, secret).post(path)).status).toBe(403);
    }
    const expiresAt = new Date(Date.now() + 3600_000);
    const { secret } = await tokens.issue(admin.id, { name: 'Short', expiresAt });
    const link = await new Client(app.current.url, secret).post<{ url: string }>(path);
    const browser = await signInWith(app.current.url, secretOf(link.body.url));
    expect(browser.session.expiresAt).toBe(expiresAt.toISOString());
  });

  it('lead back into the workspace only', () => {
    const app = 'https://api.example.com/app';
    for (const path of ['/', '/o/a/s/b?x=1', '/%2e/x'])
      expect([path, isWorkspacePath(path, app)]).toEqual([path, true]);
    for (const path of [
      '',
      'o',
      '//evil.example',
      '/\\evil.example',
      '/../v1/user',
      '/o/../../docs',
      '/%2e%2e/docs',
      '/a b',
      '/a\nb',
      '@evil.example',
      'https://evil.example',
    ])
      expect([path, isWorkspacePath(path, app)]).toEqual([path, false]);
    for (const address of ['https://api.example.com/app', 'https://api.example.com/app/o/a?b=c'])
      expect([address, isInWorkspace(address, app)]).toEqual([address, true]);
    for (const address of [
      'https://api.example.com/apple',
      'https://api.example.com/',
      'https://api.example.com.evil.example/app/',
      'https://api.example.com@evil.example/app/',
      'https://u:p@api.example.com/app/',
      'http://api.example.com/app/',
      'https://api.example.com/app/../v1',
      'javascript:alert(1)',
      '//api.example.com/app',
    ])
      expect([address, isInWorkspace(address, app)]).toEqual([address, false]);
  });
});

describe('3b-45 sessions end at once', () => {
  it('with the account, the membership, and where single sign-on is required', async () => {
    const workspace = await buildOrganization(app.current);
    const [disabled, removed, member] = [
      await workspace.member('read'),
      await workspace.member('read'),
      await workspace.member('read'),
    ];
    const limited = async (userId: string) => {
      const link = await workspace.admin.api.post<{ url: string }>(
        `/orgs/${workspace.id}/members/${userId}/sign-in-link`,
      );
      return signInWith(app.current.url, secretOf(link.body.url));
    };
    const [first, second, third] = [
      await inSession(app.current, disabled.id),
      await limited(removed.id),
      await limited(member.id),
    ];
    const waiting = await workspace.admin.api.post<{ url: string }>(
      `/orgs/${workspace.id}/members/${member.id}/sign-in-link`,
    );
    const unlimited = await inSession(app.current, member.id);
    const admin = await limited(workspace.admin.id);
    await run('UPDATE account SET disabled = true WHERE id = $1', disabled.id);
    expect((await first.get('/user')).status).toBe(401);
    await workspace.admin.api.delete(`/orgs/${workspace.id}/members/${removed.id}`);
    expect((await second.get('/user')).status).toBe(401);
    expect((await third.get(`/orgs/${workspace.id}`)).status).toBe(200);
    await run('UPDATE organization SET sso = true WHERE id = $1', workspace.id);
    expect((await third.get(`/orgs/${workspace.id}`)).status).toBe(401);
    expect((await unlimited.get(`/orgs/${workspace.id}`)).status).toBe(403);
    expect((await unlimited.get('/user')).status).toBe(200);
    expect((await admin.get(`/orgs/${workspace.id}`)).status).toBe(200);
    const late = await signIn(secretOf(waiting.body.url), fromOwnPage(app.current.url));
    expect([late.status, late.headers.getSetCookie()]).toEqual([403, []]);
    const again = await workspace.admin.api.post(`/orgs/${workspace.id}/members/${member.id}/sign-in-link`);
    expect(again.status).toBe(409);
  });

  it('when their person ends them, in one browser or all others', async () => {
    const { id } = await buildPerson(app.current);
    const [here, there, elsewhere] = [
      await inSession(app.current, id),
      await inSession(app.current, id),
      await inSession(app.current, id),
    ];
    const stranger = await inSession(app.current, (await buildPerson(app.current)).id);
    const listed = await here.get<{ items: { id: string; current: boolean }[]; count: number }>('/user/sessions');
    expect(listed.body.count).toBe(3);
    expect(listed.body.items.filter(({ current }) => current).map((each) => each.id)).toEqual([here.session.id]);
    expect((await stranger.delete(`/user/sessions/${there.session.id}`)).status).toBe(204);
    expect((await there.get('/user')).status).toBe(200);
    expect((await here.delete(`/user/sessions/${there.session.id}`)).status).toBe(204);
    expect((await there.get('/user')).status).toBe(401);
    expect((await here.delete('/user/sessions')).status).toBe(204);
    expect([(await elsewhere.get('/user')).status, (await here.get('/user')).status]).toEqual([401, 200]);
    expect((await stranger.get('/user')).status).toBe(200);
  });

  it('when an administrator ends them, as far as the organization reaches', async () => {
    const workspace = await buildOrganization(app.current);
    const other = await buildOrganization(app.current);
    const [own, shared] = [await workspace.member('edit'), await workspace.member('edit')];
    await run(
      `INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ($1, $2, 'read', now())`,
      other.id,
      shared.id,
    );
    const path = (id: string) => `/orgs/${workspace.id}/members/${id}/sessions`;
    const { api } = workspace.admin;
    const [mine, beyond] = [await inSession(app.current, own.id), await inSession(app.current, shared.id)];
    const link = await api.post<{ url: string }>(`/orgs/${workspace.id}/members/${shared.id}/sign-in-link`);
    const within = await signInWith(app.current.url, secretOf(link.body.url));
    const ids = async (id: string) =>
      (await api.get<{ items: { id: string }[] }>(path(id))).body.items.map((each) => each.id);
    expect([await ids(own.id), await ids(shared.id)]).toEqual([[mine.session.id], [within.session.id]]);
    expect((await own.api.get(path(own.id))).status).toBe(403);
    expect((await other.admin.api.get(path(own.id))).status).toBe(404);
    expect((await api.get(path(other.admin.id))).status).toBe(404);
    for (const each of [own, shared]) expect((await api.delete(path(each.id))).status).toBe(204);
    expect([(await mine.get('/user')).status, (await within.get('/user')).status]).toEqual([401, 401]);
    expect((await beyond.get('/user')).status).toBe(200);
  });
});

describe('single sign-on', () => {
  const idp = new OidcIdentityProvider();
  beforeAll(() => idp.start());
  afterAll(() => idp.stop());

  it('ends in the workspace with a session of the organization, which ends with the provider', async () => {
    const { id, admin } = await buildOrganization(app.current);
    await admin.api.patch(`/orgs/${id}`, { emailDomains: ['example.com'] });
    const path = `/orgs/${id}/oidc`;
    const made = await admin.api.post<{ id: string; service: { redirectURL: string; startURL: string } }>(path, {
      label: 'Identity',
      issuer: idp.url,
    });
    await admin.api.patch(`${path}/${made.body.id}`, idp.register(made.body.service.redirectURL));
    const offered = await nobody().get<{ items: { startURL: string }[] }>('/auth/providers', {
      query: { organization: id },
    });
    expect(offered.body).toEqual({
      items: [
        { label: 'Identity', startURL: made.body.service.startURL, organization: { id, title: 'Test organization' } },
      ],
      mail: false,
    });
    const byMail = await nobody().get('/auth/providers', { query: { email: 'nobody-at-all@EXAMPLE.com' } });
    expect(byMail.body).toEqual(offered.body);
    expect((await nobody().get('/auth/providers')).status).toBe(400);

    const returnTo = `${app.current.url}/app/o/${id}?tab=all`;
    const browser = new Browser();
    const start = `${made.body.service.startURL}?returnTo=${encodeURIComponent(returnTo)}`;
    const forged = await browser.open(start, { headers: { 'Sec-Fetch-Site': 'cross-site' } });
    expect(forged.status).toBe(403);
    const elsewhere = `${app.current.url}/apple`;
    expect(
      (await browser.open(start.replace(encodeURIComponent(returnTo), encodeURIComponent(elsewhere)))).status,
    ).toBe(400);
    const email = `${newId().toLowerCase()}@example.com`;
    const back = await idp.answer(await beginLogin(made.body, returnTo, browser), email);
    const thief = await new Browser().open(back.href);
    expect([thief.status, thief.headers.getSetCookie()]).toEqual([400, []]);
    const ended = await browser.open(back.href);
    expect([ended.status, ended.location]).toEqual([303, returnTo]);
    const headers = { Cookie: cookieOf(ended) ?? '' };
    const session = await nobody().get<Session>('/auth/session', { headers });
    expect(session.body).toMatchObject({ method: 'sso', organization: id, user: { email } });
    await run('UPDATE organization SET sso = true WHERE id = $1', id);
    expect((await nobody().get(`/orgs/${id}`, { headers })).status).toBe(200);
    await run('UPDATE organization SET sso = false WHERE id = $1', id);
    expect((await admin.api.delete(`${path}/${made.body.id}`)).status).toBe(204);
    expect((await nobody().get('/user', { headers })).status).toBe(401);
  });
});

describe('3b-46 letters', () => {
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
  const ask = (body: object) => new Client(server.url, undefined).post('/auth/sign-in-links', body);
  const secretIn = (letter: { data: string } | undefined) =>
    /\/app\/sign-in#(\w{40})/.exec((letter?.data ?? '').replace(/=\n/g, ''))?.[1] ?? '';

  it('sign their reader in, and tell nobody who has an account', async () => {
    const person = await buildPerson(server);
    await server.database.execute('UPDATE account SET email_verified = false WHERE id = $1', [person.id]);
    const [known, unknown] = [await ask({ email: person.email }), await ask({ email: 'nobody@example.com' })];
    expect([known.status, known.body]).toEqual([202, {}]);
    expect([unknown.status, unknown.body]).toEqual([202, {}]);
    await ask({ email: person.email.toUpperCase(), returnTo: '/o/a' });
    await server.get(Jobs).drain();
    expect(mail.letters.map(({ to }) => to)).toEqual([person.email, person.email]);
    const secrets = mail.letters.map(secretIn);
    const shown = await Promise.all(
      secrets.map((secret) => new Client(server.url, undefined).get(`/auth/sign-in-links/${secret}`)),
    );
    expect(shown.map(({ body }) => body['returnTo']).sort()).toEqual(['/o/a', undefined]);
    const browser = await signInWith(server.url, secrets[0] ?? '');
    expect(browser.session.user.id).toBe(person.id);
    expect(
      await server.database.one('SELECT email_verified AS verified FROM account WHERE id = $1', [person.id]),
    ).toEqual({ verified: true });
    for (const returnTo of ['//evil.example', 'https://evil.example', '/../v1'])
      expect((await ask({ email: person.email, returnTo })).status).toBe(400);
  });

  it('let people without an account in by an invite link, and are limited for each address', async () => {
    mail.letters.length = 0;
    const workspace = await buildOrganization(server);
    const link = await workspace.admin.api.post<{ id: string }>(`/orgs/${workspace.id}/link-invites`, { role: 'edit' });
    const email = `${newId().toLowerCase()}@example.com`;
    const answers = [];
    for (let each = 0; each < 5; each++) answers.push((await ask({ email, invite: link.body.id })).status);
    expect(answers).toEqual([202, 202, 202, 429, 429]);
    await server.get(Jobs).drain();
    const secret = secretIn(mail.letters[0]);
    const browser = await signInWith(server.url, secret);
    expect(browser.session.user.email).toBe(email);
    const member = await browser.get(`/orgs/${workspace.id}/members/${browser.session.user.id}`);
    expect(member.body).toMatchObject({ role: 'edit' });
  });
});
