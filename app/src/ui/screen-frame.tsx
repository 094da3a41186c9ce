import { Container, Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTitle } from './title.js';

interface ScreenFrameProps {
  readonly title: string;
  /** The way back, above the title. */
  readonly above?: ReactNode;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A screen of lists and forms: its heading, which names the tab too, its actions, and its content. */
export function ScreenFrame({ title, above, actions, children }: ScreenFrameProps): ReactNode {
  useTitle(title);
  return (
    <Container size="md" px={{ base: 'sm', sm: 'md' }} py="lg">
      {above}
      <Group justify="space-between" mb="lg">
        <Title order={1} size="h2" miw={0}>
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Container>
  );
}
