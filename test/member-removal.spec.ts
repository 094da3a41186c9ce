import { describe, expect, it } from '@jest/globals';
import { newId } from '../src/kernel/common/ids.js';
import { ARCHIVED, MEMBER_COLUMN } from '../src/operations/organization-archives/archived-tables.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';

const app = useApp();

interface Made {
  id: string;
}

const rows = (statement: string, values: readonly unknown[]) => app.current.database.query(statement, values);

/** Every table with a column that refers to accounts or members, by the column. */
function references(): Promise<{ table: string; column: string }[]> {
  return rows(
    `SELECT DISTINCT c.conrelid::regclass::text AS table, a.attname AS column FROM pg_constraint c
       JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
      WHERE c.contype = 'f' AND c.confrelid IN ('account'::regclass, 'member'::regclass) AND a.attname <> 'organization_id' ORDER BY 1, 2`,
    [],
  ) as Promise<{ table: string; column: string }[]>;
}

/** Columns that say who did something, which stays true of people who left; the rest is what a membership gives. */
const HISTORY = new Set([
  'agent_instructions.updated_by',
  'search_synonyms.updated_by',
  'change_request.created_by',
  'change_request_review.requested_by',
  'change_request_review.reviewer_id',
  'collection.created_by',
  'comment.applied_by',
  'comment.posted_by',
  'comment.resolved_by',
  'comment_reaction.user_id',
  'idempotency.user_id',
  'git_installation.created_by',
  'git_installation.updated_by',
  'import_run.created_by',
  'organization_run.created_by',
  'invitation.created_by',
  'invite_link.created_by',
  'notification.actor_id',
  // What a person has of it everywhere.
  'notification_inbox.user_id',
  'notification_settings.user_id',
  'page_verification.verified_by',
  'requested_reviewer.requested_by',
  'revision.author_id',
  // By which an identity provider knows the person again that it makes a member anew; it opens nothing.
  'scim_user.user_id',
  // It opens a session, which acts for members only.
  'sign_in_link.user_id',
  'site.created_by',
  'space.created_by',
  'translation.created_by',
  'upload.user_id',
  'viewed_page.user_id',
  'webhook.created_by',
]);

/** Somebody with everything that a membership can have. */
async function furnished(workspace: Workspace) {
  const { admin, id } = workspace;
  const person = await workspace.member('review');
  const { api } = admin;
  const space = (await api.post<Made>(`/orgs/${id}/spaces`, { title: 'Handbook', empty: true })).body.id;
  const collection = (await api.post<Made>(`/orgs/${id}/collections`, { title: 'Manuals' })).body.id;
  const site = (await api.post<Made>(`/orgs/${id}/sites`, { title: 'Public site' })).body.id;
  const team = (await api.put<Made>(`/orgs/${id}/teams`, { title: 'Writers' })).body.id;
  await api.put(`/orgs/${id}/teams/${team}/members/${person.id}`);
  for (const path of [`/spaces/${space}`, `/collections/${collection}`])
    expect((await api.post(`${path}/permissions`, { role: 'edit', users: [person.id] })).status).toBe(204);
  await rows(`INSERT INTO site_member_grant VALUES ($1, $2, $3, 'read', now())`, [id, site, person.id]);
  await rows(
    `WITH l AS (INSERT INTO page_limit VALUES ($1, $2, now(), now()) RETURNING space_id, page_id)
     INSERT INTO page_member_grant SELECT l.space_id, l.page_id, $3, now() FROM l`,
    [space, newId(), person.id],
  );
  await rows(
    `INSERT INTO page_verification (space_id, page_id, user_id, until, verified_by, verified_at) VALUES ($1, $2, $3, now(), $3, now())`,
    [space, newId(), person.id],
  );
  const request = (await api.post<Made>(`/spaces/${space}/change-requests`, { subject: 'Proposal' })).body.id;
  await rows(
    `INSERT INTO requested_reviewer (space_id, change_request_id, user_id, requested_by, revision_id, created_at) VALUES ($1, $2, $3, $4, $2, now())`,
    [space, request, person.id, admin.id],
  );
  await rows(
    `INSERT INTO notification (id, user_id, sequence, event_id, kind, at, space_id, change_request_id, in_app) VALUES ($1, $2, 1, $1, 'review_requested', now(), $3, $4, true)`,
    [newId(), person.id, space, request],
  );
  const provider = (await api.post<Made>(`/orgs/${id}/saml`, { label: 'Identity' })).body.id;
  await rows(
    `INSERT INTO login_code (hash, provider_id, organization_id, user_id, expires_at) VALUES (sha256($1::bytea), $2, $3, $4, now() + interval '1 minute')`,
    [newId(), provider, id, person.id],
  );
  await rows(
    `INSERT INTO login_test (organization_id, id, provider_id, user_id, browser, expires_at)
     VALUES ($1, $2, $3, $4, sha256('x'), now() + interval '1 minute')`,
    [id, newId(), provider, person.id],
  );
  await rows(
    `INSERT INTO customization_draft (organization_id, user_id, site_id, settings, version, expires_at)
     VALUES ($1, $2, $3, '{}', 'x', now() + interval '1 hour')`,
    [id, person.id, site],
  );
  await rows(
    `INSERT INTO invitation (id, organization_id, email, role, mailed, hash, sealed, created_by, created_at, expires_at)
     VALUES ($1, $2, $3, 'create', false, sha256($4::bytea), '', $5, now(), now() + interval '1 day')`,
    [newId(), id, person.email.toUpperCase(), person.id, admin.id],
  );
  return { person, space, collection };
}

describe('3b-4 a member who is removed', () => {
  it('leaves nothing behind that a membership gives, and keeps what belongs to other organizations', async () => {
    const [workspace, other] = [await buildOrganization(app.current), await buildOrganization(app.current)];
    const { person, space } = await furnished(workspace);
    await rows(`INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ($1, $2, 'read', now())`, [
      other.id,
      person.id,
    ]);
    const kept = (await other.admin.api.post<Made>(`/orgs/${other.id}/spaces`, { title: 'Elsewhere', empty: true }))
      .body.id;
    await other.admin.api.post(`/spaces/${kept}/permissions`, { role: 'edit', users: [person.id] });
    const bypass = { rule: 'allow_bypass', users: [person.id] };
    const reviewers = { rule: 'require_specific_reviewers', users: [person.id] };
    const both = { rule: 'allow_bypass', users: [workspace.admin.id, person.id] };
    expect(
      (
        await workspace.admin.api.patch(`/spaces/${space}`, {
          mergeRules: { type: 'rules', rules: [bypass, reviewers] },
        })
      ).status,
    ).toBe(200);
    expect(
      (await workspace.admin.api.patch(`/orgs/${workspace.id}`, { mergeRules: { type: 'rules', rules: [both] } }))
        .status,
    ).toBe(200);

    const counted = async () => {
      const tables = (await references()).filter(({ table, column }) => !HISTORY.has(`${table}.${column}`));
      const counts = [];
      for (const { table, column } of tables)
        counts.push([
          `${table}.${column}`,
          (await rows(`SELECT 1 FROM ${table} WHERE ${column} = $1`, [person.id])).length,
        ] as const);
      return Object.fromEntries(counts);
    };
    await rows(
      `INSERT INTO api_token (id, user_id, organization_id, name, hash, hint, created_at) VALUES ($1, $2, $3, 'sso', sha256('x'), 'x', now())`,
      [newId(), person.id, workspace.id],
    );
    await rows(
      `WITH c AS (INSERT INTO oauth_client (id, name, redirect_uris, created_at) VALUES ($1, 'Agent', '{}', now()) RETURNING id)
       INSERT INTO oauth_grant (id, client_id, user_id, organization_id, scopes, code_hash, code_expires_at, redirect_uri, challenge, created_at)
       SELECT $1, c.id, $2, $3, '{}', sha256('x'), now(), '', '', now() FROM c`,
      [newId(), person.id, workspace.id],
    );
    expect(await counted()).toEqual({
      'api_token.user_id': 2,
      'collection_member_grant.user_id': 1,
      'customization_draft.user_id': 1,
      'login_code.user_id': 1,
      'login_test.user_id': 1,
      'member.user_id': 2,
      'notification.user_id': 1,
      'oauth_grant.user_id': 1,
      'page_member_grant.user_id': 1,
      'page_verification.user_id': 1,
      'requested_reviewer.user_id': 1,
      'site_member_grant.user_id': 1,
      'space_member_grant.user_id': 2,
      'team_member.user_id': 1,
    });
    expect(await rows('SELECT 1 FROM invitation WHERE organization_id = $1', [workspace.id])).toHaveLength(1);

    expect((await workspace.admin.api.delete(`/orgs/${workspace.id}/members/${person.id}`)).status).toBe(204);
    expect(await counted()).toEqual({
      'api_token.user_id': 1,
      'collection_member_grant.user_id': 0,
      'customization_draft.user_id': 0,
      'login_code.user_id': 0,
      'login_test.user_id': 0,
      'member.user_id': 1,
      'notification.user_id': 0,
      'oauth_grant.user_id': 0,
      'page_member_grant.user_id': 0,
      'page_verification.user_id': 0,
      'requested_reviewer.user_id': 0,
      'site_member_grant.user_id': 0,
      'space_member_grant.user_id': 1,
      'team_member.user_id': 0,
    });
    expect(await rows('SELECT 1 FROM invitation WHERE organization_id = $1', [workspace.id])).toEqual([]);
    expect((await person.api.get(`/spaces/${space}`)).status).toBe(404);
    expect((await person.api.get(`/spaces/${kept}`)).body).toMatchObject({ permissions: { edit: true } });
    // Whoever has to approve is still asked for: rules never become weaker by themselves.
    expect((await workspace.admin.api.get(`/spaces/${space}`)).body).toMatchObject({
      mergeRules: { type: 'rules', rules: [reviewers] },
    });
    expect((await workspace.admin.api.get(`/orgs/${workspace.id}`)).body).toMatchObject({
      mergeRules: { type: 'rules', rules: [{ rule: 'allow_bypass', users: [workspace.admin.id] }] },
    });
  });

  it('has, coming back, only what the new membership gives', async () => {
    const workspace = await buildOrganization(app.current);
    const { person, space, collection } = await furnished(workspace);
    await workspace.admin.api.delete(`/orgs/${workspace.id}/members/${person.id}`);
    await rows(`INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ($1, $2, 'none', now())`, [
      workspace.id,
      person.id,
    ]);
    for (const path of [`/spaces/${space}`, `/collections/${collection}`])
      expect((await person.api.get(path)).status).toBe(404);
    expect((await person.api.get(`/orgs/${workspace.id}/spaces`)).body).toMatchObject({ count: 0, items: [] });
    expect((await person.api.get(`/orgs/${workspace.id}`)).body).toMatchObject({ id: workspace.id });
  });

  it('may be a guest, who loses the grants with the membership', async () => {
    const workspace = await buildOrganization(app.current);
    const guest = await workspace.member('none');
    const space = (
      await workspace.admin.api.post<Made>(`/orgs/${workspace.id}/spaces`, { title: 'Handbook', empty: true })
    ).body.id;
    await workspace.admin.api.post(`/spaces/${space}/permissions`, { role: 'edit', users: [guest.id] });
    expect((await guest.api.get(`/orgs/${workspace.id}/spaces`)).body).toMatchObject({ count: 1 });
    expect((await workspace.admin.api.delete(`/orgs/${workspace.id}/members/${guest.id}`)).status).toBe(204);
    expect((await guest.api.get(`/spaces/${space}`)).status).toBe(404);
    expect((await guest.api.get(`/orgs/${workspace.id}/spaces`)).status).toBe(404);
    const listed = await workspace.admin.api.get(`/spaces/${space}/permissions/users`);
    expect(listed.body).toMatchObject({ count: 0, items: [] });
  });

  it('keeps no grant that somebody changes meanwhile', async () => {
    const workspace = await buildOrganization(app.current);
    const { person, space } = await furnished(workspace);
    const { database } = app.current;
    const waiting = async (count: number): Promise<void> => {
      const blocked = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      while (((await database.apart(() => database.one<{ count: number }>(blocked)))?.count ?? 0) < count)
        await new Promise((resolve) => setTimeout(resolve, 10));
    };
    const [removed, changed] = await database.transaction(async () => {
      // The removal has taken the grants when it comes to requested reviews, and waits there.
      await database.execute('LOCK TABLE requested_reviewer IN EXCLUSIVE MODE');
      const removal = workspace.admin.api.delete(`/orgs/${workspace.id}/members/${person.id}`);
      await waiting(1);
      const change = workspace.admin.api.patch(`/spaces/${space}/permissions/users/${person.id}`, { role: 'create' });
      await waiting(2);
      return [removal, change] as const;
    });
    expect([(await removed).status, (await changed).status]).toEqual([204, 404]);
    expect((await workspace.admin.api.get(`/spaces/${space}/permissions/users`)).body).toMatchObject({
      count: 0,
      items: [],
    });
    await rows(`INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ($1, $2, 'none', now())`, [
      workspace.id,
      person.id,
    ]);
    expect((await person.api.get(`/spaces/${space}`)).status).toBe(404);
  });

  it('has left no kind of row that an archive of the organization could give a stranger', async () => {
    const given = (await references()).filter(
      ({ table, column }) => table in ARCHIVED && !HISTORY.has(`${table}.${column}`),
    );
    expect(given.map(({ table }) => table)).toContain('team_member');
    expect(
      given.filter(({ table, column }) => column !== MEMBER_COLUMN || ARCHIVED[table]?.isOfMember !== true),
    ).toEqual([]);
  });
});
