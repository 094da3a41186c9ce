import type { ElementContent, Properties } from 'hast';
import type { FileOrUrlRef } from '../document/types.js';
import { classes, el, shownAddress, textNode } from './elements.js';
import type { ImageFacts, RenderContext } from './render-context.js';

/** The width in CSS pixels of a column of text, of a card, and of an image in a line. */
const COLUMN = 768;
const CARD = 400;
const LINE = 80;
/** The window in CSS pixels up to which a page has one column. */
const NARROW = 640;

/** The room of an image: the whole column or a share of it, the top of a card, or a place in a line. */
export type ImageRoom = number | 'card' | 'line';

interface Shown {
  readonly alt: string;
  /** In pixels, if the content states it. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly classes?: readonly (string | undefined)[];
  readonly room: ImageRoom;
}

/** An image, with a variant for dark themes if there is one; nothing if it is missing or unsafe to load. */
export function picture(
  { ref, refDark }: { ref: FileOrUrlRef; refDark?: FileOrUrlRef },
  shown: Shown,
  context: RenderContext,
): ElementContent[] {
  const { resolver, progress } = context;
  const light = resolver.image(ref);
  const dark = refDark && resolver.image(refDark);
  const first = progress.hasImage || shown.room === 'line' ? undefined : resolver.firstImage;
  const isFirst = (scheme: 'light' | 'dark'): boolean => first !== undefined && (first === scheme || !light || !dark);
  const onLight =
    light && imageElement(light, shown, context, { theme: dark && 'only-light', isFirst: isFirst('light') });
  const onDark =
    dark && imageElement(dark, shown, context, { theme: onLight && 'only-dark', isFirst: isFirst('dark') });
  const images = [onLight, onDark].filter((each) => each !== undefined);
  if (images.length > 0 && shown.room !== 'line') progress.hasImage = true;
  return images;
}

function imageElement(
  facts: ImageFacts,
  shown: Shown,
  { resolver }: RenderContext,
  { theme, isFirst }: { readonly theme: string | undefined; readonly isFirst: boolean },
): ElementContent | undefined {
  const src = shownAddress(facts.src, 'image');
  if (src === undefined) return undefined;
  return el('img', {
    src,
    ...candidateAttributes(facts, sizesOf(shown, resolver.isWide === true)),
    alt: textNode(shown.alt).value,
    ...sizeOf(facts, shown),
    ...(isFirst ? { fetchPriority: 'high' } : { loading: 'lazy', decoding: 'async' }),
    class: classes(...(shown.classes ?? []), theme),
  });
}

/** The addresses of an image in other widths, of which browsers choose by the room that it has. */
export function candidateAttributes({ candidates = [] }: ImageFacts, sizes: string): Properties {
  if (candidates.length === 0) return {};
  return { srcSet: candidates.map(({ src, width }) => `${src} ${width}w`).join(', '), sizes };
}

function sizesOf({ width, room }: Shown, isWide: boolean): string {
  if (room === 'line') return `${LINE}px`;
  if (room === 'card') return `(max-width: ${CARD}px) 100vw, ${CARD}px`;
  if (isWide && width === undefined) return `${Math.round(100 * room)}vw`;
  const pixels = Math.min(width ?? COLUMN, Math.round(COLUMN * room));
  return `(max-width: ${room < 1 ? NARROW : pixels}px) 100vw, ${pixels}px`;
}

/**
 * Width and height in pixels, as requested and in the proportions of the image, so that the layout does not shift when
 * it loads.
 */
function sizeOf({ width, height }: ImageFacts, wanted: Shown): { width?: number; height?: number } {
  const given = {
    ...(wanted.width !== undefined && { width: wanted.width }),
    ...(wanted.height !== undefined && { height: wanted.height }),
  };
  if (width === undefined || height === undefined || !(width > 0) || !(height > 0)) return given;
  if (wanted.width !== undefined)
    return { width: wanted.width, height: wanted.height ?? Math.max(1, Math.round((wanted.width * height) / width)) };
  if (wanted.height !== undefined)
    return { width: Math.max(1, Math.round((wanted.height * width) / height)), height: wanted.height };
  return { width, height };
}
