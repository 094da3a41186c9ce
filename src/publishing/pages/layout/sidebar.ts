import type { Element } from 'hast';
import { h } from 'hastscript';
import type { Words } from '../domain/words.js';
import { symbol } from './elements.js';
import { pageIcon } from './page-icon.js';
import type { Frame, NavigationEntry } from './view.js';
import { languageName } from '../domain/words.js';

/** The pages of a space, with the switch between its variants above them. */
export function sidebar(frame: Frame, entries: readonly NavigationEntry[]): Element {
  const { words, settings } = frame;
  return h('aside#navigation.sidebar', { dataFill: settings.styling.sidebar.background, dataList: settings.styling.sidebar.list }, [
    h('div.sidebar-head', [h('a.button-plain.sidebar-close', { href: '#content', ariaLabel: words.close }, [symbol('close')])]),
    frame.variants.length > 1 && variantSwitch(frame),
    h('nav.tree', { ariaLabel: words.navigation }, [h('ul', entries.map((entry) => entryOf(entry, frame)))]),
    narrowLinks(frame),
    settings.trademark.enabled && h('p.trademark', words.poweredBy),
  ]);
}

function variantSwitch({ variants, words }: Frame): Element {
  const current = variants.find(({ isCurrent }) => isCurrent) ?? variants[0];
  const name = (variant: (typeof variants)[number] | undefined): string => variant?.title ?? '';
  return h('details.dropdown.variants', [
    h('summary', { ariaLabel: `${words.variants}: ${name(current)}` }, [h('span', name(current)), symbol('chevron')]),
    h('ul', variants.map((variant) =>
      h('li', [
        h('a', { href: variant.href, ariaCurrent: variant.isCurrent ? 'true' : undefined, ...(variant.language !== undefined && { hrefLang: variant.language }) }, [
          h('span', variant.title),
          variant.language !== undefined && languageName(variant.language) !== variant.title && h('small', { lang: variant.language }, languageName(variant.language)),
        ]),
      ]),
    )),
  ]);
}

/** The links of the header once more, for screens on which it has no room for them. */
function narrowLinks({ header, settings }: Frame): Element | undefined {
  const links = header.flatMap((link) => [link, ...link.links]).filter(({ href }) => href !== undefined);
  if (links.length === 0) return undefined;
  return h('ul.sidebar-links', links.map(({ title, href, isExternal }) =>
    h('li', [h('a', { href, ...(isExternal === true && { rel: 'noopener', ...(settings.externalLinks.target === 'blank' && { target: '_blank' }) }) }, title)]),
  ));
}

function entryOf(entry: NavigationEntry, frame: Frame): Element {
  const { settings, words } = frame;
  const icon = pageIcon(entry, settings.styling.icons);
  if (entry.kind === 'group') {
    return h('li.tree-group', [h('p.tree-heading', [icon, entry.title]), entry.children.length > 0 && h('ul', entry.children.map((child) => entryOf(child, frame)))]);
  }
  const label = [icon, h('span', entry.title), entry.isExternal === true && symbol('external')];
  const line =
    entry.href === undefined
      ? h('span.tree-page', label)
      : h('a.tree-page', { href: entry.href, ariaCurrent: entry.isCurrent ? 'page' : undefined, ...(entry.isExternal === true && { rel: 'noopener', ...(settings.externalLinks.target === 'blank' && { target: '_blank' }) }) }, label);
  if (entry.children.length === 0) return h('li', { className: entry.hasMore ? ['has-more'] : undefined }, [line, entry.hasMore && symbol('chevron')]);
  return h('li.branch', [line, branch(entry, words, entry.children.map((child) => entryOf(child, frame)))]);
}

function branch({ title, isOpen }: NavigationEntry, words: Words, children: readonly Element[]): Element {
  return h('details', { open: isOpen }, [h('summary', { ariaLabel: words.below.replace('{title}', () => title) }, [symbol('chevron')]), h('ul', [...children])]);
}
