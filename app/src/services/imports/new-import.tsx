import { FileInput, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { serviceTexts } from '../../texts/services.js';
import { changing, FlagField, FormDialog, TextField, useFieldFaults, useText, isWebUrl } from '../../ui/forms.js';
import { Note } from '../../ui/screens.js';
import { useSpace, type Place } from '../../writing/place.js';
import { useUntilLeft } from '../until-left.js';
import { runsKey, startImport, type NewSource } from './queries.js';

const words = serviceTexts.imports;
const KINDS = ['website', 'git', 'file'] as const;
const ACCEPTED = '.md,.markdown,.html,.htm,.zip,.tar,.gz,.tgz';

interface NewImportProps {
  readonly place: Place;
  readonly onStarted: (importRunId: string) => unknown;
  readonly onClose: () => void;
}

/** Asks for the source of an import, and says what it will make. */
export function NewImport({ place, onStarted, onClose }: NewImportProps) {
  const { editMode, permissions } = useSpace();
  const [kind, setKind] = useState<NewSource['type']>('website');
  const [url, ref, directory] = [useText(), useText('main'), useText()];
  const [files, setFiles] = useState<File[]>([]);
  const [isReviewed, setReviewed] = useState(true);
  const { at, noting } = useFieldFaults();
  const untilLeft = useUntilLeft();
  const address = url.value.trim();
  const isAddress = isWebUrl(address);
  const source = sourceFrom();
  const isLocked = editMode === 'locked';
  // A space that is locked gives websites and files a change request by itself, once there is something to write.
  const makesRequest = isReviewed && !(isLocked && kind !== 'git');

  function sourceFrom(): NewSource | undefined {
    if (kind === 'file') return files.length > 0 ? { type: kind, files } : undefined;
    if (!isAddress) return undefined;
    if (kind === 'website') return { type: kind, url: address };
    if (!permissions.triggerGitSync || ref.value.trim() === '') return undefined;
    return { type: kind, url: address, ref: ref.value.trim(), directory: directory.value.trim() };
  }

  const begin = async (): Promise<void> => {
    if (!source) return;
    // Who closes the dialog or leaves the screen during an upload wants no import, and is not taken to it.
    await untilLeft(async (signal) => {
      const run = await startImport(place, source, makesRequest, signal);
      if (!signal.aborted) onStarted(run);
    });
  };
  const fault = address !== '' && !isAddress && words.addressFault;
  return (
    <FormDialog
      title={words.start}
      action={words.begin}
      disabled={source === undefined}
      size="lg"
      onSubmit={noting(changing(begin, { refresh: runsKey(place) }))}
      onClose={onClose}
    >
      <SegmentedControl
        aria-label={words.source}
        data={KINDS.map((value) => ({ value, label: words.kinds[value] }))}
        value={kind}
        onChange={setKind}
        fullWidth
      />
      <Text size="sm">{words.plans[kind]}</Text>
      {kind === 'file' ? (
        <FileInput
          label={words.files}
          description={words.filesHelp}
          placeholder={words.choose}
          accept={ACCEPTED}
          multiple
          clearable
          clearButtonProps={{ 'aria-label': words.clear }}
          value={files}
          onChange={setFiles}
        />
      ) : (
        <TextField
          {...url}
          key={kind}
          type="url"
          label={words.addresses[kind]}
          description={kind === 'git' ? words.credentials : undefined}
          error={fault || at('source.url') || at('url')}
          maxLength={2048}
          required
          data-autofocus
        />
      )}
      {kind === 'git' && (
        <>
          <TextField {...ref} label={words.ref} error={at('ref')} maxLength={255} required />
          <TextField
            {...directory}
            label={words.directory}
            description={words.directoryHelp}
            error={at('repoProjectDirectory')}
            maxLength={1024}
          />
          {!permissions.triggerGitSync && <Note role="alert">{words.noGit}</Note>}
        </>
      )}
      {isLocked && kind !== 'git' ? (
        <Note>{words.locked}</Note>
      ) : (
        <FlagField
          label={words.reviewed}
          description={isReviewed ? words.reviewedText : words.directText[kind]}
          checked={isReviewed}
          onFlag={setReviewed}
        />
      )}
    </FormDialog>
  );
}
