import { Kbd, Table, VisuallyHidden } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { LoadedList, Note } from './screens.js';

/** A column of a table; the heading of a column of buttons is for screen readers only. */
type Column<Item> = Readonly<{ heading: string; isButtons?: boolean; cell: (item: Item) => ReactNode }>;

interface DataTableProps<Item> {
  readonly items: readonly Item[];
  /** The first one names the rows. */
  readonly columns: readonly Column<Item>[];
  /** The table scrolls sideways where there is less room. */
  readonly minWidth?: number;
}

type ListTableProps<Item> = Omit<DataTableProps<Item>, 'items'> &
  Pick<ComponentProps<typeof LoadedList<Item>>, 'query' | 'empty'>;

/** A list that is read page by page, as a table. */
export function ListTable<Item extends { readonly id: string }>(props: ListTableProps<Item>) {
  const { query, empty, ...options } = props;
  return (
    <LoadedList query={query} empty={empty}>
      {(items) => <DataTable items={items} {...options} />}
    </LoadedList>
  );
}

/** Things as rows of a table. */
export function DataTable<Item extends { readonly id: string }>(props: DataTableProps<Item>) {
  const { items, columns, minWidth = 520 } = props;
  return (
    <Table.ScrollContainer minWidth={minWidth} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ heading, isButtons = false }) => (
              <Table.Th key={heading}>{isButtons ? <VisuallyHidden>{heading}</VisuallyHidden> : heading}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item) => (
            <Table.Tr key={item.id}>
              {columns.map(({ heading, isButtons = false, cell }, index) => {
                const Cell = index === 0 ? Table.Th : Table.Td;
                return (
                  <Cell
                    key={heading}
                    scope={index === 0 ? 'row' : undefined}
                    className={index === 0 ? 'row-name' : undefined}
                    fw={400}
                    ta={isButtons ? 'right' : undefined}
                  >
                    {cell(item)}
                  </Cell>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** The name of a row, with a smaller line below it. */
export function RowName({ children, below }: Readonly<{ children: ReactNode; below: ReactNode }>) {
  return (
    <div>
      {children}
      <Note size="xs">{below}</Note>
    </div>
  );
}

/** Keys, each with its meaning. */
export function KeyTable({ keys: all }: Readonly<{ keys: readonly (readonly [readonly string[], string])[] }>) {
  const body = all.map(([keys, meaning]) => [
    keys.map((key) => (
      <Kbd key={key} mr={4}>
        {key}
      </Kbd>
    )),
    meaning,
  ]);
  return <Table withRowBorders={false} data={{ body }} />;
}
