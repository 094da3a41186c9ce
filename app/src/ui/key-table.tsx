import { Kbd, Table } from '@mantine/core';
import type { ReactNode } from 'react';

type KeyTableProps = Readonly<{ keys: readonly (readonly [readonly string[], string])[] }>;

/** Keys, each with its meaning. */
export function KeyTable({ keys: all }: KeyTableProps): ReactNode {
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
