import type { Element } from 'hast';
import { LRUCache } from 'lru-cache';
import type { Words } from '../../../../formats/html/languages/language.js';
import { rendered } from '../../../../kernel/common/html.js';
import { element, linkTo, symbol, type ElementChild } from './elements.js';
import { pageIcon } from './page-icon.js';
import type { PageShell, Link, PageView } from './view.js';

/** A page between sidebar and footer: its content, its outline and its further links. */
export function article(page: PageView, frame: PageShell): Element[] {
  const { layout } = page;
  const hasOutline = layout.outline && page.outline.length > 1;
  const full = page.cover?.size === 'full' ? cover(page.cover) : undefined;
  return [
    element('main#pageContent', { dataWidth: layout.width, tabIndex: -1 }, [
      full,
      element('div.page', [
        page.cover && !full ? cover(page.cover) : undefined,
        pageHead(page, frame),
        element('div.content', [rendered(page.content)]),
        ...pageFoot(page, frame),
      ]),
    ]),
    ...(hasOutline ? [outline(page, frame.words)] : []),
  ];
}

function cover({ src, srcDark, alt, size, yPos, height }: NonNullable<PageView['cover']>): Element {
  const half = Math.min(100, Math.max(0, Math.round((50 - yPos / 2) / 10) * 10));
  const shape = { className: ['cover', `cover-${size}`, `at-${half}`] };
  const attributes = { alt, ...(height !== undefined && { height: Math.round(height) }) };
  return element('figure', shape, [
    element('img', { ...attributes, src, className: srcDark === undefined ? [] : ['on-light'] }),
    srcDark !== undefined && element('img.on-dark', { ...attributes, src: srcDark }),
  ]);
}

function pageHead(page: PageView, frame: PageShell): Element | undefined {
  const { layout, description, heading } = page;
  const icon = pageIcon(page, frame.settings.styling.icons);
  const shown: (Element | undefined)[] = [
    page.breadcrumbs.length > 0 ? breadcrumbs(page.breadcrumbs, frame) : undefined,
    element('div.page-title', [
      element('h1', { id: heading?.id, className: layout.title ? undefined : ['visually-hidden'] }, [
        icon,
        heading ? rendered(heading.html) : page.title,
      ]),
      pageActions(page, frame.words),
    ]),
    description !== undefined && layout.description ? element('p.lead', description) : undefined,
  ];
  return element('div.page-head', shown);
}

function breadcrumbs(links: readonly Link[], { words }: PageShell): Element {
  return element('nav.breadcrumbs', { ariaLabel: words.breadcrumbs }, [
    element(
      'ol',
      links.map((link) => element('li', [linkTo(link, 'self')])),
    ),
  ]);
}

function pageActions({ actions, markdown }: PageView, words: Words): Element | undefined {
  if (actions.length === 0) return undefined;
  return element('div.page-actions', [
    markdown !== undefined &&
      element('button.button.button-secondary.copy-page', { type: 'button', dataMarkdown: markdown }, [
        symbol('copy'),
        element('span', words.copyPage),
      ]),
    element('details.dropdown', [
      element('summary.button.button-secondary', { ariaLabel: words.pageActions }, [symbol('chevron')]),
      element(
        'ul',
        actions.map((link) => element('li', [linkTo(link, link.isExternal === true ? 'blank' : 'self')])),
      ),
    ]),
  ]);
}

function outline({ outline: entries }: PageView, words: Words): Element {
  const highest = Math.min(...entries.map(({ level }) => level));
  return element('aside.outline', [
    element('nav', { ariaLabel: words.onThisPage }, [
      element('p.outline-title', words.onThisPage),
      element(
        'ul',
        entries.map(({ id, title, level }) =>
          element('li', { dataLevel: level - highest + 1 }, [
            element('a', { href: `#${encodeURIComponent(id)}` }, title),
          ]),
        ),
      ),
    ]),
  ]);
}

/** Date formats by language: creating one takes half a millisecond. */
const dateFormats = new LRUCache<string, Intl.DateTimeFormat>({ max: 50 });

function dateFormat(language: string): Intl.DateTimeFormat {
  const format = dateFormats.get(language) ?? new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  dateFormats.set(language, format);
  return format;
}

function pageFoot(page: PageView, frame: PageShell): (Element | undefined)[] {
  const { words } = frame;
  const { previous, next, layout } = page;
  return [
    layout.pagination && (previous || next)
      ? element('nav.pager', { ariaLabel: `${words.previous} / ${words.next}` }, [
          previous && pagerLink(previous, 'previous', words),
          next && pagerLink(next, 'next', words),
        ])
      : undefined,
    page.feedback && feedback(page.feedback, words),
    layout.metadata
      ? element('p.page-meta', [
          element('span', [
            `${words.lastUpdated} `,
            element(
              'time',
              { dateTime: page.updatedAt.toISOString() },
              dateFormat(frame.language).format(page.updatedAt),
            ),
          ]),
        ])
      : undefined,
  ];
}

function pagerLink({ title, href }: Link, rel: 'previous' | 'next', words: Words): Element {
  return element('a', { href, rel: rel === 'previous' ? 'prev' : 'next', className: [`pager-${rel}`] }, [
    element('small', words[rel]),
    element('span', title),
  ]);
}

function feedback({ action, page }: NonNullable<PageView['feedback']>, words: Words): Element {
  const choice = (rating: string, label: string): Element =>
    element('button.button.button-secondary', { type: 'submit', name: 'rating', value: rating }, label);
  return element('form.feedback', { method: 'post', action }, [
    element('input', { type: 'hidden', name: 'page', value: page }),
    element('p', { id: 'feedbackQuestion' }, words.helpful),
    element('div', { role: 'group', ariaLabelledBy: ['feedbackQuestion'] }, [
      choice('good', words.yes),
      choice('bad', words.no),
    ]),
  ]);
}

/** A page of the service itself on a site, such as a not-found page. */
export function plainPage(title: string, content: readonly ElementChild[]): Element[] {
  return [
    element('main#pageContent', { tabIndex: -1 }, [
      element('div.page.page-plain', [element('div.page-head', [element('h1', title)]), ...content]),
    ]),
  ];
}
