import type { Point } from '../../../authoring/content/content-store.js';
import type { GivenClaims } from '../domain/claims.js';

/** The content of the token of a preview: its subject, and who may see it. */
export interface PreviewGrant {
  readonly memberId: string;
  /** True if the API token of the member is limited to the organization. */
  readonly isLimited: boolean;
  readonly organizationId: string;
  readonly spaceId: string;
  readonly requestId: string;
  /** The site; undefined for the space alone. */
  readonly siteId: string | undefined;
  readonly signed: GivenClaims;
  readonly unsigned: GivenClaims;
  /** Seconds since 1970. */
  readonly until: number;
}

/** The change request whose content a visit shows in the place of its space. */
export interface PreviewedRequest {
  readonly number: number;
  readonly subject: string;
  /** The head of its line. */
  readonly point: Point;
  readonly revisionId: string;
  /** Its address in the workspace. */
  readonly app: string;
  /** The admission of the visit, to be asked again. */
  readonly grant: PreviewGrant;
}
