import {
  dragAndDropFeature,
  hotkeysCoreFeature,
  keyboardDragAndDropFeature,
  syncDataLoaderFeature,
  type DragTarget,
  type ItemInstance,
} from '@headless-tree/core';
import { AssistiveTreeDescription, useTree } from '@headless-tree/react';
import { ActionIcon } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import IconChevron from '~icons/fa7-solid/chevron-right';
import IconEllipsis from '~icons/fa7-solid/ellipsis';
import IconFolder from '~icons/fa7-regular/folder';
import { texts } from '../texts/en.js';
import { showFault } from '../ui/toasts.js';
import { EntryMenu, menuPlace, type MenuPlace } from './entry-menu.js';
import './space-tree.css';
import { moveEntry } from './tree-actions.js';
import {
  isManaged,
  isWithin,
  moveTo,
  pathOf,
  ROOT,
  takesContent,
  TOP,
  type TreeEntry,
  type WorkspaceTree,
} from './tree-data.js';

const INDENT = 16;

/** The collections and spaces of an organization: opened by Enter, moved by dragging or by Ctrl+Shift+D and arrows. */
export function SpaceTree({ tree }: Readonly<{ tree: WorkspaceTree }>): ReactNode {
  const { organizationId } = tree;
  const navigate = useNavigate();
  const { spaceId, collectionId } = useParams({ strict: false });
  const [expanded, setExpanded] = useExpanded(organizationId);
  const [menu, setMenu] = useState<MenuPlace>();
  const data = useRef(tree);
  data.current = tree;

  const open = (entry: TreeEntry): void => {
    if (entry.object !== ROOT) void navigate({ href: pathOf(entry) });
  };
  const view = useTree<TreeEntry>({
    rootItemId: ROOT,
    dataLoader: {
      getItem: (id) => data.current.entries.get(id) ?? TOP,
      getChildren: (id) => [...(data.current.children.get(id) ?? [])],
    },
    getItemName: (item) => item.getItemData().title,
    isItemFolder: (item) => item.getItemData().object !== 'space',
    state: { expandedItems: expanded },
    setExpandedItems: setExpanded,
    onPrimaryAction: (item) => open(item.getItemData()),
    indent: INDENT,
    canReorder: true,
    canDrag: (items) => items.every((item) => isManaged(item.getItemData())),
    canDrop: (items, target) =>
      takesContent(tree, target.item.getId()) &&
      items.every((item) => !isWithin(tree, target.item.getId(), item.getId())),
    onDrop: (items, target) => drop(data.current, items, target),
    features: [syncDataLoaderFeature, hotkeysCoreFeature, dragAndDropFeature, keyboardDragAndDropFeature],
  });
  useEffect(() => view.rebuildTree(), [view, tree, expanded]);

  return (
    <>
      <div className="space-tree">
        <AssistiveTreeDescription tree={view} />
        <div {...view.getContainerProps(texts.people.tree.label)}>
          {view.getItems().map((item) => (
            <Row
              key={item.getId()}
              item={item}
              isCurrent={item.getId() === (spaceId ?? collectionId)}
              onMenu={setMenu}
            />
          ))}
        </div>
        <div style={view.getDragLineStyle()} className="space-tree-line" />
      </div>
      {menu && (
        <EntryMenu
          key={menu.id}
          tree={tree}
          place={menu}
          onOpen={open}
          onClose={() => {
            setMenu(undefined);
            view.getItemInstance(menu.id).getElement()?.focus();
          }}
        />
      )}
    </>
  );
}

interface RowProps {
  readonly item: ItemInstance<TreeEntry>;
  readonly isCurrent: boolean;
  readonly onMenu: (place: MenuPlace) => void;
}

function Row({ item, isCurrent, onMenu }: RowProps): ReactNode {
  const entry = item.getItemData();
  const isFolder = item.isFolder();
  const openMenu = (event: MouseEvent<HTMLElement>): void => {
    event.preventDefault();
    event.stopPropagation();
    onMenu(menuPlace(item.getId(), event));
  };
  const toggle = (event: MouseEvent): void => {
    event.stopPropagation();
    if (item.isExpanded()) item.collapse();
    else item.expand();
  };
  return (
    <div
      {...item.getProps()}
      className="space-tree-row"
      data-current={isCurrent}
      data-target={item.isUnorderedDragTarget()}
      aria-current={isCurrent ? 'page' : undefined}
      style={{ paddingInlineStart: item.getItemMeta().level * INDENT }}
      onContextMenu={openMenu}
    >
      <span className="space-tree-toggle" aria-hidden onClick={isFolder ? toggle : undefined}>
        {isFolder && <IconChevron data-open={item.isExpanded()} />}
      </span>
      <span className="space-tree-icon" aria-hidden>
        {entry.object === 'space' ? entry.emoji : <IconFolder />}
      </span>
      <span className="space-tree-name">{item.getItemName()}</span>
      <ActionIcon className="space-tree-menu" size="sm" aria-hidden tabIndex={-1} onClick={openMenu}>
        <IconEllipsis />
      </ActionIcon>
    </div>
  );
}

function useExpanded(organizationId: string): readonly [string[], (update: string[] | Update) => void] {
  const [expanded, setExpanded] = useLocalStorage<string[]>({
    key: `bindery.expanded.${organizationId}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const shown = useMemo(() => [ROOT, ...expanded.filter((id) => id !== ROOT)], [expanded]);
  return [shown, setExpanded];
}

type Update = (expanded: string[]) => string[];

async function drop(
  tree: WorkspaceTree,
  items: readonly ItemInstance<TreeEntry>[],
  target: DragTarget<TreeEntry>,
): Promise<void> {
  const index = 'insertionIndex' in target ? target.insertionIndex : undefined;
  for (const item of items) {
    const entry = item.getItemData();
    const move = moveTo(tree, entry.id, target.item.getId(), index);
    if (move && entry.object !== ROOT) await moveEntry(entry, move).catch(showFault);
  }
}
