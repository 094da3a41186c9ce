import { expect, it } from '@jest/globals';
import { initialsOf } from './initials.js';

it('takes the first letters of two words, whole emoji and accents among them', () => {
  const names = [
    'Ada Lovelace',
    'ada',
    '  Ada   King  Lovelace ',
    '🦉🦉 Owl',
    '👩‍💻 Ada',
    'e\u0301mile zola',
    'مريم بنت',
    'Robin (demo)',
    '(…)',
    '',
  ];
  expect(names.map(initialsOf)).toEqual(['AL', 'A', 'AK', '🦉O', '👩‍💻A', 'E\u0301Z', 'مب', 'RD', '', '']);
});
