import { foldText, wordBeginning } from './text-folding.js';

const SHOWN = 5;

interface Section {
  readonly title: string;
  readonly body: string;
}

/** The sections that contain the most words, given without accents, by prefix; the first section if none does. */
export function matchingSections<Found extends Section>(sections: readonly Found[], words: readonly string[]): Found[] {
  const stems = words.map(wordBeginning);
  const rated = sections.map((section, index) => {
    const text = foldText(`${section.title} ${section.body}`).toLowerCase();
    return { section, index, hits: stems.filter((stem) => text.includes(stem)).length };
  });
  const matching = rated
    .filter(({ hits }) => hits > 0)
    .sort((one, other) => other.hits - one.hits || one.index - other.index);
  return (matching.length > 0 ? matching : rated.slice(0, 1)).slice(0, SHOWN).map(({ section }) => section);
}
