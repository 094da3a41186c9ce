import { createPrivateKey, X509Certificate } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Addresses } from '../../src/kernel/common/addresses.js';
import { newId } from '../../src/kernel/common/ids.js';
import { freePort } from '../../src/kernel/platform/embedded-postgres/cluster.js';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { VisitorAccess } from '../../src/publishing/published-sites/visitor-access.service.js';
import { entityIdFault } from '../../src/identity/sso/domain/web-addresses.js';
import { useApp } from '../app.js';
import { tarGzOf } from '../archives.js';
import { buildOrganization, buildPerson, type Workspace } from '../build.js';
import { Client } from '../client.js';
import { Stage } from '../faults/processes.js';
import { Browser } from './browser.js';
import { address, comparedIn, memberOf, reasonIn, startAgainIn, tokenIn } from './login-pages.js';
import { ATTACKER, encoded, form, replaced, type Case } from './saml/cases/case.js';
import { DOCUMENTS } from './saml/cases/documents.js';
import { FACTS } from './saml/cases/facts.js';
import { SIGNATURES } from './saml/cases/signatures.js';
import { WRAPPING } from './saml/cases/wrapping.js';
import { makeIdentity } from './saml/certificates.js';
import { IdentityProvider, type Answer } from './saml/identity-provider.js';
import { Logins, type Provider } from './saml/logins.js';

const RETURN = 'https://app.example.com/login';
const app = useApp({ SSO_RETURN_URLS: `${RETURN},http://127.0.0.1/native` });
const idp = new IdentityProvider();

beforeAll(() => idp.start());
afterAll(() => idp.stop());

const logins = new Logins(idp);

describe('identity providers', () => {
  it('are added by their label, completed, changed and removed', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const path = `/orgs/${id}/saml`;
    const team = (await admin.api.put<{ id: string }>(`/orgs/${id}/teams`, { title: 'Writers' })).body;
    const made = await admin.api.post<Provider>(path, { label: 'Okta' });
    expect(made.body).toMatchObject({
      object: 'saml-provider',
      status: 'pending',
      entityID: '',
      certificate: '',
      ssoURL: 'about:blank',
      defaultRole: null,
    });
    expect(made.headers.get('location')).toBe(made.body.urls.location);
    expect((await admin.api.get(`/orgs/${id}/sso`)).body).toEqual({ items: [] });
    expect((await fetch(made.body.service.startURL, { redirect: 'manual' })).status).toBe(409);
    const settings = {
      entityID: idp.entityID,
      certificate: idp.identity.certificate,
      ssoURL: `${idp.url}/sso`,
      defaultTeam: team.id,
      defaultRole: 'edit',
    };
    const changed = await admin.api.patch<Provider>(`${path}/${made.body.id}`, settings);
    expect(changed.body).toMatchObject({ ...settings, defaultTeam: { id: team.id, title: 'Writers' } });
    expect((await admin.api.get(`${path}/${made.body.id}`)).body).toEqual(changed.body);
    expect((await admin.api.get(path)).body).toMatchObject({ count: 1, items: [{ id: made.body.id }] });
    const second = (await admin.api.post<Provider>(path, { label: 'Entra' })).body.id;
    const page = (await admin.api.get<{ next?: { page: string } }>(path, { query: { limit: 1 } })).body;
    expect(page).toMatchObject({ count: 2, items: [{ id: second }] });
    expect((await admin.api.get(path, { query: { limit: 1, page: page.next?.page } })).body).toMatchObject({
      count: 2,
      items: [{ id: made.body.id }],
    });
    expect((await admin.api.delete(`${path}/${second}`)).status).toBe(204);
    expect((await new Client(app.current.url, undefined).get(`/orgs/${id}/sso`)).body).toEqual({
      items: [{ id: made.body.id, label: 'Okta', startURL: changed.body.service.startURL }],
    });
    expect(
      (await admin.api.patch(`${path}/${made.body.id}`, { defaultTeam: null, defaultRole: null })).body,
    ).not.toHaveProperty('defaultTeam');
    expect(
      (await admin.api.patch(`${path}/${made.body.id}`, { label: 'x' }, { headers: { 'If-Match': '"1.x"' } })).status,
    ).toBe(412);
    expect((await admin.api.delete(`${path}/${made.body.id}`)).status).toBe(204);
    expect((await admin.api.get(`${path}/${made.body.id}`)).status).toBe(404);
    expect((await admin.api.get(`/orgs/${newId()}/sso`)).status).toBe(404);
  });

  it('say what is wrong with certificates, addresses and teams', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const foreign = await buildOrganization(app.current);
    const team = (await foreign.admin.api.put<{ id: string }>(`/orgs/${foreign.id}/teams`, { title: 'Foreign' })).body;
    const { certificate, privateKey } = idp.identity;
    const bare = (pem: string) => pem.replace(/-----[^-]+-----|\s/g, '');
    const publicKey = new X509Certificate(certificate).publicKey;
    const own = app.current.url;
    const PRIVATE = /^holds a private key: give the certificate only/;
    const wrong: readonly (readonly [object, string, RegExp])[] = [
      [{ certificate: 'hello' }, 'certificate', /not an X.509/],
      [{ certificate: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' }, 'certificate', /not an X.509/],
      [{ certificate: `${certificate}\n${privateKey}` }, 'certificate', PRIVATE],
      [{ certificate: bare(privateKey) }, 'certificate', PRIVATE],
      [
        { certificate: createPrivateKey(privateKey).export({ type: 'pkcs1', format: 'der' }).toString('base64') },
        'certificate',
        PRIVATE,
      ],
      [
        {
          certificate: Buffer.concat([
            Buffer.from(bare(certificate), 'base64'),
            Buffer.from(bare(privateKey), 'base64'),
          ]).toString('base64'),
        },
        'certificate',
        /something behind the certificate/,
      ],
      [{ certificate: publicKey.export({ type: 'spki', format: 'pem' }) }, 'certificate', /holds a public key/],
      [
        { certificate: publicKey.export({ type: 'pkcs1', format: 'der' }).toString('base64') },
        'certificate',
        /holds a public key/,
      ],
      [
        { certificate: certificate.replaceAll('CERTIFICATE', 'TRUSTED CERTIFICATE') },
        'certificate',
        /TRUSTED CERTIFICATE/,
      ],
      [
        { certificate: certificate.replaceAll('CERTIFICATE', 'CERTIFICATE REQUEST') },
        'certificate',
        /a request for a certificate/,
      ],
      [{ certificate: certificate.replaceAll('CERTIFICATE', 'PKCS7') }, 'certificate', /bundle/],
      [
        { certificate: certificate.replaceAll('CERTIFICATE', 'EC PARAMETERS') },
        'certificate',
        /something else than a certificate/,
      ],
      [
        { certificate: certificate.replaceAll('\n', '\\n') },
        'certificate',
        /characters \\n where its lines should end/,
      ],
      [{ certificate: certificate.replace('-----END CERTIFICATE-----', '') }, 'certificate', /not whole/],
      [{ certificate: bare(certificate).slice(0, 400) }, 'certificate', /not a whole certificate/],
      [{ certificate: `Subject: CN=idp\n${certificate}` }, 'certificate', /text beside the certificate/],
      [{ certificate: `${certificate}\n${certificate}` }, 'certificate', /same certificate twice/],
      [
        { certificate: `${makeIdentity({ by: idp.identity }).certificate}\n${certificate}` },
        'certificate',
        /of the authority behind it/,
      ],
      [{ certificate: makeIdentity({ bits: 1024 }).certificate }, 'certificate', /1024 bits/],
      [{ certificate: makeIdentity({ kind: 'ec' }).certificate }, 'certificate', /RSA/],
      [
        { certificate: makeIdentity({ until: new Date(Date.now() - 86_400_000) }).certificate },
        'certificate',
        /expired on/,
      ],
      [{ certificate: `${certificate}\n`.repeat(3) }, 'certificate', /more than 2/],
      [{ ssoURL: 'http://idp.example.com/sso' }, 'ssoURL', /https/],
      [{ ssoURL: 'https://user:secret@idp.example.com/sso' }, 'ssoURL', /password/],
      [{ ssoURL: 'https://idp.example.com/sso#x' }, 'ssoURL', /after #/],
      [{ ssoURL: 'javascript:alert(1)' }, 'ssoURL', /address/],
      [{ ssoURL: `${own}/sso/saml/x/start` }, 'ssoURL', /of this service/],
      [{ ssoURL: app.current.get(Addresses).public }, 'ssoURL', /of this service/],
      [{ ssoURL: app.current.get(Addresses).app('/x') }, 'ssoURL', /of this service/],
      [{ entityID: `${own}/sso/saml/x/metadata` }, 'entityID', /of this service/],
      [{ entityID: own.toUpperCase() }, 'entityID', /of this service/],
      [{ entityID: 'two words' }, 'entityID', /spaces/],
      [{ label: ' ' }, 'label', /blank/],
      [{ defaultTeam: team.id }, 'defaultTeam', /not a team/],
    ];
    for (const [fields, path, message] of wrong) {
      const { status, body } = await admin.api.post<{ error: { details: { path: string; message: string }[] } }>(
        `/orgs/${id}/saml`,
        { label: 'Provider', ...fields },
      );
      expect({ status, detail: body.error.details[0] }).toEqual({
        status: 400,
        detail: { path, message: expect.stringMatching(message) },
      });
    }
    expect((await admin.api.get(`/orgs/${id}/saml`)).body).toMatchObject({ count: 0 });
    const oneLine = certificate.replaceAll('\n', '');
    for (const usual of [
      bare(certificate),
      oneLine,
      certificate.replaceAll('\n', '\r\n'),
      certificate.replaceAll('\n', ' '),
    ]) {
      expect((await admin.api.post(`/orgs/${id}/saml`, { label: 'Provider', certificate: usual })).body).toMatchObject({
        certificate: usual,
      });
    }
    const renewed = makeIdentity({ renews: idp.identity, until: new Date(Date.now() + 3 * 86_400_000) }).certificate;
    for (const fields of [
      { certificate: `${certificate}\n${renewed}` },
      { entityID: `${own}/auth/realms/x`, ssoURL: `${own}/auth/realms/x/protocol/saml` },
      { entityID: `${own}/v1x` },
    ]) {
      expect((await admin.api.post(`/orgs/${id}/saml`, { label: 'Provider', ...fields })).body).toMatchObject(fields);
    }
    // A proxy may give the service a folder.
    const inFolder = ['bindery', 'bindery/v1/orgs', 'bindery/auth', 'binderies/v1', 'v1'].map(
      (path) => entityIdFault(`https://example.com/${path}`, ['https://example.com/bindery']) !== undefined,
    );
    expect(inFolder).toEqual([true, true, false, false, false]);
    const provider = await logins.addProvider(workspace, { certificate: oneLine });
    expect((await logins.login(provider, address())).status).toBe(200);
  });
});

describe('a login', () => {
  it('goes through a real identity provider to a token that acts in this organization only', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const team = (await admin.api.put<{ id: string }>(`/orgs/${id}/teams`, { title: 'Readers' })).body;
    const provider = await logins.addProvider(workspace, { defaultRole: 'edit', defaultTeam: team.id });
    idp.person = { email: address(), firstName: 'Ada', lastName: 'Lovelace' };
    const page = await (await fetch(await logins.begin(provider))).text();
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';
    expect(page).toContain(`action="${provider.service.acsURL}"`);
    const done = await logins.post(
      provider.service.acsURL,
      form({ SAMLResponse: field('SAMLResponse'), RelayState: field('RelayState') }),
    );
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
    expect((await api.post('/user/tokens', { name: 'Wider' })).status).toBe(404);
    expect(
      (await api.patch(`/users/${(await api.get<{ id: string }>('/user')).body.id}`, { displayName: 'Eve' })).status,
    ).toBe(404);
    const other = await buildOrganization(app.current);
    const link = await other.admin.api.post<{ id: string }>(`/orgs/${other.id}/link-invites`, { role: 'admin' });
    expect((await api.post(`/orgs/${other.id}/invites/${link.body.id}`)).status).toBe(404);
    expect((await api.get(`/orgs/${other.id}`)).status).toBe(404);
    expect((await (await buildPerson(app.current)).api.post(`/orgs/${other.id}/invites/${link.body.id}`)).status).toBe(
      200,
    );
    const member = await memberOf(workspace, idp.person.email);
    expect(member).toMatchObject({ role: 'edit', sso: true });
    expect((await admin.api.get(`/orgs/${id}/teams/${team.id}/members`)).body).toMatchObject({
      items: [{ organization: { id: member?.id } }],
    });
    expect((await admin.api.get(`/orgs/${id}/saml/${provider.id}`)).body).toMatchObject({ status: 'active' });
    expect(
      await app.current.database.one('SELECT email_verified AS verified FROM account WHERE id = $1', [member?.id]),
    ).toEqual({ verified: false });
    const again = new Client(
      app.current.url,
      tokenIn((await logins.login(provider, idp.person.email.toUpperCase(), { signs: 'both' })).text),
    );
    expect((await again.get('/user')).body).toMatchObject({ id: member?.id });
    expect(
      (
        await admin.api.patch(`/orgs/${id}/saml/${provider.id}`, {
          certificate: idp.identity.certificate,
          ssoURL: `${idp.url}/sso?tenant=1`,
        })
      ).body,
    ).toMatchObject({ status: 'pending' });
    expect((await logins.login(provider, idp.person.email, { signs: 'response' })).status).toBe(200);
    await admin.api.delete(`/orgs/${id}/saml/${provider.id}`);
    expect((await api.get('/user')).status).toBe(401);
    expect((await memberOf(workspace, idp.person.email))?.id).toBe(member?.id);
  });

  it('goes back to an allowed application with a code that works once, for a minute', async () => {
    const workspace = await buildOrganization(app.current);
    const provider = await logins.addProvider(workspace, { defaultRole: 'read' });
    const nobody = new Client(app.current.url, undefined);
    const email = address();
    const code = async () =>
      new URL((await logins.login(provider, email, {}, `${RETURN}?state=7`)).location ?? '').searchParams.get('code') ??
      '';
    const done = await logins.login(provider, email, {}, `${RETURN}?state=7`);
    expect(done.status).toBe(303);
    expect(done.location).toMatch(/^https:\/\/app\.example\.com\/login\?state=7&code=\w{40}$/);
    const given = new URL(done.location ?? '').searchParams.get('code');
    // Whoever is refused goes back to the application all the same, once they are let in.
    const again = `start?returnTo=${encodeURIComponent(`${RETURN}?state=7`)}`;
    const outsider = await buildPerson(app.current);
    for (const [who, wish] of [
      [outsider.email, {}],
      [email, { values: { Audience: 'https://other.test/' } }],
    ] as const)
      expect(startAgainIn((await logins.login(provider, who, wish, `${RETURN}?state=7`)).text)).toBe(again);
    expect(startAgainIn((await logins.login(provider, outsider.email)).text)).toBe('start');
    const token = await nobody.post<{ token: string; organization: string }>('/auth/exchange', { code: given });
    expect(token).toMatchObject({ status: 201, body: { organization: workspace.id, user: { email } } });
    expect((await new Client(app.current.url, token.body.token).get(`/orgs/${workspace.id}`)).status).toBe(200);
    expect((await nobody.post('/auth/exchange', { code: given })).status).toBe(404);
    const soon = new Date(Math.floor(Date.now() / 1000) * 1000 + 3600_000).toISOString();
    const ends = (xml: string) => replaced(xml, ' SessionIndex=', ` SessionNotOnOrAfter="${soon}" SessionIndex=`);
    const ending = new URL(
      (await logins.login(provider, email, { before: ends }, RETURN)).location ?? '',
    ).searchParams.get('code');
    expect((await nobody.post('/auth/exchange', { code: ending })).body).toMatchObject({ expiresAt: soon });
    const brief = new Client(app.current.url, await logins.tokenOf(provider, email, { before: ends }));
    expect((await brief.get('/user')).status).toBe(200);
    app.current.setTime(new Date(Date.parse(soon) + 1));
    expect((await brief.get('/user')).status).toBe(401);
    app.current.setTime(undefined);
    const late = await code();
    app.current.setTime(new Date(Date.now() + 61_000));
    expect((await nobody.post('/auth/exchange', { code: late })).status).toBe(404);
    app.current.setTime(undefined);
    const removed = await code();
    await workspace.admin.api.delete(`/orgs/${workspace.id}/members/${(await memberOf(workspace, email))?.id ?? ''}`);
    expect((await nobody.post('/auth/exchange', { code: removed })).status).toBe(404);
    for (const elsewhere of [
      'https://evil.test/login',
      'https://app.example.com/other',
      '//evil.test',
      'javascript:alert(1)',
      `${RETURN}#x`,
      'https://u:p@app.example.com/login',
      `${RETURN}/../other`,
      'https://app.example.com:8443/login',
      'https://127.0.0.1/native',
      'http://127.0.0.1:50000/other',
      'http://localhost:50000/native',
    ]) {
      expect(
        (await fetch(`${provider.service.startURL}?returnTo=${encodeURIComponent(elsewhere)}`, { redirect: 'manual' }))
          .status,
      ).toBe(400);
    }
    // A native application listens wherever there is room.
    for (const native of ['http://127.0.0.1/native', 'http://127.0.0.1:50000/native?state=8'])
      expect((await logins.login(provider, address(), {}, native)).location).toMatch(
        `${native}${native.includes('?') ? '&' : '?'}code=`,
      );
  });

  it('3b-21 opens no account that the organization does not vouch for', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const provider = await logins.addProvider(workspace);
    const member = await workspace.member('edit');
    const refused = await logins.login(provider, member.email);
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('Log in with it as before') });
    expect((await logins.login(provider, admin.email)).status).toBe(400);
    await admin.api.post(`/orgs/${id}/members/${member.id}/sso`);
    expect(
      (await new Client(app.current.url, tokenIn((await logins.login(provider, member.email)).text)).get('/user')).body,
    ).toMatchObject({ id: member.id });
    const stranger = await buildPerson(app.current);
    expect((await logins.login(provider, stranger.email)).status).toBe(400);
    await admin.api.post(`/orgs/${id}/invites`, { emails: [stranger.email], role: 'comment' });
    expect((await logins.login(provider, stranger.email)).status).toBe(400);
    await admin.api.post(`/orgs/${id}/invites`, { emails: [stranger.email], role: 'comment', sso: true });
    expect((await logins.login(provider, stranger.email)).status).toBe(200);
    expect(await memberOf(workspace, stranger.email)).toMatchObject({ id: stranger.id, role: 'comment', sso: true });
    expect((await admin.api.get(`/orgs/${id}/invites`)).body).toMatchObject({ items: [] });
    const other = await buildOrganization(app.current);
    const theirs = await logins.addProvider(other);
    expect((await logins.login(theirs, stranger.email)).status).toBe(400);
    await admin.api.delete(`/orgs/${id}/members/${stranger.id}`);
    expect((await logins.login(provider, stranger.email)).status).toBe(400);
    await app.current.database.execute('UPDATE account SET disabled = true WHERE id = $1', [member.id]);
    expect((await logins.login(provider, member.email)).status).toBe(400);
    const enters = async (token: string) => (await new Client(app.current.url, token).get(`/orgs/${id}`)).status;
    expect([
      await enters(tokenIn((await logins.login(provider, address())).text)),
      await enters('bdy_unknown'),
    ]).toEqual([200, 401]);
    // What one provider sends is nothing to another one, whose key may be the same.
    const { xml, relayState } = await idp.answer(await logins.begin(provider), { email: address() });
    expect(
      (await logins.post(theirs.service.acsURL, form({ SAMLResponse: encoded(xml), RelayState: relayState }))).status,
    ).toBe(400);
  });
});

describe('the certificate of an identity provider', () => {
  it('is followed by another one without a break, and then counts no more', async () => {
    const workspace = await buildOrganization(app.current);
    const next = makeIdentity();
    const provider = await logins.addProvider(workspace, {
      defaultRole: 'read',
      certificate: `${idp.identity.certificate}\n${next.certificate}`,
    });
    for (const identity of [idp.identity, next])
      expect((await logins.login(provider, address(), { identity })).status).toBe(200);
    await workspace.admin.api.patch(`/orgs/${workspace.id}/saml/${provider.id}`, { certificate: next.certificate });
    expect(await logins.login(provider, address())).toMatchObject({
      status: 400,
      text: expect.stringContaining('certificate'),
    });
    expect((await logins.login(provider, address(), { identity: next })).status).toBe(200);
  });

  it('is read and replaced even where it would be refused by now', async () => {
    const workspace = await buildOrganization(app.current);
    const provider = await logins.addProvider(workspace, { defaultRole: 'read' });
    const path = `/orgs/${workspace.id}/saml/${provider.id}`;
    const kept = (certificate: string) =>
      app.current.database.execute('UPDATE identity_provider SET certificate = $2 WHERE id = $1', [
        provider.id,
        certificate,
      ]);
    await kept(
      Buffer.concat([new X509Certificate(idp.identity.certificate).raw, Buffer.from('behind')]).toString('base64'),
    );
    expect((await logins.login(provider, address())).status).toBe(200);
    expect((await logins.login(provider, address(), { identity: makeIdentity() })).status).toBe(400);
    expect((await workspace.admin.api.patch(path, { certificate: idp.identity.certificate })).status).toBe(200);
    await kept('unreadable');
    expect((await logins.login(provider, address())).status).toBe(400);
    expect((await workspace.admin.api.patch(path, { certificate: idp.identity.certificate })).status).toBe(200);
    expect((await logins.login(provider, address())).status).toBe(200);
  });

  it('3b-21 lets nobody in any more who was vouched for by the one before', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const provider = await logins.addProvider(workspace, { defaultRole: 'read' });
    const answered = async () => {
      const { xml, relayState } = await idp.answer(await logins.begin(provider), { email: address() });
      return (
        (
          await logins.browser.sendForm(
            provider.service.acsURL,
            form({ SAMLResponse: encoded(xml), RelayState: relayState }),
          )
        ).location ?? ''
      );
    };
    const [first, second, begun] = [
      await answered(),
      await answered(),
      await idp.answer(await logins.begin(provider), { email: address() }),
    ];
    await admin.api.patch(`/orgs/${id}/saml/${provider.id}`, { label: 'Renamed', defaultRole: 'comment' });
    expect((await logins.browser.open(first)).status).toBe(200);
    await admin.api.patch(`/orgs/${id}/saml/${provider.id}`, { certificate: makeIdentity().certificate });
    expect(reasonIn((await logins.browser.open(second)).text)).toMatch(/is over/);
    await admin.api.patch(`/orgs/${id}/saml/${provider.id}`, { certificate: idp.identity.certificate });
    expect(reasonIn((await logins.browser.open(second)).text)).toMatch(/is over/);
    expect(reasonIn((await logins.send(provider, begun)).text)).toMatch(/one that is over/);
    expect((await logins.login(provider, address())).status).toBe(200);
  });
});

describe('3b-21 a login in a browser', () => {
  it('ends in no browser but the one that it began in', async () => {
    const provider = await logins.addProvider(await buildOrganization(app.current), { defaultRole: 'read' });
    const [mine, other] = [new Browser(), new Browser()];
    await logins.begin(provider, undefined, other);
    const answer = await idp.answer(await logins.begin(provider, undefined, mine), { email: address() });
    const { status, location } = await mine.sendForm(
      provider.service.acsURL,
      form({ SAMLResponse: encoded(answer.xml), RelayState: answer.relayState }),
    );
    expect({ status, location }).toEqual({
      status: 303,
      location: expect.stringMatching(/\/finish\?login=_[0-9a-f]{40}&code=[0-9a-f]{40}$/),
    });
    const end = location ?? '';
    expect(await new Browser().open(end)).toMatchObject({
      status: 400,
      text: expect.stringContaining('another browser'),
    });
    expect(await other.open(end)).toMatchObject({ status: 400, text: expect.stringContaining('another browser') });
    expect(
      (await mine.open(end.replace(provider.id, (await logins.addProvider(await buildOrganization(app.current))).id)))
        .status,
    ).toBe(400);
    const forged = new Browser();
    for (const value of ['', 'x'.repeat(40), 'x'.repeat(9000), "' OR true --"]) {
      forged.cookies.set('bindery-login', value);
      expect((await forged.open(end)).status).toBe(400);
    }
    expect(await mine.open(end, { method: 'HEAD' })).toMatchObject({ status: 405 });
    expect(tokenIn((await mine.open(end)).text)).toMatch(/^bdy_/);
    expect((await mine.open(end)).status).toBe(400);
    for (const wrong of ['', '?login=', '?login=_unknown', '?login=a&login=b', '?login[x]=a'])
      expect((await mine.open(`${end.split('?', 1)[0]}${wrong}`)).status).toBe(400);
  });

  it('ends for nobody who let the browser of somebody else bring the answer', async () => {
    const provider = await logins.addProvider(await buildOrganization(app.current), { defaultRole: 'read' });
    const [attacker, victim] = [new Browser(), new Browser()];
    const answer = await idp.answer(await logins.begin(provider, undefined, attacker), { email: address() });
    const { location } = await victim.sendForm(
      provider.service.acsURL,
      form({ SAMLResponse: encoded(answer.xml), RelayState: answer.relayState }),
    );
    const known = `${provider.service.startURL.replace(/start$/, 'finish')}?login=${answer.relayState}`;
    for (const end of [known, `${known}&code=`, `${known}&code=${'0'.repeat(40)}`, `${known}&code=a&code=b`])
      expect((await attacker.open(end)).status).toBe(400);
    expect((await victim.open(location ?? '')).status).toBe(400);
    // The same login, as if the attacker's own browser had brought the answer.
    expect(tokenIn((await attacker.open(location ?? '')).text)).toMatch(/^bdy_/);
  });

  it('waits for an answer and for its browser, each for a while, and for several at once', async () => {
    const provider = await logins.addProvider(await buildOrganization(app.current), { defaultRole: 'read' });
    const mine = new Browser();
    const answers = [await logins.begin(provider, undefined, mine), await logins.begin(provider, undefined, mine)].map(
      (to) => idp.answer(to, { email: address() }),
    );
    const [first, second] = await Promise.all(answers);
    if (!first || !second) throw new Error('two logins were begun');
    const unanswered = `${provider.service.startURL.replace(/start$/, 'finish')}?login=${second.relayState}`;
    expect((await mine.open(unanswered)).status).toBe(400);
    expect((await logins.send(provider, first, mine)).status).toBe(200);
    const { location } = await mine.sendForm(
      provider.service.acsURL,
      form({ SAMLResponse: encoded(second.xml), RelayState: second.relayState }),
    );
    app.current.setTime(new Date(Date.now() + 61_000));
    expect((await mine.open(location ?? '')).status).toBe(400);
    app.current.setTime(undefined);
    expect((await mine.open(location ?? '')).status).toBe(200);
  });

  it('ends with the session at the identity provider, before the browser and before the application', async () => {
    const workspace = await buildOrganization(app.current);
    const provider = await logins.addProvider(workspace, { defaultRole: 'read' });
    const email = address();
    const soon = Date.now() + 30_000;
    const before = (xml: string) =>
      replaced(xml, ' SessionIndex=', ` SessionNotOnOrAfter="${new Date(soon).toISOString()}" SessionIndex=`);
    const answered = async (returnTo?: string) => {
      const { xml, relayState } = await idp.answer(await logins.begin(provider, returnTo), { email, before });
      return (
        (
          await logins.browser.sendForm(
            provider.service.acsURL,
            form({ SAMLResponse: encoded(xml), RelayState: relayState }),
          )
        ).location ?? ''
      );
    };
    const [late, first] = [await answered(), await answered(RETURN)];
    app.current.setTime(new Date(soon));
    const refused = await logins.browser.open(late);
    expect({ status: refused.status, reason: reasonIn(refused.text), compared: comparedIn(refused.text) }).toEqual({
      status: 400,
      reason: expect.stringMatching(/session at the identity provider is over/),
      compared: { SessionNotOnOrAfter: expect.anything() },
    });
    expect(await memberOf(workspace, email)).toBeUndefined();
    expect((await workspace.admin.api.get(`/orgs/${workspace.id}/saml/${provider.id}`)).body).toMatchObject({
      status: 'pending',
    });
    app.current.setTime(undefined);
    const code = new URL((await logins.browser.open(first)).location ?? '').searchParams.get('code');
    app.current.setTime(new Date(soon));
    expect((await new Client(app.current.url, undefined).post('/auth/exchange', { code })).status).toBe(404);
    app.current.setTime(undefined);
  });

  it('is remembered by a cookie that nobody else of the domain reads or plants', async () => {
    const provider = await logins.addProvider(await buildOrganization(app.current));
    const cookie = async () => (await new Browser().open(provider.service.startURL)).headers.get('set-cookie');
    expect(await cookie()).toMatch(/^bindery-login=\w{40}; Path=\/sso; HttpOnly; SameSite=Lax; Max-Age=600$/);
    const addresses = app.current.nest.get(Addresses);
    const { api, public: published } = addresses;
    try {
      addresses.announce('https://api.example.com/docs', published);
      expect(await cookie()).toMatch(
        /^__Host-bindery-login=\w{40}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/,
      );
      addresses.announce('http://example.com/docs', published);
      expect(await cookie()).toMatch(/^bindery-login=\w{40}; Path=\/docs\/sso; HttpOnly; SameSite=Lax; Max-Age=600$/);
    } finally {
      addresses.announce(api, published);
    }
  });
});

describe('enforced single sign-on', () => {
  it('3b-21 refuses other tokens of members, and lets administrators in whatever they use', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const [member, guest] = [await workspace.member('create'), await workspace.member('none')];
    const space = (await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, { title: 'Handbook', empty: true })).body
      .id;
    const collection = (await admin.api.post<{ id: string }>(`/orgs/${id}/collections`, { title: 'Guides' })).body.id;
    const site = (await admin.api.post<{ id: string }>(`/orgs/${id}/sites`, { title: 'Docs' })).body.id;
    const provider = await logins.addProvider(workspace, { defaultRole: 'create' });
    const paths = [
      `/orgs/${id}`,
      `/orgs/${id}/members`,
      `/orgs/${id}/sites/${site}`,
      `/spaces/${space}`,
      `/spaces/${space}/content`,
      `/collections/${collection}`,
      `/users/${admin.id}`,
    ];
    const statuses = async (api: Client) => Promise.all(paths.map(async (path) => (await api.get(path)).status));
    const all = paths.map(() => 200);
    expect(await statuses(member.api)).toEqual(all);
    expect(await admin.api.patch(`/orgs/${id}`, { sso: true })).toMatchObject({
      status: 409,
      body: {
        error: {
          message: expect.stringContaining('no identity provider of this organization is active yet'),
          details: [{ path: 'sso' }],
        },
      },
    });
    expect((await admin.api.get(`/orgs/${id}`)).body).toMatchObject({ sso: false });
    await logins.tokenOf(provider, address());
    expect((await admin.api.patch(`/orgs/${id}`, { sso: true })).body).toMatchObject({ sso: true });
    await admin.api.patch(`/orgs/${id}/saml/${provider.id}`, { ssoURL: `${idp.url}/sso?tenant=1` });
    expect((await admin.api.patch(`/orgs/${id}`, { sso: true, title: 'Still enforced' })).body).toMatchObject({
      sso: true,
    });
    expect(await statuses(member.api)).toEqual([403, 403, 403, 404, 404, 404, 404]);
    expect((await member.api.get<{ error: { message: string } }>(`/orgs/${id}`)).body.error.message).toContain(
      `/v1/orgs/${id}/sso`,
    );
    expect((await member.api.get('/orgs')).body).toMatchObject({ count: 0, items: [] });
    expect((await guest.api.get(`/orgs/${id}`)).status).toBe(403);
    expect((await member.api.post(`/spaces/${space}/content`, { changes: [] })).status).toBe(404);
    expect((await member.api.get('/user')).status).toBe(200);
    expect(await statuses(admin.api)).toEqual(all);
    expect((await admin.api.get('/orgs')).body).toMatchObject({ count: 1 });
    await admin.api.post(`/orgs/${id}/members/${member.id}/sso`);
    const entered = new Client(app.current.url, tokenIn((await logins.login(provider, member.email)).text));
    expect(await statuses(entered)).toEqual(all);
    expect((await entered.get('/orgs')).body).toMatchObject({ count: 1 });
    const outsider = await buildPerson(app.current);
    expect((await outsider.api.get(`/orgs/${id}`)).status).toBe(404);
    expect(
      (await admin.api.delete<{ error: { message: string } }>(`/orgs/${id}/saml/${provider.id}`)).body.error.message,
    ).toMatch(/last way to log in/);
    const second = await logins.addProvider(workspace, {});
    expect((await admin.api.delete(`/orgs/${id}/saml/${provider.id}`)).status).toBe(409);
    expect((await admin.api.delete(`/orgs/${id}/saml/${second.id}`)).status).toBe(204);
    expect((await admin.api.patch(`/orgs/${id}`, { sso: false })).status).toBe(200);
    expect(await statuses(member.api)).toEqual(all);
    expect((await admin.api.delete(`/orgs/${id}/saml/${provider.id}`)).status).toBe(204);
  });

  it('3b-21 holds for what goes on behind requests: imports, previews and what members see of sites', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const provider = await logins.addProvider(workspace, { defaultRole: 'create' });
    const outside = await workspace.member('create');
    const space = (
      await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, { title: 'Handbook', empty: true, editMode: 'live' })
    ).body.id;
    const { id: site, basename } = (
      await admin.api.post<{ id: string; basename: string }>(`/orgs/${id}/sites`, { title: 'Docs', spaces: [space] })
    ).body;
    const preview = (api: Client) => api.get<{ url: string }>(`/orgs/${id}/sites/${site}/publishing/preview`);
    const ping = async (api: Client) =>
      (await api.post<{ serviceVisitorClaims: string }>(`/orgs/${id}/ping`)).body.serviceVisitorClaims;
    const enters = async (jwtToken: string) =>
      (
        await app.current
          .get(VisitorAccess)
          .enter({ host: new URL(app.current.get(Addresses).public).host, path: `/${basename}` }, { jwtToken })
      )?.entrance !== undefined;
    const token = await ping(outside.api);
    expect(await enters(token)).toBe(true);
    const entered = new Client(app.current.url, await logins.tokenOf(provider, address()));
    await admin.api.patch(`/orgs/${id}`, { sso: true });
    expect(await enters(token)).toBe(false);
    expect((await preview(outside.api)).status).toBe(403);
    expect((await preview(entered)).status).toBe(200);
    expect(await enters(await ping(entered))).toBe(true);
    const begun = await entered.post<{ id: string }>(`/spaces/${space}/import`, undefined, {
      raw: tarGzOf({ 'README.md': '# Home\n', 'start.md': '# Start\n' }),
      headers: { 'Content-Type': 'application/gzip' },
    });
    await app.current.get(Jobs).drain();
    expect((await entered.get(`/org/${id}/imports/${begun.body.id}`)).body).toMatchObject({ status: 'completed' });
    // What is meant for readers asks nobody to log in.
    await admin.api.post(`/orgs/${id}/sites/${site}/publish`);
    expect(
      await app.current
        .get(VisitorAccess)
        .enter({ host: new URL(app.current.get(Addresses).public).host, path: `/${basename}` }, {}),
    ).toHaveProperty('entrance.visit');
  });
});

describe('3b-20 an answer', () => {
  it('works once, on whichever server and after whatever restart', async () => {
    const provider = await logins.addProvider(await buildOrganization(app.current), { defaultRole: 'read' });
    const email = address();
    const bodyOf = ({ xml, relayState }: Answer) => form({ SAMLResponse: encoded(xml), RelayState: relayState });
    const answer = async (values = {}) => idp.answer(await logins.begin(provider), { email, values });
    const used = await answer({ AssertionID: '_the-same' });
    expect((await logins.send(provider, used)).status).toBe(200);
    expect(await logins.send(provider, used)).toMatchObject({ status: 400, text: expect.stringContaining('over') });
    const stage = await Stage.open();
    const PORT = String(await freePort());
    const env = {
      PORT,
      API_URL: app.current.url,
      DATABASE_URL: app.current.databaseUrl,
      SECRET_KEY: app.current.config.secretKey?.join() ?? '',
      RATE_LIMIT_ANONYMOUS_PER_MINUTE: '0',
    };
    const there = provider.service.acsURL.replace(app.current.url, `http://127.0.0.1:${PORT}`);
    try {
      const { server } = await stage.serve({ env });
      expect((await logins.post(there, bodyOf(used))).status).toBe(400);
      const again = await answer({ AssertionID: '_the-same' });
      expect(await logins.post(there, bodyOf(again))).toMatchObject({
        status: 400,
        text: expect.stringContaining('used before'),
      });
      // Begun here, and answered on both, once of many times at once.
      const fresh = await answer();
      const statuses = await Promise.all(
        [there, provider.service.acsURL, there, provider.service.acsURL].map((acsURL) =>
          logins.post(acsURL, bodyOf(fresh)),
        ),
      );
      expect(statuses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
      const last = await answer();
      expect((await logins.post(there, bodyOf(last))).status).toBe(200);
      await server.kill('SIGKILL');
      await stage.serve({ env });
      for (const each of [used, again, fresh, last]) expect((await logins.post(there, bodyOf(each))).status).toBe(400);
      expect((await logins.post(there, bodyOf(await answer()))).status).toBe(200);
    } finally {
      await stage.close();
    }
  }, 120_000);

  it('comes within ten minutes', async () => {
    const provider = await logins.addProvider(await buildOrganization(app.current));
    const answer = await idp.answer(await logins.begin(provider), {
      email: address(),
      values: {
        SubjectConfirmationDataNotOnOrAfter: new Date(Date.now() + 40 * 60_000).toISOString(),
        ConditionsNotOnOrAfter: new Date(Date.now() + 40 * 60_000).toISOString(),
      },
    });
    app.current.setTime(new Date(Date.now() + 601_000));
    expect(await logins.send(provider, answer)).toMatchObject({ status: 400, text: expect.stringContaining('over') });
    app.current.setTime(undefined);
  });
});

describe('an answer that cheats', () => {
  let workspace: Workspace;
  let provider: Provider;
  const victim = address();
  const cases: readonly Case[] = [...SIGNATURES, ...WRAPPING, ...DOCUMENTS, ...FACTS];

  beforeAll(async () => {
    workspace = await buildOrganization(app.current);
    provider = await logins.addProvider(workspace, { defaultRole: 'admin' });
  });

  const areRefused = (item: Case['item']) =>
    it.each(cases.filter((each) => each.item === item).map((each) => [each.name, each] as const))(
      'is refused: %s',
      async (_, { wish = {}, change = (xml) => xml, body, reason, compared }) => {
        const honest = await idp.answer(await logins.begin(provider), { email: victim, ...wish });
        const answer = { ...honest, xml: change(honest.xml) };
        const began = performance.now();
        const { status, text, location } = await logins.post(
          provider.service.acsURL,
          body ? body(answer) : form({ SAMLResponse: encoded(answer.xml), RelayState: answer.relayState }),
        );
        expect(performance.now() - began).toBeLessThan(10_000);
        expect({ status, location, reason: reasonIn(text) }).toEqual({
          status: 400,
          location: null,
          reason: expect.stringMatching(reason),
        });
        expect(text).not.toContain('id="token"');
        expect(comparedIn(text)).toMatchObject(compared?.(provider) ?? {});
      },
    );

  describe('3b-18 with a signature that is not its own, or with something beside what is signed', () => areRefused(18));
  describe('3b-19 with something that is read in two ways', () => areRefused(19));
  describe('3b-20 with facts of another login, or XML that costs too much', () => areRefused(20));
  describe('3b-21 with another place to go to', () => areRefused(21));

  it('3b-18 has let nobody in, where an honest one does, signed in whichever place', async () => {
    expect(
      await app.current.database.query('SELECT FROM account WHERE email = ANY ($1)', [[victim, ATTACKER]]),
    ).toEqual([]);
    expect(
      await app.current.database.query('SELECT FROM member WHERE organization_id = $1', [workspace.id]),
    ).toHaveLength(1);
    for (const signs of ['assertion', 'response', 'both'] as const)
      expect((await logins.login(provider, victim, { signs })).status).toBe(200);
    expect(await memberOf(workspace, victim)).toMatchObject({ role: 'admin' });
  });

  it('3b-19 says nothing outside of what is signed', async () => {
    const email = address();
    const honest = await idp.answer(await logins.begin(provider), { email });
    const named = replaced(
      /<saml:Subject>[\s\S]*<\/saml:Subject>/.exec(honest.xml)?.[0] ?? '',
      `>${email}<`,
      `>${ATTACKER}<`,
    );
    const xml = replaced(
      honest.xml,
      '<samlp:Status>',
      `<samlp:Extensions>${named}</samlp:Extensions><samlp:Status>`,
    ).replace('<samlp:Response ', `<samlp:Response NameID="${ATTACKER}" `);
    const { text } = await logins.send(provider, { ...honest, xml });
    expect((await new Client(app.current.url, tokenIn(text)).get('/user')).body).toMatchObject({ email });
    expect(await app.current.database.query('SELECT FROM account WHERE email = $1', [ATTACKER])).toEqual([]);
  });

  it('3b-20 is refused before it is unpacked, or read to its end', async () => {
    const send = (init: RequestInit & { duplex?: 'half' }) =>
      fetch(provider.service.acsURL, {
        method: 'POST',
        ...init,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...init.headers },
      });
    const packed = await send({
      headers: { 'Content-Encoding': 'gzip' },
      body: new Uint8Array(gzipSync(Buffer.alloc(50 * 1024 * 1024, 'x'))),
    });
    expect([packed.status, reasonIn(await packed.text())]).toEqual([400, expect.stringContaining('compressed')]);
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(Buffer.alloc(64 * 1024, 'A')) });
    expect([400, 'cut off']).toContain(
      await send({ body: endless, duplex: 'half' }).then(
        ({ status }) => status,
        () => 'cut off',
      ),
    );
  });

  it('3b-20 is no form, or comes by another method', async () => {
    const json = await fetch(provider.service.acsURL, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect(json.status).toBe(400);
    expect((await fetch(provider.service.acsURL)).status).toBe(405);
    expect((await fetch(provider.service.startURL, { method: 'HEAD', redirect: 'manual' })).headers.get('allow')).toBe(
      'GET',
    );
    expect((await fetch(provider.service.entityID, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(provider.service.entityID, { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD');
    expect(
      (await logins.post(provider.service.acsURL.replace(provider.id, newId()), form({ SAMLResponse: 'eA==' }))).status,
    ).toBe(404);
    expect((await fetch(provider.service.entityID.replace(provider.id, newId()))).status).toBe(404);
    const metadata = await (await fetch(provider.service.entityID)).text();
    expect(metadata).toContain(`Location="${provider.service.acsURL}"`);
    // Either signature is taken, so none is asked for.
    expect(metadata).not.toContain('WantAssertionsSigned');
  });
});
