import { Button, Center, Skeleton, Stack } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ListPage } from '../api/pages.js';
import { texts } from '../texts/en.js';
import { FaultScreen } from './screens.js';

const ROWS = [1, 2, 3];

interface LoadedProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  readonly children: (data: Data) => ReactNode;
}

/** The data of a query; lines in its place while it runs, and the fault with a button when it failed. */
export function Loaded<Data>({ query: { data, error, refetch }, children }: LoadedProps<Data>): ReactNode {
  if (data !== undefined) return children(data);
  if (error) return <FaultScreen error={error} reset={() => void refetch()} />;
  return (
    <Stack gap="xs" role="status" aria-label={texts.common.loading}>
      {ROWS.map((row) => (
        <Skeleton key={row} height={36} />
      ))}
    </Stack>
  );
}

interface LoadedListProps<Item> {
  readonly query: UseInfiniteQueryResult<InfiniteData<ListPage<Item>>>;
  /** Shown when the list has no items. */
  readonly empty: ReactNode;
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** A list that is read page by page, with a button for more. */
export function LoadedList<Item>({ query, empty, children }: LoadedListProps<Item>): ReactNode {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const items = data?.pages.flatMap((page) => page.items);
  if (items?.length === 0 && !hasNextPage) return empty;
  return (
    <>
      <Loaded query={{ data: items, error, refetch } as LoadedProps<Item[]>['query']}>{children}</Loaded>
      {hasNextPage && (
        <Center mt="md">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.common.more}
          </Button>
        </Center>
      )}
    </>
  );
}
