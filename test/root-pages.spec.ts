import { describe, expect, it } from '@jest/globals';
import { VERSION } from '../src/version.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';
import { buildSpace, publish, usePublicListener } from './published-site.js';

const app = useApp();
const published = usePublicListener(app);

describe('the root of the API', () => {
  it('tells programs and people what this is and where to go', async () => {
    const json = await fetch(`${app.current.url}/`);
    const { urls, ...about } = (await json.json()) as { urls: Record<string, string> };
    expect([json.status, json.headers.get('vary'), about]).toEqual([
      200,
      expect.stringContaining('Accept'),
      { name: 'Bindery', version: VERSION },
    ]);
    for (const name of ['docs', 'openapi', 'api', 'health']) {
      const { status, body } = await fetch(urls[name] ?? '');
      await body?.cancel();
      expect([name, status]).toEqual([name, 200]);
    }
    expect([urls['sites'], urls['app']]).toEqual([`${published.origin}/`, expect.stringMatching(/\/app\/$/)]);
    const page = await fetch(`${app.current.url}/`, { headers: { Accept: 'text/html,*/*;q=0.8' } });
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const name of ['docs', 'openapi', 'sites', 'app']) expect(html).toContain(`href="${urls[name] ?? ''}"`);
    expect((await fetch(`${app.current.url}/`, { method: 'POST' })).status).toBe(405);
  });
});

describe('the root of the public listener', () => {
  it('names the sites that anybody may read, and no others', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Space');
    await space.write({ operation: 'insert_page', title: 'Page', document: { markdown: 'Text' } });
    const site = await publish(workspace, [space], 'public', 'AAA <i>Open</i>');
    const others = await Promise.all(
      (['unlisted', 'share-link', 'visitor-auth'] as const).map((visibility) =>
        publish(workspace, [space], visibility, `AAA ${visibility}`),
      ),
    );
    const draft = await publish(workspace, [space], 'public', 'AAA draft');
    await workspace.admin.api.post(`${draft.path}/unpublish`);
    const { status, body, headers } = await published.see('/');
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/html')]);
    expect(body).toContain(`<a href="${published.origin}${site.base}">AAA &#x3C;i>Open&#x3C;/i></a>`);
    for (const { base } of [...others, draft]) expect(body).not.toContain(base);
    expect(body).toContain(`href="${app.current.url}/app/"`);
    expect((await published.see('/', { host: 'elsewhere.example.com' })).status).toBe(404);
  });

  it('names them a hundred at a time, each once', async () => {
    const workspace = await buildOrganization(app.current);
    await app.current.database.execute(
      `INSERT INTO site (id, organization_id, title, basename, customization, created_by, created_at, updated_at, published)
       SELECT 'many' || n, $1, 'Many ' || n, 'many-' || n, '{}', $2, now(), now(), true FROM generate_series(1, 150) n`,
      [workspace.id, workspace.admin.id],
    );
    const first = await published.see('/');
    const [, next = ''] = /<a href="(\/\?page=[^"]+)">More sites/.exec(first.body) ?? [];
    const second = await published.see(next.replaceAll('&#x26;', '&'));
    const named = [first, second].flatMap(({ body }) => [...body.matchAll(/many-\d+(?=")/g)].map(([name]) => name));
    expect([named.length, new Set(named).size]).toEqual([150, 150]);
    expect((await published.see('/?page=forged')).status).toBe(400);
    await app.current.database.execute(`DELETE FROM site WHERE basename LIKE 'many-%'`);
  });
});
