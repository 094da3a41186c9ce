import { Badge, Card, Code, Group, Stack, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/en.js';
import type { OtherChange } from './changed-things.js';

/** Files, reusable contents and variables that a change request changes, with their values before and after. */
export function OtherChanges({ changes }: { readonly changes: readonly OtherChange[] }): ReactNode {
  if (changes.length === 0) return null;
  return (
    <Card withBorder component="section" id="other-changes" aria-labelledby="other-changes-title">
      <Stack gap="md">
        <Title order={2} size="h4" id="other-changes-title">
          {texts.review.changes.othersTitle}
        </Title>
        {changes.map(({ key, type, name, deltas }) => (
          <Stack gap="xs" key={key}>
            <Group gap="xs">
              <Badge variant="light">{texts.writing.history.kinds[type] ?? type}</Badge>
              <Text fw={600}>{name}</Text>
            </Group>
            {deltas.length > 0 && <Deltas deltas={deltas} />}
          </Stack>
        ))}
      </Stack>
    </Card>
  );
}

function Deltas({ deltas }: Pick<OtherChange, 'deltas'>): ReactNode {
  const words = texts.writing.diff;
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table withTableBorder>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.attribute}</Table.Th>
            <Table.Th>{words.before}</Table.Th>
            <Table.Th>{words.after}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {deltas.map(([name, { before, after }]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{words.attributes[name] ?? name}</Table.Th>
              <Table.Td>{shownValue(before)}</Table.Td>
              <Table.Td>{shownValue(after)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** A value of an attribute for people. */
export function shownValue(value: unknown): ReactNode {
  if (value === undefined || value === null || value === '') return '–';
  return typeof value === 'string' || typeof value === 'number' ? value : <Code>{JSON.stringify(value)}</Code>;
}
