import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../src/kernel/common/ids.js';
import { Tokens } from '../src/identity/users/tokens.service.js';
import { useApp } from './app.js';
import { buildOrganization, buildPerson, type Person } from './build.js';
import { Client } from './client.js';
import type { OpenApiDocument } from './contract/json-schema.js';

const app = useApp();

/** An operation as it is published, with an address that names nothing. */
interface Published {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly declared: ReadonlySet<number>;
  /** Takes no token, so that a 403 has another reason. */
  readonly isOpen: boolean;
}

/** Every operation that the service publishes, whatever it is about. */
async function published(): Promise<Published[]> {
  const response = await fetch(new URL('/openapi.json', app.current.url));
  const { paths, security } = (await response.json()) as OpenApiDocument;
  return Object.entries(paths).flatMap(([template, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      if (!operation || !template.startsWith('/v1')) return [];
      const path = template.slice('/v1'.length).replace(/\{\w+\}/g, () => newId());
      return [
        {
          id: operation.operationId ?? '',
          method: method.toUpperCase(),
          path,
          declared: new Set(Object.keys(operation.responses).map(Number)),
          isOpen: !(operation.security ?? security ?? []).some((each) => Object.keys(each).length > 0),
        },
      ];
    }),
  );
}

describe('every operation', () => {
  let operations: Published[];
  let person: Person;
  beforeAll(async () => {
    operations = await published();
    person = await buildPerson(app.current);
  });

  /** The operations that answer otherwise than all should. */
  const others = async (api: Client, declared: number, suffix = ''): Promise<string[]> => {
    const wrong: string[] = [];
    for (const { id, method, path, declared: statuses, isOpen } of operations) {
      if (!statuses.has(declared) || (declared === 403 && isOpen)) continue;
      const { status } = await api.send(method, `${path}${suffix}`, undefined);
      if (status !== declared) wrong.push(`${id} ${status}`);
    }
    return wrong;
  };

  it('refuses addresses that cannot be text', async () => {
    expect(operations.length).toBeGreaterThan(100);
    expect(operations.filter(({ declared }) => !declared.has(400))).toEqual([]);
    expect(await others(person.api, 400, '?title=%00')).toEqual([]);
  });

  it('refuses tokens without its scope, whatever it names', async () => {
    const { secret } = await app.current.get(Tokens).issue(person.id, { name: 'can do nothing', scopes: [] });
    expect(await others(new Client(app.current.url, secret), 403)).toEqual([]);
  });

  it('refuses callers without a token, whatever it names', async () => {
    expect(await others(new Client(app.current.url, undefined), 401)).toEqual([]);
  });
});

describe('a token that only reads an organization', () => {
  it('makes nothing in it, whatever its user may', async () => {
    const { id, admin } = await buildOrganization(app.current);
    const collection = (await admin.api.post<{ id: string }>(`/orgs/${id}/collections`, { title: 'Guides' })).body.id;
    const space = (await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, { title: 'Guide', parent: collection }))
      .body.id;
    const reader = new Client(
      app.current.url,
      (await app.current.get(Tokens).issue(admin.id, { name: 'reads', scopes: ['organization:read', 'space:read'] }))
        .secret,
    );
    const source = { type: 'website', url: 'https://docs.example.com/' };
    const refused = await Promise.all([
      ...[{}, { parent: collection }, { template: { id: 'changelog' } }].map((body) =>
        reader.post(`/orgs/${id}/spaces`, body),
      ),
      ...[{}, { parent: collection }].map((body) => reader.post(`/orgs/${id}/collections`, body)),
      reader.post(`/org/${id}/imports`, { source, target: { space } }),
      reader.post(`/org/${id}/imports/Nothing0/cancel`),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(Array(7).fill(403));
  });
});

describe('a token of an organization', () => {
  it('finds nothing of its user beside the user itself', async () => {
    const { id: organizationId, admin } = await buildOrganization(app.current);
    const { secret, row } = await app.current.get(Tokens).issue(admin.id, { name: 'bound', organizationId });
    const bound = new Client(app.current.url, secret);
    expect((await bound.get('/user')).body).toMatchObject({ id: admin.id });
    const refused = await Promise.all([
      bound.get('/user/tokens'),
      bound.post('/user/tokens', { name: 'wider' }),
      bound.delete(`/user/tokens/${row.id}`),
      bound.post('/orgs', { title: 'Another' }),
      bound.get('/user/Tokens'),
      admin.api.get('/USER'),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
    expect((await admin.api.get('/user/tokens')).body).toMatchObject({
      count: 2,
      items: [{ id: row.id, organization: organizationId }, {}],
    });
    expect((await bound.get('/orgs')).body).toMatchObject({ count: 1, items: [{ id: organizationId }] });
  });
});

describe('a request that names an older version', () => {
  it('changes nothing', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const organization = `/orgs/${workspace.id}`;
    const member = await workspace.member('read');
    const made = async (path: string, body: object) => (await api.post<{ id: string }>(path, body)).body.id;
    const space = await made(`${organization}/spaces`, { title: 'Space', empty: true });
    const collection = await made(`${organization}/collections`, { title: 'Collection' });
    const outer = await made(`${organization}/collections`, { title: 'Outer' });
    const request = `/spaces/${space}/change-requests/${await made(`/spaces/${space}/change-requests`, { subject: 'Request' })}`;
    const site = `${organization}/sites/${await made(`${organization}/sites`, { title: 'Site', spaces: [space] })}`;
    const team = `${organization}/teams/${(await api.put<{ id: string }>(`${organization}/teams`, { title: 'Team' })).body.id}`;
    expect((await api.post(`${site}/publish`)).status).toBe(200);
    const attempts: [string, string, object?][] = [
      ['POST', `/spaces/${space}/move`, { parent: collection }],
      ['POST', `/collections/${collection}/move`, { parent: outer }],
      ['POST', `${request}/content`, { changes: [{ operation: 'insert_page', title: 'Page' }] }],
      ['POST', `${request}/update`],
      ['POST', `${request}/merge`],
      ['POST', `${site}/unpublish`],
      ['DELETE', `${organization}/members/${member.id}`],
      ['DELETE', team],
    ];
    const shown = async () =>
      Promise.all(
        [
          `/spaces/${space}`,
          `/collections/${collection}`,
          request,
          `${request}/content/pages`,
          site,
          `${organization}/members/${member.id}`,
          team,
        ].map(async (path) => (await api.get(path)).body),
      );
    const before = await shown();
    for (const [method, path, body] of attempts) {
      const { status } = await api.send(method, path, body, { headers: { 'If-Match': '"0.older"' } });
      expect([method, path, status]).toEqual([method, path, 412]);
    }
    expect(await shown()).toEqual(before);
  });
});
