import { type EditorState, Plugin, PluginKey } from 'prosemirror-state';

export type SuggestionKind = 'block' | 'mention' | 'link' | 'variable';

/** Words that are typed to choose something. */
export interface Suggestion {
  readonly kind: SuggestionKind;
  /** The words behind the sign that begins them. */
  readonly query: string;
  readonly from: number;
  readonly to: number;
}

const SIGNS: readonly (readonly [kind: SuggestionKind, pattern: RegExp])[] = [
  ['block', /^\/([\w: ]{0,40})$/],
  ['link', /\[\[([^[\]\n]{0,60})$/],
  ['variable', /\{\{([\w. ]{0,60})$/],
  ['mention', /(?:^|(?<=[\s(]))@([^\s@]{0,60})$/],
];

interface Followed {
  readonly found?: Suggestion;
  /** The place where the one begins that was ended. */
  readonly ended?: number | undefined;
}

const key = new PluginKey<Followed>('suggestions');

/** Stands for an inline without text in what is matched. */
const NO_TEXT = '\uFFFC';

function suggestionIn({ selection }: EditorState): Suggestion | undefined {
  const { $from, empty } = selection;
  const { parent, parentOffset } = $from;
  if (!empty || !parent.isTextblock || parent.type.spec.code === true) return undefined;
  const text = parent.textBetween(0, parentOffset, undefined, NO_TEXT);
  for (const [kind, pattern] of SIGNS) {
    const found = pattern.exec(text);
    if (found) return { kind, query: found[1] ?? '', from: $from.pos - found[0].length, to: $from.pos };
  }
  return undefined;
}

/** Follows what is typed behind `/`, `@`, `[[` and `{{`, until Escape is pressed. */
export const suggestions = new Plugin({
  key,
  state: {
    init: (): Followed => ({}),
    apply(transaction, before: Followed, _earlier, state): Followed {
      const found = transaction.docChanged || transaction.selectionSet ? suggestionIn(state) : before.found;
      const ended = transaction.getMeta(key) === 'end' ? before.found?.from : before.ended;
      if (!found) return {};
      return found.from === ended ? { ended } : { found };
    },
  },
});

export function suggestionOf(state: EditorState): Suggestion | undefined {
  return key.getState(state)?.found;
}

/** Ends the present suggestion: what was typed stays as it is. */
export function endSuggestion({ tr }: EditorState) {
  return tr.setMeta(key, 'end');
}
