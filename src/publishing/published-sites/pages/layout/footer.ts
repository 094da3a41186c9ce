import type { Element } from 'hast';
import { el, linkTo } from './elements.js';
import { socialLinks } from './social-links.js';
import type { Frame } from './view.js';

/** What stands below all pages of a site; nothing where its settings name nothing. */
export function footer({ settings, footer: groups, social, siteTitle, words }: Frame): Element | undefined {
  const { logo, copyright } = settings.footer;
  const privacy = settings.privacyPolicy.url;
  const accounts = social.filter(({ inFooter }) => inFooter);
  if (groups.length === 0 && accounts.length === 0 && !logo && copyright === undefined && privacy === undefined)
    return undefined;
  const target = settings.externalLinks.target;
  const isSameLogo = logo?.light === logo?.dark;
  return el('footer.site-footer', [
    (groups.length > 0 || logo) &&
      el('div.footer-columns', [
        logo &&
          el('div.footer-logo', [
            el('img', { className: isSameLogo ? [] : ['on-light'], src: logo.light, alt: siteTitle, loading: 'lazy' }),
            !isSameLogo && el('img.on-dark', { src: logo.dark, alt: siteTitle, loading: 'lazy' }),
          ]),
        ...groups.map(({ title, links }) =>
          el('nav', { ariaLabel: title }, [
            el('p.footer-title', title),
            el(
              'ul',
              links.map((link) => el('li', [linkTo(link, target)])),
            ),
          ]),
        ),
      ]),
    accounts.length > 0 && el('nav.footer-social', { ariaLabel: words.social }, [socialLinks(accounts)]),
    (copyright !== undefined || privacy !== undefined) &&
      el('p.footer-line', [
        copyright !== undefined && el('span', copyright),
        privacy !== undefined && el('a', { href: privacy, rel: 'noopener' }, words.privacy),
      ]),
  ]);
}
