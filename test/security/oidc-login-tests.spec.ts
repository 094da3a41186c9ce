import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { useApp } from '../app.js';
import { buildOrganization, type Workspace } from '../build.js';
import { Browser } from './browser.js';
import { address, beginLogin, memberOf, reasonIn, startAgainIn } from './login-pages.js';
import { beginTest, countedLogins, testsOf, type LoginTest } from './login-tests.js';
import { token, withClaims } from './oidc/cases/case.js';
import { OidcIdentityProvider, type Wish } from './oidc/identity-provider.js';
import { addOidcProvider, type OidcProvider } from './oidc/logins.js';

const app = useApp();
const idp = new OidcIdentityProvider();
beforeAll(() => idp.start());
afterAll(() => idp.stop());
afterEach(() => void (idp.settings = (published) => published));

const resultOf = async ({ admin }: Workspace, provider: OidcProvider, { id }: LoginTest): Promise<LoginTest> =>
  (await admin.api.get<LoginTest>(`${testsOf(provider)}/${id}`)).body;

/** A whole test; what the identity provider says may be wished for. */
async function run(workspace: Workspace, provider: OidcProvider, email: string, wish: Wish = {}): Promise<LoginTest> {
  const { browser, test } = await beginTest(workspace, provider);
  const ended = await browser.open((await idp.answer(test.urls.login ?? '', email, wish)).href);
  expect({ status: ended.status, reason: reasonIn(ended.text) }).toEqual({ status: 303, reason: undefined });
  expect(ended.location).toMatch(
    new RegExp(`/app/o/${workspace.id}/settings/sso/oidc/${provider.id}\\?test=${test.id}$`),
  );
  expect(ended.headers.getSetCookie()).toEqual([]);
  return resultOf(workspace, provider, test);
}

const refusals = async ({ id, admin }: Workspace): Promise<unknown> =>
  (await admin.api.get<{ items: unknown[] }>(`/orgs/${id}/audit-events`, { query: { action: 'login_refused' } })).body
    .items;

describe('test logins by OpenID Connect', () => {
  it('show what came and what a login would make of it, and change nothing', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const team = (await admin.api.put<{ id: string }>(`/orgs/${id}/teams`, { title: 'Writers' })).body.id;
    const provider = await addOidcProvider(workspace, idp, { defaultRole: 'edit', defaultTeam: team });
    const email = address();
    const before = await countedLogins(app.current);
    const test = await run(workspace, provider, email);
    expect(test).toMatchObject({
      object: 'oidc-login-test',
      status: 'passed',
      assertion: {
        subject: email,
        attributes: expect.arrayContaining([
          { name: 'email', values: [email] },
          { name: 'email_verified', values: ['true'] },
          { name: 'name', values: ['Ada Lovelace'] },
        ]),
        missing: [],
      },
      account: { account: 'new', displayName: 'Ada Lovelace', role: 'edit', teams: [{ id: team, title: 'Writers' }] },
    });
    expect(test).not.toHaveProperty('fault');
    expect(test.urls).not.toHaveProperty('login');
    expect(await countedLogins(app.current)).toEqual(before);
    expect(await memberOf(workspace, email)).toBeUndefined();
    // Another address than that of a member is no help: an account is never taken over.
    expect(await run(workspace, provider, admin.email)).toMatchObject({
      status: 'failed',
      fault: { message: expect.stringContaining('an identity provider cannot take over'), compared: [] },
      assertion: { subject: admin.email },
    });
    const login = await beginLogin(provider, undefined, new Browser());
    expect(new URL(login).searchParams.get('state')).toMatch(/^_[0-9a-f]{40}\./);
  });

  it.each<readonly [string, Wish, RegExp, readonly string[] | undefined]>([
    ['no address', { claims: { email: undefined } }, /does not tell your e-mail address.*scope email/, ['email']],
    ['an address that is none', { claims: { email: 'ada' } }, /does not tell your e-mail address/, []],
    ['an address that nobody verified', { claims: { email_verified: false } }, /has not verified/, []],
    ['an address of another domain', { claims: { email: 'ada@example.org' } }, /of no domain that is let in/, []],
    ['no name', { claims: { name: undefined, email_verified: false } }, /has not verified/, ['name']],
    [
      'an id token that is over',
      withClaims(() => ({ exp: 1_000_000_000 })),
      /not valid any more: compare the clocks/,
      undefined,
    ],
    [
      'an id token of another issuer',
      withClaims(() => ({ iss: 'https://other.test' })),
      /issued by another issuer/,
      undefined,
    ],
    [
      'an id token that somebody else signed',
      { idToken: ({ header, claims }, { foreign }) => token(header, claims, foreign) },
      /signature of the id token does not fit/,
      undefined,
    ],
    ['no id token', { idToken: () => undefined }, /id_token|id token/, undefined],
  ])('tell of %s in words, with what came', async (_, wish, reason, missing) => {
    const workspace = await buildOrganization(app.current);
    const provider = await addOidcProvider(workspace, idp, { emailDomains: ['example.com'] });
    const test = await run(workspace, provider, address(), wish);
    expect(test).toMatchObject({ status: 'failed', fault: { message: expect.stringMatching(reason) } });
    expect(test.assertion?.missing).toEqual(missing);
    expect(test).not.toHaveProperty('account');
    expect(await refusals(workspace)).toEqual([]);
  });

  it('tell that the secret is wrong, that the provider refused, and that it cannot be reached', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const provider = await addOidcProvider(workspace, idp);
    const path = `/orgs/${id}/oidc/${provider.id}`;
    await admin.api.patch(path, { clientSecret: 'another' });
    expect((await run(workspace, provider, address())).fault?.message).toMatch(/compare client id and secret/);
    idp.settings = (published) => ({ ...published, token_endpoint_auth_methods_supported: ['client_secret_basic'] });
    await admin.api.patch(path, { clientSecret: 'still another' });
    expect((await run(workspace, provider, address())).fault?.message).toMatch(/compare client id and secret/);
    const { browser, test } = await beginTest(workspace, provider);
    const state = new URL(test.urls.login ?? '').searchParams.get('state') ?? '';
    const callback = new URL(provider.service.redirectURL);
    for (const [name, value] of Object.entries({ state, error: 'access_denied', iss: idp.url }))
      callback.searchParams.set(name, value);
    expect((await browser.open(callback.href)).status).toBe(303);
    expect((await resultOf(workspace, provider, test)).fault?.message).toMatch(/did not let you in/);

    // Nobody can be asked: the test has failed when it begins.
    for (const [settings, reason] of [
      [() => ({ issuer: 'https://other.test' }), /another name than the issuer/],
      [() => 'no JSON', /cannot be read/],
    ] as const) {
      idp.settings = settings;
      await admin.api.patch(path, { label: `Broken ${String(reason).length}` });
      const begun = await beginTest(workspace, provider);
      expect(begun.test).toMatchObject({ status: 'failed', fault: { message: expect.stringMatching(reason) } });
      expect(begun.test.urls).not.toHaveProperty('login');
      expect(await resultOf(workspace, provider, begun.test)).toMatchObject({ status: 'failed' });
    }
    const closed = new OidcIdentityProvider();
    await closed.start();
    const gone = await addOidcProvider(workspace, closed);
    await closed.stop();
    expect((await beginTest(workspace, gone)).test).toMatchObject({
      status: 'failed',
      fault: { message: expect.stringMatching(/settings of the identity provider cannot be read/) },
    });
    expect(await refusals(workspace)).toEqual([]);
  });

  it('end in the browser that began them, once, and are no logins', async () => {
    const workspace = await buildOrganization(app.current);
    const provider = await addOidcProvider(workspace, idp, { defaultRole: 'read' });
    const { browser, test } = await beginTest(workspace, provider);
    const answer = (await idp.answer(test.urls.login ?? '', address())).href;
    const [other, elsewhere] = [
      new Browser(),
      await beginTest(await buildOrganization(app.current), provider).catch(() => undefined),
    ];
    for (const stranger of [other, elsewhere?.browser ?? new Browser()]) {
      const refused = await stranger.open(answer);
      expect(refused.status).toBe(400);
      expect(reasonIn(refused.text)).toContain('another browser');
      expect(startAgainIn(refused.text)).toBeUndefined();
    }
    expect(await resultOf(workspace, provider, test)).toMatchObject({ status: 'begun' });
    const twice = await Promise.all([browser.open(answer), browser.open(answer)]);
    expect(twice.map(({ status }) => status).sort()).toEqual([303, 400]);
    expect(await resultOf(workspace, provider, test)).toMatchObject({ status: 'passed' });
    expect((await browser.open(answer)).status).toBe(400);
    expect(await resultOf(workspace, provider, test)).toMatchObject({ status: 'passed' });
    // The answer to a login under the name of a test, and the other way round.
    const login = await idp.answer(await beginLogin(provider, undefined, browser), address());
    const again = await beginTest(workspace, provider);
    const state = new URL(again.test.urls.login ?? '').searchParams.get('state') ?? '';
    const mixed = new URL(login);
    mixed.searchParams.set('state', state);
    expect((await again.browser.open(mixed.href)).status).toBe(303);
    expect(await resultOf(workspace, provider, again.test)).toMatchObject({ status: 'failed' });
    const tested = await beginTest(workspace, provider);
    const crossed = await idp.answer(tested.test.urls.login ?? '', address());
    crossed.searchParams.set('state', login.searchParams.get('state') ?? '');
    expect((await browser.open(crossed.href)).status).toBe(400);
    expect((await workspace.admin.api.get(`/orgs/${workspace.id}/members`)).body).toMatchObject({ count: 1 });
  });

  it('are seen by nobody else, and are over with another one, a change of the provider and its end', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const provider = await addOidcProvider(workspace, idp);
    const colleague = await workspace.member('admin');
    const first = await run(workspace, provider, address());
    const path = `${testsOf(provider)}/${first.id}`;
    expect((await colleague.api.get(path)).status).toBe(404);
    for (const role of ['create', 'read'] as const)
      expect((await (await workspace.member(role)).api.get(path)).status).toBe(403);
    expect((await (await workspace.member('create')).api.post(testsOf(provider))).status).toBe(403);
    const foreign = await buildOrganization(app.current);
    expect((await foreign.admin.api.get(path)).status).toBe(404);
    expect((await foreign.admin.api.get(path.replace(id, foreign.id))).status).toBe(404);
    expect((await foreign.admin.api.post(testsOf(provider).replace(id, foreign.id))).status).toBe(404);
    // Those of one protocol are unknown to the other.
    expect((await admin.api.get(path.replace('/oidc/', '/saml/'))).status).toBe(404);
    expect((await admin.api.post(testsOf(provider).replace('/oidc/', '/saml/'))).status).toBe(404);
    const begun = await beginTest(workspace, provider);
    expect((await admin.api.get(path)).status).toBe(404);
    const answer = (await idp.answer(begun.test.urls.login ?? '', address())).href;
    await admin.api.patch(`/orgs/${id}/oidc/${provider.id}`, { scopes: ['openid', 'email'] });
    expect(reasonIn((await begun.browser.open(answer)).text)).toContain('is over');
    const bare = await admin.api.post<OidcProvider>(`/orgs/${id}/oidc`, { label: 'Bare' });
    expect((await admin.api.post(testsOf(bare.body))).status).toBe(409);
    const last = await beginTest(workspace, provider);
    const late = (await idp.answer(last.test.urls.login ?? '', address())).href;
    await admin.api.delete(`/orgs/${id}/oidc/${provider.id}`);
    expect((await last.browser.open(late)).status).toBe(404);
  });
});
