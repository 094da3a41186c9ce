import { Table, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';

/** The heading of a column of buttons, which only screen readers need. */
export function HiddenHeading({ children }: Readonly<{ children: string }>): ReactNode {
  return (
    <Table.Th>
      <VisuallyHidden>{children}</VisuallyHidden>
    </Table.Th>
  );
}
