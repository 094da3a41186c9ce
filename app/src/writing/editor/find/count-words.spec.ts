import { describe, expect, it } from '@jest/globals';
import { proseOf, type TextCount, WordCounter } from './count-words.js';

function count(...lines: readonly string[]): TextCount {
  const counting = new WordCounter().count(lines);
  for (let next = counting.next(); ; next = counting.next()) if (next.done === true) return next.value;
}

describe('the figures of a text', () => {
  it.each([
    ['', 0, 0],
    [' ', 0, 1],
    ['One two, three.', 3, 15],
    ["It isn't", 2, 8],
    ['naïve café', 2, 10],
    ['e\u0301te\u0301', 1, 3],
    ['👩‍👩‍👧 ok', 1, 4],
    ['我爱北京', 3, 4],
    ['สวัสดีชาวโลก', 3, 10],
    ['مرحبا بالعالم', 2, 13],
  ])('of %j are %i words and %i characters', (text, words, characters) => {
    expect(count(text)).toEqual({ words, characters });
  });

  it('are those of all lines, of each as often as it is there', () => {
    expect(count('one two', '', 'one two', 'three')).toEqual({ words: 5, characters: 19 });
  });

  it('of a long line without a blank come piece by piece, and divide no character', () => {
    const counting = new WordCounter().count(['😀'.repeat(10_000)]);
    let pieces = 0;
    for (let next = counting.next(); ; next = counting.next()) {
      if (next.done === true) {
        expect(next.value.characters).toBe(10_000);
        break;
      }
      pieces += 1;
    }
    expect(pieces).toBeGreaterThan(4);
  });

  it('are known again for lines that have not changed', () => {
    const counter = new WordCounter();
    const stepsOf = (lines: readonly string[]): number => {
      let steps = 0;
      for (const counting = counter.count(lines); counting.next().done !== true;) steps += 1;
      return steps;
    };
    expect(stepsOf(['one', 'two', 'three'])).toBe(3);
    expect(stepsOf(['one', 'two', 'three and more'])).toBe(1);
    expect(stepsOf([])).toBe(0);
    expect(stepsOf(['one'])).toBe(1);
  });
});

describe('a line of Markdown', () => {
  it.each([
    ['## A heading', 'A heading'],
    ['* [x] Do **this** now', 'Do this now'],
    ['See [the guide](guides/write.md "mention").', 'See the guide.'],
    ['{% hint style="info" %}', ''],
    ['<details open>', ''],
    ['***', ''],
    ['| --- | :-: |', ''],
    ['A snake_case name, 3*4', 'A snake_case name, 3*4'],
  ])('%j is read as %j', (line, prose) => {
    expect(proseOf(line).replace(/\s+/g, ' ').trim()).toBe(prose);
  });

  it('takes a time that its length bounds', () => {
    for (const part of ['{%', '<', '](', '[', '| -', '*_', '```']) {
      const line = part.repeat(200_000);
      const start = process.cpuUsage();
      proseOf(line);
      expect(process.cpuUsage(start).user / 1e6).toBeLessThan(2);
    }
  });
});
