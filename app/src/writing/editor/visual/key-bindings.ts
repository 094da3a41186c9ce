import { baseKeymap, chainCommands, splitBlock } from 'prosemirror-commands';
import { redo, undo } from 'prosemirror-history';
import { undoInputRule } from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list';
import { type Command, Plugin, Selection, TextSelection } from 'prosemirror-state';
import { addRowAfter, goToNextCell } from 'prosemirror-tables';
import { around, moveBlock, toggle } from './commands.js';
import { codeNode } from './model/new-blocks.js';
import { typeNamed } from './model/schema.js';

export interface KeyHandlers {
  readonly onLink: () => void;
  readonly onSave: () => void;
}

/** Three backticks, with a language or without, begin code. */
const beginCode: Command = ({ selection: { $from, empty }, tr }, dispatch) => {
  const { parent } = $from;
  const [, language] = /^```([\w+#.-]*)$/.exec(parent.textContent) ?? [];
  if (!empty || language === undefined || parent.type.name !== 'paragraph') return false;
  const index = $from.index(-1);
  if (!$from.node(-1).canReplaceWith(index, index + 1, typeNamed('code'))) return false;
  const start = $from.before();
  tr.replaceWith(start, $from.after(), codeNode('', language === '' ? {} : { syntax: language }));
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, start + 2)).scrollIntoView());
  return true;
};

/** Enter in code begins a line; in an empty last line it leaves the code. */
const divideCode: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if ($from.parent.type.name !== 'code_line') return false;
  const [code, index] = [$from.node(-1), $from.index(-1)];
  const isLast = empty && index > 0 && index === code.childCount - 1 && $from.parent.content.size === 0;
  if (!isLast || $from.node(-2).type.name === 'prompt') return splitBlock(state, dispatch);
  const { tr } = state;
  tr.delete($from.before(), $from.after());
  const after = tr.mapping.map($from.after(-1));
  tr.insert(after, typeNamed('paragraph').create());
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, after + 1)).scrollIntoView());
  return true;
};

/** Backspace in code without text makes it a paragraph. */
const endEmptyCode: Command = (state, dispatch) => {
  const code = around(state, 'code_block');
  if (!code || code.node.textContent !== '' || code.node.childCount > 1) return false;
  if (state.doc.resolve(code.position).parent.type.name === 'prompt') return false;
  const { tr } = state;
  tr.replaceWith(code.position, code.position + code.node.nodeSize, typeNamed('paragraph').create());
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, code.position + 1)));
  return true;
};

const indentCode: Command = (state, dispatch) => {
  if (state.selection.$from.parent.type.name !== 'code_line') return false;
  dispatch?.(state.tr.insertText('  '));
  return true;
};

/** Tab in the last cell of a table adds a row. */
const addLastRow: Command = (state, dispatch, view) => {
  if (!around(state, 'table') || !view) return false;
  if (!addRowAfter(state, dispatch)) return false;
  return goToNextCell(1)(view.state, dispatch);
};

const lineBreak: Command = (state, dispatch) => {
  const { parent } = state.selection.$from;
  if (!parent.isTextblock || parent.type.name === 'code_line') return false;
  dispatch?.(state.tr.replaceSelectionWith(typeNamed('break').create()).scrollIntoView());
  return true;
};

const LINES: ReadonlySet<string> = new Set(['expandable_title', 'caption', 'table_header']);

/** Enter in a line that is the only one of its kind goes to the next place where one can write. */
const leaveLine: Command = ({ selection, doc, tr }, dispatch) => {
  const { $head } = selection;
  if (!LINES.has($head.parent.type.name)) return false;
  const next = Selection.findFrom(doc.resolve($head.after()), 1, true);
  if (next) dispatch?.(tr.setSelection(next).scrollIntoView());
  return true;
};

const item = typeNamed('list-item');

/** Begins a paragraph behind the block of the page that has the cursor, however deep that is. */
const leaveBlock: Command = ({ doc, selection: { $head }, tr }, dispatch) => {
  const after = $head.depth === 0 ? $head.pos : $head.after(1);
  if (doc.content.size < after) return false;
  tr.insert(after, typeNamed('paragraph').create());
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, after + 1)).scrollIntoView());
  return true;
};

/** Escape lets the next Tab leave the editor, where it would indent otherwise. */
function tabLeaves(): { readonly plugin: Plugin; readonly unlessLeaving: (command: Command) => Command } {
  let leaves = false;
  const plugin = new Plugin({
    props: {
      handleKeyDown(_view, { key }) {
        if (key !== 'Tab' && key !== 'Shift') leaves = key === 'Escape';
        return false;
      },
      handleDOMEvents: { blur: () => void (leaves = false) },
    },
  });
  return { plugin, unlessLeaving: (command) => (state, dispatch, view) => !leaves && command(state, dispatch, view) };
}

/** The keys of the editor; each that writes has a button or a menu, too. */
export function keyBindings(handlers: () => KeyHandlers): Plugin[] {
  const { plugin, unlessLeaving } = tabLeaves();
  const call =
    (name: keyof KeyHandlers): Command =>
    () => {
      handlers()[name]();
      return true;
    };
  return [
    plugin,
    keymap({
      'Mod-z': undo,
      'Mod-y': redo,
      'Shift-Mod-z': redo,
      'Mod-b': toggle('bold'),
      'Mod-i': toggle('italic'),
      'Mod-e': toggle('code'),
      // The key of the other form, which would be the one above with caps lock.
      'Mod-Shift-e': () => true,
      'Mod-Shift-x': toggle('strikethrough'),
      'Mod-k': call('onLink'),
      'Mod-s': call('onSave'),
      'Alt-ArrowUp': moveBlock(-1),
      'Alt-ArrowDown': moveBlock(1),
      Backspace: chainCommands(undoInputRule, endEmptyCode),
      Enter: chainCommands(beginCode, divideCode, leaveLine, splitListItem(item, { data: {} })),
      'Mod-Enter': leaveBlock,
      'Shift-Enter': lineBreak,
      Tab: unlessLeaving(chainCommands(goToNextCell(1), addLastRow, sinkListItem(item), indentCode)),
      'Shift-Tab': unlessLeaving(chainCommands(goToNextCell(-1), liftListItem(item))),
    }),
    keymap(baseKeymap),
  ];
}
