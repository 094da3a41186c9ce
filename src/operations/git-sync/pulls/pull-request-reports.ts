import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ContentChanges } from '../../../authoring/content/content-changes.js';
import { ContentPlaces } from '../../../authoring/content/content-places.js';
import { pageUrl } from '../../../authoring/content/present-content.js';
import { Links } from '../../../authoring/links/links.service.js';
import { Access } from '../../../kernel/access/access.service.js';
import { Database } from '../../../kernel/common/database.js';
import { propertyOf } from '../../../kernel/common/property-of.js';
import { creatorOf } from '../../imports/active-run.js';
import { GitPullRequest } from './git-pull-request.entity.js';
import { commentText, statusOf, type ChangedPage, type PullReport } from './pull-request-report.js';
import type { PullWork } from './pull-work.js';
import { PullRequestRows, type FollowedPull } from './pull-request-rows.js';

/** Changes that are asked for; a comment lists fewer. */
const MAX_CHANGES = 100;

/** Tells at the forge what a pull request changes and what is wrong with it: by a status of its last commit, and by one comment. */
@Injectable()
export class PullRequestReports {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly places: ContentPlaces,
    private readonly changes: ContentChanges,
    private readonly links: Links,
    private readonly rows: PullRequestRows,
  ) {}

  /** Says that a commit is being read. */
  async begin(work: PullWork, { pull }: Pick<FollowedPull, 'pull'>, request: string): Promise<void> {
    const { url } = await this.placeOf(work, request);
    await work.forge.setStatus(pull.head, { state: 'pending', description: 'The documentation is being read', url });
  }

  /** Says how it is; nothing where that was said already. */
  async tell(work: PullWork, { pull }: Pick<FollowedPull, 'pull'>, request: string): Promise<void> {
    const row = await this.database
      .of(GitPullRequest)
      .findOneByOrFail({ installationId: work.order.installation, number: pull.number });
    const report = await this.reportOf(work, row, request);
    const status = statusOf(report);
    const marker = `<!-- bindery:${row.installationId} -->`;
    const text = commentText(report, marker);
    const reported = createHash('sha256')
      .update(JSON.stringify([pull.head, status, text]))
      .digest('hex');
    if (row.reported === reported) return;
    await work.forge.setStatus(pull.head, status);
    const commentId = await work.forge.tell(row.number, { id: row.commentId, text, marker });
    await this.rows.update(row, { commentId, reported });
  }

  private async reportOf(work: PullWork, row: GitPullRequest, request: string): Promise<PullReport> {
    const caller = creatorOf(work.run);
    const { place, url, status } = await this.placeOf(work, request);
    const { changes, more = 0 } = await this.changes.ofRequest(place.space, request, MAX_CHANGES);
    const broken = await this.links.ofSpace(caller, place, {
      status: 'broken',
      brokenContext: 'change-request',
      limit: 1,
    });
    const pages = new Map(
      changes.flatMap((change): [string, ChangedPage][] => {
        const page = propertyOf(change, 'page');
        const [id, title, path] = ['id', 'title', 'path'].map((name) => propertyOf(page, name));
        if (typeof id !== 'string' || typeof title !== 'string') return [];
        return [[id, { title, url: typeof path === 'string' ? pageUrl(place, path, id) : url }]];
      }),
    );
    return {
      url,
      isMerged: status === 'merged',
      pages: [...pages.values()],
      more,
      broken: broken.count,
      problems: row.problems.filter(({ level }) => level !== 'notice'),
      failure: row.failure,
    };
  }

  private async placeOf({ run }: PullWork, request: string) {
    const space = await this.access.requireSpace(creatorOf(run), run.spaceId, 'space:propose');
    const place = await this.places.at(space, { changeRequestId: request });
    const row = await this.database.one<{ status: string }>(
      'SELECT status FROM change_request WHERE space_id = $1 AND id = $2',
      [run.spaceId, request],
    );
    return { place, url: place.app, status: row?.status };
  }
}
