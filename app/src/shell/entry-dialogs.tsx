import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { EntryDialogKind } from './entry-dialog.js';
import { TOP, type Movable, type WorkspaceTree } from './tree-data.js';

const Dialog = lazy(() => import('./entry-dialog.js').then(({ EntryDialog }) => ({ default: EntryDialog })));

interface EntryDialogs {
  /** The dialog that is open. */
  readonly dialog: ReactNode;
  readonly show: (kind: EntryDialogKind, entry?: Movable) => void;
}

/** The dialogs of spaces and collections, loaded with the first one that opens: the first screen has none. */
export function useEntryDialogs(tree: WorkspaceTree): EntryDialogs {
  const [shown, setShown] = useState<{ readonly kind: EntryDialogKind; readonly entry: Movable | typeof TOP }>();
  return {
    dialog: shown && (
      <Suspense fallback={null}>
        <Dialog tree={tree} {...shown} onClose={() => setShown(undefined)} />
      </Suspense>
    ),
    show: (kind, entry) => setShown({ kind, entry: entry ?? TOP }),
  };
}
