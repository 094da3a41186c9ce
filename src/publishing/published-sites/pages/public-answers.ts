import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { PublicHandler } from '../../../kernel/platform/public-listener.js';
import { PublishedVersions } from '../published-versions.js';
import { sendResponse, withReferrers, type HttpResponse } from './http-response.js';
import { KeptPages } from './kept-pages.js';
import { ReaderCounts } from './reader-counts.js';
import type { SitePlace } from './site-place.js';
import { SiteRequestReader } from './site-request-reader.js';

/** Approximate bytes of all known addresses. */
const ADDRESSES_KNOWN = 16 * 1024 ** 2;
/** Approximate bytes of an address beside its key. */
const BYTES_OF_ADDRESS = 300;

/** The page at an address. */
interface KnownAddress {
  readonly place: SitePlace;
  /** The path of the address as readers see it. */
  readonly path: string;
  /** The key of the page among those that are kept. */
  readonly page: string;
}

/**
 * Answers requests for pages of public sites that were made before with the same address and nothing else: without
 * finding the site and the page again, and without a statement.
 */
@Injectable()
export class PublicAnswers {
  private readonly known = new LRUCache<string, KnownAddress>({
    maxSize: ADDRESSES_KNOWN,
    sizeCalculation: ({ page }, key) => 2 * (page.length + key.length) + BYTES_OF_ADDRESS,
  });

  constructor(
    private readonly requests: SiteRequestReader,
    private readonly kept: KeptPages,
    private readonly versions: PublishedVersions,
    private readonly readers: ReaderCounts,
  ) {}

  readonly handle: PublicHandler = (request, response, next) => {
    const key = this.requests.plainKeyOf(request);
    const address = key === undefined ? undefined : this.known.get(key);
    const answer = address && this.current(address);
    if (!address || !answer) return next();
    const { reader, hidesSender } = this.requests.sender(request);
    if (answer.page !== undefined) this.readers.viewed(address.place, answer.page, address.path, reader);
    withReferrers(response, hidesSender);
    sendResponse(answer, request, response).catch(next);
  };

  /** Remembers a page that everybody gets who sends such a request. */
  remember(key: string, place: SitePlace, pathname: string, path: string): void {
    if (place.visit.read) this.known.set(key, { place, path, page: this.kept.keyOf(place, pathname) });
  }

  private current({ place, page }: KnownAddress): HttpResponse | undefined {
    const { site, read } = place.visit;
    return read && this.versions.isCurrent(site.organizationId, read) ? this.kept.asRead(page, place) : undefined;
  }
}
