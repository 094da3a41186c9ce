import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Clock } from '../../src/kernel/common/clock.js';
import { runInContext } from '../../src/kernel/common/context.js';
import { newId } from '../../src/kernel/common/ids.js';
import { AuditRetentionJob } from '../../src/operations/audit/audit-retention.job.js';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import type { NewEvent } from '../../src/kernel/platform/manifest/events.js';
import { Registry } from '../../src/kernel/platform/manifest/registry.js';
import { OutboxRelay } from '../../src/kernel/platform/outbox-relay.js';
import { Outbox } from '../../src/kernel/platform/outbox.js';
import { ExpiredSpacesJob } from '../../src/workspace/spaces/expired-spaces.job.js';
import { Members } from '../../src/identity/organizations/members.service.js';
import { Tokens } from '../../src/identity/users/tokens.service.js';
import { maskedEmail } from '../../src/identity/users/domain/masked-email.js';
import { TestApp, useApp } from '../app.js';
import { buildOrganization, buildPerson, type Workspace } from '../build.js';
import { Client } from '../client.js';
import { address, tokenIn } from './login-pages.js';
import { makeIdentity } from './saml/certificates.js';
import { IdentityProvider } from './saml/identity-provider.js';
import { Logins } from './saml/logins.js';

const DAY = 24 * 3600 * 1000;
const app = useApp({ TRUSTED_PROXIES: 'loopback', AUDIT_RETENTION_DAYS: '300' });

interface Line {
  id: string;
  action: string;
  occurredAt: string;
  actor: { type: string; id: string; label?: string; token?: { id: string; name?: string } };
  source: string;
  target: { type: string; id: string; label?: string };
  context: { ipAddress?: string; userAgent?: string };
  executionId: string;
  correlationId?: string;
  payload: Record<string, unknown>;
  urls: { location: string };
}
interface List {
  items: Line[];
  count: number;
  next?: { page: string };
}
type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>;

const read = async ({ id, admin }: Workspace, query: Query = {}) =>
  (await admin.api.get<List>(`/orgs/${id}/audit-events`, { query })).body;
const latest = async (workspace: Workspace) => (await read(workspace, { limit: 1 })).items[0];
const idOf = async (answer: Promise<{ body: { id: string } }>) => (await answer).body.id;
const space = ({ id, admin }: Workspace, title = 'Handbook') =>
  idOf(admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, { title }));
const record = (event: NewEvent) => app.current.database.transaction(() => app.current.get(Outbox).record(event));

// Lines of one millisecond have no order, so each reading of the clock gives a later one.
let time = 0;
beforeEach(() => {
  app.current.get(Clock).now = () => new Date((time = Math.max(time + 1, Date.now())));
});

describe('a line', () => {
  it('tells who did what to which object, with what token, from where', async () => {
    const workspace = await buildOrganization(app.current);
    const { row, secret } = await app.current.get(Tokens).issue(workspace.admin.id, { name: 'Deploys' });
    const headers = {
      'X-Forwarded-For': '203.0.113.9, 198.51.100.7',
      'User-Agent': `Deployer/1 ${'x'.repeat(300)}`,
      'X-Request-Id': 'deploy-number-17',
    };
    const team = await new Client(app.current.url, secret).put<{ id: string }>(
      `/orgs/${workspace.id}/teams`,
      { title: 'Writers' },
      { headers },
    );
    const line = await latest(workspace);
    expect(line).toEqual({
      object: 'audit-event',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      occurredAt: expect.stringMatching(/Z$/),
      action: 'team_created',
      actor: {
        type: 'user',
        id: workspace.admin.id,
        label: expect.stringMatching(/^Person /),
        token: { id: row.id, name: 'Deploys' },
      },
      source: 'api',
      target: { type: 'team', id: team.body.id, label: 'Writers' },
      // The nearest address that is no trusted proxy: what stands before it the client may have made up.
      context: { ipAddress: '198.51.100.7', userAgent: headers['User-Agent'].slice(0, 200) },
      executionId: expect.any(String),
      correlationId: 'deploy-number-17',
      schemaVersion: 1,
      payload: { title: 'Writers' },
      urls: { location: `${app.current.url}/v1/orgs/${workspace.id}/audit-events/${line?.id ?? ''}` },
    });
    expect((await workspace.admin.api.get(`/orgs/${workspace.id}/audit-events/${line?.id ?? ''}`)).body).toEqual(line);
    expect(await app.current.database.one('SELECT type FROM event WHERE id = $1', [line?.executionId])).toEqual({
      type: 'team_created',
    });
  });

  it('believes addresses of trusted proxies only', async () => {
    const direct = await TestApp.start({}, app.current.databaseUrl);
    try {
      const workspace = await buildOrganization(direct);
      await workspace.admin.api.put(
        `/orgs/${workspace.id}/teams`,
        { title: 'Writers' },
        { headers: { 'X-Forwarded-For': '203.0.113.9' } },
      );
      expect((await latest(workspace))?.context.ipAddress).toMatch(/127\.0\.0\.1$/);
    } finally {
      await direct.close();
    }
  });

  it('tells rights before and after', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const person = await workspace.member('edit');
    const [spaceId, teamId] = [
      await space(workspace),
      await idOf(admin.api.put<{ id: string }>(`/orgs/${id}/teams`, { title: 'Writers' })),
    ];
    const changes = async () => (await latest(workspace))?.payload['changes'];
    await admin.api.patch(`/orgs/${id}/members/${person.id}`, { role: 'comment' });
    expect(await changes()).toEqual([{ field: 'role', before: 'edit', after: 'comment' }]);
    await admin.api.post(`/spaces/${spaceId}/permissions`, { users: [person.id], teams: [teamId], role: 'read' });
    expect(await changes()).toEqual([
      { field: 'role', before: null, after: 'read', userId: person.id },
      { field: 'role', before: null, after: 'read', teamId },
    ]);
    await admin.api.post(`/spaces/${spaceId}/permissions`, { users: [person.id], teams: [teamId], role: 'edit' });
    expect(await changes()).toHaveLength(2);
    await admin.api.patch(`/spaces/${spaceId}/permissions/users/${person.id}`, { role: 'review' });
    expect(await changes()).toEqual([{ field: 'role', before: 'edit', after: 'review', userId: person.id }]);
    await admin.api.delete(`/spaces/${spaceId}/permissions/teams/${teamId}`);
    expect(await changes()).toEqual([{ field: 'role', before: 'edit', after: null, teamId }]);
    await admin.api.patch(`/spaces/${spaceId}`, { defaultLevel: 'read', title: 'Guide' });
    expect(await latest(workspace)).toMatchObject({
      action: 'space_updated',
      target: { id: spaceId, label: 'Guide' },
      payload: {
        fields: ['title', 'defaultLevel'],
        changes: [
          { field: 'title', before: 'Handbook', after: 'Guide' },
          { field: 'defaultLevel', before: null, after: 'read' },
        ],
      },
    });
    const collection = await idOf(admin.api.post<{ id: string }>(`/orgs/${id}/collections`, { title: 'Products' }));
    await admin.api.patch(`/collections/${collection}`, { description: 'What we think of them', defaultLevel: 'read' });
    expect((await latest(workspace))?.payload).toEqual({
      fields: ['description', 'defaultLevel'],
      changes: [{ field: 'defaultLevel', before: null, after: 'read' }],
    });
    await admin.api.patch(`/orgs/${id}`, { defaultRole: 'read', emailDomains: ['example.com'] });
    expect(await latest(workspace)).toMatchObject({
      action: 'organization_updated',
      payload: {
        fields: ['emailDomains', 'defaultRole'],
        changes: [
          { field: 'emailDomains', before: [], after: ['example.com'] },
          { field: 'defaultRole', before: 'none', after: 'read' },
        ],
      },
    });
    await admin.api.patch(`/orgs/${id}`, { hostname: id.toLowerCase() });
    expect(await changes()).toEqual([{ field: 'hostname', before: null, after: id.toLowerCase() }]);
    await admin.api.patch(`/orgs/${id}`, { ai: true });
    expect(await changes()).toEqual([{ field: 'ai', before: false, after: true }]);
    await admin.api.post(`/orgs/${id}/invites`, { emails: ['ada@example.com'], role: 'edit', sso: true });
    expect(await latest(workspace)).toMatchObject({
      action: 'invitation_created',
      payload: { role: 'edit', sso: true },
    });
    await app.current.get(Tokens).issue(person.id, { name: 'Here', organizationId: id });
    await admin.api.delete(`/orgs/${id}/members/${person.id}`);
    expect(await latest(workspace)).toMatchObject({
      action: 'member_removed',
      target: { id: person.id },
      payload: { endedTokens: 1, changes: [{ field: 'role', before: 'comment', after: null }] },
    });
  });

  it('can be read when all that it names is gone, and has no whole address of a person', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const collection = await idOf(admin.api.post<{ id: string }>(`/orgs/${id}/collections`, { title: 'Products' }));
    const site = await idOf(
      admin.api.post<{ id: string }>(`/orgs/${id}/sites`, {
        type: 'basic',
        title: 'Docs',
        spaces: [await space(workspace)],
      }),
    );
    const link = await idOf(
      admin.api.post<{ id: string }>(`/orgs/${id}/sites/${site}/share-links`, { name: 'For partners' }),
    );
    await admin.api.delete(`/orgs/${id}/sites/${site}/share-links/${link}`);
    await admin.api.delete(`/orgs/${id}/sites/${site}`);
    await admin.api.delete(`/collections/${collection}`);
    await admin.api.post(`/orgs/${id}/invites`, { emails: ['somebody@partner.example.com'] });
    const token = await idOf(admin.api.post<{ id: string }>('/user/tokens', { name: 'Short-lived' }));
    await admin.api.delete(`/user/tokens/${token}`);
    const { items } = await read(workspace);
    expect(items.map(({ action, target }) => [action, target.label])).toEqual([
      ['token_revoked', 'Short-lived'],
      ['token_created', 'Short-lived'],
      ['invitation_created', 's***@partner.example.com'],
      ['collection_deleted', 'Products'],
      ['site_deleted', 'Docs'],
      ['site_share_link_deleted', 'For partners'],
      ['site_share_link_created', 'For partners'],
      ['site_created', 'Docs'],
      ['space_created', 'Handbook'],
      ['collection_created', 'Products'],
      ['organization_created', 'Test organization'],
    ]);
    expect(JSON.stringify(items)).not.toMatch(/somebody@|bdy_/);
  });

  it('tells to which service content is sent, and from which one it is taken, by host alone', async () => {
    const workspace = await buildOrganization(app.current);
    const id = await space(workspace);
    const order = {
      url: 'https://ada:password@git.example.com/private/docs.git',
      ref: 'main',
      commitMessage: 'Write it down',
    };
    const person = { type: 'user', id: workspace.admin.id };
    for (const [kind, source] of [
      ['export', 'git-export'],
      ['import', 'git'],
    ]) {
      expect((await workspace.admin.api.post(`/spaces/${id}/git/${kind}`, order)).status).toBe(204);
      const [line] = (await read(workspace, { action: 'import_started', limit: 1 })).items;
      expect(line).toMatchObject({
        source: 'api',
        actor: person,
        target: { type: 'importRun', label: 'https://git.example.com' },
        payload: { source, spaceId: id },
      });
      expect(JSON.stringify(line)).not.toMatch(/ada:|password|private/);
    }
  });

  it('of a token stands in every organization that the token opens, and in no other', async () => {
    const [here, there, foreign] = [
      await buildOrganization(app.current),
      await buildOrganization(app.current),
      await buildOrganization(app.current),
    ];
    const person = await here.member('read');
    await app.current.database.execute(
      `INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ($1, $2, 'read', now())`,
      [there.id, person.id],
    );
    const [wide, narrow] = [
      await app.current.get(Tokens).issue(person.id, { name: 'Wide' }),
      await app.current.get(Tokens).issue(person.id, { name: 'Narrow', organizationId: here.id }),
    ];
    await app.current.get(Tokens).revokeById(wide.row.id);
    await app.current.get(Tokens).revokeById(narrow.row.id);
    const told = async (workspace: Workspace) =>
      (await read(workspace, { action: ['token_created', 'token_revoked'] })).items.map(
        ({ action, target }) => `${action} ${target.label ?? ''}`,
      );
    expect(await told(here)).toEqual([
      'token_revoked Narrow',
      'token_revoked Wide',
      'token_created Narrow',
      'token_created Wide',
    ]);
    expect(await told(there)).toEqual(['token_revoked Wide', 'token_created Wide']);
    expect(await told(foreign)).toEqual([]);
  });

  it('of a token tells what limits it', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const told = async () => (await latest(workspace))?.payload;
    await app.current.get(Tokens).issue(admin.id, { name: 'Everything' });
    expect(await told()).toEqual({ userId: admin.id, name: 'Everything' });
    const limits = { scopes: ['organization:audit:read'], expiresAt: '2099-12-31T00:00:00.000Z' };
    await admin.api.post('/user/tokens', { name: 'Collector', ...limits });
    expect(await told()).toEqual({ userId: admin.id, name: 'Collector', ...limits });
    await app.current.get(Tokens).issue(admin.id, { name: 'Here', organizationId: id });
    expect(await told()).toEqual({ userId: admin.id, name: 'Here', onlyOrganizationId: id });
  });

  it('names the service itself, the command line, and whoever accepts an invitation', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const spaceId = await space(workspace);
    await admin.api.delete(`/spaces/${spaceId}`);
    app.current.setTime(new Date(Date.now() + 8 * DAY));
    await app.current.get(ExpiredSpacesJob).remove();
    app.current.setTime(undefined);
    expect(await latest(workspace)).toMatchObject({
      action: 'space_removed',
      source: 'workflow',
      actor: { type: 'system', id: 'system', label: 'Bindery' },
      target: { id: spaceId, label: 'Handbook' },
      context: {},
    });
    await runInContext({ requestId: 'command', ip: undefined, ifMatch: undefined, source: 'script' }, () =>
      app.current.get(Tokens).issue(admin.id, { name: 'By hand' }),
    );
    expect((await read(workspace, { action: 'token_created', actor: 'system' })).items[0]).toMatchObject({
      source: 'script',
      target: { label: 'By hand' },
    });
    await admin.api.post(`/orgs/${id}/invites`, { emails: [`${newId()}@example.com`] });
    const { body: invited } = await admin.api.get<{ items: { urls: { invitation: string } }[] }>(`/orgs/${id}/invites`);
    const secret =
      /([^/]+)$/.exec(JSON.stringify(invited.items[0]?.urls ?? {}).match(/\/auth\/invitations\/\w+/)?.[0] ?? '')?.[1] ??
      '';
    const { body: made } = await new Client(app.current.url, undefined).post<{ user: { id: string } }>(
      `/auth/invitations/${secret}`,
      { displayName: 'Grace Hopper' },
    );
    const { items } = await read(workspace, { actor: made.user.id });
    expect(items.map(({ action }) => action).sort()).toEqual(['invitation_accepted', 'member_joined', 'token_created']);
    expect(items[0]?.actor).toEqual({ type: 'user', id: made.user.id, label: 'Grace Hopper' });
  });
});

describe('logins through identity providers', () => {
  const idp = new IdentityProvider();
  const logins = new Logins(idp);
  beforeAll(() => idp.start());
  afterAll(() => idp.stop());

  it('are told, those that made an account and those that were refused too, with the provider and without addresses', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const provider = await logins.addProvider(workspace, { label: 'Okta', defaultRole: 'read' });
    const print = (certificate: string) => `SHA-256 ${new X509Certificate(certificate).fingerprint256}`;
    const [own, next] = [idp.identity.certificate, makeIdentity().certificate];
    expect(await latest(workspace)).toMatchObject({
      action: 'saml_provider_created',
      target: { type: 'samlProvider', id: provider.id, label: 'Okta' },
      payload: {
        changes: [
          { field: 'label', before: '', after: 'Okta' },
          { field: 'defaultRole', before: 'none', after: 'read' },
          { field: 'entityID', before: null, after: idp.entityID },
          { field: 'certificate', before: null, after: [print(own)] },
          { field: 'ssoURL', before: null, after: `${idp.url}/sso` },
        ],
      },
    });
    await admin.api.patch(`/orgs/${id}/saml/${provider.id}`, { defaultRole: 'edit', certificate: `${own}\n${next}` });
    expect(await latest(workspace)).toMatchObject({
      action: 'saml_provider_updated',
      payload: {
        changes: [
          { field: 'defaultRole', before: 'read', after: 'edit' },
          { field: 'certificate', before: [print(own)], after: [print(own), print(next)] },
        ],
      },
    });
    const email = address();
    const token = tokenIn((await logins.login(provider, email)).text);
    const { items } = await read(workspace, { limit: 3 });
    const okta = { type: 'integration', id: provider.id, label: 'Okta' };
    const person = { type: 'user', id: items[0]?.target.type === 'user' ? items[0].target.id : items[1]?.target.id };
    expect(
      items
        .map(({ action, source, actor }) => ({ action, source, actor }))
        .sort((a, b) => (a.action < b.action ? -1 : 1)),
    ).toEqual([
      { action: 'member_joined', source: 'integration', actor: okta },
      { action: 'member_signed_in', source: 'integration', actor: expect.objectContaining(person) },
      { action: 'token_created', source: 'integration', actor: expect.objectContaining(person) },
    ]);
    expect(items[0]?.context.ipAddress).toMatch(/127\.0\.0\.1$/);
    const outsider = await buildPerson(app.current);
    expect((await logins.login(provider, outsider.email)).status).toBe(400);
    expect(await latest(workspace)).toMatchObject({
      action: 'login_refused',
      source: 'integration',
      actor: okta,
      target: { type: 'organization', id },
      payload: {
        samlProviderId: provider.id,
        verified: true,
        person: maskedEmail(outsider.email),
        reason: expect.stringMatching(/^There is an account for your address already/),
      },
    });
    expect((await latest(workspace))?.payload).not.toHaveProperty('userId');
    const member = await workspace.member('read');
    expect((await logins.login(provider, member.email)).status).toBe(400);
    expect((await latest(workspace))?.payload).toMatchObject({
      verified: true,
      userId: member.id,
      person: maskedEmail(member.email),
    });
    // In a minute of their own, which one address cannot use up.
    app.current.setTime(new Date(Date.now() - 120_000));
    const refuse = (from: string) =>
      fetch(provider.service.acsURL, {
        method: 'POST',
        headers: { 'X-Forwarded-For': from },
        body: new URLSearchParams({ SAMLResponse: '!' }),
      });
    for (let i = 0; i < 8; i++) expect((await refuse('203.0.113.9')).status).toBe(400);
    for (let i = 0; i < 30; i++) await refuse(`198.51.100.${i}`);
    app.current.setTime(undefined);
    const refused = (await read(workspace, { action: 'login_refused', actor: provider.id, limit: 100 })).items.filter(
      ({ payload }) => payload['reason'] === 'The answer of the identity provider is not base64',
    );
    expect(
      refused.every(({ payload }) => payload['verified'] === false && !('person' in payload) && !('userId' in payload)),
    ).toBe(true);
    expect([refused.length, refused.filter(({ context }) => context.ipAddress === '203.0.113.9').length]).toEqual([
      30, 5,
    ]);
    await admin.api.patch(`/orgs/${id}`, { sso: true });
    expect(await latest(workspace)).toMatchObject({
      action: 'organization_updated',
      payload: { changes: [{ field: 'sso', before: false, after: true }] },
    });
    await admin.api.patch(`/orgs/${id}`, { sso: false });
    await admin.api.delete(`/orgs/${id}/saml/${provider.id}`);
    expect(await latest(workspace)).toMatchObject({
      action: 'saml_provider_deleted',
      target: { label: 'Okta' },
      payload: { endedTokens: 1 },
    });
    const all = JSON.stringify((await read(workspace, { limit: 1000 })).items);
    expect(all).not.toContain(token);
    expect(all).not.toMatch(/[a-z0-9]@example\.com|CERTIFICATE/);
  });
});

describe('the list', () => {
  it('is filtered by action, actor, target and time, and turned page by page while lines are added', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    const other = await workspace.member('admin');
    const base = Date.parse('2026-03-01T00:00:00.000Z');
    const spaces: string[] = [];
    for (let i = 0; i < 6; i++) {
      app.current.setTime(new Date(base + i * 1000));
      const by = i % 2 === 0 ? admin : other;
      spaces.push(await idOf(by.api.post<{ id: string }>(`/orgs/${id}/spaces`, { title: `Space ${i}` })));
      if (i < 2) await by.api.delete(`/spaces/${spaces[i] ?? ''}`);
    }
    app.current.setTime(undefined);
    const told = async (query: Query) =>
      (await read(workspace, query)).items.map(
        ({ action, target }) => `${action === 'space_created' ? '+' : '-'}${spaces.indexOf(target.id)}`,
      );
    const within = { from: new Date(base).toISOString(), to: new Date(base + 5000).toISOString() };
    const all = ['+5', '+4', '+3', '+2', '+0', '+1', '-0', '-1'];
    expect((await told(within)).sort()).toEqual([...all].sort());
    expect(await told({ ...within, action: 'space_deleted' })).toEqual(['-1', '-0']);
    expect(await told({ ...within, action: ['space_deleted', 'space_created'], actor: other.id })).toEqual(
      expect.arrayContaining(['+5', '+3', '+1', '-1']),
    );
    expect(await told({ ...within, actor: other.id, action: 'space_created' })).toEqual(['+5', '+3', '+1']);
    expect((await told({ target: spaces[0] })).sort()).toEqual(['+0', '-0']);
    expect(await told({ ...within, from: new Date(base + 4000).toISOString() })).toEqual(['+5', '+4']);
    expect(await told({ from: within.from, to: new Date(base).toISOString(), action: 'space_created' })).toEqual([
      '+0',
    ]);
    expect((await told({ ...within, action: 'space_created' })).sort()).toEqual(
      all.filter((line) => line.startsWith('+')).sort(),
    );
    expect(await told({ ...within, action: 'team_created' })).toEqual([]);
    const seen: string[] = [];
    let page: string | undefined;
    do {
      const answer = await read(workspace, { ...within, limit: 3, page });
      expect(answer.count).toBe(8);
      seen.push(...answer.items.map((line) => line.id));
      page = answer.next?.page;
      await admin.api.put(`/orgs/${id}/teams`, { title: `Team ${seen.length}` });
    } while (page !== undefined);
    expect(new Set(seen).size).toBe(8);
    const token = (await read(workspace, { limit: 1 })).next?.page;
    expect(
      (await admin.api.get(`/orgs/${id}/audit-events`, { query: { limit: 1, page: token, action: 'space_deleted' } }))
        .status,
    ).toBe(400);
  });

  it('counts no further than 10,000', async () => {
    const workspace = await buildOrganization(app.current);
    await app.current.database.execute(
      `INSERT INTO audit_event (id, organization_id, event_id, occurred_at, action, source, actor_type, actor_id, target_type, target_id, payload)
       SELECT gen_random_uuid()::text, $1, n::text, now(), 'team_created', 'api', 'user', 'nobody', 'team', 'team', '{}' FROM generate_series(1, 10100) n`,
      [workspace.id],
    );
    expect((await read(workspace, { limit: 1 })).count).toBe(10_000);
    expect((await read(workspace, { limit: 1000, action: 'team_created' })).items).toHaveLength(1000);
  });

  it('says what is wrong with a filter', async () => {
    const { id, admin } = await buildOrganization(app.current);
    for (const [query, path] of [
      [{ action: 'space_flown' }, 'action.0'],
      [{ from: 'yesterday' }, 'from'],
      [{ to: '2026-W01-1' }, 'to'],
      [{ from: '0000-01-01T00:00:00Z' }, 'from'],
      [{ limit: 1001 }, 'limit'],
      [{ actor: '' }, 'actor'],
      [{ page: 'x.y' }, 'page'],
      [{ 'action[]': 'space_deleted' }, 'action'],
      [{ 'action[0]': 'space_deleted', limit: 1 }, 'action'],
      [{ 'limit[gt]': 1 }, 'limit'],
    ] as const) {
      const { status, body } = await admin.api.get<{ error: { details: { path: string }[] } }>(
        `/orgs/${id}/audit-events`,
        { query },
      );
      expect([query, status, body.error.details.map((detail) => detail.path)]).toEqual([query, 400, [path]]);
    }
  });

  it('ignores parameters that it does not know, as bodies do', async () => {
    const workspace = await buildOrganization(app.current);
    expect(await read(workspace, { actions: 'space_deleted', 'constructor[]': 'x', 'kind[]': 'y', '[]': 'z' })).toEqual(
      await read(workspace),
    );
  });

  it('names its actions with words', async () => {
    const { id, admin } = await buildOrganization(app.current);
    const { body } = await admin.api.get<{ items: { id: string; label: string }[] }>(`/orgs/${id}/audit-event-actions`);
    expect(body.items.map((action) => action.id)).toEqual(app.current.get(Registry).auditActions);
    expect(
      body.items.every(({ id: action, label }) => label === app.current.get(Registry).events.get(action)?.about),
    ).toBe(true);
  });

  it('knows who is no member any more, latest first and by name, as long as it is kept', async () => {
    const workspace = await buildOrganization(app.current);
    const { id, admin } = workspace;
    interface Former {
      items: { id: string; label?: string; leftAt: string }[];
      count: number;
      next?: { page: string };
    }
    const former = async (query: Query = {}) =>
      (await admin.api.get<Former>(`/orgs/${id}/audit-event-former-members`, { query })).body;
    expect(await former()).toMatchObject({ items: [], count: 0 });
    const left: { id: string; displayName: string }[] = [];
    for (const displayName of ['Ada Lovelace', 'Grace Hopper', 'مريم 🦉 100%_']) {
      const person = await workspace.member('create');
      await person.api.patch(`/users/${person.id}`, { displayName });
      await space({ ...workspace, admin: person }, displayName);
      expect((await admin.api.delete(`/orgs/${id}/members/${person.id}`)).status).toBe(204);
      left.unshift({ id: person.id, displayName });
    }
    const all = await former();
    expect(all.count).toBe(3);
    expect(all.items).toEqual(
      left.map((person) => ({
        object: 'former-member',
        id: person.id,
        label: person.displayName,
        leftAt: expect.stringMatching(/Z$/),
      })),
    );
    for (const { id: actor } of all.items) expect((await read(workspace, { actor })).count).toBeGreaterThan(0);
    const first = await former({ limit: 2 });
    const rest = await former({ limit: 2, page: first.next?.page });
    expect([...first.items, ...rest.items]).toEqual(all.items);
    expect(rest.next).toBeUndefined();
    for (const [search, found] of [
      ['LOVE', ['Ada Lovelace']],
      ['🦉', ['مريم 🦉 100%_']],
      ['%_', ['مريم 🦉 100%_']],
      ['nobody', []],
    ] as const)
      expect((await former({ search })).items.map(({ label }) => label)).toEqual(found);
    expect(
      (await admin.api.get(`/orgs/${id}/audit-event-former-members`, { query: { search: 'x'.repeat(101) } })).status,
    ).toBe(400);
    // Who comes back is a member, and who leaves again is listed once.
    const [, grace] = left;
    const invite = async () =>
      app.current.database.transaction(() => app.current.get(Members).admit(id, grace?.id ?? '', 'read'));
    await invite();
    expect((await former()).items.map(({ label }) => label)).toEqual(['مريم 🦉 100%_', 'Ada Lovelace']);
    await admin.api.delete(`/orgs/${id}/members/${grace?.id ?? ''}`);
    expect((await former()).items.map(({ label }) => label)).toEqual(['Grace Hopper', 'مريم 🦉 100%_', 'Ada Lovelace']);
    const other = await buildOrganization(app.current);
    expect((await other.admin.api.get(`/orgs/${other.id}/audit-event-former-members`)).body).toMatchObject({
      count: 0,
    });
  });

  it('opens to administrators, with a token that may, and never across organizations', async () => {
    const workspace = await buildOrganization(app.current);
    const foreign = await buildOrganization(app.current);
    const id = (await latest(workspace))?.id ?? '';
    const paths = (organization: string) => [
      `/orgs/${organization}/audit-events`,
      `/orgs/${organization}/audit-events/${id}`,
      `/orgs/${organization}/audit-event-actions`,
      `/orgs/${organization}/audit-event-former-members`,
    ];
    const statuses = async (api: Client, organization = workspace.id) =>
      Promise.all(paths(organization).map(async (path) => (await api.get(path)).status));
    const limited = async (scopes: string[]) =>
      new Client(
        app.current.url,
        (await app.current.get(Tokens).issue(workspace.admin.id, { name: 'limited', scopes })).secret,
      );
    expect(await statuses(workspace.admin.api)).toEqual([200, 200, 200, 200]);
    expect(await statuses(await limited(['organization:audit:read']))).toEqual([200, 200, 200, 200]);
    expect(
      await statuses(await limited(['organization:read', 'organization:write', 'organization:members:write'])),
    ).toEqual([403, 403, 403, 403]);
    expect(await statuses((await workspace.member('create')).api)).toEqual([403, 403, 403, 403]);
    expect(await statuses((await workspace.member('none')).api)).toEqual([403, 403, 403, 403]);
    expect(await statuses(foreign.admin.api)).toEqual([404, 404, 404, 404]);
    expect(await statuses((await buildPerson(app.current)).api)).toEqual([404, 404, 404, 404]);
    expect(await statuses(new Client(app.current.url, undefined))).toEqual([401, 401, 401, 401]);
    // A line of another organization under the own one.
    expect((await foreign.admin.api.get(`/orgs/${foreign.id}/audit-events/${id}`)).status).toBe(404);
    expect(
      (await foreign.admin.api.get<List>(`/orgs/${foreign.id}/audit-events`, { query: { actor: workspace.admin.id } }))
        .body.items,
    ).toEqual([]);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect([404, 405]).toContain(
        (await workspace.admin.api.send(method, `/orgs/${workspace.id}/audit-events/${id}`, {})).status,
      );
  });
});

describe('the log', () => {
  const count = async (target: string) =>
    (
      await app.current.database.one<{ count: number }>(
        'SELECT count(*)::int AS count FROM audit_event WHERE target_id = $1',
        [target],
      )
    )?.count;
  const event = (organizationId: string, target: string) => ({
    type: 'team_created' as const,
    organizationId,
    target,
    payload: { title: 'Writers' },
  });

  it('is written with the change and by the statement of its event, or not at all', async () => {
    const { id } = await buildOrganization(app.current);
    const [kept, lost, cut] = [newId(), newId(), newId()];
    const statements = jest.spyOn(app.current.database, 'execute');
    await record(event(id, kept));
    // The server's own jobs use the database meanwhile.
    expect(statements.mock.calls.filter(([, values]) => values?.includes(kept))).toHaveLength(1);
    statements.mockRestore();
    await expect(
      app.current.database.transaction(async () => {
        await app.current.get(Outbox).record(event(id, lost));
        throw new Error('the change failed');
      }),
    ).rejects.toThrow('the change failed');
    // As if the server were killed: the connection is gone before the commit.
    await expect(
      app.current.database.transaction(async () => {
        await app.current.get(Outbox).record(event(id, cut));
        await app.current.database.execute('SELECT pg_terminate_backend(pg_backend_pid())');
      }),
    ).rejects.toThrow();
    expect([await count(kept), await count(lost), await count(cut)]).toEqual([1, 0, 0]);
  });

  it('has each line once, whatever relays do and how many there are', async () => {
    const workspace = await buildOrganization(app.current);
    const second = await TestApp.start({}, app.current.databaseUrl);
    try {
      const targets = Array.from({ length: 10 }, () => newId());
      await Promise.all(
        targets.map((target, index) =>
          (index % 2 === 0 ? app.current : second).database.transaction(() =>
            (index % 2 === 0 ? app.current : second).get(Outbox).record(event(workspace.id, target)),
          ),
        ),
      );
      for (const target of targets) expect(await count(target)).toBe(1);
      await Promise.all([app.current, second, app.current].map((server) => server.get(OutboxRelay).drain()));
      for (const target of targets) expect(await count(target)).toBe(1);
      const [here, there] = [
        await read(workspace),
        (await new Client(second.url, workspace.admin.api.token).get<List>(`/orgs/${workspace.id}/audit-events`)).body,
      ];
      expect(there.items.map(({ id }) => id)).toEqual(here.items.map(({ id }) => id));
    } finally {
      await second.close();
    }
  });

  it('is never changed, and nothing goes from it before its time', async () => {
    const { id } = await buildOrganization(app.current);
    const target = newId();
    await record(event(id, target));
    const { database } = app.current;
    const removal = (days: number) =>
      database.execute(
        "INSERT INTO audit_removal (id, before, removed_at) VALUES ($1, now() - $2 * interval '1 day', now())",
        [newId(), days],
      );
    for (const statement of [
      `UPDATE audit_event SET actor_id = 'somebody else' WHERE target_id = $1`,
      'DELETE FROM audit_event WHERE target_id = $1',
      'WITH gone AS (DELETE FROM audit_event WHERE target_id = $1 RETURNING *) SELECT * FROM gone',
      `INSERT INTO audit_event SELECT * FROM audit_event WHERE target_id = $1 ON CONFLICT (id, occurred_at) DO UPDATE SET payload = '{}'`,
      `MERGE INTO audit_event a USING (SELECT $1::text AS target) t ON a.target_id = t.target WHEN MATCHED THEN DELETE`,
      'DELETE FROM audit_removal WHERE id = $1',
      'UPDATE audit_removal SET removed = 0 WHERE id = $1',
    ]) {
      await expect(database.execute(statement, [target])).rejects.toThrow('the audit log cannot be changed');
    }
    for (const table of ['audit_event', 'audit_removal', 'audit_event, audit_removal CASCADE'])
      await expect(database.execute(`TRUNCATE ${table}`)).rejects.toThrow('the audit log cannot be changed');
    await expect(
      database.execute(`DO $$ BEGIN EXECUTE 'DELETE FROM audit_event /* remove_audit_events() */'; END $$`),
    ).rejects.toThrow('the audit log cannot be changed');
    await expect(database.execute('SELECT remove_audit_events()')).rejects.toThrow(/trigger/);
    await expect(removal(0)).rejects.toThrow('29 days');
    await expect(removal(-400)).rejects.toThrow('29 days');
    await removal(30);
    expect(await count(target)).toBe(1);
  });

  it('forgets what is older than it is kept, in steps', async () => {
    const workspace = await buildOrganization(app.current);
    const { database } = app.current;
    await database.execute(
      `INSERT INTO audit_event (id, organization_id, event_id, occurred_at, action, source, actor_type, actor_id, target_type, target_id, payload)
       SELECT gen_random_uuid()::text, $1, n::text, now() - interval '301 days', 'team_created', 'api', 'user', 'nobody', 'team', 'team', '{}' FROM generate_series(1, 2100) n`,
      [workspace.id],
    );
    app.current.setTime(new Date(Date.now() - 299 * DAY));
    await space(workspace, 'Kept');
    app.current.setTime(new Date(Date.now() - 301 * DAY));
    await space(workspace, 'Old');
    app.current.setTime(undefined);
    const removed = await app.current.get(AuditRetentionJob).remove();
    expect(removed).toBe(2101);
    expect(
      (
        await database.query<{ removed: number }>('SELECT removed FROM audit_removal ORDER BY removed DESC LIMIT 3')
      ).map((row) => row.removed),
    ).toEqual([1000, 1000, 101]);
    expect((await read(workspace)).items.map(({ target }) => target.label)).toEqual(['Test organization', 'Kept']);
    // The clock of the database counts, not that of the server.
    app.current.setTime(new Date(Date.now() + 2 * DAY));
    expect(await app.current.get(AuditRetentionJob).remove()).toBe(0);
    app.current.setTime(undefined);
    const { nest } = app.current;
    const sooner = new AuditRetentionJob(database, nest.get(Clock), nest.get(Jobs), { auditRetentionDays: 298 });
    expect([await sooner.remove(), await sooner.remove()]).toEqual([1, 0]);
    expect((await read(workspace)).items).toHaveLength(1);
  });
});
