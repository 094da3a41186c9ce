import { Alert, Badge, Group, NavLink, Select, Stack, Title } from '@mantine/core';
import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { get, type Schemas } from '../api/client.js';
import { nextPage } from '../api/pages.js';
import { texts } from '../texts/en.js';
import { ButtonLink, TextLink } from '../ui/links.js';
import { LoadedList } from '../ui/loaded.js';
import { Note } from '../ui/note.js';
import { EmptyScreen } from '../ui/screens.js';
import { Time } from '../ui/time.js';
import { useTitle } from '../ui/title.js';
import './history/history.css';
import { RestoreSpace } from './history/restore.js';
import { RevisionChanges } from './history/revision-changes.js';
import { usePlace, useSpace } from './place.js';
import { pagesQuery } from './queries.js';
import { treeData } from './tree/tree-data.js';

type Entry = Schemas['RevisionEntryBody'];
const words = texts.writing.history;

const revisionsQuery = (spaceId: string) =>
  infiniteQueryOptions({
    queryKey: ['history', spaceId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: page }) => get('/v1/spaces/{spaceId}/revisions', { spaceId }, { page, limit: 50 }),
    getNextPageParam: nextPage,
  });

/** The revisions of a space, and what each of them changed. */
export function HistoryScreen(): ReactNode {
  const place = usePlace();
  const { revision, page } = useSearch({ from: '/signed-in/o/$organizationId/s/$spaceId/~/history' });
  const navigate = useNavigate();
  const space = useSpace();
  useTitle(`${words.title} · ${space.title}`);
  const query = useInfiniteQuery(revisionsQuery(place.spaceId));
  const entries = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const chosen = entries.find(({ id }) => id === revision) ?? (page === undefined ? undefined : entries[0]);
  return (
    <div className="history">
      <section className="history-list" aria-labelledby="history-title">
        <Group justify="space-between" p="sm">
          <Title order={1} size="h3" id="history-title">
            {words.title}
          </Title>
          <TextLink size="sm" to="/o/$organizationId/s/$spaceId" params={place}>
            {space.title}
          </TextLink>
        </Group>
        <PageFilter page={page} />
        <LoadedList query={query} empty={<EmptyScreen title={words.empty} />}>
          {(shown) =>
            shown.map((entry) => (
              <NavLink
                key={entry.id}
                component="button"
                active={entry.id === chosen?.id}
                aria-current={entry.id === chosen?.id}
                onClick={() => void navigate({ to: '.', search: { revision: entry.id, page } })}
                label={titleOf(entry)}
                description={<EntryFacts entry={entry} />}
                rightSection={entry.id === space.revision && <Badge size="sm">{words.present}</Badge>}
              />
            ))
          }
        </LoadedList>
      </section>
      <section className="history-changes" aria-live="polite" aria-label={words.changes}>
        {chosen ? <Chosen key={chosen.id} entry={chosen} page={page} /> : <EmptyScreen title={words.choose} />}
      </section>
    </div>
  );
}

function Chosen({ entry, page }: Readonly<{ entry: Entry; page: string | undefined }>): ReactNode {
  const place = usePlace();
  const space = useSpace();
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <div>
          <Title order={2} size="h3">
            {titleOf(entry)}
          </Title>
          <Note>
            <EntryFacts entry={entry} />
          </Note>
        </div>
        <Group gap="xs">
          <ButtonLink
            size="xs"
            variant="default"
            to="/o/$organizationId/s/$spaceId/~/revisions/$revisionId"
            params={{ ...place, revisionId: entry.id }}
          >
            {words.open}
          </ButtonLink>
          <RestoreSpace revisionId={entry.id} />
        </Group>
      </Group>
      {space.editMode === 'locked' && space.permissions.edit && <Alert py="xs">{words.inRequest}</Alert>}
      <RevisionChanges entry={entry} page={page} />
    </Stack>
  );
}

function titleOf({ type, message }: Entry): string {
  return message === undefined || message === '' ? words.types[type] : message;
}

function EntryFacts({ entry: { author, createdAt } }: Readonly<{ entry: Entry }>): ReactNode {
  return (
    <>
      <Time at={createdAt} /> {words.by} {author?.displayName ?? words.nobody}
    </>
  );
}

/** Narrows what is shown to one page. */
function PageFilter({ page }: Readonly<{ page: string | undefined }>): ReactNode {
  const { data: pages = [] } = useQuery(pagesQuery(usePlace()));
  const navigate = useNavigate();
  const options = [...treeData(pages).nodes.values()]
    .filter(({ page: each }) => each.type === 'document')
    .map(({ page: { id, title } }) => ({ value: id, label: title }));
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
      value={page ?? null}
      onChange={(next) => void navigate({ to: '.', search: (before) => ({ ...before, page: next ?? undefined }) })}
    />
  );
}
