import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { INTEGRATION_RENDERERS } from '../../../authoring/content/content.points.js';
import { Addresses } from '../../../kernel/common/addresses.js';
import { Clock } from '../../../kernel/common/clock.js';
import { Secrets } from '../../../kernel/common/secrets.js';
import { CONFIG, type Config } from '../../../kernel/platform/config/config.js';
import { Registry } from '../../../kernel/platform/manifest/registry.js';
import { reasonOf } from '../../../kernel/platform/operator-error.js';
import type { DiskCache } from '../../../kernel/platform/storage/disk-cache.js';
import type { SiteSpaceRow } from '../../sites/structure.schema.js';
import type { Visit } from '../visit.js';
import { HtmlBody } from './html-body.js';
import { LIFETIME, pageCache, versionOfPages } from './page-cache.js';
import { nameOfAddress, type StoredAddress } from './stored-address.js';
import { decodePage, encodePage, type StoredPage } from './stored-page.js';
import { isSameForAll, type SitePlace } from './site-place.js';

const DAY = 24 * 3600 * 1000;
/** Pages that wait to be written; more are not stored. */
const MOST_WAITING = 500;
/** Milliseconds between two warnings of a folder that cannot be written. */
const SILENCE = 60_000;
/** The answer at an address, and whether it is still known to be that when it is written. */
export interface AddressToKeep extends Pick<StoredAddress, 'etag' | 'at' | 'writer'> {
  readonly isTrue: () => boolean;
}

/**
 * Pages of public sites on disk, as they are sent: for the next start, for the other processes on the machine, and for
 * what memory has no room for. Pages that not everybody gets are never among them. A page is known by the version of
 * the program, the settings and everything of the site that it follows from beside the revisions, which its reader
 * compares.
 */
@Injectable()
export class PageStore implements BeforeApplicationShutdown {
  private readonly logger = new Logger('PageStore');
  private readonly isOff: boolean;
  private readonly waiting = new Map<string, () => Promise<void>>();
  private readonly states = new WeakMap<object, string>();
  private opening: Promise<DiskCache | undefined> | undefined;
  private version = '';
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;
  private isOver = false;
  private warnedAt = -Infinity;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly registry: Registry,
    private readonly secrets: Secrets,
    private readonly addresses: Addresses,
    private readonly clock: Clock,
  ) {
    this.isOff = config.publishedPagesDiskMb === 0;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isOver = true;
    clearInterval(this.timer);
    await this.written();
  }

  /** Returns once no page waits to be written. */
  async written(): Promise<void> {
    await this.writing;
  }

  /** The page that was stored with this key, of any revision; undefined if there is none. */
  async find(place: SitePlace, key: string): Promise<StoredPage | undefined> {
    const cache = await this.of(place);
    if (!cache) return undefined;
    const bytes = await cache.get(nameOf(place, key));
    const page = bytes && decodePage(bytes, this.stateOf(place, key));
    return page && this.clock.now().getTime() - page.madeAt.getTime() <= LIFETIME ? page : undefined;
  }

  /** Stores a page behind the requests. */
  keep(place: SitePlace, key: string, page: StoredPage): void {
    const { body } = page.answer;
    if (page.isProvisional || !(body instanceof HtmlBody)) return;
    const name = nameOf(place, key);
    this.enqueue(name, async () => {
      const cache = await this.of(place);
      await cache?.put(name, await encodePage(page, body, this.stateOf(place, key)));
    });
  }

  /**
   * Stores behind the requests that the page with a key stands at an address, if that is still true then; false if too
   * much waits.
   */
  keepAddress(address: string, place: SitePlace, key: string, { isTrue, ...facts }: AddressToKeep): boolean {
    const name = nameOfAddress(address);
    return this.enqueue(name, async () => {
      const cache = await this.of(place);
      if (!cache || !isTrue()) return;
      const { organizationId } = place.visit.site;
      const page = { page: nameOf(place, key), state: this.stateOf(place, key) };
      const stored: StoredAddress = { version: this.version, organizationId, ...page, ...facts };
      await cache.put(name, [Buffer.from(JSON.stringify(stored))]);
    });
  }

  /** Stores what is known of stored pages at once; false if that failed. */
  async note(name: string, facts: object): Promise<boolean> {
    try {
      const cache = await this.opened();
      await cache?.put(name, [Buffer.from(JSON.stringify(facts))]);
      return true;
    } catch (error) {
      this.warn(error);
      return false;
    }
  }

  private enqueue(name: string, put: () => Promise<void>): boolean {
    if (this.isOver || this.isOff || (this.waiting.size >= MOST_WAITING && !this.waiting.has(name))) return false;
    this.waiting.set(name, put);
    this.writing ??= this.write().finally(() => (this.writing = undefined));
    return true;
  }

  /** Writes one page after another, and those that are still waiting when the server ends. */
  private async write(): Promise<void> {
    for (const [name, put] of this.waiting) {
      this.waiting.delete(name);
      await put().catch((error: unknown) => this.warn(error));
    }
  }

  private warn(error: unknown): void {
    const now = performance.now();
    if (now - this.warnedAt < SILENCE) return;
    this.warnedAt = now;
    this.logger.warn(`Published pages cannot be stored below DATA_DIR: ${reasonOf(error)}`);
  }

  private async of({ visit }: SitePlace): Promise<DiskCache | undefined> {
    return isSameForAll(visit) ? this.opened() : undefined;
  }

  private async opened(): Promise<DiskCache | undefined> {
    return this.isOff ? undefined : (this.opening ??= this.open());
  }

  /** Renderers of other modules may answer otherwise after a start. */
  private async open(): Promise<DiskCache | undefined> {
    if (this.registry.contributionsTo(INTEGRATION_RENDERERS).length > 0) return undefined;
    this.version = await versionOfPages(this.config, this.registry.modules, this.secrets);
    const cache = pageCache(this.config);
    const trim = (): void => void cache.trim().catch((error: unknown) => this.warn(error));
    this.timer = setInterval(trim, DAY).unref();
    trim();
    return cache;
  }

  /**
   * Equal for pages that follow from the same, beside the revisions of spaces. The stamp of the site is not enough: a
   * database that is restored may give it again for something else.
   */
  private stateOf({ visit }: SitePlace, key: string): string {
    const { site } = visit;
    const known = this.states.get(visit) ?? digest(JSON.stringify([site, structureOf(visit)]));
    this.states.set(visit, known);
    return digest(JSON.stringify([this.version, this.addresses.public, known, key]));
  }
}

/** The structure of a site, without what each revision of its spaces changes. */
function structureOf({ rows }: Visit): object {
  const withoutHead = ({
    revisionId: _id,
    sequence: _sequence,
    version: _version,
    updatedAt: _at,
    ...row
  }: SiteSpaceRow) => row;
  return { ...rows, siteSpaces: rows.siteSpaces.map(withoutHead) };
}

/** One name for each page, whatever else its key says: a page takes the place of the one before. */
function nameOf({ visit, row, base, origin }: SitePlace, key: string): string {
  const pathname: unknown = (JSON.parse(key) as unknown[]).at(-1);
  return digest(JSON.stringify([visit.site.id, row.siteSpaceId, base, origin, pathname]));
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
