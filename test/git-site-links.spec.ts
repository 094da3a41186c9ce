import { expect, it } from '@jest/globals';
import type { ContentRef } from '../src/formats/document/types.js';
import { useApp } from './app.js';
import { describeWithGit } from './git-http-backend.js';
import { MAIN } from './git-pair.js';
import { FILES, useSites } from './site-world.js';

const app = useApp();

describeWithGit('links between the spaces of a site that is kept equal with a repository', () => {
  const sites = useSites(app);

  it('makes links from folder to folder links between its spaces, also to what comes later, and writes them as they were', async () => {
    const { api } = sites.current.organization.admin;
    const guide =
      '# Guides\n\nSee *[auth](./../internals/auth.md#keys)*, __[all](../internals/)__ and [later](../internals/later.md).\n';
    const deep =
      '# Deep\n\n{% content-ref url="../../internals/auth.md" %}\n[auth](../../internals/auth.md)\n{% endcontent-ref %}\n';
    const files = {
      ...FILES,
      'guides/README.md': guide,
      'guides/deep/page.md': deep,
      'internals/README.md': '# Internals\n\nBack to [guides](../guides/README.md).\n',
      'internals/auth.md': '# Auth\n\n## Keys\n\nFrom [nowhere](../elsewhere/page.md), ![](../guides/a.png).\n',
    };
    const pair = await sites.current.connect(files);
    await pair.begin('git');
    const head = pair.git.refs.get(MAIN);
    const guides = (await pair.child('guides')).target.spaceId ?? '';
    const internals = (await pair.child('internals')).target.spaceId ?? '';
    const [own, others] = [await sites.current.pagesOf(guides), await sites.current.pagesOf(internals)];
    const [home, auth] = [own.get('readme') ?? '', others.get('auth') ?? ''];
    const toAuth = { kind: 'anchor', page: auth, anchor: 'keys', space: internals };
    const toAll = { kind: 'page', page: others.get('readme'), space: internals };
    expect(await sites.current.linksOf(guides, home)).toEqual([
      toAuth,
      toAll,
      { kind: 'url', url: '../internals/later.md' },
    ]);
    expect(await sites.current.linksOf(guides, own.get('deep/page'))).toContainEqual({
      kind: 'page',
      page: auth,
      space: internals,
    });
    expect(await sites.current.linksOf(internals, others.get('readme'))).toEqual([
      { kind: 'page', page: home, space: guides },
    ]);
    // Nothing has been written into the repository for that.
    expect(pair.git.refs.get(MAIN)).toBe(head);
    // The target of a link comes, by a commit that does not touch the folder with the link.
    await pair.push({ 'internals/later.md': '# Later\n\nHere.\n' });
    const hook = async (change: object, delivery: string): Promise<void> => {
      const commits = [{ added: [], modified: [], removed: [], ...change }];
      expect(await pair.hook(pair.parent.hook.secret ?? '', { commits }, delivery)).toBe(204);
      await sites.current.settle();
    };
    await hook({ added: ['internals/later.md'] }, 'd1');
    const later = async () => (await sites.current.pagesOf(internals)).get('later');
    const first = await later();
    expect(await sites.current.linksOf(guides, home)).toEqual([
      toAuth,
      toAll,
      { kind: 'page', page: first, space: internals },
    ]);
    // It goes, and comes back as another page.
    await pair.push({ 'internals/later.md': undefined });
    await hook({ removed: ['internals/later.md'] }, 'd2');
    expect(await sites.current.linksOf(guides, home)).toEqual([
      toAuth,
      toAll,
      { kind: 'url', url: '../internals/later.md' },
    ]);
    await pair.push({ 'internals/later.md': '# Later\n\nAgain.\n' });
    await hook({ added: ['internals/later.md'] }, 'd3');
    const toLater = { kind: 'page', page: await later(), space: internals };
    expect(toLater.page).not.toBe(first);
    expect(await sites.current.linksOf(guides, home)).toEqual([toAuth, toAll, toLater]);
    // A change in the workspace leaves the other lines as they are, and links that are made there lead from file to file.
    for (const space of [guides, internals]) await api.patch(`/spaces/${space}`, { editMode: 'live' });
    await sites.current.addLink(internals, 'New', { kind: 'page', page: own.get('deep/page') ?? '', space: guides });
    const rename = { operation: 'update_page', page: home, title: 'Guide' };
    expect((await api.post(`/spaces/${guides}/content`, { changes: [rename] })).status).toBe(200);
    await sites.current.settle();
    const written = await pair.files();
    expect(written['guides/README.md']).toBe(guide.replace('# Guides', '# Guide'));
    expect(written['guides/deep/page.md']).toBe(deep);
    expect(written['internals/README.md']).toBe(files['internals/README.md']);
    expect(written['internals/auth.md']).toBe(files['internals/auth.md']);
    expect(written['internals/new.md']).toContain('See [there](../guides/deep/page.md).');
    expect(await sites.current.linksOf(guides, home)).toEqual([toAuth, toAll, toLater]);
  });

  it('writes the links to a page that is moved in another space, and leaves those to a page that is deleted there', async () => {
    const { api } = sites.current.organization.admin;
    const guide =
      '# Guides\n\nSee [auth](../internals/auth.md#keys), [all](../internals/README.md) and [old](../internals/old.md).\n';
    const other = '# Other\n\nNothing.\n';
    const pair = await sites.current.connect({
      ...FILES,
      'guides/README.md': guide,
      'guides/other.md': other,
      'internals/auth.md': '# Auth\n\n## Keys\n\nBack to [guides](../guides/README.md).\n',
      'internals/old.md': '# Old\n\nGone soon.\n',
    });
    await pair.begin('git');
    const guides = (await pair.child('guides')).target.spaceId ?? '';
    const internals = (await pair.child('internals')).target.spaceId ?? '';
    await api.patch(`/spaces/${internals}`, { editMode: 'live' });
    const change = async (...changes: object[]): Promise<string[]> => {
      const before = pair.git.refs.get(MAIN) ?? '';
      expect((await api.post(`/spaces/${internals}/content`, { changes })).status).toBe(200);
      await sites.current.settle();
      for (const each of await pair.list()) expect(each).not.toHaveProperty('error');
      return (await pair.git.git('log', '--format=%s', `${before}..${MAIN}`)).trim().split('\n');
    };
    const pages = await sites.current.pagesOf(internals);
    const home = (await sites.current.pagesOf(guides)).get('readme') ?? '';
    const before = await sites.current.linksOf(guides, home);
    const moved = { operation: 'update_page', page: pages.get('auth'), slug: 'authentication' };
    expect(await change(moved)).toEqual(['Edit Guides', 'Edit Internals']);
    const files = await pair.files();
    expect(Object.keys(files)).toContain('internals/authentication.md');
    expect(files['guides/README.md']).toBe(guide.replace('auth.md', 'authentication.md'));
    expect(files['guides/other.md']).toBe(other);
    expect(await sites.current.linksOf(guides, home)).toEqual(before);
    // A page that nobody links to is no reason to look at what is beside it.
    await change({ operation: 'insert_page', title: 'Lone' });
    const runs = () => app.current.database.query('SELECT 1 AS one FROM import_run WHERE space_id = $1', [guides]);
    const count = (await runs()).length;
    const lone = (await sites.current.pagesOf(internals)).get('lone') ?? '';
    expect(await change({ operation: 'update_page', page: lone, slug: 'alone' })).toEqual(['Edit Internals']);
    expect(Object.keys(await pair.files())).toContain('internals/alone.md');
    expect(await runs()).toHaveLength(count);
    expect(await change({ operation: 'delete_page', page: pages.get('old') })).toEqual(['Edit Internals']);
    expect((await pair.files())['guides/README.md']).toBe(files['guides/README.md']);
    expect((await sites.current.linksOf(guides, home))[2]).toEqual({ kind: 'url', url: '../internals/old.md' });
  });

  it('writes links between spaces that are both new in the repository from file to file', async () => {
    const [one, two] = [await sites.current.newSpace('One', 'First.'), await sites.current.newSpace('Two', 'Second.')];
    const first: ContentRef = { kind: 'page', page: (await sites.current.pagesOf(one)).get('one') ?? '', space: one };
    const there = await sites.current.addLink(two, 'There', first);
    await sites.current.addLink(one, 'Back', { kind: 'page', page: there, space: two });
    const pair = await sites.current.connect({ LICENSE: 'Free.' }, [one, two]);
    await pair.begin('gitbook');
    const written = await pair.files();
    const folderOf = async (space: string) =>
      (await pair.children()).find((each) => each.target.spaceId === space)?.projectDirectory ?? '';
    const [here, beside] = [await folderOf(one), await folderOf(two)];
    expect(written[`${here}/back.md`]).toContain(`See [there](../${beside}/there.md).`);
    expect(written[`${beside}/there.md`]).toContain(`See [there](../${here}/one.md).`);
    expect(await sites.current.linksOf(two, there)).toEqual([first]);
  });
});
