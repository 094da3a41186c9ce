import { useNotifications } from '@mantine/notifications';
import { useEffect, useState, type ComponentType } from 'react';

/** The time after which the list of toasts is loaded, if none was shown before: later ones need no connection. */
const AFTER = 3000;

/** The toasts; what shows them is no part of the first screen. */
export function Toaster() {
  const isNeeded = useNotifications().notifications.length > 0;
  const [Toasts, setToasts] = useState<ComponentType>();
  useEffect(() => {
    const load = (): void =>
      void import('./toast-list.js').then(
        ({ ToastList }) => setToasts(() => ToastList),
        () => undefined,
      );
    const timer = setTimeout(load, isNeeded ? 0 : AFTER);
    return () => clearTimeout(timer);
  }, [isNeeded]);
  return Toasts && <Toasts />;
}
