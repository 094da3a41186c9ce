import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { useApp } from '../app.js';
import { buildOrganization, type Workspace } from '../build.js';
import { Browser, type Opened } from './browser.js';
import { address, memberOf, reasonIn } from './login-pages.js';
import { makeIdentity } from './saml/certificates.js';
import { beginTest, countedLogins, testsOf, type LoginTest } from './login-tests.js';
import { IdentityProvider, type Wish } from './saml/identity-provider.js';
import { encoded, form, replaced } from './saml/cases/case.js';
import { Logins, type Provider } from './saml/logins.js';

const app = useApp();
const idp = new IdentityProvider();
const logins = new Logins(idp);

beforeAll(() => idp.start());
afterAll(() => idp.stop());

/** Lets the identity provider answer, and gives the answer of the service to the form. */
async function answer(provider: Provider, { urls }: LoginTest, wish: Wish = {}): Promise<Opened> {
  const { xml, relayState } = await idp.answer(urls.login ?? '', wish);
  return new Browser().sendForm(provider.service.acsURL, form({ SAMLResponse: encoded(xml), RelayState: relayState }));
}

/** A whole test; what the identity provider says may be wished for. */
async function run(workspace: Workspace, provider: Provider, wish: Wish = {}): Promise<LoginTest> {
  const { browser, test } = await beginTest(workspace, provider);
  const answered = await answer(provider, test, wish);
  expect(answered.status).toBe(303);
  const ended = await browser.open(answered.location ?? '');
  expect({ status: ended.status, reason: reasonIn(ended.text) }).toEqual({ status: 303, reason: undefined });
  expect(ended.location).toMatch(
    new RegExp(`/app/o/${workspace.id}/settings/sso/saml/${provider.id}\\?test=${test.id}$`),
  );
  return (await workspace.admin.api.get<LoginTest>(`${testsOf(provider)}/${test.id}`)).body;
}

describe('test logins by SAML', () => {
  it('show what came and what a login would make of it, and change nothing', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const team = (await admin.api.put<{ id: string }>(`/orgs/${id}/teams`, { title: 'Writers' })).body.id;
    const provider = await logins.addProvider(workspace, { defaultRole: 'edit', defaultTeam: team });
    const email = address();
    const before = await countedLogins(app.current);
    const until = new Date(Math.floor(Date.now() / 1000) * 1000 + 3600_000).toISOString();
    const ends = (xml: string) => replaced(xml, ' SessionIndex=', ` SessionNotOnOrAfter="${until}" SessionIndex=`);
    const test = await run(workspace, provider, { email, before: ends });
    expect(test).toMatchObject({
      object: 'saml-login-test',
      status: 'passed',
      assertion: {
        subject: email,
        sessionUntil: until,
        attributes: [
          { name: 'first_name', values: ['Ada'] },
          { name: 'last_name', values: ['Lovelace'] },
        ],
        missing: [],
      },
      account: { account: 'new', displayName: 'Ada Lovelace', role: 'edit', teams: [{ id: team, title: 'Writers' }] },
    });
    expect(test).not.toHaveProperty('fault');
    expect(test.account).not.toHaveProperty('user');
    expect(await countedLogins(app.current)).toEqual(before);
    expect(await memberOf(workspace, email)).toBeUndefined();
    expect((await admin.api.get(`/orgs/${id}/saml/${provider.id}`)).body).toMatchObject({ status: 'pending' });
    // The login afterwards does what was foreseen.
    await logins.tokenOf(provider, email);
    const member = await memberOf(workspace, email);
    expect(member).toMatchObject({ role: 'edit', sso: true, user: { displayName: 'Ada Lovelace' } });
    expect((await run(workspace, provider, { email })).account).toEqual({
      account: 'member',
      user: member?.id,
      displayName: 'Ada Lovelace',
      role: 'edit',
      teams: [],
    });
  });

  it("foresee invitations, and refuse accounts that are not the provider's", async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const provider = await logins.addProvider(workspace, { defaultRole: 'read' });
    const invited = address();
    await admin.api.post(`/orgs/${id}/invites`, { emails: [invited], role: 'review', sso: true });
    expect(await run(workspace, provider, { email: invited })).toMatchObject({
      status: 'passed',
      account: { account: 'invited', role: 'review', teams: [] },
    });
    const other = await buildOrganization(app.current);
    for (const { email } of [admin, other.admin])
      expect(await run(workspace, provider, { email })).toEqual(
        expect.objectContaining({
          status: 'failed',
          fault: { message: expect.stringContaining('an identity provider cannot take over'), compared: [] },
          assertion: expect.objectContaining({ subject: email.toLowerCase() }),
        }),
      );
    expect(await run(workspace, provider, { email: admin.email })).not.toHaveProperty('account');
  });

  it.each<readonly [string, Wish, RegExp, string | undefined]>([
    [
      'a signature of somebody else',
      { identity: makeIdentity() },
      /signature does not fit/,
      'SHA-256 of the certificate',
    ],
    ['another audience', { values: { Audience: 'https://other.example.com' } }, /made for another service/, 'Audience'],
    [
      'a clock that is behind',
      { values: { ConditionsNotOnOrAfter: '2020-01-01T00:00:00.000Z' } },
      /not valid any more.*clocks/,
      'NotOnOrAfter',
    ],
    [
      'a clock that is ahead',
      { values: { ConditionsNotBefore: '2100-01-01T00:00:00.000Z' } },
      /not valid yet: compare the clocks/,
      'NotBefore',
    ],
    ['another issuer', { values: { Issuer: 'https://idp.example.org' } }, /another identity provider/, 'Issuer'],
    ['a name that is no address', { email: 'ada' }, /not an e-mail address/, 'NameID'],
  ])('tell of %s in words, with what is to be compared', async (_, wish, reason, name) => {
    const workspace = await buildOrganization(app.current);
    const provider = await logins.addProvider(workspace);
    const test = await run(workspace, provider, wish);
    expect(test).toMatchObject({ status: 'failed', fault: { message: expect.stringMatching(reason) } });
    expect(test.fault?.compared.map((each) => each.name)).toContain(name);
    expect(test).not.toHaveProperty('assertion');
    expect(test).not.toHaveProperty('account');
    const { body } = await workspace.admin.api.get<{ items: { action: string }[] }>(
      `/orgs/${workspace.id}/audit-events`,
      { query: { action: 'login_refused' } },
    );
    expect(body.items).toEqual([]);
  });

  it('keep texts that the database does not take, and of many as many as are read', async () => {
    const workspace = await buildOrganization(app.current);
    const provider = await logins.addProvider(workspace);
    const attribute = (name: string, value: string): string =>
      `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`;
    const many = Array.from({ length: 150 }, (_, at) => attribute(`a${at}`, 'x'.repeat(at === 0 ? 600 : 9))).join('');
    const hostile = `${attribute('__proto__', 'a\tb')}${attribute('مجموعة', '‮كتّاب')}`;
    const before = (xml: string): string => xml.replace('<saml:AttributeStatement>', `$&${hostile}${many}`);
    const test = await run(workspace, provider, { email: address(), before });
    expect({ status: test.status, fault: test.fault }).toEqual({ status: 'passed', fault: undefined });
    expect(test.assertion?.attributes).toHaveLength(100);
    expect(test.assertion?.attributes.slice(0, 3)).toEqual([
      { name: '__proto__', values: ['a b'] },
      { name: 'مجموعة', values: ['‮كتّاب'] },
      { name: 'a0', values: ['x'.repeat(500)] },
    ]);
  });

  it('show nothing before they have ended in the browser that began them', async () => {
    const workspace = await buildOrganization(app.current);
    const provider = await logins.addProvider(workspace);
    const { browser, test } = await beginTest(workspace, provider);
    const path = `${testsOf(provider)}/${test.id}`;
    const answered = await answer(provider, test, { email: address() });
    expect((await workspace.admin.api.get(path)).body).toMatchObject({ status: 'begun' });
    for (const other of [
      new Browser(),
      (await beginTest(await buildOrganization(app.current), provider).catch(() => undefined))?.browser,
    ])
      expect(reasonIn((await (other ?? new Browser()).open(answered.location ?? '')).text)).toContain(
        'another browser',
      );
    const { body } = await workspace.admin.api.get<LoginTest>(path);
    expect(body.status).toBe('begun');
    expect(body).not.toHaveProperty('assertion');
    // The browser in which it began has not brought the answer: somebody else's did, who was sent to the identity provider.
    const known = (answered.location ?? '').replace(/&code=.*/, '');
    for (const end of [known, `${known}&code=`, `${known}&code=${'0'.repeat(40)}`])
      expect(reasonIn((await browser.open(end)).text)).toContain('another browser');
    expect((await workspace.admin.api.get(path)).body).toMatchObject({ status: 'begun' });
    expect((await browser.open(answered.location ?? '')).status).toBe(303);
    expect((await workspace.admin.api.get(path)).body).toMatchObject({ status: 'passed' });
  });

  it('are never logins: neither takes the answer of the other, and none takes one twice', async () => {
    const workspace = await buildOrganization(app.current);
    const provider = await logins.addProvider(workspace);
    const { browser, test } = await beginTest(workspace, provider);
    const given = await idp.answer(test.urls.login ?? '', { email: address() });
    const body = form({ SAMLResponse: encoded(given.xml), RelayState: given.relayState });
    const first = await browser.sendForm(provider.service.acsURL, body);
    expect(first.status).toBe(303);
    const finish = (first.location ?? '').replace('/tested?test=', '/finish?login=');
    expect((await browser.open(finish)).status).toBe(400);
    expect((await browser.sendForm(provider.service.acsURL, body)).status).toBe(400);
    // The answer to a login with the name of a test, and the other way round.
    const login = await idp.answer(await logins.begin(provider), { email: address() });
    const again = await beginTest(workspace, provider);
    const mixed = await browser.sendForm(
      provider.service.acsURL,
      form({ SAMLResponse: encoded(login.xml), RelayState: again.test.id }),
    );
    expect((await again.browser.open(mixed.location ?? '')).status).toBe(303);
    expect((await workspace.admin.api.get(`${testsOf(provider)}/${again.test.id}`)).body).toMatchObject({
      status: 'failed',
      fault: { message: 'The answer belongs to another login than its relay state' },
    });
    const other = await beginTest(workspace, provider);
    const tested = await idp.answer(other.test.urls.login ?? '', { email: address() });
    const asLogin = await browser.sendForm(
      provider.service.acsURL,
      form({ SAMLResponse: encoded(tested.xml), RelayState: login.relayState }),
    );
    expect(reasonIn(asLogin.text)).toContain('belongs to another login');
    expect((await workspace.admin.api.get(`/orgs/${workspace.id}/members`)).body).toMatchObject({ count: 1 });
  });

  it('are seen by nobody else, and are over after minutes, another one and a change of the provider', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const provider = await logins.addProvider(workspace);
    const colleague = await workspace.member('admin');
    const first = await run(workspace, provider, { email: address() });
    const path = `${testsOf(provider)}/${first.id}`;
    expect((await colleague.api.get(path)).status).toBe(404);
    expect((await (await workspace.member('create')).api.get(path)).status).toBe(403);
    const foreign = await buildOrganization(app.current);
    expect((await foreign.admin.api.get(path)).status).toBe(404);
    expect((await foreign.admin.api.get(path.replace(id, foreign.id))).status).toBe(404);
    expect((await foreign.admin.api.post(testsOf(provider).replace(id, foreign.id))).status).toBe(404);
    const theirs = await beginTest(workspace, provider, colleague);
    const second = await run(workspace, provider, { email: address() });
    expect((await admin.api.get(path)).status).toBe(404);
    expect((await colleague.api.get(`${testsOf(provider)}/${theirs.test.id}`)).status).toBe(200);
    const latest = `${testsOf(provider)}/${second.id}`;
    await admin.api.patch(`/orgs/${id}/saml/${provider.id}`, { label: 'Renamed' });
    expect((await admin.api.get(latest)).status).toBe(200);
    await admin.api.patch(`/orgs/${id}/saml/${provider.id}`, { ssoURL: `${idp.url}/other` });
    expect((await admin.api.get(latest)).status).toBe(404);
    const last = await run(workspace, provider, { email: address() });
    const ends = new Date(last.expiresAt).getTime();
    expect(ends - Date.now()).toBeGreaterThan(9 * 60_000);
    await app.current.database.query('UPDATE login_test SET expires_at = now() WHERE id = $1', [last.id]);
    expect((await admin.api.get(`${testsOf(provider)}/${last.id}`)).status).toBe(404);
    await app.current.get(Jobs).enqueue('sso.remove-expired-tests', {});
    await app.current.get(Jobs).drain();
    expect(await app.current.database.query('SELECT id FROM login_test WHERE id = $1', [last.id])).toEqual([]);
  });

  it('need all settings, and keep one for each administrator when two begin at once', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const bare = await admin.api.post<Provider>(`/orgs/${id}/saml`, { label: 'Bare' });
    expect((await admin.api.post(testsOf(bare.body))).status).toBe(409);
    const provider = await logins.addProvider(workspace);
    const begun = await Promise.all(Array.from({ length: 8 }, () => admin.api.post<LoginTest>(testsOf(provider))));
    expect(begun.map(({ status }) => status)).toEqual(Array(8).fill(201));
    const found = await Promise.all(begun.map(({ body }) => admin.api.get(`${testsOf(provider)}/${body.id}`)));
    expect(found.filter(({ status }) => status === 200)).toHaveLength(1);
    const { test } = await beginTest(workspace, provider);
    await admin.api.delete(`/orgs/${id}/saml/${provider.id}`);
    expect((await admin.api.get(`${testsOf(provider)}/${test.id}`)).status).toBe(404);
    expect((await answer(provider, test)).status).toBe(404);
  });
});
