const LETTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const MOST = 2;

/** The first letters of the first words of a name without brackets and quotes, as people see them: an emoji has several characters. */
export function initialsOf(name: string): string {
  return name
    .split(/\s+/)
    .map((word) => word.replace(/^\p{P}+/u, ''))
    .filter((word) => word !== '')
    .slice(0, MOST)
    .map((word) => [...LETTERS.segment(word)][0]?.segment ?? '')
    .join('')
    .toUpperCase();
}
