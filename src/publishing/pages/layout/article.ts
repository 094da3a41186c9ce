import type { Element, ElementContent, Raw } from 'hast';
import { h } from 'hastscript';
import type { Words } from '../domain/words.js';
import { linkTo, rendered, symbol } from './elements.js';
import { pageIcon } from './page-icon.js';
import type { Frame, Link, PageView } from './view.js';

/** A page between sidebar and footer: what it says, its outline and what leads on from it. */
export function article(page: PageView, frame: Frame): Element[] {
  const { layout } = page;
  const hasOutline = layout.outline && page.outline.length > 1;
  const full = page.cover?.size === 'full' ? cover(page.cover) : undefined;
  return [
    h('main#content', { dataWidth: layout.width, tabIndex: -1 }, [
      full,
      h('div.page', [page.cover && !full ? cover(page.cover) : undefined, pageHead(page, frame), h('div.content', [rendered(page.content) as unknown as ElementContent]), ...pageFoot(page, frame)]),
    ]),
    ...(hasOutline ? [outline(page, frame.words)] : []),
  ];
}

function cover({ src, srcDark, alt, size, yPos, height }: NonNullable<PageView['cover']>): Element {
  const half = Math.min(100, Math.max(0, Math.round((50 - yPos / 2) / 10) * 10));
  const shape = { className: ['cover', `cover-${size}`, `at-${half}`] };
  const attributes = { alt, ...(height !== undefined && { height: Math.round(height) }) };
  return h('figure', shape, [
    h('img', { ...attributes, src, className: srcDark === undefined ? [] : ['only-light'] }),
    srcDark !== undefined && h('img.only-dark', { ...attributes, src: srcDark }),
  ]);
}

function pageHead(page: PageView, frame: Frame): Element | undefined {
  const { layout, description } = page;
  const icon = pageIcon(page, frame.settings.styling.icons);
  const shown: (Element | undefined)[] = [
    page.breadcrumbs.length > 0 ? breadcrumbs(page.breadcrumbs, frame) : undefined,
    h('div.page-title', [
      h('h1', { className: layout.title ? [] : ['visually-hidden'] }, [icon, page.title]),
      pageActions(page, frame.words),
    ]),
    description !== undefined && layout.description ? h('p.lead', description) : undefined,
  ];
  return h('div.page-head', shown);
}

function breadcrumbs(links: readonly Link[], { words }: Frame): Element {
  return h('nav.breadcrumbs', { ariaLabel: words.breadcrumbs }, [h('ol', links.map((link) => h('li', [linkTo(link, 'self')])))]);
}

function pageActions({ actions, markdown }: PageView, words: Words): Element | undefined {
  if (actions.length === 0) return undefined;
  return h('div.page-actions', [
    markdown !== undefined && h('button.button.button-secondary.copy-page', { type: 'button', hidden: true, dataMarkdown: markdown, dataDone: words.copied }, [symbol('copy'), h('span', words.copyPage)]),
    h('details.dropdown', [
      h('summary.button.button-secondary', { ariaLabel: words.pageActions }, [symbol('chevron')]),
      h('ul', actions.map((link) => h('li', [linkTo(link, link.isExternal === true ? 'blank' : 'self')]))),
    ]),
  ]);
}

function outline({ outline: entries }: PageView, words: Words): Element {
  return h('aside.outline', [
    h('nav', { ariaLabel: words.onThisPage }, [h('p.outline-title', words.onThisPage), h('ul', entries.map(({ id, title, level }) => h('li', { dataLevel: level }, [h('a', { href: `#${encodeURIComponent(id)}` }, title)])))]),
  ]);
}

function pageFoot(page: PageView, frame: Frame): (Element | undefined)[] {
  const { words } = frame;
  const { previous, next, layout } = page;
  return [
    layout.pagination && (previous || next)
      ? h('nav.pager', { ariaLabel: `${words.previous} / ${words.next}` }, [previous && pagerLink(previous, 'previous', words), next && pagerLink(next, 'next', words)])
      : undefined,
    page.feedback && feedback(page.feedback, words),
    layout.metadata
      ? h('p.page-meta', [
          h('span', [`${words.lastUpdated} `, h('time', { dateTime: page.updatedAt.toISOString() }, new Intl.DateTimeFormat(frame.language, { dateStyle: 'long', timeZone: 'UTC' }).format(page.updatedAt))]),
          page.editLink !== undefined && h('a', { href: page.editLink, rel: 'noopener' }, words.edit),
        ])
      : undefined,
  ];
}

function pagerLink({ title, href }: Link, rel: 'previous' | 'next', words: Words): Element {
  return h('a', { href, rel: rel === 'previous' ? 'prev' : 'next', className: [`pager-${rel}`] }, [h('small', words[rel]), h('span', title)]);
}

function feedback({ action, page }: NonNullable<PageView['feedback']>, words: Words): Element {
  const choice = (rating: string, label: string): Element => h('button.button.button-secondary', { type: 'submit', name: 'rating', value: rating }, label);
  return h('form.feedback', { method: 'post', action }, [
    h('input', { type: 'hidden', name: 'page', value: page }),
    h('p', { id: 'feedback-question' }, words.helpful),
    h('div', { role: 'group', ariaLabelledBy: ['feedback-question'] }, [choice('good', words.yes), choice('bad', words.no)]),
  ]);
}

/** A page of the service's own on a site, such as one that says that there is nothing. */
export function plainPage(title: string, content: readonly (ElementContent | Raw)[]): Element[] {
  return [h('main#content', { tabIndex: -1 }, [h('div.page.page-plain', [h('div.page-head', [h('h1', title)]), ...(content as ElementContent[])])])];
}
