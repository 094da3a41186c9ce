import type { Node } from 'prosemirror-model';
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';

/** Names of people by the keys of the blocks that they are in. */
export type PeopleInBlocks = ReadonlyMap<string, string>;

const key = new PluginKey<{ readonly people: PeopleInBlocks; readonly decorations: DecorationSet }>('others');

/** Shows where other people are writing: their names stand at the blocks that they are in. */
export const others = new Plugin({
  key,
  state: {
    init: () => ({ people: new Map() as PeopleInBlocks, decorations: DecorationSet.empty }),
    apply: (transaction, before, _old, { doc }) => {
      const people = transaction.getMeta(key) as PeopleInBlocks | undefined;
      if (!people && !transaction.docChanged) return before;
      const shown = people ?? before.people;
      return { people: shown, decorations: decorationsOf(doc, shown) };
    },
  },
  props: { decorations: (state) => key.getState(state)?.decorations },
});

export const showOthers = (transaction: Transaction, people: PeopleInBlocks): Transaction =>
  transaction.setMeta(key, people);

/** The key of the innermost block around the cursor. */
export function blockAt({ selection: { $head } }: EditorState): string | undefined {
  for (let depth = $head.depth; depth > 0; depth -= 1) {
    const found: unknown = $head.node(depth).attrs['key'];
    if (typeof found === 'string') return found;
  }
  return undefined;
}

function decorationsOf(doc: Node, people: PeopleInBlocks): DecorationSet {
  if (people.size === 0) return DecorationSet.empty;
  const made: Decoration[] = [];
  doc.descendants((node, position) => {
    const name = people.get(String(node.attrs['key']));
    if (name !== undefined)
      made.push(
        Decoration.node(position, position + node.nodeSize, { class: 'written-by-other', 'data-writer': name }),
      );
  });
  return DecorationSet.create(doc, made);
}
