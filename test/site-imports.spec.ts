import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFolder } from '../src/authoring/interchange/markdown-folder.js';
import { SiteExports } from '../src/publishing/sites/site-exports.service.js';
import { SiteImports, type SiteImportResult } from '../src/publishing/sites/site-imports.service.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { cliFile } from './faults/program.js';
import { describeWithGit, GitHttpBackend } from './git-http-backend.js';
import { makeIdentity } from './security/saml/certificates.js';

/** Commands take seconds to start. */
const SLOW = 300_000;

const app = useApp();
let home: string;
let count = 0;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'bindery-site-import-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

type Files = Readonly<Record<string, string | Buffer>>;

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const SITE = `site:
  title: Pottery
  structure:
    - type: section
      key: guides
      title: Guides
      description: All that hands do
      icon: book
      path: guides
      default: true
      children:
        - type: space
          key: throwing
          title: Throwing
          path: throwing
          default: true
          content:
            directory: ./guides/throwing
            language: en
        - type: space
          key: throwing-de
          title: Drehen
          path: drehen
          draft: true
          condition: visitor.claims.isPotter
          content:
            directory: ./guides/drehen
            language: de
    - type: section-group
      key: more
      title: More
      icon: gear
      children:
        - type: section
          key: glazes
          title: Glazes
          path: glazes
          children:
            - type: space
              key: glazes-all
              title: Glazes
              path: glazes
              default: true
              content:
                directory: ./glazes/glazes
        - type: external-link
          key: shop
          title: Shop
          url: https://shop.example.com/
`;

/** Both sections have exchanged their paths, one has left its group, a variant is gone, and another space is new. */
const CHANGED = `site:
  title: Pottery
  structure:
    - type: section
      key: guides
      title: Guides
      description: All that hands do
      icon: book
      path: glazes
      default: true
      children:
        - type: space
          key: throwing
          title: Turning
          path: throwing
          default: true
          content:
            directory: ./guides/throwing
            language: en
    - type: external-link
      key: shop
      title: Shop
      url: https://shop.example.com/
    - type: section
      key: glazes
      title: Glazes
      path: guides
      children:
        - type: space
          key: glazes-all
          title: Glazes
          path: glazes
          default: true
          content:
            directory: ./glazes/glazes
        - type: space
          key: tests
          title: Tests
          path: tests
          content:
            directory: ./tests
`;

const FILES: Files = {
  'gitbook-docs.yaml': SITE,
  'guides/throwing/README.md':
    '# Throwing\n\nSee [ash](../../glazes/glazes/ash.md#wood), and [all](../../glazes/glazes/README.md).\n\n![A pixel](.gitbook/assets/pixel.png)\n',
  'guides/throwing/wheel.md': '---\ntags:\n  - beta\n---\n\n# Wheel\n\nIt turns.\n',
  'guides/throwing/SUMMARY.md':
    '# Table of contents\n\n* [Throwing](README.md)\n* [Wheel](wheel.md)\n* [Ash](../../glazes/glazes/ash.md)\n',
  'guides/throwing/.gitbook/tags.yaml': '- tag: beta\n  label: Beta\n  icon: flask\n  color: green\n',
  'guides/throwing/.gitbook/assets/pixel.png': PIXEL,
  'guides/drehen/README.md': '# Drehen\n\n[Englisch](../throwing/wheel.md)\n',
  'glazes/glazes/README.md': '# Glazes\n\n[Wheel](../../guides/throwing/wheel.md)\n',
  'glazes/glazes/ash.md': '# Ash\n\n## Wood\n\nGrey.\n',
};

const newFolder = (): string => join(home, `folder-${count++}`);

async function written(files: Files): Promise<string> {
  const folder = newFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

async function filesIn(folder: string): Promise<Record<string, string>> {
  const { files } = await readFolder(folder);
  const all: Record<string, string> = {};
  for (const [path, file] of files) all[path] = (await file.read()).toString('base64');
  return all;
}

async function importFolder(
  { id, admin }: Workspace,
  folder: string,
  more: { siteId?: string; userId?: string } = {},
): Promise<SiteImportResult> {
  return app.current
    .get(SiteImports)
    .importSite({ organizationId: id, userId: admin.id, source: await readFolder(folder), ...more });
}

async function exported({ admin }: Workspace, site: { site: string; title: string }): Promise<string> {
  const folder = newFolder();
  await app.current.get(SiteExports).exportSite(admin.id, { id: site.site, title: site.title }, folder);
  return folder;
}

const encoded = (text: string | Buffer): string => Buffer.from(text).toString('base64');

/** The site with its first section only. */
const onlyGuides = SITE.replace(/ {4}- type: section-group[^]*$/, '');

/** The id of the page with a slug at the root of a space, or of its first page. */
async function pageOf({ admin }: Workspace, space: string, slug?: string): Promise<string> {
  const { body } = await admin.api.get<{ pages: { id: string; slug: string }[] }>(`/spaces/${space}/content`);
  return body.pages.find((page) => slug === undefined || page.slug === slug)?.id ?? '';
}

/** The settings of a command that runs beside the server. */
function environment(): Record<string, string | undefined> {
  const { databaseUrl, config } = app.current;
  return {
    PATH: process.env['PATH'],
    DATABASE_URL: databaseUrl,
    DATA_DIR: config.dataDir,
    SECRET_KEY: 'only-for-tests-only-for-tests-only-for-tests',
    SEARCH_VECTORS: 'none',
    LOG_LEVEL: 'error',
  };
}

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command line beside the server. */
const bindery = (...words: string[]): Promise<Ended> => binderyWith({}, ...words);

async function binderyWith(settings: Readonly<Record<string, string>>, ...words: string[]): Promise<Ended> {
  const cli = await cliFile();
  const options = { cwd: home, env: { ...environment(), ...settings } };
  return new Promise((settle) => {
    execFile(process.execPath, [cli, ...words], options, (error, out, err) =>
      settle({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

/** Returns once somebody's statement waits for a lock. */
async function waits(like: string): Promise<void> {
  const { database } = app.current;
  const found = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1 LIMIT 1`;
  for (;;) {
    if (await database.apart(() => database.one(found, [like]))) return;
    await pause(50);
  }
}

/** The numbers of things of each kind that an organization has. */
async function counted({ id }: Workspace): Promise<object> {
  const counts = await app.current.database.one(
    `SELECT (SELECT count(*)::int FROM site WHERE organization_id = $1) AS sites, (SELECT count(*)::int FROM space WHERE organization_id = $1) AS spaces,
       (SELECT count(*)::int FROM site_space WHERE organization_id = $1) AS "siteSpaces", (SELECT count(*)::int FROM event WHERE organization_id = $1) AS events`,
    [id],
  );
  return counts ?? {};
}

const NOTHING = { sites: 0, spaces: 0, siteSpaces: 0 };

describe('the import of a site', () => {
  it('makes its structure and its spaces, and an export of it says the same as one of its import elsewhere', async () => {
    const [first, second] = [await buildOrganization(app.current), await buildOrganization(app.current)];
    const made = await importFolder(first, await written(FILES));
    expect(made).toMatchObject({ title: 'Pottery', pages: 6, files: 1, problems: [] });
    expect(made.spaces.map(({ key, pages, changed }) => [key, pages, changed])).toEqual([
      ['throwing', 3, true],
      ['throwing-de', 1, true],
      ['glazes-all', 2, true],
    ]);
    const out = await exported(first, made);
    expect(await readFile(join(out, 'gitbook-docs.yaml'), 'utf8')).toBe(SITE);
    const kept = await filesIn(out);
    expect(Object.keys(kept)).toEqual(expect.arrayContaining(Object.keys(FILES)));
    for (const [path, text] of Object.entries(FILES)) expect([path, kept[path]]).toEqual([path, encoded(text)]);
    const again = await importFolder(second, out);
    expect(again.problems).toEqual([]);
    expect(await filesIn(await exported(second, again))).toEqual(kept);
    const { body } = await second.admin.api.get<{ structure: object[] }>(
      `/orgs/${second.id}/sites/${again.site}/structure`,
    );
    expect(body.structure).toMatchObject([
      {
        object: 'site-section',
        icon: 'book',
        default: true,
        siteSpaces: [
          { path: 'throwing', default: true, draft: false, space: { language: 'en' } },
          { path: 'drehen', default: false, draft: true, condition: 'visitor.claims.isPotter' },
        ],
      },
      { object: 'site-section-group', icon: 'gear', children: [{ path: 'glazes' }, { object: 'site-external-link' }] },
    ]);
  });

  it('meets the same parts by the keys of the file, and writes nothing where nothing differs', async () => {
    const workspace = await buildOrganization(app.current);
    const folder = await written(FILES);
    const made = await importFolder(workspace, folder);
    const before = await counted(workspace);
    const same = await importFolder(workspace, folder, { siteId: made.site });
    expect(same).toEqual({ ...made, spaces: made.spaces.map((space) => ({ ...space, changed: false })) });
    expect(await counted(workspace)).toEqual(before);
  });

  it('brings what the file has changed, and takes off what it lacks without removing its space', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const made = await importFolder(workspace, await written(FILES));
    const [throwing = '', drehen = '', glazes = ''] = made.spaces.map(({ space }) => space);
    const ash = await pageOf(workspace, glazes, 'ash');
    const result = await importFolder(
      workspace,
      await written({
        ...FILES,
        'gitbook-docs.yaml': CHANGED,
        'tests/README.md': '# Tests\n\n[Ash](../glazes/glazes/ash.md)\n',
        'guides/throwing/wheel.md':
          '# Wheel\n\nIt turns [by ash](../../glazes/glazes/ash.md) and [tests](../../tests/README.md).\n',
      }),
      { siteId: made.site },
    );
    expect(result.spaces.map(({ key, space }) => [key, space])).toEqual([
      ['throwing', throwing],
      ['glazes-all', glazes],
      ['tests', expect.any(String)],
    ]);
    expect(result.problems.filter(({ file }) => file === 'gitbook-docs.yaml').map(({ message }) => message)).toEqual([
      'the section group More is not in the file, and is removed',
      'the space Drehen is not in the file: it leaves the site, and is kept',
    ]);
    const tests = result.spaces[2]?.space ?? '';
    for (const [space, page] of [
      [throwing, 'wheel'],
      [tests, undefined],
    ] as const) {
      const id = await pageOf(workspace, space, page);
      const { body } = await api.get<{ document: unknown }>(`/spaces/${space}/content/page/${id}`);
      expect(JSON.stringify(body.document)).toContain(JSON.stringify({ kind: 'page', page: ash, space: glazes }));
    }
    const events = await app.current.database.query<{ type: string }>(
      `SELECT type FROM event WHERE organization_id = $1 AND at >= (SELECT at FROM event WHERE target = $2 AND type = 'space_created') AND type LIKE 'site%' ORDER BY type`,
      [workspace.id, tests],
    );
    expect(events.map(({ type }) => type)).toEqual([
      'site_external_link_moved',
      'site_section_group_removed',
      'site_section_moved',
      'site_section_updated',
      'site_section_updated',
      'site_space_added',
      'site_space_removed',
    ]);
    expect((await api.get(`/spaces/${drehen}`)).status).toBe(200);
    expect((await api.get(`/spaces/${throwing}`)).body).toMatchObject({ title: 'Turning' });
    const { body } = await api.get<{ structure: object[] }>(`/orgs/${workspace.id}/sites/${made.site}/structure`);
    expect(body.structure).toMatchObject([
      { path: 'glazes', siteSpaces: [{ title: 'Turning' }] },
      { object: 'site-external-link', title: 'Shop' },
      {
        path: 'guides',
        siteSpaces: [
          { path: 'glazes', default: true },
          { path: 'tests', default: false },
        ],
      },
    ]);
    const file = await readFile(join(await exported(workspace, made), 'gitbook-docs.yaml'), 'utf8');
    const directory = /directory: .*/g;
    expect(file.replace(directory, '')).toBe(CHANGED.replace(directory, ''));
    expect(file.match(directory)).toEqual(
      ['glazes/throwing', 'guides/glazes', 'guides/tests'].map((path) => `directory: ./${path}`),
    );
  });

  it('knows the parts of a site that was made without a file by their ids', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const made = await importFolder(workspace, await written(FILES));
    await app.current.database.execute('UPDATE site_section SET file_key = NULL WHERE site_id = $1', [made.site]);
    await app.current.database.execute('UPDATE site_space SET file_key = NULL WHERE site_id = $1', [made.site]);
    const structure = () => api.get(`/orgs/${workspace.id}/sites/${made.site}/structure`);
    const before = (await structure()).body;
    const { problems, spaces } = await importFolder(workspace, await exported(workspace, made), { siteId: made.site });
    expect([problems, spaces.map(({ space }) => space)]).toEqual([[], made.spaces.map(({ space }) => space)]);
    expect((await structure()).body).toEqual(before);
  });

  it('reports what a site has no place for', async () => {
    const workspace = await buildOrganization(app.current);
    const title = 'A title that is far longer than the fifty characters of a space';
    const { problems, spaces } = await importFolder(
      workspace,
      await written({
        'docs.yaml': `site:
  title: Pottery
  structure:
    - {type: section, key: a, title: First, path: first, default: true, localizedTitle: {de: Erster}, localizedDescription: {de: Alles}, children: [
        {type: space, key: b, title: ${title}, path: second, default: true, hidden: true, content: {directory: ./one}},
        {type: space, key: c, title: Else, path: c, content: {directory: ./one}},
        {type: space, key: d, title: Away, path: d, content: {directory: null}}]}
    - {type: section, key: e, title: Second, path: second}
`,
        'one/README.md': '# One\n',
      }),
    );
    expect(problems).toEqual(
      [
        [6, 'notice', 'the space c shows what b shows, and so has its title'],
        [7, 'notice', 'the content of the space d is not here, so the space is made empty'],
        [4, 'notice', 'the `localizedTitle` of the section a is not kept: it has one title for all languages'],
        [
          4,
          'notice',
          'the `localizedDescription` of the section a is not kept: it has one description for all languages',
        ],
        [5, 'notice', 'the `hidden` of the space b is not kept: readers find it beside the others'],
        [5, 'warning', 'the space b of the default section cannot have the path of a section, it becomes second-1'],
        [5, 'notice', `the title of the space b is cut: ${title.slice(0, 50)}`],
      ].map(([line, level, message]) => ({ file: 'docs.yaml', line, level, message })),
    );
    expect(spaces).toHaveLength(1);
    expect(await counted(workspace)).toMatchObject({ sites: 1, spaces: 2, siteSpaces: 3 });
  });

  it('makes nothing of a file with faults, and of one that is not there', async () => {
    const workspace = await buildOrganization(app.current);
    await expect(
      importFolder(workspace, await written({ ...FILES, 'gitbook-docs.yaml': SITE.replace('./glazes', './clay') })),
    ).rejects.toMatchObject({
      code: 'invalid',
      details: [
        { path: 'gitbook-docs.yaml:39', message: 'the folder clay/glazes of the space glazes-all is not there' },
      ],
    });
    await expect(importFolder(workspace, await written({ 'README.md': '# No site\n' }))).rejects.toMatchObject({
      details: [{ path: 'source', message: 'the folder has no gitbook-docs.yaml' }],
    });
    expect(await counted(workspace)).toMatchObject(NOTHING);
  });

  it('is for those who may make content, and change the site', async () => {
    const workspace = await buildOrganization(app.current);
    const folder = await written(FILES);
    const reader = await workspace.member('read');
    await expect(importFolder(workspace, folder, { userId: reader.id })).rejects.toMatchObject({ code: 'forbidden' });
    const creator = await workspace.member('create');
    const { site } = await importFolder(workspace, folder, { userId: creator.id });
    const editor = await workspace.member('edit');
    await expect(importFolder(workspace, folder, { siteId: site, userId: editor.id })).rejects.toMatchObject({
      code: 'forbidden',
    });
    const other = await buildOrganization(app.current);
    await expect(importFolder(other, folder, { siteId: site })).rejects.toMatchObject({ code: 'notFound' });
    expect(await counted(other)).toMatchObject(NOTHING);
  });

  it('makes each part once, although two imports run at once', async () => {
    const workspace = await buildOrganization(app.current);
    const made = await importFolder(workspace, await written({ ...FILES, 'gitbook-docs.yaml': onlyGuides }));
    const folder = await written(FILES);
    const results = await Promise.all([1, 2].map(() => importFolder(workspace, folder, { siteId: made.site })));
    expect(new Set(results.map(({ spaces }) => JSON.stringify(spaces.map(({ space }) => space)))).size).toBe(1);
    expect(await counted(workspace)).toMatchObject({ sites: 1, spaces: 3, siteSpaces: 3 });
  });
});

describe('bindery import --site', () => {
  it(
    'goes from the command line to a site and back to the same files',
    async () => {
      const [first, second] = [await buildOrganization(app.current), await buildOrganization(app.current)];
      const source = await written(FILES);
      const made = await bindery('import', source, '--org', first.id, '--site');
      expect(made).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^Imported 6 pages and 1 files: site [0-9A-Za-z]{20}, 3 spaces\.\n$/),
      });
      const site = / site (\w+)/.exec(made.out)?.[1] ?? '';
      const out = newFolder();
      expect(await bindery('export', '--site', site, out)).toMatchObject({
        code: 0,
        out: `Wrote 3 spaces, 6 pages and 1 files to ${out}.\n`,
      });
      const elsewhere = await bindery('import', out, '--site', '--org', second.id, '--title', 'Clay', '--json');
      const result = JSON.parse(elsewhere.out) as SiteImportResult;
      expect(result).toMatchObject({ title: 'Clay', pages: 6, problems: [] });
      const last = newFolder();
      await bindery('export', '--site', result.site, last);
      const files = await filesIn(out);
      expect(await filesIn(last)).toEqual({
        ...files,
        'gitbook-docs.yaml': encoded(SITE.replace('Pottery', 'Clay')),
      });
      const again = await bindery('import', last, '--org', second.id, '--site-id', result.site, '--json');
      expect(JSON.parse(again.out)).toMatchObject({ site: result.site, spaces: [{ changed: false }, {}, {}] });
      expect(await counted(second)).toMatchObject({ sites: 1, spaces: 3, siteSpaces: 3 });
    },
    SLOW,
  );

  it(
    'takes either a space or a site, and tells of a folder without one',
    async () => {
      const { id } = await buildOrganization(app.current);
      const folder = await written({ 'README.md': '# No site\n' });
      const both = await bindery('import', folder, '--org', id, '--site', '--space', 'x');
      expect([both.code, both.err]).toEqual([2, expect.stringContaining('give a space or a site, not both')]);
      const short = await bindery('import', folder, '--org', id, '--site', '--title', 'A');
      expect([short.code, short.err]).toEqual([
        2,
        expect.stringContaining('the title of a site has 2 to 128 characters'),
      ]);
      const none = await bindery('import', folder, '--org', id, '--site');
      expect([none.code, none.err]).toEqual([1, expect.stringContaining('the folder has no gitbook-docs.yaml')]);
    },
    SLOW,
  );

  it(
    'leaves nothing when it is killed, whatever was written by then',
    async () => {
      const workspace = await buildOrganization(app.current);
      const before = await counted(workspace);
      const { database } = app.current;
      const folder = await written(FILES);
      let child: ChildProcess | undefined;
      await database.transaction(async () => {
        // The site comes after all content of the spaces: the import gets as far as that, and no further.
        await database.execute('LOCK TABLE site IN SHARE MODE');
        child = spawn(process.execPath, [await cliFile(), 'import', folder, '--org', workspace.id, '--site'], {
          cwd: home,
          env: environment(),
          stdio: 'ignore',
        });
        await waits('INSERT INTO site (%');
        child.kill('SIGKILL');
        await once(child, 'close');
      });
      expect(child?.signalCode).toBe('SIGKILL');
      expect(await counted(workspace)).toEqual(before);
      expect(before).toMatchObject(NOTHING);
      const { title } = await importFolder(workspace, folder);
      expect(title).toBe('Pottery');
    },
    SLOW,
  );
});

describeWithGit('bindery import --site of a repository', () => {
  it(
    'makes the site of a commit, and brings a later one into it',
    async () => {
      const identity = makeIdentity({ commonName: 'localhost' });
      const certificate = join(home, 'certificate.pem');
      await writeFile(certificate, identity.certificate);
      const server = await GitHttpBackend.start(identity);
      const importSite = (...words: string[]): Promise<Ended> =>
        binderyWith(
          {
            OUTBOUND_ALLOW: '127.0.0.1,::1',
            NODE_EXTRA_CA_CERTS: certificate,
            NODE_OPTIONS: '--dns-result-order=ipv4first',
          },
          'import',
          `${server.url}/pottery.git`,
          ...['--org', workspace.id, '--json', ...words],
        );
      const workspace = await buildOrganization(app.current);
      try {
        const repository = await server.create('pottery');
        await repository.commit('refs/heads/main', 'Begin\n', FILES);
        const made = JSON.parse((await importSite('--site')).out) as SiteImportResult;
        expect(made).toMatchObject({ title: 'Pottery', pages: 6, files: 1, spaces: [{}, {}, {}] });
        const throwing = made.spaces[0]?.space ?? '';
        const changed = { 'guides/throwing/README.md': '# Throwing\n\nA wheel turns faster.\n' };
        await repository.commit('refs/heads/main', 'Faster\n', { ...FILES, ...changed });
        const again = JSON.parse((await importSite('--site-id', made.site)).out) as SiteImportResult;
        expect(again).toMatchObject({ site: made.site, spaces: [{ space: throwing, changed: true }, {}, {}] });
        expect(again.spaces.slice(1)).toMatchObject([{ changed: false }, { changed: false }]);
        const page = await pageOf(workspace, throwing);
        const { body } = await workspace.admin.api.get<{ markdown: string }>(
          `/spaces/${throwing}/content/page/${page}`,
          { query: { format: 'markdown' } },
        );
        expect(body.markdown).toContain('A wheel turns faster.');
        expect(await counted(workspace)).toMatchObject({ sites: 1, spaces: 3, siteSpaces: 3 });
      } finally {
        await server.stop();
      }
    },
    SLOW,
  );
});
