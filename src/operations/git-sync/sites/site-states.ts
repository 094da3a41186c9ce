import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/common/clock.js';
import { Database } from '../../../kernel/common/database.js';
import { Jobs } from '../../../kernel/platform/jobs/jobs.js';
import { Outbox } from '../../../kernel/platform/outbox.js';
import { GitInstallation } from '../git-installation.entity.js';
import { GitSyncStates, UNHINDERED, type SyncAttempt } from '../git-sync-states.js';
import { isReady, type ReadyInstallation } from './site-branches.js';

/** The installation of a site that is kept equal with a branch. */
export interface FollowedSite {
  readonly installation: ReadyInstallation & { readonly siteId: string };
  readonly organizationId: string;
}

/** The facts that both sides of a site have agreed on; those that are left out stay as they were. */
interface Agreement {
  readonly oid?: string | undefined;
  readonly file?: string;
  readonly structure?: string;
}

/** The columns of an installation whose sides have not agreed on anything. */
export const NOTHING_AGREED = { agreedOid: null, agreedFile: null, agreedStructure: null, pushedFile: null } as const;

/** Takes those of sites whose time has come at `$1`, until `$2`, or until they are tried again. */
const TAKE = `UPDATE git_installation g SET due_at = least($2, CASE WHEN g.retry_at > $1 THEN g.retry_at END) WHERE g.id IN (SELECT d.id FROM git_installation d
     WHERE d.site_id IS NOT NULL AND d.priority IS NOT NULL AND d.due_at <= $1 ORDER BY d.due_at LIMIT 100 FOR NO KEY UPDATE SKIP LOCKED)
  RETURNING g.id, g.retry_at > $1 IS TRUE AS "ifMoved"`;

/** Those of the sites `$1`, and of the sites that show one of the spaces `$2`. */
const OF_SITES = `SELECT g.id FROM git_installation g WHERE g.priority IS NOT NULL
   AND (g.site_id = ANY ($1) OR g.site_id IN (SELECT ss.site_id FROM site_space ss WHERE ss.space_id = ANY ($2)))`;

/** Keeps how far the installations of sites are, and notices that there is something to do. */
@Injectable()
export class SiteStates {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly outbox: Outbox,
    private readonly states: GitSyncStates,
  ) {}

  /** Looks at both sides of a site in the background; `ifMoved`: unless the branch is where the last try has failed. */
  async enqueue(installation: string, { ifMoved = false } = {}): Promise<void> {
    await this.jobs.enqueue('git-sync.site', { installation, ifMoved });
  }

  /** Begins to look at those whose time has come. */
  async enqueueDue(): Promise<void> {
    const now = this.clock.now();
    const rows = await this.database.query<{ id: string; ifMoved: boolean }>(TAKE, [now, this.states.nextLook(now)]);
    for (const { id, ifMoved } of rows) await this.enqueue(id, { ifMoved });
  }

  /** Begins to look at those that changes of sites and of spaces concern. */
  async enqueueOf(sites: readonly string[], spaces: readonly string[]): Promise<void> {
    if (sites.length === 0 && spaces.length === 0) return;
    const rows = await this.database.query<{ id: string }>(OF_SITES, [[...new Set(sites)], [...new Set(spaces)]]);
    for (const { id } of rows) await this.enqueue(id);
  }

  /** Undefined for one that is no longer there, or is not to be kept equal yet. */
  async followed(id: string): Promise<FollowedSite | undefined> {
    const found = await this.database.of(GitInstallation).findOneBy({ id });
    if (!found || !isReady(found) || found.priority === null || found.siteId === null) return undefined;
    const site = await this.database.one<{ organizationId: string }>(
      'SELECT organization_id AS "organizationId" FROM site WHERE id = $1',
      [found.siteId],
    );
    return site && { installation: { ...found, siteId: found.siteId }, organizationId: site.organizationId };
  }

  /** A file is about to be pushed: who finds it in the branch knows that the repository has not changed it. */
  async pushing(id: string, file: string): Promise<void> {
    await this.database.of(GitInstallation).update({ id }, { pushedFile: file });
  }

  /** Both sides say the same. Must run in the transaction that makes it so. */
  async agreed(id: string, { oid, file, structure }: Agreement): Promise<void> {
    await this.database.of(GitInstallation).update(
      { id },
      {
        ...UNHINDERED,
        ...(oid !== undefined && { agreedOid: oid }),
        ...(file !== undefined && { agreedFile: file, pushedFile: null }),
        ...(structure !== undefined && { agreedStructure: structure }),
        dueAt: this.states.nextLook(this.clock.now()),
      },
    );
  }

  /** Records a failure as that of a space is, and the event once until it is mended. */
  async fail({ installation, organizationId }: FollowedSite, error: unknown, attempt: SyncAttempt): Promise<void> {
    await this.database.transaction(async () => {
      const failures = await this.states.countFailure(installation.id, error, attempt);
      if (failures === 1)
        await this.outbox.record({
          type: 'git_site_sync_failed',
          organizationId,
          target: installation.id,
          payload: { siteId: installation.siteId },
        });
    });
  }
}
