import { Box, SegmentedControl } from '@mantine/core';
import { useHotkeys, useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { EditorView } from '@codemirror/view';
import { useRef, useState } from 'react';
import { queries } from '../../api/client.js';
import { writingTexts } from '../../texts/writing.js';
import { Loaded } from '../../ui/screens.js';
import { showFault } from '../../ui/toasts.js';
import { usePlace } from '../place.js';
import { filesQuery } from '../queries.js';
import { type EditorProps, useEditing } from './editing.js';
import { EditorToolbar } from './editor-bar.js';
import { EditorFrame } from './editor-frame.js';
import { SourceText } from './find/source-text.js';
import { PendingContent } from './pending-content.js';
import { Preview, topLine } from './preview.js';
import { insertBlock, insertFiles, insertLink, toggleMark } from './snippets.js';
import { showMerged, SourceEditor } from './source-editor.js';
import { SOURCE_FORM } from './text-forms.js';
import { type Beginning, useBeginning } from './use-draft.js';
import { useReferences } from './use-references.js';
import { findLandmark, type Landmark } from './visual/landmark.js';

const MODES = ['edit', 'split', 'preview'] as const;
const NARROW_MODES = ['edit', 'preview'] as const;
type Mode = (typeof MODES)[number];
const words = writingTexts.editor;

/** A page that is written as Markdown. */
export function SourceScreen(props: EditorProps) {
  const query = useBeginning(props.page.id, SOURCE_FORM, props.local);
  return <Loaded query={query}>{(beginning) => <SourceForm {...props} beginning={beginning} />}</Loaded>;
}

function SourceForm(props: EditorProps & Readonly<{ beginning: Beginning }>) {
  const { page, tree, entry, beginning, onSettings } = props;
  const place = usePlace();
  const view = useRef<EditorView>(null);
  const scrollTo = useRef<((line: number) => void) | null>(null);
  const [progress, setProgress] = useState<string>();
  const isNarrow = useMediaQuery('(max-width: 48em)') ?? false;
  const [mode, setMode] = useMode(isNarrow);
  const [text, setText] = useState<SourceText>();
  const [pending] = useState(() => new PendingContent());
  const references = useReferences(tree);
  const editing = useEditing(props, beginning, {
    isShownHere: true,
    pending,
    merge: (sent, merged) => (view.current ? showMerged(view.current, sent, merged) : undefined),
    show: (body) => {
      const { current } = view;
      current?.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: body } });
    },
    landmark: () => (view.current ? landmarkOf(view.current) : undefined),
  });
  const preview = (): void => setMode(mode === 'preview' ? 'edit' : 'preview');
  useHotkeys([['mod+shift+P', preview]], []);
  const on = (run: (editor: EditorView) => unknown): void => void (view.current && run(view.current));
  const upload = (editor: EditorView, files: readonly File[], at: number): void =>
    pending.add(
      insertFiles(editor, place, files, at, setProgress)
        .then(() => queries.invalidateQueries({ queryKey: filesQuery(place).queryKey }))
        .catch(showFault),
    );

  return (
    <EditorFrame
      page={page.id}
      editing={editing}
      progress={progress}
      text={mode === 'preview' ? undefined : text}
      details={props.details}
      views={
        <SegmentedControl
          size="xs"
          aria-label={words.mode}
          value={mode}
          onChange={setMode}
          data={(isNarrow ? NARROW_MODES : MODES).map((value) => ({ value, label: words.modes[value] }))}
        />
      }
      toolbar={
        <EditorToolbar
          onBlock={(block) => on((editor) => insertBlock(editor, block))}
          onMark={{
            bold: () => on((editor) => toggleMark(editor, '**')),
            italic: () => on((editor) => toggleMark(editor, '_')),
            code: () => on((editor) => toggleMark(editor, '`')),
            link: () => on(insertLink),
          }}
          onFiles={(files) => on((editor) => upload(editor, files, editor.state.selection.main.head))}
          onSettings={onSettings}
          onDone={editing.done}
        />
      }
    >
      <Box className="pane" flex={1} hidden={mode === 'preview'}>
        <SourceEditor
          initial={beginning.text.body}
          onView={(editor) => {
            view.current = editor;
            setText(new SourceText(editor));
            if (entry.landmark) goTo(editor, entry.landmark);
          }}
          onChange={editing.changeBody}
          onUpdate={() => text?.changed()}
          onFiles={upload}
          onScroll={(editor) => scrollTo.current?.(topLine(editor))}
          onSave={editing.save}
          onPreview={preview}
          references={() => references}
        />
      </Box>
      {mode !== 'edit' && <Preview page={page.id} body={editing.body} scrollTo={scrollTo} />}
    </EditorFrame>
  );
}

/** How the text and its preview are shown; narrow screens show one of them at a time. */
function useMode(isNarrow: boolean): readonly [Mode, (mode: Mode) => void] {
  const [wide, setWide] = useLocalStorage<Mode>({ key: 'bindery.editor', defaultValue: 'split' });
  const [narrow, setNarrow] = useState<Mode>('edit');
  return isNarrow ? [narrow === 'split' ? 'edit' : narrow, setNarrow] : [wide, setWide];
}

/** The line of the cursor, or the next one above it with words. */
function landmarkOf({ state: { doc, selection } }: EditorView): Landmark {
  let { number, text } = doc.lineAt(selection.main.head);
  const share = number / doc.lines;
  while (text.trim() === '' && number > 1) ({ number, text } = doc.line(number - 1));
  return { words: text, share };
}

/** Puts the cursor at a place, in the middle of the screen. */
function goTo(view: EditorView, landmark: Landmark): void {
  const { doc } = view.state;
  const lines = Array.from({ length: doc.lines }, (_, index) => doc.line(index + 1));
  const found = findLandmark(
    landmark,
    lines.map(({ text, number }) => ({ words: text, share: number / doc.lines })),
  );
  const at = lines[found]?.from ?? 0;
  view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
}
