import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { createCanvas } from '@napi-rs/canvas';
import MiniSearch from 'minisearch';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { block, document, inline, paragraph, plain } from '../src/formats/document/build.js';
import { PdfFault } from '../src/formats/pdf/layout/pdf-fault.js';
import { PdfPainter } from '../src/publishing/pdf/pdf-painter.js';
import { DEFAULT_CUSTOMIZATION } from '../src/publishing/sites/customization.schema.js';
import {
  StaticSites,
  type StaticSiteResult,
} from '../src/publishing/published-sites/pages/static/static-sites.service.js';
import {
  comparableWords,
  INDEX_OPTIONS,
  SearchIndex,
} from '../src/publishing/published-sites/pages/static/domain/search-index.js';
import { useApp } from './app.js';
import { crawl } from './browser/crawler.js';
import { buildOrganization, type Workspace } from './build.js';
import { buildSpace, publish, usePublicListener, type Site, type Space } from './published-site.js';
import { readPdf } from './pdf-reader.js';
import { serveFolder } from './static-server.js';

const app = useApp();
const listener = usePublicListener(app);
const URL_OF_SITE = 'https://docs.example.com';
const SCHEMA = { type: 'object', properties: { isBeta: { type: 'boolean' } }, additionalProperties: false };

let folder: string;
let workspace: Workspace;
let site: Site;
let guide: Space;
let moved: string;
let first: StaticSiteResult;

const exported = (name: string, url = URL_OF_SITE, id = site.id): Promise<StaticSiteResult> =>
  app.current.get(StaticSites).write({ site: id, folder: join(folder, name), url });
const text = (path: string, name = 'out'): Promise<string> => readFile(join(folder, name, path), 'utf8');
const filesIn = async (name: string): Promise<string[]> =>
  (await readdir(join(folder, name), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, name).length + 1))
    .sort();

/** An image of which pages have other widths. */
function picture(): string {
  const canvas = createCanvas(900, 300);
  const context = canvas.getContext('2d');
  for (let x = 0; x < 900; x += 3)
    for (let y = 0; y < 300; y += 3) {
      context.fillStyle = `rgb(${(x * 7) % 256}, ${(y * 13) % 256}, ${(x * y) % 256})`;
      context.fillRect(x, y, 3, 3);
    }
  return canvas.toBuffer('image/png').toString('base64');
}

const file = (name: string, contentType: string, body: string): object => ({
  operation: 'insert_files',
  files: [{ name, contentType, base64: Buffer.from(body).toString('base64') }],
});
const insert = (title: string, markdown: string, more: object = {}): object => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ...more,
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-static-'));
  workspace = await buildOrganization(app.current);
  guide = await buildSpace(workspace, 'Guide', 'en');
  await guide.write(
    { operation: 'insert_files', files: [{ name: 'Kiln (1).png', contentType: 'image/png', base64: picture() }] },
    file('page.html', 'text/html', '<script>alert(1)</script>'),
    file('drawing.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  );
  const { items } = (
    await workspace.admin.api.get<{ items: { id: string; name: string }[] }>(`/spaces/${guide.id}/content/files`)
  ).body;
  const [image, script, active] = ['Kiln (1).png', 'page.html', 'drawing.svg'].map(
    (name) => items.find((item) => item.name === name)?.id ?? '',
  ) as [string, string, string];
  const link = (id: string): ReturnType<typeof inline> =>
    inline('link', { ref: { kind: 'file', file: id } }, [plain('file')]);
  const ids = await guide.write(
    insert('Welcome', 'Begin with [glazes](glazes.md#cones).\n\n```js\nfire(1200);\n```\n', {
      description: 'About pots',
    }),
    insert('Glazes', '## Cones\n\nCones tell when a kiln is ready.\n\n## Copper\n\nReduction makes copper reds.\n'),
    {
      operation: 'insert_page',
      title: 'Pictures',
      document: {
        document: document([
          block('images', {}, [block('image', { ref: { kind: 'file', file: image } }, [])] as never),
          paragraph(plain('See '), link(script), plain(' and '), link(active)),
        ]),
      },
    },
    insert('Beta', 'Only for some.', { condition: 'visitor.claims.isBeta == true' }),
    insert(
      'Firing',
      'Fire slowly.\n\n{% updates format="full" %}\n{% update date="2026-01-02" %}\n## New kiln\n\nIt is hot.\n{% endupdate %}\n{% endupdates %}\n',
    ),
    { operation: 'insert_page', type: 'group', title: 'More' },
    insert('con', 'Not a device.'),
  );
  moved = ids[4] ?? '';
  await guide.write({ operation: 'update_page', page: moved, slug: 'burning' });
  const german = await buildSpace(workspace, 'Handbuch', 'de');
  await german.write(
    insert('Willkommen', 'Öfen und Töpfe.'),
    insert('Glasuren', 'Kupfer wird rot.', { slug: 'glazes' }),
  );
  const api = await buildSpace(workspace, 'API');
  await api.write(insert('Overview', 'Use it.'), insert('Limits', 'Few.'));
  site = await publish(workspace, [guide, german]);
  await site.api.post(`${site.path}/sections`, { spaceId: api.id, title: 'Reference' });
  await site.api.put(`${site.path}/adaptive-schema`, { jsonSchema: SCHEMA });
  await site.api.patch(site.path, { adaptiveContent: { enabled: true } });
  await site.api.put(`${site.path}/customization`, {
    ...DEFAULT_CUSTOMIZATION,
    feedback: { ...DEFAULT_CUSTOMIZATION.feedback, enabled: false },
    pdf: { ...DEFAULT_CUSTOMIZATION.pdf, enabled: false },
    ai: { ...DEFAULT_CUSTOMIZATION.ai, mode: 'none' },
    pageActions: { ...DEFAULT_CUSTOMIZATION.pageActions, mcp: false, items: ['markdown', 'external-ai'] },
  });
  const url = 'https://example.com/kilns';
  for (const redirect of [
    { source: '/old/kilns', destination: { kind: 'external', url }, permanent: true },
    { source: '/legacy/page.html', destination: { kind: 'external', url } },
    { source: '/v0/*', destination: { kind: 'external', url }, captureWildcard: true },
  ])
    expect((await site.api.post(`${site.path}/redirects`, redirect)).status).toBe(201);
  first = await exported('out');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a site as static files', () => {
  it('has what a reader without credentials sees, and says what it leaves out', async () => {
    expect(first).toMatchObject({ url: `${URL_OF_SITE}/`, leftOut: { spaces: 0, pages: 1 }, unchanged: 0, removed: 0 });
    const files = await filesIn('out');
    expect(files.length).toBe(first.written + 3);
    for (const path of ['index.html', '404.html', 'robots.txt', 'sitemap.xml', 'llms.txt', 'llms-full.txt', 'rss.xml'])
      expect(files).toContain(path);
    for (const path of [
      'glazes/index.html',
      'glazes.md',
      'burning/index.html',
      'burning/rss.xml',
      '~search/index.json',
    ])
      expect(files).toContain(path);
    expect(files.some((path) => path.startsWith('beta'))).toBe(false);
    for (const path of files.filter((each) => /\.(?:html|json|md|txt|xml)$/.test(each)))
      expect(await text(path)).not.toContain('Only for some');
    expect(await text('sitemap.xml')).toContain(`<loc>${URL_OF_SITE}/glazes/</loc>`);
    expect(await text('robots.txt')).toContain(`Sitemap: ${URL_OF_SITE}/sitemap.xml`);
    expect(first.problems).toEqual(expect.arrayContaining([expect.stringContaining('/con: Windows')]));
  });

  it('leads nowhere that is not there, in the root of a host and below a path', async () => {
    await exported('below', `${URL_OF_SITE}/handbook/`);
    for (const [name, base] of [
      ['out', ''],
      ['below', '/handbook'],
    ] as const) {
      const server = await serveFolder(join(folder, name), base);
      try {
        const { answers, fragments, foreign } = await crawl(`${server.origin}${base}/`);
        const all = [...answers.values()];
        expect(all.filter(({ status }) => status !== 200).map(({ url, status }) => [url, status])).toEqual([]);
        expect(all.length).toBeGreaterThan(25);
        const lost = fragments.filter(({ page, id }) => answers.get(page)?.ids?.has(id) !== true);
        expect(lost).toEqual([]);
        // Links to the pages themselves for programs lead to where the site will be.
        const own = [...foreign].filter((url) => url.startsWith(URL_OF_SITE));
        for (const url of own) {
          const { status } = await fetch(url.replace(URL_OF_SITE, server.origin), { redirect: 'manual' });
          expect([url, status]).toEqual([url, 200]);
        }
        expect([...foreign].filter((url) => url.startsWith(listener.origin))).toEqual([]);
        expect((await fetch(`${server.origin}${base}/nowhere`)).status).toBe(404);
      } finally {
        await server.close();
      }
    }
    expect(await text('glazes/index.html', 'below')).toContain(
      `<link rel="canonical" href="${URL_OF_SITE}/handbook/glazes/">`,
    );
  });

  it('has the pages that readers get from the service, save addresses, policy and what needs the service', async () => {
    const own = (html: string, base: string, origin: string): string =>
      html
        .replaceAll(`${origin}${base}`, 'SITE')
        .replaceAll(base === '' ? '\0' : base, '')
        .replace(/<meta (?:http-equiv|name="referrer")[^>]*>/g, '')
        .replace(/ (?:nonce|integrity|data-script|data-integrity|data-none|data-site)="[^"]*"/g, '')
        .replace(/(?:SITE|https?:\/\/localhost:\d+)?\/~files\/[^\s",]+/g, 'FILE')
        .replace(/(?:SITE|\/)[^\s"]*~gitbook\/ogimage\/[^"]+/g, 'CARD')
        .replace(/~search\/?/g, '~search')
        .replace(/\?fallback=true/g, '')
        .replace(/((?:href|content|url|item|mainEntityOfPage)(?:="|":")(?:SITE)?[^"]*?)\/?(#[^"]*)?"/g, '$1$2"')
        .replace(/q=Read%20[^"&]*/g, 'Q');
    for (const path of ['/glazes', '/pictures', '/burning', '/reference/limits']) {
      const { body, status } = await listener.see(`${site.base}${path}`);
      expect(status).toBe(200);
      const html = own(await text(`${path.slice(1)}/index.html`), '', URL_OF_SITE);
      // The other language has no such page; its files say so before somebody asks.
      const served = own(body, site.base, listener.origin).replace(/"\/handbuch\/(?:pictures|burning)"/, '"/handbuch"');
      expect(html.split('<')).toEqual(served.split('<'));
    }
  });

  it('allows the scripts and styles that it has, and nothing else', async () => {
    const sha256 = (bytes: string | Buffer): string =>
      `'sha256-${createHash('sha256').update(bytes).digest('base64')}'`;
    for (const path of ['index.html', 'glazes/index.html', '404.html', '~search/index.html']) {
      const html = await text(path);
      const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(html)?.[1] ?? '';
      expect(html.indexOf('Content-Security-Policy')).toBeLessThan(html.indexOf('<script'));
      const sources = (name: string): string[] => new RegExp(`${name} ([^;]+)`).exec(policy)?.[1]?.split(' ') ?? [];
      const inline = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(([, code = '']) => sha256(code));
      const loaded = [
        ...(/src="(\/~assets\/[^"]+\.js)"/.exec(html) ?? []),
        ...(/data-script="([^"]+)"/.exec(html) ?? []),
      ].filter((each) => each.startsWith('/~assets/'));
      expect(loaded).toHaveLength(2);
      const files = await Promise.all(loaded.map(async (each) => sha256(await text(each.slice(1)))));
      expect(sources('script-src').sort()).toEqual([...inline, ...files].sort());
      const styles = [...html.matchAll(/<style>([^]*?)<\/style>/g)].map(([, css = '']) => sha256(css));
      expect(sources('style-src')).toEqual(["'self'", ...styles]);
      expect(policy).not.toMatch(/unsafe|nonce|localhost|127\.0\.0\.1/);
      expect(html).not.toContain('nonce=');
    }
  });

  it('never serves an uploaded file as a page of the site', async () => {
    const files = await filesIn('out');
    expect(files.filter((path) => /^~files\/.*\.(?:html|svg|js)$/.test(path))).toEqual([]);
    expect(files.some((path) => /^~files\/.*\/page\.html\.bin$/.test(path))).toBe(true);
    expect(files.some((path) => /^~files\/.*\/Kiln-1-?\.png$/.test(path))).toBe(true);
    expect(files.some((path) => /^~files\/.*\.webp$/.test(path))).toBe(true);
    expect(await text('_headers')).toContain('X-Content-Type-Options: nosniff');
  });

  it('redirects by pages, and by the rules of hosts and servers', async () => {
    const page = await text('old/kilns/index.html');
    expect(page).toContain('<meta http-equiv="refresh" content="0; url=https://example.com/kilns">');
    expect(page).toContain('<link rel="canonical" href="https://example.com/kilns">');
    expect(await text('legacy/page.html')).toContain('https://example.com/kilns');
    expect(await text('firing/index.html')).toContain('0; url=/burning/');
    expect(await text('welcome/index.html')).toContain('0; url=/"');
    const rules = (await text('_redirects')).split('\n');
    expect(rules).toContain('/old/kilns https://example.com/kilns 301');
    expect(rules).toContain('/firing /burning/ 301');
    expect(rules).toContain('/v0/* https://example.com/kilns/:splat 302');
    expect(await text('.bindery/nginx.conf')).toContain('location = "/firing" { return 301 "/burning/"; }');
    expect(await text('.bindery/Caddyfile')).toContain('redir `/firing` "/burning/" 301');
    expect(first.redirects).toBeGreaterThanOrEqual(5);
  });

  it('finds pages by the script and the index that it ships', async () => {
    const server = await serveFolder(join(folder, 'out'));
    try {
      const path = /data-script="([^"]+)"/.exec(await text('index.html'))?.[1] ?? '';
      const from = /name="from" value="([^"]+)"/.exec(await text('index.html'))?.[1] ?? '';
      const loaded: string[] = [];
      const world: Record<string, unknown> = {
        fetch: (address: string) => (loaded.push(address), fetch(server.origin + address)),
        setTimeout,
      };
      world['window'] = world;
      runInNewContext(await text(path.slice(1)), world);
      world['MiniSearch'] ??= runInNewContext('globalThis.MiniSearch', world);
      type Hit = { readonly href: string; readonly title: string; readonly text?: string };
      const search = world['searchSite'] as (at: string, query: string, from: string) => Promise<{ hits: Hit[] }>;
      const found = async (query: string): Promise<Hit[]> => (await search('/~search/', query, from)).hits;
      expect((await found('copper'))[0]).toMatchObject({ href: '/glazes/', title: 'Glazes' });
      expect((await found('copper'))[1]).toMatchObject({ href: '/glazes/#copper', title: 'Copper' });
      expect((await found('reductions'))[0]?.href).toBe('/glazes/');
      expect((await found('glazws'))[0]?.href).toBe('/glazes/');
      expect((await found('gla'))[0]?.href).toBe('/glazes/');
      expect((await found('topfe'))[0]?.text).toContain('Töpfe');
      expect(await found('for some')).not.toContainEqual(expect.objectContaining({ title: 'Beta' }));
      expect(await found('xyzzyx')).toEqual([]);
      expect(await found('...')).toEqual([]);
      expect(loaded.filter((address) => address.endsWith('index.json'))).toHaveLength(1);
      for (const { href } of await found('copper')) expect((await fetch(server.origin + href)).status).toBe(200);
    } finally {
      await server.close();
    }
  });
});

describe('the index of a static site', () => {
  it('is the one that MiniSearch makes of the same pages, in parts', () => {
    const texts = Array.from({ length: 40 }, (_, page) => ({
      title: `Page ${page} of kilns`,
      headings: page % 3 === 0 ? 'Cones' : 'Glazes and glazing',
      text: Array.from({ length: 30 }, (__, word) => `w${(page * word * 7) % 61} öfen 窯`).join(' '),
    }));
    const { fields, ...others } = INDEX_OPTIONS;
    const processTerm = (word: string): string => word;
    const options = { ...others, fields: [...fields], tokenize: comparableWords, processTerm };
    const whole = new MiniSearch(options);
    const index = new SearchIndex();
    texts.forEach((page, id) => {
      whole.add({ id: `p${id}`, ...page });
      index.add(`p${id}`, page);
    });
    const parts = [...index.parts()];
    const words = parts.flatMap(({ json }) => JSON.parse(json) as [string, object][]);
    expect(parts.every(({ beginning, json }) => json.includes(`["${beginning}`))).toBe(true);
    const loaded = MiniSearch.loadJS({ ...index.head(), index: words } as never, options);
    expect(loaded.toJSON()).toEqual({ ...whole.toJSON(), index: expect.any(Array) });
    for (const query of ['kilns', 'w14 cones', 'ofen', '窯', 'glaz'])
      expect(loaded.search(query, { prefix: true })).toEqual(whole.search(query, { prefix: true }));
  });
});

describe('PDFs of a static site', () => {
  const pdfsIn = async (name: string): Promise<string[]> =>
    (await filesIn(name)).filter((path) => path.includes('~gitbook/pdf/'));
  let handbook: Site;
  let book: Space;

  beforeAll(async () => {
    book = await buildSpace(workspace, 'Book');
    await book.write(file('notes.txt', 'text/plain', 'Notes'));
    const { items } = (await workspace.admin.api.get<{ items: { id: string }[] }>(`/spaces/${book.id}/content/files`))
      .body;
    const ref = { kind: 'file', file: items[0]?.id ?? '' } as const;
    await book.write(
      insert('Clay', 'Dig [it](wheel.md).'),
      insert('Wheel', 'Turn. See [clay](clay.md).'),
      {
        operation: 'insert_page',
        title: 'Notes',
        document: { document: document([paragraph(plain('See '), inline('link', { ref }, [plain('them')]))]) },
      },
      insert('Hidden part', 'Only for some.', { condition: 'visitor.claims.isBeta == true' }),
    );
    handbook = await publish(workspace, [book], 'public', 'Book');
  });

  it('are those that its pages lead to, and lead to its own pages and files', async () => {
    const result = await exported('book', `${URL_OF_SITE}/book`, handbook.id);
    expect(result).toMatchObject({ pages: 3, pdfs: 4, problems: [] });
    const paths = await pdfsIn('book');
    expect(paths).toHaveLength(4);
    const html = await Promise.all(['', 'wheel/', 'notes/'].map(async (page) => text(`${page}index.html`, 'book')));
    const linked = html.flatMap((page) =>
      [...page.matchAll(/href="([^"]*~gitbook\/pdf[^"]*)"/g)].map(([, href = '']) => href),
    );
    expect([...new Set(linked)].sort()).toEqual(paths.map((path) => `/book/${path}`));
    const all = await readPdf(await readFile(join(folder, 'book', '~gitbook/pdf/all.pdf')));
    const sheets = all.sheets.join(' ');
    expect(sheets).toContain('Turn.');
    expect(sheets).not.toContain('Only for some');
    const alone = await Promise.all(paths.map(async (path) => readPdf(await readFile(join(folder, 'book', path)))));
    const links = alone.flatMap((each) => each.links.flat()).flatMap(({ url }) => url ?? []);
    // Pages are folders, and the first one is that of the space itself.
    const toPages = links.filter((link) => !link.includes('/~files/'));
    expect([...new Set(toPages)].sort()).toEqual([`${URL_OF_SITE}/book/`, `${URL_OF_SITE}/book/wheel/`]);
    const [file = ''] = links.filter((link) => link.includes('/~files/'));
    expect(file.startsWith(`${URL_OF_SITE}/book/~files/`)).toBe(true);
    expect(await text(decodeURIComponent(file.slice(`${URL_OF_SITE}/book/`.length)), 'book')).toBe('Notes');
    for (const rules of ['_headers', '.bindery/nginx.conf', '.bindery/Caddyfile'])
      expect(await text(rules, 'book')).toMatch(/\/book\/~gitbook\/pdf\/.*\n?.*noindex/);
  });

  it('are the same again for the same content, and new where it has changed', async () => {
    const again = await exported('book', `${URL_OF_SITE}/book`, handbook.id);
    expect(again).toMatchObject({ pdfs: 4, written: 0, removed: 0 });
    await book.write(insert('Kiln', 'Fire.'));
    expect((await exported('book', `${URL_OF_SITE}/book`, handbook.id)).pdfs).toBe(5);
    const all = await readPdf(await readFile(join(folder, 'book', '~gitbook/pdf/all.pdf')));
    expect(all.sheets.join(' ')).toContain('Fire.');
  });

  it('that cannot be made are told of, and no page leads to them', async () => {
    const painter = app.current.get(PdfPainter);
    const paint = painter.paint.bind(painter);
    const spy = jest.spyOn(painter, 'paint').mockImplementation((order, ...rest) => {
      if (order.book.hasFront) throw new PdfFault('it would have more than 10000 pages');
      return paint(order, ...rest);
    });
    const result = await exported('faulty', URL_OF_SITE, handbook.id);
    spy.mockRestore();
    expect(result).toMatchObject({ pdfs: 4, problems: ['Book: there is no PDF: it would have more than 10000 pages'] });
    expect(await text('index.html', 'faulty')).not.toContain('all.pdf');
    expect(await pdfsIn('faulty')).toHaveLength(4);
  });

  it('are left out where that is asked for', async () => {
    const result = await app.current
      .get(StaticSites)
      .write({ site: handbook.id, folder: join(folder, 'plain'), url: URL_OF_SITE, pdf: false });
    expect(result).toMatchObject({ pages: 4, pdfs: 0 });
    expect(await pdfsIn('plain')).toEqual([]);
    expect(await text('index.html', 'plain')).not.toContain('~gitbook/pdf');
  });
});

describe('a folder of static files', () => {
  it('is left as it is where nothing has changed, and otherwise gets and loses only what has', async () => {
    const again = await exported('out');
    expect(again).toMatchObject({ written: 0, removed: 0, unchanged: first.written });
    await writeFile(join(folder, 'out', 'CNAME'), 'docs.example.com');
    const [extra = ''] = await guide.write(insert('Extra', 'One more page about porcelain.'));
    const more = await exported('out');
    expect(more.pages).toBe(first.pages + 1);
    await guide.write({ operation: 'delete_page', page: extra });
    const less = await exported('out');
    expect(less.pages).toBe(first.pages);
    expect(less.removed).toBeGreaterThan(2);
    const files = await filesIn('out');
    expect(files.filter((path) => path.startsWith('extra'))).toEqual([]);
    expect(files).toContain('CNAME');
  });

  it('is continued where an export was cut off', async () => {
    await mkdir(join(folder, 'cut', '.bindery', 'unfinished'), { recursive: true });
    await mkdir(join(folder, 'cut', 'gone'));
    await writeFile(
      join(folder, 'cut', '.bindery', 'files.txt'),
      `site ${site.id}\ngone/index.html\nglazes/index.html\n`,
    );
    await writeFile(join(folder, 'cut', '.bindery', 'running'), '999999999');
    await writeFile(join(folder, 'cut', 'gone', 'index.html'), 'old');
    expect((await exported('cut')).removed).toBe(1);
    expect(await filesIn('cut')).toEqual((await filesIn('out')).filter((path) => path !== 'CNAME'));
  });

  it('of others, of another site, with symbolic links or in use is refused', async () => {
    await mkdir(join(folder, 'others'));
    await writeFile(join(folder, 'others', 'index.html'), 'mine');
    await expect(exported('others')).rejects.toThrow('has files that are not of an export');
    const other = await publish(workspace, [guide], 'public', 'Another');
    await expect(exported('out', URL_OF_SITE, other.id)).rejects.toThrow('is an export of another site');
    await mkdir(join(folder, 'target'));
    await mkdir(join(folder, 'linked'));
    await exported('linked');
    await rm(join(folder, 'linked', 'glazes'), { recursive: true });
    await symlink(join(folder, 'target'), join(folder, 'linked', 'glazes'));
    await expect(exported('linked')).rejects.toThrow('has something at glazes that is no folder');
    expect(await readdir(join(folder, 'target'))).toEqual([]);
    await rm(join(folder, 'linked', 'glazes'));
    // A link in the place of a file is replaced, not followed.
    await writeFile(join(folder, 'target', 'precious'), 'mine');
    await rm(join(folder, 'linked', '404.html'));
    await symlink(join(folder, 'target', 'precious'), join(folder, 'linked', '404.html'));
    await exported('linked');
    expect((await lstat(join(folder, 'linked', '404.html'))).isFile()).toBe(true);
    expect(await readFile(join(folder, 'target', 'precious'), 'utf8')).toBe('mine');
    await writeFile(join(folder, 'linked', '.bindery', 'running'), String(process.ppid));
    await expect(exported('linked')).rejects.toThrow(`is being written by process ${process.ppid}`);
  });
});

describe('a site that not everybody may read', () => {
  it('is refused, and so are addresses that no site has', async () => {
    const space = await buildSpace(workspace, 'Private');
    await space.write(insert('Secret', 'Text'));
    for (const visibility of ['share-link', 'visitor-auth']) {
      const closed = await publish(workspace, [space], visibility, visibility);
      await expect(exported('closed', URL_OF_SITE, closed.id)).rejects.toThrow('is not published for everybody');
    }
    const limited = await publish(workspace, [space], 'public', 'Limited');
    const ranges = ['192.0.2.0/24'];
    expect((await limited.api.put(`${limited.path}/ip-allow-list`, { ranges })).status).toBe(200);
    await expect(exported('closed', URL_OF_SITE, limited.id)).rejects.toThrow('is not published for everybody');
    const unpublished = await publish(workspace, [space], 'public', 'Unpublished');
    await unpublished.api.post(`${unpublished.path}/unpublish`);
    await expect(exported('closed', URL_OF_SITE, unpublished.id)).rejects.toThrow('is not published for everybody');
    await expect(exported('closed', URL_OF_SITE, 'nothing')).rejects.toThrow('Site');
    for (const url of [
      'ftp://docs.example.com',
      'https://docs.example.com/?a=b',
      'https://a:b@docs.example.com',
      'docs',
    ])
      await expect(exported('closed', url)).rejects.toThrow('url: must be an address');
    await expect(lstat(join(folder, 'closed'))).rejects.toThrow('ENOENT');
  });
});
