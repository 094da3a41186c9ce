import { Accordion, Badge, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { answered, api, type Schemas } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { PageDiff, type DiffAction } from '../../ui/page-diff.js';
import { FaultScreen } from '../../ui/screens.js';
import type { Place } from '../place.js';
import type { Space } from '../queries.js';
import { ConfirmRestore, useRestore, type Restored } from './restore.js';

const MOST_SHOWN = 500;
const words = texts.writing.history;

interface SemanticChange {
  readonly type: string;
  readonly page?: { readonly id: string; readonly title: string; readonly path?: string };
  readonly file?: { readonly name: string };
  readonly reusableContent?: { readonly title: string };
  readonly variables?: Readonly<Record<string, unknown>>;
}

interface RevisionChangesProps {
  readonly place: Place;
  readonly space: Space;
  readonly entry: Schemas['RevisionEntryBody'];
  /** The only page that is asked for. */
  readonly page: string | undefined;
}

/** What a revision changed: each page with its differences, and the files, reusable contents and variables. */
export function RevisionChanges({ place, space, entry, page: only }: RevisionChangesProps): ReactNode {
  const path = { spaceId: space.id, revisionId: entry.id };
  const { data, error, isPending } = useQuery({
    queryKey: ['revision', space.id, entry.id, 'changes'],
    staleTime: Infinity,
    queryFn: () =>
      answered(
        api.GET('/v1/spaces/{spaceId}/revisions/{revisionId}/changes', {
          params: { path, query: { limit: MOST_SHOWN, metadata: false } },
        }),
      ),
  });
  if (isPending) return <Loader aria-label={texts.common.loading} />;
  if (error) return <FaultScreen error={error} />;
  const changes = data.changes as readonly unknown[] as readonly SemanticChange[];
  const pages = pagesOf(changes).filter(({ id }) => only === undefined || id === only);
  const others = only === undefined ? changes.filter(({ page }) => page === undefined) : [];
  if (pages.length === 0 && others.length === 0) return <Text c="dimmed">{words.noChanges}</Text>;
  return (
    <Stack gap="sm">
      <Accordion multiple variant="separated" defaultValue={pages.length === 1 ? pages.map(({ id }) => id) : []}>
        {pages.map(({ id, title, types }) => (
          <Accordion.Item key={id} value={id}>
            <Accordion.Control>
              <Group gap="xs">
                <Text fw={600}>{title}</Text>
                {types.map((type) => (
                  <Badge key={type} size="sm" variant="light">
                    {words.kinds[type] ?? type}
                  </Badge>
                ))}
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <PageChanges {...{ place, space, entry }} page={id} isDeleted={types.includes('page_deleted')} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      {others.map((change, index) => (
        <Text key={index} size="sm">
          {words.kinds[change.type] ?? change.type}: {nameOf(change)}
        </Text>
      ))}
      {data.more !== undefined && <Text size="sm">{words.moreChanges(data.more)}</Text>}
    </Stack>
  );
}

interface ChangedPage {
  readonly id: string;
  readonly title: string;
  readonly types: readonly string[];
}

function pagesOf(changes: readonly SemanticChange[]): readonly ChangedPage[] {
  const pages = new Map<string, ChangedPage>();
  for (const { type, page } of changes)
    if (page)
      pages.set(page.id, { id: page.id, title: page.title, types: [...(pages.get(page.id)?.types ?? []), type] });
  return [...pages.values()];
}

function nameOf({ file, reusableContent, variables }: SemanticChange): string {
  return file?.name ?? reusableContent?.title ?? Object.keys(variables ?? {}).join(', ');
}

interface PageChangesProps extends Omit<RevisionChangesProps, 'page'> {
  readonly page: string;
  readonly isDeleted: boolean;
}

function PageChanges({ place, space, entry, page, isDeleted }: PageChangesProps): ReactNode {
  const path = { spaceId: space.id, revisionId: entry.id, pageId: page };
  const { data, error, isPending } = useQuery({
    queryKey: ['revision', space.id, entry.id, 'diff', page],
    staleTime: 1_800_000,
    queryFn: () =>
      answered(
        api.GET('/v1/spaces/{spaceId}/revisions/{revisionId}/changes/{pageId}/diff', {
          params: { path, query: { format: 'html' } },
        }),
      ),
  });
  const [asked, setAsked] = useState<Restored>();
  const restore = useRestore(place, space);
  const [before] = entry.parents;
  const mayWrite = space.permissions.edit;
  const action = useMemo<DiffAction | undefined>(
    () =>
      mayWrite && before !== undefined
        ? {
            label: words.restoreBlock,
            on: 'differences',
            run: ({ block, change }) => setAsked({ page, block, revision: change === 'inserted' ? entry.id : before }),
          }
        : undefined,
    [mayWrite, before, page, entry.id],
  );
  if (isPending) return <Loader aria-label={texts.common.loading} />;
  if (error) return <FaultScreen error={error} />;
  return (
    <Stack gap="sm">
      {mayWrite && (
        <Group gap="xs">
          {before !== undefined && data.change !== 'added' && (
            <Button size="compact-sm" variant="default" onClick={() => setAsked({ page, revision: before })}>
              {words.restorePage}
            </Button>
          )}
          {!isDeleted && (
            <Button size="compact-sm" variant="default" onClick={() => setAsked({ page, revision: entry.id })}>
              {words.restorePageTo}
            </Button>
          )}
        </Group>
      )}
      <PageDiff diff={data} action={action} />
      <ConfirmRestore
        text={asked && (asked.block === undefined ? words.confirmPage : words.confirmBlock)}
        isPending={restore.isPending}
        onClose={() => setAsked(undefined)}
        onConfirm={() => asked && restore.mutate(asked, { onSettled: () => setAsked(undefined) })}
      />
    </Stack>
  );
}
