import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError } from '../../kernel/common/errors.js';
import { Secrets } from '../../kernel/common/secrets.js';
import { bytesWithin } from '../../kernel/platform/http/raw-body.js';
import { joinPath } from '../../authoring/interchange/domain/repository-paths.js';
import { SITE_FILES } from '../../authoring/interchange/domain/site-file/site-file.js';
import type { GitProvider } from '../../workspace/spaces/git-sync.schema.js';
import { concerns, deliveryId, isSigned, touches, type HookHeaders } from './domain/hook-delivery.js';
import { GitSyncQueue } from './git-sync-queue.js';
import { SiteStates } from './sites/site-states.js';

const MAX_BODY = 5 * 1024 * 1024;

/** The installations of the spaces of the site that has `$1`. */
const CHILDREN = `SELECT id, directory FROM git_installation WHERE parent_id = $1 AND priority IS NOT NULL ORDER BY id`;

const HOOKED = `SELECT provider, ref, site_id IS NOT NULL AS "isOfSite", directory, ARRAY(SELECT b.ref FROM git_request_branch b JOIN git_installation o ON o.id = b.installation_id WHERE o.id = g.id OR o.parent_id = g.id) AS branches, hook_secret AS "hookSecret", url IS NOT NULL AND ref IS NOT NULL AND priority IS NOT NULL AS "isKeptEqual"
  FROM git_installation g WHERE id = $1 AND (g.site_id IS NOT NULL OR EXISTS (SELECT FROM space s WHERE s.id = g.space_id AND s.deleted_at IS NULL))`;

interface Hooked extends Record<string, unknown> {
  readonly provider: GitProvider;
  readonly ref: string | null;
  readonly isOfSite: boolean;
  readonly directory: string;
  /** Those of change requests. */
  readonly branches: readonly string[];
  readonly hookSecret: Buffer;
  readonly isKeptEqual: boolean;
}

/** Takes the push events of the providers. */
@Injectable()
export class GitHooks {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly queue: GitSyncQueue,
    private readonly sites: SiteStates,
  ) {}

  /**
   * Begins a synchronization for a push to the branch; other events are taken and change nothing. Throws `notFound` for a
   * delivery that was not signed with the secret, as for an unknown installation, and `conflict` for one that was taken already.
   */
  async take(id: string, headers: HookHeaders, body: AsyncIterable<Buffer>): Promise<void> {
    const bytes = await bytesWithin(
      body,
      MAX_BODY,
      () => new DomainError('tooLarge', `The body has more than ${MAX_BODY} bytes`),
    );
    const hooked = await this.database.one<Hooked>(HOOKED, [id]);
    if (!hooked || !isSigned(hooked.provider, this.secrets.decrypt(hooked.hookSecret), headers, bytes))
      throw new DomainError('notFound', 'There is no installation with this ID and secret');
    const delivery = deliveryId(hooked.provider, headers);
    await this.database.transaction(async () => {
      if (delivery !== undefined) await this.note(id, delivery);
      if (hooked.isKeptEqual && hooked.ref !== null && concerns([hooked.ref, ...hooked.branches], bytes))
        await (hooked.isOfSite ? this.fanOut(id, hooked, bytes) : this.queue.add(id));
    });
  }

  /** The structure of a site, and those of its spaces in whose folders something has changed. */
  private async fanOut(id: string, { directory }: Hooked, body: Buffer): Promise<void> {
    const files = SITE_FILES.map((name) => joinPath(directory, name));
    if (touches(body, (path) => files.includes(path))) await this.sites.enqueue(id);
    for (const child of await this.database.query<{ id: string; directory: string }>(CHILDREN, [id]))
      if (touches(body, (path) => child.directory === '' || path.startsWith(`${child.directory}/`)))
        await this.queue.add(child.id);
  }

  private async note(id: string, delivery: string): Promise<void> {
    const noted = await this.database.execute(
      'INSERT INTO git_delivery (installation_id, id, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [id, delivery, this.clock.now()],
    );
    if (noted === 0) throw new DomainError('conflict', 'The delivery was taken already');
  }
}
