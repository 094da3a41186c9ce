import { describe, expect, it } from '@jest/globals';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { BRANCH_NAME, branchOf, defaultBranch, refOf } from '../src/operations/git-sync/domain/branch-names.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';
import { describeWithGit, GitHttpBackend } from './git-http-backend.js';
import { FILES, GitPair, MAIN, type Run } from './git-pair.js';
import { useForge, useGitServer } from './git-world.js';
import { PullWorld, type PullProvider, type Request } from './pull-world.js';
import { BRANCH, open, openPull, propose, REF, stateOf } from './request-pull-steps.js';

const app = useApp();

describeWithGit('a change request as a pull request', () => {
  const hosted = useForge(app);

  const connected = (provider: PullProvider = 'github', previews = false) =>
    PullWorld.connect(hosted, provider, previews);

  const opened = async (provider?: PullProvider, previews?: boolean) => openPull(await connected(provider, previews));

  it.each(['github', 'gitlab', 'gitea', 'bitbucket'] as const)(
    'is opened at %s, follows edits, and is merged with it',
    async (provider) => {
      const world = await connected(provider, true);
      const { pair, repo } = world;
      const [author, editor] = [await hosted.organization.member('edit'), await hosted.organization.member('edit')];
      const request = await propose(author, pair);
      await world.edit(editor.api, request, 'guide', 'First', 'The first');
      const before = pair.head;
      expect(await open(pair, request)).toMatchObject({ status: 'completed' });
      expect(await pair.state()).not.toHaveProperty('error');
      const [pull, ...others] = repo.pulls;
      if (!pull) throw new Error('there is no pull request');
      expect(others).toEqual([]);
      expect(pull).toMatchObject({ title: 'Change a word', source: BRANCH, state: 'open' });
      expect(pull.body).toMatch(/^It was _wrong_\.\n\n\[Change request #1\]\(http/);
      const state = await stateOf(pair, request);
      expect(state).toMatchObject({ state: 'open', direction: 'outgoing', branch: REF, number: 1, commit: pull.head });
      expect(state.url).toMatch(/^http/);
      const first = await pair.repository.commitAt(pull.head);
      expect(first.parent).toEqual([before]);
      expect(first.author.email).toBe(author.email);
      expect(first.message).toMatch(
        /^Change a word \(#1\)\n\nChange-Request: http\S+\nRevision: \w+\nCo-authored-by: /,
      );
      expect(first.message).toContain(`<${editor.email}>`);
      const files = await pair.repository.files(pull.head);
      expect(files['guide.md']).toBe(FILES['guide.md'].replace('Second', 'A changed').replace('First', 'The first'));
      expect(files['new.md']).toContain('New.');
      expect(await pair.files()).toEqual(FILES);
      // Pull requests become change requests here, and this one is not met as a new one.
      expect(await world.requests()).toMatchObject([{ id: request.id }]);
      expect(pull.comments).toHaveLength(1);
      const pushed = pull.head;
      await world.edit(editor.api, request, 'guide', 'Third', 'The third');
      await hosted.organization.admin.api.patch(world.at(request), { subject: 'Change words' });
      await pair.settle();
      const second = await pair.repository.commitAt(repo.git.refs.get(REF) ?? '');
      expect([second.parent, second.author.email]).toEqual([[pushed], editor.email]);
      expect(second.message).not.toContain('Co-authored-by');
      expect(pull.title).toBe('Change words');
      expect(pull.comments).toHaveLength(1);
      await world.merge(request);
      expect(await pair.state()).not.toHaveProperty('error');
      expect([pull.state, pair.head]).toEqual(['merged', pull.mergedAs]);
      expect(await stateOf(pair, request)).toMatchObject({ state: 'merged' });
      expect(await pair.sync()).toMatchObject({ status: 'completed', changed: false });
      expect(pair.head).toBe(pull.mergedAs);
      expect((await pair.files())['guide.md']).toContain('The third');
      expect(repo.pulls).toHaveLength(1);
    },
  );

  it('is merged with the last edits, also where they were not pushed yet', async () => {
    const { world, pair, repo, request, pull } = await opened();
    await world.edit(hosted.organization.admin.api, request, 'guide', 'Third', 'The third');
    await world.merge(request);
    expect([pull.state, pair.head]).toEqual(['merged', pull.mergedAs]);
    expect((await pair.repository.files(repo.git.refs.get(REF) ?? ''))['guide.md']).toContain('The third');
    expect((await pair.files())['guide.md']).toContain('The third');
  });

  it('is merged here when the forge merges it, and pages keep their ids', async () => {
    const { world, pair, repo, request, pull } = await opened();
    const { body } = await hosted.organization.admin.api.get<{ id: string }>(`${world.at(request)}/content/path/new`);
    const merged = await hosted.server.merge(repo, pull);
    await pair.sync();
    expect(await pair.state()).not.toHaveProperty('error');
    expect(await world.requests()).toMatchObject([{ status: 'merged' }]);
    expect((await pair.page('new')).id).toBe(body.id);
    expect((await pair.page('guide')).markdown).toContain('A changed paragraph.');
    expect(await pair.sync()).toMatchObject({ changed: false });
    expect(pair.head).toBe(merged);
  });

  it('is closed with it on either side, and opened anew when somebody asks', async () => {
    const { world, pair, repo, request, pull } = await opened();
    pull.state = 'closed';
    await pair.sync();
    expect(await world.requests()).toMatchObject([{ status: 'archived' }]);
    expect(await stateOf(pair, request)).toMatchObject({ state: 'closed' });
    const path = `${world.at(request)}/pull-request`;
    expect((await hosted.organization.admin.api.post(path, {})).status).toBe(409);
    pull.state = 'open';
    await pair.sync();
    expect(await world.requests()).toMatchObject([{ status: 'open' }]);
    await hosted.organization.admin.api.patch(world.at(request), { status: 'archived' });
    await pair.settle();
    expect(pull.state).toBe('closed');
    await hosted.organization.admin.api.patch(world.at(request), { status: 'open' });
    expect(await open(pair, request, {})).toMatchObject({ status: 'completed' });
    expect(repo.pulls).toMatchObject([{ state: 'closed' }, { state: 'open', source: BRANCH, title: 'Change a word' }]);
    expect(await stateOf(pair, request)).toMatchObject({ state: 'open', number: 2 });
    expect(await world.requests()).toMatchObject([{ status: 'open' }]);
    // The forge removes the branch together with its pull request.
    const [, other] = repo.pulls;
    if (!other) throw new Error('there is no second pull request');
    other.state = 'closed';
    repo.git.refs.delete(REF);
    await pair.sync();
    expect(await world.requests()).toMatchObject([{ status: 'archived' }]);
    await hosted.organization.admin.api.patch(world.at(request), { status: 'open' });
    expect(await open(pair, request, {})).toMatchObject({ status: 'completed' });
    expect(repo.pulls[2]).toMatchObject({ state: 'open', head: repo.git.refs.get(REF) });
    expect(await stateOf(pair, request)).toMatchObject({ state: 'open', number: 3 });
  });

  it('is closed with a comment where it was merged here and a rule of the branch refuses that', async () => {
    const { world, pair, request, pull } = await opened();
    hosted.server.intercept = ({ path }) => (path.endsWith('/merge') ? { status: 405, body: {} } : undefined);
    await world.merge(request);
    await pair.settle();
    expect(await pair.state()).not.toHaveProperty('error');
    expect(pull.state).toBe('closed');
    expect(pull.comments.at(-1)?.text).toContain('were merged');
    expect((await pair.files())['guide.md']).toContain('A changed');
    expect((await pair.repository.commitAt(pair.head)).message).toMatch(/^Change a word \(#1\)/);
  });

  it('gets the commits of others, which stay in the branch, and those of the branch of the space', async () => {
    const { world, pair, repo, request, pull } = await opened();
    const theirs = (await pair.repository.files(pull.head))['guide.md']?.replace('First', 'Their first') ?? '';
    await hosted.server.push(repo, pull, { 'guide.md': theirs });
    const pushed = pull.head;
    // Nobody has told of it, and nothing else has changed: the branch is looked at now and then.
    app.current.setTime(new Date(Date.now() + 301_000));
    try {
      await app.current.get(Jobs).enqueue('git-sync.look', {});
      await pair.settle();
    } finally {
      app.current.setTime(undefined);
    }
    expect(await world.markdown(request, 'guide')).toMatch(/Their first[\s\S]*A changed/);
    await pair.push({ 'README.md': '# Home\n\nElsewhere.\n' });
    await pair.sync();
    expect(repo.git.refs.get(REF)).toBe(pushed);
    expect((await hosted.organization.admin.api.post(`${world.at(request)}/update`, {})).body).toMatchObject({
      result: 'update',
    });
    await world.edit(hosted.organization.admin.api, request, 'guide', 'Third', 'Our third');
    await pair.settle();
    expect(await pair.state()).not.toHaveProperty('error');
    const head = repo.git.refs.get(REF) ?? '';
    expect((await repo.git.git('merge-base', head, pushed)).trim()).toBe(pushed);
    expect((await repo.git.git('merge-base', head, 'main')).trim()).toBe(pair.head);
    expect((await repo.git.git('diff', '--name-only', 'main', head)).trim().split('\n')).toEqual([
      'SUMMARY.md',
      'guide.md',
      'new.md',
    ]);
    expect((await pair.repository.files(head))['guide.md']).toMatch(/Their first[\s\S]*A changed[\s\S]*Our third/);
  });

  it('leaves nothing behind where it cannot become a branch', async () => {
    const world = await connected();
    const { pair, repo } = world;
    const request = await propose(hosted.organization.admin, pair);
    await repo.git.git('update-ref', REF, pair.head);
    // A run that was there before tells nobody: the one that was asked for does.
    await hosted.organization.admin.api.post(`${pair.path}/sync`, {});
    const refused = await open(pair, request);
    expect(refused).toMatchObject({ status: 'failed', error: expect.stringContaining('has a branch docs/second') });
    const { body: runs } = await hosted.organization.admin.api.get<{ items: Run[] }>(
      `/org/${hosted.organization.id}/imports`,
    );
    expect(runs.items.filter(({ status }) => status === 'failed')).toHaveLength(1);
    expect(repo.git.refs.get(REF)).toBe(pair.head);
    const path = `${world.at(request)}/pull-request`;
    const { api } = hosted.organization.admin;
    expect((await api.get(path)).status).toBe(404);
    expect(await pair.state()).not.toHaveProperty('error');
    expect((await api.post(path, { branch: 'main' })).body).toMatchObject({ error: { details: [{ path: 'branch' }] } });
    expect((await api.post(path, { branch: 'a..b' })).body).toMatchObject({ error: { details: [{ path: 'branch' }] } });
    const empty = (await api.post<Request>(`/spaces/${pair.space}/change-requests`, { subject: 'Empty' })).body;
    expect(await open(pair, empty, {})).toMatchObject({ status: 'failed', error: expect.stringContaining('no file') });
    await pair.write('guide', (text) => text.replace('Second', 'Another'));
    await pair.settle();
    expect(await open(pair, request, { branch: 'docs/other' })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('conflicts with the space'),
    });
    const { body } = await api.get<{ primary: string }>(`${world.at(request)}/conflicts`);
    await api.post(`${world.at(request)}/update`, { primary: body.primary, default: 'changed' });
    expect(await open(pair, request, { branch: 'docs/other' })).toMatchObject({ status: 'completed' });
    expect(repo.pulls).toMatchObject([{ source: 'docs/other' }]);
    expect((await api.post(path, { branch: 'docs/third' })).status).toBe(409);
    const other = await propose(hosted.organization.admin, pair, 'Other');
    const taken = await api.post(`${world.at(other)}/pull-request`, { branch: 'docs/other' });
    expect(taken).toMatchObject({ status: 409, body: { error: { message: expect.stringContaining('Another') } } });
    expect(await open(pair, other, {})).toMatchObject({ status: 'completed' });
    expect(repo.pulls[1]?.source).toMatch(/^bindery\/3-other-\w{6}$/);
  });

  it('is for people who may connect the space, and for spaces that are connected', async () => {
    const { world, pair, request } = await opened();
    const path = `${world.at(request)}/pull-request`;
    const [editor, reader] = [await hosted.organization.member('edit'), await hosted.organization.member('read')];
    expect((await editor.api.post(path, {})).status).toBe(403);
    expect((await reader.api.get(path)).status).toBe(200);
    const other = await buildOrganization(app.current);
    expect([(await other.admin.api.get(path)).status, (await other.admin.api.post(path, {})).status]).toEqual([
      404, 404,
    ]);
    await hosted.organization.admin.api.delete(pair.path);
    expect((await hosted.organization.admin.api.get(path)).status).toBe(404);
    expect(await hosted.organization.admin.api.post(path, {})).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('Connect the space') } },
    });
  });

  it('is pushed to a space that has changed meanwhile, by the run that was asked for', async () => {
    const world = await connected();
    const { pair, repo } = world;
    const request = await propose(hosted.organization.admin, pair);
    await pair.push({ 'README.md': '# Home\n\nElsewhere.\n' });
    expect(await open(pair, request)).toMatchObject({ status: 'completed', target: { changeRequest: request.id } });
    expect((await pair.page('readme')).markdown).toContain('Elsewhere.');
    expect((await pair.repository.commitAt(repo.pulls[0]?.head ?? '')).parent).toEqual([pair.head]);
  });

  it('is refused by a rule of the repository, and pushed when that is gone', async () => {
    const world = await connected();
    const { pair, repo } = world;
    const request = await propose(hosted.organization.admin, pair);
    await repo.git.git('config', 'receive.maxInputSize', '1');
    const refused = await open(pair, request);
    expect(refused).toMatchObject({ status: 'failed' });
    expect(repo.git.refs.get(REF)).toBeUndefined();
    expect(await stateOf(pair, request)).toMatchObject({ state: 'pending', error: expect.any(String) });
    await repo.git.git('config', '--unset', 'receive.maxInputSize');
    await pair.sync();
    expect(repo.pulls).toMatchObject([{ state: 'open', source: BRANCH }]);
  });
});

describeWithGit('a change request as a branch of a server without pull requests', () => {
  const hosted = useGitServer(app, () => GitHttpBackend.start());

  it('is pushed, follows edits, and gets the commits of others', async () => {
    const pair = await GitPair.make(hosted, 'git');
    await pair.begin('git');
    const request = await propose(hosted.organization.admin, pair);
    expect(await open(pair, request)).toMatchObject({ status: 'completed' });
    const pushed = pair.repository.refs.get(REF) ?? '';
    expect(await stateOf(pair, request)).toEqual({
      state: 'branch',
      direction: 'outgoing',
      branch: REF,
      commit: pushed,
    });
    const theirs = await pair.repository.commit(REF, 'Theirs\n', {
      ...(await pair.repository.files(pushed)),
      'README.md': '# Home\n\nTheirs.\n',
    });
    await pair.push({ 'other.md': '# Other\n' });
    await pair.sync();
    const { api } = hosted.organization.admin;
    const path = `/spaces/${pair.space}/change-requests/${request.id}`;
    const { body: home } = await api.get<{ id: string; markdown: string }>(
      `${path}/content/path/readme?format=markdown`,
    );
    expect(home.markdown).toContain('Theirs.');
    expect((await api.get(`${path}/content/path/other`)).status).toBe(200);
    const changes = [{ operation: 'update_page', page: home.id, document: { markdown: `${home.markdown}\n\nOurs.` } }];
    await api.post(`${path}/content`, { changes });
    await pair.settle();
    expect(await pair.state()).not.toHaveProperty('error');
    const head = pair.repository.refs.get(REF) ?? '';
    expect((await pair.repository.commitAt(head)).parent).toEqual([theirs, pair.head]);
    expect((await pair.repository.files(head))['README.md']).toBe('# Home\n\nTheirs.\n\nOurs.\n');
    expect((await api.post(`${path}/merge`, {})).body).toMatchObject({ result: 'merge' });
    await pair.settle();
    expect((await pair.files())['README.md']).toBe('# Home\n\nTheirs.\n\nOurs.\n');
    expect((await api.get(`${path}/pull-request`)).status).toBe(404);
    expect(pair.repository.refs.get(MAIN)).not.toBe(head);
  });
});

describe('the name of a branch', () => {
  it('is one that git takes', () => {
    for (const name of ['docs', 'docs/a-b', 'refs/heads/docs', 'ä', 'a.b']) expect(BRANCH_NAME.test(name)).toBe(true);
    for (const name of [
      ...['', '-a', '/a', 'a/', 'a//b', '.a', 'a/.b', 'a..b', 'a.lock', 'a.lock/b', 'a@{b', '@', 'a b', 'a:b', 'a.'],
      'refs/tags/a',
    ])
      expect([name, BRANCH_NAME.test(name)]).toEqual([name, false]);
    expect([refOf('docs'), refOf('refs/heads/docs'), branchOf('refs/heads/docs')]).toEqual([
      'refs/heads/docs',
      'refs/heads/docs',
      'docs',
    ]);
    const id = 'AbCdEfGh0123456789Xy';
    expect(defaultBranch({ id, number: 7, subject: 'Éxplain: the *install*' })).toBe(
      'bindery/7-e-xplain-the-install-6789xy',
    );
    for (const subject of ['', '…', 'x'.repeat(300)])
      expect(BRANCH_NAME.test(defaultBranch({ id, number: 7, subject }))).toBe(true);
  });
});
