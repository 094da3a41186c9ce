import { Alert, Group, SegmentedControl, TextInput, VisuallyHidden } from '@mantine/core';
import { useHotkeys, useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import type { EditorView } from '@codemirror/view';
import { useCallback, useRef, useState, type ReactNode } from 'react';
import { texts } from '../../texts/en.js';
import { FaultScreen, LoadingScreen } from '../../ui/screens.js';
import { showFault } from '../../ui/toasts.js';
import { usePlace } from '../place.js';
import { filesQuery, renewContent, revisionQuery, type Page } from '../queries.js';
import type { TreeData } from '../tree/tree-data.js';
import { DraftStatus } from './draft-status.js';
import { EditorToolbar } from './editor-toolbar.js';
import { LeftDrafts } from './left-drafts.js';
import type { LeftText } from './local-drafts.js';
import type { PageText } from './page-text.js';
import { Preview, topLine } from './preview.js';
import { Settling } from './settling.js';
import { showMerged, SourceEditor } from './source-editor.js';
import { insertFiles } from './upload.js';
import { useBeginning, useDraft, type Beginning } from './use-draft.js';

const MODES = ['edit', 'split', 'preview'] as const;
const NARROW_MODES = ['edit', 'preview'] as const;
type Mode = (typeof MODES)[number];
const words = texts.writing.editor;

interface EditorScreenProps {
  readonly page: Page;
  readonly tree: TreeData;
  readonly onSettings: () => void;
  readonly onDone: () => void;
}

/** A page that is being written. */
export function EditorScreen(props: EditorScreenProps): ReactNode {
  const { beginning, error } = useBeginning(props.page.id);
  if (error !== undefined) return <FaultScreen error={error} />;
  return beginning ? <Editor {...props} beginning={beginning} /> : <LoadingScreen />;
}

function Editor(props: EditorScreenProps & Readonly<{ beginning: Beginning }>): ReactNode {
  const { page, tree, beginning, onSettings, onDone } = props;
  const place = usePlace();
  const queries = useQueryClient();
  const [text, setText] = useState<PageText>(beginning.text);
  const latest = useRef(text);
  const view = useRef<EditorView>(null);
  const scrollTo = useRef<((line: number) => void) | null>(null);
  const [progress, setProgress] = useState<string>();
  const [isSettling, setIsSettling] = useState(false);
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
  useHotkeys(
    [
      ['mod+S', () => void draft.save()],
      ['mod+shift+P', preview],
    ],
    [],
  );
  useBlocker({
    enableBeforeUnload: () => draft.current.kind !== 'saved',
    shouldBlockFn: async () => {
      await draft.save();
      return draft.current.kind !== 'saved' && !window.confirm(words.leave);
    },
  });
  const done = async (): Promise<void> => {
    await draft.save();
    await renewContent(queries, place);
    onDone();
  };
  const upload = (editor: EditorView, files: readonly File[], at: number): void =>
    void insertFiles(editor, place, files, at, setProgress)
      .then(() => queries.invalidateQueries({ queryKey: filesQuery(place).queryKey }))
      .catch(showFault);

  return (
    <div className="editor">
      <VisuallyHidden component="h1">{text.title}</VisuallyHidden>
      <div className="editor-bar">
        <Group justify="space-between" gap="xs">
          <TextInput
            className="editor-title"
            flex="1 1 200px"
            variant="unstyled"
            aria-label={words.title}
            maxLength={250}
            value={text.title}
            onChange={(event) =>
              event.currentTarget.value.trim() !== '' && change({ title: event.currentTarget.value })
            }
          />
          <DraftStatus
            state={state}
            progress={progress}
            onSave={() => void draft.save()}
            onSettle={() => setIsSettling(true)}
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
      </div>
      {place.changeRequestId === undefined && (
        <Alert radius={0} py={4} color="orange">
          {words.live}
        </Alert>
      )}
      {beginning.isElsewhere && (
        <Alert radius={0} py={4} color="yellow">
          {words.otherTab}
        </Alert>
      )}
      <LeftDrafts left={beginning.left} onTake={takeLeft} />
      <div className="editor-panes">
        <div className="editor-pane" hidden={mode === 'preview'}>
          <SourceEditor
            initial={beginning.text.body}
            onView={(editor) => (view.current = editor)}
            onChange={(body) => change({ body })}
            onFiles={upload}
            onScroll={(editor) => scrollTo.current?.(topLine(editor))}
            onSave={() => void draft.save()}
            onPreview={preview}
            references={() => references}
          />
        </div>
        {mode !== 'edit' && <Preview page={page.id} body={text.body} scrollTo={scrollTo} />}
      </div>
      {state.kind === 'conflict' && isSettling && (
        <Settling
          {...{ draft, text }}
          pageId={page.id}
          conflicts={state.conflicts}
          onClose={() => setIsSettling(false)}
        />
      )}
    </div>
  );
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
