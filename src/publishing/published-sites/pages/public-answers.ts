import { Injectable } from '@nestjs/common';
import { Cache, textBytes } from '../../../kernel/common/cache.js';
import type { PublicHandler } from '../../../kernel/platform/public-listener.js';
import { PublishedVersions } from '../published-versions.js';
import { SharedCache } from '../shared-cache/shared-cache.js';
import { sendResponse, withReferrers, type HttpResponse } from './http-response.js';
import { KeptPages } from './kept-pages.js';
import { ReaderCounts } from './reader-counts.js';
import type { SitePlace } from './site-place.js';
import { SiteRequestReader } from './site-request-reader.js';
import { StoredAddresses } from './stored-addresses.js';

/** Addresses among which those that were read most are looked for, from the last one on. */
const ADDRESSES_LOOKED_AT = 10_000;
/** Bytes of an address beside its keys. */
const BYTES_OF_ADDRESS = 300;

/** A page that was read at an address. */
export interface ReadAddress {
  /** Equal for requests that say the same. */
  readonly key: string;
  readonly host: string;
  /** The address as it was requested. */
  readonly url: string;
  readonly place: SitePlace;
  /** The path of the address as readers see it. */
  readonly path: string;
  /** The key of the page among those that are kept. */
  readonly page: string;
  /** How often it was read since it was remembered first. */
  reads: number;
}

/**
 * Answers requests for pages of public sites that were made before with the same address and nothing else: without
 * finding the site and the page again, and without a statement.
 */
@Injectable()
export class PublicAnswers {
  private readonly known = new Cache<ReadAddress>({
    share: 4,
    weigh: ({ page }) => textBytes(page) + BYTES_OF_ADDRESS,
  });

  constructor(
    private readonly requests: SiteRequestReader,
    private readonly kept: KeptPages,
    private readonly versions: PublishedVersions,
    private readonly readers: ReaderCounts,
    private readonly shared: SharedCache,
    private readonly stored: StoredAddresses,
  ) {}

  readonly handle: PublicHandler = (request, response, next) => {
    const key = this.requests.plainKeyOf(request);
    const address = key === undefined ? undefined : this.known.get(key);
    const answer = address && this.current(address);
    if (!address || !answer) return next();
    address.reads++;
    const { reader, hidesSender } = this.requests.sender(request);
    if (answer.page !== undefined) this.readers.viewed(address.place, answer.page, address.path, reader);
    withReferrers(response, hidesSender);
    sendResponse(this.shared.marked(answer, address.place.visit), request, response).catch(next);
  };

  /** Remembers a page that everybody gets who sends such a request. */
  remember(key: string, place: SitePlace, pathname: string, path: string, answer: HttpResponse): void {
    if (!place.visit.read) return;
    const page = this.kept.keyOf(place, pathname);
    this.stored.note(key, place, page, answer);
    const [origin = '', url = ''] = key.split(' ');
    const host = origin.slice(origin.indexOf('//') + 2);
    const reads = (this.known.peek(key)?.reads ?? 0) + 1;
    this.known.set(key, { key, host, url, place, path, page, reads });
  }

  /** Notes for a start without the database that a page stands at an address after a change as well. */
  renew({ key }: ReadAddress, place: SitePlace, pathname: string, answer: HttpResponse): void {
    this.stored.note(key, place, this.kept.keyOf(place, pathname), answer);
  }

  /** The addresses of an organization's sites that were read most, at most `limit` of those that were read last. */
  readMost(organizationId: string, limit: number): ReadAddress[] {
    const found: ReadAddress[] = [];
    let looked = 0;
    for (const address of this.known.values()) {
      if (++looked > ADDRESSES_LOOKED_AT) break;
      if (address.place.visit.site.organizationId === organizationId) found.push(address);
    }
    return found.sort((one, other) => other.reads - one.reads).slice(0, limit);
  }

  private current({ place, page }: ReadAddress): HttpResponse | undefined {
    const { site, read } = place.visit;
    return read && this.versions.isCurrent(site.organizationId, read) ? this.kept.asRead(page, place) : undefined;
  }
}
