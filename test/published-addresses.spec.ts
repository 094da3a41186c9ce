import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Addresses } from '../src/kernel/common/addresses.js';
import { PublicListener } from '../src/kernel/platform/public-listener.js';
import { parseUnambiguous } from '../src/kernel/common/json-names.js';
import { redirect } from '../src/publishing/published-sites/pages/http-response.js';
import { Insights } from '../src/publishing/sites/insights/insights.service.js';
import { beginningsOf } from '../src/publishing/sites/domain/redirects.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';

const app = useApp();
let origin: string;

beforeAll(async () => {
  origin = `http://localhost:${await app.current.get(PublicListener).listen()}`;
  app.current.get(Addresses).announce(app.current.url, origin);
});
afterAll(() => app.current.get(PublicListener).beforeApplicationShutdown());

/** The path goes out as it is written: clients such as `fetch` would put it in order. */
function see(
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; location: string | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}/`, { path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          location: response.headers.location,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.on('error', reject).end();
  });
}

async function buildSite(
  settings: object = {},
  changes: readonly object[] = [{ operation: 'insert_page', title: 'Welcome', document: { markdown: 'Hello.' } }],
) {
  const workspace = await buildOrganization(app.current);
  const { api } = workspace.admin;
  const space = await api.post<{ id: string }>(`/orgs/${workspace.id}/spaces`, {
    title: 'Guide',
    empty: true,
    editMode: 'live',
  });
  const written = await api.post<{ changes: Record<string, { id: string }>[] }>(
    `/spaces/${space.body.id}/content`,
    { changes },
    { query: { compat: false } },
  );
  expect(written.status).toBe(200);
  const site = await api.post<{ id: string; basename: string }>(`/orgs/${workspace.id}/sites`, {
    title: 'Handbook',
    visibility: 'public',
    spaces: [space.body.id],
  });
  const path = `/orgs/${workspace.id}/sites/${site.body.id}`;
  if (Object.keys(settings).length > 0) expect(await api.patch(path, settings)).toMatchObject({ status: 200 });
  await api.post(`${path}/publish`);
  return {
    workspace,
    api,
    space: space.body.id,
    path,
    base: `/${site.body.basename}`,
    pages: written.body.changes.map(
      (change) => Object.values(change).find((value) => typeof value === 'object')?.id ?? '',
    ),
  };
}

function tokenOf(key: string, claims: object): string {
  const said = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${said}.${createHmac('sha256', key).update(said).digest('base64url')}`;
}

describe('addresses of published pages', () => {
  it('never lead to another host, whatever slashes they begin with', async () => {
    const host = `docs-${Date.now().toString(36)}.example.com`;
    const { base } = await buildSite({ hostname: host });
    for (const path of [
      '/%2Fevil.example',
      '/%2F%2Fevil.example',
      '/.//evil.example',
      '/%5Cevil.example',
      '/%2F%5Cevil.example/x',
      '/a/%2E%2E/%2Fevil.example',
      '/%2F..%2Fevil.example',
    ]) {
      for (const query of ['?visitor.a=1', '?jwt_token=x', '']) {
        const { status, location } = await see(path + query, { host });
        expect([path, status < 500, new URL(location ?? '/', `http://${host}`).host]).toEqual([path, true, host]);
        const below = await see(`${base}${path}${query}`);
        expect([path, below.status < 500, new URL(below.location ?? '/', origin).origin]).toEqual([path, true, origin]);
      }
    }
  });

  it('are not found or refused where they are malformed, and never a fault of the server', async () => {
    const { base } = await buildSite();
    const long = `${'/a'.repeat(3900)}`;
    const odd = [
      '/%00',
      '/a%00b',
      '/%',
      '/%zz',
      '/%c3%28',
      '/%ed%a0%80',
      '/%ff',
      '/..%2f..%2fetc%2fpasswd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/~search?q=%00',
      '/~search?q=%ff',
      '/llms-full.txt/x',
      '/sitemap-999999.xml',
      '/~share/',
      '/~share/%00',
      '/~share/a%00',
      '?shareKey=%00',
      '?jwt_token=%00',
      '?visitor.=1',
      '?visitor.a.b.c.d.e.f=1',
      '/~feedback?page=%00',
      '/%F0%9F%92%A9.md',
      '/welcome.md/',
      '/.md',
      long,
      `${long}.md`,
    ];
    for (const path of odd) {
      const { status } = await see(`${base}${path}`);
      expect([path.slice(0, 60), status >= 200 && status < 500]).toEqual([path.slice(0, 60), true]);
      const root = await see(path.startsWith('/') ? path : `/${path}`);
      expect([path.slice(0, 60), root.status >= 200 && root.status < 500]).toEqual([path.slice(0, 60), true]);
    }
    for (const cookie of [
      'gitbook-visitor-public=%00',
      'gitbook-visitor-public=%7B%22__proto__%22%3A1%7D',
      'gitbook-visitor-token=%00',
      'gitbook-share-key=%00',
      'gitbook-visitor-token~x=null',
      '=',
      ';;;',
    ]) {
      expect(await see(base, { cookie })).toMatchObject({ status: 200 });
    }
  });

  it('stay with the host that was asked for, with a dot at its end as well', async () => {
    const host = `dotted-${Date.now().toString(36)}.example.com`;
    await buildSite({ hostname: host });
    for (const asked of [host, `${host}.`, `${host.toUpperCase()}.:8080`]) {
      const { status, body } = await see('/', { host: asked });
      expect([asked, status, /<link[^>]*type="text.markdown"[^>]*>/.exec(body)?.[0]]).toEqual([
        asked,
        200,
        expect.stringContaining(`"http://${host}${asked.endsWith('8080') ? ':8080' : ''}/`),
      ]);
    }
  });

  it('name one address of a page to search engines, the one that is handed out, wherever a reader comes in', async () => {
    const host = `one-${Date.now().toString(36)}.example.com`;
    const pages = ['welcome', 'über-uns'].map((slug) => ({
      operation: 'insert_page',
      title: 'Page',
      slug,
      document: { markdown: 'Hello.' },
    }));
    const { api, path, base } = await buildSite({ hostname: host }, pages);
    const published = (await api.get<{ urls: { published: string } }>(path)).body.urls.published;
    const about = `/${encodeURIComponent('über-uns')}`;
    for (const [asked, headers, below] of [
      ['/', { host }, ''],
      [base, {}, ''],
      [about, { host }, about],
      [base + about, {}, about],
    ] as const) {
      const { status, body } = await see(asked, headers);
      const named = [/rel="canonical" href="([^"]*)"/, /property="og:url" content="([^"]*)"/].map(
        (pattern) => pattern.exec(body)?.[1],
      );
      expect([asked, status, named]).toEqual([asked, 200, [published + below, published + below]]);
    }
    await api.patch(path, { proxy: 'example.com/docs' });
    expect((await see(base + about)).body).toContain(`rel="canonical" href="https://example.com/docs${about}"`);
  });

  it('lead on at once to a page that stands at the root of its space', async () => {
    const { api, path, base, pages } = await buildSite();
    const { body } = await api.get<{ items: { id: string }[] }>(`${path}/site-spaces`);
    const destination = { kind: 'site-page', siteSpaceId: body.items[0]?.id, pageId: pages[0] };
    expect(await api.post(`${path}/redirects`, { source: '/begin', destination })).toMatchObject({ status: 201 });
    expect(await see(`${base}/begin?x=1`)).toMatchObject({ status: 307, location: `${base}?x=1` });
    // No client reads the header that this would need.
    expect(await see(`${base}/begin?x=${'"'.repeat(5000)}`)).toMatchObject({ status: 400, location: undefined });
  });

  it('are not found, as everywhere, where a site shows nothing to a reader', async () => {
    const { api, path, base } = await buildSite();
    const { body } = await api.get<{ items: { id: string }[] }>(`${path}/site-spaces`);
    expect(
      await api.patch(`${path}/site-spaces/${body.items[0]?.id ?? ''}`, { condition: 'visitor.claims.isBeta == true' }),
    ).toMatchObject({ status: 200 });
    for (const below of ['', '/welcome', '/~search?q=hello']) {
      const { status, body: said } = await see(base + below);
      expect([below, status, said]).toEqual([below, 404, expect.stringContaining('<title>Page not found</title>')]);
    }
  });

  it('are refused where they bring more than browsers keep in cookies, and lead to no login again', async () => {
    const { api, path, base } = await buildSite();
    const claims = await see(`${base}?visitor.a=${'a'.repeat(4096)}`);
    expect(claims).toMatchObject({ status: 400, location: undefined });
    expect(claims.body).toContain('<title>Too much to remember');
    await api.patch(path, { visibility: 'visitor-auth' });
    await api.patch(`${path}/publishing/auth`, { backend: 'custom', fallbackURL: 'https://login.example.com/docs' });
    const { privateKey } = (await api.get<{ privateKey: string }>(`${path}/publishing/auth`)).body;
    const opened = (length: number) =>
      see(
        `${base}?jwt_token=${tokenOf(privateKey, { exp: Math.floor(Date.now() / 1000) + 3600, text: 'a'.repeat(length) })}`,
      );
    expect(await opened(5000)).toMatchObject({ status: 400, location: undefined });
    expect(await opened(2600)).toMatchObject({ status: 307, location: base });
  });

  it('lead to addresses in any script', () => {
    const leads = (address: string) => redirect(address).headers['Location'];
    expect(leads('https://example.com/日本?q=ü')).toBe('https://example.com/%E6%97%A5%E6%9C%AC?q=%C3%BC');
    expect(leads('https://bücher.example')).toBe('https://xn--bcher-kva.example/');
    expect(leads('/acme/ü%2F?a=%25')).toBe('/acme/%C3%BC%2F?a=%25');
    expect(leads('https://example.com')).toBe('https://example.com');
  });

  it('have only so many beginnings at which something may have stood', () => {
    const path = Array.from({ length: 8000 }, () => 'a').join('/');
    expect(beginningsOf(path).length).toBeLessThan(10);
    expect(beginningsOf('guides/v2/start')).toEqual(['guides/v2/start', 'guides/v2', 'guides', '']);
  });
});

describe('what published pages tell of other spaces', () => {
  async function build() {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const space = async (title: string, ...changes: object[]) => {
      const made = await api.post<{ id: string }>(`/orgs/${workspace.id}/spaces`, {
        title,
        empty: true,
        editMode: 'live',
      });
      const ids = await write(made.body.id, ...changes);
      return { id: made.body.id, ids };
    };
    const write = async (id: string, ...changes: object[]) => {
      const { status, body } = await api.post<{ changes: Record<string, { id: string }>[]; error?: unknown }>(
        `/spaces/${id}/content`,
        { changes },
        { query: { compat: false } },
      );
      expect([status, body.error]).toEqual([200, undefined]);
      return body.changes.map((change) => Object.values(change).find((value) => typeof value === 'object')?.id ?? '');
    };
    const site = async (...spaces: string[]) => {
      const made = await api.post<{ id: string; basename: string }>(`/orgs/${workspace.id}/sites`, {
        title: 'Handbook',
        visibility: 'public',
        spaces,
      });
      const path = `/orgs/${workspace.id}/sites/${made.body.id}`;
      await api.post(`${path}/publish`);
      return { path, base: `/${made.body.basename}` };
    };
    return { api, space, write, site };
  }

  /** A document that mentions a page by its title. */
  const mention = (space: string, page: string) => ({
    document: {
      object: 'document',
      data: {},
      nodes: [
        {
          object: 'block',
          type: 'paragraph',
          nodes: [{ object: 'inline', type: 'mention', isVoid: true, data: { ref: { kind: 'page', space, page } } }],
        },
      ],
    },
  });

  it('follows what is published elsewhere: a page that was moved, a site that was taken off', async () => {
    const { space, write, site, api } = await build();
    const other = await space(
      'Other',
      { operation: 'insert_page', title: 'Front', document: { markdown: 'First.' } },
      { operation: 'insert_page', title: 'Target', document: { markdown: 'There.' } },
    );
    const otherSite = await site(other.id);
    const own = await space('Own', {
      operation: 'insert_page',
      title: 'Welcome',
      document: mention(other.id, other.ids[1] ?? ''),
    });
    const { base } = await site(own.id);
    expect((await see(base)).body).toContain(`href="${origin}${otherSite.base}/target"`);
    await write(other.id, { operation: 'update_page', page: other.ids[1], slug: 'moved', title: 'Moved' });
    expect((await see(base)).body).toContain(`href="${origin}${otherSite.base}/moved"`);
    await api.post(`${otherSite.path}/unpublish`);
    const { body } = await see(base);
    expect(body).toContain('<title>Welcome');
    expect(body).not.toMatch(/\/moved|Moved/);
  });

  it('3b-16 is nothing of what a condition hides, neither in pages nor in their Markdown nor as files', async () => {
    const { space, write, site, api } = await build();
    const secret = await space('Secret', {
      operation: 'insert_page',
      title: 'Codename',
      document: { markdown: 'Secret.' },
    });
    const own = await space(
      'Own',
      {
        operation: 'insert_page',
        title: 'Beta page',
        slug: 'beta-slug',
        condition: 'visitor.claims.isBeta',
        document: { markdown: 'Beta.' },
      },
      { operation: 'insert_page', title: 'Welcome', document: mention(secret.id, secret.ids[0] ?? '') },
    );
    const [beta = ''] = own.ids;
    expect(
      await api.post(
        `/spaces/${own.id}/content`,
        { changes: [{ operation: 'insert_page', title: 'More', document: mention(own.id, beta) }] },
        { query: { compat: false } },
      ),
    ).toMatchObject({ status: 200 });
    await write(secret.id, {
      operation: 'insert_files',
      files: [{ name: 'notes.txt', contentType: 'text/plain', base64: Buffer.from('notes').toString('base64') }],
    });
    const file =
      (await api.get<{ items: { id: string }[] }>(`/spaces/${secret.id}/content/files`)).body.items[0]?.id ?? '';
    const { base, path } = await site(own.id, secret.id);
    expect((await see(`/~files/${file}/notes.txt`)).status).toBe(200);
    const { body } = await api.get<{ items: { id: string; title: string }[] }>(`${path}/site-spaces`);
    const hidden = body.items.find((item) => item.title === 'Secret')?.id ?? '';
    expect(await api.patch(`${path}/site-spaces/${hidden}`, { condition: 'visitor.claims.isBeta' })).toMatchObject({
      status: 200,
    });
    expect((await see(`/~files/${file}/notes.txt`)).status).toBeGreaterThanOrEqual(400);
    for (const address of ['', '/welcome.md', '/more', '/more.md', '/llms-full.txt', '/llms.txt', '/sitemap.xml']) {
      const seen = await see(base + address);
      expect([address, seen.status]).toEqual([address, 200]);
      expect(seen.body).not.toMatch(/codename|beta-slug|Beta page/i);
    }
  });
});

describe('addresses that something had before', () => {
  it('tell the name that a site has now only to whom it lets in', async () => {
    const { api, path, base } = await buildSite();
    const now = `${base}-now`;
    await api.patch(path, { basename: now.slice(1) });
    const lookup = (below: string) => api.post('/urls/published', { url: `${origin}${base}${below}` });
    expect(await see(`${base}/welcome?a=b`)).toMatchObject({ status: 307, location: `${now}/welcome?a=b` });
    await api.patch(path, { visibility: 'visitor-auth' });
    await api.patch(`${path}/publishing/auth`, { backend: 'custom', fallbackURL: 'https://login.example.com/docs' });
    expect(await see(`${base}/welcome`)).toMatchObject({ status: 404, location: undefined });
    expect((await lookup('/welcome')).status).toBe(404);
    await api.patch(path, { visibility: 'share-link' });
    const { published } = (await api.post<{ urls: { published: string } }>(`${path}/share-links`, { name: 'Auditors' }))
      .body.urls;
    const key = published.split('/').at(-1) ?? '';
    const said = async (address: string) => (await see(address)).body.replace(/nonce="[^"]*"/g, '');
    expect(await said(`${base}/welcome`)).toBe(await said(`${base}-never/welcome`));
    for (const wrong of ['?shareKey=wrong', '/~share/wrong'])
      expect(await see(base + wrong)).toMatchObject({ status: 404, location: undefined });
    expect((await lookup('/welcome')).status).toBe(404);
    expect((await lookup(`/~share/${key}/welcome`)).body).toEqual({
      target: 'content',
      redirect: `${origin}${now}/~share/${key}/welcome`,
    });
    expect(await see(`${base}/welcome`, { cookie: `gitbook-share-key=${key}` })).toMatchObject({
      status: 307,
      location: `${now}/welcome?shareKey=${key}`,
    });
    expect(await see(`${base}/~share/${key}/welcome`)).toMatchObject({
      status: 307,
      location: `${now}/~share/${key}/welcome`,
    });
  });

  it('lead to pages by what the site remembers, but to none that a condition hides', async () => {
    const changes = [
      { operation: 'insert_page', title: 'Open', document: { markdown: 'Text' } },
      { operation: 'insert_page', title: 'Closed', condition: 'visitor.claims.isBeta', document: { markdown: 'Text' } },
    ];
    const { api, workspace, path, base } = await buildSite();
    const space = (
      await api.post<{ id: string }>(`/orgs/${workspace.id}/spaces`, {
        title: 'Reference',
        empty: true,
        editMode: 'live',
      })
    ).body.id;
    const written = await api.post<{ changes: { page: { id: string } }[] }>(
      `/spaces/${space}/content`,
      { changes },
      { query: { compat: false } },
    );
    const [open, closed] = written.body.changes.map(({ page }) => page.id);
    const added = await api.post<{ id: string }>(`${path}/site-spaces`, { spaceId: space });
    expect((await api.patch(`${path}/site-spaces/${added.body.id}`, { path: 'before' })).status).toBe(200);
    const moves = [
      { operation: 'update_page', page: open, slug: 'open-now' },
      { operation: 'update_page', page: closed, slug: 'codename' },
    ];
    expect((await api.post(`/spaces/${space}/content`, { changes: moves })).status).toBe(200);
    expect((await api.patch(`${path}/site-spaces/${added.body.id}`, { path: 'after' })).status).toBe(200);
    expect(await see(`${base}/before/open`)).toMatchObject({ status: 307, location: `${base}/after` });
    expect(await see(`${base}/before`)).toMatchObject({ status: 307, location: `${base}/after` });
    const lookup = async (below: string) =>
      JSON.stringify((await api.post('/urls/published', { url: `${origin}${base}/${below}` })).body);
    expect(await lookup('before/open')).toContain('/after/open-now');
    for (const below of ['before/closed', 'before/codename', 'after/closed']) {
      expect(await see(`${base}/${below}`)).toMatchObject({ status: 404, location: undefined });
      expect(await lookup(below)).not.toContain('after/codename');
    }
  });
});

describe('tokens that are no JSON', () => {
  it('are refused in no time', () => {
    const start = performance.now();
    for (const text of ['"', '{"a":"'])
      expect(() => parseUnambiguous(text + '\\"'.repeat(200_000))).toThrow(SyntaxError);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

describe('events of readers', () => {
  it('are kept with those that hold what the database cannot', async () => {
    const { base, api, path } = await buildSite();
    await see(`${base}/~search?q=%00bad`);
    await see(`${base}/~search?q=${encodeURIComponent(`${'a'.repeat(511)}😀`)}`);
    await see(`${base}/~search?q=good`);
    await app.current.get(Insights).flush();
    const answer = await api.post<{ columns: { values: unknown[] }[] }>(`${path}/insights/events/aggregate`, {
      range: 'last24Hours',
      select: [{ column: 'eventSearchQuery' }],
    });
    expect([answer.status, answer.body.columns[0]?.values]).toEqual([
      200,
      expect.arrayContaining(['bad', 'good', 'a'.repeat(511)]),
    ]);
  });
});
