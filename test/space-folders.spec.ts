import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Merges } from '../src/authoring/change-requests/merges.service.js';
import { Addresses } from '../src/kernel/common/addresses.js';
import { PublicListener } from '../src/kernel/platform/public-listener.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { GitTransport } from '../src/operations/imports/git/git-transport.js';
import { useApp } from './app.js';
import { buildOrganization, type Person, type Workspace } from './build.js';
import { GitPair } from './git-pair.js';
import { GitServer } from './git-server.js';
import { kinds, settle } from './notification-desk.js';
import { SpaceFolders, type FolderRun, type Texts } from './space-folders.js';

const app = useApp();

beforeAll(async () => {
  const port = await app.current.get(PublicListener).listen();
  app.current.get(Addresses).announce(app.current.url, `http://127.0.0.1:${port}`);
});

/** A run once it has ended: one that has met another of its space may be due a moment later. */
async function endOf(folders: SpaceFolders, id: string): Promise<FolderRun> {
  for (let round = 0; ; round++) {
    await app.current.get(Jobs).drain();
    const run = await folders.run(id);
    if (run.status !== 'pending' || round === 50) return run;
    await pause(100);
  }
}

interface Setting {
  readonly organization: Workspace;
  readonly space: string;
  /** As the administrator. */
  readonly folders: SpaceFolders;
  readonly as: (person: Person) => SpaceFolders;
}

const HANDBOOK: Texts = {
  'README.md': '# Handbook\n\nAll about clay.\n',
  'SUMMARY.md': '# Table of contents\n\n* [Handbook](README.md)\n* [Kiln](kiln.md)\n* [Wheel](wheel.md)\n',
  'kiln.md': '# Kiln\n\nHeat it slowly.\n\nLet it cool.\n',
  'wheel.md': '# Wheel\n\n_Turn_ it.\n',
};

async function setUp(editMode: 'live' | 'locked' = 'live'): Promise<Setting> {
  const organization = await buildOrganization(app.current);
  const { api } = organization.admin;
  const made = await api.post<{ id: string }>(`/orgs/${organization.id}/spaces`, {
    title: 'Handbook',
    empty: true,
    editMode,
  });
  const space = made.body.id;
  const as = (person: Person) => new SpaceFolders(app.current, organization.id, person.api);
  const folders = as(organization.admin);
  await folders.start('import', space, {}, HANDBOOK);
  await app.current.get(Jobs).drain();
  return { organization, space, folders, as };
}

const withText = (files: Texts, path: string, from: string, to: string): Texts => ({
  ...files,
  [path]: (files[path] ?? '').replace(from, to),
});

async function requestOf({ folders, space }: Setting, { target }: FolderRun) {
  return (
    await folders.api.get<{ id: string; status: string; subject: string }>(
      `/spaces/${space}/change-requests/${target.changeRequest ?? ''}`,
    )
  ).body;
}

describe('a space as an archive', () => {
  it('is what an export writes, with its revision, at an address for a day; readers may have it', async () => {
    const { organization, space, as } = await setUp();
    const { run, files } = await as(await organization.member('read')).export(space);
    expect(run).toMatchObject({ status: 'completed', changed: false, source: { type: 'archive-export' } });
    expect(run.revision).toEqual(expect.any(String));
    expect(files).toEqual(HANDBOOK);
    const downloads = [await fetch(run.download ?? ''), await fetch(run.download ?? '')];
    const [first, second] = await Promise.all(downloads.map((answer) => answer.arrayBuffer()));
    expect(first).toEqual(second);
    expect(downloads[0]?.headers.get('etag')).toBe(downloads[1]?.headers.get('etag'));
    expect(downloads[0]?.headers.get('content-disposition')).toContain('attachment');
    app.current.setTime(new Date(Date.now() + 25 * 3600 * 1000));
    expect(await as(organization.admin).run(run.id)).not.toHaveProperty('download');
    app.current.setTime(undefined);
  });

  it('is listed for those who edit the space and whoever has begun it, apart from imports', async () => {
    const { organization, space, as } = await setUp();
    const [reader, other, editor] = [
      await organization.member('read'),
      await organization.member('read'),
      await organization.member('edit'),
    ];
    const { run } = await as(reader).export(space);
    const listed = async ({ api }: Person, kind?: string) => {
      const query = { space, ...(kind !== undefined && { kind }) };
      const { status, body } = await api.get<{ items: { id: string }[] }>(`/org/${organization.id}/imports`, { query });
      return status === 200 ? body.items.map(({ id }) => id) : status;
    };
    expect(await listed(reader)).toEqual([run.id]);
    expect(await listed(reader, 'import')).toEqual([]);
    expect(await listed(other)).toEqual([]);
    expect(await listed(editor, 'export')).toEqual([run.id]);
    expect(await listed(editor, 'import')).toHaveLength(1);
    expect(await listed(editor)).toHaveLength(2);
    expect(await listed(editor, 'neither')).toBe(400);
  });

  it('keeps the text of the folder that is sent along wherever that means the same', async () => {
    const { space, folders } = await setUp();
    const own = { ...HANDBOOK, 'wheel.md': 'Wheel\n=====\n\n*Turn* it.   \n' };
    const { files } = await folders.export(space, {}, own);
    expect(files).toEqual(own);
  });

  it('can be that of a change request, and is refused to those who see nothing of the space', async () => {
    const setting = await setUp();
    const { space, folders, organization, as } = setting;
    const { run } = await folders.export(space);
    const changed = withText(HANDBOOK, 'kiln.md', 'slowly', 'very slowly');
    const pushed = await folders.push(space, changed, { base: run.revision ?? '', review: true });
    const request = pushed.target.changeRequest ?? '';
    expect((await folders.export(space, { changeRequest: request })).files).toEqual(changed);
    expect((await folders.export(space)).files).toEqual(HANDBOOK);
    expect((await folders.start('export', space, { changeRequest: '999' })).status).toBe(404);
    const stranger = (await buildOrganization(app.current)).admin;
    for (const what of ['export', 'push'])
      expect((await as(stranger).start(what, space, { base: run.revision ?? '' }, HANDBOOK)).status).toBe(404);
    const reader = as(await organization.member('read'));
    expect((await reader.start('push', space, { base: run.revision ?? '' }, HANDBOOK)).status).toBe(403);
  });
});

describe('a pushed folder', () => {
  it('is written with its subject, without those who have changed nothing, and keeps the paths and texts of its files', async () => {
    const { organization, space, folders } = await setUp();
    const { run, files } = await folders.export(space);
    const changed: Texts = {
      ...withText(files, 'kiln.md', 'slowly', '__slowly__'),
      'SUMMARY.md': `${files['SUMMARY.md'] ?? ''}* [The Glaze](My%20glaze.md)\n`,
      'My glaze.md': '# The Glaze\n\n![Pot](pictures/pot.svg)\n',
      'pictures/pot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
    };
    const pushed = await folders.push(space, changed, { base: run.revision ?? '', subject: 'Explain the glaze' });
    expect(pushed).toMatchObject({ status: 'completed', changed: true, problems: [] });
    expect(pushed.target).not.toHaveProperty('changeRequest');
    const revision = await folders.api.get<{ entries?: unknown }>(
      `/spaces/${space}/revisions/${pushed.revision ?? ''}`,
    );
    expect(revision.body).toMatchObject({ id: pushed.revision });
    expect((await folders.export(space, {}, changed)).files).toEqual(changed);
    // The import that the test began with is told of; pushes and exports are waited for by whoever asks for them.
    await settle(app.current);
    expect(await kinds(organization.admin)).toEqual(['import_ended']);
    const again = await folders.push(space, changed, { base: pushed.revision ?? '' });
    expect(again).toMatchObject({ status: 'completed', changed: false, revision: pushed.revision });
  });

  it('is merged with what others have changed since, and makes a change request where both have changed the same', async () => {
    const setting = await setUp();
    const { space, folders } = setting;
    const { run, files } = await folders.export(space);
    const base = run.revision ?? '';
    await folders.push(space, withText(files, 'kiln.md', 'slowly', 'quickly'), { base });
    const other = withText(
      withText(files, 'kiln.md', 'Let it cool.', 'Let it cool for a day.'),
      'wheel.md',
      'it',
      'on',
    );
    const merged = await folders.push(space, other, { base, subject: 'Cool longer' });
    expect(merged).toMatchObject({ status: 'completed', changed: true });
    expect(await requestOf(setting, merged)).toMatchObject({ status: 'merged', subject: 'Cool longer' });
    expect((await folders.export(space)).files).toEqual({
      ...withText(other, 'kiln.md', 'slowly', 'quickly'),
    });
    const conflicting = await folders.push(space, withText(files, 'kiln.md', 'slowly', 'at once'), { base });
    expect(conflicting).toMatchObject({ status: 'completed', changed: true });
    expect(await requestOf(setting, conflicting)).toMatchObject({ status: 'open' });
    expect((await folders.export(space)).files['kiln.md']).toContain('quickly');
  });

  it('becomes a change request for a review, for those who may not write, and where live edits are locked', async () => {
    const setting = await setUp('locked');
    const { space, folders, organization, as } = setting;
    const { run, files } = await folders.export(space);
    const base = run.revision ?? '';
    const changed = withText(files, 'kiln.md', 'slowly', 'quickly');
    const editor = as(await organization.member('edit'));
    const proposed = await editor.push(space, changed, { base });
    expect(proposed).toMatchObject({ status: 'completed', source: { review: true } });
    expect(await requestOf(setting, proposed)).toMatchObject({ status: 'open', subject: 'Push' });
    const asked = await folders.push(space, changed, { base, review: true });
    expect(await requestOf(setting, asked)).toMatchObject({ status: 'open' });
    const nothing = await folders.push(space, files, { base, review: true });
    expect(nothing).toMatchObject({ status: 'completed', changed: false });
    expect(nothing.target).not.toHaveProperty('changeRequest');
    expect((await folders.export(space)).files).toEqual(HANDBOOK);
    expect(await folders.push(space, changed, { base })).toMatchObject({ changed: true });
    expect((await folders.export(space)).files).toEqual(changed);
  });

  it('goes into the change request that it was pulled from, if that has not changed meanwhile', async () => {
    const setting = await setUp();
    const { space, folders } = setting;
    const base = (await folders.export(space)).run.revision ?? '';
    const first = withText(HANDBOOK, 'kiln.md', 'slowly', 'quickly');
    const { target } = await folders.push(space, first, { base, review: true });
    const changeRequest = target.changeRequest ?? '';
    const pulled = await folders.export(space, { changeRequest });
    const second = withText(first, 'wheel.md', 'Turn', 'Spin');
    const into = { changeRequest, base: pulled.run.revision ?? '' };
    expect(await folders.push(space, second, into)).toMatchObject({ status: 'completed', changed: true });
    expect((await folders.export(space, { changeRequest })).files).toEqual(second);
    const late = await folders.push(space, first, into);
    expect(late).toMatchObject({ status: 'failed', error: expect.stringContaining('has changed since') });
    expect((await folders.start('push', space, { ...into, review: true }, first)).status).toBe(400);
    expect((await folders.start('push', space, { base: 'AbCdEfGh0123456789Xy' }, first)).status).toBe(400);
    expect((await folders.start('push', space, { base: pulled.run.revision ?? '' }, first)).status).toBe(400);
    await folders.api.post(`/spaces/${space}/change-requests/${changeRequest}/merge`);
    expect((await folders.start('push', space, into, first)).status).toBe(409);
  });

  it('makes one change request although its run is cut off, and begins again', async () => {
    const setting = await setUp();
    const { space, folders } = setting;
    const { run, files } = await folders.export(space);
    const base = run.revision ?? '';
    await folders.push(space, withText(files, 'wheel.md', 'Turn', 'Spin'), { base });
    jest.spyOn(app.current.get(Merges), 'merge').mockRejectedValueOnce(new Error('the server is gone'));
    const changed = { ...withText(files, 'kiln.md', 'slowly', 'quickly'), 'clay.md': '# Clay\n' };
    const { id } = (await folders.start('push', space, { base }, changed)).body;
    await app.current.get(Jobs).drain();
    await app.current.database.execute(
      `UPDATE jobs.job SET start_after = now() - interval '1 second' WHERE name = 'imports.run' AND state < 'active'`,
    );
    await app.current.get(Jobs).drain();
    const pushed = await folders.run(id);
    expect(pushed).toMatchObject({ status: 'completed', changed: true });
    expect(await requestOf(setting, pushed)).toMatchObject({ status: 'merged' });
    const now = (await folders.export(space)).files;
    expect(Object.keys(now).sort()).toEqual([...Object.keys(HANDBOOK), 'clay.md'].sort());
    expect(now['wheel.md']).toContain('Spin');
    const { body } = await folders.api.get<{ items: unknown[] }>(`/spaces/${space}/change-requests`, {
      query: { status: 'draft' },
    });
    expect(body.items).toEqual([]);
  });

  it('is refused whole where a file of its archive is, which would look deleted', async () => {
    const { space, folders } = await setUp();
    const base = (await folders.export(space)).run.revision ?? '';
    const cases: [Texts, string][] = [
      [{ ...HANDBOOK, '../kiln.md': '# Kiln' }, 'leads out of the archive'],
      [{ ...HANDBOOK, 'Kiln.md': '# Kiln' }, 'differs from kiln.md only in capitals'],
    ];
    for (const [files, error] of cases)
      expect(await folders.push(space, files, { base })).toMatchObject({
        status: 'failed',
        error: expect.stringContaining(error),
      });
    const notAnArchive = await folders.api.post<FolderRun>(`/spaces/${space}/push`, undefined, {
      query: { base },
      raw: 'no archive',
      headers: { 'Content-Type': 'application/zip' },
    });
    await app.current.get(Jobs).drain();
    expect(await folders.run(notAnArchive.body.id)).toMatchObject({ status: 'failed' });
    expect((await folders.export(space)).files).toEqual(HANDBOOK);
  });

  it('of two at once loses nothing of either', async () => {
    const { space, folders } = await setUp();
    const { run, files } = await folders.export(space);
    const base = run.revision ?? '';
    const started = await Promise.all([
      folders.start('push', space, { base }, withText(files, 'kiln.md', 'slowly', 'quickly')),
      folders.start('push', space, { base }, withText(files, 'wheel.md', 'Turn', 'Spin')),
    ]);
    for (const { body } of started) expect(await endOf(folders, body.id)).toMatchObject({ status: 'completed' });
    const now = (await folders.export(space)).files;
    expect([now['kiln.md'], now['wheel.md']]).toEqual([
      expect.stringContaining('quickly'),
      expect.stringContaining('Spin'),
    ]);
  });
});

describe('the folder of a space with a place in a repository', () => {
  const PLACE = 'docs/handbook';
  const REPOSITORY: Texts = {
    LICENSE: 'Free.',
    ...Object.fromEntries(Object.entries(HANDBOOK).map(([path, text]) => [`${PLACE}/${path}`, text])),
    [`${PLACE}/SUMMARY.md`]: `${HANDBOOK['SUMMARY.md'] ?? ''}* [Shapes](Shapes/README.md)\n  * [Bowl](Shapes/1_bowl.md)\n`,
    [`${PLACE}/Shapes/README.md`]: '# Shapes\n\nSee the [kiln](../kiln.md).\n',
    [`${PLACE}/Shapes/1_bowl.md`]: '# Bowl\n\n_Round_ it.\n',
  };
  let server: GitServer;

  beforeAll(async () => {
    app.current.get(GitTransport).httpsOnly = false;
    server = await GitServer.start();
  });
  afterAll(() => server.stop());

  it('has the files of that place alone; what is pushed from it meets the same pages and lies there in the repository', async () => {
    const organization = await buildOrganization(app.current);
    const pair = await GitPair.make({ app: app.current, organization, server }, 'git', REPOSITORY);
    expect((await pair.setUp({}, { projectDirectory: PLACE })).status).toBe(200);
    await pair.begin('git');
    const folders = new SpaceFolders(app.current, organization.id, organization.admin.api);
    const inPlace = Object.fromEntries(
      Object.entries(REPOSITORY).flatMap(([path, text]) =>
        path.startsWith(`${PLACE}/`) ? [[path.slice(PLACE.length + 1), text]] : [],
      ),
    );
    const first = await folders.export(pair.space);
    expect(Object.keys(first.files).sort()).toEqual(Object.keys(inPlace).sort());
    const { run, files } = await folders.export(pair.space, {}, inPlace);
    expect(files).toEqual(inPlace);
    const base = run.revision ?? '';
    expect(await folders.push(pair.space, files, { base })).toMatchObject({ status: 'completed', changed: false });

    const before = await pair.page('bowl');
    const edited = withText(files, 'Shapes/1_bowl.md', 'Round', 'Turn');
    expect(await folders.push(pair.space, edited, { base })).toMatchObject({ status: 'completed', changed: true });
    expect((await pair.page('bowl')).id).toBe(before.id);
    await pair.settle();
    expect(await pair.files()).toEqual(withText(REPOSITORY, `${PLACE}/Shapes/1_bowl.md`, 'Round', 'Turn'));
    expect((await folders.export(pair.space, {}, edited)).files).toEqual(edited);
  });
});
