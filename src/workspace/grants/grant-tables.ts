/** The kinds of objects on which roles can be granted. */
export type GrantKind = 'space' | 'collection' | 'site';
/** The kinds of holders of a grant. */
export type HolderKind = 'user' | 'team';

export interface Granted {
  readonly kind: GrantKind;
  readonly id: string;
  readonly organizationId: string;
}

/** The statements for one kind of object; `$1` is always its id. */
export interface GrantStatements {
  readonly kind: GrantKind;
  /** Locks the object against other changes of its grants. */
  readonly lock: string;
  /**
   * Grants the role `$4`, with the custom role `$6` or null, to `$3` (ids), at `$5`, in the organization `$2`; returns the
   * changed ids with their previous roles.
   */
  readonly put: Readonly<Record<HolderKind, string>>;
  /** Removes the grant of `$2` and returns its role, as `AssignedRole`. */
  readonly take: Readonly<Record<HolderKind, string>>;
  /**
   * The granted roles of the holders `$2` (ids), as `AssignedRole`; locks the grants, so that a removal of the holder waits or is visible.
   */
  readonly held: Readonly<Record<HolderKind, string>>;
  /**
   * The users among `$2` (ids) whose effective role is above `$3`. For an object with descendants: a row for each of
   * those and each user whose role there is above that of the user `$3`.
   */
  readonly above: string;
  /** For an object with descendants, the highest role that the user `$2` was granted on it, directly or by a team. */
  readonly given?: string;
  /** The role of the user `$1` on the object `$2`, and what custom roles add to it (`added`). */
  readonly role: string;
  /** The rules that give the user `$1` a role on the object `$2`, as `Reason`. */
  readonly reasons: string;
  /** The ids and titles of those of the objects `$2` (ids) of the organization `$3` that the user `$1` sees. */
  readonly titles: string;
  /** The grants `g`, with the account `a` of users, from `FROM` on. */
  readonly granted: Readonly<Record<HolderKind, string>>;
}

/** The statements of an object whose grant tables follow the common naming and structure. */
export function grantStatements(
  kind: GrantKind,
  { above, given }: Partial<Pick<GrantStatements, 'above' | 'given'>> = {},
): GrantStatements {
  const table = { user: `${kind}_member_grant`, team: `${kind}_team_grant` };
  const put = (holder: HolderKind) => {
    const columns = kind === 'space' ? 'space_id' : `organization_id, ${kind}_id`;
    const values = kind === 'space' ? '$1' : '$2, $1';
    return `WITH held AS (SELECT ${holder}_id AS id, role, custom_role_id FROM ${table[holder]} WHERE ${kind}_id = $1 AND ${holder}_id = ANY ($3))
            INSERT INTO ${table[holder]} AS g (${columns}, ${holder}_id, role, created_at, custom_role_id)
            SELECT ${values}, h.id, $4::access_level, $5, $6 FROM unnest($3::text[]) AS h (id) WHERE $2::text IS NOT NULL
            ON CONFLICT (${kind}_id, ${holder}_id) DO UPDATE SET role = excluded.role, custom_role_id = excluded.custom_role_id
              WHERE (g.role, g.custom_role_id) IS DISTINCT FROM (excluded.role, excluded.custom_role_id)
            RETURNING g.${holder}_id AS id, (SELECT held.role FROM held WHERE held.id = g.${holder}_id) AS before,
              (SELECT held.custom_role_id FROM held WHERE held.id = g.${holder}_id) AS "customBefore"`;
  };
  const take = (holder: HolderKind) =>
    `DELETE FROM ${table[holder]} WHERE ${kind}_id = $1 AND ${holder}_id = $2 RETURNING role AS level, custom_role_id AS "customRoleId"`;
  const held = (holder: HolderKind) =>
    `SELECT role AS level, custom_role_id AS "customRoleId" FROM ${table[holder]} WHERE ${kind}_id = $1 AND ${holder}_id = ANY ($2) FOR NO KEY UPDATE`;
  const each = (build: (holder: HolderKind) => string) => ({ user: build('user'), team: build('team') });
  // Among what custom roles add, the permissions of the object itself and of the spaces of a site count there.
  const added =
    kind === 'collection'
      ? `'{}'::text[]`
      : `ARRAY(SELECT more.permission FROM unnest(${kind}_additions($1, $2)) AS more (permission)
               WHERE more.permission LIKE '${kind}:%' OR more.permission LIKE 'space:%')`;
  return {
    kind,
    lock: `SELECT FROM ${kind} WHERE id = $1 FOR NO KEY UPDATE`,
    put: each(put),
    take: each(take),
    held: each(held),
    above:
      above ??
      `SELECT u.id FROM unnest($2::text[]) AS u (id) CROSS JOIN LATERAL ${kind}_access(u.id, ARRAY[$1]::text[]) a WHERE a.role > $3::access_level`,
    ...(given !== undefined && { given }),
    role: `SELECT a.role, ${added} AS added FROM ${kind}_access($1, ARRAY[$2]::text[]) a`,
    reasons: `SELECT r.place, r.rule, r.thing, r.thing_id AS "thingId", r.team_id AS "teamId", r.role FROM ${kind}_reasons($1, $2) r`,
    titles: `SELECT o.id, o.title FROM ${kind} o JOIN ${kind}_access($1, $2::text[]) a ON a.${kind}_id = o.id WHERE o.organization_id = $3 AND a.role > 'none'`,
    granted: {
      user: `FROM ${table.user} g JOIN account a ON a.id = g.user_id WHERE g.${kind}_id = $1`,
      team: `FROM ${table.team} g WHERE g.${kind}_id = $1`,
    },
  };
}

export const SPACES_AND_COLLECTIONS: readonly GrantStatements[] = [
  grantStatements('space'),
  grantStatements('collection'),
];
