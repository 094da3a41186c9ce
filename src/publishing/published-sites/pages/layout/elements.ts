import type { Element, ElementContent, Raw } from 'hast';
import { h, type Properties } from 'hastscript';
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

/** A symbol of the service itself, drawn by the style sheet. */
export function symbol(name: string): Element {
  return element('span', { className: ['i', `i-${name}`], ariaHidden: 'true' });
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
