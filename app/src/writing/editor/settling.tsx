import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { showFault } from '../../ui/toasts.js';
import type { Place } from '../place.js';
import type { WriteConflict } from '../write-conflicts.js';
import type { Draft } from './draft.js';
import { draftServer } from './draft-server.js';
import { MergeDialog } from './merge-dialog.js';
import { agreedText, chosenText, settledText, type Settlement } from './merge-texts.js';
import type { PageText } from './page-text.js';

interface SettlingProps {
  readonly place: Place;
  readonly pageId: string;
  readonly draft: Draft;
  /** The own text. */
  readonly text: PageText;
  readonly conflicts: readonly WriteConflict[];
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Receives the text with what was chosen, which is not saved yet. */
  readonly onSettled: (text: PageText) => void;
}

/** Settles the conflicts of a draft: the server merges the rest, and what was chosen is written upon that. */
export function Settling(props: SettlingProps): ReactNode {
  const { place, pageId, draft, text, conflicts, opened, onClose, onSettled } = props;
  const agreed = useMemo(() => agreedText(text, conflicts), [text, conflicts]);
  const server = draftServer(place, pageId);
  const { data: current } = useQuery({
    queryKey: ['conflict', place, pageId, conflicts],
    enabled: !agreed && opened,
    gcTime: 0,
    queryFn: () => server.head().then(({ revision }) => server.read(revision)),
  });
  const whole: WriteConflict | undefined = current && {
    page: pageId,
    base: '',
    current: current.body,
    given: text.body,
    ...(conflicts[0]?.by && { by: conflicts[0].by }),
  };
  const settle = async (settlements: readonly Settlement[]): Promise<void> => {
    try {
      if (agreed) {
        const merged = await draft.settle(agreed);
        onSettled(chosenText(merged, text, conflicts, settlements));
      } else if (current && whole) {
        const [settlement = { choice: 'mine' }] = settlements;
        await draft.settle(current);
        onSettled({ title: text.title, body: settledText(whole, settlement) });
      }
      onClose();
    } catch (error) {
      showFault(error);
    }
  };
  const shown = agreed ? conflicts : whole ? [whole] : [];
  return (
    <MergeDialog
      conflicts={shown}
      isWhole={!agreed}
      opened={opened && shown.length > 0}
      onClose={onClose}
      onSettled={settle}
    />
  );
}
