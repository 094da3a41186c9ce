import { mergeAdjacentTexts, type SegmentPiece, type Segment } from './segment.js';

/* Segments as texts for people and files: markers are the inline elements of XLIFF 2. */

const TAG =
  /<pc id="(?<open>\d{1,9})">|<ph id="(?<opaque>\d{1,9})"\/>|<\/(?<close>pc)>|&(?<entity>amp|lt|gt);|[^<&]+|[<&]/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' };
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The text of a segment: `<pc id="1">…</pc>` around marked text, `<ph id="2"/>` instead of what is not translated. */
export function taggedSegment(segment: Segment): string {
  return segment
    .map((piece) => {
      if (typeof piece === 'string') return piece.replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign);
      if ('open' in piece) return `<pc id="${piece.open}">`;
      return 'close' in piece ? '</pc>' : `<ph id="${piece.opaque}"/>`;
    })
    .join('');
}

/** Reads such a text; undefined if its tags do not form pairs. Other signs that look like tags are text. */
export function segmentOfTagged(text: string): Segment | undefined {
  return segmentOfTokens(text, TAG, (token, entity) => (entity === undefined ? token : (ENTITIES[entity] ?? token)));
}

/**
 * Reads a text by the pattern of its tokens, whose groups are `open` and `opaque` (numbers), `close` and, where it has
 * them, `entity`; all other tokens are words. Undefined if the tags do not form pairs.
 */
export function segmentOfTokens(
  text: string,
  pattern: RegExp,
  wordsOf: (token: string, entity: string | undefined) => string,
): Segment | undefined {
  const pieces: SegmentPiece[] = [];
  const open: number[] = [];
  for (const { 0: token, groups = {} } of text.matchAll(pattern)) {
    if (groups['open'] !== undefined) {
      open.push(Number(groups['open']));
      pieces.push({ open: Number(groups['open']) });
    } else if (groups['opaque'] !== undefined) pieces.push({ opaque: Number(groups['opaque']) });
    else if (groups['close'] !== undefined) {
      const close = open.pop();
      if (close === undefined) return undefined;
      pieces.push({ close });
    } else pieces.push(wordsOf(token, groups['entity']));
  }
  return open.length === 0 ? mergeAdjacentTexts(pieces) : undefined;
}
