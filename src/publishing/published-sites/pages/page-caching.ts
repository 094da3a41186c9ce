import { endOfAddresses } from '../../../kernel/platform/storage/file-urls.js';
import { SURROGATE_KEY, tagsOfShownPage, tagsOfTexts } from '../shared-cache/cache-tags.js';
import { HTML_MEDIA_TYPE } from './html-body.js';
import type { HttpResponse } from './http-response.js';
import { dependsOnVisitor, isSameForAll, type SitePlace } from './site-place.js';
import type { PageToKeep } from './stored-page.js';

/** Characters of tags beyond which caches would refuse the header: a page that shows more of others is asked for each time. */
const MAX_TAGS = 4000;

/**
 * Pages are revalidated at each request, so that a merge is visible at once; shared caches must not store pages that
 * differ between readers. Those that do not have tags, by which `SharedCache` lets caches keep them.
 */
export function cachingOf({ visit }: Pick<SitePlace, 'visit'>): Record<string, string> {
  return dependsOnVisitor(visit)
    ? { 'Cache-Control': 'private, no-cache', Vary: 'Accept, Cookie, Accept-Encoding' }
    : {
        'Cache-Control': 'public, no-cache',
        Vary: 'Accept, Accept-Encoding',
        ...(isSameForAll(visit) && { [SURROGATE_KEY]: tagsOfTexts(visit.site.id) }),
      };
}

/** The headers of a page, and until when it may stand in caches where time changes it. */
export function cachingOfPage(
  place: SitePlace,
  pageId: string,
  { used, specifications, verification, bucket, isProvisional }: Omit<PageToKeep, 'answer'>,
): Pick<HttpResponse, 'headers' | 'until'> {
  const { [SURROGATE_KEY]: texts, ...headers }: Record<string, string> = {
    'Content-Type': HTML_MEDIA_TYPE,
    ...cachingOf(place),
  };
  if (texts === undefined || isProvisional) return { headers };
  const tags = tagsOfShownPage({
    organizationId: place.visit.site.organizationId,
    siteId: place.visit.site.id,
    spaceId: place.row.id,
    pageId,
    others: used.keys(),
    showsSpecifications: specifications.size > 0,
    showsVerification: verification !== undefined,
  });
  if (tags.length > MAX_TAGS) return { headers };
  const ends = [
    ...(verification?.shown ? [verification.shown.until.getTime()] : []),
    ...(bucket === undefined ? [] : [endOfAddresses(bucket).getTime()]),
  ];
  return { headers: { ...headers, [SURROGATE_KEY]: tags }, ...(ends.length > 0 && { until: Math.min(...ends) }) };
}
