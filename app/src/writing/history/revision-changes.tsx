import { Accordion, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { get, type Schemas } from '../../api/client.js';
import { changedThings, type ChangedPage } from '../../review/changes/changed-things.js';
import { OtherChanges } from '../../review/changes/other-changes.js';
import { texts } from '../../texts/en.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { Loaded } from '../../ui/loaded.js';
import { PageDiff, type DiffAction } from '../../ui/page-diff.js';
import { usePlace, useSpace } from '../place.js';
import { useRestore, type Restored } from './restore.js';

const MOST_SHOWN = 500;
const REVISION = '/v1/spaces/{spaceId}/revisions/{revisionId}';
const words = texts.writing.history;

interface RevisionChangesProps {
  readonly entry: Schemas['RevisionEntryBody'];
  /** The only page that is asked for. */
  readonly page: string | undefined;
}

/** The changes of a revision: each page with its differences, and the files, reusable contents and variables. */
export function RevisionChanges({ entry, page: only }: RevisionChangesProps): ReactNode {
  const { spaceId } = usePlace();
  const query = useQuery({
    queryKey: ['revision', spaceId, entry.id, 'changes'],
    staleTime: Infinity,
    queryFn: () =>
      get(`${REVISION}/changes`, { spaceId, revisionId: entry.id }, { limit: MOST_SHOWN, metadata: false }),
    select: changedThings,
  });
  return (
    <Loaded query={query}>
      {({ pages: all, others, more }) => {
        const pages = all.filter(({ id }) => only === undefined || id === only);
        if (pages.length === 0 && (only !== undefined || others.length === 0))
          return <Text c="dimmed">{words.noChanges}</Text>;
        return (
          <Stack gap="sm">
            <Accordion multiple variant="separated" defaultValue={pages.length === 1 ? pages.map(({ id }) => id) : []}>
              {pages.map((page) => (
                <PageItem key={page.id} page={page} entry={entry} />
              ))}
            </Accordion>
            {only === undefined && <OtherChanges changes={others} />}
            {more > 0 && <Text size="sm">{words.moreChanges(more)}</Text>}
          </Stack>
        );
      }}
    </Loaded>
  );
}

type PageItemProps = Readonly<{ page: ChangedPage; entry: RevisionChangesProps['entry'] }>;

function PageItem({ page, entry }: PageItemProps): ReactNode {
  return (
    <Accordion.Item value={page.id}>
      <Accordion.Control>
        <Group gap="xs">
          <Text fw={600}>{page.title}</Text>
          {page.types.map((type) => (
            <Badge key={type} size="sm" variant="light">
              {words.kinds[type] ?? type}
            </Badge>
          ))}
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <PageChanges page={page} entry={entry} />
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function PageChanges({ page: { id: page, types }, entry }: PageItemProps): ReactNode {
  const { spaceId } = usePlace();
  const space = useSpace();
  const query = useQuery({
    queryKey: ['revision', spaceId, entry.id, 'diff', page],
    staleTime: 1_800_000,
    queryFn: () =>
      get(`${REVISION}/changes/{pageId}/diff`, { spaceId, revisionId: entry.id, pageId: page }, { format: 'html' }),
  });
  const [asked, setAsked] = useState<Restored>();
  const restore = useRestore();
  const [before] = entry.parents;
  const mayWrite = space.permissions.edit;
  const action = useMemo<DiffAction | undefined>(() => {
    if (!mayWrite || before === undefined) return undefined;
    const run: DiffAction['run'] = ({ block, change }) =>
      setAsked({ page, block, revision: change === 'inserted' ? entry.id : before });
    return { label: words.restoreBlock, on: 'differences', run };
  }, [mayWrite, before, page, entry.id]);
  return (
    <Stack gap="sm">
      {mayWrite && (
        <Group gap="xs">
          {before !== undefined && !types.includes('page_created') && (
            <Button size="compact-sm" variant="default" onClick={() => setAsked({ page, revision: before })}>
              {words.restorePage}
            </Button>
          )}
          {!types.includes('page_deleted') && (
            <Button size="compact-sm" variant="default" onClick={() => setAsked({ page, revision: entry.id })}>
              {words.restorePageTo}
            </Button>
          )}
        </Group>
      )}
      <Loaded query={query}>{(diff) => <PageDiff diff={diff} action={action} />}</Loaded>
      {asked && (
        <FormDialog
          title={words.confirm}
          text={asked.block === undefined ? words.confirmPage : words.confirmBlock}
          action={words.bringBack}
          onSubmit={() => restore(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Stack>
  );
}
