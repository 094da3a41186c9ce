import { describe, expect, it } from '@jest/globals';
import { highlighted, searchedWords } from './highlight.js';
import { safePath } from './safe-path.js';

const found = (text: string, query: string) =>
  highlighted(text, searchedWords(query))
    .filter((part) => part.found)
    .map((part) => part.text);

describe('highlighting', () => {
  it('finds words by their beginnings, without case and accents', () => {
    expect(found('Installing the CAFÉ, reinstall it', 'install cafe')).toEqual(['Installing', 'CAFÉ']);
  });

  it('takes phrases apart, and leaves operators and excluded words out', () => {
    expect(searchedWords('"two words" or -three "-four')).toEqual(['two', 'words', 'four']);
    expect(searchedWords('-"left out"')).toEqual([]);
  });

  it('keeps the whole text', () => {
    const text = 'Ports, such as 3000 – and others.';
    for (const query of ['ports 3000', '', 'others'])
      expect(
        highlighted(text, searchedWords(query))
          .map((part) => part.text)
          .join(''),
      ).toBe(text);
  });
});

describe('the path behind the sign-in', () => {
  it('stays below the workspace', () => {
    expect(safePath('/o/abc?tab=links#end')).toBe('/o/abc?tab=links#end');
    for (const path of [
      undefined,
      '',
      'o/abc',
      '//evil.example',
      '/\\evil.example',
      '/a\\b',
      'https://evil.example',
      '/\n/evil.example',
    ])
      expect(safePath(path)).toBe('/');
  });
});
