import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { Blobs } from '../src/kernel/platform/storage/blobs.js';
import { OrganizationArchives } from '../src/operations/organization-archives/organization-archives.service.js';
import { useApp } from './app.js';
import { buildOrganization, buildPerson, type Workspace } from './build.js';
import { buildSpace, usePublicListener } from './published-site.js';
import { rowsIn } from './organization-rows.js';

const app = useApp({ ORGANIZATION_IMPORT_MAX_BYTES: '200kb' });
usePublicListener(app);
let workspace: Workspace;
let archive: Buffer;

const drain = () => app.current.get(Jobs).drain();

beforeAll(async () => {
  workspace = await buildOrganization(app.current);
  const space = await buildSpace(workspace, 'Handbook');
  await space.write({ operation: 'insert_page', title: 'Start', document: { markdown: 'Hello' } });
});

describe('an export of an organization', () => {
  it('is made once in the background, and its archive is there for a day', async () => {
    const { api } = workspace.admin;
    const path = `/orgs/${workspace.id}/export`;
    expect((await api.get(path)).status).toBe(404);
    const begun = await api.post<{ id: string; status: string }>(path);
    expect(begun).toMatchObject({ status: 201, body: { object: 'organization-export', status: 'pending' } });
    expect((await api.post<{ id: string }>(path)).body.id).toBe(begun.body.id);
    await drain();
    const done = await api.get<{ download: string; progress: { done: number; total: number } }>(path);
    expect(done.body).toMatchObject({ id: begun.body.id, status: 'completed', rows: expect.any(Number), files: 0 });
    expect(done.body.progress.done).toBe(done.body.progress.total);
    const answer = await fetch(done.body.download);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/gzip']);
    archive = Buffer.from(await answer.arrayBuffer());
    app.current.setTime(new Date(Date.now() + 25 * 3600_000));
    expect((await api.get(path)).body).not.toHaveProperty('download');
    app.current.setTime(undefined);
    const lines = await api.get<{ items: { action: string }[] }>(`/orgs/${workspace.id}/audit-events`);
    expect(lines.body.items.filter(({ action }) => action === 'organization_export_started')).toHaveLength(1);
  });

  it('fails where the person who asked for it was shut out meanwhile', async () => {
    const second = await workspace.member('admin');
    await second.api.post(`/orgs/${workspace.id}/export`);
    await workspace.admin.api.delete(`/orgs/${workspace.id}/members/${second.id}`);
    await drain();
    expect((await workspace.admin.api.get(`/orgs/${workspace.id}/export`)).body).toMatchObject({
      status: 'failed',
      error: 'The person who asked for it is no administrator any more',
    });
  });
});

describe('exports of an organization', () => {
  it('are begun at most twenty times a day', async () => {
    const other = await buildOrganization(app.current);
    const path = `/orgs/${other.id}/export`;
    await app.current.database.execute(
      `INSERT INTO organization_run (id, kind, status, organization_id, created_by, created_at, completed_at)
       SELECT left(md5($1 || n), 20), 'export', 'failed', $1, $2, now(), now() FROM generate_series(1, 20) n`,
      [other.id, other.admin.id],
    );
    const { status, headers } = await other.admin.api.post(path);
    expect([status, Number(headers.get('retry-after')) > 86_000]).toEqual([429, true]);
  });
});

describe('an import of an organization', () => {
  const send = async (bytes: Buffer) => {
    const person = await buildPerson(app.current);
    const begun = await person.api.post<{ id: string }>('/organization-imports', undefined, {
      raw: bytes,
      headers: { 'Content-Type': 'application/gzip' },
    });
    const look = () =>
      person.api.get<{ status: string; organization?: string; error?: string }>(
        `/organization-imports/${begun.body.id}`,
      );
    return { person, begun, look };
  };

  it('becomes an organization of the caller, whom alone it shows to', async () => {
    const { person, begun, look } = await send(archive);
    expect(begun).toMatchObject({ status: 201, body: { object: 'organization-import', status: 'pending' } });
    const again = await person.api.post('/organization-imports', undefined, { raw: archive });
    expect(again.status).toBe(409);
    await drain();
    const { body } = await look();
    expect(body).toMatchObject({
      status: 'completed',
      waiting: [workspace.admin.email],
      notes: [
        'You are the only member of the organization, and the others are the authors of what they wrote: invite them.',
      ],
    });
    const organization = body.organization ?? '';
    expect((await workspace.admin.api.get(`/organization-imports/${begun.body.id}`)).status).toBe(404);
    expect((await workspace.admin.api.get(`/orgs/${organization}`)).status).toBe(404);
    const spaces = await person.api.get<{ items: { id: string; title: string }[] }>(`/orgs/${organization}/spaces`);
    expect(spaces.body.items.map(({ title }) => title)).toEqual(['Handbook']);
    const found = await person.api.get<{ items: { title: string }[] }>(
      `/spaces/${spaces.body.items[0]?.id ?? ''}/search`,
      {
        query: { query: 'hello' },
      },
    );
    expect(found.body.items).toMatchObject([{ title: 'Start' }]);
    const lines = await person.api.get<{ items: { action: string }[] }>(`/orgs/${organization}/audit-events`);
    expect(lines.body.items[0]).toMatchObject({ action: 'organization_imported' });
  });

  it('makes an organization more for the caller, and notes what is not as it was', async () => {
    const { api } = workspace.admin;
    const site = await api.post(`/orgs/${workspace.id}/sites`, { title: 'Guides of Acme' });
    expect(site.status).toBe(201);
    await api.post(`/orgs/${workspace.id}/export`);
    await drain();
    const { body: made } = await api.get<{ download: string }>(`/orgs/${workspace.id}/export`);
    const bytes = Buffer.from(await (await fetch(made.download)).arrayBuffer());
    const person = await buildPerson(app.current);
    const before = await person.api.get<{ items: { id: string }[] }>('/orgs');
    const begun = await person.api.post<{ id: string }>('/organization-imports', undefined, { raw: bytes });
    await drain();
    const { body } = await person.api.get<{ organization: string; notes: string[] }>(
      `/organization-imports/${begun.body.id}`,
    );
    const after = await person.api.get<{ items: { id: string }[] }>('/orgs');
    expect(body.notes).toContainEqual(
      expect.stringMatching(/^The site Guides of Acme is at .+, because .+ is taken\.$/),
    );
    expect([before.body.items, after.body.items.map(({ id }) => id)]).toEqual([[], [body.organization]]);
  });

  it('tells what is wrong with the archive, and leaves nothing', async () => {
    const { begun, look } = await send(Buffer.from('no archive at all, but long enough to be one '.repeat(30)));
    await drain();
    expect((await look()).body).toMatchObject({ status: 'failed', error: expect.stringMatching(/^the archive: /) });
    expect((await look()).body).not.toHaveProperty('organization');
    const { id } = begun.body;
    expect(
      await app.current.database.one('SELECT source_hash AS kept FROM organization_run WHERE id = $1', [id]),
    ).toEqual({ kept: null });
  });

  it('is begun by nobody more than twenty times a day', async () => {
    const { person, begun } = await send(Buffer.from('no archive'));
    await drain();
    await app.current.database.execute(
      `INSERT INTO organization_run (id, kind, status, created_by, created_at, completed_at)
       SELECT r.id || n, 'import', 'failed', r.created_by, r.created_at, r.created_at FROM organization_run r, generate_series(1, 19) n WHERE r.id = $1`,
      [begun.body.id],
    );
    const { status, headers } = await person.api.post('/organization-imports', undefined, { raw: archive });
    expect([status, Number(headers.get('retry-after')) > 86_000]).toEqual([429, true]);
  });

  it('is ended where its job is gone, so that the next one can begin', async () => {
    const { person, look } = await send(archive);
    await app.current.database.execute(
      `UPDATE jobs.job SET state = 'failed', completed_on = now() WHERE name = 'organizationArchives.import' AND state < 'active'`,
      [],
    );
    await app.current.get(Jobs).enqueue('organizationArchives.forget', {});
    await drain();
    expect((await look()).body).toMatchObject({ status: 'failed', error: 'The server failed to do it' });
    expect((await person.api.post('/organization-imports', undefined, { raw: archive })).status).toBe(201);
    await drain();
  });

  it('takes one archive of a person at a time', async () => {
    const person = await buildPerson(app.current);
    const blobs = app.current.get(Blobs);
    const store = blobs.store.bind(blobs);
    let goOn = (): void => undefined;
    const spy = jest.spyOn(blobs, 'store').mockImplementationOnce(async (...given) => {
      await new Promise<void>((resolve) => (goOn = resolve));
      return store(...given);
    });
    const post = () => person.api.post('/organization-imports', undefined, { raw: archive });
    const first = post();
    while (spy.mock.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await post()).status).toBe(409);
    goOn();
    expect((await first).status).toBe(201);
    expect(spy).toHaveBeenCalledTimes(1);
    spy.mockRestore();
    await drain();
  });

  it('takes no archive that is larger than the setting', async () => {
    const { begun } = await send(Buffer.alloc(210_000));
    expect(begun.status).toBe(413);
  });

  it('happens once, although a server dies behind the commit of the organization', async () => {
    const { look } = await send(archive);
    const archives = app.current.get(OrganizationArchives);
    const imports = archives.import.bind(archives);
    const spy = jest.spyOn(archives, 'import').mockImplementationOnce(async (...given) => {
      await imports(...given);
      throw new Error('killed');
    });
    const before = await app.current.database.one<{ count: string }>('SELECT count(*) FROM organization');
    await drain();
    await app.current.database.execute(`UPDATE jobs.job SET start_after = now() WHERE state = 'retry'`);
    await drain();
    const calls = spy.mock.calls.length;
    spy.mockRestore();
    const { body } = await look();
    expect(body).toMatchObject({ status: 'completed' });
    expect(calls).toBe(1);
    const after = await app.current.database.one<{ count: string }>('SELECT count(*) FROM organization');
    expect(Number(after?.count) - Number(before?.count)).toBe(1);
    expect(await rowsIn(app.current.database, body.organization ?? '')).not.toHaveLength(0);
  });
});
