import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/en.js';
import { showFault } from '../ui/toasts.js';
import type { EntryDialogKind } from './entry-dialog.js';
import { deleteSpace } from './tree-actions.js';
import { takesContent, type Movable, type WorkspaceTree } from './tree-data.js';

interface EntryMenuProps {
  readonly tree: WorkspaceTree;
  readonly entry: Movable;
  readonly onOpen: () => void;
  readonly onDialog: (kind: EntryDialogKind, entry: Movable) => void;
}

/** The items of the menu of a space or a collection. */
export function EntryMenu({ tree, entry, onOpen, onDialog }: EntryMenuProps): ReactNode {
  const words = texts.people.tree;
  const item = (kind: EntryDialogKind, label: string): ReactNode => (
    <Menu.Item onClick={() => onDialog(kind, entry)}>{label}</Menu.Item>
  );
  const remove = (): void => {
    if (entry.object === 'collection') onDialog('delete', entry);
    else deleteSpace(entry).catch(showFault);
  };
  return (
    <>
      <Menu.Item onClick={onOpen}>{words.open}</Menu.Item>
      {takesContent(tree, entry.id) && (
        <>
          {item('space', words.newSpaceHere)}
          {item('collection', words.newCollectionHere)}
        </>
      )}
      {entry.permissions.admin && (
        <>
          {item('rename', words.rename)}
          {item('move', words.move)}
          <Menu.Divider />
          <Menu.Item color="red" onClick={remove}>
            {words.delete}
          </Menu.Item>
        </>
      )}
    </>
  );
}
