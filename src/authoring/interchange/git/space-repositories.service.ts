import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/common/clock.js';
import { Database } from '../../../kernel/common/database.js';
import { DomainError } from '../../../kernel/common/errors.js';
import type { KeptCommit } from './kept-commit.js';
import { SpaceGit } from './space-git.entity.js';

/** A branch in a repository, and its address for people. */
export interface BranchFacts {
  /** The address for cloning. */
  readonly url: string;
  readonly ref: string;
  readonly directory: string;
  readonly treeURL?: string;
  readonly provider?: string;
  /** The time of the commit, according to the git service. */
  readonly timestamp: string;
}

/** The last synchronized branch of the primary content of a space, and the commit. */
export interface SpaceRepository {
  /** The address of the branch for people; `remote` if none is known. */
  readonly url: string;
  /** The address for cloning. */
  readonly remote: string;
  readonly provider: string | null;
  /** A branch, with or without `refs/heads/`. */
  readonly ref: string;
  readonly directory: string;
  readonly oid: string;
  /** The revision that said the same as the commit. */
  readonly revisionId: string;
  /** The context (`contextHashOf`) of the import that made them say the same; null after an export. */
  readonly contextHash: string | null;
  readonly eventAt: Date;
}

/** Records which repository the content of each space was imported from, or exported to. */
@Injectable()
export class SpaceRepositories {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  find(spaceId: string): Promise<SpaceRepository | undefined> {
    return this.database.one<SpaceRepository & Record<string, unknown>>(
      `SELECT url, remote, provider, ref, directory, oid, revision_id AS "revisionId", context_hash AS "contextHash", event_at AS "eventAt"
         FROM space_git WHERE space_id = $1`,
      [spaceId],
    );
  }

  /** Returns the branch of the last agreement, if any. Throws `conflict` if it is newer than the requested one. */
  async requireNewer(
    spaceId: string,
    { timestamp, force }: { readonly timestamp: string; readonly force: boolean },
  ): Promise<SpaceRepository | undefined> {
    const known = await this.find(spaceId);
    if (known && !force && new Date(timestamp) < known.eventAt)
      throw new DomainError('conflict', 'Something newer was imported or exported already');
    return known;
  }

  /** The kept commit of the last import, if that is all that happened since. */
  async kept(spaceId: string): Promise<KeptCommit | undefined> {
    return this.database.one<KeptCommit & Record<string, unknown>>(
      'SELECT oid, kept AS pack FROM space_git WHERE space_id = $1 AND kept IS NOT NULL',
      [spaceId],
    );
  }

  /** Keeps a commit, as long as nothing else is agreed on. */
  async keep(spaceId: string, { oid, pack }: KeptCommit): Promise<void> {
    await this.database.of(SpaceGit).update({ spaceId, oid }, { kept: pack });
  }

  /** The folder of a space has moved: what it and the branch agreed on holds for the new one. */
  async relocate(spaceId: string, directory: string): Promise<void> {
    await this.database.of(SpaceGit).update({ spaceId }, { directory });
  }

  /** Forgets what a space and a branch agreed on. */
  async forget(spaceId: string): Promise<void> {
    await this.database.of(SpaceGit).delete({ spaceId });
  }

  /** Notes that a revision of a space and a commit say the same, after an import with its context. */
  async record(
    spaceId: string,
    branch: BranchFacts,
    oid: string,
    revision: string,
    contextHash?: string,
  ): Promise<void> {
    const name = /([^/:]+?)(?:\.git)?$/.exec(branch.url)?.[1] ?? branch.url;
    await this.database.execute(
      `INSERT INTO space_git (space_id, repo_name, provider, url, remote, ref, directory, oid, revision_id, context_hash, event_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
       ON CONFLICT (space_id) DO UPDATE SET repo_name = excluded.repo_name, provider = excluded.provider, url = excluded.url, remote = excluded.remote, ref = excluded.ref,
         directory = excluded.directory, oid = excluded.oid, revision_id = excluded.revision_id,
         context_hash = excluded.context_hash, kept = NULL, event_at = excluded.event_at, updated_at = excluded.updated_at`,
      [
        spaceId,
        name,
        branch.provider ?? null,
        branch.treeURL ?? branch.url,
        branch.url,
        branch.ref,
        branch.directory,
        oid,
        revision,
        contextHash ?? null,
        branch.timestamp,
        this.clock.now(),
      ],
    );
  }
}
