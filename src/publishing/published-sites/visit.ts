import type { DataObject } from '../../kernel/common/expressions/tree.js';
import type { SiteForCaller } from '../sites/sites.schema.js';
import type { StructureRows } from '../sites/structure.schema.js';
import type { GivenClaims } from './domain/claims.js';
import type { ReadingMoment } from './published-versions.js';
import type { PreviewedRequest } from './previews/previewed-request.js';

/** The credentials of a visitor. */
export interface VisitorPayload {
  readonly jwtToken?: string;
  readonly unsignedClaims?: Readonly<Record<string, unknown>>;
  readonly shareKey?: string;
}

/** A published site as one visitor sees it. */
export interface Visit {
  readonly site: SiteForCaller;
  /**
   * Only the served rows whose conditions hold for this visitor; for each space (`id`) also the current `revisionId`,
   * `sequence` and `language`.
   */
  readonly rows: StructureRows;
  /** Scope of expressions: `{claims: {…, unsigned: {…}}}`. */
  readonly visitor: DataObject;
  /** Equal for equal claims: a part of every cache key. */
  readonly claimsKey: string;
  /** Changes with every part of the site, its structure and settings, but not with the content of its spaces. */
  readonly stamp: string;
  /** The valid share key of the request. */
  readonly shareKey?: string;
  /** The site is limited to some addresses, of which the visitor's is one. */
  readonly isRestricted: boolean;
  /** The reason of the admission. */
  readonly grant: Grant;
  /** The moment as of which this is known to be what everybody gets at the address, where it is. */
  readonly read?: ReadingMoment;
  /** Set while the database cannot be asked whether this is still so. */
  readonly isStale?: true;
  /** Set if the visit shows the content of a change request in the place of its space. */
  readonly preview?: PreviewedRequest;
}

/** The proven reason of an admission: plain data that can be checked again, and signed when it is passed on. */
export interface Grant {
  readonly siteId: string;
  readonly organizationId: string;
  readonly shareLinkId?: string;
  /** The generation of the key that signed the visitor's token. */
  readonly generation?: number;
  /** A member of the organization who views the site. */
  readonly memberId?: string;
  /**
   * Set for a member with a token limited to this organization, as logins issue them: required if single sign-on is
   * enforced.
   */
  readonly isLimited?: true;
  /** Set for a member who tries another look of the site, which nobody else sees. */
  readonly hasDraft?: true;
  readonly signed?: GivenClaims;
  readonly unsigned?: GivenClaims;
  /** Seconds since 1970 at which the credential expires. */
  readonly until?: number;
}

/** The admission of a visitor: to the site, to its login (if it has one), or not at all, which is a 404. */
export type AdmissionResult =
  { readonly visit: Visit } | { readonly login: string | undefined; readonly siteId: string } | undefined;

export interface AdmittedVisit {
  readonly entrance: AdmissionResult;
  /**
   * The base path of the site for this visitor, without a slash at its end: '' on a host of its own. Share keys are
   * part of it.
   */
  readonly siteBasePath: string;
  /** Decoded, without slashes at its ends: the input of `resolveSitePath`. */
  readonly path: string;
}
