import { Card, Group, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

type SectionProps = Readonly<{ title: string; order?: 2 | 3; id?: string; actions?: ReactNode; children: ReactNode }>;

/** A framed part of a screen with its heading. */
export function Section({ title, order = 2, id, actions, children }: SectionProps): ReactNode {
  return (
    <Card withBorder component="section" aria-label={title} id={id}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Title order={order} size={order === 2 ? 'h4' : 'h5'}>
            {title}
          </Title>
          {actions}
        </Group>
        {children}
      </Stack>
    </Card>
  );
}
