import { describe, expect, it } from '@jest/globals';
import { findLandmark } from './landmark.js';

const TEXTS = [
  '# Install',
  '',
  'Run the **installer**.',
  '{% hint style="info" %}',
  'Read on.',
  '{% endhint %}',
  'Read on.',
];
const candidates = TEXTS.map((words, index) => ({ words, share: index / TEXTS.length }));

describe('the place of a text in its other form', () => {
  it('is where the words are, whatever their marks', () => {
    expect(findLandmark({ words: 'Run the installer.', share: 0.9 }, candidates)).toBe(2);
    expect(findLandmark({ words: 'Install', share: 1 }, candidates)).toBe(0);
  });

  it('is the nearest one of those with the same words', () => {
    expect(findLandmark({ words: 'Read on.', share: 0.5 }, candidates)).toBe(4);
    expect(findLandmark({ words: 'Read on.', share: 1 }, candidates)).toBe(6);
  });

  it('is at the same share of the text where nothing has the words', () => {
    expect(findLandmark({ words: 'Elsewhere', share: 0.3 }, candidates)).toBe(2);
    expect(findLandmark({ words: 'Elsewhere', share: 0.3 }, [])).toBe(-1);
  });
});
