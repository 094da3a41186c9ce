import type { Type } from '@nestjs/common';
import type { Caller } from '../common/context.js';
import type { AccessLevel } from '../common/roles.js';
import { ContributionPoint } from '../platform/manifest/contribution.js';
import type { PermissionKey } from './permissions.js';

/** How a thing that permissions are about is found as a user sees it, in SQL. */
export interface ResourceSource {
  /** The columns of its type in `access.service.ts`. */
  readonly columns: string;
  /**
   * Where they come from, behind `FROM`: no row where the user does not see the thing, or where the token is limited to another
   * organization. The arguments are expressions; `limitedTo` is null for a token that is not limited.
   */
  readonly from: (user: string, id: string, limitedTo: string) => string;
}

export interface OrganizationSource extends ResourceSource {
  /** A condition: the user is a member, and does not see the organization only because single sign-on is enforced there. */
  readonly needsLogin: (user: string, id: string) => string;
}

/** How tokens are found, in SQL. */
export interface TokenSource {
  /** The columns of `TokenAccess`, over the alias `t`. */
  readonly columns: string;
  /** The tokens `t` of users who are not disabled, with `hash`, `user_id` and `organization_id`, behind `FROM`. */
  readonly from: string;
}

export const TOKENS = new ContributionPoint<TokenSource>('source of tokens');
export const ORGANIZATIONS = new ContributionPoint<OrganizationSource>('source of organizations');
export const COLLECTIONS = new ContributionPoint<ResourceSource>('source of collections');
export const SPACES = new ContributionPoint<ResourceSource>('source of spaces');
export const SITES = new ContributionPoint<ResourceSource>('source of sites');

/** Statements that note a use of tokens, over the relation `seen` with the columns `"tokenId"`, `"userId"` and `at`. */
export const TOKEN_USES = new ContributionPoint<string>('notes of uses of tokens');

/** An operation that a role and a token allow, before it begins. */
export interface AllowedOperation {
  readonly caller: Caller;
  readonly permission: PermissionKey;
  /** The role on the resource of the permission. */
  readonly role: AccessLevel;
  /** Ids of what the path names, by its parameters: `organizationId`, `spaceId` and others. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

/** Rules beyond roles: refuses what they allow, and never allows what they refuse. */
export interface AccessPolicy {
  /** Why the operation is refused, as a sentence for the caller; undefined where it is not. Asked for every request. */
  refusal(operation: AllowedOperation): string | undefined | Promise<string | undefined>;
}

/** Classes of policies, which are providers of the modules that contribute them. */
export const ACCESS_POLICIES = new ContributionPoint<Type<AccessPolicy>>('access policies');
