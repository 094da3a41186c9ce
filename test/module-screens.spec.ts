import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { defineModule, type Manifest } from '../src/kernel/platform/manifest/manifest.js';
import { brings, Registry } from '../src/kernel/platform/manifest/registry.js';
import type { ScreenDefinition } from '../src/kernel/platform/manifest/screen-definition.js';
import { MANIFESTS } from '../src/manifests.js';
import { readScreenFolder } from '../src/workspace/browser/screen-files.js';
import { TestApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { buildSpace, publish } from './published-site.js';

const SCREEN: ScreenDefinition = {
  place: 'organization',
  path: 'parrots',
  title: 'Parrots',
  permission: 'organization:view',
  script: 'parrots.js',
};

interface ListedScreen {
  readonly module: string;
  readonly part: string;
  readonly path: string;
  readonly urls: { readonly script: string; readonly styles: readonly string[]; readonly icon?: string };
}
interface Listed {
  readonly items: readonly ListedScreen[];
  readonly count: number;
  readonly next?: { readonly page: string };
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-screens-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A folder of its own with these files. */
async function folderOf(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    const at = join(folder, name, path);
    await mkdir(join(at, '..'), { recursive: true });
    await writeFile(at, text);
  }
  return join(folder, name);
}

const manifestWith = (name: string, entries: readonly ScreenDefinition[], at = folder): Manifest =>
  defineModule({ name, requires: '*', screens: { folder: at, entries } });

function moduleOf(manifest: Manifest) {
  @Module({ providers: [brings(manifest)] })
  class Added {}
  return Added;
}

describe('screens in manifests', () => {
  const registry = (...added: Manifest[]) => new Registry([...MANIFESTS, ...added]);
  const refusal = (change: Partial<Record<keyof ScreenDefinition, unknown>>) => () =>
    registry(manifestWith('parrots', [{ ...SCREEN, ...change } as ScreenDefinition]));

  it('are refused where two of a place have one path, of one module or of two', () => {
    const text = 'the screen parrots of each organization is brought twice, by parrots and by ';
    expect(() => registry(manifestWith('parrots', [SCREEN]), manifestWith('cockatoos', [SCREEN]))).toThrow(
      `${text}cockatoos`,
    );
    expect(() => registry(manifestWith('parrots', [SCREEN, { ...SCREEN, part: 'settings' }]))).toThrow(
      `${text}parrots`,
    );
    const inSpace = { ...SCREEN, place: 'space', permission: 'space:view' } as const;
    expect(registry(manifestWith('parrots', [SCREEN, inSpace])).screens).toHaveLength(2);
  });

  it.each<[string, Partial<Record<keyof ScreenDefinition, unknown>>]>([
    ['needs a path of small letters, digits and hyphens', { path: '../x' }],
    ['needs a path of small letters, digits and hyphens', { path: '' }],
    ['needs a path of small letters, digits and hyphens', { path: 'A' }],
    ['needs a path of small letters, digits and hyphens', { path: 'a'.repeat(51) }],
    ['needs a title of at most 50 characters', { title: ' ' }],
    ['needs a title of at most 50 characters', { title: 'a'.repeat(51) }],
    ['is at constructor: places are account, organization, space, site', { place: 'constructor' }],
    ['is dialog: it is one of screen, settings', { part: 'dialog' }],
    ['is at space, so its permission begins with space: and is not organization:view', { place: 'space' }],
    ['needs the permission organization:fly, which no module brings', { permission: 'organization:fly' }],
  ])('are refused with the reason: %s', (reason, change) => {
    expect(refusal(change)).toThrow(reason);
  });

  it('are refused for a module whose name is no part of an address', () => {
    expect(() => registry(manifestWith('a/b', [SCREEN]))).toThrow('its name is no part of an address');
  });
});

describe('the folder of screens', () => {
  it('is read whole: types that browsers need, and no others', async () => {
    const at = await folderOf('types', {
      'a.js': 'export {};',
      'parts/b.css': 'p {}',
      'icon.svg': '<svg/>',
      'source.ts': 'secret',
      '.env': 'secret',
      'page.html': '<script>alert(1)</script>',
    });
    const { files, digest } = await readScreenFolder('parrots', at);
    expect([...files.keys()].sort()).toEqual(['a.js', 'icon.svg', 'parts/b.css']);
    expect(digest).toMatch(/^[\w-]{22}$/);
    expect((await readScreenFolder('parrots', at)).digest).toBe(digest);
    await writeFile(join(at, 'parts', 'b.css'), 'p { color: red }');
    expect((await readScreenFolder('parrots', at)).digest).not.toBe(digest);
  });

  it('is refused with links, with names that are no part of an address, and where it is absent', async () => {
    const linked = await folderOf('linked', { 'a.js': '' });
    await symlink('/etc/passwd', join(linked, 'b.js'));
    await expect(readScreenFolder('parrots', linked)).rejects.toThrow(
      'the screens of the module parrots: b.js is a link or no file',
    );
    const named = await folderOf('named', { 'a b.js': '' });
    await expect(readScreenFolder('parrots', named)).rejects.toThrow('a b.js has a name that is no part of an address');
    await expect(readScreenFolder('parrots', join(folder, 'absent'))).rejects.toThrow('cannot be read: ENOENT');
  });

  it('is refused with too much in it', async () => {
    const files = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`${at}.js`, '']));
    await expect(readScreenFolder('parrots', await folderOf('many', files))).rejects.toThrow('more than 500 files');
    const large = await folderOf('large', { 'a.js': 'a'.repeat(20_000_001) });
    await expect(readScreenFolder('parrots', large)).rejects.toThrow('more than 20 MB');
    const deep = await folderOf('deep', { [`${'d/'.repeat(12)}a.js`]: '' });
    await expect(readScreenFolder('parrots', deep)).rejects.toThrow('lies too deep');
  });

  it('must have what the manifest names, or nothing starts', async () => {
    const at = await folderOf('lacking', { 'parrots.css': '', 'a.js': '' });
    for (const [entry, reason] of [
      [SCREEN, 'names parrots.js, and its folder has no such text/javascript'],
      [{ ...SCREEN, script: 'parrots.css' }, 'names parrots.css, and its folder has no such text/javascript'],
      [{ ...SCREEN, script: 'a.js', styles: ['../a.css'] }, 'names ../a.css, and its folder has no such text/css'],
      [{ ...SCREEN, script: 'a.js', icon: 'a.js' }, 'names a.js, and its folder has no such image/svg+xml'],
    ] as const)
      await expect(TestApp.start({}, undefined, [moduleOf(manifestWith('parrots', [entry], at))])).rejects.toThrow(
        `the screen parrots of the module parrots ${reason}`,
      );
  });
});

describe('screens of modules', () => {
  let app: TestApp;
  let organization: Workspace;
  beforeAll(async () => {
    const at = await folderOf('served', {
      'parrots.js': `export const mount = () => {}; // ${'x'.repeat(2000)}`,
      'parrots.css': 'p {}',
      'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'secret.txt': 'secret',
    });
    const parrots = manifestWith(
      'parrots',
      [
        { ...SCREEN, styles: ['parrots.css'], icon: 'icon.svg' },
        { ...SCREEN, path: 'cages', part: 'settings', permission: 'organization:admin' },
        { ...SCREEN, place: 'space', permission: 'space:view' },
        { ...SCREEN, place: 'space', path: 'cages', part: 'settings', permission: 'space:admin' },
        { ...SCREEN, place: 'site', permission: 'site:admin' },
        { ...SCREEN, place: 'site', path: 'cages', part: 'settings', permission: 'site:admin' },
        { ...SCREEN, place: 'account', permission: 'user:view' },
        { ...SCREEN, place: 'account', path: 'cages', part: 'settings', permission: 'user:view' },
      ],
      at,
    );
    app = await TestApp.start({}, undefined, [moduleOf(parrots)]);
    organization = await buildOrganization(app);
  });
  afterAll(() => app.close());

  it('are listed at each place for those who may see them', async () => {
    const { admin, id } = organization;
    const space = await buildSpace(organization, 'Aviary');
    const site = await publish(organization, [space]);
    const [reader, guest] = [await organization.member('read'), await organization.member('none')];
    const paths = {
      account: '/user/screens',
      organization: `/orgs/${id}/screens`,
      space: `/spaces/${space.id}/screens`,
      site: `/orgs/${id}/sites/${site.id}/screens`,
    };
    const shown = async ({ api }: typeof admin): Promise<unknown> => {
      const answers = await Promise.all(Object.values(paths).map((path) => api.get<Listed>(path)));
      return answers.map(({ status, body }) => (status === 200 ? body.items.map((item) => item.path) : status));
    };
    expect(await shown(admin)).toEqual(Array(4).fill(['parrots', 'cages']));
    expect(await shown(reader)).toEqual([['parrots', 'cages'], ['parrots'], ['parrots'], []]);
    expect(await shown(guest)).toEqual([['parrots', 'cages'], ['parrots'], 404, 404]);
    const other = await buildOrganization(app);
    expect(await shown(other.admin)).toEqual([['parrots', 'cages'], 404, 404, 404]);
    for (const path of Object.values(paths)) expect((await fetch(`${app.url}/v1${path}`)).status).toBe(401);
  });

  it('are listed page by page, in the order of the modules', async () => {
    const path = `/orgs/${organization.id}/screens`;
    const first = await organization.admin.api.get<Listed>(path, { query: { limit: '1' } });
    expect([first.body.count, first.body.items.map((item) => item.path)]).toEqual([2, ['parrots']]);
    const second = await organization.admin.api.get<Listed>(path, {
      query: { limit: '1', page: first.body.next?.page ?? '' },
    });
    expect([second.body.next, second.body.items.map((item) => [item.path, item.part, item.module])]).toEqual([
      undefined,
      [['cages', 'settings', 'parrots']],
    ]);
  });

  it('are listed page by page at each place', async () => {
    const space = await buildSpace(organization, 'Perches');
    const site = await publish(organization, [space]);
    const { api } = organization.admin;
    for (const path of [
      '/user/screens',
      `/spaces/${space.id}/screens`,
      `/orgs/${organization.id}/sites/${site.id}/screens`,
    ]) {
      const all = (await api.get<Listed>(path)).body;
      const shown: ListedScreen[] = [];
      let page: string | undefined;
      do {
        const { body } = await api.get<Listed>(path, { query: { limit: '1', ...(page && { page }) } });
        expect(body.items).toHaveLength(1);
        shown.push(...body.items);
        page = body.next?.page;
      } while (page);
      expect(shown).toEqual(all.items);
    }
  });

  it('have files at addresses with the hash of them all, which the browser keeps for good', async () => {
    const { body } = await organization.admin.api.get<Listed>(`/orgs/${organization.id}/screens`);
    const { script = '', styles = [], icon = '' } = body.items[0]?.urls ?? {};
    expect(new URL(script).pathname).toMatch(/^\/app\/extensions\/parrots\/[\w-]{22}\/parrots\.js$/);
    for (const [address, type] of [
      [script, 'text/javascript; charset=utf-8'],
      [styles[0] ?? '', 'text/css; charset=utf-8'],
      [icon, 'image/svg+xml'],
    ] as const) {
      const answer = await fetch(address);
      const headers = Object.fromEntries(answer.headers);
      expect([answer.status, headers['content-type']]).toEqual([200, type]);
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
    expect((await fetch(script, { method: 'POST' })).status).toBe(405);
    const head = await fetch(script, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('have no other files, however they are asked for', async () => {
    const { body } = await organization.admin.api.get<Listed>(`/orgs/${organization.id}/screens`);
    const base = new URL('.', body.items[0]?.urls.script ?? '').pathname;
    for (const path of [
      `${base}secret.txt`,
      `${base}../../../index.html`,
      `${base}..%2f..%2fparrots.js`,
      `${base}%2e%2e/parrots.js`,
      `${base}parrots.js/`,
      `${base}`,
      `${base}//parrots.js`,
      `${base}%00parrots.js`,
      base.replace(/[\w-]{22}\/$/, 'x'.repeat(22) + '/parrots.js'),
      base.replace('/parrots/', '/__proto__/') + 'parrots.js',
      '/app/extensions/',
      '/app/extensions/parrots/undefined/parrots.js',
    ])
      expect([path, await statusOf(path)]).toEqual([path, path.includes('%00') ? 400 : 404]);
  });

  it('are told of in the page of the workspace, by their places', async () => {
    const page = await (await fetch(`${app.url}/app`)).text();
    if (page.includes('The workspace is not built')) return;
    expect(page).toContain('<meta name="bindery-screen-places" content="organization space site account"');
  });

  /** The status of a path as it is, which `fetch` would normalize. */
  function statusOf(path: string): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(app.url);
      request({ hostname, port, path }, (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode));
      })
        .on('error', reject)
        .end();
    });
  }
});
