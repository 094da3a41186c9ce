import { Text, type TextProps } from '@mantine/core';
import type { ReactNode } from 'react';

/** Small words of less weight. */
export function Note(props: TextProps & { readonly children: ReactNode; readonly role?: string }): ReactNode {
  return <Text size="sm" c="dimmed" {...props} />;
}
