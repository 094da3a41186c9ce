import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { TextChanges } from '../../../authoring/content/text-changes.js';
import { Clock } from '../../../kernel/common/clock.js';
import { Database } from '../../../kernel/common/database.js';
import { Announcements } from '../../../kernel/platform/announcements.js';
import { CONFIG, type Config } from '../../../kernel/platform/config/config.js';
import { BackgroundWork } from '../../../kernel/platform/jobs/background-work.js';
import { Jobs } from '../../../kernel/platform/jobs/jobs.js';
import { Metrics } from '../../../kernel/platform/telemetry/metrics.js';
import { ALL_PUBLISHED, PUBLISHED_CHANNEL } from '../published-versions.js';
import { tagsOfChange, type ShownPart } from './cache-tags.js';
import { PurgeTargets } from './purge-targets.js';
import { CHANGED_PARTS, FORGET, TOLD } from './shared-cache-state.statements.js';

/** Milliseconds after a change within which more changes are awaited, and over which servers spread that hear of it at once. */
const PAUSE = 50;
const SPREAD = 150;
/** Milliseconds after which caches are told again, beside PUBLISHED_DELAY_SECONDS: an answer under way was made before the change. */
const AGAIN = 2000;

interface ChangedPart extends ShownPart {
  /** The states before, as caches were told of it once and twice, and now. */
  readonly told: string | null;
  readonly confirmed: string | null;
  readonly now: string;
}

/**
 * Tells the caches in front of the service what has changed: within a second as the database announces it, and from
 * time to time by comparing the states of which they were told, so that nothing is forgotten. Each change is told
 * twice, since an answer that was made before it may arrive in a cache behind the first time.
 */
@Injectable()
export class Purges implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Purges');
  private readonly again: number;
  private readonly isOn: boolean;
  /** Organizations of which a change was heard, and those whose changes are told next; undefined stands for all. */
  private readonly heard = new Set<string | undefined>();
  private readonly waiting = new Set<string | undefined>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private telling: Promise<void> | undefined;
  private stop: (() => void) | undefined;
  private readonly count = { told: 0, failed: 0 };

  constructor(
    private readonly database: Database,
    private readonly announcements: Announcements,
    private readonly changes: TextChanges,
    private readonly targets: PurgeTargets,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly background: BackgroundWork,
    metrics: Metrics,
    @Inject(CONFIG)
    { sharedCacheSeconds, publishedDelaySeconds }: Pick<Config, 'sharedCacheSeconds' | 'publishedDelaySeconds'>,
  ) {
    this.isOn = sharedCacheSeconds > 0 && targets.areAny;
    this.again = AGAIN + 1000 * publishedDelaySeconds;
    this.jobs.handle('shared-cache.compare', () => (this.isOn ? this.tellOf(undefined) : Promise.resolve()));
    metrics.counter(
      'bindery_shared_cache_purges_total',
      'Tags of which caches in front of the service were told, and those of which one did not take notice',
      'result',
      () => this.count,
    );
  }

  onApplicationBootstrap(): void {
    if (!this.isOn) return;
    this.stop = this.announcements.listen(PUBLISHED_CHANNEL, (payload) => {
      const organizationId = payload === ALL_PUBLISHED ? undefined : payload;
      if (this.heard.has(organizationId)) return;
      this.heard.add(organizationId);
      this.after(PAUSE + Math.random() * SPREAD, () => {
        this.heard.delete(organizationId);
        this.tellSoon(organizationId);
      });
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.stop?.();
    for (const timer of this.timers) clearTimeout(timer);
    await this.telling;
  }

  private after(milliseconds: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work();
    }, milliseconds).unref();
    this.timers.add(timer);
  }

  private tellSoon(organizationId: string | undefined): void {
    this.waiting.add(organizationId);
    this.telling ??= this.tellWaiting().finally(() => (this.telling = undefined));
  }

  private async tellWaiting(): Promise<void> {
    for (const organizationId of this.waiting) {
      this.waiting.delete(organizationId);
      // The job tries it again.
      await this.tellOf(organizationId).catch((error: unknown) =>
        this.logger.warn(`A cache was not told of a change: ${String(error)}`),
      );
    }
  }

  /** Tells of all that has changed in an organization, or in any. */
  private async tellOf(organizationId: string | undefined): Promise<void> {
    // A restored copy is not the one whose pages stand in the caches.
    if ((await this.background.heldBy()) !== undefined) return;
    for (;;) {
      const at = this.clock.now();
      const parts = await this.database.query<ChangedPart & Record<string, unknown>>(CHANGED_PARTS, [
        organizationId ?? null,
        new Date(at.getTime() - this.again),
      ]);
      if (parts.length === 0) return;
      const tags = [...new Set((await Promise.all(parts.map((part) => this.tagsOf(part)))).flat())];
      await this.targets.purge(tags).catch((error: unknown) => {
        this.count.failed += tags.length;
        throw error;
      });
      this.count.told += tags.length;
      await this.remember(parts, at);
      if (parts.some(({ told, now }) => told !== now))
        this.after(this.again + PAUSE, () => this.tellSoon(organizationId));
    }
  }

  private async tagsOf(part: ChangedPart): Promise<readonly string[]> {
    if (part.kind !== 'space' || part.confirmed === null) return tagsOfChange(part);
    const [sequence = '', revisionId = ''] = part.confirmed.split(' ');
    const [to = '', current = ''] = part.now.split(' ');
    if (revisionId === current) return [];
    const pages = await this.changes.since(part.id, { revisionId, sequence: Number(sequence) }, Number(to));
    return tagsOfChange(part, pages);
  }

  /** Parts that were told for the first time are going to be told again; those that were told twice are over. */
  private async remember(parts: readonly ChangedPart[], at: Date): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.execute(TOLD, [
        parts.map((part) => part.organizationId),
        parts.map(({ kind }) => kind),
        parts.map(({ id }) => id),
        parts.map(({ now }) => now),
        parts.map(({ told, now, confirmed }) => (told === now ? now : confirmed)),
        at,
      ]);
      await this.database.execute(FORGET);
    });
  }
}
