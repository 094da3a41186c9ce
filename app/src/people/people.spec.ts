import { describe, expect, it } from '@jest/globals';
import { foundWords, searchedWords } from './highlight.js';
import { safePath } from './safe-path.js';

describe('highlighting', () => {
  it('finds words by their beginnings, without case and accents', () => {
    const searched = searchedWords('install cafe');
    expect(foundWords('Installing the CAFÉ, reinstall it', searched)).toEqual(['Installing', 'CAFÉ']);
  });

  it('takes phrases apart, and leaves operators and excluded words out', () => {
    expect(searchedWords('"two words" or -three "-four')).toEqual(['two', 'words', 'four']);
    expect(searchedWords('-"left out"')).toEqual([]);
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
