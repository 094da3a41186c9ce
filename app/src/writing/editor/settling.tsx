import { Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Settlement } from '../../review/conflicts/settled-text.js';
import { SourceText, ThreeTexts } from '../../review/conflicts/three-texts.js';
import { texts } from '../../texts/en.js';
import { usePlace } from '../place.js';
import { Button } from '../../ui/buttons.js';
import { Note } from '../../ui/screens.js';
import type { Draft, WriteConflict } from './draft.js';
import { draftServer } from './use-draft.js';
import { agreedText, chosenText, settledTextOf } from './merge-texts.js';
import type { PageText } from './page-text.js';

const words = texts.writing.merge;

interface SettlingProps {
  readonly pageId: string;
  readonly draft: Draft;
  /** The own text. */
  readonly text: PageText;
  readonly conflicts: readonly WriteConflict[];
  readonly onClose: () => void;
}

/**
 * Settles the places of a draft that two people changed at once: the server merges the rest, and what was chosen is
 * written upon that. Where the places are not found in the text, the whole page is chosen.
 */
export function Settling({ pageId, draft, text, conflicts, onClose }: SettlingProps) {
  const place = usePlace();
  const agreed = useMemo(() => agreedText(text, conflicts), [text, conflicts]);
  const { data: current } = useQuery({
    queryKey: ['conflict', place, pageId, conflicts],
    enabled: !agreed,
    gcTime: 0,
    queryFn: async () => {
      const server = draftServer(place, pageId);
      return server.read((await server.head()).revision);
    },
  });
  const [settlements, setSettlements] = useState<ReadonlyMap<number, Settlement>>(new Map());
  const whole = current && { ...conflicts[0], page: pageId, base: '', current: current.body, given: text.body };
  const shown: readonly WriteConflict[] = agreed ? conflicts : whole ? [whole] : [];
  const settle = useMutation({
    mutationFn: async () => {
      const chosen = shown.map((_conflict, index): Settlement => settlements.get(index) ?? { choice: 'theirs' });
      const [first = { choice: 'theirs' as const }] = chosen;
      if (agreed) await draft.settle(text, agreed, (merged) => chosenText(merged, text, conflicts, chosen));
      else if (whole)
        await draft.settle(text, current, ({ body }) => ({
          title: text.title,
          body: settledTextOf({ ...whole, current: body }, first),
        }));
    },
    onSuccess: onClose,
  });
  const left = shown.length - settlements.size;
  return (
    <Modal opened={shown.length > 0} onClose={onClose} title={words.title} size="xl">
      <Stack>
        <Text size="sm">{agreed ? words.text : words.whole}</Text>
        {shown.map((conflict, index) => (
          <ThreeTexts
            key={index}
            page={conflict.page}
            title={words.place(index + 1, shown.length)}
            mark={<Text size="sm">{conflict.by ? words.by(conflict.by.displayName) : words.bySomebody}</Text>}
            sides={{
              before: <SourceText text={conflict.base} />,
              theirs: <SourceText text={conflict.current} />,
              mine: <SourceText text={conflict.given} />,
            }}
            labels={words.sides}
            settlement={settlements.get(index)}
            onSettle={({ choice, own = settledTextOf(conflict, settlements.get(index) ?? { choice: 'mine' }) }) =>
              setSettlements(new Map(settlements).set(index, { choice, own }))
            }
          />
        ))}
        <Group justify="flex-end">
          <Note role="status">{left > 0 && words.left(left)}</Note>
          <Button label={words.apply} disabled={left > 0} run={settle} />
        </Group>
      </Stack>
    </Modal>
  );
}
