import { describe, expect, it } from '@jest/globals';
import type { AccessLevel } from '../src/kernel/common/roles.js';
import { newId } from '../src/kernel/common/ids.js';
import { useApp } from './app.js';
import { buildOrganization, type Person, type Workspace } from './build.js';

const app = useApp();

interface Made {
  id: string;
  title: string;
}

async function made(person: Person, path: string, body: object): Promise<string> {
  const answer = await person.api.post<Made>(path, body);
  expect(answer.status).toBe(201);
  return answer.body.id;
}

const makeSpace = ({ admin, id }: Workspace, more: object = {}) =>
  made(admin, `/orgs/${id}/spaces`, { title: 'Handbook', empty: true, ...more });
const makeCollection = ({ admin, id }: Workspace, more: object = {}) =>
  made(admin, `/orgs/${id}/collections`, { title: 'Manuals', ...more });

/** Makes somebody a member of a further organization. */
async function admit({ id }: Workspace, person: Person, role: AccessLevel): Promise<void> {
  await app.current.database.execute(
    'INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ($1, $2, $3, now())',
    [id, person.id, role],
  );
}

/** Two organizations and somebody who creates content in both. */
async function twoOrganizations() {
  const [source, target] = [await buildOrganization(app.current), await buildOrganization(app.current)];
  await admit(target, source.admin, 'create');
  return { source, target, mover: source.admin };
}

async function rows(statement: string, values: readonly unknown[]): Promise<Record<string, unknown>[]> {
  return app.current.database.query(statement, values);
}

async function spacesOf({ admin, id }: Workspace): Promise<{ ids: string[]; count: number }> {
  const { body } = await admin.api.get<{ items: Made[]; count: number }>(`/orgs/${id}/spaces`);
  return { ids: body.items.map((item) => item.id), count: body.count };
}

const eventsOf = (organization: string, target: string) =>
  rows(`SELECT type, payload FROM event WHERE organization_id = $1 AND target = $2 AND type LIKE '%_transferred'`, [
    organization,
    target,
  ]);

describe('the transfer of a space', () => {
  it('takes it with its content, and nobody of the old organization sees it any more', async () => {
    const { source, target, mover } = await twoOrganizations();
    const people: Person[] = [];
    for (const role of ['none', 'read', 'edit', 'create', 'admin'] as const) people.push(await source.member(role));
    const space = await makeSpace(source, { title: 'Travelling', editMode: 'live' });
    const team = (await mover.api.put<Made>(`/orgs/${source.id}/teams`, { title: 'Writers' })).body.id;
    for (const { id } of people) await mover.api.put(`/orgs/${source.id}/teams/${team}/members/${id}`);
    const granted = await mover.api.post(`/spaces/${space}/permissions`, {
      role: 'edit',
      users: people.map(({ id }) => id),
      teams: [team],
    });
    expect(granted.status).toBe(204);
    await mover.api.post(`/spaces/${space}/content`, {
      changes: [{ operation: 'insert_page', title: 'Kept page', document: { markdown: 'Kept words' } }],
    });
    const request = await mover.api.post<Made>(`/spaces/${space}/change-requests`, { subject: 'Still open' });
    expect((await people[1]?.api.get(`/spaces/${space}`))?.status).toBe(200);

    const before = await mover.api.get<{ urls: { location: string } }>(`/spaces/${space}`);
    const moved = await mover.api.post<{ organization: string }>(`/spaces/${space}/transfer`, {
      organization: target.id,
    });
    expect(moved).toMatchObject({
      status: 200,
      body: { id: space, title: 'Travelling', organization: target.id, editMode: 'live' },
    });
    expect((await mover.api.get(`/spaces/${space}`)).body).toEqual(moved.body);
    expect(moved.headers.get('etag')).not.toBe(before.headers.get('etag'));

    for (const { api } of people) {
      for (const path of [
        '',
        '/content',
        '/change-requests',
        '/permissions/users',
        `/change-requests/${request.body.id}`,
      ])
        expect((await api.get(`/spaces/${space}${path}`)).status).toBe(404);
    }
    expect(await rows('SELECT user_id FROM space_member_grant WHERE space_id = $1', [space])).toEqual([]);
    expect(await rows('SELECT team_id FROM space_team_grant WHERE space_id = $1', [space])).toEqual([]);
    expect(await spacesOf(source)).toEqual({ ids: [], count: 0 });
    expect(await spacesOf(target)).toEqual({ ids: [space], count: 1 });
    expect((await target.admin.api.get(`/spaces/${space}/content/path/kept-page`)).body).toMatchObject({
      title: 'Kept page',
    });
    expect((await target.admin.api.get(`/spaces/${space}/search`, { query: { query: 'kept' } })).body).toMatchObject({
      count: 1,
    });
    expect((await target.admin.api.get(`/spaces/${space}/change-requests/${request.body.id}`)).body).toMatchObject({
      subject: 'Still open',
    });
    const payload = { fromOrganizationId: source.id, toOrganizationId: target.id };
    for (const { id } of [source, target])
      expect(await eventsOf(id, space)).toEqual([{ type: 'space_transferred', payload }]);
  });

  it('keeps grants, reviewers and rules of people who are in both, and drops the others and the links', async () => {
    const { source, target, mover } = await twoOrganizations();
    const [both, guest, left] = [await source.member('read'), await source.member('read'), await source.member('read')];
    await admit(target, both, 'read');
    await admit(target, guest, 'none');
    const space = await makeSpace(source);
    await mover.api.post(`/spaces/${space}/permissions`, { role: 'review', users: [both.id, guest.id, left.id] });
    const link = await mover.api.post<Made>(`/orgs/${source.id}/link-invites`, { space, level: 'read' });
    expect(link.status).toBe(201);
    const request = (await mover.api.post<Made>(`/spaces/${space}/change-requests`, { subject: 'Proposal' })).body.id;
    for (const { id } of [both, left]) {
      await rows(
        `INSERT INTO requested_reviewer (space_id, change_request_id, user_id, requested_by, revision_id, created_at) VALUES ($1, $2, $3, $4, $2, now())`,
        [space, request, id, mover.id],
      );
    }
    await rows(
      `INSERT INTO issues_cluster (id, organization_id, label, icon, summary, created_at, updated_at) VALUES ($1, $2, 'Signing in', 'key', '', now(), now())`,
      [`of-${source.id}`, source.id],
    );
    await rows('UPDATE change_request SET issues_cluster_id = $2 WHERE id = $1', [request, `of-${source.id}`]);
    const known = { type: 'rules', rules: [{ rule: 'require_specific_reviewers', users: [both.id] }] };
    await mover.api.patch(`/spaces/${space}`, { mergeRules: known });

    expect((await mover.api.post(`/spaces/${space}/transfer`, { organization: target.id })).body).toMatchObject({
      organization: target.id,
      mergeRules: known,
    });
    const kept = await target.admin.api.get<{ items: { user: Made }[] }>(`/spaces/${space}/permissions/users`);
    expect(kept.body.items.map(({ user }) => user.id).sort()).toEqual([both.id, guest.id].sort());
    expect((await guest.api.get(`/spaces/${space}`)).body).toMatchObject({
      permissions: { review: true, admin: false },
    });
    expect((await left.api.get(`/spaces/${space}`)).status).toBe(404);
    expect(await rows('SELECT user_id FROM requested_reviewer WHERE space_id = $1', [space])).toEqual([
      { user_id: both.id },
    ]);
    expect(await rows('SELECT issues_cluster_id FROM change_request WHERE id = $1', [request])).toEqual([
      { issues_cluster_id: null },
    ]);
    expect(await rows('SELECT id FROM invite_link WHERE space_id = $1', [space])).toEqual([]);
    expect((await left.api.post(`/orgs/${source.id}/invites/${link.body.id}`)).status).toBe(404);

    const second = await makeSpace(source);
    await mover.api.patch(`/spaces/${second}`, {
      mergeRules: { type: 'rules', rules: [{ rule: 'allow_bypass', users: [both.id, left.id] }] },
    });
    expect((await mover.api.post(`/spaces/${second}/transfer`, { organization: target.id })).body).toMatchObject({
      mergeRules: { type: 'inherit' },
    });
  });

  it('goes to a collection of the target, or within one organization to another collection', async () => {
    const { source, target, mover } = await twoOrganizations();
    const [there, here] = [
      await makeCollection(target, { title: 'There' }),
      await makeCollection(source, { title: 'Here' }),
    ];
    const space = await makeSpace(source);
    expect(
      (await mover.api.post(`/spaces/${space}/transfer`, { organization: source.id, parent: here })).body,
    ).toMatchObject({ organization: source.id, parent: here });
    for (const body of [{ organization: source.id }, { organization: source.id, parent: here }])
      expect((await mover.api.post(`/spaces/${space}/transfer`, body)).status).toBe(409);
    for (const parent of [here, newId()]) {
      const refused = await mover.api.post(`/spaces/${space}/transfer`, { organization: target.id, parent });
      expect(refused.body).toMatchObject({
        error: { code: 400, details: [{ path: 'parent', message: 'is not a collection of this organization' }] },
      });
    }
    expect(
      (await mover.api.post(`/spaces/${space}/transfer`, { organization: target.id, parent: there })).body,
    ).toMatchObject({ organization: target.id, parent: there });
    const listed = await target.admin.api.get(`/collections/${there}/spaces`);
    expect(listed.body).toMatchObject({ count: 1, items: [{ id: space }] });
    expect((await mover.api.get(`/collections/${here}/spaces`)).body).toMatchObject({ count: 0 });
  });

  it('is refused for things that cannot go, and changes nothing then', async () => {
    const { source, target, mover } = await twoOrganizations();
    const [published, deleted, stale] = [await makeSpace(source), await makeSpace(source), await makeSpace(source)];
    const site = await made(mover, `/orgs/${source.id}/sites`, { title: 'Public site', spaces: [published] });
    await mover.api.delete(`/spaces/${deleted}`);
    const to = { organization: target.id };
    for (const id of [published, deleted])
      expect((await mover.api.post(`/spaces/${id}/transfer`, to)).status).toBe(412);
    expect((await mover.api.post(`/spaces/${stale}/transfer`, to, { headers: { 'If-Match': '"99.x"' } })).status).toBe(
      412,
    );
    const unknown = await mover.api.post(`/spaces/${stale}/transfer`, { organization: newId() });
    const foreign = await mover.api.post(`/spaces/${stale}/transfer`, {
      organization: (await buildOrganization(app.current)).id,
    });
    expect(foreign).toMatchObject({ status: 404, body: { error: { message: 'Organization not found' } } });
    expect(foreign.body).toEqual(unknown.body);
    for (const body of [{}, { organization: 7 }, { organization: target.id, parent: {} }])
      expect((await mover.api.post(`/spaces/${stale}/transfer`, body)).status).toBe(400);
    expect((await target.admin.api.post(`/spaces/${stale}/transfer`, to)).status).toBe(404);
    expect((await mover.api.post(`/spaces/${newId()}/transfer`, to)).status).toBe(404);
    expect((await spacesOf(source)).count).toBe(2);
    expect((await spacesOf(target)).count).toBe(0);
    expect((await mover.api.delete(`/orgs/${source.id}/sites/${site}`)).status).toBe(204);
    expect((await mover.api.post(`/spaces/${published}/transfer`, to)).status).toBe(200);
    expect((await mover.api.post(`/spaces/${deleted}/restore`)).status).toBe(200);
    expect((await mover.api.post(`/spaces/${deleted}/transfer`, to)).status).toBe(200);
    expect((await spacesOf(target)).count).toBe(2);
  });

  it('takes the right to create content in both organizations', async () => {
    const { source, target } = await twoOrganizations();
    const space = await makeSpace(source);
    const roles: readonly AccessLevel[] = ['none', 'read', 'review', 'create', 'admin'];
    for (const here of roles) {
      for (const there of roles) {
        const person = await source.member(here);
        await admit(target, person, there);
        const own = here === 'none' || here === 'read' || here === 'review' ? 'create' : null;
        if (own) await source.admin.api.post(`/spaces/${space}/permissions`, { role: own, users: [person.id] });
        const answer = await person.api.post(`/spaces/${space}/transfer`, { organization: target.id });
        const may = [here, there].every((role) => role === 'create' || role === 'admin');
        expect({ here, there, status: answer.status }).toEqual({ here, there, status: may ? 200 : 403 });
        if (may) {
          await admitBack(target, source, space);
        }
      }
    }
    const reader = await source.member('read');
    await admit(target, reader, 'admin');
    expect((await reader.api.post(`/spaces/${space}/transfer`, { organization: target.id })).body).toMatchObject({
      error: { message: expect.stringContaining('space:transfer') },
    });
  });

  /** Somebody with both organizations brings a space back. */
  async function admitBack(from: Workspace, to: Workspace, space: string): Promise<void> {
    const person = await from.member('admin');
    await admit(to, person, 'admin');
    expect((await person.api.post(`/spaces/${space}/transfer`, { organization: to.id })).status).toBe(200);
  }

  it('leaves nobody with a space that they could not see any more', async () => {
    const { source, target, mover } = await twoOrganizations();
    const space = await makeSpace(source);
    const second = await source.member('admin');
    await admit(target, second, 'create');
    await mover.api.patch(`/spaces/${space}`, { defaultLevel: null });
    const refused = await second.api.post(`/spaces/${space}/transfer`, { organization: target.id });
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { message: expect.stringContaining('would not be yours') } },
    });
    expect((await mover.api.get(`/spaces/${space}`)).body).toMatchObject({ organization: source.id });
  });
});

describe('the transfer of a collection', () => {
  it('takes all that is within, in its order, but not what is in the trash', async () => {
    const { source, target, mover } = await twoOrganizations();
    const [both, left] = [await source.member('read'), await source.member('read')];
    await admit(target, both, 'none');
    const outer = await makeCollection(source, { title: 'Outer' });
    const inner = await makeCollection(source, { title: 'Inner', parent: outer });
    const spaces = [];
    for (const title of ['A', 'B', 'C']) spaces.push(await makeSpace(source, { title, parent: inner }));
    const [a = '', , trashed = ''] = spaces;
    const elsewhere = await makeSpace(source, { title: 'Elsewhere' });
    await mover.api.delete(`/spaces/${trashed}`);
    const team = (await mover.api.put<Made>(`/orgs/${source.id}/teams`, { title: 'Writers' })).body.id;
    await mover.api.post(`/collections/${inner}/permissions`, {
      role: 'edit',
      users: [both.id, left.id],
      teams: [team],
    });
    await mover.api.post(`/spaces/${a}/permissions`, { role: 'comment', users: [left.id], teams: [team] });
    for (const body of [
      { collection: outer, level: 'read' },
      { space: a, level: 'read' },
    ])
      expect((await mover.api.post(`/orgs/${source.id}/link-invites`, body)).status).toBe(201);

    const moved = await mover.api.post(`/collections/${outer}/transfer`, { organization: target.id });
    expect(moved).toMatchObject({ status: 200, body: { id: outer, title: 'Outer', organization: target.id } });
    expect((await mover.api.get(`/collections/${outer}`)).body).toEqual(moved.body);
    expect((await target.admin.api.get(`/collections/${inner}`)).body).toMatchObject({
      organization: target.id,
      parent: outer,
    });
    expect(
      (await target.admin.api.get<{ items: Made[] }>(`/collections/${inner}/spaces`)).body.items.map(
        ({ title }) => title,
      ),
    ).toEqual(['A', 'B']);
    expect((await both.api.get(`/spaces/${a}`)).body).toMatchObject({
      organization: target.id,
      permissions: { edit: true },
    });
    for (const path of [`/collections/${outer}`, `/collections/${inner}`, `/spaces/${a}`])
      expect((await left.api.get(path)).status).toBe(404);
    expect(await rows('SELECT user_id FROM collection_member_grant WHERE collection_id = $1', [inner])).toEqual([
      { user_id: both.id },
    ]);
    expect(await rows('SELECT id FROM invite_link WHERE organization_id = $1', [source.id])).toEqual([]);
    expect((await spacesOf(source)).ids).toEqual([elsewhere]);
    expect((await spacesOf(target)).count).toBe(2);
    const restored = await mover.api.post(`/spaces/${trashed}/restore`);
    expect(restored.body).toMatchObject({ organization: source.id });
    expect(restored.body).not.toHaveProperty('parent');
    const [event] = await eventsOf(target.id, outer);
    expect(event).toMatchObject({ payload: { fromOrganizationId: source.id, toOrganizationId: target.id } });
    expect((event?.['payload'] as { collectionIds: string[] }).collectionIds.sort()).toEqual([outer, inner].sort());
    expect(await eventsOf(source.id, outer)).toEqual([event]);
  });

  it('is refused for what the caller may not move, and changes nothing then', async () => {
    const { source, target, mover } = await twoOrganizations();
    const outer = await makeCollection(source, { title: 'Outer' });
    const inner = await makeCollection(source, { title: 'Inner', parent: outer });
    const space = await makeSpace(source, { parent: inner });
    const to = { organization: target.id };
    const creator = await source.member('create');
    await admit(target, creator, 'admin');
    for (const [path, level] of [
      [`/spaces/${space}`, null],
      [`/collections/${inner}`, 'read'],
    ] as const) {
      await mover.api.patch(path, { defaultLevel: level });
      const refused = await creator.api.post(`/collections/${outer}/transfer`, to);
      expect(refused).toMatchObject({
        status: 403,
        body: { error: { message: expect.stringContaining('an object inside it') } },
      });
      await mover.api.patch(path, { defaultLevel: 'inherit' });
    }
    const site = await made(mover, `/orgs/${source.id}/sites`, { title: 'Public site', spaces: [space] });
    expect((await mover.api.post(`/collections/${outer}/transfer`, to)).status).toBe(412);
    await mover.api.delete(`/orgs/${source.id}/sites/${site}`);
    for (const body of [{ organization: source.id }, { organization: source.id, parent: null }])
      expect((await mover.api.post(`/collections/${outer}/transfer`, body)).status).toBe(409);
    expect(
      (await mover.api.post(`/collections/${outer}/transfer`, { organization: source.id, parent: inner })).status,
    ).toBe(400);
    expect((await mover.api.post(`/collections/${outer}/transfer`, { organization: newId() })).status).toBe(404);
    expect(
      (await mover.api.post(`/collections/${outer}/transfer`, to, { headers: { 'If-Match': '"99.x"' } })).status,
    ).toBe(412);
    expect((await target.admin.api.post(`/collections/${outer}/transfer`, to)).status).toBe(404);
    expect((await (await source.member('review')).api.post(`/collections/${outer}/transfer`, to)).status).toBe(403);
    for (const path of [`/collections/${outer}`, `/collections/${inner}`, `/spaces/${space}`])
      expect((await mover.api.get(path)).body).toMatchObject({ organization: source.id });
    const there = await makeCollection(target, { title: 'There' });
    expect((await creator.api.post(`/collections/${outer}/transfer`, { ...to, parent: there })).body).toMatchObject({
      parent: there,
      organization: target.id,
    });
  });
});

describe('transfers at the same time as other changes', () => {
  const STATUSES = [200, 201, 204, 400, 403, 404, 409, 412];

  it('take turns with transfers back, moves, deletions, grants, links and placements on sites', async () => {
    const { source, target, mover } = await twoOrganizations();
    await admit(source, target.admin, 'create');
    const rounds = Number(process.env['ROUNDS'] ?? 8);
    for (let round = 0; round < rounds; round++) {
      const outer = await makeCollection(source);
      const [inside, space] = [await makeSpace(source, { parent: outer }), await makeSpace(source)];
      const site = await made(mover, `/orgs/${source.id}/sites`, { title: 'Public site' });
      const reader = await source.member('read');
      const answers = await Promise.all([
        mover.api.post(`/spaces/${space}/transfer`, { organization: target.id }),
        target.admin.api.post(`/spaces/${space}/transfer`, { organization: source.id }),
        mover.api.post(`/spaces/${space}/move`, { parent: outer }),
        mover.api.post(`/collections/${outer}/transfer`, { organization: target.id }),
        mover.api.post(`/orgs/${source.id}/spaces`, { title: 'New', parent: outer, empty: true }),
        mover.api.post(`/orgs/${source.id}/collections`, { title: 'New', parent: outer }),
        mover.api.post(`/spaces/${space}/permissions`, { role: 'edit', users: [reader.id] }),
        mover.api.post(`/orgs/${source.id}/link-invites`, { space, level: 'read' }),
        mover.api.post(`/orgs/${source.id}/sites/${site}/site-spaces`, { spaceId: inside }),
        ...(round % 2
          ? [mover.api.delete(`/spaces/${space}`)]
          : [mover.api.patch(`/spaces/${space}`, { title: 'Renamed' })]),
        mover.api.delete(`/orgs/${source.id}/members/${reader.id}`),
      ]);
      for (const { status } of answers) expect(STATUSES).toContain(status);
      const all = [space, inside];
      expect(
        await rows(
          `SELECT s.id FROM space s
            WHERE s.id = ANY ($1) AND (
              EXISTS (SELECT FROM space_member_grant g WHERE g.space_id = s.id AND NOT EXISTS (SELECT FROM member m WHERE m.organization_id = s.organization_id AND m.user_id = g.user_id))
              OR EXISTS (SELECT FROM site_space p WHERE p.space_id = s.id AND p.organization_id <> s.organization_id)
              OR EXISTS (SELECT FROM invite_link l WHERE l.space_id = s.id AND l.organization_id <> s.organization_id)
              OR s.collection_id IS NOT NULL AND NOT EXISTS (SELECT FROM collection c WHERE c.id = s.collection_id AND c.organization_id = s.organization_id))`,
          [all],
        ),
      ).toEqual([]);
    }
    expect(
      await rows(
        `SELECT t.organization_id FROM organization_total t
          WHERE t.spaces <> (SELECT count(*) FROM space s WHERE s.organization_id = t.organization_id AND s.deleted_at IS NULL)
             OR t.members <> (SELECT count(*) FROM member m WHERE m.organization_id = t.organization_id)`,
        [],
      ),
    ).toEqual([]);
    expect(
      await rows(
        `SELECT t.collection_id FROM collection_total t
          WHERE t.spaces <> (SELECT count(*) FROM space s WHERE s.collection_id = t.collection_id AND s.deleted_at IS NULL)`,
        [],
      ),
    ).toEqual([]);
    expect(await rows('SELECT id FROM collection_total_change', [])).toEqual([]);
  }, 3_600_000);

  it('happen once, whoever asks how often', async () => {
    const { source, target, mover } = await twoOrganizations();
    const space = await makeSpace(source);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => mover.api.post(`/spaces/${space}/transfer`, { organization: target.id })),
    );
    const [first, ...others] = answers.map(({ status }) => status).sort();
    expect(first).toBe(200);
    for (const status of others) expect([404, 409]).toContain(status);
    expect(await eventsOf(target.id, space)).toHaveLength(1);
  });
});
