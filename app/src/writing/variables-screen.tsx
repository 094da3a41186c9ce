import { ActionIcon, Alert, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useState, type FormEvent, type ReactNode } from 'react';
import IconRemove from '~icons/fa7-solid/trash-can';
import IconAdd from '~icons/fa7-solid/plus';
import { texts } from '../texts/en.js';
import { useTitle } from '../ui/title.js';
import { EmptyScreen, FaultScreen, LoadingScreen } from '../ui/screens.js';
import { showDone } from '../ui/toasts.js';
import { EditButton } from './edit-button.js';
import { useMayWrite } from './files-screen.js';
import { usePlace, type Place } from './place.js';
import { PlaceHeader } from './place-header.js';
import { renewContent, revisionQuery } from './queries.js';
import { write } from './write.js';

const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;
const words = texts.writing.variables;

type Values = Readonly<Record<string, unknown>>;

interface Row {
  readonly id: number;
  readonly name: string;
  readonly value: string;
}

/** The variables of a place. */
function VariablesScreen(): ReactNode {
  const place = usePlace();
  const mayChange = useMayWrite(place);
  useTitle(words.title);
  const { data, error } = useQuery(revisionQuery(place));
  if (error) return <FaultScreen error={error} />;
  if (!data) return <LoadingScreen />;
  return (
    <Stack p="md" maw={760} mx="auto">
      <PlaceHeader place={place} />
      <Group justify="space-between">
        <Title order={1} size="h2">
          {words.title}
        </Title>
        {!mayChange && <EditButton place={place} />}
      </Group>
      <Text c="dimmed">{words.text}</Text>
      {!mayChange && <Alert py="xs">{words.editFirst}</Alert>}
      <VariablesForm key={data.id} place={place} variables={data.variables} mayChange={mayChange} />
    </Stack>
  );
}

function VariablesForm({
  place,
  variables,
  mayChange,
}: {
  readonly place: Place;
  readonly variables: Values;
  readonly mayChange: boolean;
}): ReactNode {
  const queries = useQueryClient();
  const [rows, setRows] = useState<readonly Row[]>(() =>
    Object.entries(variables).map(([name, value], id) => ({ id, name, value: String(value) })),
  );
  const save = useMutation({
    mutationFn: () => write(place, [{ operation: 'set_variables', variables: changesOf(variables, rows) }]),
    onSuccess: async () => {
      await renewContent(queries, place);
      showDone(words.saved);
    },
  });
  const set = (id: number, next: Partial<Row>): void =>
    setRows(rows.map((row) => (row.id === id ? { ...row, ...next } : row)));
  const add = (): void =>
    setRows([...rows, { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, name: '', value: '' }]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  const isChanged = Object.keys(changesOf(variables, rows)).length > 0;
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {rows.length === 0 && <EmptyScreen title={words.empty} text={words.emptyText} />}
        {rows.map(({ id, name, value }) => (
          <Group key={id} align="flex-start" wrap="nowrap">
            <TextInput
              flex={1}
              required
              readOnly={!mayChange}
              aria-label={words.name}
              placeholder={words.name}
              value={name}
              error={name === '' || NAME.test(name) ? undefined : words.nameFault}
              onChange={(event) => set(id, { name: event.currentTarget.value })}
            />
            <TextInput
              flex={2}
              readOnly={!mayChange}
              maxLength={256}
              aria-label={`${words.value} ${name}`}
              placeholder={words.value}
              value={value}
              onChange={(event) => set(id, { value: event.currentTarget.value })}
            />
            {mayChange && (
              <ActionIcon
                size="lg"
                aria-label={words.remove(name)}
                onClick={() => setRows(rows.filter((row) => row.id !== id))}
              >
                <IconRemove width={14} aria-hidden="true" />
              </ActionIcon>
            )}
          </Group>
        ))}
        {mayChange && (
          <Group>
            <Button variant="default" leftSection={<IconAdd width={12} aria-hidden="true" />} onClick={add}>
              {words.add}
            </Button>
            <Button
              type="submit"
              loading={save.isPending}
              disabled={!isChanged || rows.some(({ name }) => !NAME.test(name))}
            >
              {words.save}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

/** What differs: null for variables that are gone. Numbers and truth values keep their kind. */
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

export const variablesScreens = {
  space: createLazyRoute('/signed-in/o/$organizationId/s/$spaceId/~/variables')({ component: VariablesScreen }),
  changeRequest: createLazyRoute('/signed-in/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/~/variables')({
    component: VariablesScreen,
  }),
};
