import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

export function ToastList(): ReactNode {
  return <Notifications position="bottom-right" />;
}
