import { Alert, Button, Group, Progress, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import { ApiError, REQUEST, send } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { EmptyScreen } from '../../ui/screens.js';
import { showDone, showFault } from '../../ui/toasts.js';
import { pagesQuery } from '../../writing/queries.js';
import { treeData } from '../../writing/tree/tree-data.js';
import { renewRequest, useRequest } from '../queries.js';
import { RequestFrame } from '../request-frame.js';
import { ConflictCard } from './conflict-card.js';
import { allConflictsQuery, resolutionOf } from './settlements.js';
import type { Settlement } from './settled-text.js';
import './conflicts.css';

const words = texts.review.conflicts;

/** Settles the conflicts of a change request with the published content, all of them before anything is sent. */
export function ConflictsScreen(): ReactNode {
  return (
    <RequestFrame current="conflicts">
      <Conflicts />
    </RequestFrame>
  );
}

function Conflicts(): ReactNode {
  const { path, space } = useRequest();
  const { data } = useSuspenseQuery(allConflictsQuery(path));
  const titles = useTitles();
  const [settlements, setSettlements] = useState<ReadonlyMap<string, Settlement>>(new Map());
  const { update, isMoved } = useUpdate();
  const { conflicts, primary } = data;
  const mayEdit = space.permissions.edit;
  if (conflicts.length === 0) return <EmptyScreen title={words.emptyTitle} text={words.emptyText} />;
  const open = conflicts.filter(({ id }) => !settlements.has(id));
  const settled = conflicts.length - open.length;
  const submit = (): void => {
    const resolutions = conflicts.flatMap((conflict) => {
      const settlement = settlements.get(conflict.id);
      return settlement ? [resolutionOf(conflict, settlement)] : [];
    });
    update.mutate({ primary, resolutions });
  };
  return (
    <>
      <Text>{words.text}</Text>
      {!mayEdit && <Alert color="yellow">{words.noRight}</Alert>}
      {isMoved && (
        <Alert color="yellow" role="alert">
          {words.moved}
        </Alert>
      )}
      {conflicts.map((conflict, index) => (
        <ConflictCard
          key={conflict.id}
          conflict={conflict}
          title={words.number(index + 1, conflicts.length)}
          titles={titles}
          settlement={settlements.get(conflict.id)}
          onSettle={(id, settlement) => setSettlements((known) => new Map(known).set(id, settlement))}
        />
      ))}
      <Group justify="space-between" gap="md" className="conflict-foot">
        <Text size="sm" role="status">
          {words.progress(settled, conflicts.length)}
        </Text>
        <Progress flex={1} miw={80} value={(settled / conflicts.length) * 100} aria-label={words.progressLabel} />
        {open[0] && (
          <Button variant="default" onClick={() => showConflict(open[0]?.id ?? '')}>
            {words.next}
          </Button>
        )}
        <Button disabled={open.length > 0 || !mayEdit} loading={update.isPending} onClick={submit}>
          {words.send}
        </Button>
      </Group>
    </>
  );
}

function showConflict(id: string): void {
  const card = document.getElementById(`conflict-${id}`);
  card?.scrollIntoView({ block: 'start' });
  card?.focus({ preventScroll: true });
}

interface Update {
  readonly primary: string;
  readonly resolutions: ReturnType<typeof resolutionOf>[];
}

/** Sends what was decided; where the published content has moved on, the conflicts are read anew instead. */
function useUpdate() {
  const { path } = useRequest();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isMoved, setIsMoved] = useState(false);
  const readAnew = async (): Promise<void> => {
    await queries.invalidateQueries({ queryKey: allConflictsQuery(path).queryKey });
    setIsMoved(true);
  };
  const update = useMutation({
    meta: { handlesErrors: true },
    mutationFn: (body: Update) => send('post', `${REQUEST}/update`, path, body),
    onSuccess: async ({ result }) => {
      if (result === 'conflicts') return readAnew();
      showDone(words.done);
      await navigate({ to: '/o/$organizationId/s/$spaceId/~/changes/$changeRequestId', params: path });
      await Promise.all([
        renewRequest(queries, path),
        queries.invalidateQueries({ queryKey: ['content', path.spaceId] }),
      ]);
    },
    onError: (error) => (error instanceof ApiError && error.status === 409 ? readAnew() : showFault(error)),
  });
  return { update, isMoved };
}

/** The titles of the pages of both sides. */
function useTitles(): ReadonlyMap<string, string> {
  const { path } = useRequest();
  const { organizationId, spaceId } = path;
  const { data: published = [] } = useQuery(pagesQuery({ organizationId, spaceId }));
  const { data: changed = [] } = useQuery(pagesQuery(path));
  return useMemo(
    () =>
      new Map(
        [published, changed].flatMap((pages) => [...treeData(pages).nodes].map(([id, { page }]) => [id, page.title])),
      ),
    [published, changed],
  );
}
