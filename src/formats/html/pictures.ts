import type { ElementContent } from 'hast';
import type { FileOrUrlRef } from '../document/types.js';
import { classes, el, shownAddress, textNode } from './elements.js';
import type { ImageFacts, RenderContext } from './render-context.js';

interface Shown {
  readonly alt: string;
  /** In pixels, if the content states it. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly classes?: readonly (string | undefined)[];
}

/** An image, with a variant for dark themes if there is one; nothing if it is missing or unsafe to load. */
export function picture(
  { ref, refDark }: { ref: FileOrUrlRef; refDark?: FileOrUrlRef },
  shown: Shown,
  context: RenderContext,
): ElementContent[] {
  const light = context.resolver.image(ref);
  const dark = refDark && context.resolver.image(refDark);
  const onLight = light && imageElement(light, shown, dark && 'only-light');
  const onDark = dark && imageElement(dark, shown, onLight && 'only-dark');
  return [onLight, onDark].filter((each) => each !== undefined);
}

function imageElement(facts: ImageFacts, shown: Shown, theme: string | undefined): ElementContent | undefined {
  const src = shownAddress(facts.src, 'image');
  if (src === undefined) return undefined;
  return el('img', {
    src,
    alt: textNode(shown.alt).value,
    ...sizeOf(facts, shown),
    loading: 'lazy',
    decoding: 'async',
    class: classes(...(shown.classes ?? []), theme),
  });
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
