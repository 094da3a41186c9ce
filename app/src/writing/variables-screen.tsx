import { Group, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import IconRemove from '~icons/fa7-solid/trash-can';
import IconAdd from '~icons/fa7-solid/plus';
import { texts } from '../texts/en.js';
import { Button, IconButton, SecondaryButton } from '../ui/buttons.js';
import { TextField } from '../ui/forms.js';
import { EmptyScreen, Loaded, Note } from '../ui/screens.js';
import { useMayWrite, usePlace } from './place.js';
import { PlaceFrame } from './place-frame.js';
import { revisionQuery, useWrite } from './queries.js';

const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;
const words = texts.writing.variables;

type Values = Readonly<Record<string, unknown>>;
type Row = Readonly<{ id: number; name: string; value: string }>;

/** The variables of a place. */
export function VariablesScreen() {
  const query = useQuery(revisionQuery(usePlace()));
  return (
    <PlaceFrame title={words.title} editFirst={words.editFirst}>
      <Note mb="md">{words.text}</Note>
      <Loaded query={query}>{({ id, variables }) => <VariablesForm key={id} variables={variables} />}</Loaded>
    </PlaceFrame>
  );
}

function VariablesForm({ variables }: Readonly<{ variables: Values }>) {
  const mayChange = useMayWrite();
  const [rows, setRows] = useState<readonly Row[]>(() =>
    Object.entries(variables).map(([name, value], id) => ({ id, name, value: String(value) })),
  );
  const write = useWrite();
  const changes = changesOf(variables, rows);
  const set = (id: number, next: Partial<Row>): void =>
    setRows(rows.map((row) => (row.id === id ? { ...row, ...next } : row)));
  const add = (): void =>
    setRows([...rows, { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, name: '', value: '' }]);
  const save = useMutation({
    mutationFn: () => write({ operation: 'set_variables', variables: changes }, words.saved),
  });
  const isValid = rows.every(({ name }) => NAME.test(name));
  return (
    <form action={() => save.mutate()}>
      <Stack gap="sm">
        {rows.length === 0 && <EmptyScreen title={words.empty} text={words.emptyText} />}
        {rows.map(({ id, name, value }) => (
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
                onClick={() => setRows(rows.filter((row) => row.id !== id))}
              />
            )}
          </Group>
        ))}
        {mayChange && (
          <Group>
            <SecondaryButton label={words.add} leftSection={<IconAdd />} onClick={add} />
            <Button
              label={texts.common.save}
              type="submit"
              loading={save.isPending}
              disabled={Object.keys(changes).length === 0 || !isValid}
            />
          </Group>
        )}
      </Stack>
    </form>
  );
}

/** The variables that differ: null for those that are gone. Numbers and truth values keep their kind. */
function changesOf(variables: Values, rows: readonly Row[]): Record<string, unknown> {
  const after = new Map(rows.map(({ name, value }) => [name, valueOf(value, variables[name])]));
  const changed = [...after].filter(([name, value]) => variables[name] !== value);
  const removed = Object.keys(variables).filter((name) => !after.has(name));
  return { ...Object.fromEntries(changed), ...Object.fromEntries(removed.map((name) => [name, null])) };
}

function valueOf(text: string, before: unknown): string | number | boolean {
  if (typeof before === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
