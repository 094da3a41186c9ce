import { Box } from '@mantine/core';
import type { EditorView } from 'prosemirror-view';
import { useRef, useState } from 'react';
import { queries, send } from '../../../api/client.js';
import { texts } from '../../../texts/en.js';
import type { Block } from '../../../texts/blocks.js';
import { Loaded } from '../../../ui/screens.js';
import { showFault } from '../../../ui/toasts.js';
import { pathAt, usePlace } from '../../place.js';
import { filesQuery, upload } from '../../queries.js';
import { type EditorProps, useEditing } from '../editing.js';
import { EditorToolbar } from '../editor-bar.js';
import { EditorFrame } from '../editor-frame.js';
import { VISUAL_FORM } from '../text-forms.js';
import { type Beginning, useBeginning } from '../use-draft.js';
import { useReferences } from '../use-references.js';
import { putBlocks, toggle } from './commands.js';
import { LinkDialog } from './link-dialog.js';
import type { ContentBlock, ContentDocument } from './model/content.js';
import { editorBlocks } from './model/from-content.js';
import { fileBlock } from './model/new-blocks.js';
import { Originals } from './model/originals.js';
import type { VisualDocument } from './visual-document.js';
import { VisualEditor } from './visual-editor.js';

const words = texts.writing.visual;

/** A page that is written as it looks. */
export function VisualScreen(props: EditorProps) {
  const query = useBeginning(props.page.id, VISUAL_FORM, props.local);
  return <Loaded query={query}>{(beginning) => <VisualForm {...props} beginning={beginning} />}</Loaded>;
}

function VisualForm(props: EditorProps & Readonly<{ beginning: Beginning<ContentDocument> }>) {
  const { page, tree, entry, beginning, onSettings } = props;
  const place = usePlace();
  const editor = useRef<VisualDocument>(null);
  const references = useReferences(tree);
  const [progress, setProgress] = useState<string>();
  const [isLinking, setLinking] = useState(false);
  const editing = useEditing(props, beginning, {
    isShownHere: false,
    merge: (sent, merged) => editor.current?.merge(sent, merged) ?? merged,
    show: (body) => editor.current?.show(body),
    landmark: () => editor.current?.landmark(),
  });
  const on = (run: (view: EditorView) => unknown): void => {
    const { current } = editor;
    if (!current) return;
    run(current.view);
    current.view.focus();
  };
  /** Puts what Markdown says in place of a range, which moves with the text around it until the server has answered. */
  const putMarkdown = async (markdown: string, from: number, to: number): Promise<void> => {
    const { current } = editor;
    if (!current) return;
    const range = current.follow(from, to);
    try {
      const blocks = await blocksOf(markdown);
      const { view } = current;
      view.dispatch(putBlocks(view.state.tr, ...range.end(), editorBlocks(blocks, new Originals())));
      view.focus();
    } catch (error) {
      range.end();
      showFault(error);
    }
  };
  const blocksOf = async (markdown: string): Promise<readonly ContentBlock[]> => {
    const order = { markdown, page: page.id, format: 'document' } as const;
    const path = pathAt(place, '/v1/spaces/{spaceId}/content/render');
    const { title, document } = await send('post', path, place, order);
    const { nodes } = document as unknown as ContentDocument;
    return title === undefined ? nodes : [headingOf(title), ...nodes];
  };
  const putBlock = (block: Block, from: number, to: number): void =>
    void putMarkdown(block.template.replace(/\$\{(?:\d+:)?([^}]*)\}/g, '$1'), from, to);
  const putFiles = async (files: readonly File[], at: number): Promise<void> => {
    const { current } = editor;
    if (!current) return;
    const range = current.follow(at, at);
    const blocks: ContentBlock[] = [];
    try {
      for (const file of files) {
        setProgress(texts.writing.editor.uploading(file.name));
        const stored = await upload(place, file);
        if (stored) blocks.push(fileBlock(stored));
      }
      await queries.invalidateQueries({ queryKey: filesQuery(place).queryKey });
    } catch (error) {
      showFault(error);
    }
    setProgress(undefined);
    const { view } = current;
    const [from, to] = range.end();
    if (blocks.length > 0) view.dispatch(putBlocks(view.state.tr, from, to, editorBlocks(blocks, new Originals())));
  };
  const atSelection = (run: (from: number, to: number) => void) => (): void =>
    on(({ state: { selection } }) => run(selection.from, selection.to));

  return (
    <EditorFrame
      editing={editing}
      progress={progress}
      toolbar={
        <EditorToolbar
          onBlock={(block) => on(({ state }) => putBlock(block, state.selection.to, state.selection.to))}
          onMark={{
            bold: () => on(({ state, dispatch }) => toggle('bold')(state, dispatch)),
            italic: () => on(({ state, dispatch }) => toggle('italic')(state, dispatch)),
            code: () => on(({ state, dispatch }) => toggle('code')(state, dispatch)),
            link: () => setLinking(true),
          }}
          onFiles={(files) => atSelection((from) => void putFiles(files, from))()}
          onSettings={onSettings}
          onDone={editing.done}
        />
      }
    >
      <Box className="pane visual-pane" flex={1} role="region" aria-label={words.page}>
        <VisualEditor
          page={page.id}
          initial={beginning.text.body}
          references={references}
          onDocument={(made) => {
            editor.current = made;
            if (entry.landmark) made.goTo(entry.landmark);
          }}
          onChange={editing.changeBody}
          onBlock={putBlock}
          onLink={() => setLinking(true)}
          onSave={editing.save}
          onMarkdown={({ state: { selection } }, markdown) => void putMarkdown(markdown, selection.from, selection.to)}
          onFiles={(_view, files, at) => void putFiles(files, at)}
        />
      </Box>
      {isLinking && editor.current && (
        <LinkDialog view={editor.current.view} references={references} onClose={() => setLinking(false)} />
      )}
    </EditorFrame>
  );
}

function headingOf(title: string): ContentBlock {
  const nodes = [{ object: 'text' as const, leaves: [{ object: 'leaf' as const, text: title, marks: [] }] }];
  return { object: 'block', type: 'heading-1', isVoid: false, data: {}, nodes };
}
