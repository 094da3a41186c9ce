import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { GitTransport } from '../src/operations/imports/git/git-transport.js';
import { GitHubAppTokens } from '../src/operations/git-sync/forges/github-app-tokens.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { Forge, OWNER } from './forge.js';
import { describeWithGit } from './git-http-backend.js';
import { GitPair, MAIN } from './git-pair.js';

const app = useApp();
const MINUTE = 60_000;
let forge: Forge;
let organization: Workspace;
let privateKey: string;

beforeAll(() => {
  app.current.get(GitTransport).httpsOnly = false;
});
beforeEach(async () => {
  organization = await buildOrganization(app.current);
  privateKey = forge.app.renewKey();
});
afterEach(() => {
  at(undefined);
  forge.app.isSuspended = false;
});

/** Sets the clocks of the service and of the forge. */
function at(time: number | undefined): void {
  app.current.setTime(time === undefined ? undefined : new Date(time));
  forge.app.now = time;
}

describeWithGit('a GitHub App', () => {
  beforeAll(async () => {
    forge = await Forge.start();
  });
  afterAll(() => forge.stop());

  const appOf = (rest: object = {}) => ({
    app: { appId: forge.app.id, installationId: forge.app.installationId, privateKey, ...rest },
  });
  const connect = async () => {
    const pair = await GitPair.make({ app: app.current, organization, server: forge }, 'github');
    expect(await pair.setUp(appOf())).toMatchObject({ status: 200 });
    return pair;
  };

  it('lets an installation in at the repository and the API, with a token of an hour for all of it', async () => {
    const { api } = organization.admin;
    const made = forge.app.made;
    const pair = await connect();
    await pair.setUp({}, { previewExternalBranches: true });
    await pair.begin('git');
    const state = await pair.state();
    expect(state).toMatchObject({
      status: 'active',
      providerConfiguration: { app: { appId: forge.app.id, installationId: forge.app.installationId } },
    });
    expect(state).not.toHaveProperty('error');
    expect(JSON.stringify(state)).not.toContain('PRIVATE KEY');
    await pair.write('guide', (markdown) => markdown.replace('First', 'Changed'));
    await pair.settle();
    expect((await pair.files())['guide.md']).toContain('Changed paragraph.');
    const repo = forge.repositories.at(-1);
    if (!repo) throw new Error('there is no repository');
    const pull = await forge.open(repo, { title: 'Another', files: { 'README.md': '# Home\n\nHello.\n' } });
    await pair.sync();
    expect(pull.statuses.at(-1)).toMatchObject({ oid: pull.head, state: 'success' });
    expect(pull.comments).toHaveLength(1);
    const listed = await api.get<{ items: { fullName: string }[] }>(`${pair.path}/github/repos`);
    expect(listed.body.items).toContainEqual(expect.objectContaining({ fullName: `${OWNER}/${repo.name}` }));
    expect(forge.app.made - made).toBe(1);
  });

  it('gets another token shortly before the end of the last one, once for all who ask', async () => {
    const tokens = app.current.get(GitHubAppTokens);
    const asked = { appId: String(forge.app.id), installationId: String(forge.app.installationId), privateKey };
    const base = `${forge.origin}/api/v3`;
    const begin = Date.UTC(2026, 5, 1);
    const all = () => Promise.all(Array.from({ length: 20 }, () => tokens.tokenOf(asked, base)));
    at(begin);
    const made = forge.app.made;
    const [first] = await all();
    at(begin + 49 * MINUTE);
    expect(new Set(await all())).toEqual(new Set([first]));
    at(begin + 51 * MINUTE);
    const later = new Set(await all());
    expect(later.size).toBe(1);
    expect(later).not.toContain(first);
    expect(forge.app.made - made).toBe(2);
    // A failure is not kept.
    at(begin + 120 * MINUTE);
    forge.app.isSuspended = true;
    await expect(all()).rejects.toThrow('suspended');
    forge.app.isSuspended = false;
    expect(new Set(await all()).size).toBe(1);
  });

  it('says so while it is suspended, is gone or has another key, and goes on afterwards', async () => {
    const pair = await connect();
    await pair.begin('git');
    const refused = async (message: RegExp) => {
      await pair.sync();
      expect(await pair.state()).toMatchObject({ status: 'unauthenticated', error: expect.stringMatching(message) });
    };
    forge.app.isSuspended = true;
    await refused(/answered 401/);
    await refused(/suspended/);
    forge.app.isSuspended = false;
    await pair.sync();
    expect(await pair.state()).toMatchObject({ status: 'active' });
    expect(await pair.state()).not.toHaveProperty('error');
    await pair.setUp(appOf({ installationId: 1 }));
    await refused(/no installation 1/);
    const former = privateKey;
    privateKey = forge.app.renewKey();
    await pair.setUp(appOf({ privateKey: former }));
    await refused(/does not accept the private key/);
    await pair.setUp(appOf());
    // It is tried again by itself.
    at(Date.now() + 7 * 3600_000);
    await app.current.get(Jobs).enqueue('git-sync.look', {});
    await pair.settle();
    expect(await pair.state()).toMatchObject({ status: 'active' });
    // A token that was taken back is replaced.
    forge.app.tokens.clear();
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
    await fault({ ...appOf(), accessToken: forge.token }, 'providerConfiguration.app');
    await fault(appOf({ appId: 0 }), 'providerConfiguration.app.appId');
    const { id } = forge.repositories.at(-1) ?? { id: 0 };
    expect((await pair.setUp({ repositoryId: id, branch: MAIN })).body).toMatchObject({
      providerConfiguration: { repositoryId: id },
    });
    const foreign = await pair.setUp({ ...appOf({ installationId: 1 }), repositoryId: id });
    expect(foreign.body).toMatchObject({ error: { message: expect.stringContaining('no installation 1') } });
    expect((await pair.setUp({ accessToken: forge.token })).body.providerConfiguration).not.toHaveProperty('app');
    await pair.begin('git');
    expect(await pair.state()).not.toHaveProperty('error');
    await pair.setUp(appOf());
    expect((await pair.setUp({ app: null })).body.providerConfiguration).not.toHaveProperty('app');
    await pair.sync();
    expect(await pair.state()).toMatchObject({ status: 'unauthenticated' });
    const gitlab = await GitPair.make({ app: app.current, organization, server: forge }, 'gitlab');
    expect(await gitlab.setUp(appOf())).toMatchObject({ status: 400 });
  });
});
