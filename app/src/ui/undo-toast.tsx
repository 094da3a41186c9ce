import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { texts } from '../texts/en.js';
import { showFault } from './toasts.js';

const SECONDS = 10;

/** Tells that something was done, with a button that takes it back. */
export function showUndo(message: string, undo: () => Promise<unknown>): void {
  const id = notifications.show({
    color: 'green',
    autoClose: SECONDS * 1000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            notifications.hide(id);
            undo().catch(showFault);
          }}
        >
          {texts.common.undo}
        </Button>
      </Group>
    ),
  });
}
