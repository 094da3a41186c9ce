import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Addresses } from '../../src/kernel/common/addresses.js';
import { newId } from '../../src/kernel/common/ids.js';
import { SEALED_MARK } from '../../src/kernel/common/secrets.js';
import { Outbound } from '../../src/kernel/platform/outbound/outbound.js';
import { TestApp, useApp } from '../app.js';
import { buildOrganization, buildPerson, type Workspace } from '../build.js';
import { Client } from '../client.js';
import { Browser, type Opened } from './browser.js';
import { address, beginLogin, comparedIn, memberOf, reasonIn, startAgainIn, tokenIn } from './login-pages.js';
import { ANSWERS } from './oidc/cases/answers.js';
import type { Case } from './oidc/cases/case.js';
import { SETTINGS } from './oidc/cases/settings.js';
import { TOKENS } from './oidc/cases/tokens.js';
import { OidcIdentityProvider, type Wish } from './oidc/identity-provider.js';
import { addOidcProvider, type OidcProvider as Provider } from './oidc/logins.js';

const RETURN = 'https://app.example.com/login';
const [OLD_KEY, NEW_KEY] = ['an-old-key-for-tests-only-an-old-key', 'a-new-key-for-tests-only-a-new-key-for'];
const app = useApp({ SSO_RETURN_URLS: RETURN, SECRET_KEY: `${OLD_KEY},${NEW_KEY}` });
const idp = new OidcIdentityProvider();
const other = new OidcIdentityProvider();

beforeAll(async () => void (await Promise.all([idp.start(), other.start()])));
afterAll(async () => void (await Promise.all([idp.stop(), other.stop()])));
afterEach(() => app.current.setTime(undefined));

const addProvider = (workspace: Workspace, more: object = {}, at = idp): Promise<Provider> =>
  addOidcProvider(workspace, at, more);

const browser = new Browser();

/** Begins a login and gives the address at the identity provider. */
const begin = (provider: Provider, returnTo?: string, by = browser): Promise<string> =>
  beginLogin(provider, returnTo, by);

/** A whole login of somebody; what the identity provider says may be wished for. */
async function login(provider: Provider, email: string, wish: Wish = {}, returnTo?: string, at = idp): Promise<Opened> {
  return browser.open((await at.answer(await begin(provider, returnTo), email, wish)).href);
}
const callerOf = (answer: Opened): Client => new Client(app.current.url, tokenIn(answer.text));

describe('OpenID Connect providers', () => {
  it('are added by their label, completed, changed and removed, and never show their secret', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const path = `/orgs/${id}/oidc`;
    const team = (await admin.api.put<{ id: string }>(`/orgs/${id}/teams`, { title: 'Writers' })).body;
    const made = await admin.api.post<Provider>(path, { label: 'Keycloak' });
    expect(made.body).toMatchObject({
      object: 'oidc-provider',
      status: 'pending',
      hasClientSecret: false,
      scopes: ['openid', 'email', 'profile'],
      emailDomains: [],
      defaultRole: null,
    });
    expect(made.headers.get('location')).toBe(made.body.urls.location);
    const own = `${path}/${made.body.id}`;
    expect(made.body.service).toEqual({
      redirectURL: `${app.current.url}/sso/oidc/${made.body.id}/callback`,
      startURL: `${app.current.url}/sso/oidc/${made.body.id}/start`,
    });
    expect((await admin.api.get(`/orgs/${id}/sso`)).body).toEqual({ items: [] });
    expect((await browser.open(made.body.service.startURL)).status).toBe(409);
    const settings = {
      issuer: idp.url,
      clientID: 'bindery',
      defaultTeam: team.id,
      defaultRole: 'edit',
      scopes: ['openid', 'email'],
      emailDomains: ['Example.com'],
    };
    const changed = await admin.api.patch<Provider>(own, { ...settings, clientSecret: 'wide-open-secret' });
    expect(changed.body).toMatchObject({
      ...settings,
      emailDomains: ['example.com'],
      defaultTeam: { id: team.id, title: 'Writers' },
      hasClientSecret: true,
    });
    expect((await admin.api.get(own)).body).toEqual(changed.body);
    const { body: told } = await admin.api.get<{ items: { payload: object }[] }>(`/orgs/${id}/audit-events`, {
      query: { action: 'oidc_provider_updated' },
    });
    expect(told.items.map(({ payload }) => payload)).toEqual([
      {
        fields: ['defaultTeam', 'defaultRole', 'issuer', 'clientID', 'clientSecret', 'scopes', 'emailDomains'],
        changes: [
          { field: 'defaultTeam', before: null, after: team.id },
          { field: 'defaultRole', before: 'none', after: 'edit' },
          { field: 'issuer', before: null, after: idp.url },
          { field: 'clientID', before: null, after: 'bindery' },
          { field: 'scopes', before: 'openid email profile', after: 'openid email' },
          { field: 'emailDomains', before: '', after: 'example.com' },
        ],
      },
    ]);
    expect(
      JSON.stringify([
        changed.body,
        (await admin.api.get(path)).body,
        await app.current.database.query('SELECT * FROM event'),
      ]),
    ).not.toContain('wide-open-secret');
    const stored = await app.current.database.one<{ secret: Buffer }>(
      'SELECT client_secret AS secret FROM identity_provider WHERE id = $1',
      [made.body.id],
    );
    expect(stored?.secret.subarray(0, SEALED_MARK.length)).toEqual(SEALED_MARK);
    const second = (await admin.api.post<Provider>(path, { label: 'Okta' })).body.id;
    const page = (await admin.api.get<{ next?: { page: string } }>(path, { query: { limit: 1 } })).body;
    expect(page).toMatchObject({ count: 2, items: [{ id: second }] });
    expect((await admin.api.get(path, { query: { limit: 1, page: page.next?.page } })).body).toMatchObject({
      count: 2,
      items: [{ id: made.body.id }],
    });
    expect((await admin.api.delete(`${path}/${second}`)).status).toBe(204);
    expect((await admin.api.get(`/orgs/${id}/saml`)).body).toMatchObject({ count: 0 });
    expect((await admin.api.get(`/orgs/${id}/saml/${made.body.id}`)).status).toBe(404);
    expect((await new Client(app.current.url, undefined).get(`/orgs/${id}/sso`)).body).toEqual({
      items: [{ id: made.body.id, label: 'Keycloak', startURL: made.body.service.startURL }],
    });
    expect((await admin.api.patch(own, { defaultTeam: null, defaultRole: null })).body).not.toHaveProperty(
      'defaultTeam',
    );
    expect((await admin.api.patch(own, { label: 'x' }, { headers: { 'If-Match': '"1.x"' } })).status).toBe(412);
    expect((await admin.api.delete(own)).status).toBe(204);
    expect((await admin.api.get(own)).status).toBe(404);
  });

  it('say what is wrong with issuers, scopes and teams', async () => {
    const { id, admin } = await buildOrganization(app.current);
    const foreign = await buildOrganization(app.current);
    const team = (await foreign.admin.api.put<{ id: string }>(`/orgs/${foreign.id}/teams`, { title: 'Foreign' })).body;
    const wrong: readonly (readonly [object, string, RegExp])[] = [
      [{ issuer: 'http://10.0.0.1' }, 'issuer', /OUTBOUND_ALLOW/],
      [{ issuer: 'https://169.254.169.254/latest' }, 'issuer', /OUTBOUND_ALLOW/],
      [{ issuer: 'http://93.184.216.34' }, 'issuer', /https/],
      [{ issuer: 'https://user:secret@idp.example.com' }, 'issuer', /password/],
      [{ issuer: 'https://idp.example.com?tenant=1' }, 'issuer', /after \?/],
      [{ issuer: 'https://idp.example.com#x' }, 'issuer', /after \?/],
      [{ issuer: 'https://idp.example.com/.well-known/openid-configuration' }, 'issuer', /well-known/],
      [{ issuer: 'file:///etc/passwd' }, 'issuer', /http/],
      [{ issuer: 'http://login.example.test' }, 'issuer', /only https/],
      ...['common/v2.0', 'Organizations/v2.0', 'consumers'].map(
        (tenant) => [{ issuer: `https://login.microsoftonline.com/${tenant}` }, 'issuer', /id of your tenant/] as const,
      ),
      [{ issuer: 'https://sts.windows.net/common/' }, 'issuer', /id of your tenant/],
      ...['', '/', '/v1', '/sso/oidc/x', '/docs'].map(
        (path) => [{ issuer: `${app.current.url}${path}` }, 'issuer', /of this service/] as const,
      ),
      [{ issuer: app.current.get(Addresses).public }, 'issuer', /of this service/],
      [{ clientID: 'two words' }, 'clientID', /spaces/],
      [{ clientSecret: 'line\nbreak' }, 'clientSecret', /printable/],
      [{ scopes: ['email'] }, 'scopes', /openid/],
      [{ scopes: [] }, 'scopes', /1/],
      [{ scopes: ['openid', 'two words'] }, 'scopes', /scopes/],
      [{ emailDomains: ['example.com/'] }, 'emailDomains', /domains/],
      [{ label: ' ' }, 'label', /blank/],
      [{ defaultTeam: team.id }, 'defaultTeam', /not a team/],
    ];
    const outbound = app.current.get(Outbound);
    const names: Readonly<Record<string, string>> = {
      'login.example.test': '93.184.216.34',
      'login.private.test': '127.0.0.1',
    };
    const resolve: unknown = Reflect.get(outbound, 'resolve');
    Object.assign(outbound, {
      resolve: async (host: string) => (names[host] === undefined ? [] : [{ address: names[host], family: 4 }]),
    });
    try {
      for (const [fields, path, message] of wrong) {
        const { status, body } = await admin.api.post<{ error: { details: { path: string; message: string }[] } }>(
          `/orgs/${id}/oidc`,
          { label: 'Provider', ...fields },
        );
        expect({ status, detail: body.error.details[0] }).toEqual({
          status: 400,
          detail: { path, message: expect.stringMatching(message) },
        });
      }
      const right = [
        'http://login.private.test',
        'https://login.microsoftonline.com/9c1d2f3e-0000-4000-8000-000000000000/v2.0',
        'https://common.example.com/common',
        'http://not-there-yet.test',
        `${app.current.url}/auth/realms/x`,
      ];
      for (const issuer of right)
        expect((await admin.api.post(`/orgs/${id}/oidc`, { label: 'Provider', issuer })).body).toMatchObject({
          issuer,
        });
    } finally {
      Object.assign(outbound, { resolve });
    }
  });
});

describe('3b-21 a login by OpenID Connect', () => {
  it('goes through a real provider to a token that acts in this organization only', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const team = (await admin.api.put<{ id: string }>(`/orgs/${id}/teams`, { title: 'Readers' })).body;
    const provider = await addProvider(workspace, { defaultRole: 'edit', defaultTeam: team.id });
    const email = address();
    const to = new URL(await begin(provider));
    expect(Object.fromEntries(to.searchParams)).toMatchObject({
      response_type: 'code',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^_[0-9a-f]{40}\.[0-9a-f]{16}$/),
    });
    expect(JSON.stringify(await app.current.database.query('SELECT * FROM login_request'))).not.toContain(
      to.searchParams.get('nonce') ?? '',
    );
    const done = await browser.open((await idp.answer(to.href, email)).href);
    expect(done).toMatchObject({ status: 200, text: expect.stringContaining('Ada Lovelace') });
    expect(done.headers.get('cache-control')).toBe('no-store');
    expect(done.headers.get('content-security-policy')).toContain("default-src 'none'");
    const api = callerOf(done);
    expect((await api.get('/user')).body).toMatchObject({ displayName: 'Ada Lovelace', email });
    expect((await api.get(`/orgs/${id}`)).status).toBe(200);
    expect((await api.get(`/orgs/${(await buildOrganization(app.current)).id}`)).status).toBe(404);
    expect((await api.get('/user/tokens')).status).toBe(404);
    const member = await memberOf(workspace, email);
    expect(member).toMatchObject({ role: 'edit', sso: true });
    expect((await admin.api.get(`/orgs/${id}/teams/${team.id}/members`)).body).toMatchObject({
      items: [{ organization: { id: member?.id } }],
    });
    expect((await admin.api.get(`/orgs/${id}/oidc/${provider.id}`)).body).toMatchObject({ status: 'active' });
    expect(
      await app.current.database.one('SELECT email_verified AS verified FROM account WHERE id = $1', [member?.id]),
    ).toEqual({ verified: false });
    expect(
      (
        await callerOf(
          await login(provider, email, { claims: { email: email.toUpperCase(), email_verified: undefined } }),
        ).get('/user')
      ).body,
    ).toMatchObject({ id: member?.id });
    expect(
      (await admin.api.patch(`/orgs/${id}/oidc/${provider.id}`, { emailDomains: ['example.com'] })).body,
    ).toMatchObject({ status: 'pending' });
    expect((await login(provider, email)).status).toBe(200);
    expect(reasonIn((await login(provider, email, { claims: { email: 'ada@example.org' } })).text)).toMatch(
      /no domain/,
    );
    expect(reasonIn((await login(provider, email, { claims: { email: 'ada@sub.example.com' } })).text)).toMatch(
      /no domain/,
    );
    await admin.api.delete(`/orgs/${id}/oidc/${provider.id}`);
    expect((await api.get('/user')).status).toBe(401);
    expect((await memberOf(workspace, email))?.id).toBe(member?.id);
  });

  it('reads the address in the id token where it is there, and asks for it otherwise', async () => {
    const provider = await addProvider(await buildOrganization(app.current), { defaultRole: 'read' });
    idp.asked.length = 0;
    expect((await login(provider, address())).status).toBe(200);
    expect(idp.asked).toContain('/me');
    other.claimsInToken = true;
    const second = await addProvider(await buildOrganization(app.current), { defaultRole: 'read' }, other);
    expect((await login(second, address(), {}, undefined, other)).status).toBe(200);
    expect(other.asked).not.toContain('/me');
    const names = [
      { name: undefined, given_name: 'Grace', family_name: 'Hopper' },
      { name: 'Ada\0\u0007 \ud800Lovelace' },
      { name: ['x'] },
    ];
    const shown = [];
    for (const claims of names)
      shown.push((await callerOf(await login(provider, address(), { claims })).get('/user')).body['displayName']);
    expect(shown).toEqual([
      'Grace Hopper',
      expect.stringMatching(/^Ada +Lovelace$/),
      expect.stringMatching(/^[a-z0-9]{20}$/),
    ]);
  });

  it('asks for settings and keys once for many logins, and a provider that fails no more than every few seconds', async () => {
    const provider = await addProvider(await buildOrganization(app.current), { defaultRole: 'read' });
    idp.asked.length = 0;
    for (const email of [address(), address(), address()]) expect((await login(provider, email)).status).toBe(200);
    // A provider that is active for the first time has changed.
    const times = (path: string) => idp.asked.filter((each) => each === path).length;
    expect([times('/.well-known/openid-configuration'), times('/jwks')]).toEqual([2, 2]);
    idp.settings = () => 'broken';
    const workspace = await buildOrganization(app.current);
    const broken = await addProvider(workspace);
    idp.asked.length = 0;
    for (let round = 0; round < 5; round++) expect((await browser.open(broken.service.startURL)).status).toBe(400);
    expect(times('/.well-known/openid-configuration')).toBe(1);
    idp.settings = (published) => published;
    await workspace.admin.api.patch(`/orgs/${workspace.id}/oidc/${broken.id}`, { label: 'Mended' });
    expect((await browser.open(broken.service.startURL)).status).toBe(302);
  });

  it('goes back to an allowed application with a code that works once', async () => {
    const workspace = await buildOrganization(app.current);
    const provider = await addProvider(workspace, { defaultRole: 'read' });
    const email = address();
    const done = await login(provider, email, {}, `${RETURN}?state=7`);
    expect(done).toMatchObject({
      status: 303,
      location: expect.stringMatching(/^https:\/\/app\.example\.com\/login\?state=7&code=\w{40}$/),
    });
    const code = new URL(done.location ?? '').searchParams.get('code');
    const again = `start?returnTo=${encodeURIComponent(RETURN)}`;
    expect(startAgainIn((await login(provider, email, { claims: { email_verified: false } }, RETURN)).text)).toBe(
      again,
    );
    expect(
      startAgainIn((await new Browser().open((await idp.answer(await begin(provider, RETURN), email)).href)).text),
    ).toBe(again);
    expect(startAgainIn((await login(provider, email, { claims: { email_verified: false } })).text)).toBe('start');
    const nobody = new Client(app.current.url, undefined);
    const token = await nobody.post<{ token: string }>('/auth/exchange', { code });
    expect(token).toMatchObject({ status: 201, body: { organization: workspace.id, user: { email } } });
    expect((await new Client(app.current.url, token.body.token).get(`/orgs/${workspace.id}`)).status).toBe(200);
    expect((await nobody.post('/auth/exchange', { code })).status).toBe(404);
    for (const elsewhere of [
      'https://evil.test/login',
      'https://app.example.com/other',
      '//evil.test',
      'javascript:alert(1)',
      `${RETURN}#x`,
    ]) {
      expect(
        (await browser.open(`${provider.service.startURL}?returnTo=${encodeURIComponent(elsewhere)}`)).status,
      ).toBe(400);
    }
  });

  it('is for addresses of the domains that the provider is limited to', async () => {
    const workspace = await buildOrganization(app.current);
    const provider = await addProvider(workspace, { defaultRole: 'read', emailDomains: ['acme.example'] });
    expect(reasonIn((await login(provider, address())).text)).toMatch(/of no domain/);
    expect((await login(provider, `${address().split('@')[0]}@acme.example`)).status).toBe(200);
    await workspace.admin.api.patch(`/orgs/${workspace.id}/oidc/${provider.id}`, { emailDomains: [] });
    expect((await login(provider, address())).status).toBe(200);
  });

  it('opens no account that the organization does not vouch for', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const provider = await addProvider(workspace);
    const member = await workspace.member('edit');
    expect(reasonIn((await login(provider, member.email)).text)).toMatch(/Log in with it as before/);
    expect((await login(provider, admin.email)).status).toBe(400);
    await admin.api.post(`/orgs/${id}/members/${member.id}/sso`);
    expect((await callerOf(await login(provider, member.email)).get('/user')).body).toMatchObject({ id: member.id });
    const stranger = await buildPerson(app.current);
    expect((await login(provider, stranger.email)).status).toBe(400);
    await admin.api.post(`/orgs/${id}/invites`, { emails: [stranger.email], role: 'comment', sso: true });
    expect((await login(provider, stranger.email)).status).toBe(200);
    expect(await memberOf(workspace, stranger.email)).toMatchObject({ id: stranger.id, role: 'comment', sso: true });
    const theirs = await addProvider(await buildOrganization(app.current));
    expect((await login(theirs, stranger.email)).status).toBe(400);
    await app.current.database.execute('UPDATE account SET disabled = true WHERE id = $1', [member.id]);
    expect((await login(provider, member.email)).status).toBe(400);
  });

  it('lets members in where single sign-on is enforced', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const provider = await addProvider(workspace, { defaultRole: 'create' });
    const member = await workspace.member('create');
    await admin.api.post(`/orgs/${id}/members/${member.id}/sso`);
    expect((await admin.api.patch(`/orgs/${id}`, { sso: true })).status).toBe(409);
    const entered = callerOf(await login(provider, member.email));
    expect((await admin.api.patch(`/orgs/${id}`, { sso: true })).status).toBe(200);
    expect((await member.api.get(`/orgs/${id}`)).status).toBe(403);
    expect([
      (await entered.get(`/orgs/${id}`)).status,
      (await entered.post(`/orgs/${id}/spaces`, { title: 'Handbook', empty: true })).status,
    ]).toEqual([200, 201]);
    expect((await admin.api.get(`/orgs/${id}`)).status).toBe(200);
  });
});

describe('3b-21 the answer of an OpenID Connect provider', () => {
  it('counts in the browser that began the login, once, on whichever server, whichever key is in front there, and for ten minutes', async () => {
    const provider = await addProvider(await buildOrganization(app.current), { defaultRole: 'read' });
    const mine = new Browser();
    const back = async () => (await idp.answer(await begin(provider, undefined, mine), address())).href;
    const used = await back();
    expect((await new Browser().open(used)).status).toBe(400);
    await begin(provider, undefined, browser);
    expect((await browser.open(used)).status).toBe(400);
    expect((await mine.open(used, { method: 'HEAD' })).status).toBe(405);
    expect(reasonIn((await mine.open(used.replace(/\.[0-9a-f]{16}/, `.${'0'.repeat(16)}`))).text)).toMatch(
      /lacks the key/,
    );
    expect((await mine.open(used)).status).toBe(200);
    expect(reasonIn((await mine.open(used)).text)).toMatch(/is over/);
    const second = await TestApp.start({ SECRET_KEY: `${NEW_KEY},${OLD_KEY}` }, app.current.databaseUrl);
    try {
      second.nest.get(Addresses).announce(app.current.url, app.current.url.replace('127.0.0.1', 'localhost'));
      const here = await back();
      const there = here.replace(app.current.url, second.url);
      const answers = await Promise.all([there, here, there, here].map((at) => mine.open(at)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
      const begunThere = {
        ...provider,
        service: { ...provider.service, startURL: provider.service.startURL.replace(app.current.url, second.url) },
      };
      expect(
        (await mine.open((await idp.answer(await begin(begunThere, undefined, mine), address())).href)).status,
      ).toBe(200);
    } finally {
      await second.close();
    }
    const late = await back();
    app.current.setTime(new Date(Date.now() + 601_000));
    expect((await mine.open(late)).status).toBe(400);
  });

  it('is nothing to another provider or organization, whoever is behind both', async () => {
    const [workspace, foreign] = [await buildOrganization(app.current), await buildOrganization(app.current)];
    const [provider, twin, theirs] = [
      await addProvider(workspace),
      await addProvider(workspace),
      await addProvider(foreign),
    ];
    const evil = await addProvider(workspace, {}, other);
    for (const elsewhere of [twin, theirs, evil]) {
      const back = await idp.answer(await begin(provider), address());
      const state = new URL(await begin(elsewhere)).searchParams.get('state') ?? '';
      // Its state and its code, sent to the address of the other one.
      expect((await browser.open(back.href.replace(provider.id, elsewhere.id))).status).toBe(400);
      // Its code, with the state of a login that was begun there.
      back.searchParams.set('state', state);
      expect((await browser.open(back.href.replace(provider.id, elsewhere.id))).status).toBe(400);
    }
    // Somebody is made to end a login at the honest provider that was begun at one of an attacker, who would be handed the code.
    const asked = other.asked.length;
    const mixed = await idp.answer(await begin(provider), address());
    const state = new URL(await begin(evil)).searchParams.get('state') ?? '';
    mixed.searchParams.set('state', state);
    expect(reasonIn((await browser.open(mixed.href.replace(provider.id, evil.id))).text)).toMatch(/"iss"/);
    expect(other.asked.slice(asked)).not.toContain('/token');
  });

  it('is worth nothing once the provider is set otherwise', async () => {
    const workspace = await buildOrganization(app.current);
    const provider = await addProvider(workspace, { defaultRole: 'read' });
    const back = async () => (await idp.answer(await begin(provider), address())).href;
    const [first, second] = [await back(), await back()];
    const set = (changes: object) => workspace.admin.api.patch(`/orgs/${workspace.id}/oidc/${provider.id}`, changes);
    await set({ label: 'Renamed', defaultRole: 'edit' });
    expect((await browser.open(first)).status).toBe(200);
    await set({ emailDomains: ['example.com', 'example.org'] });
    expect(reasonIn((await browser.open(second)).text)).toMatch(/is over/);
    expect((await login(provider, address())).status).toBe(200);
  });

  it('is worth what the provider is set to when somebody is let in, however long it was asked before', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const teams = await Promise.all(
      ['Kept', 'Removed'].map((title) => admin.api.put<{ id: string }>(`/orgs/${id}/teams`, { title })),
    );
    const [kept = '', removed = ''] = teams.map(({ body }) => body.id);
    // Somebody logs in through a new provider, which is changed while it is asked for the token.
    const meanwhile = async (change: (path: string) => Promise<{ status: number }>, more: object = {}) => {
      const provider = await addProvider(workspace, { defaultRole: 'admin', ...more });
      const path = `/orgs/${id}/oidc/${provider.id}`;
      const email = address();
      const token = async (given: Record<string, unknown>) => {
        expect((await change(path)).status).toBeLessThan(300);
        return given;
      };
      const answer = await login(provider, email, { token });
      return { path, answer, reason: reasonIn(answer.text), member: await memberOf(workspace, email) };
    };
    for (const settings of [{ emailDomains: ['example.org'] }, { issuer: other.url }, { clientSecret: 'another' }]) {
      const { reason, member } = await meanwhile((path) => admin.api.patch(path, settings));
      expect({ reason, member }).toEqual({ reason: expect.stringMatching(/is over/), member: undefined });
    }
    const gone = await meanwhile((path) => admin.api.delete(path));
    expect(gone).toMatchObject({
      answer: { status: 400 },
      reason: expect.stringMatching(/is over/),
      member: undefined,
    });
    const lowered = await meanwhile(
      (path) => admin.api.patch(path, { label: 'Renamed', defaultRole: 'read', defaultTeam: kept }),
      { defaultTeam: removed },
    );
    expect(lowered).toMatchObject({ answer: { status: 200 }, member: { role: 'read' } });
    expect((await admin.api.get(lowered.path)).body).toMatchObject({ status: 'active' });
    const withoutTeam = await meanwhile(() => admin.api.delete(`/orgs/${id}/teams/${removed}`), {
      defaultTeam: removed,
    });
    expect(withoutTeam).toMatchObject({ answer: { status: 200 }, member: { role: 'admin' } });
    const inTeam = await admin.api.get<{ items: { organization: { id: string } }[] }>(
      `/orgs/${id}/teams/${kept}/members`,
    );
    expect(inTeam.body.items.map(({ organization }) => organization.id)).toEqual([lowered.member?.id]);
  });

  it('is worth nothing with the code of another login, or without what the login has kept secret', async () => {
    const provider = await addProvider(await buildOrganization(app.current));
    const stolen =
      (await idp.answer(await begin(provider, undefined, new Browser()), address())).searchParams.get('code') ?? '';
    const mine = await idp.answer(await begin(provider), address());
    mine.searchParams.set('code', stolen);
    expect(reasonIn((await browser.open(mine.href)).text)).toMatch(/does not take the code/);
    const bare = new URL(await begin(provider));
    for (const name of ['code_challenge', 'code_challenge_method']) bare.searchParams.delete(name);
    expect((await idp.answer(bare.href, address())).searchParams.get('error')).toBe('invalid_request');
    const guessed = new URL(await begin(provider));
    guessed.searchParams.set('code_challenge', createHash('sha256').update('guessed').digest('base64url'));
    expect(reasonIn((await browser.open((await idp.answer(guessed.href, address())).href)).text)).toMatch(
      /does not take the code/,
    );
    const renamed = new URL(await begin(provider));
    renamed.searchParams.set('nonce', 'of-the-attacker');
    expect(reasonIn((await browser.open((await idp.answer(renamed.href, address())).href)).text)).toMatch(/nonce/);
  });
});

describe('an answer that cheats, by OpenID Connect', () => {
  let workspace: Workspace;
  let provider: Provider;
  const victim = address();

  beforeAll(async () => {
    workspace = await buildOrganization(app.current);
    provider = await addProvider(workspace, { defaultRole: 'admin' });
  });

  const cases: readonly Case[] = [...TOKENS, ...ANSWERS];
  it.each(cases.map((each) => [each.name, each] as const))(
    'is refused: %s',
    async (_, { wish = {}, change, reason, compared }) => {
      const back = await idp.answer(await begin(provider), victim, wish);
      change?.(back);
      const { status, text } = await browser.open(back.href);
      expect({ status, reason: reasonIn(text) }).toEqual({ status: 400, reason: expect.stringMatching(reason) });
      expect(text).not.toContain('id="token"');
      expect(comparedIn(text)).toMatchObject(compared?.({ issuer: idp.url, clientID: provider.clientID ?? '' }) ?? {});
    },
  );

  it('has let nobody in, where an honest one does', async () => {
    expect(
      await app.current.database.query('SELECT FROM account WHERE email = ANY ($1)', [
        [victim, 'mallory@example.com', 'ada@example.com'],
      ]),
    ).toEqual([]);
    expect(
      await app.current.database.query('SELECT FROM member WHERE organization_id = $1', [workspace.id]),
    ).toHaveLength(1);
    expect((await login(provider, victim)).status).toBe(200);
    expect(await memberOf(workspace, victim)).toMatchObject({ role: 'admin' });
  });

  it.each(SETTINGS.map((each) => [each.name, each] as const))(
    'is refused where the provider publishes %s',
    async (_, { settings, late, reason }) => {
      other.settings = settings;
      try {
        const bad = await addProvider(await buildOrganization(app.current), {}, other);
        const begun = await browser.open(bad.service.startURL);
        expect(begun.status).toBe(late ? 302 : 400);
        const page = late ? await browser.open((await other.answer(begun.location ?? '', address())).href) : begun;
        expect({ status: page.status, reason: reasonIn(page.text) }).toEqual({
          status: 400,
          reason: expect.stringMatching(reason),
        });
      } finally {
        other.settings = (published) => published;
      }
    },
  );

  it('comes from an address without a provider, or by another method', async () => {
    const { id, admin } = await buildOrganization(app.current);
    const made = await admin.api.post<Provider>(`/orgs/${id}/oidc`, {
      label: 'Moved',
      issuer: `${idp.url}/elsewhere`,
      clientID: 'x',
      clientSecret: 'x',
    });
    expect(reasonIn((await browser.open(made.body.service.startURL)).text)).toMatch(/cannot be read/);
    expect((await browser.open(provider.service.redirectURL, { method: 'POST' })).status).toBe(405);
    expect((await browser.open(provider.service.startURL, { method: 'DELETE' })).status).toBe(405);
    for (const step of ['start', 'callback?state=_x&code=x'])
      expect((await browser.open(`${app.current.url}/sso/oidc/${newId()}/${step}`)).status).toBe(404);
    for (const step of ['acs', 'metadata', 'finish'])
      expect((await browser.open(`${app.current.url}/sso/oidc/${provider.id}/${step}`)).status).toBe(404);
    expect((await browser.open(provider.service.startURL.replace('/oidc/', '/saml/'))).status).toBe(404);
  });
});
