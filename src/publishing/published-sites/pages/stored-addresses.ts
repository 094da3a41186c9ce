import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CONFIG } from '../../../kernel/platform/config/config.js';
import { WORKER } from '../../../kernel/platform/processes.js';
import { ALL_PUBLISHED, PublishedVersions, type ReadingMoment } from '../published-versions.js';
import { HtmlBody } from './html-body.js';
import type { HttpResponse } from './http-response.js';
import { standsIn, type StandInSettings } from './page-cache.js';
import { PageStore } from './page-store.js';
import type { SitePlace } from './site-place.js';
import { nameOfChange, nameOfHeard, timeOf } from './stored-address.js';

/** Milliseconds between two notes of how long all changes were heard, and of the same page at an address. */
const BEAT = 5000;
const ADDRESSES_KNOWN = 10_000;
/** Organizations whose changes wait for a disk that cannot be written. */
const MOST_UNWRITTEN = 1000;
const WRITER = WORKER ?? 1;

interface NotedAddress {
  readonly etag: string;
  readonly read: ReadingMoment;
}

/**
 * Notes on disk at which addresses stored pages were read, and until when they are known to be current, so that a server
 * that starts while the database is away can send them (`StandInPages`). A change is noted as soon as it is heard.
 */
@Injectable()
export class StoredAddresses implements OnModuleInit, OnModuleDestroy {
  private readonly isUsed: boolean;
  private readonly madeAt = timeOf();
  private readonly noted = new LRUCache<string, NotedAddress>({ max: ADDRESSES_KNOWN });
  private readonly unwritten = new Map<string, number>();
  private writing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private toldUntil = -Infinity;

  constructor(
    @Inject(CONFIG) config: StandInSettings,
    @Inject(PageStore) private readonly pages: Pick<PageStore, 'keepAddress' | 'note'>,
    private readonly versions: PublishedVersions,
  ) {
    this.isUsed = standsIn(config);
  }

  onModuleInit(): void {
    if (!this.isUsed) return;
    this.versions.onChange((organizationId) => this.changed(organizationId));
    this.timer = setInterval(() => void this.tell(), BEAT).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    if (this.isUsed) await this.tell();
  }

  /** Forgets what was noted before this was made, for a server that serves: nobody knows what has changed since. */
  async begin(): Promise<void> {
    if (!this.isUsed) return;
    this.unwritten.set(ALL_PUBLISHED, this.madeAt);
    await this.written();
  }

  /** Notes a page that everybody gets at an address. */
  note(address: string, place: SitePlace, key: string, { body }: HttpResponse): void {
    const { read, isStale, site } = place.visit;
    if (!this.isUsed || !read || isStale || !(body instanceof HtmlBody)) return;
    const isTrue = (moment: ReadingMoment): boolean => this.versions.isKnownUnchanged(site.organizationId, moment);
    const known = this.noted.get(address);
    const isRecent = known && isTrue(known.read) && (this.isCovered(known.read) || read.at - known.read.at < BEAT);
    if (isRecent && known.etag === body.etag) return;
    const isKept = this.pages.keepAddress(address, place, key, {
      etag: body.etag,
      at: timeOf(read.at),
      writer: WRITER,
      isTrue: () => isTrue(read),
    });
    if (isKept) this.noted.set(address, { etag: body.etag, read });
  }

  private isCovered({ at }: ReadingMoment): boolean {
    const { heard } = this.versions;
    return heard !== undefined && heard.since <= at;
  }

  private changed(organizationId: string): void {
    const isMuch = this.unwritten.size >= MOST_UNWRITTEN;
    if (isMuch) this.unwritten.clear();
    this.unwritten.set(isMuch ? ALL_PUBLISHED : organizationId, timeOf());
    void this.written();
  }

  /** Notes for how long all changes were heard, once each of them is on disk. */
  private async tell(): Promise<void> {
    await this.written();
    const { heard } = this.versions;
    if (!heard || this.unwritten.size > 0 || this.noted.size === 0 || heard.until <= this.toldUntil) return;
    const { since, until } = heard;
    const isWritten = await this.pages.note(nameOfHeard(WRITER), { since: timeOf(since), until: timeOf(until) });
    if (isWritten) this.toldUntil = until;
  }

  private async written(): Promise<void> {
    this.writing ??= this.writeChanges().finally(() => (this.writing = undefined));
    await this.writing;
  }

  private async writeChanges(): Promise<void> {
    for (;;) {
      const [first] = this.unwritten;
      if (!first) return;
      const [organizationId, at] = first;
      if (!(await this.pages.note(nameOfChange(organizationId), { at }))) return;
      if (this.unwritten.get(organizationId) === at) this.unwritten.delete(organizationId);
    }
  }
}
