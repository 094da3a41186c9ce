import type { Element } from 'hast';
import { LRUCache } from 'lru-cache';
import type { Words } from '../../../../formats/html/languages/language.js';
import { candidateAttributes } from '../../../../formats/html/pictures.js';
import type { ImageFacts } from '../../../../formats/html/render-context.js';
import { rendered } from '../../../../kernel/common/html.js';
import { element, linkTo, symbol, type ElementChild } from './elements.js';
import { ratingForm } from './feedback.js';
import { pageIcon } from './page-icon.js';
import { tagLabel } from './tag.js';
import type { PageShell, Link, PageAction, PageView } from './view.js';

/** The width of a page in CSS pixels. */
const COLUMN = 768;

/** A page between sidebar and footer: its content, its outline and its further links. */
export function article(page: PageView, frame: PageShell): Element[] {
  const { layout } = page;
  const hasOutline = layout.outline && page.outline.length > 1;
  // Wider than the text of the page, or behind it.
  const outside = page.cover && page.cover.size !== 'hero' ? cover(page.cover, frame) : undefined;
  return [
    element('main#pageContent', { dataWidth: layout.width, tabIndex: -1 }, [
      outside,
      element('div.page', [
        page.cover && !outside ? cover(page.cover, frame) : undefined,
        pageHead(page, frame),
        page.note && element('p.page-note', { role: 'note' }, frame.words.translationNotes[page.note]),
        page.feedback?.position === 'top' && ratingForm(page.feedback, frame.words),
        element('div.content', [rendered(page.content)]),
        ...pageFoot(page, frame),
      ]),
    ]),
    ...(hasOutline ? [outline(page, frame.words)] : []),
  ];
}

function cover(
  { light, dark, alt, size, mask, yPos, height }: NonNullable<PageView['cover']>,
  { settings }: PageShell,
): Element {
  const half = Math.min(100, Math.max(0, Math.round((50 - yPos / 2) / 10) * 10));
  const masked = mask === 'none' ? [] : [`mask-${mask}`];
  const shape = { className: ['cover', `cover-${size}`, ...masked, `at-${half}`] };
  const isDarkFirst = settings.themes.default === 'dark';
  const image = (facts: ImageFacts, className: string[], isFirst: boolean): Element =>
    element('img', {
      alt,
      // The style sheet gives covers without a height of their own the same one.
      ...(height !== undefined && { width: facts.width, height: facts.height ?? Math.round(height) }),
      src: facts.src,
      ...candidateAttributes(facts, size === 'hero' ? `(max-width: ${COLUMN}px) 100vw, ${COLUMN}px` : '100vw'),
      ...(isFirst ? { fetchPriority: 'high' } : { loading: 'lazy' }),
      className,
    });
  return element('figure', shape, [
    image(light, dark ? ['on-light'] : [], !dark || !isDarkFirst),
    dark && image(dark, ['on-dark'], isDarkFirst),
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
    page.tags.length > 0
      ? element(
          'ul.page-tags',
          page.tags.map((tag) => element('li', [tagLabel(tag, frame.settings.styling.icons)])),
        )
      : undefined,
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

/** The first action as a button, the others in a menu. */
function pageActions({ actions: [main, ...others] }: PageView, words: Words): Element | undefined {
  if (!main) return undefined;
  return element('div.page-actions', [
    actionOf(main, ['button', 'button-secondary']),
    others.length > 0 &&
      element('details.dropdown', [
        element('summary.button.button-secondary', { ariaLabel: words.pageActions }, [symbol('chevron')]),
        element(
          'ul',
          others.map((action) => element('li', [actionOf(action)])),
        ),
      ]),
  ]);
}

function actionOf(action: PageAction, look: readonly string[] = []): Element {
  if (!('copies' in action)) return linkTo(action, 'blank', look.length > 0 ? look.join(' ') : undefined);
  return element('button', { className: [...look, 'copy-page'], type: 'button', dataMarkdown: action.copies }, [
    symbol('copy'),
    element('span', action.title),
  ]);
}

function outline({ outline: entries }: PageView, words: Words): Element {
  const highest = Math.min(...entries.map(({ level }) => level));
  return element('div.outline', [
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

function dateOf(date: Date, language: string): Element {
  return element('time', { dateTime: date.toISOString() }, dateFormat(language).format(date));
}

/** The sentence that says who answers for the page, in the order of words of the language. */
function verification(
  { owner, until }: NonNullable<PageView['verification']>,
  { words, language }: PageShell,
): Element {
  const parts: Readonly<Record<string, ElementChild>> = { '{name}': owner, '{date}': dateOf(until, language) };
  return element(
    'span',
    words.verifiedBy.split(/(\{\w+\})/).map((part) => parts[part] ?? part),
  );
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
    page.feedback?.position === 'bottom' ? ratingForm(page.feedback, words) : undefined,
    layout.metadata
      ? element('p.page-meta', [
          element('span', [`${words.lastUpdated} `, dateOf(page.updatedAt, frame.language)]),
          page.verification && verification(page.verification, frame),
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

/** A page of the service itself on a site, such as a not-found page. */
export function plainPage(title: string, content: readonly ElementChild[]): Element[] {
  return [
    element('main#pageContent', { tabIndex: -1 }, [
      element('div.page.page-plain', [element('div.page-head', [element('h1', title)]), ...content]),
    ]),
  ];
}
