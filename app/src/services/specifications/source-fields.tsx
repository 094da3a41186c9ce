import { FileButton, Group, SegmentedControl, Select } from '@mantine/core';
import { useState } from 'react';
import { serviceTexts } from '../../texts/services.js';
import { SecondaryButton } from '../../ui/buttons.js';
import { NEW_CHOICE, TextAreaField, TextField, useFieldFaults, useText, isWebUrl } from '../../ui/forms.js';
import { showFault } from '../../ui/toasts.js';
import type { SpecificationSource } from './queries.js';

const words = serviceTexts.specifications;
const KINDS = ['url', 'text'] as const;
const TOLERANCES = ['server', 'yes', 'no'] as const;
type Tolerance = (typeof TOLERANCES)[number];

/** The state of the fields in which the source of a specification is given. */
export function useSource(address = '') {
  const [kind, setKind] = useState<(typeof KINDS)[number]>('url');
  const [url, text] = [useText(address), useText()];
  const [tolerance, setTolerance] = useState<Tolerance>('server');
  const { at, noting } = useFieldFaults();
  const given = kind === 'url' ? url.value.trim() : text.value;
  const isReady = kind === 'url' ? isWebUrl(given) : given.trim() !== '';
  const source: SpecificationSource | undefined = isReady
    ? { [kind]: given, ...(tolerance !== 'server' && { tolerant: tolerance === 'yes' }) }
    : undefined;
  return { source, at, noting, fields: { kind, setKind, url, text, tolerance, setTolerance, at } };
}

type SourceFieldsProps = ReturnType<typeof useSource>['fields'];

/** Asks for the address of a specification, or its text, which a file can give too. */
export function SourceFields({ kind, setKind, url, text, tolerance, setTolerance, at }: SourceFieldsProps) {
  const read = (file: File | null): void => void file?.text().then(text.onText, showFault);
  return (
    <>
      <SegmentedControl
        aria-label={words.source}
        data={KINDS.map((value) => ({ value, label: words.kinds[value] }))}
        value={kind}
        onChange={setKind}
      />
      {kind === 'url' ? (
        <TextField
          {...url}
          type="url"
          label={words.url}
          description={words.urlHelp}
          error={at('source.url')}
          maxLength={2048}
          required
        />
      ) : (
        <>
          <TextAreaField
            {...text}
            label={words.text}
            description={words.textHelp}
            error={at('source.text')}
            isSource
            minRows={6}
            maxRows={12}
            dir="ltr"
            spellCheck={false}
            required
          />
          <Group>
            <FileButton accept=".json,.yaml,.yml" onChange={read} inputProps={NEW_CHOICE}>
              {(props) => <SecondaryButton {...props} label={words.file} size="xs" />}
            </FileButton>
          </Group>
        </>
      )}
      <Select
        label={words.tolerance}
        data={TOLERANCES.map((value) => ({ value, label: words.tolerances[value] }))}
        value={tolerance}
        onChange={(chosen) => setTolerance(TOLERANCES.find((each) => each === chosen) ?? 'server')}
      />
    </>
  );
}
