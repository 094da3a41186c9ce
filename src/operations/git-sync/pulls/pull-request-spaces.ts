import { Injectable } from '@nestjs/common';
import { joinPath } from '../../../authoring/interchange/domain/repository-paths.js';
import { SITE_FILES } from '../../../authoring/interchange/domain/site-file/site-file.js';
import type { RequestStatus } from '../../../authoring/content/domain/request-status.js';
import { Database } from '../../../kernel/common/database.js';
import type { GitPullRequest } from './git-pull-request.entity.js';
import { PullRequestCommits } from './pull-request-commits.js';
import { PullRequestRows, type FollowedPull } from './pull-request-rows.js';
import type { PullWork } from './pull-work.js';

/** More files than that are taken to concern every space. */
const MAX_PATHS = 5000;

/** The space of the installation `$1`, or those of the site that has it, with what is known of the pull request `$2` in each. */
const SPACES = `SELECT g.id AS "installationId", g.space_id AS "spaceId", s.title, g.directory, g.failure AS obstacle,
    s.revision_id IS NOT DISTINCT FROM x.revision_id AS "isEqual", p.imported_oid AS oid, p.change_request_id AS "requestId",
    coalesce(p.touches, false) AS touches, coalesce(p.problems, '[]') AS problems, p.failure, r.status
  FROM git_installation g JOIN space s ON s.id = g.space_id AND s.deleted_at IS NULL
  LEFT JOIN space_git x ON x.space_id = g.space_id
  LEFT JOIN git_pull_request p ON p.installation_id = g.id AND p.number = $2
  LEFT JOIN change_request r ON r.space_id = g.space_id AND r.id = p.change_request_id
 WHERE (g.id = $1 OR g.parent_id = $1) AND g.priority IS NOT NULL ORDER BY s.title, g.id`;

/** A space that a pull request changes something in. */
export interface ConcernedSpace extends Record<string, unknown> {
  readonly installationId: string;
  readonly spaceId: string;
  readonly title: string;
  /** Its folder in the repository. */
  readonly directory: string;
  /** Why space and branch are not equal now. */
  readonly obstacle: string | null;
  /** Space and branch said the same when both were looked at last, and the space has not changed since. */
  readonly isEqual: boolean;
  /** The commit that is in the change request. */
  readonly oid: string | null;
  /** The change request; null until there is one. */
  readonly requestId: string | null;
  readonly touches: boolean;
  readonly problems: GitPullRequest['problems'];
  /** Why the last commit cannot be read. */
  readonly failure: string | null;
  readonly status: RequestStatus | null;
}

/** The site whose spaces a pull request concerns. */
export interface ConcernedSite {
  readonly id: string;
  /** The folder of its file in the repository. */
  readonly directory: string;
  /** The pull request changes its file, or so much that it may. */
  readonly isChanged: boolean;
}

/** Knows which spaces of a site a pull request of its repository concerns; in a repository of one space, that one. */
@Injectable()
export class PullRequestSpaces {
  constructor(
    private readonly database: Database,
    private readonly commits: PullRequestCommits,
    private readonly rows: PullRequestRows,
  ) {}

  /** Tells whether the last commit of a pull request changes something in the folder of the space of a run. */
  async touches(work: PullWork, { pull, isOwn }: FollowedPull): Promise<boolean> {
    const { teller, previews, order } = work;
    // Others are not followed there.
    if (teller === order.installation || !previews) return true;
    const row = await this.rows.ofTeller(work, pull.number);
    if (row.changedOid !== pull.head) {
      const paths = await this.commits.changedPaths(work, pull);
      row.changedPaths = paths.length > MAX_PATHS ? null : paths;
      const site = await this.siteOf(work, row);
      const problems = site?.isChanged ? await this.commits.siteProblems(work, pull, site.directory) : [];
      await this.rows.update(row, { changedOid: pull.head, changedPaths: row.changedPaths, problems });
    }
    return isOwn || isIn(order.directory, row.changedPaths);
  }

  /** The spaces that a pull request concerns, in the order of their titles, also those that it was not read into yet. */
  async of({ teller }: PullWork, { changedOid, changedPaths, number }: GitPullRequest): Promise<ConcernedSpace[]> {
    const spaces = await this.database.query<ConcernedSpace>(SPACES, [teller, number]);
    return spaces.filter(
      ({ requestId, touches, directory }) =>
        (requestId !== null && touches) || (changedOid !== null && isIn(directory, changedPaths)),
    );
  }

  /** Tells whether the change requests of all spaces that a pull request concerns are merged. */
  async areMerged(work: PullWork, number: number): Promise<boolean> {
    const spaces = await this.of(work, await this.rows.ofTeller(work, number));
    return spaces.every(({ status }) => status === 'merged');
  }

  /** The same, where their branch has got all of them, so that no run of another space is going to merge the pull request. */
  async areDone(work: PullWork, number: number): Promise<boolean> {
    const spaces = await this.of(work, await this.rows.ofTeller(work, number));
    const own = work.order.installation;
    return spaces.every((space) => space.status === 'merged' && (space.isEqual || space.installationId === own));
  }

  /** The site that an installation tells of; undefined for that of a space. */
  async siteOf({ teller }: PullWork, { changedPaths }: GitPullRequest): Promise<ConcernedSite | undefined> {
    const site = await this.database.one<{ id: string; directory: string }>(
      'SELECT site_id AS id, directory FROM git_installation WHERE id = $1 AND site_id IS NOT NULL',
      [teller],
    );
    if (!site) return undefined;
    const files = SITE_FILES.map((name) => joinPath(site.directory, name));
    return { ...site, isChanged: changedPaths === null || changedPaths.some((path) => files.includes(path)) };
  }
}

function isIn(directory: string, paths: readonly string[] | null): boolean {
  return paths === null || directory === '' || paths.some((path) => path.startsWith(`${directory}/`));
}
