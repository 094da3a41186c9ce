import { beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '../src/kernel/common/clock.js';
import { Insights } from '../src/publishing/sites/insights/insights.service.js';
import { useApp } from './app.js';
import { build, open, opened, page, previewOf, propose, write, type Request, type World } from './preview-world.js';
import { buildOrganization } from './build.js';
import { buildSpace, publish, usePublicListener } from './published-site.js';

const app = useApp();
const listener = usePublicListener(app);
const see: typeof listener.see = (...request) => listener.see(...request);

describe('the preview of a change request', () => {
  let world: World;
  beforeAll(async () => {
    world = await build(app.current);
  }, 60_000);

  it('is a signed address for an hour, which lists the sites of the space', async () => {
    const { request, site, workspace } = world;
    const { status, body } = await previewOf(request, workspace.admin);
    expect([status, body]).toEqual([
      200,
      {
        object: 'change-request-preview',
        url: expect.stringMatching(new RegExp(`^${listener.origin}/~preview/${request.id}/${site.id}\\?token=`)),
        expiresAt: expect.any(String),
        sites: [{ id: site.id, title: 'Handbook of everything' }],
      },
    ]);
    const left = Date.parse(body.expiresAt) - app.current.get(Clock).now().getTime();
    expect(left).toBeGreaterThan(3_500_000);
    expect(left).toBeLessThanOrEqual(3_600_000);
    // By its number as well.
    expect((await workspace.admin.api.get(`/spaces/${world.guide.id}/change-requests/1/preview`)).status).toBe(200);
  });

  it('keeps its token in a cookie of its own path, apart from the site', async () => {
    const { request, workspace, site } = world;
    const { seen, base, cookie } = await open(listener, (await previewOf(request, workspace.admin)).body.url);
    expect([seen.status, seen.location]).toEqual([307, base]);
    const [set = ''] = [seen.headers['set-cookie'] ?? []].flat();
    expect(set).toMatch(new RegExp(`^bindery-preview=[\\w.-]+; Path=${base}; HttpOnly; SameSite=Lax; Max-Age=\\d+$`));
    // A browser would not send it to the site; if one did, nothing would change there.
    expect((await see(site.base, { cookie })).body).toContain('granite');
    expect((await see(site.base, { cookie })).headers['set-cookie']).toBeUndefined();
  });

  it('shows the content of the change request in the place of its space, and says so', async () => {
    const { request, workspace, site } = world;
    const { get, base } = await opened(listener, request, workspace.admin);
    const { status, headers, body } = await get('');
    expect([status, headers['cache-control'], headers['x-robots-tag']]).toEqual([200, 'no-store', 'noindex, nofollow']);
    expect(body).toContain('<strong>marble</strong>');
    expect(body).not.toContain('granite');
    expect(body).toContain('<meta name="robots" content="noindex">');
    expect(body).toContain(`Preview of change request #${request.number}: Of &#x3C;b>marble&#x3C;/b>`);
    expect(body).toContain(`/~/changes/${request.number}"`);
    expect(body).toContain(`href="${base}/fresh"`);
    // No link leaves it, and what it leaves out is not offered.
    expect(body).not.toContain(`"${site.base}`);
    expect(body).not.toMatch(/~search|~ask|~gitbook|~feedback/);
    // The rest of the site is there as it is published.
    const other = await get('/more');
    expect([other.status, other.body.includes('Another space.')]).toEqual([200, true]);
    expect(other.body).toContain('preview-bar');
  });

  it('has the pages of the change request: new, moved and without deleted ones', async () => {
    const { request, workspace, site } = world;
    const { get, base } = await opened(listener, request, workspace.admin);
    expect((await get('/fresh')).body).toContain('A page that is new.');
    expect((await get('/install/part')).status).toBe(200);
    expect(await get('/part')).toMatchObject({ status: 307, location: `${base}/install/part` });
    const deleted = await get('/obsolete');
    expect([deleted.status, deleted.headers['cache-control']]).toEqual([404, 'no-store']);
    expect(deleted.body).toContain('preview-bar');
    // Visitors still see what is published.
    expect((await see(`${site.base}/obsolete`)).status).toBe(200);
    expect((await see(`${site.base}/fresh`)).status).toBe(404);
    expect((await see(`${site.base}/part`)).status).toBe(200);
  });

  it('begins with the page and the site space that were asked for', async () => {
    const { request, workspace, site, pages, more } = world;
    const part = await previewOf(request, workspace.admin, { page: pages[3] ?? '' });
    expect(new URL(part.body.url).pathname).toMatch(/\/install\/part$/);
    const spaces = await site.api.get<{ items: { id: string; space: { id: string } }[] }>(`${site.path}/site-spaces`);
    const siteSpace = spaces.body.items.find(({ space }) => space.id === more.id)?.id ?? '';
    const second = await previewOf(request, workspace.admin, { site: site.id, siteSpace });
    expect(new URL(second.body.url).pathname).toMatch(/\/more$/);
    for (const [query, path] of [
      [{ page: pages[2] ?? '' }, 'page'],
      [{ siteSpace: request.id }, 'siteSpace'],
      [{ site: request.id }, 'site'],
      [{ claims: '(' }, 'claims'],
    ] as const) {
      const { status, body } = await previewOf(request, workspace.admin, query);
      expect([path, status, body.error?.details?.[0]?.path]).toEqual([path, 400, path]);
    }
  });

  it('gives programs the same texts, and closes what knows of published content only', async () => {
    const { request, workspace, site } = world;
    const { get, base, cookie } = await opened(listener, request, workspace.admin);
    const texts = [
      (await get('/welcome.md')).body,
      (await get('', { accept: 'text/markdown' })).body,
      (await get('/llms-full.txt')).body,
    ];
    for (const text of texts) {
      expect(text).toContain('marble');
      expect(text).not.toContain('granite');
    }
    const list = (await get('/llms.txt')).body;
    expect(list).toContain(`${listener.origin}${base}/fresh.md`);
    expect(list).not.toMatch(/obsolete/i);
    expect((await get('/robots.txt')).body).toBe('User-agent: *\nDisallow: /\n');
    for (const path of [
      '/sitemap.xml',
      '/~search?q=bridge',
      '/~ask?q=bridge',
      '/~gitbook/mcp',
      '/~gitbook/pdf',
      '/~feedback',
    ]) {
      const { status, headers } = await get(path, { accept: 'text/html' });
      expect([path, status, headers['cache-control']]).toEqual([path, 404, 'no-store']);
    }
    for (const path of ['/~feedback', '/~search', '/~gitbook/mcp'])
      expect([path, (await see(base + path, { cookie }, 'POST', 'rating=good')).status]).toEqual([path, 404]);
    expect((await see(`${site.base}/sitemap.xml`)).status).toBe(200);
  });

  it('is not counted in insights', async () => {
    const { request, workspace, site, pages } = world;
    const { get } = await opened(listener, request, workspace.admin);
    const counts = () =>
      app.current.database.query<{ page: string; count: number }>(
        'SELECT page_id AS page, count(*)::int AS count FROM site_insight WHERE site_id = $1 GROUP BY 1',
        [site.id],
      );
    await app.current.get(Insights).flush();
    const before = new Map((await counts()).map((row) => [row.page, row.count]));
    const install = pages[1] ?? '';
    await see(`${site.base}/install`);
    for (const path of ['', '/install', '/fresh']) expect((await get(path)).status).toBe(200);
    await app.current.get(Insights).flush();
    const after = new Map((await counts()).map((row) => [row.page, row.count]));
    expect(after).toEqual(new Map([...before, [install, (before.get(install) ?? 0) + 1]]));
  });
});

/** The ids of what an image or link of a page leads to. */
const filesIn = (body: string): URL[] =>
  [...body.matchAll(/ (?:src|href)="([^"]*~files[^"]*)"/g)].map(
    ([, address = '']) => new URL(address.replaceAll('&#x26;', '&')),
  );

describe('the content of a previewed change request', () => {
  it('has its files, in the versions of the change request', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const space = await buildSpace(workspace, 'Guide');
    await space.write(page('Welcome', 'Nothing.\n'));
    const site = await publish(workspace, [space]);
    const request = await propose(workspace, space, 'A picture', {
      operation: 'insert_files',
      files: [
        { ref: 'dot', name: 'dot.txt', contentType: 'text/plain', base64: Buffer.from('a dot').toString('base64') },
      ],
    });
    const files = await api.get<{ items: { id: string }[] }>(`${request.path}/content/files`);
    await write(request, api, page('Picture', `[A dot](/files/${files.body.items[0]?.id ?? ''})\n`));
    const { get } = await opened(listener, request, workspace.admin);
    const [file] = filesIn((await get('/picture')).body);
    expect(file?.searchParams.has('signature')).toBe(true);
    expect(file && (await (await fetch(file)).text())).toBe('a dot');
    expect((await see(`${site.base}/picture`)).status).toBe(404);
  });

  it('has its computed pages', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'API');
    await space.write(page('Welcome', 'Nothing.\n'));
    await publish(workspace, [space]);
    const specification = JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Bridges', version: '1' },
      paths: {
        '/bridges': {
          get: { tags: ['bridges'], summary: 'List all bridges', responses: { 200: { description: 'All of them' } } },
        },
      },
    });
    const request = await propose(
      workspace,
      space,
      'The API',
      {
        operation: 'insert_files',
        files: [
          {
            ref: 'spec',
            name: 'bridges.json',
            contentType: 'application/json',
            base64: Buffer.from(specification).toString('base64'),
          },
        ],
      },
      {
        operation: 'insert_page',
        type: 'computed',
        title: 'Reference',
        computed: {
          type: 'builtin:openapi',
          props: { models: true },
          dependencies: { spec: { ref: { kind: 'openapi', spec: 'bridges' } } },
        },
      },
    );
    const { get } = await opened(listener, request, workspace.admin);
    const { body } = await get('/bridges');
    expect(body).toContain('List all bridges');
  });

  it('follows every change of it at once, also of its subject', async () => {
    const { workspace, request, pages } = await build(app.current);
    const { api } = workspace.admin;
    const { get } = await opened(listener, request, workspace.admin);
    expect((await get('')).body).toContain('marble');
    const [welcome] = pages;
    await write(request, api, {
      operation: 'update_page',
      page: welcome,
      document: { markdown: 'The bridge is made of **basalt**.\n' },
    });
    expect((await get('')).body).toContain('basalt');
    await api.patch(request.path, { subject: 'Of basalt' });
    expect((await get('')).body).toContain('Of basalt');
  });

  it('is the content that it began with while nothing is changed', async () => {
    const { workspace, guide, site } = await build(app.current);
    const request = await propose(workspace, guide, '');
    const { get } = await opened(listener, request, workspace.admin);
    const { body } = await get('');
    expect(body).toContain('granite');
    expect(body).toContain('>Preview of change request #2<');
    await guide.write(page('Later', 'Written after that.\n'));
    expect((await see(`${site.base}/later`)).status).toBe(200);
    expect((await get('/later')).status).toBe(404);
  });

  it('is shown as visitors with chosen claims see it', async () => {
    const { workspace, request, site, pages } = await build(app.current, 'visitor-auth');
    const { api } = workspace.admin;
    const schema = {
      type: 'object',
      additionalProperties: false,
      properties: { isBetaUser: { type: 'boolean', description: 'Whether they test' } },
    };
    expect((await api.put(`${site.path}/adaptive-schema`, { jsonSchema: schema })).status).toBeLessThan(300);
    await api.patch(site.path, { adaptiveContent: { enabled: true } });
    await write(request, api, {
      operation: 'update_page',
      page: pages[1],
      condition: 'visitor.claims.isBetaUser == true',
    });
    const plain = await opened(listener, request, workspace.admin);
    const tester = await opened(listener, request, workspace.admin, { claims: '(isBetaUser:!t)' });
    expect([(await plain.get('/install')).status, (await tester.get('/install')).status]).toEqual([404, 200]);
    expect((await plain.get('/install')).status).toBe(404);
  });

  it('is shown as a plain site of its space where no site holds that', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Alone', 'de');
    await space.write(page('Welcome', 'Before.\n'));
    const request: Request = await propose(workspace, space, 'First', page('Second', 'After.\n'), {
      ...page('For testers', 'Beta.\n'),
      condition: 'visitor.claims.isBetaUser == true',
    });
    const { body } = await previewOf(request, workspace.admin);
    expect([new URL(body.url).pathname, body.sites]).toEqual([`/~preview/${request.id}/${space.id}`, []]);
    const { get } = await opened(listener, request, workspace.admin);
    const first = (await get('')).body;
    expect(first).toContain('<title>Welcome | Alone</title>');
    expect(first).toContain('Vorschau der Änderungsanfrage #1: First');
    expect((await get('/second')).body).toContain('After.');
    expect((await get('/for-testers')).status).toBe(404);
    const tester = await opened(listener, request, workspace.admin, { claims: '{"isBetaUser": true}' });
    expect((await tester.get('/for-testers')).status).toBe(200);
    await workspace.admin.api.patch(`/spaces/${space.id}`, { title: 'Renamed' });
    expect((await get('')).body).toContain('<title>Welcome | Renamed</title>');
  });
});
