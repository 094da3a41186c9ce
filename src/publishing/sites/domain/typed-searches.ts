/** Milliseconds after which a query counts that a reader has not changed. */
const PAUSE_MS = 2_000;
/** Maximum number of readers whose queries wait; those of others are not counted meanwhile. */
const MAX_READERS = 20_000;

/** Somebody who searches a site: a hash or a name that is kept in memory only, for some minutes. */
export interface SearchingReader {
  readonly site: string;
  readonly reader: string;
  /** Several readers may be behind the name, as behind a program: equal searches are not repetitions of one. */
  readonly isShared?: boolean;
}

/** A search of a reader. */
export interface ReaderSearch extends SearchingReader {
  readonly query: string;
  readonly isUnanswered: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Searches while readers type. A query counts once its reader has paused: each of its beginnings was searched, too, and
 * none of them was meant. All methods return the searches that count from then on.
 */
export class TypedSearches {
  private readonly waiting = new Map<string, ReaderSearch>();

  get isWaiting(): boolean {
    return this.waiting.size > 0;
  }

  /** A search whose query may still grow. */
  typed(search: ReaderSearch): ReaderSearch[] {
    const counted = this.replaced(search);
    if (this.waiting.size < MAX_READERS) this.waiting.set(keyOf(search), search);
    return counted;
  }

  /** A search with a complete query. */
  complete(search: ReaderSearch): ReaderSearch[] {
    return [...this.replaced(search), search];
  }

  /** The waiting search of a reader whose query turned out to be complete. */
  settle(reader: SearchingReader, query: string): ReaderSearch[] {
    const search = this.waiting.get(keyOf(reader));
    if (search?.query !== query) return [];
    this.waiting.delete(keyOf(reader));
    return [search];
  }

  /** Those whose readers have paused; all of them without a time. */
  settled(now = Infinity): ReaderSearch[] {
    const settled: ReaderSearch[] = [];
    for (const [key, search] of this.waiting) {
      // They stand in the order of their times.
      if (search.at + PAUSE_MS > now) break;
      this.waiting.delete(key);
      settled.push(search);
    }
    return settled;
  }

  /** The earlier search of the same reader, unless one of both queries is the beginning of the other. */
  private replaced(search: ReaderSearch): ReaderSearch[] {
    const earlier = this.waiting.get(keyOf(search));
    this.waiting.delete(keyOf(search));
    if (!earlier || earlier.query.startsWith(search.query) || search.query.startsWith(earlier.query)) return [];
    return [earlier];
  }
}

const keyOf = ({ site, reader }: SearchingReader): string => `${site} ${reader}`;
