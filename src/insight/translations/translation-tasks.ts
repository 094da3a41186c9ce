import type { Document } from '../../formats/document/types.js';
import { workerTask } from '../../kernel/platform/workers/worker-task.js';
import { TermFinder, type TermTranslation } from './domain/glossary.js';
import { correctedItem } from './domain/corrected-item.js';
import { readEditedItem, type ReadEdit } from './domain/edited-item.js';
import { fuzzyMatches, MOST_COMPARED, segmentDiff, type DiffPart, type PlacedSegment } from './domain/fuzzy-match.js';
import { segmentText, type Segment } from './domain/segment.js';
import { stemmerOf } from './domain/stemmer.js';
import { segmentsOf, translateDocument } from './domain/translate-document.js';
import type { ItemWords } from './domain/utterances.js';

/* Translation of documents, as functions that any thread can run. */

/** All segments of a document, in order, without duplicates. */
export function documentSegments(json: string): Segment[] {
  return [
    ...new Map(segmentsOf(JSON.parse(json) as Document).map((segment) => [JSON.stringify(segment), segment])).values(),
  ];
}

export interface TranslateOrder {
  /** The document. */
  readonly json: string;
  /** The translations of its segments, by their JSON; missing ones stay unchanged. */
  readonly answers: ReadonlyMap<string, Segment>;
}

/** The JSON of a document in another language. */
export function translatedDocument({ json, answers }: TranslateOrder): string {
  return JSON.stringify(
    translateDocument(JSON.parse(json) as Document, (segment) => answers.get(JSON.stringify(segment)) ?? segment),
  );
}

export interface TermsOrder {
  /** The language of the texts. */
  readonly language: string;
  readonly glossary: readonly TermTranslation[];
  readonly texts: readonly string[];
}

/** The glossary terms that occur in each text, in order of occurrence. */
export async function termsInTexts({ language, glossary, texts }: TermsOrder): Promise<TermTranslation[][]> {
  const finder = new TermFinder(glossary, await stemmerOf(language));
  return texts.map((text) => finder.in(text));
}

/** The translation that a person has given to a former source of a segment, and the changes of the source since. */
export interface FormerTranslation {
  readonly source: Segment;
  readonly target: Segment;
  readonly similarity: number;
  readonly diff: readonly DiffPart[];
}

export interface ChangesOrder {
  readonly former: readonly { readonly source: Segment; readonly target: Segment; readonly position: number }[];
  /** In the order of their places. */
  readonly fresh: readonly PlacedSegment[];
}

/** The former translations of new segments, by the indexes of these; texts that resemble no former one have none. */
export function changedSegments({ former, fresh }: ChangesOrder): { fresh: number; former: FormerTranslation }[] {
  const before = former.map(({ source, position }) => ({ segment: source, position }));
  let compared = 0;
  return fuzzyMatches(before, fresh).flatMap(({ former: index, fresh: at, similarity }) => {
    const [said, now] = [former[index], fresh[at]];
    if (!said || !now) return [];
    const { source, target } = said;
    compared += segmentText(source).length + segmentText(now.segment).length;
    const diff = segmentDiff(source, now.segment, compared <= MOST_COMPARED);
    return [{ fresh: at, former: { source, target, similarity, diff } }];
  });
}

/** The words of an item, with its document as JSON. */
export interface StoredWords {
  readonly texts: readonly string[];
  readonly json: string | undefined;
}

export interface EditOrder {
  readonly source: StoredWords;
  readonly before: StoredWords;
  readonly edited: StoredWords;
}

/** Reads edits of translated items, see `readEditedItem`. */
export function editedItems(orders: readonly EditOrder[]): ReadEdit[] {
  return orders.map(({ source, before, edited }) => readEditedItem(wordsOf(source), wordsOf(before), wordsOf(edited)));
}

export interface CorrectOrder {
  readonly source: StoredWords;
  readonly present: StoredWords;
  /** The translations that people have given to texts of the source. */
  readonly said: readonly { readonly source: Segment; readonly target: Segment }[];
}

/** The words of a translated item with what people have said, see `correctedItem`. */
export function correctedWords({ source, present, said }: CorrectOrder): StoredWords | undefined {
  const corrections = new Map(said.map((each) => [JSON.stringify(each.source), each.target]));
  const made = correctedItem(wordsOf(source), wordsOf(present), corrections);
  return made && { texts: made.texts, json: made.document && JSON.stringify(made.document) };
}

function wordsOf({ texts, json }: StoredWords): ItemWords {
  return { texts, document: json === undefined ? undefined : (JSON.parse(json) as Document) };
}

/** A document in JSON is about four times as long as its Markdown. */
const JSON_LENGTH = 4;
function sizeOf(words: readonly StoredWords[]): number {
  return words.reduce((sum, { json }) => sum + (json?.length ?? 0) / JSON_LENGTH, 0);
}

/** At each character one look-up is made for each length of terms: up to 255. */
const LOOKUPS = 10;

export const DOCUMENT_SEGMENTS = workerTask(import.meta.url, documentSegments, {
  size: (json) => json.length / JSON_LENGTH,
});
export const TRANSLATED_DOCUMENT = workerTask(import.meta.url, translatedDocument, {
  size: ({ json }) => json.length / JSON_LENGTH,
});
export const TERMS_IN_TEXTS = workerTask(import.meta.url, termsInTexts, {
  size: ({ glossary, texts }) => glossary.length + texts.reduce((sum, text) => sum + LOOKUPS * text.length, 0),
});
export const CHANGED_SEGMENTS = workerTask(import.meta.url, changedSegments, {
  size: ({ former, fresh }) =>
    [...former.map(({ source }) => source), ...fresh.map(({ segment }) => segment)].reduce(
      (sum, segment) => sum + LOOKUPS * segmentText(segment).length,
      0,
    ),
});
export const EDITED_ITEMS = workerTask(import.meta.url, editedItems, {
  size: (orders) => sizeOf(orders.flatMap(({ source, before, edited }) => [source, before, edited])),
});
export const CORRECTED_WORDS = workerTask(import.meta.url, correctedWords, {
  size: ({ source, present }) => sizeOf([source, present]),
});
