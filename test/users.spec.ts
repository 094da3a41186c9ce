import { describe, expect, it } from '@jest/globals';
import { LastSeen } from '../src/kernel/access/last-seen.js';
import { Tokens } from '../src/identity/users/tokens.service.js';
import { useApp } from './app.js';
import { buildOrganization, buildPerson } from './build.js';
import { Client } from './client.js';

const app = useApp();

describe('users and tokens', () => {
  it('shows the user of the token', async () => {
    const person = await buildPerson(app.current);
    const answer = await person.api.get('/user');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ object: 'user', id: person.id, email: person.email });
    expect(answer.headers.get('etag')).toMatch(/^"1\..+"$/);
    const again = await person.api.get('/user', { headers: { 'If-None-Match': answer.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  });

  it('tells requests that come at once apart', async () => {
    const people = await Promise.all([1, 2, 3].map(() => buildOrganization(app.current)));
    const asked = Array.from({ length: 60 }, (_, at) => people[at % people.length]);
    const answers = await Promise.all(
      asked.map(async (person) => (await person?.admin.api.get<{ id: string }>('/user'))?.body.id),
    );
    expect(answers).toEqual(asked.map((person) => person?.admin.id));
  });

  it('refuses absent, unknown and malformed tokens with a challenge', async () => {
    for (const token of [undefined, 'unknown', 'bdy_', 'a b']) {
      const answer = await new Client(app.current.url, token).get('/user');
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(answer.body).toMatchObject({ error: { code: 401 } });
    }
  });

  it('makes, lists and revokes tokens', async () => {
    const { api } = await buildPerson(app.current);
    const made = await api.post<{ id: string; token: string; name: string }>('/user/tokens', {
      name: 'CI',
      scopes: ['user:read', 'space:read'],
    });
    expect(made.status).toBe(201);
    const limited = new Client(app.current.url, made.body.token);
    expect((await limited.get('/user')).status).toBe(200);
    expect((await limited.post('/user/tokens', { name: 'more' })).status).toBe(403);
    const listed = await api.get<{ items: { id: string; name: string }[]; count: number }>('/user/tokens', {
      query: { limit: 1 },
    });
    expect(listed.body).toMatchObject({
      items: [{ id: made.body.id, name: 'CI', scopes: ['user:read', 'space:read'] }],
      count: 2,
      next: { page: expect.any(String) },
    });
    expect(JSON.stringify(listed.body)).not.toContain(made.body.token);
    expect((await api.delete(`/user/tokens/${made.body.id}`)).status).toBe(204);
    expect((await api.delete(`/user/tokens/${made.body.id}`)).status).toBe(204);
    expect((await limited.get('/user')).status).toBe(401);
  });

  it('never makes a token that can more or lives longer than the one in use', async () => {
    const { api } = await buildPerson(app.current);
    const soon = new Date(Date.now() + 60_000).toISOString();
    const parent = await api.post<{ token: string }>('/user/tokens', {
      name: 'parent',
      expiresAt: soon,
      scopes: ['user:read', 'user:write'],
    });
    const limited = new Client(app.current.url, parent.body.token);
    expect((await limited.post('/user/tokens', { name: 'wide', scopes: ['space:write'] })).status).toBe(400);
    expect(
      (await limited.post('/user/tokens', { name: 'long', expiresAt: new Date(Date.now() + 3_600_000).toISOString() }))
        .status,
    ).toBe(400);
    for (const expiresAt of [
      '20990101',
      '2099',
      '2099-001',
      '2099-W01',
      '2099-02-30',
      '2099-01-01T10',
      '+002099-01-01T00:00:00Z',
      '0',
      'never',
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59-23:59',
    ]) {
      expect((await api.post('/user/tokens', { name: 'when', expiresAt })).body).toMatchObject({
        error: {
          code: 400,
          details: [{ path: 'expiresAt', message: expect.stringContaining('such as 2026-01-31T09:30:00Z') as unknown }],
        },
      });
    }
    const child = await limited.post<{ id: string; expiresAt: string; scopes: string[] }>('/user/tokens', {
      name: 'child',
    });
    expect(child.body).toMatchObject({ expiresAt: soon, scopes: ['user:read', 'user:write'] });
    expect((await api.get('/user/tokens', { query: { limit: 1 } })).body).toMatchObject({
      items: [{ id: child.body.id, name: 'child', expiresAt: soon }],
    });
  });

  it('shows when a token was last used, and where it acts', async () => {
    const { id, api } = await buildPerson(app.current);
    const organization = (await api.post<{ id: string }>('/orgs', { title: 'Acme' })).body.id;
    const issued = await app.current.get(Tokens).issue(id, { name: 'bound', organizationId: organization });
    const bound = new Client(app.current.url, issued.secret);
    const before = new Date().toISOString();
    expect((await bound.get('/orgs')).body).toMatchObject({ items: [{ id: organization }] });
    await app.current.get(LastSeen).flush();
    const listed = await api.get<{ items: { id: string; name: string; organization?: string; lastUsedAt: string }[] }>(
      '/user/tokens',
    );
    expect(listed.body.items.map(({ name, organization: where }) => [name, where])).toEqual([
      ['bound', organization],
      ['test', undefined],
    ]);
    expect((listed.body.items[0]?.lastUsedAt ?? '') >= before).toBe(true);
    expect(listed.body.items[1]?.lastUsedAt).toEqual(expect.any(String));
  });
});

describe('repeated requests', () => {
  it('are carried out once, and never show a secret twice', async () => {
    const { api } = await buildPerson(app.current);
    const once = { headers: { 'Idempotency-Key': 'make-acme' } };
    const first = await api.post('/orgs', { title: 'Acme' }, once);
    const again = await api.post('/orgs', { title: 'Acme' }, once);
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect((await api.get('/orgs')).body).toMatchObject({ count: 1 });
    expect((await api.post('/orgs', { title: 'Other' }, once)).status).toBe(422);
    const token = await api.post<{ token: string }>(
      '/user/tokens',
      { name: 'CI' },
      { headers: { 'Idempotency-Key': 'make-token' } },
    );
    const repeated = await api.post('/user/tokens', { name: 'CI' }, { headers: { 'Idempotency-Key': 'make-token' } });
    expect(repeated.status).toBe(409);
    expect(JSON.stringify(repeated.body)).not.toContain(token.body.token);
    expect((await api.get('/user/tokens')).body).toMatchObject({ count: 2 });
  });
});

describe('organizations', () => {
  it('makes one and shows it to members only', async () => {
    const person = await buildPerson(app.current);
    const made = await person.api.post<{ id: string }>('/orgs', { title: 'Acme', emailDomains: ['acme.com'] });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ title: 'Acme', emailDomains: ['acme.com'], permissions: { admin: true } });
    const read = await person.api.get(`/orgs/${made.body.id}`);
    expect(read.body).toEqual(made.body);
    const other = await buildPerson(app.current);
    const foreign = await other.api.get(`/orgs/${made.body.id}`);
    const unknown = await other.api.get('/orgs/AbCdEfGh0123456789Xy');
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(unknown.body);
    const listed = await person.api.get('/orgs');
    expect(listed.body).toMatchObject({ count: 1, items: [{ id: made.body.id, title: 'Acme' }] });
  });

  it('names every fault of a body', async () => {
    const { api } = await buildPerson(app.current);
    const answer = await api.post<{ error: { details: { path: string }[] } }>('/orgs', {
      title: '',
      emailDomains: ['not a domain'],
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details.map((detail) => detail.path)).toEqual(['title', 'emailDomains.0']);
  });

  it('pages without missing or repeating a row', async () => {
    const { api } = await buildPerson(app.current);
    for (let i = 0; i < 5; i++) await api.post('/orgs', { title: `Organization ${i}` });
    const seen: string[] = [];
    let page: string | undefined;
    do {
      const answer = await api.get<{ items: { title: string }[]; count: number; next?: { page: string } }>('/orgs', {
        query: { limit: 2, page },
      });
      expect(answer.body.count).toBe(5);
      seen.push(...answer.body.items.map((item) => item.title));
      page = answer.body.next?.page;
    } while (page);
    expect(seen).toEqual([4, 3, 2, 1, 0].map((i) => `Organization ${i}`));
    for (const limit of ['-1', '1001', 'abc', '1.5'])
      expect((await api.get('/orgs', { query: { limit } })).status).toBe(400);
    expect((await api.get('/orgs', { query: { limit: 0 } })).body).toEqual({ items: [], count: 5 });
    expect((await api.get('/orgs', { query: { page: 'forged' } })).status).toBe(400);
  });

  it('shows a guest the organization and an administrator all rights', async () => {
    const workspace = await buildOrganization(app.current);
    const guest = await workspace.member('none');
    expect((await guest.api.get(`/orgs/${workspace.id}`)).body).toMatchObject({
      permissions: { view: true, listMembers: false, admin: false },
    });
  });
});
