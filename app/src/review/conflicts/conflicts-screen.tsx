import { Alert, Button, Container, Group, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { createLazyRoute, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { answered, api, ApiError } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { EmptyScreen } from '../../ui/screens.js';
import { showDone, showFault } from '../../ui/toasts.js';
import { pagesQuery } from '../../writing/queries.js';
import { treeData } from '../../writing/tree/tree-data.js';
import { renewRequest, spaceQuery, type RequestAddress } from '../queries.js';
import { RequestHeader } from '../request-header.js';
import { ConflictCard } from './conflict-card.js';
import { allConflictsQuery, resolutionOf, type Conflict, type Settlement } from './settlements.js';

const words = texts.review.conflicts;

/** Settles the conflicts of a change request with the published content, all of them before anything is sent. */
function ConflictsScreen(): ReactNode {
  const { organizationId, spaceId, changeRequestId } = conflictsScreen.useParams();
  const path = useMemo(() => ({ spaceId, changeRequestId }), [spaceId, changeRequestId]);
  return (
    <Container size="xl" py="md">
      <Stack gap="md">
        <RequestHeader organizationId={organizationId} path={path} current="conflicts" />
        <Conflicts organizationId={organizationId} path={path} />
      </Stack>
    </Container>
  );
}

interface ConflictsProps {
  readonly organizationId: string;
  readonly path: RequestAddress;
}

function Conflicts({ organizationId, path }: ConflictsProps): ReactNode {
  const { data: space } = useSuspenseQuery(spaceQuery(path.spaceId));
  const { data } = useSuspenseQuery(allConflictsQuery(path));
  const titles = useTitles(organizationId, path);
  const [settlements, setSettlements] = useState<ReadonlyMap<string, Settlement>>(new Map());
  const onSettle = useCallback(
    (id: string, settlement: Settlement) => setSettlements((known) => new Map(known).set(id, settlement)),
    [],
  );
  const { update, isMoved } = useUpdate(organizationId, path);
  const { conflicts, primary } = data;
  if (conflicts.length === 0) return <EmptyScreen title={words.emptyTitle} text={words.emptyText} />;
  const open = conflicts.filter(({ id }) => !settlements.has(id));
  const settled = conflicts.length - open.length;
  return (
    <Stack gap="md">
      <Text>{words.text}</Text>
      {!space.permissions.edit && <Alert color="yellow">{words.noRight}</Alert>}
      {isMoved && (
        <Alert color="yellow" role="alert">
          {words.moved}
        </Alert>
      )}
      {conflicts.map((conflict, index) => (
        <ConflictCard
          key={conflict.id}
          spaceId={path.spaceId}
          conflict={conflict}
          title={words.number(index + 1, conflicts.length)}
          titles={titles}
          settlement={settlements.get(conflict.id)}
          onSettle={onSettle}
        />
      ))}
      <div className="conflict-foot">
        <Group justify="space-between" gap="md">
          <Text size="sm" role="status">
            {words.progress(settled, conflicts.length)}
          </Text>
          <Progress flex={1} miw={80} value={(settled / conflicts.length) * 100} aria-label={words.progressLabel} />
          {open[0] && (
            <Button variant="default" onClick={() => showConflict(open[0])}>
              {words.next}
            </Button>
          )}
          <Button
            disabled={open.length > 0 || !space.permissions.edit}
            loading={update.isPending}
            onClick={() => update.mutate({ primary, conflicts, settlements })}
          >
            {words.send}
          </Button>
        </Group>
      </div>
    </Stack>
  );
}

function showConflict(conflict: Conflict | undefined): void {
  const card = document.getElementById(`conflict-${conflict?.id ?? ''}`);
  card?.scrollIntoView({ block: 'start' });
  card?.focus({ preventScroll: true });
}

interface Settled {
  readonly primary: string;
  readonly conflicts: readonly Conflict[];
  readonly settlements: ReadonlyMap<string, Settlement>;
}

/** Sends what was decided; where the published content has moved on, the conflicts are read anew instead. */
function useUpdate(organizationId: string, path: RequestAddress) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isMoved, setIsMoved] = useState(false);
  const readAnew = async (): Promise<void> => {
    await queries.invalidateQueries({ queryKey: allConflictsQuery(path).queryKey });
    setIsMoved(true);
  };
  const update = useMutation({
    meta: { handlesErrors: true },
    mutationFn: ({ primary, conflicts, settlements }: Settled) =>
      answered(
        api.POST('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/update', {
          params: { path },
          body: {
            primary,
            resolutions: conflicts.flatMap((conflict) => {
              const settlement = settlements.get(conflict.id);
              return settlement ? [resolutionOf(conflict, settlement)] : [];
            }),
          },
        }),
      ),
    onSuccess: async ({ result }) => {
      if (result === 'conflicts') return readAnew();
      showDone(words.done);
      await navigate({
        to: '/o/$organizationId/s/$spaceId/~/changes/$changeRequestId',
        params: { organizationId, ...path },
      });
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
function useTitles(organizationId: string, path: RequestAddress): ReadonlyMap<string, string> {
  const { data: published } = useQuery(pagesQuery({ organizationId, spaceId: path.spaceId }));
  const { data: changed } = useQuery(pagesQuery({ organizationId, ...path }));
  return useMemo(() => {
    const titles = new Map<string, string>();
    for (const pages of [published, changed])
      if (pages) for (const { page } of treeData(pages).nodes.values()) titles.set(page.id, page.title);
    return titles;
  }, [published, changed]);
}

export const conflictsScreen = createLazyRoute(
  '/signed-in/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/~/conflicts',
)({ component: ConflictsScreen });
