import { createServer, connect as connectTo, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Addresses } from '../src/kernel/common/addresses.js';
import { Announcements } from '../src/kernel/platform/announcements.js';
import { PublicListener } from '../src/kernel/platform/public-listener.js';
import { DEFAULT_CUSTOMIZATION } from '../src/publishing/sites/customization.schema.js';
import { Insights } from '../src/publishing/sites/insights/insights.service.js';
import { KeptPages } from '../src/publishing/published-sites/pages/kept-pages.js';
import { PageRenderings } from '../src/publishing/published-sites/pages/page-renderings.js';
import { PageStore } from '../src/publishing/published-sites/pages/page-store.js';
import { PublishedVersions } from '../src/publishing/published-sites/published-versions.js';
import { HtmlBody, NONCE_MARK } from '../src/publishing/published-sites/pages/html-body.js';
import { TestApp, useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { until } from './notification-desk.js';
import { buildSpace, publish, usePublicListener, type Site, type Space } from './published-site.js';

/** The bound of the other server, and what a busy machine may add. */
const BOUND = 1000;
const SLACK = 1500;
const AWAY_SECONDS = 3;

/** Connections to the database that can be cut, as by a network. */
class Line {
  private readonly open = new Set<Socket>();
  private isCut = false;
  /** True if it is like a pooler that hands connections on. */
  losesAnnouncements = false;
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async to(databaseUrl: string): Promise<Line> {
    const url = new URL(databaseUrl);
    const { hostname, port } = url;
    const server = createServer((near) => line.join(near, connectTo(Number(port || 5432), hostname)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url.hostname = '127.0.0.1';
    url.port = String((server.address() as AddressInfo).port);
    const line = new Line(server, url.href);
    return line;
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.open) socket.destroy();
  }

  mend(): void {
    this.isCut = false;
  }

  close(): void {
    this.cut();
    this.server.close();
  }

  private join(near: Socket, far: Socket): void {
    for (const socket of [near, far]) {
      this.open.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          this.open.delete(socket);
          near.destroy();
          far.destroy();
        });
    }
    near.pipe(far);
    let pending = Buffer.alloc(0);
    far.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      // Each message of PostgreSQL has a letter and its length.
      while (pending.length >= 5 && pending.length > pending.readUInt32BE(1)) {
        const message = pending.subarray(0, pending.readUInt32BE(1) + 1);
        pending = pending.subarray(message.length);
        if (!this.losesAnnouncements || message[0] !== 'A'.charCodeAt(0)) near.write(message);
      }
    });
    if (this.isCut) near.destroy();
  }
}

let other: TestApp;
let line: Line;
// Before the database goes with the first server.
afterAll(async () => {
  await other.close();
  line.close();
});
const app = useApp();
const here = usePublicListener(app);
beforeAll(async () => {
  line = await Line.to(app.current.databaseUrl);
  // Files lie where all servers find them.
  const { filesDir } = app.current.config;
  other = await TestApp.start({ PUBLISHED_AWAY_SECONDS: String(AWAY_SECONDS), FILES_DIR: filesDir }, line.url);
  // Both servers are one installation, behind one address.
  const port = await other.get(PublicListener).listen();
  otherOrigin = `http://localhost:${port}`;
  other.get(Addresses).announce(app.current.url, here.origin);
});
afterAll(() => other.get(PublicListener).beforeApplicationShutdown());
let otherOrigin = '';

interface Shown {
  readonly status: number;
  readonly body: string;
}

const see = async (path: string): Promise<Shown> => {
  const { status, body } = await here.see(path);
  return { status, body };
};

/** The page that the other server shows at an address of the installation. */
async function there(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Shown> {
  const answer = await fetch(`${otherOrigin}${path}`, {
    redirect: 'manual',
    headers: { 'Accept-Encoding': 'identity', ...headers },
  });
  return { status: answer.status, body: await answer.text() };
}

interface Scene {
  readonly workspace: Workspace;
  readonly space: Space;
  readonly site: Site;
  readonly pages: readonly string[];
}

/** A site with two pages, which both servers have shown. */
async function scene(visibility = 'public'): Promise<Scene> {
  const workspace = await buildOrganization(app.current);
  const space = await buildSpace(workspace, 'Guide');
  const insert = (title: string, markdown: string): object => ({
    operation: 'insert_page',
    title,
    document: { markdown },
  });
  const pages = await space.write(insert('Welcome', 'The first words.\n'), insert('Install', 'Run it.\n'));
  const site = await publish(workspace, [space], visibility);
  for (const path of [site.base, `${site.base}/install`]) {
    await see(path);
    await there(path);
  }
  return { workspace, space, site, pages };
}

const rewrite = (page: string, markdown: string): object => ({
  operation: 'update_page',
  page,
  document: { markdown },
});

/** Waits until the other server shows a change: within its bound. */
async function followed(shows: () => Promise<boolean>): Promise<void> {
  const began = performance.now();
  while (!(await shows())) {
    if (performance.now() - began > BOUND + SLACK) throw new Error('the other server shows what was before');
    await pause(20);
  }
}

/** Ends the connection on which a server hears announcements. */
async function deafen(server: TestApp): Promise<void> {
  const ended = await app.current.database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bindery announcements' AND datname = current_database()`,
  );
  expect(ended.length).toBeGreaterThan(0);
  await until(() => performance.now() - (server.get(Announcements).heard?.until ?? 0) > 100);
}

describe('pages of public sites', () => {
  it('show a change at once where it was made, and elsewhere within the bound', async () => {
    const { workspace, space, site, pages } = await scene();
    const { api } = workspace.admin;
    const [welcome = ''] = pages;
    /** The pages that both servers show after a change. */
    const change = async (
      make: () => Promise<unknown>,
      path: string,
      holds: (shown: Shown) => boolean,
    ): Promise<void> => {
      expect(holds(await see(path))).toBe(false);
      await make();
      expect(holds(await see(path))).toBe(true);
      await followed(async () => holds(await there(path)));
    };
    const { base } = site;
    await change(
      () => space.write(rewrite(welcome, 'The second words.\n')),
      base,
      ({ body }) => body.includes('The second words.'),
    );
    await change(
      () => api.patch(site.path, { title: 'Renamed' }),
      `${base}/install`,
      ({ body }) => body.includes('Renamed'),
    );
    const footer = { groups: [], copyright: 'Ours alone' };
    await change(
      () => api.put(`${site.path}/customization`, { ...DEFAULT_CUSTOMIZATION, footer }),
      base,
      ({ body }) => body.includes('Ours alone'),
    );
    await change(
      () => space.write({ operation: 'update_page', page: pages[1], slug: 'setup' }),
      `${base}/install`,
      ({ status }) => status === 308,
    );
    await change(
      () =>
        api.post(`${site.path}/redirects`, {
          source: '/old',
          destination: { kind: 'external', url: 'https://example.com/' },
        }),
      `${base}/old`,
      ({ status }) => status === 307 || status === 308,
    );
    await change(
      () => api.patch(site.path, { visibility: 'visitor-auth' }),
      `${base}/setup`,
      ({ status }) => status !== 200,
    );
    await change(
      () => api.patch(site.path, { visibility: 'public' }),
      `${base}/setup`,
      ({ status }) => status === 200,
    );
    await change(
      () => api.post(`${site.path}/unpublish`),
      `${base}/setup`,
      ({ status }) => status === 404,
    );
    await change(
      () => api.post(`${site.path}/publish`),
      `${base}/setup`,
      ({ status }) => status === 200,
    );
    await change(
      () => api.patch(site.path, { basename: `${base.slice(1)}-new` }),
      base,
      ({ status }) => status !== 200,
    );
  }, 60_000);

  it('show changes within the bound where announcements are not heard, and once they are heard again', async () => {
    const { space, site, pages } = await scene();
    const [page = ''] = pages;
    await deafen(other);
    await space.write(rewrite(page, 'Unheard.\n'));
    expect((await see(site.base)).body).toContain('Unheard.');
    await followed(async () => (await there(site.base)).body.includes('Unheard.'));
    await until(() => performance.now() - (other.get(Announcements).heard?.until ?? 0) < 500);
    await space.write(rewrite(page, 'Heard again.\n'));
    await followed(async () => (await there(site.base)).body.includes('Heard again.'));
  }, 30_000);

  it('show changes within the bound behind a pooler that loses announcements', async () => {
    const { space, site, pages } = await scene();
    line.losesAnnouncements = true;
    try {
      await deafen(other);
      const lost = other.get(Announcements).heard?.until ?? 0;
      for (const words of ['Lost once.', 'Lost twice.', 'Lost for good.']) {
        await space.write(rewrite(pages[0] ?? '', `${words}\n`));
        await followed(async () => (await there(site.base)).body.includes(words));
        await pause(1500);
      }
      expect(other.get(Announcements).heard?.until).toBe(lost);
    } finally {
      line.losesAnnouncements = false;
    }
    await deafen(other);
    await until(() => performance.now() - (other.get(Announcements).heard?.until ?? 0) < 500);
  }, 30_000);

  it('go on being served for a while without the database; no other page and no site of a limited audience is', async () => {
    const { site } = await scene();
    const limited = await scene('share-link');
    const link = await limited.workspace.admin.api.post<{ urls: { published: string } }>(
      `${limited.site.path}/share-links`,
      { name: 'For you' },
    );
    const { pathname } = new URL(link.body.urls.published);
    const Cookie = `gitbook-share-key=${pathname.split('/').at(-1) ?? ''}`;
    const shared = async (): Promise<Shown> => there(limited.site.base, { Cookie });
    expect([(await there(site.base)).status, (await shared()).status]).toEqual([200, 200]);
    await other.get(PageStore).written();
    line.cut();
    try {
      const began = performance.now();
      expect((await there(site.base)).status).toBe(200);
      expect((await there(`${site.base}/install`)).body).toContain('Run it.');
      expect((await shared()).status).toBe(503);
      expect((await there(`${site.base}/nowhere`)).status).toBeGreaterThanOrEqual(500);
      await pause(Math.max(0, BOUND + 200 - (performance.now() - began)));
      expect((await there(site.base)).status).toBe(200);
      const stale = await fetch(`${otherOrigin}${site.base}/install`);
      expect(stale.headers.get('cache-status')).toMatch(/^Bindery; hit; ttl=-[1-9]\d*$/);
      // Memory may have given up a page that lies on disk.
      (other.get(KeptPages) as unknown as { kept: Map<string, unknown> }).kept.clear();
      expect((await there(`${site.base}/install`)).body).toContain('Run it.');
      await until(async () => (await there(site.base)).status === 503);
      expect(performance.now() - began).toBeGreaterThan(1000 * AWAY_SECONDS - BOUND - 200);
    } finally {
      line.mend();
    }
    await until(async () => (await shared()).status === 200);
    expect((await there(site.base)).status).toBe(200);
  }, 60_000);

  it('have the images that were read before while the database is away, and none of a site that was closed', async () => {
    const [open, closed] = [await scene(), await scene()];
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const addresses = async ({ workspace, space }: Scene): Promise<[string, string]> => {
      const files = ['dot.png', 'other.png'].map((name) => ({ name, contentType: 'image/png', base64: png }));
      await space.write({ operation: 'insert_files', files });
      const { body } = await workspace.admin.api.get<{ items: { id: string; name: string }[] }>(
        `/spaces/${space.id}/content/files`,
      );
      const [one, two] = body.items.map(({ id, name }) => `/~files/${id}/${name}`);
      return [one ?? '', two ?? ''];
    };
    const status = async (path: string): Promise<number> => {
      const answer = await fetch(`${otherOrigin}${path}`, { headers: { Accept: 'image/webp' } });
      return (await answer.arrayBuffer(), answer.status);
    };
    const [seen, unseen] = await addresses(open);
    const [gone] = await addresses(closed);
    for (const path of [seen, `${seen}?width=640`, gone]) expect([path, await status(path)]).toEqual([path, 200]);
    await closed.site.api.patch(closed.site.path, { visibility: 'share-link' });
    await followed(async () => (await there(closed.site.base)).status === 404);
    line.cut();
    try {
      for (const [path, expected] of [
        [seen, 200],
        [`${seen}?width=640`, 200],
        [`${seen}?width=320`, 200],
        [unseen, 503],
        [gone, 503],
      ] as const)
        expect([path, await status(path)]).toEqual([path, expected]);
      await until(async () => (await status(seen)) === 503);
    } finally {
      line.mend();
    }
    await until(async () => (await status(unseen)) === 200);
    expect(await status(gone)).toBe(404);
  }, 60_000);

  it('are made again after a merge where it changed them, and no others', async () => {
    const { space, site, pages } = await scene();
    const renderings = app.current.get(PageRenderings);
    const made: string[] = [];
    const render = renderings.render.bind(renderings);
    renderings.render = (place, known, page) => (made.push(page.item.title), render(place, known, page));
    const readAll = async (): Promise<string[]> => {
      await see(site.base);
      await see(`${site.base}/install`);
      return [...new Set(made.splice(0))];
    };
    try {
      expect(await readAll()).toEqual([]);
      await space.write(rewrite(pages[1] ?? '', 'Run it twice.\n'));
      expect(await readAll()).toEqual(['Install']);
      // It stands in the navigation of both.
      await space.write({ operation: 'update_page', page: pages[1], emoji: '1f680' });
      expect((await readAll()).sort()).toEqual(['Install', 'Welcome']);
    } finally {
      renderings.render = render;
    }
  }, 30_000);

  it('are not shared by a reader who came after a change with one who came before it', async () => {
    const { workspace, space, site, pages } = await scene();
    await workspace.admin.api.patch(`/spaces/${space.id}`, { language: 'en' });
    const german = await buildSpace(workspace, 'Anleitung', 'de');
    await german.write({ operation: 'insert_page', title: 'Willkommen', document: { markdown: 'Hallo.\n' } });
    await workspace.admin.api.post(`${site.path}/site-spaces`, { spaceId: german.id });
    const path = `${site.base}/anleitung`;
    const named = ({ status, body }: Shown): readonly [number, number] => [
      status,
      body.match(/<link rel="alternate" hreflang/g)?.length ?? 0,
    ];
    const renderings = app.current.get(PageRenderings);
    const make = renderings.make.bind(renderings);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const begun = new Promise<void>((resolve) => {
      // The first reader's page is ready, and not yet handed out.
      renderings.make = async (place, known, page) => {
        const made = await make(place, known, page);
        if (page.item.title !== 'Willkommen') return made;
        renderings.make = make;
        resolve();
        await held;
        return made;
      };
    });
    try {
      const before = see(path);
      await begun;
      // The German page names the English one, whose space alone is changed.
      await space.write({ operation: 'update_page', page: pages[0], noRobotsIndex: true });
      expect(named(await see(path))).toEqual([200, 0]);
      release();
      expect(named(await before)).toEqual([200, 3]);
      expect(named(await see(path))).toEqual([200, 0]);
    } finally {
      renderings.make = make;
      release();
    }
  }, 30_000);

  it('are counted for each reader', async () => {
    const { site } = await scene();
    const insights = app.current.get(Insights);
    const views = async (): Promise<number> => {
      await insights.flush();
      const row = await app.current.database.one<{ count: number }>(
        `SELECT count(*)::integer AS count FROM site_insight WHERE site_id = $1 AND url LIKE '%/install'`,
        [site.id],
      );
      return row?.count ?? 0;
    };
    const before = await views();
    for (let read = 0; read < 5; read++) await see(`${site.base}/install`);
    expect((await views()) - before).toBe(5);
  }, 30_000);

  it('have the nonce of their policy in every encoding, and other nonces for the same bytes', async () => {
    const { site } = await scene();
    const read = async (
      encoding: string,
    ): Promise<{ readonly html: string; readonly nonce: string; readonly tag: string }> => {
      const answer = await fetch(`${otherOrigin}${site.base}`, { headers: { 'Accept-Encoding': encoding } });
      expect(answer.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
      const nonce = /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '')?.[1] ?? '';
      const html = await answer.text();
      expect(html.split(`nonce="${nonce}"`).length).toBeGreaterThan(2);
      return { html: html.replaceAll(nonce, ''), nonce, tag: answer.headers.get('etag') ?? '' };
    };
    const all = [await read('identity'), await read('gzip'), await read('br'), await read('br')];
    expect(new Set(all.map(({ nonce }) => nonce)).size).toBe(4);
    expect(new Set(all.map(({ html, tag }) => html + tag)).size).toBe(1);
    const unchanged = await fetch(`${otherOrigin}${site.base}`, { headers: { 'If-None-Match': all[0]?.tag ?? '' } });
    expect(unchanged.status).toBe(304);
  }, 30_000);
});

describe('what was read of an organization', () => {
  /** A server that may hear announcements, and the times of its settings in seconds. */
  function server(delay: number, away: number) {
    let tell: (payload: string) => void = () => undefined;
    const announcements = {
      heard: undefined as { since: number; until: number } | undefined,
      listen: (_: string, listener: (payload: string) => void) => ((tell = listener), () => undefined),
      confirm: async () => undefined,
    };
    const versions = new PublishedVersions(announcements, {
      publishedDelaySeconds: delay,
      publishedAwaySeconds: away,
    });
    return { versions, announcements, tell: (payload: string) => tell(payload) };
  }

  it('may ask the database at each request where nothing may be late', () => {
    const { versions, announcements } = server(0, 60);
    announcements.heard = { since: 0, until: Number.MAX_SAFE_INTEGER };
    const read = versions.now();
    expect([versions.isCurrent('one', read), versions.mayStandIn('one', read)]).toEqual([false, false]);
  });

  it('is true until a change of it is announced, or one of all', () => {
    const { versions, tell } = server(1, 60);
    const read = versions.now();
    tell('other');
    expect([versions.isCurrent('one', read), versions.isCurrent('other', read)]).toEqual([true, false]);
    tell('one');
    expect([versions.isCurrent('one', read), versions.mayStandIn('one', read)]).toEqual([false, false]);
    const again = versions.now();
    expect(versions.isCurrent('one', again)).toBe(true);
    tell('*');
    expect(versions.isCurrent('one', again)).toBe(false);
  });

  it('is true as long as announcements are heard, else for the time of the setting', () => {
    const { versions, announcements } = server(1, 60);
    const now = performance.now();
    const [before, long] = [
      { change: 0, at: now - 500 },
      { change: 0, at: now - 30_000 },
    ];
    versions.now();
    const current = (): boolean[] => [before, long].map((read) => versions.isCurrent('one', read));
    expect(current()).toEqual([true, false]);
    announcements.heard = { since: now - 40_000, until: now };
    expect(current()).toEqual([true, true]);
    // Nobody knows what was announced in a gap.
    announcements.heard = { since: now - 10_000, until: now };
    expect(current()).toEqual([true, false]);
    // The last answer is too old: the connection may be dead.
    announcements.heard = { since: now - 40_000, until: now - 5000 };
    expect(current()).toEqual([true, false]);
    expect(versions.mayStandIn('one', long)).toBe(true);
    announcements.heard = undefined;
    expect(versions.mayStandIn('one', { change: 0, at: now - 61_000 })).toBe(false);
  });
});

describe('the body of a page', () => {
  it.each([1, 40, 700, 5000, 40_000])('is the same in all encodings with %i words', async (words) => {
    const text = Array.from({ length: words }, (_, index) => `${index * 7919} wörter`).join(' ');
    const html = `<style nonce="${NONCE_MARK}">${text.slice(0, 3000)}</style><link nonce="${NONCE_MARK}" href="x"><p>${text}`;
    const body = new HtmlBody(html);
    for (const nonce of ['a'.repeat(22), 'Zb-_9'.repeat(5).slice(0, 22)]) {
      const expected = html.replaceAll(NONCE_MARK, nonce);
      expect(Buffer.concat(body.plain(nonce)).toString()).toBe(expected);
      expect(gunzipSync(Buffer.concat(await body.gzip(nonce))).toString()).toBe(expected);
      expect(brotliDecompressSync(Buffer.concat((await body.brotli(nonce)) ?? [])).toString()).toBe(expected);
    }
  });

  it('is not in brotli behind a beginning that one block cannot hold', async () => {
    const body = new HtmlBody(`${'x'.repeat(70_000)}<i nonce="${NONCE_MARK}">rest`);
    expect(await body.brotli('n'.repeat(22))).toBeUndefined();
    expect(gunzipSync(Buffer.concat(await body.gzip('n'.repeat(22)))).toString()).toContain('rest');
  });
});
