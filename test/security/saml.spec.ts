import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Addresses } from '../../src/common/addresses.js';
import { newId } from '../../src/common/ids.js';
import { TestApp, useApp } from '../app.js';
import { buildOrganization, buildPerson, type Workspace } from '../build.js';
import { Client } from '../client.js';
import { ATTACKER, encoded, form, type Case } from './saml/cases/case.js';
import { DOCUMENTS } from './saml/cases/documents.js';
import { FACTS } from './saml/cases/facts.js';
import { SIGNATURES } from './saml/cases/signatures.js';
import { WRAPPING } from './saml/cases/wrapping.js';
import { makeIdentity } from './saml/certificates.js';
import { IdentityProvider, type Answer, type Wish } from './saml/identity-provider.js';

const RETURN = 'https://app.example.com/login';
const app = useApp({ SSO_RETURN_URLS: RETURN });
const idp = new IdentityProvider();

beforeAll(() => idp.start());
afterAll(() => idp.stop());

interface Provider {
  id: string;
  status: string;
  ssoURL: string;
  entityID: string;
  certificate: string;
  defaultRole: string | null;
  defaultTeam?: { id: string };
  service: { acsURL: string; startURL: string; entityID: string };
  urls: { location: string };
}
interface Member {
  id: string;
  role: string | null;
  sso: boolean;
  user: { displayName: string; email: string };
}

const address = () => `${newId().toLowerCase()}@example.com`;

async function addProvider({ id, admin }: Workspace, more: object = {}): Promise<Provider> {
  const made = await admin.api.post<Provider>(`/orgs/${id}/saml`, { label: 'Identity', entityID: idp.entityID, certificate: idp.identity.certificate, ssoURL: `${idp.url}/sso`, ...more });
  expect(made.status).toBe(201);
  return made.body;
}

/** Begins a login as a browser does and gives the address at the identity provider. */
async function begin({ service }: Provider, returnTo?: string): Promise<string> {
  const answer = await fetch(`${service.startURL}${returnTo === undefined ? '' : `?returnTo=${encodeURIComponent(returnTo)}`}`, { redirect: 'manual' });
  expect(answer.status).toBe(302);
  return answer.headers.get('location') ?? '';
}

async function post(acsURL: string, body: string | Buffer): Promise<{ status: number; text: string; location: string | null; headers: Headers }> {
  const answer = await fetch(acsURL, { method: 'POST', redirect: 'manual', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: body as string });
  return { status: answer.status, text: await answer.text(), location: answer.headers.get('location'), headers: answer.headers };
}
const send = (provider: Provider, { xml, relayState }: Answer) => post(provider.service.acsURL, form({ SAMLResponse: encoded(xml), RelayState: relayState }));

/** A whole login of somebody; what the identity provider says may be wished for. */
async function login(provider: Provider, email: string, wish: Wish = {}, returnTo?: string) {
  return send(provider, await idp.answer(await begin(provider, returnTo), { email, ...wish }));
}
const tokenIn = (text: string): string => /<code id="token">(\w+)<\/code>/.exec(text)?.[1] ?? '';
const memberOf = async ({ id, admin }: Workspace, email: string) => (await admin.api.get<{ items: Member[] }>(`/orgs/${id}/members`, { query: { search: email } })).body.items[0];

describe('identity providers', () => {
  it('are added by their label, completed, changed and removed', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const path = `/orgs/${id}/saml`;
    const team = (await admin.api.put<{ id: string }>(`/orgs/${id}/teams`, { title: 'Writers' })).body;
    const made = await admin.api.post<Provider>(path, { label: 'Okta' });
    expect(made.body).toMatchObject({ object: 'saml-provider', status: 'pending', entityID: '', certificate: '', ssoURL: 'about:blank', defaultRole: null });
    expect(made.headers.get('location')).toBe(made.body.urls.location);
    expect((await admin.api.get(`/orgs/${id}/sso`)).body).toEqual({ items: [] });
    expect((await fetch(made.body.service.startURL, { redirect: 'manual' })).status).toBe(409);
    const settings = { entityID: idp.entityID, certificate: idp.identity.certificate, ssoURL: `${idp.url}/sso`, defaultTeam: team.id, defaultRole: 'edit' };
    const changed = await admin.api.patch<Provider>(`${path}/${made.body.id}`, settings);
    expect(changed.body).toMatchObject({ ...settings, defaultTeam: { id: team.id, title: 'Writers' } });
    expect((await admin.api.get(`${path}/${made.body.id}`)).body).toEqual(changed.body);
    expect((await admin.api.get(path)).body).toMatchObject({ count: 1, items: [{ id: made.body.id }] });
    const second = (await admin.api.post<Provider>(path, { label: 'Entra' })).body.id;
    const page = (await admin.api.get<{ next?: { page: string } }>(path, { query: { limit: 1 } })).body;
    expect(page).toMatchObject({ count: 2, items: [{ id: second }] });
    expect((await admin.api.get(path, { query: { limit: 1, page: page.next?.page } })).body).toMatchObject({ count: 2, items: [{ id: made.body.id }] });
    expect((await admin.api.delete(`${path}/${second}`)).status).toBe(204);
    expect((await new Client(app.current.url, undefined).get(`/orgs/${id}/sso`)).body).toEqual({ items: [{ id: made.body.id, label: 'Okta', startURL: changed.body.service.startURL }] });
    expect((await admin.api.patch(`${path}/${made.body.id}`, { defaultTeam: null, defaultRole: null })).body).not.toHaveProperty('defaultTeam');
    expect((await admin.api.patch(`${path}/${made.body.id}`, { label: 'x' }, { headers: { 'If-Match': '"1.x"' } })).status).toBe(412);
    expect((await admin.api.delete(`${path}/${made.body.id}`)).status).toBe(204);
    expect((await admin.api.get(`${path}/${made.body.id}`)).status).toBe(404);
    expect((await admin.api.get(`/orgs/${newId()}/sso`)).status).toBe(404);
  });

  it('say what is wrong with certificates, addresses and teams', async () => {
    const { id, admin } = await buildOrganization(app.current);
    const foreign = await buildOrganization(app.current);
    const team = (await foreign.admin.api.put<{ id: string }>(`/orgs/${foreign.id}/teams`, { title: 'Foreign' })).body;
    const { certificate, privateKey } = makeIdentity({ bits: 1024 });
    const wrong: readonly (readonly [object, string, RegExp])[] = [
      [{ certificate: 'hello' }, 'certificate', /not an X.509/],
      [{ certificate: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' }, 'certificate', /not an X.509/],
      [{ certificate: `${idp.identity.certificate}\n${privateKey}` }, 'certificate', /private key/],
      [{ certificate }, 'certificate', /1024 bits/],
      [{ certificate: makeIdentity({ kind: 'ec' }).certificate }, 'certificate', /RSA/],
      [{ certificate: makeIdentity({ until: new Date(Date.now() - 86_400_000) }).certificate }, 'certificate', /expired on/],
      [{ certificate: `${idp.identity.certificate}\n`.repeat(3) }, 'certificate', /more than 2/],
      [{ ssoURL: 'http://idp.example.com/sso' }, 'ssoURL', /https/],
      [{ ssoURL: 'https://user:secret@idp.example.com/sso' }, 'ssoURL', /password/],
      [{ ssoURL: 'https://idp.example.com/sso#x' }, 'ssoURL', /after #/],
      [{ ssoURL: 'javascript:alert(1)' }, 'ssoURL', /address/],
      [{ entityID: 'two words' }, 'entityID', /spaces/],
      [{ label: ' ' }, 'label', /blank/],
      [{ defaultTeam: team.id }, 'defaultTeam', /not a team/],
    ];
    for (const [fields, path, message] of wrong) {
      const { status, body } = await admin.api.post<{ error: { details: { path: string; message: string }[] } }>(`/orgs/${id}/saml`, { label: 'Provider', ...fields });
      expect({ status, detail: body.error.details[0] }).toEqual({ status: 400, detail: { path, message: expect.stringMatching(message) } });
    }
    const bare = idp.identity.certificate.replace(/-----[^-]+-----|\s/g, '');
    expect((await admin.api.post(`/orgs/${id}/saml`, { label: 'Provider', certificate: bare })).body).toMatchObject({ certificate: bare });
  });
});

describe('a login', () => {
  it('goes through a real identity provider to a token that acts in this organization only', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const team = (await admin.api.put<{ id: string }>(`/orgs/${id}/teams`, { title: 'Readers' })).body;
    const provider = await addProvider(workspace, { defaultRole: 'edit', defaultTeam: team.id });
    idp.person = { email: address(), firstName: 'Ada', lastName: 'Lovelace' };
    const page = await (await fetch(provider.service.startURL)).text();
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';
    expect(page).toContain(`action="${provider.service.acsURL}"`);
    const done = await post(provider.service.acsURL, form({ SAMLResponse: field('SAMLResponse'), RelayState: field('RelayState') }));
    expect(done.status).toBe(200);
    expect(done.headers.get('cache-control')).toBe('no-store');
    expect(done.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(done.headers.get('set-cookie')).toBeNull();
    const api = new Client(app.current.url, tokenIn(done.text));
    expect((await api.get('/user')).body).toMatchObject({ displayName: 'Ada Lovelace', email: idp.person.email });
    expect((await api.get(`/orgs/${id}`)).status).toBe(200);
    expect((await api.get(`/orgs/${id}/members`)).status).toBe(200);
    expect((await api.get(`/orgs/${(await buildOrganization(app.current)).id}`)).status).toBe(404);
    expect((await api.get('/user/tokens')).status).toBe(404);
    expect((await api.post('/orgs', { title: 'Own' })).status).toBe(404);
    const member = await memberOf(workspace, idp.person.email);
    expect(member).toMatchObject({ role: 'edit', sso: true });
    expect((await admin.api.get(`/orgs/${id}/teams/${team.id}/members`)).body).toMatchObject({ items: [{ organization: { id: member?.id } }] });
    expect((await admin.api.get(`/orgs/${id}/saml/${provider.id}`)).body).toMatchObject({ status: 'active' });
    expect(await app.current.database.one('SELECT email_verified AS verified FROM account WHERE id = $1', [member?.id])).toEqual({ verified: false });
    const again = await login(provider, idp.person.email.toUpperCase(), { signs: 'both' });
    expect((await new Client(app.current.url, tokenIn(again.text)).get('/user')).body).toMatchObject({ id: member?.id });
    expect((await admin.api.patch(`/orgs/${id}/saml/${provider.id}`, { certificate: idp.identity.certificate, ssoURL: `${idp.url}/sso?tenant=1` })).body).toMatchObject({ status: 'pending' });
    expect((await login(provider, idp.person.email, { signs: 'response' })).status).toBe(200);
    await admin.api.delete(`/orgs/${id}/saml/${provider.id}`);
    expect((await api.get('/user')).status).toBe(401);
    expect((await memberOf(workspace, idp.person.email))?.id).toBe(member?.id);
  });

  it('goes back to an allowed application with a code that works once, for a minute', async () => {
    const workspace = await buildOrganization(app.current);
    const provider = await addProvider(workspace, { defaultRole: 'read' });
    const nobody = new Client(app.current.url, undefined);
    const email = address();
    const code = async () => new URL((await login(provider, email, {}, `${RETURN}?state=7`)).location ?? '').searchParams.get('code') ?? '';
    const done = await login(provider, email, {}, `${RETURN}?state=7`);
    expect(done.status).toBe(303);
    expect(done.location).toMatch(/^https:\/\/app\.example\.com\/login\?state=7&code=\w{40}$/);
    const given = new URL(done.location ?? '').searchParams.get('code');
    const token = await nobody.post<{ token: string; organization: string }>('/auth/exchange', { code: given });
    expect(token).toMatchObject({ status: 201, body: { organization: workspace.id, user: { email } } });
    expect((await new Client(app.current.url, token.body.token).get(`/orgs/${workspace.id}`)).status).toBe(200);
    expect((await nobody.post('/auth/exchange', { code: given })).status).toBe(404);
    const late = await code();
    app.current.setTime(new Date(Date.now() + 61_000));
    expect((await nobody.post('/auth/exchange', { code: late })).status).toBe(404);
    app.current.setTime(undefined);
    const removed = await code();
    await workspace.admin.api.delete(`/orgs/${workspace.id}/members/${(await memberOf(workspace, email))?.id ?? ''}`);
    expect((await nobody.post('/auth/exchange', { code: removed })).status).toBe(404);
    for (const elsewhere of ['https://evil.test/login', 'https://app.example.com/other', '//evil.test', 'javascript:alert(1)', `${RETURN}#x`, 'https://u:p@app.example.com/login', `${RETURN}/../other`]) {
      expect((await fetch(`${provider.service.startURL}?returnTo=${encodeURIComponent(elsewhere)}`, { redirect: 'manual' })).status).toBe(400);
    }
  });

  it('item 21: opens no account that the organization does not vouch for', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const provider = await addProvider(workspace);
    const member = await workspace.member('edit');
    const refused = await login(provider, member.email);
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('Log in with it as before') });
    expect((await login(provider, admin.email)).status).toBe(400);
    await admin.api.post(`/orgs/${id}/members/${member.id}/sso`);
    expect((await new Client(app.current.url, tokenIn((await login(provider, member.email)).text)).get('/user')).body).toMatchObject({ id: member.id });
    const stranger = await buildPerson(app.current);
    expect((await login(provider, stranger.email)).status).toBe(400);
    await admin.api.post(`/orgs/${id}/invites`, { emails: [stranger.email], role: 'comment' });
    expect((await login(provider, stranger.email)).status).toBe(400);
    await admin.api.post(`/orgs/${id}/invites`, { emails: [stranger.email], role: 'comment', sso: true });
    expect((await login(provider, stranger.email)).status).toBe(200);
    expect(await memberOf(workspace, stranger.email)).toMatchObject({ id: stranger.id, role: 'comment', sso: true });
    expect((await admin.api.get(`/orgs/${id}/invites`)).body).toMatchObject({ items: [] });
    const other = await buildOrganization(app.current);
    const theirs = await addProvider(other);
    expect((await login(theirs, stranger.email)).status).toBe(400);
    await admin.api.delete(`/orgs/${id}/members/${stranger.id}`);
    expect((await login(provider, stranger.email)).status).toBe(400);
    await app.current.database.execute('UPDATE account SET disabled = true WHERE id = $1', [member.id]);
    expect((await login(provider, member.email)).status).toBe(400);
    const enters = async (token: string) => (await new Client(app.current.url, token).get(`/orgs/${id}`)).status;
    expect([await enters(tokenIn((await login(provider, address())).text)), await enters('bdy_unknown')]).toEqual([200, 401]);
    // What one provider sends is nothing to another one, whose key may be the same.
    const { xml, relayState } = await idp.answer(await begin(provider), { email: address() });
    expect((await post(theirs.service.acsURL, form({ SAMLResponse: encoded(xml), RelayState: relayState }))).status).toBe(400);
  });
});

describe('enforced single sign-on', () => {
  it('item 21: refuses other tokens of members, and lets administrators in whatever they use', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const [member, guest] = [await workspace.member('create'), await workspace.member('none')];
    const space = (await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, { title: 'Handbook', empty: true })).body.id;
    const collection = (await admin.api.post<{ id: string }>(`/orgs/${id}/collections`, { title: 'Guides' })).body.id;
    const site = (await admin.api.post<{ id: string }>(`/orgs/${id}/sites`, { title: 'Docs' })).body.id;
    const provider = await addProvider(workspace, { defaultRole: 'create' });
    const paths = [`/orgs/${id}`, `/orgs/${id}/members`, `/orgs/${id}/sites/${site}`, `/spaces/${space}`, `/spaces/${space}/content`, `/collections/${collection}`, `/users/${admin.id}`];
    const statuses = async (api: Client) => Promise.all(paths.map(async (path) => (await api.get(path)).status));
    const all = paths.map(() => 200);
    expect(await statuses(member.api)).toEqual(all);
    expect((await admin.api.patch(`/orgs/${id}`, { sso: true })).body).toMatchObject({ sso: true });
    expect(await statuses(member.api)).toEqual([403, 403, 403, 404, 404, 404, 404]);
    expect((await member.api.get<{ error: { message: string } }>(`/orgs/${id}`)).body.error.message).toContain(`/v1/orgs/${id}/sso`);
    expect((await member.api.get('/orgs')).body).toMatchObject({ count: 0, items: [] });
    expect((await guest.api.get(`/orgs/${id}`)).status).toBe(403);
    expect((await member.api.post(`/spaces/${space}/content`, { changes: [] })).status).toBe(404);
    expect((await member.api.get('/user')).status).toBe(200);
    expect(await statuses(admin.api)).toEqual(all);
    expect((await admin.api.get('/orgs')).body).toMatchObject({ count: 1 });
    await admin.api.post(`/orgs/${id}/members/${member.id}/sso`);
    const entered = new Client(app.current.url, tokenIn((await login(provider, member.email)).text));
    expect(await statuses(entered)).toEqual(all);
    expect((await entered.get('/orgs')).body).toMatchObject({ count: 1 });
    const outsider = await buildPerson(app.current);
    expect((await outsider.api.get(`/orgs/${id}`)).status).toBe(404);
    expect((await admin.api.patch(`/orgs/${id}`, { sso: false })).status).toBe(200);
    expect(await statuses(member.api)).toEqual(all);
  });
});

describe('item 20: an answer', () => {
  it('works once, on whichever server and after whatever restart', async () => {
    const workspace = await buildOrganization(app.current);
    const provider = await addProvider(workspace, { defaultRole: 'read' });
    const email = address();
    const used = await idp.answer(await begin(provider), { email, values: { AssertionID: '_the-same' } });
    expect((await send(provider, used)).status).toBe(200);
    expect(await send(provider, used)).toMatchObject({ status: 400, text: expect.stringContaining('over') });
    const second = await TestApp.start({}, app.current.databaseUrl);
    try {
      second.nest.get(Addresses).announce(app.current.url, app.current.url.replace('127.0.0.1', 'localhost'));
      const there = provider.service.acsURL.replace(app.current.url, second.url);
      expect((await post(there, form({ SAMLResponse: encoded(used.xml), RelayState: used.relayState }))).status).toBe(400);
      const again = await idp.answer(await begin(provider), { email, values: { AssertionID: '_the-same' } });
      expect(await post(there, form({ SAMLResponse: encoded(again.xml), RelayState: again.relayState }))).toMatchObject({ status: 400, text: expect.stringContaining('used before') });
      // One that was begun here ends there, once of many times at once.
      const fresh = await idp.answer(await begin(provider), { email });
      const body = form({ SAMLResponse: encoded(fresh.xml), RelayState: fresh.relayState });
      const answers = await Promise.all([there, provider.service.acsURL, there, provider.service.acsURL].map((acsURL) => post(acsURL, body)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    } finally {
      await second.close();
    }
  });

  it('comes within ten minutes', async () => {
    const provider = await addProvider(await buildOrganization(app.current));
    const answer = await idp.answer(await begin(provider), { email: address(), values: { SubjectConfirmationDataNotOnOrAfter: new Date(Date.now() + 40 * 60_000).toISOString(), ConditionsNotOnOrAfter: new Date(Date.now() + 40 * 60_000).toISOString() } });
    app.current.setTime(new Date(Date.now() + 601_000));
    expect(await send(provider, answer)).toMatchObject({ status: 400, text: expect.stringContaining('over') });
    app.current.setTime(undefined);
  });
});

describe('an answer that cheats', () => {
  let workspace: Workspace;
  let provider: Provider;
  const victim = address();

  beforeAll(async () => {
    workspace = await buildOrganization(app.current);
    provider = await addProvider(workspace, { defaultRole: 'admin' });
  });

  const cases: readonly Case[] = [...SIGNATURES, ...WRAPPING, ...DOCUMENTS, ...FACTS];
  it.each(cases.map((each) => [`item ${each.item}: ${each.name}`, each] as const))('is refused, %s', async (_, { wish = {}, change = (xml) => xml, body, reason }) => {
    const honest = await idp.answer(await begin(provider), { email: victim, ...wish });
    const answer = { ...honest, xml: change(honest.xml) };
    const began = performance.now();
    const { status, text } = await post(provider.service.acsURL, body ? body(answer) : form({ SAMLResponse: encoded(answer.xml), RelayState: answer.relayState }));
    expect(performance.now() - began).toBeLessThan(2000);
    expect({ status, reason: /<p id="reason">([^<]*)/.exec(text)?.[1] }).toEqual({ status: 400, reason: expect.stringMatching(reason) });
    expect(text).not.toContain('id="token"');
  });

  it('has let nobody in, where an honest one does', async () => {
    expect(await app.current.database.query('SELECT FROM account WHERE email = ANY ($1)', [[victim, ATTACKER]])).toEqual([]);
    expect(await app.current.database.query('SELECT FROM member WHERE organization_id = $1', [workspace.id])).toHaveLength(1);
    for (const signs of ['assertion', 'response', 'both'] as const) expect((await login(provider, victim, { signs })).status).toBe(200);
    expect(await memberOf(workspace, victim)).toMatchObject({ role: 'admin' });
  });

  it('is no form, or comes by another method', async () => {
    const json = await fetch(provider.service.acsURL, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
    expect(json.status).toBe(400);
    expect((await fetch(provider.service.acsURL)).status).toBe(405);
    expect((await post(provider.service.acsURL.replace(provider.id, newId()), form({ SAMLResponse: 'eA==' }))).status).toBe(404);
    expect((await fetch(provider.service.entityID.replace(provider.id, newId()))).status).toBe(404);
    expect(await (await fetch(provider.service.entityID)).text()).toContain(`Location="${provider.service.acsURL}"`);
  });
});
