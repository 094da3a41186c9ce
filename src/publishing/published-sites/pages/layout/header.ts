import type { Element } from 'hast';
import { el, linkTo, spoken, symbol } from './elements.js';
import { pageIcon } from './page-icon.js';
import { socialLinks } from './social-links.js';
import type { Announcement, Frame, HeaderLink, Tab } from './view.js';

/** Everything above a page: its announcement, the bar with the site's name, the search and links, and the sections as tabs. */
export function header(frame: Frame, query = ''): Element[] {
  const { settings, words, announcement } = frame;
  const accounts = frame.social.filter(({ inHeader }) => inHeader);
  const hasTabs = frame.tabs.length > 1 || frame.tabs.some(({ tabs }) => tabs !== undefined);
  return [
    el('a.skip', { href: '#pageContent' }, words.skip),
    ...(announcement ? [banner(announcement, frame)] : []),
    el('header.site-header', { dataSearch: settings.styling.search }, [
      el('div.bar', [
        el('a.button-plain.menu-button', { href: '#siteNavigation', ariaLabel: words.menu }, [symbol('menu')]),
        brand(frame),
        searchForm(frame, query),
        el('div.bar-end', [
          frame.header.length > 0 &&
            el(
              'ul.header-links',
              frame.header.map((link) => headerLink(link, frame)),
            ),
          accounts.length > 0 && socialLinks(accounts),
          settings.themes.toggeable &&
            el('button.button-plain.theme-toggle', { type: 'button', ariaLabel: words.theme }, [
              symbol('sun'),
              symbol('moon'),
            ]),
        ]),
      ]),
      hasTabs &&
        el('nav.tabs-bar', { ariaLabel: words.sections }, [
          el(
            'ul',
            frame.tabs.map((tab) => tabOf(tab, frame)),
          ),
        ]),
    ]),
  ];
}

function brand({ settings, siteTitle, home }: Frame): Element {
  const { logo, preset } = settings.header;
  if (preset === 'none') return el('span.brand', []);
  const isSameLogo = logo?.light === logo?.dark;
  const content = logo
    ? [
        el('img', { className: isSameLogo ? [] : ['on-light'], src: logo.light, alt: siteTitle, height: 32 }),
        !isSameLogo && el('img.on-dark', { src: logo.dark, alt: siteTitle, height: 32 }),
      ]
    : [siteMark(settings.favicon, siteTitle), el('span.brand-title', siteTitle)];
  return el('a.brand', { href: home }, content);
}

/** The icon of the site beside its title: its favicon, or its first letter. */
function siteMark(favicon: Frame['settings']['favicon'], title: string): Element {
  if ('emoji' in favicon) {
    const icon = pageIcon({ emoji: favicon.emoji }, 'regular');
    if (icon) return icon;
  }
  if ('icon' in favicon) return el('img.brand-icon', { src: favicon.icon.light, alt: '', width: 28, height: 28 });
  return el('span.brand-mark', { ariaHidden: 'true' }, [...title.trim()][0]?.toLocaleUpperCase() ?? '');
}

function searchForm({ base, words, siteSpace }: Frame, query: string): Element {
  return el('form.search', { role: 'search', action: `${base}/~search`, method: 'get' }, [
    symbol('search'),
    el('input', {
      type: 'search',
      name: 'q',
      value: query,
      placeholder: words.searchFor,
      ariaLabel: words.searchFor,
      autocomplete: 'off',
      spellcheck: 'false',
      required: true,
      maxlength: 200,
    }),
    el('input', { type: 'hidden', name: 'from', value: siteSpace }),
    el('kbd', { ariaHidden: 'true' }, '/'),
    el('button.visually-hidden', { type: 'submit' }, words.search),
  ]);
}

function headerLink(link: HeaderLink, { settings }: Frame): Element {
  const target = settings.externalLinks.target;
  const style =
    link.style === 'button-primary'
      ? 'button button-primary'
      : link.style === 'button-secondary'
        ? 'button button-secondary'
        : 'header-link';
  if (link.links.length === 0) return el('li', [linkTo(link, target, style)]);
  const all = link.href === undefined ? link.links : [{ ...link, links: [] }, ...link.links];
  return el('li', [
    el('details.dropdown', [
      el('summary', { className: style.split(' ') }, [link.title, symbol('chevron')]),
      el(
        'ul',
        all.map((each) => el('li', [linkTo(each, target)])),
      ),
    ]),
  ]);
}

function tabOf(tab: Tab, frame: Frame): Element {
  const icon = pageIcon(tab, frame.settings.styling.icons);
  if (!tab.tabs)
    return el('li', [
      el('a.tab', { href: tab.href, ariaCurrent: tab.isCurrent ? 'true' : undefined }, [icon, tab.title]),
    ]);
  return el('li', [
    el('details.dropdown', [
      el('summary.tab', { ariaCurrent: tab.isCurrent ? 'true' : undefined }, [icon, tab.title, symbol('chevron')]),
      el(
        'ul',
        flattened(tab.tabs).map(({ tab: each, level }) =>
          el('li', { dataLevel: level }, [
            each.href === undefined
              ? el('span.dropdown-heading', each.title)
              : el('a', { href: each.href, ariaCurrent: each.isCurrent ? 'true' : undefined }, [
                  pageIcon(each, frame.settings.styling.icons),
                  el('span', [each.title, each.description !== undefined && el('small', each.description)]),
                ]),
          ]),
        ),
      ),
    ]),
  ]);
}

function flattened(tabs: readonly Tab[], level = 0): { readonly tab: Tab; readonly level: number }[] {
  return tabs.flatMap((tab) => [{ tab, level }, ...flattened(tab.tabs ?? [], level + 1)]);
}

function banner({ message, style, link, key }: Announcement, { settings, words }: Frame): Element {
  return el('div.announcement', { dataStyle: style, dataKey: key, role: 'region', ariaLabel: message }, [
    el('p', [message, link && ' ', link && linkTo(link, settings.externalLinks.target)]),
    el('button.button-plain', { type: 'button' }, [symbol('close'), spoken(words.close)]),
  ]);
}
