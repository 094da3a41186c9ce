import { beforeAll, describe, expect, it } from '@jest/globals';
import { ROLES, type AccessLevel } from '../src/kernel/common/roles.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';

const app = useApp();
/** More than those of whom a list gathers all. */
const MEMBERS = 3000;

interface Listed {
  items: { id?: string; permission?: AccessLevel | null; user: { id: string; displayName: string; email: string } }[];
  count: number;
  next?: { page: string };
}

const rows = (statement: string, values: readonly unknown[] = []) => app.current.database.query(statement, values);

/** Everything that a list gives, page by page, and its count. */
async function all(
  { admin }: Workspace,
  path: string,
  query: Record<string, string> = {},
): Promise<{ ids: string[]; roles: Map<string, unknown>; count: number }> {
  const ids: string[] = [];
  const roles = new Map<string, unknown>();
  const counts = new Set<number>();
  let page: string | undefined;
  do {
    const { body } = await admin.api.get<Listed>(path, { query: { ...query, limit: 700, page } });
    for (const item of body.items) {
      ids.push(item.user.id);
      roles.set(item.user.id, item.permission);
    }
    page = body.next?.page;
    counts.add(body.count);
  } while (page !== undefined);
  expect(counts.size).toBe(1);
  return { ids, roles, count: Math.max(...counts) };
}

describe('an organization of many members', () => {
  let workspace: Workspace;
  let space = '';
  let collection = '';

  beforeAll(async () => {
    workspace = await buildOrganization(app.current);
    const { admin, id } = workspace;
    const prefix = id.slice(-8);
    await rows(
      `WITH person AS (
         INSERT INTO account (id, display_name, email, created_at)
         SELECT 'A' || $2 || lpad(n::text, 11, '0'), (ARRAY['Zoë', 'Łukasz', 'Ada', 'Grace %'])[1 + n % 4] || ' Nr ' || n, 'user' || n || '_' || $2 || '@example.com', now() FROM generate_series(1, $3::int) n RETURNING id)
       INSERT INTO member (organization_id, user_id, role, disabled, joined_at, last_seen_at)
       SELECT $1, id, (ARRAY['none', 'read', 'comment', 'edit', 'review', 'create', 'admin'])[1 + right(id, 5)::int % 7]::access_level, right(id, 5)::int % 11 = 0,
              now() - right(id, 5)::int / 3 * interval '1 minute', CASE WHEN right(id, 5)::int % 3 = 0 THEN now() - right(id, 5)::int * interval '1 second' END FROM person`,
      [id, prefix, MEMBERS],
    );
    collection = (await admin.api.post<{ id: string }>(`/orgs/${id}/collections`, { title: 'Manuals' })).body.id;
    space = (
      await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, { title: 'Handbook', parent: collection, empty: true })
    ).body.id;
    const team = (await admin.api.put<{ id: string }>(`/orgs/${id}/teams`, { title: 'Team' })).body.id;
    const people = (
      await rows('SELECT user_id AS id FROM member WHERE organization_id = $1 ORDER BY user_id', [id])
    ).map((row) => String(row['id']));
    const some = (from: number) => people.filter((_, at) => at % 97 === from);
    await rows(
      'INSERT INTO team_member (organization_id, team_id, user_id, created_at) SELECT $1, $2, unnest($3::text[]), now()',
      [id, team, some(5)],
    );
    await rows(`INSERT INTO space_member_grant SELECT $1, unnest($2::text[]), 'comment', now()`, [space, some(1)]);
    await rows(`INSERT INTO space_member_grant SELECT $1, unnest($2::text[]), 'none', now()`, [space, some(2)]);
    await rows(`INSERT INTO collection_member_grant SELECT $1, $2, unnest($3::text[]), 'review', now()`, [
      id,
      collection,
      some(3),
    ]);
    await rows(`INSERT INTO collection_team_grant VALUES ($1, $2, $3, 'admin', now())`, [id, collection, team]);
  }, 60_000);

  it('lists who has access with the role that each of them has', async () => {
    for (const [onSpace, onCollection] of [
      [null, null],
      ['edit', null],
      [null, 'review'],
      ['none', 'read'],
    ] as const) {
      await rows('UPDATE space SET default_level = $2 WHERE id = $1', [space, onSpace]);
      await rows('UPDATE collection SET default_level = $2 WHERE id = $1', [collection, onCollection]);
      for (const [kind, id] of [
        ['space', space],
        ['collection', collection],
      ] as const) {
        const truth = (await rows(
          `SELECT m.user_id AS id, a.role FROM member m CROSS JOIN LATERAL ${kind}_access(m.user_id, ARRAY[$2]::text[]) a
            WHERE m.organization_id = $1 AND a.role > 'none' ORDER BY m.joined_at DESC, m.user_id DESC`,
          [workspace.id, id],
        )) as { id: string; role: AccessLevel }[];
        const listed = await all(workspace, `/${kind}s/${id}/permissions/aggregate`);
        expect(listed).toEqual({
          ids: truth.map((each) => each.id),
          roles: new Map(truth.map((each) => [each.id, each.role])),
          count: truth.length,
        });
        for (const role of ROLES) {
          const only = truth.filter((each) => each.role === role).map((each) => each.id);
          const filtered = await all(workspace, `/${kind}s/${id}/permissions/aggregate`, { role });
          expect({ onSpace, onCollection, kind, role, ids: filtered.ids, count: filtered.count }).toEqual({
            onSpace,
            onCollection,
            kind,
            role,
            ids: only,
            count: only.length,
          });
        }
      }
    }
  }, 120_000);

  it('finds people by any part of their name or address', async () => {
    const people = (await rows(
      'SELECT a.id, a.display_name AS name, a.email FROM account a JOIN member m ON m.user_id = a.id WHERE m.organization_id = $1',
      [workspace.id],
    )) as { id: string; name: string; email: string }[];
    const queries = [
      'Nr 12',
      'zoë',
      'ŁUKASZ NR 1',
      '%',
      'e %',
      '_',
      'er77_',
      'a',
      'nr',
      'USER1003',
      'nobody at all',
      "o'",
      'example.com',
      '\\',
      'oë nr 2 ',
    ];
    for (const search of queries) {
      const wanted = people
        .filter(({ name, email }) => `${name}\n${email}`.toLowerCase().includes(search.toLowerCase()))
        .map(({ id }) => id);
      const { ids: found, count } = await all(workspace, `/orgs/${workspace.id}/members`, { search });
      expect({ search, found: found.sort(), count }).toEqual({ search, found: wanted.sort(), count: wanted.length });
    }
    const both = await all(workspace, `/orgs/${workspace.id}/members`, { search: 'nr 1', role: 'edit' });
    expect(both.count).toBe(both.ids.length);
    expect(both.count).toBeGreaterThan(0);
  }, 60_000);

  it('counts its members and spaces exactly, whatever a transaction does and undoes', async () => {
    const { database } = app.current;
    const counts = async () => {
      const listed: Record<string, number> = {};
      for (const [name, query] of Object.entries({
        all: {},
        edit: { role: 'edit' },
        guest: { role: 'guest' },
        seen: { sort: 'lastSeenAt' },
        seenEdit: { sort: 'lastSeenAt', role: 'edit' },
      })) {
        listed[name] = (
          await workspace.admin.api.get<Listed>(`/orgs/${workspace.id}/members`, { query: { ...query, limit: 0 } })
        ).body.count;
      }
      listed['spaces'] = (
        await workspace.admin.api.get<Listed>(`/orgs/${workspace.id}/spaces`, { query: { limit: 0 } })
      ).body.count;
      return listed;
    };
    const truth = async () => {
      const [row] = await rows(
        `SELECT count(*)::int AS "all", count(*) FILTER (WHERE role = 'edit')::int AS edit, count(*) FILTER (WHERE role = 'none')::int AS guest,
                count(*) FILTER (WHERE last_seen_at IS NOT NULL AND NOT disabled)::int AS seen,
                count(*) FILTER (WHERE last_seen_at IS NOT NULL AND NOT disabled AND role = 'edit')::int AS "seenEdit",
                (SELECT count(*)::int FROM space s WHERE s.organization_id = $1 AND s.deleted_at IS NULL) AS spaces
           FROM member WHERE organization_id = $1`,
        [workspace.id],
      );
      return row;
    };
    expect(await counts()).toEqual(await truth());
    const change = async () => {
      await database.execute(`UPDATE member SET role = 'edit' WHERE organization_id = $1 AND role = 'review'`, [
        workspace.id,
      ]);
      await database.execute(
        `UPDATE member SET disabled = NOT disabled, last_seen_at = now() WHERE organization_id = $1 AND role = 'read'`,
        [workspace.id],
      );
      await database.execute(`DELETE FROM member WHERE organization_id = $1 AND role = 'comment'`, [workspace.id]);
      await database.execute(
        `INSERT INTO space (id, organization_id, title, position, revision_id, created_by, created_at, updated_at, deleted_at)
         SELECT 'Z' || n || right($1, 15), $1, 'Many', 'V', 'r', $2, now(), now(), CASE WHEN n % 5 = 0 THEN now() END FROM generate_series(1000, 1999) n`,
        [workspace.id, workspace.admin.id],
      );
      await database.execute(
        `UPDATE space SET deleted_at = CASE WHEN deleted_at IS NULL THEN now() END WHERE organization_id = $1 AND title = 'Many' AND right(left(id, 5), 1) < '3'`,
        [workspace.id],
      );
      await database.execute(
        `DELETE FROM space WHERE organization_id = $1 AND title = 'Many' AND right(left(id, 5), 1) > '7'`,
        [workspace.id],
      );
    };
    const before = await truth();
    await expect(
      database.transaction(async () => {
        await change();
        throw new Error('never mind');
      }),
    ).rejects.toThrow('never mind');
    expect(await truth()).toEqual(before);
    expect(await counts()).toEqual(before);
    await database.transaction(change);
    const after = await truth();
    expect(after).not.toEqual(before);
    expect(await counts()).toEqual(after);
    expect(await rows('SELECT 1 FROM organization_total_change')).toEqual([]);
  }, 60_000);
});
