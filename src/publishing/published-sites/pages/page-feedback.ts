import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/common/errors.js';
import { RateLimit } from '../../../kernel/platform/rate-limit/rate-limit.js';
import { addressBelow } from './domain/site-paths.js';
import { redirect, type HttpResponse } from './http-response.js';
import { ReaderCounts } from './reader-counts.js';
import type { RequestedResource } from './requested-resource.js';
import { pagePath, type SitePlace, type SiteRequest } from './site-place.js';
import { SpaceTrees } from './space-trees.js';
import { SystemPages } from './system-pages.js';

/** Where readers say what they think of a page, below the address of a site. */
export const FEEDBACK_PATH = '~feedback';

const RATINGS = ['good', 'ok', 'bad'] as const;

/** Takes what readers of a site say of its pages. */
@Injectable()
export class PageFeedback {
  constructor(
    private readonly trees: SpaceTrees,
    private readonly own: SystemPages,
    private readonly readers: ReaderCounts,
    private readonly limit: RateLimit,
  ) {}

  /** Thanks for it, with a way back to the page. */
  async thanks(site: SiteRequest, { query, reader }: RequestedResource): Promise<HttpResponse> {
    await this.limit.admitReader(reader.ip);
    return this.own.thanks(
      site,
      (await this.pageById(site, query.get('page') ?? ''))?.href ?? addressBelow(site.base, ''),
    );
  }

  /** Takes what a reader says of a page. Throws `invalid` for what is no rating, and for a page that is not there. */
  async take(site: SiteRequest, wanted: RequestedResource, form: URLSearchParams): Promise<HttpResponse> {
    await this.limit.admitReader(wanted.reader.ip);
    const rating = RATINGS.find((each) => each === form.get('rating'));
    const found = await this.pageById(site, form.get('page') ?? '');
    if (!rating || !found) throw new DomainError('invalid', 'A rating of a page of this site is needed');
    this.readers.rated(
      found.place,
      found.id,
      { rating, comment: (form.get('comment') ?? '').trim() },
      found.href,
      wanted.reader,
    );
    if (wanted.asData)
      return {
        status: 200,
        headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
        body: JSON.stringify({ message: this.own.words(site).thanks }),
      };
    return redirect(
      `${addressBelow(site.base, '')}/${FEEDBACK_PATH}?page=${encodeURIComponent(found.id)}`.replace('//', '/'),
      {},
      303,
    );
  }

  /** A page of any space of the site that the visitor sees. */
  private async pageById(
    site: SiteRequest,
    id: string,
  ): Promise<{ readonly place: SitePlace; readonly id: string; readonly href: string } | undefined> {
    for (const row of id === '' ? [] : site.visit.rows.siteSpaces) {
      const { tree } = await this.trees.of(site.visit, row);
      const page = tree.byId.get(id);
      const section = site.visit.rows.sections.find((each) => each.id === row.sectionId);
      if (page) return { place: { ...site, row, section }, id, href: pagePath(site, row, tree, page) };
    }
    return undefined;
  }
}
