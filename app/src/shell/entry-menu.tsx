import { Menu } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/en.js';
import type { EntryDialogKind } from './entry-dialog.js';
import { EntryDialog } from './lazy-dialogs.js';
import { deleteSpace } from './tree-actions.js';
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

/** The menu of a space or a collection, and the dialogs that it opens. */
export function EntryMenu({ organizationId, tree, mayCreateAtTop, place, onOpen, onClose }: EntryMenuProps): ReactNode {
  const [dialog, setDialog] = useState<EntryDialogKind>();
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
