import type { Node } from 'prosemirror-model';
import { closeHistory } from 'prosemirror-history';
import { TextSelection, type Transaction } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { type EditorText, type FindQuery, type Found, NOTHING_FOUND, Watchers } from '../find/editor-text.js';
import { chosenPlace, findingIn, lookFor, placeFrom } from './find-plugin.js';
import type { Match } from './line-search.js';
import type { ContentBlock } from './model/content.js';
import { replacedContent } from './replaced-content.js';

/** The document of a page as a text that is searched and counted. */
export class VisualText implements EditorText {
  private readonly watchers = new Watchers();
  readonly watch = this.watchers.add;

  constructor(private readonly view: EditorView) {}

  get selectedWords(): string {
    const { selection, doc } = this.view.state;
    if (!(selection instanceof TextSelection) || !selection.$from.sameParent(selection.$to)) return '';
    return doc.textBetween(selection.from, selection.to);
  }

  get unsearched(): number {
    let count = 0;
    this.view.state.doc.descendants((node) => {
      if (isWhole(node)) count += 1;
      return !node.isTextblock;
    });
    return count;
  }

  /** Tells those who watch; to be called after each update of the view. */
  readonly changed = (): void => this.watchers.call();

  find(query: FindQuery): Found {
    const { state } = this.view;
    const { from } = state.selection;
    this.view.dispatch(lookFor(state.tr, query));
    const places = findingIn(this.view.state)?.places ?? [];
    this.choose(placeFrom(places, from) % Math.max(1, places.length));
    return this.found();
  }

  found(): Found {
    const { state } = this.view;
    const finding = findingIn(state);
    return finding ? { count: finding.places.length, index: chosenPlace(finding, state) + 1 } : NOTHING_FOUND;
  }

  move(direction: 1 | -1): Found {
    const { state } = this.view;
    const { places = [] } = findingIn(state) ?? {};
    const { from, to } = state.selection;
    const next = direction === 1 ? placeFrom(places, to) : placeFrom(places, from) - 1;
    this.choose((next + places.length) % Math.max(1, places.length));
    return this.found();
  }

  replace(): Found {
    const { state } = this.view;
    const finding = findingIn(state);
    const place = finding?.places[chosenPlace(finding, state)];
    if (!finding || !place) return this.move(1);
    const transaction = closeHistory(state.tr);
    replaceIn(transaction, state.doc, [place], finding.replacement);
    // The next one is looked for behind the new words, which may have the old ones in them.
    const end = transaction.mapping.map(place.to);
    this.view.dispatch(transaction.setSelection(TextSelection.create(transaction.doc, end)));
    return this.move(1);
  }

  replaceAll(): number {
    const { state } = this.view;
    const { places = [], replacement = '' } = findingIn(state) ?? {};
    if (places.length === 0) return 0;
    const transaction = closeHistory(state.tr);
    // From the end, so that the places before stay.
    for (const inLine of linesOf(state.doc, places).reverse()) replaceIn(transaction, state.doc, inLine, replacement);
    this.view.dispatch(transaction);
    return places.length;
  }

  endFind(): void {
    if (this.view.isDestroyed) return;
    this.view.dispatch(lookFor(this.view.state.tr, undefined));
    this.view.focus();
  }

  lines(): { readonly lines: readonly string[]; readonly isSelection: boolean } {
    const { doc, selection } = this.view.state;
    const isSelection = !selection.empty;
    const ranges = isSelection
      ? selection.ranges.map(({ $from, $to }) => ({ from: $from.pos, to: $to.pos }))
      : [{ from: 0, to: doc.content.size }];
    const text = ranges.map(({ from, to }) => doc.textBetween(from, to, '\n', shownText)).join('\n');
    return { lines: text.split('\n'), isSelection };
  }

  private choose(index: number): void {
    const { state } = this.view;
    const place = findingIn(state)?.places[index];
    if (!place) return;
    this.view.dispatch(state.tr.setSelection(TextSelection.create(state.doc, place.from, place.to)));
    this.view.dom.querySelector('.found-chosen')?.scrollIntoView({ block: 'center' });
  }
}

/** Tells whether a block is shown as a whole, with words in it that are not in the text. */
function isWhole({ type, attrs }: Node): boolean {
  return type.name === 'block_atom' && (attrs['block'] as ContentBlock).type !== 'divider';
}

function shownText({ type, isInline }: Node): string {
  return isInline ? (type.name === 'break' ? '\n' : ' ') : '';
}

/** Places in the order of the document, those of each line together. */
function linesOf(doc: Node, places: readonly Match[]): Match[][] {
  const lines: Match[][] = [];
  let end = -1;
  for (const place of places) {
    if (place.from > end) {
      lines.push([]);
      end = doc.resolve(place.from).end();
    }
    lines.at(-1)?.push(place);
  }
  return lines;
}

/** Replaces places of one line of a document; those of lines behind it may have been replaced before. */
function replaceIn(transaction: Transaction, doc: Node, places: readonly Match[], replacement: string): void {
  const [first, last] = [places[0], places.at(-1)];
  if (!first || !last) return;
  const $first = doc.resolve(first.from);
  const start = $first.start();
  const within = places.map(({ from, to }) => ({ from: from - start, to: to - start }));
  transaction.replaceWith(first.from, last.to, replacedContent($first.parent, within, replacement));
}
