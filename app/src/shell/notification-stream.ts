import { notifications as toasts } from '@mantine/notifications';
import { useEffect } from 'react';
import { queries } from '../api/client.js';
import { followEvents } from '../api/event-source.js';
import { unreadQuery, type Notification } from '../people/queries.js';

const STREAM = '/v1/user/notifications/stream';

/** Follows the notifications of the person while the workspace is open: the count, the lists, and a toast for each. */
export function useNotificationStream(): void {
  useEffect(() => followEvents(STREAM, { on: { notification: receive } }), []);
}

function receive(notification: Notification): void {
  queries.setQueryData(unreadQuery.queryKey, (unread) => (unread === undefined ? unread : unread + 1));
  void queries.invalidateQueries({ queryKey: ['notifications'] });
  toasts.show({ id: notification.id, message: notification.text });
}
