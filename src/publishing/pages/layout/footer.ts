import type { Element } from 'hast';
import { h } from 'hastscript';
import { linkTo } from './elements.js';
import type { Frame } from './view.js';

/** What stands below all pages of a site; nothing where its settings name nothing. */
export function footer({ settings, footer: groups, siteTitle, words }: Frame): Element | undefined {
  const { logo, copyright } = settings.footer;
  const privacy = settings.privacyPolicy.url;
  if (groups.length === 0 && !logo && copyright === undefined && privacy === undefined) return undefined;
  const target = settings.externalLinks.target;
  const isSameLogo = logo?.light === logo?.dark;
  return h('footer.site-footer', [
    h('div.footer-columns', [
      logo && h('div.footer-logo', [h('img', { className: isSameLogo ? [] : ['only-light'], src: logo.light, alt: siteTitle, loading: 'lazy' }), !isSameLogo && h('img.only-dark', { src: logo.dark, alt: siteTitle, loading: 'lazy' })]),
      ...groups.map(({ title, links }) => h('nav', { ariaLabel: title }, [h('p.footer-title', title), h('ul', links.map((link) => h('li', [linkTo(link, target)])))])),
    ]),
    (copyright !== undefined || privacy !== undefined) && h('p.footer-line', [copyright !== undefined && h('span', copyright), privacy !== undefined && h('a', { href: privacy, rel: 'noopener' }, words.privacy)]),
  ]);
}
