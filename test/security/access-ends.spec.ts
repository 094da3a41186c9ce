import { beforeAll, describe, expect, it } from '@jest/globals';
import { ACCESS_LEVELS } from '../../src/kernel/common/roles.js';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { AgentTexts } from '../../src/publishing/published-sites/pages/agent-texts.js';
import { VisitorAccess } from '../../src/publishing/published-sites/visitor-access.service.js';
import { useApp } from '../app.js';
import { buildOrganization, type Person } from '../build.js';
import type { Answer } from '../client.js';
import { isRecord, resolved, type OpenApiDocument, type Parameter } from '../contract/json-schema.js';
import { ROWS, type Row } from '../permissions/rows.js';
import { buildWorld, type Ids, type World } from '../permissions/world.js';
import { buildSpace, publish, usePublicListener } from '../published-site.js';

/*
 * How rights end: memberships, roles and tokens that are taken, spaces that are deleted. What may be read is derived from the
 * permission matrix, which has every operation.
 */

const app = useApp();
const listener = usePublicListener(app);

/** A read of the matrix with the ids of a world. */
interface Read {
  readonly name: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly row: Row;
  readonly isList: boolean;
}

let world: World;
let lists: ReadonlySet<string>;

beforeAll(async () => {
  const built = await buildWorld(app.current);
  // Lists have a second page where there are two of everything.
  const second = await buildWorld(app.current, built.workspace);
  world = {
    ...built,
    ids: { ...built.ids, adminId: built.workspace.admin.id, subdomain: second.ids['subdomain'] ?? '' },
  };
  const document = (await (await fetch(new URL('/openapi.json', app.current.url))).json()) as OpenApiDocument;
  lists = new Set(
    Object.entries(document.paths).flatMap(([path, { get }]) =>
      (get?.parameters ?? []).some((each) => resolved<Parameter>(document, each).name === 'limit')
        ? [`GET ${path.replace(/^\/v1/, '')}`]
        : [],
    ),
  );
}, 180_000);

async function reads(person: Person): Promise<Read[]> {
  const found: Read[] = [];
  for (const [name, row] of Object.entries(ROWS)) {
    // Templates come with the server: they are the same for everybody. Nobody reads what only another server has.
    const isForAll = row.least === 'open' || row.least === 'anybody' || /\/templates(?:\/|$)/.test(name);
    if (!name.startsWith('GET ') || isForAll || row.ok !== 200) continue;
    const ids: Ids = { ...world.ids, ...(await row.prepare?.({ ...world, person })) };
    found.push({
      name,
      path: name.slice('GET '.length).replace(/\{(\w+)\}/g, (_, parameter: string) => ids[parameter] ?? ''),
      query: { ...(typeof row.query === 'function' ? row.query(ids) : row.query) },
      row,
      isList: lists.has(name),
    });
  }
  return found;
}

function ask(
  { api }: Person,
  { path, query, isList }: Read,
  more: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  return api.get(path, { query: { ...query, ...(isList && { limit: '1' }), ...more }, headers });
}

const nextOf = (body: unknown): string | undefined =>
  isRecord(body) && isRecord(body['next']) ? (body['next']['page'] as string) : undefined;

describe('3b-4 whoever loses access', () => {
  it.each(['leaves', 'becomes a guest'] as const)(
    'has lost it with the next request where a member %s: of an object that they have a version of, and in the middle of every list',
    async (loss) => {
      const person = await world.workspace.member('admin');
      const begun: (readonly [read: Read, etag: string, next: string | undefined])[] = [];
      for (const read of await reads(person)) {
        const answer = await ask(person, read);
        expect([read.name, answer.status]).toEqual([read.name, 200]);
        begun.push([read, answer.headers.get('etag') ?? '', nextOf(answer.body)]);
      }
      expect({
        reads: begun.length > 110,
        versions: begun.filter(([, etag]) => etag !== '').length > 30,
        lists: begun.filter(([, , next]) => next !== undefined).length > 20,
      }).toEqual({ reads: true, versions: true, lists: true });
      const { api } = world.workspace.admin;
      const membership = `/orgs/${world.workspace.id}/members/${person.id}`;
      expect(
        (await (loss === 'leaves' ? api.delete(membership) : api.patch(membership, { role: null }))).status,
      ).toBeLessThan(300);
      const still: string[] = [];
      for (const [read, etag, next] of begun) {
        const answers = [
          await ask(person, read, {}, etag === '' ? {} : { 'If-None-Match': etag }),
          ...(next === undefined ? [] : [await ask(person, read, { page: next })]),
        ];
        for (const { status, body } of answers) {
          const isShut = status === 404 || status === 403 || (status === 400 && next !== undefined);
          // Guests have lists of what was given to them, which is nothing.
          const isEmpty =
            loss === 'becomes a guest' &&
            read.row.least === 'none' &&
            (!isRecord(body) || !Array.isArray(body['items']) || body['items'].length === 0);
          if (!isShut && !isEmpty) still.push(`${read.name}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
        }
      }
      expect(still).toEqual([]);
    },
    60_000,
  );

  it('gets no answer again that was kept for a repetition', async () => {
    const [member, { admin }] = [await world.workspace.member('edit'), world.workspace];
    const key = { headers: { 'Idempotency-Key': 'the-same-request' } };
    const make = () =>
      member.api.post(`/spaces/${world.ids['spaceId'] ?? ''}/change-requests`, { subject: 'Once' }, key);
    expect([(await make()).status, (await make()).status]).toEqual([201, 201]);
    await admin.api.patch(`/orgs/${world.workspace.id}/members/${member.id}`, { role: 'comment' });
    expect((await make()).status).toBe(403);
    await admin.api.delete(`/orgs/${world.workspace.id}/members/${member.id}`);
    expect((await make()).status).toBe(404);
  });

  it('has lost it with a token that is revoked, an account that is disabled, a team, a grant or a level that is taken', async () => {
    const { workspace } = world;
    const { api } = workspace.admin;
    const space = `/spaces/${(await api.post<{ id: string }>(`/orgs/${workspace.id}/spaces`, { title: 'Closed', empty: true, editMode: 'live' })).body.id}`;
    const changes = Array.from({ length: 3 }, (_, at) => ({
      operation: 'insert_files',
      files: [{ name: `${at}.txt`, contentType: 'text/plain', base64: 'YQ==' }],
    }));
    expect((await api.post(`${space}/content`, { changes })).status).toBe(200);
    const { api: other, id } = await workspace.member('none');
    const team = (await api.put<{ id: string }>(`/orgs/${workspace.id}/teams`, { title: 'Readers', members: [id] }))
      .body.id;
    const collection = (await api.post<{ id: string }>(`/orgs/${workspace.id}/collections`, { title: 'Shelf' })).body
      .id;
    const page = async () => {
      const first = await other.get<{ next?: { page: string } }>(`${space}/content/files`, { query: { limit: 1 } });
      return () => other.get(`${space}/content/files`, { query: { limit: 1, page: first.body.next?.page } });
    };
    const ways: (readonly [give: () => Promise<Answer>, take: () => Promise<Answer>])[] = [
      [
        () => api.post(`${space}/permissions`, { role: 'read', users: [id] }),
        () => api.delete(`${space}/permissions/users/${id}`),
      ],
      [
        () => api.post(`${space}/permissions`, { role: 'read', users: [id] }),
        () => api.patch(`${space}/permissions/users/${id}`, { role: null }),
      ],
      [
        () =>
          api
            .delete(`${space}/permissions/users/${id}`)
            .then(() => api.post(`${space}/permissions`, { role: 'read', teams: [team] })),
        () => api.delete(`/orgs/${workspace.id}/teams/${team}/members/${id}`),
      ],
      [
        () => api.put(`/orgs/${workspace.id}/teams/${team}/members/${id}`),
        () => api.delete(`/orgs/${workspace.id}/teams/${team}`),
      ],
      [
        () =>
          api
            .post(`/collections/${collection}/permissions`, { role: 'read', users: [id] })
            .then(() => api.post(`${space}/move`, { parent: collection })),
        () => api.post(`${space}/move`, { parent: null }),
      ],
      [
        () => api.post(`${space}/move`, { parent: collection }),
        () => api.delete(`/collections/${collection}/permissions/users/${id}`),
      ],
      [
        () => api.patch(`/orgs/${workspace.id}/members/${id}`, { role: 'edit' }),
        () => api.patch(space, { defaultLevel: null }),
      ],
    ];
    for (const [at, [give, take]] of ways.entries()) {
      expect((await give()).status).toBeLessThan(300);
      const more = await page();
      expect([at, (await more()).status]).toEqual([at, 200]);
      expect((await take()).status).toBeLessThan(300);
      expect([at, (await more()).status]).toEqual([at, 404]);
    }
    const { body: token } = await other.post<{ id: string }>('/user/tokens', { name: 'Second' });
    const listed = await other.get<{ items: { id: string }[] }>('/user/tokens');
    const own = listed.body.items.find((each) => each.id !== token.id)?.id ?? '';
    expect((await other.delete(`/user/tokens/${own}`)).status).toBe(204);
    expect((await other.get('/user')).status).toBe(401);
    const reader = await workspace.member('read');
    const more = await reader.api.get<{ next?: { page: string } }>(`/orgs/${workspace.id}/members`, {
      query: { limit: 1 },
    });
    await app.current.database.execute('UPDATE account SET disabled = true WHERE id = $1', [reader.id]);
    expect(
      (await reader.api.get(`/orgs/${workspace.id}/members`, { query: { limit: 1, page: more.body.next?.page } }))
        .status,
    ).toBe(401);
  });

  it('has nothing done in their name any more that they have ordered before', async () => {
    const { workspace } = world;
    const { api } = workspace.admin;
    const space = (
      await api.post<{ id: string }>(`/orgs/${workspace.id}/spaces`, { title: 'Target', empty: true, editMode: 'live' })
    ).body.id;
    for (const loss of ['removed', 'lowered'] as const) {
      const member = await workspace.member('create');
      const offered = await member.api.post<{ key: string; url: string }>(`/orgs/${workspace.id}/storage/upload`, {
        kind: 'import_file',
        file: { name: 'a.md', type: 'text/markdown', size: 6 },
      });
      expect(
        (await fetch(offered.body.url, { method: 'PUT', body: '# Home', headers: { 'Content-Type': 'text/markdown' } }))
          .status,
      ).toBe(204);
      const run = await member.api.post<{ id: string }>(`/org/${workspace.id}/imports`, {
        source: { type: 'file', files: [offered.body.key] },
        target: { space },
      });
      expect(run.status).toBe(201);
      const membership = `/orgs/${workspace.id}/members/${member.id}`;
      await (loss === 'removed' ? api.delete(membership) : api.patch(membership, { role: 'comment' }));
      await app.current.get(Jobs).drain();
      expect((await api.get(`/org/${workspace.id}/imports/${run.body.id}`)).body).toMatchObject({ status: 'failed' });
      expect((await api.get(`/spaces/${space}/content/pages`)).body).toMatchObject({ pages: [] });
    }
  });

  it('has a text ended that is still being written for them', async () => {
    const workspace = await buildOrganization(app.current);
    const guide = await buildSpace(workspace, 'Guide');
    // More than is read ahead, in several steps.
    const pages = Array.from({ length: 30 }, (_, at) => ({
      operation: 'insert_page',
      title: `Page ${at}`,
      document: { markdown: `${'word '.repeat(1_500)}\n` },
    }));
    await guide.write(...pages);
    const site = await publish(workspace, [guide], 'share-link');
    const link = (
      await site.api.post<{ id: string; urls: { published: string } }>(`${site.path}/share-links`, { name: 'Auditors' })
    ).body;
    const textOf = async (during: () => Promise<unknown>): Promise<string> => {
      const { pathname, host } = new URL(link.urls.published);
      const entered = await app.current.get(VisitorAccess).enter({ host, path: pathname }, {});
      if (!entered?.entrance || !('visit' in entered.entrance)) throw new Error('nobody was let in');
      const given = await app.current
        .get(AgentTexts)
        .answer({ visit: entered.entrance.visit, base: site.base, origin: listener.origin }, 'llms-full.txt', {
          ip: '127.0.0.1',
          userAgent: '',
          language: undefined,
          referrer: undefined,
        });
      const body = given?.body;
      let text = '';
      for await (const part of body as AsyncIterable<Buffer>) {
        if (text === '') await during();
        text += part.toString();
      }
      return text;
    };
    const whole = await textOf(() => Promise.resolve());
    expect(whole).toContain('# Page 29');
    const cut = await textOf(() => site.api.patch(`${site.path}/share-links/${link.id}`, { active: false }));
    expect([cut.length > 0, cut.includes('# Page 29'), cut.length < whole.length]).toEqual([true, false, true]);
  });
});

describe('3b-5 nobody raises themselves', () => {
  it.each(ACCESS_LEVELS.filter((role) => role !== 'admin'))(
    'a member with the role %s has no more rights after trying everything that gives rights',
    async (role) => {
      const { workspace } = world;
      const { admin } = workspace;
      const me = await workspace.member(role);
      const helper = await workspace.member('admin');
      const org = `/orgs/${workspace.id}`;
      const made = async (path: string, body: object) => (await admin.api.post<{ id: string }>(path, body)).body.id;
      const [space, collection, site] = [
        await made(`${org}/spaces`, { title: 'Space', empty: true }),
        await made(`${org}/collections`, { title: 'Collection' }),
        await made(`${org}/sites`, { title: 'Site' }),
      ];
      const team = (await admin.api.put<{ id: string }>(`${org}/teams`, { title: 'Admins', members: [helper.id] })).body
        .id;
      const own = (await admin.api.put<{ id: string }>(`${org}/teams`, { title: 'Mine', members: [me.id] })).body.id;
      for (const path of [`/spaces/${space}`, `/collections/${collection}`, `${org}/sites/${site}`])
        expect((await admin.api.post(`${path}/permissions`, { role: 'admin', teams: [team] })).status).toBe(204);
      const facts = async () => ({
        self: (await admin.api.get(`${org}/members/${me.id}`)).body['role'],
        helper: (await admin.api.get(`${org}/members/${helper.id}`)).body['role'],
        space: (await me.api.get(`/spaces/${space}`)).body['permissions'],
        collection: (await me.api.get(`/collections/${collection}`)).body['permissions'],
        organization: (await me.api.get(org)).body['permissions'],
        site: (await me.api.patch(`${org}/sites/${site}`, { title: 'Mine' })).status,
        grants: await Promise.all(
          [`/spaces/${space}`, `/collections/${collection}`, `${org}/sites/${site}`].map(async (path) =>
            (
              await admin.api.get<{ items: { permission: string; team: { id: string } }[] }>(
                `${path}/permissions/teams`,
              )
            ).body.items.map((each) => [each.team.id, each.permission]),
          ),
        ),
        owners: (await admin.api.get<{ items: object[] }>(`${org}/teams/${team}/members`)).body.items.length,
        rules: (await admin.api.get(org)).body['mergeRules'],
        invites: (await admin.api.get<{ count: number }>(`${org}/invites`)).body.count,
      });
      const before = await facts();
      const { api } = me;
      const attempts: (readonly [string, Answer])[] = [];
      const attempt = async (method: 'post' | 'put' | 'patch' | 'delete', path: string, body?: object) => {
        const answer = method === 'delete' ? await api.delete(path) : await api[method](path, body);
        attempts.push([`${method} ${path}`, answer]);
      };
      await attempt('patch', `${org}/members/${me.id}`, { role: 'admin' });
      await attempt('patch', `${org}/members/${helper.id}`, { role: 'read' });
      await attempt('delete', `${org}/members/${helper.id}`);
      await attempt('post', `${org}/members/${me.id}/sso`);
      await attempt('patch', org, {
        defaultRole: 'admin',
        mergeRules: { type: 'none' },
        emailDomains: ['example.com'],
      });
      await attempt('put', `${org}/teams/${own}/members/${me.id}`, { role: 'owner' });
      await attempt('put', `${org}/teams/${team}/members/${me.id}`, { role: 'owner' });
      await attempt('put', `${org}/teams/${team}/members`, { add: [me.id], remove: [helper.id] });
      await attempt('delete', `${org}/teams/${team}/members/${helper.id}`);
      await attempt('delete', `${org}/teams/${team}`);
      await attempt('post', `${org}/invites`, { emails: ['me.too@example.com'], role: 'admin' });
      await attempt('post', `${org}/link-invites`, { role: 'admin' });
      await attempt('post', `${org}/saml`, { label: 'Mine', defaultRole: 'admin' });
      for (const [kind, path] of [
        ['space', `/spaces/${space}`],
        ['collection', `/collections/${collection}`],
        ['site', `${org}/sites/${site}`],
      ] as const) {
        await attempt('post', `${path}/permissions`, { role: 'admin', users: [me.id] });
        await attempt('post', `${path}/permissions`, { role: 'admin', teams: [own] });
        await attempt('patch', `${path}/permissions/teams/${team}`, { role: 'read' });
        await attempt('delete', `${path}/permissions/teams/${team}`);
        if (kind !== 'site')
          await attempt('post', `${org}/link-invites`, {
            [kind]: kind === 'space' ? space : collection,
            level: 'admin',
          });
      }
      if (role !== 'create') {
        await attempt('patch', `/spaces/${space}`, { defaultLevel: 'admin' });
        await attempt('patch', `/spaces/${space}`, { mergeRules: { type: 'none' } });
        await attempt('patch', `/collections/${collection}`, { defaultLevel: 'admin' });
        await attempt('patch', `/spaces/${space}`, { editMode: 'live' });
      }
      // Deleting what is not seen is done already.
      expect(
        attempts
          .filter(([what, { status }]) => status < 400 && !(role === 'none' && what.startsWith('delete ')))
          .map(([what, { status }]) => `${what} ${status}`),
      ).toEqual([]);
      expect(await facts()).toEqual(before);
    },
    60_000,
  );

  it('who manages content gives at most what they have, also by the level that everybody has', async () => {
    const { workspace } = world;
    const [creator, helper] = [await workspace.member('create'), await workspace.member('admin')];
    const org = `/orgs/${workspace.id}`;
    const space = `/spaces/${(await creator.api.post<{ id: string }>(`${org}/spaces`, { title: 'Own', empty: true })).body.id}`;
    const collection = `/collections/${(await creator.api.post<{ id: string }>(`${org}/collections`, { title: 'Own' })).body.id}`;
    for (const path of [space, collection]) {
      expect((await creator.api.patch(path, { defaultLevel: 'admin' })).status).toBe(403);
      expect((await creator.api.post(`${path}/permissions`, { role: 'admin', users: [creator.id] })).status).toBe(403);
      expect((await creator.api.post(`${path}/permissions`, { role: 'read', users: [helper.id] })).status).toBeLessThan(
        404,
      );
      expect((await helper.api.get(path)).body).toMatchObject({ permissions: { admin: true } });
      expect((await helper.api.delete(`${path}/permissions/users/${creator.id}`)).status).toBe(204);
    }
  });
});
