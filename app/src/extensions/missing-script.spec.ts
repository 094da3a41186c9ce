import { describe, expect, it } from '@jest/globals';
import { isMissing } from './missing-script.js';

describe('an error of a script that was imported', () => {
  it.each([
    'Failed to fetch dynamically imported module: https://docs.example.com/app/extensions/a/b.js',
    'error loading dynamically imported module: https://docs.example.com/app/extensions/a/b.js',
    'Importing a module script failed.',
  ])('tells of a script that did not arrive: %s', (message) => {
    expect(isMissing(new TypeError(message))).toBe(true);
  });

  it.each([
    new TypeError('failed to load the settings'),
    new TypeError("Cannot read properties of undefined (reading 'import')"),
    new TypeError('Failed to fetch'),
    new SyntaxError('Failed to fetch dynamically imported module: it is a word of the script'),
    'Importing a module script failed.',
  ])('is one of the script itself: %s', (error) => {
    expect(isMissing(error)).toBe(false);
  });
});
