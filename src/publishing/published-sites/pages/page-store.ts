import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Inject, Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { INTEGRATION_RENDERERS } from '../../../authoring/content/content.points.js';
import { Addresses } from '../../../kernel/common/addresses.js';
import { Clock } from '../../../kernel/common/clock.js';
import { Secrets } from '../../../kernel/common/secrets.js';
import { CONFIG, type Config } from '../../../kernel/platform/config/config.js';
import { Registry } from '../../../kernel/platform/manifest/registry.js';
import { reasonOf } from '../../../kernel/platform/operator-error.js';
import { DiskCache } from '../../../kernel/platform/storage/disk-cache.js';
import { VERSION } from '../../../version.js';
import type { SiteSpaceRow } from '../../sites/structure.schema.js';
import type { Visit } from '../visit.js';
import { HtmlBody } from './html-body.js';
import { decodePage, encodePage, type StoredPage } from './stored-page.js';
import { isSameForAll, type SitePlace } from './site-place.js';

const FOLDER = 'published-pages';
const MEGABYTE = 1024 ** 2;
const DAY = 24 * 3600 * 1000;
/** Milliseconds after which a page is made again, so that nothing of a site that is gone stays for long. */
const LIFETIME = 7 * DAY;
/** Pages that wait to be written; more are not stored. */
const MOST_WAITING = 500;
/** Milliseconds between two warnings of a folder that cannot be written. */
const SILENCE = 60_000;
/** The compiled sources of the service. */
const SOURCES = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Pages of public sites on disk, as they are sent: for the next start, for the other processes on the machine, and for
 * what memory has no room for. Pages that not everybody gets are never among them. A page is known by the version of
 * the program, the settings and everything of the site that it follows from beside the revisions, which its reader
 * compares.
 */
@Injectable()
export class PageStore implements BeforeApplicationShutdown {
  private readonly logger = new Logger('PageStore');
  private readonly limit: number;
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
    this.limit = config.publishedPagesDiskMb * MEGABYTE;
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
    if (this.isOver || this.limit === 0 || page.isProvisional || !(body instanceof HtmlBody)) return;
    const name = nameOf(place, key);
    if (this.waiting.size >= MOST_WAITING && !this.waiting.has(name)) return;
    this.waiting.set(name, async () => {
      const cache = await this.of(place);
      await cache?.put(name, await encodePage(page, body, this.stateOf(place, key)));
    });
    this.writing ??= this.write().finally(() => (this.writing = undefined));
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
    if (this.limit === 0 || !isSameForAll(visit)) return undefined;
    return (this.opening ??= this.open());
  }

  /** Renderers of other modules may answer otherwise after a start. */
  private async open(): Promise<DiskCache | undefined> {
    if (this.registry.contributionsTo(INTEGRATION_RENDERERS).length > 0) return undefined;
    const { port: _port, publicPort: _publicPort, ...settings } = this.config;
    this.version = this.secrets.sign(
      'published-page',
      JSON.stringify([VERSION, process.version, await stateOfFolder(SOURCES), this.registry.modules, settings]),
    );
    const cache = new DiskCache(join(this.config.dataDir, FOLDER), this.limit, LIFETIME);
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

/** Changes with each new build of the sources in a folder. */
async function stateOfFolder(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.[jt]s$/.test(name)).sort();
  const facts = await Promise.all(names.map((name) => stat(join(folder, name))));
  for (const [index, { size, mtimeMs }] of facts.entries()) hash.update(`${names[index] ?? ''} ${size} ${mtimeMs}\n`);
  return hash.digest('hex');
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
