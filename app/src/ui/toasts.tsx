import { notifications } from '@mantine/notifications';
import { ApiError } from '../api/api-error.js';
import { texts } from '../texts/en.js';
import { Button, Group, Text } from '@mantine/core';

/** Tells that something was done; `showUndo` adds a button that takes it back. */
export function showDone(message: string): void {
  notifications.show({ message, color: 'green' });
}

/** Tells that something was not done, why, and what helps. */
export function showFault(error: unknown): void {
  const message = faultText(error);
  notifications.show({ id: message, title: texts.faults.notDone, message, color: 'red', autoClose: 10_000 });
}

/** An error in words for people: the reason, and what to do. */
export function faultText(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  if (error.status === 0) return texts.faults.offline;
  const fields = error.details.map(({ path, message }) => `${path}: ${message}`);
  const hint = texts.faults.byStatus[error.status];
  return [error.message, ...fields, ...(hint === undefined ? [] : [hint])].join('\n');
}

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
