import { Group, Paper } from '@mantine/core';
import type { Command } from 'prosemirror-state';
import { addColumnAfter, addRowAfter, deleteColumn, deleteTable } from 'prosemirror-tables';
import type { EditorView } from 'prosemirror-view';
import { writingTexts } from '../../../texts/writing.js';
import { Button } from '../../../ui/buttons.js';
import { deleteRowBelowTitles } from './commands.js';

const words = writingTexts.visual.table;

const TOOLS: readonly (readonly [label: string, command: Command])[] = [
  [words.addRow, addRowAfter],
  [words.addColumn, addColumnAfter],
  [words.deleteRow, deleteRowBelowTitles],
  [words.deleteColumn, deleteColumn],
  [words.deleteTable, deleteTable],
];

/** Rows and columns of the table with the cursor. */
export function TableTools({
  view,
  place,
}: Readonly<{ view: EditorView; place: Readonly<{ left: number; top: number }> }>) {
  return (
    <Paper className="table-tools" withBorder shadow="sm" style={place}>
      <Group gap={0} wrap="nowrap" role="toolbar" aria-label={words.label}>
        {TOOLS.map(([label, command]) => (
          <Button
            key={label}
            label={label}
            size="compact-xs"
            variant="subtle"
            disabled={!command(view.state)}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => {
              command(view.state, view.dispatch);
              view.focus();
            }}
          />
        ))}
      </Group>
    </Paper>
  );
}
