import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { OutboxRelay } from '../src/kernel/platform/outbox-relay.js';
import { GitTransport } from '../src/operations/imports/git/git-transport.js';
import { TestApp, useApp } from './app.js';
import type { ForgeRepo, Pull } from './forge.js';
import { describeWithGit } from './git-http-backend.js';
import { MAIN } from './git-pair.js';
import type { PullProvider, Request } from './pull-world.js';
import { FILES as SITE_FILES, SITE, useForgeSites, type SitePair } from './site-world.js';

const app = useApp();
/** With tables of contents, so that an export adds none. */
const FILES = {
  ...SITE_FILES,
  'guides/SUMMARY.md': '# Contents\n\n* [Guides](README.md)\n',
  'internals/SUMMARY.md': '# Contents\n\n* [Internals](README.md)\n',
};

describeWithGit('a pull request of the repository of a site', () => {
  const sites = useForgeSites(app);
  const api = () => sites.current.organization.admin.api;
  const both = { 'guides/README.md': '# Guides\n\nHow to do it.\n', 'internals/README.md': '# Internals\n\nWhy.\n' };

  /** A site that is equal with its branch, and follows pull requests. */
  async function connected(provider: PullProvider = 'github'): Promise<{ pair: SitePair; repo: ForgeRepo }> {
    const { server } = sites.current;
    const pair = await sites.current.connect(FILES, [], provider);
    const repo = server.repositories.at(-1);
    if (!repo) throw new Error('there is no repository');
    const configuration = { url: pair.url, branch: MAIN, accessToken: server.token };
    const set = await pair.setUp({ previewExternalBranches: true, priority: 'git' }, configuration);
    expect(set).toMatchObject({ status: 200, body: { previewExternalBranches: true } });
    await sites.current.settle();
    await follow(pair);
    return { pair, repo };
  }

  /** Lets the installations of all spaces look at the repository, and expects that nothing fails. */
  async function follow(pair: SitePair): Promise<void> {
    for (const { id } of await pair.children())
      expect((await api().post(`/git/installations/${id}/sync`)).status).toBe(201);
    await sites.current.settle();
    for (const each of await pair.list()) expect(each).not.toHaveProperty('error');
  }

  /** The change requests of a space, by its folder. */
  async function requests(pair: SitePair, folder: string): Promise<Request[]> {
    const space = (await pair.child(folder)).target.spaceId ?? '';
    const found: Request[] = [];
    for (const status of ['open', 'archived', 'merged'])
      found.push(
        ...(await api().get<{ items: Request[] }>(`/spaces/${space}/change-requests?status=${status}`)).body.items,
      );
    return found;
  }

  async function merge(pair: SitePair, folder: string): Promise<void> {
    const space = (await pair.child(folder)).target.spaceId ?? '';
    const [request] = await requests(pair, folder);
    const merged = await api().post(`/spaces/${space}/change-requests/${request?.id ?? ''}/merge`, {});
    expect(merged.body).toMatchObject({ result: 'merge' });
    await sites.current.settle();
    for (const each of await pair.list()) expect(each).not.toHaveProperty('error');
  }

  const commits = async ({ git }: ForgeRepo, since: string): Promise<number> =>
    Number((await git.git('rev-list', '--count', '--first-parent', `${since}..${MAIN}`)).trim());
  const state = (pull: Pull) => pull.statuses.at(-1);

  it('becomes a change request in each space that it touches, and is told of once', async () => {
    const { server } = sites.current;
    const { pair, repo } = await connected('gitlab');
    const pull = await server.open(repo, {
      title: 'Say how',
      files: { 'guides/README.md': both['guides/README.md'] },
    });
    await follow(pair);
    expect(await requests(pair, 'guides')).toMatchObject([{ subject: 'Say how', status: 'open' }]);
    expect(await requests(pair, 'internals')).toEqual([]);
    expect(pull.comments).toHaveLength(1);
    expect(pull.comments[0]?.text).toMatch(/### \[Guides\]\(http[^)]*\/~\/changes\/1/);
    expect(pull.comments[0]?.text).not.toContain('Internals');
    expect(state(pull)).toMatchObject({ oid: pull.head, text: 'Guides: 1 page changed, no broken links' });
    // It touches another space as well, where it breaks a link.
    await server.push(repo, pull, { ...both, 'internals/README.md': '# Internals\n\n[No](no.md).\n' });
    await follow(pair);
    expect(await requests(pair, 'internals')).toMatchObject([{ subject: 'Say how', status: 'open' }]);
    expect(state(pull)).toMatchObject({
      oid: pull.head,
      text: expect.stringMatching(/^Internals: 1 (broken|error)/),
    });
    expect(pull.comments).toHaveLength(1);
    expect(pull.comments[0]?.text).toMatch(/### \[Guides\][\s\S]*### \[Internals\]/);
    // It ceases to touch one, and touches it again.
    await server.push(repo, pull, { 'internals/README.md': FILES['internals/README.md'] });
    await follow(pair);
    expect(await requests(pair, 'internals')).toMatchObject([{ status: 'archived' }]);
    expect(pull.comments[0]?.text).not.toContain('Internals');
    await server.push(repo, pull, both);
    await follow(pair);
    expect(await requests(pair, 'internals')).toMatchObject([{ status: 'open' }]);
    expect(state(pull)?.text).toBe(
      'Guides: 1 page changed, no broken links; Internals: 1 page changed, no broken links',
    );
    pull.state = 'closed';
    await follow(pair);
    const statuses = async () => [...(await requests(pair, 'guides')), ...(await requests(pair, 'internals'))];
    expect(await statuses()).toMatchObject([{ status: 'archived' }, { status: 'archived' }]);
    pull.state = 'open';
    await follow(pair);
    expect(await statuses()).toMatchObject([{ status: 'open' }, { status: 'open' }]);
    // The forge merges it: each change request is merged, and nothing is committed.
    const merged = await server.merge(repo, pull);
    await follow(pair);
    expect(await statuses()).toMatchObject([{ status: 'merged' }, { status: 'merged' }]);
    expect(repo.git.refs.get(MAIN)).toBe(merged);
    expect(pull.comments).toHaveLength(1);
    expect(pull.comments[0]?.text.match(/were merged/g)).toHaveLength(2);
  });

  it('is told of where it changes the structure of the site or nothing of it', async () => {
    const { server } = sites.current;
    const { pair, repo } = await connected();
    const structure = await server.open(repo, {
      title: 'Title',
      files: { 'docs.yaml': SITE.replace('title: Handbook', 'title: Manual') },
    });
    const broken = await server.open(repo, {
      title: 'Folder',
      files: { 'docs.yaml': SITE.replace('directory: ./guides', 'directory: ./elsewhere') },
    });
    const nothing = await server.open(repo, { title: 'Licence', files: { LICENSE: 'Not free.' } });
    await follow(pair);
    expect(state(broken)).toMatchObject({ state: 'failure', text: 'Structure of the site: 1 error' });
    expect(broken.comments).toMatchObject([{ text: expect.stringContaining('error: `docs.yaml`, line') }]);
    await server.push(repo, broken, { 'docs.yaml': SITE.replace('title: Handbook', 'title: Manual') });
    await follow(pair);
    expect(state(broken)).toMatchObject({ state: 'success' });
    expect(broken.comments).toMatchObject([{ text: expect.not.stringContaining('error') }]);
    expect(await requests(pair, 'guides')).toEqual([]);
    expect(state(structure)).toMatchObject({ state: 'success', text: expect.stringContaining('structure') });
    expect(structure.comments).toMatchObject([{ text: expect.stringContaining('The file of the site changes') }]);
    expect(state(structure)?.url).toContain(`/sites/${pair.site}`);
    expect(nothing.comments).toMatchObject([{ text: expect.stringContaining('no space of the site changes') }]);
    await follow(pair);
    expect([structure.statuses.length, nothing.statuses.length]).toEqual([1, 1]);
  });

  it('is merged at the forge with the last of its change requests, and nothing comes twice', async () => {
    const { server } = sites.current;
    const { pair, repo } = await connected('gitea');
    const pull = await server.open(repo, { title: 'Both', files: both });
    await follow(pair);
    const before = repo.git.refs.get(MAIN) ?? '';
    await merge(pair, 'guides');
    // The merged changes are in the branch as any others, and the pull request waits for the rest.
    expect([pull.state, await commits(repo, before)]).toEqual(['open', 1]);
    expect((await pair.files())['guides/README.md']).toBe(both['guides/README.md']);
    expect((await pair.files())['internals/README.md']).toBe(FILES['internals/README.md']);
    await merge(pair, 'internals');
    expect([pull.state, repo.git.refs.get(MAIN)]).toEqual(['merged', pull.mergedAs]);
    await follow(pair);
    expect(repo.git.refs.get(MAIN)).toBe(pull.mergedAs);
    expect(await pair.files()).toEqual({ ...FILES, ...both });
    // The only change request of a pull request merges it.
    const other = await server.open(repo, { title: 'One', files: { 'guides/README.md': '# Guides\n\nOne.\n' } });
    await follow(pair);
    await merge(pair, 'guides');
    expect([other.state, repo.git.refs.get(MAIN)]).toEqual(['merged', other.mergedAs]);
    // The rest is committed where the forge refuses, and the pull request is closed.
    const third = await server.open(repo, { title: 'Third', files: both });
    await follow(pair);
    server.intercept = ({ path }) => (path.endsWith('/merge') ? { status: 405, body: {} } : undefined);
    await merge(pair, 'guides');
    await follow(pair);
    server.intercept = undefined;
    expect(third.state).toBe('closed');
    expect(await pair.files()).toEqual({ ...FILES, ...both });
  });

  it('is met by a hook and by looking, also after a server has ended between two steps', async () => {
    const { server } = sites.current;
    const { pair, repo } = await connected();
    const pull = await server.open(repo, { title: 'Both', files: both });
    const event = { ref: undefined, before: undefined, action: 'opened', number: 1 };
    expect(await pair.hook(pair.parent.hook.secret ?? '', event, 'd1')).toBe(204);
    await sites.current.settle();
    expect(await requests(pair, 'guides')).toHaveLength(1);
    expect(await requests(pair, 'internals')).toHaveLength(1);
    const told = state(pull);
    // A run that has ended while it told the forge leaves its name and the comment that it did not note.
    await app.current.database.execute(
      `UPDATE git_pull_request SET comment_id = NULL, reported = NULL, teller = 'gone', changed_oid = NULL WHERE installation_id = $1`,
      [pair.parent.id],
    );
    await follow(pair);
    expect(pull.comments).toHaveLength(1);
    expect(state(pull)).toEqual(told);
    // It has noted that the pull request no longer touches the space, and not closed the change request yet.
    await server.push(repo, pull, { 'internals/README.md': FILES['internals/README.md'] });
    await app.current.database.execute('UPDATE git_pull_request SET touches = false WHERE installation_id = $1', [
      (await pair.child('internals')).id,
    ]);
    app.current.setTime(new Date(Date.now() + 400_000));
    try {
      await app.current.get(Jobs).enqueue('git-sync.look', {});
      await sites.current.settle();
    } finally {
      app.current.setTime(undefined);
    }
    expect(await requests(pair, 'internals')).toMatchObject([{ status: 'archived' }]);
    expect(state(pull)).toMatchObject({ oid: pull.head, text: 'Guides: 1 page changed, no broken links' });
    // Another repository has other pull requests.
    const elsewhere = await server.create('elsewhere');
    await elsewhere.commit(MAIN, 'Begin\n', FILES);
    expect((await pair.setUp({}, { url: `${server.url}/elsewhere.git` })).status).toBe(200);
    expect(
      await app.current.database.query('SELECT 1 AS one FROM git_pull_request WHERE installation_id = ANY ($1)', [
        (await pair.list()).map(({ id }) => id),
      ]),
    ).toEqual([]);
  });

  it('is opened of a change request of a space, in its folder, and merged with it', async () => {
    const { server } = sites.current;
    const { pair, repo } = await connected('gitea');
    const space = (await pair.child('guides')).target.spaceId ?? '';
    const page = [...(await sites.current.pagesOf(space)).values()][0] ?? '';
    const { body: request } = await api().post<Request>(`/spaces/${space}/change-requests`, { subject: 'Ours' });
    const path = `/spaces/${space}/change-requests/${request.id}`;
    const changes = [{ operation: 'update_page', page, document: { markdown: 'How we do it.' } }];
    expect((await api().post(`${path}/content`, { changes })).status).toBe(200);
    await api().patch(path, { status: 'open' });
    expect((await api().post(`${path}/pull-request`, { branch: 'docs/ours' })).status).toBe(201);
    await sites.current.settle();
    await follow(pair);
    const [pull] = repo.pulls;
    if (!pull) throw new Error('there is no pull request');
    expect(await repo.git.files(pull.head)).toEqual({ ...FILES, 'guides/README.md': '# Guides\n\nHow we do it.\n' });
    expect(await requests(pair, 'guides')).toHaveLength(1);
    expect(await requests(pair, 'internals')).toEqual([]);
    expect(pull.comments).toHaveLength(1);
    expect(state(pull)).toMatchObject({ oid: pull.head, text: 'Guides: 1 page changed, no broken links' });
    // Somebody changes another space in the branch; both are merged by the last one.
    await server.push(repo, pull, { 'internals/README.md': both['internals/README.md'] });
    await follow(pair);
    expect(await requests(pair, 'internals')).toMatchObject([{ subject: 'Ours', status: 'open' }]);
    await merge(pair, 'internals');
    expect(pull.state).toBe('open');
    await merge(pair, 'guides');
    expect([pull.state, repo.git.refs.get(MAIN)]).toEqual(['merged', pull.mergedAs]);
    expect(await pair.files()).toMatchObject({ ...both, 'guides/README.md': '# Guides\n\nHow we do it.\n' });
    expect(pull.comments).toHaveLength(1);
  });

  describe('with a second server', () => {
    let second: TestApp;
    beforeAll(async () => {
      second = await TestApp.start({}, app.current.databaseUrl);
      second.get(GitTransport).httpsOnly = false;
    });
    afterAll(() => second.close());

    /** Waits until a second run has something newer to tell, for three seconds. */
    const heldBack = async (): Promise<void> => {
      for (let waited = 0; waited < 30; waited++) {
        if (await app.current.database.one('SELECT FROM git_pull_request WHERE is_outdated')) return;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };

    const settleBoth = async (): Promise<void> => {
      for (let round = 0; round < 6; round++) {
        await Promise.all([app.current, second].map((each) => each.get(OutboxRelay).drain()));
        await Promise.all([app.current, second].map((each) => each.get(Jobs).drain()));
      }
    };

    it('is told of and merged once where both work for its spaces at once', async () => {
      const { server } = sites.current;
      const { pair, repo } = await connected('bitbucket');
      const pull = await server.open(repo, { title: 'Both', files: both });
      // The words of one run about the other one arrive only after that has ended, and are not the last ones.
      server.intercept = async ({ path, body }) => {
        if (path.endsWith('/statuses/build') && String(body['description']).includes(': being read')) await heldBack();
        return undefined;
      };
      for (const { id } of await pair.children()) await api().post(`/git/installations/${id}/sync`);
      await settleBoth();
      expect(pull.comments).toHaveLength(1);
      expect(pull.comments[0]?.text).toMatch(/### \[Guides\][\s\S]*### \[Internals\]/);
      expect(state(pull)).toMatchObject({
        state: 'SUCCESSFUL',
        text: expect.stringMatching(/^Guides: 1.*Internals: 1/),
      });
      const before = repo.git.refs.get(MAIN) ?? '';
      const merged = ['guides', 'internals'].map(async (folder) => {
        const space = (await pair.child(folder)).target.spaceId ?? '';
        const [request] = await requests(pair, folder);
        return (await api().post(`/spaces/${space}/change-requests/${request?.id ?? ''}/merge`, {})).body;
      });
      expect(await Promise.all(merged)).toMatchObject([{ result: 'merge' }, { result: 'merge' }]);
      await settleBoth();
      await follow(pair);
      expect(pull.state).toBe('merged');
      expect(await commits(repo, before)).toBe(1);
      expect(await pair.files()).toEqual({ ...FILES, ...both });
      expect(pull.comments).toHaveLength(1);
    });
  });
});
