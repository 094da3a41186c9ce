import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { OutboxRelay } from '../../kernel/platform/outbox-relay.js';
import type { OutboxEvent } from '../../kernel/platform/outbox.js';
import { GitTransport, type GitAccess } from '../imports/git/git-transport.js';
import { GitAccesses } from './git-accesses.js';
import { GitSyncQueue } from './git-sync-queue.js';
import { keptHead } from './git-sync-states.js';
import { PullRequestNews } from './pulls/pull-request-news.js';
import { hasLooseLinks } from './sites/site-links.js';
import type { GitProvider } from '../../workspace/spaces/git-sync.schema.js';

export const GIT_SYNC_CONSUMER = 'git-sync';

/** Branches that are looked at in one turn, and at once. */
const TURN = 40;
const AT_ONCE = 4;
const KEPT_DAYS = 7;

/** Installations `g` that are kept equal, and wait for nobody: a change request with conflicts is for people. */
const KEPT_EQUAL = `FROM git_installation g JOIN space s ON s.id = g.space_id AND s.deleted_at IS NULL
  LEFT JOIN space_git x ON x.space_id = g.space_id AND x.remote = g.url AND x.ref = g.ref AND x.directory = g.directory
  LEFT JOIN change_request r ON r.space_id = g.space_id AND r.id = g.change_request_id
 WHERE g.url IS NOT NULL AND g.ref IS NOT NULL AND g.priority IS NOT NULL AND coalesce(r.status NOT IN ('draft', 'open'), true)`;

/** Those of the spaces `$1` that differ from what their branch said last. */
const CHANGED = `SELECT g.id ${KEPT_EQUAL} AND g.space_id = ANY ($1) AND s.revision_id IS DISTINCT FROM x.revision_id`;

/** Those of sites with links that lead nowhere in their spaces, where one of the spaces `$1` of the site has just met its branch. */
const BESIDE = `SELECT g.id ${KEPT_EQUAL} AND ${hasLooseLinks('g.space_id')}
   AND g.parent_id IN (SELECT o.parent_id FROM git_installation o JOIN space os ON os.id = o.space_id
     JOIN revision v ON v.space_id = os.id AND v.id = os.revision_id AND v.git IS NOT NULL WHERE o.space_id = ANY ($1))`;

/** Takes those whose time has come at `$1`, until `$2`, or until they are tried again. */
const TAKE = `WITH due AS (SELECT g.id, x.oid, s.revision_id = x.revision_id AS "isSame", g.retry_at > $1 IS TRUE AS waits ${KEPT_EQUAL} AND g.due_at <= $1
     ORDER BY g.due_at LIMIT ${TURN} FOR NO KEY UPDATE OF g SKIP LOCKED)
  UPDATE git_installation g SET due_at = least($2, CASE WHEN g.retry_at > $1 THEN g.retry_at END) FROM due WHERE g.id = due.id
  RETURNING g.id, g.url, g.ref, g.provider, g.server_url AS "serverUrl", g.preview_external_branches AS "previewExternalBranches",
    g.credentials, g.app_id AS "appId", g.app_installation_id AS "appInstallationId", g.deploy_secret AS "deploySecret", g.host_key AS "hostKey",
    g.failed_oid AS "failedOid", due.waits, coalesce(g.merged_oid, due.oid) AS oid,
    due."isSame" IS TRUE AND g.failure IS NULL AND g.merged_oid IS NULL AS "isSame"`;

interface Due extends Record<string, unknown> {
  readonly id: string;
  readonly url: string;
  readonly ref: string;
  readonly provider: GitProvider;
  readonly serverUrl: string | null;
  readonly previewExternalBranches: boolean;
  readonly credentials: Buffer | null;
  readonly appId: string | null;
  readonly appInstallationId: string | null;
  readonly deploySecret: Buffer | null;
  readonly hostKey: string | null;
  /** The last commit that is known. */
  readonly oid: string | null;
  /** The space is as the branch knows it, and nothing has failed. */
  readonly isSame: boolean;
  /** It has failed, and is tried again later, unless the branch has another head by now. */
  readonly waits: boolean;
  readonly failedOid: string | null;
}

/** Notices that a side has changed: the space by its events, the branch by looking at it now and then. */
@Injectable()
export class GitSyncWatch implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly accesses: GitAccesses,
    private readonly jobs: Jobs,
    private readonly relay: OutboxRelay,
    private readonly transport: GitTransport,
    private readonly queue: GitSyncQueue,
    private readonly pulls: PullRequestNews,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.relay.register(GIT_SYNC_CONSUMER, (events) => this.follow(events), { everywhere: false });
    this.jobs.handle('git-sync.look', async (_, run) => this.look(run.signal));
    this.jobs.handle('git-sync.forget-deliveries', () => this.forget());
  }

  private async follow(events: readonly OutboxEvent[]): Promise<void> {
    const spaces = events.flatMap(({ type, spaceId }) =>
      spaceId !== null && (type === 'space_content_updated' || type === 'change_request_merged') ? [spaceId] : [],
    );
    const targets = (...types: string[]): string[] =>
      events.flatMap(({ type, target }) => (types.includes(type) ? [target] : []));
    const edited = targets('change_request_content_updated');
    const changed = targets('change_request_content_updated', 'change_request_updated');
    for (const id of await this.pulls.followedBy(edited, changed)) await this.queue.add(id);
    if (spaces.length === 0) return;
    for (const statement of [CHANGED, BESIDE])
      for (const { id } of await this.database.query<{ id: string }>(statement, [[...new Set(spaces)]]))
        await this.queue.add(id);
  }

  /** Looks at the branches whose time has come. */
  private async look(signal: AbortSignal): Promise<void> {
    for (;;) {
      const now = this.clock.now();
      const again = new Date(now.getTime() + this.config.gitPollSeconds * 1000);
      const due = await this.database.query<Due>(TAKE, [now, again]);
      for (let at = 0; at < due.length; at += AT_ONCE) {
        signal.throwIfAborted();
        await Promise.all(due.slice(at, at + AT_ONCE).map((each) => this.lookAt(each)));
      }
      if (due.length < TURN) return;
    }
  }

  private async lookAt(due: Due): Promise<void> {
    if (await this.needsRun(due)) await this.database.transaction(() => this.queue.add(due.id));
  }

  /** Tells whether there is something to do. The run finds out, and tells, why a server does not answer. */
  private async needsRun(due: Due): Promise<boolean> {
    if (!due.waits && !due.isSame) return true;
    const tips = await this.tipsOf(due).catch(() => undefined);
    if (due.waits) return tips !== undefined && keptHead(tips.get(due.ref)) !== due.failedOid;
    return tips?.get(due.ref) !== due.oid || (await this.pulls.hasNews(due, tips).catch(() => true));
  }

  private async tipsOf(due: Due): Promise<ReadonlyMap<string, string>> {
    const { url, ref } = due;
    const secret = await this.accesses.secretOf(due);
    const access = secret === undefined ? undefined : (JSON.parse(secret) as GitAccess);
    const { remoteHeads } = await import('../../authoring/interchange/git/remote-head.js');
    return remoteHeads(url, this.transport.client(url, access), ref);
  }

  private async forget(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_DAYS * 24 * 3600 * 1000);
    await this.database.execute('DELETE FROM git_delivery WHERE at < $1', [before]);
  }
}
