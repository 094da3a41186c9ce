import { inline } from '../document/build.js';
import type { Inline } from '../document/types.js';
import { fileOrUrl, type ParseContext } from './parse-context.js';
import { extraAttributes } from './node-text.js';
import type { Element } from './nest-markup.js';

/** `<picture>` with a source for the dark theme: the image and the dark target. */
export function pictureParts(node: Element): { image: Element; dark: string | undefined } | undefined {
  const elements = node.children.filter((child): child is Element => child.kind === 'element');
  const image = elements.find((child) => child.name === 'img');
  const source = elements.find((child) => child.name === 'source');
  const others = elements.length - (image === undefined ? 0 : 1) - (source === undefined ? 0 : 1);
  if (image === undefined || others > 0) return undefined;
  if (source !== undefined && !(source.attributes.get('media') ?? '').includes('dark')) return undefined;
  return { image, dark: source?.attributes.get('srcset') };
}

/** `![alt](url "title")` in a line. */
export function imageInline(
  reading: ParseContext,
  url: string,
  alt: string | null | undefined,
  title: string | null | undefined,
): Inline<'inline-image'> {
  return inline('inline-image', {
    ref: fileOrUrl(reading, url),
    ...(alt === null || alt === undefined || alt === '' ? {} : { alt }),
    ...(title === null || title === undefined || title === '' ? {} : { caption: title }),
  });
}

/** `<img>` in a line, with the target for the dark theme if there is one. */
export function imageFromElement(
  reading: ParseContext,
  node: Element,
  dark: string | undefined,
): Inline<'inline-image'> {
  const { attributes } = node;
  const alt = attributes.get('alt');
  const caption = attributes.get('title');
  const size = attributes.get('data-size');
  const extra = extraAttributes(attributes, [
    'src',
    'alt',
    'title',
    ...(size === 'line' || size === 'original' ? ['data-size'] : []),
  ]);
  return inline('inline-image', {
    ref: fileOrUrl(reading, attributes.get('src') ?? ''),
    ...(dark === undefined ? {} : { refDark: fileOrUrl(reading, dark) }),
    ...(alt === undefined || alt === '' ? {} : { alt }),
    ...(caption === undefined || caption === '' ? {} : { caption }),
    ...(size === 'line' || size === 'original' ? { size } : {}),
    ...(extra === undefined ? {} : { attributes: extra }),
  });
}
