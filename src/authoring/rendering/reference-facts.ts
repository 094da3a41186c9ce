import { imageCandidates } from '../../kernel/platform/images/image-candidates.js';
import { emojiCharacters } from '../../formats/markdown/emoji.js';
import type { FileFacts, ImageFacts, LinkFacts } from '../../formats/html/render-context.js';
import type { Item } from '../content/domain/content-item.js';

/** The facts of a link to a page, without its address. */
export function pageFacts({ title, props }: Item): Omit<LinkFacts, 'href'> {
  const { icon, emoji, description } = props as { icon?: string; emoji?: string; description?: string };
  const characters = emoji === undefined ? undefined : emojiCharacters(emoji);
  return {
    title,
    ...(icon !== undefined && { icon }),
    ...(characters !== undefined && { emoji: characters }),
    ...(description !== undefined && { description }),
  };
}

/** An image, whose file has an address. */
export function imageFacts({ props }: Item, src: string): ImageFacts {
  const { width, height, size, contentType } = props as {
    width?: number;
    height?: number;
    size: number;
    contentType: string;
  };
  if (width === undefined || height === undefined) return { src };
  const candidates = imageCandidates(src, { contentType, size, width });
  return { src, width, height, ...(candidates.length > 0 && { candidates }) };
}

export function fileFacts({ title, props }: Item, href: string): FileFacts {
  const { size, contentType } = props as { size: number; contentType: string };
  return { href, name: title, size, contentType };
}
