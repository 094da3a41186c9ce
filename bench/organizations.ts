import type pg from 'pg';
import { Api } from './api.js';
import { requestText } from './connection.js';
import type { Target } from './measure.js';
import type { Server } from './server.js';

/** An organization for measuring the cost of its lists. */
export interface Workplace {
  readonly label: string;
  readonly organizationId: string;
  /** A space at the root, one in a collection, a collection and a team: those with the most content. */
  readonly space: string;
  readonly collection: string;
  readonly team: string;
  /** Tokens by caller. */
  readonly callers: Readonly<Record<string, { readonly token: string; readonly userId: string }>>;
}

/** The number of rows of each list of an organization. */
interface Rows {
  readonly spaces: number;
  readonly members: number;
  readonly teams: number;
}

const SMALL: Rows = { spaces: 1_000, members: 1_000, teams: 100 };
const LARGE: Rows = { spaces: 100_000, members: 10_000, teams: 1_000 };
/** The same in both. */
const COLLECTIONS = 1_000;
const GRANTS = 100;
const WALK = 1000;
const CALLERS = ['an admin', 'a member with 100 grants', 'a guest with 100 grants'] as const;

/**
 * Rows `i` from 0: `$1` is one letter for the organization, ids are that letter and a number after a letter for the
 * kind.
 */
const id = (kind: string, number: string): string => `'${kind}' || $1::text || lpad((${number})::text, 18, '0')`;
const ROLE = `(ARRAY['read', 'comment', 'edit', 'review', 'create']::access_level[])`;
const at = (seconds: string): string => `timestamptz '2026-01-01' + (${seconds}) * interval '1 second'`;

/** In this order; each takes the letter and a number of rows. Members 0 to 2 are the callers. */
const FILL: readonly (readonly [sql: string, rows: (rows: Rows) => number])[] = [
  [
    `INSERT INTO account (id, display_name, email, email_verified, created_at)
    SELECT ${id('U', 'i')}, 'Person ' || i, 'person-' || i || '@' || $1 || '.example.com', true, ${at('i')} FROM generate_series(0, $2::int - 1) i`,
    (rows) => rows.members,
  ],
  [
    `INSERT INTO organization (id, title, created_at) SELECT ${id('O', '0')}, 'Organization ' || $1 || $2::int, ${at('0')}`,
    () => 0,
  ],
  [
    `INSERT INTO member (organization_id, user_id, role, joined_at, last_seen_at)
    SELECT ${id('O', '0')}, ${id('U', 'i')}, CASE i WHEN 0 THEN 'admin' WHEN 1 THEN 'read' WHEN 2 THEN 'none' ELSE ${ROLE}[1 + i % 5] END, ${at('i')}, ${at('i')}
      FROM generate_series(0, $2::int - 1) i`,
    (rows) => rows.members,
  ],
  [
    `INSERT INTO api_token (id, user_id, name, hash, hint, created_at)
    SELECT ${id('T', 'i')}, ${id('U', 'i')}, 'bench', sha256(convert_to('bench-token-of-' || $1 || '-' || i || '-of-the-benchmark-of-lists', 'UTF8')), 'bench', ${at('i')}
      FROM generate_series(0, $2::int - 1) i`,
    () => CALLERS.length,
  ],
  [
    `INSERT INTO team (id, organization_id, title, created_at) SELECT ${id('G', 'i')}, ${id('O', '0')}, 'Team ' || i, ${at('i')} FROM generate_series(0, $2::int - 1) i`,
    (rows) => rows.teams,
  ],
  [
    `INSERT INTO team_member (organization_id, team_id, user_id, created_at)
    SELECT ${id('O', '0')}, ${id('G', '0')}, ${id('U', 'i')}, ${at('i')} FROM generate_series(0, $2::int - 1) i`,
    (rows) => rows.members / 2,
  ],
  [
    `INSERT INTO team_member (organization_id, team_id, user_id, created_at)
    SELECT ${id('O', '0')}, ${id('G', 'i')}, ${id('U', '0')}, ${at('i')} FROM generate_series(1, $2::int - 1) i`,
    (rows) => rows.teams,
  ],
  [
    `INSERT INTO collection (id, organization_id, title, position, created_by, created_at)
    SELECT ${id('C', 'i')}, ${id('O', '0')}, 'Collection ' || i, 'a' || lpad(i::text, 6, '0'), ${id('U', '0')}, ${at('i')} FROM generate_series(0, $2::int - 1) i`,
    () => COLLECTIONS,
  ],
  // Half of the spaces at the root; half of the others in the first collection, the rest in all of them.
  [
    `INSERT INTO space (id, organization_id, collection_id, title, position, revision_id, created_by, created_at, updated_at)
    SELECT ${id('S', 'i')}, ${id('O', '0')},
           CASE i % 4 WHEN 1 THEN ${id('C', '0')} WHEN 3 THEN ${id('C', `i % ${COLLECTIONS}`)} END,
           'Space ' || i, 'a' || lpad(i::text, 6, '0'), ${id('R', 'i')}, ${id('U', '0')}, ${at('i')}, ${at('i')}
      FROM generate_series(0, $2::int - 1) i`,
    (rows) => rows.spaces,
  ],
  [
    `INSERT INTO space_member_grant (space_id, user_id, role, created_at)
    SELECT ${id('S', 'i * ($2::int / ' + String(GRANTS) + ')')}, ${id('U', '1')}, CASE WHEN i % 4 = 0 THEN 'none' ELSE ${ROLE}[1 + i % 5] END, ${at('i')} FROM generate_series(0, ${GRANTS - 1}) i
    UNION ALL
    SELECT ${id('S', 'i * ($2::int / ' + String(GRANTS) + ')')}, ${id('U', '2')}, ${ROLE}[1 + i % 5], ${at('i')} FROM generate_series(0, ${GRANTS - 1}) i`,
    (rows) => rows.spaces,
  ],
  [
    `INSERT INTO space_member_grant (space_id, user_id, role, created_at)
    SELECT ${id('S', '2')}, ${id('U', 'i')}, ${ROLE}[1 + i % 5], ${at('i')} FROM generate_series(3, $2::int + 2) i`,
    () => GRANTS,
  ],
  [
    `INSERT INTO space_team_grant (space_id, team_id, role, created_at)
    SELECT ${id('S', '2')}, ${id('G', 'i')}, ${ROLE}[1 + i % 5], ${at('i')} FROM generate_series(1, $2::int) i`,
    (rows) => Math.min(GRANTS, rows.teams - 1),
  ],
];

/** Creates an organization of a thousand spaces and one of a hundred thousand, directly in the tables. */
export async function buildOrganizations(client: pg.Client): Promise<Workplace[]> {
  const workplaces: Workplace[] = [];
  for (const [letter, rows] of [
    ['a', SMALL],
    ['b', LARGE],
  ] as const) {
    for (const [sql, count] of FILL) await client.query(sql, [letter, count(rows)]);
    const number = (kind: string, index: number): string => `${kind}${letter}${String(index).padStart(18, '0')}`;
    const tokens = CALLERS.map(
      (caller, index) =>
        [
          caller,
          { token: `bench-token-of-${letter}-${index}-of-the-benchmark-of-lists`, userId: number('U', index) },
        ] as const,
    );
    workplaces.push({
      label: `${rows.spaces} spaces`,
      organizationId: number('O', 0),
      space: number('S', 2),
      collection: number('C', 0),
      team: number('G', 0),
      callers: Object.fromEntries(tokens),
    });
  }
  await client.query('VACUUM ANALYZE');
  return workplaces;
}

/** The lists by name; `userId` is the caller. Guests see no members and no teams. */
function listsOf(
  { organizationId, space, collection, team }: Workplace,
  userId: string,
  isGuest: boolean,
): Readonly<Record<string, string>> {
  const organization = `/v1/orgs/${organizationId}`;
  const own = { spaces: `${organization}/spaces`, collections: `${organization}/collections` };
  if (isGuest) return own;
  return {
    ...own,
    'spaces of a collection': `/v1/collections/${collection}/spaces`,
    members: `${organization}/members`,
    'members by role': `${organization}/members?role=edit`,
    'members by name': `${organization}/members?sort=name`,
    teams: `${organization}/teams`,
    'members of a team': `${organization}/teams/${team}/members`,
    'teams of a member': `${organization}/members/${userId}/teams`,
    'spaces of a member': `${organization}/members/${userId}/spaces`,
    'grants to members on a space': `/v1/spaces/${space}/permissions/users`,
    'grants to teams on a space': `/v1/spaces/${space}/permissions/teams`,
    'everybody on a space': `/v1/spaces/${space}/permissions/aggregate`,
  };
}

/** The first and the last page of every list, for every caller. */
export async function listTargets(server: Server, workplace: Workplace): Promise<Target[]> {
  const targets: Target[] = [];
  for (const [caller, { token, userId }] of Object.entries(workplace.callers)) {
    const api = new Api(server.port, token);
    for (const [name, path] of Object.entries(listsOf(workplace, userId, caller.includes('guest')))) {
      const last = await lastPage(api, path);
      for (const [which, address] of [['first', path], ...(last === undefined ? [] : [['last', last]])] as const) {
        const { length } = await api.bytes('GET', address);
        const request = requestText('GET', address, token);
        targets.push({
          operation: `${name}, ${which} page, ${caller}`,
          subject: workplace.label,
          connections: 1,
          server,
          lanes: [[request]],
          expect: [200],
          bytes: length,
        });
      }
    }
    api.close();
  }
  return targets;
}

/** The address of the last page; undefined for a list of one page. */
async function lastPage(api: Api, path: string): Promise<string | undefined> {
  const address = (limit: number, token?: string): string =>
    `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${token === undefined ? '' : `&page=${encodeURIComponent(token)}`}`;
  interface List {
    readonly items: readonly unknown[];
    readonly next?: { readonly page: string };
  }
  const walk = async (limit: number, from?: string): Promise<string | undefined> => {
    let last = from;
    for (;;) {
      const { next } = await api.get<List>(address(limit, last));
      if (next === undefined) return last;
      last = next.page;
    }
  };
  const last = await walk(50, await walk(WALK));
  return last === undefined ? undefined : address(50, last);
}
