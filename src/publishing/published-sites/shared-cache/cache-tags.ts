/** The header that names the tags of an answer, with spaces between them (Fastly, Varnish). */
export const SURROGATE_KEY = 'Surrogate-Key';

/** Facts of a page that shared caches may keep. */
export interface TaggedPage {
  readonly organizationId: string;
  readonly siteId: string;
  readonly spaceId: string;
  readonly pageId: string;
  /** Other spaces that the page shows something of. */
  readonly others: Iterable<string>;
  readonly showsSpecifications: boolean;
  readonly showsVerification: boolean;
}

/** All that is served of a site. */
const siteTag = (siteId: string): string => `site-${siteId}`;
/** Texts about all pages of the site, such as its sitemap. */
const textsTag = (siteId: string): string => `texts-${siteId}`;
/** All pages of a space. */
const spaceTag = (spaceId: string): string => `space-${spaceId}`;
/** Pages elsewhere that show something of a space. */
const usedTag = (spaceId: string): string => `used-${spaceId}`;
const pageTag = (pageId: string): string => `page-${pageId}`;
/** Pages that lead to other spaces, whose addresses other sites of the organization have a part in. */
const linksTag = (organizationId: string): string => `links-${organizationId}`;
const specificationsTag = (organizationId: string): string => `specifications-${organizationId}`;
const verificationsTag = (organizationId: string): string => `verifications-${organizationId}`;

/** The tags of a page. */
export function tagsOfShownPage(page: TaggedPage): string {
  const { organizationId, siteId, spaceId, pageId, showsSpecifications, showsVerification } = page;
  const others = [...page.others];
  return [
    siteTag(siteId),
    spaceTag(spaceId),
    pageTag(pageId),
    ...others.map(usedTag),
    ...(others.length > 0 ? [linksTag(organizationId)] : []),
    ...(showsSpecifications ? [specificationsTag(organizationId)] : []),
    ...(showsVerification ? [verificationsTag(organizationId)] : []),
  ].join(' ');
}

/** The tags of a text about all pages of a site. */
export const tagsOfTexts = (siteId: string): string => `${siteTag(siteId)} ${textsTag(siteId)}`;

/** Changes of one part of what sites show, and what tells that it is another. */
export type PartKind = 'site' | 'space' | 'specifications' | 'verifications';

/** A part of what the sites of an organization show: `id` is that of the site or space, or of the organization. */
export interface ShownPart {
  readonly organizationId: string;
  readonly kind: PartKind;
  readonly id: string;
  /** Sites that show the space, with spaces between them. */
  readonly sites: string;
}

/** The tags of all that shows a part; `pages` are those of a space of which nothing but the texts has changed. */
export function tagsOfChange({ organizationId, kind, id, sites }: ShownPart, pages?: ReadonlySet<string>): string[] {
  const texts = sites === '' ? [] : sites.split(' ').map(textsTag);
  switch (kind) {
    case 'site':
      return [siteTag(id), linksTag(organizationId)];
    case 'space':
      return [...(pages ? [...pages].map(pageTag) : [spaceTag(id)]), usedTag(id), ...texts];
    case 'specifications':
      return [specificationsTag(organizationId), ...texts];
    case 'verifications':
      return [verificationsTag(organizationId)];
  }
}
