import { contentJson } from '../../../formats/document/hash.js';
import { normalizeDocument } from '../../../formats/document/normalize-document.js';
import type { Document } from '../../../formats/document/types.js';
import type { Segment } from './segment.js';
import { faultOfTarget } from './target-faults.js';
import {
  withAnchorPlaces,
  kindOfSign,
  placesOfAnchors,
  renumbered,
  sayItem,
  utterancesOf,
  type ItemWords,
  type Utterance,
} from './utterances.js';

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
  const known = new Map([...placesOfAnchors(source), ...placesOfAnchors(before)]);
  const [asked, present, wanted] = [source, before, edited].map((words) =>
    withAnchorPlaces(words, known),
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
    const target = renumbered(utterance, of.signs, kindOfSign);
    const fault = faultOfTarget(of.segment, target);
    if (target === undefined || fault !== undefined) return { fault: `cannot be stored: a text ${fault ?? ''}` };
    changed.push({ source: of.segment, target, position: index });
  }
  return isMadeOf(present, said, wanted) ? { changed } : { fault: STRUCTURE };
}

type Three<Each> = [Each, Each, Each];

const NEW_TEXT = 'cannot be stored: a text has an address, code or line break that its source does not have';

function hasNewText({ signs }: Utterance, before: Utterance): boolean {
  const isText = (sign: string): boolean => sign.startsWith('leaf ');
  return signs.filter(isText).length > before.signs.filter(isText).length;
}

/** Tells whether an item becomes another one by these segments. */
function isMadeOf(before: ItemWords, segments: readonly Segment[], item: ItemWords): boolean {
  let next = 0;
  const made = withAnchorPlaces(sayItem(before, (segment) => segments[next++] ?? segment));
  return (
    made.texts.length === item.texts.length &&
    made.texts.every((text, index) => text === item.texts[index]) &&
    contentOf(made.document) === contentOf(item.document)
  );
}

function contentOf(document: Document | undefined): string {
  return document ? contentJson(normalizeDocument(document)) : '';
}
