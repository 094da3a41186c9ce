import { Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CHOICES, settledText, SIDE_CHOICES, type Settlement } from '../../review/conflicts/settled-text.js';
import { SourceText, ThreeTexts } from '../../review/conflicts/three-texts.js';
import { writingTexts } from '../../texts/writing.js';
import { Button } from '../../ui/buttons.js';
import { Note } from '../../ui/screens.js';
import type { Draft, Resolution, WriteConflict } from './draft.js';
import { shortenFiles } from './page-text.js';

const words = writingTexts.merge;

interface SettlingProps {
  readonly draft: Pick<Draft, 'current' | 'settle'>;
  readonly conflicts: readonly WriteConflict[];
  readonly onClose: () => void;
}

/** Settles the places of a draft that two people changed at once; the server merges the rest. */
export function Settling({ draft, conflicts, onClose }: SettlingProps) {
  const [settlements, setSettlements] = useState<ReadonlyMap<string, Settlement>>(new Map());
  const resolutions = conflicts.flatMap((conflict) => resolutionOf(conflict, settlements.get(conflict.id)));
  const left = conflicts.length - resolutions.length;
  return (
    <Modal opened onClose={onClose} title={words.title} size="xl">
      <Stack>
        <Text size="sm">{words.text}</Text>
        {conflicts.map((conflict, index) => (
          <ThreeTexts
            key={conflict.id}
            page={conflict.page}
            title={words.place(index + 1, conflicts.length)}
            mark={<Text size="sm">{conflict.by ? words.by(conflict.by.displayName) : words.bySomebody}</Text>}
            sides={{
              before: <SourceText text={conflict.base} />,
              theirs: <SourceText text={conflict.current} />,
              mine: <SourceText text={conflict.given} />,
            }}
            labels={words.sides}
            choices={conflict.attribute === undefined ? CHOICES : SIDE_CHOICES}
            settlement={settlements.get(conflict.id)}
            onSettle={({ choice, own = textOf(conflict, settlements.get(conflict.id)) }) =>
              setSettlements(new Map(settlements).set(conflict.id, { choice, own }))
            }
          />
        ))}
        <Group justify="flex-end">
          <Note role="status">{left > 0 && words.left(left)}</Note>
          <Button
            label={words.apply}
            disabled={left > 0}
            loading={draft.current.kind === 'saving'}
            onClick={() => void draft.settle(resolutions)}
          />
        </Group>
      </Stack>
    </Modal>
  );
}

function textOf({ current, given }: WriteConflict, settlement: Settlement = { choice: 'mine' }): string {
  return settledText(shortenFiles(current), shortenFiles(given), settlement).trim();
}

function resolutionOf(conflict: WriteConflict, settlement: Settlement | undefined): Resolution[] {
  if (!settlement) return [];
  const { choice } = settlement;
  if (choice === 'theirs') return [{ conflict: conflict.id, keep: 'current' }];
  if (choice === 'mine') return [{ conflict: conflict.id, keep: 'given' }];
  return [{ conflict: conflict.id, markdown: textOf(conflict, settlement) }];
}
