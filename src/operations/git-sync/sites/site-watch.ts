import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '../../../kernel/platform/jobs/jobs.js';
import { OutboxRelay } from '../../../kernel/platform/outbox-relay.js';
import type { OutboxEvent } from '../../../kernel/platform/outbox.js';
import { GitSyncQueue } from '../git-sync-queue.js';
import { SiteLinks } from './site-links.js';
import { SiteStates } from './site-states.js';
import { SiteSyncer } from './site-syncer.service.js';

export const SITE_SYNC_CONSUMER = 'git-site-sync';

/** Events of a space by which the file of a site can change: its title, its language, and whether it is there. */
const SPACE_EVENTS: ReadonlySet<string> = new Set(['space_updated', 'space_deleted', 'space_restored']);

/**
 * Notices that the structure of a site has changed, by its events, or the file of the branch, by looking at it now and then, and that
 * pages have moved which other spaces of the site link to.
 */
@Injectable()
export class SiteWatch implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly relay: OutboxRelay,
    private readonly states: SiteStates,
    private readonly syncer: SiteSyncer,
    private readonly links: SiteLinks,
    private readonly queue: GitSyncQueue,
  ) {}

  onModuleInit(): void {
    this.relay.register(SITE_SYNC_CONSUMER, (events) => this.follow(events), { everywhere: false });
    this.jobs.handle('git-sync.look-at-sites', () => this.states.enqueueDue());
    this.jobs.handle('git-sync.site', ({ installation, ifMoved = false }, run) =>
      this.syncer.sync(installation, run.signal, { ifMoved }),
    );
  }

  private async follow(events: readonly OutboxEvent[]): Promise<void> {
    const sites = events.flatMap(({ type, target, payload }) => {
      if (type === 'site_updated') return [target];
      const { siteId } = payload as { readonly siteId?: unknown };
      return /^site_(?:space|section|external_link)/.test(type) && typeof siteId === 'string' ? [siteId] : [];
    });
    const spaces = events.flatMap(({ type, spaceId }) => (SPACE_EVENTS.has(type) && spaceId !== null ? [spaceId] : []));
    await this.states.enqueueOf(sites, spaces);
    const revisions = events.flatMap(({ type, spaceId, payload }) =>
      type === 'space_content_updated' && spaceId !== null ? [{ space: spaceId, revision: payload.revisionId }] : [],
    );
    for (const id of await this.links.noteMoved(revisions)) await this.queue.add(id);
  }
}
