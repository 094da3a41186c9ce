import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readSshAddress, sshTarget } from '../src/authoring/interchange/git/ssh-address.js';
import { SpaceRepositories } from '../src/authoring/interchange/git/space-repositories.service.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { GitTransport } from '../src/operations/imports/git/git-transport.js';
import { commitMessage } from '../src/operations/git-sync/domain/commit-message.js';
import { commitSteps, MAX_PUSHED_COMMITS } from '../src/operations/git-sync/domain/commit-steps.js';
import { concerns, isSigned } from '../src/operations/git-sync/domain/hook-delivery.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { Client } from './client.js';
import { FILES, GitPair, MAIN, type Run } from './git-pair.js';
import { data, describeWithGit, FolderRepository, GitHttpBackend } from './git-http-backend.js';
import { describeWithSsh, GitSshServer } from './git-ssh.js';
import { GitServer, type Entry, type RepositoryServer } from './git-server.js';
import { inbox } from './notification-desk.js';

const app = useApp();
let server: RepositoryServer;
let organization: Workspace;

beforeAll(() => {
  app.current.get(GitTransport).httpsOnly = false;
});
beforeEach(async () => {
  organization = await buildOrganization(app.current);
});

function useServer(start: () => Promise<RepositoryServer>): void {
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());
}

/** People settle the conflicts with the branch for one side; returns what the change request was to change. */
async function decide(pair: GitPair, side: 'primary' | 'changed'): Promise<{ page: { title: string } }[]> {
  const { api } = organization.admin;
  const request = `/spaces/${pair.space}/change-requests/${(await pair.state()).changeRequest ?? ''}`;
  const { changes } = (await api.get<{ changes: { page: { title: string } }[] }>(`${request}/changes`)).body;
  const { primary } = (await api.get<{ primary: string }>(`${request}/conflicts`)).body;
  const settled = await api.post(`${request}/update`, { primary, default: side });
  expect(settled).toMatchObject({ status: 200, body: { result: 'update' } });
  expect((await api.post(`${request}/merge`, {})).body).toMatchObject({ result: 'merge' });
  return changes;
}

/** Looks at branches as the service will do in some seconds. */
async function lookLater(pair: GitPair, seconds: number): Promise<void> {
  app.current.setTime(new Date(Date.now() + seconds * 1000));
  try {
    await app.current.get(Jobs).enqueue('git-sync.look', {});
    await pair.settle();
  } finally {
    app.current.setTime(undefined);
  }
}

const makePair = (provider?: string, files?: Readonly<Record<string, Entry>>): Promise<GitPair> =>
  GitPair.make({ app: app.current, organization, server }, provider, files);

describe('a space and a branch', () => {
  useServer(() => GitServer.start());
  describeBothSides();
});

describeWithGit('a space and a branch that git itself serves', () => {
  useServer(() => GitHttpBackend.start());
  describeBothSides();

  it('begin with a repository that has no commit yet', async () => {
    const pair = await makePair('git', {});
    await pair.begin('git');
    expect(await pair.state()).not.toHaveProperty('error');
    expect(await pair.files()).toMatchObject({ 'SUMMARY.md': expect.any(String) });
    await pair.push({ 'README.md': '# Home\n\nFirst of git.\n', 'SUMMARY.md': '* [Home](README.md)\n' });
    expect(await pair.sync()).toMatchObject({ status: 'completed', changed: true });
    expect((await pair.page('readme')).markdown).toContain('First of git.');
  });

  it('keep files that can be run as such, whether they change or not', async () => {
    const pair = await makePair('git', {});
    const repository = pair.repository as FolderRepository;
    const file = (mode: string, path: string, text: string) => [`M ${mode} inline ${path}\n`, ...data(text)];
    await repository.fastImport([
      `commit ${MAIN}\ncommitter Test <test@example.com> 1700000000 +0000\n`,
      ...data('Begin'),
      ...file('100644', 'SUMMARY.md', FILES['SUMMARY.md']),
      ...file('100644', 'README.md', '# Home\n\nWelcome. ![](a.png)\n'),
      ...file('100755', 'guide.md', FILES['guide.md']),
      ...file('100755', 'a.png', 'A picture'),
      ...file('100755', 'run.sh', 'true'),
    ]);
    await pair.begin('git');
    await pair.write('guide', (text) => text.replace('Second', 'Another'));
    await pair.settle();
    expect(await repository.git('log', '--format=%s', 'main')).toBe('Edit Guide\nBegin\n');
    expect(await repository.git('diff', '--summary', 'main~', 'main')).toBe('');
    expect((await repository.git('diff', '--numstat', 'main~', 'main')).trim()).toBe('1\t1\tguide.md');
  });

  it('stand on each other: every commit of the space on the history of the branch', async () => {
    const pair = await makePair();
    await pair.begin('git');
    const pushed = await pair.push({ 'README.md': '# Home\n\nPushed.\n' });
    await pair.sync();
    await pair.write('guide', (text) => text.replace('Second', 'Another'));
    await pair.settle();
    await pair.write('guide', (text) => text.replace('Third', 'The last'));
    await pair.settle();
    const { folder } = pair.repository as FolderRepository;
    const git = (...words: string[]): Promise<string> => new FolderRepository(folder).git(...words);
    expect(await git('log', '--format=%s', 'main')).toBe('Edit Guide\nEdit Guide\nEdit in git\nBegin\n');
    expect((await git('diff', '--numstat', pushed, 'main')).trim()).toBe('2\t2\tguide.md');
    expect(await git('fsck', '--strict', '--no-dangling')).toBe('');
  });
});

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describeWithGit('a push of text', () => {
  let backend: GitHttpBackend;
  useServer(async () => (backend = await GitHttpBackend.start()));

  const PIXELS = Buffer.concat([PIXEL, Buffer.alloc(3000, 'pixels')]);
  const WITH_IMAGES: Readonly<Record<string, Entry>> = {
    ...FILES,
    'README.md': '# Home\n\n![Dot](.gitbook/assets/dot.png)\n\n![Large](large.png)\n\nWelcome.\n',
    'guide.md': `# Guide\n\nFirst.\n\n${Array.from({ length: 400 }, (_, at) => `Words ${at * 7919}.`).join('\n\n')}\n`,
    '.gitbook/assets/dot.png': PIXELS,
    'large.png': `version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n`,
  };
  /** The bytes of packs that a synchronization takes. */
  async function taken(pair: GitPair): Promise<number> {
    backend.sent = 0;
    expect(await pair.sync()).toMatchObject({ status: 'completed', changed: true });
    return backend.sent;
  }
  /** Makes sure that the space says what it says after an import of everything. */
  async function requireWhole(pair: GitPair): Promise<void> {
    const { api } = organization.admin;
    const content = async (): Promise<object> => {
      const { body } = await api.get<{ files: { downloadURL: string }[] }>(`/spaces/${pair.space}/content`);
      return { ...body, files: body.files.map(({ downloadURL: _, ...file }) => file), id: '', git: '', createdAt: '' };
    };
    const before = await content();
    const texts = await pair.files();
    await app.current.get(SpaceRepositories).forget(pair.space);
    await pair.begin('git');
    expect(await content()).toEqual(before);
    expect(await pair.files()).toEqual(texts);
  }

  it('fetches what it changes, from push to push, and is read as the whole is', async () => {
    const pair = await makePair('git', WITH_IMAGES);
    backend.sent = 0;
    await pair.begin('git');
    expect(backend.sent).toBeGreaterThan(2000);
    for (const word of ['again', 'once more']) {
      await pair.push({
        'README.md': (await pair.files())['README.md']?.replace(/Welcome.*/, `Welcome ${word}.`) ?? '',
        '.gitbook/assets/dot.png': PIXELS,
      });
      expect(await taken(pair)).toBeLessThan(1000);
      expect((await pair.page('readme')).markdown).toContain(`Welcome ${word}.`);
      expect((await pair.lastRun()).problems).toContainEqual(
        expect.objectContaining({ file: 'large.png', message: expect.stringMatching(/pointer of Git LFS/) }),
      );
    }
    await requireWhole(pair);
  });

  it('is read as a whole where a table of contents, an image or a force push changes what pages depend on', async () => {
    const pair = await makePair('git', WITH_IMAGES);
    await pair.begin('git');
    const kept = { '.gitbook/assets/dot.png': PIXELS };
    await pair.push({ ...kept, 'new.md': '# New\n', 'SUMMARY.md': `${FILES['SUMMARY.md']}* [New](new.md)\n` });
    expect(await taken(pair)).toBeGreaterThan(2000);
    expect((await pair.page('new')).id).not.toBe('');
    await pair.push({ '.gitbook/assets/dot.png': Buffer.concat([PIXELS, Buffer.from('!')]) });
    await taken(pair);
    const guide = (WITH_IMAGES['guide.md'] as string).replace('First', 'Second');
    await pair.repository.commit(MAIN, 'Begin anew\n', { ...WITH_IMAGES, 'guide.md': guide });
    await taken(pair);
    expect((await pair.page('guide')).markdown).toContain('Second.');
    await requireWhole(pair);
  });
});

/** Files of repositories that are no pages of UTF-8 with plain line ends. */
const POINTER = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n';
const ODD: Readonly<Record<string, Entry>> = {
  ...FILES,
  'SUMMARY.md': `${FILES['SUMMARY.md']}* [Latin](latin.md)\n* [Long](long.md)\n* [Marked](marked.md)\n`,
  'latin.md': Buffer.from('# Latin\n\nCaf\xe9 cr\xe8me.\n\nLast.\n', 'latin1'),
  'marked.md': '\uFEFF# Marked\r\n\r\nOne line,\r\nand another.\r\n',
  'long.md': `# Long\n\n${'Too long. '.repeat(450_000)}\n`,
  '.gitbook/assets/large.png': POINTER,
  'linked.md': { link: 'guide.md' },
  'Guide.md': '# Another\n',
  'readme.md': '# Another home\n',
  'bell\u0007.md': '# Bell\n',
};

describe('odd files of a repository', () => {
  useServer(() => GitServer.start());

  it('are reported, and left as they are by everything that is written beside them', async () => {
    const pair = await makePair('git', ODD);
    await pair.begin('git');
    const run = await pair.lastRun();
    expect(run).toMatchObject({ status: 'completed' });
    const problems = (run.problems ?? []).map(({ file, message }) => `${file}: ${message}`);
    for (const problem of [
      /^latin\.md: is not UTF-8: it is read as Windows-1252/,
      /^\.gitbook\/assets\/large\.png: is a pointer of Git LFS/,
      /^linked\.md: symbolic links are not followed/,
      /^guide\.md: differs from Guide\.md only in capitals/,
      /^readme\.md: differs from README\.md only in capitals/,
      /^bell.\.md: the name cannot be used/u,
      /^long\.md: what it says is left out/,
    ])
      expect(problems).toContainEqual(expect.stringMatching(problem));
    expect((await pair.page('latin')).markdown).toContain('Café crème.');
    const before = await pair.blobs();
    await pair.write('marked', (text) => text.replace('another', 'a changed one'));
    await pair.settle();
    expect((await pair.files())['marked.md']).toBe('\uFEFF# Marked\r\n\r\nOne line,\r\nand a changed one.\r\n');
    const after = await pair.blobs();
    expect([...after].filter(([path, oid]) => before.get(path) !== oid).map(([path]) => path)).toEqual(['marked.md']);
    expect([...after.keys()]).toEqual([...before.keys()]);
    await pair.write('latin', (text) => text.replace('Last', 'Changed'));
    await pair.settle();
    expect((await pair.files())['latin.md']).toBe('# Latin\n\nCafé crème.\n\nChanged.\n');
    expect(await pair.sync()).toMatchObject({ status: 'completed', changed: false });
  });
});

function describeBothSides(): void {
  it('are kept equal both ways, with a diff of one line for a changed word', async () => {
    const pair = await makePair();
    await pair.begin('git');
    expect((await pair.page('guide')).markdown).toContain('Second paragraph.');
    await pair.write('guide', (text) => text.replace('Second', 'Another'));
    await pair.settle();
    expect(await pair.files()).toEqual({
      ...FILES,
      'guide.md': FILES['guide.md'].replace('Second', 'Another'),
    });
    const commit = await pair.repository.commitAt(pair.head);
    expect(commit.message).toMatch(/^Edit Guide\n\nRevision: \w+\n$/);
    expect(commit.author.email).toBe(organization.admin.email);
    await pair.push({ 'README.md': '# Home\n\nWelcome back.\n' });
    expect(await pair.sync()).toMatchObject({ status: 'completed', changed: true });
    expect((await pair.page('readme')).markdown).toContain('Welcome back.');
    const { head } = pair;
    expect(await pair.sync()).toMatchObject({ status: 'completed', changed: false });
    expect(pair.head).toBe(head);
    const { body } = await organization.admin.api.get(`/spaces/${pair.space}/git/info`);
    expect(body).toMatchObject({
      installationId: pair.installation.id,
      installationStatus: 'active',
      operation: { state: 'success' },
    });
  });

  it('begin as the side says that was chosen, which a plan tells before', async () => {
    const pair = await makePair();
    const { api } = organization.admin;
    await api.post(`/spaces/${pair.space}/content`, {
      changes: [{ operation: 'insert_page', title: 'Mine', document: { markdown: 'Mine.' } }],
    });
    const plan = async (priority: string): Promise<Run['plan']> => {
      const { body, status } = await api.post<Run>(`${pair.path}/plan`, { priority });
      expect(status).toBe(201);
      await pair.settle();
      const run = (await api.get<Run>(`/org/${organization.id}/imports/${body.id}`)).body;
      expect(run).toMatchObject({ status: 'completed', changed: false, source: { type: 'git-sync', priority } });
      return run.plan;
    };
    expect((await plan('git'))?.files).toEqual(
      expect.arrayContaining([
        { path: 'guide.md', change: 'add' },
        { path: 'mine.md', change: 'remove' },
      ]),
    );
    expect(await plan('gitbook')).toMatchObject({ direction: 'export' });
    expect((await plan('gitbook'))?.files).toEqual(
      expect.arrayContaining([
        { path: 'guide.md', change: 'remove' },
        { path: 'mine.md', change: 'add' },
      ]),
    );
    expect(await pair.files()).toEqual(FILES);
    const choose = (branch: string) =>
      api.patch<{ error?: { message: string } }>(pair.path, { provider: 'git', providerConfiguration: { branch } });
    expect((await choose('main')).body.error?.message).toContain('such as refs/heads/main');
    // A branch that does not exist is made from the space, whichever side is to begin.
    await choose('refs/heads/absent');
    const absent = await plan('git');
    expect(absent).toMatchObject({ direction: 'export' });
    expect(absent?.files).toContainEqual({ path: 'mine.md', change: 'add' });
    await choose('refs/heads/main');
    expect((await api.post(`${pair.path}/sync`, {})).status).toBe(409);
    await pair.begin('gitbook');
    expect(await pair.files()).toMatchObject({ LICENSE: 'Free.', 'mine.md': expect.stringContaining('Mine.') });
    expect(await pair.files()).not.toHaveProperty('guide.md');
  });

  it('are merged where both have changed: one revision, one commit, nothing lost', async () => {
    const pair = await makePair();
    await pair.begin('git');
    await pair.push({
      'guide.md': FILES['guide.md'].replace('First', 'Git’s first'),
      'new.md': '# New\n\nOf git.\n',
    });
    const pushed = pair.head;
    await pair.write('guide', (text) => text.replace('Third', 'The space’s third'));
    await pair.settle();
    const files = await pair.files();
    expect(files['guide.md']).toBe(
      '# Guide\n\nGit’s first paragraph.\n\nSecond paragraph.\n\nThe space’s third paragraph.\n',
    );
    expect(files['new.md']).toBe('# New\n\nOf git.\n');
    expect((await pair.repository.commitAt(pair.head)).parent).toEqual([pushed]);
    expect((await pair.page('guide')).markdown).toMatch(/Git’s first[\s\S]*The space’s third/);
    expect(await pair.state()).not.toHaveProperty('error');
    expect(await pair.sync()).toMatchObject({ changed: false });
  });

  it('know a page that the branch moves: it keeps its id, and what the space says in it', async () => {
    const contents = '# Contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n* [Third](third.md)\n* [Last](last.md)\n';
    const pair = await makePair('git', {
      ...FILES,
      'SUMMARY.md': contents,
      'third.md': '# Third\n',
      'last.md': '# Last\n',
    });
    await pair.begin('git');
    const guide = await pair.page('guide');
    const moved =
      '# Contents\n\n* [Last](last.md)\n* [Home](README.md)\n  * [Third](third.md)\n    * [Handbook](guide.md)\n';
    await pair.push({ 'SUMMARY.md': moved, 'guide.md': FILES['guide.md'].replace('# Guide', '# Handbook') });
    await pair.write('guide', (text) => text.replace('Second', 'Another'));
    await pair.settle();
    await pair.sync();
    expect(await pair.state()).not.toHaveProperty('error');
    const { body } = await organization.admin.api.get(`/spaces/${pair.space}/content`);
    expect(body).toMatchObject({
      pages: [
        { title: 'Last' },
        { title: 'Home', pages: [{ title: 'Third', pages: [{ title: 'Handbook', id: guide.id }] }] },
      ],
    });
    const files = await pair.files();
    expect(files['SUMMARY.md']).toBe(moved);
    expect(files['guide.md']).toContain('# Handbook\n\nFirst paragraph.\n\nAnother paragraph.');
  });

  it('know a page whose file the branch renames, by its bytes or its title: it keeps its id, and what the space says in it', async () => {
    const summary = '# Contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n* [Third](third.md)\n';
    const pair = await makePair('git', { ...FILES, 'SUMMARY.md': summary, 'third.md': '# Third\n\nOld.\n' });
    await pair.begin('git');
    const [guide, third] = [await pair.page('guide'), await pair.page('third')];
    const { 'guide.md': text = '', 'third.md': _third, ...rest } = await pair.files();
    const renamed = { 'handbook.md': text, 'more/later.md': '# Third\n\nNew.\n' };
    const listed = summary.replace('guide.md', 'handbook.md').replace('third.md', 'more/later.md');
    await pair.repository.commit(MAIN, 'Rename\n', { ...rest, ...renamed, 'SUMMARY.md': listed });
    await pair.write('guide', (markdown) => markdown.replace('Second', 'Another'));
    await pair.settle();
    await pair.sync();
    expect(await pair.state()).not.toHaveProperty('error');
    expect([(await pair.page('handbook')).id, (await pair.page('later')).id]).toEqual([guide.id, third.id]);
    const files = await pair.files();
    expect(Object.keys(files).sort()).toEqual(['LICENSE', 'README.md', 'SUMMARY.md', 'handbook.md', 'more/later.md']);
    expect(files['handbook.md']).toContain('First paragraph.\n\nAnother paragraph.');
    expect(files['more/later.md']).toBe('# Third\n\nNew.\n');
  });

  it('leave conflicts to people, and the branch as it is until these are settled', async () => {
    const pair = await makePair();
    await pair.begin('git');
    await pair.push({ 'guide.md': FILES['guide.md'].replace('Second', 'Git’s') });
    const pushed = pair.head;
    await pair.write('guide', (text) => text.replace('Second', 'The space’s'));
    await pair.settle();
    expect(pair.head).toBe(pushed);
    const { api } = organization.admin;
    const state = await pair.state();
    expect(state.error).toMatch(/settle the conflicts in change request #1/);
    const request = `/spaces/${pair.space}/change-requests/${state.changeRequest ?? ''}`;
    expect((await api.get(request)).body).toMatchObject({ status: 'open', subject: expect.stringContaining('main') });
    const info = (await api.get<{ operation: object }>(`/spaces/${pair.space}/git/info`)).body;
    expect(info.operation).toMatchObject({ state: 'failure', error: state.error });
    const { body } = await api.get<{ primary: string; conflicts: { id: string }[] }>(`${request}/conflicts`);
    expect(body.conflicts.length).toBeGreaterThan(0);
    const settled = await api.post(`${request}/update`, { primary: body.primary, default: 'changed' });
    expect(settled).toMatchObject({ status: 200, body: { result: 'update' } });
    expect((await api.post(`${request}/merge`, {})).body).toMatchObject({ result: 'merge' });
    await pair.settle();
    expect((await pair.files())['guide.md']).toContain('Git’s paragraph.');
    expect(await pair.state()).not.toHaveProperty('error');
    expect(await pair.sync()).toMatchObject({ status: 'completed', changed: false });
  });

  it('meet what the branch says later with what was settled before: only what it has changed since then counts', async () => {
    const original = '# Other\n\nOf both.\n';
    const pair = await makePair('git', { ...FILES, 'other.md': original });
    await pair.begin('git');
    const guide = FILES['guide.md'].replace('Third', 'Git’s').replace('First', 'Git’s first');
    await pair.push({ 'guide.md': guide, 'new.md': '# New\n', 'other.md': original.replace('both', 'git') });
    await pair.write('guide', (text) => text.replace('Third', 'The space’s'));
    await pair.settle();
    await decide(pair, 'primary');
    await pair.push({ 'guide.md': guide.replace('Git’s first', 'Git’s new first'), 'new.md': '# New\n\nMore.\n' });
    await pair.settle();
    expect(await pair.state()).not.toHaveProperty('error');
    expect(await pair.files()).toMatchObject({
      'guide.md': '# Guide\n\nGit’s new first paragraph.\n\nSecond paragraph.\n\nThe space’s paragraph.\n',
      'new.md': '# New\n\nMore.\n',
      'other.md': original.replace('both', 'git'),
    });
  });

  it('show conflicts with what the branch says later, and keep what it takes back', async () => {
    const original = '# Other\n\nOf both.\n';
    const pair = await makePair('git', { ...FILES, 'other.md': original });
    await pair.begin('git');
    const guide = FILES['guide.md'].replace('Second', 'Git’s');
    await pair.push({ 'guide.md': guide, 'other.md': original.replace('both', 'git') });
    await pair.write('guide', (text) => text.replace('Second', 'The space’s'));
    await pair.settle();
    await decide(pair, 'primary');
    await pair.push({ 'guide.md': guide.replace('Git’s', 'Git’s new'), 'other.md': original });
    await pair.settle();
    const changes = await decide(pair, 'changed');
    expect(changes.map(({ page }) => page.title).sort()).toEqual(['Guide', 'Other']);
    await pair.settle();
    expect(await pair.state()).not.toHaveProperty('error');
    expect(await pair.files()).toMatchObject({ 'guide.md': guide.replace('Git’s', 'Git’s new'), 'other.md': original });
    expect((await pair.page('other')).markdown).toContain('Of both.');
  });

  it('are let in with the token, in the folder and with the commit message that were chosen', async () => {
    const pair = await makePair('git', { 'docs/README.md': '# Home\n\nInner.\n', 'README.md': '# Outer\n' });
    server.credentials = 'robot:s3cret';
    try {
      const rest = { projectDirectory: 'docs', commitMessageTemplate: 'docs: {space}' };
      const { body } = await pair.setUp({ accessToken: 's3cret', username: 'robot' }, { ...rest, priority: 'git' });
      expect(body).toMatchObject(rest);
      expect(JSON.stringify(body)).not.toContain('s3cret');
      await pair.settle();
      expect((await pair.page('readme')).markdown).toContain('Inner.');
      await pair.write('readme', (text) => text.replace('Inner', 'Changed'));
      await pair.settle();
      expect(await pair.files()).toMatchObject({ 'docs/README.md': '# Home\n\nChanged.\n', 'README.md': '# Outer\n' });
      expect((await pair.repository.commitAt(pair.head)).message).toMatch(/^docs: Guide\n/);
      await pair.setUp({ accessToken: null });
      await pair.sync();
      expect((await pair.state()).error).toMatch(/answered 401/);
    } finally {
      server.credentials = undefined;
    }
  });

  it('looks at the branch now and then where no hook tells of changes', async () => {
    const pair = await makePair('gitlab');
    await pair.begin('git');
    await pair.push({ 'README.md': '# Home\n\nPolled.\n' });
    await lookLater(pair, 0);
    expect((await pair.page('readme')).markdown).toContain('Welcome.');
    await lookLater(pair, 301);
    expect((await pair.page('readme')).markdown).toContain('Polled.');
  });

  it('notices then that a failure is mended in the branch, long before the same commit is tried again', async () => {
    const pair = await makePair();
    await pair.begin('git');
    const { head } = pair;
    pair.repository.refs.delete(MAIN);
    for (let failures = 0; failures < 8; failures++) await pair.sync();
    expect((await pair.state()).error).toMatch(/is gone from the repository/);
    const { id } = await pair.lastRun();
    await lookLater(pair, 301);
    expect((await pair.lastRun()).id).toBe(id);
    pair.repository.refs.set(MAIN, head);
    await lookLater(pair, 500);
    expect((await pair.lastRun()).id).toBe(id);
    await lookLater(pair, 602);
    expect((await pair.lastRun()).id).not.toBe(id);
    expect(await pair.state()).not.toHaveProperty('error');
  });

  it('notices then that the repository lets it in again', async () => {
    const pair = await makePair();
    await pair.begin('git');
    server.credentials = 'robot:s3cret';
    try {
      for (let failures = 0; failures < 8; failures++) await pair.sync();
      const { id } = await pair.lastRun();
      await lookLater(pair, 301);
      expect(await pair.state()).toMatchObject({ status: 'unauthenticated', error: expect.any(String) });
      expect((await pair.lastRun()).id).toBe(id);
    } finally {
      server.credentials = undefined;
    }
    await lookLater(pair, 602);
    expect(await pair.state()).toMatchObject({ status: 'active' });
  });

  it('tries the same commit again when its time has come', async () => {
    const pair = await makePair();
    await pair.begin('git');
    pair.repository.refs.delete(MAIN);
    await pair.sync();
    const { id } = await pair.lastRun();
    await lookLater(pair, 29);
    expect((await pair.lastRun()).id).toBe(id);
    await lookLater(pair, 31);
    expect((await pair.lastRun()).id).not.toBe(id);
  });

  it('are left as they are when it is ended', async () => {
    const pair = await makePair();
    await pair.begin('git');
    const { api } = organization.admin;
    const other = await buildOrganization(app.current);
    expect((await other.admin.api.delete(pair.path)).status).toBe(204);
    const taken = { provider: 'git', target: { type: 'space', spaceId: pair.space } };
    expect((await api.post('/git/installations', taken)).status).toBe(409);
    expect((await api.get(pair.path)).status).toBe(200);
    expect((await api.delete(pair.path)).status).toBe(204);
    expect((await api.get(pair.path)).status).toBe(404);
    await pair.write('guide', (text) => text.replace('Second', 'Another'));
    await pair.settle();
    expect(await pair.files()).toEqual(FILES);
    expect((await api.post('/git/installations', taken)).status).toBe(201);
  });

  it('refuse what cannot be set up, by its field', async () => {
    const pair = await makePair();
    const refused = async (configuration: object, rest: object = {}): Promise<unknown> => {
      const { status, body } = await pair.setUp(configuration, rest);
      expect(status).toBe(400);
      return (body as unknown as { error: { details: { path: string }[] } }).error.details.map(({ path }) => path);
    };
    expect(await refused({ url: 'ssh://example.com/docs.git' })).toEqual(['providerConfiguration.url']);
    const { body } = await pair.setUp({ url: 'ftp://git.example.com/docs.git' });
    expect(body).toMatchObject({
      error: {
        details: [{ path: 'providerConfiguration.url', message: 'repositories are reached by https or ssh only' }],
      },
    });
    expect(await refused({ hostKey: 'none' })).toEqual(['providerConfiguration.hostKey']);
    expect(await refused({ branch: 'main' })).toEqual(['providerConfiguration.branch']);
    expect(await refused({}, { projectDirectory: '../out' })).toEqual(['projectDirectory']);
    expect(await refused({}, { provider: 'github' })).toEqual(['provider']);
  });

  it('say what hinders them and what to do, and go on when it is mended', async () => {
    const pair = await makePair();
    await pair.begin('git');
    const oid = pair.head;
    pair.repository.refs.delete(MAIN);
    await pair.write('guide', (text) => text.replace('Second', 'Another'));
    await pair.settle();
    expect((await pair.state()).error).toMatch(/The branch refs\/heads\/main is gone/);
    expect((await inbox(organization.admin)).items).toMatchObject([
      {
        kind: 'import_ended',
        outcome: 'failed',
        excerpt: expect.stringMatching(/The branch refs\/heads\/main is gone/),
      },
    ]);
    pair.repository.refs.set(MAIN, oid);
    await pair.sync();
    expect(await pair.state()).not.toHaveProperty('error');
    expect((await pair.files())['guide.md']).toContain('Another paragraph.');
  });

  it('follow a branch that was rebased or forced to other commits, and force nothing themselves', async () => {
    const pair = await makePair();
    await pair.begin('git');
    await pair.push({ 'new.md': '# New\n\nOf git.\n' });
    await pair.sync();
    pair.repository.refs.delete(MAIN);
    await pair.repository.commit(MAIN, 'Begin anew\n', {
      ...FILES,
      'guide.md': FILES['guide.md'].replace('First', 'Git’s first'),
    });
    const forced = pair.head;
    await pair.write('guide', (text) => text.replace('Third', 'The space’s third'));
    await pair.settle();
    expect(await pair.state()).not.toHaveProperty('error');
    const files = await pair.files();
    expect(files['guide.md']).toMatch(/Git’s first[\s\S]*The space’s third/);
    expect(files).not.toHaveProperty(['new.md']);
    expect((await pair.repository.commitAt(pair.head)).parent).toEqual([forced]);
    expect((await pair.page('guide')).markdown).toMatch(/Git’s first[\s\S]*The space’s third/);
    expect(await pair.sync()).toMatchObject({ status: 'completed', changed: false });
  });
}

describeWithSsh('repositories by SSH', () => {
  let ssh: GitSshServer;
  useServer(async () => (ssh = await GitSshServer.start()));

  it('are reached by SSH with a deploy key, at a server that is known by its key', async () => {
    const first = await ssh.renew();
    const pair = await makePair();
    const { deployKey = '', hostKey } = (await pair.state()).providerConfiguration;
    expect([deployKey, hostKey]).toEqual([expect.stringMatching(/^ssh-ed25519 [\w+/=]+ bindery$/), undefined]);
    await pair.begin('git');
    expect((await pair.state()).error).toMatch(/did not accept the deploy key/);
    expect((await pair.state()).providerConfiguration).toMatchObject({ deployKey, hostKey: first });
    await ssh.authorize(deployKey);
    expect(await pair.sync()).toMatchObject({ status: 'completed', changed: true });
    expect(await pair.state()).not.toHaveProperty('error');
    await pair.write('guide', (text) => text.replace('Second', 'Another'));
    await pair.settle();
    expect((await pair.files())['guide.md']).toContain('Another paragraph.');
    await pair.push({ 'README.md': '# Home\n\nBy SSH.\n' });
    await pair.sync();
    expect((await pair.page('readme')).markdown).toContain('By SSH.');
    const renewed = await ssh.renew();
    await pair.sync();
    expect((await pair.state()).error).toMatch(/key of the server is another one/);
    expect((await pair.setUp({ hostKey: renewed })).body.providerConfiguration.hostKey).toBe(renewed);
    await pair.sync();
    expect(await pair.state()).not.toHaveProperty('error');
    expect((await pair.setUp({ hostKey: null })).body.providerConfiguration).not.toHaveProperty('hostKey');
    await pair.sync();
    expect((await pair.state()).providerConfiguration.hostKey).toBe(renewed);
    expect((await pair.setUp({ url: `${ssh.url}/nothing.git` })).body.providerConfiguration.hostKey).toBe(renewed);
    await pair.begin('git');
    expect((await pair.state()).error).toMatch(/gives no repository/);
    await pair.setUp({ url: 'git@10.0.0.1:docs.git' });
    const { url, hostKey: none, deployKey: same } = (await pair.state()).providerConfiguration;
    expect([url, none, same]).toEqual(['ssh://git@10.0.0.1/~/docs.git', undefined, deployKey]);
    await pair.begin('git');
    expect((await pair.state()).error).toMatch(/not allowed/);
  });

  it('have an address of one of two forms', () => {
    expect(
      ['git@example.com:team/docs.git', 'git@example.com:/srv/docs.git', 'ssh://git@[::1]:2222/docs/'].map(
        readSshAddress,
      ),
    ).toEqual([
      'ssh://git@example.com/~/team/docs.git',
      'ssh://git@example.com/srv/docs.git',
      'ssh://git@[::1]:2222/docs',
    ]);
    expect(readSshAddress('https://git@example.com/docs.git')).toBeUndefined();
    for (const wrong of [
      'ssh://example.com/docs',
      'ssh://a:b@example.com/docs',
      'git@example.com:-x',
      'ssh://git@example.com:99999/docs',
    ])
      expect(() => readSshAddress(wrong)).toThrow();
    expect(sshTarget('ssh://git@[::1]:2222/~/docs')).toEqual({ user: 'git', host: '::1', port: 2222, path: 'docs' });
  });
});

describe('changes of a space', () => {
  useServer(() => GitServer.start());

  it('become a commit for each change where they are not put together', async () => {
    const pair = await makePair();
    const { api } = organization.admin;
    const member = await organization.member('review');
    await pair.begin('git');
    expect(await pair.state()).toMatchObject({ squash: true });
    /** Merges a change request that replaces a word of a page, before anything is exported. */
    const merge = async (by: Client, subject: string, from: string, to: string): Promise<void> => {
      const { body: request } = await by.post<{ id: string }>(`/spaces/${pair.space}/change-requests`, { subject });
      const { id, markdown } = await pair.page('guide');
      const changes = [
        { operation: 'update_page', page: id, document: { markdown: markdown.replace(from, to) } },
        { operation: 'insert_page', title: subject, document: { markdown: 'More.' } },
      ];
      const path = `/spaces/${pair.space}/change-requests/${request.id}`;
      expect((await by.post(`${path}/content`, { changes })).status).toBe(200);
      expect((await by.post(`${path}/merge`, {})).body).toMatchObject({ result: 'merge' });
    };
    const log = async (since: string) => {
      const found: { subject: string; author: string; message: string; text: string }[] = [];
      for (let oid = pair.head; oid !== since;) {
        const { message, author, parent } = await pair.repository.commitAt(oid);
        const text = (await pair.repository.files(oid))['guide.md'] ?? '';
        found.unshift({ subject: message.split('\n')[0] ?? '', author: author.email, message, text });
        oid = parent[0] ?? since;
      }
      return found;
    };
    const before = pair.head;
    await merge(api, 'One', 'First', 'The first');
    await merge(member.api, 'Two', 'Second', 'The second');
    await pair.settle();
    const together = await log(before);
    expect(together.map(({ subject }) => subject)).toEqual(['Two (#2)']);
    expect(together[0]?.message).toMatch(/\* #1 One\n\* #2 Two/);
    expect((await pair.setUp({}, { squash: false })).body).toMatchObject({ squash: false });
    const since = pair.head;
    await merge(api, 'Three', 'Third', 'The third');
    await merge(member.api, 'Four', 'The first', 'Number one of');
    await pair.write('guide', (text) => text.replace('The second', 'Number two of'));
    await pair.settle();
    const each = await log(since);
    expect(each.map(({ subject, author }) => [subject, author])).toEqual([
      ['Three (#3)', organization.admin.email],
      ['Four (#4)', member.email],
      ['Edit Guide', organization.admin.email],
    ]);
    const lines = (text: string): string[] => text.split('\n\n').slice(1);
    expect(each.map(({ text }) => lines(text))).toEqual([
      ['The first paragraph.', 'The second paragraph.', 'The third paragraph.\n'],
      ['Number one of paragraph.', 'The second paragraph.', 'The third paragraph.\n'],
      ['Number one of paragraph.', 'Number two of paragraph.', 'The third paragraph.\n'],
    ]);
    for (const { message } of each) expect(message.match(/^Revision: /gm)).toHaveLength(1);
    expect(await pair.sync()).toMatchObject({ status: 'completed', changed: false });
    expect(await pair.files()).toMatchObject({ 'three.md': expect.any(String), 'four.md': expect.any(String) });
    // The branch has changed as well: the edit before that is in the commit with both sides, the one after it in one of its own.
    const pushed = await pair.push({ 'README.md': '# Home\n\nPushed.\n' });
    await pair.write('guide', (text) => text.replace('The third', 'Number three of'));
    await pair.settle();
    const [answer, ...rest] = await log(pushed);
    expect(rest).toEqual([]);
    expect(answer).toMatchObject({ subject: 'Edit Guide', text: expect.stringContaining('Number three of') });
    expect(await pair.files()).toMatchObject({ 'README.md': '# Home\n\nPushed.\n' });
    expect(await pair.sync()).toMatchObject({ status: 'completed', changed: false });
  });

  it('are divided so that no commit takes back what the branch says', () => {
    const of = (text: string) =>
      [...text].map((letter, index) => ({
        id: `${letter}${index}`,
        kind: letter === 'b' ? ('branch' as const) : letter === 'n' ? ('note' as const) : ('change' as const),
        change: { number: index },
        authorId: undefined,
      }));
    const divided = (text: string, isSquashed = false) =>
      commitSteps(of(text), isSquashed).map(({ revision, changes }) => [
        revision,
        changes.map(({ number }) => number).join(''),
      ]);
    expect(divided('cncc')).toEqual([
      ['n1', '0'],
      ['c2', '2'],
      ['c3', '3'],
    ]);
    expect(divided('ccbcb')).toEqual([['b4', '013']]);
    expect(divided('cbcc')).toEqual([
      ['b1', '0'],
      ['c2', '2'],
      ['c3', '3'],
    ]);
    expect(divided('ncbc', true)).toEqual([['c3', '13']]);
    expect(divided('n')).toEqual([['n0', '']]);
    expect(divided('')).toEqual([]);
    const many = divided('c'.repeat(MAX_PUSHED_COMMITS + 2));
    expect([many.length, many[0]?.[1], many[1]?.[1]]).toEqual([MAX_PUSHED_COMMITS, '012', '3']);
  });
});

describe('the hook of an installation', () => {
  useServer(() => GitServer.start());
  const push = (ref = MAIN): string => JSON.stringify({ ref });
  const deliver = (pair: GitPair, headers: Record<string, string>, raw = push()) =>
    new Client(app.current.url, undefined).post(`${pair.path}/hook`, undefined, { raw, headers });

  it('begins a synchronization for a signed push, once', async () => {
    const pair = await makePair('github');
    await pair.begin('git');
    expect((await pair.page('readme')).markdown).toContain('Welcome.');
    await pair.push({ 'README.md': '# Home\n\nHooked.\n' });
    expect(pair.installation.hook.url).toBe(`${app.current.url}/v1${pair.path}/hook`);
    const { secret = '' } = pair.installation.hook;
    const signed = (body: string, id: string) => ({
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      'x-github-delivery': id,
    });
    expect((await deliver(pair, { 'x-hub-signature-256': 'sha256=0' })).status).toBe(404);
    expect((await deliver(pair, {})).status).toBe(404);
    expect((await deliver(pair, signed(push(), 'one'))).status).toBe(204);
    expect((await deliver(pair, signed(push(), 'one'))).status).toBe(409);
    await pair.settle();
    expect((await pair.page('readme')).markdown).toContain('Hooked.');
    await pair.push({ 'README.md': '# Home\n\nElsewhere.\n' });
    const other = push('refs/heads/other');
    expect((await deliver(pair, signed(other, 'two'), other)).status).toBe(204);
    await pair.settle();
    expect((await pair.page('readme')).markdown).toContain('Hooked.');
    const renewed = await pair.setUp({}, { renewHookSecret: true });
    expect(renewed.body.hook.secret).not.toBe(secret);
    expect((await deliver(pair, signed(push(), 'three'))).status).toBe(404);
  });

  it('knows the signature of each provider', () => {
    const body = Buffer.from(push());
    const hmac = createHmac('sha256', 'secret').update(body).digest('hex');
    const good = {
      github: { 'x-hub-signature-256': `sha256=${hmac}` },
      gitlab: { 'x-gitlab-token': 'secret' },
      gitea: { 'x-gitea-signature': hmac },
      bitbucket: { 'x-hub-signature': `sha256=${hmac}` },
      git: { 'x-hub-signature-256': `sha256=${hmac}` },
    } as const;
    for (const provider of Object.keys(good) as (keyof typeof good)[]) {
      expect(isSigned(provider, 'secret', good[provider], body)).toBe(true);
      expect(isSigned(provider, 'other', good[provider], body)).toBe(false);
      expect(isSigned(provider, 'secret', {}, body)).toBe(false);
    }
    expect(isSigned('github', 'secret', good.github, Buffer.from(`${push()} `))).toBe(false);
    const bitbucket = (name: string) =>
      Buffer.from(JSON.stringify({ push: { changes: [{ new: { name }, old: null }, null] } }));
    expect(concerns([MAIN], bitbucket('main'))).toBe(true);
    expect(concerns([MAIN], bitbucket('other'))).toBe(false);
    expect(concerns([MAIN], Buffer.from('no JSON'))).toBe(true);
  });
});

describe('the message of a commit', () => {
  const facts = { template: null, space: 'Guide', revision: 'r1', author: 'a@example.com' };
  const request = (number: number, name: string) => ({
    number,
    subject: `Change\n\n${number}`,
    address: `https://docs.example.com/${number}`,
    author: { name, email: `${name}@example.com` },
  });

  it('names the change requests, and everybody else who has written', () => {
    expect(commitMessage({ ...facts, changes: [request(7, 'b'), {}, request(8, 'a')] })).toBe(
      'Change 8 (#8)\n\n* #7 Change 7\n* #8 Change 8\n\nChange-Request: https://docs.example.com/7\nChange-Request: https://docs.example.com/8\nRevision: r1\nCo-authored-by: b <b@example.com>',
    );
  });

  it('follows a template', () => {
    const template = 'docs({space}): {change_request_subject} [{change_request_number}]';
    expect(commitMessage({ ...facts, template, changes: [request(7, 'a')] })).toMatch(
      /^docs\(Guide\): Change 7 \[7\]\n/,
    );
  });
});
