import { Injectable } from '@nestjs/common';
import { within } from '../../../authoring/interchange/domain/folder-neighbours.js';
import { directoryOf } from '../../../authoring/interchange/domain/repository-paths.js';
import { NeighbourFolders, type SpaceFolder } from '../../../authoring/interchange/neighbour-folders.service.js';
import { isRelative } from '../../../authoring/links/links.statements.js';
import { Database } from '../../../kernel/common/database.js';
import type { ActiveRun } from '../../imports/active-run.js';

/** The folders of the spaces beside that of the installation `$1`, in the same branch. */
const BESIDE = `SELECT o.space_id AS space, o.directory FROM git_installation g
  JOIN git_installation o ON o.parent_id = g.parent_id AND o.id <> g.id AND o.url = g.url AND o.ref = g.ref AND o.priority IS NOT NULL
  JOIN space s ON s.id = o.space_id AND s.deleted_at IS NULL WHERE g.id = $1 ORDER BY o.id`;

/** The relative addresses in the space `$1`, which are kept as they are written, with the files that have them. */
const WRITTEN = `SELECT DISTINCT t.target, i.props #>> '{git,path}' AS path
  FROM link_target t JOIN content_link l ON l.space_id = t.space_id AND l.key = t.key
  JOIN content_item i ON i.space_id = l.space_id AND i.line = '' AND i.kind = l.source_kind AND i.id = l.source_id
 WHERE t.space_id = $1 AND t.kind = 'url' AND ${isRelative('t.target')}`;

/** Tells whether a link `t` leads to a page of another space that is gone from there; its file may have come back as another page. */
const isGone = `t.kind = 'page' AND t.target_space_id NOT IN ('', t.space_id)
  AND NOT EXISTS (SELECT FROM content_item i WHERE i.space_id = t.target_space_id AND i.line = '' AND i.kind = 'page' AND i.id = t.target)`;

const GONE = `SELECT 1 AS one FROM link_target t WHERE t.space_id = $1 AND ${isGone} AND t.target_space_id = ANY ($2) LIMIT 1`;

/** Tells whether the space of a row has links that another folder may have the targets of. */
export const hasLooseLinks = (space: string): string =>
  `EXISTS (SELECT FROM link_target t WHERE t.space_id = ${space} AND (t.kind = 'url' AND ${isRelative('t.target')} OR ${isGone}))`;

/** Notes which of the revisions `$2` of the spaces `$1` have moved pages in the repository, or deleted some, that spaces beside them link to. */
const NOTE_MOVED = `UPDATE git_installation g SET moved_beside = moved.revision FROM (
    SELECT b.id, max(v.id) AS revision FROM unnest($1::text[], $2::text[]) AS n (space_id, revision_id)
      JOIN revision v ON v.space_id = n.space_id AND v.id = n.revision_id
      JOIN git_installation o ON o.space_id = v.space_id
      JOIN git_installation b ON b.parent_id = o.parent_id AND b.id <> o.id AND b.priority IS NOT NULL
      JOIN space s ON s.id = b.space_id AND s.deleted_at IS NULL
      JOIN content_undo u ON u.space_id = v.space_id AND u.line = '' AND u.sequence = v.sequence AND u.kind = 'page' AND u.existed
      LEFT JOIN content_item i ON i.space_id = u.space_id AND i.line = '' AND i.kind = 'page' AND i.id = u.id
      JOIN link_target t ON t.target_space_id = u.space_id AND t.kind = 'page' AND t.target = u.id AND t.space_id = b.space_id
     WHERE i.id IS NULL OR i.props #>> '{git,path}' <> u.props #>> '{git,path}' GROUP BY b.id) moved
  WHERE g.id = moved.id RETURNING g.id, g.change_request_id IS NULL AS "isFree"`;

interface WrittenLink extends Record<string, unknown> {
  readonly target: string;
  /** Null for what has no file of its own, such as a link in the table of contents. */
  readonly path: string | null;
}

/** Knows the folders that links from the space of a site can lead to. */
@Injectable()
export class SiteLinks {
  constructor(
    private readonly database: Database,
    private readonly neighbours: NeighbourFolders,
  ) {}

  /** The folders beside that of an installation; none for a space that is connected alone. */
  beside(installation: string): Promise<SpaceFolder[]> {
    return this.database.query<SpaceFolder & Record<string, unknown>>(BESIDE, [installation]);
  }

  /**
   * Notes that revisions of the primary line of spaces have moved or deleted pages which spaces beside them link to; must run in a transaction.
   * Returns the installations of those spaces, without the ones that wait for people.
   */
  async noteMoved(revisions: readonly { readonly space: string; readonly revision: string }[]): Promise<string[]> {
    if (revisions.length === 0) return [];
    const noted = await this.database.query<{ id: string; isFree: boolean }>(NOTE_MOVED, [
      revisions.map(({ space }) => space),
      revisions.map(({ revision }) => revision),
    ]);
    return noted.flatMap(({ id, isFree }) => (isFree ? [id] : []));
  }

  /** Tells whether links lead to other pages of other spaces than when the folder was read. */
  async areDue({ spaceId, beside }: Pick<ActiveRun, 'spaceId' | 'beside'>, directory: string): Promise<boolean> {
    if (beside === undefined || beside.length === 0) return false;
    const spaces = beside.map(({ space }) => space);
    if (await this.database.one(GONE, [spaceId, spaces])) return true;
    const links = await this.database.query<WrittenLink>(WRITTEN, [spaceId]);
    if (links.length === 0) return false;
    const neighbour = await this.neighbours.known(directory, beside);
    return links.some(({ target, path }) => {
      const place = path === null ? '' : within(directory, directoryOf(path));
      return place !== undefined && neighbour?.find(place, target) !== undefined;
    });
  }
}
