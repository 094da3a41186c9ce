import { lazy, Suspense, type ComponentProps, type ReactNode } from 'react';
import type { EntryDialog as Dialog } from './entry-dialog.js';

const Lazy = lazy(() => import('./entry-dialog.js').then(({ EntryDialog: component }) => ({ default: component })));

/** The dialogs of spaces and collections, loaded with the first one that opens: the first screen has none. */
export function EntryDialog(props: ComponentProps<typeof Dialog>): ReactNode {
  return (
    <Suspense fallback={null}>
      <Lazy {...props} />
    </Suspense>
  );
}
