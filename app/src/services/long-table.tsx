import { Center, Stack } from '@mantine/core';
import { useState, type ComponentProps } from 'react';
import { texts } from '../texts/en.js';
import { SecondaryButton } from '../ui/buttons.js';
import { DataTable } from '../ui/tables.js';

const STEP = 100;

/** A table of things that are all there already: the first ones, and more on demand. */
export function LongTable<Item extends { readonly id: string }>(props: ComponentProps<typeof DataTable<Item>>) {
  const [shown, setShown] = useState(STEP);
  const { items } = props;
  return (
    <Stack gap="xs">
      <DataTable {...props} items={items.slice(0, shown)} />
      {items.length > shown && (
        <Center>
          <SecondaryButton label={texts.common.more} onClick={() => setShown(shown + STEP)} />
        </Center>
      )}
    </Stack>
  );
}
