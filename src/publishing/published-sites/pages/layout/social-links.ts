import type { Element } from 'hast';
import { iconElement } from '../../../../formats/html/icons.js';
import { element, spoken } from './elements.js';
import type { SocialAccount } from './view.js';

/** Social accounts as a row of icons. */
export function socialLinks(accounts: readonly SocialAccount[]): Element {
  return element(
    'ul.social',
    accounts.map(({ name, icon, href }) =>
      element('li', [
        element('a', { href, rel: ['me', 'noopener'], title: name }, [iconElement(icon, 'regular'), spoken(name)]),
      ]),
    ),
  );
}
