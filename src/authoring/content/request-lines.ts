import type { Type } from '@nestjs/common';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { ContributionPoint } from '../../kernel/platform/manifest/contribution.js';
import type { RequestStatus } from './domain/request-status.js';

/** The head of a change request's line and the primary revision that it is based on. */
export interface RequestHead {
  readonly id: string;
  readonly spaceId: string;
  readonly organizationId: string;
  readonly number: number;
  readonly status: RequestStatus;
  readonly language: string | null;
  readonly revisionId: string;
  readonly sequence: number;
  readonly baseRevisionId: string;
  readonly baseSequence: number;
  /** The revision of another change request, already merged, that this one goes on from. */
  readonly continued: { readonly line: string; readonly sequence: number; readonly baseSequence: number } | null;
  readonly mergedRevisionId: string | null;
  readonly createdBy: string;
  readonly version: number;
}

/** The new base of a change request. */
export interface RequestBase {
  readonly revisionId: string;
  readonly sequence: number;
}

/** A revision that becomes the head of a change request. */
export interface NextHead {
  readonly revisionId: string;
  readonly sequence: number;
  /** The new base, if it moves as well. */
  readonly base: RequestBase | undefined;
  /** True if reviews of the previous head do not become outdated. */
  readonly keepsReviews: boolean;
}

/**
 * Maintains the heads of change requests. The content module stores the items on their lines, and knows nothing else of
 * them.
 */
export interface RequestLines {
  /**
   * The head of a change request by id or number; `isLocked` locks it against other writes until the transaction ends.
   */
  head(spaceId: string, idOrNumber: string, isLocked: boolean): Promise<RequestHead | undefined>;
  /** The present revisions of those of some change requests that there are, by their ids. */
  revisions(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Moves the head of a change request, whose row must be locked. */
  moveHead(id: string, next: NextHead): Promise<void>;
  /** A change request in its API form; throws `notFound`. */
  shown(space: SpaceAccess, id: string): Promise<object>;
}

/** The only provider of the lines of change requests. */
export const REQUEST_LINES = new ContributionPoint<Type<RequestLines>>('lines of change requests');
