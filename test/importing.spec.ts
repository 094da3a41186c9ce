import { existsSync } from 'node:fs';
import { link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import httpNode from 'isomorphic-git/http/node';
import { Exporter } from '../src/authoring/interchange/exporter.service.js';
import { guardedGitHttp } from '../src/authoring/interchange/git/guarded-http.js';
import { readRepositoryAddress } from '../src/authoring/interchange/git/repository-address.js';
import { withCheckout } from '../src/authoring/interchange/git/repository.js';
import type { ImportOrder, ImportSource } from '../src/authoring/interchange/import-order.js';
import { Importer } from '../src/authoring/interchange/importer.service.js';
import { readFolder } from '../src/authoring/interchange/markdown-folder.js';
import { differences, portableItems } from '../src/authoring/interchange/portable-content.js';
import { SpaceContents, type SpaceContent } from '../src/authoring/interchange/space-content.js';
import { Outbound } from '../src/kernel/platform/outbound/outbound.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { GitServer, TestRepository } from './git-server.js';

const app = useApp();

type Files = Readonly<Record<string, string | Uint8Array>>;

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

function sourceOf(files: Files): ImportSource {
  const entries = Object.entries(files).map(
    ([path, content]) => [path, { size: content.length, read: async () => Buffer.from(content) }] as const,
  );
  return { files: new Map(entries), problems: [] };
}

async function inFolder<T>(files: Files, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-importing-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function importInto(organization: Workspace, source: ImportSource, rest: Partial<ImportOrder> = {}) {
  return app.current
    .get(Importer)
    .importFolder({ organizationId: organization.id, userId: organization.admin.id, title: 'Guide', source, ...rest });
}

function replacing(spaceId: string): Partial<ImportOrder> {
  return { target: { spaceId, mode: 'replace' } };
}

function read(space: string): Promise<SpaceContent> {
  return app.current.get(SpaceContents).read(space);
}

function pageAt(content: SpaceContent, path: string) {
  const page = content.pages.find((each) => each.slug !== null && content.path(each) === path);
  if (!page) throw new Error(`there is no page ${path}`);
  return page;
}

describe('a folder of another tool', () => {
  it('is imported as that tool reads it, and comes back from an export in our own form', async () => {
    const organization = await buildOrganization(app.current);
    const source = await readFolder(resolve('test/fixtures/tools/docusaurus'));
    const { space, problems } = await importInto(organization, source);
    const paths = (content: SpaceContent) =>
      content.pages.filter(({ slug }) => slug !== null).map((page) => content.path(page));
    const before = await read(space);
    expect(paths(before)).toEqual(['intro', 'overview', 'overview/bisque', 'glazes', 'glazes/ash', 'glazes/celadon']);
    expect(problems.map(({ file, line }) => `${file}:${line ?? 0}`)).toContain('docs/firing/overview.mdx:19');
    await inFolder({}, async (folder) => {
      await app.current.get(Exporter).exportSpace(space, join(folder, 'out'));
      const again = await importInto(organization, await readFolder(join(folder, 'out')), replacing(space));
      expect(again).toMatchObject({ pages: before.pages.length });
      // Markup that only the tool understands is text once it stands in a page of our own.
      expect(differences(portableItems(before), portableItems(await read(space)))).toEqual(['overview']);
    });
  });
});

it('a repository of another tool is read as our own, as exports into it delete what was not read', async () => {
  const organization = await buildOrganization(app.current);
  const { files, problems } = await readFolder(resolve('test/fixtures/tools/mkdocs'));
  const commit = { oid: 'a'.repeat(40), message: 'Begin', url: 'https://git.example.com/looms' };
  const git = { commit, objects: new Map<string, never>() };
  const { pages } = await importInto(organization, { files, problems, git });
  const { pages: moved } = await importInto(organization, { files, problems });
  expect([pages, moved]).toEqual([5, 6]);
});

const GUIDE: Files = {
  'SUMMARY.md':
    '# Table of contents\n\n* [Home](README.md)\n* [Install](install.md)\n  * [Linux](install/linux.md)\n  * [Windows](install/windows.md)\n* [Use](use.md)\n* [A blank page](blank.md)\n\n## More\n\n* [Shop](https://shop.example.com)\n',
  'README.md': '# Home\n\nWelcome. See [Linux](install/linux.md#needs).\n\n![Dot](.gitbook/assets/dot.png)\n',
  'install.md': '---\ndescription: How to begin\n---\n\n# Install\n\nFirst paragraph.\n\nSecond paragraph.\n',
  'install/linux.md': '# Linux\n\n## Needs\n\nA kernel.\n',
  'install/windows.md': '# Windows\n\nA window.\n',
  'blank.md': '---\nreviewer: Mira\n---\n\n# A *blank* page\n',
  'use.md': '# Use\n\nDaily work.\n\n{% include ".gitbook/includes/note.md" %}\n',
  '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nMind the gap.\n',
  '.gitbook/assets/dot.png': PIXEL,
  '.gitbook/vars.yaml': 'version: "2.1"\n',
  '.gitbook.yaml':
    'redirects:\n  begin: install.md\n  kernel: install/linux.md#needs\n  shop: https://shop.example.com\n  lost: nowhere.md\n',
};

describe('an import', () => {
  it('makes a space of pages, files, reusable contents, variables and redirects in one revision', async () => {
    const organization = await buildOrganization(app.current);
    const seen: [number, number][] = [];
    const result = await importInto(organization, sourceOf(GUIDE), {
      onProgress: (done, total) => seen.push([done, total]),
    });
    expect(result).toMatchObject({ changed: true, pages: 8, files: 1 });
    expect(result.problems).toEqual([
      expect.objectContaining({
        file: '.gitbook.yaml',
        line: 5,
        level: 'warning',
        message: expect.stringContaining('nowhere.md'),
      }),
    ]);
    expect(seen.at(-1)).toEqual([10, 10]);
    expect(seen.map(([done]) => done)).toEqual(seen.map((_, index) => index + 1));
    const content = await read(result.space);
    expect(
      content.pages.map((page) => `${page.type} ${page.slug === null ? page.title : content.path(page)}`).sort(),
    ).toEqual(
      [
        'document readme',
        'document install',
        'document install/linux',
        'document install/windows',
        'document use',
        'document blank',
        'group more',
        'link Shop',
      ].sort(),
    );
    expect(pageAt(content, 'install').props).toMatchObject({ description: 'How to begin' });
    const linux = pageAt(content, 'install/linux').id;
    const [file] = content.files;
    expect(file).toMatchObject({
      title: 'dot.png',
      props: { contentType: 'image/png', size: PIXEL.length, width: 1, height: 1 },
    });
    const home = JSON.stringify(content.document(pageAt(content, 'readme')));
    expect(home).toContain(JSON.stringify({ anchor: 'needs', kind: 'anchor', page: linux }));
    expect(home).toContain(JSON.stringify({ file: file?.id, kind: 'file' }));
    expect(JSON.stringify(content.document(pageAt(content, 'use')))).toContain(
      content.reusables[0]?.id ?? 'no reusable content',
    );
    expect(content.variables).toMatchObject([{ id: 'version', props: { value: '2.1' } }]);
    const revisions = await app.current.database.query<{ parents: string[]; author_id: string }>(
      'SELECT parents, author_id FROM revision WHERE space_id = $1 ORDER BY sequence',
      [result.space],
    );
    expect(revisions).toMatchObject([
      { parents: [] },
      { parents: [expect.any(String)], author_id: organization.admin.id },
    ]);
    expect(revisions).toHaveLength(2);
  });

  it('leads old paths to the pages that .gitbook.yaml names', async () => {
    const organization = await buildOrganization(app.current);
    const { space } = await importInto(organization, sourceOf(GUIDE));
    const { api } = organization.admin;
    const at = (path: string) =>
      api.get<{ title: string }>(`/spaces/${space}/content/path/${encodeURIComponent(path)}`);
    expect((await at('begin')).body.title).toBe('Install');
    expect((await at('/Begin/')).body.title).toBe('Install');
    expect((await at('begin/windows')).body.title).toBe('Windows');
    expect((await at('kernel')).body.title).toBe('Linux');
    for (const path of ['shop', 'lost', 'begin/nothing']) expect((await at(path)).status).toBe(404);
    const old = (await api.get<{ id: string }>(`/spaces/${space}/content`)).body.id;
    const page = (await api.get<{ id: string }>(`/spaces/${space}/content/path/install`)).body.id;
    const request = (await api.post<{ id: string }>(`/spaces/${space}/change-requests`, { subject: 'Rename' })).body.id;
    const url = `/spaces/${space}/change-requests/${request}`;
    await api.post(`${url}/content`, { changes: [{ operation: 'update_page', page, slug: 'set-up' }] });
    expect((await api.post(`${url}/merge`)).status).toBe(200);
    for (const [path, title] of [
      ['set-up', 'Install'],
      ['install', 'Install'],
      ['install/linux', 'Linux'],
      ['begin/linux', 'Linux'],
    ] as const)
      expect((await at(path)).body.title).toBe(title);
    expect((await api.get(`/spaces/${space}/revisions/${old}/path/set-up`)).status).toBe(404);
    await importInto(
      organization,
      sourceOf({ ...GUIDE, '.gitbook.yaml': 'redirects:\n  begin: use.md\n  install: use.md\n' }),
      replacing(space),
    );
    expect((await at('begin')).body.title).toBe('Use');
    expect((await at('install')).body.title).toBe('Install');
    expect((await at('kernel')).status).toBe(404);
  });

  it('into the same space writes only what differs, and keeps ids and the keys of unchanged blocks', async () => {
    const organization = await buildOrganization(app.current);
    const { space, revision } = await importInto(organization, sourceOf(GUIDE));
    const before = await read(space);
    expect(await importInto(organization, sourceOf(GUIDE), replacing(space))).toMatchObject({
      changed: false,
      space,
      revision,
    });
    const changed: Files = {
      ...GUIDE,
      'SUMMARY.md':
        '# Table of contents\n\n* [Home](README.md)\n* [Use](use.md)\n* [Install](install.md)\n  * [Windows](install/windows.md)\n  * [Solaris](install/solaris.md)\n  * [Linux](install/linux.md)\n',
      'install.md': '# Install\n\nFirst paragraph.\n\nA paragraph between.\n\nSecond paragraph.\n',
      'install/solaris.md': '# Solaris\n\nThe sun.\n',
      '.gitbook/vars.yaml': 'edition: 3\n',
    };
    const again = await importInto(organization, sourceOf(changed), replacing(space));
    expect(again).toMatchObject({ changed: true, pages: 7 });
    const after = await read(space);
    const titles = (content: SpaceContent, parent?: string) => content.children(parent).map((page) => page.title);
    expect(titles(after)).toEqual(['Home', 'Use', 'Install', 'A blank page']);
    expect(titles(after, pageAt(after, 'install').id)).toEqual(['Windows', 'Solaris', 'Linux']);
    for (const path of ['readme', 'install', 'install/linux', 'install/windows', 'use'])
      expect(pageAt(after, path).id).toBe(pageAt(before, path).id);
    expect(pageAt(after, 'install').props).not.toHaveProperty('description');
    expect(after.variables.map((variable) => [variable.id, variable.props['value']])).toEqual([['edition', 3]]);
    const keys = (content: SpaceContent) =>
      content.document(pageAt(content, 'install'))?.nodes.map((node) => node.key) ?? [];
    const [first, second] = keys(before);
    expect(keys(after)).toEqual([first, expect.any(String), second]);
    const written = await app.current.database.query<{ key: string }>(
      `SELECT kind || ':' || id AS key FROM content_undo WHERE space_id = $1 AND sequence = (SELECT sequence FROM space WHERE id = $1)`,
      [space],
    );
    const keysWritten = written.map(({ key }) => key);
    const untouched = [
      `page:${pageAt(after, 'readme').id}`,
      ...after.files.map((file) => `file:${file.id}`),
      ...after.reusables.map((each) => `reusable:${each.id}`),
    ];
    expect(keysWritten.filter((key) => untouched.includes(key))).toEqual([]);
    // Of two pages that change places, one moves.
    expect(
      keysWritten.filter((key) =>
        ['install/linux', 'install/windows'].some((path) => key === `page:${pageAt(after, path).id}`),
      ),
    ).toHaveLength(1);
    expect(keysWritten).toContain(`page:${pageAt(after, 'install').id}`);
  });

  it('into the same space keeps the id of a file whose bytes have changed', async () => {
    const organization = await buildOrganization(app.current);
    const folder = (picture: Uint8Array): Files => ({
      'README.md': '# Home\n\n![Dot](.gitbook/assets/dot.png)\n',
      '.gitbook/assets/dot.png': picture,
    });
    const { space } = await importInto(organization, sourceOf(folder(PIXEL)));
    const before = await read(space);
    const other = new Uint8Array([...PIXEL, 0]);
    expect(await importInto(organization, sourceOf(folder(other)), replacing(space))).toMatchObject({
      changed: true,
      files: 1,
    });
    const after = await read(space);
    expect(after.files.map(({ id, title }) => [id, title])).toEqual(before.files.map(({ id, title }) => [id, title]));
    expect(after.files[0]?.hash).not.toBe(before.files[0]?.hash);
    expect(after.files[0]?.props['size']).toBe(other.length);
    expect(after.pages[0]?.hash).toBe(before.pages[0]?.hash);
  });

  it('reports every problem with its file and line, and imports nothing unseen', async () => {
    const organization = await buildOrganization(app.current);
    const { problems, files } = await importInto(
      organization,
      sourceOf({
        'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n* [Gone](gone.md)\n',
        'README.md':
          '---\nslug: a b\n---\n\n# Home\n\nA [link](nowhere.md).\n\n{% wonder %}\n\nText\n\n{% endwonder %}\n',
        'unlisted.md': '# Unlisted\n',
        'script.sh': 'echo',
      }),
    );
    expect(files).toBe(0);
    const places = problems.map(({ file, line }) => `${file}:${line}`);
    expect(places).toEqual(
      expect.arrayContaining(['SUMMARY.md:4', 'README.md:7', 'README.md:9', 'unlisted.md:1', 'script.sh:1']),
    );
    expect(problems.every(({ line, message }) => Number.isInteger(line) && line > 0 && message !== '')).toBe(true);
  });

  it('reads no symbolic links and no files with a second name', async () => {
    await inFolder({ 'README.md': '# Home\n', 'outside.md': '# Outside\n' }, async (outside) => {
      await inFolder({ 'README.md': '# Home\n' }, async (folder) => {
        await symlink(join(outside, 'outside.md'), join(folder, 'linked.md'));
        await symlink(outside, join(folder, 'linked'));
        await link(join(outside, 'outside.md'), join(folder, 'hard.md'));
        const { files, problems } = await readFolder(folder);
        expect([...files.keys()]).toEqual(['README.md']);
        expect(problems.map((problem) => problem.file).sort()).toEqual(['hard.md', 'linked', 'linked.md']);
      });
    });
  });

  it('is refused for people without the right, for a foreign space, and for a folder without pages; nothing is left then', async () => {
    const organization = await buildOrganization(app.current);
    const other = await buildOrganization(app.current);
    const reader = await organization.member('read');
    const { space } = await importInto(other, sourceOf(GUIDE));
    await expect(importInto(organization, sourceOf(GUIDE), { userId: reader.id })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(importInto(organization, sourceOf(GUIDE), { userId: other.admin.id })).rejects.toMatchObject({
      code: 'notFound',
    });
    await expect(importInto(organization, sourceOf(GUIDE), replacing(space))).rejects.toMatchObject({
      code: 'notFound',
    });
    await expect(importInto(organization, sourceOf({ 'picture.png': PIXEL }))).rejects.toMatchObject({
      code: 'invalid',
    });
    expect(
      await app.current.database.query('SELECT id FROM space WHERE organization_id = $1', [organization.id]),
    ).toEqual([]);
  });
});

describe('an export', () => {
  it('writes a folder that is read back as the same space, redirects included', async () => {
    const organization = await buildOrganization(app.current);
    const { space } = await importInto(organization, sourceOf(GUIDE));
    await inFolder({}, async (folder) => {
      const target = join(folder, 'new', 'export');
      expect(await app.current.get(Exporter).exportSpace(space, target)).toEqual({ pages: 8, files: 1, problems: [] });
      expect((await readdir(target)).sort()).toEqual(
        expect.arrayContaining(['.gitbook', '.gitbook.yaml', 'README.md', 'SUMMARY.md', 'install', 'use.md']),
      );
      expect(await readFile(join(target, '.gitbook/assets/dot.png'))).toEqual(PIXEL);
      const again = await importInto(organization, await readFolder(target));
      expect(again.problems).toEqual([]);
      expect(differences(portableItems(await read(space)), portableItems(await read(again.space)))).toEqual([]);
      expect(await readFile(join(target, 'blank.md'), 'utf8')).toBe('---\nreviewer: Mira\n---\n\n# A _blank_ page\n');
      const redirects = 'SELECT path, given IS NOT NULL AS given FROM page_redirect WHERE space_id = $1 ORDER BY path';
      expect(await app.current.database.query(redirects, [again.space])).toEqual(
        await app.current.database.query(redirects, [space]),
      );
      await expect(app.current.get(Exporter).exportSpace(space, target)).rejects.toMatchObject({ code: 'invalid' });
    });
  });

  it('tells two spaces apart by a word, a place, a file or a variable', async () => {
    const organization = await buildOrganization(app.current);
    const base = portableItems(await read((await importInto(organization, sourceOf(GUIDE))).space));
    const variants: readonly (readonly [string, Files])[] = [
      ['use', { 'use.md': `${String(GUIDE['use.md'])}\nOne more word.\n` }],
      ['use', { 'SUMMARY.md': String(GUIDE['SUMMARY.md']).replace('[Use]', '[Used]') }],
      ['(variables)', { '.gitbook/vars.yaml': 'version: "2.2"\n' }],
      ['install', { 'install.md': String(GUIDE['install.md']).replace('description', 'reviewer') }],
      ['(Note)', { '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nMind the gaps.\n' }],
    ];
    for (const [name, files] of variants) {
      const variant = portableItems(
        await read((await importInto(organization, sourceOf({ ...GUIDE, ...files }))).space),
      );
      expect(differences(base, variant)).toEqual([name]);
    }
  });
});

describe('tags', () => {
  const TAGS = '- tag: Beta\n  label: Beta\n  icon: flask\n  color: green\n- tag: new\n  label: New\n  emoji: 1f680\n';
  const TAGGED: Files = {
    'README.md': '---\ntags:\n  - ours\n  - new\n  - tag: beta\n    primary: true\n---\n\n# Home\n\nWelcome.\n',
    'other.md': '# Other\n\nMore.\n',
    '.gitbook/tags.yaml': TAGS,
  };
  const tagsOf = (content: SpaceContent) =>
    content.tags.map(({ id, title, props }) => ({ id, title, ...props })).sort((a, b) => (a.id < b.id ? -1 : 1));

  it('of a file are those of the space, are on the pages that name them, and come back from an export', async () => {
    const organization = await buildOrganization(app.current);
    const { space, problems } = await importInto(organization, sourceOf(TAGGED));
    expect(problems).toEqual([]);
    const content = await read(space);
    expect(tagsOf(content)).toEqual([
      { id: 'beta', title: 'Beta', color: 'green', icon: 'flask' },
      { id: 'new', title: 'New', emoji: '1f680' },
    ]);
    const home = pageAt(content, 'readme');
    expect(home.props).toMatchObject({ tags: ['beta', 'new'], primaryTag: 'beta' });
    expect(content.document(home)?.data.frontmatter).toEqual({ tags: ['ours'] });
    await inFolder({}, async (folder) => {
      await app.current.get(Exporter).exportSpace(space, join(folder, 'out'));
      expect(await readFile(join(folder, 'out/.gitbook/tags.yaml'), 'utf8')).toBe(
        TAGS.replace('tag: Beta', 'tag: beta'),
      );
      expect(await importInto(organization, await readFolder(join(folder, 'out')), replacing(space))).toMatchObject({
        changed: false,
      });
      const { space: twin } = await importInto(organization, await readFolder(join(folder, 'out')));
      expect(differences(portableItems(content), portableItems(await read(twin)))).toEqual([]);
    });
  });

  it('follow the file at the next import, and stay as they are without one', async () => {
    const organization = await buildOrganization(app.current);
    const { space } = await importInto(organization, sourceOf(TAGGED));
    const again = (files: Files) => importInto(organization, sourceOf({ ...TAGGED, ...files }), replacing(space));
    const { '.gitbook/tags.yaml': _tags, ...untold } = TAGGED;
    await importInto(organization, sourceOf({ ...untold, 'README.md': '# Home\n\nWelcome.\n' }), replacing(space));
    expect(tagsOf(await read(space))).toHaveLength(2);
    expect(pageAt(await read(space), 'readme').props).toMatchObject({ tags: ['beta', 'new'] });
    await again({
      '.gitbook/tags.yaml': '- tag: beta\n  color: red\n  emoji: 1f4a1\n- tag: third\n',
      'README.md': '# Home\n',
    });
    expect(tagsOf(await read(space))).toEqual([
      { id: 'beta', title: 'beta', color: 'red', emoji: '1f4a1' },
      { id: 'third', title: 'third' },
    ]);
    expect(pageAt(await read(space), 'readme').props['tags']).toBeUndefined();
    await again({ '.gitbook/tags.yaml': '[]\n' });
    expect(tagsOf(await read(space))).toEqual([]);
    const { problems } = await again({
      '.gitbook/tags.yaml':
        '- tag: a\n  color: loud\n- label: None\n- tag: a\n- tag: b\n  icon: x y\n- tag: c\n  icon: star\n  emoji: 1f680\n',
    });
    expect(problems.map(({ line, message }) => `${line} ${message}`)).toEqual([
      '1 the `color` of the tag a is left out: it is none that a tag can have',
      expect.stringMatching(/^3 an entry has no `tag`/),
      '4 the tag a is defined twice',
      '5 the `icon` of the tag b is left out: it is none that a tag can have',
      '7 the `icon` of the tag c is left out: a tag has an emoji or an icon, not both',
    ]);
    for (const text of ['- tag: [', 'a: 1\n']) {
      const { problems: faults } = await again({ '.gitbook/tags.yaml': text });
      expect(faults).toMatchObject([{ file: '.gitbook/tags.yaml', line: 1, rule: 'configuration' }]);
    }
    expect(tagsOf(await read(space)).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });
});

describe('a git repository', () => {
  let server: GitServer;
  beforeAll(async () => {
    server = await GitServer.start();
  });
  afterAll(() => server.stop());

  it('is laid into a folder at the commit asked for, which is gone afterwards', async () => {
    const repository = await TestRepository.create();
    const first = await repository.commit('refs/heads/main', 'First\n', {
      'README.md': '# One\n',
      'guide/start.md': '# Start\n',
    });
    const tagged = await repository.commit('refs/tags/v2', 'Second\n', { 'README.md': '# Two\n' });
    server.serve('docs', repository);
    const seen: string[] = [];
    for (const ref of [undefined, 'main', 'v2', tagged]) {
      await withCheckout(
        { url: `${server.url}/docs.git`, ...(ref !== undefined && { ref }) },
        httpNode,
        async ({ folder, commit, objects, refused }) => {
          expect(refused).toEqual([]);
          expect(commit.oid).toBe(ref === undefined || ref === 'main' ? first : tagged);
          expect(commit.message).toBe(commit.oid === first ? 'First' : 'Second');
          expect(await readFile(join(folder, 'README.md'), 'utf8')).toBe(commit.oid === first ? '# One\n' : '# Two\n');
          expect([...objects.keys()].sort()).toEqual(
            commit.oid === first ? ['README.md', 'guide/start.md'] : ['README.md'],
          );
          seen.push(folder);
        },
      );
    }
    expect(seen).toHaveLength(4);
    expect(seen.filter((folder) => existsSync(folder))).toEqual([]);
  });

  it('is imported with the commit that it came from, through guarded requests only', async () => {
    const repository = await TestRepository.create();
    const oid = await repository.commit('refs/heads/main', 'Explain the brewing\n', {
      '.gitbook.yaml': 'root: ./docs/\n',
      'docs/README.md': '# Brewing\n\n![Dot](.gitbook/assets/dot.png)\n\n{% include ".gitbook/includes/note.md" %}\n',
      'docs/tea.md': '# Tea\n',
      'docs/.gitbook/assets/dot.png': PIXEL,
      'docs/.gitbook/includes/note.md': 'Mind the gap.\n',
      'docs/gone.md': { link: '/etc/passwd' },
    });
    server.serve('brewing', repository);
    const organization = await buildOrganization(app.current);
    const url = `${server.url}/brewing.git`;
    const outbound = app.current.get(Outbound);
    const { space, problems } = await withCheckout(
      { url, ref: 'main' },
      guardedGitHttp(outbound, { httpsOnly: false }),
      async ({ folder, commit, objects, refused }) => {
        expect(refused).toEqual([{ path: 'docs/gone.md', message: expect.any(String) }]);
        return importInto(organization, { ...(await readFolder(folder)), git: { commit, objects } });
      },
    );
    expect(problems.filter(({ level }) => level !== 'notice')).toEqual([]);
    const { api } = organization.admin;
    const revision = (
      await api.get<{ git: object; files: object[]; reusableContents: object[] }>(`/spaces/${space}/content`)
    ).body;
    const blob = (path: string) => ({ git: { oid: expect.stringMatching(/^[0-9a-f]{40}$/), path } });
    expect(revision.files).toMatchObject([blob('docs/.gitbook/assets/dot.png')]);
    expect(revision.reusableContents).toMatchObject([blob('docs/.gitbook/includes/note.md')]);
    const without = await api.get<{ files: object[]; reusableContents: object[] }>(`/spaces/${space}/content`, {
      query: { metadata: false },
    });
    for (const each of [without.body, ...without.body.files, ...without.body.reusableContents])
      expect(each).not.toHaveProperty('git');
    expect(revision.git).toEqual({ oid, message: 'Explain the brewing', createdByGitBook: false, url, ref: 'main' });
    const tea = (await api.get<{ git: object }>(`/spaces/${space}/content/path/tea`)).body;
    expect(tea.git).toEqual({ oid: expect.stringMatching(/^[0-9a-f]{40}$/), path: 'docs/tea.md' });

    await repository.commit('refs/heads/main', 'Explain more\n', {
      '.gitbook.yaml': 'root: ./docs/\n',
      'docs/README.md': '# Brewing\n',
      'docs/tea.md': '# Tea\n\nPour it.\n',
    });
    await withCheckout(
      { url, ref: 'main' },
      guardedGitHttp(outbound, { httpsOnly: false }),
      async ({ folder, commit: again, objects }) =>
        importInto(organization, { ...(await readFolder(folder)), git: { commit: again, objects } }, replacing(space)),
    );
    const current = (await api.get<{ id: string }>(`/spaces/${space}/content`)).body.id;
    const poured = (await api.get<{ git: object; documentId: string }>(`/spaces/${space}/content/path/tea`)).body;
    const changesWith = async (metadata: boolean) =>
      (
        await api.get<{ changes: { page?: { path: string }; attributes?: object }[] }>(
          `/spaces/${space}/revisions/${current}/changes`,
          { query: { metadata } },
        )
      ).body.changes.find(({ page }) => page?.path === 'tea');
    expect((await changesWith(true))?.attributes).toEqual({
      document: { after: poured.documentId },
      git: { before: tea.git, after: poured.git },
    });
    expect((await changesWith(false))?.attributes).toEqual({ document: { after: poured.documentId } });

    const none = async () => 'done';
    await expect(withCheckout({ url }, guardedGitHttp(outbound), none)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('https'),
    });
    await expect(
      withCheckout({ url }, guardedGitHttp(new Outbound({ outboundAllow: [] }), { httpsOnly: false }), none),
    ).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('not allowed') });
    await expect(
      withCheckout({ url }, guardedGitHttp(outbound, { httpsOnly: false, maxBytes: 100 }), none),
    ).rejects.toMatchObject({ code: 'tooLarge' });
    server.answers.set('/moved.git/info/refs', (response) => response.writeHead(302, { Location: url }).end());
    await expect(
      withCheckout({ url: `${server.url}/moved.git` }, guardedGitHttp(outbound, { httpsOnly: false }), none),
    ).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('redirects to') });
    server.answers.set('/silent.git/info/refs', () => undefined);
    await expect(
      withCheckout(
        { url: `${server.url}/silent.git` },
        guardedGitHttp(outbound, { httpsOnly: false, timeout: 300 }),
        none,
      ),
    ).rejects.toMatchObject({ code: 'invalid' });
  });

  it('gives no symbolic links, submodules or unusable names, and says so', async () => {
    const repository = await TestRepository.create();
    await repository.commit('refs/heads/main', 'Tricks', {
      'README.md': '# Fine\n',
      'secrets.md': { link: '/etc/passwd' },
      lib: { submodule: 'a'.repeat(40) },
      'readme.md': 'other',
      'bell\u0007.md': 'x',
    });
    server.serve('tricks', repository);
    await withCheckout({ url: `${server.url}/tricks.git` }, httpNode, async ({ objects, refused }) => {
      expect(objects.size).toBe(1);
      expect(refused.map(({ path, message }) => `${path}: ${message}`).sort()).toEqual([
        'bell\u0007.md: the name cannot be used in a folder',
        'lib: submodules are not followed',
        'readme.md: differs from README.md only in capitals',
        'secrets.md: symbolic links are not followed',
      ]);
    });
  });

  it('is refused when it is larger than allowed, absent, empty or not fetched by https', async () => {
    const repository = await TestRepository.create();
    await repository.commit('refs/heads/main', 'Large', { 'large.bin': new Uint8Array(300_000) });
    server.serve('large', repository);
    const large = (limits: { objectBytes: number; totalBytes: number; objects: number }) =>
      withCheckout({ url: `${server.url}/large.git` }, httpNode, async () => 'done', limits);
    await expect(large({ objectBytes: 299_999, totalBytes: 1e9, objects: 10 })).rejects.toMatchObject({
      code: 'tooLarge',
    });
    await expect(large({ objectBytes: 1e9, totalBytes: 300_000, objects: 10 })).rejects.toMatchObject({
      code: 'tooLarge',
    });
    await expect(large({ objectBytes: 1e9, totalBytes: 1e9, objects: 2 })).rejects.toMatchObject({ code: 'tooLarge' });
    await expect(large({ objectBytes: 300_000, totalBytes: 300_500, objects: 3 })).resolves.toBe('done');
    const none = async () => 'done';
    await expect(withCheckout({ url: `${server.url}/nothing.git` }, httpNode, none)).rejects.toMatchObject({
      code: 'invalid',
      details: [{ path: 'url' }],
    });
    await expect(withCheckout({ url: `${server.url}/large.git`, ref: 'absent' }, httpNode, none)).rejects.toMatchObject(
      { code: 'invalid', details: [{ path: 'ref' }] },
    );
    const unsafe = await TestRepository.create();
    await unsafe.commit('refs/heads/main', 'Unsafe', { '.git/config': 'x' });
    server.serve('unsafe', unsafe);
    await expect(withCheckout({ url: `${server.url}/unsafe.git` }, httpNode, none)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('.git'),
    });
    server.serve('empty', await TestRepository.create());
    await expect(withCheckout({ url: `${server.url}/empty.git` }, httpNode, none)).rejects.toMatchObject({
      code: 'invalid',
    });
    for (const address of [
      'http://example.com/a.git',
      'ssh://git@example.com/a',
      'git@example.com:a/b',
      'file:///etc',
      'https://user:secret@example.com/a.git',
      'ext::sh -c x',
    ]) {
      expect(() => readRepositoryAddress(address)).toThrow();
    }
    expect(readRepositoryAddress('https://example.com/a/b/')).toBe('https://example.com/a/b');
  });
});
