import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import IconAdd from '~icons/fa7-solid/plus';
import { useMutation } from '../api/mutations.js';
import { texts } from '../texts/en.js';
import { writingTexts } from '../texts/writing.js';
import { Button, SecondaryButton } from '../ui/buttons.js';
import { EmptyScreen, Loaded, Note } from '../ui/screens.js';
import { useMayWrite, usePlace } from './place.js';
import { PlaceFrame } from './place-frame.js';
import { revisionQuery, useWrite } from './queries.js';
import {
  areNamed,
  rowsOf,
  type Values,
  valuesOf,
  type VariableRow,
  VariableRows,
  withNewRow,
} from './variable-rows.js';

const words = writingTexts.variables;

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
  const [rows, setRows] = useState<readonly VariableRow[]>(() => rowsOf(variables));
  const write = useWrite();
  const changes = changesOf(variables, rows);
  const save = useMutation({
    mutationFn: () => write({ operation: 'set_variables', variables: changes }, words.saved),
  });
  return (
    <form action={() => save.mutate()}>
      <Stack gap="sm">
        {rows.length === 0 && <EmptyScreen title={words.empty} text={words.emptyText} />}
        <VariableRows rows={rows} onRows={setRows} mayChange={mayChange} />
        {mayChange && (
          <Group>
            <SecondaryButton label={words.add} leftSection={<IconAdd />} onClick={() => setRows(withNewRow(rows))} />
            <Button
              label={texts.common.save}
              type="submit"
              loading={save.isPending}
              disabled={Object.keys(changes).length === 0 || !areNamed(rows)}
            />
          </Group>
        )}
      </Stack>
    </form>
  );
}

/** The variables that differ: null for those that are gone. */
function changesOf(variables: Values, rows: readonly VariableRow[]): Record<string, unknown> {
  const after = valuesOf(rows, variables);
  const changed = Object.entries(after).filter(([name, value]) => variables[name] !== value);
  const removed = Object.keys(variables).filter((name) => !(name in after));
  return { ...Object.fromEntries(changed), ...Object.fromEntries(removed.map((name) => [name, null])) };
}
