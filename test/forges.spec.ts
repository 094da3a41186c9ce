import { expect, it } from '@jest/globals';
import { apiAddress } from '../src/operations/git-sync/forges/forge-address.js';
import { useApp } from './app.js';
import { OWNER } from './forge.js';
import { describeWithGit } from './git-http-backend.js';
import { FILES, GitPair, MAIN } from './git-pair.js';
import { useForge } from './git-world.js';

const app = useApp();

describeWithGit('the forge of an installation', () => {
  const hosted = useForge(app);

  /** Installs a provider on a new space, and gives the path of the installation. */
  async function install(provider: string): Promise<string> {
    const { api } = hosted.organization.admin;
    const { body: space } = await api.post<{ id: string }>(`/orgs/${hosted.organization.id}/spaces`, {
      title: 'Guide',
    });
    const target = { type: 'space', spaceId: space.id };
    const { body } = await api.post<{ id: string }>('/git/installations', { provider, target });
    return `/git/installations/${body.id}`;
  }

  const withToken = (rest: object = {}) => ({
    accessToken: hosted.server.token,
    customInstanceURL: hosted.server.origin,
    ...rest,
  });

  it.each(['github', 'gitlab'])('lists repositories, branches and files of %s, with the token', async (provider) => {
    const { api } = hosted.organization.admin;
    const isGitHub = provider === 'github';
    const name = `lists-${provider}`;
    const git = await hosted.server.create(name);
    const head = await git.commit(MAIN, 'Begin\n', { ...FILES, 'in/a page.md': '# Page\n' });
    await git.git('update-ref', 'refs/heads/topic/one', head);
    await hosted.server.create(`foreign-${provider}`);
    const { id } = hosted.server.repositories.find((each) => each.name === name) ?? { id: 0 };
    const path = await install(provider);
    const lists = isGitHub ? `${path}/github/repos` : `${path}/gitlab/projects`;
    const one = isGitHub ? `${lists}/${OWNER}/${name}` : `${lists}/${id}`;
    expect(await api.get(lists)).toMatchObject({ status: 409, body: { error: { message: /access token/ } } });
    const set = await api.patch(path, { provider, providerConfiguration: withToken() });
    expect(set).toMatchObject({
      status: 200,
      body: { status: 'pending', providerConfiguration: { customInstanceURL: hosted.server.origin } },
    });
    const repository = { id, accountName: OWNER, repositoryName: name, fullName: `${OWNER}/${name}` };
    const listed = await api.get<{ items: { fullName: string }[] }>(lists);
    expect(listed.body.items).toContainEqual({ ...repository, defaultBranch: 'main' });
    // GitLab lists by the level of access itself.
    if (isGitHub) expect(JSON.stringify(listed.body)).not.toContain('foreign');
    expect((await api.get(`${one}/branches`)).body).toEqual({
      items: [
        { name: 'main', ref: 'refs/heads/main' },
        { name: 'topic/one', ref: 'refs/heads/topic/one' },
      ],
    });
    const query = `path=${encodeURIComponent('in/a page.md')}&ref=refs/heads/main`;
    expect((await api.get(`${one}/file?${query}`)).body).toEqual({
      name: 'a page.md',
      path: 'in/a page.md',
      sha: (await git.blobs(head)).get('in/a page.md'),
      size: 7,
    });
    expect((await api.get(`${one}/file?path=none.md&ref=main`)).status).toBe(404);
    const unknown = isGitHub ? `${lists}/${OWNER}/none` : `${lists}/99`;
    expect((await api.get(`${unknown}/branches`)).status).toBe(404);
    expect((await api.get(`${isGitHub ? `${lists}/%2e%2e` : lists}/%2e%2e/branches`)).status).toBe(404);
    const other = isGitHub ? `${path}/gitlab/projects` : `${path}/github/repos`;
    expect((await api.get(other)).status).toBe(409);
  });

  it.each(['github', 'gitlab'])('finds the repository of %s that is chosen by its id', async (provider) => {
    const { api } = hosted.organization.admin;
    const name = `chosen-${provider}`;
    await hosted.server.create(name);
    const { id } = hosted.server.repositories.find((each) => each.name === name) ?? { id: 0 };
    const path = await install(provider);
    const field = provider === 'github' ? 'repositoryId' : 'projectId';
    const choose = (configuration: object) => api.patch(path, { provider, providerConfiguration: configuration });
    expect(await choose(withToken({ [field]: id, branch: MAIN }))).toMatchObject({
      status: 200,
      body: { status: 'active', providerConfiguration: { url: `${hosted.server.url}/${name}.git`, [field]: id } },
    });
    expect((await api.get(path)).body).toMatchObject({ providerConfiguration: { [field]: id } });
    expect(await choose({ [field]: 99 })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: `providerConfiguration.${field}` }] } },
    });
    expect((await choose({ [field]: id, accessToken: 'wrong' })).body).toMatchObject({
      error: { message: expect.stringContaining('does not accept the access token') },
    });
    const elsewhere = provider === 'github' ? 'projectId' : 'repositoryId';
    expect((await choose({ [elsewhere]: id })).status).toBe(400);
    expect((await choose({ url: 'https://git.example.com/docs.git' })).body).toMatchObject({
      providerConfiguration: { url: 'https://git.example.com/docs.git' },
    });
    expect((await choose({ customInstanceURL: null })).body).not.toHaveProperty([
      'providerConfiguration',
      'customInstanceURL',
    ]);
    expect((await api.get(path)).body).not.toHaveProperty(['providerConfiguration', field]);
  });

  it('never shows the token, reaches nothing private, and waits for no answer without an end', async () => {
    const { api } = hosted.organization.admin;
    const path = await install('github');
    const set = (configuration: object) =>
      api.patch(path, { provider: 'github', providerConfiguration: configuration });
    await set({ accessToken: 'a-secret', customInstanceURL: 'http://10.0.0.1' });
    const refused = await api.get(`${path}/github/repos`);
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('not allowed') } },
    });
    await set({ customInstanceURL: hosted.server.origin });
    for (const [answer, message] of [
      [{ status: 200, body: undefined }, 'no JSON'],
      [{ status: 302, headers: { location: 'http://10.0.0.1/' } }, 'answered 302'],
      [{ status: 429 }, 'refused it (429)'],
      [{ status: 500 }, 'answered 500'],
    ] as const) {
      await set({ accessToken: hosted.server.token });
      hosted.server.intercept = () => answer;
      const told = await api.get(`${path}/github/repos`);
      expect(told).toMatchObject({ status: 409, body: { error: { message: expect.stringContaining(message) } } });
      expect(JSON.stringify(told.body)).not.toContain(hosted.server.token);
    }
    hosted.server.intercept = ({ query }) => ({
      status: 200,
      body: Array.from({ length: 100 }, (_, index) => ({
        id: Number(query.get('page')) * 1000 + index,
        permissions: { push: true },
      })),
    });
    const { body } = await api.get<{ items: unknown[] }>(`${path}/github/repos`);
    expect(body.items).toHaveLength(1000);
    hosted.server.intercept = undefined;
    const bitbucket = await install('bitbucket');
    expect(
      await api.patch(bitbucket, {
        provider: 'bitbucket',
        providerConfiguration: { customInstanceURL: 'https://example.com' },
      }),
    ).toMatchObject({ status: 400 });
  });

  it('is let in with the token as the repository is', async () => {
    const pair = await GitPair.make(hosted, 'github');
    await pair.setUp({ accessToken: hosted.server.token });
    await pair.begin('git');
    expect(await pair.state()).not.toHaveProperty('error');
    expect((await pair.page('readme')).markdown).toContain('Welcome.');
  });

  it('has its API beside the repository', () => {
    expect(
      (
        [
          ['github', 'https://github.com/a/b.git', null],
          ['github', 'git@github.com:a/b.git', null],
          ['github', 'ssh://git@github.example.com:22/a/b', null],
          ['gitlab', null, null],
          ['gitlab', 'https://gitlab.example.com/a/b', null],
          ['gitlab', 'ssh://git@ssh.example.com/a/b', 'https://gitlab.example.com/below'],
        ] as const
      ).map(([provider, url, server]) =>
        apiAddress(provider, url?.replace('git@github.com:', 'ssh://git@github.com/') ?? null, server),
      ),
    ).toEqual([
      'https://api.github.com',
      'https://api.github.com',
      'https://github.example.com/api/v3',
      'https://gitlab.com/api/v4',
      'https://gitlab.example.com/api/v4',
      'https://gitlab.example.com/below/api/v4',
    ]);
  });
});
