import { expect, it } from '@jest/globals';
import { SiteSyncer } from '../src/operations/git-sync/sites/site-syncer.service.js';
import { useApp } from './app.js';
import { describeWithGit } from './git-http-backend.js';
import { MAIN } from './git-pair.js';
import { FILES, SITE, useSites, type Installation } from './site-world.js';

const app = useApp();

describeWithGit('a site that is kept equal with a repository', () => {
  const sites = useSites(app);

  it('becomes what its file says, with an installation for each space, and follows the file', async () => {
    const { api } = sites.current.organization.admin;
    const pair = await sites.current.connect(FILES);
    await pair.setUp();
    const plan = await api.post<object>(`/git/installations/${pair.parent.id}/structure-plan`, { priority: 'git' });
    expect(plan).toMatchObject({
      status: 200,
      body: {
        path: 'docs.yaml',
        nodes: [
          { type: 'space', key: 'guides', change: 'add' },
          { type: 'space', key: 'internals', change: 'add' },
        ],
        spaces: [{ projectDirectory: 'guides' }, { projectDirectory: 'internals' }],
      },
    });
    expect(await pair.children()).toEqual([]);
    const head = pair.git.refs.get(MAIN);
    await pair.begin('git');
    expect(await sites.current.titles(pair.site)).toEqual(['Guides', 'Internals']);
    const guides = await pair.child('guides');
    expect(guides).toMatchObject({ target: { type: 'space', siteId: pair.site }, priority: 'git' });
    expect(await sites.current.text(guides.target.spaceId)).toContain('How to.');
    const internals = await pair.child('internals');
    const { body: info } = await api.get(`/spaces/${guides.target.spaceId ?? ''}/git/info`);
    expect(info).toMatchObject({ parentInstallationId: pair.parent.id });
    expect((await pair.files())['docs.yaml']).toBe(SITE);
    expect(pair.git.refs.get(MAIN)).toBe(head);
    // A space comes, one leaves, and one moves to another folder, with what both have agreed on.
    const moved = SITE.replace('directory: ./guides', 'directory: ./handbook').replaceAll('nternals', 'deas');
    await pair.push({
      'docs.yaml': moved,
      'guides/README.md': undefined,
      'handbook/README.md': '# Guides\n\nHow to do it.\n',
      'internals/README.md': undefined,
      'ideas/README.md': '# Ideas\n\nPerhaps.\n',
    });
    await pair.sync();
    expect(await sites.current.titles(pair.site)).toEqual(['Guides', 'Ideas']);
    const after = await pair.children();
    expect(after.map((each) => each.projectDirectory).sort()).toEqual(['handbook', 'ideas']);
    expect(await pair.child('handbook')).toMatchObject({ id: guides.id });
    expect(await sites.current.text(guides.target.spaceId)).toContain('How to do it.');
    expect(await sites.current.text((await pair.child('ideas')).target.spaceId)).toContain('Perhaps.');
    // The space that has left is kept, without an installation.
    const left = internals.target.spaceId ?? '';
    expect((await api.get(`/git/installations/${internals.id}`)).status).toBe(404);
    expect(await sites.current.text(left)).toContain('How it works.');
    expect((await pair.files())['LICENSE']).toBe('Free.');
  });

  it('describes itself in the repository, follows its structure there, and leaves alone what has a connection of its own', async () => {
    const { api } = sites.current.organization.admin;
    const [one, two, own] = [
      await sites.current.newSpace('One', 'First.'),
      await sites.current.newSpace('Two', 'Second.'),
      await sites.current.newSpace('Own', 'Alone.'),
    ];
    const target = { type: 'space', spaceId: own };
    const { body: alone } = await api.post<Installation>('/git/installations', { provider: 'git', target });
    const pair = await sites.current.connect({ LICENSE: 'Free.' }, [one, two, own]);
    const children = await pair.children();
    expect(children.map((each) => each.target.spaceId).sort()).toEqual([one, two].sort());
    expect((await pair.list()).map(({ id }) => id)).toContain(alone.id);
    const ofOne = children.find((each) => each.target.spaceId === one) ?? { id: '' };
    const fault = async (folders: object, path: string) =>
      expect(await pair.setUp({ childInstallationProjectDirectories: folders })).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: `childInstallationProjectDirectories.${path}` }] } },
      });
    for (const [operation, way] of [
      ['plan', 'structure-plan'],
      ['sync', 'its priority set again'],
    ] as const)
      expect(await api.post(`/git/installations/${pair.parent.id}/${operation}`, { priority: 'git' })).toMatchObject({
        status: 409,
        body: { error: { message: expect.stringContaining(way) } },
      });
    await fault({ [alone.id]: 'docs' }, alone.id);
    await fault({ [ofOne.id]: '../docs' }, ofOne.id);
    expect(await pair.setUp({ priority: 'git' })).toMatchObject({
      status: 409,
      body: {
        error: {
          type: 'missing_site_git_sync_config',
          details: { path: 'gitbook-docs.yaml', branch: MAIN, prompt: expect.stringContaining('gitbook-docs.yaml') },
        },
      },
    });
    expect((await pair.list())[0]).not.toHaveProperty('priority');
    await pair.begin('gitbook', { childInstallationProjectDirectories: { [ofOne.id]: 'first/docs' } });
    const files = await pair.files();
    expect(files['gitbook-docs.yaml']).toContain('directory: ./first/docs');
    expect(Object.keys(files).filter((path) => path.startsWith('first/docs/'))).not.toEqual([]);
    expect(Object.values(files).join('\n')).toContain('Second.');
    expect(Object.values(files).join('\n')).not.toContain('Alone.');
    expect(
      await api.patch(`/git/installations/${ofOne.id}`, { provider: 'git', providerConfiguration: {} }),
    ).toMatchObject({
      status: 409,
    });
    expect((await api.delete(`/git/installations/${ofOne.id}`)).status).toBe(409);
    // A space leaves the site, and its installation goes with it; the folder stays.
    const spaces = `/orgs/${sites.current.organization.id}/sites/${pair.site}/site-spaces`;
    const { body: placed } = await api.get<{ items: { id: string; space: { id: string } }[] }>(spaces);
    const gone = placed.items.find(({ space }) => space.id === one)?.id ?? '';
    expect((await api.delete(`${spaces}/${gone}`)).status).toBe(204);
    await sites.current.settle();
    expect((await pair.children()).map((each) => each.target.spaceId)).toEqual([two]);
    const later = await pair.files();
    expect(later['gitbook-docs.yaml']).not.toContain('first/docs');
    expect(Object.keys(later).filter((path) => path.startsWith('first/docs/'))).not.toEqual([]);
    // One that has lost its own connection gets that of the site.
    const joined = { provider: 'git', target: { type: 'space', spaceId: own, siteId: pair.site } };
    expect((await api.post('/git/installations', joined)).status).toBe(409);
    await api.delete(`/git/installations/${alone.id}`);
    expect((await api.post('/git/installations', joined)).status).toBe(201);
    await sites.current.settle();
    expect(Object.values(await pair.files()).join('\n')).toContain('Alone.');
    // The installation of the site ends all of them.
    expect((await api.delete(`/git/installations/${pair.parent.id}`)).status).toBe(204);
    expect(await pair.list()).toEqual([]);
    expect(await sites.current.text(two)).toContain('Second.');
  });

  it('writes a change of the structure as a diff of one line, with the comments and quotes of the file', async () => {
    const { api } = sites.current.organization.admin;
    const commented = SITE.replace('title: Internals', "title: 'Internals' # for us").replace(
      '    - type: space\n      key: internals',
      '\n    # How it works.\n    - key: internals\n      type: space',
    );
    const pair = await sites.current.connect({ ...FILES, 'docs.yaml': commented });
    await pair.begin('git');
    const variant = (await pair.child('internals')).target.spaceId ?? '';
    expect((await api.patch(`/spaces/${variant}`, { title: 'Insides' })).status).toBe(200);
    await sites.current.settle();
    expect((await pair.files())['docs.yaml']).toBe(commented.replace("'Internals'", "'Insides'"));
    expect((await pair.git.git('diff', '--numstat', `${MAIN}~`, MAIN)).trim()).toBe('1\t1\tdocs.yaml');
    const head = pair.git.refs.get(MAIN);
    await pair.sync();
    expect(pair.git.refs.get(MAIN)).toBe(head);
  });

  it('fans a push out to the spaces that it touches, each delivery once', async () => {
    const pair = await sites.current.connect(FILES);
    await pair.begin('git');
    const secret = pair.parent.hook.secret ?? '';
    const internals = await pair.child('internals');
    expect(internals.hook).toEqual({ url: pair.parent.hook.url });
    const runs = () =>
      app.current.database.query<{ id: string }>(
        `SELECT source ->> 'installation' AS id FROM import_run WHERE status = 'pending' AND source ->> 'type' = 'git-sync'`,
      );
    await pair.push({ 'internals/README.md': '# Internals\n\nHow it works now.\n' });
    const commit = { added: [], modified: ['internals/README.md'], removed: [] };
    expect(await pair.hook(secret, { commits: [commit] }, 'd1')).toBe(204);
    expect(await pair.hook(secret, { commits: [commit] }, 'd1')).toBe(409);
    expect((await runs()).map(({ id }) => id)).toEqual([internals.id]);
    await sites.current.settle();
    expect(await sites.current.text(internals.target.spaceId)).toContain('How it works now.');
    await pair.hook(secret, { commits: [{ ...commit, modified: ['LICENSE'] }] }, 'd2');
    expect(await runs()).toEqual([]);
    await pair.hook(secret, { commits: [commit], forced: true }, 'd3');
    expect(await runs()).toHaveLength(2);
    expect(await pair.hook('another', {}, 'd4')).toBe(404);
    await sites.current.settle();
  });

  it('leaves it to people where both sides have another structure, and is written once by two servers', async () => {
    const { api } = sites.current.organization.admin;
    const pair = await sites.current.connect(FILES);
    await pair.begin('git');
    await api.patch(`/orgs/${sites.current.organization.id}/sites/${pair.site}`, { title: 'Ours' });
    await pair.push({ 'docs.yaml': SITE.replace('title: Handbook', 'title: Theirs') });
    await sites.current.settle();
    expect((await pair.list())[0]).toMatchObject({ error: expect.stringContaining('both changed') });
    expect((await pair.files())['docs.yaml']).toContain('Theirs');
    const before = pair.git.refs.get(MAIN);
    expect((await pair.setUp({ priority: 'gitbook' })).status).toBe(200);
    const syncer = app.current.get(SiteSyncer);
    const { signal } = new AbortController();
    await Promise.all([syncer.sync(pair.parent.id, signal), syncer.sync(pair.parent.id, signal)]);
    await sites.current.settle();
    expect((await pair.list())[0]).not.toHaveProperty('error');
    const written = (await pair.files())['docs.yaml'] ?? '';
    expect(written).toContain('title: Ours');
    // Values that a site does not keep stay in the file.
    expect(written).toContain('Innereien');
    const commits = (await pair.git.git('rev-list', `${before ?? ''}..${MAIN}`)).trim().split('\n');
    expect(commits).toHaveLength(1);
    await api.delete(`/orgs/${sites.current.organization.id}/sites/${pair.site}`);
    expect((await api.get(`/git/installations/${pair.parent.id}`)).status).toBe(404);
  });

  it('knows what it has pushed where its structure changes meanwhile', async () => {
    const { organization, server } = sites.current;
    const pair = await sites.current.connect(FILES);
    await pair.begin('git');
    const before = pair.git.refs.get(MAIN) ?? '';
    const named = (title: string) =>
      organization.admin.api.patch(`/orgs/${organization.id}/sites/${pair.site}`, { title });
    /** Gives the site another title between the next push and its answer, and the first title before. */
    const during = async (first: string, second: string): Promise<void> => {
      server.beforeAnswer = async (pathname) => {
        if (!pathname.endsWith('/git-receive-pack')) return;
        server.beforeAnswer = undefined;
        expect((await named(second)).status).toBe(200);
      };
      await named(first);
      await sites.current.settle();
      expect((await pair.list())[0]).not.toHaveProperty('error');
      expect((await pair.files())['docs.yaml']).toBe(SITE.replace('title: Handbook', `title: ${second}`));
    };
    await during('Once', 'Twice');
    // The state before the push is a change as well.
    await during('Thrice', 'Twice');
    const subjects = (await pair.git.git('log', '--format=%s', `${before}..${MAIN}`)).trim().split('\n');
    expect(subjects).toEqual(['Twice', 'Thrice', 'Twice', 'Once'].map((title) => `Structure of ${title}`));
  });
});
