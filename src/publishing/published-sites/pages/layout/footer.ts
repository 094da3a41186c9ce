import type { Element } from 'hast';
import { element, linkTo } from './elements.js';
import { socialLinks } from './social-links.js';
import type { PageShell } from './view.js';

/** The footer of all pages of a site; nothing if it is not configured. */
export function footer({ settings, footer: groups, social, siteTitle, words }: PageShell): Element | undefined {
  const { logo, copyright } = settings.footer;
  const statements = [
    { title: words.privacy, href: settings.privacyPolicy.url },
    { title: words.accessibility, href: settings.accessibilityStatement.url },
  ].filter(({ href }) => href !== undefined);
  const accounts = social.filter(({ inFooter }) => inFooter);
  if (groups.length === 0 && accounts.length === 0 && !logo && copyright === undefined && statements.length === 0)
    return undefined;
  const target = settings.externalLinks.target;
  const isSameLogo = logo?.light === logo?.dark;
  return element('footer.site-footer', [
    (groups.length > 0 || logo) &&
      element('div.footer-columns', [
        logo &&
          element('div.footer-logo', [
            element('img', {
              className: isSameLogo ? [] : ['on-light'],
              src: logo.light,
              alt: siteTitle,
              loading: 'lazy',
            }),
            !isSameLogo && element('img.on-dark', { src: logo.dark, alt: siteTitle, loading: 'lazy' }),
          ]),
        ...groups.map(({ title, links }) =>
          element('nav', { ariaLabel: title }, [
            element('p.footer-title', title),
            element(
              'ul',
              links.map((link) => element('li', [linkTo(link, target)])),
            ),
          ]),
        ),
      ]),
    accounts.length > 0 && element('nav.footer-social', { ariaLabel: words.social }, [socialLinks(accounts)]),
    (copyright !== undefined || statements.length > 0) &&
      element('p.footer-line', [
        copyright !== undefined && element('span', copyright),
        ...statements.map(({ title, href }) => element('a', { href, rel: 'noopener' }, title)),
      ]),
  ]);
}
