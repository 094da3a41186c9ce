import { Alert, FileButton, Group, List, SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { send, type Schemas } from '../../api/client.js';
import { serviceTexts } from '../../texts/services.js';
import { SecondaryButton } from '../../ui/buttons.js';
import { ActionButton, NEW_CHOICE, useChange } from '../../ui/forms.js';
import { Note, Section } from '../../ui/screens.js';
import { exportedFiles, formatOf, saveFile, TRANSLATION, translationKey, type TranslationPlace } from './queries.js';

const words = serviceTexts.translations.files;
const FORMATS = ['xliff', 'po', 'tmx'] as const;

/** Files for the tools of translators: out, and in again. */
export function TranslationFiles({ place }: Readonly<{ place: TranslationPlace }>) {
  const [format, setFormat] = useState<(typeof FORMATS)[number]>('xliff');
  const [result, setResult] = useState<Schemas['ImportedFileBody']>();
  const save = async (): Promise<number> => {
    let count = 0;
    for await (const { name, mediaType, content, segments } of exportedFiles(place, format)) {
      saveFile(name, mediaType, content);
      count += segments;
    }
    return count;
  };
  const take = useChange(
    async (file: File) => {
      const given = formatOf(file.name);
      if (given === undefined) throw new Error(words.unknownFormat(file.name));
      setResult(undefined);
      setResult(await send('post', `${TRANSLATION}/import`, place, { format: given, content: await file.text() }));
    },
    { refresh: translationKey(place) },
  );
  return (
    <Stack>
      <Section title={words.out}>
        <Note>{words.outText[format]}</Note>
        <Group>
          <SegmentedControl
            aria-label={words.format}
            data={FORMATS.map((value) => ({ value, label: words.formats[value] }))}
            value={format}
            onChange={setFormat}
          />
          <ActionButton label={words.save} action={save} done={(count) => words.saved(Number(count))} />
        </Group>
      </Section>
      <Section title={words.in}>
        <Note>{words.inText}</Note>
        <Group>
          <FileButton
            accept=".xlf,.xliff,.po,.tmx"
            onChange={(file) => file && take.mutate(file)}
            inputProps={NEW_CHOICE}
          >
            {(props) => <SecondaryButton {...props} label={words.choose} loading={take.isPending} />}
          </FileButton>
        </Group>
        {result && <Taken result={result} />}
      </Section>
    </Stack>
  );
}

function Taken({ result }: Readonly<{ result: Schemas['ImportedFileBody'] }>) {
  const { reviewed, unreviewed, unchanged, unknown, refused } = result;
  return (
    <Alert color={refused.length > 0 ? 'yellow' : 'green'} title={words.taken(reviewed + unreviewed)} role="status">
      {words.report(reviewed, unreviewed, unchanged, unknown)}
      {refused.length > 0 && (
        <>
          <Note>{words.refused(refused.length)}</Note>
          <List size="sm">
            {refused.map(({ unit, message }) => (
              <List.Item key={unit} className="plain-text">
                <bdi>{unit}</bdi>: {message}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Alert>
  );
}
