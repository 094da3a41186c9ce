import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { TextChanges } from '../src/authoring/content/text-changes.js';
import { Addresses } from '../src/kernel/common/addresses.js';
import { Database } from '../src/kernel/common/database.js';
import { PublicListener } from '../src/kernel/platform/public-listener.js';
import { DiskCache } from '../src/kernel/platform/storage/disk-cache.js';
import { KeptPages } from '../src/publishing/published-sites/pages/kept-pages.js';
import { PageRenderings } from '../src/publishing/published-sites/pages/page-renderings.js';
import { PageStore } from '../src/publishing/published-sites/pages/page-store.js';
import { PopularPages } from '../src/publishing/published-sites/pages/popular-pages.js';
import { TestApp, useApp } from './app.js';
import { buildOrganization } from './build.js';
import { buildSpace, publish, usePublicListener, type Site, type Space } from './published-site.js';

const ROUNDS = Number(process.env['ROUNDS'] ?? 4);
/** Of the hash in front of a file. */
const HASH_BYTES = 32;
const NAME = 'ab'.repeat(32);
const nameOf = (index: number): string => index.toString(16).padStart(64, '0');

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe('a cache on disk', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'bindery-cache-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('has what was written last, and nothing of a file that is damaged', async () => {
    const cache = new DiskCache(folder, 10_000_000, 60_000);
    expect(await cache.get(NAME)).toBeUndefined();
    await cache.put(NAME, [Buffer.from('one')]);
    await cache.put(NAME, [Buffer.from('tw'), Buffer.from('o')]);
    expect((await cache.get(NAME))?.toString()).toBe('two');
    const [file = ''] = await filesOf(folder);
    const whole = await readFile(file);
    for (let length = 0; length < whole.length; length++) {
      await truncate(file, length);
      expect(await cache.get(NAME)).toBeUndefined();
      await writeFile(file, whole);
    }
    for (let at = 0; at < whole.length; at++) {
      await writeFile(
        file,
        whole.map((byte, index) => (index === at ? byte ^ 1 : byte)),
      );
      expect(await cache.get(NAME)).toBeUndefined();
    }
  });

  it('loses what was written first beyond its limit, and what is too old', async () => {
    const cache = new DiskCache(folder, 10 * 4096, 60_000);
    for (let index = 0; index < 10; index++) {
      await cache.put(nameOf(index), [Buffer.alloc(3000, index)]);
      const [path = ''] = (await filesOf(folder)).filter((file) => file.endsWith(nameOf(index).slice(2)));
      await utimes(path, new Date(Date.now() - 30_000 + index * 1000), new Date(Date.now() - 30_000 + index * 1000));
    }
    expect(await filesOf(folder)).toHaveLength(10);
    await cache.put(nameOf(10), [Buffer.alloc(3000)]);
    expect(await filesOf(folder)).toHaveLength(8);
    const left = await Promise.all(Array.from({ length: 11 }, (_, index) => cache.get(nameOf(index))));
    expect(left.map((bytes) => bytes !== undefined)).toEqual(Array.from({ length: 11 }, (_, index) => index >= 3));
    await cache.trim(Date.now() + 60_001);
    expect(await filesOf(folder)).toEqual([]);
  });

  it('is whole after the end of a process in the middle of writing', async () => {
    const child = spawn(
      process.execPath,
      ['--import', './test/faults/run-typescript.mjs', './test/faults/write-until-killed.ts', folder],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(child.stdout, 'data');
    await new Promise((settle) => setTimeout(settle, 50 + Math.random() * 50));
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    const cache = new DiskCache(folder, 1e9, 60_000);
    const all = await Promise.all(Array.from({ length: 8 }, (_, index) => cache.get(String(index).padStart(64, '0'))));
    const found = all.filter((bytes) => bytes !== undefined);
    expect(found.length).toBe(8);
    for (const bytes of found) expect(bytes.equals(Buffer.alloc(400_000, bytes[0]))).toBe(true);
  });
});

describe('stored pages of sites', () => {
  let folder: string;
  let storing: TestApp;
  let storingOrigin = '';
  // Before the database goes with the other server.
  afterAll(async () => {
    await end();
    await rm(folder, { recursive: true, force: true });
  });
  const app = useApp({ PUBLISHED_PAGES_DISK_MB: '0' });
  const fresh = usePublicListener(app);

  /** A server with the folder, as after a start. */
  async function start(): Promise<void> {
    storing = await TestApp.start({ DATA_DIR: folder }, app.current.databaseUrl);
    storingOrigin = `http://localhost:${await storing.get(PublicListener).listen()}`;
    storing.get(Addresses).announce(app.current.url, fresh.origin);
  }
  async function end(): Promise<void> {
    await storing.get(PublicListener).beforeApplicationShutdown();
    await storing.close();
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-stored-'));
    // Pages are made when the test asks for them.
    jest.spyOn(PopularPages.prototype, 'onModuleInit').mockReturnValue(undefined);
    await start();
  });
  afterEach(() => void jest.restoreAllMocks());

  /** The files of pages, without those that say where pages were read, which are JSON behind their hash. */
  async function storedPages(): Promise<string[]> {
    const files = await filesOf(join(folder, 'published-pages'));
    const bytes = await Promise.all(files.map((file) => readFile(file)));
    return files.filter((_, index) => bytes[index]?.[HASH_BYTES] !== '{'.charCodeAt(0));
  }

  async function stored(path: string): Promise<{ readonly status: number; readonly body: string }> {
    const answer = await fetch(`${storingOrigin}${path}`, { redirect: 'manual' });
    return { status: answer.status, body: withoutNonces(await answer.text()) };
  }
  const rendered = async (path: string): Promise<{ readonly status: number; readonly body: string }> => {
    app.current.get(KeptPages)['kept'].clear();
    const { status, body } = await fresh.see(path);
    return { status, body: withoutNonces(body) };
  };
  const withoutNonces = (html: string): string => html.replaceAll(/nonce="[^"]+"/g, '');
  const forget = (): void => storing.get(KeptPages)['kept'].clear();

  interface Scene {
    readonly space: Space;
    readonly site: Site;
    readonly pages: string[];
  }

  async function scene(visibility = 'public'): Promise<Scene> {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Guide');
    const pages = await space.write(
      ...Array.from({ length: 6 }, (_, index) => ({
        operation: 'insert_page',
        title: `Page ${index}`,
        document: { markdown: `Words of ${index}.\n` },
      })),
    );
    return { space, pages, site: await publish(workspace, [space], visibility) };
  }

  it('are there after a start, with the bytes of a fresh rendering, also after changes of other pages', async () => {
    const { space, site, pages } = await scene();
    const paths = [site.base, `${site.base}/page-1`, `${site.base}/page-2`];
    for (const path of paths) expect((await stored(path)).status).toBe(200);
    await storing.get(PageStore).written();
    await space.write({
      operation: 'update_page',
      page: pages[2],
      document: { markdown: 'Other words.\n' },
    });
    await end();
    await start();
    const render = jest.spyOn(PageRenderings.prototype, 'render');
    const [one, two] = [await stored(site.base), await stored(`${site.base}/page-1`)];
    expect(render).not.toHaveBeenCalled();
    const three = await stored(`${site.base}/page-2`);
    expect(render).toHaveBeenCalledTimes(1);
    expect(three.body).toContain('Other words.');
    expect([one, two, three]).toEqual([
      await rendered(paths[0] ?? ''),
      await rendered(paths[1] ?? ''),
      await rendered(paths[2] ?? ''),
    ]);
    expect(await filesOf(join(app.current.config.dataDir, 'published-pages'))).toEqual([]);
  }, 60_000);

  it('are made again where their file is damaged', async () => {
    const { site } = await scene();
    const before = await storedPages();
    const first = await stored(site.base);
    await storing.get(PageStore).written();
    const [file = ''] = (await storedPages()).filter((each) => !before.includes(each));
    await truncate(file, 100);
    forget();
    expect(await stored(site.base)).toEqual(first);
  });

  it('show nothing to those to whom the site is not open any more, and are never pages of one visitor', async () => {
    const { site } = await scene();
    const path = `${site.base}/page-1`;
    const before = (await storedPages()).length;
    await stored(path);
    await storing.get(PageStore).written();
    forget();
    await site.api.patch(site.path, { visibility: 'share-link' });
    expect((await stored(path)).status).not.toBe(200);
    const link = await site.api.post<{ urls: { published: string } }>(`${site.path}/share-links`, { name: 'Guests' });
    const { pathname } = new URL(link.body.urls.published);
    expect((await stored(`${pathname}/page-2`)).status).toBe(307);
    const key = pathname.split('/').at(-1) ?? '';
    const guest = await fetch(`${storingOrigin}${site.base}/page-2?shareKey=${key}`, { redirect: 'manual' });
    const cookie = guest.headers
      .getSetCookie()
      .map((each) => each.split(';', 1)[0])
      .join('; ');
    const seen = await fetch(`${storingOrigin}${site.base}/page-2`, { headers: { Cookie: cookie } });
    expect([seen.status, (await seen.text()).includes('Words of 2')]).toEqual([200, true]);
    await site.api.patch(site.path, { visibility: 'public' });
    await site.api.post(`${site.path}/unpublish`);
    expect((await stored(path)).status).not.toBe(200);
    await storing.get(PageStore).written();
    expect(await storedPages()).toHaveLength(before + 1);
  });

  it('are those of a revision that the space has', async () => {
    const { space } = await scene();
    const changes = storing.get(TextChanges);
    const revision = await app.current
      .get(Database)
      .one<{ id: string; sequence: string }>(
        `SELECT id, sequence FROM revision WHERE space_id = $1 AND line = '' ORDER BY sequence DESC LIMIT 1`,
        [space.id],
      );
    const sequence = Number(revision?.sequence);
    expect(await changes.since(space.id, { revisionId: revision?.id ?? '', sequence }, sequence + 1)).toEqual(
      new Set(),
    );
    expect(await changes.since(space.id, { revisionId: 'another', sequence }, sequence + 1)).toBeUndefined();
    expect(
      await changes.since(space.id, { revisionId: revision?.id ?? '', sequence: sequence - 1 }, sequence),
    ).toBeUndefined();
  });

  it('are the bytes of a fresh rendering for every page after random merges', async () => {
    const { space, site, pages } = await scene();
    const paths = (): Promise<string[]> => pathsOf(space, site);
    const page = fc.nat({ max: pages.length - 1 });
    const word = fc.stringMatching(/^[a-z]{3,8}$/);
    const change = fc.oneof(
      fc.record({ kind: fc.constant('text'), page, word }),
      fc.record({ kind: fc.constant('title'), page, word }),
      fc.record({ kind: fc.constant('move'), page, word }),
    );
    const merge = fc.record({ changes: fc.array(change, { minLength: 1, maxLength: 3 }), forgets: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(merge, async ({ changes, forgets }) => {
        const { api } = site;
        const requests = `/spaces/${space.id}/change-requests`;
        const request = await api.post<{ id: string }>(requests, { subject: 'Random' });
        for (const each of changes) {
          const id = pages[each.page];
          const answer = await api.post(`${requests}/${request.body.id}/content`, {
            changes: [
              {
                operation: 'update_page',
                page: id,
                ...(each.kind === 'text' && { document: { markdown: `${each.word} [to](${each.word}.md)\n` } }),
                ...(each.kind === 'title' && { title: each.word }),
                ...(each.kind === 'move' && { at: 0 }),
              },
            ],
          });
          expect(answer.status).toBe(200);
        }
        expect((await api.post(`${requests}/${request.body.id}/merge`)).status).toBe(200);
        if (forgets) forget();
        for (const path of await paths()) expect(await stored(path)).toEqual(await rendered(path));
      }),
      { numRuns: ROUNDS, ...(process.env['SEED'] !== undefined && { seed: Number(process.env['SEED']) }) },
    );
  }, 120_000);

  async function pathsOf(space: Space, site: Site): Promise<string[]> {
    const { body } = await site.api.get<{ pages: { path: string }[] }>(`/spaces/${space.id}/content/pages`);
    return [site.base, ...body.pages.slice(1).map(({ path }) => `${site.base}/${path}`)];
  }
});
