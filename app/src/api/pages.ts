import { useInfiniteQuery, type keepPreviousData, type QueryKey } from '@tanstack/react-query';

/** A page of a list, as the interface gives it. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly count?: number;
  readonly next?: { readonly page: string };
}

/** All items of a list that has few pages; `read` asks for one page. Stops after `limit` items. */
export async function readAll<Item>(
  read: (page: string | undefined) => Promise<ListPage<Item>>,
  limit = 10_000,
): Promise<Item[]> {
  const items: Item[] = [];
  let page: string | undefined;
  do {
    const answer = await read(page);
    items.push(...answer.items);
    page = answer.next?.page;
  } while (page !== undefined && items.length < limit);
  return items;
}

/** The parameter of `useInfiniteQuery` for the next page. */
export function nextPage<Item>({ next }: ListPage<Item>): string | undefined {
  return next?.page;
}

/** A list that is read page by page; with `placeholderData` the list of the key before is shown until it is there. */
export function useList<Item>(
  queryKey: QueryKey,
  read: (page: string | undefined) => Promise<ListPage<Item>>,
  placeholderData?: typeof keepPreviousData,
) {
  return useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => read(pageParam),
    getNextPageParam: nextPage<Item>,
    placeholderData,
  });
}
