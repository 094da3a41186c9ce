import { diffWordsWithSpace } from 'diff';
import { taggedSegment } from './inline-tags.js';
import type { Segment } from './segment.js';

/** A text and its place among those of a page. */
export interface PlacedSegment {
  readonly segment: Segment;
  readonly position: number;
}

/** A part of the difference of two texts: it stands in both, or in one of them. */
export interface DiffPart {
  readonly type: 'equal' | 'insert' | 'delete';
  readonly text: string;
}

/** The former text that a new one resembles most. */
export interface FuzzyMatch {
  /** Indexes of the former text and of the new one. */
  readonly former: number;
  readonly fresh: number;
  /** 0 to 1: the part of their words that both have. */
  readonly similarity: number;
}

/** Texts with fewer words in common are others. */
const LEAST_SIMILARITY = 0.4;
/** A former text is compared with so many new ones, those that are nearest. */
const NEIGHBOURS = 50;
/** Words that a diff may change; texts that differ in more are shown one after the other. */
const MOST_EDITS = 200;
/** Characters of all texts of a page that are compared word by word. */
export const MOST_COMPARED = 200_000;

const WORDS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}_]+|<[^>]*>/gu;

/**
 * Pairs each former text with the new one that it became, as far as one near it resembles it; each is in one pair. New
 * texts stand in the order of their places.
 */
export function fuzzyMatches(former: readonly PlacedSegment[], fresh: readonly PlacedSegment[]): FuzzyMatch[] {
  const words = fresh.map(({ segment }) => wordCounts(segment));
  const pairs: (FuzzyMatch & { readonly distance: number })[] = [];
  for (const [index, { segment, position }] of former.entries()) {
    const own = wordCounts(segment);
    const from = Math.max(0, lowerBound(fresh, position) - NEIGHBOURS / 2);
    for (const [step, other] of fresh.slice(from, from + NEIGHBOURS).entries()) {
      const distance = Math.abs(other.position - position);
      const similarity = similarityOf(own, words[from + step] ?? EMPTY);
      if (similarity >= LEAST_SIMILARITY) pairs.push({ former: index, fresh: from + step, similarity, distance });
    }
  }
  pairs.sort((a, b) => b.similarity - a.similarity || a.distance - b.distance);
  const [usedFormer, usedFresh] = [new Set<number>(), new Set<number>()];
  return pairs.flatMap(({ former: one, fresh: other, similarity }) => {
    if (usedFormer.has(one) || usedFresh.has(other)) return [];
    usedFormer.add(one);
    usedFresh.add(other);
    return [{ former: one, fresh: other, similarity: Math.round(similarity * 100) / 100 }];
  });
}

/** The difference of two segments, in words; one after the other where they are not to be compared. */
export function segmentDiff(before: Segment, after: Segment, isCompared = true): DiffPart[] {
  const [old, now] = [taggedSegment(before), taggedSegment(after)];
  const parts = isCompared ? diffWordsWithSpace(old, now, { maxEditLength: MOST_EDITS }) : undefined;
  if (!parts)
    return [
      { type: 'delete', text: old },
      { type: 'insert', text: now },
    ];
  return parts.map(({ added, removed, value }) => ({
    type: added ? 'insert' : removed ? 'delete' : 'equal',
    text: value,
  }));
}

/** The index of the first text at a place or behind it. */
function lowerBound(texts: readonly PlacedSegment[], position: number): number {
  let [low, high] = [0, texts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((texts[middle]?.position ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface WordCounts {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

const EMPTY: WordCounts = { counts: new Map(), total: 0 };

function wordCounts(segment: Segment): WordCounts {
  const counts = new Map<string, number>();
  const words = taggedSegment(segment).toLowerCase().match(WORDS) ?? [];
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, total: words.length };
}

/** Dice's coefficient of two multisets of words. */
function similarityOf(one: WordCounts, other: WordCounts): number {
  if (one.total + other.total === 0) return 0;
  let common = 0;
  for (const [word, count] of one.counts) common += Math.min(count, other.counts.get(word) ?? 0);
  return (2 * common) / (one.total + other.total);
}
