import { Alert, Box, Flex, Group, Stack, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/en.js';
import { SecondaryButton } from '../../ui/buttons.js';
import { TextField } from '../../ui/forms.js';
import { usePlace } from '../place.js';
import { PeopleHere, WritersHere } from '../presence/people-here.js';
import { DraftStatus, LeftDrafts } from './editor-bar.js';
import type { Editing } from './editing.js';
import { Settling } from './settling.js';

const words = texts.writing.editor;

interface EditorFrameProps {
  /** The id of the page. */
  readonly page: string;
  readonly editing: Editing;
  /** The files that are being uploaded. */
  readonly progress: string | undefined;
  /** Further views of the text. */
  readonly views?: ReactNode;
  readonly toolbar: ReactNode;
  readonly children: ReactNode;
}

/** The title of a page above its text, with what happens to it. */
export function EditorFrame({ page, editing, progress, views, toolbar, children }: EditorFrameProps) {
  const place = usePlace();
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
      <Flex flex={1} mih={0}>
        {children}
      </Flex>
      {settling && <Settling draft={editing.draft} conflicts={settling} onClose={() => setSettling(undefined)} />}
    </Stack>
  );
}

function Warning({ color, text }: Readonly<{ color: string; text: string }>) {
  return <Alert radius={0} py={4} color={color} children={text} />;
}
