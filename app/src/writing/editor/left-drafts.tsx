import { Alert, Button, Code, Group, Modal, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/en.js';
import { timeAgo } from '../../ui/time.js';
import { dropLeft, type LeftText } from './local-drafts.js';

const words = texts.writing.editor;

/** Offers text again that was typed in this browser and did not reach the server. */
export function LeftDrafts({
  left,
  onTake,
}: Readonly<{ left: readonly LeftText[]; onTake: (left: LeftText) => void }>): ReactNode {
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const [looked, setLooked] = useState<LeftText>();
  const next = left.find(({ key }) => !gone.has(key));
  if (!next) return null;
  const end = (): void => {
    setGone(new Set([...gone, next.key]));
    void dropLeft(next);
  };
  return (
    <Alert radius={0} py="xs" color="blue" title={words.kept}>
      <Group gap="xs">
        <Text size="sm">{words.keptText(timeAgo(new Date(next.at).toISOString()))}</Text>
        <Button
          size="compact-sm"
          onClick={() => {
            onTake(next);
            end();
          }}
        >
          {words.takeKept}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => setLooked(next)}>
          {words.compareKept}
        </Button>
        <Button size="compact-sm" variant="subtle" color="red" onClick={end}>
          {words.dropKept}
        </Button>
      </Group>
      <Modal opened={looked !== undefined} onClose={() => setLooked(undefined)} title={looked?.title} size="xl">
        <Code block className="source-text" tabIndex={0}>
          {looked?.body}
        </Code>
      </Modal>
    </Alert>
  );
}
