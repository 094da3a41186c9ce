import { contentJson } from '../../../formats/document/hash.js';
import { normalizeDocument } from '../../../formats/document/normalize-document.js';
import type { Document } from '../../../formats/document/types.js';
import type { SegmentPiece, Segment } from './segment.js';
import { faultOfTarget } from './target-faults.js';
import { translateDocument, translateText, type TranslateSegment } from './translate-document.js';

/** The words of a page or reusable content: its own texts in their order, and its document if it has one. */
export interface ItemWords {
  readonly texts: readonly string[];
  readonly document: Document | undefined;
}

/** A segment of the source with its translation. */
export interface SegmentPair {
  readonly source: Segment;
  readonly target: Segment;
}

/** The segments that people have translated otherwise, or why the edit is no translation, as the rest of a sentence. */
export type ReadEdit = { readonly changed: readonly SegmentPair[] } | { readonly fault: string };

const STRUCTURE = 'no longer has the structure of its source: only words can be changed here';

/**
 * Reads an edit of a translated item: which segments are translated otherwise than before. The edited item has to be
 * what becomes of the source with these translations; references in `source` are already those of the translation.
 */
export function readEditedItem(source: ItemWords, before: ItemWords, edited: ItemWords): ReadEdit {
  const [old, now] = [pairsOf(source, before), pairsOf(source, edited)];
  if (!now || !isMadeOf(source, now, edited)) return { fault: STRUCTURE };
  const changed = now.filter(({ target }, index) => JSON.stringify(target) !== JSON.stringify(old?.[index]?.target));
  for (const pair of changed) {
    const fault = faultOfTarget(pair.source, pair.target);
    if (fault !== undefined) return { fault: `cannot be stored: a text ${fault}` };
  }
  return { changed };
}

/** A segment, and what its markers stand for. */
interface Utterance {
  readonly segment: Segment;
  readonly signs: readonly string[];
}

/** All segments of an item in their order, each with that of its translation; undefined where they do not fit. */
function pairsOf(source: ItemWords, translation: ItemWords): SegmentPair[] | undefined {
  const [asked, said] = [utterancesOf(source), utterancesOf(translation)];
  if (asked.length !== said.length) return undefined;
  const pairs: SegmentPair[] = [];
  for (const [index, utterance] of asked.entries()) {
    const target = renumbered(said[index] ?? utterance, utterance.signs);
    if (target === undefined) return undefined;
    pairs.push({ source: utterance.segment, target });
  }
  return pairs;
}

function utterancesOf(words: ItemWords): Utterance[] {
  const found: Utterance[] = [];
  said(words, (segment, signs) => {
    found.push({ segment, signs });
    return segment;
  });
  return found;
}

function said({ texts, document }: ItemWords, say: TranslateSegment): ItemWords {
  return {
    texts: texts.map((text) => translateText(text, say)),
    document: document && translateDocument(document, say),
  };
}

/** A segment with the numbers that its markers have in the source; undefined where the source has no such marker. */
function renumbered({ segment, signs }: Utterance, wanted: readonly string[]): Segment | undefined {
  const free = new Map<string, number[]>();
  wanted.forEach((sign, index) => free.set(sign, [...(free.get(sign) ?? []), index + 1]));
  const numbers = new Map<number, number>();
  const numberOf = (own: number): number | undefined => {
    const known = numbers.get(own) ?? free.get(signs[own - 1] ?? '')?.shift();
    if (known !== undefined) numbers.set(own, known);
    return known;
  };
  const pieces: SegmentPiece[] = [];
  for (const piece of segment) {
    if (typeof piece === 'string') {
      pieces.push(piece);
      continue;
    }
    const [name, own] = Object.entries(piece)[0] as ['open' | 'close' | 'opaque', number];
    const number = numberOf(own);
    if (number === undefined) return undefined;
    pieces.push({ [name]: number } as SegmentPiece);
  }
  return pieces;
}

/** Tells whether the source becomes an item by these translations. */
function isMadeOf(source: ItemWords, pairs: readonly SegmentPair[], item: ItemWords): boolean {
  let next = 0;
  const made = said(source, (segment) => pairs[next++]?.target ?? segment);
  return (
    made.texts.length === item.texts.length &&
    made.texts.every((text, index) => text === item.texts[index]) &&
    contentOf(made.document) === contentOf(item.document)
  );
}

function contentOf(document: Document | undefined): string {
  return document ? contentJson(normalizeDocument(document)) : '';
}
