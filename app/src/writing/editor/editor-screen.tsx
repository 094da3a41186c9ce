import { Alert, Box, Flex, Group, SegmentedControl, Stack, VisuallyHidden } from '@mantine/core';
import { useHotkeys, useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import type { EditorView } from '@codemirror/view';
import { useCallback, useRef, useState } from 'react';
import { queries } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { TextField } from '../../ui/forms.js';
import { Loaded } from '../../ui/screens.js';
import { showFault } from '../../ui/toasts.js';
import { usePlace } from '../place.js';
import { filesQuery, renewContent, revisionQuery, type Page } from '../queries.js';
import type { TreeData } from '../tree/tree-data.js';
import type { WriteConflict } from './draft.js';
import { DraftStatus, LeftDrafts, EditorToolbar } from './editor-bar.js';
import { type LeftText, useBeginning, useDraft, type Beginning } from './use-draft.js';
import type { PageText } from './page-text.js';
import { Preview, topLine } from './preview.js';
import { Settling } from './settling.js';
import { showMerged, SourceEditor } from './source-editor.js';
import { insertFiles } from './snippets.js';

const MODES = ['edit', 'split', 'preview'] as const;
const NARROW_MODES = ['edit', 'preview'] as const;
type Mode = (typeof MODES)[number];
const words = texts.writing.editor;

type EditorScreenProps = Readonly<{ page: Page; tree: TreeData; onSettings: () => void; onDone: () => void }>;

/** A page that is being written. */
export function EditorScreen(props: EditorScreenProps) {
  const query = useBeginning(props.page.id);
  return <Loaded query={query}>{(beginning) => <Editor {...props} beginning={beginning} />}</Loaded>;
}

function Editor(props: EditorScreenProps & Readonly<{ beginning: Beginning }>) {
  const { page, tree, beginning, onSettings, onDone } = props;
  const place = usePlace();
  const [text, setText] = useState<PageText>(beginning.text);
  const latest = useRef(text);
  const view = useRef<EditorView>(null);
  const scrollTo = useRef<((line: number) => void) | null>(null);
  const [progress, setProgress] = useState<string>();
  const [settling, setSettling] = useState<readonly WriteConflict[]>();
  const isNarrow = useMediaQuery('(max-width: 48em)') ?? false;
  const [mode, setMode] = useMode(isNarrow);
  const references = useReferences(tree);
  const show = useCallback((next: PageText): void => {
    latest.current = next;
    setText(next);
  }, []);
  const { draft, state } = useDraft(page.id, beginning, (sent, merged) => {
    const body = view.current ? showMerged(view.current, sent.body, merged.body) : merged.body;
    const title = latest.current.title === sent.title ? merged.title : latest.current.title;
    show({ title, body });
    return latest.current;
  });
  if (settling && state.kind === 'conflict' && state.conflicts !== settling) setSettling(state.conflicts);
  if (settling && ['saved', 'pending', 'failed'].includes(state.kind)) setSettling(undefined);
  const change = (next: Partial<PageText>): void => {
    show({ ...latest.current, ...next });
    draft.change(latest.current);
  };
  const showBody = (body: string): void => {
    const { current } = view;
    current?.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: body } });
  };
  const takeLeft = (left: LeftText): void => {
    show({ title: left.title, body: left.body });
    draft.resume(left);
    showBody(left.body);
  };
  const preview = (): void => setMode(mode === 'preview' ? 'edit' : 'preview');
  const save = (): void => void draft.save();
  useHotkeys([['mod+S', save]], []);
  useHotkeys([['mod+shift+P', preview]], []);
  useBlocker({
    enableBeforeUnload: () => draft.current.kind !== 'saved',
    shouldBlockFn: async () => {
      await draft.save();
      return draft.current.kind !== 'saved' && !window.confirm(words.leave);
    },
  });
  const done = async (): Promise<void> => {
    await draft.save();
    await renewContent(place);
    onDone();
  };
  const upload = (editor: EditorView, files: readonly File[], at: number): void =>
    void insertFiles(editor, place, files, at, setProgress)
      .then(() => queries.invalidateQueries({ queryKey: filesQuery(place).queryKey }))
      .catch(showFault);

  return (
    <Stack gap={0} flex={1} mih={0}>
      <VisuallyHidden component="h1">{text.title}</VisuallyHidden>
      <Box className="editor-bar" px="md" py="xs">
        <Group justify="space-between" gap="xs">
          <TextField
            className="editor-title"
            flex="1 1 200px"
            variant="unstyled"
            aria-label={words.title}
            maxLength={250}
            value={text.title}
            onText={(title) => title.trim() !== '' && change({ title })}
          />
          <DraftStatus
            state={state}
            progress={progress}
            onSave={save}
            onSettle={() => state.kind === 'conflict' && setSettling(state.conflicts)}
          />
          <SegmentedControl
            size="xs"
            aria-label={words.mode}
            value={mode}
            onChange={setMode}
            data={(isNarrow ? NARROW_MODES : MODES).map((value) => ({ value, label: words.modes[value] }))}
          />
        </Group>
        <EditorToolbar view={view} onFiles={upload} onSettings={onSettings} onDone={() => void done()} />
      </Box>
      {place.changeRequestId === undefined && <Warning color="orange" text={words.live} />}
      {beginning.isElsewhere && <Warning color="yellow" text={words.otherTab} />}
      <LeftDrafts left={beginning.left} onTake={takeLeft} />
      <Flex flex={1} mih={0}>
        <Box className="pane" flex={1} hidden={mode === 'preview'}>
          <SourceEditor
            initial={beginning.text.body}
            onView={(editor) => (view.current = editor)}
            onChange={(body) => change({ body })}
            onFiles={upload}
            onScroll={(editor) => scrollTo.current?.(topLine(editor))}
            onSave={save}
            onPreview={preview}
            references={() => references}
          />
        </Box>
        {mode !== 'edit' && <Preview page={page.id} body={text.body} scrollTo={scrollTo} />}
      </Flex>
      {settling && <Settling draft={draft} conflicts={settling} onClose={() => setSettling(undefined)} />}
    </Stack>
  );
}

function Warning({ color, text }: Readonly<{ color: string; text: string }>) {
  return <Alert radius={0} py={4} color={color} children={text} />;
}

/** How the text and its preview are shown; narrow screens show one of them at a time. */
function useMode(isNarrow: boolean): readonly [Mode, (mode: Mode) => void] {
  const [wide, setWide] = useLocalStorage<Mode>({ key: 'bindery.editor', defaultValue: 'split' });
  const [narrow, setNarrow] = useState<Mode>('edit');
  return isNarrow ? [narrow === 'split' ? 'edit' : narrow, setNarrow] : [wide, setWide];
}

function useReferences(tree: TreeData) {
  const place = usePlace();
  const { data: files = [] } = useQuery(filesQuery(place));
  const { data: revision } = useQuery({ ...revisionQuery(place), staleTime: 60_000 });
  const { variables = {}, reusableContents = [] } = revision ?? {};
  return { tree, files, variables, reusableContents };
}
