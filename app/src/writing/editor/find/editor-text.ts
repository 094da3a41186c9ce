/** The words that are looked for, and what takes their place. */
export interface FindQuery {
  readonly text: string;
  readonly replacement: string;
  readonly isCaseSensitive: boolean;
  readonly isWholeWord: boolean;
}

/** The places at which a text has what is looked for. */
export interface Found {
  readonly count: number;
  /** The one that is chosen, from 1 on; 0 if none is. */
  readonly index: number;
}

export const NOTHING_FOUND: Found = { count: 0, index: 0 };

/** The text in an editor, whichever form it has: it is searched and counted. */
export interface EditorText {
  /** The words that are selected in one line. */
  readonly selectedWords: string;
  /** The number of blocks that are shown as wholes, in which nothing is found. */
  readonly unsearched: number;
  /** Marks all places of a query, and chooses the first one from the cursor on. */
  find(query: FindQuery): Found;
  /** The places of the query as they are now. */
  found(): Found;
  /** Chooses the next place, or the one before; the first one follows the last one. */
  move(direction: 1 | -1): Found;
  /** Replaces the place that is chosen, and chooses the next one. */
  replace(): Found;
  /** Replaces all places as one change, and gives their number. */
  replaceAll(): number;
  /** Ends the search, and goes back to the text. */
  endFind(): void;
  /** The lines of the text, or those that are selected if something is. */
  lines(): { readonly lines: readonly string[]; readonly isSelection: boolean };
  /** Calls each time when the text, the selection or the places may be others, until what it returns is called. */
  watch(watcher: () => void): () => void;
}

/** The functions that are called when something may have changed. */
export class Watchers {
  private readonly all = new Set<() => void>();

  readonly add = (watcher: () => void): (() => void) => {
    this.all.add(watcher);
    return () => void this.all.delete(watcher);
  };

  call(): void {
    for (const watcher of this.all) watcher();
  }
}
