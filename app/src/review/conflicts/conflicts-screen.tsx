import { Alert, Badge, Group, Progress, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, REQUEST, type Schemas, send } from '../../api/client.js';
import { reviewTexts } from '../../texts/review.js';
import { Button, SecondaryButton } from '../../ui/buttons.js';
import { EmptyScreen, Note } from '../../ui/screens.js';
import { showDone } from '../../ui/toasts.js';
import { type Conflict, conflictsQuery, useRequest, useRequestChange } from '../queries.js';
import { RequestFrame } from '../request-frame.js';
import { CHOICES, SIDE_CHOICES, type Settlement, settledText } from './settled-text.js';
import { SourceText, ThreeTexts } from './three-texts.js';

const words = reviewTexts.conflicts;

/** Settles the conflicts of a change request with the published content, all of them before anything is sent. */
export function ConflictsScreen() {
  const { path, space } = useRequest();
  const { data } = useSuspenseQuery(conflictsQuery(path));
  const [settlements, setSettlements] = useState<ReadonlyMap<string, Settlement>>(new Map());
  const { update, isMoved } = useUpdate();
  const { conflicts, primary } = data;
  const mayEdit = space.permissions.edit;
  if (conflicts.length === 0)
    return (
      <RequestFrame>
        <EmptyScreen title={words.emptyTitle} text={words.emptyText} />
      </RequestFrame>
    );
  const open = conflicts.filter(({ id }) => !settlements.has(id));
  const settled = conflicts.length - open.length;
  const resolutions = conflicts.flatMap((conflict) => resolutionOf(conflict, settlements.get(conflict.id)));
  return (
    <RequestFrame>
      <Text>{words.text}</Text>
      {!mayEdit && <Alert color="yellow">{words.noRight}</Alert>}
      {isMoved && <Alert color="yellow">{words.moved}</Alert>}
      {conflicts.map((conflict, index) => (
        <ConflictCard
          key={conflict.id}
          conflict={conflict}
          title={words.number(index + 1, conflicts.length)}
          settlement={settlements.get(conflict.id)}
          onSettle={(settlement) => setSettlements((known) => new Map(known).set(conflict.id, settlement))}
        />
      ))}
      <Group
        justify="space-between"
        pos="sticky"
        bottom={0}
        py="sm"
        bg="body"
        style={{ zIndex: 2, borderTop: '1px solid var(--mantine-color-default-border)' }}
      >
        <Note role="status">{words.progress(settled, conflicts.length)}</Note>
        <Progress flex={1} miw={80} value={(settled / conflicts.length) * 100} aria-label={words.progressLabel} />
        {open[0] && <SecondaryButton label={words.next} onClick={() => showConflict(open[0]?.id ?? '')} />}
        <Button
          label={words.send}
          disabled={open.length > 0 || !mayEdit}
          loading={update.isPending}
          onClick={() => update.mutate({ primary, resolutions })}
        />
      </Group>
    </RequestFrame>
  );
}

function showConflict(id: string): void {
  const card = document.getElementById(`conflict-${id}`);
  card?.scrollIntoView({ block: 'start' });
  card?.focus({ preventScroll: true });
}

/** Sends what was decided; where the published content has moved on, the conflicts are read anew instead. */
function useUpdate() {
  const { path } = useRequest();
  const navigate = useNavigate();
  const [isMoved, setIsMoved] = useState(false);
  const update = useRequestChange(async (body: Schemas['UpdateRequest']) => {
    const { result } = await send('post', `${REQUEST}/update`, path, body).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 409) return { result: 'conflicts' };
      throw error;
    });
    setIsMoved(result === 'conflicts');
    if (result === 'conflicts') return;
    showDone(words.done);
    await navigate({ to: '/o/$organizationId/s/$spaceId/~/changes/$changeRequestId', params: path });
  });
  return { update, isMoved };
}

/** The resolution of a conflict, as the interface takes it; none while it is open. */
function resolutionOf(conflict: Conflict, settlement: Settlement | undefined): Schemas['ConflictResolution'][] {
  if (!settlement) return [];
  const { choice } = settlement;
  if (choice === 'theirs') return [{ conflict: conflict.id, keep: 'primary' }];
  if (choice === 'mine') return [{ conflict: conflict.id, keep: 'changed' }];
  return [{ conflict: conflict.id, markdown: settledTextOf(conflict, settlement) }];
}

/** The text that a settlement leads to; empty where the conflict is not about text. */
function settledTextOf({ markdown }: Conflict, settlement: Settlement): string {
  return markdown ? settledText(markdown.primary, markdown.changed, settlement) : '';
}

interface ConflictCardProps {
  readonly conflict: Conflict;
  readonly title: string;
  readonly settlement: Settlement | undefined;
  readonly onSettle: (settlement: Settlement) => void;
}

/** A conflict with its three sides, and the choice between them. */
function ConflictCard({ conflict, title, settlement, onSettle }: ConflictCardProps) {
  const { id, text, page, markdown, words: inWords } = conflict;
  const side = (name: 'base' | 'primary' | 'changed') =>
    markdown ? <SourceText text={markdown[name]} /> : <Text size="sm">{inWords?.[name]}</Text>;
  return (
    <ThreeTexts
      id={`conflict-${id}`}
      title={title}
      mark={
        <Badge color={settlement ? 'green' : 'red'}>{settlement ? words.choice[settlement.choice] : words.open}</Badge>
      }
      subject={text}
      sides={{ before: side('base'), theirs: side('primary'), mine: side('changed') }}
      labels={words.sides}
      choices={markdown ? CHOICES : SIDE_CHOICES}
      settlement={settlement}
      onSettle={({ choice, own = settledTextOf(conflict, settlement ?? { choice: 'mine' }) }) =>
        onSettle(choice === 'own' ? { choice, own } : { choice })
      }
      page={page}
    />
  );
}
