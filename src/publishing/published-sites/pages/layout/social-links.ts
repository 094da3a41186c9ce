import type { Element } from 'hast';
import { iconElement } from '../../../../formats/html/icons.js';
import { el, spoken } from './elements.js';
import type { SocialAccount } from './view.js';

/** Accounts elsewhere as a row of icons. */
export function socialLinks(accounts: readonly SocialAccount[]): Element {
  return el(
    'ul.social',
    accounts.map(({ name, icon, href }) =>
      el('li', [el('a', { href, rel: ['me', 'noopener'], title: name }, [iconElement(icon, 'regular'), spoken(name)])]),
    ),
  );
}
