import type { Element } from 'hast';
import { emojiCharacters } from '../../../../formats/markdown/emoji.js';
import { iconElement } from '../../../../formats/html/icons.js';
import type { IconStyle } from '../../../../formats/html/render-context.js';
import { element } from './elements.js';

/** The emoji or icon of a page, a section or a site. */
export function pageIcon(
  { icon, emoji }: { readonly icon?: string | undefined; readonly emoji?: string | undefined },
  style: IconStyle,
): Element | undefined {
  const characters = emoji === undefined ? undefined : emojiCharacters(emoji);
  if (characters !== undefined) return element('span.emoji', { ariaHidden: 'true' }, characters);
  return icon === undefined ? undefined : iconElement(icon, style);
}
