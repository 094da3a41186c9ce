import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/common/errors.js';
import { RateLimit } from '../../../kernel/platform/rate-limit/rate-limit.js';
import { RATINGS } from '../../sites/insights/events.schema.js';
import { addressBelow, FEEDBACK_PATH } from './domain/site-paths.js';
import { redirect, type HttpResponse } from './http-response.js';
import { element } from './layout/elements.js';
import { commentForm, feedbackThanks } from './layout/feedback.js';
import { MAX_COMMENT, ReaderCounts, type Rating } from './reader-counts.js';
import type { RequestedResource } from './requested-resource.js';
import { pagePath, type SitePlace, type SiteRequest } from './site-place.js';
import { SpaceTrees } from './space-trees.js';
import { SystemPages } from './system-pages.js';

/**
 * Takes what readers of a site say of its pages, in three steps: a rating, which is counted at once, then a comment if
 * they like, then thanks. Each step is a form of HTML, so that it works without scripts and cookies.
 */
@Injectable()
export class PageFeedback {
  constructor(
    private readonly trees: SpaceTrees,
    private readonly own: SystemPages,
    private readonly readers: ReaderCounts,
    private readonly limit: RateLimit,
  ) {}

  /** The step after the one that was sent: the question for a comment behind a rating, else thanks. */
  async nextStep(site: SiteRequest, { query, reader }: RequestedResource): Promise<HttpResponse> {
    await this.limit.admitReader(reader.ip);
    const page = await this.pageById(site, query.get('page') ?? '');
    const rating = ratingIn(query);
    const back = page?.href ?? addressBelow(site.base, '');
    return this.own.show(site, '', ({ words }) => ({
      status: 200,
      title: page && rating ? words.helpful : words.thanks,
      content: [
        page && rating
          ? commentForm({ action: addressBelow(site.base, FEEDBACK_PATH), page: page.id }, rating, words)
          : feedbackThanks(words),
        element('p', [element('a.button.button-secondary', { href: back }, words.back)]),
      ],
    }));
  }

  /**
   * Takes a rating of a page, or a comment on one that was taken. Throws `invalid` for what is no rating, for a page
   * that is not there, and for a comment that is too long.
   */
  async take(site: SiteRequest, { reader }: RequestedResource, form: URLSearchParams): Promise<HttpResponse> {
    await this.limit.admitReader(reader.ip);
    const rating = ratingIn(form);
    if (!rating) throw refusal('rating', `must be one of ${RATINGS.join(', ')}`);
    const found = await this.pageById(site, form.get('page') ?? '');
    if (!found) throw refusal('page', 'must be a page of this site');
    const comment = commentIn(form);
    if (comment === undefined) this.readers.rated(found.place, found.id, rating, found.href, reader);
    else if (comment !== '') this.readers.commented(found.place, found.id, { rating, comment }, found.href, reader);
    const query = new URLSearchParams({ page: found.id, ...(comment === undefined && { rating }) });
    return redirect(`${addressBelow(site.base, FEEDBACK_PATH)}?${query.toString()}`, {}, 303);
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

const ratingIn = (fields: URLSearchParams): Rating | undefined => RATINGS.find((each) => each === fields.get('rating'));

/** The comment in a form, undefined in one that asks for none. Browsers send lines that end with CR and LF. */
function commentIn(form: URLSearchParams): string | undefined {
  const comment = form.get('comment')?.replaceAll('\r\n', '\n').trim();
  if (comment !== undefined && comment.length > MAX_COMMENT)
    throw refusal('comment', `must have at most ${MAX_COMMENT} characters`);
  return comment;
}

function refusal(path: string, message: string): DomainError {
  return new DomainError('invalid', 'The feedback cannot be taken', [{ path, message }]);
}
