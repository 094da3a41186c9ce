import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import type { AccessLevel } from '../../src/kernel/common/roles.js';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { DEFAULT_CUSTOMIZATION } from '../../src/publishing/sites/customization.schema.js';
import { useApp } from '../app.js';
import { buildOrganization, type Person } from '../build.js';
import { Client } from '../client.js';
import { readPdf } from '../pdf-reader.js';
import { ROWS } from '../permissions/rows.js';
import { buildWorld, type Ids, type World } from '../permissions/world.js';
import { buildSpace, publish, usePublicListener, type Made, type Seen, type Site } from '../published-site.js';

/*
 * What is hidden is in no answer: for members whatever they read, for visitors of published sites wherever a site says
 * something. A word that stands only in what is hidden is looked for in all of it; who may see it finds it.
 */

const app = useApp();
const listener = usePublicListener(app);

const DAY = 24 * 60 * 60 * 1000;

/** Every answer to a GET of the matrix, by its operation, as somebody gets it. */
async function readAll(
  world: World,
  person: Person,
  wanted: (name: string) => boolean = () => true,
): Promise<Map<string, { status: number; text: string }>> {
  const found = new Map<string, { status: number; text: string }>();
  for (const [name, row] of Object.entries(ROWS)) {
    if (!name.startsWith('GET ') || row.least === 'open' || row.least === 'anybody' || !wanted(name)) continue;
    const ids: Ids = { ...world.ids, ...(row.prepare && (await row.prepare({ ...world, person }))) };
    const query = typeof row.query === 'function' ? row.query(ids) : row.query;
    const path = name.slice('GET '.length).replace(/\{(\w+)\}/g, (_, parameter: string) => ids[parameter] ?? '');
    const { status, body } = await person.api.get(path, { query: { ...query } });
    found.set(name, { status, text: (JSON.stringify(body) ?? '').replaceAll(/"lastSeenAt":"[^"]*",/g, '') });
  }
  return found;
}

const SECRET = 'Kryptonite';

describe('3b-9 a space that a member does not see', () => {
  afterEach(() => app.current.setTime(undefined));

  let world: World;
  let secret: string;
  let reader: Person;

  beforeAll(async () => {
    world = await buildWorld(app.current);
    const { workspace, ids } = world;
    const { api } = workspace.admin;
    reader = await workspace.member('edit');
    const made = async (path: string, body: object): Promise<string> => {
      const answer = await api.post<Made>(path, body);
      expect([path, answer.status < 300]).toEqual([path, true]);
      return answer.body.id;
    };
    const open = ids['spaceId'] ?? '';
    secret = await made(`/orgs/${workspace.id}/spaces`, {
      title: `${SECRET} space`,
      parent: ids['collectionId'],
      empty: true,
      editMode: 'live',
    });
    await api.patch(`/spaces/${secret}`, { defaultLevel: null });
    const changes = [
      {
        operation: 'insert_page',
        title: `${SECRET} page`,
        document: { markdown: `# ${SECRET}\n\nhello ${SECRET} [back](/pages/${ids['pageId'] ?? ''})\n` },
      },
      { operation: 'insert_files', files: [{ name: `${SECRET}.txt`, contentType: 'text/plain', base64: 'YQ==' }] },
      { operation: 'insert_reusable_content', title: `${SECRET} words`, document: { markdown: SECRET } },
    ];
    expect((await api.post(`/spaces/${secret}/content`, { changes })).status).toBe(200);
    const content = (
      await api.get<{ pages: Made[]; files: Made[]; reusableContents: Made[] }>(`/spaces/${secret}/content`)
    ).body;
    const [page, file, reusableContent] = [content.pages[0]?.id, content.files[0]?.id, content.reusableContents[0]?.id];
    const refs = [
      { kind: 'space', space: secret },
      { kind: 'page', page, space: secret },
      { kind: 'anchor', page, space: secret, anchor: SECRET.toLowerCase() },
      { kind: 'file', file },
      { kind: 'collection', collection: ids['collectionId'] },
    ];
    const block = (type: string, data: object) => ({ object: 'block', type, isVoid: true, data });
    const nodes = [
      ...refs.map((ref) => block('content-ref', { ref })),
      block('reusable-content', { ref: { kind: 'reusable-content', reusableContent, space: secret } }),
    ];
    const linking = {
      operation: 'insert_page',
      title: 'Linking',
      document: { document: { object: 'document', data: { schemaVersion: 8 }, nodes } },
    };
    expect((await api.post(`/spaces/${open}/content`, { changes: [linking] })).status).toBe(200);
    expect(
      (
        await api.post(`/spaces/${open}/change-requests/${ids['changeRequestId'] ?? ''}/content`, {
          changes: [linking],
        })
      ).status,
    ).toBe(200);
    const back = {
      operation: 'insert_page',
      title: `${SECRET} back`,
      document: {
        document: {
          object: 'document',
          data: { schemaVersion: 8 },
          nodes: [block('content-ref', { ref: { kind: 'page', page: ids['pageId'], space: open } })],
        },
      },
    };
    await api.post(`/spaces/${secret}/permissions`, { role: 'review', users: [ids['userId']], teams: [ids['teamId']] });
    const request = await made(`/spaces/${secret}/change-requests`, {
      subject: `${SECRET} change`,
      conversationsIssuesCluster: ids['clusterId'],
    });
    expect((await api.post(`/spaces/${secret}/content`, { changes: [back] })).status).toBe(200);
    expect(
      (await api.post(`/spaces/${secret}/change-requests/${request}/requested-reviewers`, { users: [ids['userId']] }))
        .status,
    ).toBe(200);
    await made(`/spaces/${secret}/comments`, { body: { markdown: SECRET }, page });
    await made(`/org/${workspace.id}/imports`, {
      source: { type: 'website', url: `https://${SECRET.toLowerCase()}.example.com/` },
      target: { space: secret },
    });
    await made(`/orgs/${workspace.id}/sites/${ids['siteId'] ?? ''}/site-spaces`, { spaceId: secret });
  }, 60_000);

  it('is in nothing that they read: no title, word, file, count, link, hit or token differs from what they read without it', async () => {
    const { api } = world.workspace.admin;
    // The founder finds it in all of these, so that there was something to show.
    const told = [...(await readAll(world, world.workspace.admin))]
      .filter(([, { text }]) => text.toLowerCase().includes(SECRET.toLowerCase()))
      .map(([name]) => name);
    expect(told.length).toBeGreaterThan(8);
    app.current.setTime(new Date());
    const isStable = (name: string) => ROWS[name]?.prepare === undefined;
    const before = await readAll(world, reader, isStable);
    expect(
      [...before]
        .filter(([, { text }]) => text.toLowerCase().includes(SECRET.toLowerCase()) || text.includes(secret))
        .map(
          ([name, { text }]) =>
            `${name}: ${text.slice(Math.max(0, text.indexOf(secret) - 200), 400 + text.indexOf(secret))}`,
        ),
    ).toEqual([]);
    for (const query of [SECRET, 'krypton', 'kryptonitt', `"${SECRET}"`]) {
      for (const path of [`/orgs/${world.workspace.id}/search`, `/spaces/${world.ids['spaceId'] ?? ''}/search`])
        expect((await reader.api.get(path, { query: { query } })).body).toEqual({ items: [], count: 0 });
      expect(
        (
          await reader.api.post(`/orgs/${world.workspace.id}/sites/${world.ids['siteId'] ?? ''}/search`, {
            query,
            scope: { mode: 'all' },
          })
        ).body,
      ).toMatchObject({ items: [], count: 0 });
    }
    await api.delete(`/spaces/${secret}`);
    const after = await readAll(world, reader, isStable);
    const differing = [...before].filter(
      ([name, { status, text }]) => `${status} ${text}` !== `${after.get(name)?.status} ${after.get(name)?.text}`,
    );
    expect(
      differing.map(([name, { text }]) => `${name}: ${firstDifference(text, after.get(name)?.text ?? '')}`),
    ).toEqual([]);
    expect(before.size).toBeGreaterThan(90);
  }, 60_000);
});

function firstDifference(left: string, right: string): string {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  return `${left.slice(Math.max(0, at - 80), at + 80)} <> ${right.slice(Math.max(0, at - 80), at + 80)}`;
}

describe('3b-11 a deleted space', () => {
  afterEach(() => app.current.setTime(undefined));

  it('is gone at once from everything, comes back as it was, and is gone for good after the seventh day', async () => {
    const now = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
    app.current.setTime(now);
    const world = await buildWorld(app.current);
    const { workspace, ids } = world;
    const { api } = workspace.admin;
    const space = ids['spaceId'] ?? '';
    const member = await workspace.member('edit');
    await app.current.get(Jobs).drain();
    const guide = { id: space, write: () => Promise.reject(new Error('nothing is written here')) };
    const site = await publish(workspace, [guide]);
    const pdf = (await member.api.get<{ url: string }>(`/spaces/${space}/pdf`)).body.url;
    const files = (await member.api.get<{ items: { downloadURL: string }[] }>(`/spaces/${space}/content/files`)).body
      .items;
    await app.current.get(Jobs).drain();
    const addresses = [pdf, files[0]?.downloadURL ?? ''];
    const shown = async () => ({
      page: (await listener.see(`${site.base}/page`)).status,
      root: (await listener.see(site.base)).status,
      markdown: (await listener.see(`${site.base}/page.md`)).status,
      search:
        (await listener.see(`${site.base}/~search?q=hello`, { accept: 'application/json' })).body.includes(
          `${site.base}`,
        ) && (await listener.see(`${site.base}/~search?q=hello`)).body.includes('Hello'),
      map: (await listener.see(`${site.base}/sitemap.xml`)).body.includes('<loc>'),
      llms: (await listener.see(`${site.base}/llms.txt`)).body.includes('.md)'),
      addresses: await Promise.all(addresses.map(async (address) => (await fetch(address)).status)),
      hits: (await member.api.get(`/orgs/${workspace.id}/search`, { query: { query: 'hello' } })).body['count'],
      requests: (await member.api.get(`/orgs/${workspace.id}/change-requests`, { query: { status: 'draft' } })).body[
        'count'
      ],
      spaces: (await member.api.get(`/orgs/${workspace.id}/spaces`)).body['count'],
      sites: (await member.api.get(`/orgs/${workspace.id}/sites`, { query: { space } })).body['count'],
    });
    // Those that an editor may ask for.
    const ofSpace = (name: string) =>
      name.includes('{spaceId}') && ROWS[name]?.prepare === undefined && ROWS[name]?.least !== 'create';
    const [before, outside] = [await readAll(world, member, ofSpace), await shown()];
    expect({
      all: [...before.values()].every(({ status }) => status === 200),
      many: before.size > 35,
      outside,
    }).toMatchObject({
      all: true,
      many: true,
      outside: {
        page: 307,
        root: 200,
        markdown: 200,
        search: true,
        map: true,
        llms: true,
        addresses: [200, 200],
        hits: 1,
        requests: 1,
        sites: 1,
      },
    });
    app.current.setTime(new Date(now.getTime() + 1000));
    expect((await api.delete(`/spaces/${space}`)).status).toBe(204);
    expect([...(await readAll(world, member, ofSpace))].filter(([, { status }]) => status !== 404)).toEqual([]);
    expect(await shown()).toEqual({
      page: 404,
      root: 404,
      markdown: 404,
      search: false,
      map: false,
      llms: false,
      addresses: [404, 404],
      hits: 0,
      requests: 0,
      spaces: (outside.spaces as number) - 1,
      sites: 0,
    });
    expect((await member.api.post(`/spaces/${space}/content`, { changes: [] })).status).toBe(404);

    app.current.setTime(new Date(now.getTime() + 1000 + 7 * DAY));
    expect((await api.post(`/spaces/${space}/restore`)).status).toBe(200);
    app.current.setTime(now);
    const after = await readAll(world, member, ofSpace);
    const ignoring = ({ text }: { text: string }) => text.replaceAll(/"updatedAt":"[^"]*"/g, '');
    expect(
      [...before]
        .filter(([name, answer]) => ignoring(answer) !== ignoring(after.get(name) ?? { text: '' }))
        .map(([name, { text }]) => `${name}: ${firstDifference(text, after.get(name)?.text ?? '')}`),
    ).toEqual([]);
    expect(await shown()).toEqual(outside);

    app.current.setTime(new Date(now.getTime() + 2000));
    await api.delete(`/spaces/${space}`);
    app.current.setTime(new Date(now.getTime() + 2001 + 7 * DAY));
    expect([(await api.post(`/spaces/${space}/restore`)).status, (await api.get(`/spaces/${space}`)).status]).toEqual([
      404, 200,
    ]);
  }, 60_000);
});

describe('3b-8 the flags of smaller things', () => {
  it.each(['none', 'read', 'comment', 'edit', 'review', 'create', 'admin'] as const)(
    'say what the server then allows to a member with the role %s',
    async (role: AccessLevel) => {
      const workspace = await buildOrganization(app.current);
      const { api } = workspace.admin;
      const person = await workspace.member(role);
      const guide = await buildSpace(workspace, 'Guide');
      await api.post(`/spaces/${guide.id}/permissions`, {
        role: role === 'none' ? 'comment' : role,
        users: [person.id],
      });
      const org = `/orgs/${workspace.id}`;
      const comments = `/spaces/${guide.id}/comments`;
      const post = (who: Client, path: string) => who.post<Made>(path, { body: { markdown: 'Here' } });
      const theirs = (await post(api, comments)).body.id;
      const reply = (await post(api, `${comments}/${theirs}/replies`)).body.id;
      const own = (await post(person.api, comments)).body.id;
      const things = [
        `${comments}/${theirs}`,
        `${comments}/${theirs}/replies/${reply}`,
        ...(own === undefined ? [] : [`${comments}/${own}`]),
      ];
      await api.post(`${org}/openapi`, {
        slug: 'pets',
        source: { text: '{"openapi":"3.1.0","info":{"title":"Pets","version":"1"},"paths":{}}' },
      });
      const translation = `${org}/translations/${(await api.post<Made>(`${org}/translations`, { source: { space: guide.id, language: 'en' }, language: 'es' })).body.id}`;
      const flags = async (path: string) =>
        (await person.api.get<{ permissions?: Record<string, boolean> }>(path)).body.permissions;
      const yes = ({ status }: { readonly status: number }) => status !== 403 && status !== 404;
      for (const path of things) {
        const shown = await flags(path);
        const isReply = path.includes('/replies/');
        const allowed = {
          view: yes(await person.api.get(path)),
          edit: yes(await person.api.put(path, { body: { markdown: 'Changed' } })),
          reply: !isReply && yes(await post(person.api, `${path}/replies`)),
          delete: yes(await person.api.delete(path)),
        };
        expect({ path, ...shown }).toEqual({ path, ...allowed });
        if (allowed.delete && path === things[0]) break;
      }
      const view = async (path: string) => yes(await person.api.get(path));
      expect((await flags(`${org}/openapi/pets`)) ?? { view: false, edit: false }).toEqual({
        view: await view(`${org}/openapi/pets`),
        edit: yes(await person.api.patch(`${org}/openapi/pets`, { visibility: 'public' })),
      });
      expect((await flags(translation)) ?? { view: false, edit: false }).toEqual({
        view: await view(translation),
        edit: yes(await person.api.put(translation, {})),
      });
    },
  );
});

const flag = { type: 'boolean', description: 'Whether they test' };
const SCHEMA = { type: 'object', additionalProperties: false, properties: { isBetaUser: flag } };
const CONDITION = 'visitor.claims.isBetaUser == true';

describe('3b-16 what a visit does not show', () => {
  let site: Site;
  let testers: string;
  let pages: { open: string; hidden: string };

  beforeAll(async () => {
    const workspace = await buildOrganization(app.current);
    const [guide, beta, other] = [
      await buildSpace(workspace, 'Guide'),
      await buildSpace(workspace, `${SECRET} section`),
      await buildSpace(workspace, `${SECRET} variant`),
    ];
    const [, before = '', hidden = '', , open = ''] = await guide.write(
      { operation: 'insert_page', title: 'Welcome', description: 'Begin here', document: { markdown: 'Hello.\n' } },
      { operation: 'insert_page', title: 'Before', document: { markdown: 'Before it.\n' } },
      {
        operation: 'insert_page',
        title: `${SECRET} page`,
        description: SECRET,
        condition: CONDITION,
        document: { markdown: `Words of ${SECRET}.\n` },
      },
      { operation: 'insert_page', title: 'After', document: { markdown: 'After it.\n' } },
      {
        operation: 'insert_page',
        title: 'Mixed',
        document: {
          markdown: `For all.\n\n{% if ${CONDITION} %}\n\n## ${SECRET} heading\n\nOf ${SECRET}.\n\n{% endif %}\n`,
        },
      },
    );
    pages = { open, hidden };
    await guide.write({
      operation: 'insert_page',
      title: 'Under',
      into: hidden,
      document: { markdown: `Below ${SECRET}.\n` },
    });
    const links = `[](/pages/${hidden}) and [](/pages/${before})\n`;
    await guide.write({ operation: 'insert_page', title: 'Links', document: { markdown: links } });
    for (const space of [beta, other])
      await space.write({
        operation: 'insert_page',
        title: `${SECRET} start`,
        document: { markdown: `hello ${SECRET}\n` },
      });
    site = await publish(workspace, [guide]);
    expect((await site.api.put(`${site.path}/adaptive-schema`, { jsonSchema: SCHEMA })).status).toBe(200);
    await site.api.patch(site.path, { adaptiveContent: { enabled: true } });
    const section = (
      await site.api.post<Made>(`${site.path}/sections`, { spaceId: beta.id, title: `${SECRET} section` })
    ).body.id;
    expect((await site.api.patch(`${site.path}/sections/${section}`, { condition: CONDITION })).status).toBe(200);
    const variant = (await site.api.post<Made>(`${site.path}/site-spaces`, { spaceId: other.id })).body.id;
    expect(
      (
        await site.api.patch(`${site.path}/site-spaces/${variant}`, {
          condition: CONDITION,
          title: `${SECRET} variant`,
        })
      ).status,
    ).toBe(200);
    const siteSpaceId = (
      await site.api.get<{ items: (Made & { default: boolean })[] }>(`${site.path}/site-spaces`)
    ).body.items.find((each) => each.default)?.id;
    await site.api.post(`${site.path}/redirects`, {
      source: '/old',
      destination: { kind: 'site-page', siteSpaceId, pageId: hidden },
    });
    const header = {
      ...DEFAULT_CUSTOMIZATION.header,
      links: [
        { title: `${SECRET} link`, to: { kind: 'url', url: 'https://example.com/' }, links: [], condition: CONDITION },
      ],
    };
    await site.api.put(`${site.path}/customization`, { ...DEFAULT_CUSTOMIZATION, header });
    const { privateKey } = (await site.api.get<{ privateKey: string }>(`${site.path}/publishing/auth`)).body;
    testers = await new SignJWT({ isBetaUser: true })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(Buffer.from(privateKey));
  }, 60_000);

  it('is nowhere that the site says something, whoever has asked for the same before', async () => {
    const cookie = { cookie: `gitbook-visitor-token=${testers}` };
    const slug = SECRET.toLowerCase();
    const paths = [
      '',
      '/before',
      '/after',
      '/mixed',
      '/links',
      `/${slug}-page`,
      `/${slug}-page/under`,
      `/${slug}-section`,
      `/${slug}-section/${slug}-start`,
      `/${slug}-variant`,
      '/old',
      ...['', '/before', '/mixed', '/links', `/${slug}-page`, `/${slug}-section/${slug}-start`].map(
        (path) => `${path}.md`,
      ),
      '/index.md',
      '/sitemap.xml',
      '/sitemap-1.xml',
      '/sitemap-pages.xml',
      '/llms.txt',
      '/llms-full.txt',
      '/robots.txt',
      `/~search?q=${slug}`,
      '/~search?q=hello',
      '/~search?q=words',
      '/nowhere',
      `/${slug}`,
      '/?ask=what+is+there',
      '/mixed?ask=secrets',
      '/~gitbook/mcp',
      '/mcp',
    ];
    const told: string[] = [];
    for (const path of paths) {
      for (const accept of path.startsWith('/~search') ? ['text/html', 'application/json'] : ['text/html']) {
        // Whoever may see it asks before and after, so that what is kept for them is there to be given away.
        const known = await listener.see(site.base + path, { ...cookie, accept });
        const stranger = await listener.see(site.base + path, { accept });
        const cached = await listener.see(site.base + path, { accept, 'If-None-Match': String(known.headers['etag']) });
        const again = await listener.see(site.base + path, {
          ...cookie,
          accept,
          'If-None-Match': String(stranger.headers['etag']),
        });
        if (says(known)) told.push(path);
        for (const seen of [stranger, cached])
          expect([path, accept, says(seen, path)]).toEqual([path, accept, undefined]);
        if (says(known)) {
          expect([path, cached.status === 304, again.status === 304]).toEqual([path, false, false]);
          expect([path, says(again) !== undefined]).toEqual([path, true]);
        }
      }
    }
    expect(told).toEqual(
      expect.arrayContaining([
        '',
        '/before',
        '/after',
        '/mixed',
        '/links',
        '/old',
        '/mixed.md',
        '/llms.txt',
        '/llms-full.txt',
        `/~search?q=${slug}`,
      ]),
    );
    const neighbours = ({ body }: Seen) =>
      [
        ...body.matchAll(
          /<a[^>]* rel="(prev|next)"[^>]* href="([^"]*)"|<a[^>]* href="([^"]*)"[^>]* rel="(prev|next)"/g,
        ),
      ].map((match) => match[2] ?? match[3] ?? '');
    expect(neighbours(await listener.see(`${site.base}/before`)).join()).not.toContain(slug);
  }, 60_000);

  it('is not in the PDF, nor in what programs read with the token of a visitor', async () => {
    const read = async (headers: Record<string, string>): Promise<string> => {
      const asked = await listener.see(`${site.base}/~gitbook/pdf`, headers);
      expect(asked.status).toBe(302);
      await app.current.get(Jobs).drain();
      const { sheets, links } = await readPdf(new Uint8Array(await (await fetch(asked.location ?? '')).arrayBuffer()));
      return `${sheets.join(' ')} ${JSON.stringify(links)}`;
    };
    expect(await read({ cookie: `gitbook-visitor-token=${testers}` })).toContain(SECRET);
    const text = await read({});
    expect([text.includes('Before it.'), text.toLowerCase().includes(SECRET.toLowerCase())]).toEqual([true, false]);
    expect((await listener.see(`${site.base}/~gitbook/pdf?page=${pages.hidden}`)).status).toBe(404);

    const { published = '' } = (await site.api.get<{ urls: { published?: string } }>(site.path)).body.urls;
    const [space = ''] = (
      await site.api.get<{ items: { space: Made; default: boolean }[] }>(`${site.path}/site-spaces`)
    ).body.items
      .filter((each) => each.default)
      .map((each) => each.space.id);
    const readerOf = async (visitor?: object) =>
      new Client(
        app.current.url,
        (
          await new Client(app.current.url, undefined).post<{ apiToken: string }>('/urls/published', {
            url: published,
            ...(visitor && { visitor }),
          })
        ).body.apiToken,
      );
    const told: string[] = [];
    const [known, stranger] = [await readerOf({ jwtToken: testers }), await readerOf()];
    for (const path of [
      `${site.path}/published`,
      ...[
        '',
        '/pages',
        '/files',
        `/page/${pages.open}`,
        `/page/${pages.hidden}`,
        '/path/links',
        '/path/mixed',
        '/path/after',
      ].map((rest) => `/spaces/${space}/content${rest}`),
    ]) {
      for (const format of path.includes('/pa') ? ['document', 'markdown'] : ['document']) {
        const query = path.includes('/content/pa') ? { format } : {};
        if (JSON.stringify((await known.get(path, { query })).body).includes(SECRET)) told.push(path);
        expect([
          path,
          format,
          JSON.stringify((await stranger.get(path, { query })).body)
            .toLowerCase()
            .includes(SECRET.toLowerCase()),
        ]).toEqual([path, format, false]);
      }
    }
    expect(told.length).toBeGreaterThan(5);
    for (const mode of [{ mode: 'all' }, { mode: 'default' }]) {
      expect(
        (await known.post<{ count: number }>(`${site.path}/search`, { query: SECRET, scope: mode })).body.count,
      ).toBeGreaterThan(0);
      expect((await stranger.post(`${site.path}/search`, { query: SECRET, scope: mode })).body).toMatchObject({
        count: 0,
        items: [],
      });
    }
  }, 60_000);
});

/** The place in an answer that says the secret, but for the address that was asked for. */
function says({ headers, body }: Seen, asked = ''): string | undefined {
  const own = decodeURIComponent(asked.split('=').at(-1) ?? '')
    .replace(/^\//, '')
    .replace(/\.md$/, '');
  const all = `${JSON.stringify({ ...headers, etag: undefined })} ${body}`.toLowerCase();
  const rest = own.includes(SECRET.toLowerCase())
    ? all.replaceAll(own, '').replaceAll(encodeURIComponent(own).toLowerCase(), '')
    : all;
  const at = rest.indexOf(SECRET.toLowerCase());
  return at < 0 ? undefined : rest.slice(Math.max(0, at - 100), at + 100);
}
