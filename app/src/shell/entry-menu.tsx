import { Menu } from '@mantine/core';
import { texts } from '../texts/en.js';
import { MenuItem, MenuLink } from '../ui/buttons.js';
import { showFault } from '../ui/toasts.js';
import type { EntryDialogKind } from './entry-dialog.js';
import { deleteSpace } from './tree-actions.js';
import { takesContent, type Movable, type WorkspaceTree, TOP } from './tree-data.js';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useState } from 'react';

interface EntryMenuProps {
  readonly tree: WorkspaceTree;
  readonly entry: Movable;
  readonly onOpen: () => void;
  readonly onDialog: (kind: EntryDialogKind, entry: Movable) => void;
}

/** The items of the menu of a space or a collection. */
export function EntryMenu({ tree, entry, onOpen, onDialog }: EntryMenuProps) {
  const words = texts.people.tree;
  const access = texts.people.tree.access;
  const organization = { organizationId: entry.organization };
  const item = (kind: EntryDialogKind, label: string) => (
    <MenuItem label={label} onClick={() => onDialog(kind, entry)} />
  );
  const remove = (): void => {
    if (entry.object === 'collection') onDialog('delete', entry);
    else deleteSpace(entry).catch(showFault);
  };
  return (
    <>
      <MenuItem label={words.open} onClick={onOpen} />
      {entry.object === 'collection' ? (
        <MenuLink
          label={access}
          to="/o/$organizationId/c/$collectionId/access"
          params={{ ...organization, collectionId: entry.id }}
        />
      ) : (
        <MenuLink
          label={access}
          to="/o/$organizationId/s/$spaceId/~/access"
          params={{ ...organization, spaceId: entry.id }}
        />
      )}
      {takesContent(tree, entry.id) && (
        <>
          {item('space', words.newSpaceHere)}
          {item('collection', words.newCollectionHere)}
        </>
      )}
      {entry.permissions.admin && (
        <>
          {item('rename', texts.common.rename)}
          {item('move', words.move)}
          {entry.object === 'space' && (
            <MenuLink
              label={words.mergeRules}
              to="/o/$organizationId/s/$spaceId/~/merge-rules"
              params={{ ...organization, spaceId: entry.id }}
            />
          )}
          <Menu.Divider />
          <MenuItem label={texts.common.delete} color="red" onClick={remove} />
        </>
      )}
    </>
  );
}

const Dialog = lazyRouteComponent(() => import('./entry-dialog.js'), 'EntryDialog');

/** The dialogs of spaces and collections, loaded with the first one that opens: the first screen has none. */
export function useEntryDialogs(tree: WorkspaceTree) {
  const [shown, setShown] = useState<{ readonly kind: EntryDialogKind; readonly entry: Movable | typeof TOP }>();
  return {
    dialog: shown && (
      <Suspense fallback={null}>
        <Dialog tree={tree} {...shown} onClose={() => setShown(undefined)} />
      </Suspense>
    ),
    show: (kind: EntryDialogKind, entry: Movable | typeof TOP = TOP) => setShown({ kind, entry }),
  };
}
