/** A replacement of a part of a text. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** The changes from one text to another by lines, each as small as lines that both have allow. */
export function lineChanges(before: string, after: string): TextChange[] {
  const changes: TextChange[] = [];
  compare(linesOf(before), linesOf(after), 0, changes);
  return changes;
}

/** Lines with their ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function compare(old: readonly string[], fresh: readonly string[], offset: number, changes: TextChange[]): void {
  const most = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < most && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end += 1;
  const [oldPart, freshPart] = [old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)];
  if (oldPart.length === 0 && freshPart.length === 0) return;
  const from = offset + lengthOf(old.slice(0, start));
  const anchor = anchorOf(oldPart, freshPart);
  if (!anchor) {
    changes.push({ from, to: from + lengthOf(oldPart), insert: freshPart.join('') });
    return;
  }
  const [inOld, inFresh] = anchor;
  compare(oldPart.slice(0, inOld), freshPart.slice(0, inFresh), from, changes);
  const next = from + lengthOf(oldPart.slice(0, inOld + 1));
  compare(oldPart.slice(inOld + 1), freshPart.slice(inFresh + 1), next, changes);
}

/** The place of a line that both have once, next to the middle. */
function anchorOf(old: readonly string[], fresh: readonly string[]): readonly [number, number] | undefined {
  const [inOld, inFresh] = [uniqueLines(old), uniqueLines(fresh)];
  let best: readonly [number, number] | undefined;
  let distance = Infinity;
  for (const [line, index] of inOld) {
    const other = inFresh.get(line);
    const away = Math.abs(index - old.length / 2);
    if (other === undefined || line.trim() === '' || away >= distance) continue;
    best = [index, other];
    distance = away;
  }
  return best;
}

function uniqueLines(lines: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  const repeated = new Set<string>();
  lines.forEach((line, index) => (found.has(line) ? repeated.add(line) : found.set(line, index)));
  for (const line of repeated) found.delete(line);
  return found;
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0);
}
