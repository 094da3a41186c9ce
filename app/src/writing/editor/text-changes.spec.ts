import { describe, expect, it } from '@jest/globals';
import { Text } from '@codemirror/state';
import { changesToMerged } from './text-changes.js';

const shown = (sent: string, merged: string, now: string): string =>
  changesToMerged(sent, merged, now)
    .apply(Text.of(now.split('\n')))
    .toString();

describe('what is shown of a merged text', () => {
  it.each([
    ['what was typed since', 'One', 'One\n\nTwo', 'One, typed', 'One, typed\n\nTwo'],
    ['a word whose blank was sent before it', 'One ', 'One', 'One typed', 'One typed'],
    ['a word beside one of others, though its blank was sent', 'One ', 'One theirs', 'One typed', 'One typed theirs'],
    [
      'the blank of a line that others left as it was',
      'One \n\nTwo',
      'One\n\nTwo 2',
      'One typed\n\nTwo',
      'One typed\n\nTwo 2',
    ],
    [
      'the one blank of a line of code',
      '```\na = \n```\n\nOne ',
      '```\na = \n```\n\nOne\n\nTheirs',
      '```\na = 1\n```\n\nOne ',
      '```\na = 1\n```\n\nOne \n\nTheirs',
    ],
    [
      'one blank of a line of code that others went on with',
      '~~~ js\na = \n~~~\nOne ',
      '~~~ js\na = b \n~~~\nOne',
      '~~~ js\na = \n~~~\nOne typed',
      '~~~ js\na = b \n~~~\nOne typed',
    ],
    [
      'blanks of code beside the same words of a paragraph',
      'a = \n\n```\na = \n```\n',
      'a =\n\n```\na = \n```\n',
      'a = 1\n\n```\na = \n```\n',
      'a = 1\n\n```\na = \n```\n',
    ],
  ])('has %s', (_name, sent, merged, now, result) => {
    expect(shown(sent, merged, now)).toBe(result);
  });

  it('has what was typed in its paragraph, though others have words of it in other paragraphs', () => {
    const paragraphs = (...words: string[]) =>
      words.map((each, index) => `Paragraph ${index} of it.${each}`).join('\n\n');
    expect(shown(paragraphs(' a', '', ' c'), paragraphs(' b a', ' a', ' c d'), paragraphs(' a typed', '', ' c'))).toBe(
      paragraphs(' b a typed', ' a', ' c d'),
    );
  });
});
