import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Announcements, type HeardTime } from '../../kernel/platform/announcements.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';

/** The channel on which the database announces the organizations whose sites show something else than before. */
export const PUBLISHED_CHANNEL = 'published';
/** The announcement of changes that may concern the sites of all organizations. */
export const ALL_PUBLISHED = '*';
const ORGANIZATIONS_KNOWN = 10_000;

/** The moment as of which something was read: what it says has not changed since, as far as the server knows. */
export interface ReadingMoment {
  readonly change: number;
  /** Milliseconds as `performance.now()` counts them. */
  readonly at: number;
}

/**
 * Tells whether what was read about the public sites of an organization is still true, without asking the database: it
 * announces whatever changes. Changes of this server count at once. Where announcements cannot be heard, what was read
 * is true for PUBLISHED_DELAY_SECONDS.
 */
@Injectable()
export class PublishedVersions implements OnModuleDestroy {
  private changes = 0;
  /** The last change that may concern any organization, or one that is no longer known. */
  private lastOfAll = 0;
  private readonly lastOf = new LRUCache<string, number>({
    max: ORGANIZATIONS_KNOWN,
    dispose: (change, _, reason) => {
      if (reason === 'evict') this.lastOfAll = Math.max(this.lastOfAll, change);
    },
  });
  private readonly delay: number;
  private readonly away: number;
  private stop: (() => void) | undefined;
  private readonly listeners: ((organizationId: string) => void)[] = [];

  constructor(
    @Inject(Announcements) private readonly announcements: Pick<Announcements, 'heard' | 'listen' | 'confirm'>,
    @Inject(CONFIG)
    { publishedDelaySeconds, publishedAwaySeconds }: Pick<Config, 'publishedDelaySeconds' | 'publishedAwaySeconds'>,
  ) {
    this.delay = 1000 * publishedDelaySeconds;
    this.away = 1000 * publishedAwaySeconds;
  }

  onModuleDestroy(): void {
    this.stop?.();
  }

  /** Calls `listener` with each organization whose sites show something else, or ALL_PUBLISHED. */
  onChange(listener: (organizationId: string) => void): void {
    this.listeners.push(listener);
  }

  /** The moment of whatever is read from now on. */
  now(): ReadingMoment {
    if (this.delay > 0) this.stop ??= this.announcements.listen(PUBLISHED_CHANNEL, (payload) => this.changed(payload));
    return { change: this.changes, at: performance.now() };
  }

  /** The time within which each change was told, see `Announcements.heard`. */
  get heard(): HeardTime | undefined {
    return this.announcements.heard;
  }

  /** The moment of whatever is read on a visit from now on: what it found itself may be older. */
  momentOf({ read }: { readonly read?: ReadingMoment }): ReadingMoment {
    return read ?? this.now();
  }

  /** Tells whether nothing that was read is known to have changed; always false where changes are not listened to. */
  isKnownUnchanged(organizationId: string, read: ReadingMoment): boolean {
    return this.delay > 0 && this.isUnchanged(organizationId, read);
  }

  /** Tells whether nothing that was read has changed, at the latest PUBLISHED_DELAY_SECONDS ago. */
  isCurrent(organizationId: string, read: ReadingMoment): boolean {
    if (this.delay === 0 || !this.isUnchanged(organizationId, read)) return false;
    const now = performance.now();
    const { heard } = this.announcements;
    // Asked well before its end, the connection has answered by then.
    if (heard && now - heard.until > this.delay / 2) void this.announcements.confirm();
    return now - this.lastSeen(read) <= this.delay;
  }

  /** Tells whether what was read may be shown while the database cannot be asked: no change of it is known. */
  mayStandIn(organizationId: string, read: ReadingMoment): boolean {
    return (
      this.delay > 0 &&
      this.isUnchanged(organizationId, read) &&
      performance.now() - this.lastSeen(read) <= Math.max(this.delay, this.away)
    );
  }

  private isUnchanged(organizationId: string, { change }: ReadingMoment): boolean {
    return Math.max(this.lastOfAll, this.lastOf.get(organizationId) ?? 0) <= change;
  }

  /** The last time at which the server knew what was read to be true. */
  private lastSeen({ at }: ReadingMoment): number {
    const { heard } = this.announcements;
    return heard && heard.since <= at ? Math.max(at, heard.until) : at;
  }

  private changed(payload: string): void {
    this.changes++;
    if (payload === ALL_PUBLISHED) this.lastOfAll = this.changes;
    else this.lastOf.set(payload, this.changes);
    for (const listener of this.listeners) listener(payload);
  }
}
