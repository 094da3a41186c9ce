import { beforeAll, describe, expect, it } from '@jest/globals';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { useApp } from './app.js';
import { resolved, type OpenApiDocument } from './contract/json-schema.js';
import { buildOrganization, buildPerson, type Person, type Workspace } from './build.js';
import { settle } from './notification-desk.js';
import { readPdf } from './pdf-reader.js';
import { ROWS } from './permissions/rows.js';
import { buildSpace, publish, usePublicListener, type Made, type Site, type Space } from './published-site.js';

const app = useApp();
const listener = usePublicListener(app);

/** Words that only the limited group, a page below it and what is said about them have. */
const MARKERS = ['Zyxgroup', 'zyxpage', 'zyxslug', 'Zyxtext', 'Zyxheading', 'Zyxremark', 'Zyxdraft', 'zyxelsewhere'];
const GROUP = { title: 'Zyxgroup', slug: 'zyxslug' };

const markersIn = (text: string): string[] =>
  MARKERS.filter((marker) => text.toLowerCase().includes(marker.toLowerCase()));

interface World {
  readonly workspace: Workspace;
  readonly space: Space;
  readonly url: string;
  /** Named by the limit. */
  readonly inside: Person;
  /** With the same role, and not named. */
  readonly outside: Person;
  readonly open: string;
  readonly group: string;
  readonly page: string;
  readonly ids: Readonly<Record<string, string>>;
}

async function ok<Body>(answer: Promise<{ status: number; body: Body }>): Promise<Body> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** A space with a limited group that has been written, discussed, linked and changed. */
async function buildWorld(): Promise<World> {
  const workspace = await buildOrganization(app.current);
  const { api } = workspace.admin;
  const [inside, outside] = [await workspace.member('create'), await workspace.member('create')];
  const space = await buildSpace(workspace, 'Handbook');
  const url = `/spaces/${space.id}`;
  const [open = ''] = await space.write({
    operation: 'insert_page',
    title: 'Open page',
    slug: 'open',
    document: { markdown: 'Words for everybody' },
  });
  const [group = ''] = await space.write({ operation: 'insert_page', type: 'group', ...GROUP });
  const [page = ''] = await space.write({
    operation: 'insert_page',
    into: group,
    title: 'Zyxpage',
    slug: 'zyxpage',
    description: 'Zyxtext in short',
    document: {
      markdown: `Zyxtext of nobody else, with [the open page](/pages/${open}) and https://zyxelsewhere.example/\n\n## What is Zyxheading?\n\nMore of it`,
    },
  });
  await space.write({
    operation: 'update_page',
    page: open,
    document: { markdown: `Words for everybody, and [](/pages/${page})` },
  });
  const revision = await ok(api.get<Made>(`${url}/content`));
  const { documentId = '' } = await ok(api.get<{ documentId?: string }>(`${url}/content/page/${page}`));
  const request = await ok(api.post<Made>(`${url}/change-requests`, { subject: 'A change' }));
  const requestUrl = `${url}/change-requests/${request.id}`;
  await ok(
    api.post(`${requestUrl}/content`, {
      changes: [
        { operation: 'update_page', page, document: { markdown: 'Zyxdraft https://zyxelsewhere.example/draft' } },
        { operation: 'update_page', page: open, document: { markdown: 'Words for everybody, changed' } },
      ],
    }),
  );
  const comment = await ok(api.post<Made>(`${url}/comments`, { page, body: { markdown: 'Zyxremark' } }));
  const reply = await ok(
    api.post<Made>(`${url}/comments/${comment.id}/replies`, { body: { markdown: 'Zyxremark again' } }),
  );
  const onRequest = await ok(api.post<Made>(`${requestUrl}/comments`, { page, body: { markdown: 'Zyxremark too' } }));
  await ok(inside.api.put(`${url}/permissions/pages/${group}`, { users: [inside.id] }));
  return {
    workspace,
    space,
    url,
    inside,
    outside,
    open,
    group,
    page,
    ids: {
      organizationId: workspace.id,
      spaceId: space.id,
      changeRequestId: request.id,
      revisionId: revision.id,
      pageId: page,
      documentId,
      commentId: comment.id,
      commentReplyId: reply.id,
      requestComment: onRequest.id,
    },
  };
}

const QUERIES: readonly Readonly<Record<string, string>>[] = [
  {},
  { query: 'zyxtext' },
  { format: 'markdown' },
  { format: 'html' },
  { format: 'unified' },
  { url: 'https://www.youtube.com/watch?v=abcdefghijk' },
];

/** The queries whose parameters an operation has. */
function queriesOf(document: OpenApiDocument, row: string): typeof QUERIES {
  const operation = document.paths[`/v1${row.slice('GET '.length)}`]?.['get'];
  if (!operation) throw new Error(`no operation ${row}`);
  const names = new Set(
    (operation.parameters ?? []).map((parameter) => resolved<{ name: string }>(document, parameter).name),
  );
  return QUERIES.filter((query) => Object.keys(query).every((name) => names.has(name)));
}

describe('limited pages', () => {
  let world: World;
  beforeAll(async () => {
    world = await buildWorld();
  }, 60_000);

  it('shows nothing of them to others in any operation below a space', async () => {
    const { ids, open, inside, outside } = world;
    const reads = Object.keys(ROWS).filter((row) => row.startsWith('GET /spaces/{spaceId}'));
    const shown = new Set<string>();
    const told: string[] = [];
    const document = (await (await fetch(`${app.current.url}/openapi.json`)).json()) as OpenApiDocument;
    for (const row of reads) {
      const pages = row.includes('{pageId}')
        ? [ids['pageId'] ?? '', open]
        : row.includes('{pagePath}')
          ? ['zyxslug/zyxpage', 'open']
          : [''];
      for (const page of pages)
        for (const query of queriesOf(document, row)) {
          const named: Readonly<Record<string, string>> = {
            ...ids,
            ...(row.includes('change-requests') && { commentId: ids['requestComment'] ?? '' }),
            pageId: page,
            pagePath: page,
          };
          const path = row
            .slice('GET '.length)
            .replace(/\{(\w+)\}/g, (_, name: string) => named[name] ?? 'AbCdEfGh0123456789Xy');
          const [theirs, ours] = [await outside.api.get(path, { query }), await inside.api.get(path, { query })];
          if (theirs.status >= 500) told.push(`${row}: ${theirs.status}`);
          const found = markersIn(JSON.stringify(theirs.body ?? ''));
          if (found.length > 0) told.push(`${row} ${JSON.stringify(query)} ${page}: ${found.join()}`);
          if (markersIn(JSON.stringify(ours.body ?? '')).length > 0) shown.add(row);
        }
    }
    expect(told).toEqual([]);
    // The named member sees them there, so the sentence above says something.
    expect(
      [
        'GET /spaces/{spaceId}/change-requests/{changeRequestId}/changes',
        'GET /spaces/{spaceId}/change-requests/{changeRequestId}/changes/{pageId}/diff',
        'GET /spaces/{spaceId}/change-requests/{changeRequestId}/comments',
        'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content',
        'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}',
        'GET /spaces/{spaceId}/change-requests/{changeRequestId}/links',
        'GET /spaces/{spaceId}/comments',
        'GET /spaces/{spaceId}/comments/{commentId}',
        'GET /spaces/{spaceId}/comments/{commentId}/replies',
        'GET /spaces/{spaceId}/content',
        'GET /spaces/{spaceId}/content/page/{pageId}',
        'GET /spaces/{spaceId}/content/page/{pageId}/backlinks',
        'GET /spaces/{spaceId}/content/page/{pageId}/html',
        'GET /spaces/{spaceId}/content/pages',
        'GET /spaces/{spaceId}/content/path/{pagePath}',
        'GET /spaces/{spaceId}/documents/{documentId}',
        'GET /spaces/{spaceId}/links',
        'GET /spaces/{spaceId}/revisions/{revisionId}',
        'GET /spaces/{spaceId}/revisions/{revisionId}/page/{pageId}',
        'GET /spaces/{spaceId}/revisions/{revisionId}/pages',
        'GET /spaces/{spaceId}/search',
      ].filter((row) => !shown.has(row)),
    ).toEqual([]);
  }, 120_000);

  it('opens reads of the other pages to them', async () => {
    const { url, outside, open } = world;
    const tree = await ok(outside.api.get<{ pages: { title: string }[] }>(`${url}/content/pages`));
    expect(tree.pages.map(({ title }) => title)).toEqual(['Open page']);
    const html = await ok(outside.api.get<{ html: string }>(`${url}/content/page/${open}/html`));
    expect(html.html).toContain('Words for everybody');
    const found = await ok(
      outside.api.get<{ items: { title: string }[] }>(`${url}/search`, { query: { query: 'everybody' } }),
    );
    expect(found.items.map(({ title }) => title)).toEqual(['Open page']);
    expect((await outside.api.get(`${url}/content/page/${world.page}`)).status).toBe(404);
    // The same revision is another answer for those who see more of it.
    const [theirs, ours] = [
      await outside.api.get(`${url}/content/pages`),
      await world.inside.api.get(`${url}/content/pages`),
    ];
    expect(theirs.headers.get('etag')).not.toBe(ours.headers.get('etag'));
  });

  it('refuses what is not made for those who see a part', async () => {
    const { url, outside, inside, ids } = world;
    const message = 'Pages of this space are limited to others: this is for those who see all of them';
    for (const path of [`${url}/links`, `${url}/change-requests/${ids['changeRequestId'] ?? ''}/links`])
      expect(await outside.api.get(path)).toMatchObject({ status: 403, body: { error: { message } } });
    for (const path of [
      `${url}/duplicate`,
      `${url}/git/export`,
      `${url}/import`,
      `${url}/revisions/${ids['revisionId'] ?? ''}/rollback`,
    ])
      expect(await outside.api.post(path, {})).toMatchObject({ status: 403, body: { error: { message } } });
    expect(await outside.api.delete(url)).toMatchObject({ status: 403, body: { error: { message } } });
    expect((await inside.api.get(`${url}/links`)).status).toBe(200);
  });

  it('shows nothing of them beside spaces: in search, answers, addresses and notifications', async () => {
    const { workspace, outside, inside, space, page } = world;
    const org = `/orgs/${workspace.id}`;
    const asks = [
      ['get', `${org}/search`, { query: 'zyxtext' }],
      ['get', `${org}/ask/questions`, {}],
      ['get', `${org}/change-requests`, {}],
      ['get', '/urls/content', { url: `${app.current.url}/app/o/${workspace.id}/s/${space.id}/zyxslug/zyxpage` }],
    ] as const;
    for (const [, path, query] of asks)
      expect(markersIn(JSON.stringify((await outside.api.get(path, { query })).body))).toEqual([]);
    expect(
      markersIn(JSON.stringify((await inside.api.get(`${org}/search`, { query: { query: 'zyxtext' } })).body)),
    ).toContain('Zyxtext');
    expect(markersIn(JSON.stringify((await inside.api.get(`${org}/ask/questions`)).body))).toEqual(['Zyxheading']);
    const asked = { query: 'What is Zyxheading?' };
    expect(markersIn(JSON.stringify((await outside.api.post(`${org}/ask`, asked)).body))).toEqual([]);
    // Mentions on a limited page reach those who see it.
    const body = {
      document: {
        object: 'document',
        data: { schemaVersion: 8 },
        nodes: [
          {
            object: 'block',
            type: 'paragraph',
            data: {},
            nodes: [
              { object: 'text', leaves: [{ object: 'leaf', text: 'Zyxremark ', marks: [] }] },
              ...[inside.id, outside.id].map((user) => ({
                object: 'inline',
                type: 'mention',
                data: { ref: { kind: 'user', user } },
                isVoid: true,
                nodes: [],
              })),
            ],
          },
        ],
      },
    };
    await ok(workspace.admin.api.post(`/spaces/${space.id}/comments`, { page, body }));
    await settle(app.current);
    expect(markersIn(JSON.stringify((await inside.api.get('/user/notifications')).body))).toContain('Zyxremark');
    expect(await ok(outside.api.get('/user/notifications'))).toMatchObject({ items: [] });
  });

  it('leaves them out of PDFs', async () => {
    const { url, outside, inside } = world;
    const pdfOf = async ({ api }: Person) => {
      const { url: address } = await ok(api.get<{ url: string }>(`${url}/pdf`));
      await app.current.get(Jobs).drain();
      const answer = await fetch(address);
      return JSON.stringify(await readPdf(new Uint8Array(await answer.arrayBuffer())));
    };
    const [theirs, ours] = [await pdfOf(outside), await pdfOf(inside)];
    expect(theirs).toContain('Open page');
    expect(markersIn(theirs)).toEqual([]);
    expect(ours).toContain('Zyxtext');
  });
});

describe('writes beside limited pages', () => {
  it('are refused where they would change or lose one', async () => {
    const world = await buildWorld();
    const { url, outside, inside, workspace, open, page, group, ids } = world;
    const write = (...changes: object[]) =>
      outside.api.post<{ error: { message: string } }>(`${url}/content`, { changes });
    const absent = await write({ operation: 'update_page', page: 'AbCdEfGh0123456789Xy', title: 'Mine' });
    for (const change of [
      { operation: 'update_page', page, title: 'Mine' },
      { operation: 'delete_page', page },
      { operation: 'delete_page', page: group },
      { operation: 'update_page', page, into: open },
    ]) {
      const answer = await write(change);
      expect([answer.status, answer.body.error.message]).toEqual([absent.status, absent.body.error.message]);
    }
    expect((await write({ operation: 'update_page', page: open, into: group })).status).toBe(400);
    expect((await write({ operation: 'insert_page', title: 'Mine', into: group })).status).toBe(400);
    expect((await write({ operation: 'update_page', page: open, title: 'Renamed' })).status).toBe(200);
    // A page above a limited one goes with it only for those who see it.
    const [parent = ''] = await world.space.write({ operation: 'insert_page', title: 'Parent' });
    const [child = ''] = await world.space.write({ operation: 'insert_page', title: 'Zyxdraft', into: parent });
    await ok(inside.api.put(`${url}/permissions/pages/${child}`, { users: [inside.id] }));
    expect(await write({ operation: 'delete_page', page: parent })).toMatchObject({
      status: 403,
      body: { error: { message: 'Below a page that would be deleted are pages that are limited to others' } },
    });
    // A change request that changes a limited page is merged by somebody who sees it.
    const request = `${url}/change-requests/${ids['changeRequestId'] ?? ''}`;
    await ok(workspace.admin.api.patch(request, { status: 'open' }));
    const refused = await outside.api.post<{ error: { message: string } }>(`${request}/merge`);
    expect([refused.status, markersIn(JSON.stringify(refused.body))]).toEqual([403, []]);
    const own = await ok(outside.api.post<Made>(`${url}/change-requests`, { subject: 'Mine' }));
    const ownUrl = `${url}/change-requests/${own.id}`;
    await ok(outside.api.post(`${ownUrl}/content`, { changes: [{ operation: 'insert_page', title: 'New' }] }));
    expect((await outside.api.post(`${ownUrl}/merge`)).status).toBe(200);
    expect((await inside.api.post(`${request}/merge`)).status).toBe(200);
    const seen = await ok(inside.api.get(`${url}/content`));
    expect(markersIn(JSON.stringify(seen))).toEqual(expect.arrayContaining(['Zyxgroup', 'zyxpage', 'zyxslug']));
    const comments = await outside.api.post(`${url}/comments/${ids['commentId'] ?? ''}/replies`, {
      body: { markdown: 'Me' },
    });
    expect(comments.status).toBe(404);
    expect((await outside.api.put(`${url}/comments/${ids['commentId'] ?? ''}`, { resolved: true })).status).toBe(404);
    await outside.api.delete(`${url}/comments/${ids['commentId'] ?? ''}`);
    expect((await inside.api.get(`${url}/comments/${ids['commentId'] ?? ''}`)).status).toBe(200);
    expect((await outside.api.post(`${url}/comments`, { page, body: { markdown: 'Me' } })).status).toBe(400);
  }, 60_000);
});

describe('what holds limited pages', () => {
  it('is neither carried away nor deleted by those who do not see them, alone or in a collection', async () => {
    const { workspace, space, outside, inside, page } = await buildWorld();
    const { api } = workspace.admin;
    const collection = await ok(api.post<Made>(`/orgs/${workspace.id}/collections`, { title: 'Shelf' }));
    await ok(api.post(`/spaces/${space.id}/move`, { parent: collection.id }));
    // In an organization of their own they would be administrators, whom no limit shuts out.
    const own = await ok(outside.api.post<Made>('/orgs', { title: 'Mine' }));
    const organization = { organization: own.id };
    for (const path of [`/spaces/${space.id}`, `/collections/${collection.id}`])
      expect([path, (await outside.api.post(`${path}/transfer`, organization)).status]).toEqual([path, 403]);
    for (const path of [`/spaces/${space.id}`, `/collections/${collection.id}`])
      expect([path, (await outside.api.delete(path)).status]).toEqual([path, 403]);
    expect((await outside.api.get(`/spaces/${space.id}/content/page/${page}`)).status).toBe(404);
    expect((await inside.api.get(`/spaces/${space.id}/content/page/${page}`)).status).toBe(200);
    // A collection above it is no way around.
    const above = await ok(outside.api.post<Made>(`/orgs/${workspace.id}/collections`, { title: 'Above' }));
    await outside.api.post(`/collections/${collection.id}/move`, { parent: above.id });
    expect((await outside.api.post(`/collections/${above.id}/transfer`, organization)).status).toBe(403);
    expect((await outside.api.delete(`/collections/${above.id}`)).status).toBe(403);
    expect((await inside.api.delete(`/collections/${above.id}`)).status).toBe(204);
    expect((await api.post(`/spaces/${space.id}/restore`)).status).toBe(200);
    expect((await outside.api.get(`/spaces/${space.id}/content/page/${page}`)).status).toBe(404);
  }, 60_000);

  it('is carried away before the limit is set, or not at all, where both are asked for at once', async () => {
    for (let round = 0; round < 6; round += 1) {
      const workspace = await buildOrganization(app.current);
      const [inside, outside] = [await workspace.member('create'), await workspace.member('create')];
      const own = await ok(outside.api.post<Made>('/orgs', { title: 'Mine' }));
      const collection = await ok(
        workspace.admin.api.post<Made>(`/orgs/${workspace.id}/collections`, { title: 'Shelf' }),
      );
      const space = await buildSpace(workspace, 'Handbook');
      const [page = ''] = await space.write({ operation: 'insert_page', title: 'Zyxpage' });
      await ok(workspace.admin.api.post(`/spaces/${space.id}/move`, { parent: collection.id }));
      const path = round % 2 === 0 ? `/spaces/${space.id}` : `/collections/${collection.id}`;
      const [limited, carried] = await Promise.all([
        inside.api.put(`/spaces/${space.id}/permissions/pages/${page}`, { users: [inside.id] }),
        outside.api.post(`${path}/transfer`, { organization: own.id }),
      ]);
      const seen = (await outside.api.get(`/spaces/${space.id}/content/page/${page}`)).status;
      expect([
        [200, 403, 404],
        [404, 200, 200],
      ]).toContainEqual([limited.status, carried.status, seen]);
    }
  }, 60_000);

  it('hides a page from its answer on, and a page that somebody moves out of it at that time is limited or moved, not half of each', async () => {
    const workspace = await buildOrganization(app.current);
    const [inside, outside] = [await workspace.member('create'), await workspace.member('edit')];
    const space = await buildSpace(workspace, 'Handbook');
    const url = `/spaces/${space.id}`;
    for (let round = 0; round < 8; round += 1) {
      const [group = ''] = await space.write({ operation: 'insert_page', type: 'group', title: `Group ${round}` });
      const [page = ''] = await space.write({ operation: 'insert_page', into: group, title: `Zyxpage ${round}` });
      const read = async () => (await outside.api.get(`${url}/content/page/${page}`)).status;
      const [limited, moved, ...reads] = await Promise.all([
        inside.api.put(`${url}/permissions/pages/${group}`, { users: [inside.id] }),
        outside.api.post(`${url}/content`, { changes: [{ operation: 'update_page', page, into: null }] }),
        read(),
        read(),
      ]);
      expect(limited.status).toBe(200);
      for (const status of reads) expect([200, 404]).toContain(status);
      expect([
        [200, 200],
        [400, 404],
        [404, 404],
      ]).toContainEqual([moved.status, await read()]);
    }
  });

  it('shows nothing of them beside spaces to members, holders of custom roles, agents and visitors', async () => {
    const { workspace, space, outside, inside, page, ids, url } = await buildWorld();
    const { api } = workspace.admin;
    const second = await buildSpace(workspace, 'Second');
    await second.write({
      operation: 'insert_page',
      title: 'Leads there',
      document: { markdown: `See [](https://nowhere.example/) here` },
    });
    const site = await publish(workspace, [space, second]);
    await ok(api.post(`${site.path}/permissions`, { users: [inside.id, outside.id], role: 'admin' }));
    const role = await ok(
      api.post<Made>(`/orgs/${workspace.id}/custom-roles`, {
        title: 'Everything',
        base: 'read',
        permissions: (await ok(api.get<{ items: Made[] }>(`/orgs/${workspace.id}/custom-role-permissions`))).items.map(
          ({ id }) => id,
        ),
      }),
    );
    const holder = await workspace.member('read');
    await ok(api.patch(`/orgs/${workspace.id}/members/${holder.id}`, { customRole: role.id }));
    const { items } = await ok(api.get<{ items: Made[] }>(`${site.path}/site-spaces`));
    const destination = { kind: 'site-page', siteSpaceId: items[0]?.id ?? '', pageId: page };
    await api.post(`${site.path}/redirects`, { source: '/old', destination });
    const named: Readonly<Record<string, string>> = {
      ...ids,
      siteId: site.id,
      siteSpaceId: items[0]?.id ?? '',
      userId: outside.id,
    };
    const reads = Object.keys(ROWS).filter(
      (row) =>
        /^GET \/(?:org|user|urls\/content|spaces\/\{spaceId\}\/publishing)/.test(row) &&
        !/stream|saml|oidc|scim/.test(row),
    );
    const told: string[] = [];
    for (const person of [outside, holder])
      for (const row of reads)
        for (const query of [
          {},
          { query: 'zyxtext' },
          { url: `${app.current.url}/app/s/${space.id}/zyxslug/zyxpage` },
        ]) {
          const path = row
            .slice('GET '.length)
            .replace(/\{(\w+)\}/g, (_, name: string) => named[name] ?? 'AbCdEfGh0123456789Xy');
          const { status, body } = await person.api.get(path, { query });
          const found = markersIn(JSON.stringify(body ?? '').replaceAll('zyxslug/zyxpage', ''));
          if (status >= 500 || found.length > 0)
            told.push(`${row} ${JSON.stringify(query)}: ${status} ${found.join()}`);
        }
    expect(told).toEqual([]);
    // Writes of theirs that would show or repeat what they do not see.
    for (const [path, body, status] of [
      [`${site.path}/site-spaces/${named['siteSpaceId'] ?? ''}/duplicate`, {}, 403],
      [`/spaces/${space.id}/git/export`, { url: 'https://git.example.com/a.git', ref: 'main' }, 403],
      [
        `/org/${workspace.id}/imports`,
        { source: { type: 'website', url: 'https://docs.example.com/' }, target: { space: space.id } },
        403,
      ],
      [`${site.path}/search`, { query: 'zyxtext', scope: { mode: 'all' } }, 200],
      [`${site.path}/ask`, { question: 'What is Zyxheading?', scope: { mode: 'all' } }, 200],
      [`/orgs/${workspace.id}/ask`, { query: 'What is Zyxheading?' }, 200],
    ] as const) {
      const answer = await outside.api.post(path, body);
      const text = JSON.stringify(answer.body ?? '').replaceAll('What is Zyxheading?', '');
      expect([path, answer.status, markersIn(text)]).toEqual([path, status, []]);
    }
    // What repeats a whole space is refused to administrators as well, while pages of it are limited.
    const translated = await api.post(`/orgs/${workspace.id}/translations`, {
      source: { space: space.id, language: 'en' },
      language: 'fr',
    });
    expect([translated.status, markersIn(JSON.stringify(translated.body))]).toEqual([409, []]);
    // Agents act with the rights of those whose token they have.
    const answers = async (person: Person) => {
      const { token } = await ok(
        person.api.post<{ token: string }>('/user/tokens', { name: 'Agent', agent: 'Helper' }),
      );
      const say = async (name: string, args: object) => {
        const answer = await fetch(`${app.current.url}/mcp`, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${token}`,
            'Content-Type': 'application/json',
            Accept: 'application/json, text/event-stream',
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
        });
        return markersIn(await answer.text());
      };
      const found: string[] = [];
      for (const [name, args] of [
        ['search', { organization: workspace.id, query: 'nobody else' }],
        ['listPages', { space: space.id }],
        ['getPage', { space: space.id, page }],
        ['getPage', { space: space.id, path: 'zyxslug/zyxpage' }],
        ['getChanges', { space: space.id, changeRequest: ids['changeRequestId'] }],
        ['listLinks', { space: space.id }],
        ['listComments', { space: space.id }],
      ] as const)
        found.push(...(await say(name, args)));
      return found;
    };
    expect(await answers(outside)).toEqual([]);
    expect(await answers(inside)).not.toEqual([]);
    // A preview shows a change request as its reader sees the space; a visitor's claims open nothing.
    const request = `${url}/change-requests/${ids['changeRequestId'] ?? ''}`;
    for (const [person, isShown] of [
      [outside, false],
      [inside, true],
    ] as const) {
      const { url: address } = await ok(person.api.get<{ url: string }>(`${request}/preview`));
      const { pathname, search } = new URL(address);
      const start = await listener.see(pathname + search);
      const cookie = ([start.headers['set-cookie'] ?? []].flat()[0] ?? '').split(';', 1)[0] ?? '';
      const base = pathname.split('/').slice(0, 4).join('/');
      let text = start.body;
      for (const path of [
        '',
        '/open',
        '/zyxpage',
        '/zyxslug/zyxpage',
        '/llms.txt',
        '/sitemap.xml',
        '/~search?q=nobody',
      ])
        text += (await listener.see(`${base}${path}`, { cookie })).body;
      expect(markersIn(text).includes('Zyxdraft')).toBe(isShown);
      if (!isShown) expect(markersIn(text)).toEqual([]);
    }
  }, 120_000);
});

describe('limits of pages', () => {
  it('are set, read and removed by those who administer the space and see the page', async () => {
    const world = await buildWorld();
    const { url, workspace, inside, outside, group, page } = world;
    const limits = `${url}/permissions/pages`;
    const { api } = workspace.admin;
    expect(await ok(inside.api.get(`${limits}/${group}`))).toMatchObject({
      object: 'page-limit',
      page: { id: group },
      users: [{ id: inside.id }],
      teams: [],
    });
    expect((await ok(inside.api.get<{ items: object[] }>(limits))).items).toHaveLength(1);
    // Nobody else learns of it.
    expect(await ok(outside.api.get(limits))).toMatchObject({ items: [] });
    expect((await outside.api.get(`${limits}/${group}`)).status).toBe(404);
    expect((await outside.api.put(`${limits}/${page}`, { users: [outside.id] })).status).toBe(404);
    expect((await outside.api.delete(`${limits}/${group}`)).status).toBe(204);
    expect((await inside.api.get(`${limits}/${group}`)).status).toBe(200);
    // Teams count as members do.
    const team = await ok(api.put<Made>(`/orgs/${workspace.id}/teams`, { title: 'Insiders' }));
    await ok(api.put(`/orgs/${workspace.id}/teams/${team.id}/members`, { add: [outside.id] }));
    expect(await ok(inside.api.put(`${limits}/${group}`, { users: [inside.id], teams: [team.id] }))).toMatchObject({
      users: [{ id: inside.id }],
      teams: [{ id: team.id }],
    });
    expect((await outside.api.get(`${url}/content/page/${page}`)).status).toBe(200);
    // A limit within narrows it further.
    await ok(inside.api.put(`${limits}/${page}`, { users: [inside.id] }));
    interface List {
      readonly items: readonly { readonly page: Made }[];
      readonly next?: { readonly page: string };
    }
    const first = await ok(inside.api.get<List>(limits, { query: { limit: 1 } }));
    const second = await ok(inside.api.get<List>(limits, { query: { limit: 1, page: first.next?.page } }));
    expect([...first.items, ...second.items].map((limit) => limit.page.id)).toEqual([page, group]);
    expect((await outside.api.get(`${url}/content/page/${page}`)).status).toBe(404);
    expect((await outside.api.get(`${url}/content/page/${group}`)).status).toBe(200);
    await ok(inside.api.delete(`${limits}/${page}`));
    await ok(api.delete(`/orgs/${workspace.id}/teams/${team.id}`));
    expect((await outside.api.get(`${url}/content/page/${page}`)).status).toBe(404);
    // Nobody locks themselves out, and nobody of elsewhere is let in.
    expect(await inside.api.put(`${limits}/${group}`, { users: [outside.id] })).toMatchObject({ status: 400 });
    const stranger = await buildPerson(app.current);
    expect(await inside.api.put(`${limits}/${group}`, { users: [inside.id, stranger.id] })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'users.1' }] } },
    });
    expect((await stranger.api.get(limits)).status).toBe(404);
    expect((await (await workspace.member('edit')).api.get(limits)).status).toBe(403);
    expect((await inside.api.put(`${limits}/AbCdEfGh0123456789Xy`, {})).status).toBe(404);
    // A page that is deleted and restored is limited as before.
    const { id: revision } = await ok(api.get<Made>(`${url}/content`));
    await world.space.write({ operation: 'delete_page', page });
    await ok(api.post(`${url}/revisions/${revision}/rollback`));
    expect((await outside.api.get(`${url}/content/page/${page}`)).status).toBe(404);
    await ok(api.put(`${limits}/${group}`, {}));
    expect((await inside.api.get(`${url}/content/page/${page}`)).status).toBe(404);
    expect((await api.get(`${url}/content/page/${page}`)).status).toBe(200);
    await ok(api.delete(`${limits}/${group}`));
    expect((await outside.api.get(`${url}/content/page/${page}`)).status).toBe(200);
    const log = JSON.stringify(await ok(api.get(`/orgs/${workspace.id}/audit-events`)));
    expect(log).toContain('space_page_limited');
    expect(log).toContain('space_page_limit_removed');
  }, 60_000);

  it('hold for pages that are moved below, with their history, and in copies', async () => {
    const world = await buildWorld();
    const { url, workspace, inside, outside, group } = world;
    const [moved = ''] = await world.space.write({
      operation: 'insert_page',
      title: 'Zyxdraft',
      document: { markdown: 'Once open' },
    });
    const { id: before } = await ok(workspace.admin.api.get<Made>(`${url}/content`));
    expect((await outside.api.get(`${url}/content/page/${moved}`)).status).toBe(200);
    // A group is at the root, so it takes pages.
    await world.space.write({ operation: 'update_page', page: moved, into: group });
    expect((await outside.api.get(`${url}/content/page/${moved}`)).status).toBe(404);
    expect((await outside.api.get(`${url}/revisions/${before}/page/${moved}`)).status).toBe(404);
    const copy = await ok(inside.api.post<Made>(`${url}/duplicate`));
    const tree = (person: Person) => person.api.get(`/spaces/${copy.id}/content/pages`);
    expect(markersIn(JSON.stringify((await tree(outside)).body))).toEqual([]);
    expect(markersIn(JSON.stringify((await tree(inside)).body))).toContain('Zyxgroup');
    // The permanent removal of a space takes its limits with it.
    await ok(workspace.admin.api.delete(`/spaces/${copy.id}`));
    await ok(
      workspace.admin.api
        .delete(`/spaces/${copy.id}`, { query: { permanent: true } })
        .catch(() => ({ status: 204, body: {} })),
    );
  }, 60_000);

  it('keep pages off published sites, from the moment on which they are set', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Handbook');
    await space.write({ operation: 'insert_page', title: 'Home', document: { markdown: 'Welcome' } });
    const [page = ''] = await space.write({
      operation: 'insert_page',
      title: 'Zyxpage',
      document: { markdown: 'Zyxtext of nobody else\n\n## What is Zyxheading?\n\nIt is Zyxtext' },
    });
    const site: Site = await publish(workspace, [space]);
    const paths = [
      '',
      '/zyxpage',
      '/zyxpage.md',
      '/home',
      '/sitemap.xml',
      '/sitemap-pages.xml',
      '/llms.txt',
      '/llms-full.txt',
      '/rss.xml',
      '/~search?q=nobody',
      '/~search?q=else',
    ];
    const said = async () => {
      const found: string[] = [];
      for (const path of paths)
        if (markersIn((await listener.see(`${site.base}${path}`)).body).length > 0) found.push(path);
      return found;
    };
    const tool = async () =>
      (
        await listener.see(
          `${site.base}/~gitbook/mcp`,
          { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
          'POST',
          JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'searchDocumentation', arguments: { query: 'nobody else' } },
          }),
        )
      ).body;
    const inSearch = async () =>
      markersIn(
        JSON.stringify(
          (await workspace.admin.api.post(`${site.path}/search`, { query: 'zyxtext', scope: { mode: 'all' } })).body,
        ),
      );
    expect(await said()).toEqual(
      expect.arrayContaining(['', '/zyxpage', '/zyxpage.md', '/llms.txt', '/llms-full.txt']),
    );
    expect(markersIn(await tool())).toContain('Zyxtext');
    const admin = await workspace.member('create');
    await ok(admin.api.put(`/spaces/${space.id}/permissions/pages/${page}`, { users: [admin.id] }));
    expect(await said()).toEqual([]);
    expect((await listener.see(`${site.base}/zyxpage`)).status).toBe(404);
    expect(markersIn(await tool())).toEqual([]);
    // Those who see the page find it in the workspace's search of the site.
    expect(await inSearch()).toContain('Zyxtext');
    const other = await workspace.member('create');
    expect(
      markersIn(
        JSON.stringify(
          (await other.api.post(`${site.path}/search`, { query: 'nobody else', scope: { mode: 'all' } })).body,
        ),
      ),
    ).toEqual([]);
    await ok(admin.api.delete(`/spaces/${space.id}/permissions/pages/${page}`));
    expect((await listener.see(`${site.base}/zyxpage`)).status).toBe(200);
  }, 60_000);
});
