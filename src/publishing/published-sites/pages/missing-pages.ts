import { Injectable } from '@nestjs/common';
import { RateLimit } from '../../../kernel/platform/rate-limit/rate-limit.js';
import type { HttpResponse } from './http-response.js';
import { ReaderCounts } from './reader-counts.js';
import type { RequestedResource } from './requested-resource.js';
import type { SiteRequest } from './site-place.js';
import { SystemPages } from './system-pages.js';

/** Answers requests for addresses without a page, which are limited for each reader and counted. */
@Injectable()
export class MissingPages {
  constructor(
    private readonly limit: RateLimit,
    private readonly counts: ReaderCounts,
    private readonly own: SystemPages,
  ) {}

  async answer(site: SiteRequest, { path, wantsPage, isHead, reader }: RequestedResource): Promise<HttpResponse> {
    await this.limit.admitReader(reader.ip);
    if (wantsPage && !isHead) this.counts.missed(site, path, reader);
    return this.own.notFound(site, path);
  }
}
