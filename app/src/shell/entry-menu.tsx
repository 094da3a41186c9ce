import { Menu } from '@mantine/core';
import { useState, type MouseEvent, type ReactNode } from 'react';
import { texts } from '../texts/en.js';
import { showFault } from '../ui/toasts.js';
import type { EntryDialogKind } from './entry-dialog.js';
import { EntryDialog } from './lazy-dialogs.js';
import { deleteSpace } from './tree-actions.js';
import { isManaged, ROOT, takesContent, type TreeEntry, type WorkspaceTree } from './tree-data.js';

/** The entry whose menu is open, and the place of the menu in the window. */
export interface MenuPlace {
  readonly id: string;
  readonly left: number;
  readonly top: number;
}

/** The place below what was clicked. */
export function menuPlace(id: string, { currentTarget }: MouseEvent<HTMLElement>): MenuPlace {
  const { left, bottom } = currentTarget.getBoundingClientRect();
  return { id, left, top: bottom };
}

interface EntryMenuProps {
  readonly tree: WorkspaceTree;
  readonly place: MenuPlace;
  readonly onOpen: (entry: TreeEntry) => void;
  readonly onClose: () => void;
}

/** The menu of a space or a collection, and the dialogs that it opens. */
export function EntryMenu({ tree, place, onOpen, onClose }: EntryMenuProps): ReactNode {
  const [dialog, setDialog] = useState<EntryDialogKind>();
  const words = texts.people.tree;
  const entry = tree.entries.get(place.id);
  if (!entry || entry.object === ROOT) return null;
  if (dialog) return <EntryDialog {...{ tree, entry, dialog, onClose }} />;
  const open = (): void => {
    onClose();
    onOpen(entry);
  };
  const remove = (): void => {
    if (entry.object === 'collection') return setDialog('delete');
    onClose();
    deleteSpace(entry).catch(showFault);
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
        <Menu.Item onClick={open}>{words.open}</Menu.Item>
        {takesContent(tree, entry.id) && (
          <>
            <Menu.Item onClick={() => setDialog('space')}>{words.newSpaceHere}</Menu.Item>
            <Menu.Item onClick={() => setDialog('collection')}>{words.newCollectionHere}</Menu.Item>
          </>
        )}
        {isManaged(entry) && (
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
