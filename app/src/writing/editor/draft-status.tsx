import { Anchor, Button, Group, Loader, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/en.js';
import { faultText } from '../../ui/toasts.js';
import type { DraftState } from './draft.js';

const words = texts.writing.editor;

/** Whether the text is saved, and what to do where it is not. */
export function DraftStatus({
  state,
  progress,
  onSave,
  onSettle,
}: Readonly<{ state: DraftState; progress: string | undefined; onSave: () => void; onSettle: () => void }>): ReactNode {
  return (
    <Group gap="xs" wrap="nowrap">
      {(state.kind === 'saving' || progress !== undefined) && <Loader size={14} aria-hidden="true" />}
      <Text size="sm" role="status" c={state.kind === 'failed' || state.kind === 'conflict' ? 'red' : 'dimmed'}>
        {progress ?? stateText(state)}
      </Text>
      {state.kind === 'conflict' && (
        <Button flex="none" size="compact-sm" color="red" onClick={onSettle}>
          {words.merge}
        </Button>
      )}
      {state.kind === 'signed-out' && (
        <Anchor size="sm" href={new URL('sign-in', document.baseURI).href} target="_blank" rel="opener">
          {words.signIn}
        </Anchor>
      )}
      {(state.kind === 'failed' || state.kind === 'offline') && (
        <Button flex="none" size="compact-sm" variant="default" onClick={onSave}>
          {words.save}
        </Button>
      )}
    </Group>
  );
}

function stateText(state: DraftState): string {
  if (state.kind === 'failed') return `${words.state.failed}: ${faultText(state.error)}`;
  return state.kind === 'signed-out' ? words.state.signedOut : words.state[state.kind];
}
