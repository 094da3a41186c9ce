import { Button, Center, Loader, Stack, Text, Title } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../texts/en.js';
import { faultText } from './toasts.js';

/** Shown while the data of a screen is on its way. */
export function LoadingScreen(): ReactNode {
  return (
    <Center mih={200} role="status" aria-label={texts.common.loading}>
      <Loader />
    </Center>
  );
}

/** Shown in place of a screen that failed: what happened, and what to do. */
export function FaultScreen({ error, reset }: Readonly<{ error: unknown; reset?: () => void }>): ReactNode {
  const router = useRouter();
  const again = (): void => {
    reset?.();
    void router.invalidate();
  };
  return (
    <EmptyScreen order={1} title={texts.faults.title} text={faultText(error)}>
      <Button onClick={again}>{texts.faults.tryAgain}</Button>
    </EmptyScreen>
  );
}

interface EmptyScreenProps {
  readonly title: string;
  readonly text?: string;
  /** The level of the heading; 1 where the screen has no other one. */
  readonly order?: 1 | 2;
  readonly children?: ReactNode;
}

/** A screen without content: says what would be here, and offers the first step. */
export function EmptyScreen({ title, text, order = 2, children }: EmptyScreenProps): ReactNode {
  return (
    <Center mih={240} p="md">
      <Stack align="center" maw={480} gap="sm">
        <Title order={order} size="h3" ta="center">
          {title}
        </Title>
        {text !== undefined && (
          <Text ta="center" c="dimmed">
            {text}
          </Text>
        )}
        {children}
      </Stack>
    </Center>
  );
}

export function NotFoundScreen(): ReactNode {
  return <EmptyScreen order={1} title={texts.faults.notFoundTitle} text={texts.faults.notFoundText} />;
}

/** Outside of the frame of the workspace. */
export function NothingScreen(): ReactNode {
  return (
    <main>
      <NotFoundScreen />
    </main>
  );
}
