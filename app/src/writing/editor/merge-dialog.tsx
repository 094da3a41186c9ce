import { Button, Card, Code, Group, Modal, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/en.js';
import type { WriteConflict } from '../write-conflicts.js';
import { settledText, type Choice, type Settlement } from './merge-texts.js';

const words = texts.writing.merge;
const CHOICES: readonly { readonly value: Choice; readonly label: string }[] = [
  { value: 'mine', label: words.keepMine },
  { value: 'theirs', label: words.takeTheirs },
  { value: 'both', label: words.both },
  { value: 'own', label: words.own },
];

interface MergeDialogProps {
  readonly conflicts: readonly WriteConflict[];
  /** Whether the conflict is the whole page, because its places were not found in the text. */
  readonly isWhole: boolean;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onSettled: (settlements: readonly Settlement[]) => Promise<void>;
}

/** Settles places that two people changed at once, block by block. */
export function MergeDialog({ conflicts, isWhole, opened, onClose, onSettled }: MergeDialogProps): ReactNode {
  const [settlements, setSettlements] = useState<ReadonlyMap<number, Settlement>>(new Map());
  const [isSaving, setIsSaving] = useState(false);
  const left = conflicts.length - settlements.size;
  const apply = async (): Promise<void> => {
    setIsSaving(true);
    await onSettled(conflicts.map((_conflict, index) => settlements.get(index) ?? { choice: 'theirs' })).finally(() =>
      setIsSaving(false),
    );
  };
  return (
    <Modal opened={opened} onClose={onClose} title={words.title} size="xl">
      <Stack>
        <Text size="sm">{isWhole ? words.whole : words.text}</Text>
        {conflicts.map((conflict, index) => (
          <ConflictCard
            key={`${conflict.block ?? conflict.attribute ?? ''} ${index}`}
            conflict={conflict}
            title={words.place(index + 1, conflicts.length)}
            settlement={settlements.get(index)}
            onSettle={(settlement) => setSettlements(new Map([...settlements, [index, settlement]]))}
          />
        ))}
        <Group justify="flex-end">
          <Text size="sm" role="status">
            {left > 0 && words.left(left)}
          </Text>
          <Button disabled={left > 0} loading={isSaving} onClick={() => void apply()}>
            {words.apply}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function ConflictCard({
  conflict,
  title,
  settlement,
  onSettle,
}: {
  readonly conflict: WriteConflict;
  readonly title: string;
  readonly settlement: Settlement | undefined;
  readonly onSettle: (settlement: Settlement) => void;
}): ReactNode {
  const { base, current, given, by } = conflict;
  const choose = (choice: string): void => {
    const found = CHOICES.find(({ value }) => value === choice)?.value;
    if (found) onSettle({ choice: found, own: settledText(conflict, settlement ?? { choice: 'mine' }) });
  };
  return (
    <Card withBorder component="section" aria-label={title}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Text fw={600}>{title}</Text>
          <Text size="sm">{by ? words.by(by.displayName) : words.bySomebody}</Text>
        </Group>
        <div className="merge-sides">
          <Side label={words.before} text={base} />
          <Side label={words.theirs} text={current} />
          <Side label={words.mine} text={given} />
        </div>
        <SegmentedControl
          aria-label={title}
          data={[...CHOICES]}
          // Nothing is chosen at first.
          value={settlement?.choice ?? ''}
          onChange={choose}
        />
        {settlement?.choice === 'own' && (
          <Textarea
            autosize
            minRows={3}
            maxRows={16}
            label={words.ownText}
            value={settlement.own ?? ''}
            onChange={(event) => onSettle({ choice: 'own', own: event.currentTarget.value })}
          />
        )}
      </Stack>
    </Card>
  );
}

function Side({ label, text }: { readonly label: string; readonly text: string }): ReactNode {
  return (
    <div>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Code block className="merge-side" tabIndex={0}>
        {text.trim() === '' ? words.nothing : text}
      </Code>
    </div>
  );
}
