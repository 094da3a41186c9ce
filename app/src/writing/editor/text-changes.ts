import { ChangeSet } from '@codemirror/state';
import { diffLines, diffWordsWithSpace } from 'diff';

const MOST_DIFF_MS = 500;

/**
 * The changes that bring a text that was sent, and typed on to `now`, to what the server made of it with what was typed
 * since. The server takes the blank at the end of a line away, which may be the beginning of what is typed.
 */
export function changesToMerged(sent: string, merged: string, now: string): ChangeSet {
  const kept = withoutTakenBlanks(sent, merged);
  return changesOf(kept, merged).map(changesOf(kept, now));
}

type Part = Readonly<{ value: string; added?: boolean; removed?: boolean }>;

const BLANK_AT_END = /(?<=\S) (?=\n|$)/g;
const FENCE = /^[\s>*+-]*(`{3,}|~{3,})/;

/** A text without the blanks at the ends of its lines that are no longer there; those of code stay. */
function withoutTakenBlanks(sent: string, merged: string): string {
  if (sent.search(BLANK_AT_END) === -1) return sent;
  let fence: string | undefined;
  return linesOf(sent, merged)
    .filter(({ added }) => !added)
    .flatMap(({ value, removed }) =>
      value.split(/(?<=\n)/).map((line) => {
        const [, mark] = FENCE.exec(line) ?? [];
        const isCode = fence !== undefined;
        if (fence === undefined) fence = mark;
        else if (mark?.startsWith(fence)) fence = undefined;
        return removed && !isCode ? line.replace(BLANK_AT_END, '') : line;
      }),
    )
    .join('');
}

/** The changes from one text to another, by words within the lines that differ: what is typed stays in its paragraph. */
function changesOf(before: string, after: string): ChangeSet {
  const lines = linesOf(before, after);
  const parts = lines.flatMap((part, index): readonly Part[] => {
    const [previous, next] = [lines[index - 1], lines[index + 1]];
    if (part.removed && next?.added)
      return diffWordsWithSpace(part.value, next.value, { timeout: MOST_DIFF_MS }) ?? whole(part.value, next.value);
    return part.added && previous?.removed ? [] : [part];
  });
  let at = 0;
  const changes = parts.flatMap(({ value, added, removed }) => {
    const from = at;
    if (!added) at += value.length;
    if (added) return { from, insert: value };
    return removed ? { from, to: at } : [];
  });
  return ChangeSet.of(changes, before.length);
}

const linesOf = (before: string, after: string): readonly Part[] =>
  diffLines(before, after, { timeout: MOST_DIFF_MS }) ?? whole(before, after);

const whole = (before: string, after: string): readonly Part[] => [
  { value: before, removed: true },
  { value: after, added: true },
];
