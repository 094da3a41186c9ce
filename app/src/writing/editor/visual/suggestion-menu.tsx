import { Paper, Text } from '@mantine/core';
import type { EditorView } from 'prosemirror-view';
import { useEffect, useId, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { writingTexts } from '../../../texts/writing.js';
import { type Block, BLOCKS } from '../../../texts/blocks.js';
import type { References } from '../completions.js';
import { putInline, setLink } from './commands.js';
import { endSuggestion, type Suggestion, suggestionOf } from './suggestions.js';

const words = writingTexts.visual;
const MOST = 40;

interface Choice {
  readonly label: string;
  readonly detail?: string;
  readonly choose: (view: EditorView, suggestion: Suggestion) => void;
}

interface SuggestionMenuProps {
  readonly view: EditorView;
  readonly suggestion: Suggestion;
  /** A corner of the menu: the upper one, or the lower one of a menu above the text. */
  readonly place: Readonly<{ left: number; top: number; isAbove: boolean }>;
  readonly references: References;
  readonly onBlock: (block: Block, from: number, to: number) => void;
  /** Receives what takes keys while the menu is open. */
  readonly keys: RefObject<((event: KeyboardEvent) => boolean) | null>;
}

/** The choices for what is typed behind a sign; the focus stays in the text, the arrow keys choose. */
export function SuggestionMenu({ view, suggestion, place, references, onBlock, keys }: SuggestionMenuProps) {
  const id = useId();
  const { kind, query } = suggestion;
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const choicesFor = (given: Suggestion): readonly Choice[] => choicesOf(given, references, onBlock).slice(0, MOST);
  const choices = choicesFor(suggestion);
  const active = Math.min(chosen, choices.length - 1);
  const isEmpty = choices.length === 0;
  useEffect(() => setChosen(0), [kind, query]);
  useLayoutEffect(() => void list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active]);
  const choose = (index: number): void => choices[index]?.choose(view, suggestionOf(view.state) ?? suggestion);
  keys.current = ({ key }) => {
    // Keys may come faster than the menu shows what was typed before them.
    const typed = suggestionOf(view.state);
    if (typed && (typed.query !== query || typed.kind !== kind) && (key === 'Enter' || key === 'Tab')) {
      const [first] = choicesFor(typed);
      first?.choose(view, typed);
      return first !== undefined;
    }
    if (key === 'Escape') view.dispatch(endSuggestion(view.state));
    else if (isEmpty) return false;
    else if (key === 'ArrowDown') setChosen((active + 1) % choices.length);
    else if (key === 'ArrowUp') setChosen((active + choices.length - 1) % choices.length);
    else if (key === 'Enter' || key === 'Tab') choose(active);
    else return false;
    return true;
  };
  useEffect(() => {
    const { dom } = view;
    if (isEmpty) return undefined;
    dom.setAttribute('aria-controls', id);
    dom.setAttribute('aria-activedescendant', `${id}-${active}`);
    return () => {
      dom.removeAttribute('aria-controls');
      dom.removeAttribute('aria-activedescendant');
    };
  }, [view, id, active, isEmpty]);
  useEffect(() => () => void (keys.current = null), [keys]);
  if (isEmpty) return null;
  return (
    <Paper
      className="suggestions"
      withBorder
      shadow="md"
      style={{ left: place.left, top: place.top }}
      mod={{ above: place.isAbove }}
    >
      <div ref={list} role="listbox" id={id} aria-label={words.suggestions[kind]}>
        {choices.map(({ label, detail }, index) => (
          <div
            key={`${label} ${detail ?? ''} ${String(index)}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            className="suggestion"
            // The focus stays in the text.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(index)}
          >
            <span>{label}</span>
            {detail !== undefined && (
              <Text span size="xs" className="suggestion-detail">
                {detail}
              </Text>
            )}
          </div>
        ))}
      </div>
    </Paper>
  );
}

function choicesOf(
  { kind, query }: Suggestion,
  { tree, variables }: References,
  onBlock: SuggestionMenuProps['onBlock'],
): Choice[] {
  const wanted = query.toLowerCase().split(' ');
  const fits = (...given: readonly string[]): boolean => {
    const text = given.join(' ').toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
  if (kind === 'block')
    return BLOCKS.filter((block) => fits(block.label, block.words)).map((block) => ({
      label: block.label,
      choose: (_view, { from, to }) => onBlock(block, from, to),
    }));
  if (kind === 'variable')
    return Object.entries(variables)
      .filter(([name]) => fits(name))
      .map(([name, value]) => ({
        label: name,
        detail: String(value),
        choose: (view, { from, to }) =>
          view.dispatch(putInline(view.state.tr, from, to, expressionOf(`space.vars.${name}`))),
      }));
  return [...tree.items.values()]
    .filter(({ type, title, path = '' }) => type === 'document' && fits(title, path))
    .map(({ id, title, path = '' }) => ({
      label: title,
      detail: path,
      choose: (view, { from, to }) => {
        const ref = { kind: 'page', page: id };
        if (kind === 'mention') view.dispatch(putInline(view.state.tr, from, to, mentionOf(ref, title)));
        else linkTo(view, from, to, ref, title);
      },
    }));
}

function linkTo(view: EditorView, from: number, to: number, ref: object, title: string): void {
  view.dispatch(view.state.tr.delete(from, to));
  setLink(from, from, { ref }, title)(view.state, view.dispatch);
}

const expressionOf = (expression: string) =>
  ({ object: 'inline', type: 'expression', isVoid: true, data: { expression } }) as const;
const mentionOf = (ref: { readonly kind: string; readonly page: string }, text: string) =>
  ({ object: 'inline', type: 'mention', isVoid: true, data: { ref, text } }) as const;
