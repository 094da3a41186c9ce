import type { ReactNode } from 'react';
import { texts } from '../texts/en.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { CreateCollectionDialog, CreateSpaceDialog, MoveDialog, RenameDialog } from './entry-dialogs.js';
import { deleteCollection } from './tree-actions.js';
import { ROOT, type TreeEntry, type WorkspaceTree } from './tree-data.js';

export type EntryDialogKind = 'rename' | 'move' | 'space' | 'collection' | 'delete';

interface EntryDialogProps {
  readonly organizationId: string;
  readonly tree: WorkspaceTree;
  readonly mayCreateAtTop: boolean;
  readonly dialog: EntryDialogKind;
  /** The entry that is changed, or the collection in which something is made. */
  readonly entry: TreeEntry;
  readonly onClose: () => void;
}

/** One of the dialogs of spaces and collections. */
export function EntryDialog({ dialog, entry, ...common }: EntryDialogProps): ReactNode {
  const words = texts.people.tree;
  const parent = entry.type === 'root' ? ROOT : entry.id;
  if (dialog === 'space') return <CreateSpaceDialog {...common} parent={parent} />;
  if (dialog === 'collection') return <CreateCollectionDialog {...common} parent={parent} />;
  if (entry.type === 'root') return null;
  if (dialog === 'rename') return <RenameDialog {...common} entry={entry} />;
  if (dialog === 'move') return <MoveDialog {...common} entry={entry} />;
  return (
    <ConfirmDialog
      title={words.deleteTitle(entry.title)}
      text={words.deleteCollection}
      action={texts.common.delete}
      onConfirm={() => deleteCollection(common.organizationId, entry.id)}
      onClose={common.onClose}
    />
  );
}
