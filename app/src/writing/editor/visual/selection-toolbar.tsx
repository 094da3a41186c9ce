import { Group, Paper } from '@mantine/core';
import type { EditorView } from 'prosemirror-view';
import type { ComponentType } from 'react';
import IconBold from '~icons/fa7-solid/bold';
import IconCode from '~icons/fa7-solid/code';
import IconItalic from '~icons/fa7-solid/italic';
import IconLink from '~icons/fa7-solid/link';
import IconStrike from '~icons/fa7-solid/strikethrough';
import { writingTexts } from '../../../texts/writing.js';
import { IconButton } from '../../../ui/buttons.js';
import { hasMark, toggle } from './commands.js';

const words = writingTexts.visual;

const MARKS: readonly (readonly [mark: string, label: string, Icon: ComponentType])[] = [
  ['bold', writingTexts.editor.bold, IconBold],
  ['italic', writingTexts.editor.italic, IconItalic],
  ['strikethrough', words.strikethrough, IconStrike],
  ['code', writingTexts.editor.code, IconCode],
];

interface SelectionToolbarProps {
  readonly view: EditorView;
  readonly place: Readonly<{ left: number; top: number }>;
  readonly onLink: () => void;
}

/** Marks for the text that is selected, above it. */
export function SelectionToolbar({ view, place, onLink }: SelectionToolbarProps) {
  const press = (mark: string): void => {
    toggle(mark)(view.state, view.dispatch);
    view.focus();
  };
  return (
    <Paper className="selection-toolbar" withBorder shadow="md" style={place}>
      <Group gap={0} wrap="nowrap" role="toolbar" aria-label={words.marks}>
        {MARKS.map(([mark, label, Icon]) => (
          <IconButton
            key={mark}
            label={label}
            Icon={Icon}
            aria-pressed={hasMark(view.state, mark)}
            variant={hasMark(view.state, mark) ? 'light' : 'subtle'}
            // The text stays selected.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => press(mark)}
          />
        ))}
        <IconButton
          label={writingTexts.editor.link}
          Icon={IconLink}
          aria-pressed={hasMark(view.state, 'link')}
          onPointerDown={(event) => event.preventDefault()}
          onClick={onLink}
        />
      </Group>
    </Paper>
  );
}
