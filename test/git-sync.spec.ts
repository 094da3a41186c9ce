import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { GitTransport } from '../src/operations/imports/git/git-transport.js';
import { commitMessage } from '../src/operations/git-sync/domain/commit-message.js';
import { concerns, isSigned } from '../src/operations/git-sync/domain/hook-delivery.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { Client } from './client.js';
import { FILES, GitPair, MAIN, type Run } from './git-pair.js';
import { GitServer, type Entry } from './git-server.js';

const app = useApp();
let server: GitServer;
let organization: Workspace;

beforeAll(async () => {
  server = await GitServer.start();
  app.current.get(GitTransport).httpsOnly = false;
});
afterAll(() => server.stop());
beforeEach(async () => {
  organization = await buildOrganization(app.current);
});

const makePair = (provider?: string, files?: Readonly<Record<string, Entry>>): Promise<GitPair> =>
  GitPair.make({ app: app.current, organization, server }, provider, files);

describe('a space and a branch', () => {
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
    const jobs = app.current.get(Jobs);
    await jobs.enqueue('git-sync.look', {});
    await pair.settle();
    expect((await pair.page('readme')).markdown).toContain('Welcome.');
    app.current.setTime(new Date(Date.now() + 301_000));
    try {
      await jobs.enqueue('git-sync.look', {});
      await pair.settle();
    } finally {
      app.current.setTime(undefined);
    }
    expect((await pair.page('readme')).markdown).toContain('Polled.');
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
    expect(await refused({ url: 'ssh://git@example.com/docs.git' })).toEqual(['providerConfiguration.url']);
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
    pair.repository.refs.set(MAIN, oid);
    await pair.sync();
    expect(await pair.state()).not.toHaveProperty('error');
    expect((await pair.files())['guide.md']).toContain('Another paragraph.');
  });
});

describe('the hook of an installation', () => {
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
    expect(concerns(MAIN, bitbucket('main'))).toBe(true);
    expect(concerns(MAIN, bitbucket('other'))).toBe(false);
    expect(concerns(MAIN, Buffer.from('no JSON'))).toBe(true);
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
