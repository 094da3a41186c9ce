import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Exporter } from '../src/authoring/interchange/exporter.service.js';
import { isManagedPath, mergedConfig } from '../src/authoring/interchange/domain/repository-layout.js';
import { newRepository, PACK_LIMITS } from '../src/authoring/interchange/git/repository.js';
import { readRemote } from '../src/authoring/interchange/git/repository-address.js';
import { GitImporter } from '../src/operations/imports/git/git-importer.service.js';
import { GitTransport } from '../src/operations/imports/git/git-transport.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { GitServer, TestRepository, type Entry } from './git-server.js';

const app = useApp();
let server: GitServer;
let organization: Workspace;

beforeAll(async () => {
  server = await GitServer.start();
  app.current.get(GitTransport).httpsOnly = false;
});
afterAll(() => server.stop());

interface Run {
  status: string;
  error?: string;
  changed?: boolean;
  revision?: string;
  source: object;
  target: { changeRequest?: string };
}

interface Revision {
  id: string;
  git?: object;
  pages: { id: string; slug: string; git?: object }[];
  files: { id: string; git?: object }[];
  reusableContents: { git?: object }[];
}

const FILES: Readonly<Record<string, Entry>> = {
  LICENSE: 'Free.',
  '.gitbook.yaml': '# Ours\nroot: ./docs/\n',
  'docs/README.md': '# Home\n\n{% include ".gitbook/includes/note.md" %}\n',
  'docs/Getting_Started.md': '# Getting started\n\nFirst.\n',
  'docs/script.js': 'run()',
  'docs/.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nMind the gap.\n',
  'docs/.gitbook/assets/a.txt': 'A file.',
};
const INFO = { provider: 'github', url: 'https://git.example.com/docs/tree/main' };

beforeEach(async () => {
  organization = await buildOrganization(app.current);
});

async function makeSpace(): Promise<string> {
  return (
    await organization.admin.api.post<{ id: string }>(`/orgs/${organization.id}/spaces`, {
      title: 'Guide',
      empty: true,
    })
  ).body.id;
}

async function serve(name: string, files: Readonly<Record<string, Entry>> = FILES): Promise<TestRepository> {
  const repository = await TestRepository.create();
  await repository.commit('refs/heads/main', 'Begin\n', files);
  server.serve(name, repository);
  return repository;
}

/** Orders an import or export; returns the path of its run. */
async function order(space: string, kind: 'import' | 'export', name: string, body: object = {}): Promise<string> {
  const { status, headers } = await organization.admin.api.post(`/spaces/${space}/git/${kind}`, {
    url: `${server.url}/${name}.git`,
    ref: 'refs/heads/main',
    ...(kind === 'export' && { commitMessage: 'Write it down' }),
    ...body,
  });
  expect(status).toBe(204);
  return (headers.get('location') ?? '').replace(`${app.current.url}/v1`, '');
}

const runAt = async (path: string): Promise<Run> => (await organization.admin.api.get<Run>(path)).body;

/** Orders an import or export, lets it run and gives how it ended. */
async function sync(space: string, kind: 'import' | 'export', name: string, body: object = {}): Promise<Run> {
  const path = await order(space, kind, name, body);
  await app.current.get(Jobs).drain();
  return runAt(path);
}

const revisionOf = async (space: string): Promise<Revision> =>
  (await organization.admin.api.get<Revision>(`/spaces/${space}/content`)).body;

describe('an import from a repository', () => {
  it('makes the space say what the repository says, and tells where it came from', async () => {
    const space = await makeSpace();
    expect((await organization.admin.api.get(`/spaces/${space}/git/info`)).status).toBe(404);
    const repository = await serve('docs');
    // Callers with a cache of repositories name it; here is none.
    const options = { gitInfo: INFO, repoCommitURL: 'https://git.example.com/docs/commit/', repoCacheID: 'a cache' };
    const first = await sync(space, 'import', 'docs', options);
    expect(first).toMatchObject({ status: 'completed', changed: true });
    const oid = repository.refs.get('refs/heads/main') ?? '';
    const revision = await revisionOf(space);
    expect(revision.git).toEqual({
      oid,
      message: 'Begin',
      createdByGitBook: false,
      url: `https://git.example.com/docs/commit/${oid}`,
      ref: 'refs/heads/main',
    });
    expect(revision.pages.map(({ slug, git }) => [slug, git])).toEqual([
      ['readme', expect.objectContaining({ path: 'docs/README.md' })],
      ['getting-started', expect.objectContaining({ path: 'docs/Getting_Started.md' })],
    ]);
    const state = { repoName: 'docs', installationProvider: 'github', url: INFO.url, updatedAt: expect.any(String) };
    expect((await organization.admin.api.get(`/spaces/${space}/git/info`)).body).toEqual(state);
    expect((await organization.admin.api.get(`/spaces/${space}`)).body).toMatchObject({
      gitSync: state,
      permissions: { triggerGitSync: true },
    });
    expect(await sync(space, 'import', 'docs', options)).toMatchObject({
      status: 'completed',
      changed: false,
      revision: revision.id,
    });
    const inside = await sync(await makeSpace(), 'import', 'docs', { repoProjectDirectory: '/docs/' });
    expect(inside).toMatchObject({ status: 'completed' });
    expect(await sync(space, 'import', 'docs', { repoProjectDirectory: 'nowhere', force: true })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('repoProjectDirectory'),
    });
    expect(await sync(space, 'import', 'docs', { timestamp: '2020-01-01T00:00:00.000Z' })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('newer'),
    });
    const now = new Date(Date.now() + 23.5 * 3_600_000).toISOString().replace('Z', '+23:30');
    expect(await sync(space, 'import', 'docs', { timestamp: now })).toMatchObject({ status: 'completed' });
    expect((await sync(space, 'import', 'docs', { standalone: true })).target).toEqual({ space });
    await repository.commit('refs/heads/main', 'Add a page\n', { 'docs/more.md': '# More\n' });
    const apart = await sync(space, 'import', 'docs', { standalone: true });
    expect(apart).toMatchObject({ status: 'completed', target: { changeRequest: expect.any(String) } });
    expect((await revisionOf(space)).id).toBe(revision.id);
    expect((await organization.admin.api.delete(`/spaces/${space}`)).status).toBe(204);
    expect((await organization.admin.api.get(`/orgs/${organization.id}/trash`)).body).toMatchObject({
      items: [{ id: space, gitSync: { repoName: 'docs' } }],
    });
  });

  it('lets itself in with what stands in the address, which is shown and kept nowhere', async () => {
    const space = await makeSpace();
    await serve('closed');
    server.credentials = 'x-access-token:s3cr3t/';
    try {
      expect(await sync(space, 'import', 'closed')).toMatchObject({
        status: 'failed',
        error: expect.stringContaining('401'),
      });
      const done = await sync(space, 'import', 'closed', {
        url: `${server.url.replace('://', '://x-access-token:s3cr3t%2F@')}/closed.git`,
      });
      expect(done).toMatchObject({ status: 'completed' });
      expect(
        JSON.stringify([
          done,
          (await organization.admin.api.get(`/spaces/${space}/git/info`)).body,
          await revisionOf(space),
        ]),
      ).not.toContain('s3cr3t');
      const rows = await app.current.database.query<{ kept: string; secret: Buffer | null }>(
        'SELECT i::text AS kept, i.secret FROM import_run i WHERE i.space_id = $1',
        [space],
      );
      expect(rows.map(({ secret }) => secret)).toEqual([null, null]);
      expect(JSON.stringify(rows)).not.toContain('s3cr3t');
    } finally {
      server.credentials = undefined;
    }
  });

  it('is named by the answer to its order, and its end is waited for', async () => {
    const space = await makeSpace();
    await serve('awaited');
    const path = await order(space, 'import', 'awaited');
    expect(path).toMatch(new RegExp(`^/org/${organization.id}/imports/\\w+$`));
    const { api } = organization.admin;
    expect((await api.get(path, { query: { wait: '0' } })).body).toMatchObject({ status: 'pending' });
    const begun = performance.now();
    expect((await api.get(path, { query: { wait: '1' } })).body).toMatchObject({ status: 'pending' });
    expect(performance.now() - begun).toBeGreaterThan(900);
    const awaited = api.get(path, { query: { wait: '60' } });
    await app.current.get(Jobs).drain();
    expect((await awaited).body).toMatchObject({ status: 'completed' });
    for (const wait of ['61', '-1', 'long']) expect((await api.get(path, { query: { wait } })).status).toBe(400);
  });

  it('waits for what is done to the same space before it, and for nothing else', async () => {
    const [space, other] = [await makeSpace(), await makeSpace()];
    await serve('busy');
    const first = await order(space, 'import', 'busy');
    const second = await order(space, 'export', 'busy');
    const elsewhere = await order(other, 'import', 'busy');
    const jobs = app.current.get(Jobs);
    const importer = app.current.get(GitImporter);
    const work = importer.import.bind(importer);
    const meanwhile: string[] = [];
    const importing = jest.spyOn(importer, 'import').mockImplementationOnce(async (...run) => {
      await jobs.drain();
      for (const path of [first, second, elsewhere]) meanwhile.push((await runAt(path)).status);
      return work(...run);
    });
    try {
      await jobs.drain();
    } finally {
      importing.mockRestore();
    }
    expect(meanwhile).toEqual(['in-progress', 'pending', 'completed']);
    await app.current.database.execute(
      `UPDATE jobs.job SET start_after = now() - interval '1 second' WHERE name = 'imports.run' AND state < 'active'`,
      [],
    );
    await jobs.drain();
    expect([(await runAt(first)).status, (await runAt(second)).status]).toEqual(['completed', 'completed']);
  });

  it('is by https to public addresses only', async () => {
    const space = await makeSpace();
    const { api } = organization.admin;
    const statusOf = (body: object) =>
      api
        .post(`/spaces/${space}/git/import`, { url: 'https://git.example.com/docs.git', ref: 'main', ...body })
        .then(({ status }) => status);
    app.current.get(GitTransport).httpsOnly = true;
    const statuses = [
      await statusOf({ url: `${server.url}/docs.git` }),
      await statusOf({ url: 'git@git.example.com:docs.git' }),
      await statusOf({ url: 'file:///etc' }),
    ];
    app.current.get(GitTransport).httpsOnly = false;
    expect(statuses).toEqual([400, 400, 400]);
    expect(await statusOf({ repoProjectDirectory: '../up' })).toBe(400);
    expect(await statusOf({ ref: '--upload-pack=x' })).toBe(400);
    expect(await statusOf({ repoTreeURL: 'javascript:alert(1)' })).toBe(400);
    expect(await sync(space, 'import', 'docs', { url: 'http://10.0.0.1/docs.git' })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('not allowed'),
    });
  });
});

describe('an export into a repository', () => {
  it('puts one commit onto the branch, keeps what is no documentation, and notes where everything is', async () => {
    const space = await makeSpace();
    const repository = await serve('two-way');
    await sync(space, 'import', 'two-way', { repoTreeURL: 'https://git.example.com/first' });
    const from = async () => (await organization.admin.api.get<object>(`/spaces/${space}/git/info`)).body;
    expect(await from()).toMatchObject({ url: 'https://git.example.com/first' });
    const before = repository.refs.get('refs/heads/main') ?? '';
    const { api } = organization.admin;
    await api.patch(`/spaces/${space}`, { editMode: 'live' });
    const revision = await revisionOf(space);
    const page = revision.pages.find(({ slug }) => slug === 'getting-started');
    await api.post(`/spaces/${space}/content`, {
      changes: [
        {
          operation: 'update_page',
          page: page?.id,
          document: { markdown: '# Getting started\n\nFirst, then second.\n' },
        },
        { operation: 'insert_page', title: 'New page', document: { markdown: 'Fresh.' } },
      ],
    });
    expect(await sync(space, 'export', 'two-way', { timestamp: '2020-01-01T00:00:00.000Z' })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('newer'),
    });
    const done = await sync(space, 'export', 'two-way', {
      repoCommitURL: 'https://git.example.com/commit',
      repoCacheID: 'a cache',
      gitInfo: INFO,
    });
    expect(await from()).toMatchObject({ installationProvider: 'github', url: INFO.url });
    expect(done).toMatchObject({ status: 'completed', changed: true });
    const oid = repository.refs.get('refs/heads/main') ?? '';
    expect(await repository.commitAt(oid)).toMatchObject({
      message: 'Write it down\n',
      parent: [before],
      author: { email: organization.admin.email },
    });
    const files = await repository.files(oid);
    expect(files).toMatchObject({
      LICENSE: 'Free.',
      'docs/script.js': 'run()',
      'docs/.gitbook/assets/a.txt': 'A file.',
      'docs/Getting_Started.md': '# Getting started\n\nFirst, then second.\n',
    });
    expect(Object.keys(files).sort()).toEqual([...Object.keys(FILES), 'docs/SUMMARY.md', 'docs/new-page.md'].sort());
    expect(files['.gitbook.yaml']).toBe('# Ours\nroot: ./docs/\n');
    const noted = await revisionOf(space);
    expect(noted.git).toEqual({
      oid,
      message: 'Write it down',
      createdByGitBook: true,
      url: `https://git.example.com/commit/${oid}`,
      ref: 'refs/heads/main',
    });
    for (const each of [...noted.pages, ...noted.files, ...noted.reusableContents])
      expect(each.git).toEqual({
        oid: expect.stringMatching(/^[0-9a-f]{40}$/),
        path: expect.stringMatching(/^docs\//),
      });
    const other = { repoTreeURL: 'https://git.example.com/other' };
    expect(await sync(space, 'export', 'two-way', other)).toMatchObject({ status: 'completed', changed: false });
    expect(await from()).toMatchObject({ url: 'https://git.example.com/other' });
    expect(repository.refs.get('refs/heads/main')).toBe(oid);
    expect(await sync(space, 'import', 'two-way')).toMatchObject({
      status: 'completed',
      changed: false,
      revision: noted.id,
    });
  });

  it('keeps the bytes of what has not changed, in other pages and in the same one', async () => {
    const files = {
      '.gitbook.yaml': '# Ours\nroot: ./docs\n\nredirects:\n  # Moved\n  "old": ./guide.md\n  gone: nowhere.md\n',
      'docs/SUMMARY.md':
        '# Contents\n\n- [Home](./README.md)\n- [Guide](guide.md)\n    - [Part \\(one\\)](parts/one.md)\n',
      'docs/README.md': '\uFEFFHome\r\n====\r\n\r\nOne *word*,\r\nin two lines - and __more__.\r\n\r\n\r\n+ A\r\n+ B',
      'docs/guide.md':
        '---\n# Ours\nowner: \'Mira\'\ndescription: "Short" # keep\nicon: book\n---\n# Guide\nTight, see [one][1] and [home](README.md).\n\n' +
        '| a|b |\n|--|:--|\n| 1 | two |\n| 3 | four |\n\n{% hint style="info" %}\nMind   *this*.\n\n* and\n   * that\n{% endhint %}\n\n[1]: parts/one.md\n',
      'docs/parts/one.md': '# Part (one)\n\nSetext\n------\n\n~~~js\nrun()\n~~~\n\nA foot[^n].\n\n[^n]: Note.\n',
      'docs/hidden.md': '# Hidden\n\nNot listed.\n\n***\n',
      'docs/tagged.md': '---\ntags: [ours, "new", {tag: beta, primary: true}] # keep\n---\n\n# Tagged\n',
      'docs/.gitbook/tags.yaml':
        '# Ours\n- tag: new\n  label: "New"\n\n- {tag: beta, label: Beta, icon: flask} # soon\n',
    };
    const space = await makeSpace();
    const repository = await serve('bytes', files);
    const { api } = organization.admin;
    await api.patch(`/spaces/${space}`, { editMode: 'live' });
    await sync(space, 'import', 'bytes');
    const head = () => repository.refs.get('refs/heads/main') ?? '';
    const first = head();
    expect(await sync(space, 'export', 'bytes')).toMatchObject({ status: 'completed' });
    expect(await repository.files(head())).toEqual(files);
    expect(head()).toBe(first);
    const pageOf = async (slug: string) => {
      type Found = { id: string; slug: string; pages: Found[] };
      const find = (pages: readonly Found[]): Found | undefined =>
        pages.find((page) => page.slug === slug) ?? pages.map(({ pages: inner }) => find(inner)).find(Boolean);
      return find((await api.get<{ pages: Found[] }>(`/spaces/${space}/content`)).body.pages)?.id ?? '';
    };
    const write = async (...changes: object[]) =>
      expect((await api.post(`/spaces/${space}/content`, { changes })).status).toBe(200);
    const edit = async (slug: string, change: (json: string) => string) => {
      const page = await pageOf(slug);
      const { body } = await api.get<{ document: object }>(`/spaces/${space}/content/page/${page}`, {
        query: { format: 'document' },
      });
      const document = JSON.parse(change(JSON.stringify(body.document))) as object;
      await write({ operation: 'update_page', page, document: { document } });
    };
    await edit('guide', (json) => json.replace('Mind', 'Heed').replace('four', 'five'));
    await edit('readme', (json) => json.replace('lines', 'rows'));
    await write(
      { operation: 'update_page', page: await pageOf('guide'), description: 'Long' },
      { operation: 'update_page', page: await pageOf('tagged'), icon: 'tag' },
      { operation: 'update_tag', tag: 'new', label: 'Fresh' },
      { operation: 'insert_tag', label: 'Third', color: 'green' },
    );
    expect(await sync(space, 'export', 'bytes')).toMatchObject({ status: 'completed' });
    const edited = {
      ...files,
      'docs/README.md': files['docs/README.md'].replace('lines', 'rows'),
      'docs/guide.md': files['docs/guide.md']
        .replace('Mind', 'Heed')
        .replace('four', 'five')
        .replace('"Short" # keep', '"Long"'),
      'docs/tagged.md': files['docs/tagged.md'].replace('# keep\n', '# keep\nicon: tag\n'),
      'docs/.gitbook/tags.yaml': `${files['docs/.gitbook/tags.yaml'].replace('"New"', 'Fresh')}- tag: third\n  label: Third\n  color: green\n`,
    };
    expect(await repository.files(head())).toEqual(edited);
    await write(
      { operation: 'insert_page', title: 'New', at: 1, document: { markdown: 'New.' } },
      { operation: 'update_page', page: await pageOf('one'), slug: 'first' },
    );
    expect(await sync(space, 'export', 'bytes')).toMatchObject({ status: 'completed' });
    const { 'docs/parts/one.md': one, ...others } = edited;
    const moved = 'docs/guide/first.md';
    const after = await repository.files(head());
    expect(Object.keys(after).sort()).toEqual([...Object.keys(others), 'docs/new.md', moved].sort());
    expect(after).toMatchObject({
      ...others,
      [moved]: one,
      'docs/SUMMARY.md': files['docs/SUMMARY.md']
        .replace('- [Guide]', '- [New](new.md)\n- [Guide]')
        .replace('\\)](parts/one.md', ')](guide/first.md'),
      'docs/guide.md': edited['docs/guide.md']
        .replace('[one][1]', '[one](guide/first.md)')
        .replace('\n[1]: parts/one.md\n', ''),
    });
    expect(await sync(space, 'import', 'bytes')).toMatchObject({ status: 'completed', changed: false });
  });

  it('3b-4 sends nothing to a repository for somebody who has lost the right while it was written out', async () => {
    const space = await makeSpace();
    const [member, { api }] = [await organization.member('create'), organization.admin];
    await api.patch(`/spaces/${space}`, { editMode: 'live' });
    await api.post(`/spaces/${space}/content`, {
      changes: [{ operation: 'insert_page', title: 'Private', document: { markdown: 'Private.' } }],
    });
    const repository = await serve('lost', { 'README.md': '# Theirs\n' });
    const before = repository.refs.get('refs/heads/main');
    const exporter = app.current.get(Exporter);
    const exportTree = exporter.exportTree.bind(exporter);
    const writing = jest.spyOn(exporter, 'exportTree').mockImplementationOnce(async (...order) => {
      const written = await exportTree(...order);
      await api.delete(`/orgs/${organization.id}/members/${member.id}`);
      return written;
    });
    try {
      expect(
        (
          await member.api.post(`/spaces/${space}/git/export`, {
            url: `${server.url}/lost.git`,
            ref: 'main',
            commitMessage: 'Out',
            force: true,
          })
        ).status,
      ).toBe(204);
      await app.current.get(Jobs).drain();
      expect(writing).toHaveBeenCalledTimes(1);
    } finally {
      writing.mockRestore();
    }
    expect(repository.refs.get('refs/heads/main')).toBe(before);
  });

  it('changes no branch with commits that were not imported, unless it is forced to', async () => {
    const space = await makeSpace();
    const { api } = organization.admin;
    await api.patch(`/spaces/${space}`, { editMode: 'live' });
    await api.post(`/spaces/${space}/content`, {
      changes: [{ operation: 'insert_page', title: 'Mine', document: { markdown: 'Mine.' } }],
    });
    const repository = await serve('theirs', { 'README.md': '# Theirs\n', 'notes.txt': 'Kept.' });
    const before = repository.refs.get('refs/heads/main');
    expect(await sync(space, 'export', 'theirs')).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('not imported'),
    });
    expect(repository.refs.get('refs/heads/main')).toBe(before);
    expect(await sync(space, 'export', 'theirs', { force: true })).toMatchObject({ status: 'completed' });
    expect(Object.keys(await repository.files(repository.refs.get('refs/heads/main') ?? '')).sort()).toEqual([
      '.gitbook.yaml',
      'SUMMARY.md',
      'mine.md',
      'notes.txt',
    ]);
    expect(
      await sync(space, 'export', 'theirs', {
        ref: 'fresh',
        commitMessage: 'On another branch',
        repoProjectDirectory: 'docs',
      }),
    ).toMatchObject({ status: 'completed' });
    expect(Object.keys(await repository.files(repository.refs.get('refs/heads/fresh') ?? '')).sort()).toEqual([
      'docs/.gitbook.yaml',
      'docs/SUMMARY.md',
      'docs/mine.md',
    ]);
    expect(
      (
        await api.post(`/spaces/${space}/git/export`, {
          url: `${server.url}/theirs.git`,
          ref: 'refs/tags/v1',
          commitMessage: 'x',
        })
      ).status,
    ).toBe(400);
  });
});

describe('a large repository in memory', () => {
  /** Counts the turns of the event loop that others have while something is done. */
  async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await work();
    isOver = true;
    return turns;
  }

  const OBJECTS = 20_000;
  const fs = newRepository(PACK_LIMITS);
  const blob = Buffer.concat([Buffer.from([0x31]), deflateSync('x')]);
  const head = Buffer.from('PACK\0\0\0\u0002\0\0\0\0', 'latin1');
  head.writeUInt32BE(OBJECTS, 8);
  const pack = Buffer.concat([head, ...Array.from({ length: OBJECTS }, () => blob), Buffer.alloc(20)]);

  it('is checked and stored while others go on', async () => {
    expect(await turnsDuring(() => fs.promises.writeFile('/large.pack', pack))).toBeGreaterThan(2);
    expect(await fs.promises.readFile('/large.pack')).toHaveLength(pack.length);
    await expect(fs.promises.writeFile('/other.pack', pack.subarray(0, 1000))).rejects.toThrow();
    await expect(fs.promises.readFile('/other.pack')).rejects.toThrow('ENOENT');
  });

  it('is read object by object while others go on', async () => {
    await fs.promises.writeFile('/object', 'x');
    const readAll = async (): Promise<void> => {
      for (let at = 0; at < 10 * OBJECTS; at++) await fs.promises.readFile('/object', 'utf8');
    };
    expect(await turnsDuring(readAll)).toBeGreaterThan(2);
  });
});

describe('the address of a repository', () => {
  it('may hold a name and password, escaped or not', () => {
    const credentials = (given: string) => readRemote(`https://${given}@git.example.com/docs.git`).credentials;
    expect([credentials('a%40b:p%2Fw'), credentials('%zz:100%')]).toEqual([
      { username: 'a@b', password: 'p/w' },
      { username: '%zz', password: '100%' },
    ]);
  });
});

describe('the layout of a repository', () => {
  it('tells documentation from everything else, and keeps what others have configured', () => {
    const managed = (path: string) => isManagedPath(path, 'sub', 'sub/docs');
    expect([managed('sub/docs/SUMMARY.md'), managed('sub/docs/other/SUMMARY.md')]).toEqual([true, false]);
    expect(
      [
        'sub/.gitbook.yaml',
        'sub/docs/a.md',
        'sub/docs/.gitbook/assets/x.png',
        'sub/docs/x.png',
        'sub/docs/.github/a.md',
        'sub/README.md',
        'README.md',
        'sub/docs/node_modules/a.md',
      ].map(managed),
    ).toEqual([true, true, true, false, false, false, false, false]);
    expect(mergedConfig('root: ./docs/ # here\nredirects:\n  old: a.md\n', 'structure:\n  readme: home.md\n')).toBe(
      'root: ./docs/ # here\nstructure:\n  readme: home.md\n',
    );
    expect(mergedConfig('redirects:\n  old: a.md\n', undefined)).toBeUndefined();
    expect(
      mergedConfig(
        '# Ours\nredirects:\n  old: a.md\n\n# Where it lies\nroot: docs\n# The end',
        'redirects:\n  new: b.md\n',
      ),
    ).toBe('# Ours\nredirects:\n  new: b.md\n\n# Where it lies\nroot: docs\n# The end\n');
    expect(mergedConfig('{root: docs,\nredirects: {old: a.md}}', 'structure:\n  readme: home.md\n')).toBe(
      'root: docs\nstructure:\n  readme: home.md\n',
    );
    expect(mergedConfig('redirects: &a {old: a.md}\nothers: *a\n', undefined)).toBe('others:\n  old: a.md\n');
    expect(['- a\n', 'a: [', 'a'].map((before) => mergedConfig(before, 'structure:\n  readme: home.md\n'))).toEqual(
      Array.from({ length: 3 }, () => 'structure:\n  readme: home.md\n'),
    );
    expect(mergedConfig('# Nothing yet\n', 'structure:\n  readme: home.md\n')).toBe(
      '# Nothing yet\nstructure:\n  readme: home.md\n',
    );
    expect(mergedConfig(undefined, 'a: 1\n')).toBe('a: 1\n');
  });
});
