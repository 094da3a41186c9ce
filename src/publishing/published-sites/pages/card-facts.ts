import { createHash } from 'node:crypto';
import type { Card } from '../../../formats/cards/card.js';
import { emojiCharacters } from '../../../formats/markdown/emoji.js';
import { customizationOfSiteSpace } from '../../sites/customization.service.js';
import { addressBelow, siteSpacePath } from './domain/site-paths.js';
import { pageAncestors, shortTitle, type TreePage } from './domain/space-tree.js';
import { pictureColors } from './domain/theme.js';
import type { SitePlace } from './site-place.js';

/** The path of cards, below the address of a site space: behind it stands the id of the page. */
export const CARDS_PATH = '~gitbook/ogimage';

/** The content of a card, with its pictures by their addresses. */
export interface CardFacts extends Omit<Card, 'logo' | 'icon'> {
  readonly logo: string | undefined;
  readonly icon: { readonly address: string } | { readonly emoji: string } | undefined;
}

/** The address of the card of a page, which changes with its words, settings and colours: services keep what they read. */
export function cardAddress(place: SitePlace, page: TreePage): string {
  const { visit, row, base, origin } = place;
  const path = addressBelow(base + siteSpacePath(visit.rows, row), `${CARDS_PATH}/${page.item.id}`);
  const version = createHash('sha256')
    .update(JSON.stringify(cardFacts(place, page)))
    .digest('base64url')
    .slice(0, 10);
  return `${origin}${path}${place.isStatic ? `/${version}.png` : `?v=${version}`}`;
}

/** The words, colours and pictures of the card of a page. */
export function cardFacts({ visit, row, section }: SitePlace, page: TreePage): CardFacts {
  const settings = customizationOfSiteSpace(visit.site, row);
  const { favicon, header, themes } = settings;
  const variants = visit.rows.siteSpaces.filter(({ sectionId }) => sectionId === row.sectionId);
  const { description } = page.item.props;
  const trail = [
    ...(section && visit.rows.sections.length > 1 ? [section.title] : []),
    ...(variants.length > 1 ? [row.title] : []),
    ...pageAncestors(page).map(shortTitle),
  ];
  return {
    title: page.item.title,
    description: typeof description === 'string' ? description : '',
    trail: trail.join(' / '),
    site: settings.title ?? visit.site.title,
    logo: header.logo?.[themes.default],
    icon:
      'icon' in favicon
        ? { address: favicon.icon[themes.default] }
        : 'emoji' in favicon
          ? { emoji: emojiCharacters(favicon.emoji) ?? favicon.emoji }
          : undefined,
    colors: pictureColors(settings, themes.default),
  };
}
