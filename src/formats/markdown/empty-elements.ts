import type { ElementContent } from 'hast';

/**
 * Elements that have a meaning without words: they break lines or blocks, are parts of lists and tables, or are
 * visible.
 */
const SAYS_SOMETHING = new Set(
  'address article aside audio blockquote body br button caption center col colgroup dd details dialog div dl dt embed fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html iframe img input legend li main math menu nav object ol p picture pre section select summary svg table tbody td textarea tfoot th thead tr ul video'.split(
    ' ',
  ),
);

/** Maximum number of sources of one video or recording; Markdown keeps one of their addresses. */
const MOST_SOURCES = 10;

/**
 * Removes children that have no content, such as marks without words, of which only the white space remains, and joins
 * neighbouring texts. The library that converts HTML to Markdown scans all following siblings without content, so that
 * its time would otherwise grow with the square of their number or more. The children of the children must have been
 * processed before.
 */
export function withoutEmptyElements(children: readonly ElementContent[]): ElementContent[] {
  const kept: ElementContent[] = [];
  let sources = 0;
  for (const child of children) {
    const isSource = child.type === 'element' && child.tagName === 'source' && sources++ < MOST_SOURCES;
    const isEmpty =
      child.type === 'element' &&
      !isSource &&
      !SAYS_SOMETHING.has(child.tagName) &&
      child.children.every((each) => isSpace(each));
    const pieces = isEmpty ? child.children : [child];
    for (const piece of pieces) {
      const last = kept.at(-1);
      if (piece.type === 'text' && last?.type === 'text')
        kept[kept.length - 1] = { type: 'text', value: last.value + piece.value };
      else kept.push(piece);
    }
  }
  return kept;
}

const isSpace = (node: ElementContent): boolean => node.type === 'text' && node.value.trim() === '';
