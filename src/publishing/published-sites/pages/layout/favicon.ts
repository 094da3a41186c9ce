import { emojiCharacters } from '../../../../formats/markdown/emoji.js';
import type { PageShell } from './view.js';

type Favicon = PageShell['settings']['favicon'];

/** The emoji of a site as a picture, a book where it has none. */
export function emojiPicture(favicon: Favicon): string {
  const emoji = ('emoji' in favicon && (emojiCharacters(favicon.emoji) ?? favicon.emoji)) || '📖';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><text y=".9em" font-size="90">${emoji.replace(/[<&>"']/g, '')}</text></svg>`;
}
