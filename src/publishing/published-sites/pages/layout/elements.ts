import type { Element, ElementContent, Raw } from 'hast';
import { h, s, type Properties } from 'hastscript';
import type { Link } from './view.js';

export type ElementChild = ElementContent | Raw | string | false | undefined;

/** An element by a selector such as `a.button`; pieces that are false or undefined are left out. */
export function element(
  selector: string,
  properties: Properties | readonly ElementChild[] | string,
  pieces: readonly ElementChild[] | string = [],
): Element {
  if (typeof properties === 'string' || isPieces(properties)) return element(selector, {}, properties);
  const children = typeof pieces === 'string' ? [pieces] : pieces;
  return h(
    selector,
    properties,
    children.filter((piece) => piece !== false && piece !== undefined) as (ElementContent | string)[],
  );
}

function isPieces(value: Properties | readonly ElementChild[]): value is readonly ElementChild[] {
  return Array.isArray(value);
}

/** Paths of symbols, within 24 by 24. Each image of a style sheet would be a document that phones lay out. */
const SYMBOLS = {
  search: 'M18 11a7 7 0 1 1-14 0 7 7 0 0 1 14 0M20 20l-3.8-3.8',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'm6 6 12 12M18 6 6 18',
  chevron: 'm6 9.5 6 6 6-6',
  external: 'M8 16 17 7M9.5 7H17v7.5',
  copy: 'M11.5 9h6a2.5 2.5 0 0 1 2.5 2.5v6a2.5 2.5 0 0 1-2.5 2.5h-6A2.5 2.5 0 0 1 9 17.5v-6A2.5 2.5 0 0 1 11.5 9M15 5.8A2 2 0 0 0 13.2 4H6a2 2 0 0 0-2 2v7.2A2 2 0 0 0 5.8 15',
  sun: 'M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0M12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M18.4 5.6l-1.1 1.1M6.7 17.3l-1.1 1.1',
  moon: 'M20 14.5A8.2 8.2 0 0 1 9.5 4 8.2 8.2 0 1 0 20 14.5Z',
} as const;

/** A symbol of the service itself. */
export function symbol(name: keyof typeof SYMBOLS): Element {
  return s('svg', { className: ['i', `i-${name}`], viewBox: '0 0 24 24', ariaHidden: 'true' }, [
    s('path', { d: SYMBOLS[name] }),
  ]);
}

/** Text for screen readers only. */
export function spoken(text: string): Element {
  return element('span.visually-hidden', text);
}

/** A link, or its text alone if it has no target. */
export function linkTo(
  { title, href, isExternal, isForPeople }: Link,
  target: 'self' | 'blank',
  className?: string,
): Element {
  const classes = className === undefined ? undefined : className.split(' ');
  if (href === undefined) return element('span', { className: classes }, title);
  const rel = [isExternal === true && 'noopener', isForPeople === true && 'nofollow'].filter((name) => name !== false);
  return element(
    'a',
    {
      href,
      className: classes,
      ...(rel.length > 0 && { rel }),
      ...(isExternal === true && target === 'blank' && { target: '_blank' }),
    },
    title,
  );
}
