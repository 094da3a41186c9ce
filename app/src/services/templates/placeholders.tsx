import { Fieldset, Stack } from '@mantine/core';
import { useState } from 'react';
import { templateTexts as words } from '../../texts/templates.js';
import { TextField } from '../../ui/forms.js';
import { Note } from '../../ui/screens.js';
import type { Template } from './queries.js';

const ADDRESS = /^(?:https?:\/\/|mailto:)\S+$/i;

/** The addresses for the placeholders of a template; `params` is absent while one of them is none. */
export function usePlaceholders({ contentRefs }: Template) {
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({});
  const filled = contentRefs.flatMap(({ name }) => {
    const url = given[name]?.trim() ?? '';
    return url === '' ? [] : [{ name, url }];
  });
  const isReady = filled.every(({ url }) => ADDRESS.test(url));
  const refs = Object.fromEntries(filled.map(({ name, url }) => [name, { kind: 'url', url }]));
  return { params: isReady ? { contentRefs: refs } : undefined, fields: { contentRefs, given, setGiven } };
}

type PlaceholdersProps = ReturnType<typeof usePlaceholders>['fields'] &
  Readonly<{ faultOf: (name: string) => string | undefined }>;

/** Asks where the links of a template lead. */
export function Placeholders({ contentRefs, given, setGiven, faultOf }: PlaceholdersProps) {
  if (contentRefs.length === 0) return null;
  return (
    <Fieldset legend={words.placeholders}>
      <Stack gap="xs">
        <Note>{words.placeholdersText}</Note>
        {contentRefs.map(({ name, description }) => {
          const url = given[name]?.trim() ?? '';
          return (
            <TextField
              key={name}
              label={description}
              value={given[name] ?? ''}
              onText={(text) => setGiven({ ...given, [name]: text })}
              error={(url !== '' && !ADDRESS.test(url) && words.addressFault) || faultOf(name)}
              maxLength={2048}
            />
          );
        })}
      </Stack>
    </Fieldset>
  );
}
