import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SignJWT } from 'jose';
import { Database } from '../src/kernel/common/database.js';
import { Secrets } from '../src/kernel/common/secrets.js';
import { evaluate, holds } from '../src/kernel/common/expressions/evaluate.js';
import { parseExpression } from '../src/kernel/common/expressions/parse.js';
import {
  faultsOfSchema,
  templateConditions,
  type AdaptiveSchema,
} from '../src/publishing/published-sites/domain/adaptive-schema.js';
import { visitorOf } from '../src/publishing/published-sites/domain/claims.js';
import { visitorLoginUrl } from '../src/publishing/published-sites/domain/visitor-login-url.js';
import { readRison, RisonError } from '../src/publishing/published-sites/domain/rison.js';
import { claimsKey } from '../src/publishing/published-sites/domain/visitor.js';
import { resolveSitePath } from '../src/publishing/published-sites/domain/resolve-site-path.js';
import { VisitorTokens } from '../src/publishing/published-sites/visitor-tokens.js';
import { VisitorAccess } from '../src/publishing/published-sites/visitor-access.service.js';
import type { AdmittedVisit, Visit, VisitorPayload } from '../src/publishing/published-sites/visit.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { Client } from './client.js';
import { SetClock } from './set-clock.js';
import { encoded, forgedTokens, signed, validTokens } from './security/visitor-tokens.js';

const app = useApp();

interface Made {
  readonly id: string;
  readonly basename: string;
  readonly urls: { readonly published?: string };
}

interface Lookup {
  readonly apiToken: string;
}

interface Refusal {
  readonly error: { readonly details?: readonly { readonly path: string; readonly message: string }[] };
}

/** A published site of one space without sections. */
async function buildSite(
  settings: Readonly<Record<string, unknown>> = {},
  title = 'Guide',
): Promise<{ workspace: Workspace; api: Client; path: string; site: Made; space: string }> {
  const workspace = await buildOrganization(app.current);
  const { api } = workspace.admin;
  const space = (await api.post<Made>(`/orgs/${workspace.id}/spaces`, { title })).body.id;
  const site = (await api.post<Made>(`/orgs/${workspace.id}/sites`, { title: 'Manual', spaces: [space], ...settings }))
    .body;
  const path = `/orgs/${workspace.id}/sites/${site.id}`;
  expect((await api.post(`${path}/publish`)).status).toBe(200);
  return { workspace, api, path, site, space };
}

const enter = (path: string, payload: VisitorPayload = {}, host = 'localhost'): Promise<AdmittedVisit | undefined> =>
  app.current.get(VisitorAccess).enter({ host, path }, payload);

function visitOf(entered: AdmittedVisit | undefined): Visit {
  if (entered?.entrance && 'visit' in entered.entrance) return entered.entrance.visit;
  throw new Error(`nobody was let in: ${JSON.stringify(entered)}`);
}

describe('visits', () => {
  it('find a site by its basename, its hostname and its proxy', async () => {
    const { api, path, site } = await buildSite();
    const own = await enter(`/${site.basename.toUpperCase()}/a/b%20c/`);
    expect(own).toMatchObject({ siteBasePath: `/${site.basename}`, path: 'a/b c' });
    expect(visitOf(own).site.id).toBe(site.id);
    expect(visitOf(own).rows.siteSpaces).toMatchObject([
      { title: 'Guide', isDefault: true, route: `/${site.basename}` },
    ]);
    expect(await enter('/no-such-site')).toBeUndefined();
    expect(await enter(`/${site.basename}/%E0%A4%A`)).toBeUndefined();

    await app.current.database.execute('UPDATE site SET hostname = $2 WHERE id = $1', [
      site.id,
      'docs.acme.example.com',
    ]);
    expect(await enter('/a', {}, 'docs.acme.EXAMPLE.com:8443')).toMatchObject({ siteBasePath: '', path: 'a' });
    await api.patch(path, { proxy: `acme.example.com/${site.basename}-docs` });
    expect(await enter(`/${site.basename}-docs/a`, {}, 'acme.example.com')).toMatchObject({
      siteBasePath: `/${site.basename}-docs`,
      path: 'a',
    });
    expect(await enter(`/${site.basename}/a`, {}, 'acme.example.com')).toMatchObject({
      siteBasePath: `/${site.basename}-docs`,
      path: 'a',
    });
    expect(await enter(`/${site.basename}-docs/a`, {}, 'other.example.com')).toBeUndefined();
  });

  it('never let a hostname or proxy take the place of another site on the own host of the installation', async () => {
    const victim = await buildSite();
    const thief = await buildSite();
    await app.current.database.execute('UPDATE site SET hostname = $2, proxy = $3 WHERE id = $1', [
      thief.site.id,
      'localhost',
      `localhost/${victim.site.basename}`,
    ]);
    expect(visitOf(await enter(`/${victim.site.basename}`)).site.id).toBe(victim.site.id);
  });

  it('see every change of a site at the next request, and without a statement while nothing changes', async () => {
    const { api, path, site, space, workspace } = await buildSite();
    const statements = countStatements();
    const first = visitOf(await enter(`/${site.basename}`));
    await statements.during(0, async () => {
      expect(visitOf(await enter(`/${site.basename}`)).stamp).toBe(first.stamp);
    });
    let { stamp } = first;
    const changed = async (): Promise<Visit> => {
      const visit = visitOf(await enter(`/${site.basename}`));
      expect(visit.stamp).not.toBe(stamp);
      stamp = visit.stamp;
      return visit;
    };
    await api.patch(path, { title: 'Changed' });
    expect((await changed()).site.title).toBe('Changed');
    await api.patch(`/spaces/${space}`, { title: 'Handbook' });
    expect((await changed()).rows.siteSpaces[0]?.title).toBe('Handbook');
    const other = (await api.post<Made>(`/orgs/${workspace.id}/spaces`, { title: 'API' })).body.id;
    const section = (await api.post<Made>(`${path}/sections`, { spaceId: other, title: 'Reference' })).body.id;
    expect((await changed()).rows.sections.map(({ title }) => title)).toEqual(['Handbook', 'Reference']);
    const group = (await api.post<Made>(`${path}/section-groups`, { title: 'Group', sections: [section] })).body.id;
    expect((await changed()).rows.groups).toMatchObject([{ id: group }]);
    await api.patch(`${path}/section-groups/${group}`, { title: 'Products' });
    expect((await changed()).rows.groups).toMatchObject([{ title: 'Products' }]);
    await api.delete(`/spaces/${other}`);
    expect((await changed()).rows.sections.map(({ title }) => title)).toEqual(['Handbook']);
    await api.post(`/spaces/${other}/restore`);
    expect((await changed()).rows.sections.map(({ title }) => title)).toEqual(['Handbook', 'Reference']);
    await api.delete(`${path}/sections/${section}`);
    expect((await changed()).rows.sections).toHaveLength(1);
    const customization = (await api.get(`${path}/customization`)).body;
    await api.put(`${path}/customization`, { ...customization, title: 'Shown' });
    expect((await changed()).site.customization).toMatchObject({ title: 'Shown' });
    await api.post(`${path}/unpublish`);
    expect((await enter(`/${site.basename}`))?.entrance).toBeUndefined();
  });

  it('tell what each space holds now, without a new stamp', async () => {
    const { api, site, space } = await buildSite({}, 'Live');
    const before = visitOf(await enter(`/${site.basename}`));
    await api.patch(`/spaces/${space}`, { editMode: 'live' });
    const written = await api.post<{ revision: string }>(`/spaces/${space}/content`, {
      changes: [{ operation: 'insert_page', title: 'New', document: { markdown: 'Hello' } }],
    });
    expect(written.status).toBe(200);
    const after = visitOf(await enter(`/${site.basename}`));
    const now = await api.get<{ revision: string }>(`/spaces/${space}`);
    expect(after.rows.siteSpaces[0]?.revisionId).toBe(now.body.revision);
    expect(after.rows.siteSpaces[0]?.revisionId).not.toBe(before.rows.siteSpaces[0]?.revisionId);
    expect(after.stamp).toBe(before.stamp);
  });
});

describe('adaptive content', () => {
  it('keeps the schema as it was written, and makes conditions of it', async () => {
    const { api, path } = await buildSite();
    expect((await api.get(`${path}/adaptive-schema`)).status).toBe(404);
    expect((await api.get(`${path}/adaptive-schema/template-conditions`)).body).toEqual({ items: [] });
    const put = await api.put<{ updatedAt: string }>(`${path}/adaptive-schema`, { jsonSchema: SCHEMA });
    expect(put.status).toBe(200);
    expect(put.body).toMatchObject({ object: 'site-adaptive-schema', jsonSchema: SCHEMA });
    expect(Object.keys((put.body as unknown as { jsonSchema: AdaptiveSchema }).jsonSchema.properties)).toEqual(
      Object.keys(SCHEMA.properties),
    );
    expect((await api.put(`${path}/adaptive-schema`, { jsonSchema: SCHEMA })).body).toEqual(put.body);
    expect((await api.get(`${path}/adaptive-schema`)).body).toEqual(put.body);
    expect((await api.get<{ items: object[] }>(`${path}/adaptive-schema/template-conditions`)).body.items).toEqual(
      templateConditions(SCHEMA),
    );
    const bad = await api.put<Refusal>(`${path}/adaptive-schema`, {
      jsonSchema: { ...SCHEMA, properties: { a: { type: 'string', $ref: 'x', description: '' } } },
    });
    expect(bad.status).toBe(400);
    expect(bad.body.error.details?.map((detail) => detail.path)).toEqual(['jsonSchema.properties.a.$ref']);
    const endless = await api.put<Refusal>(`${path}/adaptive-schema`, {
      jsonSchema: {
        ...Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`k${at}`, at])),
        ['x'.repeat(2_000)]: 0,
      },
    });
    expect([endless.status, endless.body.error.details?.length]).toEqual([400, 100]);
    expect(endless.body.error).toMatchObject({ message: expect.stringMatching(/; and 3904 more$/) as unknown });
    const long = await api.put<Refusal>(`${path}/adaptive-schema`, {
      jsonSchema: { ...SCHEMA, ['x'.repeat(2_000)]: 0 },
    });
    expect(long.body.error.details).toEqual([
      { path: `jsonSchema.${'x'.repeat(489)}…`, message: 'is not possible here' },
    ]);
    for (const body of [{}, undefined, { jsonSchema: null }, { jsonSchema: [] }])
      expect((await api.put(`${path}/adaptive-schema`, body)).status).toBe(400);
    expect(
      (
        await api.put(`${path}/adaptive-schema`, undefined, {
          raw: '{"jsonSchema": {"type": "object", "additionalProperties": false, "properties": {"__proto__": {"type": "boolean", "description": ""}}}}',
        })
      ).status,
    ).toBe(400);
  });

  it('refuses conditions that cannot be read where they are written', async () => {
    const { api, path, workspace } = await buildSite();
    const space = (await api.post<Made>(`/orgs/${workspace.id}/spaces`, { title: 'API' })).body.id;
    const section = (await api.post<Made>(`${path}/sections`, { spaceId: space, title: 'API' })).body.id;
    const siteSpace = (await api.get<{ items: Made[] }>(`${path}/site-spaces`)).body.items[0]?.id ?? '';
    for (const target of [`${path}/sections/${section}`, `${path}/site-spaces/${siteSpace}`]) {
      const bad = await api.patch<Refusal>(target, { condition: 'visitor.claims.' });
      expect([bad.status, bad.body.error.details?.map((detail) => detail.path)]).toEqual([400, ['condition']]);
      expect((await api.patch(target, { condition: 'visitor.claims.isBetaUser' })).body).toMatchObject({
        condition: 'visitor.claims.isBetaUser',
      });
      expect((await api.patch(target, { condition: null })).body).not.toHaveProperty('condition');
    }
    const settings = (await api.get<{ header: object }>(`${path}/customization`)).body;
    const link = {
      title: 'Beta',
      to: { kind: 'url', url: 'https://example.com' },
      links: [],
      condition: 'while (true)',
    };
    const header = await api.put<Refusal>(`${path}/customization`, {
      ...settings,
      header: { ...settings.header, links: [link] },
    });
    expect([header.status, header.body.error.details?.map((detail) => detail.path)]).toEqual([
      400,
      ['header.links.0.condition'],
    ]);
  });

  it('shows what the claims of a visitor open, while it is on', async () => {
    const { api, path, site, workspace } = await buildSite();
    const space = (await api.post<Made>(`/orgs/${workspace.id}/spaces`, { title: 'Beta' })).body.id;
    const section = (await api.post<Made>(`${path}/sections`, { spaceId: space, title: 'Beta' })).body.id;
    await api.patch(`${path}/sections/${section}`, { condition: 'visitor.claims.isBetaUser == true' });
    await api.put(`${path}/adaptive-schema`, { jsonSchema: SCHEMA });
    const { privateKey } = (await api.get<{ privateKey: string }>(`${path}/publishing/auth`)).body;
    const jwtToken = await tokenOf(privateKey, { isBetaUser: true });
    const titles = async (payload: VisitorPayload) =>
      visitOf(await enter(`/${site.basename}`, payload)).rows.sections.map(({ title }) => title);
    expect(await titles({ jwtToken })).toEqual(['Guide']);
    await api.patch(path, { adaptiveContent: { enabled: true } });
    expect(await titles({ jwtToken })).toEqual(['Guide', 'Beta']);
    expect(await titles({})).toEqual(['Guide']);
    expect(await titles({ jwtToken: await tokenOf('wrong', { isBetaUser: true }) })).toEqual(['Guide']);
    expect(await titles({ jwtToken: await tokenOf(privateKey, { isBetaUser: 'true' }) })).toEqual(['Guide']);
    expect(await titles({ unsignedClaims: { isBetaUser: true, claims: { isBetaUser: true } } })).toEqual(['Guide']);
    await api.patch(`${path}/sections/${section}`, { condition: 'visitor.claims.unsigned.isBetaUser' });
    expect(await titles({ unsignedClaims: { isBetaUser: true } })).toEqual(['Guide', 'Beta']);
    expect(await titles({ jwtToken: await tokenOf(privateKey, { unsigned: { isBetaUser: true } }) })).toEqual([
      'Guide',
    ]);
    await api.patch(`${path}/sections/${section}`, { condition: 'visitor.claims.missing.deeper' });
    expect(await titles({ jwtToken, unsignedClaims: { isBetaUser: true } })).toEqual(['Guide']);
    const keys = new Set([
      visitOf(await enter(`/${site.basename}`, { jwtToken })).claimsKey,
      visitOf(await enter(`/${site.basename}`)).claimsKey,
    ]);
    expect(keys.size).toBe(2);
  });
});

describe('3b-12 share links', () => {
  it('open the site until they are switched off or taken back', async () => {
    const { api, path, site } = await buildSite({ visibility: 'share-link' });
    const other = await buildSite({ visibility: 'share-link' });
    expect((await enter(`/${site.basename}`))?.entrance).toBeUndefined();
    const made = await api.post<Made & { name: string; active: boolean }>(`${path}/share-links`, {
      name: 'For the auditors',
    });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toMatch(new RegExp(`${path}/share-links/${made.body.id}$`));
    expect(made.body).toMatchObject({ object: 'share-link', name: 'For the auditors', active: true });
    const address = new URL(made.body.urls.published ?? '');
    const [, key = ''] = /^\/[^/]+\/~share\/(\w+)$/.exec(address.pathname) ?? [];
    const entered = await enter(`${address.pathname}/a/b`);
    expect(entered).toMatchObject({ siteBasePath: address.pathname, path: 'a/b' });
    expect(visitOf(entered)).toMatchObject({ shareKey: key, site: { id: site.id } });
    expect(visitOf(await enter(`/${site.basename}`, { shareKey: key })).shareKey).toBe(key);
    expect((await enter(`/${other.site.basename}/~share/${key}`))?.entrance).toBeUndefined();
    expect((await enter(`/${site.basename}/~share/${key}x`))?.entrance).toBeUndefined();
    expect((await enter(`/${site.basename}/~share`))?.entrance).toBeUndefined();

    const link = `${path}/share-links/${made.body.id}`;
    expect((await api.patch<Made>(link, { active: false })).body).toMatchObject({ active: false, urls: {} });
    expect((await enter(address.pathname))?.entrance).toBeUndefined();
    expect((await api.patch<Made>(link, { active: true, name: '' })).body).toMatchObject({
      name: '',
      urls: made.body.urls,
    });
    visitOf(await enter(address.pathname));
    expect((await api.patch(link, { name: 'x'.repeat(51) })).status).toBe(400);
    expect((await api.get<{ items: Made[]; count: number }>(`${path}/share-links`)).body).toMatchObject({
      count: 1,
      items: [{ id: made.body.id, urls: made.body.urls }],
    });
    const later = (await api.post<Made>(`${path}/share-links`, { name: 'For somebody else' })).body.id;
    const page = (
      await api.get<{ items: Made[]; next?: { page: string } }>(`${path}/share-links`, { query: { limit: 1 } })
    ).body;
    expect(page.items.map(({ id }) => id)).toEqual([later]);
    expect(
      (
        await api.get<{ items: Made[] }>(`${path}/share-links`, { query: { limit: 1, page: page.next?.page } })
      ).body.items.map(({ id }) => id),
    ).toEqual([made.body.id]);
    const kept = await app.current.database.one<{ all: string }>(
      'SELECT to_jsonb(l)::text AS all FROM site_share_link l WHERE id = $1',
      [made.body.id],
    );
    expect(kept?.all).not.toContain(key);
    await api.patch(path, { visibility: 'visitor-auth' });
    expect((await enter(address.pathname))?.entrance).toEqual({ login: undefined, siteId: expect.any(String) });
    await api.patch(path, { visibility: 'share-link' });
    expect((await api.delete(link)).status).toBe(204);
    expect((await api.delete(link)).status).toBe(204);
    expect((await enter(address.pathname))?.entrance).toBeUndefined();
    expect((await api.patch(link, { name: 'Gone' })).status).toBe(404);
  });

  it('select the addresses that reads show, and grant nothing', async () => {
    const { api, path, space, workspace } = await buildSite({ visibility: 'share-link' });
    const other = (await api.post<Made>(`/orgs/${workspace.id}/spaces`, { title: 'API' })).body.id;
    await api.post(`${path}/sections`, { spaceId: other, title: 'API' });
    const made = (await api.post<Made>(`${path}/share-links`, { name: 'Link' })).body;
    const shared = made.urls.published ?? '';
    const shareKey = shared.split('/').at(-1) ?? '';
    const base = (await api.get<Made>(path)).body.urls.published ?? '';
    const reads = ['structure', 'sections', 'site-spaces', 'published']
      .map((name) => `${path}/${name}`)
      .concat(`/spaces/${space}`);
    const addresses = async (read: string, query: Record<string, string>) => {
      const found = JSON.stringify((await api.get(read, { query })).body).match(/"published":"[^"]+"/g) ?? [];
      return [...new Set(found.map((each) => each.slice('"published":"'.length, -1).replace(base, '')))].sort();
    };
    for (const read of reads) {
      const plain = await addresses(read, {});
      expect([read, plain.length > 0, plain]).toEqual([read, true, plain.filter((each) => !each.includes('~share'))]);
      expect([read, await addresses(read, { shareKey })]).toEqual([
        read,
        plain.map((each) => `/~share/${shareKey}${each}`),
      ]);
      expect([read, await addresses(read, { shareKey: `${shareKey}x` })]).toEqual([read, plain]);
      expect([
        read,
        (await (await buildOrganization(app.current)).admin.api.get(read, { query: { shareKey } })).status,
      ]).toEqual([read, 404]);
    }
    expect(visitOf(await enter(new URL(`${shared}/api`).pathname)).rows.sections).toHaveLength(2);
    await api.patch(path, { proxy: 'acme.example.com/docs' });
    expect(await addresses(`${path}/share-links`, {})).toEqual([`https://acme.example.com/docs/~share/${shareKey}`]);
    await api.patch(`${path}/share-links/${made.id}`, { active: false });
    for (const read of reads)
      expect([read, await addresses(read, { shareKey })]).toEqual([read, await addresses(read, {})]);
  });
});

describe('visitor logins', () => {
  it('let in whoever brings a token of the site, and nobody else', async () => {
    const { api, path, site } = await buildSite({ visibility: 'visitor-auth' });
    const auth = (await api.get<{ privateKey: string }>(`${path}/publishing/auth`)).body;
    expect(auth).toMatchObject({ object: 'publishing-auth', backend: 'custom' });
    expect(auth.privateKey).toMatch(/^\w{43}$/);
    expect((await api.get(`${path}/publishing/auth`)).body).toEqual(auth);
    const kept = await app.current.database.one<{ sealed: Buffer }>(
      'SELECT key_sealed AS sealed FROM site_publishing_auth WHERE site_id = $1',
      [site.id],
    );
    expect(kept?.sealed.includes(auth.privateKey)).toBe(false);
    const bad = await api.patch<Refusal>(`${path}/publishing/auth`, {
      backend: 'custom',
      fallbackURL: 'https://app.example.com/login?location=x',
    });
    expect([bad.status, bad.body.error.details?.[0]?.path]).toEqual([400, 'fallbackURL']);
    expect((await api.patch(`${path}/publishing/auth`, { backend: 'integration' })).status).toBe(400);
    expect(
      (await api.patch(`${path}/publishing/auth`, { backend: 'custom', fallbackURL: 'javascript:alert(1)' })).status,
    ).toBe(400);
    expect(
      (await api.patch(`${path}/publishing/auth`, { backend: 'custom', fallbackURL: 'https://app.example.com/login' }))
        .body,
    ).toMatchObject({ fallbackURL: 'https://app.example.com/login' });
    expect((await enter(`/${site.basename}`))?.entrance).toEqual({
      login: 'https://app.example.com/login',
      siteId: expect.any(String),
    });
    expect(
      (await api.patch(`${path}/publishing/auth`, { backend: 'custom', fallbackURL: null })).body,
    ).not.toHaveProperty('fallbackURL');

    const jwtToken = await tokenOf(auth.privateKey, { anything: true });
    expect(visitOf(await enter(`/${site.basename}`, { jwtToken })).site.id).toBe(site.id);
    const next = (await api.post<{ privateKey: string }>(`${path}/publishing/auth/regenerate`)).body;
    expect(next.privateKey).not.toBe(auth.privateKey);
    expect((await enter(`/${site.basename}`, { jwtToken }))?.entrance).toEqual({
      login: undefined,
      siteId: expect.any(String),
    });
    visitOf(await enter(`/${site.basename}`, { jwtToken: await tokenOf(next.privateKey, {}) }));
  });

  it('3b-13 refuse a token that is valid for longer than the setting allows, to the second', async () => {
    const clock = new SetClock(Date.parse('2026-03-01T12:00:00.900Z'));
    const tokens = new VisitorTokens(app.current.get(Secrets), clock, { visitorTokenMaxMinutes: 5 });
    const now = Date.parse('2026-03-01T12:00:00Z') / 1000;
    const until = async (exp: number) =>
      (await tokens.read(signed('key', '{"alg":"HS256"}', JSON.stringify({ exp })), Buffer.from('key')))?.until;
    expect([
      await until(now + 1),
      await until(now + 300),
      await until(now + 301),
      await until(now),
      await until(1e308),
    ]).toEqual([now + 1, now + 300, undefined, undefined, undefined]);
    clock.advance(1000);
    expect(await until(now + 301)).toBe(now + 301);
    expect(await tokens.readOwn('reader', await tokens.sign('reader', {}, tokens.after(3600)))).toMatchObject({
      until: now + 3601,
    });
  });

  it('3b-13 refuse every forged token', async () => {
    const { api, path, site } = await buildSite({ visibility: 'visitor-auth' });
    const other = await buildSite({ visibility: 'visitor-auth' });
    const keyOf = async (of: typeof other) =>
      (await of.api.get<{ privateKey: string }>(`${of.path}/publishing/auth`)).body.privateKey;
    const [old, foreign] = [await keyOf({ ...other, api, path }), await keyOf(other)];
    await api.post(`${path}/publishing/auth/regenerate`);
    const key = await keyOf({ ...other, api, path });
    for (const jwtToken of validTokens(key)) visitOf(await enter(`/${site.basename}`, { jwtToken }));
    const forged = await forgedTokens({ key, foreign, old });
    const letIn: string[] = [];
    for (const [name, jwtToken] of Object.entries(forged)) {
      const entrance = (await enter(`/${site.basename}`, { jwtToken }))?.entrance;
      if (!entrance || !('login' in entrance)) letIn.push(name);
    }
    expect(letIn).toEqual([]);
  });
});

describe('settings of audiences', () => {
  it('are not changed over a version that somebody else has changed, and cannot be changed by who only views the site', async () => {
    const { api, path, workspace } = await buildSite();
    await api.put(`${path}/adaptive-schema`, { jsonSchema: SCHEMA });
    const link = (await api.post<Made>(`${path}/share-links`, { name: 'Link' })).body.id;
    const [creator, stranger] = [await workspace.member('create'), (await buildOrganization(app.current)).admin];
    const changes: readonly (readonly ['put' | 'patch' | 'post', string, object])[] = [
      ['put', `${path}/adaptive-schema`, { jsonSchema: { ...SCHEMA, properties: {} } }],
      ['patch', `${path}/share-links/${link}`, { name: 'Renamed' }],
      ['patch', `${path}/publishing/auth`, { backend: 'custom', fallbackURL: 'https://app.example.com/login' }],
      ['post', `${path}/share-links`, { name: 'Another' }],
      ['post', `${path}/publishing/auth/regenerate`, {}],
    ];
    for (const [method, target, body] of changes) {
      if (method !== 'post')
        expect([target, (await api[method](target, body, { headers: { 'If-Match': '"99.x"' } })).status]).toEqual([
          target,
          412,
        ]);
      expect([
        target,
        (await creator.api[method](target, body)).status,
        (await stranger.api[method](target, body)).status,
      ]).toEqual([target, 403, 404]);
    }
    expect((await creator.api.get(`${path}/share-links`)).status).toBe(403);
    expect((await creator.api.get(`${path}/publishing/auth`)).status).toBe(403);
    expect((await api.get(`${path}/share-links`)).body).toMatchObject({ count: 1, items: [{ name: 'Link' }] });
  });
});

describe('previews', () => {
  it('show members a site as visitors with claims see it, published or not, and only what they may read', async () => {
    const { api, path, site, workspace, space } = await buildSite({ visibility: 'visitor-auth' });
    const beta = (await api.post<Made>(`/orgs/${workspace.id}/spaces`, { title: 'Beta' })).body.id;
    const section = (await api.post<Made>(`${path}/sections`, { spaceId: beta, title: 'Beta' })).body.id;
    await api.patch(`${path}/sections/${section}`, {
      condition: 'visitor.claims.isBetaUser == true && visitor.claims.unsigned.isBetaUser',
    });
    await api.put(`${path}/adaptive-schema`, { jsonSchema: SCHEMA });
    await api.patch(path, { adaptiveContent: { enabled: true } });
    await api.post(`${path}/unpublish`);
    const reader = await workspace.member('read');
    const preview = async (client: Client, query: Record<string, string>) =>
      new URL((await client.get<{ url: string }>(`${path}/publishing/preview`, { query })).body.url);
    const sections = async (url: URL) =>
      visitOf(await enter(url.pathname, { jwtToken: url.searchParams.get('jwt_token') ?? '' })).rows.sections.map(
        ({ title }) => title,
      );
    const basename = `${site.basename}-Preview-7`;
    await api.patch(path, { basename });
    const plain = await preview(reader.api, {});
    expect(plain.pathname).toBe(`/${basename}`);
    expect(await sections(plain)).toEqual(['Guide']);
    const siteSpace =
      (await api.get<{ items: (Made & { title: string })[] }>(`${path}/site-spaces`)).body.items.find(
        ({ title }) => title === 'Beta',
      )?.id ?? '';
    const claims = '(isBetaUser:!t,unsigned:(isBetaUser:!t))';
    const withClaims = await preview(reader.api, { claims, siteSpace });
    expect(withClaims.pathname).toBe(`/${basename}/beta`);
    expect(await sections(withClaims)).toEqual(['Guide', 'Beta']);
    expect(
      await sections(await preview(api, { claims: '{"isBetaUser":true,"unsigned":{"isBetaUser":true}}' })),
    ).toEqual(['Guide', 'Beta']);
    for (const query of [
      { claims: '(' },
      { claims: '{' },
      { claims: '!t' },
      { siteSpace },
      { siteSpace: 'AbCdEfGh0123456789Xy' },
      { claims: `(name:${'x'.repeat(1900)})` },
    ]) {
      expect([query, (await reader.api.get(`${path}/publishing/preview`, { query })).status]).toEqual([query, 400]);
    }

    await api.patch(`/spaces/${beta}`, { defaultLevel: null });
    expect(await sections(withClaims)).toEqual(['Guide']);
    const other = await buildSite({ visibility: 'visitor-auth' });
    const token = plain.searchParams.get('jwt_token') ?? '';
    expect((await enter(`/${other.site.basename}`, { jwtToken: token }))?.entrance).toEqual({
      login: undefined,
      siteId: expect.any(String),
    });
    app.current.setTime(new Date(Date.now() + 3_601_000));
    expect((await enter(plain.pathname, { jwtToken: token }))?.entrance).toBeUndefined();
    app.current.setTime(undefined);
    await app.current.database.execute('UPDATE account SET disabled = true WHERE id = $1', [reader.id]);
    expect((await enter(plain.pathname, { jwtToken: token }))?.entrance).toBeUndefined();
    expect(space).not.toBe(beta);
  });

  it('let members into the sites of their organization by what a ping gives', async () => {
    const { path, api, site, workspace } = await buildSite({ visibility: 'visitor-auth' });
    const member = await workspace.member('read');
    const { serviceVisitorClaims: jwtToken } = (
      await member.api.post<{ serviceVisitorClaims: string }>(`/orgs/${workspace.id}/ping`)
    ).body;
    expect(visitOf(await enter(`/${site.basename}`, { jwtToken })).rows.siteSpaces).toHaveLength(1);
    const other = await buildSite({ visibility: 'visitor-auth' });
    expect((await enter(`/${other.site.basename}`, { jwtToken }))?.entrance).toEqual({
      login: undefined,
      siteId: expect.any(String),
    });
    const narrow = (
      await member.api.post<{ token: string }>('/user/tokens', { name: 'Narrow', scopes: ['organization:read'] })
    ).body.token;
    expect((await new Client(app.current.url, narrow).post(`/orgs/${workspace.id}/ping`)).body).toEqual({});
    await api.delete(`/orgs/${workspace.id}/members/${member.id}`);
    expect((await enter(`/${site.basename}`, { jwtToken }))?.entrance).toEqual({
      login: undefined,
      siteId: expect.any(String),
    });
    await api.patch(path, { visibility: 'public' });
    expect(visitOf(await enter(`/${site.basename}`, { jwtToken })).grant).not.toHaveProperty('memberId');
  });
});

describe('addresses of published sites', () => {
  const resolve = (url: string, more: object = {}) =>
    new Client(app.current.url, undefined).post<Lookup>('/urls/published', { url, ...more });

  it('are resolved for whoever asks to what they show, with a token that reads it', async () => {
    const { api, path, site, space, workspace } = await buildSite();
    const other = (await api.post<Made>(`/orgs/${workspace.id}/spaces`, { title: 'API' })).body.id;
    const section = (await api.post<Made>(`${path}/sections`, { spaceId: other, title: 'API' })).body.id;
    const base = (await api.get<Made>(path)).body.urls.published ?? '';
    const root = await resolve(`${base}/a/b%20c?x=y#z`);
    expect(root.status).toBe(200);
    expect(root.body).toMatchObject({
      site: site.id,
      space,
      organization: workspace.id,
      siteBasePath: `/${site.basename}`,
      basePath: `/${site.basename}`,
      pathname: '/a/b c',
      canonicalUrl: `${base}/a/b%20c`,
      complete: true,
    });
    expect(root.body).not.toHaveProperty('contextId');
    expect((await resolve(base)).body).toMatchObject({ space, complete: false });
    expect((await resolve(`${base}/api`)).body).toMatchObject({
      siteSection: section,
      space: other,
      basePath: `/${site.basename}/api`,
      pathname: '/',
      complete: true,
    });
    expect((await resolve(`${base.toUpperCase().replace('HTTP', 'http')}/API/Start`)).body).toEqual({
      target: 'content',
      redirect: `${base}/api/Start`,
    });
    for (const url of [`${base}x`, base.replace(site.basename, ''), `${base}/~share/none`])
      expect([url, (await resolve(url)).status]).toEqual([url, 404]);
    expect((await resolve('ftp://x')).status).toBe(400);

    const reader = new Client(app.current.url, root.body.apiToken);
    expect((await reader.get(`/spaces/${space}/content`)).status).toBe(200);
    expect((await reader.get<{ structure: { type: string } }>(`${path}/published`)).body.structure.type).toBe(
      'sections',
    );
    await api.post(`${path}/unpublish`);
    expect((await reader.get(`/spaces/${space}/content`)).status).toBe(401);
  });

  it('lead on by redirects of the site, and from the names that it had', async () => {
    const { api, path, site, space } = await buildSite();
    const base = (await api.get<Made>(path)).body.urls.published ?? '';
    await api.patch(`/spaces/${space}`, { editMode: 'live' });
    const changes = [
      { operation: 'insert_page', title: 'Here', document: { markdown: 'Text' } },
      {
        operation: 'insert_page',
        title: 'Closed',
        condition: 'visitor.claims.isBetaUser',
        document: { markdown: 'Text' },
      },
    ];
    await api.post(`/spaces/${space}/content`, { changes });
    const siteSpaceId = (await api.get<{ items: Made[] }>(`${path}/site-spaces`)).body.items[0]?.id;
    const pageId = async (name: string) => (await api.get<Made>(`/spaces/${space}/content/path/${name}`)).body.id;
    const made = [
      await api.post(`${path}/redirects`, {
        source: '/old',
        destination: { kind: 'site-page', siteSpaceId, pageId: await pageId('here') },
      }),
      await api.post(`${path}/redirects`, {
        source: '/shut',
        destination: { kind: 'site-page', siteSpaceId, pageId: await pageId('closed') },
      }),
      await api.post(`${path}/redirects`, {
        source: '/away',
        destination: { kind: 'external', url: 'https://example.com/there' },
      }),
      await api.post(`${path}/redirects`, {
        source: '/here',
        destination: { kind: 'external', url: 'https://example.com/never' },
      }),
    ];
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect((await resolve(`${base}/OLD`)).body).toEqual({ target: 'content', redirect: `${base}/here` });
    expect((await resolve(`${base}/away`)).body).toEqual({
      target: 'external',
      site: site.id,
      redirect: 'https://example.com/there',
    });
    expect((await resolve(`${base}/here`)).body).toMatchObject({ space, pathname: '/here' });
    expect((await resolve(`${base}/shut`)).body).toMatchObject({ space, pathname: '/shut' });
    expect((await resolve(`${base}/old?a=b`)).body).toEqual({ target: 'content', redirect: `${base}/here?a=b` });
    const rename = async (name: string, slug: string) =>
      api.post(`/spaces/${space}/content`, { changes: [{ operation: 'update_page', page: await pageId(name), slug }] });
    for (const [name, slug] of [
      ['here', 'there'],
      ['closed', 'codename'],
    ] as const)
      expect((await rename(name, slug)).status).toBe(200);
    const first = (await api.get<{ pages: { slug: string }[] }>(`/spaces/${space}/content`)).body.pages[0]?.slug;
    expect((await resolve(`${base}/old`)).body).toEqual({ target: 'content', redirect: `${base}/there` });
    expect((await resolve(`${base}/Here?a=b`)).body).toEqual(
      first === 'there'
        ? { target: 'content', redirect: `${base}?a=b` }
        : { target: 'content', redirect: `${base}/there?a=b` },
    );
    expect((await resolve(`${base}/there`)).body).toMatchObject({ space, pathname: '/there' });
    expect(JSON.stringify((await resolve(`${base}/closed`)).body)).not.toContain('codename');
    const basename = `${site.basename}-renamed`;
    await api.patch(path, { basename });
    expect((await resolve(`${base}/a/b`)).body).toEqual({ target: 'content', redirect: `${base}-renamed/a/b` });
    await api.post(`${path}/unpublish`);
    expect((await resolve(`${base}/a/b`)).status).toBe(404);
  });

  it('lead to the login where there is one, and are not there where a token is wrong', async () => {
    const { api, path, site } = await buildSite({ visibility: 'visitor-auth' });
    const base = (await api.get<Made>(path)).body.urls.published ?? '';
    expect((await resolve(base)).status).toBe(404);
    await api.patch(`${path}/publishing/auth`, {
      backend: 'custom',
      fallbackURL: 'https://app.example.com/login?from=docs',
    });
    const { privateKey } = (await api.get<{ privateKey: string }>(`${path}/publishing/auth`)).body;
    const login = {
      target: 'external',
      site: site.id,
      redirect: 'https://app.example.com/login?from=docs&location=a%2Fb',
    };
    expect((await resolve(`${base}/a/b`)).body).toEqual(login);
    expect((await resolve(`${base}/a/b?tab=c&jwt_token=x&visitor.theme=quiet`)).body).toEqual({
      ...login,
      redirect: `${login.redirect}%3Ftab%3Dc`,
    });
    expect((await resolve(`${base}/a/b`, { visitor: { jwtToken: 'wrong' } })).status).toBe(404);
    expect((await resolve(`${base}/a/b`, { visitor: { jwtToken: 'wrong' }, redirectOnError: true })).body).toEqual(
      login,
    );
    const found = await resolve(`${base}/a/b`, { visitor: { jwtToken: await tokenOf(privateKey, {}) } });
    expect(found.body).toMatchObject({ site: site.id, contextId: expect.any(String) });
    const reader = new Client(app.current.url, found.body.apiToken);
    expect((await reader.get(`${path}/published`)).status).toBe(200);
    await api.post(`${path}/publishing/auth/regenerate`);
    expect((await reader.get(`${path}/published`)).status).toBe(401);
  });

  it('give tokens that end with the share link, and with the visibility that let their bearer in', async () => {
    const { api, path, space } = await buildSite({ visibility: 'share-link' });
    const link = (await api.post<Made>(`${path}/share-links`, { name: 'Link' })).body;
    const found = await resolve(link.urls.published ?? '');
    expect(found.body).toMatchObject({ shareKey: expect.any(String) });
    const reader = new Client(app.current.url, found.body.apiToken);
    const status = async () => (await reader.get(`/spaces/${space}/content/pages`)).status;
    expect(await status()).toBe(200);
    await api.patch(`${path}/share-links/${link.id}`, { active: false });
    expect(await status()).toBe(401);
    await api.patch(`${path}/share-links/${link.id}`, { active: true });
    await api.patch(path, { visibility: 'visitor-auth' });
    expect(await status()).toBe(401);
    await api.patch(path, { visibility: 'public' });
    expect(await status()).toBe(200);
    app.current.setTime(new Date(Date.now() + 3_601_000));
    expect(await status()).toBe(401);
    app.current.setTime(undefined);
    await api.delete(`${path}/share-links/${link.id}`);
    expect(await status()).toBe(401);
  });

  it('3b-16 give tokens that read what the claims of their bearer show, of sections, pages and blocks', async () => {
    const { api, path, space, workspace } = await buildSite();
    const beta = (await api.post<Made>(`/orgs/${workspace.id}/spaces`, { title: 'Beta' })).body.id;
    const section = (await api.post<Made>(`${path}/sections`, { spaceId: beta, title: 'Beta' })).body.id;
    await api.patch(`${path}/sections/${section}`, { condition: 'visitor.claims.isBetaUser' });
    await api.put(`${path}/adaptive-schema`, { jsonSchema: SCHEMA });
    await api.patch(path, { adaptiveContent: { enabled: true } });
    await api.patch(`/spaces/${space}`, { editMode: 'live' });
    const markdown =
      'For all\n\n{% if visitor.claims.isBetaUser %}\nFor some\n{% endif %}\n\nPlan <code class="expression">visitor.claims.plan</code>.';
    const changes = [
      { operation: 'insert_page', title: 'Open', document: { markdown } },
      {
        operation: 'insert_page',
        title: 'Closed',
        condition: 'visitor.claims.isBetaUser',
        document: { markdown: 'Secret' },
      },
    ];
    expect((await api.post(`/spaces/${space}/content`, { changes })).status).toBe(200);
    const closed = (await api.get<{ id: string }>(`/spaces/${space}/content/path/closed`)).body.id;
    const under = { operation: 'insert_page', title: 'Under', into: closed, document: { markdown: 'Below' } };
    expect((await api.post(`/spaces/${space}/content`, { changes: [under] })).status).toBe(200);
    const leading = { operation: 'insert_page', title: 'Leading', document: { markdown: `[There](/pages/${closed})` } };
    expect((await api.post(`/spaces/${space}/content`, { changes: [leading] })).status).toBe(200);
    const { privateKey } = (await api.get<{ privateKey: string }>(`${path}/publishing/auth`)).body;
    const base = (await api.get<Made>(path)).body.urls.published ?? '';
    const readerOf = async (claims?: Record<string, unknown>) => {
      const visitor = claims && { jwtToken: await tokenOf(privateKey, claims) };
      return new Client(app.current.url, (await resolve(base, { visitor })).body.apiToken);
    };
    const [known, stranger] = [await readerOf({ isBetaUser: true, plan: 'pro' }), await readerOf()];
    expect((await resolve(`${base}/beta`)).body).toMatchObject({ space, pathname: '/beta' });

    const titles = async (client: Client) =>
      (
        await client.get<{ structure: { structure: { title: string }[] } }>(`${path}/published`)
      ).body.structure.structure.map(({ title }) => title);
    expect([await titles(known), await titles(stranger), await titles(api)]).toEqual([
      ['Guide', 'Beta'],
      ['Guide'],
      ['Guide', 'Beta'],
    ]);
    expect([
      (await known.get(`/spaces/${beta}/content`)).status,
      (await stranger.get(`/spaces/${beta}/content`)).status,
    ]).toEqual([200, 404]);
    const pages = async (client: Client) =>
      JSON.stringify((await client.get(`/spaces/${space}/content/pages`)).body).match(/"title":"(Open|Closed|Under)"/g);
    expect([(await pages(known))?.length, (await pages(stranger))?.length, (await pages(api))?.length]).toEqual([
      3, 1, 3,
    ]);
    expect(JSON.stringify((await stranger.get(`/spaces/${space}/content`)).body)).not.toContain('"Closed"');
    for (const place of [`page/${closed}`, 'path/closed', 'path/closed/under']) {
      expect([
        place,
        (await known.get(`/spaces/${space}/content/${place}`)).status,
        (await stranger.get(`/spaces/${space}/content/${place}`)).status,
      ]).toEqual([place, 200, 404]);
    }
    const leads = async (client: Client) =>
      (
        await client.get<{ markdown: string }>(`/spaces/${space}/content/path/leading`, {
          query: { format: 'markdown' },
        })
      ).body.markdown;
    expect([await leads(known), await leads(stranger)]).toEqual([
      expect.stringContaining('[There](closed.md)'),
      expect.stringContaining(`[There](/pages/${closed})`),
    ]);
    const read = async (client: Client, query: { evaluated?: string; format?: string }) =>
      JSON.stringify((await client.get(`/spaces/${space}/content/path/open`, { query })).body);
    for (const query of [{}, { evaluated: 'false' }, { evaluated: 'deterministic-only' }, { format: 'markdown' }]) {
      expect(await read(known, query)).toMatch(/For some.*Plan pro/s);
      expect(await read(stranger, query)).not.toMatch(/For some|visitor\.claims/);
    }
    const search = async (client: Client, query: string) =>
      (await client.post<{ count: number }>(`${path}/search`, { query })).body.count;
    expect([
      await search(known, 'some'),
      await search(stranger, 'some'),
      await search(known, 'secret'),
      await search(stranger, 'secret'),
      await search(stranger, 'all'),
    ]).toEqual([1, 0, 1, 0, 1]);
    const etag = (await stranger.get(`/spaces/${space}/content/path/open`)).headers.get('etag') ?? '';
    expect((await known.get(`/spaces/${space}/content/path/open`, { headers: { 'If-None-Match': etag } })).status).toBe(
      200,
    );
    expect(
      (await stranger.get(`/spaces/${space}/content/path/open`, { headers: { 'If-None-Match': etag } })).status,
    ).toBe(304);
  });

  it('give tokens that open nothing else of the whole API', async () => {
    const { api, path, site, space, workspace } = await buildSite();
    const foreign = await buildSite();
    const base = (await api.get<Made>(path)).body.urls.published ?? '';
    const reader = new Client(app.current.url, (await resolve(base)).body.apiToken);
    const request = (await api.post<Made>(`/spaces/${space}/change-requests`, { subject: 'Draft' })).body.id;
    const revision = (await api.get<{ revision: string }>(`/spaces/${space}`)).body.revision;
    const ids: Readonly<Record<string, string>> = {
      organizationId: workspace.id,
      siteId: site.id,
      spaceId: space,
      changeRequestId: request,
      revisionId: revision,
      userId: workspace.admin.id,
    };
    const document = (await (await fetch(new URL('/openapi.json', app.current.url))).json()) as {
      paths: Record<string, Record<string, { security?: unknown[] }>>;
    };
    const opened: string[] = [];
    const shut: Record<string, number> = {};
    for (const [template, operations] of Object.entries(document.paths)) {
      for (const [method, { security }] of Object.entries(operations)) {
        if (!security?.length) continue;
        const address = template
          .replace(/^\/v1/, '')
          .replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'AbCdEfGh0123456789Xy');
        const { status } = await reader.send(
          method.toUpperCase(),
          address,
          method === 'get' || method === 'delete' ? undefined : {},
        );
        if (status === 403) shut[status] = (shut[status] ?? 0) + 1;
        else
          opened.push(
            `${method} ${address.replace(space, 'SPACE').replace(path, 'SITE').replace(request, 'CR').replace(revision, 'REVISION')} ${status}`,
          );
      }
    }
    expect(shut[403]).toBeGreaterThan(150);
    expect(
      opened
        .filter(
          (each) =>
            !/^(get SITE\/(published 200|redirect 400)|post SITE\/(search|ask|insights\/events) 400|post \/spaces\/SPACE\/content\/computed\/(document|revision) 400|get \/spaces\/SPACE( 200|\/content|\/embed 400|\/revisions\/REVISION|\/documents\/\w+ 404)|get \/users\/\w+ 404|get \/orgs\/\w+\/openapi\/\w+\/versions\/latest(\/content(\/raw)?)? 404)/.test(
              each,
            ),
        )
        .filter((each) => !/^get .*CR\/content.* 404$/.test(each)),
    ).toEqual([]);
    await api.patch(`/spaces/${space}`, { editMode: 'live' });
    const changes = [{ operation: 'insert_page', title: 'New' }];
    expect((await api.post(`/spaces/${space}/content`, { changes })).status).toBe(200);
    // Another revision is shown now.
    expect((await reader.get(`/spaces/${space}/revisions/${revision}/pages`)).status).toBe(404);
    expect((await reader.get(`/spaces/${foreign.space}/content`)).status).toBe(404);
    expect((await reader.get(`${foreign.path}/published`)).status).toBe(404);
    expect((await reader.get(`/orgs/${foreign.workspace.id}/sites/${site.id}/published`)).status).toBe(404);
    const other = (await api.post<Made>(`/orgs/${workspace.id}/spaces`, { title: 'Private' })).body.id;
    expect((await reader.get(`/spaces/${other}/content`)).status).toBe(404);
    expect((await reader.get<{ mergedFrom?: object }>(`/spaces/${space}/content`)).body).not.toHaveProperty(
      'mergedFrom',
    );
    await api.delete(`/spaces/${space}`);
    expect((await reader.get(`/spaces/${space}/content`)).status).toBe(404);
  });

  it('give tokens that nobody else can make, and that are for nothing else', async () => {
    const { api, path, site, space, workspace } = await buildSite({ visibility: 'visitor-auth' });
    const { privateKey } = (await api.get<{ privateKey: string }>(`${path}/publishing/auth`)).body;
    const exp = Math.floor(Date.now() / 1000) + 600;
    const said = {
      iss: 'urn:bindery',
      aud: 'reader',
      kind: 'site',
      organization: workspace.id,
      site: site.id,
      generation: 1,
      exp,
    };
    const { serviceVisitorClaims: ping } = (
      await api.post<{ serviceVisitorClaims: string }>(`/orgs/${workspace.id}/ping`)
    ).body;
    const base = (await api.get<Made>(path)).body.urls.published ?? '';
    const own = (await resolve(base, { visitor: { jwtToken: ping } })).body.apiToken;
    expect((await new Client(app.current.url, own).get(`/spaces/${space}/content`)).status).toBe(200);
    for (const token of [
      signed(privateKey, '{"alg":"HS256"}', JSON.stringify(said)),
      `${encoded('{"alg":"none"}')}.${encoded(JSON.stringify(said))}.`,
      ping,
      await tokenOf(privateKey, {}),
      own.replace(/\.[^.]+\./, `.${encoded(JSON.stringify(said))}.`),
    ])
      expect((await new Client(app.current.url, token).get(`/spaces/${space}/content`)).status).toBe(401);
    expect((await enter(`/${site.basename}`, { jwtToken: own }))?.entrance).toEqual({
      login: undefined,
      siteId: expect.any(String),
    });
    await app.current.database.execute('UPDATE account SET disabled = true WHERE id = $1', [workspace.admin.id]);
    expect((await new Client(app.current.url, own).get(`/spaces/${space}/content`)).status).toBe(401);
  });
});

describe('places', () => {
  const siteSpace = (id: string, sectionId: string | null, isDefault = false) => ({
    id,
    sectionId,
    siteSpacePath: id,
    isDefault,
  });
  const rows = {
    sections: [
      { id: 'home', path: 'home', isDefault: true },
      { id: 'api', path: 'API', isDefault: false },
    ],
    siteSpaces: [
      siteSpace('en', 'home', true),
      siteSpace('fr', 'home'),
      siteSpace('v2', 'api', true),
      siteSpace('v1', 'api'),
    ],
  };
  const at = (path: string, given = rows) => {
    const place = resolveSitePath(given, path);
    return place && [place.siteSpace.id, place.basePath, place.pathname];
  };

  it('give defaults no slug, and find the others by theirs', () => {
    expect(at('')).toEqual(['en', '', '']);
    expect(at('a/b')).toEqual(['en', '', 'a/b']);
    expect(at('fr/a')).toEqual(['fr', '/fr', 'a']);
    expect(at('api')).toEqual(['v2', '/API', '']);
    expect(at('api/v1/x')).toEqual(['v1', '/API/v1', 'x']);
    expect(at('home/a')).toEqual(['en', '', 'home/a']);
    expect(at('a', { sections: [], siteSpaces: [siteSpace('only', null, true)] })).toEqual(['only', '', 'a']);
    expect(at('', { sections: [], siteSpaces: [] })).toBeUndefined();
  });

  it('put the first in order at the root where the default is not seen, at its own address', () => {
    const hidden = { sections: rows.sections.slice(1), siteSpaces: rows.siteSpaces.filter(({ id }) => id === 'v1') };
    expect(at('', hidden)).toEqual(['v1', '/API/v1', '']);
    expect(at('api', hidden)).toEqual(['v1', '/API/v1', '']);
    expect(at('a/b', hidden)).toBeUndefined();
    expect(at('api/x', hidden)).toBeUndefined();
  });
});

const SCHEMA: AdaptiveSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    isBetaUser: { type: 'boolean', description: 'Beta' },
    plan: { type: 'string', enum: ['free', 'pro'], description: 'Plan' },
    name: { type: 'string', description: 'Name' },
    seats: { type: 'number', description: 'Seats' },
    teams: {
      type: 'array',
      items: { type: 'string', enum: ['red', 'blue'], description: 'Team' },
      description: 'Teams',
    },
    account: {
      type: 'object',
      description: 'Account',
      properties: { isOwner: { type: 'boolean', description: 'Owner' } },
      additionalProperties: false,
    },
    'https://x/y': { type: 'boolean', description: 'Named like an address' },
    unsigned: {
      type: 'object',
      description: 'Unsigned claims of the site visitor.',
      properties: { isBetaUser: { type: 'boolean', description: 'Said' } },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

describe('schemas of claims', () => {
  const faults = (properties: unknown, more: object = {}) =>
    faultsOfSchema({ type: 'object', properties, additionalProperties: false, ...more }).map(({ path }) => path);

  it('are checked as data, and every fault is named by its path', () => {
    expect(faultsOfSchema(SCHEMA)).toEqual([]);
    expect(faults({})).toEqual([]);
    expect(faults({ a: { type: 'boolean' } })).toEqual(['jsonSchema.properties.a.description']);
    expect(faults({ a: { $ref: '#/x' } })).toEqual(['jsonSchema.properties.a.type']);
    expect(faults({ a: { type: 'string', pattern: '(a+)+$', format: 'email', description: '' } })).toEqual([
      'jsonSchema.properties.a.pattern',
      'jsonSchema.properties.a.format',
    ]);
    expect(faults({ a: { type: 'string', enum: ['a', 1], description: '' } })).toEqual([
      'jsonSchema.properties.a.enum.1',
    ]);
    expect(faults({ a: { type: 'array', items: { type: 'object' }, description: '' } })).toEqual([
      'jsonSchema.properties.a.items.type',
    ]);
    expect(faults({ unsigned: { type: 'boolean', description: '' } })).toEqual(['jsonSchema.properties.unsigned.type']);
    expect(faults({}, { additionalProperties: true, definitions: {} })).toEqual([
      'jsonSchema.definitions',
      'jsonSchema.additionalProperties',
    ]);
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      expect(faults(JSON.parse(`{"${name}": {"type": "boolean", "description": ""}}`))).toEqual([
        `jsonSchema.properties.${name}`,
      ]);
    }
    expect(
      faults(
        Object.fromEntries(
          Array.from({ length: 101 }, (_, index) => [`a${index}`, { type: 'boolean', description: '' }]),
        ),
      ),
    ).toHaveLength(1);
    expect(faultsOfSchema({ text: 'x'.repeat(70_000) }).map(({ path }) => path)).toEqual(['jsonSchema']);
    let deep: object = { type: 'boolean', description: '' };
    for (let depth = 0; depth < 5; depth++)
      deep = { type: 'object', description: '', properties: { in: deep }, additionalProperties: false };
    expect(faults({ in: deep })).toEqual([
      'jsonSchema.properties.in.properties.in.properties.in.properties.in.properties.in',
    ]);
  });

  it('are checked whatever they are', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        faultsOfSchema(value);
        expect(
          faultsOfSchema({ type: 'object', properties: { a: value }, additionalProperties: false }).length,
        ).toBeGreaterThan(0);
      }),
    );
  });

  it('give conditions that can be read, and that hold for whom they describe', () => {
    const conditions = templateConditions(SCHEMA);
    expect(conditions.map(({ condition }) => condition)).toEqual([
      'visitor.claims.isBetaUser == true',
      '!visitor.claims.isBetaUser',
      'visitor.claims.plan == "free"',
      'visitor.claims.plan == "pro"',
      'visitor.claims.account.isOwner == true',
      '!visitor.claims.account.isOwner',
      'visitor.claims["https://x/y"] == true',
      '!visitor.claims["https://x/y"]',
      'visitor.claims.unsigned.isBetaUser == true',
      '!visitor.claims.unsigned.isBetaUser',
    ]);
    const shown = (signed: object) => {
      const visitor = visitorOf(SCHEMA, { ...signed }, undefined);
      return conditions.filter(({ condition }) => holds(condition, { visitor })).map(({ condition }) => condition);
    };
    expect(shown({})).toEqual(
      conditions.map(({ condition }) => condition).filter((condition) => condition.startsWith('!')),
    );
    expect(shown({ isBetaUser: true, plan: 'pro' })).toEqual(
      expect.arrayContaining(['visitor.claims.isBetaUser == true', 'visitor.claims.plan == "pro"']),
    );
  });
});

describe('claims', () => {
  const value = (visitor: ReturnType<typeof visitorOf>, source: string) =>
    evaluate(parseExpression(source), { visitor });

  it('are what the schema declares, of its type, and nothing else', () => {
    const visitor = visitorOf(
      SCHEMA,
      {
        isBetaUser: 'true',
        plan: 'gold',
        name: 'Ada',
        seats: 3,
        teams: ['red', 'green', 1],
        account: { isOwner: true, other: 1 },
        undeclared: true,
        unsigned: { isBetaUser: true },
      },
      { isBetaUser: true, plan: 'pro' },
    );
    expect(JSON.parse(JSON.stringify(visitor))).toEqual({
      claims: { name: 'Ada', seats: 3, teams: ['red'], account: { isOwner: true }, unsigned: { isBetaUser: true } },
    });
    expect(
      value(visitorOf(SCHEMA, { unsigned: { isBetaUser: true } }, undefined), 'visitor.claims.unsigned.isBetaUser'),
    ).toBeUndefined();
    expect(value(visitorOf(SCHEMA, undefined, { isBetaUser: true }), 'visitor.claims.isBetaUser')).toBeUndefined();
    expect(JSON.parse(JSON.stringify(visitorOf(undefined, { isBetaUser: true }, { isBetaUser: true })))).toEqual({
      claims: { unsigned: {} },
    });
  });

  it('3b-14 are inert where they are named like what every object has', () => {
    const given = JSON.parse(
      '{"__proto__": {"isBetaUser": true}, "constructor": {"prototype": {"isBetaUser": true}}, "account": {"__proto__": {"isOwner": true}}}',
    ) as Record<string, unknown>;
    const visitor = visitorOf(SCHEMA, given, given);
    expect(value(visitor, 'visitor.claims.isBetaUser')).toBeUndefined();
    expect(value(visitor, 'visitor.claims.account.isOwner')).toBeUndefined();
    expect(({} as Record<string, unknown>)['isBetaUser']).toBeUndefined();
    for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])
      expect(holds(`visitor.claims.${name}`, { visitor })).toBe(false);
  });

  it('have one key, whatever their order, and another one where they differ', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.boolean(), fc.integer())), (claims) => {
        const reversed = Object.fromEntries(Object.entries(claims).reverse());
        expect(claimsKey({ claims: reversed })).toBe(claimsKey({ claims }));
        expect(claimsKey({ claims: { ...claims, more: 1 } })).not.toBe(claimsKey({ claims: { ...claims, more: '1' } }));
      }),
      { numRuns: 50 },
    );
  });

  it('3b-15 never open what a condition cannot decide', () => {
    const visitor = visitorOf(SCHEMA, {}, {});
    const started = Date.now();
    for (const condition of [
      'constructor.constructor("return process")()',
      'while (true) {}',
      `"${'x'.repeat(1025)}"`,
      `${'('.repeat(500)}1${')'.repeat(500)}`,
      'visitor.claims.name.match(/(a+)+$/)',
      '[].map',
      '[1,2,3,4,5,6,7,8,9].map(a => [1,2,3,4,5,6,7,8,9].map(b => [1,2,3,4,5,6,7,8,9].map(c => [1,2,3,4,5,6,7,8,9].map(d => [1,2,3,4,5,6,7,8,9].map(e => e)))))',
      'visitor.claims.missing.deeper',
      'process.exit()',
      'globalThis',
      'this',
      'import("fs")',
    ])
      expect({ condition, holds: holds(condition, { visitor }) }).toEqual({ condition, holds: false });
    expect(Date.now() - started).toBeLessThan(2000);
    expect(holds('', { visitor })).toBe(true);
    expect(holds(null, { visitor })).toBe(true);
  });

  it('are read from Rison', () => {
    expect(
      readRison(
        "(isBetaUser:!t,plan:pro,seats:-1.5,name:'it!'s',teams:!(red,blue),account:(isOwner:!f),none:!n,empty:'',list:!())",
      ),
    ).toEqual(
      bare({
        isBetaUser: true,
        plan: 'pro',
        seats: -1.5,
        name: "it's",
        teams: ['red', 'blue'],
        account: bare({ isOwner: false }),
        none: null,
        empty: '',
        list: [],
      }),
    );
    const fault = (text: string) => {
      try {
        return readRison(text);
      } catch (error) {
        return error instanceof RisonError;
      }
    };
    for (const text of ['', '(', '(a', '(a:', '(a:1', '!(a', '!x', "'a", '(a:1)b', '(:1)', `${'!('.repeat(30)}`])
      expect([text, fault(text)]).toEqual([text, true]);
    fc.assert(fc.property(fc.string(), (text) => void fault(text)));
  });
});

describe('logins', () => {
  it('are told what the visitor wanted, whatever else the address has', () => {
    expect(visitorLoginUrl('https://app.example.com/login?a=b#c', 'guides/x%20y?z=1&a')).toBe(
      'https://app.example.com/login?a=b&location=guides%2Fx%2520y%3Fz%3D1%26a#c',
    );
  });
});

/** What a customer's service makes. */
function tokenOf(key: string, claims: Record<string, unknown>): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(Buffer.from(key));
}

const bare = (fields: object): object => Object.assign(Object.create(null) as object, fields);
function countStatements(): { during: (allowed: number, work: () => Promise<void>) => Promise<void> } {
  return {
    async during(allowed, work) {
      const database = app.current.get(Database);
      const asked: string[] = [];
      const original = database.query.bind(database);
      const one = database.one.bind(database);
      database.query = (text, values) => (asked.push(text), original(text, values));
      database.one = (text, values) => (asked.push(text), one(text, values));
      try {
        await work();
      } finally {
        Object.assign(database, { query: original, one });
      }
      expect(asked).toHaveLength(allowed);
    },
  };
}
