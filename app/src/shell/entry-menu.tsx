import { Menu } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/en.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { CreateCollectionDialog, CreateSpaceDialog, MoveDialog, RenameDialog } from './entry-dialogs.js';
import { deleteCollection, deleteSpace } from './tree-actions.js';
import { showFault } from '../ui/toasts.js';
import { isManaged, takesContent, type TreeEntry, type WorkspaceTree } from './tree-data.js';

/** The entry whose menu is open, and the place of the menu in the window. */
export interface MenuPlace {
  readonly id: string;
  readonly left: number;
  readonly top: number;
}

interface EntryMenuProps {
  readonly organizationId: string;
  readonly tree: WorkspaceTree;
  readonly mayCreateAtTop: boolean;
  readonly place: MenuPlace;
  readonly onOpen: (entry: TreeEntry) => void;
  readonly onClose: () => void;
}

type Dialog = 'rename' | 'move' | 'space' | 'collection' | 'delete';

/** The menu of a space or a collection, and the dialogs that it opens. */
export function EntryMenu({ organizationId, tree, mayCreateAtTop, place, onOpen, onClose }: EntryMenuProps): ReactNode {
  const [dialog, setDialog] = useState<Dialog>();
  const words = texts.people.tree;
  const entry = tree.entries.get(place.id);
  if (!entry || entry.type === 'root') return null;
  if (dialog) return <EntryDialog {...{ organizationId, tree, mayCreateAtTop, entry, dialog, onClose }} />;
  const managed = isManaged(entry);
  const remove = (): void => {
    if (entry.type === 'collection') return setDialog('delete');
    onClose();
    deleteSpace(organizationId, entry.space).catch(showFault);
  };
  return (
    <Menu
      opened
      onChange={(opened) => !opened && onClose()}
      position="bottom-start"
      closeOnItemClick={false}
      withinPortal
    >
      <Menu.Target>
        <span style={{ position: 'fixed', left: place.left, top: place.top }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={words.menu(entry.title)}>
        <Menu.Item
          onClick={() => {
            onClose();
            onOpen(entry);
          }}
        >
          {words.open}
        </Menu.Item>
        {takesContent(tree, entry.id, mayCreateAtTop) && (
          <>
            <Menu.Item onClick={() => setDialog('space')}>{words.newSpaceHere}</Menu.Item>
            <Menu.Item onClick={() => setDialog('collection')}>{words.newCollectionHere}</Menu.Item>
          </>
        )}
        {managed && (
          <>
            <Menu.Item onClick={() => setDialog('rename')}>{words.rename}</Menu.Item>
            <Menu.Item onClick={() => setDialog('move')}>{words.move}</Menu.Item>
            <Menu.Divider />
            <Menu.Item color="red" onClick={remove}>
              {words.delete}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

interface EntryDialogProps extends Pick<EntryMenuProps, 'organizationId' | 'tree' | 'mayCreateAtTop' | 'onClose'> {
  readonly entry: Exclude<TreeEntry, { readonly type: 'root' }>;
  readonly dialog: Dialog;
}

function EntryDialog({ organizationId, tree, mayCreateAtTop, entry, dialog, onClose }: EntryDialogProps): ReactNode {
  const words = texts.people.tree;
  const common = { organizationId, tree, mayCreateAtTop, onClose };
  if (dialog === 'rename') return <RenameDialog {...common} entry={entry} />;
  if (dialog === 'move') return <MoveDialog {...common} entry={entry} />;
  if (dialog === 'space') return <CreateSpaceDialog {...common} parent={entry.id} />;
  if (dialog === 'collection') return <CreateCollectionDialog {...common} parent={entry.id} />;
  return (
    <ConfirmDialog
      title={words.deleteTitle(entry.title)}
      text={words.deleteCollection}
      action={texts.common.delete}
      onConfirm={() => deleteCollection(organizationId, entry.id)}
      onClose={onClose}
    />
  );
}
