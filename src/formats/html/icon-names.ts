/** Words of icons that no free icon has, by the words that mean the same. */
const SYNONYMS: Readonly<Record<string, string>> = {
  abacus: 'calculator',
  badge: 'certificate',
  ballot: 'list-check',
  binary: 'code',
  browser: 'window-maximize',
  browsers: 'window-restore',
  buoy: 'life-ring',
  cabinet: 'box-archive',
  dial: 'gauge',
  engine: 'gears',
  files: 'copy',
  function: 'square-root-variable',
  grid: 'table-cells',
  kit: 'toolbox',
  memo: 'file-lines',
  merge: 'code-merge',
  nodes: 'diagram-project',
  notebook: 'book',
  presentation: 'person-chalkboard',
  quote: 'quote-left',
  rabbit: 'bolt',
  reel: 'film',
  sparkle: 'wand-magic-sparkles',
  sparkles: 'wand-magic-sparkles',
  telescope: 'binoculars',
  turtle: 'hourglass',
  waveform: 'chart-simple',
  webhook: 'link',
};

const wordsOf = (name: string): string[] =>
  name
    .toLowerCase()
    .split('-')
    .filter((word) => word !== '');

/** A word without the ending of the plural, so that `books` is near `book`. */
const stem = (word: string): string =>
  word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;

/** The names of icons, by their words. */
export class IconNames {
  private readonly byWord = new Map<string, string[]>();
  private readonly known: ReadonlySet<string>;

  constructor(names: Iterable<string>) {
    this.known = new Set(names);
    for (const name of this.known)
      for (const word of new Set(wordsOf(name).map(stem)))
        this.byWord.set(word, [...(this.byWord.get(word) ?? []), name]);
  }

  /**
   * The name that is nearest to another one: its longest beginning that is a name, else a synonym of one of its words, else the
   * name with most of its words and fewest others. Undefined where none has any of them.
   */
  nearest(name: string): string | undefined {
    const words = wordsOf(name);
    for (let length = words.length; length > 0; length--) {
      const beginning = words.slice(0, length).join('-');
      if (this.known.has(beginning)) return beginning;
    }
    const [synonym] = words.flatMap((word) => (Object.hasOwn(SYNONYMS, word) ? (SYNONYMS[word] ?? []) : []));
    return synonym !== undefined && this.known.has(synonym) ? synonym : this.sharing(words);
  }

  private sharing(words: readonly string[]): string | undefined {
    const shared = new Map<string, number>();
    for (const word of new Set(words.map(stem)))
      for (const name of this.byWord.get(word) ?? []) shared.set(name, (shared.get(name) ?? 0) + 1);
    let best: { readonly name: string; readonly common: number; readonly others: number } | undefined;
    for (const [name, common] of shared) {
      const others = wordsOf(name).length - common;
      if (!best || common > best.common || (common === best.common && others < best.others))
        best = { name, common, others };
    }
    return best?.name;
  }
}
