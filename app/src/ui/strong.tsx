import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Small words of more weight, such as a name. */
export function Strong({ children }: Readonly<{ children: ReactNode }>): ReactNode {
  return (
    <Text size="sm" fw={600}>
      {children}
    </Text>
  );
}
