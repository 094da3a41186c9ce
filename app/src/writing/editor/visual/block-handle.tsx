import { Menu } from '@mantine/core';
import { NodeSelection } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import type { DragEvent } from 'react';
import IconGrip from '~icons/fa7-solid/grip-vertical';
import { writingTexts } from '../../../texts/writing.js';
import { DropMenu, IconButton, MenuItem } from '../../../ui/buttons.js';
import { duplicate, moveBlock, removeBlock } from './commands.js';
import type { Command } from 'prosemirror-state';

const words = writingTexts.visual.handle;

interface BlockHandleProps {
  readonly view: EditorView;
  /** The position of the block. */
  readonly position: number;
  /** Its distance from the upper end of the text. */
  readonly top: number;
  /** Told when the menu of the block at the position opens or closes. */
  readonly onMenu: (isOpen: boolean, position: number) => void;
}

/** The handle beside a block: it is dragged, and opens a menu with what can be done with the block. */
export function BlockHandle({ view, position, top, onMenu }: BlockHandleProps) {
  const run = (command: Command): void => {
    command(view.state, view.dispatch);
    view.focus();
  };
  const onBlock = (command: Command) => (): void => {
    view.dispatch(selectBlock(view, position));
    run(command);
  };
  return (
    <div className="block-handle" style={{ top }}>
      <DropMenu
        position="bottom-start"
        returnFocus={false}
        onOpen={() => onMenu(true, position)}
        onClose={() => onMenu(false, position)}
        target={
          <IconButton
            label={words.label}
            Icon={IconGrip}
            size="sm"
            draggable
            onDragStart={(event) => startDrag(view, position, event)}
            onDragEnd={() => (view.dragging = null)}
          />
        }
      >
        <MenuItem label={words.up} rightSection={<kbd>Alt ↑</kbd>} onClick={onBlock(moveBlock(-1))} />
        <MenuItem label={words.down} rightSection={<kbd>Alt ↓</kbd>} onClick={onBlock(moveBlock(1))} />
        <Menu.Divider />
        <MenuItem label={words.duplicate} onClick={() => run(duplicate(position))} />
        <MenuItem label={words.remove} color="red" onClick={() => run(removeBlock(position))} />
      </DropMenu>
    </div>
  );
}

function selectBlock({ state }: EditorView, position: number) {
  return state.tr.setSelection(NodeSelection.create(state.doc, position));
}

/** The block is dragged as ProseMirror drags what is selected, and so with all that is in it. */
function startDrag(view: EditorView, position: number, { dataTransfer }: DragEvent): void {
  view.dispatch(selectBlock(view, position));
  const slice = view.state.selection.content();
  const { dom, text } = view.serializeForClipboard(slice);
  dataTransfer.clearData();
  dataTransfer.setData('text/html', dom.innerHTML);
  dataTransfer.setData('text/plain', text);
  dataTransfer.effectAllowed = 'copyMove';
  const element = view.nodeDOM(position);
  if (element instanceof Element) dataTransfer.setDragImage(element, 0, 0);
  view.dragging = { slice, move: true };
}
