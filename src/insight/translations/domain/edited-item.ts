import { anchorsOf } from '../../../formats/document/anchors.js';
import { isObject } from '../../../formats/document/checks.js';
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

/** A segment of the source with its translation, and its place among those of the item. */
export interface SegmentPair {
  readonly source: Segment;
  readonly target: Segment;
  readonly position: number;
}

/** The segments that people have translated otherwise, or why the edit is no translation, as the rest of a sentence. */
export type ReadEdit = { readonly changed: readonly SegmentPair[] } | { readonly fault: string };

const STRUCTURE = 'no longer has the structure of its source: only words can be changed here';

/**
 * Reads an edit of a translated item: which segments are translated otherwise than before. The edited item has to be
 * what becomes of the one before with other words. Segments that are as before may be whatever an engine has said;
 * changed ones have to fit the source. References in `source` are already those of the translation.
 */
export function readEditedItem(source: ItemWords, before: ItemWords, edited: ItemWords): ReadEdit {
  const known = new Map([...placesOf(source), ...placesOf(before)]);
  const [asked, present, wanted] = [source, before, edited].map((words) =>
    comparable(words, known),
  ) as Three<ItemWords>;
  const [sources, old, now] = [asked, present, wanted].map(utterancesOf) as Three<Utterance[]>;
  if (sources.length !== now.length || old.length !== now.length) return { fault: STRUCTURE };
  const said: Segment[] = [];
  const changed: SegmentPair[] = [];
  for (const [index, utterance] of now.entries()) {
    const [of, was] = [sources[index], old[index]];
    if (!of || !was) return { fault: STRUCTURE };
    const isSame = JSON.stringify(utterance) === JSON.stringify(was);
    const again = isSame ? was.segment : renumbered(utterance, was.signs);
    if (!again) return { fault: hasNewText(utterance, was) ? NEW_TEXT : STRUCTURE };
    said.push(again);
    if (isSame) continue;
    const target = renumbered(utterance, of.signs, kindOf);
    const fault = faultOfTarget(of.segment, target);
    if (target === undefined || fault !== undefined) return { fault: `cannot be stored: a text ${fault ?? ''}` };
    changed.push({ source: of.segment, target, position: index });
  }
  return isMadeOf(present, said, wanted) ? { changed } : { fault: STRUCTURE };
}

type Three<Each> = [Each, Each, Each];

const NEW_TEXT = 'cannot be stored: a text has an address, code or line break that its source does not have';

/** A segment, and what its markers stand for. */
interface Utterance {
  readonly segment: Segment;
  readonly signs: readonly string[];
}

/** All segments of an item in their order. */
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

/**
 * A segment with the numbers that its markers have in another one; undefined where that has no such marker. Markers
 * with equal signs are the same, then those that have the rest of their signs alike by `likeness`.
 */
function renumbered(
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
function kindOf(sign: string): string {
  return /^(?:leaf|marks) /.test(sign) ? sign : (sign.split(' ', 1)[0] ?? '');
}

function hasNewText({ signs }: Utterance, before: Utterance): boolean {
  const isText = (sign: string): boolean => sign.startsWith('leaf ');
  return signs.filter(isText).length > before.signs.filter(isText).length;
}

/** Tells whether an item becomes another one by these segments. */
function isMadeOf(before: ItemWords, segments: readonly Segment[], item: ItemWords): boolean {
  let next = 0;
  const made = comparable(said(before, (segment) => segments[next++] ?? segment));
  return (
    made.texts.length === item.texts.length &&
    made.texts.every((text, index) => text === item.texts[index]) &&
    contentOf(made.document) === contentOf(item.document)
  );
}

function contentOf(document: Document | undefined): string {
  return document ? contentJson(normalizeDocument(document)) : '';
}

/**
 * An item whose anchors do not depend on its words: links within it name the place of the heading or tab that they lead
 * to, and these have no names of their own but those that are not `known`. Links may lead to places as they were named.
 */
function comparable(words: ItemWords, known?: ReadonlyMap<string, string>): ItemWords {
  const { texts, document } = words;
  if (!document) return words;
  const places = new Map([...(known ?? []), ...placesOf(words)]);
  return { texts, document: { ...document, nodes: placed(document.nodes, places, known) as Document['nodes'] } };
}

/** The anchors of an item with their places among these. */
function placesOf({ document }: ItemWords): Map<string, string> {
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
