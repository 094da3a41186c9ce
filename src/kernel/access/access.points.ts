import type { Type } from '@nestjs/common';
import type { Caller } from '../common/context.js';
import type { AccessLevel } from '../common/roles.js';
import { ContributionPoint } from '../platform/manifest/contribution.js';
import type { PermissionKey } from './permissions.js';

/** The SQL that finds a resource as a user sees it. */
export interface ResourceSource {
  /** The columns of the resource's type in `access.service.ts`. */
  readonly columns: string;
  /**
   * The text behind `FROM`: gives no row where the user does not see the resource, where the token is limited to another
   * organization, or where the organization does not let the address of the request in. The arguments are expressions;
   * `limitedTo` is null for a token that is not limited, `address` outside of requests.
   */
  readonly from: (user: string, id: string, limitedTo: string, address: string) => string;
}

/** Reasons for which a member does not see an organization: it enforces single sign-on, or lets in other addresses only. */
export type Refusal = 'login' | 'address';

export interface OrganizationSource extends ResourceSource {
  /** A statement for a member who does not see the organization, with the `reason` of it: a `Refusal`. */
  readonly refusal: (user: string, id: string, limitedTo: string, address: string) => string;
}

/** The SQL that finds tokens. */
export interface TokenSource {
  /** The columns of `TokenAccess`, over the alias `t`. */
  readonly columns: string;
  /** The tokens `t` of users who are not disabled, with `hash`, `kind`, `user_id` and `organization_id`, behind `FROM`. */
  readonly from: string;
}

/** API tokens are sent in a header by programs; those of sessions are in a cookie of a browser. */
export const TOKEN_KINDS = ['api', 'session'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

export const TOKENS = new ContributionPoint<TokenSource>('source of tokens');
/** Conditions without which a token `t` is refused, in SQL. */
export const TOKEN_CONDITIONS = new ContributionPoint<string>('conditions of tokens');
export const ORGANIZATIONS = new ContributionPoint<OrganizationSource>('source of organizations');
export const COLLECTIONS = new ContributionPoint<ResourceSource>('source of collections');
export const SPACES = new ContributionPoint<ResourceSource>('source of spaces');
export const SITES = new ContributionPoint<ResourceSource>('source of sites');

/**
 * Statements that record the use of tokens, over the relation `seen` with the columns `"tokenId"`, `"userId"` and `at`.
 */
export const TOKEN_USES = new ContributionPoint<string>('notes of uses of tokens');

/** An operation that a role and a token allow, before it begins. */
export interface AllowedOperation {
  readonly caller: Caller;
  readonly permission: PermissionKey;
  /** The role on the resource of the permission. */
  readonly role: AccessLevel;
  /** Ids of the resources that the path names, by parameter: `organizationId`, `spaceId` and others. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

/**
 * Rules beyond roles: a policy can refuse an operation that the role allows, and never allows one that the role
 * refuses.
 */
export interface AccessPolicy {
  /**
   * The reason for a refusal, as a sentence for the caller; undefined if the operation is not refused. Called for every
   * request.
   */
  refusal(operation: AllowedOperation): string | undefined | Promise<string | undefined>;
}

/** Classes of policies, which are providers of the modules that contribute them. */
export const ACCESS_POLICIES = new ContributionPoint<Type<AccessPolicy>>('access policies');
