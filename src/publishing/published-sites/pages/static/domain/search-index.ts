/**
 * Words of a text, as an expression that browsers have too: letters and digits together, but each character of a script
 * that does not part its words.
 */
const UNPARTED = String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]`;
export const WORD_EXPRESSION = String.raw`${UNPARTED}|(?:(?!${UNPARTED})[\p{L}\p{N}\p{M}])+`;
const WORD = new RegExp(WORD_EXPRESSION, 'gu');

/** The fields of a page in the index, each the number that its name has there. */
const FIELDS = ['title', 'headings', 'text'] as const;

/** The options with which MiniSearch reads the index. */
export const INDEX_OPTIONS = {
  fields: FIELDS,
  searchOptions: { boost: { title: 6, headings: 2 } },
};

/** Characters of the largest part that is not divided further, if its words differ soon enough. */
const LARGEST_PART = 96 * 1024;
const LONGEST_BEGINNING = 4;
/** Characters of the longest word that is found: longer ones are keys and hashes. */
const LONGEST_WORD = 64;

/** The texts of a page, by the fields of the index. */
export type IndexedTexts = Readonly<Record<(typeof FIELDS)[number], string>>;

/** A part of an index: the words that begin so, as JSON. */
export interface IndexPart {
  readonly beginning: string;
  readonly json: string;
}

/** The words of a text as they are compared: without accents, in lower case. `static-search.js` does the same. */
export function comparableWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  return (plain.match(WORD) ?? []).filter((word) => word.length <= LONGEST_WORD);
}

/**
 * An index of pages in the serialized form of MiniSearch (version 2), which is made without its tables of objects: an
 * occurrence takes two numbers.
 */
export class SearchIndex {
  private readonly ids: string[] = [];
  /** The numbers of different words in the fields of each page. */
  private readonly lengths: number[][] = [];
  /** Pairs for each word: `page * fields + field`, and how often it occurs there. */
  private readonly places = new Map<string, number[]>();

  add(id: string, texts: IndexedTexts): void {
    const page = this.ids.push(id) - 1;
    const lengths = FIELDS.map((name, field) => {
      const counts = new Map<string, number>();
      for (const word of comparableWords(texts[name])) counts.set(word, (counts.get(word) ?? 0) + 1);
      for (const [word, count] of counts) {
        const places = this.places.get(word);
        if (places) places.push(page * FIELDS.length + field, count);
        else this.places.set(word, [page * FIELDS.length + field, count]);
      }
      return counts.size;
    });
    this.lengths.push(lengths);
  }

  /** All of the index except its words. */
  head(): object {
    const count = this.ids.length;
    const sum = (field: number): number => this.lengths.reduce((total, lengths) => total + (lengths[field] ?? 0), 0);
    return {
      documentCount: count,
      nextId: count,
      documentIds: Object.fromEntries(this.ids.entries()),
      fieldIds: Object.fromEntries(FIELDS.map((name, field) => [name, field])),
      fieldLength: Object.fromEntries(this.lengths.entries()),
      averageFieldLength: FIELDS.map((_, field) => (count === 0 ? 0 : sum(field) / count)),
      storedFields: {},
      dirtCount: 0,
      serializationVersion: 2,
    };
  }

  /**
   * The words of the index in parts. A word is in the part with the longest beginning that it has; a part that was
   * divided keeps the words that are no longer than its own.
   */
  parts(): Generator<IndexPart> {
    return this.divided([...this.places.keys()].sort(), '');
  }

  private *divided(words: readonly string[], beginning: string): Generator<IndexPart> {
    const json = beginning === '' ? undefined : this.json(words, beginning.length < LONGEST_BEGINNING);
    if (json !== undefined) {
      yield { beginning, json };
      return;
    }
    const below = new Map<string, string[]>();
    for (const word of words) {
      const key = word.slice(0, beginning.length + 1);
      const known = below.get(key);
      if (known) known.push(word);
      else below.set(key, [word]);
    }
    for (const [key, some] of below) {
      if (key !== beginning) yield* this.divided(some, key);
      else yield { beginning, json: this.json(some, false) ?? '[]' };
    }
  }

  /** Undefined for a part that is too large, where that counts. */
  private json(words: readonly string[], isLimited: boolean): string | undefined {
    const terms: string[] = [];
    let size = 2;
    for (const word of words) {
      const term = `[${JSON.stringify(word)},${placesJson(this.places.get(word) ?? [])}]`;
      size += term.length + 1;
      if (isLimited && size > LARGEST_PART) return undefined;
      terms.push(term);
    }
    return `[${terms.join(',')}]`;
  }
}

/** The places of a word: `{"<field>": {"<page>": <times>}}`. */
function placesJson(places: readonly number[]): string {
  const fields = FIELDS.map((_, field) => {
    const pages: string[] = [];
    for (let index = 0; index < places.length; index += 2) {
      const place = places[index] ?? 0;
      if (place % FIELDS.length === field)
        pages.push(`"${Math.floor(place / FIELDS.length)}":${places[index + 1] ?? 0}`);
    }
    return pages.length === 0 ? [] : [`"${field}":{${pages.join(',')}}`];
  });
  return `{${fields.flat().join(',')}}`;
}
