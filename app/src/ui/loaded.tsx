import { Button, Center, Skeleton, Stack } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ListPage } from '../api/pages.js';
import { texts } from '../texts/en.js';
import { EmptyScreen } from './screens.js';
import { faultText } from './toasts.js';

const ROWS = [1, 2, 3];

function Skeletons(): ReactNode {
  return (
    <Stack gap="xs" role="status" aria-label={texts.common.loading}>
      {ROWS.map((row) => (
        <Skeleton key={row} height={36} />
      ))}
    </Stack>
  );
}

function Fault({ error, again }: Readonly<{ error: unknown; again: () => void }>): ReactNode {
  return (
    <EmptyScreen title={texts.faults.title} text={faultText(error)}>
      <Button onClick={again}>{texts.faults.tryAgain}</Button>
    </EmptyScreen>
  );
}

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** What a query found; lines in its place while it runs, and the fault with a button when it failed. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>): ReactNode {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Fault error={query.error} again={() => void query.refetch()} />;
  return <Skeletons />;
}

interface LoadedListProps<Item> {
  readonly query: UseInfiniteQueryResult<InfiniteData<ListPage<Item>>>;
  /** Shown when the list has no items. */
  readonly empty: ReactNode;
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** A list that is read page by page, with a button for more. */
export function LoadedList<Item>({ query, empty, children }: LoadedListProps<Item>): ReactNode {
  if (query.data === undefined)
    return query.isError ? <Fault error={query.error} again={() => void query.refetch()} /> : <Skeletons />;
  const items = query.data.pages.flatMap((page) => page.items);
  if (items.length === 0 && !query.hasNextPage) return empty;
  return (
    <>
      {children(items)}
      {query.hasNextPage && (
        <Center mt="md">
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {texts.common.more}
          </Button>
        </Center>
      )}
    </>
  );
}
