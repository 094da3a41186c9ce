import type { ElementContent } from 'hast';

/** Elements that mean something without words: they break lines or blocks, are parts of lists and tables, or show something. */
const SAYS_SOMETHING = new Set(
  'address article aside audio blockquote body br button caption center col colgroup dd details dialog div dl dt embed fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html iframe img input legend li main math menu nav object ol p picture pre section select summary svg table tbody td textarea tfoot th thead tr ul video'.split(
    ' ',
  ),
);

/** Sources of one video or recording, of which Markdown has one address. */
const MOST_SOURCES = 10;

/**
 * Children without elements that say nothing, such as marks without words, of which only their space is left, and with
 * neighbouring texts joined. The library that turns HTML into Markdown looks at all that follows as long as it says nothing, so that
 * its time would grow with the square of their number and more. The children of the children must have been treated before.
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
