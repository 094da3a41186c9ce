import { diffArrays } from 'diff';
import { contentJson } from '../hash.js';
import { sameMarks } from '../same-marks.js';
import { lineText } from '../text.js';
import type { Leaf, Node } from '../types.js';

/**
 * Words of one line that are inserted and deleted at most: a line with more is shown as replaced. The time for comparing
 * grows with their square.
 */
const MAX_EDITS = 1_000;
/** The same for all lines of a document. */
const MAX_EDITS_OF_DOCUMENT = 20_000;

export type RunChange = 'unchanged' | 'inserted' | 'deleted';

/** A part of a line of text. */
export interface DiffRun {
  readonly change: RunChange;
  readonly text: string;
  /** The same with its marks and inlines. */
  readonly nodes: readonly Node[];
}

/** The work that is left for comparing the lines of a document. */
export interface DiffBudget {
  edits: number;
}

export function newBudget(): DiffBudget {
  return { edits: MAX_EDITS_OF_DOCUMENT };
}

/** A word of a line, or an inline as a whole. */
interface Token {
  readonly identity: string;
  readonly node: Node;
}

/**
 * The words that both versions of a line have, and those that one of them has, with their marks. Where both changed,
 * deleted words come first.
 */
export function diffLine(before: readonly Node[], after: readonly Node[], budget: DiffBudget): DiffRun[] {
  const [was, now] = [tokensOf(before), tokensOf(after)];
  const groups = groupsOf(was, now, budget);
  return groups.flatMap(({ deleted, inserted, unchanged }) => [
    ...runOf('deleted', deleted),
    ...runOf('inserted', inserted),
    ...runOf('unchanged', unchanged),
  ]);
}

/** A line that only one version has. */
export function wholeRun(change: RunChange, nodes: readonly Node[]): DiffRun[] {
  return nodes.length === 0 ? [] : [{ change, text: lineText(nodes), nodes }];
}

function runOf(change: RunChange, tokens: readonly Token[]): DiffRun[] {
  return wholeRun(change, joined(tokens));
}

/** Deleted and inserted words, and the unchanged ones behind them. */
interface Group {
  readonly deleted: Token[];
  readonly inserted: Token[];
  readonly unchanged: Token[];
}

function groupsOf(was: readonly Token[], now: readonly Token[], budget: DiffBudget): Group[] {
  const most = Math.min(MAX_EDITS, budget.edits);
  const parts = diffArrays(was.map(identityOf), now.map(identityOf), { maxEditLength: most });
  if (!parts) {
    budget.edits -= most;
    return [{ deleted: [...was], inserted: [...now], unchanged: [] }];
  }
  const groups: Group[] = [];
  let [from, to] = [0, 0];
  for (const { count, removed, added } of parts) {
    let group = groups.at(-1);
    // A blank between changed words belongs to the change.
    if (!group || (group.unchanged.length > 0 && (removed || added) && !isBlank(group.unchanged)))
      groups.push((group = { deleted: [], inserted: [], unchanged: [] }));
    if ((removed || added) && group.unchanged.length > 0) {
      const blank = group.unchanged.splice(0);
      group.deleted.push(...blank);
      group.inserted.push(...blank);
    }
    if (removed) group.deleted.push(...was.slice(from, from + count));
    else if (added) group.inserted.push(...now.slice(to, to + count));
    else group.unchanged.push(...now.slice(to, to + count));
    if (!added) from += count;
    if (!removed) to += count;
    if (removed || added) budget.edits -= count;
  }
  return groups;
}

const identityOf = ({ identity }: Token): string => identity;

function isBlank(tokens: readonly Token[]): boolean {
  return tokens.length === 1 && tokens.every(({ node }) => node.object === 'text' && lineText([node]).trim() === '');
}

const WORDS = new Intl.Segmenter('en', { granularity: 'word' });

function tokensOf(nodes: readonly Node[]): Token[] {
  return nodes.flatMap((node): Token[] => {
    if (node.object !== 'text') return [{ identity: contentJson(node), node }];
    return node.leaves.flatMap((leaf) => {
      const marks = contentJson(leaf.marks);
      return Array.from(WORDS.segment(leaf.text), ({ segment }) => ({
        identity: `${segment} ${marks}`,
        node: { object: 'text' as const, leaves: [{ ...leaf, text: segment }] },
      }));
    });
  });
}

/** The nodes of tokens: words behind each other are one text, and those with the same marks one leaf of it. */
function joined(tokens: readonly Token[]): Node[] {
  const result: Node[] = [];
  let leaves: Leaf[] | undefined;
  for (const { node } of tokens) {
    if (node.object !== 'text') {
      leaves = undefined;
      result.push(node);
      continue;
    }
    if (!leaves) {
      leaves = [];
      result.push({ object: 'text', leaves });
    }
    for (const leaf of node.leaves) {
      const last = leaves.at(-1);
      if (last && sameMarks(last.marks, leaf.marks)) last.text += leaf.text;
      else leaves.push({ ...leaf });
    }
  }
  return result;
}
