import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/common/database.js';
import { branchOf } from '../domain/branch-names.js';
import type { ForgeAccess } from '../forges/forge-credentials.js';
import { Forges } from '../forges/forges.service.js';

interface Watched extends ForgeAccess {
  readonly id: string;
  readonly url: string;
  readonly ref: string;
  readonly previewExternalBranches: boolean;
}

/** The branches of change requests; one is kept until its change request or its pull request has ended. */
const OWN = `SELECT b.ref, b.oid, b.number, r.status IN ('draft', 'open') AND coalesce(p.state, 'open') = 'open' AS "isKept"
  FROM git_request_branch b JOIN git_installation g ON g.id = b.installation_id
  JOIN change_request r ON r.space_id = g.space_id AND r.id = b.change_request_id
  LEFT JOIN git_pull_request p ON p.installation_id = b.installation_id AND p.number = b.number WHERE b.installation_id = $1 AND (r.status <> 'merged' OR b.number IS NULL OR p.state = 'open')`;

interface Own extends Record<string, unknown> {
  readonly ref: string;
  readonly oid: string | null;
  readonly number: number | null;
  readonly isKept: boolean;
}

const KNOWN = `SELECT p.number, p.imported_oid AS oid FROM git_pull_request p WHERE p.installation_id = $1 AND p.state = 'open'
   AND ($2 OR EXISTS (SELECT FROM git_request_branch b WHERE b.installation_id = p.installation_id AND b.number = p.number))`;

const FOLLOWED = `SELECT g.id FROM git_installation g JOIN space s ON s.id = g.space_id AND s.deleted_at IS NULL
 WHERE g.url IS NOT NULL AND g.ref IS NOT NULL AND g.id IN (
   SELECT p.installation_id FROM git_pull_request p WHERE p.change_request_id = ANY ($1) AND p.state = 'open'
   UNION SELECT b.installation_id FROM git_request_branch b WHERE b.change_request_id = ANY ($2))`;

/** Notices that pull requests have changed where no hook tells of it, and that people have changed what they became. */
@Injectable()
export class PullRequestNews {
  constructor(
    private readonly database: Database,
    private readonly forges: Forges,
  ) {}

  /**
   * Tells whether the branches of change requests, or the open pull requests of an installation, are others than those that are
   * known, by the last commits `tips` of the branches and by one look at the forge.
   */
  async hasNews(watched: Watched, tips: ReadonlyMap<string, string>): Promise<boolean> {
    const own = await this.database.query<Own>(OWN, [watched.id]);
    if (own.some(({ ref, oid, isKept }) => isKept && oid !== (tips.get(ref) ?? null))) return true;
    const { previewExternalBranches: previews } = watched;
    const forge = previews || own.length > 0 ? await this.forges.pulls(watched) : undefined;
    if (!forge) return false;
    const names = new Map(own.map(({ ref, number }) => [branchOf(ref), number]));
    const open = (await forge.open(branchOf(watched.ref))).filter(({ source, number }) =>
      source !== undefined && names.has(source) ? names.get(source) === number : previews,
    );
    const known = await this.database.query<{ number: number; oid: string | null }>(KNOWN, [watched.id, previews]);
    const heads = new Map(known.map(({ number, oid }) => [number, oid]));
    return (
      open.length !== known.length ||
      open.some(({ number, head, ref }) => ref !== undefined && heads.get(number) !== head)
    );
  }

  /**
   * The installations whose open pull requests are in some change requests that were `edited`, and those with branches of change
   * requests that were `changed` in any way.
   */
  async followedBy(edited: readonly string[], changed: readonly string[]): Promise<string[]> {
    if (changed.length === 0 && edited.length === 0) return [];
    const rows = await this.database.query<{ id: string }>(FOLLOWED, [[...new Set(edited)], [...new Set(changed)]]);
    return rows.map(({ id }) => id);
  }
}
