import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ACCESS_LEVELS, type AccessLevel } from '../src/kernel/common/roles.js';
import { newId } from '../src/kernel/common/ids.js';
import { ExpiredSpacesJob } from '../src/workspace/spaces/expired-spaces.job.js';
import { TestApp, useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';

const app = useApp();
const ROUNDS = Number(process.env['ROUNDS'] ?? 20);

/** Grants on one thing, by what matters for one user: their own and those of the teams they are in. */
interface Grants {
  readonly own: AccessLevel | null;
  readonly teams: readonly AccessLevel[];
}

interface Tree {
  readonly memberRole: AccessLevel;
  readonly creator: boolean;
  readonly space: Grants & { readonly level: AccessLevel | null };
  /** Nearest first. */
  readonly collections: readonly (Grants & { readonly level: AccessLevel | null })[];
  readonly sites: readonly Grants[];
}

interface Explanation {
  readonly permission: AccessLevel | null;
  readonly reasons: readonly { readonly permission: AccessLevel | null; readonly decides: boolean }[];
}

// The oracle: the rules of precedence as a person would write them down, without SQL.
const rank = (level: AccessLevel) => ACCESS_LEVELS.indexOf(level);
const highest = (levels: readonly (AccessLevel | null)[]): AccessLevel | null =>
  levels.reduce((best, level) => (level !== null && (best === null || rank(level) > rank(best)) ? level : best), null);
const granted = ({ own, teams }: Grants) => own ?? highest(teams);

function expectedRole(tree: Tree): AccessLevel {
  if (tree.memberRole === 'admin') return 'admin';
  const levelOf = ({ level }: { level: AccessLevel | null }) =>
    level !== null && tree.memberRole === 'none' ? 'none' : level;
  const fromCollections = tree.collections
    .map((each) => granted(each) ?? levelOf(each))
    .find((level) => level !== null);
  const role =
    granted(tree.space) ??
    levelOf(tree.space) ??
    highest(tree.sites.map(granted)) ??
    fromCollections ??
    tree.memberRole;
  return tree.creator ? (highest([role, tree.memberRole, 'read']) ?? role) : role;
}

/** The levels that a custom role can have as its base. */
const isBase = (level: AccessLevel | null) => level !== null && level !== 'none' && level !== 'admin';

/** What a member's own grant there adds, else what those of teams add together; null without any. */
const addedBy = ({ own, teams }: Grants, place: string): string[] | null => {
  if (own !== null) return isBase(own) ? [`${place} user`] : [];
  if (teams.length === 0) return null;
  return teams.some(isBase) ? [`${place} team`] : [];
};

/** The names of the places whose custom roles count, where every grant has one that adds the name of its place. */
function expectedAdditions({ memberRole, creator, space, sites, collections }: Tree): string[] {
  const fixed = ({ level }: { level: AccessLevel | null }) => (level === null ? null : []);
  const bySites = sites.map((site, at) => addedBy(site, `site ${at}`)).filter((each) => each !== null);
  const byCollections = collections
    .map((each, at) => addedBy(each, `collection ${at}`) ?? fixed(each))
    .find((each) => each !== null);
  const member = isBase(memberRole) ? ['member'] : [];
  const added =
    addedBy(space, 'space') ?? fixed(space) ?? (bySites.length > 0 ? bySites.flat() : null) ?? byCollections ?? member;
  return [...new Set([...added, ...(creator ? member : [])])].sort();
}

const level = fc.constantFrom(...ACCESS_LEVELS);
const orNothing = fc.option(level, { nil: null, freq: 2 });
const grants = fc.record({ own: orNothing, teams: fc.array(level, { maxLength: 2 }) });
const levelled = fc.record({
  own: fc.option(level, { nil: null, freq: 1 }),
  teams: fc.array(level, { maxLength: 1 }),
  level: orNothing,
});
const tree: fc.Arbitrary<Tree> = fc.record({
  memberRole: level,
  creator: fc.boolean(),
  space: levelled,
  collections: fc.array(levelled, { maxLength: 3 }),
  sites: fc.array(grants, { maxLength: 2 }),
});

/** Writes a tree of grants for one member and gives the ids of its space and its nearest collection. */
async function write(workspace: Workspace, generated: Tree) {
  const { database } = app.current;
  const person = await workspace.member(generated.memberRole);
  const creator = generated.creator ? person.id : workspace.admin.id;
  const team = async (grantsOf: Grants, insert: (teamId: string, role: AccessLevel) => Promise<unknown>) => {
    for (const role of grantsOf.teams) {
      const teamId = newId();
      await database.execute('INSERT INTO team (id, organization_id, title, created_at) VALUES ($1, $2, $3, now())', [
        teamId,
        workspace.id,
        'Team',
      ]);
      await database.execute(
        'INSERT INTO team_member (organization_id, team_id, user_id, created_at) VALUES ($1, $2, $3, now())',
        [workspace.id, teamId, person.id],
      );
      await insert(teamId, role);
    }
  };
  let parent: string | null = null;
  const collectionIds: string[] = [];
  for (const each of [...generated.collections].reverse()) {
    const id: string = newId();
    collectionIds.unshift(id);
    await database.execute(
      `INSERT INTO collection (id, organization_id, parent_id, title, default_level, position, created_by, created_at)
       VALUES ($1, $2, $3, 'Collection', $4, 'V', $5, now())`,
      [id, workspace.id, parent, each.level, workspace.admin.id],
    );
    if (each.own !== null) {
      await database.execute('INSERT INTO collection_member_grant VALUES ($1, $2, $3, $4, now())', [
        workspace.id,
        id,
        person.id,
        each.own,
      ]);
    }
    await team(each, (teamId, role) =>
      database.execute('INSERT INTO collection_team_grant VALUES ($1, $2, $3, $4, now())', [
        workspace.id,
        id,
        teamId,
        role,
      ]),
    );
    parent = id;
  }
  const spaceId = newId();
  await database.execute(
    `INSERT INTO space (id, organization_id, collection_id, title, default_level, position, revision_id, created_by, created_at, updated_at)
     VALUES ($1, $2, $3, 'Space', $4, 'V', $1, $5, now(), now())`,
    [spaceId, workspace.id, parent, generated.space.level, creator],
  );
  if (generated.space.own !== null) {
    await database.execute('INSERT INTO space_member_grant VALUES ($1, $2, $3, now())', [
      spaceId,
      person.id,
      generated.space.own,
    ]);
  }
  await team(generated.space, (teamId, role) =>
    database.execute('INSERT INTO space_team_grant VALUES ($1, $2, $3, now())', [spaceId, teamId, role]),
  );
  const siteIds: string[] = [];
  for (const site of generated.sites) {
    const siteId = newId();
    siteIds.push(siteId);
    await database.execute(
      `INSERT INTO site (id, organization_id, title, basename, customization, created_by, created_at, updated_at)
       VALUES ($1, $2, 'Site', $1, '{}', $3, now(), now())`,
      [siteId, workspace.id, workspace.admin.id],
    );
    await database.execute(
      `INSERT INTO site_space (id, organization_id, site_id, space_id, path, position, created_at) VALUES ($1, $2, $3, $4, 'p', 'V', now())`,
      [newId(), workspace.id, siteId, spaceId],
    );
    if (site.own !== null)
      await database.execute('INSERT INTO site_member_grant VALUES ($1, $2, $3, $4, now())', [
        workspace.id,
        siteId,
        person.id,
        site.own,
      ]);
    await team(site, (teamId, role) =>
      database.execute('INSERT INTO site_team_grant VALUES ($1, $2, $3, $4, now())', [
        workspace.id,
        siteId,
        teamId,
        role,
      ]),
    );
  }
  return { person, spaceId, collectionId: parent, collectionIds, siteIds };
}

/** Gives every grant, and the member, a custom role that adds the name of its place. */
async function addEverywhere(workspace: Workspace, written: Awaited<ReturnType<typeof write>>): Promise<void> {
  const { person, spaceId, collectionIds, siteIds } = written;
  const places = [
    { table: 'member', column: 'user_id', id: person.id, name: 'member' },
    ...[
      { kind: 'space', ids: [spaceId] },
      { kind: 'collection', ids: collectionIds },
      { kind: 'site', ids: siteIds },
    ].flatMap(({ kind, ids }) =>
      ids.flatMap((id, at) =>
        ['user', 'team'].map((holder) => ({
          table: `${kind}_${holder === 'user' ? 'member' : 'team'}_grant`,
          column: `${kind}_id`,
          id,
          name: `${kind === 'space' ? kind : `${kind} ${at}`} ${holder}`,
        })),
      ),
    ),
  ];
  for (const { table, column, id, name } of places)
    await app.current.database.execute(
      `WITH held AS (SELECT DISTINCT role FROM ${table} WHERE ${column} = $1 AND role NOT IN ('none', 'admin')),
         made AS (INSERT INTO custom_role (id, organization_id, title, base, permissions, created_at)
                  SELECT $1::text || $2::text || held.role, $3, 'Role', held.role, ARRAY[$2::text], now() FROM held)
       SELECT`,
      [id, name, workspace.id],
    );
  for (const { table, column, id, name } of places)
    await app.current.database.execute(
      `UPDATE ${table} SET custom_role_id = $1::text || $2::text || role WHERE ${column} = $1 AND role NOT IN ('none', 'admin')`,
      [id, name],
    );
}

describe('3b-6 the role of a member on a space', () => {
  it('is what the rules of precedence say, over random trees of grants', async () => {
    const workspace = await buildOrganization(app.current);
    await fc.assert(
      fc.asyncProperty(tree, async (generated) => {
        const { person, spaceId, collectionId } = await write(workspace, generated);
        const [space] = await app.current.database.query<{ role: AccessLevel }>(
          'SELECT role FROM space_access($1, ARRAY[$2]::text[])',
          [person.id, spaceId],
        );
        expect(space?.role).toBe(expectedRole(generated));
        const [collection] = await app.current.database.query<{ role: AccessLevel }>(
          'SELECT role FROM collection_access($1, ARRAY[$2]::text[])',
          [person.id, collectionId],
        );
        const asCollection = { ...generated, creator: false, space: { own: null, teams: [], level: null }, sites: [] };
        expect(collection?.role).toBe(collectionId === null ? undefined : expectedRole(asCollection));
      }),
      { numRuns: ROUNDS },
    );
  });

  it('is explained by the rule that decides it, on spaces, collections and sites', async () => {
    const workspace = await buildOrganization(app.current);
    const explained = async (path: string, userId: string) => {
      const { status, body } = await workspace.admin.api.get<Explanation>(
        `${path}/permissions/users/${userId}/explanation`,
      );
      expect(status).toBe(200);
      const decisive = body.reasons.filter(({ decides }) => decides);
      expect(decisive.map(({ permission }) => permission)).toEqual([body.permission]);
      return body.permission ?? 'none';
    };
    await fc.assert(
      fc.asyncProperty(tree, async (generated) => {
        const { person, spaceId, collectionId, siteIds } = await write(workspace, generated);
        expect(await explained(`/spaces/${spaceId}`, person.id)).toBe(expectedRole(generated));
        const asCollection = { ...generated, creator: false, space: { own: null, teams: [], level: null }, sites: [] };
        if (collectionId !== null)
          expect(await explained(`/collections/${collectionId}`, person.id)).toBe(expectedRole(asCollection));
        for (const [at, id] of siteIds.entries()) {
          const { own = null, teams = [] } = generated.sites[at] ?? {};
          expect(await explained(`/orgs/${workspace.id}/sites/${id}`, person.id)).toBe(
            highest([generated.memberRole, own, ...teams]),
          );
        }
      }),
      { numRuns: ROUNDS },
    );
  });

  it('has the additions of those custom roles whose grants decide it', async () => {
    const workspace = await buildOrganization(app.current);
    await fc.assert(
      fc.asyncProperty(tree, async (generated) => {
        const written = await write(workspace, generated);
        await addEverywhere(workspace, written);
        const [space] = await app.current.database.query<{ added: string[] }>(
          'SELECT space_additions($1, $2) AS added',
          [written.person.id, written.spaceId],
        );
        expect([...(space?.added ?? [])].sort()).toEqual(expectedAdditions(generated));
        const member = isBase(generated.memberRole) ? ['member'] : [];
        for (const [at, site] of generated.sites.entries()) {
          const [onSite] = await app.current.database.query<{ added: string[] }>(
            'SELECT site_additions($1, $2) AS added',
            [written.person.id, written.siteIds[at]],
          );
          const own = isBase(site.own) ? [`site ${at} user`] : [];
          const teams = site.teams.some(isBase) ? [`site ${at} team`] : [];
          expect([...(onSite?.added ?? [])].sort()).toEqual([...member, ...own, ...teams].sort());
        }
      }),
      { numRuns: ROUNDS },
    );
  });

  it('decides which spaces are exceptions in the lists of a member', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(tree, { minLength: 1, maxLength: 4 }), async (trees) => {
        const workspace = await buildOrganization(app.current);
        for (const generated of trees) {
          const { person, spaceId } = await write(workspace, generated);
          const expected = await app.current.database.query<{ id: string }>(
            `SELECT s.id FROM space s JOIN space_access($1, ARRAY(SELECT id FROM space)) a ON a.space_id = s.id
              WHERE s.organization_id = $2 AND s.deleted_at IS NULL AND a.role > 'none' ORDER BY s.created_at DESC, s.id DESC`,
            [person.id, workspace.id],
          );
          const listed = await person.api.get<{ items: { id: string }[]; count: number }>(
            `/orgs/${workspace.id}/spaces`,
          );
          expect(listed.body.items.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
          expect(listed.body.count).toBe(expected.length);
          if (generated.memberRole !== 'none' && spaceId.charCodeAt(19) % 3 === 0)
            await workspace.admin.api.delete(`/spaces/${spaceId}`);
        }
        const people = await app.current.database.query<{ user_id: string }>(
          'SELECT user_id FROM member WHERE organization_id = $1',
          [workspace.id],
        );
        const together = await app.current.database.query(
          'SELECT e.user_id, e.space_id, e.role FROM exceptional_spaces_of($2, $1) e ORDER BY e.user_id, e.space_id',
          [workspace.id, people.map(({ user_id }) => user_id)],
        );
        const oneByOne = await app.current.database.query(
          `SELECT m.user_id, a.space_id, a.role
             FROM member m CROSS JOIN LATERAL space_access(m.user_id, ARRAY(SELECT id FROM space WHERE organization_id = $1 AND deleted_at IS NULL)) a
            WHERE m.organization_id = $1 AND m.role < 'admin' AND (a.role > 'none') = (m.role = 'none') ORDER BY m.user_id, a.space_id`,
          [workspace.id],
        );
        expect(together).toEqual(oneByOne);
      }),
      { numRuns: Math.ceil(ROUNDS / 4) },
    );
  });

  it('follows both documented examples', () => {
    const nothing = { own: null, teams: [] };
    const bySite = {
      memberRole: 'create',
      creator: false,
      space: { ...nothing, level: null },
      collections: [],
      sites: [{ own: 'comment', teams: [] }],
    } as const;
    expect(expectedRole(bySite)).toBe('comment');
    expect(expectedRole({ ...bySite, sites: [], space: { ...nothing, level: 'read' } })).toBe('read');
  });

  it('gives no row to people of other organizations, whatever is granted', async () => {
    const workspace = await buildOrganization(app.current);
    const other = await buildOrganization(app.current);
    const { spaceId } = await write(workspace, {
      memberRole: 'read',
      creator: false,
      space: { own: null, teams: [], level: null },
      collections: [],
      sites: [],
    });
    await app.current.database.execute('INSERT INTO space_member_grant VALUES ($1, $2, $3, now())', [
      spaceId,
      other.admin.id,
      'admin',
    ]);
    expect(
      await app.current.database.query('SELECT role FROM space_access($1, ARRAY[$2]::text[])', [
        other.admin.id,
        spaceId,
      ]),
    ).toEqual([]);
    const foreign = await other.admin.api.get(`/spaces/${spaceId}`);
    const unknown = await other.admin.api.get(`/spaces/${newId()}`);
    expect(foreign).toMatchObject({ status: 404, body: unknown.body });
  });
});

describe('spaces', () => {
  const plain: Tree = {
    memberRole: 'read',
    creator: false,
    space: { own: null, teams: [], level: null },
    collections: [],
    sites: [],
  };

  it('tell a member what is missing and a stranger nothing', async () => {
    const workspace = await buildOrganization(app.current);
    const { person, spaceId } = await write(workspace, plain);
    expect(await person.api.patch(`/spaces/${spaceId}`, { title: 'Mine' })).toMatchObject({
      status: 403,
      body: { error: { message: expect.stringContaining('space:admin') } },
    });
    const guest = await workspace.member('none');
    expect((await guest.api.patch(`/spaces/${spaceId}`, { title: 'Mine' })).status).toBe(404);
    expect((await guest.api.delete(`/spaces/${spaceId}`)).status).toBe(204);
    expect((await person.api.get(`/spaces/${spaceId}`)).body).toMatchObject({
      title: 'Space',
      permissions: { view: true, edit: false },
    });
  });

  it('change, keep what is absent, and refuse stale writers', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const { spaceId } = await write(workspace, plain);
    const before = await api.get(`/spaces/${spaceId}`);
    const changed = await api.patch(`/spaces/${spaceId}`, {
      title: 'Handbook',
      editMode: 'live',
      emoji: '📘',
      language: 'de',
      defaultLevel: null,
      mergeRules: { type: 'none' },
    });
    expect(changed.body).toMatchObject({
      title: 'Handbook',
      editMode: 'live',
      emoji: '📘',
      language: 'de',
      defaultLevel: null,
      mergeRules: { type: 'none' },
    });
    expect((await api.get(`/spaces/${spaceId}`)).body).toEqual(changed.body);
    const stale = await api.patch(
      `/spaces/${spaceId}`,
      { title: 'Other' },
      { headers: { 'If-Match': before.headers.get('etag') ?? '' } },
    );
    expect(stale.status).toBe(412);
    const cleared = await api.patch(
      `/spaces/${spaceId}`,
      { emoji: null },
      { headers: { 'If-Match': changed.headers.get('etag') ?? '' } },
    );
    expect(cleared.body).toMatchObject({ title: 'Handbook', emoji: '📖' });
    const same = await api.patch(`/spaces/${spaceId}`, { title: 'Handbook' });
    expect(same.body['updatedAt']).toBe(cleared.body['updatedAt']);
    await api.patch(`/spaces/${spaceId}`, { icon: 'https://example.com/icon.png' });
    expect((await api.get(`/spaces/${spaceId}`)).body).toMatchObject({
      urls: { icon: 'https://example.com/icon.png' },
    });
    expect((await api.patch(`/spaces/${spaceId}`, { icon: null, emoji: null })).body['urls']).not.toHaveProperty(
      'icon',
    );
    for (const wrong of [
      { title: 'x'.repeat(51) },
      { editMode: 'open' },
      { language: 'xx' },
      { defaultLevel: 'owner' },
      { mergeRules: { type: 'rules', rules: [{ rule: 'x' }] } },
    ]) {
      expect((await api.patch(`/spaces/${spaceId}`, wrong)).status).toBe(400);
    }
    const stranger = await buildOrganization(app.current);
    for (const id of [stranger.admin.id, newId()]) {
      const rules = { type: 'rules', rules: [{ rule: 'require_specific_reviewers', users: [workspace.admin.id, id] }] };
      const refused = await api.patch(`/spaces/${spaceId}`, { mergeRules: rules });
      expect(refused.body).toMatchObject({
        error: {
          code: 400,
          details: [{ path: 'mergeRules.rules.0.users.1', message: 'is not a member of the organization' }],
        },
      });
    }
  });

  it('3b-11 stay seven days in the trash', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const { spaceId, person } = await write(workspace, plain);
    expect((await api.post(`/spaces/${spaceId}/restore`)).status).toBe(409);
    expect((await api.delete(`/spaces/${spaceId}`)).status).toBe(204);
    expect((await api.delete(`/spaces/${spaceId}`)).status).toBe(204);
    expect((await person.api.get(`/spaces/${spaceId}`)).status).toBe(404);
    expect((await api.get(`/spaces/${spaceId}`)).body).toMatchObject({
      id: spaceId,
      deletedAt: expect.any(String),
      permissions: { view: false, edit: false, merge: false, admin: false },
    });
    expect((await api.get(`/orgs/${workspace.id}/spaces`)).body).toMatchObject({ count: 0, items: [] });
    expect((await person.api.post(`/spaces/${spaceId}/restore`)).status).toBe(404);
    app.current.setTime(new Date(Date.now() + 7 * 86_400_000 + 60_000));
    expect((await api.post(`/spaces/${spaceId}/restore`)).status).toBe(404);
    app.current.setTime(undefined);
    const restored = await api.post(`/spaces/${spaceId}/restore`);
    expect(restored).toMatchObject({ status: 200, body: { id: spaceId, title: 'Space' } });
    expect(restored.body['deletedAt']).toBeUndefined();
    expect((await api.get(`/orgs/${workspace.id}/spaces`)).body).toMatchObject({ count: 1, items: [{ id: spaceId }] });
  });

  it('stay in the trash for as long as RETENTION_DAYS says, and come back until then', async () => {
    const patient = await TestApp.start({ RETENTION_DAYS: '30' }, app.current.databaseUrl);
    try {
      const workspace = await buildOrganization(patient);
      const { api } = workspace.admin;
      const { id } = (await api.post<{ id: string }>(`/orgs/${workspace.id}/spaces`, { title: 'Kept' })).body;
      await api.delete(`/spaces/${id}`);
      patient.setTime(new Date(Date.now() + 31 * 86_400_000));
      expect((await api.post(`/spaces/${id}/restore`)).status).toBe(404);
      patient.setTime(new Date(Date.now() + 10 * 86_400_000));
      expect(await patient.get(ExpiredSpacesJob).remove()).toBe(0);
      expect((await api.post(`/spaces/${id}/restore`)).status).toBe(200);
    } finally {
      await patient.close();
    }
  });

  it('are listed only where the caller can see them, page by page', async () => {
    const workspace = await buildOrganization(app.current);
    const { person, spaceId } = await write(workspace, plain);
    await write(workspace, { ...plain, space: { own: null, teams: [], level: 'none' } });
    expect((await person.api.get(`/orgs/${workspace.id}/spaces`)).body).toMatchObject({
      count: 1,
      items: [{ id: spaceId }],
    });
    const first = await workspace.admin.api.get<{ items: { id: string }[]; next: { page: string }; count: number }>(
      `/orgs/${workspace.id}/spaces`,
      { query: { limit: 1 } },
    );
    expect(first.body.count).toBe(2);
    const second = await workspace.admin.api.get<{ items: { id: string }[]; next?: object }>(
      `/orgs/${workspace.id}/spaces`,
      { query: { limit: 1, page: first.body.next.page } },
    );
    expect(second.body.items).toMatchObject([{ id: spaceId }]);
    expect(second.body.next).toBeUndefined();
  });
});
