import { Injectable } from '@nestjs/common';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Database } from '../../kernel/common/database.js';
import { PUBLISHED_JOIN } from '../../workspace/spaces/space-columns.js';
import { publishedUrls, type PublishedSpaceUrls } from '../../workspace/spaces/spaces.schema.js';
import { ContentLines, primaryPoint, requestPoint, revisionPoint } from './content-lines.js';
import type { Point } from './content-store.js';
import type { ContentFlags } from './content.schema.js';
import { appAddress, type ContentView } from './present-content.js';

/** The place that the path of a content read names. */
export interface ContentPath {
  readonly changeRequestId?: string;
  readonly revisionId?: string;
}

/** A point of a space's history as reads see it. */
export interface ContentPlace {
  readonly point: Point;
  readonly space: SpaceAccess;
  readonly revisionId: string;
  /** Address of the place in the application. */
  readonly app: string;
  /** A revision named by its id, which never changes. */
  readonly fixed?: true;
}

interface PublishedAt {
  readonly path: string | null;
  readonly visibility: string | null;
}

/** Finds the points of a space's history that reads name: on the primary line, in change requests and at fixed revisions. */
@Injectable()
export class ContentPlaces {
  constructor(
    private readonly database: Database,
    private readonly lines: ContentLines,
    private readonly addresses: Addresses,
  ) {}

  /** The point that a path names; throws `notFound` when the space has no such change request or revision. */
  async at(space: SpaceAccess, { changeRequestId, revisionId }: ContentPath): Promise<ContentPlace> {
    if (changeRequestId !== undefined) {
      const request = await this.lines.request(space.id, changeRequestId);
      return {
        point: requestPoint(request, space.hiddenPages),
        space,
        revisionId: request.revisionId,
        app: appAddress(this.addresses, space, request),
      };
    }
    if (revisionId !== undefined) {
      const revision = await this.lines.revision(space.id, revisionId);
      return {
        point: revisionPoint(space.id, revision, space.hiddenPages),
        space,
        revisionId,
        app: appAddress(this.addresses, space, { revision: revisionId }),
        fixed: true,
      };
    }
    const point = primaryPoint({ spaceId: space.id, sequence: Number(space.sequence) }, space.hiddenPages);
    return { point, space, revisionId: space.revisionId, app: appAddress(this.addresses, space) };
  }

  /** Returns the addresses at which the current content of a space is published; drafts and old revisions have none. */
  async publishedUrls({ point, space, fixed }: ContentPlace): Promise<PublishedSpaceUrls> {
    if (space.reader)
      return publishedUrls(space.reader.published.path, space.reader.published.visibility, this.addresses);
    if (fixed || point.line !== null) return {};
    const row = await this.database.one<PublishedAt>(
      `SELECT published.path, published.visibility FROM space s ${PUBLISHED_JOIN} WHERE s.id = $1`,
      [space.id],
    );
    return publishedUrls(row?.path ?? null, row?.visibility ?? null, this.addresses);
  }
}

/** How content is shown at a place: readers of a site see no metadata. */
export function viewOf(place: ContentPlace, { metadata }: ContentFlags): ContentView {
  return { app: place.app, metadata: metadata && !place.space.reader };
}
