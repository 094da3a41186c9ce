import type { Element } from 'hast';
import type { Words } from '../../../../formats/html/languages/language.js';
import { element, symbol } from './elements.js';
import { pageIcon } from './page-icon.js';
import { shortcutsButton } from './shortcuts.js';
import { socialLinks } from './social-links.js';
import { tagLabel } from './tag.js';
import type { PageShell, ListedPage, NavigationEntry } from './view.js';
import { languageName } from '../../../../formats/html/languages/language-packs.js';

/** The pages of a space, below the switch between its variants. */
export function sidebar(frame: PageShell, entries: readonly NavigationEntry[]): Element {
  const { words, settings } = frame;
  const accounts = frame.social.filter(({ inHeader }) => inHeader);
  return element(
    'aside#siteNavigation.sidebar',
    { dataFill: settings.styling.sidebar.background, dataList: settings.styling.sidebar.list },
    [
      element('div.sidebar-head', [
        element('a.button-plain.sidebar-close', { href: '#pageContent', ariaLabel: words.close }, [symbol('close')]),
      ]),
      frame.variants.length > 1 && variantSwitch(frame),
      element('nav.tree', { ariaLabel: words.navigation }, [
        element(
          'ul',
          entries.map((entry) => entryOf(entry, frame)),
        ),
      ]),
      narrowLinks(frame),
      accounts.length > 0 && socialLinks(accounts),
      shortcutsButton(frame),
      settings.trademark.enabled && element('p.trademark', words.poweredBy),
    ],
  );
}

function variantSwitch({ variants, words }: PageShell): Element {
  const current = variants.find(({ isCurrent }) => isCurrent) ?? variants[0];
  const name = (variant: (typeof variants)[number] | undefined): string => variant?.title ?? '';
  return element('details.dropdown.variants', [
    element('summary', { ariaLabel: `${words.variants}: ${name(current)}` }, [
      element('span', name(current)),
      symbol('chevron'),
    ]),
    element(
      'ul',
      variants.map((variant) =>
        element('li', [
          element(
            'a',
            {
              href: variant.href,
              ariaCurrent: variant.isCurrent ? 'true' : undefined,
              ...(variant.language !== undefined && { hrefLang: variant.language }),
            },
            [
              element('span', variant.title),
              variant.language !== undefined &&
                languageName(variant.language) !== variant.title &&
                element('small', { lang: variant.language }, languageName(variant.language)),
            ],
          ),
        ]),
      ),
    ),
  ]);
}

/** The links of the header again, for screens that are too narrow for them. */
function narrowLinks({ header, settings }: PageShell): Element | undefined {
  const links = header.flatMap((link) => [link, ...link.links]).filter(({ href }) => href !== undefined);
  if (links.length === 0) return undefined;
  return element(
    'ul.sidebar-links',
    links.map(({ title, href, isExternal }) =>
      element('li', [
        element(
          'a',
          {
            href,
            ...(isExternal === true && {
              rel: 'noopener',
              ...(settings.externalLinks.target === 'blank' && { target: '_blank' }),
            }),
          },
          title,
        ),
      ]),
    ),
  );
}

function entryOf(entry: NavigationEntry, frame: PageShell): Element {
  const { settings, words } = frame;
  if (entry.kind === 'more') {
    const label = words.morePages.replace('{count}', entry.count.toLocaleString(frame.language));
    return element('li.tree-more', [
      entry.href === undefined ? element('span.tree-page', label) : element('a.tree-page', { href: entry.href }, label),
    ]);
  }
  const icon = pageIcon(entry, settings.styling.icons);
  if (entry.kind === 'group') {
    return element('li.tree-group', [
      element('p.tree-heading', [icon, entry.title]),
      entry.children.length > 0 &&
        element(
          'ul',
          entry.children.map((child) => entryOf(child, frame)),
        ),
    ]);
  }
  const label = [
    icon,
    element('span', entry.title),
    entry.tag && tagLabel(entry.tag, settings.styling.icons),
    entry.isExternal === true && symbol('external'),
  ];
  const line =
    entry.href === undefined
      ? element('span.tree-page', label)
      : element(
          'a.tree-page',
          {
            href: entry.href,
            ariaCurrent: entry.isCurrent ? 'page' : undefined,
            ...(entry.isExternal === true && {
              rel: 'noopener',
              ...(settings.externalLinks.target === 'blank' && { target: '_blank' }),
            }),
          },
          label,
        );
  if (entry.children.length === 0)
    return element('li', { className: entry.hasMore ? ['has-more'] : undefined }, [
      line,
      entry.hasMore && symbol('chevron'),
    ]);
  return element('li.branch', [
    line,
    branch(
      entry,
      words,
      entry.children.map((child) => entryOf(child, frame)),
    ),
  ]);
}

function branch({ title, isOpen }: ListedPage, words: Words, children: readonly Element[]): Element {
  return element('details', { open: isOpen }, [
    element('summary', { ariaLabel: words.below.replace('{title}', () => title) }, [symbol('chevron')]),
    element('ul', [...children]),
  ]);
}
