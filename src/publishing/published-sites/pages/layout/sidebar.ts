import type { Element } from 'hast';
import type { Words } from '../../../../formats/html/languages/language.js';
import { el, symbol } from './elements.js';
import { pageIcon } from './page-icon.js';
import { socialLinks } from './social-links.js';
import type { Frame, ListedPage, NavigationEntry } from './view.js';
import { languageName } from '../../domain/languages.js';

/** The pages of a space, with the switch between its variants above them. */
export function sidebar(frame: Frame, entries: readonly NavigationEntry[]): Element {
  const { words, settings } = frame;
  const accounts = frame.social.filter(({ inHeader }) => inHeader);
  return el(
    'aside#siteNavigation.sidebar',
    { dataFill: settings.styling.sidebar.background, dataList: settings.styling.sidebar.list },
    [
      el('div.sidebar-head', [
        el('a.button-plain.sidebar-close', { href: '#pageContent', ariaLabel: words.close }, [symbol('close')]),
      ]),
      frame.variants.length > 1 && variantSwitch(frame),
      el('nav.tree', { ariaLabel: words.navigation }, [
        el(
          'ul',
          entries.map((entry) => entryOf(entry, frame)),
        ),
      ]),
      narrowLinks(frame),
      accounts.length > 0 && socialLinks(accounts),
      settings.trademark.enabled && el('p.trademark', words.poweredBy),
    ],
  );
}

function variantSwitch({ variants, words }: Frame): Element {
  const current = variants.find(({ isCurrent }) => isCurrent) ?? variants[0];
  const name = (variant: (typeof variants)[number] | undefined): string => variant?.title ?? '';
  return el('details.dropdown.variants', [
    el('summary', { ariaLabel: `${words.variants}: ${name(current)}` }, [el('span', name(current)), symbol('chevron')]),
    el(
      'ul',
      variants.map((variant) =>
        el('li', [
          el(
            'a',
            {
              href: variant.href,
              ariaCurrent: variant.isCurrent ? 'true' : undefined,
              ...(variant.language !== undefined && { hrefLang: variant.language }),
            },
            [
              el('span', variant.title),
              variant.language !== undefined &&
                languageName(variant.language) !== variant.title &&
                el('small', { lang: variant.language }, languageName(variant.language)),
            ],
          ),
        ]),
      ),
    ),
  ]);
}

/** The links of the header once more, for screens on which it has no room for them. */
function narrowLinks({ header, settings }: Frame): Element | undefined {
  const links = header.flatMap((link) => [link, ...link.links]).filter(({ href }) => href !== undefined);
  if (links.length === 0) return undefined;
  return el(
    'ul.sidebar-links',
    links.map(({ title, href, isExternal }) =>
      el('li', [
        el(
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

function entryOf(entry: NavigationEntry, frame: Frame): Element {
  const { settings, words } = frame;
  if (entry.kind === 'more') {
    const label = words.morePages.replace('{count}', entry.count.toLocaleString(frame.language));
    return el('li.tree-more', [
      entry.href === undefined ? el('span.tree-page', label) : el('a.tree-page', { href: entry.href }, label),
    ]);
  }
  const icon = pageIcon(entry, settings.styling.icons);
  if (entry.kind === 'group') {
    return el('li.tree-group', [
      el('p.tree-heading', [icon, entry.title]),
      entry.children.length > 0 &&
        el(
          'ul',
          entry.children.map((child) => entryOf(child, frame)),
        ),
    ]);
  }
  const label = [icon, el('span', entry.title), entry.isExternal === true && symbol('external')];
  const line =
    entry.href === undefined
      ? el('span.tree-page', label)
      : el(
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
    return el('li', { className: entry.hasMore ? ['has-more'] : undefined }, [
      line,
      entry.hasMore && symbol('chevron'),
    ]);
  return el('li.branch', [
    line,
    branch(
      entry,
      words,
      entry.children.map((child) => entryOf(child, frame)),
    ),
  ]);
}

function branch({ title, isOpen }: ListedPage, words: Words, children: readonly Element[]): Element {
  return el('details', { open: isOpen }, [
    el('summary', { ariaLabel: words.below.replace('{title}', () => title) }, [symbol('chevron')]),
    el('ul', [...children]),
  ]);
}
