import { Alert, Box, Flex, Group, Stack, VisuallyHidden } from '@mantine/core';
import { type HotkeyItem, useHotkeys } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { writingTexts } from '../../texts/writing.js';
import { SecondaryButton } from '../../ui/buttons.js';
import { TextField } from '../../ui/forms.js';
import { usePlace } from '../place.js';
import { PeopleHere, WritersHere } from '../presence/people-here.js';
import { DraftStatus, LeftDrafts } from './editor-bar.js';
import type { Editing } from './editing.js';
import type { EditorText } from './find/editor-text.js';
import { FindBar } from './find/find-bar.js';
import { WordCount } from './find/word-count.js';
import { Settling } from './settling.js';

const words = writingTexts.editor;

interface EditorFrameProps {
  /** The id of the page. */
  readonly page: string;
  readonly editing: Editing;
  /** The files that are being uploaded. */
  readonly progress: string | undefined;
  /** The text that is searched and counted, while it is there to be seen. */
  readonly text: EditorText | undefined;
  /** The change that has just been made, for those who do not see it. */
  readonly announcement?: string;
  /** A form above the text. */
  readonly details?: ReactNode;
  /** Further views of the text. */
  readonly views?: ReactNode;
  readonly toolbar: ReactNode;
  readonly children: ReactNode;
}

/** The title of a page above its text, with what happens to it. */
export function EditorFrame({ page, editing, text, announcement = '', details, ...parts }: EditorFrameProps) {
  const { progress, views, toolbar, children } = parts;
  const place = usePlace();
  const [finding, setFinding] = useState<{ readonly hasReplacement: boolean }>();
  useFindKeys(text, finding !== undefined, setFinding);
  const { form, title, state, settling, setSettling } = editing;
  return (
    <Stack gap={0} flex={1} mih={0}>
      <VisuallyHidden component="h1">{title}</VisuallyHidden>
      <Box className="editor-bar" px="md" py="xs">
        <Group justify="space-between" gap="xs">
          <TextField
            className="editor-title"
            flex="1 1 200px"
            variant="unstyled"
            aria-label={words.title}
            maxLength={250}
            value={title}
            onText={(next) => next.trim() !== '' && editing.changeTitle(next)}
          />
          <DraftStatus
            state={state}
            progress={progress}
            onSave={editing.save}
            onSettle={() => state.kind === 'conflict' && setSettling(state.conflicts)}
          />
          <PeopleHere page={page} />
          {views}
          <SecondaryButton
            label={words.otherForm[form]}
            size="compact-sm"
            aria-keyshortcuts="Control+Shift+E"
            title={`${words.otherForm[form]} (Ctrl+Shift+E)`}
            onClick={editing.switchForm}
          />
        </Group>
        {toolbar}
      </Box>
      {place.changeRequestId === undefined && <Warning color="orange" text={words.live} />}
      {editing.isElsewhere && <Warning color="yellow" text={words.otherTab} />}
      <WritersHere page={page} />
      <LeftDrafts left={editing.left} onTake={editing.takeLeft} />
      {details !== undefined && (
        <Box className="pane" flex="none" mah="50vh" px="md" pt="xs">
          {details}
        </Box>
      )}
      {text && finding && <FindBar text={text} {...finding} onClose={() => setFinding(undefined)} />}
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      <Flex flex={1} mih={0}>
        {children}
      </Flex>
      <WordCount text={text} />
      {settling && <Settling draft={editing.draft} conflicts={settling} onClose={() => setSettling(undefined)} />}
    </Stack>
  );
}

/** The keys that people know for finding and replacing; the browser keeps its own where there is no text to be searched. */
function useFindKeys(
  text: EditorText | undefined,
  isFinding: boolean,
  open: (finding: { readonly hasReplacement: boolean }) => void,
): void {
  const find = (hasReplacement: boolean) => (): void => open({ hasReplacement });
  const next = (direction: 1 | -1) => (): void => void text?.move(direction);
  const begin: HotkeyItem[] = [
    ['mod+F', find(false)],
    ['mod+H', find(true)],
    // A Mac hides the window by the key above.
    ['mod+alt+F', find(true), { usePhysicalKeys: true }],
  ];
  const goOn: HotkeyItem[] = [
    ['F3', next(1)],
    ['shift+F3', next(-1)],
    ['mod+G', next(1)],
    ['mod+shift+G', next(-1)],
  ];
  useHotkeys(text ? [...begin, ...(isFinding ? goOn : [])] : [], [], true);
}

function Warning({ color, text }: Readonly<{ color: string; text: string }>) {
  return <Alert radius={0} py={4} color={color} children={text} />;
}
