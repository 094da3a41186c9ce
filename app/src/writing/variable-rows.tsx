import { Group } from '@mantine/core';
import IconRemove from '~icons/fa7-solid/trash-can';
import { writingTexts } from '../texts/writing.js';
import { IconButton } from '../ui/buttons.js';
import { TextField } from '../ui/forms.js';

const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;
const words = writingTexts.variables;

export type Values = Readonly<Record<string, unknown>>;
/** A variable while it is written. */
export type VariableRow = Readonly<{ id: number; name: string; value: string }>;

export function rowsOf(variables: Values): VariableRow[] {
  return Object.entries(variables).map(([name, value], id) => ({ id, name, value: String(value) }));
}

export function withNewRow(rows: readonly VariableRow[]): VariableRow[] {
  return [...rows, { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, name: '', value: '' }];
}

export const areNamed = (rows: readonly VariableRow[]): boolean => rows.every(({ name }) => NAME.test(name));

/** The variables of rows; numbers and truth values of before keep their kind. */
export function valuesOf(rows: readonly VariableRow[], before: Values): Record<string, string | number | boolean> {
  return Object.fromEntries(rows.map(({ name, value }) => [name, valueOf(value, before[name])]));
}

function valueOf(text: string, before: unknown): string | number | boolean {
  if (typeof before === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

interface VariableRowsProps {
  readonly rows: readonly VariableRow[];
  readonly onRows: (rows: readonly VariableRow[]) => void;
  readonly mayChange: boolean;
}

/** Names and values of variables. */
export function VariableRows({ rows, onRows, mayChange }: VariableRowsProps) {
  const set = (id: number, next: Partial<VariableRow>): void =>
    onRows(rows.map((row) => (row.id === id ? { ...row, ...next } : row)));
  return rows.map(({ id, name, value }) => (
    <Group key={id} align="flex-start" wrap="nowrap">
      <TextField
        flex={1}
        required
        readOnly={!mayChange}
        aria-label={words.name}
        placeholder={words.name}
        value={name}
        error={name !== '' && !NAME.test(name) && words.nameFault}
        onText={(text) => set(id, { name: text })}
      />
      <TextField
        flex={2}
        readOnly={!mayChange}
        maxLength={256}
        aria-label={`${words.value} ${name}`}
        placeholder={words.value}
        value={value}
        onText={(text) => set(id, { value: text })}
      />
      {mayChange && (
        <IconButton
          label={words.remove(name)}
          Icon={IconRemove}
          size="lg"
          onClick={() => onRows(rows.filter((row) => row.id !== id))}
        />
      )}
    </Group>
  ));
}
