import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { customizationSettings, DEFAULT_CUSTOMIZATION } from '../src/publishing/sites/customization.schema.js';
import { contrast, parseColor, type RgbColor } from '../src/publishing/published-sites/pages/domain/color.js';
import { themeSheet, type Look } from '../src/publishing/published-sites/pages/domain/theme.js';
import { block, document, paragraph, plain, rawBlock } from '../src/formats/document/build.js';
import { RENDER_DOCUMENT } from '../src/formats/html/rendering-tasks.js';
import { ContentStore } from '../src/authoring/content/content-store.js';
import { DiagramFiles } from '../src/publishing/published-sites/pages/diagram-files.js';
import type { HttpResponse } from '../src/publishing/published-sites/pages/http-response.js';
import { AgentTexts } from '../src/publishing/published-sites/pages/agent-texts.js';
import { SiteFonts } from '../src/publishing/published-sites/pages/site-fonts.js';
import { Insights } from '../src/publishing/sites/insights/insights.service.js';
import { SpaceRepositories } from '../src/authoring/interchange/git/space-repositories.service.js';
import { editAddress, issueAddress } from '../src/publishing/published-sites/pages/domain/repository-addresses.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import {
  buildSpace,
  publish,
  usePublicListener,
  type Made,
  type Seen,
  type Site,
  type Space,
} from './published-site.js';

const app = useApp();
const listener = usePublicListener(app);
const see: typeof listener.see = (...request) => listener.see(...request);

interface FontOfOrganization {
  readonly id: string;
  readonly permissions: { readonly edit: boolean };
}

interface Offered {
  readonly key: string;
  readonly url: string;
}

async function offerFont({ id, admin }: Workspace, name: string, type: string): Promise<Offered> {
  const file = { name, type, size: name.length };
  return (await admin.api.post<Offered>(`/orgs/${id}/storage/upload`, { kind: 'customization_font', file })).body;
}

/** Uploads a file that has its name in it; returns its key. */
async function uploadFont(workspace: Workspace, name: string, type: string): Promise<string> {
  const { key, url } = await offerFont(workspace, name, type);
  expect((await fetch(url, { method: 'PUT', body: name, headers: { 'Content-Type': type } })).status).toBe(204);
  return key;
}

/** What people read in HTML. */
function wordsOf(html: string): string {
  return html
    .replace(/<(script|style|svg)\b.*?<\/\1>/gs, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

/** The names of all elements of a page. */
function namesOf(html: string): string[] {
  const names = (node: DefaultTreeAdapterTypes.Node): string[] => [
    node.nodeName,
    ...('childNodes' in node ? node.childNodes.flatMap(names) : []),
  ];
  return names(parse(html));
}

function insert(title: string, markdown = '', more: object = {}): object {
  return { operation: 'insert_page', title, document: { markdown }, ...more };
}

async function simpleSite(
  visibility = 'public',
): Promise<{ workspace: Workspace; space: Space; site: Site; pages: string[] }> {
  const workspace = await buildOrganization(app.current);
  const space = await buildSpace(workspace, 'Guide');
  const pages = await space.write(
    insert('Welcome', 'Hello **reader**.\n\n## First steps\n\nDo this.\n\n## Second steps\n\nDo that.\n', {
      description: 'What this is',
    }),
    insert('Install it', 'Run it.\n'),
  );
  return { workspace, space, site: await publish(workspace, [space], visibility), pages };
}

describe('published pages', () => {
  it('whose HTML takes long to read are read in a thread, and answered', async () => {
    const open = Array.from(
      { length: 1000 },
      (_, index) => `<b ${((index % 26) + 10).toString(36)}${index.toString(36)}>`,
    ).join('');
    const raw = `<p>${open}${'<p>x'.repeat(1600)}`;
    expect(raw.length).toBeGreaterThan(13_000);
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Guide');
    const nodes = [
      paragraph(plain('before')),
      rawBlock(raw),
      rawBlock('<p>short</p>'),
      block('math', { formula: 'x^2' }),
      paragraph(plain('after')),
    ];
    await space.write({ operation: 'insert_page', title: 'Welcome', document: { document: document(nodes) } });
    const site = await publish(workspace, [space]);
    const here = jest.spyOn(RENDER_DOCUMENT, 'run');
    try {
      const { status, body } = await see(site.base);
      expect(status).toBe(200);
      expect(wordsOf(body)).toMatch(/before.*short.*after/);
      expect(body).toContain('<math');
      expect(here).not.toHaveBeenCalled();
    } finally {
      here.mockRestore();
    }
  });

  it('show a page with its navigation, outline and neighbours', async () => {
    const { site } = await simpleSite();
    const { status, headers, body } = await see(site.base);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(wordsOf(body)).toMatch(
      /Welcome.*What this is.*Hello reader.*First steps.*Next Install it.*On this page First steps Second steps/,
    );
    expect(body).toContain(`<title>Welcome | Handbook of everything</title>`);
    expect(body).toContain(`<link rel="canonical" href="${listener.origin}${site.base}">`);
    expect(body).toContain(
      `<link rel="alternate" type="text/markdown" href="${listener.origin}${site.base}/welcome.md">`,
    );
    expect(body).toMatch(new RegExp(`<a class="tree-page" href="${site.base}" aria-current="page">`));
    expect(body).toContain(`href="${site.base}/install-it" rel="next"`);
    expect(body).not.toContain('noindex');
  });

  it('do not lead to a first page that is not there', async () => {
    const workspace = await buildOrganization(app.current);
    const { base } = await publish(workspace, [await buildSpace(workspace, 'Empty')]);
    const [root, below] = [await see(base), await see(`${base}/anything`)];
    expect([root.status, below.status]).toEqual([404, 404]);
    expect(below.body).toContain('To the first page');
    expect(root.body).not.toContain('To the first page');
  });

  it('lead to the one address of a page', async () => {
    const { site, space, pages } = await simpleSite();
    for (const [from, to] of [
      ['/', ''],
      ['/welcome', ''],
      ['/Install-It', '/install-it'],
      ['/install-it/', '/install-it'],
      ['/install-it/?a=b', '/install-it?a=b'],
    ]) {
      expect(await see(`${site.base}${from}`)).toMatchObject({ status: 307, location: `${site.base}${to}` });
    }
    await space.write({ operation: 'update_page', page: pages[1], title: 'Set it up', slug: 'set-up' });
    expect(await see(`${site.base}/install-it`)).toMatchObject({ status: 308, location: `${site.base}/set-up` });
    expect(await see(`${site.base}/install-it.md`)).toMatchObject({ status: 308, location: `${site.base}/set-up.md` });
    const [group = ''] = await space.write({ operation: 'insert_page', type: 'group', title: 'Reference' });
    await space.write(insert('Options', 'All of them.', { into: group }));
    expect((await see(`${site.base}/reference`)).location).toBe(`${site.base}/reference/options`);
    expect((await see(`${site.base}/nothing/here?fallback=true`)).location).toBe(site.base);
  });

  it('say in the look of the site that there is no page', async () => {
    const { site } = await simpleSite();
    const { status, body } = await see(`${site.base}/no/such/page`);
    expect(status).toBe(404);
    expect(wordsOf(body)).toMatch(/Handbook of everything .* Install it .* Page not found/);
    expect(body).toContain('<meta name="robots" content="noindex">');
    for (const path of ['/nobody-has-this-name', '/nobody-has-this-name/page']) {
      const neutral = await see(path);
      expect(neutral.status).toBe(404);
      expect(wordsOf(neutral.body)).toContain('Page not found');
    }
    expect(await see('/robots.txt')).toMatchObject({ status: 200, body: 'User-agent: *\nAllow: /\n' });
  });

  it('name a nonce in their policy that is another one for each answer, and keep the one of a page that has not changed', async () => {
    const { site } = await simpleSite();
    const [one, other] = [await see(site.base), await see(site.base)];
    const nonceOf = ({ headers }: Seen): string =>
      /script-src 'nonce-([\w-]{20,})'/.exec(String(headers['content-security-policy']))?.[1] ?? '';
    expect(nonceOf(one)).not.toBe(nonceOf(other));
    expect(one.body.match(new RegExp(`nonce="${nonceOf(one)}"`, 'g'))?.length).toBe(2);
    expect(one.body.replaceAll(nonceOf(one), '')).toBe(other.body.replaceAll(nonceOf(other), ''));
    expect(one.headers).toMatchObject({
      'cache-control': 'public, no-cache',
      'x-content-type-options': 'nosniff',
      // On plain HTTP nothing else would tell the site where its forms come from.
      'referrer-policy': 'same-origin',
    });
    const told = await see(site.base, { 'sec-fetch-site': 'none' });
    expect(told.headers['referrer-policy']).toBe('no-referrer');
    expect(String(one.headers['content-security-policy'])).toMatch(
      /^default-src 'none'; .*frame-ancestors 'self'; base-uri 'none'$/,
    );
    expect(one.body).not.toMatch(/ style=| on[a-z]+="/);
    const again = await see(site.base, { 'If-None-Match': String(one.headers['etag']) });
    expect([again.status, again.body, again.headers['content-security-policy']]).toEqual([304, '', undefined]);
    expect(await see(site.base, {}, 'HEAD')).toMatchObject({
      status: 200,
      body: '',
      headers: { 'content-length': String(Buffer.byteLength(one.body)) },
    });
    expect((await see(site.base, {}, 'DELETE')).status).toBe(405);
  });

  it('come compressed with the same words', async () => {
    const { site } = await simpleSite();
    const plain = (await see(site.base)).body;
    const fetched = await fetch(`${listener.origin}${site.base}`, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(fetched.headers.get('content-encoding')).toBe('gzip');
    expect(Number(fetched.headers.get('content-length'))).toBeLessThan(plain.length / 2);
    const without = (html: string): string => html.replace(/nonce="[\w-]*"/g, '');
    expect(without(await fetched.text())).toBe(without(plain));
  });

  it('show a merge in the very next request', async () => {
    const { site, space, pages, workspace } = await simpleSite();
    const before = await see(`${site.base}/install-it`);
    const { api } = workspace.admin;
    const made = await api.post<Made>(`/spaces/${space.id}/change-requests`, { subject: 'More' });
    await api.post(`/spaces/${space.id}/change-requests/${made.body.id}/content`, {
      changes: [{ operation: 'update_page', page: pages[1], document: { markdown: 'Run it twice.\n' } }],
    });
    expect((await see(`${site.base}/install-it`)).body).toContain('Run it.');
    await api.post(`/spaces/${space.id}/change-requests/${made.body.id}/merge`);
    const after = await see(`${site.base}/install-it`, { 'If-None-Match': String(before.headers['etag']) });
    expect(after.status).toBe(200);
    expect(after.body).toContain('Run it twice.');
    await space.write(insert('Another one'));
    expect((await see(`${site.base}/install-it`)).body).toContain('Another one');
  });

  it('show the marks of a title, as long as it is the title', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Marks');
    const [page] = await space.write({
      operation: 'insert_page',
      document: { markdown: '# The `serve` **command** :rocket:\n\nWords.\n' },
    });
    const site = await publish(workspace, [space]);
    const before = (await see(site.base)).body;
    expect(before).toMatch(/<h1[^>]*>The <code>serve<\/code> <strong>command<\/strong> .*🚀.*<\/h1>/);
    expect(before).toMatch(/<title>The serve command/);
    await space.write({ operation: 'update_page', page, title: 'Another <title>' });
    expect((await see(`${site.base}`)).body).toMatch(/<h1>Another &#x3C;title><\/h1>/);
  });

  it('list of a large level what is near, and lead on to the rest', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Large');
    for (let start = 1; start <= 250; start += 50)
      await space.write(...Array.from({ length: 50 }, (_, index) => insert(`Page ${start + index}`)));
    const site = await publish(workspace, [space]);
    const listOf = async (path: string): Promise<{ pages: string[]; more: string[] }> => {
      const tree = /<nav class="tree".*?<\/nav>/s.exec((await see(`${site.base}${path}`)).body)?.[0] ?? '';
      const links = [...tree.matchAll(/<li( class="tree-more")?><a[^>]*href="([^"]+)"[^>]*>(?:<span>)?([^<]+)/g)];
      return {
        pages: links.flatMap(([, isMore, , title = '']) => (isMore === undefined ? [title] : [])),
        more: links.flatMap(([, isMore, href, title]) => (isMore === undefined ? [] : [`${title} ${href}`])),
      };
    };
    const [first, middle, last] = [await listOf(''), await listOf('/page-130'), await listOf('/page-250')];
    expect([first.pages.length, first.pages[0], first.pages.at(-1), first.more]).toEqual([
      100,
      'Page 1',
      'Page 100',
      [`150 more pages ${site.base}/page-101`],
    ]);
    expect([middle.pages[0], middle.pages.includes('Page 130'), middle.more]).toEqual([
      'Page 80',
      true,
      [`79 more pages ${site.base}/page-79`, `71 more pages ${site.base}/page-180`],
    ]);
    expect([last.pages.at(-1), last.more]).toEqual(['Page 250', [`150 more pages ${site.base}/page-150`]]);
  });

  it('escape what people write', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Hostile');
    const title = '</title><script>alert(1)</script>"\'&';
    await space.write(insert(title, 'Text', { description: '"><img src=x onerror=alert(2)>' }), insert('{{ 7 * 7 }}'));
    const site = await publish(workspace, [space], 'public', '<b>Site</b> & co');
    await site.api.put(`${site.path}/customization`, {
      ...DEFAULT_CUSTOMIZATION,
      header: {
        preset: 'default',
        links: [{ title: '<i>x</i>', to: { kind: 'url', url: 'https://example.com/"onmouseover=' }, links: [] }],
      },
      announcement: { enabled: true, message: '<u>News</u>', style: 'info' },
      styling: {
        ...DEFAULT_CUSTOMIZATION.styling,
        font: {
          id: 'x',
          custom: true,
          fontFamily: '</style><script>',
          fontFaces: [{ weight: 400, sources: [{ url: 'https://fonts.example/a.woff2' }] }],
        },
      },
    });
    const { body, headers } = await see(site.base);
    const names = namesOf(body);
    // Two of our own, and the data for search engines.
    expect(names.filter((name) => name === 'script')).toHaveLength(3);
    expect(names.filter((name) => ['i', 'u', 'b', 'img'].includes(name))).toEqual([]);
    expect(wordsOf(body)).toContain('alert(1)');
    expect(String(headers['content-security-policy'])).toContain("font-src 'self' https://fonts.example");
    expect(wordsOf(body)).toContain('&#x3C;u>News&#x3C;/u>');
  });
});

describe('settings', () => {
  it('lead to the source of a page, to accounts elsewhere and to other forms of a page', async () => {
    const { site, space, pages, workspace } = await simpleSite();
    const { database } = app.current;
    await database.execute(
      `UPDATE content_item SET props = props || '{"git": {"oid": "a1", "path": "docs/install it.md"}}' WHERE space_id = $1 AND id = $2`,
      [space.id, pages[1]],
    );
    const french = await buildSpace(workspace, 'Guide en français', 'fr');
    const [bienvenue = ''] = await french.write(insert('Bienvenue'));
    await site.api.post(`${site.path}/site-spaces`, { spaceId: french.id });
    await space.write({
      operation: 'update_page',
      page: pages[1],
      metaLinks: {
        alternates: [
          { kind: 'page', page: bienvenue, space: french.id },
          { kind: 'page', page: pages[0] },
        ],
      },
    });
    const settings = {
      ...DEFAULT_CUSTOMIZATION,
      git: { showEditLink: true },
      socialAccounts: [
        { platform: 'github', handle: '@acme' },
        { platform: 'mastodon', handle: 'docs@example.social', display: { header: true, footer: false } },
        { platform: 'twitter', handle: 'javascript:alert(1)' },
      ].map((account) => ({ display: { footer: true, header: false }, ...account })),
    };
    expect((await site.api.put(`${site.path}/customization`, settings)).status).toBe(200);
    const { body } = await see(`${site.base}/install-it`);
    expect(body).toMatch(
      new RegExp(
        `<link rel="alternate" hreflang="fr" href="${listener.origin}${site.base}/[\\w-]+">.*<link rel="alternate" href="${listener.origin}${site.base}">`,
      ),
    );
    expect(body).toMatch(
      /<header.*href="https:\/\/example\.social\/@docs".*<\/header>.*<footer.*href="https:\/\/github\.com\/acme" rel="me noopener" title="GitHub"/s,
    );
    expect(body).not.toContain('alert(1)');
    expect(body).not.toContain('Edit this page');
    const connect = (url: string, remote: string) =>
      database.execute(
        `INSERT INTO space_git (space_id, repo_name, provider, url, remote, ref, directory, oid, revision_id, event_at, updated_at) VALUES ($1, 'docs', NULL, $2, $3, 'refs/heads/main', 'docs', 'a1', 'r', now(), now())
       ON CONFLICT (space_id) DO UPDATE SET url = excluded.url, remote = excluded.remote`,
        [space.id, url, remote],
      );
    for (const [url, remote, edit] of [
      [
        'https://github.com/acme/docs.git',
        'https://github.com/acme/docs.git',
        'https://github.com/acme/docs/edit/main/docs/install%20it.md',
      ],
      [
        'https://gitlab.example.com/acme/docs/-/tree/main',
        'https://gitlab.example.com/acme/docs.git',
        'https://gitlab.example.com/acme/docs/-/edit/main/docs/install%20it.md',
      ],
      [
        'https://git.example.com/acme/docs/src/branch/main',
        'https://git.example.com/acme/docs.git',
        'https://git.example.com/acme/docs/src/branch/main/docs/install%20it.md',
      ],
      ['https://git.example.com/acme/docs.git', 'https://git.example.com/acme/docs.git', undefined],
    ] as const) {
      await connect(url, remote);
      const seen = (await see(`${site.base}/install-it`)).body;
      expect(/href="([^"]+)"[^>]*>Edit (?:this page|on GitHub|on GitLab)</.exec(seen)?.[1]).toBe(edit);
    }
    expect((await see(site.base)).body).not.toContain('Edit this page');
  });

  it('name a page in each language of its section, and the one for all others, as search engines ask', async () => {
    const { site, space, workspace, pages } = await simpleSite();
    const french = await buildSpace(workspace, 'Guide en français', 'fr');
    await french.write(insert('Bienvenue'), insert('Installer', 'Allez.', { slug: 'install-it' }));
    const german = await buildSpace(workspace, 'Anleitung', 'de');
    await german.write(insert('Willkommen'));
    await site.api.patch(`/spaces/${space.id}`, { language: 'en' });
    for (const { id } of [french, german]) await site.api.post(`${site.path}/site-spaces`, { spaceId: id });
    const { body } = await site.api.get<{ items: { path: string; space: Made }[] }>(`${site.path}/site-spaces`);
    const pathOf = (id: string) => body.items.find((item) => item.space.id === id)?.path ?? '';
    const [fr, de] = [`${site.base}/${pathOf(french.id)}`, `${site.base}/${pathOf(german.id)}`];
    const named = async (path: string) =>
      [...(await see(path)).body.matchAll(/<link rel="alternate" hreflang="([^"]*)" href="([^"]*)">/g)].map(
        ([, language, address = '']) => [language, address.slice(listener.origin.length)],
      );
    const root = [
      ['en', site.base],
      ['fr', fr],
      ['de', de],
      ['x-default', site.base],
    ];
    // Each language names the others and itself, and the same one for all others.
    for (const path of [site.base, fr, de]) expect((await named(path)).sort()).toEqual([...root].sort());
    const inTwo = [
      ['en', `${site.base}/install-it`],
      ['fr', `${fr}/install-it`],
      ['x-default', `${site.base}/install-it`],
    ];
    for (const path of [`${site.base}/install-it`, `${fr}/install-it`])
      expect((await named(path)).sort()).toEqual([...inTwo].sort());
    // A page of one language has no others, and a change elsewhere is there at once.
    await space.write(insert('Only here', '', { slug: 'only-here' }));
    expect(await named(`${site.base}/only-here`)).toEqual([]);
    const [only = ''] = await german.write(insert('Nur hier', '', { slug: 'only-here' }));
    expect(await named(`${site.base}/only-here`)).toHaveLength(3);
    await german.write({ operation: 'delete_page', page: only });
    expect(await named(`${site.base}/only-here`)).toEqual([]);
    // What is hidden from robots in one language is not sent to them from another.
    await space.write({ operation: 'update_page', page: pages[1], noRobotsIndex: true });
    for (const path of [`${site.base}/install-it`, `${fr}/install-it`]) expect(await named(path)).toEqual([]);
  });

  it('say when a page was changed: to readers, to robots, and in the map of the site', async () => {
    const { site, space, pages } = await simpleSite();
    const last = async () => {
      const { body } = await see(`${site.base}/install-it`);
      const map = (await see(`${site.base}/sitemap.xml`)).body;
      const { body: page } = await site.api.get<{ updatedAt: string }>(
        `/spaces/${space.id}/content/page/${pages[1] ?? ''}`,
      );
      return {
        shown: /Last updated (?:<[^>]*>)*<time datetime="([^"]*)"/.exec(body)?.[1],
        meta: /<meta property="article:modified_time" content="([^"]*)"/.exec(body)?.[1],
        data: /"dateModified":"([^"]*)"/.exec(body)?.[1],
        map: new RegExp(`<loc>[^<]*/install-it</loc><lastmod>([^<]*)`).exec(map)?.[1],
        own: page.updatedAt,
      };
    };
    const before = await last();
    await space.write({ operation: 'update_page', page: pages[1], document: { markdown: 'Run it again.' } });
    const after = await last();
    for (const { shown, meta, data, map, own } of [before, after]) {
      expect([meta, data, map]).toEqual([own, own, own]);
      expect(own).toContain(shown ?? 'nothing');
    }
    expect(after.own > before.own).toBe(true);
  });

  it('give code the colours of a theme that can be read, for light and dark, in text and in APIs', async () => {
    const { site } = await simpleSite();
    const sheetWith = async (codeTheme: object): Promise<string> => {
      expect(
        (
          await site.api.put(`${site.path}/customization`, {
            ...DEFAULT_CUSTOMIZATION,
            styling: { ...DEFAULT_CUSTOMIZATION.styling, codeTheme },
          })
        ).status,
      ).toBe(200);
      return /<style>(.*?)<\/style>/s.exec((await see(site.base)).body)?.[1] ?? '';
    };
    const usual = { light: 'default-light', dark: 'default-dark' };
    expect(await sheetWith({ default: usual, openapi: usual })).not.toContain('.code');
    const sheet = await sheetWith({
      default: { light: 'dracula', dark: 'default-dark' },
      openapi: { light: 'min-light', dark: 'monochrome-light' },
    });
    const rules = [...sheet.matchAll(/(\[data-theme=(?:light|dark)\] \.content [^{]*)\{([^}]*)\}/g)].map(
      ([, selector = '', text = '']) => [selector, text] as const,
    );
    expect(rules.map(([selector]) => selector)).toEqual([
      '[data-theme=light] .content .code:not(.api *)',
      '[data-theme=light] .content .api .code',
      '[data-theme=dark] .content .api .code',
    ]);
    expect(rules[0]?.[1]).toMatch(/^color-scheme:dark;.*--code-bg:#282a36;.*--shiki-token-string:#f1fa8c/);
    for (const [, text] of rules) {
      const value = (name: string): RgbColor => parseColor(new RegExp(`${name}:(#[0-9a-f]{6})`).exec(text)?.[1] ?? '');
      for (const [, name = ''] of text.matchAll(/(--shiki-[a-z-]+|--text|--text-muted):/g))
        for (const back of ['--code-bg', '--code-mark'])
          expect(contrast(value(name), value(back))).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('name fonts that the site serves by itself, for ever the same, and only those slices that pages need', async () => {
    const { site } = await simpleSite();
    const { body } = await see(site.base);
    const preloaded = [
      ...body.matchAll(/<link rel="preload" as="font" type="font\/woff2" crossorigin="anonymous" href="([^"]*)"/g),
    ].map(([, href = '']) => href);
    expect(preloaded).toEqual([expect.stringMatching(/\/inter-latin-wght-normal\.woff2$/)]);
    const [latin = ''] = preloaded;
    const below = latin.slice(0, latin.lastIndexOf('/') + 1);
    const [, styles = ''] = /<style>([^<]*)<\/style>/.exec(body) ?? [];
    expect(styles).toContain(
      `@font-face{font-family:"Inter";font-style:normal;font-weight:100 900;font-display:optional;src:url("${below}inter-cyrillic-wght-normal.woff2") format("woff2");unicode-range:U+0301`,
    );
    expect([...body.matchAll(/<link [^>]*rel="stylesheet"/g)]).toHaveLength(1);
    const font = await see(latin);
    expect(font).toMatchObject({
      status: 200,
      headers: { 'content-type': 'font/woff2', 'cache-control': 'public, max-age=31536000, immutable' },
    });
    expect(font.body.slice(0, 4)).toBe('wOF2');
    expect((await see(latin.replace(/~assets\/[^/]+/, '~assets/older'))).headers['cache-control']).toBe('no-cache');
    expect((await see(`${below}inter-latin-wght-italic.woff2`)).status).toBe(404);
    expect((await see(`${below}inter.css`)).status).toBe(404);
  });

  it('name fonts of the organization, which change on all sites that use them and stay while they are used', async () => {
    const { site, workspace } = await simpleSite();
    const { api } = workspace.admin;
    const fonts = `/orgs/${workspace.id}/fonts`;
    const [regular, bold, italic] = [
      await uploadFont(workspace, 'regular one.woff2', 'font/woff2'),
      await uploadFont(workspace, 'bold.woff', 'font/woff'),
      await uploadFont(workspace, 'other.otf', 'font/otf'),
    ];
    const made = await api.put<FontOfOrganization>(fonts, {
      fontFamily: 'Acme Sans',
      fontFaces: [
        { weight: 700, storageKey: bold },
        { weight: 400, storageKey: regular },
      ],
    });
    const address = (key: string, name: string): string => `${listener.origin}/~files/${key}/${name}`;
    const { permissions, ...definition } = made.body;
    expect([made.status, permissions, definition]).toEqual([
      201,
      { edit: true },
      {
        id: made.body.id,
        custom: true,
        fontFamily: 'Acme Sans',
        fontFaces: [
          { weight: 400, sources: [{ url: address(regular, 'regular%20one.woff2'), format: 'woff2' }] },
          { weight: 700, sources: [{ url: address(bold, 'bold.woff'), format: 'woff' }] },
        ],
      },
    ]);
    const font = `${fonts}/${made.body.id}`;
    const reader = await workspace.member('read');
    expect((await reader.api.get<FontOfOrganization>(font)).body).toEqual({
      ...definition,
      permissions: { edit: false },
    });
    expect((await reader.api.get(fonts)).body).toMatchObject({ count: 1, items: [{ id: made.body.id }] });

    const { styling } = DEFAULT_CUSTOMIZATION;
    const settings = { ...DEFAULT_CUSTOMIZATION, styling: { ...styling, font: definition, monospaceFont: definition } };
    expect((await api.put(`${site.path}/customization`, settings)).status).toBe(200);
    const other = await publish(workspace, [], 'public', 'Without it');
    const { body, headers } = await see(site.base);
    expect(body).toContain(`src:url("${address(regular, 'regular%20one.woff2')}") format("woff2")`);
    expect(String(headers['content-security-policy'])).toContain(`font-src 'self' ${listener.origin}`);
    const served = await see(`/~files/${regular}/regular%20one.woff2`);
    expect([served.status, served.headers['access-control-allow-origin']]).toEqual([200, '*']);

    const etag = (await api.get(font)).headers.get('etag') ?? '';
    const before = (await api.get(`${other.path}/customization`)).headers.get('etag');
    const changed = await api.post<FontOfOrganization>(
      font,
      {
        fontFamily: 'Acme Text',
        fontFaces: [
          { weight: 700, storageKey: null },
          { weight: 500, storageKey: italic },
        ],
      },
      { headers: { 'If-Match': etag } },
    );
    expect(changed.body).toMatchObject({
      fontFamily: 'Acme Text',
      fontFaces: [{ weight: 400 }, { weight: 500, sources: [{ url: address(italic, 'other.otf') }] }],
    });
    expect((await api.post(font, { fontFamily: 'Late' }, { headers: { 'If-Match': etag } })).status).toBe(412);
    const shown = (await see(site.base)).body;
    expect(shown).toContain('@font-face{font-family:"Acme Text";font-weight:500;');
    expect(shown).not.toContain('Acme Sans');
    expect((await api.get(`${site.path}/customization`)).body).toMatchObject({
      styling: { font: { fontFamily: 'Acme Text' }, monospaceFont: { fontFamily: 'Acme Text' } },
    });
    expect((await api.get(`${other.path}/customization`)).headers.get('etag')).toBe(before);
    expect((await see(`/~files/${bold}/bold.woff`)).status).toBe(404);

    expect(await api.delete(font)).toMatchObject({
      status: 409,
      body: { error: { message: 'The site “Handbook of everything” uses this font' } },
    });
    await api.put(`${site.path}/customization`, DEFAULT_CUSTOMIZATION);
    expect((await api.delete(font)).status).toBe(204);
    expect((await api.delete(font)).status).toBe(204);
    expect((await api.get(font)).status).toBe(404);
    expect((await see(`/~files/${regular}/regular%20one.woff2`)).status).toBe(404);
  });

  it('name no font of the organization whose files are not there', async () => {
    const { workspace } = await simpleSite();
    const { api } = workspace.admin;
    const { key: missing } = await offerFont(workspace, 'late.woff2', 'font/woff2');
    const key = await uploadFont(workspace, 'a.woff2', 'font/woff2');
    const faults = async (...fontFaces: object[]): Promise<unknown> => {
      const { status, body } = await api.put<{ error: { details: object[] } }>(`/orgs/${workspace.id}/fonts`, {
        fontFamily: 'Acme Sans',
        fontFaces,
      });
      return [status, body.error.details];
    };
    expect(await faults({ weight: 400, storageKey: missing })).toEqual([
      400,
      [{ path: 'fontFaces.0.storageKey', message: 'is not an uploaded font of this organization' }],
    ]);
    expect(await faults({ weight: 700, storageKey: key })).toEqual([
      400,
      [{ path: 'fontFaces', message: 'must have a face of the weight 400' }],
    ]);
    expect(await faults({ weight: 400, storageKey: key }, { weight: 400, storageKey: key })).toEqual([
      400,
      [{ path: 'fontFaces.1.weight', message: 'is the weight of another face' }],
    ]);
    const elsewhere = await buildOrganization(app.current);
    const foreign = await elsewhere.admin.api.put(`/orgs/${elsewhere.id}/fonts`, {
      fontFamily: 'Acme Sans',
      fontFaces: [{ weight: 400, storageKey: key }],
    });
    expect(foreign.status).toBe(400);
  });

  it('name fonts whose files are all there', async () => {
    const { font, monospaceFont } = customizationSettings.shape.styling.shape;
    const fonts = new SiteFonts();
    const names = [font, monospaceFont].flatMap(({ options }) => ('options' in options[0] ? options[0].options : []));
    expect(names.length).toBe(23);
    for (const name of names) {
      const served = fonts.of('/docs', name);
      expect([name, served === undefined]).toEqual([name, name === 'ABCFavorit' || name === 'Ubuntu']);
      if (!served) continue;
      const files = [...served.faces.matchAll(/url\("([^"]+)"\)/g)].map(([, file = '']) => file);
      expect(files).toContain(served.latin);
      for (const file of files) expect((await fonts.answer(file))?.status).toBe(200);
    }
  });
});

describe('what programs read', () => {
  it('is Markdown, a map, and lists of pages', async () => {
    const { site, space } = await simpleSite();
    await space.write(
      insert('Secret corner', 'Behind the scenes.', { hidden: true }),
      insert('Not for robots', '', { noRobotsIndex: true }),
      insert('Not for answers', 'Read me only here.', { noIndex: true }),
    );
    const markdown = await see(`${site.base}/install-it.md`);
    expect(markdown).toMatchObject({
      status: 200,
      body: '# Install it\n\nRun it.\n',
      headers: { 'content-type': 'text/markdown; charset=utf-8' },
    });
    expect((await see(`${site.base}/welcome.md`)).body).toContain('## First steps');
    const install = `${site.base}/install-it`;
    for (const accept of ['text/markdown', 'text/markdown, text/html;q=0.8'])
      expect(await see(install, { Accept: accept })).toMatchObject({
        status: 200,
        body: markdown.body,
        headers: { 'content-type': 'text/markdown; charset=utf-8', vary: 'Accept, Accept-Encoding' },
      });
    expect(await see(install, { Accept: 'text/html, text/markdown;q=0.5' })).toMatchObject({
      headers: { 'content-type': 'text/html; charset=utf-8', vary: 'Accept, Accept-Encoding' },
    });
    const map = (await see(`${site.base}/sitemap.xml`)).body;
    expect([...map.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address)).toEqual([
      `${listener.origin}${site.base}`,
      `${listener.origin}${site.base}/install-it`,
      `${listener.origin}${site.base}/not-for-answers`,
    ]);
    const robots = async (path: string) =>
      /<meta name="robots"[^>]*>/.exec((await see(`${site.base}${path}`)).body)?.[0];
    expect([await robots('/not-for-answers'), await robots('/not-for-robots')]).toEqual([
      undefined,
      expect.stringContaining('noindex'),
    ]);
    expect((await see(`${site.base}/robots.txt`)).body).toContain(
      `Sitemap: ${listener.origin}${site.base}/sitemap.xml`,
    );
    const { body: llms } = await see(`${site.base}/llms.txt`);
    expect(llms).toContain('# Handbook of everything');
    expect(llms).toContain(`- [Welcome](${listener.origin}${site.base}/welcome.md): What this is`);
    const full = await see(`${site.base}/llms-full.txt`);
    expect(full.body).toMatch(/# Welcome[\s\S]*# Install it[\s\S]*Run it\./);
    for (const text of [llms, full.body]) expect(text).not.toMatch(/not for answers/i);
  });

  it('is written once while it stays the same', async () => {
    const { site, space } = await simpleSite();
    const written = jest.spyOn(AgentTexts.prototype as unknown as { links(): Promise<string> }, 'links');
    const address = `${site.base}/llms.txt`;
    try {
      const [first, second] = await Promise.all([see(address), see(address)]);
      const etag = String(first.headers['etag']);
      expect([second.body, second.headers['etag']]).toEqual([first.body, etag]);
      expect((await see(address, { 'If-None-Match': etag })).status).toBe(304);
      expect((await see(address, { 'Accept-Encoding': 'gzip', 'If-None-Match': etag })).status).toBe(304);
      expect(written).toHaveBeenCalledTimes(1);
      await space.write(insert('Later'));
      const after = await see(address, { 'If-None-Match': etag });
      expect([after.status, after.body.includes('[Later]'), written.mock.calls.length]).toEqual([200, true, 2]);
    } finally {
      written.mockRestore();
    }
    expect((await see(`${site.base}/sitemap-1.xml`)).body).toContain('/later</loc>');
    expect((await see(`${site.base}/sitemap-2.xml`)).status).toBe(404);
  });

  it('is told by parts, with sizes', async () => {
    const workspace = await buildOrganization(app.current);
    const [guide, manual] = [await buildSpace(workspace, 'Guide'), await buildSpace(workspace, 'Manual')];
    await guide.write(insert('First', 'Three plain words.'), insert('Empty'));
    await manual.write(
      insert('Second', 'Only two.'),
      insert('Partly', '{% if visitor.claims.a %}\nSecret words.\n\n{% endif %}\n'),
    );
    const site = await publish(workspace, [guide, manual]);
    const listed = (await see(`${site.base}/llms.txt`)).body;
    const parts = [...listed.matchAll(/\[All pages of this part in one text\]\((\S+)\) \((\d+) words\)/g)];
    expect(parts.map(([, , words]) => words)).toEqual(['3', '2']);
    expect(listed).toMatch(/first\.md\) \(3 words\)\n/);
    expect(listed).toMatch(/empty\.md\)\n/);
    expect(listed).toMatch(/partly\.md\)\n/);
    const [first = '', second = ''] = parts.map(([, address = '']) => address.slice(listener.origin.length));
    expect((await see(first)).body).toMatch(/# First/);
    expect((await see(first)).body).not.toContain('# Second');
    expect((await see(second)).body).toMatch(/# Second/);
    const ofPart = (await see(second.replace('llms-full', 'llms'))).body;
    expect([ofPart.includes('[Second]'), ofPart.includes('[First]')]).toEqual([true, false]);
    expect((await see(`${site.base}/nothing/llms.txt`)).status).toBe(404);
    await site.api.patch(site.path, { agentsContext: 'excluded' });
    expect((await see(second)).status).toBe(404);
  });

  it('takes the variables of a space once for many pages', async () => {
    const { site, space } = await simpleSite();
    await space.write(
      ...['One', 'Two', 'Three'].map((title) => insert(title, `${title} is <code class="expression">1 + 41</code>.\n`)),
    );
    const read = jest.spyOn(app.current.get(ContentStore), 'ofKinds');
    try {
      const { body } = await see(`${site.base}/llms-full.txt`);
      expect(body).toMatch(/One is 42\.[\s\S]*Two is 42\.[\s\S]*Three is 42\./);
      expect(read.mock.calls.filter(([, kinds]) => kinds.length === 1 && kinds[0] === 'variable')).toHaveLength(1);
    } finally {
      read.mockRestore();
    }
  });

  it('has the words of reusable contents in their places, those inside of others too', async () => {
    const { site, space } = await simpleSite();
    const include = (id: string | undefined): string => `{% include "/reusable-contents/${id ?? ''}" %}\n`;
    const reusable = async (title: string, markdown: string): Promise<string | undefined> => {
      await space.write({ operation: 'insert_reusable_content', title, document: { markdown } });
      const { body } = await site.api.get<{ reusableContents: { id: string; title: string }[] }>(
        `/spaces/${space.id}/content`,
      );
      return body.reusableContents.find((each) => each.title === title)?.id;
    };
    const inner = await reusable('Hours', 'Nine to five.');
    const outer = await reusable('Contact', `Come by.\n\n${include(inner)}`);
    await space.write(insert('Where we are', `Over here.\n\n${include(outer)}\nSee you.\n`));
    const whole = '# Where we are\n\nOver here.\n\nCome by.\n\nNine to five.\n\nSee you.\n';
    expect((await see(`${site.base}/where-we-are.md`)).body).toBe(whole);
    expect((await see(`${site.base}/llms-full.txt`)).body).toContain(whole);
  });

  it('is nothing where agents are to stay away, and pages lead to none of it', async () => {
    const { site, space, pages } = await simpleSite();
    await space.write({ operation: 'update_page', page: pages[1], slug: 'set-up' });
    const texts = ['/llms.txt', '/llms-full.txt', '/welcome.md', '/set-up.md', '/install-it.md'];
    const statuses = async () => Promise.all(texts.map(async (path) => (await see(site.base + path)).status));
    const said = async () => (await see(site.base)).body;
    const leads = /text\/markdown|chatgpt\.com|claude\.ai|welcome\.md/;
    expect([await statuses(), leads.test(await said())]).toEqual([[200, 200, 200, 200, 308], true]);
    await site.api.patch(site.path, { agentsContext: 'excluded' });
    expect([await statuses(), leads.test(await said())]).toEqual([[404, 404, 404, 404, 404], false]);
    const robots = (await see(`${site.base}/robots.txt`)).body;
    expect(robots).toMatch(/^(User-agent: [\w-]+\n)+Disallow: \/\n\nUser-agent: \*\nAllow: \/\nSitemap: /);
    expect(robots).toContain('User-agent: GPTBot\n');
    expect((await see(`${site.base}/sitemap.xml`)).status).toBe(200);
    await site.api.patch(site.path, { agentsContext: 'included' });
    expect([await statuses(), (await see(`${site.base}/robots.txt`)).body.startsWith('User-agent: *\n')]).toEqual([
      [200, 200, 200, 200, 308],
      true,
    ]);
  });

  it('is nothing where a site is not for everybody', async () => {
    const { site } = await simpleSite('unlisted');
    expect((await see(`${site.base}/sitemap.xml`)).status).toBe(404);
    expect((await see(`${site.base}/robots.txt`)).body).toBe('User-agent: *\nDisallow: /\n');
    expect((await see(site.base)).body).toContain('<meta name="robots" content="noindex">');
  });
});

describe('diagrams', () => {
  it('are marked for browsers, and stay as they are written for everybody else', async () => {
    const { site, space } = await simpleSite();
    await space.write(
      insert('Drawn', '```mermaid\ngraph LR\n  A[Seed] --> B[Plant]\n```\n'),
      insert('Long', `\`\`\`mermaid\ngraph LR\n%% ${'x'.repeat(20_000)}\n\`\`\`\n`),
    );
    const drawn = await see(`${site.base}/drawn`);
    expect(drawn.body).toContain('<div class="code" data-diagram="Diagram" data-source="Source of the diagram">');
    expect(wordsOf(drawn.body)).toMatch(/A \[ Seed \] -->/);
    expect(drawn.headers['content-security-policy']).toContain("; frame-src 'self'");
    expect((await see(`${site.base}/drawn.md`)).body).toContain('```mermaid');
    const long = await see(`${site.base}/long`);
    expect(long.body).not.toContain('data-diagram=');
    expect(long.headers['content-security-policy']).not.toContain('frame-src');
  });

  it('are drawn by a page of an origin of its own, whose files never change', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-diagrams-'));
    await mkdir(join(folder, 'abc-1', 'chunks'), { recursive: true });
    for (const name of ['frame.html', 'frame.html.gz', 'chunks/a.mjs', 'chunks/a.mjs.gz', 'LICENSE'])
      await writeFile(join(folder, 'abc-1', name), name);
    await writeFile(join(folder, 'secret.js'), 'secret');
    const files = new DiagramFiles(folder);
    const bytesOf = (answer: HttpResponse | undefined): string =>
      Buffer.isBuffer(answer?.body) ? answer.body.toString() : '';
    expect(files.address('/docs')).toBe('/docs/~assets/diagrams/abc-1/frame.html');
    const frame = await files.answer('/docs/~assets/diagrams/abc-1/frame.html', 'br');
    expect([bytesOf(frame), frame?.headers['Content-Security-Policy']]).toEqual([
      'frame.html',
      expect.stringMatching(/^sandbox allow-scripts; default-src 'none'; script-src 'self';/),
    ]);
    const chunk = await files.answer('/~assets/diagrams/abc-1/chunks/a.mjs', 'gzip, br');
    expect([bytesOf(chunk), chunk?.headers]).toEqual([
      'chunks/a.mjs.gz',
      expect.objectContaining({ 'Content-Encoding': 'gzip', 'Access-Control-Allow-Origin': '*' }),
    ]);
    for (const path of ['abc-1/../secret.js', 'abc-1/LICENSE', 'abc-1/chunks', 'old/frame.html', 'abc-1/b.mjs'])
      expect([path, await files.answer(`/~assets/diagrams/${path}`, '')]).toEqual([path, undefined]);
    const absent = new DiagramFiles(join(folder, 'absent'));
    expect([absent.version, absent.address('')]).toEqual([undefined, undefined]);
    await rm(folder, { recursive: true });
  });
});

describe('hidden things', () => {
  it('are out of navigation, and not there for those whom a condition shuts out', async () => {
    const { site, space } = await simpleSite();
    await space.write(
      insert('Reachable', 'By its address.', { hidden: true }),
      insert('For testers', 'Beta only.', { condition: 'visitor.claims.unsigned.isBetaUser == true' }),
      {
        operation: 'insert_page',
        title: 'Mixed',
        document: {
          markdown: 'Before.\n\n{% if visitor.claims.unsigned.isBetaUser == true %}\nOnly for testers.\n{% endif %}\n',
        },
      },
    );
    const home = (await see(site.base)).body;
    expect(home).toContain('Mixed');
    expect(home).not.toMatch(/Reachable|For testers/);
    expect((await see(`${site.base}/reachable`)).status).toBe(200);
    for (const path of ['/for-testers', '/for-testers.md']) expect((await see(`${site.base}${path}`)).status).toBe(404);
    for (const path of ['/sitemap.xml', '/llms.txt', '/llms-full.txt'])
      expect((await see(`${site.base}${path}`)).body).not.toMatch(/for-testers|Beta only|Only for testers/);
    expect((await see(`${site.base}/mixed`)).body).not.toContain('Only for testers.');
  });
});

describe('search', () => {
  it('offers to look in one section only, as a page and as data', async () => {
    const workspace = await buildOrganization(app.current);
    const [guide, reference] = [await buildSpace(workspace, 'Guide'), await buildSpace(workspace, 'Reference')];
    await guide.write(insert('Lanterns', 'A lantern of the guide.'));
    await reference.write(insert('Wicks', 'The wick of a lantern.'));
    const site = await publish(workspace, [guide]);
    await site.api.post(`${site.path}/sections`, { spaceId: reference.id, title: 'Reference' });
    const { body: spaces } = await site.api.get<{ items: { id: string; space: { id: string } }[] }>(
      `${site.path}/site-spaces`,
    );
    const from = spaces.items.find(({ space }) => space.id === reference.id)?.id ?? '';
    const everywhere = `${site.base}/~search?q=lantern&from=${from}`;
    const [all, only] = [await see(everywhere), await see(`${everywhere}&in=from`)];
    const choices = (body: string): string[] =>
      [...(/<nav class="scopes".*?<\/nav>/s.exec(body)?.[0] ?? '').matchAll(/<a ([^>]*)>([^<]*)/g)].map(
        ([, attributes = '', title = '']) => title + (attributes.includes('aria-current="true"') ? ' *' : ''),
      );
    expect([choices(all.body), choices(only.body)]).toEqual([
      ['Everywhere *', 'Only in Reference'],
      ['Everywhere', 'Only in Reference *'],
    ]);
    // A search from the results keeps the choice.
    const keeps = ({ body }: { readonly body: string }): boolean =>
      /<form class="search".*?<\/form>/s.exec(body)?.[0].includes('name="in" value="from"') ?? false;
    expect([keeps(all), keeps(only)]).toEqual([false, true]);
    const found = (body: string): string[] =>
      [...body.matchAll(/class="hit-title">([^<]*)/g)].map(([, title = '']) => title);
    expect([found(all.body), found(only.body)]).toEqual([['Wicks', 'Lanterns'], ['Wicks']]);
    const data = JSON.parse((await see(everywhere, { accept: 'application/json' })).body) as { scope: object };
    expect(data.scope).toEqual({
      href: `${new URL(everywhere, 'http://docs').pathname}?q=lantern&from=${from}&in=from`,
      title: 'Only in Reference',
    });
    // Outside of a section, and in a site of one space, there is nothing to choose.
    expect(choices((await see(`${site.base}/~search?q=lantern&in=from`)).body)).toEqual([]);
    const { site: simple } = await simpleSite();
    expect(choices((await see(`${simple.base}/~search?q=steps`)).body)).toEqual([]);
  });

  it('finds pages and their parts, as a page and as data', async () => {
    const { site, space } = await simpleSite();
    await space.write(insert('Kept out', 'Zebras install nothing.', { hidden: true }));
    const page = await see(`${site.base}/~search?q=steps`);
    expect(page.status).toBe(200);
    expect(wordsOf(page.body)).toMatch(/Results: steps.*Welcome.*First steps/);
    expect(page.body).toContain(`href="${site.base}#first-steps"`);
    expect(page.body).toContain('<meta name="robots" content="noindex">');
    const data = await see(`${site.base}/~search?q=install`, { accept: 'application/json' });
    const found = JSON.parse(data.body) as { hits: { href: string; title: string }[]; words: string[] };
    expect([data.headers['content-type'], found.hits[0]?.href, found.hits[0]?.title, found.words]).toEqual([
      'application/json; charset=utf-8',
      `${site.base}/install-it`,
      'Install it',
      ['install'],
    ]);
    expect(data.body).not.toContain('Kept out');
    expect(wordsOf((await see(`${site.base}/~search?q=%3Cscript%3Ealert(1)%3C/script%3E`)).body)).toContain(
      'Nothing found',
    );
    expect(
      namesOf((await see(`${site.base}/~search?q=%3Cscript%3Ealert(1)%3C/script%3E`)).body).filter(
        (name) => name === 'script',
      ),
    ).toHaveLength(2);
    for (const query of ['', '?q=', '?q=%20', "?q='", `?q=${'x'.repeat(5000)}`, '?q=:*%26!|()'])
      expect((await see(`${site.base}/~search${query}`)).status).toBe(200);
  });
});

describe('readers', () => {
  it('are counted, and may say what they think of a page', async () => {
    const { site, pages } = await simpleSite();
    await see(site.base, { 'user-agent': 'Mozilla/5.0' });
    await see(`${site.base}/install-it`);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const say = (body: string): Promise<Seen> => see(`${site.base}/~feedback`, form, 'POST', body);
    const rated = await say(`page=${pages[1]}&rating=ok`);
    expect(rated).toMatchObject({ status: 303, location: `${site.base}/~feedback?page=${pages[1]}&rating=ok` });
    const asked = (await see(rated.location ?? '')).body;
    expect(asked).toContain(`<input type="hidden" name="page" value="${pages[1]}">`);
    expect(asked).toContain('<input type="hidden" name="rating" value="ok">');
    expect(asked).toMatch(/<textarea id="feedbackComment" name="comment" [^>]*maxlength="512">/);
    const thanked = await say(`page=${pages[1]}&rating=ok&comment=First%0D%0Asecond%00+line+`);
    expect(thanked).toMatchObject({ status: 303, location: `${site.base}/~feedback?page=${pages[1]}` });
    const thanks = (await see(thanked.location ?? '')).body;
    expect(wordsOf(thanks)).toContain('Thank you');
    expect(thanks).toContain(`href="${site.base}/install-it"`);
    // Who has nothing to add is thanked as well.
    expect(await say(`page=${pages[1]}&rating=ok&comment=+`)).toMatchObject({ location: thanked.location });
    expect((await say(`page=${pages[1]}&rating=ok&comment=${'é'.repeat(512)}`)).status).toBe(303);
    expect(JSON.parse((await say(`page=${pages[1]}&rating=ok&comment=${'é'.repeat(513)}`)).body)).toMatchObject({
      error: { code: 400, details: [{ path: 'comment', message: 'must have at most 512 characters' }] },
    });
    for (const [origin, from, status] of [
      ['https://evil.example', 'cross-site', 403],
      ['https://evil.example', 'same-origin', 403],
      ['null', 'cross-site', 403],
      ['null', 'none', 403],
      // A form of a page without scripts.
      ['null', 'same-origin', 303],
    ] as const) {
      const headers = { ...form, origin, 'sec-fetch-site': from };
      const answer = await see(`${site.base}/~feedback`, headers, 'POST', `page=${pages[1]}&rating=ok&comment=+`);
      expect([origin, from, answer.status]).toEqual([origin, from, status]);
    }
    // Browsers on plain HTTP say nothing but the origin of the page.
    for (const [origin, status] of [
      ['http://docs.example:8080', 303],
      ['http://docs.example', 403],
      ['null', 403],
    ] as const) {
      const headers = { ...form, origin, host: 'docs.example:8080' };
      const answer = await see(`${site.base}/~feedback`, headers, 'POST', `page=${pages[1]}&rating=ok&comment=+`);
      expect([origin, answer.status]).toEqual([origin, status]);
    }
    for (const referer of [`${listener.origin}${site.base}`, 'https://elsewhere.example/page'])
      await see(`${site.base}/install-it`, { referer });
    for (const [body, path] of [
      ['', 'rating'],
      ['page=x&rating=good', 'page'],
      [`page=${pages[1]}&rating=fine`, 'rating'],
      [`page=${pages[1]}&comment=Words+alone`, 'rating'],
    ] as const) {
      const refused = await say(body);
      expect([refused.status, JSON.parse(refused.body)]).toMatchObject([400, { error: { details: [{ path }] } }]);
    }
    expect((await say('x'.repeat(9000))).status).toBe(413);
    await app.current.get(Insights).flush();
    const rows = await app.current.database.query<{ page: string | null; count: number }>(
      'SELECT page_id AS page, count(*)::int AS count, max(referrer) AS referrer FROM site_insight WHERE site_id = $1 GROUP BY 1 ORDER BY 2',
      [site.id],
    );
    expect(rows).toEqual([
      { page: pages[0], count: 1, referrer: null },
      { page: pages[1], count: 6, referrer: 'https://elsewhere.example/page' },
    ]);
    const counted = async (select: object[]): Promise<unknown[][]> => {
      const { body } = await site.api.post<{ columns: { values: unknown[] }[] }>(
        `${site.path}/insights/events/aggregate`,
        { select, range: 'last7Days' },
      );
      return body.columns.map(({ values }) => values);
    };
    expect(await counted([{ column: 'pageFeedbackRating' }])).toEqual([[{ good: 0, ok: 1, bad: 0 }]]);
    const comments = [
      { column: 'page' },
      { column: 'eventPageFeedbackRating' },
      { column: 'eventPageFeedbackComment' },
    ];
    const said = (await counted(comments)).at(-1);
    expect(said?.toSorted()).toEqual(['First\nsecond line', 'é'.repeat(512)]);
  });

  it('are asked above the page or below it, as the settings say', async () => {
    const { site } = await simpleSite();
    const customize = async (feedback: object): Promise<string> => {
      const path = `${site.path}/customization`;
      expect((await site.api.put(path, { ...DEFAULT_CUSTOMIZATION, feedback })).status).toBe(200);
      return wordsOf((await see(`${site.base}/install-it`)).body);
    };
    expect(await customize({ enabled: false, position: 'top' })).not.toContain('helpful');
    expect(await customize({ enabled: true })).toMatch(/Run it\..*Was this page helpful\? Yes Partly No/);
    expect(await customize({ enabled: true, position: 'top' })).toMatch(
      /Install it .*Was this page helpful\? Yes Partly No .*Run it\./,
    );
    const siteSpace = (await site.api.get<{ items: Made[] }>(`${site.path}/site-spaces`)).body.items[0]?.id;
    const override = { feedback: { position: 'bottom' } };
    expect((await site.api.patch(`${site.path}/site-spaces/${siteSpace}/customization`, override)).body).toMatchObject({
      feedback: { enabled: true, position: 'bottom' },
    });
    expect(wordsOf((await see(`${site.base}/install-it`)).body)).toMatch(/Run it\..*Was this page helpful\?/);
  });

  it('are led to the source of a page, and to where its problems are reported', async () => {
    const { site, space } = await simpleSite();
    const shown = async (settings: object): Promise<Record<string, string>> => {
      const path = `${site.path}/customization`;
      expect((await site.api.put(path, { ...DEFAULT_CUSTOMIZATION, ...settings })).status).toBe(200);
      const { body } = await see(`${site.base}/install-it`);
      const links = [...body.matchAll(/<a href="([^"]*)" rel="noopener"[^>]*>([^<]*)<\/a>/g)];
      return Object.fromEntries(links.map(([, href = '', title = '']) => [title, href.replaceAll('&#x26;', '&')]));
    };
    const address = `${listener.origin}${site.base}/install-it`;
    const on = { git: { showEditLink: true }, problemReports: { enabled: true } };
    const own = { enabled: true, url: 'https://example.com/report?project=a' };
    const missing = await shown(on);
    expect([missing['Edit on GitHub'], missing['Report a problem']]).toEqual([undefined, undefined]);
    expect(await shown({ problemReports: own, accessibilityStatement: { url: 'https://example.com/a11y' } })).toEqual(
      expect.objectContaining({
        'Report a problem': `https://example.com/report?project=a&page=${encodeURIComponent(address)}`,
        'Accessibility statement': 'https://example.com/a11y',
      }),
    );
    expect((await shown({ problemReports: { ...own, enabled: false } }))['Report a problem']).toBeUndefined();
    const repository = { url: 'https://github.com/acme/docs/tree/main', ref: 'refs/heads/main', directory: '' };
    await app.current
      .get(SpaceRepositories)
      .record(space.id, { ...repository, timestamp: new Date().toISOString() }, 'a'.repeat(40), 'r');
    expect((await shown(on))['Report a problem']).toBe(
      `https://github.com/acme/docs/issues/new?title=Install+it&body=${encodeURIComponent(address)}`,
    );
  });

  it.each([
    [
      'https://github.com/acme/docs.git',
      { href: 'https://github.com/acme/docs/edit/main/a%20b/c.md', service: 'GitHub' },
      'https://github.com/acme/docs/issues/new?title=A+%26+B&body=https%3A%2F%2Fx.example%2Fc',
    ],
    [
      'https://gitlab.example.com/group/docs/-/tree/v2/sub',
      { href: 'https://gitlab.example.com/group/docs/-/edit/v2/sub/a%20b/c.md', service: 'GitLab' },
      'https://gitlab.example.com/group/docs/-/issues/new?issue%5Btitle%5D=A+%26+B&issue%5Bdescription%5D=https%3A%2F%2Fx.example%2Fc',
    ],
    ['https://git.example.com/docs/main', { href: 'https://git.example.com/docs/main/a%20b/c.md' }, undefined],
    ['git@github.com:acme/docs.git', undefined, undefined],
  ])('are led into the repository %s', (url, edit, issue) => {
    const repository = { url, remote: 'https://git.example.com/docs.git', provider: null, ref: 'refs/heads/main' };
    expect(editAddress(repository, 'a b/c.md')).toEqual(edit);
    expect(issueAddress(repository, { title: 'A & B', text: 'https://x.example/c' })).toBe(issue);
  });

  it('follow redirects of the site, unless they may not see where these lead', async () => {
    const { site, space } = await simpleSite();
    const [shut = ''] = await space.write(insert('Shut', '', { condition: 'visitor.claims.isMember' }));
    const siteSpace = (await site.api.get<{ items: { id: string }[] }>(`${site.path}/site-spaces`)).body.items[0]?.id;
    const add = async (source: string, destination: object) =>
      expect((await site.api.post(`${site.path}/redirects`, { source, destination })).status).toBe(201);
    await add('/old/place', { kind: 'external', url: 'https://example.com/new' });
    await add('/old/shut', { kind: 'site-page', siteSpaceId: siteSpace, pageId: shut });
    expect(await see(`${site.base}/old/place`)).toMatchObject({ status: 307, location: 'https://example.com/new' });
    expect((await see(`${site.base}/old/shut`)).status).toBe(404);
    await site.api.patch(site.path, { basename: `renamed-${site.id.toLowerCase()}` });
    expect(await see(`${site.base}/install-it?a=b`)).toMatchObject({
      status: 307,
      location: `/renamed-${site.id.toLowerCase()}/install-it?a=b`,
    });
  });
});

describe('colours', () => {
  it('can be read on everything that they stand on, whatever a site sets', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('clean', 'muted', 'bold', 'gradient'),
        fc.constantFrom('default', 'bold', 'contrast', 'custom'),
        fc.array(fc.integer({ min: 0, max: 0xffffff }), { minLength: 6, maxLength: 6 }),
        (theme, preset, numbers) => {
          const [a, b, c, d, e, f] = numbers.map((number) => ({
            light: `#${number.toString(16).padStart(6, '0')}`,
            dark: `#${(0xffffff - number).toString(16).padStart(6, '0')}`,
          }));
          const { styling } = DEFAULT_CUSTOMIZATION;
          const look = {
            styling: {
              ...styling,
              theme,
              primaryColor: a ?? styling.primaryColor,
              tint: { color: b ?? styling.primaryColor },
              infoColor: c ?? styling.infoColor,
              dangerColor: d ?? styling.dangerColor,
            },
            header: { preset, backgroundColor: e, linkColor: f },
          } as Look;
          for (const sheet of themeSheet(look).split('[data-theme=dark]')) {
            const value = (name: string): RgbColor =>
              parseColor(new RegExp(`${name}:(#[0-9a-f]{6})`).exec(sheet)?.[1] ?? '');
            for (const [word, backs] of [
              ['--text', ['--bg', '--bg-subtle', '--bg-strong']],
              ['--text-muted', ['--bg', '--bg-subtle', '--bg-strong']],
              ['--link', ['--bg', '--bg-subtle']],
              ['--primary-on-bg', ['--bg', '--primary-bg']],
              ['--info', ['--info-bg']],
              ['--danger', ['--danger-bg']],
            ] as const) {
              for (const back of backs) expect(contrast(value(word), value(back))).toBeGreaterThanOrEqual(4.5);
            }
            expect(contrast(value('--primary-text'), value('--primary'))).toBeGreaterThanOrEqual(4.5);
            if (/--bar-bg:#/.test(sheet))
              expect(contrast(value('--bar-text'), value('--bar-bg'))).toBeGreaterThanOrEqual(4.5);
          }
        },
      ),
    );
  });
});
