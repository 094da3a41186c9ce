import type { Node } from 'prosemirror-model';
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';
import type { FindQuery } from '../find/editor-text.js';
import { LineSearch, type Match } from './line-search.js';

/** So many places are marked at most, those around the one that is chosen: marks are elements of the page. */
const MOST_MARKED = 1000;

/** The places of a query in a document, in its order. */
export interface Finding {
  readonly search: LineSearch;
  readonly replacement: string;
  readonly places: readonly Match[];
}

interface Marked {
  readonly finding?: Finding;
  readonly decorations: DecorationSet;
}

const NONE: Marked = { decorations: DecorationSet.empty };
const key = new PluginKey<Marked>('find');

/** Follows the places of the words that are looked for, and marks them. */
export const findPlugin = new Plugin<Marked>({
  key,
  state: {
    init: () => NONE,
    apply: (transaction, before, _old, state) => {
      const asked = transaction.getMeta(key) as FindQuery | 'end' | undefined;
      if (asked === 'end') return NONE;
      if (asked) return marked(findingOf(new LineSearch(asked), asked.replacement, state.doc), state);
      const { finding } = before;
      if (!finding) return before;
      if (transaction.docChanged) return marked(findingOf(finding.search, finding.replacement, state.doc), state);
      return transaction.selectionSet ? marked(finding, state) : before;
    },
  },
  props: { decorations: (state) => key.getState(state)?.decorations },
});

export const findingIn = (state: EditorState): Finding | undefined => key.getState(state)?.finding;

/** Looks for words from now on; without a query, for none. */
export const lookFor = (transaction: Transaction, query: FindQuery | undefined): Transaction =>
  transaction.setMeta(key, query ?? 'end');

/** The index of the first place that begins at a position or behind it; the number of places if there is none. */
export function placeFrom(places: readonly Match[], position: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.from ?? Infinity) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of the place that is selected, -1 if none is. */
export function chosenPlace({ places }: Finding, { selection: { from, to } }: EditorState): number {
  const index = placeFrom(places, from);
  const place = places[index];
  return place?.from === from && place.to === to ? index : -1;
}

function findingOf(search: LineSearch, replacement: string, doc: Node): Finding {
  const places: Match[] = [];
  doc.descendants((node, position) => {
    if (!node.isTextblock) return true;
    for (const { from, to } of search.in(node)) places.push({ from: position + 1 + from, to: position + 1 + to });
    return false;
  });
  return { search, replacement, places };
}

function marked(finding: Finding, state: EditorState): Marked {
  const chosen = chosenPlace(finding, state);
  const middle = chosen === -1 ? placeFrom(finding.places, state.selection.from) : chosen;
  const first = Math.max(0, Math.min(middle - MOST_MARKED / 2, finding.places.length - MOST_MARKED));
  const decorations = finding.places
    .slice(first, first + MOST_MARKED)
    .map(({ from, to }, index) =>
      Decoration.inline(from, to, { class: first + index === chosen ? 'found found-chosen' : 'found' }),
    );
  return { finding, decorations: DecorationSet.create(state.doc, decorations) };
}
