import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { OutboxRelay } from '../src/kernel/platform/outbox-relay.js';
import { GitTransport } from '../src/operations/imports/git/git-transport.js';
import { TestApp, useApp } from './app.js';
import { Client } from './client.js';
import type { ForgeRequest, Pull } from './forge.js';
import { describeWithGit } from './git-http-backend.js';
import { type GitPair } from './git-pair.js';
import { useForge } from './git-world.js';
import { PullWorld, type PullProvider, type Request } from './pull-world.js';
import { BRANCH, open, openPull, propose, REF, stateOf } from './request-pull-steps.js';

const app = useApp();

describeWithGit('a pull request of a change request, where something fails', () => {
  const hosted = useForge(app);

  const connected = (provider: PullProvider = 'github', previews = false) =>
    PullWorld.connect(hosted, provider, previews);

  const opened = async (provider?: PullProvider, previews?: boolean) => openPull(await connected(provider, previews));

  type Asked = Pick<ForgeRequest, 'method' | 'path'>;
  const isOpening = ({ method, path }: Asked): boolean => method === 'POST' && path.endsWith('/pulls');

  it('is tried again where the forge is down or refuses, and opened once', async () => {
    const world = await connected('github', true);
    const { pair, repo } = world;
    const request = await propose(hosted.organization.admin, pair);
    hosted.server.intercept = (asked) => (isOpening(asked) ? { status: 403, body: {} } : undefined);
    expect(await open(pair, request)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('lacks a right'),
    });
    expect(await stateOf(pair, request)).toMatchObject({ state: 'pending', error: expect.stringContaining('403') });
    expect((await pair.state()).error).toContain('lacks a right');
    hosted.server.intercept = () => ({ status: 503, body: {} });
    await pair.sync();
    expect(await stateOf(pair, request)).toMatchObject({ error: expect.stringContaining('503') });
    const pushed = repo.git.refs.get(REF);
    hosted.server.intercept = undefined;
    app.current.setTime(new Date(Date.now() + 400_000));
    try {
      await app.current.get(Jobs).enqueue('git-sync.look', {});
      await pair.settle();
    } finally {
      app.current.setTime(undefined);
    }
    expect(await pair.state()).not.toHaveProperty('error');
    expect(await stateOf(pair, request)).toMatchObject({ state: 'open' });
    expect(await stateOf(pair, request)).not.toHaveProperty('error');
    expect(repo.pulls).toMatchObject([{ state: 'open', head: pushed }]);
    expect(await world.requests()).toHaveLength(1);
  });

  it('is known again by the next run where one has ended between its steps', async () => {
    const { world, pair, repo, request, pull } = await opened('github', true);
    const [{ oid, revision } = { oid: '', revision: '' }] = await app.current.database.query<{
      oid: string;
      revision: string;
    }>('SELECT oid, revision FROM git_request_branch WHERE change_request_id = $1', [request.id]);
    const reset = async (columns: string): Promise<void> => {
      await app.current.database.execute(
        `UPDATE git_request_branch SET number = NULL, wording = NULL, ${columns} WHERE change_request_id = $1`,
        [request.id],
      );
      await app.current.database.execute('DELETE FROM git_pull_request WHERE change_request_id = $1', [request.id]);
    };
    // It was opened, and that was not noted.
    await reset('failure = NULL');
    await pair.sync();
    expect(repo.pulls).toHaveLength(1);
    expect(await stateOf(pair, request)).toMatchObject({ state: 'open', number: 1 });
    // It was pushed, and that was not noted.
    await reset(`oid = NULL, revision = NULL, pushed_oid = '${oid}', pushed_revision = '${revision}'`);
    await pair.sync();
    expect(repo.pulls).toHaveLength(1);
    expect([repo.git.refs.get(REF), pull.head]).toEqual([oid, oid]);
    expect(await stateOf(pair, request)).toMatchObject({ state: 'open', number: 1, commit: oid });
    expect(await world.requests()).toHaveLength(1);
    expect(await pair.state()).not.toHaveProperty('error');
  });

  describe('with a second server', () => {
    let second: TestApp;
    beforeAll(async () => {
      second = await TestApp.start({}, app.current.databaseUrl);
      second.get(GitTransport).httpsOnly = false;
    });
    afterAll(() => second.close());

    const settleBoth = async (): Promise<void> => {
      for (let round = 0; round < 6; round++) {
        await Promise.all([app.current, second].map((server) => server.get(OutboxRelay).drain()));
        await Promise.all([app.current, second].map((server) => server.get(Jobs).drain()));
        // A run that waits for another one looks again after a second.
        await new Promise((resolve) => setTimeout(resolve, 400));
      }
    };
    const elsewhere = () => new Client(second.url, hosted.organization.admin.api.token);

    it('is opened once, although both are asked and look for work', async () => {
      const world = await connected('github', true);
      const { pair, repo } = world;
      const made: Request[] = [];
      for (const subject of ['One', 'Two']) made.push(await propose(hosted.organization.admin, pair, subject));
      const asked = made.flatMap((request) =>
        [hosted.organization.admin.api, elsewhere()].map((api) =>
          api.post(`${world.at(request)}/pull-request`, { branch: `docs/${request.number}` }),
        ),
      );
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      await settleBoth();
      expect(repo.pulls.map(({ source, state }) => [source, state]).sort()).toEqual([
        ['docs/1', 'open'],
        ['docs/2', 'open'],
      ]);
      for (const { head } of repo.pulls) expect((await pair.repository.commitAt(head)).parent).toEqual([pair.head]);
      expect(await world.requests()).toHaveLength(2);
      expect(await pair.state()).not.toHaveProperty('error');
    });

    it('becomes one change request where it comes from the forge, although both look for work', async () => {
      const world = await connected('github', true);
      const { pair, repo } = world;
      const pulls: Pull[] = [];
      for (const title of ['First', 'Other'])
        pulls.push(await hosted.server.open(repo, { title, files: { [`${title}.md`]: `# ${title}\n` } }));
      const sync = [hosted.organization.admin.api, elsewhere()].map((api) => api.post(`${pair.path}/sync`, {}));
      expect((await Promise.all(sync)).map(({ status }) => status)).toEqual([201, 201]);
      await settleBoth();
      expect((await world.requests()).map(({ subject }) => subject).sort()).toEqual(['First', 'Other']);
      expect(pulls.map(({ comments }) => comments.length)).toEqual([1, 1]);
      expect(await pair.state()).not.toHaveProperty('error');
    });

    /** Lets the first server die over the first request like this, and the second one take over; then the first one comes back. */
    async function dieOver(
      { pair }: PullWorld,
      isLast: (asked: Asked) => boolean,
      whileDead: () => Promise<void>,
    ): Promise<void> {
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      let arrive = (): void => undefined;
      const arrived = new Promise<void>((resolve) => (arrive = resolve));
      let seen = 0;
      hosted.server.intercept = async (asked) => {
        if (!isLast(asked) || ++seen > 1) return undefined;
        arrive();
        await held;
        return { status: 503, body: {} };
      };
      const dead = app.current.get(Jobs).drain();
      await arrived;
      const { database } = app.current;
      const jobs = (facts: string): Promise<unknown> =>
        database.execute(`UPDATE jobs.job SET ${facts} AND name = 'imports.run'`);
      await jobs(`started_on = started_on - interval '2 days' WHERE state = 'active'`);
      await second.get(Jobs).reclaim();
      await jobs(`start_after = now() - interval '1 second' WHERE state < 'active'`);
      await second.get(Jobs).drain();
      // On a slow machine the first one may have given up by itself before that, with a failed run.
      await elsewhere().post(`${pair.path}/sync`, {});
      await second.get(Jobs).drain();
      await whileDead();
      release();
      await dead;
      await settleBoth();
    }

    it('is opened by the other one where a server dies between the push and that', async () => {
      const world = await connected('github', true);
      const { pair, repo } = world;
      const request = await propose(hosted.organization.admin, pair);
      await hosted.organization.admin.api.post(`${world.at(request)}/pull-request`, { branch: BRANCH });
      await dieOver(world, isOpening, async () => {
        expect(repo.pulls).toMatchObject([{ state: 'open', source: BRANCH, head: repo.git.refs.get(REF) }]);
        expect(await stateOf(pair, request)).toMatchObject({ state: 'open', number: 1 });
      });
      expect(repo.pulls).toHaveLength(1);
      expect(await stateOf(pair, request)).toMatchObject({ state: 'open', number: 1 });
      expect(await stateOf(pair, request)).not.toHaveProperty('error');
      expect(await world.requests()).toHaveLength(1);
    });

    it('becomes one change request with one comment where a server dies before it has told the forge', async () => {
      const world = await connected('github', true);
      const { pair, repo } = world;
      const pull = await hosted.server.open(repo, { title: 'Theirs', files: { 'theirs.md': '# Theirs\n' } });
      await hosted.organization.admin.api.post(`${pair.path}/sync`, {});
      await dieOver(
        world,
        ({ method, path }) => method === 'POST' && path.endsWith('/comments'),
        async () => {
          expect(await world.requests()).toMatchObject([{ subject: 'Theirs', status: 'open' }]);
        },
      );
      expect(await world.requests()).toHaveLength(1);
      expect(pull.comments).toHaveLength(1);
      expect(pull.statuses.at(-1)).toMatchObject({ oid: pull.head, state: 'success' });
    });
  });

  describe('by the hook of the repository', () => {
    const deliver = (pair: GitPair, headers: Record<string, string>, raw: string) =>
      new Client(app.current.url, undefined).post(`${pair.path}/hook`, undefined, { raw, headers });
    const signed = ({ installation }: GitPair, body: string, id: string) => ({
      'x-hub-signature-256': `sha256=${createHmac('sha256', installation.hook.secret ?? '')
        .update(body)
        .digest('hex')}`,
      'x-github-delivery': id,
      'x-github-event': 'pull_request',
    });
    const event = (action: string, { number, head }: Pull): string =>
      JSON.stringify({ action, number, pull_request: { number, head: { sha: head } } });
    const runs = async (): Promise<number> =>
      (await hosted.organization.admin.api.get<{ items: unknown[] }>(`/org/${hosted.organization.id}/imports`)).body
        .items.length;

    it('is met when it is opened and closed at the forge: signed, and each delivery once', async () => {
      const world = await connected('github', true);
      const { pair, repo } = world;
      const pull = await hosted.server.open(repo, { title: 'Hooked', files: { 'new.md': '# New\n' } });
      const body = event('opened', pull);
      const before = await runs();
      expect(
        (await deliver(pair, { ...signed(pair, body, 'one'), 'x-hub-signature-256': 'sha256=0' }, body)).status,
      ).toBe(404);
      expect((await deliver(pair, signed(pair, `${body} `, 'one'), body)).status).toBe(404);
      await pair.settle();
      expect([await world.requests(), await runs()]).toEqual([[], before]);
      expect((await deliver(pair, signed(pair, body, 'one'), body)).status).toBe(204);
      expect((await deliver(pair, signed(pair, body, 'one'), body)).status).toBe(409);
      await pair.settle();
      expect(await world.requests()).toMatchObject([{ subject: 'Hooked', status: 'open' }]);
      const taken = await runs();
      pull.state = 'closed';
      const closed = event('closed', pull);
      expect((await deliver(pair, signed(pair, closed, 'two'), closed)).status).toBe(204);
      await pair.settle();
      expect(await world.requests()).toMatchObject([{ status: 'archived' }]);
      // A replay of what was taken long ago tells nothing new, and begins no run.
      const since = await runs();
      expect(since).toBeGreaterThan(taken);
      expect((await deliver(pair, signed(pair, body, 'one'), body)).status).toBe(409);
      await pair.settle();
      expect(await runs()).toBe(since);
      expect(await world.requests()).toMatchObject([{ status: 'archived' }]);
    });

    it('gets the commits of others when they are pushed to its branch', async () => {
      const { world, pair, repo, request, pull } = await opened();
      await hosted.server.push(repo, pull, { 'README.md': '# Home\n\nPushed.\n' });
      const other = JSON.stringify({ ref: 'refs/heads/unknown' });
      expect((await deliver(pair, signed(pair, other, 'three'), other)).status).toBe(204);
      await pair.settle();
      expect(await world.markdown(request, 'readme')).not.toContain('Pushed.');
      const body = JSON.stringify({ ref: REF });
      expect((await deliver(pair, signed(pair, body, 'four'), body)).status).toBe(204);
      await pair.settle();
      expect(await world.markdown(request, 'readme')).toContain('Pushed.');
    });
  });

  it('is followed as it comes where somebody opens it from a branch that was pushed', async () => {
    const world = await connected('github', true);
    const { pair, repo } = world;
    const request = await propose(hosted.organization.admin, pair);
    hosted.server.intercept = (asked) => (isOpening(asked) ? { status: 403, body: {} } : undefined);
    await open(pair, request);
    hosted.server.intercept = undefined;
    const head = repo.git.refs.get(REF) ?? '';
    repo.pulls.push({
      number: 1,
      title: 'By hand',
      body: '',
      source: BRANCH,
      state: 'open',
      head,
      comments: [],
      statuses: [],
    });
    await pair.sync();
    expect(await stateOf(pair, request)).toMatchObject({ state: 'open', number: 1 });
    expect([repo.pulls[0]?.title, (await world.requests()).length]).toEqual(['By hand', 1]);
    const incoming = await hosted.server.open(repo, { title: 'Theirs', files: { 'theirs.md': '# Theirs\n' } });
    await pair.sync();
    const theirs = (await world.requests()).find(({ subject }) => subject === incoming.title);
    if (!theirs) throw new Error('there is no change request');
    expect(await stateOf(pair, theirs)).toMatchObject({ direction: 'incoming', state: 'open', number: 2 });
    expect((await hosted.organization.admin.api.post(`${world.at(theirs)}/pull-request`, {})).status).toBe(409);
  });
});
