import { Badge, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/en.js';
import { AttributeTable } from '../../ui/page-diff.js';
import { Section } from '../../ui/section.js';
import type { OtherChange } from './changed-things.js';

/** Files, reusable contents and variables that differ, with their values before and after. */
export function OtherChanges({ changes }: Readonly<{ changes: readonly OtherChange[] }>): ReactNode {
  if (changes.length === 0) return null;
  return (
    <Section title={texts.review.changes.othersTitle} id="other-changes">
      {changes.map(({ key, type, name, deltas }) => (
        <Stack gap="xs" key={key}>
          <Group gap="xs">
            <Badge variant="light">{texts.writing.history.kinds[type] ?? type}</Badge>
            <Text fw={600}>{name}</Text>
          </Group>
          <AttributeTable attributes={deltas} />
        </Stack>
      ))}
    </Section>
  );
}
