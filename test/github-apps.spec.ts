import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { GitHubAppTokens } from '../src/operations/git-sync/forges/github-app-tokens.js';
import { useApp } from './app.js';
import { OWNER } from './forge.js';
import { describeWithGit } from './git-http-backend.js';
import { GitPair, MAIN } from './git-pair.js';
import { useForge } from './git-world.js';

const app = useApp();
const MINUTE = 60_000;

describeWithGit('a GitHub App', () => {
  const hosted = useForge(app);
  let privateKey: string;

  beforeEach(() => {
    privateKey = hosted.server.app.renewKey();
  });
  afterEach(() => {
    at(undefined);
    hosted.server.app.isSuspended = false;
  });

  /** Sets the clocks of the service and of the forge. */
  function at(time: number | undefined): void {
    app.current.setTime(time === undefined ? undefined : new Date(time));
    hosted.server.app.now = time;
  }

  const appOf = (rest: object = {}) => ({
    app: { appId: hosted.server.app.id, installationId: hosted.server.app.installationId, privateKey, ...rest },
  });
  const connect = async () => {
    const pair = await GitPair.make(hosted, 'github');
    expect(await pair.setUp(appOf())).toMatchObject({ status: 200 });
    return pair;
  };

  it('lets an installation in at the repository and the API, with a token of an hour for all of it', async () => {
    const { api } = hosted.organization.admin;
    const made = hosted.server.app.made;
    const pair = await connect();
    await pair.setUp({}, { previewExternalBranches: true });
    await pair.begin('git');
    const state = await pair.state();
    expect(state).toMatchObject({
      status: 'active',
      providerConfiguration: { app: { appId: hosted.server.app.id, installationId: hosted.server.app.installationId } },
    });
    expect(state).not.toHaveProperty('error');
    expect(JSON.stringify(state)).not.toContain('PRIVATE KEY');
    await pair.write('guide', (markdown) => markdown.replace('First', 'Changed'));
    await pair.settle();
    expect((await pair.files())['guide.md']).toContain('Changed paragraph.');
    const repo = hosted.server.repositories.at(-1);
    if (!repo) throw new Error('there is no repository');
    const pull = await hosted.server.open(repo, { title: 'Another', files: { 'README.md': '# Home\n\nHello.\n' } });
    await pair.sync();
    expect(pull.statuses.at(-1)).toMatchObject({ oid: pull.head, state: 'success' });
    expect(pull.comments).toHaveLength(1);
    const listed = await api.get<{ items: { fullName: string }[] }>(`${pair.path}/github/repos`);
    expect(listed.body.items).toContainEqual(expect.objectContaining({ fullName: `${OWNER}/${repo.name}` }));
    expect(hosted.server.app.made - made).toBe(1);
  });

  it('gets another token shortly before the end of the last one, once for all who ask', async () => {
    const tokens = app.current.get(GitHubAppTokens);
    const asked = {
      appId: String(hosted.server.app.id),
      installationId: String(hosted.server.app.installationId),
      privateKey,
    };
    const base = `${hosted.server.origin}/api/v3`;
    const begin = Date.UTC(2026, 5, 1);
    const all = () => Promise.all(Array.from({ length: 20 }, () => tokens.tokenOf(asked, base)));
    at(begin);
    const made = hosted.server.app.made;
    const [first] = await all();
    at(begin + 49 * MINUTE);
    expect(new Set(await all())).toEqual(new Set([first]));
    at(begin + 51 * MINUTE);
    const later = new Set(await all());
    expect(later.size).toBe(1);
    expect(later).not.toContain(first);
    expect(hosted.server.app.made - made).toBe(2);
    // A failure is not kept.
    at(begin + 120 * MINUTE);
    hosted.server.app.isSuspended = true;
    await expect(all()).rejects.toThrow('suspended');
    hosted.server.app.isSuspended = false;
    expect(new Set(await all()).size).toBe(1);
  });

  it('says so while it is suspended, is gone or has another key, and goes on afterwards', async () => {
    const pair = await connect();
    await pair.begin('git');
    const refused = async (message: RegExp) => {
      await pair.sync();
      expect(await pair.state()).toMatchObject({ status: 'unauthenticated', error: expect.stringMatching(message) });
    };
    hosted.server.app.isSuspended = true;
    await refused(/answered 401/);
    await refused(/suspended/);
    hosted.server.app.isSuspended = false;
    await pair.sync();
    expect(await pair.state()).toMatchObject({ status: 'active' });
    expect(await pair.state()).not.toHaveProperty('error');
    await pair.setUp(appOf({ installationId: 1 }));
    await refused(/no installation 1/);
    const former = privateKey;
    privateKey = hosted.server.app.renewKey();
    await pair.setUp(appOf({ privateKey: former }));
    await refused(/does not accept the private key/);
    await pair.setUp(appOf());
    // It is tried again by itself.
    at(Date.now() + 7 * 3600_000);
    await app.current.get(Jobs).enqueue('git-sync.look', {});
    await pair.settle();
    expect(await pair.state()).toMatchObject({ status: 'active' });
    // A token that was taken back is replaced.
    hosted.server.app.tokens.clear();
    await pair.sync();
    await pair.sync();
    expect(await pair.state()).not.toHaveProperty('error');
  });

  it('is checked as it is given, and goes in the place of a token', async () => {
    const pair = await connect();
    const small = appOf({ privateKey: '-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----' });
    const fault = async (configuration: object, path: string) =>
      expect(await pair.setUp(configuration)).toMatchObject({ status: 400, body: { error: { details: [{ path }] } } });
    await fault(small, 'providerConfiguration.app.privateKey');
    await fault({ ...appOf(), accessToken: hosted.server.token }, 'providerConfiguration.app');
    await fault(appOf({ appId: 0 }), 'providerConfiguration.app.appId');
    const { id } = hosted.server.repositories.at(-1) ?? { id: 0 };
    expect((await pair.setUp({ repositoryId: id, branch: MAIN })).body).toMatchObject({
      providerConfiguration: { repositoryId: id },
    });
    const foreign = await pair.setUp({ ...appOf({ installationId: 1 }), repositoryId: id });
    expect(foreign.body).toMatchObject({ error: { message: expect.stringContaining('no installation 1') } });
    expect((await pair.setUp({ accessToken: hosted.server.token })).body.providerConfiguration).not.toHaveProperty(
      'app',
    );
    await pair.begin('git');
    expect(await pair.state()).not.toHaveProperty('error');
    await pair.setUp(appOf());
    expect((await pair.setUp({ app: null })).body.providerConfiguration).not.toHaveProperty('app');
    await pair.sync();
    expect(await pair.state()).toMatchObject({ status: 'unauthenticated' });
    const gitlab = await GitPair.make(hosted, 'gitlab');
    expect(await gitlab.setUp(appOf())).toMatchObject({ status: 400 });
  });
});
