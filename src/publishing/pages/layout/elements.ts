import type { Element, ElementContent, Raw } from 'hast';
import { h } from 'hastscript';
import { toHtml } from 'hast-util-to-html';
import type { Link } from './view.js';

declare module 'hast' {
  interface Raw {
    type: 'raw';
    value: string;
  }
}

/** HTML that was made by `toHtml` before, and is safe for that reason alone. */
export function rendered(html: string): Raw {
  return { type: 'raw', value: html };
}

/** Elements as text. Everything that people wrote is escaped, except what `rendered` has marked. */
export function htmlOf(content: readonly (ElementContent | Raw)[]): string {
  return toHtml({ type: 'root', children: content as ElementContent[] }, { allowDangerousHtml: true, closeSelfClosing: false });
}

/** A symbol of the service itself; the style sheet draws it. */
export function symbol(name: string): Element {
  return h('span', { className: ['i', `i-${name}`], ariaHidden: 'true' });
}

/** Words that only screen readers say. */
export function spoken(text: string): Element {
  return h('span.visually-hidden', text);
}

/** A link, or its words alone where it leads nowhere. */
export function linkTo({ title, href, isExternal }: Link, target: 'self' | 'blank', className?: string): Element {
  const classes = className === undefined ? undefined : className.split(' ');
  if (href === undefined) return h('span', { className: classes }, title);
  return h('a', { href, className: classes, ...(isExternal === true && { rel: 'noopener', ...(target === 'blank' && { target: '_blank' }) }) }, title);
}
