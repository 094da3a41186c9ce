import { notifications as toasts } from '@mantine/notifications';
import { useEffect } from 'react';
import { queries, sessionQuery } from '../api/client.js';
import { unreadQuery, type Notification } from '../people/queries.js';

const STREAM = '/v1/user/notifications/stream';
const AGAIN = 15_000;

/** Follows the notifications of the person while the workspace is open: the count, the lists, and a toast for each. */
export function useNotificationStream(): void {
  useEffect(follow, []);
}

function follow(): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const connect = (): void => {
    source = new EventSource(STREAM);
    source.addEventListener('notification', ({ data }: MessageEvent<string>) =>
      receive(JSON.parse(data) as Notification),
    );
    source.addEventListener('error', () => {
      // The browser connects again by itself, unless the server refused: then the session may have ended.
      if (source?.readyState !== EventSource.CLOSED) return;
      void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
      timer = setTimeout(connect, AGAIN);
    });
  };
  connect();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}

function receive(notification: Notification): void {
  queries.setQueryData(unreadQuery.queryKey, (unread) => (unread === undefined ? unread : unread + 1));
  void queries.invalidateQueries({ queryKey: ['notifications'] });
  toasts.show({ id: notification.id, message: notification.text });
}
