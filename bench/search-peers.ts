import MiniSearch from 'minisearch';

/** A section of a page, as all searches get it. */
export interface SearchedSection {
  readonly page: string;
  readonly pageTitle: string;
  readonly description: string;
  readonly title: string;
  readonly text: string;
}

/** Returns the pages of the best sections for a query, best first. */
export type PeerSearch = (query: string) => string[];

const STOP_WORDS = new Set(
  'a an the of to in on for and or is are be do does did how what why when where which who can i my we our you your it its this that with from by at as if not no there have has had will would should could me us them they was were so than then but about into out up'.split(
    ' ',
  ),
);
const K1 = 1.2;
const B = 0.75;

const pagesOf = (found: readonly number[], sections: readonly SearchedSection[]): string[] => [
  ...new Set(found.flatMap((index) => sections[index]?.page ?? [])),
];

function wordsOf(text: string): string[] {
  const plain = text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '');
  const words = plain.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word)).map((word) => word.replace(/(ing|ed|es|s)$/, ''));
}

/** BM25 over the sections, titles twice, with English stop words and endings. */
export function plainBm25(sections: readonly SearchedSection[]): PeerSearch {
  const documents = sections.map(({ pageTitle, description, title, text }) => {
    const words = wordsOf(`${pageTitle} ${pageTitle} ${description} ${title} ${title} ${text}`);
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { counts, length: words.length };
  });
  const frequency = new Map<string, number>();
  for (const { counts } of documents)
    for (const word of counts.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const average = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  return (query) => {
    const words = wordsOf(query);
    const scores = documents.map(({ counts, length }) =>
      words.reduce((sum, word) => {
        const count = counts.get(word) ?? 0;
        const texts = frequency.get(word) ?? 0;
        const rarity = Math.log(1 + (documents.length - texts + 0.5) / (texts + 0.5));
        return sum + (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / average));
      }, 0),
    );
    const found = [...scores.keys()].filter((index) => (scores[index] ?? 0) > 0);
    return pagesOf(
      found.sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0)),
      sections,
    );
  };
}

/** minisearch with titles twice as important, corrections, and the last word as a prefix. */
export function miniSearch(sections: readonly SearchedSection[]): PeerSearch {
  const index = new MiniSearch({
    fields: ['pageTitle', 'description', 'title', 'text'],
    searchOptions: {
      boost: { pageTitle: 2, title: 2 },
      prefix: (_, place, terms) => place === terms.length - 1,
      fuzzy: 0.2,
    },
  });
  index.addAll(sections.map((section, id) => ({ id, ...section })));
  return (query) =>
    pagesOf(
      index.search(query).map(({ id }) => Number(id)),
      sections,
    );
}
