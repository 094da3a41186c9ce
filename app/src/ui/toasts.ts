import { notifications } from '@mantine/notifications';
import { ApiError } from '../api/client.js';
import { texts } from '../texts/en.js';

/** Tells that something was done; `undo` adds a button in the toast of `ui/undo-toast.tsx` instead. */
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
