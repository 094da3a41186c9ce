import { StateEffect, StateField } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { texts } from '../../texts/en.js';
import type { Place } from '../place.js';
import { fileForWrite, write } from '../write.js';

const words = texts.writing.editor;

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
      const given = await fileForWrite(file, words.tooLarge);
      const { files: made } = await write(place, [{ operation: 'insert_files', files: [given] }]);
      const [stored] = made;
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
