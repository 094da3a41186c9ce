import { Alert, FileButton, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { settingsTexts } from '../../texts/settings.js';
import { SecondaryButton } from '../../ui/buttons.js';
import { NEW_CHOICE, TextAreaField, useText } from '../../ui/forms.js';
import { MOST_METADATA, readMetadata } from './metadata.js';

const words = settingsTexts.sso;

/** Fills the fields from the metadata of the identity provider, as a file or as text. */
export function FromMetadata({
  onRead,
}: Readonly<{ onRead: (read: NonNullable<ReturnType<typeof readMetadata>>) => void }>) {
  const pasted = useText();
  const [state, setState] = useState<'read' | 'unreadable'>();
  const take = (xml: string): void => {
    const read = readMetadata(xml);
    if (read) onRead(read);
    setState(read ? 'read' : 'unreadable');
  };
  const open = async (file: File | null): Promise<void> => {
    if (file) take(file.size > MOST_METADATA ? '' : await file.text());
  };
  return (
    <Stack gap="xs">
      <TextAreaField
        {...pasted}
        label={words.metadata}
        description={words.metadataHelp}
        isSource
        maxRows={4}
        onText={(xml) => {
          pasted.onText(xml);
          if (xml.trim() === '') setState(undefined);
          else take(xml);
        }}
      />
      <Group>
        <FileButton
          accept=".xml,application/samlmetadata+xml,application/xml,text/xml"
          onChange={(file) => void open(file)}
          inputProps={NEW_CHOICE}
        >
          {(props) => <SecondaryButton {...props} label={words.metadataFile} size="xs" />}
        </FileButton>
      </Group>
      {state && (
        <Alert color={state === 'read' ? 'green' : 'red'} role={state === 'read' ? 'status' : 'alert'}>
          {words.metadataStates[state]}
        </Alert>
      )}
    </Stack>
  );
}
