import { Box } from '@mantine/core';
import { closeHistory } from 'prosemirror-history';
import type { Slice } from 'prosemirror-model';
import type { EditorView } from 'prosemirror-view';
import { useRef, useState } from 'react';
import { queries, send } from '../../../api/client.js';
import { writingTexts } from '../../../texts/writing.js';
import type { Block } from '../../../texts/blocks.js';
import { Loaded } from '../../../ui/screens.js';
import { showFault } from '../../../ui/toasts.js';
import { pathAt, usePlace } from '../../place.js';
import { filesQuery, upload } from '../../queries.js';
import { type EditorProps, useEditing } from '../editing.js';
import { EditorToolbar } from '../editor-bar.js';
import { EditorFrame } from '../editor-frame.js';
import { PendingContent } from '../pending-content.js';
import { VISUAL_FORM } from '../text-forms.js';
import { type Beginning, useBeginning } from '../use-draft.js';
import { useReferences } from '../use-references.js';
import { linkAt, putBlocks, putPasted, toggle } from './commands.js';
import { type Asked, Asking } from './asking.js';
import { chooseFiles, kindOf, placeholders } from './insertions.js';
import type { ContentBlock, ContentDocument } from './model/content.js';
import { editorBlocks } from './model/from-content.js';
import { fileBlock } from './model/new-blocks.js';
import { Originals } from './model/originals.js';
import type { FollowedRange } from './followed-ranges.js';
import type { VisualDocument } from './visual-document.js';
import { VisualEditor } from './visual-editor.js';
import type { VisualText } from './visual-text.js';

const words = writingTexts.visual;

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
  const [asked, setAsked] = useState<Asked>();
  const [text, setText] = useState<VisualText>();
  const [announcement, setAnnouncement] = useState('');
  const [pending] = useState(() => new PendingContent());
  const editing = useEditing(props, beginning, {
    isShownHere: false,
    pending,
    merge: (sent, merged) => editor.current?.merge(sent, merged),
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
    const blocks = await blocksOf(markdown).catch(showFault);
    if (blocks && blocks.length > 0) putContent(blocks, range);
    else range.end();
  };
  /** Puts what is pasted in place of the selection; a slice if the service cannot read it. */
  const putMarkdownPasted = async ({ state }: EditorView, markdown: string, otherwise: Slice): Promise<void> => {
    const { current } = editor;
    if (!current) return;
    const { from, to, $to } = state.selection;
    const goesOn = $to.parentOffset < $to.parent.content.size;
    const range = current.follow(from, to);
    setProgress(words.pasting);
    const blocks = await blocksOf(markdown).catch(showFault);
    setProgress(undefined);
    if (editor.current !== current) return;
    if (blocks) return putLate(current, blocks, range, goesOn);
    const { view } = current;
    view.dispatch(closeHistory(view.state.tr).replaceRange(...range.end(), otherwise));
  };
  /** Puts blocks in place of a range that was asked for a while ago: the cursor may be elsewhere by now. */
  const putLate = (
    { view }: VisualDocument,
    blocks: readonly ContentBlock[],
    range: FollowedRange,
    goesOn: boolean,
  ): void => {
    const at = range.end();
    if (blocks.length > 0) view.dispatch(putPasted(view.state.tr, at, editorBlocks(blocks, new Originals()), goesOn));
  };
  const blocksOf = async (markdown: string): Promise<readonly ContentBlock[]> => {
    const order = { markdown, page: page.id, format: 'document' } as const;
    const path = pathAt(place, '/v1/spaces/{spaceId}/content/render');
    const { title, document } = await send('post', path, place, order);
    const { nodes } = document as unknown as ContentDocument;
    return title === undefined ? nodes : [headingOf(title), ...nodes];
  };
  const putContent = (blocks: readonly ContentBlock[], range: FollowedRange): void =>
    on((view) => view.dispatch(putBlocks(view.state.tr, ...range.end(), editorBlocks(blocks, new Originals()))));
  const putBlock = (block: Block, from: number, to: number): void => {
    const { current } = editor;
    const kind = kindOf(block);
    if (!current) return;
    if (kind === 'files') return chooseFiles((files) => pending.add(putFiles(files, from, to)));
    if (kind === 'text') return void putMarkdown(placeholders(block), from, to);
    setAsked({ kind, range: current.follow(from, to) });
  };
  const putFiles = async (files: readonly File[], start: number, end = start): Promise<void> => {
    const { current } = editor;
    if (!current) return;
    const range = current.follow(start, end);
    const blocks: ContentBlock[] = [];
    try {
      for (const file of files) {
        setProgress(writingTexts.editor.uploading(file.name));
        const stored = await upload(place, file);
        if (stored) blocks.push(fileBlock(stored));
      }
      await queries.invalidateQueries({ queryKey: filesQuery(place).queryKey });
    } catch (error) {
      showFault(error);
    }
    setProgress(undefined);
    if (editor.current !== current) return;
    putLate(current, blocks, range, false);
    if (document.activeElement?.matches('input, textarea') !== true) current.view.focus();
  };
  const askLink = (): void => {
    const { current } = editor;
    if (!current) return;
    const { from, to } = linkAt(current.view.state);
    setAsked({ kind: 'link', range: current.follow(from, to) });
  };
  const atSelection = (run: (from: number, to: number) => void) => (): void =>
    on(({ state: { selection } }) => run(selection.from, selection.to));

  return (
    <EditorFrame
      page={page.id}
      editing={editing}
      progress={progress}
      text={text}
      announcement={announcement}
      toolbar={
        <EditorToolbar
          onBlock={(block) => on(({ state }) => putBlock(block, state.selection.to, state.selection.to))}
          onMark={{
            bold: () => on(({ state, dispatch }) => toggle('bold')(state, dispatch)),
            italic: () => on(({ state, dispatch }) => toggle('italic')(state, dispatch)),
            code: () => on(({ state, dispatch }) => toggle('code')(state, dispatch)),
            link: askLink,
          }}
          onFiles={(files) => atSelection((from) => pending.add(putFiles(files, from)))()}
          onSettings={onSettings}
          onDone={editing.done}
        />
      }
    >
      <Box className="pane visual-pane" flex={1} role="region" aria-label={words.page}>
        {props.details}
        <VisualEditor
          page={page.id}
          initial={beginning.text.body}
          references={references}
          onDocument={(made) => {
            editor.current = made ?? null;
            setText(made?.text);
            if (entry.landmark) made?.goTo(entry.landmark);
          }}
          onChange={editing.changeBody}
          onBlock={putBlock}
          onLink={askLink}
          onSave={editing.save}
          onAnnounce={setAnnouncement}
          onInline={(position) => setAsked({ kind: 'inline', position })}
          onMarkdown={(view, markdown, otherwise) => pending.add(putMarkdownPasted(view, markdown, otherwise))}
          onFiles={(_view, files, at) => pending.add(putFiles(files, at))}
        />
      </Box>
      {asked && editor.current && (
        <Asking
          asked={asked}
          view={editor.current.view}
          references={references}
          onContent={putContent}
          onClose={() => {
            if ('range' in asked) asked.range.end();
            setAsked(undefined);
          }}
        />
      )}
    </EditorFrame>
  );
}

function headingOf(title: string): ContentBlock {
  const nodes = [{ object: 'text' as const, leaves: [{ object: 'leaf' as const, text: title, marks: [] }] }];
  return { object: 'block', type: 'heading-1', isVoid: false, data: {}, nodes };
}
