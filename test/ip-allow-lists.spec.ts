import { describe, expect, it } from '@jest/globals';
import { OrganizationIpAllowLists } from '../src/identity/organizations/ip-allow-lists.service.js';
import { Notifications } from '../src/operations/notifications/notifications.service.js';
import { newId } from '../src/kernel/common/ids.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { useApp } from './app.js';
import { buildOrganization, type Person, type Workspace } from './build.js';
import { Client } from './client.js';
import { desk, settle } from './notification-desk.js';
import { buildSpace, publish, usePublicListener, type Seen, type Site, type Space } from './published-site.js';

const app = useApp({ TRUSTED_PROXIES: 'loopback' });
const listener = usePublicListener(app);

const OFFICE = '203.0.113.7';
const OFFICE_6 = '2001:db8::7';
const ELSEWHERE = '198.51.100.1';
const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

interface List {
  readonly ranges: string[];
  readonly currentAddress: string;
}

/** A document with one link. */
const linkTo = (ref: object) => {
  const text = { object: 'text', leaves: [{ object: 'leaf', text: 'there', marks: [] }] };
  const link = { object: 'inline', type: 'link', isVoid: false, data: { ref }, nodes: [text] };
  const paragraph = { object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes: [link] };
  return { document: { object: 'document', data: { schemaVersion: 8 }, nodes: [paragraph] } };
};

const listOf = ({ id }: Workspace): string => `/orgs/${id}/ip-allow-list`;

async function limited(): Promise<{ workspace: Workspace; member: Person; guide: Space }> {
  const workspace = await buildOrganization(app.current);
  const member = await workspace.member('edit');
  const guide = await buildSpace(workspace, 'Guide');
  const set = await workspace.admin.api.put(
    listOf(workspace),
    { ranges: ['203.0.113.0/24', '2001:db8::/32'] },
    from(OFFICE),
  );
  expect(set.status).toBe(200);
  return { workspace, member, guide };
}

describe('the addresses from which members reach an organization', () => {
  it('are ranges of both versions, which administrators alone see and set', async () => {
    const workspace = await buildOrganization(app.current);
    const path = listOf(workspace);
    const { api } = workspace.admin;
    expect((await api.get(path, from(OFFICE))).body).toEqual({
      object: 'ip-allow-list',
      ranges: [],
      currentAddress: OFFICE,
    });
    const ranges = ['2001:DB8::/32', '203.0.113.9/24', '203.0.113.0/24', '192.0.2.1'];
    const set = await api.put<List>(path, { ranges }, from(OFFICE));
    expect(set.body.ranges).toEqual(['192.0.2.1/32', '203.0.113.0/24', '2001:db8::/32']);
    expect((await api.get<List>(path, from(OFFICE_6))).body).toMatchObject({
      ranges: set.body.ranges,
      currentAddress: OFFICE_6,
    });
    const stale = { headers: { ...from(OFFICE).headers, 'If-Match': '"1.x"' } };
    expect((await api.put(path, { ranges: [] }, stale)).status).toBe(412);
    const stranger = await buildOrganization(app.current);
    for (const [person, status] of [
      [await workspace.member('create'), 403],
      [await workspace.member('none'), 403],
      [stranger.admin, 404],
    ] as const)
      for (const answer of [
        await person.api.get(path, from(OFFICE)),
        await person.api.put(path, { ranges: [] }, from(OFFICE)),
      ])
        expect(answer.status).toBe(status);
  });

  it('are refused where they cannot be read, are too many, or would lock out who sets them', async () => {
    const workspace = await buildOrganization(app.current);
    const put = (ranges: unknown, address = OFFICE) =>
      workspace.admin.api.put<{ error: { details: { path: string; message: string }[] } }>(
        listOf(workspace),
        { ranges },
        from(address),
      );
    for (const range of [
      'office',
      '203.0.113.0/33',
      '203.0.113.0/',
      '203.0.113.0/024',
      '2001:db8::/129',
      '203.0.113.0/24/8',
      '::ffff:203.0.113.7',
      'fe80::1%eth0',
      '203.0.113',
      '',
      7,
      null,
    ]) {
      const { status, body } = await put([OFFICE, range]);
      expect([range, status]).toEqual([range, 400]);
      expect(body.error.details[0]?.path).toMatch(/^ranges/);
    }
    expect((await put(Array.from({ length: 101 }, (_, index) => `203.0.113.${index}`))).status).toBe(400);
    const { status, body } = await put(['203.0.113.0/24'], ELSEWHERE);
    expect([status, body.error.details]).toEqual([
      400,
      [{ path: 'ranges', message: `must contain the address from which you send this: ${ELSEWHERE}` }],
    ]);
    expect((await workspace.admin.api.get<List>(listOf(workspace), from(ELSEWHERE))).body.ranges).toEqual([]);
  });

  it('are told to the audit log, and to nobody where nothing changes', async () => {
    const { workspace } = await limited();
    const lines = async () =>
      (
        await workspace.admin.api.get<{ items: { payload: { changes: unknown } }[] }>(
          `/orgs/${workspace.id}/audit-events`,
          { ...from(OFFICE), query: { action: 'organization_updated' } },
        )
      ).body.items.map(({ payload }) => payload.changes);
    const change = { field: 'ipAllowList', before: [], after: ['203.0.113.0/24', '2001:db8::/32'] };
    expect(await lines()).toEqual([[change]]);
    await workspace.admin.api.put(listOf(workspace), { ranges: ['2001:db8::/32', '203.0.113.0/24'] }, from(OFFICE));
    expect(await lines()).toEqual([[change]]);
  });

  it('hold for administrators and members, in all that is of the organization, and for nothing else', async () => {
    const { workspace, member, guide } = await limited();
    const { id } = workspace;
    const site = await workspace.admin.api.post<{ id: string }>(`/orgs/${id}/sites`, { title: 'Site' }, from(OFFICE));
    const collection = await workspace.admin.api.post<{ id: string }>(
      `/orgs/${id}/collections`,
      { title: 'Things' },
      from(OFFICE),
    );
    for (const { api } of [workspace.admin, member]) {
      for (const address of [OFFICE, OFFICE_6, `::ffff:${OFFICE}`])
        expect((await api.get(`/spaces/${guide.id}`, from(address))).status).toBe(200);
      for (const address of [ELSEWHERE, '203.0.114.7', '2001:db9::1', '127.0.0.1'])
        for (const [path, status] of [
          [`/orgs/${id}`, 403],
          [`/orgs/${id}/members`, 403],
          [`/orgs/${id}/search?query=hello`, 403],
          [`/orgs/${id}/sites/${site.body.id}`, 403],
          [`/spaces/${guide.id}`, 404],
          [`/spaces/${guide.id}/content`, 404],
          [`/collections/${collection.body.id}`, 404],
        ] as const)
          expect([path, (await api.get(path, from(address))).status]).toEqual([path, status]);
      const refused = await api.get<{ error: { message: string } }>(`/orgs/${id}`, from(ELSEWHERE));
      expect(refused.body.error.message).toBe(`This organization lets in no requests from ${ELSEWHERE}`);
      expect((await api.post(`/orgs/${id}/spaces`, { title: 'New' }, from(ELSEWHERE))).status).toBe(403);
      expect((await api.get('/user', from(ELSEWHERE))).status).toBe(200);
      const listed = async (address: string) =>
        (await api.get<{ items: { id: string }[] }>('/orgs', from(address))).body.items.map((each) => each.id);
      expect([await listed(OFFICE), await listed(ELSEWHERE)]).toEqual([[id], []]);
    }
    // Another person is seen by way of the organization alone.
    const seen = async (address: string) =>
      (await member.api.get(`/users/${workspace.admin.id}`, from(address))).status;
    expect([await seen(OFFICE), await seen(ELSEWHERE)]).toEqual([200, 404]);
    const own = await buildOrganization(app.current);
    const both = { ...own.admin };
    await app.current.database.execute(
      `INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ($1, $2, 'read', now())`,
      [id, both.id],
    );
    expect((await both.api.get(`/orgs/${own.id}`, from(ELSEWHERE))).status).toBe(200);
    expect((await both.api.get(`/orgs/${id}`, from(ELSEWHERE))).status).toBe(403);
  });

  it('hold for tokens that are limited to the organization, and do not tell others that it is there', async () => {
    const { workspace, guide } = await limited();
    const token = await workspace.admin.api.post<{ token: string }>('/user/tokens', {
      name: 'Program',
      organization: workspace.id,
    });
    expect(token.status).toBe(201);
    const { api } = workspace.admin;
    const program = Object.assign(Object.create(Object.getPrototypeOf(api) as object) as typeof api, {
      base: api.base,
      token: token.body.token,
    });
    const statuses = async (address: string) => [
      (await program.get(`/orgs/${workspace.id}`, from(address))).status,
      (await program.get(`/spaces/${guide.id}`, from(address))).status,
    ];
    expect([await statuses(OFFICE), await statuses(ELSEWHERE)]).toEqual([
      [200, 200],
      [403, 404],
    ]);
    const stranger = await buildOrganization(app.current);
    expect((await stranger.admin.api.get(`/orgs/${workspace.id}`, from(ELSEWHERE))).status).toBe(404);
  });

  it('hide its notifications, and its spaces from reports of other organizations', async () => {
    const { org, author, request, id } = await desk(app.current);
    const reviewer = await org.member('review');
    await author.api.post(`${request}/requested-reviewers`, { users: [reviewer.id] });
    await settle(app.current);
    const own = await buildOrganization(app.current);
    await app.current.database.execute(
      `INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ($1, $2, 'admin', now())`,
      [own.id, reviewer.id],
    );
    const notes = await buildSpace(own, 'Notes');
    await notes.write({
      operation: 'insert_page',
      title: 'Notes',
      document: linkTo({ kind: 'space', space: id }),
    });
    const said = await org.admin.api.put(listOf(org), { ranges: [OFFICE] }, from(OFFICE));
    expect(said.status).toBe(200);
    const told = async (address: string) => {
      const { body } = await reviewer.api.get<{ items: { kind: string }[]; unread: number }>(
        '/user/notifications',
        from(address),
      );
      return [body.items.map(({ kind }) => kind), body.unread];
    };
    expect([await told(OFFICE), await told(ELSEWHERE)]).toEqual([
      [['review_requested'], 1],
      [[], 0],
    ]);
    const reader = { userId: reviewer.id, organizationId: undefined };
    const news = app.current.get(Notifications);
    expect(await news.after(reader, OFFICE, 0, 10)).toHaveLength(1);
    expect(await news.after(reader, ELSEWHERE, 0, 10)).toHaveLength(0);
    const links = async (address: string) =>
      (
        await reviewer.api.get<{ items: { status: string }[] }>(`/spaces/${notes.id}/links`, from(address))
      ).body.items.map(({ status }) => status);
    expect([await links(OFFICE), await links(ELSEWHERE)]).toEqual([['ok'], ['broken']]);
  });

  it('are cleared by the operator, whatever they are', async () => {
    const { workspace } = await limited();
    const lists = app.current.get(OrganizationIpAllowLists);
    expect((await lists.find(workspace.id)).ipAllowList).toHaveLength(2);
    expect((await lists.clear(workspace.id)).ipAllowList).toEqual([]);
    await expect(lists.clear('AbCdEfGh0123456789Xy')).rejects.toThrow('Organization');
    expect((await workspace.admin.api.get(`/orgs/${workspace.id}`, from(ELSEWHERE))).status).toBe(200);
  });
});

describe('the addresses from which visitors read a site', () => {
  const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const elsewhere = { 'X-Forwarded-For': ELSEWHERE };
  const office = { 'X-Forwarded-For': OFFICE };

  async function build(visibility = 'public') {
    const workspace = await buildOrganization(app.current);
    const guide = await buildSpace(workspace, 'Guide');
    await guide.write({
      operation: 'insert_files',
      files: [{ name: 'dot.png', contentType: 'image/png', base64: DOT }],
    });
    const files = await workspace.admin.api.get<{ items: { id: string }[] }>(`/spaces/${guide.id}/content/files`);
    await guide.write({
      operation: 'insert_page',
      title: 'Welcome',
      document: { markdown: `Hello. ![A dot](/files/${files.body.items[0]?.id})\n` },
    });
    const site = await publish(workspace, [guide], visibility, `Handbook ${newId()}`);
    return { workspace, guide, site };
  }
  const limit = async ({ api, path }: Site, ranges: string[]) => {
    const { status, body } = await api.put<List>(`${path}/ip-allow-list`, { ranges });
    expect([status, body.ranges]).toEqual([200, ranges]);
  };

  it('are set by its administrators, who may leave themselves out', async () => {
    const { workspace, site } = await build();
    const path = `${site.path}/ip-allow-list`;
    await limit(site, ['203.0.113.0/24']);
    expect((await site.api.get(path)).body).toEqual({
      object: 'ip-allow-list',
      ranges: ['203.0.113.0/24'],
      currentAddress: '127.0.0.1',
    });
    expect((await site.api.put(path, { ranges: ['203.0.113.0/33'] })).status).toBe(400);
    expect((await site.api.put(path, { ranges: [] }, { headers: { 'If-Match': '"0.x"' } })).status).toBe(412);
    const stranger = await buildOrganization(app.current);
    for (const [person, status] of [
      [await workspace.member('create'), 403],
      [await workspace.member('none'), 404],
      [stranger.admin, 404],
    ] as const)
      for (const answer of [await person.api.get(path), await person.api.put(path, { ranges: [] })])
        expect(answer.status).toBe(status);
    const { items } = (
      await site.api.get<{ items: { payload: object }[] }>(`/orgs/${workspace.id}/audit-events`, {
        query: { action: 'site_updated', limit: 1 },
      })
    ).body;
    expect(items[0]?.payload).toMatchObject({
      fields: ['ipAllowList'],
      changes: [{ field: 'ipAllowList', before: [], after: ['203.0.113.0/24'] }],
    });
  });

  it.each(['public', 'unlisted'])('hold for all that a %s site says, and let others read it', async (visibility) => {
    const { site } = await build(visibility);
    await limit(site, ['203.0.113.0/24', '2001:db8::/32']);
    const paths = [
      '',
      '/welcome',
      '/welcome.md',
      '/no-such-page',
      '/~search?q=hello',
      '/llms.txt',
      '/llms-full.txt',
      '/robots.txt',
      '/rss.xml',
      '/~gitbook/pdf',
    ];
    for (const path of paths) {
      expect([path, (await listener.see(`${site.base}${path}`, elsewhere)).status]).toEqual([path, 403]);
      for (const address of [OFFICE, OFFICE_6])
        expect([
          path,
          (await listener.see(`${site.base}${path}`, { 'X-Forwarded-For': address })).status === 403,
        ]).toEqual([path, false]);
    }
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const mcp = (headers: Readonly<Record<string, string>>) =>
      listener.see(
        `${site.base}/~gitbook/mcp`,
        { ...headers, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        'POST',
        message,
      );
    expect([(await mcp(elsewhere)).status, (await mcp(office)).status]).toEqual([403, 200]);
    const refused = await listener.see(site.base, { ...elsewhere, Accept: 'text/html' });
    expect([refused.status, refused.headers['cache-control']]).toEqual([403, 'no-store']);
    expect(refused.body).toContain('Not open to your network');
    expect(refused.body).not.toContain('Handbook');
    const page = await listener.see(site.base, { ...office, Accept: 'text/html' });
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'private, no-cache']);
    expect(page.body).toContain('noindex');
    const again = { 'If-None-Match': String(page.headers['etag']) };
    expect((await listener.see(site.base, { ...elsewhere, ...again })).status).toBe(403);
    expect((await listener.see(`${site.base}/robots.txt`, office)).body).toContain('Disallow: /');
    await limit(site, []);
    expect((await listener.see(site.base, elsewhere)).headers['cache-control']).toBe('public, no-cache');
  });

  it('hold for its files and PDFs wherever their addresses are passed on', async () => {
    const { site, guide } = await build();
    const fileOf = ({ body }: Seen): string =>
      /<img[^>]* src="[^"]*(\/~files\/[^"]*)"/.exec(body)?.[1]?.replaceAll('&#x26;', '&') ?? '';
    const open = fileOf(await listener.see(site.base));
    expect((await listener.see(open, elsewhere)).status).toBe(200);
    await limit(site, ['203.0.113.0/24']);
    // The address without a signature, which was everybody's before.
    expect((await listener.see(open, office)).status).toBe(404);
    const signed = fileOf(await listener.see(site.base, office));
    expect(new URL(signed, 'http://localhost').searchParams.get('site')).toBe(site.id);
    expect([(await listener.see(signed, office)).status, (await listener.see(signed, elsewhere)).status]).toEqual([
      200, 403,
    ]);
    expect((await listener.see(signed.replace(`&site=${site.id}`, ''), elsewhere)).status).toBe(403);
    const { location = '' } = await listener.see(`${site.base}/~gitbook/pdf`, office);
    const pdf = new URL(location, listener.origin);
    await app.current.get(Jobs).drain();
    const load = async (address: string) =>
      (await listener.see(pdf.pathname + pdf.search, { 'X-Forwarded-For': address })).status;
    expect([await load(OFFICE), await load(ELSEWHERE)]).toEqual([200, 403]);

    // Readers at the API, of another site with the same space as well.
    const lookup = async (address: string) =>
      new Client(app.current.url, undefined).post<{ apiToken: string }>(
        '/urls/published',
        { url: `${listener.origin}${site.base}` },
        from(address),
      );
    expect((await lookup(ELSEWHERE)).status).toBe(403);
    const reader = new Client(app.current.url, (await lookup(OFFICE)).body.apiToken);
    const files = async (address: string) =>
      reader.get<{ items: { downloadURL: string }[] }>(`/spaces/${guide.id}/content/files`, from(address));
    expect((await files(ELSEWHERE)).status).toBe(403);
    const download = new URL((await files(OFFICE)).body.items[0]?.downloadURL ?? '', listener.origin);
    const loaded = async (address: string) =>
      (await listener.see(download.pathname + download.search, { 'X-Forwarded-For': address })).status;
    expect([await loaded(OFFICE), await loaded(ELSEWHERE)]).toEqual([200, 403]);
  });

  it('hold for members who look at it as well, and keep it out of the list of public sites', async () => {
    const { site } = await build();
    const listed = async (headers: Readonly<Record<string, string>>) =>
      (await listener.see('/', headers)).body.includes(site.base);
    expect(await listed(elsewhere)).toBe(true);
    await limit(site, ['203.0.113.0/24']);
    expect([await listed(elsewhere), await listed(office)]).toEqual([false, true]);
    const preview = await site.api.get<{ url: string }>(`${site.path}/publishing/preview`, from(OFFICE));
    expect(preview.status).toBe(200);
    const { pathname, search } = new URL(preview.body.url);
    expect([
      (await listener.see(pathname + search, elsewhere)).status,
      (await listener.see(pathname + search, office)).status,
    ]).toEqual([403, 307]);
  });
});
