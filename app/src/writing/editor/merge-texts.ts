import { settledText, type Settlement } from '../../review/conflicts/settled-text.js';
import type { WriteConflict } from './draft.js';
import { type PageText, shortenFiles } from './page-text.js';

/** The text that a settlement gives a place. */
export function settledTextOf({ current, given }: WriteConflict, settlement: Settlement): string {
  return settledText(shortenFiles(current), shortenFiles(given), settlement).trim();
}

/**
 * A text with the other side at every place, which the server merges without a conflict; undefined where a place is not
 * found in it.
 */
export function agreedText(text: PageText, conflicts: readonly WriteConflict[]): PageText | undefined {
  let { title, body } = text;
  for (const { attribute, current, given } of conflicts) {
    if (attribute === 'title') title = current;
    if (attribute !== undefined) continue;
    const place = given.trim() === '' ? undefined : findPiece(body, shortenFiles(given));
    if (!place) return undefined;
    body = replaced(body, place, shortenFiles(current).trim());
  }
  return { title, body };
}

/** The merged text with what was chosen at each place. `mine` is the text before the merge. */
export function chosenText(
  merged: PageText,
  mine: PageText,
  conflicts: readonly WriteConflict[],
  settlements: readonly Settlement[],
): PageText {
  let { title, body } = merged;
  conflicts.forEach((conflict, index) => {
    const settlement: Settlement = settlements[index] ?? { choice: 'theirs' };
    const text = settledTextOf(conflict, settlement);
    if (conflict.attribute === 'title') title = settlement.choice === 'both' ? conflict.current : text;
    if (conflict.attribute !== undefined || settlement.choice === 'theirs') return;
    const current = shortenFiles(conflict.current).trim();
    const place = current === '' ? placeAfter(body, mine.body, conflict) : findPiece(body, current);
    body = replaced(body, place ?? [body.length, body.length], text);
  });
  return { title, body };
}

type Range = readonly [number, number];

/** Where a piece of Markdown stands in a text, also when it is written in another way with the same words. */
export function findPiece(text: string, piece: string): Range | undefined {
  const exact = piece.trim();
  const at = text.indexOf(exact);
  if (at >= 0 && text.indexOf(exact, at + 1) === -1) return [at, at + exact.length];
  const wanted = wordsOf(piece);
  if (wanted === '') return undefined;
  const lines = text.split('\n');
  let offset = 0;
  for (const [first, line] of lines.entries()) {
    let found = '';
    let end = offset;
    if (wordsOf(line) !== '')
      for (let last = first; last < lines.length && wanted.startsWith(found); last += 1) {
        const next = lines[last] ?? '';
        found += wordsOf(next);
        end += next.length;
        if (found === wanted) return [offset, end];
        end += 1;
      }
    offset += line.length + 1;
  }
  return undefined;
}

/** The place behind the line that stood before a piece which is gone on the other side. */
function placeAfter(body: string, mine: string, { given }: WriteConflict): Range | undefined {
  const place = findPiece(mine, shortenFiles(given));
  const before =
    place &&
    mine
      .slice(0, place[0])
      .split('\n')
      .findLast((line) => wordsOf(line) !== '');
  const found = before === undefined ? undefined : findPiece(body, before);
  return found && [found[1], found[1]];
}

/** Puts a text into a place, with an empty line around what is put between blocks. */
function replaced(body: string, [from, to]: Range, text: string): string {
  const isNew = from === to && text !== '';
  return `${body.slice(0, from)}${isNew ? `\n\n${text}\n` : text}${body.slice(to)}`;
}

/** The letters and digits of a text, which all ways to write it have in common. */
function wordsOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
}
