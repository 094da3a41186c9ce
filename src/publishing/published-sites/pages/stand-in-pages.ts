import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Addresses } from '../../../kernel/common/addresses.js';
import { Clock } from '../../../kernel/common/clock.js';
import { DATABASE_AWAY } from '../../../kernel/common/infrastructure-fault.js';
import { Secrets } from '../../../kernel/common/secrets.js';
import { webAddress } from '../../../kernel/common/web-address.js';
import type { HeardTime } from '../../../kernel/platform/announcements.js';
import type { Config } from '../../../kernel/platform/config/config.js';
import type { PublicHandler } from '../../../kernel/platform/public-listener.js';
import type { DiskCache } from '../../../kernel/platform/storage/disk-cache.js';
import { SharedCache } from '../shared-cache/shared-cache.js';
import { builtDiagrams, DiagramFiles } from './diagram-files.js';
import { sendResponse, withReferrers, type HttpResponse } from './http-response.js';
import { HtmlBody } from './html-body.js';
import { pageCache, versionOfPages } from './page-cache.js';
import { SiteAssets } from './site-assets.js';
import { SiteFonts } from './site-fonts.js';
import { SiteRequestReader } from './site-request-reader.js';
import {
  namesOfChanges,
  lastKnown,
  nameOfAddress,
  nameOfHeard,
  type HeardChange,
  type StoredAddress,
} from './stored-address.js';
import { decodePage, isOfItsTime } from './stored-page.js';

/**
 * Sends stored pages of public sites without the database: those that a server knew to be current at most
 * PUBLISHED_AWAY_SECONDS ago. Nothing is written, so a start prolongs nothing.
 */
export class StandInPages {
  private readonly cache: DiskCache;
  private readonly requests: SiteRequestReader;
  private readonly assets = new SiteAssets(new DiagramFiles(builtDiagrams()));
  private readonly fonts = new SiteFonts();
  private readonly clock = new Clock();
  private readonly shared: SharedCache;
  private readonly version: Promise<string>;
  private readonly limit: number;

  /** `modules` are the names of all modules of the service. */
  constructor(config: Config, modules: readonly string[], addresses: Addresses) {
    this.cache = pageCache(config);
    this.requests = new SiteRequestReader(addresses, config);
    this.shared = new SharedCache(this.clock, config, { replicas: undefined });
    this.version = versionOfPages(config, modules, new Secrets(config.secretKey));
    this.limit = 1000 * config.publishedAwaySeconds;
  }

  readonly handle: PublicHandler = (request, response, next) => {
    this.answer(request, response).catch(next);
  };

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = webAddress(request.url ?? '/', 'http://localhost') ?? {};
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (pathname === undefined || !isRead) throw DATABASE_AWAY;
    const asset =
      (await this.assets.answer(pathname, request.headers['accept-encoding']?.toString())) ??
      (await this.fonts.answer(pathname));
    if (asset) return sendResponse(asset, request, response);
    const key = this.requests.plainKeyOf(request);
    const page = key === undefined ? undefined : await this.find(key);
    if (!page) throw DATABASE_AWAY;
    withReferrers(response, this.requests.sender(request).hidesSender);
    await sendResponse(page, request, response);
  }

  private async find(key: string): Promise<HttpResponse | undefined> {
    const stored = await this.read<StoredAddress>(nameOfAddress(key));
    if (!stored || stored.version !== (await this.version)) return undefined;
    const changes = await Promise.all(namesOfChanges(stored).map((name) => this.read<HeardChange>(name)));
    const known = lastKnown(stored, changes, await this.read<HeardTime>(nameOfHeard(stored.writer)));
    const now = this.clock.now();
    // A time to come is of a clock that was set back since: nobody knows how long ago it was.
    const age = known === undefined ? Infinity : now.getTime() - known;
    if (age < 0 || age > this.limit) return undefined;
    const bytes = await this.cache.get(stored.page);
    const page = bytes && decodePage(bytes, stored.state);
    if (!page || !(page.answer.body instanceof HtmlBody) || page.answer.body.etag !== stored.etag) return undefined;
    if (!isOfItsTime(page, now)) return undefined;
    return this.shared.marked(page.answer, { isStale: true, read: { change: 0, at: performance.now() - age } });
  }

  private async read<Facts>(name: string): Promise<Facts | undefined> {
    const bytes = await this.cache.get(name);
    return bytes && (JSON.parse(bytes.toString()) as Facts);
  }
}
