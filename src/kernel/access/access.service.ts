import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/context.js';
import { Database } from '../common/database.js';
import type { DataObject } from '../common/expressions/tree.js';
import { notFound } from '../common/errors.js';
import { requirePermission, type PermissionKey } from './permissions.js';
import type { AccessLevel } from '../common/roles.js';

/** A token that is known, whose user is not disabled. */
export interface TokenAccess {
  readonly tokenId: string;
  readonly userId: string;
  /** The only organization that the token acts in, if it is limited to one. */
  readonly limitedTo: string | null;
  readonly scopes: string[] | null;
  readonly expiresAt: Date | null;
}

/** Who looks at people: guests see nobody's address but their own. */
export interface Viewer {
  /** The caller, where they are a guest of the organization. */
  readonly guestId: string | null;
}

/** An organization as permissions see it; `role` is the caller's. */
export interface OrganizationAccess extends Viewer {
  readonly id: string;
  readonly role: AccessLevel;
}

export interface CollectionAccess {
  readonly id: string;
  readonly organizationId: string;
  readonly parentId: string | null;
  readonly role: AccessLevel;
}

export interface SpaceAccess extends Viewer {
  readonly id: string;
  readonly organizationId: string;
  readonly collectionId: string | null;
  readonly role: AccessLevel;
  readonly editMode: 'live' | 'locked';
  readonly language: string | null;
  readonly revisionId: string;
  readonly sequence: string;
  readonly deletedAt: Date | null;
  /** Set for a reader of a published site: conditions and expressions are evaluated with the reader's claims. */
  readonly reader?: ReaderClaims;
}

export interface ReaderClaims {
  /** Scope of expressions: `{claims: {…, unsigned: {…}}}`. */
  readonly visitor: DataObject;
  /** The same for the same claims. */
  readonly claimsKey: string;
}

export interface SiteAccess {
  readonly id: string;
  readonly organizationId: string;
  readonly role: AccessLevel;
}

/** The columns of a resource, and where they come from for a user, who may be limited to one organization. */
interface Resource {
  readonly columns: string;
  readonly from: (user: string, id: string, organization: string) => string;
}

/** Whether a user administers an organization, for statements that have no row of the member. */
const isAdmin = (user: string, organization: string): string =>
  `EXISTS (SELECT FROM member em WHERE em.organization_id = ${organization} AND em.user_id = ${user} AND em.role = 'admin' AND NOT em.disabled)`;

/**
 * The condition under which a token opens an organization at all: where single sign-on is enforced it takes one that is limited
 * to the organization, as logins through its identity providers give them. Administrators are never locked out. All are
 * expressions of a statement, `limitedTo` null for a token that is not limited; `admin` is for statements that know the role.
 */
export const letsIn = (
  user: string,
  organization: string,
  limitedTo: string,
  admin = isAdmin(user, organization),
): string =>
  `(${limitedTo}::text IS NOT NULL OR NOT (SELECT eo.sso FROM organization eo WHERE eo.id = ${organization}) OR ${admin})`;

const MEMBER_IS_ADMIN = "m.role = 'admin' AND NOT m.disabled";
const GUEST = `CASE WHEN m.role = 'none' THEN m.user_id END AS "guestId"`;

const ORGANIZATION: Resource = {
  columns: `m.organization_id AS id, m.role, ${GUEST}`,
  from: (
    user,
    id,
    organization,
  ) => `member m WHERE m.user_id = ${user} AND m.organization_id = ${id} AND NOT m.disabled AND m.organization_id = coalesce(${organization}, m.organization_id)
    AND ${letsIn(user, id, organization, MEMBER_IS_ADMIN)}`,
};

const SPACE: Resource = {
  columns: `s.id, s.organization_id AS "organizationId", s.collection_id AS "collectionId", a.role, s.edit_mode AS "editMode",
            s.language, s.revision_id AS "revisionId", s.sequence, s.deleted_at AS "deletedAt", ${GUEST}`,
  from: (user, id, organization) => `space_access(${user}, ARRAY[${id}]::text[]) a JOIN space s ON s.id = a.space_id
                                       JOIN member m ON m.organization_id = s.organization_id AND m.user_id = ${user}
                                      WHERE a.role > 'none' AND s.organization_id = coalesce(${organization}, s.organization_id)
                                        AND ${letsIn(user, 's.organization_id', organization, MEMBER_IS_ADMIN)}`,
};

const forUser = ({ columns, from }: Resource): string => `SELECT ${columns} FROM ${from('$1', '$2', '$3')}`;

const TOKEN_COLUMNS = `t.id AS "tokenId", t.user_id AS "userId", t.organization_id AS "limitedTo", t.scopes, t.expires_at AS "expiresAt"`;
const TOKEN_FROM = 'FROM api_token t JOIN account u ON u.id = t.user_id AND NOT u.disabled';
const TOKEN = `SELECT ${TOKEN_COLUMNS} ${TOKEN_FROM} WHERE t.hash = $1`;

/** The same with a resource as the token's user sees it, if they do. */
const tokenWith = ({ columns, from }: Resource): string =>
  `SELECT ${TOKEN_COLUMNS}, resource.* ${TOKEN_FROM} LEFT JOIN LATERAL (SELECT ${columns} FROM ${from('t.user_id', '$2', 't.organization_id')}) resource ON true WHERE t.hash = $1`;

const ORGANIZATION_OF_USER = forUser(ORGANIZATION);
const ORGANIZATION_OF_TOKEN = tokenWith(ORGANIZATION);
const SPACE_OF_USER = forUser(SPACE);
const SPACE_OF_TOKEN = tokenWith(SPACE);

/**
 * Resolves the caller's role on one resource, in one round trip each. Absent, foreign and invisible
 * resources, and those outside the organization that a token is limited to, all give undefined.
 */
@Injectable()
export class Access {
  constructor(private readonly database: Database) {}

  /** A token by its hash, if its user is not disabled. */
  token(hash: Buffer): Promise<TokenAccess | undefined> {
    return this.database.one<TokenAccess>(TOKEN, [hash]);
  }

  /** A token, and in the same round trip an organization as its user sees it. */
  async tokenInOrganization(
    hash: Buffer,
    id: string,
  ): Promise<{ token: TokenAccess; organization: OrganizationAccess | undefined } | undefined> {
    const row = await this.database.one<TokenAccess & OrganizationAccess>(ORGANIZATION_OF_TOKEN, [hash, id]);
    return row && { token: row, organization: visible(row) };
  }

  /** A token, and in the same round trip a space as its user sees it. */
  async tokenInSpace(
    hash: Buffer,
    id: string,
  ): Promise<{ token: TokenAccess; space: SpaceAccess | undefined } | undefined> {
    const row = await this.database.one<TokenAccess & SpaceAccess>(SPACE_OF_TOKEN, [hash, id]);
    return row && { token: row, space: visible(row) };
  }

  organization(caller: Caller, id: string): Promise<OrganizationAccess | undefined> {
    return this.database.one<OrganizationAccess>(ORGANIZATION_OF_USER, [caller.userId, id, caller.organizationId]);
  }

  /** Whether a member does not see an organization only because single sign-on is enforced there. */
  async needsLogin(caller: Caller, id: string): Promise<boolean> {
    if (caller.organizationId !== undefined) return false;
    const row = await this.database.one(
      'SELECT FROM member m JOIN organization o ON o.id = m.organization_id AND o.sso WHERE m.user_id = $1 AND m.organization_id = $2 AND NOT m.disabled',
      [caller.userId, id],
    );
    return row !== undefined;
  }

  collection(caller: Caller, id: string): Promise<CollectionAccess | undefined> {
    return this.database.one<CollectionAccess>(
      `SELECT c.id, c.organization_id AS "organizationId", c.parent_id AS "parentId", a.role
         FROM collection_access($1, ARRAY[$2]::text[]) a JOIN collection c ON c.id = a.collection_id
        WHERE a.role > 'none' AND c.organization_id = coalesce($3, c.organization_id) AND ${letsIn('$1', 'c.organization_id', '$3')}`,
      [caller.userId, id, caller.organizationId],
    );
  }

  space(caller: Caller, id: string): Promise<SpaceAccess | undefined> {
    return this.database.one<SpaceAccess>(SPACE_OF_USER, [caller.userId, id, caller.organizationId]);
  }

  /**
   * Keeps the caller's membership in the organization of a space, and the organization's merge rules, as they are until the
   * transaction ends, for what must never happen without the right. Comes first: locks go from the organization down. Gives
   * the id of the organization.
   */
  async holdMembership(caller: Caller, spaceId: string): Promise<string | undefined> {
    const row = await this.database.one<{ id: string }>(
      `SELECT o.id FROM space s JOIN organization o ON o.id = s.organization_id JOIN member m ON m.organization_id = o.id
        WHERE s.id = $1 AND m.user_id = $2 FOR KEY SHARE OF o FOR SHARE OF m`,
      [spaceId, caller.userId],
    );
    return row?.id;
  }

  /**
   * Under the lock of a change: the guard decided before its transaction, and the role may have been taken away since. Gives
   * the space as the caller sees it now.
   */
  async requireSpace(caller: Caller, id: string, key: PermissionKey): Promise<SpaceAccess> {
    const space = await this.space(caller, id);
    if (!space || space.deletedAt !== null) throw notFound('Space');
    requirePermission(caller, key, space.role);
    return space;
  }

  /** The creator of a site and administrators of its organization administer it; every other member who is no guest views it. */
  site(caller: Caller, organizationId: string, id: string): Promise<SiteAccess | undefined> {
    return this.database.one<SiteAccess>(
      `SELECT s.id, s.organization_id AS "organizationId", a.role
         FROM site_access($1, ARRAY[$3]::text[]) a JOIN site s ON s.id = a.site_id
        WHERE s.organization_id = $2 AND a.role > 'none' AND s.organization_id = coalesce($4, s.organization_id) AND ${letsIn('$1', '$2', '$4')}`,
      [caller.userId, organizationId, id, caller.organizationId],
    );
  }
}

/** The resource beside a token, whose columns are all null where the user sees none. */
function visible<Row extends { readonly id: string | null }>(row: Row): Row | undefined {
  return row.id === null ? undefined : row;
}
