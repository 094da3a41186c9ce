import { snippet } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import type { Block } from '../../texts/blocks.js';

/** Places without a number are filled in one by one, also where they have the same words. */
function numbered(template: string): string {
  let next = 10;
  return template.replace(/\$\{(?!\d)([^}]*)\}/g, (_whole, words: string) => `\${${(next += 1)}:${words}}`);
}

/** Inserts a block on a line of its own. */
export function insertBlock(view: EditorView, { template }: Block, from?: number, to?: number): void {
  const { head } = view.state.selection.main;
  const start = from ?? head;
  const line = view.state.doc.lineAt(start);
  const isAlone = !template.endsWith('\n') || view.state.sliceDoc(line.from, start).trim() === '';
  const text = numbered(isAlone ? template : `\n\n${template}`);
  snippet(text)(view, null, start, to ?? start);
  view.focus();
}

/** Puts marks around what is selected, or takes them away. */
export function toggleMark(view: EditorView, mark: string): boolean {
  const { state } = view;
  const { from, to } = state.selection.main;
  const length = mark.length;
  const isMarked = state.sliceDoc(from - length, from) === mark && state.sliceDoc(to, to + length) === mark;
  view.dispatch({
    changes: isMarked
      ? [
          { from: from - length, to: from },
          { from: to, to: to + length },
        ]
      : [
          { from, insert: mark },
          { from: to, insert: mark },
        ],
    selection: isMarked ? { anchor: from - length, head: to - length } : { anchor: from + length, head: to + length },
    userEvent: 'input',
  });
  view.focus();
  return true;
}

/** Makes what is selected a link, and waits for its target. */
export function insertLink(view: EditorView): boolean {
  const { from, to } = view.state.selection.main;
  const text = view.state.sliceDoc(from, to);
  const anchor = from + text.length + 3;
  view.dispatch({
    changes: { from, to, insert: `[${text}]()` },
    selection: { anchor: text === '' ? from + 1 : anchor },
  });
  view.focus();
  return true;
}
