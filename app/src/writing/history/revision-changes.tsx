import { Accordion, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { get, type Schemas } from '../../api/client.js';
import { changedThings, type ChangedPage, OtherChanges, KindBadges } from '../../review/changes/changed-things.js';
import { writingTexts } from '../../texts/writing.js';
import { SecondaryButton } from '../../ui/buttons.js';
import { FormDialog } from '../../ui/forms.js';
import { Loaded } from '../../ui/screens.js';
import { PageDiff, type DiffAction } from '../../ui/page-diff.js';
import { useMayWrite, usePlace, useSpace } from '../place.js';
import { useRestore, type Restored } from './restore.js';

const MOST_SHOWN = 500;
const REVISION = '/v1/spaces/{spaceId}/revisions/{revisionId}';
const words = writingTexts.history;

interface RevisionChangesProps {
  readonly entry: Schemas['RevisionEntryBody'];
  /** The only page that is asked for. */
  readonly page: string | undefined;
}

/** The changes of a revision: each page with its differences, and the files, reusable contents and variables. */
export function RevisionChanges({ entry, page: only }: RevisionChangesProps) {
  const { spaceId } = usePlace();
  const path = { spaceId, revisionId: entry.id };
  const query = useQuery({
    queryKey: ['revision', spaceId, entry.id, 'changes'],
    staleTime: Infinity,
    queryFn: () => get(`${REVISION}/changes`, path, { limit: MOST_SHOWN, metadata: false }),
    select: changedThings,
  });
  const diffOf = `${REVISION}/changes/reusable-contents/{reusableContentId}/diff` as const;
  const source = {
    states: [spaceId, entry.id],
    read: (reusableContentId: string) => get(diffOf, { ...path, reusableContentId }, { format: 'html' }),
  };
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
                <Accordion.Item key={page.id} value={page.id}>
                  <Accordion.Control>
                    <Group gap="xs">
                      <Text fw={600}>{page.title}</Text>
                      <KindBadges types={page.types} />
                    </Group>
                  </Accordion.Control>
                  <Accordion.Panel>
                    <PageChanges page={page} entry={entry} />
                  </Accordion.Panel>
                </Accordion.Item>
              ))}
            </Accordion>
            {only === undefined && <OtherChanges changes={others} source={source} />}
            {more > 0 && <Text size="sm">{words.moreChanges(more)}</Text>}
          </Stack>
        );
      }}
    </Loaded>
  );
}

type PageChangesProps = Readonly<{ page: ChangedPage; entry: RevisionChangesProps['entry'] }>;

function PageChanges({ page: { id: page, types }, entry }: PageChangesProps) {
  const { spaceId, changeRequestId } = usePlace();
  const space = useSpace();
  const mayWriteHere = useMayWrite();
  const query = useQuery({
    queryKey: ['revision', spaceId, entry.id, 'diff', page],
    staleTime: 1_800_000,
    queryFn: () =>
      get(`${REVISION}/changes/{pageId}/diff`, { spaceId, revisionId: entry.id, pageId: page }, { format: 'html' }),
  });
  const [asked, setAsked] = useState<Restored>();
  const restore = useRestore();
  const [before] = entry.parents;
  const mayWrite = changeRequestId === undefined ? space.permissions.edit : mayWriteHere;
  const action = useMemo<DiffAction | undefined>(() => {
    if (!mayWrite || before === undefined) return undefined;
    const run: DiffAction['run'] = ({ block, change }) =>
      setAsked({ page, block, revision: change === 'inserted' ? entry.id : before });
    return { label: words.restoreBlock, on: 'differences', run };
  }, [mayWrite, before, page, entry.id]);
  const bringBack = (label: string, revision: string) => (
    <SecondaryButton label={label} size="compact-sm" onClick={() => setAsked({ page, revision })} />
  );
  return (
    <Stack gap="sm">
      {mayWrite && (
        <Group gap="xs">
          {before !== undefined && !types.includes('page_created') && bringBack(words.restorePage, before)}
          {!types.includes('page_deleted') && bringBack(words.restorePageTo, entry.id)}
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
