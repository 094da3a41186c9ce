import { useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import IconFolder from '~icons/fa7-regular/folder';
import { texts } from '../texts/en.js';
import { showFault } from '../ui/toasts.js';
import { ROOT } from '../ui/tree/forest.js';
import { Tree } from '../ui/tree/tree.js';
import { useEntryDialogs } from './entry-dialogs.js';
import { EntryMenu } from './entry-menu.js';
import { moveEntry } from './tree-actions.js';
import { moveTo, pathOf, takesContent, type Movable, type WorkspaceTree } from './tree-data.js';

/** The collections and spaces of an organization. */
export function SpaceTree({ tree }: Readonly<{ tree: WorkspaceTree }>): ReactNode {
  const navigate = useNavigate();
  const { spaceId, collectionId } = useParams({ strict: false });
  const { dialog, show } = useEntryDialogs(tree);
  const open = (entry: Movable): void => void navigate({ href: pathOf(entry) });
  const move = async (entry: Movable, into: string, at: number | undefined): Promise<void> => {
    const change = moveTo(tree, entry.id, into, at);
    if (change) await moveEntry(entry, change).catch(showFault);
  };
  return (
    <>
      <Tree<Movable>
        label={texts.people.tree.label}
        forest={tree}
        current={spaceId ?? collectionId}
        storageKey={`bindery.expanded.${tree.organizationId}`}
        nameOf={({ title }) => title}
        takesChildren={({ object }) => object === 'collection'}
        icon={(entry) => (
          <span className="page-icon" aria-hidden>
            {entry.object === 'space' ? entry.emoji : <IconFolder />}
          </span>
        )}
        onOpen={open}
        togglesOnClick
        menu={(entry) => <EntryMenu tree={tree} entry={entry} onOpen={() => open(entry)} onDialog={show} />}
        mayMove={({ permissions }) => permissions.admin}
        mayTake={(into) => takesContent(tree, into?.id ?? ROOT)}
        onMove={move}
      />
      {dialog}
    </>
  );
}
