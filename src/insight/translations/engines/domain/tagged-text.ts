import { segmentOfTokens } from '../../domain/inline-tags.js';
import type { Segment } from '../../domain/segment.js';

/** The form of markers in a sent text: HTML, or the inline tags of XLIFF. */
export type TagStyle = 'html' | 'xml';

const TAG =
  /<(?:span|g) id=["']?m?(?<open>\d+)["']?\s*>|<(?:code|x) id=["']?m?(?<opaque>\d+)["']?[^>]*?(?:\/>|>[^<]*<\/(?:code|x)\s*>)|<\/(?<close>span|g)\s*>|[^<]+|</g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** A segment as one text whose markers are tags. */
export function toTagged(segment: Segment, style: TagStyle): string {
  return segment
    .map((piece) => {
      if (typeof piece === 'string')
        return piece.replace(/[&<>]/g, (sign) => `&${sign === '&' ? 'amp' : sign === '<' ? 'lt' : 'gt'};`);
      if ('open' in piece) return style === 'html' ? `<span id="m${piece.open}">` : `<g id="${piece.open}">`;
      if ('close' in piece) return style === 'html' ? '</span>' : '</g>';
      // Never empty in HTML, where empty elements may be dropped.
      return style === 'html'
        ? `<code id="m${piece.opaque}" translate="no">${piece.opaque}</code>`
        : `<x id="${piece.opaque}"/>`;
    })
    .join('');
}

/** Parses an answer; undefined if its tags do not form pairs. Other text that looks like a tag is text. */
export function fromTagged(text: string): Segment | undefined {
  return segmentOfTokens(text, TAG, decoded);
}

function decoded(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
