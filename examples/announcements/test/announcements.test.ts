import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Jobs } from 'bindery/extension';
import { TestService, type TestOrganization } from 'bindery/testing';
import { AnnouncementsModule } from '../src/index.js';

interface Announcement {
  readonly id: string;
  readonly title: string;
  readonly endsAt?: string;
}

interface Screens {
  readonly items: readonly {
    readonly part: string;
    readonly path: string;
    readonly urls: { readonly script: string; readonly styles: readonly string[]; readonly icon?: string };
  }[];
}

describe('announcements', () => {
  let service: TestService;
  let organization: TestOrganization;
  let path: string;
  before(async () => {
    service = await TestService.start({
      modules: [AnnouncementsModule],
      environment: { ANNOUNCEMENTS_PER_ORGANIZATION: '3' },
    });
    organization = await service.organization();
    path = `/orgs/${organization.id}/announcements`;
  });
  after(() => service.close());

  it('are posted, read, changed and removed', async () => {
    const { admin } = organization;
    const posted = await admin.post<Announcement>(path, { title: 'Sunday', text: 'The docs are read-only.' });
    assert.equal(posted.status, 201);
    const at = `${path}/${posted.body.id}`;
    assert.equal((await admin.get<Announcement>(at)).body.title, 'Sunday');
    const changed = await admin.patch<Announcement>(at, { title: 'Monday' });
    assert.deepEqual([changed.status, changed.body.title], [200, 'Monday']);
    const late = await admin.send('PATCH', at, { title: 'Tuesday' }, { 'If-Match': posted.headers.get('etag') ?? '' });
    assert.equal(late.status, 412);
    const listed = await admin.get<{ items: Announcement[]; count: number }>(path);
    assert.deepEqual([listed.body.count, listed.body.items.map(({ title }) => title)], [1, ['Monday']]);
    assert.equal((await admin.delete(at)).status, 204);
    assert.equal((await admin.get(at)).status, 404);
  });

  it('are refused with the path of the field', async () => {
    const { status, body } = await organization.admin.post<{ error: { details: { path: string }[] } }>(path, {
      title: '',
      text: 'Something',
    });
    assert.deepEqual([status, body.error.details.map((detail) => detail.path)], [400, ['title']]);
  });

  it('are read by members, written by editors, and not there for others', async () => {
    const [reader, editor, stranger] = [
      await organization.member('read'),
      await organization.member('edit'),
      await service.person(),
    ];
    const body = { title: 'By an editor', text: 'Hello' };
    assert.equal((await editor.post(path, body)).status, 201);
    assert.equal((await reader.get(path)).status, 200);
    assert.equal((await reader.post(path, body)).status, 403);
    assert.equal((await stranger.get(path)).status, 404);
    assert.equal((await (await service.organization()).admin.get(path)).status, 404);
    assert.equal((await service.anonymous.get(path)).status, 401);
    const shown = await reader.get<{ permissions: Record<string, boolean> }>(`/orgs/${organization.id}`);
    assert.equal(shown.body.permissions['announce'], false);
  });

  it('are as many as the setting says, however many are posted at once', async () => {
    const { id, admin } = await service.organization();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        admin.post(`/orgs/${id}/announcements`, { title: `Number ${at}`, text: 'Hello' }),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 409, 409, 409]);
  });

  it('end after as many days as the organization has set, which administrators see and change', async () => {
    const { id, admin, member } = await service.organization();
    const settings = `/orgs/${id}/announcement-settings`;
    const editor = await member('edit');
    assert.deepEqual((await admin.get<{ endsAfterDays: number }>(settings)).body.endsAfterDays, 0);
    assert.deepEqual(
      [await editor.get(settings), await editor.put(settings, { endsAfterDays: 1 })].map(({ status }) => status),
      [403, 403],
    );
    assert.equal((await admin.put(settings, { endsAfterDays: 366 })).status, 400);
    await Promise.all([admin.put(settings, { endsAfterDays: 7 }), admin.put(settings, { endsAfterDays: 7 })]);
    const { body } = await admin.post<Announcement>(`/orgs/${id}/announcements`, { title: 'A week', text: 'Hello' });
    const days = (new Date(body.endsAt ?? 0).getTime() - Date.now()) / 86_400_000;
    assert.ok(days > 6.9 && days <= 7, `${days} days`);
  });

  it('have screens in the workspace for those who may see them, whose files are there', async () => {
    const { id, admin, member } = await service.organization();
    const screens = `/orgs/${id}/screens`;
    const seen = await admin.get<Screens>(screens);
    assert.deepEqual(
      seen.body.items.map(({ part, path }) => `${part} ${path}`),
      ['screen announcements', 'settings announcement-settings'],
    );
    const ofReader = (await (await member('read')).get<Screens>(screens)).body.items;
    assert.deepEqual(
      ofReader.map(({ path }) => path),
      ['announcements'],
    );
    assert.deepEqual((await (await member('none')).get<Screens>(screens)).body.items, []);
    for (const { urls } of seen.body.items)
      for (const address of [urls.script, ...urls.styles, ...(urls.icon === undefined ? [] : [urls.icon])]) {
        const file = await fetch(address);
        assert.equal(file.status, 200, address);
        assert.match(file.headers.get('cache-control') ?? '', /immutable/);
      }
  });

  it('end by themselves, which the audit log tells', async () => {
    const { id, admin } = await service.organization();
    const endsAt = new Date(Date.now() + 100).toISOString();
    await admin.post(`/orgs/${id}/announcements`, { title: 'Short', text: 'Hello', endsAt });
    await sleep(200);
    await service.get(Jobs).enqueue('announcements.remove-ended', {});
    await service.runJobs();
    assert.equal((await admin.get<{ count: number }>(`/orgs/${id}/announcements`)).body.count, 0);
    const { body } = await admin.get<{ items: { action: string }[] }>(`/orgs/${id}/audit-events`);
    const actions = body.items.map(({ action }) => action).filter((action) => action.startsWith('announcement'));
    assert.deepEqual(actions, ['announcement_removed', 'announcement_posted']);
  });
});
