import { snippet } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import type { Block } from '../../texts/blocks.js';
import { StateEffect, StateField } from '@codemirror/state';
import { writingTexts } from '../../texts/writing.js';
import type { Place } from '../place.js';
import { upload } from '../queries.js';

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
  const [before, after] = isMarked ? [from - length, to] : [from, to];
  const by = isMarked ? -length : length;
  view.dispatch({
    changes: [before, after].map((at) => (isMarked ? { from: at, to: at + length } : { from: at, insert: mark })),
    selection: { anchor: from + by, head: to + by },
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

const words = writingTexts.editor;

/** Uploads files and puts them into the text where they were dropped, even if there was typed before that meanwhile. */
export async function insertFiles(
  view: EditorView,
  place: Place,
  files: readonly File[],
  at: number,
  onProgress: (message: string | undefined) => void,
): Promise<void> {
  const target = follow(view, at);
  try {
    for (const file of files) {
      onProgress(words.uploading(file.name));
      const stored = await upload(place, file);
      if (!stored) continue;
      const name = stored.name.replace(/[[\]\\]/g, '\\$&').replace(/\.[^.]+$/, '');
      const isPicture = stored.contentType.startsWith('image/');
      const text = isPicture ? `![${name}](/files/${stored.id})\n` : `{% file src="/files/${stored.id}" %}\n`;
      const position = target.position();
      const line = view.state.doc.lineAt(position);
      const isAlone = view.state.sliceDoc(line.from, position).trim() === '';
      const insert = isAlone ? text : `\n\n${text}`;
      view.dispatch({ changes: { from: position, insert }, selection: { anchor: position + insert.length } });
    }
  } finally {
    target.stop();
    onProgress(undefined);
  }
}

/** A position that moves with the text around it. */
function follow(view: EditorView, at: number): { position(): number; stop(): void } {
  const field = StateField.define<number>({
    create: () => at,
    update: (position, { changes }) => changes.mapPos(position, 1),
  });
  view.dispatch({ effects: StateEffect.appendConfig.of(field) });
  return { position: () => view.state.field(field), stop: () => view.focus() };
}
