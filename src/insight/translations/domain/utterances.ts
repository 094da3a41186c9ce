import { anchorsOf } from '../../../formats/document/anchors.js';
import { isObject } from '../../../formats/document/checks.js';
import type { Document } from '../../../formats/document/types.js';
import type { SegmentPiece, Segment } from './segment.js';
import { translateDocument, translateText, type TranslateSegment } from './translate-document.js';

/** The words of a page or reusable content: its own texts in their order, and its document if it has one. */
export interface ItemWords {
  readonly texts: readonly string[];
  readonly document: Document | undefined;
}

/** A segment, and what its markers stand for. */
export interface Utterance {
  readonly segment: Segment;
  readonly signs: readonly string[];
}

/** All segments of an item in their order. */
export function utterancesOf(words: ItemWords): Utterance[] {
  const found: Utterance[] = [];
  sayItem(words, (segment, signs) => {
    found.push({ segment, signs });
    return segment;
  });
  return found;
}

/** An item whose segments are said by a function. */
export function sayItem({ texts, document }: ItemWords, say: TranslateSegment): ItemWords {
  return {
    texts: texts.map((text) => translateText(text, say)),
    document: document && translateDocument(document, say),
  };
}

/**
 * A segment with the numbers that its markers have in another one; undefined where that has no such marker. Markers
 * with equal signs are the same, then those that have the rest of their signs alike by `likeness`.
 */
export function renumbered(
  { segment, signs }: Utterance,
  wanted: readonly string[],
  likeness?: (sign: string) => string,
): Segment | undefined {
  const numbers = new Map<number, number>();
  const used = new Set<number>();
  for (const alike of likeness ? [String, likeness] : [String]) {
    const free = new Map<string, number[]>();
    for (const [index, sign] of wanted.entries())
      if (!used.has(index + 1)) free.set(alike(sign), [...(free.get(alike(sign)) ?? []), index + 1]);
    for (const [index, sign] of signs.entries()) {
      const number = numbers.has(index + 1) ? undefined : free.get(alike(sign))?.shift();
      if (number === undefined) continue;
      numbers.set(index + 1, number);
      used.add(number);
    }
  }
  const pieces: SegmentPiece[] = [];
  for (const piece of segment) {
    if (typeof piece === 'string') {
      pieces.push(piece);
      continue;
    }
    const [name, own] = Object.entries(piece)[0] as ['open' | 'close' | 'opaque', number];
    const number = numbers.get(own);
    if (number === undefined) return undefined;
    pieces.push({ [name]: number } as SegmentPiece);
  }
  return pieces;
}

/** The part of a sign that tells a link from an image; texts that are not translated are one kind each. */
export function kindOfSign(sign: string): string {
  return /^(?:leaf|marks) /.test(sign) ? sign : (sign.split(' ', 1)[0] ?? '');
}

/**
 * An item whose anchors do not depend on its words: links within it name the place of the heading or tab that they lead
 * to, and these have no names of their own but those that are not `known`. Links may lead to places as they were named.
 */
export function withAnchorPlaces(words: ItemWords, known?: ReadonlyMap<string, string>): ItemWords {
  const { texts, document } = words;
  if (!document) return words;
  const places = new Map([...(known ?? []), ...placesOfAnchors(words)]);
  return { texts, document: { ...document, nodes: placed(document.nodes, places, known) as Document['nodes'] } };
}

/** The anchors of an item with their places among these. */
export function placesOfAnchors({ document }: ItemWords): Map<string, string> {
  return new Map(document ? [...anchorsOf(document).values()].map((anchor, index) => [anchor, `#${index}`]) : []);
}

function placed(
  value: unknown,
  places: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, string> | undefined,
): unknown {
  if (Array.isArray(value)) return value.map((each) => placed(each, places, known));
  if (!isObject(value)) return value;
  const isOwnAnchor = value['kind'] === 'anchor' && value['page'] === undefined;
  if (isOwnAnchor) return { ...value, anchor: places.get(String(value['anchor'])) ?? value['anchor'] };
  const entries = Object.entries(value).map(([name, each]): [string, unknown] => [name, placed(each, places, known)]);
  const copy: Record<string, unknown> = Object.fromEntries(entries);
  const name = value['object'] === 'block' ? NAMES[String(value['type'])] : undefined;
  if (name === undefined || !isObject(copy['data'])) return copy;
  const { [name]: own, ...data } = copy['data'];
  return typeof own !== 'string' || (known && !known.has(own)) ? copy : { ...copy, data };
}

/** The data that names blocks which links lead to. */
const NAMES: Readonly<Record<string, string>> = {
  'heading-1': 'id',
  'heading-2': 'id',
  'heading-3': 'id',
  'tabs-item': 'slug',
};
