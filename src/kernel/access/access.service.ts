import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/context.js';
import { Database } from '../common/database.js';
import type { DataObject } from '../common/expressions/tree.js';
import { DomainError, notFound } from '../common/errors.js';
import { requestAddress } from '../common/ip-address.js';
import { Registry } from '../platform/manifest/registry.js';
import {
  COLLECTIONS,
  ORGANIZATIONS,
  SITES,
  SPACES,
  TOKEN_CONDITIONS,
  TOKENS,
  type Refusal,
  type ResourceSource,
  type TokenKind,
} from './access.points.js';
import { requirePermission, type PermissionKey, type Rights } from './permissions.js';
import type { AccessLevel } from '../common/roles.js';

/** A known token whose user is not disabled. */
export interface TokenAccess {
  readonly tokenId: string;
  readonly userId: string;
  /** The only organization that the token acts in, if it is limited to one. */
  readonly limitedTo: string | null;
  readonly scopes: string[] | null;
  readonly expiresAt: Date | null;
  /** The name of the agent that uses it. */
  readonly agent: string | null;
}

/** The viewer of data about people: guests see no email address but their own. */
export interface Viewer {
  /** The caller, where they are a guest of the organization. */
  readonly guestId: string | null;
}

/** An organization as permissions see it, with the rights of the caller. */
export interface OrganizationAccess extends Viewer, Rights {
  readonly id: string;
}

export interface CollectionAccess {
  readonly id: string;
  readonly organizationId: string;
  readonly parentId: string | null;
  readonly role: AccessLevel;
}

export interface SpaceAccess extends Viewer, Rights {
  readonly id: string;
  readonly organizationId: string;
  readonly collectionId: string | null;
  readonly editMode: 'live' | 'locked';
  readonly language: string | null;
  readonly revisionId: string;
  readonly sequence: string;
  readonly deletedAt: Date | null;
  /** The limited pages that the caller does not see, nor anything below them; in order. None for most. */
  readonly hiddenPages: readonly string[];
  /** Set for a reader of a published site: conditions and expressions are evaluated with the reader's claims. */
  readonly reader?: SpaceReader;
}

/**
 * Throws `forbidden` for a caller from whom pages of the space are hidden: for operations that show or change all of its
 * content, and those that do not leave out what is hidden.
 */
export function requireWhole({ hiddenPages }: Pick<SpaceAccess, 'hiddenPages'>): void {
  if (hiddenPages.length > 0)
    throw new DomainError(
      'forbidden',
      'Pages of this space are limited to others: this is for those who see all of them',
    );
}

export interface ReaderClaims {
  /** Scope of expressions: `{claims: {…, unsigned: {…}}}`. */
  readonly visitor: DataObject;
  /** A cache key that is equal for equal claims. */
  readonly claimsKey: string;
}

export interface SpaceReader extends ReaderClaims {
  /** The place at which the reader's site publishes the space: its path on the public listener, and the visibility of the site. */
  readonly published: { readonly path: string | null; readonly visibility: string | null };
}

export interface SiteAccess extends Rights {
  readonly id: string;
  readonly organizationId: string;
}

/** Builds the statements of `Access` from the contributions of the modules that own the tables. */
function statementsOf(registry: Registry) {
  const tokens = registry.contributionTo(TOKENS);
  const organizations = registry.contributionTo(ORGANIZATIONS);
  const spaces = registry.contributionTo(SPACES);
  const usable = registry.contributionsTo(TOKEN_CONDITIONS);
  const known = ['t.hash = $1', ...usable].join(' AND ');
  const issued = ['t.id = ANY ($1)', ...usable].join(' AND ');
  const forUser = ({ columns, from }: ResourceSource): string =>
    `SELECT ${columns} FROM ${from('$1', '$2', '$3', '$4')}`;
  /** Finds a token together with a resource as the token's user sees it, if visible. */
  const withToken = ({ columns, from }: ResourceSource): string =>
    `SELECT ${tokens.columns}, resource.* FROM ${tokens.from}
       LEFT JOIN LATERAL (SELECT ${columns} FROM ${from('t.user_id', '$2', 't.organization_id', '$4')}) resource ON true WHERE ${known} AND t.kind = $3`;
  return {
    validTokens: `SELECT held."tokenId" AS id FROM (SELECT ${tokens.columns} FROM ${tokens.from} WHERE ${issued}) held WHERE held."expiresAt" IS NULL OR held."expiresAt" > $2`,
    token: `SELECT ${tokens.columns} FROM ${tokens.from} WHERE ${known} AND t.kind = $2`,
    tokenById: `SELECT ${tokens.columns} FROM ${tokens.from} WHERE ${['t.id = $1', ...usable].join(' AND ')}`,
    organizationOfToken: withToken(organizations),
    spaceOfToken: withToken(spaces),
    organization: forUser(organizations),
    collection: forUser(registry.contributionTo(COLLECTIONS)),
    space: forUser(spaces),
    spaces: `SELECT asked.position::integer AS position, resource.*
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS asked (user_id, id, limited_to, address, position)
      CROSS JOIN LATERAL (SELECT ${spaces.columns} FROM ${spaces.from('asked.user_id', 'asked.id', 'asked.limited_to', 'asked.address')}) resource`,
    site: forUser(registry.contributionTo(SITES)),
    refusal: organizations.refusal('$1', '$2', '$3', '$4'),
  };
}

/**
 * Resolves the caller's role on a resource, with one round trip for each resource. Gives undefined for absent, foreign
 * and invisible resources, and for those outside the organization that a token is limited to.
 */
@Injectable()
export class Access {
  private readonly statements: ReturnType<typeof statementsOf>;

  constructor(
    private readonly database: Database,
    registry: Registry,
  ) {
    this.statements = statementsOf(registry);
  }

  /** A token by its hash, if its user is not disabled. */
  token(hash: Buffer, kind: TokenKind = 'api'): Promise<TokenAccess | undefined> {
    return this.database.one<TokenAccess>(this.statements.token, [hash, kind]);
  }

  /** A token or session by its id, on the same condition. */
  tokenById(id: string): Promise<TokenAccess | undefined> {
    return this.database.one<TokenAccess>(this.statements.tokenById, [id]);
  }

  /** The ids of those tokens that are still valid, for work that goes on after their requests were let in. */
  async validTokens(ids: readonly string[], now: Date): Promise<ReadonlySet<string>> {
    const rows = await this.database.query<{ id: string }>(this.statements.validTokens, [ids, now]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Finds a token and, in the same round trip, an organization as its user sees it. */
  async tokenInOrganization(
    hash: Buffer,
    id: string,
    kind: TokenKind = 'api',
  ): Promise<{ token: TokenAccess; organization: OrganizationAccess | undefined } | undefined> {
    const row = await this.database.one<TokenAccess & OrganizationAccess>(this.statements.organizationOfToken, [
      hash,
      id,
      kind,
      requestAddress(),
    ]);
    return row && { token: row, organization: visible(row) };
  }

  /** Finds a token and, in the same round trip, a space as its user sees it. */
  async tokenInSpace(
    hash: Buffer,
    id: string,
    kind: TokenKind = 'api',
  ): Promise<{ token: TokenAccess; space: SpaceAccess | undefined } | undefined> {
    const row = await this.database.one<TokenAccess & SpaceAccess>(this.statements.spaceOfToken, [
      hash,
      id,
      kind,
      requestAddress(),
    ]);
    return row && { token: row, space: visible(row) };
  }

  organization(caller: Caller, id: string): Promise<OrganizationAccess | undefined> {
    return this.database.one<OrganizationAccess>(this.statements.organization, [
      caller.userId,
      id,
      caller.organizationId,
      requestAddress(),
    ]);
  }

  /** The reason for which a member does not see an organization; undefined for those who are no members. */
  async refusal(caller: Caller, id: string): Promise<Refusal | undefined> {
    const row = await this.database.one<{ reason: Refusal | null }>(this.statements.refusal, [
      caller.userId,
      id,
      caller.organizationId,
      requestAddress(),
    ]);
    return row?.reason ?? undefined;
  }

  collection(caller: Caller, id: string): Promise<CollectionAccess | undefined> {
    return this.database.one<CollectionAccess>(this.statements.collection, [
      caller.userId,
      id,
      caller.organizationId,
      requestAddress(),
    ]);
  }

  space(caller: Caller, id: string): Promise<SpaceAccess | undefined> {
    return this.database.one<SpaceAccess>(this.statements.space, [
      caller.userId,
      id,
      caller.organizationId,
      requestAddress(),
    ]);
  }

  /** Spaces as callers at other addresses see them, in one round trip, in the order of what was asked. */
  async spaces(
    asked: readonly { readonly caller: Caller; readonly address: string | null; readonly id: string }[],
  ): Promise<readonly (SpaceAccess | undefined)[]> {
    const rows = await this.database.query<SpaceAccess & { readonly position: number }>(this.statements.spaces, [
      asked.map(({ caller }) => caller.userId),
      asked.map(({ id }) => id),
      asked.map(({ caller }) => caller.organizationId ?? null),
      asked.map(({ address }) => address),
    ]);
    const found = new Map(rows.map(({ position, ...space }) => [position, space]));
    return asked.map((_, index) => found.get(index + 1));
  }

  /**
   * Checks the permission again under the lock of a change: the guard decided before the transaction, and the role may
   * have been revoked since. Returns the space as the caller sees it now.
   */
  async requireSpace(caller: Caller, id: string, key: PermissionKey): Promise<SpaceAccess> {
    const space = await this.space(caller, id);
    if (!space || space.deletedAt !== null) throw notFound('Space');
    requirePermission(caller, key, space);
    return space;
  }

  /**
   * The creator of a site and the administrators of its organization have the role admin on it; every other member who
   * is not a guest can view it.
   */
  async site(caller: Caller, organizationId: string, id: string): Promise<SiteAccess | undefined> {
    const site = await this.database.one<SiteAccess>(this.statements.site, [
      caller.userId,
      id,
      caller.organizationId,
      requestAddress(),
    ]);
    return site?.organizationId === organizationId ? site : undefined;
  }
}

/** The resource beside a token; all its columns are null if the user sees none. */
function visible<Row extends { readonly id: string | null }>(row: Row): Row | undefined {
  return row.id === null ? undefined : row;
}
