import { Alert, Box, Flex, Group, NavLink, Select, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { get, type Schemas, useList } from '../api/client.js';
import { writingTexts } from '../texts/writing.js';
import { ButtonLink } from '../ui/buttons.js';
import { LoadedList, PresentBadge, Note, Time, EmptyScreen, useTitle } from '../ui/screens.js';
import { RestoreSpace } from './history/restore.js';
import { RevisionChanges } from './history/revision-changes.js';
import './panes.css';
import { WayBack } from './place-frame.js';
import { pathAt, SCREEN_HEIGHT, usePlace, usePlaceRequest, useSpace } from './place.js';
import { pagesQuery } from './queries.js';
import { treeData } from './tree/tree-data.js';

type Entry = Schemas['RevisionEntryBody'];
const words = writingTexts.history;

/** The revisions of a space or of a change request, and what each of them changed. */
export function HistoryScreen() {
  const place = usePlace();
  const { revision, page } = useSearch({ strict: false });
  const navigate = useNavigate();
  const space = useSpace();
  useTitle(`${words.title} · ${space.title}`);
  const present = usePlaceRequest()?.revision ?? space.revision;
  const query = useList(['history', place.spaceId, place.changeRequestId], (next) =>
    get(pathAt(place, '/v1/spaces/{spaceId}/revisions'), place, { page: next, limit: 50 }),
  );
  const entries = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const chosen = entries.find(({ id }) => id === revision) ?? (page === undefined ? undefined : entries[0]);
  return (
    <Flex direction={{ base: 'column', sm: 'row' }} h={{ sm: SCREEN_HEIGHT }}>
      <Box
        component="section"
        className="pane"
        flex="none"
        w={{ base: '100%', sm: 320 }}
        mah={{ base: '40dvh', sm: 'none' }}
        aria-labelledby="history-title"
      >
        <Group justify="space-between" p="sm">
          <Title order={1} size={22} id="history-title">
            {words.title}
          </Title>
          <WayBack />
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
                rightSection={entry.id === present && <PresentBadge />}
              />
            ))
          }
        </LoadedList>
      </Box>
      <Box component="section" className="pane" flex={1} p="lg" aria-live="polite" aria-label={words.changes}>
        {chosen ? <Chosen key={chosen.id} entry={chosen} page={page} /> : <EmptyScreen title={words.choose} />}
      </Box>
    </Flex>
  );
}

function Chosen({ entry, page }: Readonly<{ entry: Entry; page: string | undefined }>) {
  const place = usePlace();
  const space = useSpace();
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <div>
          <Title order={2} size={22}>
            {titleOf(entry)}
          </Title>
          <Note>
            <EntryFacts entry={entry} />
          </Note>
        </div>
        <Group gap="xs">
          <ButtonLink
            label={words.open}
            size="xs"
            variant="default"
            to="/o/$organizationId/s/$spaceId/~/revisions/$revisionId"
            params={{ ...place, revisionId: entry.id }}
          />
          {place.changeRequestId === undefined && <RestoreSpace revisionId={entry.id} />}
        </Group>
      </Group>
      {place.changeRequestId === undefined && space.editMode === 'locked' && space.permissions.edit && (
        <Alert py="xs">{words.inRequest}</Alert>
      )}
      <RevisionChanges entry={entry} page={page} />
    </Stack>
  );
}

function titleOf({ type, message }: Entry): string {
  return message === undefined || message === '' ? words.types[type] : message;
}

function EntryFacts({ entry: { author, createdAt } }: Readonly<{ entry: Entry }>) {
  return (
    <>
      <Time at={createdAt} /> {words.by} {author?.displayName ?? words.nobody}
    </>
  );
}

/** Narrows what is shown to one page. */
function PageFilter({ page }: Readonly<{ page: string | undefined }>) {
  const { data: pages = [] } = useQuery(pagesQuery(usePlace()));
  const navigate = useNavigate();
  const options = [...treeData(pages).items.values()]
    .filter(({ type }) => type === 'document')
    .map(({ id, title }) => ({ value: id, label: title }));
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
