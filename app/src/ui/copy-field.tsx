import { Button, CopyButton, Group, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/en.js';

/** A text that is there to be copied, such as a link or a token. */
export function CopyField({ label, value }: Readonly<{ label: string; value: string }>): ReactNode {
  return (
    <Group align="flex-end" wrap="nowrap" gap="xs">
      <TextInput
        flex={1}
        miw={0}
        label={label}
        value={value}
        readOnly
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button variant={copied ? 'light' : 'filled'} onClick={copy} aria-live="polite">
            {copied ? texts.people.copied : texts.people.copy}
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}
