import { anchorsOf } from '../../../formats/document/anchors.js';
import { recordsOf, fragmentOf, type Table } from '../../../formats/document/table.js';
import { childBlocks, codeText, lineText } from '../../../formats/document/text.js';
import { RAW_SYNTAX, type Block, type Document } from '../../../formats/document/types.js';
import { foldText, isUnspacedScript } from '../../search/domain/text-folding.js';

/** Maximum number of characters of a passage that is shown, and of one that a language model reads. */
const SHOWN_CHARACTERS = 900;
const READ_CHARACTERS = 3_000;
/** Words within so many characters belong together. */
const NEAR = 400;
const SHORT_STEM = 3;

/** A block of a passage: its text alone, without links, pictures and marks. */
export interface PassageBlock {
  readonly kind: 'paragraph' | 'heading' | 'item' | 'code';
  readonly text: string;
  /** The language of code. */
  readonly syntax?: string;
}

/** A part of a question: its share in the weight of the whole, and the beginnings of the words that stand for it. */
interface Concept {
  readonly weight: number;
  readonly stems: readonly string[];
}

/** The texts of one section: the part that answers best, and a longer one. */
export interface SectionText {
  readonly shown: readonly PassageBlock[];
  readonly read: readonly PassageBlock[];
  /** The most weight of the question that stands within a few sentences or in the titles, 0 to 1. */
  readonly nearness: number;
}

/**
 * The text of the section with an anchor (empty: before the first heading), chosen by the words of a question; `titles`
 * are those of the page and the section.
 */
export function sectionText(
  document: Document,
  anchor: string,
  titles: string,
  concepts: readonly Concept[],
): SectionText {
  return textOfBlocks(blocksOf(document, anchor), titles, concepts);
}

/** As `sectionText`, for blocks. */
export function textOfBlocks(
  blocks: readonly PassageBlock[],
  titles: string,
  concepts: readonly Concept[],
): SectionText {
  const patterns = concepts.map(({ weight, stems }) => ({ weight, pattern: patternOf(stems) }));
  return {
    shown: bestPart(blocks, patterns, SHOWN_CHARACTERS),
    read: bestPart(blocks, patterns, READ_CHARACTERS),
    nearness: nearnessOf(foldText(blocks.map(({ text }) => text).join('\n')), foldText(titles), patterns),
  };
}

interface Pattern {
  readonly weight: number;
  readonly pattern: RegExp;
}

/** Matches words that begin with one of the stems; of the shortest words only forms that are little longer. */
function patternOf(stems: readonly string[]): RegExp {
  const parts = stems.map((stem) => {
    const escaped = stem.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    if (isUnspacedScript(stem)) return escaped;
    return `(?<![\\p{L}\\p{N}])${escaped}${stem.length <= SHORT_STEM ? '\\p{L}{0,2}(?!\\p{L})' : ''}`;
  });
  return new RegExp(parts.length === 0 ? '(?!)' : parts.join('|'), 'gu');
}

/** The most weight of concepts that stand within `NEAR` characters of each other, or in the titles. */
function nearnessOf(text: string, titles: string, patterns: readonly Pattern[]): number {
  let inTitles = 0;
  const places: { readonly at: number; readonly concept: number; readonly weight: number }[] = [];
  patterns.forEach(({ weight, pattern }, concept) => {
    if (titles.search(pattern) >= 0) inTitles += weight;
    else for (const { index } of text.matchAll(pattern)) places.push({ at: index, concept, weight });
  });
  places.sort((one, other) => one.at - other.at);
  const inside = new Map<number, number>();
  let [from, sum, most] = [0, 0, 0];
  for (const place of places) {
    const count = inside.get(place.concept) ?? 0;
    inside.set(place.concept, count + 1);
    if (count === 0) sum += place.weight;
    for (let first = places[from]; first && place.at - first.at > NEAR; first = places[++from]) {
      const left = (inside.get(first.concept) ?? 1) - 1;
      inside.set(first.concept, left);
      if (left === 0) sum -= first.weight;
    }
    most = Math.max(most, sum);
  }
  return Math.min(1, inTitles + most);
}

function blocksOf(document: Document, wanted: string): PassageBlock[] {
  const anchors = anchorsOf(document);
  const found: PassageBlock[] = [];
  let anchor = '';
  const add = (kind: PassageBlock['kind'], text: string, syntax?: string): void => {
    const shown = kind === 'code' ? text.trimEnd() : text.replace(/\s+/g, ' ').trim();
    if (anchor === wanted && shown !== '')
      found.push({ kind, text: shown, ...(syntax !== undefined && syntax !== '' && { syntax }) });
  };
  const walk = (block: Block): void => {
    switch (block.type) {
      case 'heading-1':
      case 'heading-2':
      case 'heading-3':
        if (block.type === 'heading-3' && block.data.level !== undefined) add('heading', lineText(block.nodes ?? []));
        else anchor = anchors.get(block) ?? '';
        return;
      case 'paragraph':
        add('paragraph', lineText(block.nodes ?? []));
        return;
      case 'code':
        if (block.data.syntax !== RAW_SYNTAX) add('code', codeText(block), block.data.syntax);
        return;
      case 'list-item':
        item(block);
        return;
      case 'table':
        for (const row of rowsOf(block)) add('item', row);
        return;
      default:
        for (const child of childBlocks(block)) walk(child);
    }
  };
  const item = (block: Block): void => {
    for (const child of childBlocks(block)) {
      if (child.type === 'paragraph') add('item', lineText(child.nodes ?? []));
      else walk(child);
    }
  };
  document.nodes.forEach(walk);
  return found;
}

/** The rows of a table, with the titles of their columns. */
function rowsOf(table: Table): string[] {
  const columns = Object.values(table.data.definition);
  return recordsOf(table).map((record) =>
    columns
      .flatMap((column) => {
        const value = record.values[column.id];
        const cell = typeof value === 'string' ? fragmentOf(table, value) : undefined;
        const text = cell
          ? cell.nodes.map((node) => lineText(node.nodes ?? [])).join(' ')
          : typeof value === 'string' || typeof value === 'number'
            ? String(value)
            : '';
        return text.trim() === '' ? [] : [text];
      })
      .join(' · '),
  );
}

/** The adjacent blocks of at most `limit` characters with the most weight; the first block is cut if it alone is longer. */
function bestPart(blocks: readonly PassageBlock[], patterns: readonly Pattern[], limit: number): PassageBlock[] {
  const found = blocks.map(({ text }) => {
    const folded = foldText(text);
    return patterns.flatMap(({ pattern }, concept) => (folded.search(pattern) >= 0 ? [concept] : []));
  });
  const inside = patterns.map(() => 0);
  const change = (at: number, by: number): void => {
    for (const concept of found[at] ?? []) inside[concept] = (inside[concept] ?? 0) + by;
  };
  const weight = (): number =>
    patterns.reduce((sum, pattern, concept) => sum + ((inside[concept] ?? 0) > 0 ? pattern.weight : 0), 0);
  let best = { from: 0, to: 0, weight: -1 };
  let [to, size] = [0, 0];
  blocks.forEach(({ text }, from) => {
    for (let next = blocks[to]; next && (to === from || size + next.text.length <= limit); next = blocks[to]) {
      size += next.text.length;
      change(to, 1);
      to++;
    }
    if (weight() > best.weight + 1e-6) best = { from, to, weight: weight() };
    size -= text.length;
    change(from, -1);
  });
  return blocks.slice(best.from, best.to).map((block) => cut(block, limit));
}

function cut(block: PassageBlock, limit: number): PassageBlock {
  if (block.text.length <= limit) return block;
  const end = Math.max(block.text.lastIndexOf(block.kind === 'code' ? '\n' : ' ', limit), limit / 2);
  return { ...block, text: `${block.text.slice(0, end).replace(/[\ud800-\udbff]$/, '')}…` };
}
