import { Alert, Anchor, Badge, Button, Group, Loader, NavLink, Select, Stack, Text, Title } from '@mantine/core';
import { infiniteQueryOptions, useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answered, api, type Schemas } from '../api/client.js';
import { nextPage } from '../api/pages.js';
import { texts } from '../texts/en.js';
import { useTitle } from '../ui/title.js';
import { EmptyScreen } from '../ui/screens.js';
import { Time } from '../ui/time.js';
import './history/history.css';
import { RestoreSpace } from './history/restore.js';
import { RevisionChanges } from './history/revision-changes.js';
import { pagesQuery, spaceQuery } from './queries.js';
import { treeData } from './tree/tree-data.js';

type Entry = Schemas['RevisionEntryBody'];
const words = texts.writing.history;

const revisionsQuery = (spaceId: string) =>
  infiniteQueryOptions({
    queryKey: ['history', spaceId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: page }) =>
      answered(
        api.GET('/v1/spaces/{spaceId}/revisions', { params: { path: { spaceId }, query: { page, limit: 50 } } }),
      ),
    getNextPageParam: nextPage,
  });

/** The revisions of a space, and what each of them changed. */
function HistoryScreen(): ReactNode {
  const { organizationId = '', spaceId = '' } = useParams({ strict: false });
  const { revision, page } = useSearch({ from: '/signed-in/o/$organizationId/s/$spaceId/~/history' });
  const navigate = useNavigate();
  const { data: space } = useSuspenseQuery(spaceQuery(spaceId));
  useTitle(`${words.title} · ${space.title}`);
  const { data, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(revisionsQuery(spaceId));
  const entries = data?.pages.flatMap(({ items }) => items) ?? [];
  const chosen = entries.find(({ id }) => id === revision) ?? (page === undefined ? undefined : entries[0]);
  const choose = (id: string): void =>
    void navigate({ to: '.', search: { revision: id, ...(page !== undefined && { page }) } });
  const place = { organizationId, spaceId };
  return (
    <div className="history">
      <section className="history-list" aria-labelledby="history-title">
        <Group justify="space-between" p="sm">
          <Title order={1} size="h3" id="history-title">
            {words.title}
          </Title>
          <Anchor size="sm" renderRoot={(root) => <Link {...root} to="/o/$organizationId/s/$spaceId" params={place} />}>
            {space.title}
          </Anchor>
        </Group>
        <PageFilter spaceId={spaceId} organizationId={organizationId} page={page} />
        {isPending && <Loader m="md" aria-label={texts.common.loading} />}
        {entries.map((entry) => (
          <NavLink
            key={entry.id}
            component="button"
            className="history-entry"
            aria-current={entry.id === chosen?.id ? 'true' : undefined}
            onClick={() => choose(entry.id)}
            label={titleOf(entry)}
            description={<EntryFacts entry={entry} />}
            rightSection={entry.id === space.revision && <Badge size="sm">{words.present}</Badge>}
          />
        ))}
        {hasNextPage && (
          <Button m="sm" variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.common.more}
          </Button>
        )}
      </section>
      <section className="history-changes" aria-live="polite" aria-label={words.changes}>
        {chosen ? (
          <Stack gap="md">
            <Group justify="space-between">
              <Stack gap={0}>
                <Title order={2} size="h3">
                  {titleOf(chosen)}
                </Title>
                <Text size="sm" c="dimmed">
                  <EntryFacts entry={chosen} />
                </Text>
              </Stack>
              <Group gap="xs">
                <Button
                  size="xs"
                  variant="default"
                  renderRoot={(root) => (
                    <Link
                      {...root}
                      to="/o/$organizationId/s/$spaceId/~/revisions/$revisionId"
                      params={{ ...place, revisionId: chosen.id }}
                    />
                  )}
                >
                  {words.open}
                </Button>
                {chosen.id !== space.revision && <RestoreSpace place={place} space={space} revisionId={chosen.id} />}
              </Group>
            </Group>
            {space.editMode === 'locked' && space.permissions.edit && <Alert py="xs">{words.inRequest}</Alert>}
            <RevisionChanges key={chosen.id} place={place} space={space} entry={chosen} page={page} />
          </Stack>
        ) : (
          <EmptyScreen title={words.choose} />
        )}
      </section>
    </div>
  );
}

function titleOf({ type, message }: Entry): string {
  return message === undefined || message === '' ? words.types[type] : message;
}

function EntryFacts({ entry: { author, createdAt } }: { readonly entry: Entry }): ReactNode {
  return (
    <>
      <Time at={createdAt} /> {words.by} {author?.displayName ?? words.nobody}
    </>
  );
}

/** Narrows what is shown to one page. */
function PageFilter(props: {
  readonly organizationId: string;
  readonly spaceId: string;
  readonly page: string | undefined;
}): ReactNode {
  const { data: pages = [] } = useQuery(pagesQuery(props));
  const navigate = useNavigate();
  const { revision } = useSearch({ from: '/signed-in/o/$organizationId/s/$spaceId/~/history' });
  const options = [...treeData(pages).nodes.values()]
    .filter(({ page }) => page.type === 'document')
    .map(({ page }) => ({ value: page.id, label: page.title }));
  return (
    <Select
      mx="sm"
      mb="sm"
      size="xs"
      searchable
      clearable
      limit={50}
      aria-label={words.pageOnly}
      placeholder={words.pageOnly}
      data={options}
      value={props.page ?? null}
      onChange={(page) =>
        void navigate({
          to: '.',
          search: { ...(revision !== undefined && { revision }), ...(page !== null && { page }) },
        })
      }
    />
  );
}

export const historyScreen = createLazyRoute('/signed-in/o/$organizationId/s/$spaceId/~/history')({
  component: HistoryScreen,
});
