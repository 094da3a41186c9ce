import { Injectable } from '@nestjs/common';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { invalid, notFound } from '../../kernel/common/errors.js';
import { canonicalJson, hashText } from '../../formats/document/hash.js';
import { ContentChanges, type Changes } from '../content/content-changes.js';
import { ContentLines, requestPoint, revisionPoint } from '../content/content-lines.js';
import { ContentStore, type Point } from '../content/content-store.js';
import type { Item, ItemKey } from '../content/domain/content-item.js';
import type { RequestHead } from '../content/request-lines.js';
import { ViewedPage } from './viewed-page.entity.js';
import type { MarkViewed } from './viewed-pages.schema.js';

const MARK = `INSERT INTO viewed_page (space_id, change_request_id, user_id, page_id, state, viewed_at) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (space_id, change_request_id, user_id, page_id) DO UPDATE SET state = excluded.state, viewed_at = excluded.viewed_at`;

/** The pages of change requests that each person has looked at: a mark holds until the page is another one. */
@Injectable()
export class ViewedPages {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly lines: ContentLines,
    private readonly store: ContentStore,
    private readonly contentChanges: ContentChanges,
  ) {}

  /** Sets or removes the caller's mark of a page that the request changes; throws `notFound` for any other page. */
  async mark(
    caller: Caller,
    { id: spaceId, hiddenPages }: SpaceAccess,
    idOrNumber: string,
    pageId: string,
    { viewed, revision }: MarkViewed,
  ): Promise<void> {
    const request = await this.lines.request(spaceId, idOrNumber);
    const key: ItemKey = `page:${pageId}`;
    if (!(await this.store.overlay(requestPoint(request, hiddenPages))).has(key)) throw notFound('Page');
    if (!viewed) {
      await this.database
        .of(ViewedPage)
        .delete({ spaceId, changeRequestId: request.id, userId: caller.userId, pageId });
      return;
    }
    const point = await this.pointOf(request, revision, hiddenPages);
    const page = (await this.store.byKeys(point, [key])).get(key);
    await this.database.execute(MARK, [spaceId, request.id, caller.userId, pageId, stateOf(page), this.clock.now()]);
  }

  /** The changes of a request, those of pages with whether the caller has looked at them. */
  async changes(caller: Caller, space: SpaceAccess, idOrNumber: string, limit: number): Promise<Changes> {
    const { id: spaceId, hiddenPages } = space;
    const changes = await this.contentChanges.ofRequest(space, idOrNumber, limit);
    const pages = changes.changes.flatMap((change) => pageOf(change) ?? []);
    if (pages.length === 0) return changes;
    const request = await this.lines.request(spaceId, idOrNumber);
    const marks = await this.database.query<{ page: string; state: string }>(
      `SELECT page_id AS page, state FROM viewed_page WHERE space_id = $1 AND change_request_id = $2 AND user_id = $3 AND page_id = ANY ($4)`,
      [spaceId, request.id, caller.userId, pages],
    );
    const items = await this.store.byKeys(
      requestPoint(request, hiddenPages),
      marks.map(({ page }): ItemKey => `page:${page}`),
    );
    const viewed = new Set(
      marks.filter(({ page, state }) => stateOf(items.get(`page:${page}`)) === state).map(({ page }) => page),
    );
    return {
      ...changes,
      changes: changes.changes.map((change) => {
        const page = pageOf(change);
        return page === undefined ? change : { ...change, viewed: viewed.has(page) };
      }),
    };
  }

  /** The content that the caller looked at: the present one, or an earlier revision of the request. */
  private async pointOf(request: RequestHead, id: string | undefined, hidden: readonly string[]): Promise<Point> {
    if (id === undefined || id === request.revisionId) return requestPoint(request, hidden);
    const revision = await this.lines.findRevision(request.spaceId, id);
    if (revision?.line !== request.id) throw invalid('revision', 'is not a revision of this change request');
    return revisionPoint(request.spaceId, revision, hidden);
  }
}

/** A hash of everything of a page that a comparison shows; its position among its siblings is no content. */
function stateOf(page: Item | undefined): string {
  return hashText(
    canonicalJson(page ? [page.title, page.slug, page.parentId, page.type, page.hash, page.props] : null),
  );
}

/** The page of a change; undefined for changes of anything else. */
function pageOf(change: object): string | undefined {
  const page: unknown = 'page' in change ? change.page : undefined;
  return typeof page === 'object' && page !== null && 'id' in page && typeof page.id === 'string' ? page.id : undefined;
}
