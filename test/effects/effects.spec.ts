import { describe, expect, it } from '@jest/globals';
import { describeSettings } from '../../src/config.js';
import { namesIn, type Effect } from './effect.js';
import { SETTINGS } from './settings.js';
import { titlesOf } from './titles.js';

const namesOf = (effects: readonly Effect[]): string[] => effects.flatMap(({ of }) => namesIn(of)).sort();

/** Tests that are named and are not there. */
function absentOf(effects: readonly Effect[]): string[] {
  const titles = new Map<string, ReadonlySet<string>>();
  return effects.flatMap(({ spec, test }) => {
    const known = titles.get(spec) ?? titlesOf(`test/${spec}.spec.ts`);
    titles.set(spec, known);
    return known.has(test) ? [] : [`${spec} › ${test}`];
  });
}

describe('the list of effects', () => {
  it('names, for each setting of the environment, a test that shows what it changes', () => {
    expect(namesOf(SETTINGS)).toEqual(
      describeSettings()
        .map(({ variable }) => variable)
        .sort(),
    );
    expect(absentOf(SETTINGS)).toEqual([]);
  });
});
