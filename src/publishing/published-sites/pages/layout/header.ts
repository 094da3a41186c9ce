import type { Element, Properties } from 'hast';
import { element, linkTo, spoken, symbol } from './elements.js';
import { askPath } from '../domain/site-paths.js';
import { pageIcon } from './page-icon.js';
import { socialLinks } from './social-links.js';
import type { Announcement, PageShell, HeaderLink, PreviewBar, Tab } from './view.js';

/** The search whose results a page shows. */
export interface ShownSearch {
  readonly query: string;
  /** True if only the site space of the page is searched. */
  readonly isScoped: boolean;
}

const NO_SEARCH: ShownSearch = { query: '', isScoped: false };

/**
 * The part above a page: its announcement, the bar with the site's name, the search and links, and the sections as
 * tabs.
 */
export function header(frame: PageShell, search?: ShownSearch): Element[] {
  const { settings, words, announcement } = frame;
  const accounts = frame.social.filter(({ inHeader }) => inHeader);
  const hasTabs = frame.tabs.length > 1 || frame.tabs.some(({ tabs }) => tabs !== undefined);
  return [
    element('a.skip', { href: '#pageContent' }, words.skip),
    ...(frame.preview ? [previewBar(frame.preview)] : []),
    ...(announcement ? [banner(announcement, frame)] : []),
    element('header.site-header', { dataSearch: settings.styling.search }, [
      element('div.bar', [
        element('a.button-plain.menu-button', { href: '#siteNavigation', ariaLabel: words.menu }, [symbol('menu')]),
        brand(frame),
        !frame.preview && searchForm(frame, search),
        element('div.bar-end', [
          settings.ai.mode === 'assistant' && askLink(frame),
          frame.header.length > 0 &&
            element(
              'ul.header-links',
              frame.header.map((link) => headerLink(link, frame)),
            ),
          accounts.length > 0 && socialLinks(accounts),
          settings.themes.toggeable &&
            element('button.button-plain.theme-toggle', { type: 'button', ariaLabel: words.theme }, [
              symbol('sun'),
              symbol('moon'),
            ]),
        ]),
      ]),
      hasTabs &&
        element('nav.tabs-bar', { ariaLabel: words.sections }, [
          element(
            'ul',
            frame.tabs.map((tab) => tabOf(tab, frame)),
          ),
        ]),
    ]),
  ];
}

function brand({ settings, siteTitle, home }: PageShell): Element {
  const { logo, preset } = settings.header;
  if (preset === 'none') return element('span.brand', []);
  const isSameLogo = logo?.light === logo?.dark;
  const content = logo
    ? [
        element('img', { className: isSameLogo ? [] : ['on-light'], src: logo.light, alt: siteTitle, height: 32 }),
        !isSameLogo && element('img.on-dark', { src: logo.dark, alt: siteTitle, height: 32 }),
      ]
    : [siteMark(settings.favicon, siteTitle), element('span.brand-title', siteTitle)];
  return element('a.brand', { href: home }, content);
}

/** The icon of the site beside its title: its favicon, or its first letter. */
function siteMark(favicon: PageShell['settings']['favicon'], title: string): Element {
  if ('emoji' in favicon) {
    const icon = pageIcon({ emoji: favicon.emoji }, 'regular');
    if (icon) return icon;
  }
  if ('icon' in favicon) return element('img.brand-icon', { src: favicon.icon.light, alt: '', width: 28, height: 28 });
  return element('span.brand-mark', { ariaHidden: 'true' }, [...title.trim()][0]?.toLocaleUpperCase() ?? '');
}

function searchForm(frame: PageShell, { query, isScoped }: ShownSearch = NO_SEARCH): Element {
  const { search, words, siteSpace } = frame;
  const ofFiles = search.script !== undefined && {
    dataScript: search.script,
    dataIntegrity: search.integrity,
    dataNone: words.noResults,
  };
  return element('form.search', { role: 'search', action: search.address, method: 'get', ...ofFiles }, [
    symbol('search'),
    element('input', {
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
    element('input', { type: 'hidden', name: 'from', value: siteSpace }),
    isScoped && element('input', { type: 'hidden', name: 'in', value: 'from' }),
    element('kbd', { ariaHidden: 'true' }, '/'),
    element('button.visually-hidden', { type: 'submit' }, words.search),
  ]);
}

/** Leads to the questions; the script opens them beside the page. */
function askLink({ base, words, siteSpace }: PageShell): Element {
  return element(
    'a.button.button-secondary.ask-link',
    {
      href: askPath(base, siteSpace),
      rel: ['nofollow'],
      dataClose: words.close,
      dataWaiting: words.answering,
    },
    words.ask,
  );
}

function headerLink(link: HeaderLink, { settings }: PageShell): Element {
  const target = settings.externalLinks.target;
  const style =
    link.style === 'button-primary'
      ? 'button button-primary'
      : link.style === 'button-secondary'
        ? 'button button-secondary'
        : 'header-link';
  if (link.links.length === 0) return element('li', [linkTo(link, target, style)]);
  const all = link.href === undefined ? link.links : [{ ...link, links: [] }, ...link.links];
  return element('li', [
    element('details.dropdown', [
      element('summary', { className: style.split(' ') }, [link.title, symbol('chevron')]),
      element(
        'ul',
        all.map((each) => element('li', [linkTo(each, target)])),
      ),
    ]),
  ]);
}

function tabOf(tab: Tab, frame: PageShell): Element {
  const icon = pageIcon(tab, frame.settings.styling.icons);
  if (!tab.tabs)
    return element('li', [
      element('a.tab', tabLink(tab, frame), [icon, tab.title, tab.isExternal === true && symbol('external')]),
    ]);
  return element('li', [
    element('details.dropdown', [
      element('summary.tab', { ariaCurrent: tab.isCurrent ? 'true' : undefined }, [icon, tab.title, symbol('chevron')]),
      element(
        'ul',
        flattened(tab.tabs).map(({ tab: each, level }) =>
          element('li', { dataLevel: level }, [
            each.href === undefined
              ? element('span.dropdown-heading', each.title)
              : element('a', tabLink(each, frame), [
                  pageIcon(each, frame.settings.styling.icons),
                  element('span', [each.title, each.description !== undefined && element('small', each.description)]),
                ]),
          ]),
        ),
      ),
    ]),
  ]);
}

function tabLink({ href, isCurrent, isExternal }: Tab, { settings }: PageShell): Properties {
  return {
    href,
    ...(isCurrent && { ariaCurrent: 'true' }),
    ...(isExternal === true && {
      rel: ['noopener'],
      ...(settings.externalLinks.target === 'blank' && { target: '_blank' }),
    }),
  };
}

function flattened(tabs: readonly Tab[], level = 0): { readonly tab: Tab; readonly level: number }[] {
  return tabs.flatMap((tab) => [{ tab, level }, ...flattened(tab.tabs ?? [], level + 1)]);
}

function banner({ message, style, link, key }: Announcement, { settings, words }: PageShell): Element {
  return element('div.announcement', { dataStyle: style, dataKey: key, role: 'region', ariaLabel: message }, [
    element('p', [message, link && ' ', link && linkTo(link, settings.externalLinks.target)]),
    element('button.button-plain', { type: 'button' }, [symbol('close'), spoken(words.close)]),
  ]);
}

/** Says that a preview is shown, and leads back to its change request. */
function previewBar({ text, back }: PreviewBar): Element {
  return element('div.preview-bar', { role: 'region', ariaLabel: text }, [
    element('p', text),
    element('a', { href: back.href }, back.title),
  ]);
}
