import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { highlightSelectionMatches } from '@codemirror/search';
import { Annotation, EditorState, Prec, type Extension } from '@codemirror/state';
import { drawSelection, dropCursor, EditorView, highlightActiveLine, type KeyBinding, keymap } from '@codemirror/view';
import { Box } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { writingTexts } from '../../texts/writing.js';
import { styleNonce } from '../../ui/style-nonce.js';
import { completionSource, type References } from './completions.js';
import { dialectSupport } from './dialect.js';
import { searchKeys, sourceSearch } from './find/source-text.js';
import '../panes.css';
import { insertLink, toggleMark } from './snippets.js';
import { changesToMerged } from './text-changes.js';

/** Marks changes that come from the server and not from the person who types. */
const Remote = Annotation.define<boolean>();

/** The colours of the workspace, which knows light and dark. */
const LOOK = EditorView.theme({
  '&': { height: '100%', fontSize: '15px', color: 'var(--mantine-color-text)', colorScheme: 'light dark' },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: 1.65 },
  '.cm-content': { maxWidth: '820px', margin: '0 auto', padding: '16px 20px 40vh', caretColor: 'currentColor' },
  '.cm-cursor': { borderLeftColor: 'currentColor' },
  '.cm-activeLine': { background: 'light-dark(#1971c20f, #a5d8ff12)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'light-dark(#a5d8ff, #1c4a72)',
  },
  '.cm-tooltip, .cm-panels': {
    color: 'var(--mantine-color-text)',
    background: 'var(--mantine-color-body)',
    border: '1px solid var(--mantine-color-default-border)',
  },
  '.cm-tooltip-autocomplete > ul > li': { padding: '4px 10px' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--mantine-color-white)',
    background: 'var(--mantine-primary-color-filled)',
  },
});

export interface SourceHandlers {
  readonly onChange: (body: string) => void;
  readonly onFiles: (view: EditorView, files: readonly File[], at: number) => void;
  /** Called after each change of the text or of what is selected. */
  readonly onUpdate: () => void;
  readonly onScroll: (view: EditorView) => void;
  readonly onSave: () => void;
  readonly onPreview: () => void;
  readonly references: () => References;
}

interface SourceEditorProps extends SourceHandlers {
  readonly initial: string;
  /** Called with the view when it is there. */
  readonly onView: (view: EditorView) => void;
}

/** The Markdown of a page in CodeMirror, which has its own state: only `initial` is taken. */
export function SourceEditor({ initial, onView, ...handlers }: SourceEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef<SourceHandlers>(handlers);
  latest.current = handlers;
  const first = useRef({ initial, onView });

  useEffect(() => {
    const parent = host.current;
    if (!parent) return undefined;
    const state = EditorState.create({ doc: first.current.initial, extensions: extensions(() => latest.current) });
    const view = new EditorView({ state, parent });
    first.current.onView(view);
    view.focus();
    return () => {
      // In development effects run twice: the second editor begins with the text of the first.
      first.current = { ...first.current, initial: view.state.doc.toString() };
      view.destroy();
    };
  }, []);

  return <Box ref={host} h="100%" />;
}

/** Keys that Shift makes others: caps lock gives small letters with it, which the library takes for those without. */
function unshifted(bindings: readonly KeyBinding[]): Extension {
  let isShifted = false;
  return [
    Prec.highest(EditorView.domEventHandlers({ keydown: ({ shiftKey }) => void (isShifted = shiftKey) })),
    keymap.of(bindings.map((each) => ({ ...each, run: (view) => !isShifted && (each.run?.(view) ?? false) }))),
  ];
}

function extensions(handlers: () => SourceHandlers): Extension {
  return [
    EditorView.cspNonce.of(styleNonce()),
    LOOK,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': writingTexts.editor.label, spellcheck: 'true', tabindex: '0' }),
    history(),
    drawSelection(),
    dropCursor(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    bracketMatching(),
    closeBrackets(),
    indentUnit.of('  '),
    sourceSearch,
    dialectSupport,
    autocompletion({
      override: [completionSource(() => handlers().references())],
      icons: false,
      maxRenderedOptions: 50,
    }),
    Prec.high(
      unshifted([
        { key: 'Mod-s', run: () => (handlers().onSave(), true) },
        { key: 'Mod-b', run: (view) => toggleMark(view, '**') },
        { key: 'Mod-i', run: (view) => toggleMark(view, '_') },
        { key: 'Mod-e', run: (view) => toggleMark(view, '`') },
        { key: 'Mod-k', run: insertLink, stopPropagation: true },
      ]),
    ),
    Prec.high(keymap.of([{ key: 'Mod-Shift-p', run: () => (handlers().onPreview(), true), preventDefault: true }])),
    // Escape and then Tab leave the editor, as CodeMirror and WCAG recommend.
    keymap.of([closeBracketsKeymap, completionKeymap, searchKeys, historyKeymap, defaultKeymap, indentWithTab].flat()),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !update.transactions.some((each) => each.annotation(Remote) === true))
        handlers().onChange(update.state.doc.toString());
      if (update.docChanged || update.selectionSet) handlers().onUpdate();
    }),
    EditorView.domEventHandlers({
      paste: (event, view) => takeFiles(event, view, event.clipboardData, view.state.selection.main.head, handlers()),
      drop: (event, view) => {
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.doc.length;
        return takeFiles(event, view, event.dataTransfer, at, handlers());
      },
      scroll: (_event, view) => handlers().onScroll(view),
    }),
  ];
}

function takeFiles(event: Event, view: EditorView, data: DataTransfer | null, at: number, { onFiles }: SourceHandlers) {
  const files = [...(data?.files ?? [])];
  if (files.length === 0) return false;
  event.preventDefault();
  onFiles(view, files, at);
  return true;
}

/**
 * Shows what the server made of a text that was sent, together with what was typed since. `sent` is the text that the
 * server began with; returns the whole text that is shown now.
 */
export function showMerged(view: EditorView, sent: string, merged: string): string {
  const changes = changesToMerged(sent, merged, view.state.doc.toString());
  view.dispatch({ changes, annotations: Remote.of(true) });
  return view.state.doc.toString();
}
