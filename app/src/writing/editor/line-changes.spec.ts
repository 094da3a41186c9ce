import { describe, expect, it } from '@jest/globals';
import { lineChanges, type TextChange } from './line-changes.js';

function applied(text: string, changes: readonly TextChange[]): string {
  return changes.toReversed().reduce((all, { from, to, insert }) => all.slice(0, from) + insert + all.slice(to), text);
}

describe('changes of lines', () => {
  it.each([
    ['', 'a\n'],
    ['a\nb\nc', 'a\nx\nc'],
    ['a\nb\nc\nd\ne\n', 'x\nb\nc\nd\ny\n'],
    ['a\na\na\n', 'a\na\n'],
    ['one\ntwo\nthree', 'three\ntwo\none'],
    ['a\n\nb\n', ''],
  ])('lead from %j to %j', (before, after) => {
    expect(applied(before, lineChanges(before, after))).toBe(after);
  });

  it('leave alone what both have', () => {
    const before = ['a', 'b', 'c', 'd', 'e', ''].join('\n');
    expect(lineChanges(before, before.replace('a', 'x').replace('e', 'y'))).toEqual([
      { from: 0, to: 2, insert: 'x\n' },
      { from: 8, to: 10, insert: 'y\n' },
    ]);
    expect(lineChanges(before, before)).toEqual([]);
  });

  it('lead between random texts', () => {
    let seed = 7;
    const random = (most: number): number => (seed = (seed * 16_807) % 2_147_483_647) % most;
    const text = (): string => Array.from({ length: random(30) }, () => 'abcdefgh'[random(8)] ?? '').join('\n');
    for (let round = 0; round < 300; round += 1) {
      const [before, after] = [text(), text()];
      expect(applied(before, lineChanges(before, after))).toBe(after);
    }
  });
});
