import {
  closeSearchPanel,
  findNext,
  findPrevious,
  openSearchPanel,
  replaceAll,
  replaceNext,
  search,
  searchKeymap,
  SearchQuery,
  setSearchQuery,
} from '@codemirror/search';
import type { Extension } from '@codemirror/state';
import { EditorView, type KeyBinding } from '@codemirror/view';
import { proseOf } from './count-words.js';
import { type EditorText, type FindQuery, type Found, NOTHING_FOUND, Watchers } from './editor-text.js';

/** So many places are counted; more of them are found one after the other. */
const MOST_COUNTED = 100_000;
/** The keys that the bar of both editors takes. */
const KEYS_OF_BAR: ReadonlySet<string> = new Set(['Mod-f', 'F3', 'Mod-g', 'Escape']);

/** Keys of the library for searching besides those that open a panel of its own. */
export const searchKeys: readonly KeyBinding[] = searchKeymap.filter(({ key = '' }) => !KEYS_OF_BAR.has(key));

/** The places are marked while there is a panel; the bar of both editors takes its place. */
export const sourceSearch: Extension = search({
  createPanel: () => ({ dom: Object.assign(document.createElement('div'), { hidden: true }) }),
});

/** The Markdown of a page as a text that is searched and counted. */
export class SourceText implements EditorText {
  readonly unsearched = 0;
  private readonly watchers = new Watchers();
  readonly watch = this.watchers.add;
  private query = new SearchQuery({ search: '' });

  constructor(private readonly view: EditorView) {}

  get selectedWords(): string {
    const { state } = this.view;
    const { from, to } = state.selection.main;
    return state.doc.lineAt(from).to < to ? '' : state.sliceDoc(from, to);
  }

  /** Tells those who watch; to be called after each update of the view. */
  readonly changed = (): void => this.watchers.call();

  find({ text, replacement, isCaseSensitive, isWholeWord }: FindQuery): Found {
    const { view } = this;
    this.query = new SearchQuery({
      search: text,
      replace: replacement,
      literal: true,
      caseSensitive: isCaseSensitive,
      wholeWord: isWholeWord,
    });
    openSearchPanel(view);
    view.dispatch({ effects: setSearchQuery.of(this.query) });
    if (!this.query.valid) return NOTHING_FOUND;
    const { from } = view.state.selection.main;
    const place = this.firstPlace(from) ?? this.firstPlace(0);
    if (place)
      view.dispatch({
        selection: { anchor: place.from, head: place.to },
        effects: EditorView.scrollIntoView(place.from, { y: 'center' }),
      });
    return this.found();
  }

  private firstPlace(from: number): { readonly from: number; readonly to: number } | undefined {
    const next = this.query.getCursor(this.view.state, from).next();
    return next.done === true ? undefined : next.value;
  }

  found(): Found {
    if (!this.query.valid) return NOTHING_FOUND;
    const { state } = this.view;
    const { from, to } = state.selection.main;
    const places = this.query.getCursor(state);
    let [count, index] = [0, 0];
    for (let next = places.next(); !next.done && count < MOST_COUNTED; next = places.next()) {
      count += 1;
      if (next.value.from === from && next.value.to === to) index = count;
    }
    return { count, index };
  }

  move(direction: 1 | -1): Found {
    if (this.query.valid) (direction === 1 ? findNext : findPrevious)(this.view);
    return this.found();
  }

  replace(): Found {
    if (this.query.valid) replaceNext(this.view);
    return this.found();
  }

  replaceAll(): number {
    let count = 0;
    for (const places = this.query.getCursor(this.view.state); this.query.valid && !places.next().done;) count += 1;
    if (count > 0) replaceAll(this.view);
    return count;
  }

  endFind(): void {
    this.query = new SearchQuery({ search: '' });
    if (!this.view.dom.isConnected) return;
    closeSearchPanel(this.view);
    this.view.focus();
  }

  lines(): { readonly lines: readonly string[]; readonly isSelection: boolean } {
    const { state } = this.view;
    const isSelection = state.selection.ranges.some(({ empty }) => !empty);
    const text = isSelection
      ? state.selection.ranges.map(({ from, to }) => state.sliceDoc(from, to)).join('\n')
      : state.doc.toString();
    return { lines: text.split('\n').map(proseOf), isSelection };
  }
}
