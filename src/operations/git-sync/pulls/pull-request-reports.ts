import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ContentChanges } from '../../../authoring/content/content-changes.js';
import { ContentPlaces, type ContentPlace } from '../../../authoring/content/content-places.js';
import { pageUrl } from '../../../authoring/content/present-content.js';
import { Links } from '../../../authoring/links/links.service.js';
import { Access } from '../../../kernel/access/access.service.js';
import { Addresses } from '../../../kernel/common/addresses.js';
import { propertyOf } from '../../../kernel/common/property-of.js';
import { creatorOf } from '../../imports/active-run.js';
import type { GitPullRequest } from './git-pull-request.entity.js';
import { commentText, statusOf, type ChangedPage, type PullReport, type SpaceReport } from './pull-request-report.js';
import type { PullWork } from './pull-work.js';
import { PullRequestRows, type FollowedPull } from './pull-request-rows.js';
import { PullRequestSpaces, type ConcernedSpace } from './pull-request-spaces.js';

/** Changes that are asked for; a comment lists fewer. */
const MAX_CHANGES = 100;

type Pulled = Pick<FollowedPull, 'pull'>;

/**
 * Tells at the forge what a pull request changes and what is wrong with it: by a status of its last commit, and by one comment, for all
 * spaces of a site together.
 */
@Injectable()
export class PullRequestReports {
  constructor(
    private readonly access: Access,
    private readonly addresses: Addresses,
    private readonly places: ContentPlaces,
    private readonly changes: ContentChanges,
    private readonly links: Links,
    private readonly rows: PullRequestRows,
    private readonly spaces: PullRequestSpaces,
  ) {}

  /** Says that a commit is being read. */
  async begin(work: PullWork, { pull }: Pulled, request: string): Promise<void> {
    const { app: url } = await this.placeOf(work, work.run.spaceId, request);
    await work.forge.setStatus(pull.head, { state: 'pending', description: 'The documentation is being read', url });
  }

  /**
   * Says how it is; nothing where that was said already. Of runs that work at once for spaces of a site, one says it for all: what the
   * forge gets last is what was so last.
   */
  async tell(work: PullWork, { pull }: Pulled): Promise<void> {
    const { run } = work;
    const row = await this.rows.ofTeller(work, pull.number);
    for (;;) {
      await run.checkpoint();
      const before = await this.rows.beginToTell(row, run.id);
      if (!before) return;
      try {
        const report = await this.reportOf(work, pull.number, pull.head);
        const status = statusOf(report);
        const marker = `<!-- bindery:${row.installationId} -->`;
        const text = commentText(report, marker);
        const reported = createHash('sha256')
          .update(JSON.stringify([pull.head, status, text]))
          .digest('hex');
        let { commentId } = before;
        if (before.reported !== reported) {
          await this.rows.update(row, { reported: null });
          await work.forge.setStatus(pull.head, status);
          commentId = await work.forge.tell(row.number, { id: commentId, text, marker });
        }
        if (await this.rows.told(row, run.id, { commentId, reported })) return;
      } catch (error) {
        await this.rows.stopTelling(row, run.id);
        throw error;
      }
    }
  }

  private async reportOf(work: PullWork, number: number, head: string): Promise<PullReport> {
    const row = await this.rows.ofTeller(work, number);
    const spaces: SpaceReport[] = [];
    for (const space of await this.spaces.of(work, row)) spaces.push(await this.reportOn(work, space, head));
    return { spaces, site: await this.siteOf(work, row) };
  }

  private async reportOn(work: PullWork, space: ConcernedSpace, head: string): Promise<SpaceReport> {
    const { requestId, title } = space;
    const isRead = space.oid === head || space.installationId === work.order.installation;
    const place = await this.placeOf(work, space.spaceId, requestId ?? undefined);
    const facts = requestId === null ? { pages: [], more: 0, broken: 0 } : await this.changesOf(work, place, requestId);
    return {
      title,
      url: place.app,
      state:
        space.status === 'archived' && space.touches
          ? 'closed'
          : !isRead
            ? 'reading'
            : space.status === 'merged'
              ? 'merged'
              : 'open',
      ...facts,
      problems: space.problems.filter(({ level }) => level !== 'notice'),
      failure: isRead ? space.failure : space.obstacle,
    };
  }

  private async changesOf(work: PullWork, place: ContentPlace, request: string) {
    const { changes, more = 0 } = await this.changes.ofRequest(place.space, request, MAX_CHANGES);
    const broken = await this.links.ofSpace(creatorOf(work.run), place, {
      status: 'broken',
      brokenContext: 'change-request',
      limit: 1,
    });
    const pages = new Map(
      changes.flatMap((change): [string, ChangedPage][] => {
        const page = propertyOf(change, 'page');
        const [id, title, path] = ['id', 'title', 'path'].map((name) => propertyOf(page, name));
        if (typeof id !== 'string' || typeof title !== 'string') return [];
        return [[id, { title, url: typeof path === 'string' ? pageUrl(place, path, id) : place.app }]];
      }),
    );
    return { pages: [...pages.values()], more, broken: broken.count };
  }

  private async siteOf(work: PullWork, row: GitPullRequest): Promise<PullReport['site']> {
    const site = await this.spaces.siteOf(work, row);
    const { organizationId } = work.run;
    return (
      site && {
        url: this.addresses.app(`/o/${organizationId}/sites/${site.id}`),
        isChanged: site.isChanged,
        problems: row.problems,
      }
    );
  }

  private async placeOf({ run }: PullWork, spaceId: string, changeRequestId?: string): Promise<ContentPlace> {
    const space = await this.access.requireSpace(creatorOf(run), spaceId, 'space:propose');
    return this.places.at(space, { ...(changeRequestId !== undefined && { changeRequestId }) });
  }
}
